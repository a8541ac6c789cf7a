//! Enums with fields: to a device, structs of a tag and the fields of all cases.
//!
//! A value has the fields of its case; those of the others are zero, so that values can be compared
//! part by part, and zeroes are the first case. The tag is the position of the case. Everything
//! else about them is as with structs: generic ones are instances, and parts are places.
//!
//! rustc proves on the host version that cases have their fields and that patterns leave none out.

use amp_spirv::{diagnostic::Code, tree::Scalar};
use syn::{Fields, ItemEnum, Variant};

use super::{
    enumeration::{always_there, derives, is_default},
    names::Names,
    parameter,
    program::{CaseDef, ConstDef, Program, StructDef},
    signature::SignatureScope,
    ty::Ty,
    type_expr::read_type,
};
use crate::report::Report;

/// Whether a case of an enum has fields.
pub fn has_fields(item: &ItemEnum) -> bool {
    let mut cases = item.variants.iter();
    cases.any(|case| !matches!(case.fields, Fields::Unit))
}

/// Reads an enum with fields into the structs of a program.
pub fn read(
    program: &mut Program,
    id: &str,
    item: &ItemEnum,
    names: &Names,
    report: &mut Report,
) -> usize {
    let (parameters, arguments) =
        parameter::declare(program, &item.generics, ConstDef::A_TYPE, names);
    if let Some(attribute) = item.attrs.iter().find(|it| it.path().is_ident("repr")) {
        report.error_help(
            Code::Enumeration,
            attribute,
            "a `repr` of an `#[amp_enum]` with fields",
            "leave it out: arrays do not hold such an enum, and its layout is no one else's",
        );
    }
    let mut fields = vec![("tag".to_owned(), Ty::Scalar(Scalar::U32))];
    let defaults = super::defaults::read(program, &item.generics, names, &arguments, report);
    let mut scope = SignatureScope {
        program,
        names,
        arguments: &arguments,
        report,
        literal_only: true,
    };
    let cases = item.variants.iter();
    let cases = cases.map(|case| read_case(case, &mut fields, &mut scope));
    let cases = cases.collect();
    let has_slices = (fields.iter()).any(|(_, ty)| scope.program.holds_kept_slice(ty));
    if let Some((place, message, help)) = parameter::unfit_for_type(&item.generics, has_slices) {
        scope
            .report
            .error_help(Code::Enumeration, place, message, help);
    }
    program.structs.push(StructDef {
        defaults,
        name: item.ident.to_string(),
        id: id.to_owned(),
        fields,
        private: Default::default(),
        is_tuple: false,
        is_unit: false,
        is_bundle: false,
        derives: derives(&item.attrs),
        parameters,
        cases,
    });
    program.structs.len() - 1
}

fn read_case(
    case: &Variant,
    fields: &mut Vec<(String, Ty)>,
    scope: &mut SignatureScope,
) -> CaseDef {
    always_there(&case.attrs, "a case", scope.report);
    if let Some((_, value)) = &case.discriminant {
        scope.report.error_help(
            Code::Enumeration,
            value,
            "a value for a case of an enum with fields",
            "leave it out: such a case is told from the others by `match` alone",
        );
    }
    let first = fields.len();
    let mut names = Vec::new();
    for (position, field) in case.fields.iter().enumerate() {
        always_there(&field.attrs, "a field", scope.report);
        let name = match &field.ident {
            Some(name) => name.to_string(),
            None => position.to_string(),
        };
        let ty = read_type(&field.ty, scope);
        if matches!(ty, Ty::Tiled(_) | Ty::Barrier | Ty::Unit | Ty::Never) {
            scope.report.error_help(
                Code::Enumeration,
                &field.ty,
                "this type cannot be a field of an `#[amp_enum]`",
                "its fields are values: numbers, bool, vectors, tuples, arrays, structs and enums",
            );
        }
        fields.push((format!("{}.{name}", case.ident), ty));
        names.push(name);
    }
    CaseDef {
        name: case.ident.to_string(),
        first,
        fields: names,
        is_named: matches!(case.fields, Fields::Named(_)),
        is_default: is_default(case),
    }
}

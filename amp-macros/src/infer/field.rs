//! Fields of structs, and what a struct of values must be made of.

use amp_spirv::diagnostic::Code;
use syn::{Attribute, Ident, ItemStruct};

use super::{
    bundle,
    layout::padding,
    names::Names,
    parameter,
    program::Program,
    signature::SignatureScope,
    ty::{Arguments, Ty},
};
use crate::report::{Locate, Report};

/// Reads the fields of a struct.
pub fn fields(
    program: &mut Program,
    item: &ItemStruct,
    names: &Names,
    arguments: &Arguments,
    report: &mut Report,
) -> Vec<(String, Ty)> {
    let mut scope = SignatureScope {
        program,
        names,
        arguments,
        report,
        literal_only: true,
    };
    let fields: Vec<(String, Ty)> = item
        .fields
        .iter()
        .enumerate()
        .map(|(position, field)| {
            let conditional = field.attrs.iter().find(|attribute| {
                attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr")
            });
            if let Some(attribute) = conditional {
                scope.report.error_help(
                    Code::StructField,
                    attribute,
                    "a field that is there under a condition",
                    "the device's code would not know; put the `cfg` on the struct, and write two",
                );
            }
            let ty = bundle::field_type(&field.ty, &mut scope);
            let name = match &field.ident {
                Some(ident) => ident.to_string(),
                None => position.to_string(),
            };
            (name, ty)
        })
        .collect();
    if fields.iter().any(|(_, ty)| bundle::is_part(ty)) {
        bundle::check(item, &fields, &mut scope);
    } else {
        check_values(item, &fields, &mut scope);
    }
    fields
}

/// Checks the fields of a struct that is a value.
fn check_values(item: &ItemStruct, fields: &[(String, Ty)], scope: &mut SignatureScope) {
    let is_known = fields.iter().all(|(_, ty)| *ty != Ty::Error);
    let has_slices = (fields.iter()).any(|(_, ty)| scope.program.holds_kept_slice(ty));
    let unfit = parameter::unfit_for_type(&item.generics, has_slices);
    if is_known && let Some((place, message, help)) = unfit {
        scope
            .report
            .error_help(Code::StructField, place, message, help);
    }
    bundle::refuse_no_values(item, fields, scope);
}

/// Refuses a struct for arrays, the last of the program, if it has a slice.
pub fn refuse_slices(program: &Program, item: &ItemStruct, report: &mut Report) {
    let fields = program.structs.last().map(|this| &this.fields);
    for (field, (_, ty)) in item.fields.iter().zip(fields.into_iter().flatten()) {
        if program.holds_kept_slice(ty) {
            report.error_help(
                Code::StructField,
                &field.ty,
                "a slice in an `#[amp_struct]`, which arrays may hold",
                "write the struct in an `#[amp_module]`, without the attribute",
            );
        }
    }
}

/// Refuses a struct for arrays, the last of the program, if it has padding: there would be no array of it.
pub fn check_layout(program: &Program, item: &ItemStruct, report: &mut Report) {
    let Some(this) = program.structs.last() else {
        return;
    };
    let has_known_layout = item.generics.params.is_empty()
        && this.fields.iter().all(|(_, ty)| *ty != Ty::Error)
        && has_layout_of_c(&item.attrs);
    if has_known_layout && let Some(found) = padding(program, &this.fields) {
        let (place, what) = match found.before.and_then(|k| item.fields.iter().nth(k)) {
            Some(field) => (field.ty.locate(), "its type stands"),
            None => (item.ident.locate(), "the struct stands"),
        };
        let (message, fill) = (found.place(&this.fields), found.filled());
        let align = found.align;
        report.error_help(
            Code::StructField,
            place,
            message,
            format!(
                "{what} at multiples of {align} bytes, and a device would read what nothing writes: {fill}; \
                 if no array holds the struct, an `#[amp_module]` has it without its attribute"
            ),
        );
    }
}

/// Whether fields are laid out in order, as C does it.
fn has_layout_of_c(attributes: &[Attribute]) -> bool {
    let mut written = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("repr"));
    written.all(|attribute| {
        attribute
            .parse_args::<Ident>()
            .is_ok_and(|layout| layout == "C")
    })
}

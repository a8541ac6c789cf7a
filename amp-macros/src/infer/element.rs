//! Which types are those of elements: host and device share their bytes.

use amp_spirv::{diagnostic::Code, tree::Scalar};
use syn::ItemStruct;

use super::{
    layout::padding,
    program::Program,
    ty::{Len, Ty},
};
use crate::report::Report;

/// Refuses a struct by which arrays hold the values of an enum, the last of the program, if one of its fields
/// is no element.
pub fn check_elements(program: &Program, item: &ItemStruct, report: &mut Report) {
    let Some(this) = program.structs.last() else {
        return;
    };
    let is_known = |length| matches!(length, Len::Literal(count) if count > 0);
    for (field, (_, ty)) in item.fields.iter().zip(&this.fields) {
        if let Some(help) = unfit(program, ty, &is_known) {
            let message = "arrays do not hold values of this type, nor of an enum that has it";
            report.error_help(Code::Enumeration, &field.ty, message, help);
        }
    }
}

/// What to do where a view is of values that cannot be its elements.
pub fn unfit(program: &Program, ty: &Ty, is_known: &impl Fn(Len) -> bool) -> Option<String> {
    let is_fit = is_element(ty, is_known) && program.is_any_bytes(ty);
    (!is_fit).then(|| unfit_as_element(program, ty))
}

/// Why values of the type cannot lie in a global array, and what to do.
fn unfit_as_element(program: &Program, ty: &Ty) -> String {
    let help = match ty {
        Ty::Enum(_) => {
            "the bytes of an array may be no variant: use u32 or i32, and `match` the number, or the \
             struct of `#[amp_enum(element = Stored)]`"
        }
        Ty::Struct(index, _) if program.structs[*index].is_enum() => {
            "the bytes of an array may be no case: use the struct of `#[amp_enum(element = Stored)]`, whose \
             `value()` is the enum"
        }
        Ty::Struct(..) if let Some(name @ ("Wrapping" | "Reverse")) = program.core_name(ty) => {
            return format!(
                "make the elements numbers, and wrap them where they are read: `{name}(x[i])`"
            );
        }
        Ty::Struct(_, applied) if !applied.is_empty() => {
            "a generic struct may have padding for some parameters; write an `#[amp_struct]` \
             without parameters, and convert"
        }
        Ty::Struct(index, _) => {
            let fields = &program.structs[*index].fields;
            return match fields
                .iter()
                .find(|(_, field)| !program.is_any_bytes(field))
            {
                Some((name, field)) => {
                    let why = unfit_as_element(program, field);
                    match why.strip_prefix("its field `") {
                        Some(inner) => format!("its field `{name}.{inner}"),
                        None => format!("its field `{name}`: {why}"),
                    }
                }
                None => match padding(program, fields) {
                    Some(found) => {
                        format!("it has {}: {}", found.place(fields), found.filled())
                    }
                    None => "a struct without fields has no bytes; give it one".to_owned(),
                },
            };
        }
        Ty::Scalar(Scalar::Bool) | Ty::Vector(..) => "a bool has no layout in memory; use u32",
        Ty::Scalar(_) => {
            "a usize or isize has 64 bits on the host and 32 on a device; use u32 or i32"
        }
        Ty::Array(_, Len::Const(_)) => {
            "the size of an element is known when the kernel is compiled: write the length as a number, \
             or as a constant whose value the macro can read, `const N: usize = 4;`"
        }
        Ty::Array(_, Len::Literal(0)) => {
            "an array without elements has no size; give it at least one"
        }
        Ty::Array(element, _) if !program.is_any_bytes(element) => {
            return unfit_as_element(program, element);
        }
        _ => {
            "elements are numbers, glam's vectors and matrices, `#[amp_struct]`s, and arrays of these; \
             of a tuple, make an `#[amp_struct]`"
        }
    };
    help.to_owned()
}

/// Whether values of the type can lie in a global array, where arrays have a length that is known.
fn is_element(ty: &Ty, is_known: &impl Fn(Len) -> bool) -> bool {
    match ty {
        Ty::Error | Ty::Param(_) | Ty::Struct(..) | Ty::Matrix(_) => true,
        Ty::Scalar(scalar) | Ty::Vector(scalar, _) => scalar.is_element(),
        Ty::Array(element, length) => is_known(*length) && is_element(element, is_known),
        _ => false,
    }
}

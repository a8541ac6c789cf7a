//! Which types are those of elements: host and device share their bytes.

use amp_spirv::tree::Scalar;

use super::{
    layout::padding,
    program::Program,
    ty::{Len, Ty},
};

/// What to do where a view is of values that cannot be its elements.
pub fn unfit(program: &Program, ty: &Ty, is_known: &impl Fn(Len) -> bool) -> Option<String> {
    let is_fit = is_element(ty, is_known) && program.is_any_bytes(ty);
    (!is_fit).then(|| unfit_as_element(program, ty))
}

/// Why values of the type cannot lie in a global array, and what to do.
fn unfit_as_element(program: &Program, ty: &Ty) -> String {
    let help = match ty {
        Ty::Enum(_) => {
            "the bytes of an array may be no variant; use u32 or i32, and `match` the number"
        }
        Ty::Struct(index, _) if program.structs[*index].is_enum() => {
            "an enum with fields has no layout for arrays: keep the number of its case and the fields \
             in an `#[amp_struct]`, and `match` the number"
        }
        Ty::Struct(..) if program.core_name(ty) == Some("Wrapping") => {
            "make the elements numbers, and wrap them where they are read: `Wrapping(x[i])`"
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

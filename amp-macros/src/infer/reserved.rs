//! Names that items which kernels name cannot have.

use amp_spirv::diagnostic::Code;
use proc_macro2::Ident;

use crate::{
    language::name::{is_built_in_type, is_optional_type, is_reserved_name},
    report::Report,
};

/// Refuses a name whose macro, which other items find the function by, would hide one of the
/// standard library.
pub fn exported(name: &Ident, report: &mut Report) {
    let text = name.to_string();
    if is_reserved_name(&text) {
        report.error_help(
            Code::ReservedName,
            name,
            format!(
                "`{text}` is a macro of the standard library, which an `#[amp_fn]` or \
                 `#[amp_kernel]` of that name would hide"
            ),
            format!("rename it, for example to `{text}_of`"),
        );
    }
}

/// Refuses the name of a type that kernels know without an import, which is what others would find.
pub fn exported_type(name: &Ident, report: &mut Report) {
    let text = name.to_string();
    if is_built_in_type(&text) && !is_optional_type(&text) {
        report.error_help(
            Code::ReservedName,
            name,
            format!("`{text}` is a type that kernels know without an import"),
            format!("rename it, for example to `Own{text}`"),
        );
    }
}

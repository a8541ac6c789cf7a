//! Names that items of kernel code cannot have, and items inside bodies.

use amp_spirv::diagnostic::Code;
use syn::Item;

use super::{function::FnCx, ty::Ty, typed::Resolved};

/// Macros that are in scope everywhere; a function of the same name would export a
/// macro that hides them in its module.
const STANDARD_MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include",
    "include_bytes",
    "include_str",
    "is_x86_feature_detected",
    "line",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "stringify",
    "thread_local",
    "todo",
    "try",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Whether the standard library has a macro of this name.
pub fn is_reserved_name(name: &str) -> bool {
    STANDARD_MACROS.contains(&name)
}

impl FnCx<'_> {
    /// An item inside a body: constants and functions are let through, everything else is
    /// refused.
    pub fn item(&mut self, item: &Item) {
        // These were declared with their block.
        if let Item::Const(_) | Item::Fn(_) = item {
            return;
        }
        if let Item::Static(of) = item {
            let local = self.new_local(&of.ident, Ty::Error);
            self.scopes.declare(&of.ident, Resolved::Local(local));
        }
        let (what, help) = match item {
            Item::Struct(_) => (
                "a nested struct",
                "move it out and mark it with `#[amp_struct]`",
            ),
            Item::Enum(_) => (
                "a nested enum",
                "move it out and mark it with `#[amp_enum]`",
            ),
            Item::Static(_) => ("a static", "use a `const`, or a view for data that changes"),
            Item::Use(_) => ("a `use` declaration", "move it out of the function"),
            Item::Macro(_) => ("a macro", "write out what it stands for"),
            _ => ("an item of this kind", "move it out of the function"),
        };
        self.report.error_help(
            Code::UnsupportedSyntax,
            item,
            format!("{what} inside kernel code"),
            help,
        );
    }
}

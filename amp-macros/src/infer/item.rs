//! Items inside bodies.

use amp_spirv::diagnostic::Code;
use syn::Item;

use super::{context::FnCx, ty::Ty, typed::Resolved};

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
            Item::Macro(_) => (
                "a macro that cannot be read",
                "write `macro_rules! name { (pattern) => { .. } }`",
            ),
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

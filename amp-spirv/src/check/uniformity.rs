use crate::{diagnostic::Diagnostic, ir::Module};
pub(super) fn check(_module: &Module) -> Vec<Diagnostic> {
    Vec::new()
}

//! Closures of the host version: Rust's own, with the types of their parameters.

use syn::{
    ExprClosure, Pat, PatType, Token, parse_quote_spanned, spanned::Spanned, visit_mut::VisitMut,
};

use super::host_version::HostVersion;

impl HostVersion<'_> {
    pub(super) fn closure(&mut self, closure: &mut ExprClosure) {
        for input in &mut closure.inputs {
            if matches!(input, Pat::Type(_)) {
                continue;
            }
            if let Some(ty) = self.pattern_type(input) {
                let span = input.span();
                *input = Pat::Type(PatType {
                    attrs: Vec::new(),
                    pat: Box::new(input.clone()),
                    colon_token: Token![:](span),
                    ty: Box::new(parse_quote_spanned!(span=> #ty)),
                });
            }
        }
        self.visit_expr_mut(&mut closure.body);
    }
}

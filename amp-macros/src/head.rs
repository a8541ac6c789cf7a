//! Expressions in the heads of `match`, `if` and `for`, where a struct that is written out would end the head.

use syn::{Expr, ExprParen, ExprStruct, spanned::Spanned, token};

use crate::visit::{self, Visit};

/// The expression as it stands before a brace: in parentheses, if a struct is written out in it.
pub fn before_brace(expr: &Expr) -> Expr {
    struct Structs(bool);
    impl Visit<'_> for Structs {
        fn visit_expr_struct(&mut self, of: &ExprStruct) {
            self.0 = true;
            visit::visit_expr_struct(self, of);
        }
    }
    let mut structs = Structs(false);
    structs.visit_expr(expr);
    match structs.0 {
        true => Expr::Paren(ExprParen {
            attrs: Vec::new(),
            paren_token: token::Paren(expr.span()),
            expr: Box::new(expr.clone()),
        }),
        false => expr.clone(),
    }
}

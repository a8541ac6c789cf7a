//! Where the cause of an error stands: the notes that lead from an expression to what it
//! disagrees with.

use syn::{Expr, ReturnType};

use super::{context::FnCx, node::bare, ty::Ty, typed::Resolved};
use crate::report::{Locate, Place};

impl FnCx<'_> {
    /// Requires that `found` is the type of the function's result, or the closure's.
    pub fn expect_result(&mut self, found: &Ty, place: impl Locate) {
        let wanted = self.result.clone();
        if !self.expect(found, &wanted, place)
            && let Some(written) = self.result_place
        {
            self.report.note(written, "the result has this type");
        }
    }

    /// Adds to the last error where the variable is declared that a place is part of.
    pub fn note_declaration(&mut self, place: &Expr) {
        let Some(variable) = root(place) else {
            return;
        };
        let declared = match self.typed.of(variable).path {
            Some(Resolved::Local(local)) => {
                let local = &self.typed.locals[local.0 as usize];
                Some((local.span, &local.name))
            }
            Some(Resolved::TileStatic(id)) => {
                let variable = &self.typed.tile_statics[id.0 as usize];
                Some((variable.span, &variable.name))
            }
            _ => None,
        };
        if let Some((span, name)) = declared {
            let text = format!("`{name}` is declared here");
            self.report.note(span, text);
        }
    }

    /// Adds to the last error where a function's parameter is declared.
    pub fn note_parameter(&mut self, function: usize, position: usize) {
        // A parameter of `core` is declared nowhere that the user could look.
        if self.program.is_standard(function) {
            return;
        }
        let function = &self.program.functions[function];
        let Some(param) = function.params.get(position) else {
            return;
        };
        let text = format!(
            "parameter `{}` of `{}` is declared here",
            param.ident, function.item.sig.ident
        );
        let place = param.ident.clone();
        self.report.note(&place, text);
    }
}

/// The type that a function or closure says it returns.
pub fn written(output: &ReturnType) -> Option<Place> {
    match output {
        ReturnType::Type(_, ty) => Some(ty.locate()),
        ReturnType::Default => None,
    }
}

/// The variable that a place is part of.
fn root(place: &Expr) -> Option<&Expr> {
    let place = bare(place);
    match place {
        Expr::Path(_) => Some(place),
        Expr::Field(field) => root(&field.base),
        Expr::Index(index) => root(&index.expr),
        Expr::Unary(unary) => root(&unary.expr),
        Expr::Reference(reference) => root(&reference.expr),
        Expr::MethodCall(call) => root(&call.receiver),
        _ => None,
    }
}

/// Where a block's value stands, for an error about its type.
pub struct ValueOf<'a>(pub &'a syn::Block);

impl Locate for ValueOf<'_> {
    fn locate(self) -> Place {
        match self.0.stmts.last() {
            Some(syn::Stmt::Expr(expr, None)) => expr.locate(),
            _ => self.0.locate(),
        }
    }
}

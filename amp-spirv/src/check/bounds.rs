//! Indices that are known to be outside.
//!
//! Makes one [`Code::ConstantOutOfBounds`] for each index, made of literals alone, that is
//! not below the literal length of the array, vector, `Index` or `Extent` that it indexes, of
//! variables, tile_static variables and elements alike. As in Rust it does not matter
//! whether the access is ever reached.
//!
//! It leaves out what the compiler does not know: lengths and indices that are
//! specialization constants, and the extents of views. These fault when they happen.

use crate::{
    diagnostic::{Code, Diagnostic},
    tree::{
        BinaryOp, Expr, ExprKind, Function, Len, Literal, Module, Place, Projection, Root, Scalar,
        Span,
        visit::{self, Node},
    },
};

/// Checks every index of the module.
pub(super) fn check(module: &Module) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for function in &module.functions {
        visit::block(&function.body, &mut |node| {
            let Node::Expr(expr) = node else { return };
            let place = match &expr.kind {
                ExprKind::Load(place) => place,
                ExprKind::Assign(place, _) | ExprKind::AssignOp(_, place, _) => place,
                ExprKind::Atomic(atomic) => &atomic.place,
                _ => return,
            };
            diagnostics.extend(outside(module, function, place));
        });
    }
    diagnostics
}

/// The first index of a place that is outside.
fn outside(module: &Module, function: &Function, place: &Place) -> Option<Diagnostic> {
    let layout = module.layout();
    let mut ty = module.root_ty(function, place)?;
    for projection in &place.projections {
        if let Projection::Index(index) = projection
            && let Some((Len::Literal(length), _)) = layout.elements(ty)
            && let Some(position) = constant(index)
            && position >= length.into()
        {
            let (name, span) = declaration(module, function, place);
            let found = diagnostic(index, length, position);
            return Some(match name.starts_with('<') {
                true => found,
                false => found.label(span, format!("`{name}` is declared here")),
            });
        }
        ty = layout.projected(ty, projection)?;
    }
    None
}

fn diagnostic(index: &Expr, length: u32, position: u64) -> Diagnostic {
    Diagnostic::new(
        Code::ConstantOutOfBounds,
        index.span,
        format!("index out of bounds: the length is {length} but the index is {position}"),
    )
    .help(match length {
        0 | 1 => "the only index is 0".into(),
        _ => format!("indices go from 0 to {}", length - 1),
    })
}

/// Name and place of the variable or view that a place starts with.
fn declaration<'m>(module: &'m Module, function: &'m Function, place: &Place) -> (&'m str, Span) {
    match &place.root {
        Root::Local(local) | Root::Element { view: local, .. } => {
            let local = function.local(*local);
            (&local.name, local.span)
        }
        Root::TileStatic(id) => {
            let variable = &module.tile_statics[id.0 as usize];
            (&variable.name, variable.span)
        }
    }
}

/// The value of a `usize` expression made of literals alone, if nothing in it overflows.
fn constant(index: &Expr) -> Option<u64> {
    let max = match index.ty.scalar() {
        Some(scalar @ (Scalar::Usize | Scalar::U64)) => scalar.max(),
        _ => return None,
    };
    match &index.kind {
        ExprKind::Literal(literal) => literal.count(),
        ExprKind::Cast(operand) => match operand.kind {
            ExprKind::Literal(Literal::U32(value)) => Some(value.into()),
            ExprKind::Literal(Literal::I32(value)) => u64::try_from(value).ok(),
            _ => None,
        },
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (constant(left)?, constant(right)?);
            let value = match op {
                BinaryOp::Add => left.checked_add(right),
                BinaryOp::Sub => left.checked_sub(right),
                BinaryOp::Mul => left.checked_mul(right),
                BinaryOp::Div => left.checked_div(right),
                BinaryOp::Rem => left.checked_rem(right),
                _ => None,
            };
            value.filter(|value| i128::from(*value) <= max)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::build::*;
    use super::*;
    use crate::tree::Type;

    fn messages(body: impl Into<Vec<Expr>>) -> Vec<String> {
        let found = check(&kernel(body));
        assert!(found.iter().all(|one| one.help.is_some()));
        found.into_iter().map(|one| one.message).collect()
    }

    const FOUR: &str = "index out of bounds: the length is 4 but the index is 4";

    #[test]
    fn literals_outside_of_variables() {
        assert_eq!(messages([set(at_array(lit(4)), lit(0))]), [FOUR]);
        assert_eq!(messages([add_to(at_array(lit(4)), lit(0))]), [FOUR]);
        assert_eq!(messages([set(at(X), get(at_array(lit(4))))]), [FOUR]);
        assert!(messages([set(at_array(lit(3)), lit(0))]).is_empty());
    }

    #[test]
    fn tile_static_variables_and_arithmetic() {
        let sixteen = rem(lit(33), lit(17));
        assert_eq!(
            messages([set(at_s(sixteen), lit(0))]),
            ["index out of bounds: the length is 16 but the index is 16"]
        );
        assert!(messages([set(at_s(rem(lit(3), lit(0))), lit(0))]).is_empty());
    }

    #[test]
    fn components_of_indices() {
        assert_eq!(
            messages([set(at(X), local(2))]),
            ["index out of bounds: the length is 2 but the index is 2"]
        );
        assert!(messages([set(at(X), local(1))]).is_empty());
    }

    #[test]
    fn unknown_indices_are_accepted() {
        assert!(messages([set(at_array(ts()), lit(0))]).is_empty());
        assert!(messages([set(at_array(var(X)), lit(0))]).is_empty());
        assert!(messages([set(at_view(C, lit(1000)), lit(0))]).is_empty());
        let mut module = kernel([set(at_s(lit(99)), lit(0))]);
        let length = Len::Const(crate::tree::ConstId(0));
        module.tile_statics[0].ty = Type::Array(Box::new(Type::USIZE), length);
        assert!(check(&module).is_empty());
    }

    #[test]
    fn helpers_are_checked() {
        let helper = function("f", [set(at_array(lit(4)), lit(0))]);
        assert_eq!(check(&program([helper], [call(0, lit(0))])).len(), 1);
    }
}

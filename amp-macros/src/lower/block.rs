//! Blocks, `let` and its patterns, loops.

use amp_spirv::tree;
use syn::{Block, Expr, Lit, Local, Pat, Stmt};

use super::{FnLower, load, local_place};
use crate::attribute::is_unrolled;
use crate::infer::{Ty, bare};

impl FnLower<'_, '_> {
    pub(super) fn block(&mut self, block: &Block) -> tree::Block {
        let span = self.span(block.brace_token.span.open());
        let mut statements = Vec::new();
        let mut value = None;
        for (i, statement) in block.stmts.iter().enumerate() {
            match statement {
                Stmt::Expr(expr, None) if i + 1 == block.stmts.len() => {
                    let lowered = self.expr(expr);
                    match lowered.ty {
                        tree::Type::Unit | tree::Type::Never => {
                            statements.push(tree::Statement::Expr(lowered));
                        }
                        _ => value = Some(Box::new(lowered)),
                    }
                }
                statement => self.statement(statement, &mut statements),
            }
        }
        let never = statements.iter().any(|statement| match statement {
            tree::Statement::Let { value, .. } => value
                .as_ref()
                .is_some_and(|value| value.ty == tree::Type::Never),
            tree::Statement::Expr(expr) => expr.ty == tree::Type::Never,
        });
        let ty = match &value {
            Some(value) => value.ty.clone(),
            None if never => tree::Type::Never,
            None => tree::Type::Unit,
        };
        tree::Block {
            statements,
            value,
            ty,
            span,
        }
    }

    /// A statement that is not the value of its block.
    pub(super) fn statement(&mut self, statement: &Stmt, statements: &mut Vec<tree::Statement>) {
        match statement {
            Stmt::Local(local) => self.local(local, statements),
            Stmt::Item(_) | Stmt::Macro(_) | Stmt::Expr(Expr::Verbatim(_), _) => {}
            Stmt::Expr(expr, _) => {
                let lowered = self.expr(expr);
                statements.push(tree::Statement::Expr(lowered));
            }
        }
    }

    fn local(&mut self, local: &Local, statements: &mut Vec<tree::Statement>) {
        if self.frame.function.typed.of(local).tile_static.is_some() {
            return;
        }
        // A closure is nothing until it is called.
        if let Some(init) = &local.init
            && matches!(&*init.expr, Expr::Closure(_))
        {
            return;
        }
        let pattern = match &local.pat {
            Pat::Type(typed) => &*typed.pat,
            pattern => pattern,
        };
        let otherwise = local.init.as_ref().and_then(|init| init.diverge.as_ref());
        let init = local.init.as_ref();
        let refers = init.filter(|init| !self.frame.function.typed.of(&init.expr).keeps_slice);
        if let Some(init) = refers
            && self.is_slice(&init.expr)
        {
            let slice = self.slice(&init.expr, statements);
            return self.bind_slice(pattern, slice, statements);
        }
        if let Some(init) = refers
            && let Ty::Reference { .. } = self.frame.function.typed.ty(&init.expr)
        {
            let mut place = self.borrowed(&init.expr, statements);
            if let Pat::Ident(name) = pattern
                && self.is_assigned(name)
            {
                place = self.reassigned(place, statements);
            }
            return match otherwise {
                Some((_, otherwise)) => self.let_else(pattern, &place, otherwise, statements),
                None => self.bind(pattern, &place, statements),
            };
        }
        if let (Some(init), Some((_, otherwise))) = (&local.init, otherwise)
            && self.frame.function.typed.ty(&init.expr).is_side_by_side()
        {
            let place = self.taken_apart(&init.expr, statements);
            return self.let_else(pattern, &place, otherwise, statements);
        }
        let value =
            local
                .init
                .as_ref()
                .map(|init| match self.frame.function.typed.ty(&init.expr) {
                    Ty::View(_) => self.made_view(&init.expr, statements),
                    _ => self.expr(&init.expr),
                });
        match (pattern, value) {
            (_, Some(value)) if let Some((_, otherwise)) = otherwise => {
                let (place, kept) = self.keep(pattern, value);
                statements.push(kept);
                self.let_else(pattern, &place, otherwise, statements);
            }
            (_, Some(value)) => self.pattern(pattern, value, statements),
            (Pat::Ident(ident), None) => {
                if self.defer(ident, statements) {
                    return;
                }
                if let Some(local) = self.declared(ident) {
                    statements.push(tree::Statement::Let { local, value: None });
                }
            }
            _ => {}
        }
    }

    pub(super) fn pattern(
        &mut self,
        pattern: &Pat,
        value: tree::Expr,
        statements: &mut Vec<tree::Statement>,
    ) {
        match pattern {
            Pat::Ident(ident) => {
                let value = Some(value);
                if let Some(local) = self.declared(ident) {
                    statements.push(tree::Statement::Let { local, value });
                }
            }
            Pat::Paren(paren) => self.pattern(&paren.pat, value, statements),
            Pat::Tuple(tuple) if tuple.elems.is_empty() => {
                statements.push(tree::Statement::Expr(value));
            }
            Pat::Tuple(_) | Pat::Slice(_) | Pat::Struct(_) | Pat::TupleStruct(_) => {
                let (ty, span) = (value.ty.clone(), value.span);
                let local = self.temporary("pattern", ty.clone(), span);
                let value = Some(value);
                statements.push(tree::Statement::Let { local, value });
                let whole = local_place(local, ty, span);
                for (part, place) in self.apart(pattern, &whole) {
                    self.pattern(part, load(place), statements);
                }
                statements.extend(self.rest(pattern, &whole));
            }
            _ => statements.push(tree::Statement::Expr(value)),
        }
    }

    pub(super) fn loop_expr(
        &mut self,
        expr: &Expr,
        ty: tree::Type,
        span: tree::Span,
    ) -> tree::Expr {
        let Some(label) = self.label(expr) else {
            unreachable!("inference labels every loop")
        };
        let mut statements = Vec::new();
        let each = self.frame.function.typed.of(expr).each;
        let looping = match expr {
            Expr::While(round) => {
                let kind = match is_always(&round.cond) {
                    true => tree::LoopKind::Infinite,
                    false => tree::LoopKind::While(self.expr(&round.cond)),
                };
                tree::Loop {
                    label,
                    kind,
                    unroll: is_unrolled(&round.attrs),
                    body: self.block(&round.body),
                }
            }
            Expr::ForLoop(round) if let Some(each) = each => {
                self.each(round, each, label, &mut statements)
            }
            Expr::ForLoop(round) => {
                let range = self.range(&round.expr, &round.pat, &mut statements);
                tree::Loop {
                    label,
                    kind: tree::LoopKind::For(range),
                    unroll: is_unrolled(&round.attrs),
                    body: self.block(&round.body),
                }
            }
            Expr::Loop(round) => tree::Loop {
                label,
                kind: tree::LoopKind::Infinite,
                unroll: is_unrolled(&round.attrs),
                body: self.block(&round.body),
            },
            _ => unreachable!("only loops are lowered here"),
        };
        let kind = tree::ExprKind::Loop(Box::new(looping));
        super::sequence(statements, tree::Expr { kind, ty, span })
    }

    /// `a..b` as a value.
    pub(super) fn range_value(
        &mut self,
        range: &syn::ExprRange,
        ty: tree::Type,
        span: tree::Span,
    ) -> tree::Expr {
        let bounds = range.start.iter().chain(&range.end);
        let bounds = bounds.map(|bound| self.expr(bound)).collect();
        let kind = tree::ExprKind::Construct(bounds);
        tree::Expr { kind, ty, span }
    }

    /// The bounds of a range that is a value, which is computed once.
    fn bounds(&mut self, expr: &Expr, statements: &mut Vec<tree::Statement>) -> [tree::Expr; 2] {
        let value = self.expr(expr);
        let (ty, span) = (value.ty.clone(), value.span);
        let local = self.temporary("range", ty.clone(), span);
        let value = Some(value);
        statements.push(tree::Statement::Let { local, value });
        let of = match &ty {
            tree::Type::Struct(id) => self.consts.structs[id.0 as usize].fields[0].ty.clone(),
            _ => unreachable!("a range is a struct"),
        };
        [0, 1].map(|field| {
            let mut place = local_place(local, of.clone(), span);
            place.projections.push(tree::Projection::Field(field));
            load(place)
        })
    }

    /// The variable of a loop over a range.
    fn counter(&mut self, pattern: &Pat, start: &tree::Expr) -> tree::LocalId {
        let named = match pattern {
            Pat::Ident(ident) => self.declared(ident),
            _ => None,
        };
        named.unwrap_or_else(|| {
            let span = self.span(pattern);
            self.temporary("for", start.ty.clone(), span)
        })
    }

    fn range(
        &mut self,
        expr: &Expr,
        pattern: &Pat,
        statements: &mut Vec<tree::Statement>,
    ) -> tree::ForRange {
        let expr = bare(expr);
        let ty = self.frame.function.typed.ty(expr);
        match expr {
            _ if self.program.standard_name(ty) == Some("Range") => {
                let [start, end] = self.bounds(expr, statements);
                let local = self.counter(pattern, &start);
                tree::ForRange {
                    local,
                    start,
                    end,
                    inclusive: false,
                    adapters: Vec::new(),
                }
            }
            Expr::MethodCall(call) => {
                let mut range = self.range(&call.receiver, pattern, statements);
                range.adapters.push(match call.args.first() {
                    None => tree::Adapter::Rev,
                    Some(step) => tree::Adapter::StepBy(self.expr(step)),
                });
                range
            }
            Expr::Range(range) => {
                let (Some(start), Some(end)) = (&range.start, &range.end) else {
                    unreachable!("inference refuses open ranges")
                };
                let start = self.expr(start);
                let end = self.expr(end);
                let local = self.counter(pattern, &start);
                tree::ForRange {
                    local,
                    start,
                    end,
                    inclusive: matches!(range.limits, syn::RangeLimits::Closed(_)),
                    adapters: Vec::new(),
                }
            }
            _ => unreachable!("inference lets only ranges through"),
        }
    }
}

/// Whether a condition is `true`, as it stands: what follows the loop is left to what leaves it.
fn is_always(condition: &Expr) -> bool {
    matches!(bare(condition), Expr::Lit(literal) if matches!(&literal.lit, Lit::Bool(it) if it.value))
}

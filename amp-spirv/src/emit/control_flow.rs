//! `if`, `&&`, `||`, labelled blocks, `break` and `continue`.
//!
//! SPIR-V lets control leave only the innermost loop. A labelled block is therefore a
//! loop that goes round once, and a jump that leaves several constructs takes one step
//! at a time: it notes where it is heading in the function's `escape` variable, leaves
//! the innermost construct, and after that construct's merge a test sends it on. The
//! variable is zero whenever control goes its normal way.

use spirv::{Op, Word};

use super::Emitter;
use super::function::{Diverges, Flow};
use super::types::{UNIT, has_value};
use crate::ir::{BinaryOp, Block, Expr, ExprKind, LabelId, LazyOp, Root, Type};

/// Where a jump goes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Target {
    label: LabelId,
    /// To the construct's next round rather than to its end.
    again: bool,
}

/// A loop or labelled block around the current point.
pub(super) struct Construct {
    label: LabelId,
    merge: Word,
    next: Word,
    /// Variable that takes the value of the construct.
    result: Option<Word>,
    /// Whether control reaches the merge in order to go on after the construct.
    completes: bool,
    /// Jumps that leave this construct for one further out, with the number that
    /// stands for each in the `escape` variable.
    passing: Vec<(Target, Word)>,
}

impl<'m> Emitter<'m> {
    /// `if condition yes else no`, into the variable if there is one.
    pub fn if_(
        &mut self,
        condition: &'m Expr,
        yes: &'m Block,
        no: &'m Block,
        ty: &Type,
        variable: Option<Word>,
    ) -> Flow<Word> {
        let condition = self.expr(condition)?;
        let skips = no.statements.is_empty() && no.value.is_none();
        let (yes_label, merge) = (self.b.id(), self.b.id());
        let no_label = if skips { merge } else { self.b.id() };
        let head = self.b.block;
        self.b.selection_merge(merge);
        self.b.branch_if(condition, yes_label, no_label);

        let mut edges = Vec::new();
        self.b.label(yes_label);
        self.branch_end(yes, merge, variable, &mut edges);
        if skips {
            edges.push((UNIT, head));
        } else {
            self.b.label(no_label);
            self.branch_end(no, merge, variable, &mut edges);
        }
        self.b.label(merge);
        match variable {
            Some(_) => self.join(&edges, &Type::Unit),
            None => self.join(&edges, ty),
        }
    }

    fn branch_end(
        &mut self,
        block: &'m Block,
        merge: Word,
        variable: Option<Word>,
        edges: &mut Vec<(Word, Word)>,
    ) {
        let value = match variable {
            Some(variable) => self.block_into(variable, block).map(|()| UNIT),
            None => self.block(block),
        };
        if let Ok(value) = value {
            edges.push((value, self.b.block));
            self.b.branch(merge);
        }
    }

    /// The value at a merge block that starts here, from those of its predecessors.
    pub fn join(&mut self, edges: &[(Word, Word)], ty: &Type) -> Flow<Word> {
        match edges {
            [] => {
                self.b.unreachable();
                Err(Diverges)
            }
            [(value, _)] => Ok(*value),
            _ if !has_value(ty) => Ok(UNIT),
            _ => {
                let ty = self.ty(ty);
                Ok(self.b.phi(ty, edges))
            }
        }
    }

    /// `left && right`, `left || right`
    pub fn lazy(&mut self, op: LazyOp, left: &'m Expr, right: &'m Expr) -> Flow<Word> {
        let a = self.expr(left)?;
        let logical = match op {
            LazyOp::And => Op::LogicalAnd,
            LazyOp::Or => Op::LogicalOr,
        };
        if is_cheap(right) {
            let b = self.expr(right)?;
            return Ok(self.b.test(logical, a, b));
        }
        let (more, merge) = (self.b.id(), self.b.id());
        let head = self.b.block;
        self.b.selection_merge(merge);
        match op {
            LazyOp::And => self.b.branch_if(a, more, merge),
            LazyOp::Or => self.b.branch_if(a, merge, more),
        }
        let decided = self.b.bool(op == LazyOp::Or);
        let mut edges = vec![(decided, head)];
        self.b.label(more);
        if let Ok(value) = self.expr(right) {
            edges.push((value, self.b.block));
            self.b.branch(merge);
        }
        self.b.label(merge);
        self.join(&edges, &Type::BOOL)
    }

    /// `'label: { .. }`
    pub fn labelled_block(&mut self, label: LabelId, block: &'m Block, ty: &Type) -> Flow<Word> {
        let (header, body) = (self.b.id(), self.b.id());
        let (merge, next) = self.enter(label, ty);
        self.b.branch(header);
        self.b.label(header);
        self.b.loop_merge(merge, next);
        self.b.branch(body);
        self.b.label(body);
        if let Ok(value) = self.block(block) {
            self.give(label, ty, value);
            self.complete();
            self.b.branch(merge);
        }
        // Nothing goes round again, but a loop must have a way to.
        self.b.label(next);
        self.b.branch(header);
        self.exit(ty)
    }

    /// Opens a construct; gives its merge block and continue target.
    pub fn enter(&mut self, label: LabelId, ty: &Type) -> (Word, Word) {
        let result = has_value(ty).then(|| {
            let ty = self.ty(ty);
            self.b.variable(ty, "")
        });
        let (merge, next) = (self.b.id(), self.b.id());
        self.body.constructs.push(Construct {
            label,
            merge,
            next,
            result,
            completes: false,
            passing: Vec::new(),
        });
        (merge, next)
    }

    /// Notes that control leaves the innermost construct in the normal way.
    pub fn complete(&mut self) {
        if let Some(construct) = self.body.constructs.last_mut() {
            construct.completes = true;
        }
    }

    /// Makes `value` that of a construct, if it has one.
    fn give(&mut self, label: LabelId, ty: &Type, value: Word) {
        let construct = self
            .body
            .constructs
            .iter()
            .rev()
            .find(|it| it.label == label);
        if let Some(variable) = construct.and_then(|construct| construct.result) {
            self.put(variable, ty, value);
        }
    }

    /// Closes the innermost construct at its merge block; gives its value.
    pub fn exit(&mut self, ty: &Type) -> Flow<Word> {
        let Some(construct) = self.body.constructs.pop() else {
            return Err(Diverges);
        };
        self.b.label(construct.merge);
        let mut passing = construct.passing.into_iter().peekable();
        if passing.peek().is_none() && !construct.completes {
            self.b.unreachable();
            return Err(Diverges);
        }
        while let Some((target, code)) = passing.next() {
            if !construct.completes && passing.peek().is_none() {
                self.pass_on(target, code);
                return Err(Diverges);
            }
            let (leave, stay) = (self.b.id(), self.b.id());
            let escape = self.escape();
            let heading = self.b.load(self.b.scalar.u32, escape);
            let leaves = self.b.test(Op::IEqual, heading, code);
            self.b.selection_merge(stay);
            self.b.branch_if(leaves, leave, stay);
            self.b.label(leave);
            self.pass_on(target, code);
            self.b.label(stay);
        }
        match construct.result {
            Some(variable) if self.is_bulk(ty) => Ok(variable),
            Some(variable) => {
                let ty = self.ty(ty);
                Ok(self.b.load(ty, variable))
            }
            None => Ok(UNIT),
        }
    }

    /// `break 'label value`
    pub fn break_(&mut self, label: LabelId, value: Option<&'m Expr>) -> Flow<Word> {
        if let Some(value) = value {
            let given = self.expr(value)?;
            self.give(label, &value.ty, given);
        }
        self.jump(Target {
            label,
            again: false,
        });
        Err(Diverges)
    }

    /// `continue 'label`
    pub fn continue_(&mut self, label: LabelId) -> Flow<Word> {
        self.jump(Target { label, again: true });
        Err(Diverges)
    }

    /// Starts a jump.
    fn jump(&mut self, target: Target) {
        if self.arrive(target) {
            return;
        }
        let innermost = self.body.constructs.last();
        let known = innermost.and_then(|it| it.passing.iter().find(|(known, _)| *known == target));
        let known = known.map(|(_, code)| *code);
        let code = known.unwrap_or_else(|| {
            self.body.escapes += 1;
            self.b.u32(self.body.escapes)
        });
        let escape = self.escape();
        self.b.store(escape, code);
        self.leave_innermost(target, code);
    }

    /// Goes on with a jump that left a construct.
    fn pass_on(&mut self, target: Target, code: Word) {
        if self.body.constructs.last().map(|it| it.label) == Some(target.label) {
            let (escape, zero) = (self.escape(), self.b.u32(0));
            self.b.store(escape, zero);
            self.arrive(target);
        } else {
            self.leave_innermost(target, code);
        }
    }

    /// Ends a jump if its target is the innermost construct.
    fn arrive(&mut self, target: Target) -> bool {
        let Some(construct) = self.body.constructs.last_mut() else {
            return false;
        };
        if construct.label != target.label {
            return false;
        }
        let destination = if target.again {
            construct.next
        } else {
            construct.completes = true;
            construct.merge
        };
        self.b.branch(destination);
        true
    }

    /// Leaves the innermost construct on the way to one further out.
    fn leave_innermost(&mut self, target: Target, code: Word) {
        if let Some(construct) = self.body.constructs.last_mut() {
            if !construct.passing.contains(&(target, code)) {
                construct.passing.push((target, code));
            }
            let merge = construct.merge;
            self.b.branch(merge);
        }
    }

    fn escape(&mut self) -> Word {
        if let Some(variable) = self.body.escape {
            return variable;
        }
        let zero = self.b.u32(0);
        let variable = self
            .b
            .variable_with(self.b.scalar.u32, "escape", Some(zero));
        self.body.escape = Some(variable);
        variable
    }
}

/// Whether it costs less to compute an expression than to branch around it, and
/// nothing can go wrong.
fn is_cheap(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Const(_) => true,
        ExprKind::Load(place) => {
            matches!(place.root, Root::Local(_)) && place.projections.is_empty()
        }
        ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => is_cheap(operand),
        ExprKind::Binary(op, left, right) => {
            !matches!(op, BinaryOp::Div | BinaryOp::Rem) && is_cheap(left) && is_cheap(right)
        }
        ExprKind::Lazy(_, left, right) => is_cheap(left) && is_cheap(right),
        ExprKind::Field(value, _) => matches!(value.kind, ExprKind::ViewExtent(_)),
        _ => false,
    }
}

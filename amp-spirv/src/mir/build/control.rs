//! `if`, `&&`, `||`, labelled blocks, `break`, `continue` and `return`.
//!
//! Each way out of an instruction with regions is an [`Exit`]: a region and what the variables
//! were at its end. When all are known the results are, and the regions get their ends.

use super::{Builder, Diverges, Flow, Local, has_value};
use crate::mir::{End, InstId, Op, RegionId, SlotId, Value};
use crate::tree::{BinaryOp, Block, Expr, ExprKind, LabelId, LazyOp, Literal, LocalId, Root, Type};

/// A loop or labelled block around the current point.
pub(super) struct Construct {
    pub label: LabelId,
    pub inst: InstId,
    /// Where its value goes, if that is bulk.
    pub into: Option<SlotId>,
    /// The variables that a loop carries.
    pub carried: Vec<LocalId>,
    /// The ways out by `break`.
    pub exits: Vec<Exit>,
}

/// A way out of an instruction with regions.
pub(super) struct Exit {
    region: RegionId,
    /// Whether it is by `break` rather than at the end of one of the instruction's regions.
    breaks: bool,
    /// The value of the instruction.
    value: Option<Value>,
    /// What the variables are.
    state: Vec<Local>,
}

impl<'m> Builder<'m, '_> {
    /// `if condition yes else no`, into the slot if there is one.
    pub fn if_(
        &mut self,
        condition: &'m Expr,
        yes: &'m Block,
        no: &'m Block,
        ty: &Type,
        into: Option<SlotId>,
    ) -> Flow<Option<Value>> {
        let condition = self.value(condition)?;
        let branch = |block| {
            move |builder: &mut Self| match into {
                Some(slot) => builder.block_into(slot, block).map(|()| None),
                None => builder.block(block),
            }
        };
        self.branches(condition, branch(yes), branch(no), ty)
    }

    /// An `if` of what builds its regions.
    pub fn branches(
        &mut self,
        condition: Value,
        yes: impl FnOnce(&mut Self) -> Flow<Option<Value>>,
        no: impl FnOnce(&mut Self) -> Flow<Option<Value>>,
        ty: &Type,
    ) -> Flow<Option<Value>> {
        let inst = self.open(Op::If, vec![condition]);
        let before = self.state.clone();
        let mut exits = Vec::new();
        exits.extend(self.region(inst, yes));
        self.state.clone_from(&before);
        exits.extend(self.region(inst, no));
        self.join(inst, before, exits, ty)
    }

    /// `left && right`, `left || right`
    pub fn lazy(&mut self, op: LazyOp, left: &'m Expr, right: &'m Expr) -> Flow<Value> {
        let a = self.value(left)?;
        if is_cheap(right) {
            let b = self.value(right)?;
            let op = match op {
                LazyOp::And => BinaryOp::BitAnd,
                LazyOp::Or => BinaryOp::BitOr,
            };
            return Ok(self.test(op, a, b));
        }
        let more = |builder: &mut Self| builder.value(right).map(Some);
        let decided =
            |builder: &mut Self| Ok(Some(builder.literal(Literal::Bool(op == LazyOp::Or))));
        let value = match op {
            LazyOp::And => self.branches(a, more, decided, &Type::BOOL),
            LazyOp::Or => self.branches(a, decided, more, &Type::BOOL),
        };
        value?.ok_or(Diverges)
    }

    /// `'label: { .. }`, into the slot if its value is bulk.
    pub fn labelled_block(
        &mut self,
        label: LabelId,
        block: &'m Block,
        ty: &Type,
        into: Option<SlotId>,
    ) -> Flow<Option<Value>> {
        let inst = self.open(Op::Block, Vec::new());
        let before = self.state.clone();
        self.enter(label, inst, into, Vec::new());
        let end = self.region(inst, |builder| match into {
            Some(slot) => builder.block_into(slot, block).map(|()| None),
            None => builder.block(block),
        });
        let mut exits = self.leave();
        exits.extend(end);
        self.join(inst, before, exits, ty)
    }

    /// Adds an instruction whose regions and results follow.
    pub fn open(&mut self, op: Op, args: Vec<Value>) -> InstId {
        let inst = self.inst(op, args);
        self.add(inst, &[])
    }

    /// Builds a region of an instruction from the current state of the variables; gives the way
    /// out at its end, if there is one.
    pub fn region(
        &mut self,
        inst: InstId,
        build: impl FnOnce(&mut Self) -> Flow<Option<Value>>,
    ) -> Option<Exit> {
        let region = self.new_region(inst);
        let around = std::mem::replace(&mut self.region, region);
        let exit = build(self).ok().map(|value| self.exit(value, false));
        self.region = around;
        exit
    }

    /// A new last region of an instruction.
    pub fn new_region(&mut self, inst: InstId) -> RegionId {
        let region = self.function.new_region();
        self.function.insts[inst.0 as usize].regions.push(region);
        region
    }

    /// The way out from the current point.
    pub fn exit(&self, value: Option<Value>, breaks: bool) -> Exit {
        Exit {
            region: self.region,
            breaks,
            value,
            state: self.state.clone(),
        }
    }

    /// Opens a construct.
    pub fn enter(
        &mut self,
        label: LabelId,
        inst: InstId,
        into: Option<SlotId>,
        carried: Vec<LocalId>,
    ) {
        self.constructs.push(Construct {
            label,
            inst,
            into,
            carried,
            exits: Vec::new(),
        });
    }

    /// Closes the innermost construct; gives the ways out of it by `break`.
    pub fn leave(&mut self) -> Vec<Exit> {
        let construct = self.constructs.pop();
        construct.map_or_else(Vec::new, |construct| construct.exits)
    }

    /// Goes on behind an instruction, where the variables that its regions changed are results.
    fn join(
        &mut self,
        inst: InstId,
        before: Vec<Local>,
        exits: Vec<Exit>,
        ty: &Type,
    ) -> Flow<Option<Value>> {
        let changed: Vec<LocalId> = (0..)
            .map(LocalId)
            .zip(&before)
            .filter(|(local, old)| {
                let differs = |exit: &Exit| exit.state[local.0 as usize] != **old;
                let is_visible = match old {
                    Local::Value(_) => true,
                    Local::Absent => self.escaping.contains(local),
                    Local::Slot(_) => false,
                };
                is_visible && exits.iter().any(differs)
            })
            .map(|(local, _)| local)
            .collect();
        self.state = before;
        if exits.is_empty() {
            return self.never();
        }
        Ok(self.close(inst, exits, &changed, ty))
    }

    /// Ends the region behind an instruction that never completes.
    pub fn never<T>(&mut self) -> Flow<T> {
        self.end(End::Unreachable);
        Err(Diverges)
    }

    /// Gives the ways out of an instruction their ends, and it its results: its value, if it
    /// has one of this type, and some variables. No view is among them: views are declared
    /// anew before they are used.
    pub fn close(
        &mut self,
        inst: InstId,
        exits: Vec<Exit>,
        locals: &[LocalId],
        ty: &Type,
    ) -> Option<Value> {
        let is_view = |local: &LocalId| matches!(self.local_ty(*local), Type::View(_));
        let (views, locals): (Vec<LocalId>, Vec<LocalId>) =
            locals.iter().partition(|it| is_view(it));
        for view in views {
            self.state[view.0 as usize] = Local::Absent;
        }
        let ty = Some(ty).filter(|ty| has_value(ty) && !self.is_bulk(ty));
        for exit in exits {
            let around = std::mem::replace(&mut self.region, exit.region);
            let mut values = Vec::from_iter(exit.value.filter(|_| ty.is_some()));
            for local in &locals {
                values.push(match exit.state[local.0 as usize] {
                    Local::Value(value) => value,
                    // It is declared on other ways only, and so not used behind this one.
                    Local::Absent | Local::Slot(_) => self.zero(self.local_ty(*local)),
                });
            }
            let end = match exit.breaks {
                true => End::Break(inst, values),
                false => End::Yield(values),
            };
            self.end(end);
            self.region = around;
        }
        let value = ty.map(|ty| self.result(inst, ty));
        for local in locals {
            let ty = self.local_ty(local);
            let result = self.result(inst, ty);
            self.state[local.0 as usize] = Local::Value(result);
        }
        value
    }

    /// Adds a result to an instruction.
    pub fn result(&mut self, inst: InstId, ty: &Type) -> Value {
        let ty = self.ty(ty);
        self.function.new_result(inst, ty)
    }

    /// The type of a variable.
    pub fn local_ty(&self, local: LocalId) -> &'m Type {
        &self.source.local(local).ty
    }

    fn construct(&mut self, label: LabelId) -> &mut Construct {
        let constructs = self.constructs.iter_mut().rev();
        match { constructs }.find(|it| it.label == label) {
            Some(construct) => construct,
            // The tree's rules.
            None => unreachable!("no construct around a jump has its label"),
        }
    }

    /// `break 'label value`
    pub fn break_<T>(&mut self, label: LabelId, value: Option<&'m Expr>) -> Flow<T> {
        let into = self.construct(label).into;
        let value = match (value, into) {
            (Some(value), Some(slot)) if self.is_bulk(&value.ty) => {
                self.bulk_into(slot, value)?;
                None
            }
            (Some(value), _) => self.expr(value)?,
            (None, _) => None,
        };
        let exit = self.exit(value, true);
        self.construct(label).exits.push(exit);
        Err(Diverges)
    }

    /// `continue 'label`
    pub fn continue_<T>(&mut self, label: LabelId) -> Flow<T> {
        let construct = self.construct(label);
        let (inst, carried) = (construct.inst, construct.carried.clone());
        let values = self.current(&carried);
        self.end(End::Continue(inst, values));
        Err(Diverges)
    }

    /// The values of variables that have some.
    pub fn current(&self, locals: &[LocalId]) -> Vec<Value> {
        let values = locals.iter().map(|local| self.state[local.0 as usize]);
        values
            .filter_map(|local| match local {
                Local::Value(value) => Some(value),
                Local::Absent | Local::Slot(_) => None,
            })
            .collect()
    }

    /// `return value`
    pub fn return_<T>(&mut self, value: Option<&'m Expr>) -> Flow<T> {
        let slot = self.function.result_slot;
        let value = match (value, slot) {
            (Some(value), Some(slot)) if self.is_bulk(&value.ty) => {
                self.bulk_into(slot, value)?;
                None
            }
            (Some(value), _) => self.expr(value)?,
            (None, _) => None,
        };
        self.end(End::Return(value));
        Err(Diverges)
    }

    /// Returns a value of zeroes, if the function has one.
    pub fn return_zero<T>(&mut self) -> Flow<T> {
        let zero = match self.function.result_slot {
            Some(slot) => {
                self.clear(slot);
                None
            }
            None => {
                let result = Some(&self.source.result).filter(|ty| has_value(ty));
                result.map(|ty| self.zero(ty))
            }
        };
        self.end(End::Return(zero));
        Err(Diverges)
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

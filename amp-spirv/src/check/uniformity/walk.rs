//! The walk over one function: values, places and assignments.

use std::collections::BTreeMap;

use super::{
    Analysis, Path, Violation,
    cause::{Cause, Jump, Step, Why},
    flow::{Away, Flow, Frame, Interval, Past, Since},
    value::{Value, ViewPart},
};
use crate::analysis::varies::Varies;
use crate::tree::{
    Atomic, Block, Derivation, Expr, ExprKind, Function, LabelId, LocalId, MemoryFence, Place,
    Projection, Root, Span, Statement, SubgroupOp, TiledField, Type,
};
use rustc_hash::FxHashMap as HashMap;

/// The walk over one function.
pub(super) struct Walker<'a, 'm> {
    pub(super) analysis: &'a mut Analysis<'m>,
    pub(super) function: &'m Function,
    pub(super) flow: Flow<'m>,
    /// The innermost enclosing condition that varies.
    pub(super) guard: Option<Why<'m>>,
    /// Enclosing loops and labelled blocks, innermost last.
    pub(super) frames: Vec<Frame<'m>>,
    /// What holds at the heads of the loops walked so far, and who has left them.
    pub(super) heads: HashMap<LabelId, (Flow<'m>, Away<'m>)>,
    /// Join of the results so far.
    pub(super) result: Value<'m>,
    /// The intervals of the returns so far.
    pub(super) returned: Since,
    pub(super) barriers: BTreeMap<Span, Path<'m>>,
    pub(super) violations: BTreeMap<Span, Violation<'m>>,
}

/// A step into a place whose index is evaluated.
enum Access<'m> {
    /// A component known by number.
    Part(usize),
    /// An element of an index that is uniform or varies.
    Element(Option<Why<'m>>),
}

impl<'m> Walker<'_, 'm> {
    /// Why not all threads of the tile are here, if they are not.
    pub(super) fn divergence(&self) -> Option<Why<'m>> {
        Cause::all(self.guard.iter().chain(self.flow.away.values()).cloned())
    }

    pub(super) fn block(&mut self, block: &'m Block) -> Value<'m> {
        for statement in &block.statements {
            match statement {
                Statement::Let {
                    local,
                    value: Some(value),
                } => {
                    let assigned = self.expr(value);
                    self.set(*local, assigned, value.span);
                }
                Statement::Let { local, value: None } => {
                    self.flow.locals[local.0 as usize] = Value::UNIFORM
                }
                Statement::Expr(expr) => {
                    self.expr(expr);
                }
            }
        }
        block
            .value
            .as_ref()
            .map_or(Value::UNIFORM, |value| self.expr(value))
    }

    /// Evaluates; where no thread gets, nothing happens and the value is uniform.
    pub(super) fn expr(&mut self, expr: &'m Expr) -> Value<'m> {
        if !self.flow.reachable {
            return Value::UNIFORM;
        }
        match &expr.kind {
            ExprKind::Literal(_)
            | ExprKind::Const(_)
            | ExprKind::Unit
            | ExprKind::Zero
            | ExprKind::Fence(_)
            | ExprKind::DeviceFence => Value::UNIFORM,
            ExprKind::Load(place) => self.load(place),
            ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => self.expr(operand),
            ExprKind::Repeat(element) => self.expr(element).flat(),
            ExprKind::Binary(_, left, right) => {
                let mut value = self.expr(left);
                value.join(&self.expr(right));
                value
            }
            ExprKind::Math(_, operands) => self.all(operands).flat(),
            ExprKind::Construct(parts) if matches!(expr.ty, Type::Array(..)) => {
                self.all(parts).flat()
            }
            ExprKind::Construct(parts) => self.all(parts),
            ExprKind::Field(value, index) => self.expr(value).part(*index as usize),
            ExprKind::ViewExtent(view) => {
                self.flow.locals[view.0 as usize].part(ViewPart::Extent as usize)
            }
            ExprKind::View(view) => self.flow.locals[view.0 as usize].clone(),
            ExprKind::Derive(derivation) => self.derived(derivation),
            ExprKind::Call(callee, arguments) => self.call(*callee, arguments, expr.span),
            ExprKind::Assign(place, value) => {
                let assigned = self.expr(value);
                self.store(place, assigned, false, value.span);
                Value::UNIFORM
            }
            ExprKind::AssignOp(_, place, value) => {
                let assigned = self.expr(value);
                self.store(place, assigned, true, value.span);
                Value::UNIFORM
            }
            ExprKind::Atomic(atomic) => self.atomic(atomic, expr.span),
            ExprKind::Subgroup(op, operands) => self.subgroup(*op, operands, expr.span),
            ExprKind::Lazy(_, left, right) => self.lazy(left, right),
            ExprKind::If(condition, then, otherwise) => self.choice(condition, then, otherwise),
            ExprKind::Block(block) => self.block(block),
            ExprKind::LabelledBlock(label, block) => self.labelled(*label, block),
            ExprKind::Loop(looping) => self.repeat(looping),
            ExprKind::Break(label, value) => self.leave(*label, value.as_deref(), expr.span),
            ExprKind::Continue(label) => self.skip(*label, expr.span),
            ExprKind::Return(value) => self.give_back(value.as_deref(), Jump::Return, expr.span),
            ExprKind::Message(message) => {
                for operand in &message.operands {
                    self.expr(operand);
                }
                Value::UNIFORM
            }
            // What a function returns then is zero in every thread.
            ExprKind::Panic => self.give_back(None, Jump::Panic, expr.span),
            ExprKind::Barrier(fence) => {
                self.barrier(*fence, expr.span);
                Value::UNIFORM
            }
        }
    }

    /// Evaluates in order.
    pub(super) fn all(&mut self, exprs: &'m [Expr]) -> Value<'m> {
        Value::Parts(exprs.iter().map(|expr| self.expr(expr)).collect())
    }

    /// What all threads of the tile have to come to together.
    fn come_together(&mut self, span: Span) {
        self.barriers.entry(span).or_default();
        if let Some(why) = self.divergence() {
            self.violations.entry(span).or_insert(Violation {
                barrier: span,
                path: Path::new(),
                why,
            });
        }
    }

    fn barrier(&mut self, fence: MemoryFence, span: Span) {
        self.come_together(span);
        // A barrier for global memory alone does not show what others wrote to tile_static.
        if fence.orders().tile {
            self.flow.since = Since::from([(Interval::behind(span), Past::default())]);
        }
    }

    fn load(&mut self, place: &'m Place) -> Value<'m> {
        let (mut value, mut ty) = match &place.root {
            Root::Local(local) => (
                self.flow.locals[local.0 as usize].clone(),
                Some(&self.function.local(*local).ty),
            ),
            Root::TileStatic(id) => {
                let name = &self.analysis.module.tile_statics[id.0 as usize].name;
                let rest = self.flow.since.keys().all(|interval| {
                    interval.barrier.is_some() && !self.analysis.written.contains(&(*interval, *id))
                });
                let shared =
                    (!rest).then(|| Cause::origin(place.span, Step::Shared(name), Varies::ANY));
                (Value::Leaf(shared), None)
            }
            Root::Element { view, index } => (self.element(*view, index, place.span), None),
        };
        let mut thread = false;
        for projection in &place.projections {
            thread |= is_thread_position(ty, projection);
            let access = self.access(ty, projection);
            ty = ty.and_then(|ty| self.analysis.module.layout().projected(ty, projection));
            value = match access {
                Access::Part(index) => value.part(index),
                Access::Element(index) => {
                    let name = self.root_name(&place.root);
                    let index =
                        index.map(|why| Cause::through(place.span, Step::Element(name), &why));
                    Value::Leaf(Cause::all(value.why().into_iter().chain(index)))
                }
            };
        }
        if thread && value.why().is_some() {
            let step = Step::Thread(self.written_out(place));
            value = value.map(&mut |_, why| Cause::origin(place.span, step.clone(), why.varies));
        }
        value
    }

    /// An element of a view.
    fn element(&mut self, view: LocalId, index: &'m Expr, span: Span) -> Value<'m> {
        let index = self.expr(index);
        let local = self.function.local(view);
        let elements = match &local.ty {
            Type::View(view) if view.mutable => {
                Value::varying(Cause::origin(span, Step::Written(&local.name), Varies::ANY))
            }
            _ => self.flow.locals[view.0 as usize].part(ViewPart::Elements as usize),
        };
        let index = index.why();
        let index = index.map(|why| Cause::through(span, Step::Element(&local.name), &why));
        Value::Leaf(Cause::all(index.into_iter().chain(elements.why())))
    }

    /// A view made from a view: where its elements are depends on all that it is made
    /// with, and so does whether there are any.
    fn derived(&mut self, derivation: &'m Derivation) -> Value<'m> {
        let of = self.expr(&derivation.of);
        let mut with = of.part(ViewPart::Extent as usize).flat();
        for operand in derivation.operands() {
            with.join(&self.expr(operand).flat());
        }
        let mut elements = of.part(ViewPart::Elements as usize);
        elements.join(&with);
        Value::Parts(vec![elements, with])
    }

    /// A variable takes a value.
    pub(super) fn set(&mut self, local: LocalId, value: Value<'m>, span: Span) {
        if self.flow.reachable {
            self.flow.locals[local.0 as usize] = self.assigned(local, value, span);
        }
    }

    /// What a variable holds when it takes `value` here.
    fn assigned(&self, local: LocalId, value: Value<'m>, span: Span) -> Value<'m> {
        let name = &self.function.local(local).name;
        // A variable that the front end made tells the user nothing.
        let mut value = if name.starts_with('<') {
            value
        } else {
            value.map(&mut |_, why| Cause::through(span, Step::Assigned(name), why))
        };
        if let Some(why) = self.divergence() {
            value.vary(&Cause::through(span, Step::AssignedBySome(name), &why));
        }
        value
    }

    /// A place takes a value, or combines it with what it holds.
    fn store(&mut self, place: &'m Place, value: Value<'m>, combine: bool, span: Span) {
        let mut ty = match &place.root {
            Root::Local(local) => Some(&self.function.local(*local).ty),
            Root::TileStatic(_) => None,
            Root::Element { index, .. } => {
                self.expr(index);
                None
            }
        };
        // Each step with the number of components of what it steps into.
        let mut path = Vec::new();
        for projection in &place.projections {
            let access = self.access(ty, projection);
            path.push((access, ty.map_or(0, |ty| self.components(ty))));
            ty = ty.and_then(|ty| self.analysis.module.layout().projected(ty, projection));
        }
        if !self.flow.reachable {
            return;
        }
        match &place.root {
            Root::Local(local) => {
                let value = self.assigned(*local, value, span);
                update(
                    &mut self.flow.locals[local.0 as usize],
                    &path,
                    value,
                    combine,
                );
            }
            Root::TileStatic(id) => {
                for (interval, past) in &mut self.flow.since {
                    past.written.insert(*id);
                    let parts = past.before.iter().chain([interval]);
                    self.analysis.written.extend(parts.map(|part| (*part, *id)));
                }
            }
            Root::Element { .. } => {}
        }
    }

    /// An atomic operation: threads that do it one after the other get different values.
    fn atomic(&mut self, atomic: &'m Atomic, span: Span) -> Value<'m> {
        self.store(&atomic.place, Value::UNIFORM, true, span);
        self.all(&atomic.operands);
        Value::varying(Cause::origin(span, Step::Atomic, Varies::of_atomic()))
    }

    /// An operation of the subgroup, of which a tile has several.
    fn subgroup(&mut self, op: SubgroupOp, operands: &'m [Expr], span: Span) -> Value<'m> {
        self.all(operands);
        if !self.flow.reachable {
            return Value::UNIFORM;
        }
        if !matches!(op, SubgroupOp::Size | SubgroupOp::Index) {
            self.analysis.subgroup.insert(span);
            self.come_together(span);
        }
        let varies = Varies::of_subgroup(op);
        let why = || Cause::origin(span, Step::Subgroup, varies);
        Value::Leaf((!varies.is_uniform()).then(why))
    }

    fn access(&mut self, ty: Option<&Type>, projection: &'m Projection) -> Access<'m> {
        match projection {
            Projection::Field(index) => Access::Part(*index as usize),
            Projection::Index(index) => match (ty, &index.kind) {
                (
                    Some(Type::Vector(..) | Type::Index(_) | Type::Extent(_)),
                    ExprKind::Literal(literal),
                ) if let Some(index) = literal.count() => Access::Part(index as usize),
                _ => Access::Element(self.expr(index).why()),
            },
        }
    }

    fn components(&self, ty: &Type) -> usize {
        match ty {
            Type::Tuple(parts) => parts.len(),
            Type::Struct(id) => self.analysis.module.structs[id.0 as usize].fields.len(),
            Type::Vector(_, rank) | Type::Index(rank) | Type::Extent(rank) => *rank as usize,
            Type::TiledIndex(_) => 4,
            Type::Unit | Type::Never | Type::Scalar(_) | Type::Array(..) | Type::View(_) => 0,
        }
    }

    fn root_name(&self, root: &Root) -> &'m str {
        match root {
            Root::Local(local) | Root::Element { view: local, .. } => {
                &self.function.local(*local).name
            }
            Root::TileStatic(id) => &self.analysis.module.tile_statics[id.0 as usize].name,
        }
    }

    /// A position in a `TiledIndex` as the user wrote it: `t_idx.local[0]`.
    fn written_out(&self, place: &Place) -> String {
        let mut text = self.root_name(&place.root).to_owned();
        for projection in &place.projections {
            match projection {
                Projection::Field(field) if *field == TiledField::Global as u32 => {
                    text.push_str(".global")
                }
                Projection::Field(_) => text.push_str(".local"),
                Projection::Index(index) => match index.kind {
                    ExprKind::Literal(literal) if let Some(index) = literal.count() => {
                        text.push_str(&format!("[{index}]"))
                    }
                    _ => text.push_str("[..]"),
                },
            }
        }
        text
    }
}

/// Whether the projection takes the position of a thread out of a `TiledIndex`.
fn is_thread_position(ty: Option<&Type>, projection: &Projection) -> bool {
    const GLOBAL: u32 = TiledField::Global as u32;
    const LOCAL: u32 = TiledField::Local as u32;
    matches!(
        (ty, projection),
        (Some(Type::TiledIndex(_)), Projection::Field(GLOBAL | LOCAL))
    )
}

/// Puts `value` at the end of `path` into `slot`. An element that is not known by number
/// leaves the others as they were, so the whole takes the join.
fn update<'m>(slot: &mut Value<'m>, path: &[(Access<'m>, usize)], value: Value<'m>, combine: bool) {
    match path {
        [] if combine => {
            slot.join(&value);
        }
        [] => *slot = value,
        [(Access::Part(index), count), rest @ ..] => {
            if let Some(part) = slot.part_mut(*index, *count) {
                update(part, rest, value, combine);
            }
        }
        [(Access::Element(index), _), rest @ ..] => {
            let below = rest.iter().filter_map(|(access, _)| match access {
                Access::Element(why) => why.clone(),
                Access::Part(_) => None,
            });
            let whys = value.why().into_iter().chain(index.clone()).chain(below);
            if let Some(why) = Cause::all(whys) {
                slot.vary(&why);
            }
        }
    }
}

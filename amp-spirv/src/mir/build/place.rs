//! Places: the parts of variables that are values, and accesses to memory with their checks.
//!
//! The checks of an access are made together, just before it, when all its indices are computed.

use super::{Builder, Flow, Local, has_value, rank};
use crate::artifact::FaultKind;
use crate::mir::{Access, Base, Bound, Op, Proof, SiteId, Step, Value};
use crate::tree::{
    self, Atomic, AtomicOp, BinaryOp, Expr, ExprKind, Len, LocalId, Place, Projection, Root, Type,
};

/// A place in memory, and what has to hold before it is accessed.
pub(super) struct Memory {
    pub access: Access,
    /// The operands of the access.
    pub args: Vec<Value>,
    pub checks: Checks,
}

/// What has to hold before an access.
#[derive(Default)]
pub(super) struct Checks {
    /// Whether its indices are in bounds.
    holds: Vec<Value>,
    /// Its faults: a condition, where that stands, and what is told of it.
    faults: Vec<(Value, SiteId, [Value; 2])>,
}

/// A step into a value.
enum Way<'m> {
    /// To a part that is known.
    Part(u32),
    /// To one that an index tells, of so many.
    Indexed(&'m Expr, Len),
}

impl<'m> Builder<'m, '_> {
    /// The value that a place holds, if it is not bulk.
    pub fn load(&mut self, place: &'m Place) -> Flow<Option<Value>> {
        if let Root::Local(local) = place.root
            && !matches!(self.state[local.0 as usize], Local::Slot(_))
        {
            return Ok(has_value(&place.ty).then(|| {
                let whole = self.local(local);
                let (parts, _) = self.parts(place);
                parts
                    .iter()
                    .fold(whole, |whole, (part, ty)| self.extract(whole, *part, ty))
            }));
        }
        let memory = self.memory(place)?;
        if !has_value(&place.ty) {
            return Ok(None);
        }
        let Memory {
            access,
            args,
            checks,
        } = memory;
        let guard = self.check(&checks);
        Ok(Some(self.guarded(Op::Load(access), args, guard, &place.ty)))
    }

    /// The value of a variable that is one.
    fn local(&mut self, local: LocalId) -> Value {
        match self.state[local.0 as usize] {
            Local::Value(value) => value,
            Local::Absent | Local::Slot(_) => self.zero(self.local_ty(local)),
        }
    }

    /// The steps to a part of a variable that is a value, each with the type of what it leads
    /// to, and the type of the variable.
    fn parts(&self, place: &Place) -> (Vec<(u32, &'m Type)>, &'m Type) {
        let root = root_ty(self.tree, self.source, place);
        let mut ty = root;
        let mut parts = Vec::new();
        for projection in &place.projections {
            let inner = part(self.tree, ty, projection);
            if let Way::Part(position) = way(self.tree, ty, projection) {
                parts.push((position, inner));
            }
            ty = inner;
        }
        (parts, root)
    }

    /// `place = value`
    pub fn assign(&mut self, place: &'m Place, value: &'m Expr) -> Flow<()> {
        if let (Root::Local(local), []) = (&place.root, place.projections.as_slice()) {
            return self.set(*local, value);
        }
        if self.is_bulk(&value.ty) {
            let from = self.bulk(value)?;
            let Memory {
                access,
                args,
                checks,
            } = self.memory(place)?;
            let guard = self.check(&checks);
            self.effect(Op::Copy(access, Access::whole(from)), args, guard);
            return Ok(());
        }
        let value = self.expr(value)?;
        self.store(place, value)
    }

    /// Stores a value that is not bulk.
    fn store(&mut self, place: &'m Place, value: Option<Value>) -> Flow<()> {
        if let Root::Local(local) = place.root
            && !matches!(self.state[local.0 as usize], Local::Slot(_))
        {
            if let Some(value) = value {
                let old = self.local(local);
                let (parts, ty) = self.parts(place);
                let new = self.replaced(old, ty, &parts, value);
                self.state[local.0 as usize] = Local::Value(new);
            }
            return Ok(());
        }
        let Memory {
            access,
            mut args,
            checks,
        } = self.memory(place)?;
        if let Some(value) = value {
            let guard = self.check(&checks);
            args.push(value);
            self.effect(Op::Store(access), args, guard);
        }
        Ok(())
    }

    /// A value with a part replaced.
    fn replaced(&mut self, whole: Value, ty: &Type, parts: &[(u32, &Type)], new: Value) -> Value {
        let [(position, inner), rest @ ..] = parts else {
            return new;
        };
        let new = match rest {
            [] => new,
            _ => {
                let part = self.extract(whole, *position, inner);
                self.replaced(part, inner, rest, new)
            }
        };
        self.op(Op::Insert(*position), vec![whole, new], ty)
    }

    /// `place op= value`
    pub fn assign_op(&mut self, op: BinaryOp, place: &'m Place, value: &'m Expr) -> Flow<()> {
        let operand = self.value(value)?;
        if let Root::Local(local) = place.root
            && !matches!(self.state[local.0 as usize], Local::Slot(_))
        {
            let whole = self.local(local);
            let (parts, ty) = self.parts(place);
            let old = parts
                .iter()
                .fold(whole, |whole, (part, ty)| self.extract(whole, *part, ty));
            let new = self.binary(op, &place.ty, old, operand, value);
            let new = self.replaced(whole, ty, &parts, new);
            self.state[local.0 as usize] = Local::Value(new);
            return Ok(());
        }
        let Memory {
            access,
            mut args,
            checks,
        } = self.memory(place)?;
        let guard = self.check(&checks);
        let old = self.guarded(Op::Load(access.clone()), args.clone(), guard, &place.ty);
        let new = self.binary(op, &place.ty, old, operand, value);
        args.push(new);
        self.effect(Op::Store(access), args, guard);
        Ok(())
    }

    /// An atomic operation; gives what the place held before.
    pub fn atomic(&mut self, atomic: &'m Atomic) -> Flow<Option<Value>> {
        let Memory {
            access,
            mut args,
            checks,
        } = self.memory(&atomic.place)?;
        // Rust finds the place before it computes the operands: its fault is the first.
        let guard = match atomic.operands.iter().all(is_sure) {
            true => {
                args.extend(self.values(&atomic.operands)?);
                self.check(&checks)
            }
            false => {
                let guard = self.check(&checks);
                args.extend(self.values(&atomic.operands)?);
                guard
            }
        };
        let op = Op::Atomic(atomic.op, access);
        if atomic.op == AtomicOp::Store {
            self.effect(op, args, guard);
            return Ok(None);
        }
        Ok(Some(self.guarded(op, args, guard, &atomic.place.ty)))
    }

    /// Records the fault of a place, if it has one; gives the guard of its access.
    pub fn check(&mut self, checks: &Checks) -> Option<Value> {
        let guard = self.all(&checks.holds);
        for (condition, site, operands) in &checks.faults {
            self.note(*condition, *site, *operands);
        }
        guard
    }

    /// Where a place in memory lies.
    pub fn memory(&mut self, place: &'m Place) -> Flow<Memory> {
        let mut args = Vec::new();
        let mut checks = Checks::default();
        let base = match &place.root {
            Root::Local(local) => match self.state[local.0 as usize] {
                Local::Slot(slot) => Base::Slot(slot),
                // Those that are not are no places in memory.
                _ => unreachable!("local {} is in no slot", local.0),
            },
            Root::TileStatic(id) => Base::TileStatic(*id),
            Root::Element { view, index } => {
                // The index may declare the view.
                let components = self.components(index)?;
                let view = self.view(*view);
                let rank = components.len() as u32;
                args.push(view);
                args.extend(components);
                self.check_element(&args, place, &mut checks);
                Base::Element(rank)
            }
        };
        let mut ty = root_ty(self.tree, self.source, place);
        let mut path = Vec::with_capacity(place.projections.len());
        for projection in &place.projections {
            path.push(match way(self.tree, ty, projection) {
                Way::Part(position) => Step::Field(position),
                Way::Indexed(index, len) => {
                    let value = self.value(index)?;
                    args.push(value);
                    self.check_index(index, value, len, place, &mut checks);
                    Step::Index
                }
            });
            ty = part(self.tree, ty, projection);
        }
        Ok(Memory {
            access: Access::new(base, path),
            args,
            checks,
        })
    }

    /// The components of an index, without building it if it is written out.
    pub fn components(&mut self, index: &'m Expr) -> Flow<Vec<Value>> {
        if let ExprKind::Construct(parts) = &index.kind {
            return self.values(parts);
        }
        let whole = self.value(index)?;
        let component = self.tree.index.ty();
        let components = 0..rank(&index.ty);
        Ok(components
            .map(|k| self.extract(whole, k, component))
            .collect())
    }

    /// Checks an element of a view, given as the operands of the access.
    fn check_element(&mut self, operands: &[Value], place: &Place, checks: &mut Checks) {
        let [view, components @ ..] = operands else {
            return;
        };
        let bound = Bound::View(components.len() as u32);
        let ok = self.in_bounds(bound, Proof::None, operands);
        checks.holds.push(ok);
        let site = self.site(FaultKind::OutOfBounds, place.span);
        let sides: Vec<[Value; 2]> = (0..)
            .zip(components)
            .map(|(k, component)| [*component, self.extent(*view, k)])
            .collect();
        let operands = self.first_wrong(&sides, |builder, [component, extent], _| {
            builder.test(BinaryOp::Lt, component, extent)
        });
        checks.faults.push((ok, site, operands));
    }

    fn check_index(
        &mut self,
        index: &'m Expr,
        value: Value,
        len: Len,
        place: &Place,
        checks: &mut Checks,
    ) {
        if self.bounds.prove(index, len) {
            let holds = self.in_bounds(Bound::Len(len), Proof::Always, &[value]);
            checks.holds.push(holds);
            return;
        }
        let holds = self.in_bounds(Bound::Len(len), Proof::None, &[value]);
        checks.holds.push(holds);
        let site = self.site(FaultKind::ArrayOutOfBounds, place.span);
        let len = self.len(len);
        checks.faults.push((holds, site, [value, len]));
    }

    /// Whether something is in bounds.
    pub fn in_bounds(&mut self, bound: Bound, proof: Proof, operands: &[Value]) -> Value {
        self.op(Op::InBounds(bound, proof), operands.to_vec(), &Type::BOOL)
    }
}

/// Whether an expression cannot fault.
fn is_sure(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Const(_) => true,
        ExprKind::Load(place) => {
            matches!(place.root, Root::Local(_)) && place.projections.is_empty()
        }
        ExprKind::Cast(operand) => is_sure(operand),
        _ => false,
    }
}

/// Whether only the run knows which part of a variable a place is.
pub(super) fn is_indexed(tree: &tree::Module, function: &tree::Function, place: &Place) -> bool {
    let mut ty = root_ty(tree, function, place);
    place.projections.iter().any(|projection| {
        let step = way(tree, ty, projection);
        ty = part(tree, ty, projection);
        matches!(step, Way::Indexed(..))
    })
}

/// A step into a value of type `ty`. Literals are parts, if the value has such.
fn way<'p>(tree: &tree::Module, ty: &Type, projection: &'p Projection) -> Way<'p> {
    match projection {
        Projection::Field(position) => Way::Part(*position),
        Projection::Index(index) => {
            let len = tree
                .layout()
                .elements(ty)
                .map_or(Len::Literal(0), |(len, _)| len);
            let position = match index.kind {
                ExprKind::Literal(literal) => literal.count(),
                _ => None,
            };
            match (position.map(u32::try_from), len) {
                (Some(Ok(position)), Len::Literal(len)) if position < len => Way::Part(position),
                _ => Way::Indexed(index, len),
            }
        }
    }
}

/// Type of what a place starts at.
fn root_ty<'m>(tree: &'m tree::Module, function: &'m tree::Function, place: &Place) -> &'m Type {
    let ty = tree.root_ty(function, place);
    ty.unwrap_or(&Type::Never)
}

/// Type of a part of a value.
fn part<'m>(tree: &'m tree::Module, ty: &'m Type, projection: &Projection) -> &'m Type {
    let ty = tree.layout().projected(ty, projection);
    ty.unwrap_or(&Type::Never)
}

//! What the threads of a walk load, store and share: variables by thread, accesses of
//! tile_static variables as the intervals between barriers have them.

use std::rc::Rc;

use super::{
    super::symbols::Meaning,
    super::value::{Form, Step, Value},
    access::{Access, Kind, Own},
    walk::{Presence, Walker},
};
use crate::tree::{Atomic, BinaryOp, LocalId, Place, Projection, Root, TileStaticId, Type};

impl<'m> Walker<'m> {
    pub(super) fn local(&self, local: LocalId) -> Vec<Value> {
        let locals = self.state.locals.iter();
        locals
            .map(|locals| locals[local.0 as usize].clone())
            .collect()
    }

    pub(super) fn extent(&mut self, view: LocalId) -> Vec<Value> {
        let Type::View(ty) = &self.function.local(view).ty else {
            return self.unknown();
        };
        let rank = ty.rank;
        let views = self.local(view);
        views
            .into_iter()
            .map(|view| match view {
                Value::View(view) => self.symbols.extent(view, rank),
                _ => Value::Unknown,
            })
            .collect()
    }

    /// The steps into a place, by thread, as far as they are known.
    fn path(&mut self, place: &'m Place) -> Vec<Option<Vec<Step>>> {
        let mut paths: Vec<Option<Vec<Step>>> = vec![Some(Vec::new()); self.threads()];
        for projection in &place.projections {
            match projection {
                Projection::Field(field) => {
                    for path in paths.iter_mut().flatten() {
                        path.push(Step::Field(*field));
                    }
                }
                Projection::Index(index) => {
                    for (path, index) in paths.iter_mut().zip(self.expr(index)) {
                        match (index, path.as_mut()) {
                            (Value::Scalar(form), Some(path)) => path.push(Step::Element(form)),
                            _ => *path = None,
                        }
                    }
                }
            }
        }
        paths
    }

    pub(super) fn load(&mut self, place: &'m Place) -> Vec<Value> {
        match &place.root {
            Root::Local(local) => {
                let paths = self.path(place);
                let values = self.local(*local);
                values
                    .into_iter()
                    .zip(paths)
                    .map(|(value, path)| value.at(path.as_deref()))
                    .collect()
            }
            Root::TileStatic(id) => {
                let paths = self.path(place);
                let owns: Vec<Own> = (0..paths.len())
                    .map(|thread| self.own(thread, *id, paths[thread].as_deref()))
                    .collect();
                self.access(place, *id, &paths, |thread| {
                    Kind::Read(owns[thread].clone())
                });
                self.unknown()
            }
            Root::Element { view, index } => {
                let indices = self.expr(index);
                let views = self.local(*view);
                let paths = self.path(place);
                let elements = views.into_iter().zip(indices).zip(paths);
                elements
                    .map(|((view, index), path)| self.element(view, index, path))
                    .collect()
            }
        }
    }

    fn element(&mut self, view: Value, index: Value, path: Option<Vec<Step>>) -> Value {
        let (Value::View(view), Value::Parts(parts), Some(path)) = (view, index, path) else {
            return Value::Unknown;
        };
        let index: Option<Vec<Form>> = parts.iter().map(|part| part.form().cloned()).collect();
        let steps = path.iter().map(|step| match step {
            Step::Field(field) => Some(*field),
            Step::Element(form) => form.known().and_then(|known| known.try_into().ok()),
        });
        let (Some(index), Some(part)) = (index, steps.collect()) else {
            return Value::Unknown;
        };
        let kernel = self.module.kernel();
        let mutable = matches!(&kernel.local(view).ty, Type::View(view) if view.mutable);
        let read = mutable.then(|| self.fresh());
        self.symbols.value(Meaning::Element {
            view,
            index,
            part,
            read,
        })
    }

    pub(super) fn store(&mut self, place: &'m Place, values: Vec<Value>) {
        match &place.root {
            Root::Local(local) => {
                let paths = self.path(place);
                for (thread, (value, path)) in values.into_iter().zip(paths).enumerate() {
                    let slot = &mut self.state.locals[thread][local.0 as usize];
                    slot.put(path.as_deref(), value);
                }
            }
            Root::TileStatic(id) => {
                let paths = self.path(place);
                self.access(place, *id, &paths, |thread| {
                    Kind::Write(values[thread].form().cloned())
                });
            }
            Root::Element { index, .. } => {
                self.expr(index);
                self.path(place);
            }
        }
    }

    pub(super) fn update(&mut self, op: BinaryOp, place: &'m Place, values: Vec<Value>) {
        match &place.root {
            Root::Local(local) => {
                let paths = self.path(place);
                let before = self.local(*local);
                let before: Vec<Value> = before
                    .into_iter()
                    .zip(&paths)
                    .map(|(value, path)| value.at(path.as_deref()))
                    .collect();
                let after = self.scalars(&[before, values], |symbols, operands| {
                    symbols.binary(op, place.ty.scalar()?, operands[0], operands[1])
                });
                for (thread, (value, path)) in after.into_iter().zip(paths).enumerate() {
                    let slot = &mut self.state.locals[thread][local.0 as usize];
                    slot.put(path.as_deref(), value);
                }
            }
            Root::TileStatic(id) => {
                let paths = self.path(place);
                self.access(place, *id, &paths, |thread| {
                    Kind::Update(op, values[thread].form().cloned())
                });
            }
            Root::Element { index, .. } => {
                self.expr(index);
                self.path(place);
            }
        }
    }

    pub(super) fn atomic(&mut self, atomic: &'m Atomic) -> Vec<Value> {
        let place = &atomic.place;
        if let Root::Element { index, .. } = &place.root {
            self.expr(index);
        }
        let paths = self.path(place);
        for operand in &atomic.operands {
            self.expr(operand);
        }
        if let Root::TileStatic(id) = &place.root {
            let writes = atomic.op.writes();
            self.access(place, *id, &paths, |_| Kind::Atomic { writes });
        }
        self.unknown()
    }

    /// What a thread was the last to write there since the barrier.
    fn own(&self, thread: usize, variable: TileStaticId, path: Option<&[Step]>) -> Own {
        let Some(path) = path else {
            return Own::Value(None);
        };
        let Some(interval) = self.intervals.last() else {
            return Own::Nothing;
        };
        let last = interval.iter().rev().find(|access| {
            access.thread == thread
                && access.variable == variable
                && access.writes()
                && access
                    .path
                    .iter()
                    .zip(path)
                    .all(|(left, right)| left == right)
        });
        match last.map(|access| &access.kind) {
            None | Some(Kind::Read(_)) => Own::Nothing,
            Some(Kind::Update(..) | Kind::Atomic { .. }) => Own::Update,
            Some(Kind::Write(value)) => Own::Value(value.clone()),
        }
    }

    fn access(
        &mut self,
        place: &Place,
        variable: TileStaticId,
        paths: &[Option<Vec<Step>>],
        kind: impl Fn(usize) -> Kind,
    ) {
        // An operand that was not walked may have waited at a barrier.
        if self.fuel == 0 {
            return;
        }
        let rounds: Rc<[(u32, u32)]> = self.rounds.as_slice().into();
        for (thread, path) in paths.iter().enumerate() {
            if self.state.presence[thread] == Presence::Here
                && let Some(path) = path
                && let Some(interval) = self.intervals.last_mut()
            {
                interval.push(Access {
                    thread,
                    variable,
                    path: path.clone(),
                    kind: kind(thread),
                    span: place.span,
                    assumptions: self.assumptions.clone(),
                    rounds: rounds.clone(),
                });
            }
        }
    }
}

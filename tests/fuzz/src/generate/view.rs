//! Views: their elements, and views made from them.

use amp_spirv::tree::*;

use super::Generator;
use super::scope::Variable;
use crate::build::*;
use crate::world::{BYTES, ITEM, MATRIX, Param, ROW, TABLE};

/// What the extents of a parameter are.
fn extent_of(name: &str) -> Vec<u32> {
    let plane = |extent: [usize; 2]| extent.map(|it| it as u32).to_vec();
    match name {
        "matrix" => plane(MATRIX),
        "table" => plane(TABLE),
        "items" => vec![4],
        "longs" => vec![7],
        "doubles" => vec![6],
        "pixels" => vec![5],
        _ => vec![13],
    }
}

impl Generator {
    /// `let row = words.row(me);`, through which the thread then goes to its words.
    pub fn own_row(&mut self) -> Option<Statement> {
        if !self.one_in(4) {
            return None;
        }
        let words = self.scope.view(Param::Words.name())?;
        let me = self.scope.me?;
        let step = ViewStep::Row(get(me, Type::USIZE));
        let (id, statement) = self.let_view("row", words, step, Type::U32, 1);
        self.scope.row = Some(id);
        Some(statement)
    }

    /// `let name = view.step();` of a view that cannot be seen yet.
    fn let_view(
        &mut self,
        name: &str,
        of: LocalId,
        step: ViewStep,
        element: Type,
        rank: u32,
    ) -> (LocalId, Statement) {
        let source = self.scope.locals[of.0 as usize].ty.clone();
        let mutable = matches!(&source, Type::View(view) if view.mutable);
        let ty = Type::View(View {
            element: Box::new(element),
            rank,
            mutable,
        });
        let of = expr(ExprKind::View(of), source);
        let id = self.scope.fresh(name, ty.clone());
        let derivation = Box::new(Derivation { of, step });
        (id, let_(id, expr(ExprKind::Derive(derivation), ty)))
    }

    /// A view made from one in sight.
    pub fn view_statement(&mut self) -> Option<Statement> {
        let views = self.scope.read_views();
        let (of, ty) = self.rng.choice(&views)?.clone();
        let extent = self.extents(of);
        let rank = ty.rank;
        let mut element = (*ty.element).clone();
        let (step, extent) = match self.rng.u8(0..4) {
            0 if rank > 1 => {
                let row = self.index_below(Len::Literal(extent[0]));
                (ViewStep::Row(row), extent[1..].to_vec())
            }
            1 if rank == 1 => {
                let all = extent[0];
                let first = self.rng.u32(1..4);
                let shape = vec![first, (all / first).max(1)];
                (ViewStep::Shape(self.at(&shape)), shape)
            }
            2 if element == Type::U32 && rank == 1 => {
                element = [Type::I32, Type::F32][self.rng.usize(0..2)].clone();
                (ViewStep::Elements, extent)
            }
            _ => {
                let origin: Vec<u32> = extent.iter().map(|&it| self.rng.u32(0..=it)).collect();
                let length: Vec<u32> = extent
                    .iter()
                    .zip(&origin)
                    .map(|(all, from)| self.rng.u32(0..=all - from))
                    .collect();
                let origin = self.at(&origin);
                let step = ViewStep::Section {
                    origin,
                    extent: self.at(&length),
                };
                (step, length)
            }
        };
        let name = format!("view{}", self.scope.locals.len());
        let rank = extent.len() as u32;
        let (id, statement) = self.let_view(&name, of, step, element, rank);
        let ty = self.scope.locals[id.0 as usize].ty.clone();
        self.scope.extents.insert(id, extent);
        self.scope.show(Variable {
            id,
            ty,
            assignable: false,
            counts: false,
        });
        Some(statement)
    }

    /// A position: mostly this one, whose components are literals or look as if they were
    /// computed.
    fn at(&mut self, position: &[u32]) -> Expr {
        let parts = position.iter().map(|&it| match self.rng.u8(0..8) {
            0 => self.small(it + 2),
            1 => {
                let no = self.small(1);
                binary(BinaryOp::Add, no, usize_(it))
            }
            _ => usize_(it),
        });
        let parts: Vec<Expr> = parts.collect();
        let rank = parts.len() as u32;
        expr(ExprKind::Construct(parts), Type::Index(rank))
    }

    fn extents(&self, view: LocalId) -> Vec<u32> {
        let known = self.scope.extents.get(&view).cloned();
        known.unwrap_or_else(|| extent_of(&self.scope.locals[view.0 as usize].name))
    }

    /// An element of a view, or a part of one.
    pub fn viewed(&mut self, ty: &Type) -> Option<Expr> {
        if *ty == Type::U32 && self.scope.is_kernel && self.one_in(4) {
            // To rustc, what is written is borrowed while its index is computed.
            if self.is_rust() && self.scope.pure {
                return None;
            }
            let k = self.index_below(Len::Literal(ROW));
            return Some(load(self.word(k)));
        }
        let mut found = Vec::new();
        for (id, view) in self.scope.read_views() {
            let mut way = Vec::new();
            self.ways(&view.element, ty, &mut way, &mut |way| {
                found.push((id, (*view.element).clone(), way.to_vec()));
            });
        }
        let (id, whole, way) = self.rng.choice(&found)?.clone();
        let index = self
            .extents(id)
            .iter()
            .map(|&length| self.index_below(Len::Literal(length)))
            .collect();
        let place = element(id, index, whole);
        Some(load(self.along(place, way)))
    }

    /// An extent of a view, if there is one.
    pub fn extent(&mut self) -> Option<Expr> {
        let views = self.scope.read_views();
        let (view, ty) = self.rng.choice(&views)?.clone();
        let whole = expr(ExprKind::ViewExtent(view), Type::Extent(ty.rank));
        let k = self.rng.u32(0..ty.rank);
        Some(expr(ExprKind::Field(Box::new(whole), k), Type::USIZE))
    }

    /// Element of the words of this thread.
    pub fn word(&mut self, k: Expr) -> Place {
        if let Some(row) = self.scope.row {
            return element(row, vec![k], Type::U32);
        }
        let view = self.scope.view(Param::Words.name());
        let view = view.expect("every kernel has it");
        element(view, vec![self.own_number(), k], Type::U32)
    }

    /// Element of the bytes of this thread.
    pub fn byte(&mut self, k: Expr) -> Place {
        let view = self.scope.view(Param::BytesOut.name());
        let view = view.expect("the caller has looked");
        element(view, vec![self.own_number(), k], Type::Scalar(Scalar::U8))
    }

    /// The item of this thread.
    pub fn own_item(&mut self) -> Place {
        let view = self.scope.view(Param::ItemsOut.name());
        let view = view.expect("every kernel has it");
        element(view, vec![self.own_number()], ITEM)
    }

    fn own_number(&self) -> Expr {
        let me = self.scope.me.expect("a kernel knows its position");
        get(me, Type::USIZE)
    }

    /// Whether the kernel has bytes to write to, and an index of one.
    pub fn any_byte(&mut self) -> Option<Place> {
        self.scope.view(Param::BytesOut.name())?;
        let k = self.index_below(Len::Literal(BYTES));
        Some(self.byte(k))
    }
}

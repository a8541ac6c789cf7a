//! Places: addresses of variables, tile_static variables and elements of views, and
//! the loads and stores that go through them (`access` has the instructions).
//!
//! An address is computed once, with the checks that its indices need; every access
//! is guarded by them. A place out of bounds reads as zero and drops what is written.

use spirv::{MemoryAccess, Op, StorageClass, Word};

use super::Emitter;
use super::access::{Address, Form};
use super::fault::Check;
use super::function::{Flow, Slot, ViewValue};
use super::types::{UNIT, has_value};
use crate::artifact::FaultKind;
use crate::ir::{
    BinaryOp, Expr, ExprKind, Len, Local, Module, Place, Projection, Root, Span, Type,
};

impl<'m> Emitter<'m> {
    /// The value that a place holds, if it is not bulk.
    pub fn load(&mut self, place: &'m Place) -> Flow<Word> {
        let (address, checks) = self.address(place)?;
        if !has_value(&place.ty) {
            return Ok(UNIT);
        }
        Ok(self.guarded(checks, Some(&place.ty), |emitter| {
            let pointer = emitter.pointer(&address, &place.ty);
            emitter.read(&address, pointer, &place.ty)
        }))
    }

    /// `place = value`
    pub fn assign(&mut self, place: &'m Place, value: &'m Expr) -> Flow<Word> {
        if let (Root::Local(local), []) = (&place.root, place.projections.as_slice())
            && let Slot::Variable(variable) = self.body.slots[local.0 as usize]
        {
            self.expr_into(variable, value)?;
            return Ok(UNIT);
        }
        let value = self.expr(value)?;
        let (address, checks) = self.address(place)?;
        if has_value(&place.ty) {
            self.guarded(checks, None, |emitter| {
                let pointer = emitter.pointer(&address, &place.ty);
                match emitter.is_bulk(&place.ty) {
                    true => emitter.write_from(value, &address, pointer, &place.ty),
                    false => emitter.write(&address, pointer, &place.ty, value),
                }
                UNIT
            });
        }
        Ok(UNIT)
    }

    /// `place op= value`
    pub fn assign_op(
        &mut self,
        op: BinaryOp,
        place: &'m Place,
        value: &'m Expr,
        span: Span,
    ) -> Flow<Word> {
        let operand = self.expr(value)?;
        let (address, checks) = self.address(place)?;
        self.guarded(checks, None, |emitter| {
            let pointer = emitter.pointer(&address, &place.ty);
            let old = emitter.read(&address, pointer, &place.ty);
            let new = emitter.binary(op, &place.ty, old, operand, value, span);
            emitter.write(&address, pointer, &place.ty, new);
            UNIT
        });
        Ok(UNIT)
    }

    /// Where a place lies, and what has to hold before it is accessed.
    pub fn address(&mut self, place: &'m Place) -> Flow<(Address, Vec<Check>)> {
        let mut checks = Vec::new();
        let mut indices = Vec::new();
        let mut element = None;
        let mut is_component = false;
        let ir = self.ir;
        let locals = self.body.locals;
        let (base, storage, access, form) = match &place.root {
            Root::Local(local) => {
                let base = match self.body.slots[local.0 as usize] {
                    Slot::Variable(variable) => variable,
                    _ => UNIT,
                };
                (base, StorageClass::Function, None, Form::Register)
            }
            Root::TileStatic(id) => {
                let base = self.tile_statics[id.0 as usize];
                let access = self
                    .uses
                    .orders_tile_static
                    .then_some(MemoryAccess::NON_PRIVATE_POINTER);
                let form = self.form_of_tile_static(*id);
                (base, StorageClass::Workgroup, access, form)
            }
            Root::Element { view: local, index } => {
                // The index may declare the view.
                let components = self.index_components(index)?;
                let view = self.view(*local);
                let position = self.linear(&view, &components);
                if let Type::View(ty) = &locals[local.0 as usize].ty {
                    element = Some(self.element(&view, ty, position));
                }
                if self.is_proven(index) {
                    self.tally.hoisted(index);
                } else {
                    self.tally.checked(index);
                    self.check_element(&view, &components, place.span, &mut checks);
                }
                let mut access = MemoryAccess::ALIGNED;
                if view.mutable && self.fences.order_views() {
                    access |= MemoryAccess::NON_PRIVATE_POINTER;
                }
                (
                    view.pointer,
                    StorageClass::PhysicalStorageBuffer,
                    Some(access),
                    Form::Host,
                )
            }
        };
        let mut ty = root_ty(ir, locals, place);
        let mut alignment = multiple_of(ir.size_of(ty).unwrap_or(4));
        for projection in &place.projections {
            alignment = alignment.min(multiple_of(step(ir, ty, projection)));
            is_component = form == Form::Host && matches!(ty, Type::Vector(..));
            match projection {
                Projection::Field(field) => indices.push(self.b.u32(*field)),
                Projection::Index(index) => {
                    let value = self.expr(index)?;
                    // What is accessed is within the length, which fits 32 bits.
                    indices.push(match &index.kind {
                        ExprKind::Literal(literal) => self.b.u32(literal.bits() as u32),
                        _ => self.index_word(value),
                    });
                    let is_array = matches!(ty, Type::Array(..));
                    if self.check_index(index, value, len(ty), place.span, &mut checks) {
                        self.tally.checked(index);
                    } else if self.is_proven(index) {
                        self.tally.hoisted(index);
                    } else if is_array {
                        self.tally.proven(index);
                    }
                }
            }
            ty = part(ir, ty, projection);
        }
        let address = Address {
            base,
            element,
            indices,
            is_component,
            storage,
            form,
            access,
            alignment,
        };
        Ok((address, checks))
    }

    /// The components of an index, without building it if it is written out.
    pub fn index_components(&mut self, index: &'m Expr) -> Flow<Vec<Word>> {
        if let ExprKind::Construct(parts) = &index.kind {
            let mut components = Vec::with_capacity(parts.len());
            for part in parts {
                components.push(self.expr(part)?);
            }
            return Ok(components);
        }
        let rank = match &index.ty {
            Type::Index(rank) | Type::Extent(rank) => *rank,
            _ => 0,
        };
        let whole = self.expr(index)?;
        let component = self.index_ty();
        Ok((0..rank)
            .map(|k| self.b.extract(component, whole, k))
            .collect())
    }

    /// Position of an element, counted in elements.
    pub fn linear(&mut self, view: &ViewValue, components: &[Word]) -> Word {
        let mut sum = None;
        for (component, stride) in components.iter().zip(&view.strides) {
            let part = self.index_op(Op::IMul, *component, *stride);
            sum = Some(match sum {
                None => part,
                Some(sum) => self.index_op(Op::IAdd, sum, part),
            });
        }
        let last = components.last().copied().unwrap_or(UNIT);
        match sum {
            None => last,
            Some(sum) => self.index_op(Op::IAdd, sum, last),
        }
    }

    fn check_element(
        &mut self,
        view: &ViewValue,
        components: &[Word],
        span: Span,
        checks: &mut Vec<Check>,
    ) {
        let site = self.fault_site(FaultKind::OutOfBounds, span);
        for (component, extent) in components.iter().zip(&view.extents) {
            let ok = self.b.test(Op::ULessThan, *component, *extent);
            checks.push(Check {
                ok,
                site,
                operands: [*component, *extent],
            });
        }
    }

    /// Whether an index needs a check, which is then among `checks`.
    fn check_index(
        &mut self,
        index: &'m Expr,
        value: Word,
        len: Len,
        span: Span,
        checks: &mut Vec<Check>,
    ) -> bool {
        if self.is_proven(index) || self.body.bounds.prove(index, len) {
            return false;
        }
        let len = self.len(len);
        let len = self.as_index(len);
        let site = self.fault_site(FaultKind::ArrayOutOfBounds, span);
        let ok = self.b.test(Op::ULessThan, value, len);
        checks.push(Check {
            ok,
            site,
            operands: [value, len],
        });
        true
    }

    /// The number of an array's elements, a constant of type `u32`.
    pub fn len(&mut self, len: Len) -> Word {
        match len {
            Len::Literal(len) => self.b.u32(len),
            Len::Const(id) => self.word_constant(id),
        }
    }

    /// `[element; N]`, if that is not bulk.
    pub fn repeat(&mut self, element: &'m Expr, ty: &Type) -> Flow<Word> {
        let value = self.expr(element)?;
        // A driver would know too much of the floats in a null array.
        if is_zero(element) && (self.is_fast() || !self.holds_float(ty)) {
            let array = self.ty(ty);
            return Ok(self.b.null(array));
        }
        let len = self.parts(ty).len().max(1);
        Ok(self.aggregate(ty, vec![value; len]))
    }
}

/// The indices in a place's projections, each with the length of what it indexes.
pub(super) fn indexed<'m>(
    ir: &'m Module,
    locals: &'m [Local],
    place: &'m Place,
) -> Vec<(&'m Expr, Len)> {
    let mut ty = root_ty(ir, locals, place);
    let mut found = Vec::new();
    for projection in &place.projections {
        if let Projection::Index(index) = projection {
            found.push((index.as_ref(), len(ty)));
        }
        ty = part(ir, ty, projection);
    }
    found
}

/// Type of what a place starts at.
fn root_ty<'m>(ir: &'m Module, locals: &'m [Local], place: &Place) -> &'m Type {
    match &place.root {
        Root::Local(local) => &locals[local.0 as usize].ty,
        Root::TileStatic(id) => &ir.tile_statics[id.0 as usize].ty,
        Root::Element { view, .. } => match &locals[view.0 as usize].ty {
            Type::View(view) => &view.element,
            other => other,
        },
    }
}

/// Type of a part of a value.
fn part<'m>(ir: &'m Module, ty: &'m Type, projection: &Projection) -> &'m Type {
    match (projection, ty) {
        (Projection::Field(field), Type::Tuple(parts)) => &parts[*field as usize],
        (Projection::Field(field), Type::Struct(id)) => {
            &ir.structs[id.0 as usize].fields[*field as usize].ty
        }
        (Projection::Field(_), Type::TiledIndex(rank)) => tiled_field(*rank),
        (Projection::Index(_), Type::Array(part, _)) => part,
        (_, Type::Vector(scalar, _)) => Type::of(*scalar),
        // The components of an `Index` or `Extent`, which `Field` also numbers.
        _ => ir.index.ty(),
    }
}

/// How many parts a value has that can be indexed.
fn len(ty: &Type) -> Len {
    match ty {
        Type::Array(_, len) => *len,
        Type::Vector(_, rank) | Type::Index(rank) | Type::Extent(rank) => Len::Literal(*rank),
        _ => Len::Literal(0),
    }
}

/// Type of a `TiledIndex`'s fields.
fn tiled_field(rank: u32) -> &'static Type {
    match rank {
        1 => &Type::Index(1),
        2 => &Type::Index(2),
        _ => &Type::Index(3),
    }
}

/// Bytes that a projection steps over: the offset of a field, the stride of elements.
fn step(ir: &Module, ty: &Type, projection: &Projection) -> u32 {
    match (ty, projection) {
        (Type::Struct(id), Projection::Field(field)) => {
            let fields = ir.structs[id.0 as usize].fields.iter();
            let fields: Vec<&Type> = fields.map(|field| &field.ty).collect();
            let offsets = ir.layout().offsets(&fields).map(|(offsets, _)| offsets);
            offsets.map_or(1, |offsets| offsets[*field as usize])
        }
        _ => ir.size_of(part(ir, ty, projection)).unwrap_or(4),
    }
}

/// The greatest power of two that divides an offset, as far as the start of a view, which
/// is a multiple of 16, allows.
pub(super) fn multiple_of(offset: u32) -> u32 {
    1 << offset.trailing_zeros().min(4)
}

/// Whether an expression is a literal of zero bits.
fn is_zero(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(literal) => literal.bits() == 0,
        ExprKind::Repeat(element) => is_zero(element),
        ExprKind::Construct(parts) => !parts.is_empty() && parts.iter().all(is_zero),
        _ => false,
    }
}

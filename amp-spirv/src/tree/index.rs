//! The width of `usize` and `isize`.
//!
//! They are 32 bits wide, unless the kernel says `#[amp_kernel(index = 64)]`. A module whose
//! [`Module::index`] is 64 bits has `u64` and `i64` in their place everywhere, so that all
//! that is done with integers is right by construction: nothing asks for the width of a
//! `usize`. Only what has components of type `usize` without saying so has to ask the
//! module: `Index`, `Extent` and the extents of views ([`IndexWidth::scalar`]).

use std::ops::ControlFlow;

use super::{Block, Edit, Expr, ExprKind, Literal, Module, Place, Scalar, Type, edit};
pub use crate::artifact::IndexWidth;

impl IndexWidth {
    /// What a `usize` is: the type of indices, extents and components of either.
    pub fn scalar(self) -> Scalar {
        self.settled(Scalar::Usize)
    }

    /// The same as a type.
    pub fn ty(self) -> &'static Type {
        Type::of(self.scalar())
    }

    /// What a scalar of the source is.
    pub fn settled(self, scalar: Scalar) -> Scalar {
        match (self, scalar) {
            (IndexWidth::Bits64, Scalar::Usize) => Scalar::U64,
            (IndexWidth::Bits64, Scalar::Isize) => Scalar::I64,
            _ => scalar,
        }
    }
}

impl Module {
    /// Makes indices 64 bits wide: `usize` and `isize` become what they are then.
    pub fn widen_index(&mut self) {
        self.index = IndexWidth::Bits64;
        for field in self.structs.iter_mut().flat_map(|it| &mut it.fields) {
            ty(&mut field.ty);
        }
        for constant in &mut self.consts {
            constant.ty = self.index.settled(constant.ty);
        }
        for variable in &mut self.tile_statics {
            ty(&mut variable.ty);
        }
        for function in &mut self.functions {
            for local in &mut function.locals {
                ty(&mut local.ty);
            }
            ty(&mut function.result);
            let _ = edit(&mut function.body, &mut Widen);
        }
    }
}

fn ty(of: &mut Type) {
    match of {
        Type::Scalar(scalar) | Type::Vector(scalar, _) => {
            *scalar = IndexWidth::Bits64.settled(*scalar);
        }
        Type::Tuple(parts) => parts.iter_mut().for_each(ty),
        Type::Array(element, _) => ty(element),
        Type::View(view) => ty(&mut view.element),
        Type::Unit
        | Type::Never
        | Type::Struct(_)
        | Type::Index(_)
        | Type::Extent(_)
        | Type::TiledIndex(_) => {}
    }
}

fn literal(of: &mut Literal) {
    let scalar = IndexWidth::Bits64.settled(of.scalar());
    if let Some(value) = of.integer()
        && scalar != of.scalar()
    {
        *of = Literal::new(scalar, value as u64);
    }
}

/// Widens the types and literals of a function's body.
struct Widen;

impl Edit for Widen {
    fn block(&mut self, of: &mut Block) -> ControlFlow<()> {
        ty(&mut of.ty);
        ControlFlow::Continue(())
    }

    fn expr(&mut self, of: &mut Expr) -> ControlFlow<()> {
        ty(&mut of.ty);
        if let ExprKind::Literal(value) = &mut of.kind {
            literal(value);
        }
        ControlFlow::Continue(())
    }

    fn place(&mut self, of: &mut Place) -> ControlFlow<()> {
        ty(&mut of.ty);
        ControlFlow::Continue(())
    }
}

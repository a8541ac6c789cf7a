//! Parameters, by name and type.

use amp_spirv::tree::{Len, Scalar, Type, View};

use super::ITEM;

/// Parameters that a kernel can have besides its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Param {
    /// `&ArrayView<u32, 1>`
    Numbers,
    /// `&ArrayView<f32, 2>`
    Matrix,
    /// `&ArrayView<Item, 1>`
    Items,
    /// `&ArrayView<i64, 1>`
    Longs,
    /// `&ArrayView<u8, 2>`
    Table,
    /// `&ArrayView<f64, 1>`
    Doubles,
    /// `&ArrayView<[u8; 4], 1>`
    Pixels,
    /// `&mut ArrayViewMut<u32, 2>`: [`ROW`](super::ROW) words for each thread
    Words,
    /// `&mut ArrayViewMut<Item, 1>`: one for each thread
    ItemsOut,
    /// `&mut ArrayViewMut<u8, 2>`: [`BYTES`](super::BYTES) bytes for each thread
    BytesOut,
    /// `&mut ArrayViewMut<u32, 1>`, for all threads
    Cells,
    /// `&mut ArrayViewMut<i32, 1>`, for all threads
    SignedCells,
    /// `i32`
    Signed,
    /// `u32`
    Unsigned,
    /// `f32`
    Float,
    /// `usize`
    Size,
    /// `bool`
    Flag,
    /// `i64`
    Long,
    /// `f64`
    Double,
    /// `u8`
    Byte,
    /// `i16`
    Short,
    /// `f16`
    Half,
    /// `Item`
    Whole,
}

impl Param {
    /// All of them, in order.
    pub const ALL: [Param; 23] = [
        Param::Numbers,
        Param::Byte,
        Param::Matrix,
        Param::Items,
        Param::Longs,
        Param::Table,
        Param::Doubles,
        Param::Pixels,
        Param::Words,
        Param::ItemsOut,
        Param::BytesOut,
        Param::Cells,
        Param::SignedCells,
        Param::Signed,
        Param::Short,
        Param::Unsigned,
        Param::Float,
        Param::Size,
        Param::Flag,
        Param::Long,
        Param::Half,
        Param::Double,
        Param::Whole,
    ];

    /// Whether every kernel has it.
    pub fn always(self) -> bool {
        matches!(self, Param::Words | Param::ItemsOut)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Param::Numbers => "numbers",
            Param::Matrix => "matrix",
            Param::Items => "items",
            Param::Longs => "longs",
            Param::Table => "table",
            Param::Doubles => "doubles",
            Param::Pixels => "pixels",
            Param::Words => "words",
            Param::ItemsOut => "items_out",
            Param::BytesOut => "bytes_out",
            Param::Cells => "cells",
            Param::SignedCells => "signed_cells",
            Param::Signed => "signed",
            Param::Unsigned => "unsigned",
            Param::Float => "float",
            Param::Size => "size",
            Param::Flag => "flag",
            Param::Long => "long",
            Param::Double => "double",
            Param::Byte => "byte",
            Param::Short => "short",
            Param::Half => "half",
            Param::Whole => "whole",
        }
    }

    /// Its type.
    pub fn ty(self) -> Type {
        let view = |element, rank, mutable| {
            Type::View(View {
                element: Box::new(element),
                rank,
                mutable,
            })
        };
        let of = Type::Scalar;
        match self {
            Param::Numbers => view(Type::U32, 1, false),
            Param::Matrix => view(Type::F32, 2, false),
            Param::Items => view(ITEM, 1, false),
            Param::Longs => view(of(Scalar::I64), 1, false),
            Param::Table => view(of(Scalar::U8), 2, false),
            Param::Doubles => view(of(Scalar::F64), 1, false),
            Param::Pixels => {
                let pixel = Type::Array(Box::new(of(Scalar::U8)), Len::Literal(4));
                view(pixel, 1, false)
            }
            Param::Words => view(Type::U32, 2, true),
            Param::ItemsOut => view(ITEM, 1, true),
            Param::BytesOut => view(of(Scalar::U8), 2, true),
            Param::Cells => view(Type::U32, 1, true),
            Param::SignedCells => view(Type::I32, 1, true),
            Param::Signed => Type::I32,
            Param::Unsigned => Type::U32,
            Param::Float => Type::F32,
            Param::Size => Type::USIZE,
            Param::Flag => Type::BOOL,
            Param::Long => of(Scalar::I64),
            Param::Double => of(Scalar::F64),
            Param::Byte => of(Scalar::U8),
            Param::Short => of(Scalar::I16),
            Param::Half => of(Scalar::F16),
            Param::Whole => ITEM,
        }
    }

    /// Whether it is a view that threads read, and do not write.
    pub fn is_read(self) -> bool {
        matches!(self.ty(), Type::View(view) if !view.mutable)
    }
}

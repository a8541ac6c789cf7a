//! The numbers that arrays hold, listed once: each macro here calls the macro that it is given with
//! the types of one kind.

macro_rules! of_signed {
    ($each:ident) => {
        $each!(i8 i16 i32 i64);
    };
}

macro_rules! of_unsigned {
    ($each:ident) => {
        $each!(u8 u16 u32 u64);
    };
}

macro_rules! of_floats {
    ($each:ident) => {
        $each!(f32 f64);
    };
}

/// The floats of the crate `half`: the names that kernels give them, and the types.
#[cfg(feature = "half")]
macro_rules! of_halves {
    ($each:ident) => {
        $each!(f16: half::f16, bf16: half::bf16);
    };
}

pub(crate) use {of_floats, of_signed, of_unsigned};

#[cfg(feature = "half")]
pub(crate) use of_halves;

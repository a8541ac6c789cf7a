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
        $each!(f16: ::half::f16, bf16: ::half::bf16);
    };
}

/// The same, where no other name hides theirs.
#[cfg(feature = "half")]
pub mod halves {
    macro_rules! names {
        ($($name:ident: $ty:ty),*) => {$(
            #[allow(missing_docs, non_camel_case_types)]
            pub type $name = $ty;
        )*};
    }
    of_halves!(names);
}

pub(crate) use {of_floats, of_signed, of_unsigned};

#[cfg(feature = "half")]
pub(crate) use of_halves;

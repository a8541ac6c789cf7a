//! The types of the standard library, as kernels have them.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Option<T> {
    #[default]
    None,
    Some(T),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Result<T, E> {
    Ok(T),
    Err(E),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ordering {
    Less = -1,
    Equal = 0,
    Greater = 1,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FpCategory {
    Nan = 0,
    Infinite = 1,
    Zero = 2,
    Subnormal = 3,
    Normal = 4,
}

#[derive(Clone, Copy, PartialEq)]
pub struct TryFromIntError;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Infallible;

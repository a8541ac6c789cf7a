//! The methods of Rust's `PartialEq`.
//!
//! Each asks the operator alone, so that types which derive it part by part have the methods.

impl<T: Copy> PartiallyEqual for T {
    fn eq(self: &T, other: &T) -> bool {
        *self == *other
    }

    fn ne(self: &T, other: &T) -> bool {
        *self != *other
    }
}

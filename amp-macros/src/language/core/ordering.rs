//! Methods of `Ordering`.

use super::enums::Ordering;

impl Ordering {
    pub fn is_eq(self) -> bool {
        self == Ordering::Equal
    }

    pub fn is_ne(self) -> bool {
        self != Ordering::Equal
    }

    pub fn is_lt(self) -> bool {
        self == Ordering::Less
    }

    pub fn is_gt(self) -> bool {
        self == Ordering::Greater
    }

    pub fn is_le(self) -> bool {
        self != Ordering::Greater
    }

    pub fn is_ge(self) -> bool {
        self != Ordering::Less
    }

    pub fn reverse(self) -> Ordering {
        match self {
            Ordering::Less => Ordering::Greater,
            Ordering::Equal => Ordering::Equal,
            Ordering::Greater => Ordering::Less,
        }
    }

    pub fn then(self, other: Ordering) -> Ordering {
        match self {
            Ordering::Equal => other,
            _ => self,
        }
    }

    pub fn then_with<F: FnOnce() -> Ordering>(self, f: F) -> Ordering {
        match self {
            Ordering::Equal => f(),
            _ => self,
        }
    }
}

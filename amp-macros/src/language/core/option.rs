//! Methods of `Option`. Left out are `unwrap` and the like, which are faults of their callers, and
//! what makes references.

use super::enums::{
    Option::{self, None, Some},
    Result::{self, Err, Ok},
};

impl<T: Copy> Option<T> {
    pub fn is_some(&self) -> bool {
        matches!(self, Some(_))
    }

    pub fn is_none(&self) -> bool {
        matches!(self, None)
    }

    pub fn is_some_and<F: FnOnce(T) -> bool>(self, f: F) -> bool {
        match self {
            Some(x) => f(x),
            None => false,
        }
    }

    pub fn is_none_or<F: FnOnce(T) -> bool>(self, f: F) -> bool {
        match self {
            Some(x) => f(x),
            None => true,
        }
    }

    pub fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Option<U> {
        match self {
            Some(x) => Some(f(x)),
            None => None,
        }
    }

    pub fn map_or<U, F: FnOnce(T) -> U>(self, default: U, f: F) -> U {
        match self {
            Some(x) => f(x),
            None => default,
        }
    }

    pub fn map_or_else<U, D: FnOnce() -> U, F: FnOnce(T) -> U>(self, default: D, f: F) -> U {
        match self {
            Some(x) => f(x),
            None => default(),
        }
    }

    pub fn and<U: Copy>(self, other: Option<U>) -> Option<U> {
        match self {
            Some(_) => other,
            None => None,
        }
    }

    pub fn and_then<U, F: FnOnce(T) -> Option<U>>(self, f: F) -> Option<U> {
        match self {
            Some(x) => f(x),
            None => None,
        }
    }

    pub fn or(self, other: Option<T>) -> Option<T> {
        match self {
            Some(x) => Some(x),
            None => other,
        }
    }

    pub fn or_else<F: FnOnce() -> Option<T>>(self, f: F) -> Option<T> {
        match self {
            Some(x) => Some(x),
            None => f(),
        }
    }

    pub fn xor(self, other: Option<T>) -> Option<T> {
        match (self, other) {
            (Some(x), None) => Some(x),
            (None, Some(x)) => Some(x),
            _ => None,
        }
    }

    pub fn filter<F: FnOnce(&T) -> bool>(self, f: F) -> Option<T> {
        match self {
            Some(x) => {
                if f(&x) {
                    Some(x)
                } else {
                    None
                }
            }
            None => None,
        }
    }

    pub fn zip<U: Copy>(self, other: Option<U>) -> Option<(T, U)> {
        match (self, other) {
            (Some(x), Some(y)) => Some((x, y)),
            _ => None,
        }
    }

    pub fn ok_or<E>(self, error: E) -> Result<T, E> {
        match self {
            Some(x) => Ok(x),
            None => Err(error),
        }
    }

    pub fn ok_or_else<E, F: FnOnce() -> E>(self, f: F) -> Result<T, E> {
        match self {
            Some(x) => Ok(x),
            None => Err(f()),
        }
    }

    pub fn unwrap_or(self, default: T) -> T {
        match self {
            Some(x) => x,
            None => default,
        }
    }

    pub fn unwrap_or_else<F: FnOnce() -> T>(self, f: F) -> T {
        match self {
            Some(x) => x,
            None => f(),
        }
    }

    pub fn unwrap_or_default(self) -> T
    where
        T: Default,
    {
        match self {
            Some(x) => x,
            None => T::default(),
        }
    }

    pub fn take(&mut self) -> Option<T> {
        let old = *self;
        *self = None;
        old
    }

    pub fn take_if<P: FnOnce(&mut T) -> bool>(&mut self, predicate: P) -> Option<T> {
        match *self {
            Some(x) => {
                let mut x = x;
                if predicate(&mut x) {
                    *self = None;
                    Some(x)
                } else {
                    *self = Some(x);
                    None
                }
            }
            None => None,
        }
    }

    pub fn replace(&mut self, value: T) -> Option<T> {
        let old = *self;
        *self = Some(value);
        old
    }
}

impl<T: Copy> Option<Option<T>> {
    pub fn flatten(self) -> Option<T> {
        match self {
            Some(x) => x,
            None => None,
        }
    }
}

impl<T: Copy, U: Copy> Option<(T, U)> {
    pub fn unzip(self) -> (Option<T>, Option<U>) {
        match self {
            Some((x, y)) => (Some(x), Some(y)),
            None => (None, None),
        }
    }
}

impl<T: Copy, E: Copy> Option<Result<T, E>> {
    pub fn transpose(self) -> Result<Option<T>, E> {
        match self {
            Some(Ok(x)) => Ok(Some(x)),
            Some(Err(e)) => Err(e),
            None => Ok(None),
        }
    }
}

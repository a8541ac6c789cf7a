//! `Option` and `Result` as devices have them, with the methods that are written in the language of
//! kernels. The host version calls the standard library's.
//!
//! This is read as text when a kernel names one of them, each function when it is called.
//! Left out are `unwrap` and the like, which are faults of their callers, and what makes references.

use self::{
    Option::{None, Some},
    Result::{Err, Ok},
};

#[derive(Clone, Copy, Default, PartialEq, PartialOrd)]
pub enum Option<T> {
    #[default]
    None,
    Some(T),
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub enum Result<T, E> {
    Ok(T),
    Err(E),
}

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

    pub fn replace(&mut self, value: T) -> Option<T> {
        let old = *self;
        *self = Some(value);
        old
    }
}

/// The methods of `bool` that make an `Option`.
trait Then {
    fn then<T, F: FnOnce() -> T>(self, f: F) -> Option<T>;
    fn then_some<T>(self, value: T) -> Option<T>;
}

impl Then for bool {
    fn then<T, F: FnOnce() -> T>(self, f: F) -> Option<T> {
        if self { Some(f()) } else { None }
    }

    fn then_some<T>(self, value: T) -> Option<T> {
        if self { Some(value) } else { None }
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

impl<T: Copy, E: Copy> Result<T, E> {
    pub fn is_ok(&self) -> bool {
        matches!(self, Ok(_))
    }

    pub fn is_err(&self) -> bool {
        matches!(self, Err(_))
    }

    pub fn is_ok_and<F: FnOnce(T) -> bool>(self, f: F) -> bool {
        match self {
            Ok(x) => f(x),
            Err(_) => false,
        }
    }

    pub fn is_err_and<F: FnOnce(E) -> bool>(self, f: F) -> bool {
        match self {
            Ok(_) => false,
            Err(e) => f(e),
        }
    }

    pub fn ok(self) -> Option<T> {
        match self {
            Ok(x) => Some(x),
            Err(_) => None,
        }
    }

    pub fn err(self) -> Option<E> {
        match self {
            Ok(_) => None,
            Err(e) => Some(e),
        }
    }

    pub fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Result<U, E> {
        match self {
            Ok(x) => Ok(f(x)),
            Err(e) => Err(e),
        }
    }

    pub fn map_err<O, F: FnOnce(E) -> O>(self, f: F) -> Result<T, O> {
        match self {
            Ok(x) => Ok(x),
            Err(e) => Err(f(e)),
        }
    }

    pub fn map_or<U, F: FnOnce(T) -> U>(self, default: U, f: F) -> U {
        match self {
            Ok(x) => f(x),
            Err(_) => default,
        }
    }

    pub fn map_or_else<U, D: FnOnce(E) -> U, F: FnOnce(T) -> U>(self, default: D, f: F) -> U {
        match self {
            Ok(x) => f(x),
            Err(e) => default(e),
        }
    }

    pub fn and<U: Copy>(self, other: Result<U, E>) -> Result<U, E> {
        match self {
            Ok(_) => other,
            Err(e) => Err(e),
        }
    }

    pub fn and_then<U, F: FnOnce(T) -> Result<U, E>>(self, f: F) -> Result<U, E> {
        match self {
            Ok(x) => f(x),
            Err(e) => Err(e),
        }
    }

    pub fn or<O: Copy>(self, other: Result<T, O>) -> Result<T, O> {
        match self {
            Ok(x) => Ok(x),
            Err(_) => other,
        }
    }

    pub fn or_else<O, F: FnOnce(E) -> Result<T, O>>(self, f: F) -> Result<T, O> {
        match self {
            Ok(x) => Ok(x),
            Err(e) => f(e),
        }
    }

    pub fn unwrap_or(self, default: T) -> T {
        match self {
            Ok(x) => x,
            Err(_) => default,
        }
    }

    pub fn unwrap_or_else<F: FnOnce(E) -> T>(self, f: F) -> T {
        match self {
            Ok(x) => x,
            Err(e) => f(e),
        }
    }

    pub fn unwrap_or_default(self) -> T
    where
        T: Default,
    {
        match self {
            Ok(x) => x,
            Err(_) => T::default(),
        }
    }
}

impl<T: Copy, E: Copy> Result<Option<T>, E> {
    pub fn transpose(self) -> Option<Result<T, E>> {
        match self {
            Ok(Some(x)) => Some(Ok(x)),
            Ok(None) => None,
            Err(e) => Some(Err(e)),
        }
    }
}

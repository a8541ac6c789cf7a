//! Methods of `bool` that make an `Option`.

use super::enums::Option::{self, None, Some};

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

//! Methods of `Option<&T>`.

impl<T: Copy> Option<__AmpKept<T>> {
    #[host]
    pub fn copied(self) -> Option<T> {
        match self {
            Some(x) => Some(*x),
            None => None,
        }
    }

    #[host]
    pub fn cloned(self) -> Option<T> {
        match self {
            Some(x) => Some(*x),
            None => None,
        }
    }
}

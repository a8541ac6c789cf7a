//! Derives that have the names of those of the standard library, and write other functions.

mod of_a_struct {
    use std::hash::Hash as PartialEq;

    #[amp::amp_struct]
    #[derive(PartialEq)]
    struct Both {
        one: u32,
        other: u32,
    }

    impl std::cmp::PartialEq for Both {
        fn eq(&self, other: &Both) -> bool {
            self.one == other.one
        }
    }
}

mod of_an_enum {
    use std::hash::Hash as PartialEq;

    #[amp::amp_enum]
    #[derive(PartialEq)]
    enum Side {
        Left,
        Right,
    }

    impl std::cmp::PartialEq for Side {
        fn eq(&self, _: &Side) -> bool {
            true
        }
    }
}

mod by_paths {
    mod derives {
        pub use std::fmt::Debug as Default;
        pub use std::hash::Hash as Clone;
    }

    #[amp::amp_module]
    mod items {
        use super::derives;

        #[derive(derives::Clone, derives::Default)]
        pub struct One {
            pub x: u32,
        }
    }

    impl Clone for items::One {
        fn clone(&self) -> items::One {
            items::One { x: 2 }
        }
    }

    impl Default for items::One {
        fn default() -> items::One {
            items::One { x: 3 }
        }
    }
}

pub fn in_a_body() {
    use std::fmt::Debug as PartialOrd;

    #[amp::amp_struct]
    #[derive(PartialEq, PartialOrd)]
    struct Ordered {
        x: u32,
    }

    impl std::cmp::PartialOrd for Ordered {
        fn partial_cmp(&self, _: &Ordered) -> Option<std::cmp::Ordering> {
            None
        }
    }
}

fn main() {}

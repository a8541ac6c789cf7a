//! Functions that a trait of another module supplies, and other calls by traits.

#[amp::amp_module]
mod shapes {
    pub trait Area {
        fn area(&self) -> u32;

        fn twice(&self) -> u32 {
            self.area() * 2
        }
    }
}

#[amp::amp_module]
mod by_value {
    use super::shapes::Area;

    pub struct Square {
        pub side: u32,
    }

    impl Area for Square {
        fn area(&self) -> u32 {
            self.side
        }
    }

    pub fn twice(x: u32) -> u32 {
        Square { side: x }.twice()
    }
}

mod by_trait {
    use super::{by_value::Square, shapes::Area};
    use amp::prelude::*;

    #[amp_fn]
    fn twice(x: u32) -> u32 {
        Area::twice(&Square { side: x })
    }

    #[amp_fn]
    fn qualified(x: u32) -> u32 {
        <Square as Area>::twice(&Square { side: x })
    }

    #[amp_fn]
    fn of_another(x: u32) -> u32 {
        <f32 as Area>::area(&1.0) + <Square as Area>::area(&x)
    }

    #[amp_fn]
    fn standard() -> u32 {
        <u32 as Default>::default()
    }
}

fn main() {}

//! Names that hide others: type parameters, variables of macros, and spellings of one name.

use amp::prelude::*;
use testkit::{gives, launch};

/// Type parameters with the names of types of the module.
#[amp_module]
mod parameters {
    pub trait Get {
        const N: u32;

        fn get() -> u32;
    }

    pub struct A {
        pub x: u32,
    }

    pub struct B {
        pub x: u32,
    }

    pub enum E {
        A,
        B,
    }

    impl A {
        pub const OWN: u32 = 5;
    }

    impl Get for A {
        const N: u32 = 1;

        fn get() -> u32 {
            10
        }
    }

    impl Get for B {
        const N: u32 = 2;

        fn get() -> u32 {
            20
        }
    }

    pub struct Wrapped<A> {
        pub a: A,
    }

    impl<A: Get> Wrapped<A> {
        pub fn of_block(&self) -> u32 {
            A::N + A::get()
        }
    }

    pub fn of_function<A: Get>() -> u32 {
        A::N + A::get()
    }

    pub fn of_enum<E: Get>(_of: E) -> u32 {
        let a: u32 = E::N;
        a + E::get()
    }

    pub fn all(x: u32) -> u32 {
        fn nested<A: Get>(_of: A) -> u32 {
            A::N + A::get()
        }
        let a = A { x };
        let all = nested(B { x }) + of_function::<B>() * 100 + of_enum(a) * 10_000;
        all + Wrapped { a: B { x } }.of_block() * 1_000_000 + A::OWN + E::B as u32
    }
}

#[amp_kernel]
fn by_parameters(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = parameters::all(1);
}

#[test]
fn type_parameters_hide_types() {
    assert_eq!(parameters::all(1), 22_112_228);
    gives(&[22_112_228], |view, out| {
        launch(view, 1, by_parameters(out))
    });
}

/// A trait with the name that parameters of types usually have.
#[amp_module]
mod traits {
    pub trait T {
        fn go(&self) -> u32;
    }

    pub struct S {
        pub x: u32,
    }

    impl T for S {
        fn go(&self) -> u32 {
            self.x
        }
    }

    pub fn go<A: T>(of: A) -> u32 {
        of.go()
    }
}

#[amp_kernel]
fn by_a_trait(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = traits::go(traits::S { x: 3 });
}

#[test]
fn traits_may_be_called_as_parameters_are() {
    gives(&[3], |view, out| launch(view, 1, by_a_trait(out)));
}

#[amp_fn]
fn twice(x: u32) -> u32 {
    x * 2
}

/// `twice` is a closure of the macro, and a helper where the macro is called.
macro_rules! both {
    ($name:ident, $x:ident, $of:expr) => {
        #[amp_fn]
        fn $name($x: u32) -> u32 {
            let twice = |x: u32| x * 3;
            twice(1) + $of
        }
    };
}

both!(macro_and_helper, x, twice(x) * 10);

#[amp_kernel]
fn by_a_macro(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = macro_and_helper(5);
}

#[test]
fn closures_of_macros_hide_no_helpers() {
    assert_eq!(macro_and_helper(5), 103);
    gives(&[103], |view, out| launch(view, 1, by_a_macro(out)));
}

const N: u32 = 4;

#[amp_struct]
struct Raw {
    r#x: u32,
    r#type: u32,
}

#[amp_fn]
fn spelt(x: u32) -> u32 {
    let outer = N;
    let raw = Raw { x, r#type: 2 };
    let inner = {
        const r#N: u32 = 9;
        let r#outer = outer + 1;
        N + outer * 10
    };
    outer + inner * 10 + r#twice(raw.x) * 10_000 + raw.r#type * 100_000
}

#[amp_kernel]
fn by_spellings(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[r#idx] = spelt(3);
}

#[test]
fn raw_names_are_the_plain_ones() {
    assert_eq!(spelt(3), 260_594);
    gives(&[260_594], |view, out| launch(view, 1, by_spellings(out)));
}

/// A function called like that of a trait in scope.
#[amp_module]
mod conversions {
    pub struct One {
        pub x: u32,
    }

    pub struct Other {
        pub x: u32,
    }

    impl One {
        pub fn into(self) -> u32 {
            self.x + 5
        }
    }

    impl From<One> for Other {
        fn from(one: One) -> Other {
            Other { x: one.x * 2 }
        }
    }

    pub fn all(x: u32) -> u32 {
        let one = One { x };
        one.into() + Other::from(one).x * 100
    }
}

#[amp_kernel]
fn by_conversions(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = conversions::all(3);
}

#[test]
fn own_functions_called_into_go_before_the_trait() {
    assert_eq!(conversions::all(3), 608);
    gives(&[608], |view, out| launch(view, 1, by_conversions(out)));
}

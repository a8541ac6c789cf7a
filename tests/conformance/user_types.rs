//! Rows 63, 65, 67 and 69: types of the user's, with what C++ gives them by member functions.

use amp::prelude::*;
use testkit::{gives, input, launch};

/// C++'s `long`, with the values of the suite.
#[amp_enum]
#[derive(Debug)]
enum Suit {
    Diamonds = 100,
    Hearts,
    Clubs,
    Spades,
    Invalid,
}

#[amp_fn]
fn cast(number: i32) -> Suit {
    match number {
        100 => Suit::Diamonds,
        101 => Suit::Hearts,
        102 => Suit::Clubs,
        103 => Suit::Spades,
        _ => Suit::Invalid,
    }
}

#[amp_kernel]
fn casts(idx: Index<1>, numbers: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = cast(numbers[idx]) as i32;
}

#[test]
fn row_67_casts_to_an_enum_check_the_range() {
    let numbers = [99, 100, 101, 102, 103, 104, 105];
    gives(&[104, 100, 101, 102, 103, 104, 104], |view, out| {
        launch(view, 7, casts(&input(&numbers), out))
    });
}

/// `testEnumRef` of the suite: a value out of the range becomes the first suit. Without
/// pointers the variable itself is changed.
#[amp_kernel]
fn changed(idx: Index<1>, numbers: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    let mut suit = cast(numbers[idx]);
    if suit == Suit::Invalid {
        suit = Suit::Diamonds;
    }
    out[idx] = suit as i32;
}

#[test]
fn row_67_enums_are_changed() {
    gives(&[100, 103], |view, out| {
        launch(view, 2, changed(&input(&[99, 103]), out))
    });
}

/// Classes whose members do what C++'s special member functions do: the default
/// constructor is `Default`, copies are Rust's, conversions are `From`.
#[amp_module]
mod classes {
    #[derive(Debug)]
    pub struct Counter {
        pub var: i32,
    }

    impl Default for Counter {
        fn default() -> Self {
            Self { var: 10 }
        }
    }

    impl Counter {
        pub fn set(&mut self, var: i32) {
            self.var = var;
        }

        pub fn get(&self) -> i32 {
            self.var
        }
    }

    impl From<i32> for Counter {
        fn from(var: i32) -> Self {
            Self { var }
        }
    }

    /// Holds another: what is copied and made is copied and made of its parts.
    #[derive(Default)]
    pub struct Holder {
        pub first: Counter,
        pub second: Counter,
    }

    impl Holder {
        pub fn made() -> Self {
            Self {
                first: Counter::default(),
                second: Counter::from(14),
            }
        }

        pub fn swapped(self) -> Self {
            Self {
                first: self.second,
                second: self.first,
            }
        }
    }
}

use classes::{Counter, Holder};

#[amp_kernel]
fn special_members(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let mut made = Holder::made();
    let copy = made;
    made.first.set(2);
    let mut assigned = made.swapped();
    assigned.second = copy.first;
    out[idx] = match idx[0] {
        0 => made.first.get() + copy.first.get(),
        1 => copy.first.var + assigned.first.get(),
        _ => (made.second.get() == 14 && assigned.second.get() == 10) as i32,
    };
}

#[test]
fn row_63_members_of_members_are_called() {
    gives(&[12, 24, 1], |view, out| {
        launch(view, 3, special_members(out))
    });
}

/// A lambda's local classes have its restriction; here a module has them.
#[amp_module]
mod around {
    use amp::prelude::*;

    struct Local {
        x: i32,
    }

    impl Local {
        fn new(x: i32) -> Self {
            Self { x }
        }

        fn is(&self, x: i32) -> bool {
            self.x == x
        }
    }

    #[amp_kernel]
    pub fn members(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
        out[idx] = Local::new(5).is(5) as i32;
    }
}

#[test]
fn row_65_members_of_a_kernels_own_types_are_called() {
    gives(&[1], |view, out| launch(view, 1, around::members(out)));
}

#[amp_kernel]
fn default_in_an_array(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let counters = [Counter::default(); 3];
    out[idx] = counters[0].get();
}

#[amp_kernel]
fn shared_class(t_idx: TiledIndex<1, 2>, out: &mut ArrayViewMut<i32, 1>) {
    #[tile_static]
    let mut shared: [Counter; 2];
    let local = t_idx.local[0];
    shared[local] = Counter::default();
    shared[local].set(local as i32 + 1);
    t_idx.barrier.wait();
    out[t_idx] = shared[local].get() + 10 * shared[1 - local].get();
}

#[test]
fn row_69_classes_are_made_in_kernels_and_shared() {
    gives(&[10], |view, out| launch(view, 1, default_in_an_array(out)));
    gives(&[21, 12], |view, out| {
        launch(view, out.extent().tile::<2>(), shared_class(out))
    });
}

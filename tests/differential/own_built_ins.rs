//! Helpers and types of the user's own by the names of built-in ones: kernels see these.

use amp::prelude::*;
use testkit::{input, launch};

/// Adds twice, and returns the sum.
#[amp_fn]
fn atomic_fetch_add(x: &mut u32, value: u32) -> u32 {
    *x += 2 * value;
    *x
}

#[amp_fn]
fn all_memory_fence(x: u32) -> u32 {
    x + 5
}

/// Half of a number that is no float.
#[amp_struct]
#[allow(non_camel_case_types)]
struct f16 {
    half: u32,
}

#[amp_kernel]
fn named(idx: Index<1>, a: &ArrayView<u32, 1>, o: &mut ArrayViewMut<u32, 1>) {
    o[idx] = 0;
    let sum = atomic_fetch_add(&mut o[idx], a[idx]);
    let half = f16 { half: a[idx] / 2 };
    o[idx] += sum + all_memory_fence(half.half) * 100;
}

#[amp_module]
mod inside {
    use amp::prelude::*;

    pub fn atomic_fetch_max(x: u32, y: u32) -> u32 {
        x * 10 + y
    }

    #[amp_kernel]
    pub fn of_a_module(idx: Index<1>, o: &mut ArrayViewMut<u32, 1>) {
        o[idx] = atomic_fetch_max(o[idx], 7);
    }
}

/// Types of one's own that have the names of std's.
#[amp_struct]
struct Bound {
    least: u32,
}

#[amp_enum]
enum ControlFlow {
    Go(u32),
    Stop,
}

#[amp_fn]
impl Bound {
    fn next(self, x: u32) -> ControlFlow {
        if x < self.least {
            ControlFlow::Stop
        } else {
            ControlFlow::Go(x - self.least)
        }
    }
}

testkit::twice! {
    types_with_names_of_std(x: u32) -> u32 = ((0..9).collect(),);
    {
        match (Bound { least: 4 }).next(x) {
            ControlFlow::Go(x) => x + 1,
            ControlFlow::Stop => 0,
        }
    }
}

#[test]
fn own_helpers_with_built_in_names_are_called() {
    for view in testkit::views() {
        let (a, mut data) = ([0, 1, 2, 9], [0; 4]);
        let mut o = ArrayViewMut::new(4, &mut data).unwrap();
        launch(&view, 4, named(&input(&a), &mut o)).unwrap();
        launch(&view, 4, inside::of_a_module(&mut o)).unwrap();
        drop(o);
        let wanted = a.map(|x| {
            let mut place = 0;
            let sum = atomic_fetch_add(&mut place, x);
            inside::atomic_fetch_max(place + sum + all_memory_fence(x / 2) * 100, 7)
        });
        assert_eq!(data, wanted);
        assert_eq!(data[1], 5047);
    }
}

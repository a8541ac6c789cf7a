//! `#[amp_module]`s that need each other, and faults in what they declare.

use amp::prelude::*;
use testkit::{gives, launch};

use super::modules::device::{Measure, Pair};

/// A module that needs another, with a kernel and a module of its own.
#[amp_module]
mod outer {
    use super::{Measure, Pair};
    use amp::prelude::*;

    #[amp_module]
    pub mod inner {
        pub struct Count {
            pub n: u32,
        }

        impl Count {
            pub fn next(self) -> Self {
                Self { n: self.n + 1 }
            }
        }
    }

    use inner::Count;

    pub struct Both {
        count: Count,
        pair: Pair,
    }

    impl Both {
        fn new(n: u32) -> Self {
            Self {
                count: Count { n },
                pair: Pair::new(n as i32, 2),
            }
        }
    }

    impl Measure for Both {
        const UNIT: i32 = -1;
        type Part = Count;

        fn measure(&self) -> i32 {
            self.pair.measure() + self.count.next().n as i32
        }

        fn part(self) -> Count {
            self.count.next()
        }

        fn doubled(&self) -> i32 {
            Self::UNIT
        }
    }

    #[amp_kernel]
    pub fn measured(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
        let both = Both::new(idx[0] as u32);
        out[idx] = both.measure() + both.doubled() + both.part().n as i32;
    }
}

#[test]
fn modules_need_modules() {
    let expected: Vec<i32> = (0..5)
        .map(|n| n + 2 + (n ^ 2) + (n + 1) - 1 + (n + 1))
        .collect();
    gives(&expected, |view, out| launch(view, 5, outer::measured(out)));
}

#[amp_module]
mod faults {
    pub struct Ratio {
        pub over: i32,
        pub under: i32,
    }

    impl Ratio {
        pub fn value(&self) -> i32 {
            self.over / self.under
        }

        pub fn checked(self) -> i32 {
            assert!(self.under > 0, "{} is not positive", self.under);
            self.value()
        }
    }
}

#[amp_kernel]
fn ratios(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>, under: i32, checked: bool) {
    let ratio = faults::Ratio { over: 6, under };
    out[idx] = if checked {
        ratio.checked()
    } else {
        ratio.value()
    };
}

/// A fault in a method has the place in the method, on every accelerator.
#[test]
fn faults_of_methods_have_their_place() {
    let mut places = Vec::new();
    for view in testkit::new_views() {
        for checked in [false, true] {
            let mut found = [1];
            let mut out = ArrayViewMut::new(1, &mut found).unwrap();
            launch(
                &view,
                1,
                ratios(&mut out, if checked { -3 } else { 0 }, checked),
            )
            .unwrap();
            let Err(amp::Error::KernelFault(fault)) = out.synchronize() else {
                panic!("{view}: no fault");
            };
            assert!(fault.file.ends_with("module_needs.rs"), "{}", fault.file);
            places.push((checked, fault.line, fault.column, fault.message.clone()));
            drop(out);
            assert_eq!(found, [if checked { -2 } else { 0 }], "{view}");
        }
    }
    places.sort();
    places.dedup();
    assert_eq!(places.len(), 2, "{places:?}");
    assert_eq!(places[1].3, "-3 is not positive");
}

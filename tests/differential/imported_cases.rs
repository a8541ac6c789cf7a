//! Cases of enums by their names alone: imported by name, by another name and by `*`, in modules, files and
//! bodies.

use std::cmp::Ordering::{self, *};

use amp::prelude::*;
use testkit::{gives, input, launch};

#[amp_enum]
#[derive(PartialEq, Debug)]
enum Turn {
    Left { by: u32 },
    Right(u32),
    Straight,
}

use Turn::{Left, Right as ToTheRight, Straight};

#[amp_fn]
fn turn(x: u32) -> Turn {
    match x % 3 {
        0 => Left { by: x },
        1 => ToTheRight(x + 1),
        _ => Straight,
    }
}

#[amp_fn]
fn order(a: u32, b: u32) -> Ordering {
    if a < b {
        Less
    } else if a == b {
        Equal
    } else {
        Greater
    }
}

#[amp_module]
mod sums {
    use super::steps::Step::{self, Go, Stop};

    pub fn sum(steps: [Step<u32>; 3]) -> u32 {
        let mut sum = 0;
        for step in steps {
            sum += if let Go(n) = step { n } else { 50 };
        }
        sum + (steps[0] == Stop) as u32
    }
}

#[amp_module]
mod steps {
    #[derive(Clone, Copy, PartialEq)]
    pub enum Step<S> {
        Go(S),
        Jump { over: u32, to: S },
        Stop,
    }

    use Step::*;

    #[derive(Clone, Copy, PartialEq)]
    pub enum Own {
        A,
        B,
    }

    pub trait Walk: Sized {
        fn next(self, x: u32) -> Step<Self>;
    }

    #[derive(Clone, Copy, PartialEq)]
    pub struct Place(pub u32);

    impl Walk for Place {
        fn next(self, x: u32) -> Step<Place> {
            match x & 3 {
                0 => Stop,
                1 => Jump {
                    over: x,
                    to: Place(self.0 * 2),
                },
                _ => Go(Place(self.0 + x)),
            }
        }
    }

    pub fn walk(start: Place, n: u32) -> u32 {
        let mut at = start;
        let mut jumps = 0;
        for x in 0..n {
            match at.next(x) {
                Go(next) => at = next,
                Jump { over, to } => {
                    jumps += over;
                    at = to;
                }
                Stop if x > 6 => break,
                Stop => {}
            }
        }
        at.0 + 1000 * jumps
    }

    pub fn in_a_body(x: u32) -> u32 {
        let own = {
            use Own::*;
            if x > 4 { A } else { B }
        };
        let kept = [Some(x), None].map(|x| x.map_or(Stop, Go));
        own as u32 + matches!(kept, [Go(_), Stop]) as u32
    }
}

macro_rules! made {
    ($name:ident, $($case:ident)*) => {
        #[amp_module]
        mod $name {
            #[derive(Clone, Copy, PartialEq)]
            pub enum Made { $($case,)* Last(u32) }

            use Made::*;

            pub fn code(x: u32) -> u32 {
                let made = if x > 9 { Last(x) } else { $name(x) };
                match made { Last(n) => n, made if made == Last(3) => 1, _ => 2 }
            }

            fn $name(x: u32) -> Made {
                $(if x == 2 { return $case; })*
                Last(x + 1)
            }
        }
    };
}
made!(cases, First Second);

#[amp_kernel]
fn codes(idx: Index<1>, x: &ArrayView<u32, 1>, out: &mut ArrayViewMut<[u32; 5], 1>) {
    use Turn::*;
    let i = x[idx];
    let turned = match turn(i) {
        Left { by } => by,
        Right(n) => n * 10,
        Straight => 7,
    };
    let ordered = match order(i, 5) {
        Less => 1,
        Equal => 2,
        Greater => 3,
    };
    out[idx] = [
        turned,
        ordered,
        steps::walk(steps::Place(i), 12),
        steps::in_a_body(i)
            + sums::sum([steps::Step::Stop, steps::Step::Go(i), steps::Step::Go(7)]),
        cases::code(i),
    ];
}

#[test]
fn cases_are_named_alone() {
    let x: Vec<u32> = (0..16).collect();
    let walk = |mut at: u32| {
        let mut jumps = 0;
        for x in 0..12 {
            match x & 3 {
                0 if x > 6 => break,
                0 => {}
                1 => (jumps, at) = (jumps + x, at * 2),
                _ => at += x,
            }
        }
        at + 1000 * jumps
    };
    let expected: Vec<[u32; 5]> = x
        .iter()
        .map(|&i| {
            let turned = [i, (i + 1) * 10, 7][i as usize % 3];
            let ordered = i.cmp(&5) as i8 + 2;
            let in_a_body = u32::from(i <= 4) + 1;
            let code = match i {
                2 => 2,
                10.. => i,
                i => i + 1,
            };
            [turned, ordered as u32, walk(i), in_a_body + 58 + i, code]
        })
        .collect();
    gives(&expected, |view, out| {
        launch(view, 16, codes(&input(&x), out))
    });
    assert_eq!(turn(3), Left { by: 3 });
    assert_eq!(order(3, 4), Less);
    assert_eq!(steps::in_a_body(3), 2);
}

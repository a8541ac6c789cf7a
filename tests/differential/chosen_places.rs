//! References to write that an `if` or a `match` chooses.

use amp::prelude::*;
use testkit::{gives, launch, twice};

#[amp_struct]
#[derive(Default)]
struct Pair {
    a: u32,
    b: u32,
}

twice! {
    places(c: u32) -> u32 = ((0..12).collect(),);
    {
        let mut numbers = [1_u32, 2, 3];
        let (mut x, mut pair) = (5_u32, Pair { a: 6, b: 7 });
        let slot = if c % 2 == 0 { &mut numbers[(c % 3) as usize] } else { &mut x };
        *slot += 5;
        let twice = *slot * 2;
        let part: &mut u32 = match c % 4 {
            0 => &mut pair.a,
            1 => &mut pair.b,
            2 => {
                let at = (c % 3) as usize;
                &mut numbers[at]
            }
            _ => &mut x,
        };
        *part *= 3;
        *part -= 1;
        twice + numbers[0] + numbers[1] * 10 + numbers[2] * 100 + x * 1000 + pair.a + pair.b * 7
    }
}

twice! {
    places_or_a_result(c: u32) -> u32 = ((0..12).collect(),);
    {
        let (mut pair, mut others) = (Pair { a: 6, b: 7 }, [Pair { a: c, b: 1 }; 2]);
        let whole = if c > 5 { &mut pair } else if c > 3 { &mut others[1] } else { return c + 50 };
        whole.a += c;
        whole.b *= whole.a;
        pair.a + pair.b * 7 + others[1].a * 100 + others[1].b * 1000
    }
}

twice! {
    in_loops(c: u32) -> u32 = ((0..9).collect(),);
    {
        let mut steps = [1_u32; 3];
        let (mut y, mut n) = (5_u32, 0);
        loop {
            n += 1;
            let slot = if c == n {
                &mut y
            } else if n > 3 {
                break;
            } else {
                &mut steps[n as usize - 1]
            };
            *slot += n;
            let more = *slot * 2;
            y += more;
        }
        let last = {
            let at = if c > 1 { &mut steps[2] } else { &mut y };
            *at += 1;
            *at
        };
        steps[0] + steps[1] * 10 + steps[2] * 100 + y * 1000 + last
    }
}

#[amp_kernel]
fn of_two_views(idx: Index<1>, a: &mut ArrayViewMut<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let i = idx[0] as u32;
    let slot = if i % 3 == 1 {
        &mut out[idx]
    } else {
        &mut a[idx]
    };
    *slot = 7 + i;
    out[idx] += 2 * a[idx];
}

#[test]
fn elements_of_two_views() {
    let expected: Vec<u32> = (0..9)
        .map(|i| match i % 3 {
            1 => 7 + i,
            _ => 2 * (7 + i),
        })
        .collect();
    gives(&expected, |view, out| {
        let mut a = Array::builder(9).on(view).build()?;
        launch(view, 9, of_two_views(&mut a, out))
    });
}

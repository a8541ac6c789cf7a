//! `Option`s of references to read as parameters, and what `as_ref` of an `Option` makes.

// What clippy would write otherwise is compiled, too.
#![allow(clippy::all)]

use amp::prelude::*;
use testkit::{gives, input, launch, twice};

#[amp_struct]
struct Node {
    value: u32,
    next: Option<u32>,
}

#[amp_fn]
fn at<'a>(nodes: &'a [Node], at: Option<u32>) -> Option<&'a Node> {
    nodes.get(at? as usize)
}

#[amp_fn]
fn value(node: Option<&Node>) -> u32 {
    let Some(node) = node else { return 9 };
    node.value
}

#[amp_fn]
fn larger<'a>(a: Option<&'a u32>, b: Option<&'a u32>) -> Option<&'a u32> {
    match (a, b) {
        (Some(x), Some(y)) => {
            if x > y {
                Some(x)
            } else {
                Some(y)
            }
        }
        (Some(x), None) => Some(x),
        (None, other) => other,
    }
}

#[amp_fn]
fn or(a: Option<&u32>, b: &u32) -> u32 {
    *a.unwrap_or(b)
}

#[amp_fn]
fn picked<T: Copy>(from: Option<&T>, otherwise: T) -> T {
    match from {
        Some(x) => *x,
        None => otherwise,
    }
}

#[amp_fn]
fn by_value(x: Option<&u32>, pair: Option<&(u32, u32)>) -> u32 {
    if let Some(&(a, b)) = pair {
        return a * 10 + b;
    }
    match x {
        Some(&(3 | 4)) => 1,
        Some(&x) if x > 4 => x,
        Some(_) | None => 30,
    }
}

#[amp_fn]
fn passed_on(mut x: Option<&u32>, keep: bool) -> u32 {
    if !keep {
        x = None;
    }
    by_value(x, None) + picked(x, 5)
}

#[amp_struct]
struct Least(u32);

#[amp_fn]
trait Judge {
    fn points(&self, x: Option<&u32>) -> u32;

    fn usual(x: Option<&u32>) -> u32 {
        x.copied().unwrap_or(5)
    }
}

#[amp_fn]
impl Judge for Least {
    fn points(&self, x: Option<&u32>) -> u32 {
        x.map_or(1, |x| (*x).max(self.0) + 1) + Self::usual(x)
    }
}

#[amp_fn]
fn judged<J: Judge>(judge: &J, x: Option<&u32>) -> u32 {
    judge.points(x) * 3 + J::usual(x)
}

twice! {
    parameters(x: u32) -> u32 = ((0..200_u32).map(|x| x.wrapping_mul(0x9e37_79b9)).collect(),);
    {
        let v: [u32; 6] = std::array::from_fn(|i| (x >> (5 * i)) % 8);
        let nodes = [
            Node { value: v[0], next: Some(2) },
            Node { value: v[1], next: None },
            Node { value: v[2], next: v[3].checked_sub(4) },
        ];
        let (mut node, mut sum, mut steps) = (Some(&nodes[0]), 0_u32, 0);
        while let Some(here) = node {
            sum = sum * 3 + value(node);
            node = at(&nodes, here.next);
            steps += 1;
            if steps > 4 {
                break;
            }
        }
        sum += value(at(&nodes, None));
        let best = larger(v.first(), v.get(v[1] as usize));
        sum = sum.wrapping_mul(31).wrapping_add(*best.unwrap() + or(v.get(v[2] as usize), &v[3]));
        sum += or(larger(None, v.iter().find(|x| **x > 5)), &7) * 100;
        sum = sum.wrapping_mul(31).wrapping_add(picked(v.iter().max(), 3) + picked::<u32>(None, 2));
        let pairs = [(v[4], v[5])];
        sum = sum.wrapping_mul(31).wrapping_add(by_value(best, pairs.get(v[0] as usize)));
        sum = sum.wrapping_mul(31).wrapping_add(passed_on(Some(&v[2]), v[3] > 3) + passed_on(best, true));
        sum = sum.wrapping_mul(31).wrapping_add(judged(&Least(v[1]), best) + judged(&Least(3), None));
        let own = v[0].checked_sub(3);
        let lent = own.as_ref();
        sum += picked(own.as_ref(), 11) + lent.map_or(0, |x| *x);
        sum + own.as_ref().filter(|x| **x > 2).copied().unwrap_or(7)
    }
}

#[amp_kernel]
fn of_views(idx: Index<1>, a: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] =
        or(a.get(idx[0] + 1), &a[idx]) + picked(Some(&a[idx]), 7) + by_value(a.first(), None);
}

#[test]
fn elements_of_views() {
    let a = [3, 1, 4, 5];
    let expected: Vec<u32> = (0..4)
        .map(|i| or(a.get(i + 1), &a[i]) + a[i] + by_value(a.first(), None))
        .collect();
    assert_eq!(expected, [5, 6, 10, 11]);
    gives(&expected, |view, out| {
        launch(view, 4, of_views(&input(&a), out))
    });
}

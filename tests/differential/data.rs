//! Tuples, arrays and structs, nested; assignment through fields and elements.

use amp::prelude::*;
use testkit::numbers::{INTEGERS, pairs};
use testkit::{becomes, gives, input, launch, same_by_eq, twice};

const SMALL: [u32; 6] = [0, 1, 2, 3, 5, 8];
const N: usize = 4;

#[amp_struct]
#[derive(Debug, Default, PartialEq)]
struct Point {
    x: f32,
    y: f32,
}

#[amp_struct]
#[derive(Debug, Default, PartialEq)]
struct Body {
    at: Point,
    parts: [Point; 3],
    id: u32,
    table: [[i32; 2]; 2],
}

#[amp_struct]
#[derive(Debug, Default, PartialEq)]
struct Wrapped(i32, Point, [u32; 2]);

same_by_eq!(Point, Body, Wrapped);

twice! {
    tuples(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let mut t = (a, (b as f32, (a > b, b)), [a, b]);
        t.0 += 1;
        t.1.0 *= 2.5;
        t.1.1.0 = !t.1.1.0;
        t.1.1.1 += t.0;
        t.2[1] += t.1.1.1;
        let u = t;
        t.2[0] = 99;
        let (p, (q, (r, s)), [v, w]) = u;
        let ((one,), _) = ((7,), 3);
        let _ = one;
        let (mut m, n) = (p, s);
        m += n;
        m + q as u32 * 3 + r as u32 * 5 + v * 7 + w * 11 + t.2[0] + one
    }
}

twice! {
    arrays(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let mut grid = [[0_u32; 3]; N];
        for i in 0..N {
            for j in 0..3 {
                grid[i][j] = a * i as u32 + b * j as u32;
            }
        }
        let row = grid[(a % 4) as usize];
        let mut copy = grid;
        copy[1] = row;
        copy[2][1] = 1000;
        copy[3] = [a, b, grid[0][2]];
        let [x, y, z] = copy[1];
        let deep = [[[a; 2]; 2], [[b; 2], [1, 2]]];
        let ones = [1_u32; N + 1];
        let pairs = [(a, 1), (b, 2)];
        let mut sum = x + y * 2 + z * 3 + deep[1][0][1] * 5 + deep[1][1][1] + ones[4] + pairs[1].0;
        for i in 0..N {
            sum = sum * 3 + grid[i][2] + copy[i][0] + copy[i][1];
        }
        [a, b, sum][2] + { let t = [5, 6]; t }[(b % 2) as usize]
    }
}

twice! {
    structs(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let origin = Point { x: a as f32, y: b as f32 };
        let mut body = Body {
            id: a,
            at: origin,
            table: [[1, 2], [3, 4]],
            parts: [origin, Point { y: 1.0, x: 2.0 }, Point { x: 0.5, y: 2.0 }],
        };
        let before = body;
        body.at.x += 1.0;
        body.parts[(b % 3) as usize].y *= 3.0;
        body.parts[0] = body.parts[2];
        body.table[1][(a % 2) as usize] -= 7;
        body.id ^= 0xf;
        let many = [before, body];
        let w = Wrapped(body.table[1][0], many[1].parts[0], [a, b]);
        let mut v = w;
        v.0 += 1;
        v.1.x = 9.0;
        v.2[1] = 4;
        let x = w.1;
        (many[0].at.x + many[1].at.x * 2.0 + many[1].parts[1].y * 3.0 + v.1.x + x.y) as u32
            + many[(a % 2) as usize].id
            + (v.0 + w.0 + 100) as u32
            + v.2[1]
    }
}

#[amp_kernel]
fn move_bodies(idx: Index<1>, bodies: &mut ArrayViewMut<Body, 1>, k: usize) {
    let i = idx[0];
    bodies[i].at.x += 1.0;
    bodies[i].at.y = bodies[i].at.x * 2.0;
    bodies[idx].parts[k].x -= bodies[idx].parts[(k + 1) % 3].y;
    bodies[[i]].table[k % 2][1] <<= 2;
    bodies[i].id = bodies[i].parts[k].x as u32;
    let mut copy = bodies[i];
    copy.parts[2] = copy.at;
    if i % 2 == 0 {
        bodies[i] = copy;
    }
    bodies[i].table[0] = copy.table[1];
    bodies[i].parts[0].y = {
        let t = bodies[i].parts;
        t[2].y
    };
}

#[test]
fn elements_of_arrays_of_structs_are_assigned_in_part() {
    let body = |i: i32| Body {
        at: Point {
            x: i as f32,
            y: -1.0,
        },
        parts: [0.5, 1.5, 2.5].map(|x| Point {
            x: x + i as f32,
            y: x,
        }),
        id: 7,
        table: [[i, i + 1], [i + 2, i + 3]],
    };
    let before: Vec<Body> = (0..9).map(body).collect();
    let mut expected = before.clone();
    let k = 1;
    for (i, body) in expected.iter_mut().enumerate() {
        body.at.x += 1.0;
        body.at.y = body.at.x * 2.0;
        body.parts[k].x -= body.parts[(k + 1) % 3].y;
        body.table[k % 2][1] <<= 2;
        body.id = body.parts[k].x as u32;
        let mut copy = *body;
        copy.parts[2] = copy.at;
        if i % 2 == 0 {
            *body = copy;
        }
        body.table[0] = copy.table[1];
        body.parts[0].y = body.parts[2].y;
    }
    becomes([9], &before, &expected, |view, out| {
        launch(view, 9, move_bodies(out, k))
    });
}

#[amp_kernel]
fn wrap(idx: Index<1>, points: &ArrayView<Point, 1>, out: &mut ArrayViewMut<Wrapped, 1>) {
    let i = idx[0];
    let mut w = Wrapped(i as i32 - 3, points[i], [0; 2]);
    w.2[i % 2] = i as u32;
    w.1.y += points[(i + 1) % 5].x;
    out[i] = w;
    out[i].0 *= -2;
}

#[test]
fn tuple_structs_are_elements() {
    let points: Vec<Point> = (0..5)
        .map(|i| Point {
            x: i as f32,
            y: 0.25,
        })
        .collect();
    let expected: Vec<Wrapped> = (0..5)
        .map(|i| {
            let mut table = [0; 2];
            table[i % 2] = i as u32;
            let y = 0.25 + points[(i + 1) % 5].x;
            Wrapped((i as i32 - 3) * -2, Point { y, ..points[i] }, table)
        })
        .collect();
    gives(&expected, |view, out| {
        launch(view, 5, wrap(&input(&points), out))
    });
}

twice! {
    compound_assignment_at_depth(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let mut s = [([a, b, 3], (b, 1_u32)), ([1, 2, 3], (4, 5))];
        let i = (a % 2) as usize;
        let j = (b % 3) as usize;
        s[i].0[j] += 10;
        s[1 - i].0[(j + 1) % 3] *= 3;
        s[i].1.0 |= 0x20;
        s[i].1.1 <<= 3;
        s[i].0[s[1 - i].0[0] as usize % 3] ^= 5;
        s[0].0[2] = s[1].0[2] + s[0].1.0;
        let mut h = 0;
        for k in 0..2 {
            for l in 0..3 { h = h * 7 + s[k].0[l]; }
            h = h * 7 + s[k].1.0 + s[k].1.1;
        }
        h
    }
}

// What is assigned is known before anything changes, and the places are assigned in order.
twice! {
    tuples_of_places(a: i32, b: i32) -> i32 = pairs(&INTEGERS);
    {
        let (mut x, mut y, mut z) = (a, b, 7);
        (x, y) = (y, x);
        let mut list = [x, y, z, 0];
        ((list[3], _), z) = ((x ^ y, 5), list[0]);
        (list[1], list[1]) = (z, list[3]);
        let mut at = 0;
        (at, list[at]) = (2, 11);
        (x,) = (list[at],);
        _ = x;
        x.wrapping_mul(3) ^ y.wrapping_mul(5) ^ z.wrapping_mul(7) ^ list[0] ^ list[1]
    }
}

//! References that `let` names: to variables, their parts, elements of views and of tile memory.

use amp::prelude::*;
use testkit::{becomes, gives, launch, twice};

#[amp_struct]
#[derive(Debug, Default, PartialEq)]
struct Body {
    place: [f32; 2],
    mass: f32,
}

#[amp_enum]
#[derive(Debug, PartialEq)]
enum Shape {
    Empty,
    Circle(u32),
    Rect { w: u32, h: u32 },
}

#[amp_fn]
fn heavier(body: &Body, by: &f32) -> f32 {
    body.mass + *by
}

#[amp_fn]
fn move_by(body: &mut Body, by: f32) {
    let place = &mut body.place;
    place[0] += by;
    place[1] -= by;
}

twice! {
    of_variables(i: u32) -> u32 = ((0..24).collect(),);
    {
        let mut x = i * 3 + 1;
        let y = i ^ 5;
        {
            let r = &mut x;
            *r += 2;
            let again = &mut *r;
            *again *= 3;
            *r += 1;
        }
        let s = &y;
        let copy = s;
        let typed: &u32 = &x;
        let value = &(i + 7);
        *typed * 100 + *copy + *s + *value + x.leading_zeros() + s.count_ones()
    }
}

twice! {
    of_parts(i: u32) -> u32 = ((0..24).collect(),);
    {
        let mut pair = (i, [i + 1, i + 2, i + 3]);
        let at = i as usize % 3;
        {
            let element = &mut pair.1[at];
            *element *= 10;
            let first = &mut pair.0;
            *first += 4;
        }
        let mut at = at;
        let found = &pair.1[at];
        // The place is found once.
        at += 1;
        let mut sum = *found + at as u32;
        let (first, rest) = &pair;
        for x in rest {
            sum = sum * 7 + *x;
        }
        let rows = [[i, 1], [2, i + 3]];
        let row = &rows[i as usize % 2];
        let &[a, b] = row;
        for (k, x) in row.iter().enumerate() {
            sum += *x * (k as u32 + 1);
        }
        sum + *first + row[1] + a * b + row.len() as u32
    }
}

twice! {
    in_loops(i: u32) -> u32 = ((0..24).collect(),);
    {
        let mut counts = [0u32; 4];
        let mut k = i;
        for step in 0..6u32 {
            let count = &mut counts[(k % 4) as usize];
            *count += step + 1;
            if *count > 6 {
                *count = 0;
                continue;
            }
            let by = &*count;
            k = k * 3 + *by;
        }
        counts[0] + counts[1] * 10 + counts[2] * 100 + counts[3] * 1000
    }
}

twice! {
    chosen(i: u32) -> u32 = ((0..24).collect(),);
    {
        let (x, y) = (i * 2, 9);
        let larger = if x > y { &x } else { &y };
        let all = [x, y, i + 1];
        let middle: &u32 = match i % 4 {
            0 => &all[0],
            1 => &all[(i % 3) as usize],
            2 => {
                let k = all.len() - 1;
                &all[k]
            }
            _ => return *larger,
        };
        *larger * 100 + *middle
    }
}

twice! {
    of_cases(i: u32) -> u32 = ((0..24).collect(),);
    {
        let mut shape = match i % 3 {
            0 => Shape::Empty,
            1 => Shape::Circle(i),
            _ => Shape::Rect { w: i, h: i + 1 },
        };
        let named = &mut shape;
        match named {
            Shape::Circle(r) => *r += 1,
            Shape::Rect { w, h } => {
                let side = w;
                *side *= 2;
                *h += *side;
            }
            Shape::Empty => {}
        }
        let seen = &shape;
        if let Shape::Circle(r) = seen {
            return *r;
        }
        let Shape::Rect { w, h } = &shape else {
            return 1;
        };
        *w * 1000 + *h
    }
}

twice! {
    of_options(i: u32) -> u32 = ((0..24).collect(),);
    {
        let some = if i % 2 == 0 { Some(i) } else { None };
        let all = (some, Some((i, 3u32)));
        let (first, second) = &all;
        let mut sum = 0;
        if let Some(x) = first {
            sum += *x;
        }
        let Some((a, b)) = second else {
            return 0;
        };
        sum * 10 + *a + *b
    }
}

#[amp_kernel]
fn elements(idx: Index<1>, bodies: &ArrayView<Body, 1>, out: &mut ArrayViewMut<f32, 2>) {
    let mut moved = [Body {
        place: [0.0, 0.0],
        mass: 0.0,
    }; 2];

    let n = bodies.extent()[0];
    let slot = &mut moved[idx[0] % 2];
    let mut at = idx[0];
    for k in 0..3usize {
        at = (at + k) % n;
        let body = &bodies[at];
        let x = &body.place[k % 2];
        slot.mass += heavier(body, x);
        let place = &mut slot.place;
        place[0] += *x;
        let second = &mut place[1];
        *second += body.mass.sqrt();
    }
    move_by(slot, 0.5);
    let nearer = if slot.mass > 3.0 {
        &bodies[0]
    } else {
        &bodies[n - 1]
    };
    let line = idx[0];
    out[[line, 0]] = slot.place[0];
    let second = &mut out[[line, 1]];
    *second = slot.place[1];
    *second += 0.5;
    out[[line, 2]] = slot.mass + nearer.mass;
}

#[test]
fn elements_of_views() {
    let bodies: Vec<Body> = (0..8u8)
        .map(|i| Body {
            place: [f32::from(i), 0.25],
            mass: f32::from(i) * 0.5,
        })
        .collect();
    let expected: Vec<[f32; 3]> = (0..8)
        .map(|i| {
            let mut slot = Body::default();
            let mut at = i;
            for k in 0..3 {
                at = (at + k) % 8;
                let body = &bodies[at];
                slot.mass += body.mass + body.place[k % 2];
                slot.place[0] += body.place[k % 2];
                slot.place[1] += body.mass.sqrt();
            }
            slot.place[0] += 0.5;
            slot.place[1] -= 0.5;
            let nearer = &bodies[if slot.mass > 3.0 { 0 } else { 7 }];
            [slot.place[0], slot.place[1] + 0.5, slot.mass + nearer.mass]
        })
        .collect();
    becomes([8, 3], &[0.0; 24], expected.as_flattened(), |view, out| {
        let bodies = ArrayView::new(8, &bodies)?;
        launch(view, 8, elements(&bodies, out))
    });
}

/// What is behind a reference is read anew after a barrier.
#[amp_kernel]
fn turns(t: TiledIndex<1, 8>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut part: [u32; 8];
    let l = t.local[0];
    {
        let own = &mut part[l];
        *own = l as u32 + 1;
    }
    t.barrier.wait();
    let mut sum = 0;
    for _ in 0..3 {
        let next = &part[(l + 1) % 8];
        let before = *next;
        t.barrier.wait();
        part[l] += before;
        t.barrier.wait();
        let next = &part[(l + 1) % 8];
        sum += *next;
        t.barrier.wait();
    }
    let own = &part[l];
    out[t.global] = sum * 100 + *own;
}

#[test]
fn tile_memory() {
    let mut part: Vec<u32> = (1..=8).collect();
    let mut sums = [0; 8];
    for _ in 0..3 {
        let next: Vec<u32> = (0..8).map(|l| part[(l + 1) % 8]).collect();
        part.iter_mut()
            .zip(&next)
            .for_each(|(own, next)| *own += next);
        (0..8).for_each(|l| sums[l] += part[(l + 1) % 8]);
    }
    let expected: Vec<u32> = (0..16).map(|i| sums[i % 8] * 100 + part[i % 8]).collect();
    gives(&expected, |view, out| {
        let domain = Extent::from(16).tile::<8>();
        launch(view, domain, turns(out))
    });
}

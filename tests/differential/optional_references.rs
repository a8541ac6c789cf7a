//! `Option`s of references to read: what functions find, and what variables keep.

use amp::prelude::*;
use testkit::{gives, gives_and_faults, input, launch, twice};

fn seeds() -> Vec<u32> {
    (0..200_u32)
        .map(|seed| seed.wrapping_mul(0x9e37_79b9))
        .collect()
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Point {
    x: f32,
    y: f32,
    tags: [u32; 2],
}

#[amp_fn]
impl Point {
    fn distance(&self, other: &Point) -> f32 {
        (self.x - other.x).abs() + (self.y - other.y).abs()
    }

    fn sum(self) -> f32 {
        self.x + self.y
    }
}

#[amp_struct]
struct Cloud {
    points: [Point; 6],
    used: u32,
}

#[amp_fn]
impl Cloud {
    fn get(&self, i: usize) -> Option<&Point> {
        if i < self.used as usize {
            Some(&self.points[i])
        } else {
            None
        }
    }

    fn tagged(&self, tag: u32) -> Option<&Point> {
        for point in &self.points {
            if point.tags[0] % 5 == tag || point.tags[1] % 5 == tag {
                return Some(point);
            }
        }
        None
    }

    fn farthest<'a>(&'a self, from: &Point) -> Option<&'a Point> {
        let mut best: Option<&Point> = None;
        for i in 0..self.used as usize {
            let point = &self.points[i];
            if best.is_none_or(|best| point.distance(from) > best.distance(from)) {
                best = Some(point);
            }
        }
        best
    }
}

#[amp_fn]
fn points_of(seed: u32) -> [Point; 6] {
    let mut x = seed | 1;
    std::array::from_fn(|_| {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        Point {
            x: (x % 64) as f32,
            y: (x >> 8 & 63) as f32,
            tags: [x >> 14 & 255, x >> 22],
        }
    })
}

#[amp_fn]
fn nearest<'a>(points: &'a [Point], to: Point) -> Option<&'a Point> {
    let mut best: Option<&Point> = None;
    for p in points {
        match best {
            Some(b) if b.distance(&to) <= p.distance(&to) => {}
            _ => best = Some(p),
        }
    }
    best
}

#[amp_fn]
fn first_above(values: &[u32], least: u32) -> Option<&u32> {
    for value in values {
        if *value > least {
            return Some(value);
        }
    }
    None
}

#[amp_fn]
fn tallest(points: &[Point]) -> Option<&Point> {
    points.iter().max_by(|a, b| a.y.total_cmp(&b.y))
}

#[amp_fn]
fn pair(points: &[Point]) -> Option<f32> {
    let first = points.iter().find(|p| p.tags[0] % 2 == 1)?;
    let last = points.get(4)?;
    Some(first.distance(last))
}

twice! {
    what_chains_find(x: u32) -> u32 = (seeds(),);
    {
        let array = points_of(x);
        let points = &array[..];
        let tall = tallest(points);
        let first = points.iter().find(|p| p.tags[0] % 4 == 2);
        let last = points.iter().rev().find(|p| p.tags[1] % 4 == 2);
        let widest = points.iter().skip(1).min_by_key(|p| p.tags[1]);
        let at = points.get(x as usize % 9);
        let none = points[0];
        let words = [x % 11, x % 13, x % 17];
        let word = words.iter().find(|w| **w > 9);
        let mut sum = tall.map_or(0.0, |p| p.x) + first.or(last).map_or(1.0, |p| p.y);
        sum += widest.unwrap().x - at.unwrap_or(&none).y;
        sum += pair(points).unwrap_or(0.75);
        if let (Some(first), Some(last)) = (first, last) {
            sum += first.distance(last);
        }
        if let (Some(a), Some(b)) = (tall, at) {
            sum += (a == b) as u32 as f32 + (*a != none) as u32 as f32;
        }
        sum += (first == last) as u32 as f32 + (at != None) as u32 as f32 + (tall == Some(&none)) as u32 as f32;
        let greater = word > words.iter().find(|w| **w < 9);
        sum += greater as u32 as f32;
        if let Some(word) = word {
            sum += (word % 4) as f32 + (word > &words[0]) as u32 as f32 * 0.5 + (word * 2) as f32;
        }
        sum.to_bits() ^ word.copied().unwrap_or(1) ^ word.is_some() as u32
    }
}

twice! {
    values_behind_calls(x: u32) -> u32 = (seeds(),);
    {
        let values = [x % 31, x % 37, x % 41];
        let mut best: Option<&u32> = None;
        for value in &values {
            if best.is_none_or(|best| *value > *best) {
                best = Some(value);
            }
        }
        let five = 5;
        let other = Some(&five);
        let all = [Some(&values[1]), best];
        *best.unwrap() * 3
            + *(if x % 3 == 0 { other } else { best }).unwrap()
            + *{ other.unwrap() } * *all[1].unwrap()
            + !*all[0].unwrap_or(&five) % 7
            + *first_above(&values, 3).unwrap_or(&five) * 11
    }
}

twice! {
    what_functions_find(x: u32) -> u32 = (seeds(),);
    {
        let points = points_of(x);
        let to = Point { x: 20.0, y: 30.0, tags: [0, 1] };
        let mut sum = 0.0;
        if let Some(p) = nearest(&points, to) {
            sum += p.x * 3.0 + p.sum() + p.distance(&to);
        }
        sum += nearest(&points[..3], to).map(|p| p.y).unwrap_or(-1.0);
        sum += nearest(&points[4..], to).copied().map_or(0.5, |p| p.x);
        let near = nearest(&points[1..], points[0]);
        if near.is_some_and(|p| p.tags[0] > 100) {
            sum += 0.25;
        }
        let Some(near) = near else { return 1 };
        sum += near.x - near.y;
        let values = [x % 50, x % 77, x % 99];
        let found = match first_above(&values, 40) {
            Some(value) => *value * 2,
            None => 7,
        };
        let above = first_above(&values[1..], 60).cloned().unwrap_or_default();
        sum.to_bits() ^ found << 20 ^ above
    }
}

twice! {
    what_variables_keep(x: u32) -> u32 = (seeds(),);
    {
        let points = points_of(x);
        let none = points[5];
        let mut best: Option<&Point> = None;
        let mut least = Some(&none);
        for (i, p) in points.iter().enumerate() {
            if best.is_none_or(|b| p.x > b.x) && p.tags[0] % 3 != 0 {
                best = Some(p);
            }
            if i % 2 == 0 && least.is_some_and(|l| p.y < l.y) {
                least = Some(p);
            } else if i == 3 && p.tags[1] % 2 == 0 {
                least = best;
            }
        }
        let kept = best;
        best = if x % 3 == 0 { None } else { Some(&points[x as usize % 6]) };
        let a = kept.map_or(1.0, |p| p.x);
        let b = match best {
            Some(p) if p.x > 32.0 => p.tags[0],
            Some(p) => p.tags[1],
            None => 3,
        };
        let c = least.unwrap_or(&points[2]);
        let d = best.or(kept).filter(|p| p.y > 10.0).is_some() as u32;
        let e = best.and_then(|p| if p.x > c.x { Some(p) } else { None }).map(|p| p.sum()).unwrap_or(9.0);
        a.to_bits() ^ b << 8 ^ c.sum().to_bits() ^ d << 30 ^ e.to_bits() >> 3
    }
}

twice! {
    what_methods_find(x: u32) -> u32 = (seeds(),);
    {
        let cloud = Cloud { points: points_of(x), used: x % 7 % 7 };
        let mut sum = 0.0;
        if let Some(p) = cloud.get(3) {
            sum += p.x;
        }
        let tagged = cloud.tagged(2);
        sum += tagged.map(|p| p.y).unwrap_or(0.5);
        let far = cloud.farthest(&cloud.points[0]);
        if let (Some(a), Some(b)) = (tagged, far) {
            sum += a.distance(b);
        }
        while let Some(p) = cloud.get(sum as usize / 8) {
            sum += p.x + 1.0;
        }
        sum.to_bits()
    }
}

#[amp_kernel]
fn of_views(idx: Index<1>, points: &ArrayView<Point, 1>, out: &mut ArrayViewMut<f32, 1>) {
    let own = points[idx];
    let mut best: Option<&Point> = None;
    for p in points {
        if p.x != own.x && best.is_none_or(|best| p.distance(&own) < best.distance(&own)) {
            best = Some(p);
        }
    }
    let mut sum = best.map_or(0.0, |p| p.y);
    let last = points.len() - 1;
    let end = Some(&points[last]);
    if let Some(p) = nearest(&points[..last], own) {
        sum += p.distance(&own) * 0.5 + end.map(|end| end.x).unwrap_or(0.0);
    }
    let near = nearest(&points[idx[0]..], points[0]);
    out[idx] = sum + near.unwrap().y;
}

#[test]
fn references_to_elements_of_views() {
    let points: Vec<Point> = seeds().into_iter().take(20).flat_map(points_of).collect();
    let of = |at: usize| {
        let own = points[at];
        let mut best: Option<&Point> = None;
        for p in &points {
            if p.x != own.x && best.is_none_or(|best| p.distance(&own) < best.distance(&own)) {
                best = Some(p);
            }
        }
        let mut sum = best.map_or(0.0, |p| p.y);
        let last = points.len() - 1;
        if let Some(p) = nearest(&points[..last], own) {
            sum += p.distance(&own) * 0.5 + points[last].x;
        }
        sum + nearest(&points[at..], points[0]).unwrap().y
    };
    let expected: Vec<f32> = (0..points.len()).map(of).collect();
    gives(&expected, |view, out| {
        launch(view, out.extent(), of_views(&input(&points), out))
    });
}

#[amp_fn]
fn found_behind<'a>(by: usize, values: &'a [u32]) -> Option<&'a u32> {
    if by < values.len() {
        Some(&values[by])
    } else {
        None
    }
}

#[amp_fn]
fn greatest<T: Scalar>(values: &[T], least: T) -> Option<&T> {
    let mut best = &values[0];
    for i in 1..values.len() {
        if values[i] > *best {
            best = &values[i];
        }
    }
    if *best > least { Some(best) } else { None }
}

#[amp_kernel(index = 64)]
fn in_order(idx: Index<1>, a: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let mut i = idx[0];
    let found = found_behind(
        {
            i += 1;
            1
        },
        &a[i..],
    );
    let own = [a[idx], 3, 4];
    let floats = [a[idx] as f32, 2.5];
    out[idx] = *found.unwrap_or(&7)
        + greatest(&own, 10).copied().unwrap_or(5)
        + greatest(&floats, 9.0).map_or(0, |x| *x as u32);
}

#[test]
fn arguments_are_evaluated_in_order() {
    let values: Vec<u32> = (0..32).map(|x| x * 7 % 31).collect();
    let of = |at: usize| {
        let greatest = if values[at] > 10 { values[at] } else { 5 };
        let float = if values[at] > 9 { values[at] } else { 0 };
        values.get(at + 2).copied().unwrap_or(7) + greatest + float
    };
    let expected: Vec<u32> = (0..31).map(of).collect();
    gives(&expected, |view, out| {
        launch(view, out.extent(), in_order(&input(&values), out))
    });
}

#[amp_kernel]
fn in_tiles(t_idx: TiledIndex<1, 8>, a: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut part: [u32; 8];
    let local = t_idx.local[0];
    part[local] = a[t_idx];
    t_idx.barrier.wait();
    let mut at = &a[0];
    let mut best: Option<&u32> = None;
    for k in 0..8 {
        if part[k] > *at {
            at = &a[k];
            best = Some(at);
        }
        t_idx.barrier.wait();
    }
    out[t_idx] = *at + best.copied().unwrap_or(5);
}

#[test]
fn across_barriers() {
    let values: Vec<u32> = (0..32).map(|x| x * 7 % 31).collect();
    let of = |at: usize| {
        let tile = &values[at / 8 * 8..][..8];
        let mut at = &values[0];
        let mut best = None;
        for (k, x) in tile.iter().enumerate() {
            if x > at {
                at = &values[k];
                best = Some(at);
            }
        }
        *at + best.copied().unwrap_or(5)
    };
    let expected: Vec<u32> = (0..32).map(of).collect();
    gives(&expected, |view, out| {
        launch(
            view,
            out.extent().tile::<8>(),
            in_tiles(&input(&values), out),
        )
    });
}

#[amp_kernel]
fn out_of_bounds(idx: Index<1>, a: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let mut at = &a[0];
    if idx[0] > 1 {
        at = &a[idx[0] * 100];
    }
    let kept = if idx[0] == 1 { Some(&a[77]) } else { Some(at) };
    out[idx] = *at + *kept.unwrap() + 1;
}

#[test]
fn what_is_not_there_is_zero() {
    let values = [5, 6, 7];
    gives_and_faults(&[11, 6, 1], |view, out| {
        launch(view, out.extent(), out_of_bounds(&input(&values), out))
    });
}

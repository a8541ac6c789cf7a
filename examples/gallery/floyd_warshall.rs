//! The shortest ways between all places of a map (Floyd and Warshall 1962).
//!
//! `cargo run --release --example floyd_warshall -- 1000`

use amp::prelude::*;

mod support;

/// There is no way.
const NONE: u32 = u32::MAX;

/// Goes through place `k` where that is shorter.
#[amp_kernel]
fn shorten(idx: Index<2>, k: usize, ways: &mut ArrayViewMut<u32, 2>) {
    let [from, to] = idx.to_array();
    let detour = ways[[from, k]].saturating_add(ways[[k, to]]);
    if detour < ways[idx] {
        ways[idx] = detour;
    }
}

fn shortest(places: usize, roads: &mut [u32]) -> amp::Result<()> {
    let mut ways = ArrayViewMut::new([places, places], roads)?;
    for k in 0..places {
        parallel_for_each(ways.extent(), shorten(k, &mut ways))?;
    }
    ways.synchronize()
}

fn on_host(places: usize, ways: &mut [u32]) {
    for k in 0..places {
        let through = ways[k * places..][..places].to_vec();
        for row in ways.chunks_mut(places) {
            let first = row[k];
            for (way, second) in row.iter_mut().zip(&through) {
                *way = first.saturating_add(*second).min(*way);
            }
        }
    }
}

fn main() -> amp::Result<()> {
    let places = support::argument(1, 64);
    let mut random = support::random();
    let mut ways = vec![NONE; places * places];
    for (n, way) in ways.iter_mut().enumerate() {
        let x = random.next().unwrap_or_default();
        // About four roads lead to a place.
        match (n / places, n % places) {
            (from, to) if from == to => *way = 0,
            _ if x % (places as u32) < 4 => *way = 1 + x / 64 % 1000,
            _ => {}
        }
    }
    let mut expected = ways.clone();
    on_host(places, &mut expected);
    shortest(places, &mut ways)?;
    assert!(ways == expected, "differs from the host");
    let farthest = ways.iter().filter(|&&way| way != NONE).max();
    println!("floyd_warshall: among {places} places the longest way is {farthest:?}");
    Ok(())
}

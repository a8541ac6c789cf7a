//! Domains and arrays that 32 bits cannot count.
//!
//! The environment asks for them with `AMP_LARGE=1`: they take a device that runs 2³³ threads
//! in seconds and has 5 GiB of memory. Without it they are what a kernel without `index = 64`
//! is refused.

use amp::prelude::*;
use testkit::{large_is_asked_for, launch, views};

/// Threads of the large domain: more than one dispatch has, and no multiple of anything.
const THREADS: usize = (1 << 33) + 300;

#[amp_kernel(index = 64)]
fn few_of_many(idx: Index<1>, counts: &mut ArrayViewMut<u32, 1>, last: &mut ArrayViewMut<u64, 1>) {
    let i = idx[0];
    if i % (1 << 28) == 5 {
        atomic_fetch_inc(&mut counts[i >> 28]);
    }
    if i == THREADS - 1 {
        last[0] = i as u64;
    }
    assert!(i < THREADS, "thread {i}");
}

#[amp_kernel(index = 64)]
fn few_of_a_grid(idx: Index<3>, counts: &mut ArrayViewMut<u32, 1>) {
    if idx[1] == 77 && idx[2] == 99_999 {
        atomic_fetch_inc(&mut counts[idx[0]]);
    }
}

#[amp_kernel(index = 64)]
fn few_of_many_tiles(t_idx: TiledIndex<2, 32, 32>, counts: &mut ArrayViewMut<u32, 1>) {
    if t_idx.global[1] == 99_999 && t_idx.global[0] % 10_000 == 77 {
        atomic_fetch_inc(&mut counts[t_idx.global[0] / 10_000]);
    }
}

#[amp_kernel]
fn narrow(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = 0;
}

/// The devices, if they are asked for.
fn devices() -> Vec<AcceleratorView> {
    let mut devices = views();
    devices.retain(|view| large_is_asked_for() && !view.accelerator().is_emulated());
    devices
}

#[test]
fn domains_of_more_than_32_bits() {
    let mut data = [0];
    let mut out = ArrayViewMut::new(1, &mut data).unwrap();
    let refused = parallel_for_each(1 << 32, narrow(&mut out)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "invalid compute domain: 4294967296 has more than 4294967295 points; launch over parts of \
         it, or write `#[amp_kernel(index = 64)]`"
    );
    drop(out);
    for view in &devices() {
        let (mut counts, mut last) = ([0; 33], [0]);
        {
            let mut counts = ArrayViewMut::new(33, &mut counts).unwrap();
            let mut last = ArrayViewMut::new(1, &mut last).unwrap();
            launch(view, THREADS, few_of_many(&mut counts, &mut last)).unwrap();
            counts.synchronize().unwrap();
            last.synchronize().unwrap();
        }
        assert_eq!(counts, [1; 33], "{view}");
        assert_eq!(last, [THREADS as u64 - 1], "{view}");

        let mut counts = [0; 450];
        {
            let mut counts = ArrayViewMut::new(450, &mut counts).unwrap();
            launch(view, [450, 100, 100_000], few_of_a_grid(&mut counts)).unwrap();
            counts.synchronize().unwrap();
        }
        assert_eq!(counts, [1; 450], "{view}");

        let mut counts = [0; 10];
        {
            let mut counts = ArrayViewMut::new(10, &mut counts).unwrap();
            let domain = Extent::new([100_000, 100_000]).tile::<32, 32>();
            launch(view, domain, few_of_many_tiles(&mut counts)).unwrap();
            counts.synchronize().unwrap();
        }
        assert_eq!(counts, [1; 10], "{view}");
    }
}

/// Elements of the large array.
const ELEMENTS: usize = (1 << 32) + 1000;

#[amp_kernel(index = 64)]
fn fill(idx: Index<1>, out: &mut ArrayViewMut<u8, 1>) {
    out[idx] = (idx[0] >> 24) as u8 ^ idx[0] as u8;
}

#[amp_kernel(index = 64)]
fn pick(
    idx: Index<1>,
    from: &ArrayView<u8, 1>,
    at: &ArrayView<u64, 1>,
    out: &mut ArrayViewMut<u8, 1>,
) {
    let at = at[idx] as usize;
    let part = from.section([at], [1]);
    out[[2 * idx[0]]] = from[at];
    out[[2 * idx[0] + 1]] = part[0];
}

#[test]
fn arrays_of_more_than_32_bits() {
    let at: Vec<u64> = [
        0,
        1,
        77,
        1 << 31,
        (1 << 32) - 1,
        1 << 32,
        ELEMENTS as u64 - 1,
    ]
    .to_vec();
    let value = |at: u64| (at >> 24) as u8 ^ at as u8;
    let expected: Vec<u8> = at.iter().flat_map(|&at| [value(at); 2]).collect();
    for view in &devices() {
        let mut large = Array::<u8, 1>::builder([ELEMENTS])
            .on(view)
            .build()
            .unwrap();
        launch(view, ELEMENTS, fill(&mut large)).unwrap();
        let mut found = vec![0; expected.len()];
        {
            let at = ArrayView::new(at.len(), &at).unwrap();
            let mut out = ArrayViewMut::new(found.len(), &mut found).unwrap();
            launch(view, at.extent(), pick(&large, &at, &mut out)).unwrap();
            out.synchronize().unwrap();
        }
        assert_eq!(found, expected, "{view}");
    }
}

/// Elements of eight bytes, a few of them beyond 4 GiB.
const WORDS: usize = (1 << 29) + 1000;

#[amp_kernel(index = 64)]
fn number(idx: Index<1>, out: &mut ArrayViewMut<u64, 1>) {
    out[idx] = idx[0] as u64 + 1;
}

#[amp_kernel(index = 64)]
fn pick_parts(
    idx: Index<1>,
    from: &mut ArrayViewMut<u64, 1>,
    at: &ArrayView<u64, 1>,
    out: &mut ArrayViewMut<u64, 1>,
) {
    let at = at[idx] as usize;
    atomic_fetch_add(&mut from[at], 1 << 40);
    out[[3 * idx[0]]] = from[at];
    out[[3 * idx[0] + 1]] = from.section([at], [1])[0];
    out[[3 * idx[0] + 2]] = from.reinterpret::<u32>()[2 * at + 1] as u64;
}

/// A driver multiplied the index by the size with 32 bits: element 2²⁹ was the first one.
#[test]
fn elements_beyond_4_gib() {
    let at = [
        0,
        1,
        (1 << 29) - 1,
        1 << 29,
        (1 << 29) + 1,
        WORDS as u64 - 1,
    ];
    let value = |at: u64| [at + 1 + (1 << 40), at + 1 + (1 << 40), 1 << 8];
    let expected: Vec<u64> = at.iter().flat_map(|&at| value(at)).collect();
    for view in &devices() {
        let mut large = Array::<u64, 1>::builder([WORDS]).on(view).build().unwrap();
        launch(view, WORDS, number(&mut large)).unwrap();
        let mut found = vec![0; expected.len()];
        {
            let at = ArrayView::new(at.len(), &at).unwrap();
            let mut out = ArrayViewMut::new(found.len(), &mut found).unwrap();
            launch(view, at.extent(), pick_parts(&mut large, &at, &mut out)).unwrap();
            out.synchronize().unwrap();
        }
        assert_eq!(found, expected, "{view}");
        assert_eq!(
            large.section([2], [3]).unwrap().to_vec().unwrap(),
            [3, 4, 5]
        );
    }
}

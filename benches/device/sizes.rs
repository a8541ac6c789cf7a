//! The product in registers of the example `matmul`, whose matrices may have any size, beside other
//! kernels at several sizes.

use crate::case::Launch;
use crate::figures::Figures;
use crate::products::Product;
use crate::{Bench, Entry, Outcome};

#[path = "../../examples/matmul/blocked.rs"]
mod blocked;

use blocked::{blocked, blocked_fast, threads};

pub const CASES: &[Entry] = &[
    ("product", |bench| product(bench, 4096, false)),
    ("product-fast", |bench| product(bench, 4096, true)),
    // No row of it starts where a vector could.
    ("product-odd", |bench| {
        let figures = product(bench, 4095, true)?;
        Ok(named("product-odd", figures))
    }),
    ("product-sizes", sizes),
];

/// The same figures under another name.
fn named(name: &str, figures: Vec<Figures>) -> Vec<Figures> {
    let named = figures.into_iter().map(|figures| Figures {
        name: name.into(),
        ..figures
    });
    named.collect()
}

fn product(bench: &Bench, n: usize, fast: bool) -> Outcome {
    let n = bench.size(n, n / 16);
    let product = Product::new(n);
    let [a, b] = product.on_device(bench)?;
    let launch: Launch<'_, f32, 2> = Box::new(|view, version, c| {
        let domain = threads(c.extent());
        let kernel = match fast {
            true => blocked_fast(&a, &b, c),
            false => blocked(&a, &b, c),
        };
        view.parallel_for_each(domain, version.of(kernel))
    });
    let name = if fast { "product-fast" } else { "product" };
    product.case(name, !fast, launch).measure_alone(bench)
}

/// For the chart of rates by size: each name ends with its size.
fn sizes(bench: &Bench) -> Outcome {
    let mut all = Vec::new();
    for usual in [512, 1024, 2048, 4096, 8192] {
        let n = bench.size(usual, usual / 16);
        let square = Product::new(n);
        let factors = square.on_device(bench)?;
        let tiled = square.tiled(&factors).measure_alone(bench)?;
        all.extend(named(&format!("tiled@{n}"), tiled));
        for fast in [false, true] {
            let name = if fast { "product-fast" } else { "product" };
            all.extend(named(&format!("{name}@{n}"), product(bench, usual, fast)?));
        }
    }
    Ok(all)
}

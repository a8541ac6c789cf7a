//! The numerical algorithms of `amp::algorithms`: random numbers, matrices and Fourier transforms.
//! `tests/algorithms` checks their results.

use amp::algorithms::random::{
    Philox, fill_bits, fill_normal, fill_poisson, fill_range, fill_uniform,
};
use amp::algorithms::{Fft, FftElement, Gemm, Gemv, MatrixElement, transpose};
use amp::prelude::*;
use amp_benches::median;

use crate::figures::{Figures, Unit};
use crate::{Bench, Outcome};

pub const CASES: &[crate::Entry] = &[
    ("random-bits", |bench| fill(bench, "random-bits", fill_bits)),
    ("random-range", |bench| {
        fill(bench, "random-range", |seed, x: &mut Array<u32, 1>| {
            fill_range(seed, 0..1000, x)
        })
    }),
    ("random-uniform", |bench| {
        fill(bench, "random-uniform", |seed, x: &mut Array<f32, 1>| {
            fill_uniform(seed, x)
        })
    }),
    ("random-normal", |bench| {
        fill(bench, "random-normal", |seed, x: &mut Array<f32, 1>| {
            fill_normal(seed, 0.0, 1.0, x)
        })
    }),
    ("random-poisson", |bench| {
        fill(bench, "random-poisson", |seed, x| {
            fill_poisson(seed, 20.0, x)
        })
    }),
    ("transpose-any", |bench| {
        let n = bench.size(8192, 512);
        let (a, mut b) = (array::<f32, 2>(bench, [n, n])?, array(bench, [n, n])?);
        let launch = &mut || transpose(&a, &mut b);
        measure(bench, "transpose-any", Unit::Bytes, 8 * n * n, [launch])
    }),
    ("gemv", |bench| gemv(bench, "gemv", Gemv::new())),
    ("gemv-transposed", |bench| {
        gemv(bench, "gemv-transposed", Gemv::new().transpose())
    }),
    ("gemm", |bench| {
        gemm::<f32>(bench, "gemm", bench.size(4096, 128), Gemm::new())
    }),
    ("gemm-odd", |bench| {
        gemm::<f32>(bench, "gemm-odd", bench.size(4001, 101), Gemm::new())
    }),
    ("gemm-small", |bench| {
        gemm::<f32>(bench, "gemm-small", bench.size(512, 64), Gemm::new())
    }),
    ("gemm-transposed", |bench| {
        let product = Gemm::new().transpose_a().transpose_b();
        gemm::<f32>(bench, "gemm-transposed", bench.size(4096, 128), product)
    }),
    ("gemm-f64", |bench| {
        gemm::<f64>(bench, "gemm-f64", bench.size(4096, 128), Gemm::new())
    }),
    ("gemm-batch", |bench| {
        let extent = [bench.size(1024, 16), 64, 64];
        let [a, b, mut exact, mut fast] = arrays::<f32, 3, 4>(bench, extent)?;
        let product = Gemm::new();
        measure(
            bench,
            "gemm-batch",
            Unit::Flops,
            2 * 64 * a.extent().size(),
            [&mut || product.run_batch(&a, &b, &mut exact), &mut || {
                product.fast_math().run_batch(&a, &b, &mut fast)
            }],
        )
    }),
    ("fft", |bench| {
        fft::<f32, 1>(bench, "fft", [bench.size(1 << 24, 1 << 10)])
    }),
    ("fft-f64", |bench| {
        fft::<f64, 1>(bench, "fft-f64", [bench.size(1 << 23, 1 << 10)])
    }),
    ("fft-thousands", |bench| {
        fft::<f32, 1>(bench, "fft-thousands", [bench.size(10_000_000, 1000)])
    }),
    ("fft-2d", |bench| {
        fft::<f32, 2>(bench, "fft-2d", [bench.size(4096, 64); 2])
    }),
    ("fft-prime", |bench| {
        fft::<f32, 1>(bench, "fft-prime", [bench.size(1_000_003, 1009)])
    }),
];

fn array<T: amp::Element, const N: usize>(
    bench: &Bench,
    extent: [usize; N],
) -> amp::Result<Array<T, N>> {
    Array::builder(extent).on(&bench.view).build()
}

fn arrays<T: amp::Element, const N: usize, const COUNT: usize>(
    bench: &Bench,
    extent: [usize; N],
) -> amp::Result<[Array<T, N>; COUNT]> {
    let arrays: Vec<Array<T, N>> = (0..COUNT)
        .map(|_| array(bench, extent))
        .collect::<amp::Result<_>>()?;
    Ok(arrays
        .try_into()
        .unwrap_or_else(|_| unreachable!("so many are made")))
}

/// What is launched, exact and with `fast_math`.
type Launch<'a> = &'a mut dyn FnMut() -> amp::Result<()>;

fn measure<const COUNT: usize>(
    bench: &Bench,
    name: &str,
    unit: Unit,
    amount: usize,
    mut versions: [Launch<'_>; COUNT],
) -> Outcome {
    let mut times = vec![Vec::new(); COUNT];
    for round in 0..bench.rounds() + bench.rounds() / 5 + 1 {
        for (launch, times) in versions.iter_mut().zip(&mut times) {
            let time = bench.view.elapsed(launch)?;
            if round > bench.rounds() / 5 {
                times.push(time);
            }
        }
    }
    let mut figures = Figures::new(name, unit);
    for (version, times) in ["checked", "fast_math"].into_iter().zip(times) {
        figures = figures.with(version, amount, median(times));
    }
    Ok(vec![figures])
}

/// Bytes that are written.
fn fill<T: amp::Element>(
    bench: &Bench,
    name: &str,
    run: impl Fn(Philox, &mut Array<T, 1>) -> amp::Result<()>,
) -> Outcome {
    let mut x = array(bench, [bench.size(1 << 28, 1 << 12)])?;
    let bytes = x.extent().size() * size_of::<T>();
    let launch = &mut || run(Philox::new(1), &mut x);
    measure(bench, name, Unit::Bytes, bytes, [launch])
}

/// Bytes of the matrix.
fn gemv(bench: &Bench, name: &str, product: Gemv<f32>) -> Outcome {
    let n = bench.size(16_384, 256);
    let a = array(bench, [n, n])?;
    let [x, mut y] = arrays(bench, [n])?;
    let launch = &mut || product.run(&a, &x, &mut y);
    measure(bench, name, Unit::Bytes, 4 * n * n, [launch])
}

fn gemm<T: MatrixElement>(bench: &Bench, name: &str, n: usize, product: Gemm<T>) -> Outcome {
    let [a, b, mut exact, mut fast] = arrays(bench, [n, n])?;
    measure(
        bench,
        name,
        Unit::Flops,
        2 * n.pow(3),
        [&mut || product.run(&a, &b, &mut exact), &mut || {
            product.fast_math().run(&a, &b, &mut fast)
        }],
    )
}

/// Operations as they are usually counted: 5 n log n.
fn fft<T: FftElement, const D: usize>(bench: &Bench, name: &str, lengths: [usize; D]) -> Outcome {
    let size: usize = lengths.iter().product();
    let mut fft = Fft::<T, D>::new(lengths)?;
    let [x, mut y] = arrays(bench, [size])?;
    let flops = 5.0 * size as f64 * (size as f64).log2();
    let launch = &mut || fft.forward(&x, &mut y);
    measure(bench, name, Unit::Flops, flops as usize, [launch])
}

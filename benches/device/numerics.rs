//! The numerical algorithms of `amp::algorithms`: random numbers, matrices and Fourier transforms, some beside the
//! same in GLSL. `tests/algorithms` checks their results.

use amp::algorithms::random::{
    Philox, fill_bits, fill_normal, fill_poisson, fill_range, fill_uniform,
};
use amp::algorithms::{Complex32, Fft, FftElement, Gemm, Gemv, MatrixElement, transpose};
use amp::prelude::*;
use amp_benches::median;

use crate::case::{Version, compare_all};
use crate::figures::{Figures, Unit};
use crate::foreign;
use crate::products::blocked_product;
use crate::shaders::{Arguments, Shaders};
use crate::{Bench, Outcome, random};

pub const CASES: &[crate::Entry] = &[
    ("random-bits", |bench| fill(bench, "random-bits", fill_bits)),
    ("random-range", |bench| {
        fill(bench, "random-range", |seed, x: &mut Array<u32, 1>| {
            fill_range(seed, 0..1000, x)
        })
    }),
    ("random-uniform", uniform),
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
    ("transpose-any", transposed),
    ("gemv", |bench| gemv(bench, "gemv", Gemv::new())),
    ("gemv-transposed", |bench| {
        gemv(bench, "gemv-transposed", Gemv::new().transpose())
    }),
    ("gemm", beside_blocks),
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
            &mut [
                ("checked", &mut || product.run_batch(&a, &b, &mut exact)),
                ("fast_math", &mut || {
                    product.fast_math().run_batch(&a, &b, &mut fast)
                }),
            ],
        )
    }),
    ("fft", line),
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

/// What is launched.
type Launch<'a> = &'a mut dyn FnMut() -> amp::Result<()>;

/// Measures versions, which take turns.
fn measure(
    bench: &Bench,
    name: &str,
    unit: Unit,
    amount: usize,
    versions: &mut [(&str, Launch<'_>)],
) -> Outcome {
    let mut times = vec![Vec::new(); versions.len()];
    for round in 0..bench.rounds() + bench.rounds() / 5 + 1 {
        for ((_, launch), times) in versions.iter_mut().zip(&mut times) {
            let time = bench.view.elapsed(launch)?;
            if round > bench.rounds() / 5 {
                times.push(time);
            }
        }
    }
    let mut figures = Figures::new(name, unit);
    for ((version, _), times) in versions.iter().zip(times) {
        figures = figures.with(*version, amount, median(times));
    }
    Ok(vec![figures])
}

/// Measures amp's version and that in GLSL, if it has been compiled.
fn measure_beside(
    bench: &Bench,
    name: &str,
    unit: Unit,
    amount: usize,
    own: Launch<'_>,
    shaders: Option<Shaders>,
    run: &mut dyn FnMut(&Shaders) -> amp::Result<()>,
) -> Outcome {
    match shaders {
        Some(shaders) => {
            let versions: &mut [(&str, Launch<'_>)] =
                &mut [("checked", own), ("GLSL", &mut || run(&shaders))];
            measure(bench, name, unit, amount, versions)
        }
        None => measure(bench, name, unit, amount, &mut [("checked", own)]),
    }
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
    measure(bench, name, Unit::Bytes, bytes, &mut [("checked", launch)])
}

fn uniform(bench: &Bench) -> Outcome {
    let n = bench.size(1 << 28, 1 << 12);
    let [mut x, mut y] = arrays::<f32, 1, 2>(bench, [n])?;
    let shaders = Shaders::of(bench, "random-uniform", 1)?;
    let is_beside = shaders.is_some();
    let figures = measure_beside(
        bench,
        "random-uniform",
        Unit::Bytes,
        4 * n,
        &mut || fill_uniform(Philox::new(1), &mut x),
        shaders,
        &mut |shaders| {
            let mut numbers = y.view_mut();
            let arguments = Arguments {
                c: numbers.reinterpret()?,
                n: n / 4,
                p: 1,
                ..Arguments::default()
            };
            shaders.run(0, n / 1024, arguments)
        },
    )?;
    if is_beside {
        compare_all(&y.to_vec()?, &x.to_vec()?, true)?;
    }
    Ok(figures)
}

fn transposed(bench: &Bench) -> Outcome {
    let n = bench.size(8192, 512);
    let a = Array::builder(n * n)
        .on(&bench.view)
        .data(&random::floats(1, n * n))
        .build()?;
    let [mut b, mut c] = arrays::<f32, 1, 2>(bench, [n * n])?;
    let matrix = a.view().view_as([n, n])?;
    let mut result = b.view_mut().into_view_as([n, n])?;
    let shaders = Shaders::of(bench, "transpose-any", 1)?;
    let is_beside = shaders.is_some();
    let figures = measure_beside(
        bench,
        "transpose-any",
        Unit::Bytes,
        8 * n * n,
        &mut || transpose(&matrix, &mut result),
        shaders,
        &mut |shaders| {
            let mut result = c.view_mut();
            let arguments = Arguments {
                a: a.view().reinterpret()?,
                c: result.reinterpret()?,
                n,
                ..Arguments::default()
            };
            shaders.run(0, n / 16 * (n / 16), arguments)
        },
    )?;
    drop(result);
    if is_beside {
        compare_all(&c.to_vec()?, &b.to_vec()?, true)?;
    }
    Ok(figures)
}

/// Bytes of the matrix.
fn gemv(bench: &Bench, name: &str, product: Gemv<f32>) -> Outcome {
    let n = bench.size(16_384, 256);
    let builder = |length| Array::builder(length).on(&bench.view);
    let a = builder(n * n).data(&random::floats(1, n * n)).build()?;
    let matrix = a.view().view_as([n, n])?;
    let x = builder(n).data(&random::floats(2, n)).build()?;
    let [mut y, mut z] = arrays(bench, [n])?;
    let shaders = match name {
        "gemv" => Shaders::of(bench, name, 1)?,
        _ => None,
    };
    let is_beside = shaders.is_some();
    let figures = measure_beside(
        bench,
        name,
        Unit::Bytes,
        4 * n * n,
        &mut || product.run(&matrix, &x, &mut y),
        shaders,
        &mut |shaders| {
            let mut result = z.view_mut();
            let arguments = Arguments {
                a: a.view().reinterpret()?,
                b: x.view().reinterpret()?,
                c: result.reinterpret()?,
                n,
                p: n,
                ..Arguments::default()
            };
            shaders.run(0, n / 8, arguments)
        },
    )?;
    if is_beside {
        compare_all(&z.to_vec()?, &y.to_vec()?, false)?;
    }
    Ok(figures)
}

fn gemm<T: MatrixElement>(bench: &Bench, name: &str, n: usize, product: Gemm<T>) -> Outcome {
    let [a, b, mut exact, mut fast] = arrays(bench, [n, n])?;
    measure(
        bench,
        name,
        Unit::Flops,
        2 * n.pow(3),
        &mut [
            ("checked", &mut || product.run(&a, &b, &mut exact)),
            ("fast_math", &mut || {
                product.fast_math().run(&a, &b, &mut fast)
            }),
        ],
    )
}

/// The product of matrices beside a kernel in GLSL, which needs multiples of 128.
fn beside_blocks(bench: &Bench) -> Outcome {
    let n = bench.size(4096, 128);
    if bench.is_on_cpu() {
        return gemm::<f32>(bench, "gemm", n, Gemm::new());
    }
    let module = |name| {
        Ok::<_, Box<dyn std::error::Error>>(
            foreign::versions(name, bench.glsl.as_deref())?.remove(0).1,
        )
    };
    let (exact, fast) = (module("blocked")?, module("blocked-fast")?);
    let (exact, fast) = (Version::Foreign(exact), Version::Foreign(fast));
    let factor = |seed| {
        Array::builder([n, n])
            .on(&bench.view)
            .data(&random::floats(seed, n * n))
            .build()
    };
    let (a, b) = (factor(1)?, factor(2)?);
    let [mut c, mut d, mut e, mut f] = arrays(bench, [n, n])?;
    let product = Gemm::new();
    let view = &bench.view;
    let figures = measure(
        bench,
        "gemm",
        Unit::Flops,
        2 * n.pow(3),
        &mut [
            ("checked", &mut || product.run(&a, &b, &mut c)),
            ("fast_math", &mut || product.fast_math().run(&a, &b, &mut d)),
            ("GLSL", &mut || {
                blocked_product(view, &exact, [&a, &b], &mut e, false)
            }),
            ("GLSL, fast", &mut || {
                blocked_product(view, &fast, [&a, &b], &mut f, true)
            }),
        ],
    )?;
    let expected = c.to_vec()?;
    for found in [d, e, f] {
        compare_all(&found.to_vec()?, &expected, false)?;
    }
    Ok(figures)
}

/// Operations as they are usually counted: 5 n log n.
fn fft<T: FftElement, const D: usize>(bench: &Bench, name: &str, lengths: [usize; D]) -> Outcome {
    let size: usize = lengths.iter().product();
    let mut fft = Fft::<T, D>::new(lengths)?;
    let [x, mut y] = arrays(bench, [size])?;
    let launch = &mut || fft.forward(&x, &mut y);
    measure(
        bench,
        name,
        Unit::Flops,
        transform_flops(size),
        &mut [("checked", launch)],
    )
}

fn transform_flops(size: usize) -> usize {
    (5.0 * size as f64 * (size as f64).log2()) as usize
}

/// The transform of a line beside one in GLSL, for powers of two.
fn line(bench: &Bench) -> Outcome {
    let n = bench.size(1 << 24, 1 << 10);
    let mut fft = Fft::<f32, 1>::new([n])?;
    let parts = random::floats(1, 2 * n);
    let numbers: Vec<Complex32> = parts
        .as_chunks()
        .0
        .iter()
        .map(|[re, im]| Complex32 { re: *re, im: *im })
        .collect();
    let x = Array::builder(n).on(&bench.view).data(&numbers).build()?;
    let [mut y, mut one, mut other] = arrays::<Complex32, 1, 3>(bench, [n])?;
    let shaders = Shaders::of(bench, "fft", 2)?;
    let is_beside = shaders.is_some();
    let figures = measure_beside(
        bench,
        "fft",
        Unit::Flops,
        transform_flops(n),
        &mut || fft.forward(&x, &mut y),
        shaders,
        &mut |shaders| {
            let mut done = 1;
            while done < n {
                let (step, radix) = match (n / done).ilog2() % 2 {
                    1 => (0, 2),
                    _ => (1, 4),
                };
                let from = if done == 1 { &x } else { &one };
                let mut to = other.view_mut();
                let arguments = Arguments {
                    a: from.view().reinterpret()?,
                    c: to.reinterpret()?,
                    n,
                    p: done,
                    ..Arguments::default()
                };
                shaders.run(step, (n / radix).div_ceil(256), arguments)?;
                drop(to);
                std::mem::swap(&mut one, &mut other);
                done *= radix;
            }
            Ok(())
        },
    )?;
    if is_beside {
        // Of about 1, as sums of so many numbers are larger.
        let scale = 1.0 / (n as f32).sqrt();
        let parts = |points: Vec<Complex32>| -> Vec<f32> {
            let parts = points.iter().flat_map(|x| [x.re, x.im]);
            parts.map(|x| x * scale).collect()
        };
        compare_all(&parts(one.to_vec()?), &parts(y.to_vec()?), false)?;
    }
    Ok(figures)
}

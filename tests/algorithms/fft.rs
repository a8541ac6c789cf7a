use std::f64::consts::TAU;

use amp::algorithms::{Complex32, Complex64, Fft, FftElement};
use amp::prelude::*;
use testkit::views;

/// Complex numbers of both types.
trait Complex: amp::Element + PartialEq {
    type Real: FftElement<Complex = Self> + PartialEq;

    /// How far a result may be from the exact one, for numbers of about 1.
    const TOLERANCE: f64;

    fn new(re: f64, im: f64) -> Self;
    fn parts(self) -> [f64; 2];
    fn real(x: f64) -> Self::Real;
    fn of_real(x: Self::Real) -> f64;
}

impl Complex for Complex32 {
    type Real = f32;

    const TOLERANCE: f64 = 1e-6;

    fn new(re: f64, im: f64) -> Self {
        let (re, im) = (re as f32, im as f32);
        Self { re, im }
    }

    fn parts(self) -> [f64; 2] {
        [self.re, self.im].map(f64::from)
    }

    fn real(x: f64) -> f32 {
        x as f32
    }

    fn of_real(x: f32) -> f64 {
        f64::from(x)
    }
}

impl Complex for Complex64 {
    type Real = f64;

    const TOLERANCE: f64 = 2e-15;

    fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }

    fn parts(self) -> [f64; 2] {
        [self.re, self.im]
    }

    fn real(x: f64) -> f64 {
        x
    }

    fn of_real(x: f64) -> f64 {
        x
    }
}

fn points<C: Complex>(count: usize) -> Vec<C> {
    let mut random = fastrand::Rng::with_seed(5);
    let number = |_| C::new(random.f64() * 2.0 - 1.0, random.f64() * 2.0 - 1.0);
    (0..count).map(number).collect()
}

/// The transform along a dimension, by its definition.
fn along(points: &mut [[f64; 2]], length: usize, beside: usize) {
    let roots: Vec<[f64; 2]> = (0..length)
        .map(|k| (TAU * k as f64 / length as f64).sin_cos())
        .map(|(sine, cosine)| [cosine, -sine])
        .collect();
    for block in points.chunks_mut(length * beside) {
        for line in 0..beside {
            let x: Vec<[f64; 2]> = (0..length).map(|n| block[n * beside + line]).collect();
            for k in 0..length {
                let terms = (0..length).map(|n| (x[n], roots[n * k % length]));
                block[k * beside + line] = terms.fold([0.0; 2], |sum, (x, w)| {
                    let [re, im] = [x[0] * w[0] - x[1] * w[1], x[0] * w[1] + x[1] * w[0]];
                    [sum[0] + re, sum[1] + im]
                });
            }
        }
    }
}

fn transformed<C: Complex, const D: usize>(points: &[C], lengths: [usize; D]) -> Vec<[f64; 2]> {
    let mut points: Vec<[f64; 2]> = points.iter().map(|point| point.parts()).collect();
    let mut beside = 1;
    for length in lengths.into_iter().rev() {
        along(&mut points, length, beside);
        beside *= length;
    }
    points
}

/// Requires that two results are near, relative to the square root of the size.
fn assert_near<C: Complex>(found: &[C], expected: &[[f64; 2]], size: usize, name: &str) {
    let tolerance = C::TOLERANCE * (size as f64).sqrt() * (2.0 + (size as f64).log2());
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let [re, im] = found.parts();
        let distance = (re - expected[0]).hypot(im - expected[1]);
        assert!(
            distance <= tolerance,
            "{name}, {at}: {re} {im} is not {expected:?}"
        );
    }
}

/// Transforms, several at once, forth and back, on every accelerator.
fn transforms<C: Complex, const D: usize>(lengths: [usize; D], batch: usize) {
    let before = points::<C>(lengths.iter().product::<usize>() * batch);
    let expected = transformed(&before, lengths);
    transforms_to(&before, &expected, lengths, lengths.iter().product());
}

/// The same of known numbers, whose transforms are sums of so many terms of about 1.
fn transforms_to<C: Complex, const D: usize>(
    before: &[C],
    expected: &[[f64; 2]],
    lengths: [usize; D],
    terms: usize,
) {
    let total = before.len();
    let mut first = None;
    for view in views() {
        let name = format!("{view}: {total} of {lengths:?}");
        let array = || Array::builder(total).on(&view);
        let x = array().data(before).build().unwrap();
        let (mut y, mut z) = (array().build().unwrap(), array().build().unwrap());
        let mut fft = Fft::<C::Real, D>::new(lengths).unwrap();
        fft.forward(&x, &mut y).unwrap();
        let spectrum = y.to_vec().unwrap();
        assert_near(&spectrum, expected, terms, &name);
        fft.inverse(&y, &mut z).unwrap();
        let back = z.to_vec().unwrap();
        let original: Vec<[f64; 2]> = before.iter().map(|point| point.parts()).collect();
        assert_near(&back, &original, terms, &name);
        // The same bits everywhere.
        let (known, known_back) = first.get_or_insert((spectrum.clone(), back.clone()));
        assert!(*known == spectrum && *known_back == back, "{name}");
    }
}

fn real<C: Complex, const D: usize>(lengths: [usize; D], batch: usize) {
    let size: usize = lengths.iter().product();
    let (total, last) = (size * batch, lengths[D - 1]);
    let numbers: Vec<f64> = points::<C>(total).iter().map(|x| x.parts()[0]).collect();
    let complex: Vec<C> = numbers.iter().map(|x| C::new(*x, 0.0)).collect();
    let expected: Vec<[f64; 2]> = transformed(&complex, lengths)
        .chunks(last)
        .flat_map(|line| line[..last / 2 + 1].to_vec())
        .collect();
    let numbers: Vec<C::Real> = numbers.iter().map(|x| C::real(*x)).collect();
    let mut first = None;
    for view in views() {
        let name = format!("{view}: {batch} × {lengths:?}");
        let x = Array::builder(total)
            .on(&view)
            .data(&numbers)
            .build()
            .unwrap();
        let mut y = Array::builder(expected.len()).on(&view).build().unwrap();
        let mut z = Array::builder(total).on(&view).build().unwrap();
        let mut fft = Fft::<C::Real, D>::new(lengths).unwrap();
        fft.forward_real(&x, &mut y).unwrap();
        let spectrum = y.to_vec().unwrap();
        assert_near(&spectrum, &expected, size, &name);
        fft.inverse_real(&y, &mut z).unwrap();
        let found = z.to_vec().unwrap();
        // The same bits everywhere.
        let (known, known_back) = first.get_or_insert((spectrum.clone(), found.clone()));
        assert!(*known == spectrum && *known_back == found, "{name}");
        let back: Vec<C> = found
            .into_iter()
            .map(|x| C::new(C::of_real(x), 0.0))
            .collect();
        let original: Vec<[f64; 2]> = complex.iter().map(|x| x.parts()).collect();
        assert_near(&back, &original, size, &name);
    }
}

#[test]
fn lines_of_small_factors() {
    for length in [
        1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 31, 32, 60, 64, 100, 128, 210, 256, 343,
    ] {
        transforms::<Complex32, 1>([length], 1);
        transforms::<Complex64, 1>([length], 3);
    }
}

#[test]
fn lines_of_several_passes() {
    for length in [512, 1000, 1024, 2048, 1155, 2310] {
        transforms::<Complex32, 1>([length], 2);
        transforms::<Complex64, 1>([length], 1);
    }
}

/// Two pulses, of which the transform by its definition has two terms.
fn pulses<C: Complex>(length: usize) {
    let places = [length / 3, length - 2];
    let mut before = vec![C::new(0.0, 0.0); length];
    before[places[0]] = C::new(1.0, 0.0);
    before[places[1]] = C::new(0.0, -0.5);
    let expected: Vec<[f64; 2]> = (0..length)
        .map(|k| {
            let [(sine, cosine), (other_sine, other_cosine)] =
                places.map(|place| (TAU * (place * k % length) as f64 / length as f64).sin_cos());
            [cosine - 0.5 * other_sine, -sine - 0.5 * other_cosine]
        })
        .collect();
    transforms_to(&before, &expected, [length], places.len());
}

#[test]
fn long_lines() {
    for length in [1 << 12, 1 << 13, 1 << 16, 1 << 17] {
        pulses::<Complex32>(length);
    }
    pulses::<Complex64>(1 << 17);
}

#[test]
fn lines_of_large_factors() {
    for length in [37, 41, 74, 127, 257, 1009] {
        transforms::<Complex32, 1>([length], 2);
        transforms::<Complex64, 1>([length], 1);
    }
}

#[test]
fn matrices_and_volumes() {
    for lengths in [
        [1, 8],
        [8, 1],
        [1, 1],
        [4, 6],
        [30, 16],
        [37, 5],
        [16, 41],
        [300, 8],
        [32, 32],
        [512, 3],
        [3, 128],
    ] {
        transforms::<Complex32, 2>(lengths, 2);
    }
    transforms::<Complex64, 2>([24, 10], 1);
    for lengths in [[2, 3, 5], [8, 1, 8], [7, 37, 4]] {
        transforms::<Complex32, 3>(lengths, 2);
    }
    transforms::<Complex64, 3>([4, 10, 6], 1);
}

#[test]
fn real_numbers() {
    for length in [1, 2, 3, 4, 6, 8, 9, 37, 74, 300, 512, 1024] {
        real::<Complex32, 1>([length], 2);
    }
    real::<Complex64, 1>([64], 1);
    for lengths in [[4, 6], [5, 7], [1, 4], [4, 1], [37, 32], [16, 10]] {
        real::<Complex32, 2>(lengths, 2);
    }
    real::<Complex64, 3>([3, 4, 6], 2);
    real::<Complex64, 3>([2, 3, 5], 1);
}

#[test]
fn extents_that_do_not_fit_are_refused() {
    let array = |length: usize| Array::<Complex32, 1>::zeroed(length).unwrap();
    let mut fft = Fft::<f32, 2>::new([2, 3]).unwrap();
    let error = fft.forward(&array(8), &mut array(8)).unwrap_err();
    let wanted = "transforms of [2, 3] take a multiple of 6 elements";
    assert!(error.to_string().contains(wanted), "{error}");
    assert!(fft.forward(&array(12), &mut array(6)).is_err());
    assert!(Fft::<f32, 1>::new([0]).is_err());
    assert!(Fft::<f32, 4>::new([2; 4]).is_err());
}

/// What a spectrum of real numbers cannot have is ignored: imaginary parts of the first and the middle result.
#[test]
fn spectra_of_no_real_numbers() {
    for length in [7, 8] {
        for view in views() {
            let mut spectrum = vec![Complex32::default(); length / 2 + 1];
            spectrum[0] = Complex32 { re: 1.0, im: 5.0 };
            let last = spectrum.len() - 1;
            if length % 2 == 0 {
                spectrum[last].im = 3.0;
            }
            let y = Array::builder(spectrum.len()).on(&view).data(&spectrum);
            let mut x = Array::builder(length).on(&view).build().unwrap();
            let mut fft = Fft::<f32, 1>::new([length]).unwrap();
            fft.inverse_real(&y.build().unwrap(), &mut x).unwrap();
            for found in x.to_vec().unwrap() {
                assert!(
                    (found - 1.0 / length as f32).abs() < 1e-6,
                    "{view}: {found}"
                );
            }
        }
    }
}

#[test]
fn real_in_a_graph() {
    let before: Vec<f64> = (0..24).map(|i| f64::from(i % 7)).collect();
    for view in views() {
        let numbers = Array::builder(24).on(&view).data(&before).build().unwrap();
        let spectrum = Array::<Complex64, 1>::builder(16)
            .on(&view)
            .build()
            .unwrap();
        let fft = Fft::<f64, 2>::new([4, 6]).unwrap();
        let mut graph = view
            .record_with((fft, numbers, spectrum), |recording, (fft, x, y)| {
                fft.forward_real_on(recording, x, y)?;
                fft.inverse_real_on(recording, y, x)
            })
            .unwrap();
        for _ in 0..3 {
            graph.replay().unwrap();
        }
        let after = graph.captures().1.to_vec().unwrap();
        let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-14;
        assert!(after.iter().zip(&before).all(near), "{view}: {after:?}");
    }
}

#[test]
fn in_a_graph() {
    let before = points::<Complex32>(37);
    for view in views() {
        let array = || Array::builder(37).on(&view).data(&before).build().unwrap();
        let fft = Fft::<f32, 1>::new([37]).unwrap();
        let mut graph = view
            .record_with((fft, array(), array()), |recording, (fft, x, y)| {
                fft.forward_on(recording, x, y)?;
                fft.inverse_on(recording, y, x)
            })
            .unwrap();
        for _ in 0..3 {
            graph.replay().unwrap();
        }
        let after = graph.captures().1.to_vec().unwrap();
        let original: Vec<[f64; 2]> = before.iter().map(|point| point.parts()).collect();
        assert_near(&after, &original, 37, &format!("{view}"));
    }
}

use std::fmt::Debug;

use amp::algorithms::random::{
    Philox, fill_bits, fill_normal, fill_poisson, fill_range, fill_uniform, fill_uniform_on,
    philox4x32,
};
use amp::prelude::*;
use half::{bf16, f16};
use testkit::{accelerators, gives, input, launch, views};

/// Random123's known answers: counter, key and words.
const KNOWN: [([u32; 4], [u32; 2], [u32; 4]); 3] = [
    (
        [0; 4],
        [0; 2],
        [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8],
    ),
    (
        [u32::MAX; 4],
        [u32::MAX; 2],
        [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd],
    ),
    (
        [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
        [0xa409_3822, 0x299f_31d0],
        [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
    ),
];

#[amp_kernel]
fn blocks(idx: Index<1>, given: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let at = 6 * idx[0];
    let counter = [given[at], given[at + 1], given[at + 2], given[at + 3]];
    let words = philox4x32(counter, [given[at + 4], given[at + 5]]);
    for k in 0..4 {
        out[4 * idx[0] + k] = words[k];
    }
}

#[test]
fn known_answers() {
    let given: Vec<u32> = KNOWN
        .iter()
        .flat_map(|(counter, key, _)| [counter.as_slice(), key].concat())
        .collect();
    let expected: Vec<u32> = KNOWN.iter().flat_map(|(.., words)| *words).collect();
    for (counter, key, words) in KNOWN {
        assert_eq!(philox4x32(counter, key), words);
    }
    gives(&expected, |view, out| {
        launch(view, KNOWN.len(), blocks(&input(&given), out))
    });
}

#[amp_kernel]
fn draw(idx: Index<1>, random: Philox, out: &mut ArrayViewMut<u32, 1>) {
    let mut own = random.stream(idx[0] as u32).substream(3);
    let sum =
        own.next_u32() ^ own.below(1000) ^ own.uniform().to_bits() ^ own.below_u64(1 << 35) as u32;
    let [x, y] = own.normals();
    out[idx] = sum ^ x.to_bits() ^ y.to_bits() ^ own.poisson(4.0) ^ own.poisson(40.0);
}

/// Kernels and the host draw the same numbers.
#[test]
fn kernels_draw_as_the_host() {
    let random = Philox::new(0x1234_5678_9abc_def0);
    let drawn = |i: u32| {
        let mut own = random.stream(i).substream(3);
        let sum = own.next_u32()
            ^ own.below(1000)
            ^ own.uniform().to_bits()
            ^ own.below_u64(1 << 35) as u32;
        let [x, y] = own.normals();
        sum ^ x.to_bits() ^ y.to_bits() ^ own.poisson(4.0) ^ own.poisson(40.0)
    };
    let expected: Vec<u32> = (0..1000).map(drawn).collect();
    gives(&expected, |view, out| launch(view, 1000, draw(random, out)));
}

/// Requires that arrays, and sections of them, are filled with these numbers on every accelerator.
fn fills<T: amp::Element + PartialEq + Debug>(
    numbers: impl Fn(usize) -> Vec<T>,
    fill: impl Fn(&mut ArrayViewMut<'_, T, 1>) -> amp::Result<()>,
) {
    for view in views() {
        for n in [1, 2, 3, 4, 5, 31, 1001] {
            let mut array = Array::builder(n + 5).on(&view).build().unwrap();
            fill(&mut array.section_mut(3, n).unwrap()).unwrap();
            let found = array.to_vec().unwrap();
            assert_eq!(found[3..n + 3], numbers(n), "{view}, {n}");
            let outside = [&found[..3], &found[n + 3..]].concat();
            assert_eq!(outside, vec![T::zeroed(); 5], "{view}, {n}");
        }
    }
}

#[test]
fn elements_are_what_the_generator_draws() {
    let random = Philox::new(42).stream(7);
    let drawn = |n: usize| {
        let mut random = random;
        (0..n).map(|_| random.next_u32()).collect()
    };
    fills(drawn, |out| fill_bits(random, out));
    let drawn = |n: usize| {
        let mut random = random;
        (0..n).map(|_| random.uniform()).collect()
    };
    fills(drawn, |out| fill_uniform(random, out));
    let drawn = |n: usize| {
        let mut random = random;
        (0..n).map(|_| random.uniform_f64()).collect()
    };
    fills(drawn, |out| fill_uniform(random, out));
    let drawn = |n: usize| {
        let mut random = random;
        let normals = (0..n).flat_map(|_| random.normals());
        normals.map(|x| 1.5 + 0.25 * x).take(n).collect()
    };
    fills(drawn, |out| fill_normal(random, 1.5, 0.25, out));
    let drawn = |n: usize| {
        let mut random = random;
        let normals = (0..n).flat_map(|_| random.normals_f64());
        normals.map(|x| 1.5 + 0.25 * x).take(n).collect()
    };
    fills(drawn, |out| fill_normal(random, 1.5, 0.25, out));
}

/// Integers of ranges are the generator's words, scaled, as are those that kernels draw one by one.
#[test]
fn ranges_are_scaled_words() {
    let random = Philox::new(44);
    macro_rules! check {
        ($($integer:ident: $below:ident as $unsigned:ident;)*) => {$(
            for (low, high) in [($integer::MIN, $integer::MAX), (3, 100), ($integer::MIN, $integer::MIN + 1)] {
                let span = (high as $unsigned).wrapping_sub(low as $unsigned);
                let drawn = |n: usize| {
                    let mut random = random;
                    let mut next = || (low as $unsigned).wrapping_add(random.$below(span)) as $integer;
                    (0..n).map(|_| next()).collect()
                };
                fills(drawn, |out| fill_range(random, low..high, out));
            }
        )*};
    }
    check! {
        i8: below as u32;
        u8: below as u32;
        i16: below as u32;
        u16: below as u32;
        i32: below as u32;
        u32: below as u32;
        i64: below_u64 as u64;
        u64: below_u64 as u64;
    }
}

#[test]
fn halves_are_the_first_bits_or_rounded() {
    let random = Philox::new(43);
    macro_rules! check {
        ($half:ident, $bits:literal) => {
            let drawn = |n: usize| {
                let mut random = random;
                let mut next = || (random.next_u32() >> (32 - $bits)) as f32 / (1 << $bits) as f32;
                (0..n).map(|_| $half::from_f32(next())).collect()
            };
            fills(drawn, |out| fill_uniform(random, out));
            let (mean, deviation) = ($half::from_f32(1.5), $half::from_f32(0.3));
            let drawn = |n: usize| {
                let mut random = random;
                let normals = (0..n).flat_map(|_| random.normals());
                let numbers = normals.map(|x| mean.to_f32() + deviation.to_f32() * x);
                numbers.map($half::from_f32).take(n).collect()
            };
            fills(drawn, |out| fill_normal(random, mean, deviation, out));
        };
    }
    check!(f16, 11);
    check!(bf16, 8);
}

/// What each accelerator fills an array with, which is the same.
fn everywhere<T: amp::Element + PartialEq>(
    n: usize,
    fill: impl Fn(&mut Array<T, 1>) -> amp::Result<()>,
) -> Vec<T> {
    let all = accelerators().into_iter().map(|accelerator| {
        let view = accelerator.default_view().unwrap();
        let mut array = Array::builder(n).on(&view).build().unwrap();
        fill(&mut array).unwrap();
        array.to_vec().unwrap()
    });
    let all: Vec<Vec<T>> = all.collect();
    assert!(all.iter().all(|one| *one == all[0]));
    all.into_iter().next().unwrap()
}

/// The mean and the variance.
fn moments(numbers: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let n = numbers.clone().count() as f64;
    let mean = numbers.clone().sum::<f64>() / n;
    (mean, numbers.map(|x| (x - mean).powi(2)).sum::<f64>() / n)
}

const MANY: usize = 1 << 16;

#[test]
fn uniform_and_normal_numbers_have_their_moments() {
    let random = Philox::new(1);
    let uniform: Vec<f32> = everywhere(MANY, |out| fill_uniform(random, out));
    assert!(uniform.iter().all(|x| (0.0..1.0).contains(x)));
    let (mean, variance) = moments(uniform.iter().map(|x| f64::from(*x)));
    assert!((mean - 0.5).abs() < 0.005 && (variance - 1.0 / 12.0).abs() < 0.002);
    let normal: Vec<f32> = everywhere(MANY, |out| fill_normal(random, 3.0, 2.0, out));
    let (mean, variance) = moments(normal.iter().map(|x| f64::from(*x)));
    assert!((mean - 3.0).abs() < 0.04 && (variance - 4.0).abs() < 0.1);
    let beyond = normal.iter().filter(|x| (**x - 3.0).abs() > 2.0).count();
    assert!((beyond as f64 / MANY as f64 - 0.3173).abs() < 0.01);
}

#[test]
fn integers_have_no_bias() {
    let random = Philox::new(2);
    let dice: Vec<i32> = everywhere(MANY, |out| fill_range(random, -2..4, out));
    for pips in -2..4 {
        let count = dice.iter().filter(|x| **x == pips).count();
        assert!((count as f64 / MANY as f64 - 1.0 / 6.0).abs() < 0.01);
    }
    assert!(dice.iter().all(|x| (-2..4).contains(x)));
    // Scaled without rejection, two words of four would give an even number of every third.
    let bound = 3 << 30;
    let large: Vec<u32> = everywhere(MANY, |out| fill_range(random, 0..bound, out));
    let of_third = |third: u32| large.iter().filter(|x| **x % 3 == third).count();
    for third in 0..3 {
        assert!((of_third(third) as f64 / MANY as f64 - 1.0 / 3.0).abs() < 0.01);
    }
    assert!(large.iter().all(|x| *x < bound));
    // The same of 64 bits.
    let bound = 3 << 62;
    let large: Vec<u64> = everywhere(MANY, |out| fill_range(random, 0..bound, out));
    let of_third = |third: u64| large.iter().filter(|x| **x % 3 == third).count();
    for third in 0..3 {
        assert!((of_third(third) as f64 / MANY as f64 - 1.0 / 3.0).abs() < 0.01);
    }
    assert!(large.iter().all(|x| *x < bound));
    let all: Vec<i32> = everywhere(100, |out| fill_range(random, i32::MIN..i32::MAX, out));
    assert!(all.iter().any(|x| *x < 0) && all.iter().any(|x| *x > 0));
}

#[test]
fn poisson_numbers_have_their_moments() {
    for mean in [0.0, 0.3, 4.0, 9.99, 10.0, 47.5, 3000.0, 1e6] {
        let found = everywhere(MANY, |out| fill_poisson(Philox::new(3), mean, out));
        let (of_found, variance) = moments(found.iter().map(|x| f64::from(*x)));
        let mean = f64::from(mean);
        assert!(
            (of_found - mean).abs() <= 4.0 * (mean / MANY as f64).sqrt(),
            "{mean}: {of_found}"
        );
        assert!((variance - mean).abs() <= 0.03 * mean, "{mean}: {variance}");
        // The probability of the mean.
        if (4.0..100.0).contains(&mean) && mean.fract() == 0.0 {
            let expected = (1..=mean as u32).fold((-mean).exp(), |p, k| p * mean / f64::from(k));
            let at = found.iter().filter(|x| f64::from(**x) == mean).count();
            assert!((at as f64 / MANY as f64 - expected).abs() < 0.006);
        }
    }
    let nothing = everywhere(3, |out| fill_poisson(Philox::new(3), f32::NAN, out));
    assert_eq!(nothing, [0; 3]);
}

#[test]
fn an_empty_range_is_refused() {
    let mut out = ArrayViewMut::<i32, 1>::uninit(3).unwrap();
    let error = fill_range(Philox::new(1), 5..5, &mut out).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the range of random numbers is empty")
    );
}

#[test]
fn in_a_graph() {
    for view in views() {
        let array = Array::<f32, 1>::builder(100).on(&view).build().unwrap();
        let mut graph = view
            .record_with((array, 0), |recording, (array, step)| {
                fill_uniform_on(recording, Philox::new(1).stream(*step), array)
            })
            .unwrap();
        for step in 0..3 {
            graph.captures_mut().1 = step;
            graph.replay().unwrap();
            let mut random = Philox::new(1).stream(step);
            let expected: Vec<f32> = (0..100).map(|_| random.uniform()).collect();
            assert_eq!(graph.captures().0.to_vec().unwrap(), expected);
        }
    }
}

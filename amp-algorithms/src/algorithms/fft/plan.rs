//! What the transform of a length consists of: passes, or a convolution with a chirp.

use super::super::launcher::{Anywhere, Launcher};
use super::element::{Kernels, Tables};
use super::kernels::{Chirp, Pass};
use super::powers::PowerPass;
use crate::precise_math::double::{cospi, sinpi};
use crate::{ArrayView, ArrayViewMut, Element, Result};

/// The largest prime factor of a length that passes transform, and the largest short transform.
const LARGEST_RADIX: usize = 31;
const LARGEST_SHORT: usize = 256;

/// The smallest and the largest short transform of a power of two, as exponents.
const SMALLEST_POWER: u32 = 4;
const LARGEST_POWER: u32 = 8;

/// A table, which goes where it is used.
pub type Table<P> = ArrayViewMut<'static, P, 1>;

pub fn table<P: Element>(elements: &[P]) -> Result<Table<P>> {
    let mut table = ArrayViewMut::uninit(elements.len())?;
    table.data_mut()?.copy_from_slice(elements);
    Ok(table)
}

/// The root of unity of a length by which a forward transform multiplies.
fn root<T: Kernels>(index: u64, length: u64) -> T::Pair {
    let angle = 2.0 * (index % length) as f64 / length as f64;
    T::pair(cospi(angle), -sinpi(angle))
}

pub fn roots<T: Kernels>(
    count: usize,
    index: impl Fn(u64) -> u64,
    length: usize,
) -> Result<Table<T::Pair>> {
    let roots = (0..count as u64).map(|at| root::<T>(index(at), length as u64));
    table(&roots.collect::<Vec<_>>())
}

/// The roots of unity of a length: some, and the relative distances of others from these.
struct Roots<P: Element> {
    coarse: Table<P>,
    fine: Table<P>,
    /// The bits of an index that `fine` is for.
    bits: u32,
}

impl<P: Element> Roots<P> {
    fn new<T: Kernels<Pair = P>>(length: usize) -> Result<Self> {
        // Few, as distances add to what is rounded. That 16 rows of a pass over a power of two are a multiple
        // of them is what its kernel relies on.
        let power = length.ilog2();
        let bits = power
            .saturating_sub(2 * LARGEST_POWER - 4)
            .min(power.div_ceil(2));
        let distance = |index: u32| {
            let angle = 2.0 * f64::from(index) / length as f64;
            T::pair(-2.0 * sinpi(angle / 2.0).powi(2), -sinpi(angle))
        };
        Ok(Self {
            coarse: roots::<T>((length >> bits) + 1, |at| at << bits, length)?,
            fine: table(&(0..1 << bits).map(distance).collect::<Vec<_>>())?,
            bits,
        })
    }
}

/// A short transform, with its roots of unity.
struct Short<T: Kernels> {
    size: usize,
    roots: Table<T::Pair>,
    /// Those of its stages, unless it is of a power of two, which has kernels of its own.
    radices: Option<Table<u32>>,
}

/// The passes of a length.
pub struct Passes<T: Kernels> {
    length: usize,
    shorts: Vec<Short<T>>,
    roots: Roots<T::Pair>,
}

/// The transform of a length, of which any prime factor may be large: a convolution with a chirp, by
/// transforms of a power of two (Bluestein).
pub struct Convolution<T: Kernels> {
    length: usize,
    passes: Passes<T>,
    twiddles: Table<T::Pair>,
    spectrum: Table<T::Pair>,
    /// Padded lines.
    padded: Option<[Table<T::Pair>; 2]>,
}

/// The transform along a dimension.
pub enum Axis<T: Kernels> {
    Passes(Box<Passes<T>>),
    Convolution(Box<Convolution<T>>),
}

/// Two buffers that steps read and write in turn, so that the last one writes the result.
pub struct Buffers<'b, 'v, P: Element> {
    /// What the first step reads, if that is in neither buffer.
    pub input: Option<&'b ArrayView<'v, P, 1>>,
    pub spare: &'b mut ArrayViewMut<'v, P, 1>,
    pub result: &'b mut ArrayViewMut<'v, P, 1>,
    /// Steps that are still to come.
    pub steps: usize,
}

impl<P: Element> Buffers<'_, '_, P> {
    fn step(
        &mut self,
        run: impl FnOnce(&ArrayView<'_, P, 1>, &mut ArrayViewMut<'_, P, 1>) -> Result<()>,
    ) -> Result<()> {
        let to_result = self.steps % 2 == 1;
        self.steps -= 1;
        match (self.input.take(), to_result) {
            (Some(from), true) => run(from, self.result),
            (Some(from), false) => run(from, self.spare),
            (None, true) => run(&self.spare.as_view(), self.result),
            (None, false) => run(&self.result.as_view(), self.spare),
        }
    }
}

/// How lines lie in memory, and what is done to them.
#[derive(Clone, Copy)]
pub struct Lines {
    /// Lines side by side, whose elements alternate.
    pub beside: usize,
    pub inverts: bool,
    /// By which results are multiplied.
    pub scale: f64,
}

/// The prime factors, if none is too large.
fn radices(length: usize) -> Option<Vec<usize>> {
    let mut rest = length;
    let mut radices = Vec::new();
    for radix in [4].into_iter().chain(2..=LARGEST_RADIX) {
        while rest.is_multiple_of(radix) {
            radices.push(radix);
            rest /= radix;
        }
    }
    (rest == 1).then_some(radices)
}

impl<T: Kernels> Short<T> {
    fn new(size: usize, radices: Option<Table<u32>>) -> Result<Self> {
        Ok(Self {
            size,
            roots: roots::<T>(size, |at| at, size)?,
            radices,
        })
    }
}

impl<T: Kernels> Passes<T> {
    fn new(length: usize, shorts: Vec<Short<T>>) -> Result<Self> {
        Ok(Self {
            length,
            shorts,
            roots: Roots::new::<T>(length)?,
        })
    }

    /// The passes of a product of small primes.
    fn of_radices(length: usize, radices: &[usize]) -> Result<Self> {
        let mut shorts: Vec<Vec<usize>> = vec![Vec::new()];
        for radix in radices {
            let last = shorts.len() - 1;
            match shorts[last].iter().product::<usize>() * radix <= LARGEST_SHORT {
                true => shorts[last].push(*radix),
                false => shorts.push(vec![*radix]),
            }
        }
        let short = |radices: &Vec<usize>| {
            // The transform of one element has a stage, too, which copies it.
            let of_one = if radices.is_empty() { &[1][..] } else { &[] };
            let stages = radices.iter().map(|radix| *radix as u32);
            let stages: Vec<u32> = stages.chain(of_one.iter().copied()).collect();
            Short::new(radices.iter().product(), Some(table(&stages)?))
        };
        Self::new(length, shorts.iter().map(short).collect::<Result<_>>()?)
    }

    /// The passes of a power of two, the first ones of which are as large as they can be.
    fn of_power(length: usize) -> Result<Self> {
        let mut power = length.ilog2();
        let mut shorts = Vec::new();
        for later in (0..power.div_ceil(LARGEST_POWER)).rev() {
            let own = LARGEST_POWER.min(power - later * SMALLEST_POWER);
            shorts.push(Short::new(1 << own, None)?);
            power -= own;
        }
        Self::new(length, shorts)
    }

    /// Transforms lines, a step for each pass.
    fn run(
        &self,
        on: &mut impl Launcher,
        lines: Lines,
        buffers: &mut Buffers<'_, '_, T::Pair>,
    ) -> Result<()> {
        let total = buffers.result.extent()[0];
        let mut done = 1;
        let sizes = self.shorts.iter().map(|short| short.size);
        let next = sizes.skip(1).map(Some).chain([None]);
        for (short, next) in self.shorts.iter().zip(next) {
            let size = short.size;
            let columns = (self.length / size * lines.beside) as u32;
            let count = (total / size) as u32;
            let tables = Tables {
                short: &short.roots,
                coarse: &self.roots.coarse,
                fine: &self.roots.fine,
            };
            let is_last = next.is_none();
            let scale = T::of_f64(if is_last { lines.scale } else { 1.0 });
            match &short.radices {
                Some(radices) => {
                    let pass = Pass {
                        size: size as u32,
                        width: (T::POINTS / size).min(total / size) as u32,
                        columns,
                        lines: lines.beside as u32,
                        done: done as u32,
                        count,
                        step: (self.length / (done * size)) as u32,
                        fine_bits: self.roots.bits,
                        inverts: lines.inverts.into(),
                    };
                    buffers
                        .step(|from, to| T::pass(on, radices, pass, scale, &tables, from, to))?;
                }
                None => {
                    let pass = PowerPass {
                        columns,
                        lines: lines.beside as u32,
                        done: done as u32,
                        count,
                        rest: next.map_or(0, |next| self.length / (done * size * next)) as u32,
                        fine_bits: self.roots.bits,
                        inverts: lines.inverts.into(),
                    };
                    buffers
                        .step(|from, to| T::power_pass(on, size, pass, scale, &tables, from, to))?;
                }
            }
            done *= size;
        }
        Ok(())
    }
}

impl<T: Kernels> Convolution<T> {
    fn new(length: usize) -> Result<Self> {
        let padded = (2 * length - 1).next_power_of_two();
        let passes = Passes::of_power(padded)?;
        // Squares are large, and only the remainder counts.
        let square = |at: u64| (u128::from(at).pow(2) % (2 * length as u128)) as u64;
        let twiddles = roots::<T>(length, square, 2 * length)?;
        // The conjugate chirp, on both sides of zero.
        let mut chirp = vec![T::pair(0.0, 0.0); padded];
        for at in 0..length {
            let angle = square(at as u64) as f64 / length as f64;
            chirp[at] = T::pair(cospi(angle), sinpi(angle));
            chirp[(padded - at) % padded] = chirp[at];
        }
        let [mut spare, mut spectrum] = [table(&chirp)?, table(&chirp)?];
        let mut buffers = Buffers {
            input: None,
            spare: &mut spare,
            result: &mut spectrum,
            steps: passes.shorts.len(),
        };
        passes.run(&mut Anywhere, FORWARD, &mut buffers)?;
        Ok(Self {
            length,
            passes,
            twiddles,
            spectrum,
            padded: None,
        })
    }

    /// Transforms lines, in one step.
    fn run(
        &mut self,
        on: &mut impl Launcher,
        lines: Lines,
        buffers: &mut Buffers<'_, '_, T::Pair>,
    ) -> Result<()> {
        let (passes, padded) = (&self.passes, self.passes.length);
        let chirp = Chirp {
            length: self.length as u32,
            padded: padded as u32,
            lines: lines.beside as u32,
            inverts: lines.inverts.into(),
        };
        let total = buffers.result.extent()[0] / self.length * padded;
        let [one, other] = match &mut self.padded {
            Some(kept) if kept[0].extent()[0] == total => kept,
            kept => kept.insert([ArrayViewMut::uninit(total)?, ArrayViewMut::uninit(total)?]),
        };
        let steps = passes.shorts.len();
        // With an odd number of steps, each transform moves the points to the other buffer.
        let is_odd = steps % 2 == 1;
        let scale = T::of_f64(lines.scale / padded as f64);
        buffers.step(|from, to| {
            let padded = if is_odd { &mut *other } else { &mut *one };
            T::pad(on, chirp, &self.twiddles, from, padded)?;
            let mut points = Buffers {
                input: None,
                spare: &mut *other,
                result: &mut *one,
                steps,
            };
            passes.run(on, FORWARD, &mut points)?;
            T::convolve(on, chirp, &self.spectrum, one)?;
            let (spare, result) = if is_odd { (one, other) } else { (other, one) };
            let mut points = Buffers {
                input: None,
                spare,
                result,
                steps,
            };
            let inverse = Lines {
                inverts: true,
                ..FORWARD
            };
            passes.run(on, inverse, &mut points)?;
            T::unpad(
                on,
                chirp,
                scale,
                &self.twiddles,
                &points.result.as_view(),
                to,
            )
        })
    }
}

/// Lines, each by itself.
pub const FORWARD: Lines = Lines {
    beside: 1,
    inverts: false,
    scale: 1.0,
};

impl<T: Kernels> Axis<T> {
    pub fn new(length: usize) -> Result<Self> {
        if length.is_power_of_two() && length.ilog2() >= SMALLEST_POWER {
            return Ok(Self::Passes(Box::new(Passes::of_power(length)?)));
        }
        match radices(length) {
            Some(radices) => Ok(Self::Passes(Box::new(Passes::of_radices(
                length, &radices,
            )?))),
            None => Ok(Self::Convolution(Box::new(Convolution::new(length)?))),
        }
    }

    pub fn length(&self) -> usize {
        match self {
            Self::Passes(passes) => passes.length,
            Self::Convolution(convolution) => convolution.length,
        }
    }

    /// Steps that it takes.
    pub fn steps(&self) -> usize {
        match self {
            Self::Passes(passes) => passes.shorts.len(),
            Self::Convolution(_) => 1,
        }
    }

    pub fn run(
        &mut self,
        on: &mut impl Launcher,
        lines: Lines,
        buffers: &mut Buffers<'_, '_, T::Pair>,
    ) -> Result<()> {
        match self {
            Self::Passes(passes) => passes.run(on, lines, buffers),
            Self::Convolution(convolution) => convolution.run(on, lines, buffers),
        }
    }
}

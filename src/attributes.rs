//! The macros that mark what kernels are made of: `amp-macros` has their code, this file
//! says what they do.

// For the documentation's links.
#[cfg(doc)]
use crate::*;

/// Marks a function as a kernel (C++ AMP §2.2, §7).
///
/// The function is checked against the kernel language and compiled; what is left under
/// its name is a *binding* function: every parameter but the first (the index) becomes an
/// argument, and the result is a [`Kernel`] for [`parallel_for_each`]. Views are passed as
/// references to an [`ArrayView`], [`ArrayViewMut`] or [`Array`], everything else by value.
///
/// The first parameter is `Index<N>`, or `TiledIndex<N, D0[, D1[, D2]]>` for a kernel
/// that runs in tiles. Const parameters are allowed, and type parameters whose types the
/// attribute lists: a call picks the instance by the types of its arguments.
///
/// ```
/// use amp::prelude::*;
///
/// #[amp_kernel(T = f32 | i32)]
/// fn axpy<T: Scalar>(idx: Index<1>, a: T, x: &ArrayView<T, 1>, y: &mut ArrayViewMut<T, 1>) {
///     y[idx] += a * x[idx];
/// }
///
/// # fn main() -> amp::Result<()> {
/// let x = ArrayView::new(2, &[1, 2])?;
/// let mut y = ArrayViewMut::uninit(2)?;
/// parallel_for_each(2, axpy(10, &x, &mut y))?;
/// assert_eq!(y.to_vec()?, [10, 20]);
/// # Ok(())
/// # }
/// ```
///
/// ```
/// use amp::prelude::*;
///
/// #[amp_kernel]
/// fn tile_sums<const N: usize>(
///     t_idx: TiledIndex<1, N>,
///     input: &ArrayView<u32, 1>,
///     sums: &mut ArrayViewMut<u32, 1>,
/// ) {
///     #[tile_static]
///     let mut shared: [u32; N];
///     shared[t_idx.local[0]] = input[t_idx];
///     t_idx.barrier.wait();
///     if t_idx.local[0] == 0 {
///         let mut sum = 0;
///         for i in 0..N {
///             sum += shared[i];
///         }
///         sums[t_idx.tile] = sum;
///     }
/// }
///
/// # fn main() -> amp::Result<()> {
/// let input: Vec<u32> = (0..64).collect();
/// let input = ArrayView::new(64, &input)?;
/// let mut sums = ArrayViewMut::uninit(4)?;
/// parallel_for_each(input.extent().tile::<16>(), tile_sums::<16>(&input, &mut sums))?;
/// assert_eq!(sums.to_vec()?, [120, 376, 632, 888]);
/// # Ok(())
/// # }
/// ```
pub use amp_macros::amp_kernel;

/// Marks a function as a helper that kernels, and other helpers, can call (C++ AMP §2.2).
///
/// It stays an ordinary function. Kernels import it by its path: from the same module,
/// another module, through `use`, or from another crate. A helper that takes the
/// [`TiledIndex`] may have `#[tile_static]` variables and wait at the tile's barrier.
///
/// Its parameters may be references, `&T` and `&mut T`: the caller names a place, a
/// variable or an element of an array, a view or a tile_static variable, and the helper
/// reads and writes that place. References are not kept and not returned.
///
/// ```
/// use amp::prelude::*;
///
/// #[amp_fn]
/// fn next(seed: &mut u32) -> u32 {
///     *seed = *seed * 1664525 + 1013904223;
///     *seed >> 8
/// }
///
/// #[amp_kernel]
/// fn dice(idx: Index<1>, seeds: &mut ArrayViewMut<u32, 1>, sums: &mut ArrayViewMut<u32, 1>) {
///     sums[idx] = next(&mut seeds[idx]) % 6 + next(&mut seeds[idx]) % 6 + 2;
/// }
/// # fn main() -> amp::Result<()> {
/// let mut seeds = [1, 2, 3];
/// let mut state = ArrayViewMut::new(3, &mut seeds)?;
/// let mut sums = ArrayViewMut::uninit(3)?;
/// parallel_for_each(3, dice(&mut state, &mut sums))?;
/// assert!(sums.to_vec()?.iter().all(|sum| (2..=12).contains(sum)));
/// let mut seed = 1;
/// let expected = next(&mut seed) % 6 + next(&mut seed) % 6 + 2;
/// assert_eq!(sums.to_vec()?[0], expected);
/// # Ok(())
/// # }
/// ```
///
/// ```
/// use amp::prelude::*;
///
/// mod math {
///     use amp::amp_fn;
///
///     #[amp_fn]
///     pub fn lerp(a: f32, b: f32, t: f32) -> f32 {
///         a + (b - a) * t
///     }
/// }
///
/// #[amp_kernel]
/// fn ramp(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
///     out[idx] = math::lerp(10.0, 20.0, idx[0] as f32 / 4.0);
/// }
///
/// # fn main() -> amp::Result<()> {
/// let mut out = ArrayViewMut::uninit(3)?;
/// parallel_for_each(3, ramp(&mut out))?;
/// assert_eq!(out.to_vec()?, [10.0, 12.5, 15.0]);
/// assert_eq!(math::lerp(0.0, 8.0, 0.25), 2.0);
/// # Ok(())
/// # }
/// ```
pub use amp_macros::amp_fn;

/// Marks a struct as a value of kernels: element of arrays, parameter, variable
/// (C++ AMP §2.4.1).
///
/// Its fields are what arrays can hold (numbers, vectors and matrices of glam, other
/// `#[amp_struct]`s), arrays of these of literal length, and [`#[amp_enum]`](amp_enum)s. It
/// becomes `repr(C)`, `Copy` and, if no enum is in it, [`Element`].
///
/// With [`ArrayView`]s and [`ArrayViewMut`]s among its fields it is no value, but a parameter,
/// which kernels and helpers take part by part: see [structs with views](guide#structs-with-views).
///
/// ```
/// use amp::prelude::*;
///
/// #[amp_struct]
/// struct Body {
///     position: [f32; 2],
///     mass: f32,
/// }
///
/// #[amp_kernel]
/// fn lift(idx: Index<1>, bodies: &mut ArrayViewMut<Body, 1>, by: f32) {
///     bodies[idx].position[1] += by * bodies[idx].mass;
/// }
///
/// # fn main() -> amp::Result<()> {
/// let mut bodies = [Body { position: [0.0, 1.0], mass: 2.0 }; 3];
/// let mut view = ArrayViewMut::new(3, &mut bodies)?;
/// parallel_for_each(3, lift(&mut view, 0.5))?;
/// drop(view);
/// assert_eq!(bodies[2].position, [0.0, 2.0]);
/// # Ok(())
/// # }
/// ```
pub use amp_macros::amp_struct;

/// Marks an enum without fields as a value of kernels: parameter, variable, field of a
/// struct, tile_static (C++ AMP §2.4.1).
///
/// On a device a variant is its discriminant, an `i32`, or a `u32` under `#[repr(u32)]`;
/// discriminants that are written are numbers. The enum becomes `Clone`, `Copy`,
/// `PartialEq` and `Eq`; it has `<` if it derives `PartialOrd`.
///
/// The bytes of an array may be no variant, so arrays and views hold the number, of which a
/// `match` makes the variant. Where a fault would read zeroes (elements of local arrays,
/// tile_static variables, results of helpers that panic), a variant has to have the value 0.
///
/// ```
/// use amp::prelude::*;
///
/// #[amp_enum]
/// #[derive(Debug)]
/// enum Suit {
///     Clubs = 100,
///     Diamonds,
///     Hearts,
///     Spades,
/// }
///
/// #[amp_fn]
/// fn is_red(suit: Suit) -> bool {
///     matches!(suit, Suit::Diamonds | Suit::Hearts)
/// }
///
/// #[amp_kernel]
/// fn worth(idx: Index<1>, cards: &mut ArrayViewMut<u32, 1>, trump: Suit) {
///     let suit = match cards[idx] {
///         100 => Suit::Clubs,
///         101 => Suit::Diamonds,
///         102 => Suit::Hearts,
///         _ => Suit::Spades,
///     };
///     cards[idx] = if suit == trump { suit as u32 } else { is_red(suit) as u32 };
/// }
///
/// # fn main() -> amp::Result<()> {
/// let mut cards = [Suit::Hearts as u32, Suit::Clubs as u32, Suit::Spades as u32];
/// let mut view = ArrayViewMut::new(3, &mut cards)?;
/// parallel_for_each(3, worth(&mut view, Suit::Spades))?;
/// drop(view);
/// assert_eq!(cards, [1, 0, 103]);
/// # Ok(())
/// # }
/// ```
pub use amp_macros::amp_enum;

/// Marks a module all of whose structs, enums, functions, traits and `impl` blocks kernels
/// can see: the way to methods and operators of your own types (C++ AMP §2.2, §2.4.1).
///
/// In the module
///
/// - a struct is an [`#[amp_struct]`](amp_struct), an enum an [`#[amp_enum]`](amp_enum) and a
///   function an [`#[amp_fn]`](amp_fn) as it stands; kernels say `#[amp_kernel]`;
/// - items need no order, and may need each other in circles;
/// - `impl` blocks give types functions, methods on `self`, `&self` and `&mut self`, and
///   constants of any type; `impl`s of `std::ops` traits and `PartialEq` give them operators (`==` also by
///   `derive(PartialEq)`); `Default`, `From` and traits of your own give them functions.
///   Traits may be implemented for scalars too. All calls are static.
///
/// What only the host uses (`impl Display`, functions that allocate) stands outside of the
/// module. Imports, constants and other modules in it are left as they are; a module in it
/// that kernels should see is marked itself. `impl` blocks have no generic parameters.
///
/// From outside each item is used as any item is, by its path or through `use`, in other
/// crates too. Whoever names a type has its methods. A method that a trait gives to a scalar
/// is called as `Trait::method(x)` there, and what a trait supplies without the type's own
/// doing is seen if trait and `impl` stand in one module.
///
/// ```
/// use amp::prelude::*;
///
/// #[amp_module]
/// mod complex {
///     use std::ops::{Add, AddAssign, Mul};
///
///     #[derive(Debug, PartialEq)]
///     pub struct Complex {
///         pub re: f32,
///         pub im: f32,
///     }
///
///     impl Complex {
///         pub fn new(re: f32, im: f32) -> Self {
///             Self { re, im }
///         }
///
///         pub fn norm(&self) -> f32 {
///             self.re * self.re + self.im * self.im
///         }
///
///         pub fn conjugate(&mut self) {
///             self.im = -self.im;
///         }
///     }
///
///     impl Add for Complex {
///         type Output = Self;
///         fn add(self, other: Self) -> Self {
///             Self::new(self.re + other.re, self.im + other.im)
///         }
///     }
///
///     impl Mul for Complex {
///         type Output = Self;
///         fn mul(self, other: Self) -> Self {
///             Self::new(
///                 self.re * other.re - self.im * other.im,
///                 self.re * other.im + self.im * other.re,
///             )
///         }
///     }
///
///     impl AddAssign for Complex {
///         fn add_assign(&mut self, other: Self) {
///             *self = *self + other;
///         }
///     }
/// }
///
/// use complex::Complex;
///
/// #[amp_kernel]
/// fn step(idx: Index<1>, z: &mut ArrayViewMut<Complex, 1>, c: Complex) {
///     z[idx] = z[idx] * z[idx];
///     z[idx] += c;
///     if z[idx].norm() > 4.0 {
///         z[idx].conjugate();
///     }
/// }
///
/// # fn main() -> amp::Result<()> {
/// let mut numbers = [Complex::new(0.0, 1.0), Complex::new(2.0, 1.0)];
/// let mut z = ArrayViewMut::new(2, &mut numbers)?;
/// parallel_for_each(2, step(&mut z, Complex::new(0.5, 0.0)))?;
/// drop(z);
/// assert_eq!(numbers, [Complex::new(-0.5, 0.0), Complex::new(3.5, -4.0)]);
/// # Ok(())
/// # }
/// ```
pub use amp_macros::amp_module;

/// A kernel in an expression, bound to variables of the scope around it.
///
/// Between the bars stands the kernel's first parameter, in the brackets what it takes from
/// the scope: names of variables with the types of parameters of an
/// [`#[amp_kernel]`](amp_kernel). Views are borrowed, values are copied. The body sees
/// these names, and helpers and constants as every kernel does. (C++ AMP §7: the lambda of
/// `parallel_for_each` and its captures.)
///
/// ```
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let mut numbers = [1.0_f32, 2.0, 3.0];
/// let mut x = ArrayViewMut::new(3, &mut numbers)?;
/// let s = 0.5;
/// parallel_for_each(
///     x.extent(),
///     kernel!(|idx: Index<1>| [x: &mut ArrayViewMut<f32, 1>, s: f32] { x[idx] *= s; }),
/// )?;
/// assert_eq!(x[2], 1.5);
/// # Ok(())
/// # }
/// ```
///
/// It cannot be called `amp_kernel!`: a module has one macro of a name, be it an attribute
/// or not.
pub use amp_macros::kernel;

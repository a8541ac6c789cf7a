//! The documentation of the macros that mark kernel code, which `amp-macros` implements.

// For the documentation's links.
#[cfg(doc)]
use crate::*;

/// Marks a function as a kernel (C++ AMP §2.2, §7).
///
/// The attribute checks the function against the kernel language, compiles it, and replaces it
/// by a *binding* function of the same name: every parameter except the first (the index)
/// becomes an argument, and the result is a [`Kernel`] for [`parallel_for_each`]. Views are
/// passed as references to an [`ArrayView`], [`ArrayViewMut`] or [`Array`], everything else by
/// value.
///
/// The first parameter is `Index<N>`, or `TiledIndex<N, D0[, D1[, D2]]>` for a kernel
/// that runs in tiles. Const parameters are allowed, and so are type parameters whose types the
/// attribute lists: the argument types of a call select the instance. `instances = Scale` declares a
/// trait of the types that are listed, by which a generic host function launches the kernel: see
/// [generic kernels](guide#generic-kernels).
///
/// Arguments of the attribute: `fast_math` uses the device's own float instructions
/// ([floats](guide#floats)), and `index = 64` makes a `usize` 64 bits wide on a device
/// ([64-bit indices](guide#64-bit-indices)).
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
/// It remains an ordinary function, which the host calls as it is written; what is a fault in a
/// kernel, such as an index out of bounds, is a panic there. Kernels import it by its path: from the same module,
/// another module, through `use`, or from another crate. A helper that takes the
/// [`TiledIndex`] may have `#[tile_static]` variables and wait at the tile's barrier.
///
/// Its parameters may be references, `&T` and `&mut T`: the caller passes a place, which is a
/// variable or an element of an array, a view or a tile_static variable, and the helper
/// reads and writes that place. It may return a reference, but not store one.
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
/// #[amp_fn]
/// fn total(row: &ArrayView<f32, 1>) -> f32 {
///     let mut sum = 0.0;
///     for i in 0..row.extent()[0] {
///         sum += row[i];
///     }
///     sum
/// }
///
/// # fn main() -> amp::Result<()> {
/// assert_eq!(total(&ArrayView::new(3, &[1.0, 2.0, 4.0])?), 7.0);
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
///
/// # Methods
///
/// Before an `impl` block, or a trait, the attribute makes all its functions and constants available to kernels
/// (C++ AMP §2.2, §2.4.1). The block stands in the module of its type, where the compiler reads the file to find it:
/// not twice, under a `#[cfg]` or by a macro. [`amp_module`] says what a block may contain.
///
/// ```
/// use amp::prelude::*;
///
/// #[amp_struct]
/// #[derive(Debug, PartialEq)]
/// struct Celsius {
///     degrees: f32,
/// }
///
/// #[amp_fn]
/// impl Celsius {
///     const FREEZING: Self = Self { degrees: 0.0 };
///
///     fn from_fahrenheit(degrees: f32) -> Self {
///         Self { degrees: (degrees - 32.0) / 1.8 }
///     }
///
///     fn warmer(&self, by: f32) -> Self {
///         Self { degrees: self.degrees + by }
///     }
/// }
///
/// #[amp_kernel]
/// fn read(idx: Index<1>, given: &ArrayView<f32, 1>, read: &mut ArrayViewMut<Celsius, 1>) {
///     read[idx] = Celsius::from_fahrenheit(given[idx]);
///     if read[idx].degrees < Celsius::FREEZING.degrees {
///         read[idx] = Celsius::FREEZING.warmer(0.5);
///     }
/// }
///
/// # fn main() -> amp::Result<()> {
/// let mut celsius = ArrayViewMut::uninit(2)?;
/// parallel_for_each(2, read(&ArrayView::new(2, &[50.0, -4.0])?, &mut celsius))?;
/// assert_eq!(celsius.to_vec()?, [Celsius { degrees: 10.0 }, Celsius { degrees: 0.5 }]);
/// # Ok(())
/// # }
/// ```
pub use amp_macros::amp_fn;

/// Marks a struct as a value of kernels: element of arrays, parameter, variable
/// (C++ AMP §2.4.1).
///
/// Its fields are elements of arrays (numbers, vectors and matrices of glam, other
/// `#[amp_struct]`s), arrays of these of literal length, and [`#[amp_enum]`](amp_enum)s. It
/// becomes `repr(C)`, `Copy` and, if it contains no enum, [`Element`].
///
/// A struct with [`ArrayView`]s and [`ArrayViewMut`]s among its fields is not a value, but a
/// parameter of kernels and helpers: see [structs with views](guide#structs-with-views).
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
/// On a device a variant is its discriminant, an `i32`, or a `u32` with `#[repr(u32)]`;
/// explicit discriminants are numbers. The enum becomes `Clone`, `Copy`, `PartialEq` and `Eq`;
/// it has `<` if it derives `PartialOrd`.
///
/// The bytes of an array may not be a variant, so arrays and views contain the number, and a
/// `match` converts it. `#[amp_enum(element = Stored)]` does that, also for enums with fields: it declares
/// `struct Stored`, which arrays hold; `Stored::from(value)` makes one, and `value()` gives the enum back. If a fault could yield zero (elements of local arrays, tile_static
/// variables, results of helpers that panic), the enum needs a variant with the value 0.
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
///
/// ```
/// use amp::prelude::*;
///
/// #[amp_enum(element = StoredShape)]
/// #[derive(Debug, PartialEq)]
/// enum Shape {
///     Circle(f32),
///     Rect { w: f32, h: f32 },
/// }
///
/// #[amp_kernel]
/// fn flatten(idx: Index<1>, shapes: &mut ArrayViewMut<StoredShape, 1>) {
///     if let Shape::Rect { w, .. } = shapes[idx].value() {
///         shapes[idx] = Shape::Rect { w, h: 0.0 }.into();
///     }
/// }
///
/// # fn main() -> amp::Result<()> {
/// let mut shapes = [Shape::Circle(1.0), Shape::Rect { w: 2.0, h: 3.0 }].map(StoredShape::from);
/// let mut view = ArrayViewMut::new(2, &mut shapes)?;
/// parallel_for_each(2, flatten(&mut view))?;
/// drop(view);
/// assert_eq!(shapes[1].value(), Shape::Rect { w: 2.0, h: 0.0 });
/// # Ok(())
/// # }
/// ```
pub use amp_macros::amp_enum;

/// Exports the type of a constant to kernels of other crates, and to those beside a macro that declares it.
///
/// Kernels read constants of their own crate anyway: the compiler finds the types in its files. With the
/// attribute, a kernel of another crate uses the constant without naming its type. The type may
/// have named lengths and aliases, [`#[amp_struct]`](amp_struct)s and [`#[amp_enum]`](amp_enum)s; a slice has its
/// elements written out. The constants of a type are exported by `#[amp_fn]` before its `impl` block.
///
/// ```
/// use amp::prelude::*;
///
/// /// Kernels of other crates write `filters::WEIGHTS[i]`.
/// #[amp_const]
/// pub const WEIGHTS: [f32; 3] = [0.25, 0.5, 0.25];
/// # fn main() {}
/// ```
pub use amp_macros::amp_const;

/// Makes all structs, enums, functions, traits and `impl` blocks of a module available to
/// kernels (C++ AMP §2.2, §2.4.1), without an attribute on each.
///
/// In the module
///
/// - a struct is an [`#[amp_struct]`](amp_struct), an enum an [`#[amp_enum]`](amp_enum) and a
///   function an [`#[amp_fn]`](amp_fn), without further attributes; kernels are marked
///   `#[amp_kernel]`;
/// - items may be in any order, and may depend on each other in cycles;
/// - `impl` blocks, generic or not, give types functions, methods on `self`, `&self` and
///   `&mut self`, and constants of any type; implementations of `std::ops` traits and
///   `PartialEq` give them operators (`==` also by `derive(PartialEq)`); `Default`, `From` and
///   traits of your own give them functions. Traits may also be implemented for scalars. All
///   calls are static.
///
/// Code that only the host uses (`impl Display`, functions that allocate) must be outside of
/// the module. Imports, constants and other modules in it are unchanged; a nested module that
/// kernels use needs its own attribute.
///
/// Outside of the module, items are used by their paths or through `use`, in other crates, too.
/// A type brings its methods with it. A method that a trait adds to a scalar is called as
/// `Trait::method(x)` there, and the provided methods of a trait are available if the trait and
/// the `impl` are in one module.
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

/// A kernel as an expression, bound to variables of the enclosing scope.
///
/// The kernel's first parameter is between the bars, its captures are in the brackets: names of
/// variables with their types, as for the parameters of an [`#[amp_kernel]`](amp_kernel). A
/// procedural macro does not see the variables of the scope, so the list is required. Views are
/// borrowed, values are copied. The body sees these names, and helpers and constants like
/// every kernel. (C++ AMP §7: the lambda of `parallel_for_each` and its captures.)
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
/// It is not named `amp_kernel!` because a module has only one macro of a name, whether it is
/// an attribute or not.
pub use amp_macros::kernel;

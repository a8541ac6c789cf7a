//! C++ AMP for Rust: GPU computing with ordinary Rust functions.
//!
//! A function marked [`#[amp_kernel]`](amp_kernel) is checked and compiled to SPIR-V
//! while the crate compiles; the result is part of the binary. [`parallel_for_each`] runs
//! it over a domain on any Vulkan 1.2 device, or on the built-in CPU accelerator where
//! there is none. The same function type-checks under rustc, and gives the same results
//! on the CPU and on a device.
//!
//! ```
//! use amp::prelude::*;
//!
//! #[amp_kernel]
//! fn add(
//!     idx: Index<1>,
//!     a: &ArrayView<i32, 1>,
//!     b: &ArrayView<i32, 1>,
//!     sum: &mut ArrayViewMut<i32, 1>,
//! ) {
//!     sum[idx] = a[idx] + b[idx];
//! }
//!
//! # fn main() -> amp::Result<()> {
//! let (a, b) = ([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]);
//! let mut result = [0; 5];
//! {
//!     let a = ArrayView::new(5, &a)?;
//!     let b = ArrayView::new(5, &b)?;
//!     let mut sum = ArrayViewMut::new(5, &mut result)?;
//!     sum.discard_data();
//!     parallel_for_each(sum.extent(), add(&a, &b, &mut sum))?;
//!     sum.synchronize()?;
//! }
//! assert_eq!(result, [7, 9, 11, 13, 15]);
//! # Ok(())
//! # }
//! ```
//!
//! # The model
//!
//! | C++ AMP | here |
//! |---|---|
//! | `restrict(amp)` | [`#[amp_kernel]`](amp_kernel), [`#[amp_fn]`](amp_fn), [`#[amp_struct]`](amp_struct), [`#[amp_enum]`](amp_enum), [`#[amp_module]`](amp_module) |
//! | `index`, `extent`, `tiled_extent`, `tiled_index` | [`Index`], [`Extent`], [`TiledExtent`], [`TiledIndex`] |
//! | `tile_static` | `#[tile_static] let mut x: T;` in a kernel |
//! | `tile_barrier` and fences | [`TileBarrier`], [`all_memory_fence`], [`global_memory_fence`], [`tile_static_memory_fence`] |
//! | `atomic_fetch_add` and its kin | [`atomic_fetch_add`] and its kin |
//! | `array`, `array_view` | [`Array`], [`ArrayView`], [`ArrayViewMut`] |
//! | `access_type`, staging arrays | [`AccessType`], [`ArrayBuilder::associated`] |
//! | `copy`, `copy_async`, `completion_future` | [`copy()`], [`copy_async`], [`CompletionFuture`] |
//! | `accelerator`, `accelerator_view`, `create_marker` | [`Accelerator`], [`AcceleratorView`], [`AcceleratorView::create_marker`] |
//! | `parallel_for_each` | [`parallel_for_each`]; [`AcceleratorView::record`] for launches that come again and again |
//! | `create_accelerator_view`, `get_device`, `make_array`, `get_buffer` | [`interop`], for programs that use Vulkan themselves |
//!
//! # What kernels can be written in
//!
//! `bool`, the integers `i8` to `u64`, `usize`, `isize`, `f32`, `f64`, with the feature `half`
//! its `f16` and `bf16`, with the feature `glam` its vectors and matrices, tuples, arrays of
//! fixed length, [`#[amp_struct]`](amp_struct)s and [`#[amp_enum]`](amp_enum)s; all operators
//! and casts among these with Rust's results, whatever the profile (integers wrap); `if`,
//! `match` with ranges, `|`, `@` and guards, `if let`, `let else`, `matches!`, `while`, `loop`,
//! `for` over ranges and arrays, labels, `break` with a value, blocks as values; the numeric
//! methods of these types; methods, operators and traits of the user's types, in an
//! [`#[amp_module]`](amp_module); helpers, of other modules and crates too, which take values,
//! views and references; closures that are called by their names; generic helpers, over numbers
//! ([`Scalar`]), lengths and closures; `const` items and const parameters, which may size tiles
//! and arrays. Everything else is refused with a code and a hint; in the repository
//! `docs/language.md` has it all in tables, and `docs/errors.md` explains each code.
//!
//! # Indices of 64 bits
//!
//! On a device a `usize` is 32 bits wide, and so are indices and extents: the arrays of a
//! launch have fewer than 2³¹ elements and its domain fewer than 2³² points.
//! `#[amp_kernel(index = 64)]` makes them as wide as on the host, in the kernel and in all
//! that it calls. The device needs integers of 64 bits, and arithmetic with them takes it
//! longer. `#[amp_fn(index = 64)]` marks a helper that only such kernels call, which may
//! then rely on it; `index = 32` is what holds without the argument.
//!
//! ```
//! use amp::prelude::*;
//!
//! #[amp_kernel(index = 64)]
//! fn far(idx: Index<1>, start: usize, c: &mut ArrayViewMut<u64, 1>) {
//!     c[idx] = (start + 5_000_000_000 * idx[0]) as u64;
//! }
//!
//! # fn main() -> amp::Result<()> {
//! let mut found = [0; 3];
//! let mut c = ArrayViewMut::new(3, &mut found)?;
//! parallel_for_each(3, far(1 << 40, &mut c))?;
//! c.synchronize()?;
//! # drop(c);
//! assert_eq!(found, [1 << 40, (1 << 40) + 5_000_000_000, (1 << 40) + 10_000_000_000]);
//! # Ok(())
//! # }
//! ```
//!
//! # Views made from views
//!
//! In a kernel `section(origin, extent)` is a part of a view, `row(i)` a part of one
//! dimension less; of a view of rank 1, `view_as(extent)` is the same elements in another
//! shape and `reinterpret::<U>()` the same bytes as other elements (C++ AMP §5.2.5). Each can
//! be used where it stands, named by `let`, passed to helpers and returned by them. An index
//! is checked against the extent of the part. A part that does not lie in its view is a
//! fault, and has no elements.
//!
//! ```
//! use amp::prelude::*;
//!
//! #[amp_fn]
//! fn mean(part: &ArrayView<f32, 2>) -> f32 {
//!     let mut sum = 0.0;
//!     for i in 0..part.extent()[0] {
//!         let row = part.row(i);
//!         for j in 0..row.extent()[0] {
//!             sum += row[j];
//!         }
//!     }
//!     sum / part.extent().size() as f32
//! }
//!
//! #[amp_kernel]
//! fn halve(idx: Index<2>, image: &ArrayView<f32, 2>, small: &mut ArrayViewMut<f32, 2>) {
//!     small[idx] = mean(&image.section(idx * 2, [2, 2]));
//! }
//!
//! # fn main() -> amp::Result<()> {
//! let image = [1.0, 3.0, 5.0, 5.0, 2.0, 2.0, 6.0, 8.0];
//! let image = ArrayView::new([2, 4], &image)?;
//! let mut small = Array::zeroed([1, 2])?;
//! parallel_for_each([1, 2], halve(&image, &mut small))?;
//! assert_eq!(small.to_vec()?, [2.0, 6.0]);
//! # Ok(())
//! # }
//! ```
//!
//! On the host they are methods of [`ArrayView`], [`ArrayViewMut`] and [`Array`], and what
//! cannot be made is an error. Of a view that can be written they borrow it;
//! [`split_at_mut`](ArrayViewMut::split_at_mut) gives two parts that can be written at the
//! same time, by one kernel or on different accelerators.
//!
//! # One body of data
//!
//! All views of one slice or array agree, wherever they are used: what a kernel wrote is
//! seen by host indexing, by kernels on other accelerators, and by other views of the same
//! bytes, whatever their shapes and elements (C++ AMP §5.2, §8.2). Nothing is moved before
//! somebody looks, and then only the bytes of the view that is looked through, as far as
//! they are stale there. So a launch over a section moves the section, and the rest of a
//! large array can stay where it is.
//!
//! ```
//! use amp::prelude::*;
//!
//! #[amp_kernel]
//! fn double(idx: Index<2>, part: &mut ArrayViewMut<i32, 2>) {
//!     part[idx] *= 2;
//! }
//!
//! # fn main() -> amp::Result<()> {
//! let mut data: Vec<i32> = (0..12).collect();
//! let mut whole = ArrayViewMut::new([3, 4], &mut data)?;
//! let cpu = Accelerator::cpu().default_view()?;
//! {
//!     let (mut left, mut right) = whole.split_at_mut(1, 2)?;
//!     parallel_for_each(left.extent(), double(&mut left))?;
//!     cpu.parallel_for_each(right.extent(), double(&mut right))?;
//!     right[[2, 1]] = 0;
//! }
//! assert_eq!(whole.as_view().row(1)?.to_vec()?, [8, 10, 12, 14]);
//! drop(whole);
//! assert_eq!(data, [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 0]);
//! # Ok(())
//! # }
//! ```
//!
//! # Structs with views
//!
//! An [`#[amp_struct]`](amp_struct) may have views among its fields (C++ AMP §2.3.1). Kernels
//! and helpers take it as `&S`, as `&mut S` if a view in it is written, or as `S<'_>`. Each
//! view in it counts as a parameter of its own.
//!
//! ```
//! use amp::prelude::*;
//!
//! #[amp_struct]
//! struct Line<'a> {
//!     x: ArrayView<'a, f32, 1>,
//!     y: ArrayViewMut<'a, f32, 1>,
//!     slope: f32,
//! }
//!
//! #[amp_fn]
//! fn at(line: &Line, i: usize) -> f32 {
//!     line.x[i] * line.slope
//! }
//!
//! #[amp_kernel]
//! fn raise(idx: Index<1>, line: &mut Line) {
//!     let height = at(line, idx[0]);
//!     line.y[idx] += height;
//! }
//!
//! # fn main() -> amp::Result<()> {
//! let x = Array::new(3, &[1.0, 2.0, 3.0])?;
//! let mut y = [10.0; 3];
//! let mut line = Line { x: x.view(), y: ArrayViewMut::new(3, &mut y)?, slope: 2.0 };
//! parallel_for_each(3, raise(&mut line))?;
//! line.y.synchronize()?;
//! drop(line);
//! assert_eq!(y, [12.0, 14.0, 16.0]);
//! # Ok(())
//! # }
//! ```
//!
//! # Atomic operations
//!
//! [`atomic_fetch_add`] and its kin work on `i32`, `u32`, `i64` and `u64` that several threads
//! share: elements of an [`ArrayViewMut`] and tile_static variables, and parts of these; in a
//! helper also what a `&mut` parameter names. `f32` and `f64` can be loaded, stored, exchanged,
//! compared and exchanged, added and subtracted. Nothing
//! comes between what such an operation reads and what it writes; it returns what was
//! there before. It orders no other access: threads of a tile meet at the barrier for
//! that, threads of different tiles use [`device_memory_fence`]. What has 64 bits takes a device
//! with `shaderBufferInt64Atomics` (in tiles `shaderSharedInt64Atomics`); another one refuses the
//! launch with [`Error::UnsupportedFeature`].
//!
//! ```
//! use amp::prelude::*;
//!
//! #[amp_kernel]
//! fn histogram(idx: Index<1>, text: &ArrayView<u32, 1>, bins: &mut ArrayViewMut<u32, 1>) {
//!     atomic_fetch_inc(&mut bins[text[idx] as usize % 4]);
//! }
//!
//! # fn main() -> amp::Result<()> {
//! let text = [0, 1, 2, 3, 4, 8, 12, 13];
//! let text = ArrayView::new(8, &text)?;
//! let mut bins = Array::zeroed(4)?;
//! parallel_for_each(8, histogram(&text, &mut bins))?;
//! assert_eq!(bins.to_vec()?, [4, 2, 1, 1]);
//! # Ok(())
//! # }
//! ```
//!
//! # Floats
//!
//! `+ - * / %`, `sqrt`, `mul_add`, `min`, `max`, `clamp`, rounding, comparisons and
//! conversions of `f32` give Rust's results bit for bit, denormals included. The first
//! kernel on a device that uses one of those that some devices get wrong tries the
//! device's own instructions; what differs from Rust is computed in software from then on.
//! Transcendental methods of `f32` have the device's precision; those of `f64`, which devices
//! do not have, are the functions of [`precise_math`], which are the same everywhere.
//!
//! `#[amp_kernel(fast_math)]` gives that up: a product and a sum may become one operation,
//! denormals may be taken for zero, and quotients, roots and fused products are the
//! device's own (C++ AMP §9.1). `#[amp_fn(fast_math)]` does so for one helper, whoever calls
//! it. [`precise_math`], [`fast_math`] and [`direct3d`] have C++ AMP's functions.
//!
//! ```
//! use amp::prelude::*;
//!
//! #[amp_kernel(fast_math)]
//! fn normalise(idx: Index<1>, x: &ArrayView<f32, 1>, y: &mut ArrayViewMut<f32, 1>) {
//!     y[idx] /= (x[idx] * x[idx] + y[idx] * y[idx]).sqrt();
//! }
//!
//! # fn main() -> amp::Result<()> {
//! let x = ArrayView::new(2, &[3.0, 0.0])?;
//! let mut heights = [4.0, -2.0];
//! let mut y = ArrayViewMut::new(2, &mut heights)?;
//! parallel_for_each(y.extent(), normalise(&x, &mut y))?;
//! drop(y);
//! assert!((heights[0] - 0.8).abs() < 1e-6 && (heights[1] + 1.0).abs() < 1e-6);
//! # Ok(())
//! # }
//! ```
//!
//! # Subgroups
//!
//! The threads that a device runs in step can exchange values without memory: [`subgroup`]
//! has sums, scans, shuffles, votes and ballots for kernels with tiles.
//!
//! ```
//! use amp::prelude::*;
//!
//! #[amp_kernel]
//! fn sum(t_idx: TiledIndex<1, 64>, data: &ArrayView<u32, 1>, total: &mut ArrayViewMut<u32, 1>) {
//!     let sum = subgroup::reduce_add(data[t_idx]);
//!     let elected = subgroup::elect();
//!     if elected {
//!         atomic_fetch_add(&mut total[0], sum);
//!     }
//! }
//!
//! # fn main() -> amp::Result<()> {
//! let data: Vec<u32> = (0..1024).collect();
//! let data = ArrayView::new(1024, &data)?;
//! let mut total = Array::zeroed(1)?;
//! parallel_for_each(data.extent().tile::<64>(), sum(&data, &mut total))?;
//! assert_eq!(total.to_vec()?, [1023 * 1024 / 2]);
//! # Ok(())
//! # }
//! ```
//!
//! # When something goes wrong in a kernel
//!
//! An access out of bounds does not happen: a read gives zero, a write is dropped. The
//! next wait on the view returns [`Error::KernelFault`] with kernel, file, line, column
//! and thread. So for division by zero.
//!
//! So too for the assertions and panics that a kernel or a helper states itself, with
//! their message: `assert!`, `assert_eq!`, `assert_ne!`, their `debug_` forms (which follow
//! the profile of the crate that they are written in), `panic!`, `unreachable!`, `todo!`
//! and `unimplemented!`. The message is formatted as on the host, whoever runs the
//! kernel: the format strings are those of `std::fmt`, the arguments scalars, indices,
//! extents, and tuples and arrays of such. No thread is stopped from outside, so that no tile waits for one that is gone:
//!
//! - after a failed assertion the thread goes on;
//! - a panic is a `return`: in a kernel it ends the thread, and before a barrier it must be
//!   reached by all threads of the tile or none; from a helper it returns a value of
//!   zeroes, and the caller goes on with it.
//!
//! ```
//! use amp::prelude::*;
//! use amp::Error;
//!
//! #[amp_kernel]
//! fn roots(idx: Index<1>, data: &mut ArrayViewMut<f32, 1>) {
//!     assert!(data[idx] >= 0.0, "the root of {:.1}", data[idx]);
//!     data[idx] = data[idx].sqrt();
//! }
//!
//! # fn main() -> amp::Result<()> {
//! let mut numbers = [4.0, 9.0, -1.0];
//! let mut data = ArrayViewMut::new(3, &mut numbers)?;
//! parallel_for_each(data.extent(), roots(&mut data))?;
//! match data.synchronize() {
//!     Err(Error::KernelFault(fault)) => {
//!         assert_eq!(fault.thread, [2]);
//!         assert_eq!(fault.message, "the root of -1.0");
//!     }
//!     other => panic!("no fault but {other:?}"),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! A kernel that is [`unchecked`](Kernel::unchecked) reports nothing on a device; a panic
//! ends the thread all the same.
//!
//! # Prints
//!
//! `print!`, `println!`, `eprint!` and `eprintln!` work in kernels and helpers (C++ AMP's
//! `direct3d_printf`), with the same arguments. What a launch prints is shown at the next
//! wait, the threads in row-major order on every accelerator. A launch keeps its first 16384
//! prints and counts the others. [`AcceleratorView::set_print_hook`] hands prints to the
//! program. A kernel that does not print pays nothing.
//!
//! ```
//! use amp::prelude::*;
//!
//! #[amp_kernel]
//! fn squares(idx: Index<1>, factor: f32) {
//!     let x = idx[0] as f32 * factor;
//!     println!("thread {idx}: {x:.2} squared is {:>6.2}", x * x);
//! }
//!
//! # fn main() -> amp::Result<()> {
//! let view = Accelerator::default()?.create_view(amp::QueuingMode::Automatic)?;
//! view.set_print_hook(|print| {
//!     let expected = ["thread (0): 0.00 squared is   0.00\n", "thread (1): 0.50 squared is   0.25\n"];
//!     assert_eq!(print.text, expected[print.thread[0]]);
//! });
//! view.parallel_for_each(2, squares(0.5))?;
//! view.wait()
//! # }
//! ```
//!
//! # Profiles
//!
//! [`AcceleratorView::profile`] tells what took how long on a view: each launch and transfer by
//! the device's clock, and what threads of the host waited for. A [`Profile`](profile::Profile)
//! is printed as a table, and written as a trace for <https://ui.perfetto.dev>.
//!
//! # Environment
//!
//! `AMP_ACCELERATOR` (`cpu`, or part of an accelerator's description or path) overrides the
//! default accelerator. `AMP_CACHE_DIR` says in which folder compiled kernels are kept from one
//! run to the next ([`prepare`]). `AMP_VALIDATION=1` turns on Vulkan's validation layer, if it is
//! installed. `AMP_DEBUG_LABELS=1` names objects and commands for tools that do not report themselves.
//! `AMP_SOFT_FLOATS=1` has software compute every float operation that some
//! device gets wrong, to test amp itself.

#![forbid(unsafe_code)]

// What the macros write names this crate as users do.
extern crate self as amp;

mod attributes;
pub mod direct3d;
pub mod fast_math;
pub mod precise_math;

pub use attributes::{amp_enum, amp_fn, amp_kernel, amp_module, amp_struct, kernel};

/// A simulation whose steps are recorded once. Between replays its state is looked at
/// through [`Graph::captures`], and its time step, a value, is changed through
/// [`Graph::captures_mut`]:
///
/// ```
/// use amp::prelude::*;
///
/// #[amp_kernel]
/// fn cool(idx: Index<1>, from: &ArrayView<f32, 1>, to: &mut ArrayViewMut<f32, 1>, rate: f32) {
///     let last = from.extent()[0] - 1;
///     let (left, right) = (idx[0].max(1) - 1, (idx[0] + 1).min(last));
///     to[idx] = from[idx] + rate * (from[left] - 2.0 * from[idx] + from[right]);
/// }
///
/// # fn main() -> amp::Result<()> {
/// let view = Accelerator::default()?.default_view()?;
/// let rod = Array::builder(4).on(&view).data(&[8.0_f32, 0.0, 0.0, 0.0]).build()?;
/// let next = Array::builder(4).on(&view).build()?;
/// let mut graph = view.record_with((rod, next, 0.25), |g, (rod, next, rate)| {
///     g.parallel_for_each(rod.extent(), cool(rod, next, *rate))?;
///     g.parallel_for_each(rod.extent(), cool(next, rod, *rate))
/// })?;
///
/// graph.replay()?;
/// assert_eq!(graph.captures().0.to_vec()?, [5.0, 2.5, 0.5, 0.0]);
/// graph.captures_mut().2 = 0.0;
/// graph.replay()?;
/// assert_eq!(graph.captures().0.to_vec()?, [5.0, 2.5, 0.5, 0.0]);
/// # Ok(())
/// # }
/// ```
pub use amp_runtime::Graph;

/// Twenty launches, by two replays:
///
/// ```
/// use amp::prelude::*;
///
/// #[amp_kernel]
/// fn double(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
///     x[idx] *= 2;
/// }
///
/// # fn main() -> amp::Result<()> {
/// let view = Accelerator::default()?.default_view()?;
/// let mut data = Array::builder(3).on(&view).data(&[1, 2, 3]).build()?;
/// let extent = data.extent();
/// let graph = view.record(|g| {
///     (0..10).try_for_each(|_| g.parallel_for_each(extent, double(&mut data)))
/// })?;
/// graph.replay()?;
/// graph.replay()?;
/// drop(graph);
/// assert_eq!(data.to_vec()?, [1 << 20, 2 << 20, 3 << 20]);
/// # Ok(())
/// # }
/// ```
pub use amp_runtime::Recording;

/// ```
/// use amp::Variant;
/// use amp::prelude::*;
///
/// #[amp_kernel]
/// fn scale(idx: Index<1>, x: &mut ArrayViewMut<f32, 1>, by: f32) {
///     x[idx] *= by;
/// }
///
/// # fn main() -> amp::Result<()> {
/// let view = Accelerator::default()?.default_view()?;
/// let mut data = Array::builder(3).on(&view).data(&[1.0, 2.0, 3.0]).build()?;
/// view.prepare(&[Variant::new(data.extent(), scale(&mut data, 0.5))])?;
/// // This compiles nothing.
/// view.parallel_for_each(data.extent(), scale(&mut data, 0.5))?;
/// assert_eq!(data.to_vec()?, [0.5, 1.0, 1.5]);
/// # Ok(())
/// # }
/// ```
pub use amp_runtime::Variant;

pub use amp_runtime::{
    Accelerator, AcceleratorView, AccessType, Array, ArrayBuilder, ArrayView, ArrayViewMut, Atomic,
    AtomicInteger, CompletionFuture, Continuation, CopyDestination, CopySource, Domain, Element,
    Error, Extent, HeapReport, Index, Kernel, KernelFault, KernelPrint, MemoryReport, PrintStream,
    QueuingMode, Rejected, Report, Result, Scalar, TileBarrier, TiledExtent, TiledIndex,
    all_memory_fence, atomic_compare_exchange, atomic_exchange, atomic_fetch_add, atomic_fetch_and,
    atomic_fetch_dec, atomic_fetch_inc, atomic_fetch_max, atomic_fetch_min, atomic_fetch_or,
    atomic_fetch_sub, atomic_fetch_xor, atomic_load, atomic_store, copy, copy_async,
    device_memory_fence, global_memory_fence, parallel_for_each, subgroup,
    tile_static_memory_fence,
};

/// ```
/// use amp::Variant;
/// use amp::prelude::*;
///
/// #[amp_kernel]
/// fn scale(idx: Index<1>, y: &mut ArrayViewMut<f32, 1>, by: f32) {
///     y[idx] *= by;
/// }
///
/// #[amp_kernel]
/// fn add(idx: Index<1>, x: &ArrayView<f32, 1>, y: &mut ArrayViewMut<f32, 1>) {
///     y[idx] += x[idx];
/// }
///
/// # fn main() -> amp::Result<()> {
/// let (x, mut y) = ([1.0; 1000], [2.0; 1000]);
/// let x = ArrayView::new(1000, &x)?;
/// let mut y = ArrayViewMut::new(1000, &mut y)?;
/// amp::prepare(&[
///     Variant::new(y.extent(), scale(&mut y, 0.5)),
///     Variant::new(y.extent(), add(&x, &mut y)),
/// ])?;
/// parallel_for_each(y.extent(), scale(&mut y, 0.5))?;
/// parallel_for_each(y.extent(), add(&x, &mut y))?;
/// assert_eq!(y[[7]], 2.0);
/// # Ok(())
/// # }
/// ```
///
/// What it does:
///
pub use amp_runtime::prepare;

pub use amp_runtime::{AcceleratorKind, FloatPromises, Properties, profile};

pub use amp_runtime::interop;

/// The crate whose vectors and matrices kernels know, with the feature `glam`.
///
/// `Vec2` to `Vec4`, `DVec2` to `DVec4`, `IVec2` to `IVec4`, `UVec2` to `UVec4` and `Mat2`
/// to `Mat4` are elements of arrays, fields of `#[amp_struct]`s, parameters and variables; `BVec2` to
/// `BVec4` are parameters and variables. They are known by their names, under any path,
/// unless the file has an `#[amp_struct]` of that name. A program that uses this crate's
/// `glam` needs none of its own.
///
/// ```
/// use amp::glam::{Vec3, Vec4};
/// use amp::prelude::*;
///
/// #[amp_kernel]
/// fn shade(
///     idx: Index<1>,
///     normals: &ArrayView<Vec3, 1>,
///     light: Vec3,
///     colors: &mut ArrayViewMut<Vec4, 1>,
/// ) {
///     let cosine = normals[idx].normalize().dot(light).max(0.0);
///     colors[idx] = (Vec3::ONE * cosine).extend(1.0);
/// }
///
/// # fn main() -> amp::Result<()> {
/// let normals = [Vec3::Y, Vec3::new(3.0, 4.0, 0.0), Vec3::NEG_Y];
/// let mut colors = [Vec4::ZERO; 3];
/// let mut view = ArrayViewMut::new(3, &mut colors)?;
/// parallel_for_each(3, shade(&ArrayView::new(3, &normals)?, Vec3::Y, &mut view))?;
/// drop(view);
/// assert_eq!(colors[1], Vec4::new(0.8, 0.8, 0.8, 1.0));
/// # Ok(())
/// # }
/// ```
///
/// # Results
///
/// glam's own results differ between hosts: with SSE2 it adds the products of
/// `Vec4::dot` in pairs, and its `Vec4 % Vec4` is not Rust's. In kernels every operation
/// has the order of glam's scalar implementation, on every device and on the CPU, so
/// that all give the same bits, as `Vec2`, `Vec3` and `Mat3` do on the host; where glam
/// would overflow, integers wrap. `==` and all that is computed component by component
/// are as on the host.
///
/// # What there is
///
/// | | |
/// |---|---|
/// | Made by | `new`, `vec3(..)` and its kin, `splat`, `from_array`, `from` of arrays, tuples and masks, `extend`, `truncate`, `with_x`, swizzles, the constants; `from_cols`, `from_diagonal` |
/// | Taken apart by | `x` to `w`, `v[i]`, `to_array`; `x_axis` to `w_axis`, `col`, `row`, `diagonal`, `transpose` |
/// | Converted by | `as_vec3`, `as_dvec3`, `as_ivec3`, `as_uvec3` and their kin |
/// | Operators | `+ - * / %` with vectors and scalars on either side, `-`, `==`, `!=`, assigning too; of integers `<< >> & \| ^ !`; of masks `& \| ^ !`; of matrices `+ - *`, with vectors and scalars too, and `/` by a scalar |
/// | Comparisons | `cmpeq cmpne cmplt cmple cmpgt cmpge`, `select`, `any`, `all`, `bitmask`; of a `Vec4` too they make a `BVec4`, which glam with SSE2 calls `BVec4A` |
/// | All vectors | `dot dot_into_vec cross perp perp_dot rotate min max clamp abs signum min_element max_element element_sum element_product length_squared distance_squared` |
/// | Integers | `div_euclid rem_euclid wrapping_add wrapping_sub wrapping_mul` |
/// | Floats, of which `exp` to `powf` not for doubles | `length length_recip distance normalize normalize_or normalize_or_zero is_normalized project_onto reject_from project_onto_normalized reject_from_normalized reflect refract lerp midpoint move_towards clamp_length clamp_length_min clamp_length_max saturate step smoothstep floor ceil trunc round fract fract_gl sqrt recip copysign mul_add exp exp2 ln log2 sin cos powf is_nan is_finite is_nan_mask is_finite_mask abs_diff_eq` |
/// | Matrices | `determinant inverse mul_vec4 mul_scalar div_scalar transform_point3 transform_vector3 project_point3` and their kin |
///
/// # Memory
///
/// A `Vec4`, `IVec4` or `UVec4` is loaded and stored by one access of 128 bits. A `Vec3`
/// takes 12 bytes, without padding. Where glam aligns `Vec4`, `Mat2` and `Mat4` to 16
/// bytes, a struct of them may have padding, which is refused; so is what glam aligns or
/// pads for the CPU's sake (`Vec3A`, `Mat3A`).
#[cfg(feature = "glam")]
pub use amp_runtime::private::glam;

/// The crate whose arrays views and [`Array`]s are made from and into, with the feature
/// `ndarray`: [`ArrayView::from_ndarray`], [`ArrayViewMut::from_ndarray`],
/// [`Array::from_ndarray`], and `as_ndarray`, `to_ndarray` of each.
///
/// ```
/// use amp::ndarray::{Array2, array};
/// use amp::prelude::*;
///
/// #[amp_kernel]
/// fn scale(idx: Index<2>, matrix: &mut ArrayViewMut<f32, 2>, factor: f32) {
///     matrix[idx] *= factor;
/// }
///
/// # fn main() -> amp::Result<()> {
/// let mut matrix: Array2<f32> = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
/// let mut view = ArrayViewMut::from_ndarray(matrix.view_mut())?;
/// parallel_for_each(view.extent(), scale(&mut view, 2.0))?;
/// assert_eq!(view.as_ndarray()?.column(1).to_vec(), [4.0, 10.0]);
/// drop(view);
/// assert_eq!(matrix[[1, 2]], 12.0);
///
/// // Columns first: no view, but an array, which is a copy.
/// let turned = matrix.t();
/// let error = ArrayView::from_ndarray(turned).unwrap_err();
/// assert!(error.to_string().contains("as_standard_layout()"));
/// let copy = turned.as_standard_layout();
/// assert_eq!(ArrayView::from_ndarray(copy.view())?[[2, 1]], 12.0);
/// # Ok(())
/// # }
/// ```
#[cfg(feature = "ndarray")]
pub use amp_runtime::private::ndarray;

#[doc(hidden)]
pub mod __private {
    pub use amp_macros::resume;
    pub use amp_runtime::private::*;
}

/// Everything that a program with kernels names: `use amp::prelude::*;`.
pub mod prelude {
    pub use crate::{
        Accelerator, AcceleratorView, Array, ArrayView, ArrayViewMut, CompletionFuture, Extent,
        Index, Kernel, QueuingMode, Scalar, TileBarrier, TiledExtent, TiledIndex, all_memory_fence,
        amp_enum, amp_fn, amp_kernel, amp_module, amp_struct, atomic_compare_exchange,
        atomic_exchange, atomic_fetch_add, atomic_fetch_and, atomic_fetch_dec, atomic_fetch_inc,
        atomic_fetch_max, atomic_fetch_min, atomic_fetch_or, atomic_fetch_sub, atomic_fetch_xor,
        atomic_load, atomic_store, copy, copy_async, device_memory_fence, direct3d, fast_math,
        global_memory_fence, kernel, parallel_for_each, precise_math, subgroup,
        tile_static_memory_fence,
    };
}

/// The programs of the documents are tests too.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../docs/errors.md")]
    struct Errors;
    #[doc = include_str!("../docs/language.md")]
    struct Language;
    #[doc = include_str!("../docs/profiling.md")]
    struct Profiling;
}

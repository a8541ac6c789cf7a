//! Repeated launches: recorded once, compiled ahead.
//!
//! The examples are here because they contain kernels, which the documentation of the run time
//! cannot contain.

/// A simulation whose steps are recorded once. Between replays its state is read through
/// [`Graph::captures`], and its time step, a value, is changed through
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
///
/// The type of a closure cannot be named. A struct that stores a graph boxes its closure:
///
/// ```
/// use amp::prelude::*;
/// use amp::{Graph, Recording};
///
/// #[amp_kernel]
/// fn grow(idx: Index<1>, x: &mut ArrayViewMut<f32, 1>, by: f32) {
///     x[idx] += by;
/// }
///
/// type Crop = (Array<f32, 1>, f32);
/// type Launches = Box<dyn FnMut(&mut Recording, &mut Crop) -> amp::Result<()> + Send>;
///
/// struct Field {
///     season: Graph<Launches, Crop>,
/// }
///
/// impl Field {
///     fn new(view: &AcceleratorView, size: usize) -> amp::Result<Self> {
///         let crop = Array::builder(size).on(view).build()?;
///         let launches: Launches = Box::new(move |g, (crop, by)| {
///             (0..12).try_for_each(|_| g.parallel_for_each(size, grow(crop, *by)))
///         });
///         Ok(Self { season: view.record_with((crop, 0.5), launches)? })
///     }
///
///     fn year(&mut self) -> amp::Result<Vec<f32>> {
///         self.season.replay()?;
///         self.season.captures().0.to_vec()
///     }
/// }
///
/// # fn main() -> amp::Result<()> {
/// let mut field = Field::new(&Accelerator::default()?.default_view()?, 2)?;
/// assert_eq!(field.year()?, [6.0; 2]);
/// assert_eq!(field.year()?, [12.0; 2]);
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
/// # Details
///
pub use amp_runtime::prepare;

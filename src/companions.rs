//! Re-exports of the crates whose types views and kernels support.

/// The crate `glam`, whose vectors and matrices kernels support, with the feature `glam`.
///
/// `Vec2` to `Vec4`, `DVec2` to `DVec4`, `IVec2` to `IVec4`, `UVec2` to `UVec4` and `Mat2` to
/// `Mat4` are elements of arrays, fields of `#[amp_struct]`s, parameters and variables; `BVec2`
/// to `BVec4` are parameters and variables. They are recognised by their names, under any path,
/// unless the file has an `#[amp_struct]` of that name. A program that uses this re-export does
/// not need its own dependency on `glam`.
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
/// that all return the same bits, as `Vec2`, `Vec3` and `Mat3` do on the host. Integers wrap
/// where glam would overflow. `==` and all operations on single components are as on the host.
///
/// # Functions
///
/// | | |
/// |---|---|
/// | Construction | `new`, `vec2(..)`, `vec3(..)` and the others for each type, `splat`, `from_array`, `from` of arrays, tuples and masks, `extend`, `truncate`, `with_x`, swizzles, the constants; `from_cols`, `from_diagonal` |
/// | Components | `x` to `w`, `v[i]`, `to_array`; `x_axis` to `w_axis`, `col`, `row`, `diagonal`, `transpose` |
/// | Conversions | `as_vec3`, `as_dvec3`, `as_ivec3`, `as_uvec3`, and the same for two and four components |
/// | Operators | `+ - * / %` with vectors and scalars on either side, `-`, `==`, `!=`, and compound assignment; for integers `<< >> & \| ^ !`; for masks `& \| ^ !`; for matrices `+ - *`, also with vectors and scalars, and `/` by a scalar |
/// | Comparisons | `cmpeq cmpne cmplt cmple cmpgt cmpge`, `select`, `any`, `all`, `bitmask`; for a `Vec4`, too, the result is a `BVec4`, where glam with SSE2 returns a `BVec4A` |
/// | All vectors | `dot dot_into_vec cross perp perp_dot rotate min max clamp abs signum min_element max_element element_sum element_product length_squared distance_squared` |
/// | Integers | `div_euclid rem_euclid wrapping_add wrapping_sub wrapping_mul` |
/// | Floats (`exp` to `powf` not for doubles) | `length length_recip distance normalize normalize_or normalize_or_zero is_normalized project_onto reject_from project_onto_normalized reject_from_normalized reflect refract lerp midpoint move_towards clamp_length clamp_length_min clamp_length_max saturate step smoothstep floor ceil trunc round fract fract_gl sqrt recip copysign mul_add exp exp2 ln log2 sin cos powf is_nan is_finite is_nan_mask is_finite_mask abs_diff_eq` |
/// | Matrices | `determinant inverse mul_vec4 mul_scalar div_scalar transform_point3 transform_vector3 project_point3`, and the same for the other sizes |
///
/// # Memory
///
/// A `Vec4`, `IVec4` or `UVec4` is loaded and stored by one access of 128 bits. A `Vec3`
/// has 12 bytes, without padding. If glam aligns `Vec4`, `Mat2` and `Mat4` to 16 bytes, a
/// struct of them may have padding, which is rejected; so are the types that glam aligns or
/// pads for SIMD on the CPU (`Vec3A`, `Mat3A`).
#[cfg(feature = "glam")]
pub use amp_runtime::private::glam;

/// The crate `ndarray`, for conversions between its arrays and views and
/// [`Array`](crate::Array)s, with the feature `ndarray`: [`ArrayView::from_ndarray`](crate::ArrayView::from_ndarray),
/// [`ArrayViewMut::from_ndarray`](crate::ArrayViewMut::from_ndarray),
/// [`Array::from_ndarray`](crate::Array::from_ndarray), and `as_ndarray`, `to_ndarray` of each.
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
/// // A transposed array cannot be viewed; copy it to row-major order first.
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

/// The crate `image`, for views of its images, with the feature `image`:
/// [`ArrayView::from_image`](crate::ArrayView::from_image),
/// [`ArrayViewMut::from_image`](crate::ArrayViewMut::from_image), and `to_image` of both.
///
/// ```
/// use amp::image::{GrayImage, Rgb, RgbImage};
/// use amp::prelude::*;
///
/// #[amp_struct]
/// struct Pixel {
///     rgb: [u8; 3],
/// }
///
/// #[amp_kernel]
/// fn darken(idx: Index<2>, image: &mut ArrayViewMut<Pixel, 2>) {
///     let [red, green, blue] = image[idx].rgb;
///     image[idx].rgb = [red / 2, green / 2, blue / 2];
/// }
///
/// #[amp_kernel]
/// fn gray(idx: Index<2>, image: &ArrayView<Pixel, 2>, gray: &mut ArrayViewMut<u8, 2>) {
///     gray[idx] = image[idx].rgb[0].max(image[idx].rgb[1]).max(image[idx].rgb[2]);
/// }
///
/// # fn main() -> amp::Result<()> {
/// let mut image = RgbImage::from_pixel(6, 4, Rgb([200, 100, 0]));
/// let mut pixels = ArrayViewMut::from_image(&mut image)?;
/// parallel_for_each(pixels.extent(), darken(&mut pixels))?;
/// let mut grays = ArrayViewMut::uninit(pixels.extent())?;
/// parallel_for_each(pixels.extent(), gray(&pixels, &mut grays))?;
/// let grays: GrayImage = grays.to_image()?;
/// drop(pixels);
/// assert_eq!(image.get_pixel(5, 3), &Rgb([100, 50, 0]));
/// assert_eq!(grays.dimensions(), (6, 4));
/// assert_eq!(grays.get_pixel(5, 3).0, [100]);
/// # Ok(())
/// # }
/// ```
#[cfg(feature = "image")]
pub use amp_runtime::private::image;

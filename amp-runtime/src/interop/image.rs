//! Views of images of the crate `image`, and images from views (feature `image`).
//!
//! An element is a pixel: an integer or float for images of one channel, else an array or a struct of
//! the channels. The crate's own pixel types are none, because kernels do not know them.

use std::ops::{Deref, DerefMut};

use image::{ImageBuffer, Pixel};

use crate::types::element::Element;
use crate::types::error::{Error, Result, times};
use crate::view::{ArrayView, ArrayViewMut};

/// Refuses elements that are no pixels.
const fn assert_pixel<T, P: Pixel>() {
    assert!(
        size_of::<T>() == P::CHANNEL_COUNT as usize * size_of::<P::Subpixel>(),
        "the elements of a view of an image have the size of its pixels"
    );
}

/// Rows and columns, and the number of subpixels.
fn shape<P: Pixel>((width, height): (u32, u32)) -> ([usize; 2], usize) {
    let extent = [height as usize, width as usize];
    let channels = usize::from(P::CHANNEL_COUNT);
    (extent, extent[0] * extent[1] * channels)
}

impl<'a, T: Element> ArrayView<'a, T, 2> {
    /// A view of the pixels of an image, which is borrowed, by row and column.
    ///
    /// The elements are of any type that has the size of a pixel, such as `u8` for a `GrayImage`, and
    /// `[u8; 4]` or an `#[amp_struct]` of four `u8` for an `RgbaImage`; of another type, the program
    /// does not compile.
    ///
    /// ```
    /// use amp_runtime::ArrayView;
    /// use image::{GrayImage, Luma};
    ///
    /// let image = GrayImage::from_fn(4, 3, |x, y| Luma([(10 * y + x) as u8]));
    /// let pixels: ArrayView<u8, 2> = ArrayView::from_image(&image)?;
    /// assert_eq!(pixels[[2, 3]], 23);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::InvalidExtent`] if the image has no pixels, [`Error::Misaligned`] if its memory
    /// does not start where an element can.
    pub fn from_image<P, C>(image: &'a ImageBuffer<P, C>) -> Result<Self>
    where
        P: Pixel<Subpixel: Element>,
        C: Deref<Target = [P::Subpixel]>,
    {
        const { assert_pixel::<T, P>() }
        let (extent, subpixels) = shape::<P>(image.dimensions());
        ArrayView::from(&(**image)[..subpixels])
            .reinterpret()?
            .view_as(extent)
    }
}

impl<'a, T: Element> ArrayViewMut<'a, T, 2> {
    /// A view of the pixels of an image, which is borrowed, by row and column. What kernels write
    /// comes back to the image as to a slice.
    ///
    /// # Errors
    ///
    /// As [`ArrayView::from_image`].
    pub fn from_image<P, C>(image: &'a mut ImageBuffer<P, C>) -> Result<Self>
    where
        P: Pixel<Subpixel: Element>,
        C: Deref<Target = [P::Subpixel]> + DerefMut,
    {
        const { assert_pixel::<T, P>() }
        let (extent, subpixels) = shape::<P>(image.dimensions());
        ArrayViewMut::from(&mut (**image)[..subpixels])
            .into_reinterpret()?
            .into_view_as(extent)
    }
}

macro_rules! common {
    ($($view:ident)*) => {$(
        impl<T: Element> $view<'_, T, 2> {
            /// A copy of the elements as the pixels of an image, from wherever they are current.
            ///
            /// ```
            /// use amp_runtime::ArrayView;
            /// use image::{GrayImage, Luma};
            ///
            /// let image: GrayImage = ArrayView::new([1, 2], &[7_u8, 8])?.to_image()?;
            /// assert_eq!(image.get_pixel(1, 0), &Luma([8]));
            /// # Ok::<(), amp_runtime::Error>(())
            /// ```
            ///
            /// # Errors
            ///
            /// As [`to_vec`](Self::to_vec); [`Error::InvalidExtent`] if an image cannot be so
            /// large.
            pub fn to_image<P>(&self) -> Result<ImageBuffer<P, Vec<P::Subpixel>>>
            where
                P: Pixel<Subpixel: Element>,
            {
                const { assert_pixel::<T, P>() }
                image(self.extent().to_array(), &self.to_vec()?)
            }
        }
    )*};
}
common!(ArrayView ArrayViewMut);

fn image<T: Element, P: Pixel<Subpixel: Element>>(
    [height, width]: [usize; 2],
    pixels: &[T],
) -> Result<ImageBuffer<P, Vec<P::Subpixel>>> {
    let size = (u32::try_from(width), u32::try_from(height));
    let subpixels = bytemuck::cast_slice(pixels).to_vec();
    let made = match size {
        (Ok(width), Ok(height)) => ImageBuffer::from_raw(width, height, subpixels),
        _ => None,
    };
    made.ok_or_else(|| {
        let extent = times(&[height, width]);
        Error::InvalidExtent(format!("{extent} pixels are too many for an image"))
    })
}

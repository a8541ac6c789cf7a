//! Views of images of the crate `image`, and images from views.

use amp::Error;
use amp::prelude::*;
use image::{GrayImage, ImageBuffer, Luma, Rgba, RgbaImage};
use testkit::{everywhere, launch};

#[amp_struct]
struct Pixel {
    rgba: [u8; 4],
}

#[amp_kernel]
fn swap_red_and_blue(idx: Index<2>, image: &mut ArrayViewMut<Pixel, 2>) {
    let [red, green, blue, alpha] = image[idx].rgba;
    image[idx].rgba = [blue, green, red, alpha];
}

#[amp_kernel]
fn alpha(idx: Index<2>, image: &ArrayView<[u8; 4], 2>, alpha: &mut ArrayViewMut<u8, 2>) {
    alpha[idx] = image[idx][3];
}

fn picture() -> RgbaImage {
    ImageBuffer::from_fn(5, 3, |x, y| Rgba([x as u8, y as u8, 7, (10 * y + x) as u8]))
}

#[test]
fn pixels_are_elements() {
    everywhere(|view| {
        let mut image = picture();
        let mut pixels = ArrayViewMut::from_image(&mut image).unwrap();
        assert_eq!(pixels.extent(), Extent::new([3, 5]));
        launch(view, [3, 5], swap_red_and_blue(&mut pixels)).unwrap();
        let copy: RgbaImage = pixels.to_image().unwrap();
        drop(pixels);
        assert_eq!(image, copy, "{view}");
        assert_eq!(image.get_pixel(4, 2), &Rgba([7, 2, 4, 24]), "{view}");

        let pixels = ArrayView::from_image(&image).unwrap();
        let mut out = GrayImage::new(5, 3);
        let mut grays = ArrayViewMut::from_image(&mut out).unwrap();
        launch(view, [3, 5], alpha(&pixels, &mut grays)).unwrap();
        grays.synchronize().unwrap();
        drop(grays);
        assert_eq!(out.get_pixel(4, 2), &Luma([24]), "{view}");
    });
}

/// The memory of an image may be longer than the image.
#[test]
fn sections_become_images_and_longer_memory_is_cut() {
    let bytes = [1_u8, 2, 3, 4, 5, 6, 7];
    let image: ImageBuffer<Luma<u8>, &[u8]> = ImageBuffer::from_raw(3, 2, &bytes[..]).unwrap();
    let pixels: ArrayView<u8, 2> = ArrayView::from_image(&image).unwrap();
    let corner: GrayImage = pixels.section([0, 1], [2, 2]).unwrap().to_image().unwrap();
    assert_eq!(corner.as_raw(), &[2, 3, 5, 6]);
}

#[test]
fn an_image_without_pixels_is_no_view() {
    let image = GrayImage::new(0, 4);
    let pixels = ArrayView::<u8, 2>::from_image(&image);
    assert!(matches!(pixels, Err(Error::InvalidExtent(_))));
}

//! Filters an image: blurs it, finds its edges, and removes noise. A PNG file shows them side by
//! side.
//!
//! `cargo run --release --example image_filters -- image_filters.png 512`

use std::error::Error;

use amp::prelude::*;

mod support;

/// Their sum is 256.
const BLUR: [f32; 9] = [1.0, 8.0, 28.0, 56.0, 70.0, 56.0, 28.0, 8.0, 1.0];

/// The nearest place within an extent.
#[amp_fn]
fn clamped(i: usize, by: isize, length: usize) -> usize {
    i.saturating_add_signed(by).min(length - 1)
}

/// The weighted average of the pixels before and behind, along one dimension.
#[amp_kernel]
fn blur(idx: Index<2>, along: usize, from: &ArrayView<u8, 2>, to: &mut ArrayViewMut<u8, 2>) {
    let mut sum = 0.0;
    for k in 0..9 {
        let mut at = idx;
        at[along] = clamped(idx[along], k as isize - 4, from.extent()[along]);
        sum += BLUR[k] * f32::from(from[at]);
    }
    to[idx] = (sum / 256.0).round() as u8;
}

/// The pixels around one, and itself.
#[amp_fn]
fn around(idx: Index<2>, image: &ArrayView<u8, 2>) -> [u8; 9] {
    let [rows, columns] = image.extent().to_array();
    let mut pixels = [0; 9];
    for (k, pixel) in pixels.iter_mut().enumerate() {
        let i = clamped(idx[0], (k / 3) as isize - 1, rows);
        let j = clamped(idx[1], (k % 3) as isize - 1, columns);
        *pixel = image[[i, j]];
    }
    pixels
}

/// How steep the brightness is (Sobel).
#[amp_kernel]
fn edges(idx: Index<2>, from: &ArrayView<u8, 2>, to: &mut ArrayViewMut<u8, 2>) {
    const ACROSS: [i32; 9] = [-1, 0, 1, -2, 0, 2, -1, 0, 1];
    const ALONG: [i32; 9] = [-1, -2, -1, 0, 0, 0, 1, 2, 1];
    let pixels = around(idx, from);
    let x: i32 = pixels
        .iter()
        .zip(ACROSS)
        .map(|(pixel, weight)| i32::from(*pixel) * weight)
        .sum();
    let y: i32 = pixels
        .iter()
        .zip(ALONG)
        .map(|(pixel, weight)| i32::from(*pixel) * weight)
        .sum();
    to[idx] = (x * x + y * y).isqrt().min(255) as u8;
}

/// The middle one of the pixels around, by brightness.
#[amp_kernel]
fn median(idx: Index<2>, from: &ArrayView<u8, 2>, to: &mut ArrayViewMut<u8, 2>) {
    let mut pixels = around(idx, from);
    for sorted in 0..=4 {
        for k in sorted + 1..9 {
            let (less, more) = (pixels[sorted].min(pixels[k]), pixels[sorted].max(pixels[k]));
            (pixels[sorted], pixels[k]) = (less, more);
        }
    }
    to[idx] = pixels[4];
}

/// The blurred image, its edges, and the image without noise.
fn filter(size: usize, image: &[u8]) -> amp::Result<[Vec<u8>; 3]> {
    let image = ArrayView::new([size, size], image)?;
    let extent = image.extent();
    let mut rows = ArrayViewMut::uninit(extent)?;
    let mut blurred = ArrayViewMut::uninit(extent)?;
    let mut outlined = ArrayViewMut::uninit(extent)?;
    let mut cleaned = ArrayViewMut::uninit(extent)?;
    parallel_for_each(extent, blur(1, &image, &mut rows))?;
    parallel_for_each(extent, blur(0, &rows, &mut blurred))?;
    parallel_for_each(extent, edges(&image, &mut outlined))?;
    parallel_for_each(extent, median(&image, &mut cleaned))?;
    Ok([blurred.to_vec()?, outlined.to_vec()?, cleaned.to_vec()?])
}

fn on_host(size: usize, image: &[u8]) -> [Vec<u8>; 3] {
    let places = || (0..size).flat_map(|i| (0..size).map(move |j| (i as isize, j as isize)));
    let clamped = |i: isize| i.clamp(0, size as isize - 1) as usize;
    let at = |image: &[u8], i: isize, j: isize| image[clamped(i) * size + clamped(j)];
    let blur = |image: &[u8], [down, right]: [isize; 2]| -> Vec<u8> {
        let blurred = |(i, j): (isize, isize)| {
            let pixel = |k: isize| f32::from(at(image, i + down * (k - 4), j + right * (k - 4)));
            let terms = BLUR.iter().zip(0..).map(|(weight, k)| weight * pixel(k));
            (terms.sum::<f32>() / 256.0).round() as u8
        };
        places().map(blurred).collect()
    };
    let outlined = |(i, j): (isize, isize)| {
        let at = |down: isize, right: isize| i32::from(at(image, i + down, j + right));
        let x = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
        let y = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
        (x * x + y * y).isqrt().min(255) as u8
    };
    let cleaned = |(i, j): (isize, isize)| {
        let around = (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right)));
        let mut pixels: Vec<u8> = around.map(|(d, r)| at(image, i + d, j + r)).collect();
        pixels.sort();
        pixels[4]
    };
    let blurred = blur(&blur(image, [0, 1]), [1, 0]);
    [
        blurred,
        places().map(outlined).collect(),
        places().map(cleaned).collect(),
    ]
}

/// Rings, with noise.
fn image(size: usize) -> Vec<u8> {
    let pixel = |(n, noise): (usize, u32)| {
        let [i, j] = [n / size, n % size].map(|i| i as f32 / size as f32 - 0.5);
        let ring = ((i * i + j * j).sqrt() * 12.0) as u8 % 2;
        if noise % 16 == 0 {
            (noise >> 8) as u8
        } else {
            40 + 160 * ring
        }
    };
    (0..size * size).zip(support::random()).map(pixel).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args()
        .nth(1)
        .unwrap_or("image_filters.png".into());
    let size = support::argument(2, 64);
    let image = image(size);
    let filtered = filter(size, &image)?;
    assert!(filtered == on_host(size, &image), "differs from the host");
    let [blurred, outlined, cleaned] = &filtered;
    let images = [&image, blurred, outlined, cleaned];
    let rows = (0..size).flat_map(|i| images.map(|image| &image[i * size..][..size]));
    let rgb: Vec<u8> = rows.flatten().flat_map(|&gray| [gray; 3]).collect();
    support::write_png(&path, 4 * size, size, &rgb)?;
    println!("image_filters: 4 × {size} × {size} pixels in {path}");
    Ok(())
}

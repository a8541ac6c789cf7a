//! What the programs of the gallery have in common: arguments, random numbers and PNG files.

#![allow(dead_code, reason = "a program uses what it needs")]

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

/// Argument `n` of the program, counted from 1, or `default` if it is not given.
pub fn argument(n: usize, default: usize) -> usize {
    let parsed = |text: String| text.parse().expect("an argument is not a number");
    std::env::args().nth(n).map_or(default, parsed)
}

/// Random numbers, the same in each run (xorshift).
pub fn random() -> impl Iterator<Item = u32> {
    std::iter::successors(Some(2_463_534_242_u32), |&x| {
        let x = x ^ (x << 13);
        let x = x ^ (x >> 17);
        Some(x ^ (x << 5))
    })
}

/// Random numbers from 0 to 1.
pub fn random_floats() -> impl Iterator<Item = f32> {
    random().map(|x| (x >> 8) as f32 / 16_777_216.0)
}

/// Writes an image of three bytes per pixel.
pub fn write_png(
    path: &str,
    width: usize,
    height: usize,
    rgb: &[u8],
) -> Result<(), Box<dyn Error>> {
    let file = BufWriter::new(File::create(path)?);
    let mut encoder = png::Encoder::new(file, width.try_into()?, height.try_into()?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(rgb)?;
    Ok(())
}

//! Draws the Mandelbrot set as a PNG file.
//!
//! `cargo run --release --example mandelbrot -- mandelbrot.png 1600`

use std::error::Error;
use std::ops::{Add, Mul};

use amp::prelude::*;

mod support;

/// A point whose orbit stays small for so long belongs to the set.
const LIMIT: u32 = 200;

#[amp_struct]
#[derive(Debug)]
struct Complex {
    re: f32,
    im: f32,
}

#[amp_fn]
impl Complex {
    const ZERO: Self = Self { re: 0.0, im: 0.0 };

    fn norm_sqr(self) -> f32 {
        self.re * self.re + self.im * self.im
    }
}

#[amp_fn]
impl Add for Complex {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            re: self.re + other.re,
            im: self.im + other.im,
        }
    }
}

#[amp_fn]
impl Mul for Complex {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Pixel {
    rgb: [u8; 3],
}

/// The number of steps after which the orbit leaves, if it does.
#[amp_fn]
fn escape(c: Complex) -> Option<u32> {
    let mut z = Complex::ZERO;
    (0..LIMIT).find(|_| {
        z = z * z + c;
        z.norm_sqr() > 4.0
    })
}

#[amp_fn]
fn color(steps: Option<u32>) -> Pixel {
    let Some(steps) = steps else {
        return Pixel { rgb: [0; 3] };
    };
    let x = (steps as f32 / LIMIT as f32).sqrt();
    let byte = |part: f32| (part.clamp(0.0, 1.0) * 255.0) as u8;
    let y = 1.0 - x;
    let (red, green, blue) = (
        9.0 * y * x * x * x,
        15.0 * y * y * x * x,
        8.5 * y * y * y * x,
    );
    Pixel {
        rgb: [byte(red), byte(green), byte(blue)],
    }
}

#[amp_kernel]
fn draw(idx: Index<2>, image: &mut ArrayViewMut<Pixel, 2>) {
    let [height, width] = image.extent().to_array();
    let scale = 3.0 / width as f32;
    let c = Complex {
        re: (idx[1] as f32 - 0.7 * width as f32) * scale,
        im: (idx[0] as f32 - 0.5 * height as f32) * scale,
    };
    image[idx] = color(escape(c));
}

fn on_host(width: usize, height: usize) -> Vec<Pixel> {
    let scale = 3.0 / width as f32;
    let pixel = |n: usize| {
        let re = ((n % width) as f32 - 0.7 * width as f32) * scale;
        let im = ((n / width) as f32 - 0.5 * height as f32) * scale;
        let (mut x, mut y) = (0.0, 0.0);
        let steps = (0..LIMIT).find(|_| {
            (x, y) = (x * x - y * y + re, x * y + y * x + im);
            x * x + y * y > 4.0
        });
        color(steps)
    };
    (0..width * height).map(pixel).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or("mandelbrot.png".into());
    let width = support::argument(2, 96);
    let height = width * 2 / 3;
    let mut image = ArrayViewMut::uninit([height, width])?;
    parallel_for_each(image.extent(), draw(&mut image))?;
    let image = image.to_vec()?;
    assert!(image == on_host(width, height), "differs from the host");
    let rgb: Vec<u8> = image.iter().flat_map(|pixel| pixel.rgb).collect();
    support::write_png(&path, width, height, &rgb)?;
    println!("mandelbrot: {width} × {height} pixels in {path}");
    Ok(())
}

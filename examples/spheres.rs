//! Draws a ray-traced image as a PNG file: reflecting spheres on a floor, under a low sun.
//!
//! Each thread computes one pixel. The image is a `Vec<u8>` with three bytes per pixel, the
//! layout of most image crates; `reinterpret` and `into_view_as` give the kernel a view of the
//! same bytes as a matrix of `Pixel`s. Every accelerator draws the same image, byte for byte.
//!
//! ```sh
//! cargo run --release --features glam --example spheres -- docs/spheres.png
//! ```

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::process::ExitCode;
use std::time::Instant;

use amp::glam::{Vec2, Vec3, vec2, vec3};
use amp::prelude::*;

/// A pixel is the average of `SAMPLES` × `SAMPLES` rays.
const SAMPLES: usize = 4;

/// The number of surfaces that a ray visits.
const BOUNCES: usize = 5;

/// Reflected rays start this far above the surface, so that they do not hit it again.
const CLEARANCE: f32 = 1.0e-3;

#[amp_struct]
struct Sphere {
    center: Vec3,
    radius: f32,
    color: Vec3,
    /// The fraction of light that the surface reflects.
    reflectance: f32,
}

#[amp_struct]
struct Ray {
    origin: Vec3,
    direction: Vec3,
}

/// The nearest surface that a ray hits.
#[amp_struct]
struct Hit {
    /// Infinite if the ray hits nothing.
    distance: f32,
    normal: Vec3,
    color: Vec3,
    reflectance: f32,
}

/// The camera, with three perpendicular directions, and the direction of the sun.
#[amp_struct]
struct Scene {
    eye: Vec3,
    right: Vec3,
    up: Vec3,
    forward: Vec3,
    sun: Vec3,
}

#[amp_struct]
struct Pixel {
    rgb: [u8; 3],
}

/// The distance along `ray` to `sphere`, infinite if the ray misses it.
#[amp_fn]
fn distance(ray: Ray, sphere: Sphere) -> f32 {
    let to_center = sphere.center - ray.origin;
    let along = to_center.dot(ray.direction);
    let discriminant = along * along - to_center.length_squared() + sphere.radius * sphere.radius;
    let distance = along - discriminant.max(0.0).sqrt();
    if discriminant > 0.0 && distance > 0.0 {
        distance
    } else {
        f32::INFINITY
    }
}

/// The color of the floor: a checkerboard that fades with the distance.
#[amp_fn]
fn floor(at: Vec2) -> Vec3 {
    let square = (at.x.floor() + at.y.floor()).rem_euclid(2.0);
    let fade = 1.0 / (1.0 + 0.02 * at.length_squared());
    Vec3::splat(0.4) + Vec3::splat(0.2 * (square - 0.5) * fade)
}

#[amp_fn]
fn nearest(ray: Ray, spheres: &ArrayView<Sphere, 1>) -> Hit {
    let mut hit = Hit {
        distance: f32::INFINITY,
        normal: Vec3::Y,
        color: Vec3::ZERO,
        reflectance: 0.0,
    };
    if ray.direction.y < 0.0 {
        hit.distance = -ray.origin.y / ray.direction.y;
        let at = ray.origin + ray.direction * hit.distance;
        hit.color = floor(vec2(at.x, at.z));
        hit.reflectance = 0.12;
    }
    for i in 0..spheres.extent()[0] {
        let sphere = spheres[i];
        let distance = distance(ray, sphere);
        if distance < hit.distance {
            let at = ray.origin + ray.direction * distance;
            hit = Hit {
                distance,
                normal: (at - sphere.center) / sphere.radius,
                color: sphere.color,
                reflectance: sphere.reflectance,
            };
        }
    }
    hit
}

#[amp_fn]
fn sky(direction: Vec3, sun: Vec3) -> Vec3 {
    let height = (direction.y * 2.5).clamp(0.0, 1.0).sqrt();
    let mut glow = direction.dot(sun).max(0.0);
    for _ in 0..5 {
        glow *= glow;
    }
    vec3(0.95, 0.72, 0.55).lerp(vec3(0.16, 0.32, 0.62), height) + vec3(1.0, 0.7, 0.4) * glow
}

/// The light that the camera receives along `first`.
#[amp_fn]
fn trace(first: Ray, spheres: &ArrayView<Sphere, 1>, sun: Vec3) -> Vec3 {
    let mut ray = first;
    let mut light = Vec3::ZERO;
    let mut share = Vec3::ONE;
    for _ in 0..BOUNCES {
        let hit = nearest(ray, spheres);
        if hit.distance == f32::INFINITY {
            return light + share * sky(ray.direction, sun);
        }
        let origin = ray.origin + ray.direction * hit.distance + hit.normal * CLEARANCE;
        let towards_sun = nearest(
            Ray {
                origin,
                direction: sun,
            },
            spheres,
        );
        let lit = towards_sun.distance == f32::INFINITY;
        let sunlight = if lit {
            hit.normal.dot(sun).max(0.0)
        } else {
            0.0
        };
        let skylight = 0.5 + 0.5 * hit.normal.y;
        let diffuse = vec3(1.0, 0.8, 0.6) * sunlight + vec3(0.25, 0.33, 0.45) * skylight;
        light += share * diffuse * hit.color * (1.0 - hit.reflectance);
        share *= hit.reflectance;
        ray = Ray {
            origin,
            direction: ray.direction.reflect(hit.normal),
        };
    }
    light
}

#[amp_kernel]
fn render(
    idx: Index<2>,
    scene: Scene,
    spheres: &ArrayView<Sphere, 1>,
    pixels: &mut ArrayViewMut<Pixel, 2>,
) {
    let (height, width) = (pixels.extent()[0] as f32, pixels.extent()[1] as f32);
    let samples: usize = SAMPLES;
    let mut light = Vec3::ZERO;
    for i in 0..samples {
        for j in 0..samples {
            let x = idx[1] as f32 + (j as f32 + 0.5) / samples as f32 - width / 2.0;
            let y = idx[0] as f32 + (i as f32 + 0.5) / samples as f32 - height / 2.0;
            let way = scene.forward * (1.6 * height) + scene.right * x - scene.up * y;
            let ray = Ray {
                origin: scene.eye,
                direction: way.normalize(),
            };
            light += trace(ray, spheres, scene.sun).clamp(Vec3::ZERO, Vec3::ONE);
        }
    }
    // Gamma correction, with an exponent of 2.
    let light = light / (samples * samples) as f32;
    let rgb = [
        light.x.sqrt() * 255.0,
        light.y.sqrt() * 255.0,
        light.z.sqrt() * 255.0,
    ];
    pixels[idx] = Pixel {
        rgb: [
            rgb[0].round() as u8,
            rgb[1].round() as u8,
            rgb[2].round() as u8,
        ],
    };
}

/// A large sphere, and around it small ones placed like the seeds of a sunflower.
fn spheres() -> Vec<Sphere> {
    let large = Sphere {
        center: vec3(0.0, 1.5, 0.0),
        radius: 1.5,
        color: Vec3::ONE,
        reflectance: 0.85,
    };
    let seeds = (0..120_u32).map(|i| {
        let turns = i as f32 * 0.381_966;
        let far = 1.6 + 0.5 * (i as f32 + 1.0).sqrt();
        let radius = 0.13 + 0.05 * far;
        // Unlike `f32::cos`, these give the same bits on every host.
        let (sin, cos) = (
            precise_math::sinpi(2.0 * turns),
            precise_math::cospi(2.0 * turns),
        );
        let hue = |shift: f32| 0.45 + 0.4 * precise_math::cospi(i as f32 / 45.0 + shift);
        Sphere {
            center: vec3(far * cos, radius, far * sin),
            radius,
            color: vec3(hue(0.0), hue(0.667), hue(1.333)),
            reflectance: 0.25,
        }
    });
    std::iter::once(large).chain(seeds).collect()
}

/// Draws the image on `view` and returns its rows, three bytes per pixel.
pub fn draw(view: &AcceleratorView, width: usize, height: usize) -> amp::Result<Vec<u8>> {
    let forward = vec3(0.0, -0.27, 1.0).normalize();
    let right = Vec3::Y.cross(forward).normalize();
    let scene = Scene {
        eye: vec3(0.0, 4.6, -12.0),
        right,
        up: forward.cross(right),
        forward,
        sun: vec3(-0.75, 0.42, 0.5).normalize(),
    };
    let spheres = spheres();
    let spheres = Array::builder(spheres.len())
        .on(view)
        .data(&spheres)
        .build()?;
    let mut bytes = vec![0; 3 * width * height];
    let mut image = ArrayViewMut::new(bytes.len(), &mut bytes)?;
    let mut pixels = image
        .reinterpret::<Pixel>()?
        .into_view_as([height, width])?;
    view.parallel_for_each(pixels.extent(), render(scene, &spheres, &mut pixels))?;
    pixels.synchronize()?;
    drop(pixels);
    drop(image);
    Ok(bytes)
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or("spheres.png".into());
    let width = arguments
        .next()
        .map_or(Ok(640), |width| width.parse::<usize>())?;
    let height = width / 2;

    let accelerator = Accelerator::default()?;
    let start = Instant::now();
    let bytes = draw(&accelerator.default_view()?, width, height)?;
    println!(
        "{width} × {height} pixels in {:.0?} on {accelerator}",
        start.elapsed()
    );

    let file = BufWriter::new(File::create(&path)?);
    let mut encoder = png::Encoder::new(file, u32::try_from(width)?, u32::try_from(height)?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    encoder.write_header()?.write_image_data(&bytes)?;
    println!("wrote {path}");
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

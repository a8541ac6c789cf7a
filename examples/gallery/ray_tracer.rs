//! Draws spheres on a floor as a PNG file, with shadows and reflections.
//!
//! `cargo run --release --example ray_tracer -- ray_tracer.png 1280`

use std::error::Error;
use std::ops::{Add, Mul, Neg, Sub};

use amp::prelude::*;

mod support;

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Vec3 {
    x: f32,
    y: f32,
    z: f32,
}

#[amp_fn]
impl Vec3 {
    const fn new(x: f32, y: f32, z: f32) -> Self {
        Self { x, y, z }
    }

    fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    fn normalize(self) -> Self {
        self * (1.0 / self.dot(self).sqrt())
    }

    fn reflect(self, normal: Self) -> Self {
        self - normal * (2.0 * self.dot(normal))
    }
}

#[amp_fn]
impl Add for Vec3 {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

#[amp_fn]
impl Sub for Vec3 {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

#[amp_fn]
impl Neg for Vec3 {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

#[amp_fn]
impl Mul<f32> for Vec3 {
    type Output = Self;

    fn mul(self, scale: f32) -> Self {
        Self::new(self.x * scale, self.y * scale, self.z * scale)
    }
}

#[amp_struct]
#[derive(Debug)]
struct Ray {
    origin: Vec3,
    direction: Vec3,
}

#[amp_fn]
impl Ray {
    fn at(&self, distance: f32) -> Vec3 {
        self.origin + self.direction * distance
    }
}

/// The direction to the sun.
#[amp_fn]
fn sun() -> Vec3 {
    Vec3::new(-0.6, 0.64, -0.48)
}

#[amp_enum(element = StoredMaterial)]
#[derive(Debug)]
enum Material {
    Matte(Vec3),
    Mirror,
}

#[amp_struct]
#[derive(Debug)]
struct Sphere {
    center: Vec3,
    radius: f32,
    material: StoredMaterial,
}

/// Where a ray meets a surface.
#[amp_struct]
#[derive(Debug)]
struct Hit {
    distance: f32,
    normal: Vec3,
    material: Material,
}

#[amp_fn]
impl Sphere {
    /// Where a ray meets the sphere first.
    fn hit(&self, ray: &Ray) -> Option<Hit> {
        let to_center = self.center - ray.origin;
        let along = to_center.dot(ray.direction);
        let discriminant = along * along - to_center.dot(to_center) + self.radius * self.radius;
        if discriminant < 0.0 {
            return None;
        }
        let distance = along - discriminant.sqrt();
        let normal = (ray.at(distance) - self.center) * (1.0 / self.radius);
        (distance > 1e-3).then_some(Hit {
            distance,
            normal,
            material: self.material.value(),
        })
    }
}
const BOUNCES: usize = 4;

/// Where a ray meets the floor, a checkerboard.
#[amp_fn]
fn floor(ray: &Ray) -> Option<Hit> {
    let distance = -ray.origin.y / ray.direction.y;
    let at = ray.at(distance);
    let bright = (at.x.floor() + at.z.floor()).rem_euclid(2.0) < 1.0;
    let shade = if bright { 0.8 } else { 0.3 };
    (distance > 1e-3 && distance < 60.0).then_some(Hit {
        distance,
        normal: Vec3::new(0.0, 1.0, 0.0),
        material: Material::Matte(Vec3::new(shade, shade, shade)),
    })
}

#[amp_fn]
fn nearest(ray: &Ray, spheres: &ArrayView<Sphere, 1>) -> Option<Hit> {
    spheres
        .iter()
        .filter_map(|sphere| sphere.hit(ray))
        .fold(floor(ray), |nearest, hit| match nearest {
            Some(other) if other.distance < hit.distance => nearest,
            _ => Some(hit),
        })
}

#[amp_fn]
fn sky(direction: Vec3) -> Vec3 {
    let height = direction.y.clamp(0.0, 1.0);
    Vec3::new(0.9 - 0.6 * height, 0.9 - 0.4 * height, 1.0)
}

/// The light that comes along a ray.
#[amp_fn]
fn light(first: Ray, spheres: &ArrayView<Sphere, 1>) -> Vec3 {
    let mut ray = first;
    for _ in 0..BOUNCES {
        let Some(Hit {
            distance,
            normal,
            material,
        }) = nearest(&ray, spheres)
        else {
            break;
        };
        let origin = ray.at(distance);
        match material {
            Material::Mirror => {
                ray = Ray {
                    origin,
                    direction: ray.direction.reflect(normal),
                }
            }
            Material::Matte(color) => {
                let to_sun = Ray {
                    origin,
                    direction: sun(),
                };
                let in_shadow = nearest(&to_sun, spheres).is_some();
                let sunlight = if in_shadow {
                    0.0
                } else {
                    normal.dot(sun()).max(0.0)
                };
                return color * (0.25 + 0.75 * sunlight);
            }
        }
    }
    sky(ray.direction)
}

#[amp_struct]
#[derive(PartialEq)]
struct Pixel {
    rgb: [u8; 3],
}

/// The color of light.
#[amp_fn]
fn pixel(light: Vec3) -> Pixel {
    let byte = |part: f32| (part.sqrt() * 255.0) as u8;
    Pixel {
        rgb: [byte(light.x), byte(light.y), byte(light.z)],
    }
}

/// The ray that a camera sees at a pixel.
#[amp_fn]
fn view_ray(i: usize, j: usize, width: usize, height: usize) -> Ray {
    let direction = Vec3::new(
        j as f32 - 0.5 * width as f32,
        0.4 * height as f32 - i as f32,
        1.2 * height as f32,
    );
    Ray {
        origin: Vec3::new(0.0, 1.5, -6.0),
        direction: direction.normalize(),
    }
}

#[amp_kernel]
fn draw(idx: Index<2>, spheres: &ArrayView<Sphere, 1>, image: &mut ArrayViewMut<Pixel, 2>) {
    let [height, width] = image.extent().to_array();
    image[idx] = pixel(light(view_ray(idx[0], idx[1], width, height), spheres));
}

/// The same image, by functions of the scene that kernels and the host have in common.
fn on_host(width: usize, height: usize, spheres: &[Sphere]) -> Vec<Pixel> {
    let nearest = |ray: &Ray| {
        let hits = spheres.iter().filter_map(|sphere| sphere.hit(ray));
        floor(ray)
            .into_iter()
            .chain(hits)
            .min_by(|a, b| a.distance.total_cmp(&b.distance))
    };
    let light = |first: Ray| {
        let mut ray = first;
        for _ in 0..BOUNCES {
            let Some(hit) = nearest(&ray) else { break };
            let origin = ray.at(hit.distance);
            let Material::Matte(color) = hit.material else {
                ray = Ray {
                    origin,
                    direction: ray.direction.reflect(hit.normal),
                };
                continue;
            };
            let in_shadow = nearest(&Ray {
                origin,
                direction: sun(),
            })
            .is_some();
            let sunlight = if in_shadow {
                0.0
            } else {
                hit.normal.dot(sun()).max(0.0)
            };
            return color * (0.25 + 0.75 * sunlight);
        }
        sky(ray.direction)
    };
    let pixel = |n: usize| pixel(light(view_ray(n / width, n % width, width, height)));
    (0..width * height).map(pixel).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or("ray_tracer.png".into());
    let width = support::argument(2, 96);
    let height = width / 2;
    let sphere = |i: usize| {
        let [x, z] = [(i % 5) as f32 * 1.6 - 3.2, (i / 5) as f32 * 1.8 - 1.0];
        let radius = 0.4 + 0.1 * (i % 3) as f32;
        let color = Vec3::new(0.3 + 0.15 * (i % 5) as f32, 0.5, 0.9 - 0.2 * (i / 5) as f32);
        let material = match i % 4 {
            1 => Material::Mirror,
            _ => Material::Matte(color),
        };
        Sphere {
            center: Vec3::new(x, radius, z),
            radius,
            material: material.into(),
        }
    };
    let spheres: Vec<Sphere> = (0..15).map(sphere).collect();
    let mut image = ArrayViewMut::uninit([height, width])?;
    parallel_for_each(image.extent(), draw(&ArrayView::from(&spheres), &mut image))?;
    let image = image.to_vec()?;
    assert!(
        image == on_host(width, height, &spheres),
        "differs from the host"
    );
    let rgb: Vec<u8> = image.iter().flat_map(|pixel| pixel.rgb).collect();
    support::write_png(&path, width, height, &rgb)?;
    println!("ray_tracer: {width} × {height} pixels in {path}");
    Ok(())
}

//! Types of one's own that a kernel lists for a type parameter, and that are not what it needs.

use amp::Element;
use amp::prelude::*;

#[amp_struct]
struct Heat {
    value: f32,
}

#[amp_struct]
struct Counted {
    value: f32,
    count: usize,
}

struct Plain {
    value: f32,
}

#[amp_fn]
trait Hot {
    fn heat(&self) -> f32;
}

#[amp_fn]
impl Hot for Heat {
    fn heat(&self) -> f32 {
        self.value
    }
}

#[amp_kernel(T = Heat | Counted)]
fn unmet_bound<T: Hot>(idx: Index<1>, x: T, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] = x.heat();
}

#[amp_kernel(T = Heat | Counted)]
fn no_element<T: Element>(idx: Index<1>, x: &ArrayView<T, 1>, out: &mut ArrayViewMut<T, 1>) {
    out[idx] = x[idx];
}

#[amp_kernel(T = Heat | Plain)]
fn not_marked<T: Copy>(idx: Index<1>, x: T, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] = 1.0;
}

#[amp_kernel(T = Heat | Missing)]
fn not_there<T: Copy>(idx: Index<1>, x: T, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] = 1.0;
}

#[amp_kernel(T = Heat | Vec<f32>)]
fn no_value<T: Clone>(idx: Index<1>, x: T, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] = 1.0;
}

fn main() {}

//! Associated types of type parameters that bounds do not have, or that have not what is done with them.

use std::ops::{Add, Mul};

use amp::prelude::*;

#[amp_fn]
trait Sensor {
    type Value;

    fn read(&self) -> Self::Value;
}

#[amp_struct]
struct Gauge {
    value: f32,
}

#[amp_fn]
impl Sensor for Gauge {
    type Value = f32;

    fn read(&self) -> f32 {
        self.value
    }
}

#[amp_struct]
struct Other {
    value: f32,
}

#[amp_struct]
struct Kept<S> {
    sensor: S,
    last: S::Value,
}

#[amp_fn]
fn another_name<S: Sensor>(sensor: &S) -> S::Values {
    sensor.read()
}

#[amp_fn]
fn another_trait<S: Sensor>(sensor: &S) -> S::Output {
    sensor.read()
}

#[amp_fn]
fn no_operator<S: Sensor>(sensor: &S) -> S::Value {
    sensor.read() + sensor.read()
}

#[amp_fn]
fn no_number<S: Sensor>(sensor: &S) -> f32 {
    sensor.read()
}

#[amp_fn]
fn another_operand<A: Mul<B>, B>(a: A, b: B) -> A::Output {
    a * b + a
}

#[amp_fn]
fn itself<T: Add<Output = T::Output>>(x: T) -> T {
    x
}

#[amp_fn]
fn last<S: Sensor<Value = u32>>(sensor: &S) -> u32 {
    sensor.read()
}

#[amp_fn]
fn any<S: Sensor>(sensor: &S, first: S::Value) -> S::Value {
    first
}

#[amp_kernel]
fn kernel(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let gauge = Gauge { value: out[idx] };
    out[idx] = last(&gauge) as f32;
}

#[amp_kernel]
fn without(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let other = Other { value: out[idx] };
    out[idx] = any(&other, 1.0);
}

#[amp_kernel]
fn mismatch(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let gauge = Gauge { value: out[idx] };
    out[idx] = any(&gauge, idx[0]);
}

fn main() {}

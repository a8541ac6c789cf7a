//! Structs with views, however they are written, passed and borrowed.

mod data {
    use amp::prelude::*;

    #[amp_struct]
    pub struct Masses<'data> {
        pub mass: ArrayView<'data, f32, 1>,
        pub count: usize,
        pub is_heavy: bool,
        pub at: Index<2>,
    }
}

#[amp::amp_struct]
#[derive(Debug)]
struct Velocities<'a>(
    /// Of the bodies.
    amp::ArrayViewMut<'a, f32, 1>,
    f32,
);

#[amp::amp_struct]
pub(crate) struct Bodies<'a> {
    masses: data::Masses<'a>,
    velocities: Velocities<'a>,
    pair: (u32, f32),
}

use amp::prelude::*;

#[amp_fn]
fn mass(m: &data::Masses<'_>, i: usize) -> f32 {
    if m.is_heavy { m.mass[i] } else { m.mass[m.count - 1] }
}

#[amp_fn]
fn taken(m: data::Masses) -> f32 {
    m.mass[m.at[0]]
}

#[amp_fn]
fn accelerate(v: &mut Velocities, i: usize, by: f32) {
    v.0[i] += by * v.1;
}

#[amp_kernel]
fn by_reference(idx: Index<1>, b: &mut Bodies<'_>, m: &data::Masses) {
    let i = idx[0];
    // What only reads may be taken twice.
    let masses = mass(&b.masses, i) + mass(m, i);
    accelerate(&mut b.velocities, i, masses * b.pair.1);
    b.velocities.0[i] += (b.masses).mass[i];
    (*b).velocities.0.section(i, 1)[0] += 1.0;
}

#[amp_kernel]
fn by_value(idx: Index<1>, mut b: Bodies<'_>, m: data::Masses<'_>) {
    accelerate(&mut b.velocities, idx[0], taken(m) + taken(m));
    b.velocities.0[idx] += taken(b.masses);
}

fn main() -> amp::Result<()> {
    let mass = [1.0, 2.0];
    let mut velocity = [0.0; 2];
    let masses = |mass| data::Masses {
        mass,
        count: 2,
        is_heavy: true,
        at: Index::new([1, 0]),
    };
    let array = Array::new(2, &mass)?;
    let mut bodies = Bodies {
        masses: masses(array.view()),
        velocities: Velocities(ArrayViewMut::new(2, &mut velocity)?, 2.0),
        pair: (1, 2.0),
    };
    let others = masses(ArrayView::new(2, &mass)?);
    parallel_for_each(Extent::new([2]), by_reference(&mut bodies, &others))?;
    parallel_for_each(Extent::new([2]), by_value(bodies, others))?;
    let kernel = |others: &data::Masses, out: &mut ArrayViewMut<f32, 1>| {
        let kernel = kernel!(|idx: Index<1>| [others: &data::Masses, out: &mut ArrayViewMut<f32, 1>] {
            out[idx] = others.mass[idx];
        });
        parallel_for_each(Extent::new([2]), kernel)
    };
    let others = masses(ArrayView::new(2, &mass)?);
    kernel(&others, &mut ArrayViewMut::new(2, &mut velocity)?)
}

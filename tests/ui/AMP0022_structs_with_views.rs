use amp::prelude::*;

#[amp_struct]
struct Masses<'a> {
    mass: ArrayView<'a, f32, 1>,
}

#[amp_struct]
struct Bodies<'a> {
    position: ArrayView<'a, f32, 1>,
    velocity: ArrayViewMut<'a, f32, 1>,
    masses: Masses<'a>,
    softening: f32,
}

#[amp_struct]
struct Pair<'a>(ArrayView<'a, f32, 1>, f32);

#[amp_fn]
fn first(m: &Masses) -> f32 {
    m.mass[0]
}

#[amp_fn]
fn push(b: &mut Bodies, x: f32) {
    b.velocity[0] = x;
}

#[amp_fn]
fn sum(a: &ArrayView<f32, 1>) -> f32 {
    a[0] + a[1]
}

#[amp_fn]
fn made(m: &Masses) -> Masses<'_> {
    m
}

#[amp_fn]
fn pairs(both: (Masses<'_>, Masses<'_>)) -> f32 {
    0.0
}

#[amp_kernel]
fn elements(idx: Index<1>, all: &ArrayView<Masses<'static>, 1>, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] = 1.0;
}

#[amp_kernel]
fn arrays(idx: Index<1>, all: [Masses<'_>; 2], out: &mut ArrayViewMut<f32, 1>) {
    out[idx] = 1.0;
}

#[amp_kernel]
fn kept(t_idx: TiledIndex<1, 4>, b: &mut Bodies, m: &Masses) {
    #[tile_static]
    let mut shared: Masses<'_>;
    let masses = b.masses;
    let typed: Masses<'_> = b.masses;
    let both = (m, 1.0);
    let array = [m];
    let closure = |m: Masses<'_>| 1.0;
    let view = m.mass;
    b.velocity[t_idx.global] = 1.0;
}

#[amp_kernel]
fn chosen(idx: Index<1>, b: &mut Bodies, m: &Masses, n: &Masses, c: bool) {
    let x = if c { m } else { n }.mass[idx];
    let y = (if c { m.mass } else { n.mass })[idx];
    b.velocity[idx] = first(if c { m } else { n }) + sum(&{ m.mass }) + x + y;
}

#[amp_kernel]
fn created(idx: Index<1>, b: &mut Bodies, m: &Masses) {
    let x = first(&Masses { mass: m.mass.section(0, 1) });
    let y = Pair(m.mass.section(0, 1), 1.0).1;
    b.velocity[idx] = x + y;
}

#[amp_kernel]
fn passed(idx: Index<1>, b: &mut Bodies, m: &Masses) {
    push(b, sum(m.mass));
    push(&b, first(m.mass));
    b.velocity[idx] = sum(m) + first(b);
    m.weigh(1.0);
}

fn main() {}

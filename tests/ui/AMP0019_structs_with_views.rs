use amp::prelude::*;

#[amp_struct]
struct Masses<'a> {
    mass: ArrayView<'a, f32, 1>,
}

#[amp_struct]
struct Bodies<'a> {
    velocity: ArrayViewMut<'a, f32, 1>,
    masses: Masses<'a>,
    softening: f32,
}

#[amp_fn]
fn push(b: &mut Bodies, x: f32) {
    b.velocity[0] = x;
}

#[amp_fn]
fn fill(c: &mut ArrayViewMut<f32, 1>) {
    c[0] = 1.0;
}

#[amp_fn]
fn reads(b: &Bodies) {
    b.velocity[0] = 1.0;
    b.velocity[1] += 1.0;
    push(b, 1.0);
    push(&mut b, 1.0);
    fill(&mut b.velocity);
    b.velocity.section(0, 1)[0] = 1.0;
}

#[amp_kernel]
fn fields(idx: Index<1>, b: &mut Bodies, m: &Masses) {
    b.softening = 1.0;
    b.softening += 1.0;
    b.masses.mass[idx] = 1.0;
    b.masses = 1.0;
    b.velocity = 1.0;
    *b = 1.0;
    b = 1.0;
    fill(&mut m.mass);
}

#[amp_module]
mod methods {
    use amp::prelude::*;

    #[amp_struct]
    pub struct Sums<'a> {
        of: ArrayViewMut<'a, f32, 1>,
    }

    impl Sums<'_> {
        fn add(&mut self, i: usize) {
            self.of[i] += 1.0;
        }

        fn add_to(&self, i: usize) {
            self.add(i);
        }

        fn forget(&mut self) {
            *self = return;
        }
    }
}

fn main() {}

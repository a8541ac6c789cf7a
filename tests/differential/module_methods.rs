//! Functions that types of a module may have: named like macros, of traits with parameters, and
//! with views.

use amp::prelude::*;
use testkit::{gives, input, launch};

/// A method has no macro of its name, which it would hide.
#[amp_module]
mod named_like_macros {
    pub trait Write {
        fn write(&self, x: u32) -> u32;
    }

    pub struct Line {
        pub slope: u32,
    }

    impl Line {
        pub fn vec(x: u32) -> u32 {
            x + 1
        }

        pub fn line(&self, x: u32) -> u32 {
            self.slope * x
        }
    }

    impl Write for Line {
        fn write(&self, x: u32) -> u32 {
            self.line(Line::vec(x))
        }
    }

    pub fn written<W: Write>(by: W, x: u32) -> u32 {
        by.write(x)
    }
}

use named_like_macros::{Line, Write};

#[amp_kernel]
fn lines(idx: Index<1>, a: &ArrayView<u32, 1>, c: &mut ArrayViewMut<u32, 1>) {
    let line = Line { slope: 3 };
    c[idx] = line.write(a[idx]) + Line::vec(line.line(a[idx]));
}

#[test]
fn methods_are_named_like_macros() {
    let a = [1_u32, 20, 300];
    let expected = a.map(|x| 3 * (x + 1) + 3 * x + 1);
    gives(&expected, |view, c| launch(view, 3, lines(&input(&a), c)));
    assert_eq!(named_like_macros::written(Line { slope: 2 }, 4), 10);
}

#[amp_module]
mod with_parameters {
    use amp::prelude::*;

    pub trait By<T> {
        fn by(&self, x: T) -> T;
    }

    pub struct Factor<T> {
        pub value: T,
    }

    impl<T: Scalar> By<T> for Factor<T> {
        fn by(&self, x: T) -> T {
            x * self.value
        }
    }

    #[amp_kernel]
    pub fn scaled(idx: Index<1>, a: &ArrayView<u32, 1>, c: &mut ArrayViewMut<u32, 1>) {
        let (whole, half) = (Factor { value: 3_u32 }, Factor { value: 0.5_f32 });
        c[idx] = whole.by(a[idx]) + half.by(a[idx] as f32) as u32;
    }
}

#[test]
fn a_trait_with_a_parameter_is_implemented_for_a_type_with_one() {
    let a = [2_u32, 20, 300];
    let expected = a.map(|x| 3 * x + x / 2);
    gives(&expected, |view, c| {
        launch(view, 3, with_parameters::scaled(&input(&a), c))
    });
}

#[amp_module]
mod with_views {
    use amp::prelude::*;

    pub trait Place {
        fn find(&self, a: &ArrayView<u32, 1>) -> u32;

        fn put(&self, x: u32, c: &mut ArrayViewMut<u32, 1>);

        fn twice(&self, a: &ArrayView<u32, 1>) -> u32 {
            2 * self.find(a)
        }
    }

    pub struct At {
        pub index: u32,
    }

    impl Place for At {
        fn find(&self, a: &ArrayView<u32, 1>) -> u32 {
            a[self.index as usize]
        }

        fn put(&self, x: u32, c: &mut ArrayViewMut<u32, 1>) {
            c[self.index as usize] = x;
        }
    }

    pub fn moved<P: Place>(p: P, a: &ArrayView<u32, 1>, c: &mut ArrayViewMut<u32, 1>) {
        p.put(p.twice(a) + p.find(a), c);
    }

    #[amp_kernel]
    pub fn tripled(idx: Index<1>, a: &ArrayView<u32, 1>, c: &mut ArrayViewMut<u32, 1>) {
        moved(
            At {
                index: idx[0] as u32,
            },
            a,
            c,
        );
    }
}

#[test]
fn functions_of_a_trait_take_views() {
    let a = [2_u32, 20, 300];
    gives(&a.map(|x| 3 * x), |view, c| {
        launch(view, 3, with_views::tripled(&input(&a), c))
    });
}

#[amp_module]
mod with_arguments {
    pub trait Payoff {
        fn of(&self, price: f32) -> f32;
    }

    pub struct Call(pub f32);

    impl Payoff for Call {
        fn of(&self, price: f32) -> f32 {
            (price - self.0).max(0.0)
        }
    }

    pub trait Wide {
        fn wide<const N: usize>(&self) -> [f32; N];
    }

    pub struct Model {
        pub rate: f32,
    }

    impl Wide for Model {
        fn wide<const N: usize>(&self) -> [f32; N] {
            [self.rate; N]
        }
    }

    impl Model {
        pub fn halved<const TIMES: usize>(&self) -> f32 {
            (0..TIMES).fold(self.rate, |rate, _| rate * 0.5)
        }

        pub fn tree<P: Payoff, const N: usize>(&self, payoff: &P, price: f32) -> f32 {
            let mut prices = [price; N];
            prices[0] += self.halved::<N>();
            prices.iter().map(|price| payoff.of(*price)).sum()
        }

        pub fn add<T: Copy + Into<f32>>(&mut self, by: T) -> T {
            self.rate += by.into();
            by
        }
    }

    pub struct Pair<T>(pub T);

    impl<T: Copy> Pair<T> {
        pub fn repeated<const N: usize>(&self) -> [T; N] {
            [self.0; N]
        }
    }

    pub fn bounded<W: Wide>(wide: &W) -> f32 {
        wide.wide::<4>().iter().sum()
    }

    pub trait Step {
        fn step(rate: f32, x: f32) -> f32;
    }

    pub struct Euler;

    impl Step for Euler {
        fn step(rate: f32, x: f32) -> f32 {
            x + rate * 0.25
        }
    }

    /// The parameter of the closure has no name, so that no call writes an argument for it.
    pub fn solved<S: Step>(f: impl Fn(f32) -> f32, x: f32) -> f32 {
        S::step(f(x), x)
    }

    pub fn closures(model: &Model) -> f32 {
        solved::<Euler>(|x| x * x, 3.0) + model.mapped::<3>(|all| all[2] * 0.5)
    }

    impl Model {
        pub fn mapped<const N: usize>(&self, mut f: impl FnMut(&[f32; N]) -> f32) -> f32 {
            f(&[self.rate; N])
        }
    }
}

use with_arguments::{Call, Model, Pair, Wide, bounded, closures};

testkit::twice! {
    generic_arguments_of_methods(i: u32) -> f32 = ((0..5).collect(),);
    {
        let mut model = Model { rate: i as f32 };
        let added = model.add::<u8>(3);
        let tree = model.tree::<_, 16>(&Call(1.0), 3.0);
        let pair = Pair(tree).repeated::<3>();
        closures(&model) + model.halved::<3>() + pair[2] + added as f32 + model.wide::<2>()[1] + bounded(&model)
    }
}

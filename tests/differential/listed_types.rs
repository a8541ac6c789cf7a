//! Kernels whose type parameters stand for types of the program's own: of a module, beside the kernel, and of
//! another module than the kernel's.

use std::fmt::Debug;

use amp::{AcceleratorView, Element, prelude::*};
use testkit::{everywhere, input, launch};

#[amp_module]
mod units {
    use amp::{Element, prelude::*};
    use std::ops::Add;

    pub trait Unit: Copy + Add<Output = Self> {
        const NAME: u32;

        fn kelvin(self) -> f32;

        fn of_kelvin(kelvin: f32) -> Self;
    }

    #[amp_struct]
    #[derive(Debug, PartialEq)]
    pub struct Celsius(pub f32);

    #[amp_struct]
    #[derive(Debug, PartialEq)]
    pub struct Kelvin(pub f32);

    impl Unit for Celsius {
        const NAME: u32 = 1;

        fn kelvin(self) -> f32 {
            self.0 + 273.0
        }

        fn of_kelvin(kelvin: f32) -> Self {
            Celsius(kelvin - 273.0)
        }
    }

    impl Unit for Kelvin {
        const NAME: u32 = 2;

        fn kelvin(self) -> f32 {
            self.0
        }

        fn of_kelvin(kelvin: f32) -> Self {
            Kelvin(kelvin)
        }
    }

    impl Add for Celsius {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            Celsius(self.0 + other.0)
        }
    }

    impl Add for Kelvin {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            Kelvin(self.0 + other.0)
        }
    }

    #[amp_kernel(T = Celsius | Kelvin)]
    pub fn warm<T: Unit + Element>(idx: Index<1>, by: f32, all: &mut ArrayViewMut<T, 1>) {
        all[idx] = T::of_kelvin(all[idx].kelvin() * by) + all[idx];
    }
}

use units::{Celsius, Kelvin, Unit, warm};

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Pixel {
    rgb: [u8; 3],
    a: u8,
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Grey {
    value: u32,
}

#[amp_fn]
trait Light {
    fn light(&self) -> u32;
}

#[amp_fn]
impl Light for Pixel {
    fn light(&self) -> u32 {
        self.rgb.iter().map(|x| *x as u32).sum::<u32>() * self.a as u32
    }
}

#[amp_fn]
impl Light for Grey {
    fn light(&self) -> u32 {
        self.value
    }
}

#[amp_fn]
fn brighter<T: Light>(one: &T, other: &T) -> bool {
    one.light() > other.light()
}

#[amp_kernel(T = Pixel | Grey, U = units::Celsius | Kelvin | f32)]
fn mixed<T: Light + Element, U: Element>(
    idx: Index<1>,
    limit: T,
    pixels: &ArrayView<T, 1>,
    heat: &ArrayView<U, 1>,
    found: &mut ArrayViewMut<U, 1>,
) {
    let own: U = heat[idx];
    if brighter(&pixels[idx], &limit) {
        found[idx] = own;
    }
}

#[amp_kernel(T = Celsius | Kelvin)]
fn converted<T>(t_idx: TiledIndex<1, 4>, from: &ArrayView<T, 1>, out: &mut ArrayViewMut<f32, 1>)
where
    T: Unit + Element,
{
    #[tile_static]
    let mut kept: [T; 4];
    kept[t_idx.local[0]] = from[t_idx];
    t_idx.barrier.wait();
    let other = kept[3 - t_idx.local[0]];
    out[t_idx] = (from[t_idx] + other).kelvin() + T::NAME as f32;
}

/// What launches leave in the elements of a view, on every accelerator.
fn becomes<T: Element + Debug + PartialEq, const N: usize>(
    before: [T; N],
    expected: [T; N],
    launches: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, T, 1>) -> amp::Result<()>,
) {
    everywhere(|view| {
        let mut data = before;
        let mut out = ArrayViewMut::new(N, &mut data).unwrap();
        launches(view, &mut out)
            .and_then(|()| out.synchronize())
            .unwrap();
        drop(out);
        assert_eq!(data, expected, "{view}");
    });
}

#[test]
fn types_of_modules() {
    let all = [1.0, -5.5, 300.25, 0.0];
    let celsius = all.map(|x| Celsius((x + 273.0) * 1.5 - 273.0 + x));
    becomes(all.map(Celsius), celsius, |view, out| {
        launch(view, 4, warm(1.5, out))
    });
    let kelvin = all.map(|x| Kelvin(x * 1.5 + x));
    becomes(all.map(Kelvin), kelvin, |view, out| {
        launch(view, 4, warm(1.5, out))
    });
}

#[test]
fn types_beside_the_kernel() {
    let pixels = [3, 90, 7].map(|x| Pixel { rgb: [x; 3], a: x });
    let heat = [1.5, 2.5, -3.5];
    let expected = [0.0, 2.5, -3.5].map(Kelvin);
    let limit = Pixel { rgb: [4; 3], a: 4 };
    becomes([Kelvin(0.0); 3], expected, |view, out| {
        let (pixels, heat) = (input(&pixels), heat.map(Kelvin));
        launch(view, 3, mixed(limit, &pixels, &input(&heat), out))
    });
    let grey = [7, 2, 9].map(|value| Grey { value });
    becomes([0.0; 3], [1.5, 0.0, -3.5], |view, out| {
        let (grey, limit) = (input(&grey), Grey { value: 3 });
        launch(view, 3, mixed(limit, &grey, &input(&heat), out))
    });
}

#[test]
fn tiles_of_own_types() {
    let from = [1.0, 2.0, 3.0, 5.5];
    let sums = [6.5, 5.0, 5.0, 6.5];
    becomes([0.0; 4], sums.map(|x| x + 273.0 + 1.0), |view, out| {
        let from = from.map(Celsius);
        launch(
            view,
            Extent::new([4]).tile::<4>(),
            converted(&input(&from), out),
        )
    });
    becomes([0.0; 4], sums.map(|x| x + 2.0), |view, out| {
        let from = from.map(Kelvin);
        launch(
            view,
            Extent::new([4]).tile::<4>(),
            converted(&input(&from), out),
        )
    });
}

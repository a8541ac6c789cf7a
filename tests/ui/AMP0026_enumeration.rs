//! Enums that are no numbers, and enums without the value that faults read.

use amp::prelude::*;

#[amp_enum]
#[repr(u64)]
enum Wide {
    A,
}

#[amp_enum]
#[repr(C)]
enum Foreign {
    A,
}

#[amp_enum]
enum Generic<T> {
    A,
}

#[amp_enum]
enum Empty {}

const BASE: i32 = 5;

#[amp_enum]
enum Numbered {
    Point,
    Based = BASE,
    #[cfg(unix)]
    Here,
}

#[amp_enum]
#[repr(u8)]
enum Shape {
    Point = 1,
    Circle(f32),
    Rect {
        w: f32,
        #[cfg(unix)]
        h: f32,
    },
    #[cfg(unix)]
    Here,
    Nothing(()),
}

#[amp_enum]
enum Borrowed<'a> {
    Circle(&'a f32),
}

#[amp_enum]
enum Bounded<T: Iterator> {
    Circle(T),
}

#[amp_enum]
enum Holder {
    Held(Level),
    Nothing,
}

#[amp_fn]
fn holder(n: u32) -> Holder {
    match n {
        1 => Holder::Nothing,
        _ => panic!("no holder"),
    }
}

/// Not reported again.
#[amp_kernel]
fn shape(idx: Index<1>, shape: Shape) {
    let p = Shape::Point;
}

#[amp_enum]
enum Level {
    Low = 1,
    High,
}

#[amp_struct]
struct Lamp {
    level: Level,
}

#[amp_fn]
fn level(n: u32) -> Level {
    match n {
        1 => Level::Low,
        2 => Level::High,
        _ => panic!("no level"),
    }
}

#[amp_kernel]
fn no_zero(t_idx: TiledIndex<1, 4>, c: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut shared: [Lamp; 4];
    let levels = [Level::Low, Level::High];
    c[t_idx] = levels[t_idx.local[0] % 2] as u32;
}

fn main() {}

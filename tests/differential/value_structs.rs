//! `#[amp_struct]`s of values that have no layout in arrays: bools, indices, tuples, options. They are
//! variables, parameters, results and tile memory.

use amp::prelude::*;
use glam::{BVec3, Vec3, Vec4};
use testkit::{gives, launch, twice};

const NUMBERS: [u32; 9] = [0, 1, 2, 3, 5, 8, 21, 250, u32::MAX];

#[amp_enum]
#[derive(Debug, Default, PartialEq)]
enum Side {
    Left,
    #[default]
    Right,
}

#[amp_fn]
impl Side {
    const ALL: [Side; 2] = [Side::Left, Side::Right];

    fn other(self) -> Self {
        Self::ALL[1 - self as usize]
    }
}

#[amp_enum]
#[repr(i32)]
#[derive(Default)]
enum Turn {
    #[default]
    Back = -1,
    On = 1,
}

/// An enum that is in no module, with a field of glam's.
#[amp_enum]
enum Masked {
    Mask(BVec3),
    Place { at: Vec3 },
}

#[amp_struct]
#[derive(Debug, Default, PartialEq)]
struct Hit {
    is_inside: bool,
    index: usize,
    distance: f32,
    back: isize,
    pair: (u32, bool),
    best: Option<u32>,
    side: Side,
    places: [usize; 2],
}

#[amp_struct]
struct Stack<T, const N: usize> {
    data: [T; N],
    len: usize,
}

#[amp_fn]
impl<T: Scalar, const N: usize> Stack<T, N> {
    fn new() -> Self {
        Self {
            data: [T::default(); N],
            len: 0,
        }
    }

    fn push(&mut self, value: T) -> bool {
        let has_room = self.len < N;
        if has_room {
            self.data[self.len] = value;
            self.len += 1;
        }
        has_room
    }

    fn pop(&mut self) -> Option<T> {
        self.len.checked_sub(1).map(|last| {
            self.len = last;
            self.data[last]
        })
    }
}

#[amp_fn]
fn nearest(x: u32) -> Option<Hit> {
    let mut nearest: Option<Hit> = None;
    for index in 0..4_usize {
        let distance = (x.wrapping_mul(7 + index as u32) % 11) as f32;
        if nearest.is_none_or(|hit| distance < hit.distance) {
            nearest = Some(Hit {
                is_inside: x % 2 == 0,
                index,
                distance,
                pair: (x, x > 3),
                best: (x > 5).then_some(x),
                places: [index, index + 1],
                ..Hit::default()
            });
        }
    }
    nearest.filter(|hit| hit.distance < 6.0)
}

twice! {
    helpers_of_one_kernel(x: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        let Some(mut hit) = nearest(x) else {
            return 77;
        };
        hit.back -= hit.index as isize;
        hit.places[1] += 2;
        hit.pair.1 = !hit.pair.1;
        let same = Some(hit) == nearest(x);
        let Hit { is_inside, index, pair: (n, flag), best, .. } = hit;
        n.wrapping_add(best.unwrap_or(9)).wrapping_add((index + hit.places[1]) as u32)
            ^ ((is_inside as u32) << 8) ^ ((flag as u32) << 9) ^ ((same as u32) << 10)
            ^ ((hit.back as i32 as u32) << 11) ^ ((hit.side == Side::default()) as u32)
    }
}

twice! {
    a_stack(x: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        let mut stack = Stack::<u32, 6>::new();
        for bit in 0..8 {
            if x >> bit & 1 == 1 && !stack.push(bit) {
                break;
            }
        }
        let count = stack.len as u32;
        let mut digits = 0;
        while let Some(bit) = stack.pop() {
            digits = digits * 10 + bit;
        }
        digits + count * 1_000_000
    }
}

twice! {
    masks_of_an_enum(x: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        let at = Vec3::new(x as f32, 1.0, 2.0);
        let masked = if x % 2 == 0 {
            Masked::Mask(at.cmpgt(Vec3::ONE))
        } else {
            Masked::Place { at }
        };
        match masked {
            Masked::Mask(mask) => mask.bitmask(),
            Masked::Place { at } => at.x as u32,
        }
    }
}

twice! {
    defaults_of_enums(x: u32) -> i32 = (NUMBERS.to_vec(),);
    {
        let mut turn = Turn::default();
        let mut sides = [Side::default(); 2];
        if x > 2 {
            turn = Turn::On;
            sides[0] = Side::Left;
        }
        let other: Side = Default::default();
        turn as i32 * 10 + (sides[0] == other) as i32 + (sides[1] == other) as i32
    }
}

#[amp_fn]
fn sides(x: u32) -> u32 {
    let side = Side::ALL[x as usize % 2];
    let others = Side::ALL.iter().filter(|&&s| s == side.other()).count() as u32;
    others * 10 + side as u32
}

twice! {
    constants_of_arrays_of_enums(x: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        sides(x)
    }
}

#[amp_struct]
struct Scene {
    is_lit: bool,
    light: Vec4,
    mask: BVec3,
    chosen: Option<usize>,
    window: Extent<2>,
    corner: Index<2>,
    hit: Hit,
}

#[amp_kernel]
fn parameters(
    t_idx: TiledIndex<1, 4>,
    scene: Scene,
    stack: Stack<u16, 3>,
    out: &mut ArrayViewMut<f32, 1>,
) {
    #[tile_static]
    let mut flags: [(bool, usize); 4];
    #[tile_static]
    let mut stacks: [Stack<u32, 2>; 4];
    let local = t_idx.local[0];
    flags[local] = (scene.is_lit, local);
    stacks[local] = Stack::new();
    stacks[local].push(local as u32);
    t_idx.barrier.wait();
    let (is_lit, other) = flags[3 - local];
    let mut sum = scene.light.dot(Vec4::new(1.0, 2.0, 3.0, 4.0)) + other as f32;
    if is_lit && scene.mask.y {
        sum += stacks[other].pop().map_or(0.5, |n| n as f32 * 100.0);
    }
    let inside = scene.window.contains(scene.corner) as u32;
    sum += stack.data[stack.len - 1] as f32 + inside as f32 * 0.25;
    out[t_idx] = sum + scene.chosen.map_or(0, |n| n * 1000) as f32 + scene.hit.index as f32;
}

#[test]
fn structs_without_a_layout_are_parameters_and_tile_memory() {
    let scene = Scene {
        is_lit: true,
        light: Vec4::new(1.0, 1.0, 1.0, 1.0),
        mask: BVec3::new(false, true, false),
        chosen: Some(2),
        window: Extent::new([3, 4]),
        corner: Index::new([2, 3]),
        hit: Hit {
            index: 7,
            ..Hit::default()
        },
    };
    let stack = Stack {
        data: [5_u16, 6, 7],
        len: 2,
    };
    let expected = [0, 1, 2, 3].map(|local| {
        let other = 3 - local;
        10.0 + other as f32 * 101.0 + 6.25 + 2000.0 + 7.0
    });
    gives(&expected, |view, out| {
        let domain = out.extent().tile::<4>();
        launch(view, domain, parameters(scene, stack, out))
    });
}

#[amp_struct]
struct Point {
    x: f32,
    y: f32,
}

#[amp_fn]
impl From<(f32, f32)> for Point {
    fn from((x, y): (f32, f32)) -> Self {
        Point { x, y }
    }
}

twice! {
    literals_become_what_from_takes(x: u32) -> f32 = (NUMBERS.to_vec(),);
    {
        let fixed: Point = (1.5, 2.0).into();
        let made: Point = (x as f32, 0.5).into();
        fixed.x * made.x + fixed.y * made.y
    }
}

//! Constants of several numbers as patterns: tuples, arrays, structs, options.

use amp::prelude::*;
use testkit::{gives, input, launch, twice};

const NUMBERS: [u32; 6] = [0, 1, 2, 5, 9, 1000];

#[amp_struct]
#[derive(Debug, PartialEq, Eq)]
struct Place {
    x: u32,
    y: u32,
}

const ORIGIN: Place = Place { x: 1, y: 2 };
const START: (u32, u32) = (1, 2);
const KEY: [u8; 3] = [1, 2, 3];
const LONG: [u32; 20] = [2; 20];
const HALF: (f32, bool) = (0.5, true);
const ZEROES: [f32; 2] = [0.0, -0.0];
const FIVE: Option<u32> = Some(5);
const PLACES: [(u8, Place); 2] = [(3, ORIGIN), (4, Place { x: 0, y: 9 })];

#[amp_fn]
impl Place {
    const ZERO: Self = Self { x: 0, y: 0 };

    fn kind(&self) -> u32 {
        match *self {
            Self::ZERO => 1,
            ORIGIN => 2,
            Place { x: 5, .. } => 3,
            _ => 4,
        }
    }
}

twice! {
    match_constants(u: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        let place = Place { x: u, y: u.saturating_add(1) };
        let of_struct = match place {
            ORIGIN => 1,
            Place { x: 0, .. } => 2,
            _ => 3,
        };
        let of_tuple = match (u, 2) {
            (0, _) => 1,
            START => 2,
            (5 | 9, y) => y,
            _ => 4,
        };
        let key = [u as u8, 2, 3];
        let of_array = matches!(key, KEY) as u32 + 2 * matches!(key, [0, ..] | KEY) as u32;
        let mut long = [2_u32; 20];
        long[19] = u;
        let of_long = if let LONG = long { 5 } else { 6 };
        let of_floats = match (u as f32 * 0.5, u < 5) {
            HALF => 7,
            (_, flag) => flag as u32,
        };
        let of_zeroes = match [-(u as f32), u as f32] {
            ZEROES => 1,
            _ => 2,
        };
        let optional = (u > 0).then_some(u);
        let of_option = match optional {
            FIVE => 1,
            Some(_) => 2,
            None => 3,
        };
        let found = match (u > 1).then_some(place) {
            Some(ORIGIN) => 1,
            Some(place) => place.kind(),
            None => 9,
        };
        let pairs: [(u8, Place); 2] = [(3, Place { x: 1, y: 2 }), (4, Place { x: u % 5, y: 9 })];
        let nested = match pairs {
            PLACES => 1,
            [(_, ORIGIN), (4, Place { y, .. })] => y,
            _ => 2,
        };
        let parts = [of_struct, of_tuple, of_array, of_long, of_floats, of_zeroes, of_option, found];
        parts.iter().fold(place.kind() + nested, |sum, part| sum * 11 + part)
    }
}

#[amp_fn]
fn is_origin(place: &Place) -> bool {
    match place {
        &ORIGIN => true,
        _ => false,
    }
}

#[amp_kernel]
fn elements(idx: Index<1>, places: &ArrayView<Place, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let ORIGIN = places[idx] else {
        out[idx] = is_origin(&places[idx]) as u32;
        return;
    };
    out[idx] = 10 + is_origin(&places[idx]) as u32;
}

#[test]
fn elements_match_constants() {
    let places = [ORIGIN, Place { x: 1, y: 3 }, Place { x: 0, y: 2 }, ORIGIN];
    gives(&[11, 0, 0, 11], |view, out| {
        launch(view, 4, elements(&input(&places), out))
    });
}

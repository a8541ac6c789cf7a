//! `#[amp_enum]`s: made, compared, converted, matched; in tuples, arrays, structs, tile
//! memory and parameters; brought in from modules and crates.

use amp::prelude::*;
use amp_test_helpers::shapes::{Side, opposite};
use testkit::{gives, gives_and_faults, input, launch, twice};

const NUMBERS: [i32; 9] = [-1, 0, 1, 2, 3, 99, 100, 103, i32::MIN];

#[amp_enum]
#[derive(Debug)]
pub enum Suit {
    Diamonds = 100,
    Hearts,
    Clubs,
    Spades,
    Invalid,
}

/// Written as constants are.
#[amp_enum]
#[repr(u32)]
#[derive(PartialOrd)]
enum Axis {
    X,
    Y = 5,
    #[allow(dead_code)]
    Z = 0xffff_ffff,
}

#[amp_enum]
#[derive(PartialOrd)]
enum Sign {
    Minus = -1,
    Zero,
    Plus,
}

#[amp_struct]
struct Card {
    suit: Suit,
    worth: i32,
    signs: [Sign; 3],
}

const TRUMP: Suit = Suit::Hearts;

#[amp_fn]
fn suit(number: i32) -> Suit {
    match number {
        100 => Suit::Diamonds,
        101 => Suit::Hearts,
        102 => Suit::Clubs,
        103 => Suit::Spades,
        _ => Suit::Invalid,
    }
}

#[amp_fn]
fn sign(x: i32) -> Sign {
    if x < 0 {
        Sign::Minus
    } else if x == 0 {
        Sign::Zero
    } else {
        Sign::Plus
    }
}

#[amp_fn]
fn shown(sign: Sign) -> i32 {
    let Sign::Minus = sign else {
        return sign as i32;
    };
    -10
}

mod brought_in {
    use super::Suit;
    use super::Suit::*;
    use amp::prelude::*;

    #[amp_fn]
    pub fn next(suit: Suit) -> Suit {
        match suit {
            Diamonds => Hearts,
            Hearts | Clubs if (suit as i32) < 102 => Clubs,
            Clubs => Spades,
            Spades => Diamonds,
            same => same,
        }
    }
}

twice! {
    comparisons(x: i32, y: i32) -> u32 = testkit::numbers::pairs(&NUMBERS);
    {
        let (a, b) = (sign(x), sign(y));
        (a == b) as u32 | (((a != b) as u32) << 1) | (((a < b) as u32) << 2)
            | (((a >= b) as u32) << 3) | (((a > Sign::Zero) as u32) << 4)
            | (((suit(x) == TRUMP) as u32) << 5)
    }
}

twice! {
    casts(x: i32) -> u32 = (NUMBERS.to_vec(),);
    {
        let s = sign(x);
        let wide = s as i32 as f32;
        (s as u32).wrapping_add(suit(x) as u32 * 3).wrapping_add(wide as i32 as u32)
            .wrapping_add(Axis::Z as u32).wrapping_add(Axis::Y as i32 as u32)
    }
}

twice! {
    matches_of_parts(x: i32, y: i32) -> i32 = testkit::numbers::pairs(&NUMBERS);
    {
        let pair = (suit(x), sign(y));
        let first = match pair {
            (Suit::Hearts | Suit::Diamonds, Sign::Plus) => 1,
            (_, Sign::Minus) if x > 50 => 2,
            (all @ (Suit::Clubs | Suit::Spades), _) => all as i32,
            (Suit::Invalid, Sign::Minus | Sign::Zero) => 3,
            _ => 4,
        };
        let mut signs = [sign(x), sign(y), Sign::Zero];
        if let [Sign::Minus, other, _] = signs {
            signs[2] = other;
        }
        let mut sum = first * 1000;
        for i in 0..3 {
            sum += shown(signs[i]) * (i as i32 + 1);
        }
        if matches!(pair.1, Sign::Minus | Sign::Plus if y != 1) {
            sum = -sum;
        }
        sum
    }
}

#[amp_kernel]
fn suits(idx: Index<1>, numbers: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = brought_in::next(suit(numbers[idx])) as i32;
}

#[test]
fn variants_may_be_brought_in() {
    let numbers = [99, 100, 101, 102, 103, 104];
    gives(&[104, 101, 102, 103, 100, 104], |view, out| {
        launch(view, 6, suits(&input(&numbers), out))
    });
}

#[amp_kernel]
fn parameters(
    t_idx: TiledIndex<1, 4>,
    card: Card,
    trump: Suit,
    pair: (Axis, [Sign; 2]),
    out: &mut ArrayViewMut<i32, 1>,
) {
    #[tile_static]
    let mut signs: [Sign; 4];
    let local = t_idx.local[0];
    signs[local] = if local < 2 {
        card.signs[local]
    } else {
        pair.1[local - 2]
    };
    t_idx.barrier.wait();
    let mut changed = card;
    changed.suit = trump;
    changed.signs[0] = signs[3 - local];
    out[t_idx] = changed.worth
        + changed.signs[0] as i32
        + 10 * changed.suit as i32
        + if card.suit == trump { 0 } else { 10_000 }
        + if pair.0 > Axis::X { 100_000 } else { 0 };
}

#[test]
fn enums_are_parameters_and_parts_of_them() {
    let card = Card {
        suit: Suit::Clubs,
        worth: 7000,
        signs: [Sign::Plus, Sign::Minus, Sign::Zero],
    };
    let pair = (Axis::Y, [Sign::Minus, Sign::Zero]);
    let base = 7000 + 1030 + 10_000 + 100_000;
    gives(&[base, base - 1, base - 1, base + 1], |view, out| {
        let domain = out.extent().tile::<4>();
        launch(view, domain, parameters(card, Suit::Spades, pair, out))
    });
}

#[amp_kernel]
fn from_elsewhere(idx: Index<1>, side: Side, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = match opposite(side) {
        Side::Left => 1,
        Side::Right => 2,
    };
}

#[test]
fn enums_of_other_crates_are_imported() {
    gives(&[2], |view, out| {
        launch(view, 1, from_elsewhere(Side::Left, out))
    });
    gives(&[1], |view, out| {
        launch(view, 1, from_elsewhere(Side::Right, out))
    });
}

#[amp_kernel]
fn out_of_bounds(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>, position: usize) {
    let signs = [Sign::Plus, Sign::Minus];
    out[idx] = signs[position] as i32 + 5;
}

/// An element out of bounds reads as the variant of the value 0, everywhere.
#[test]
fn zero_is_what_a_fault_reads() {
    gives_and_faults(&[5], |view, out| launch(view, 1, out_of_bounds(out, 2)));
}

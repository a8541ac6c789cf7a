//! Rows 63, 65, 67 and 69: types of the user's, with what C++ gives them by member functions.

use amp::prelude::*;
use amp_tests::{gives, input, launch};

/// C++'s `long`, with the values of the suite.
#[amp_enum]
#[derive(Debug)]
enum Suit {
    Diamonds = 100,
    Hearts,
    Clubs,
    Spades,
    Invalid,
}

#[amp_fn]
fn cast(number: i32) -> Suit {
    match number {
        100 => Suit::Diamonds,
        101 => Suit::Hearts,
        102 => Suit::Clubs,
        103 => Suit::Spades,
        _ => Suit::Invalid,
    }
}

#[amp_kernel]
fn casts(idx: Index<1>, numbers: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = cast(numbers[idx]) as i32;
}

#[test]
fn row_67_casts_to_an_enum_check_the_range() {
    let numbers = [99, 100, 101, 102, 103, 104, 105];
    gives(&[104, 100, 101, 102, 103, 104, 104], |view, out| {
        launch(view, 7, casts(&input(&numbers), out))
    });
}

/// `testEnumRef` of the suite: a value out of the range becomes the first suit. Without
/// pointers the variable itself is changed.
#[amp_kernel]
fn changed(idx: Index<1>, numbers: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    let mut suit = cast(numbers[idx]);
    if suit == Suit::Invalid {
        suit = Suit::Diamonds;
    }
    out[idx] = suit as i32;
}

#[test]
fn row_67_enums_are_changed() {
    gives(&[100, 103], |view, out| {
        launch(view, 2, changed(&input(&[99, 103]), out))
    });
}

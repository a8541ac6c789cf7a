//! Structs and enums in messages: a device says what their `#[derive(Debug)]` writes on the host.

use amp::Error;
use amp::prelude::*;
use std::sync::{Arc, Mutex};
use testkit::{assert_silent, launch, new_views};

#[amp_enum]
#[derive(Debug, PartialOrd)]
enum Suit {
    Clubs = 100,
    Hearts,
    Spades = 7,
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Point {
    x: f32,
    y: [i32; 2],
}

#[amp_struct]
#[derive(Debug)]
struct Pair<T>(T, u32);

#[amp_enum]
#[derive(Debug, PartialEq)]
enum Shape {
    Empty,
    Circle(f32),
    Marked { at: Point, number: Option<u32> },
}

#[amp_struct]
#[derive(Debug)]
struct Card {
    suit: Suit,
    shapes: [Shape; 2],
}

#[amp_fn]
fn shape(i: usize, x: f32) -> Shape {
    match i {
        0 => Shape::Empty,
        1 => Shape::Circle(x),
        _ => Shape::Marked {
            at: Point {
                x,
                y: [i as i32, -1],
            },
            number: (i > 2).then_some(7),
        },
    }
}

#[amp_fn]
fn suit(i: usize) -> Suit {
    match i {
        0 => Suit::Clubs,
        1 => Suit::Hearts,
        _ => Suit::Spades,
    }
}

/// A kernel that prints texts, and the same texts on the host.
macro_rules! texts {
    ($($name:ident |$i:ident, $x:ident| ($($words:tt)*);)*) => {$(
        #[test]
        fn $name() {
            #[amp_kernel]
            fn say(idx: Index<1>, $x: f32) {
                let $i = idx[0];
                println!($($words)*);
            }
            let $x = 0.75_f32;
            let host = |$i: usize| format!($($words)*) + "\n";
            let expected: String = (0..4).map(host).collect();
            for view in new_views() {
                let heard = Arc::<Mutex<String>>::default();
                let texts = Arc::clone(&heard);
                view.set_print_hook(move |print| *texts.lock().unwrap() += &print.text);
                launch(&view, 4, say($x)).unwrap();
                view.wait().unwrap();
                assert_eq!(*heard.lock().unwrap(), expected, "{view}");
            }
            assert_silent();
        }
    )*};
}

texts! {
    structs |i, x| ("{:?} {}", Point { x, y: [i as i32, 4] }, i);
    structs_in_lines |i, x| ("{:#?}|{i:#x}", Point { x, y: [i as i32, 4] });
    tuple_structs |i, x| ("{:?} {:?}", Pair(x, i as u32), Pair(Some(2_u8), 1));
    tuple_structs_in_lines |i, x| ("{:#?} {:#?}", Pair(x, i as u32), Pair(Some(2_u8), 1));
    enums |i, x| ("{:?} at {x}", suit(i));
    cases |i, x| ("{0:?}, {0:?}", shape(i, x));
    cases_in_lines |i, x| ("{:#?}", (shape(i, x),));
    flags_reach_the_parts |i, x| ("[{:>8.3?}] {:+04?} {:02x?}", shape(i, x), Some(i as i32), Some(i as u32 * 11));
    widths_are_arguments |i, x| ("{:>2$.1$?} {p:}", shape(i, x), 2, 9, p = i);
    fills_may_be_braces |i, x| ("{:}<6?} {:?}", Some(x), suit(i));
    several_at_once |i, x| ("{:?} {{}} {:?} {:?}", suit(i), shape(i, x), suit(3 - i));
    nested |i, x| ("{:?}", Card { suit: suit(i), shapes: [shape(i, x), shape(3 - i, -x)] });
    nested_in_lines |i, x| ("{:#?}", Card { suit: suit(i), shapes: [shape(i, x), shape(3 - i, -x)] });
    tuples_and_arrays |i, x| ("{:?} {:?}", (suit(i), i), [Some(x), None]);
    options |i, x| ("{:?} {:?}", (i as u32).checked_sub(2), (x * i as f32).partial_cmp(&0.75));
    results |i, x| ("{:?}", if i.is_multiple_of(2) { Ok::<f32, Suit>(x) } else { Err(suit(i)) });
}

#[amp_kernel]
fn compare(idx: Index<1>, given: Point) {
    let point = Point {
        x: 1.0,
        y: [idx[0] as i32, 3],
    };
    assert_eq!(point, given, "of {:?}", suit(1));
}

#[test]
fn assertions_show_both_sides() {
    for view in new_views() {
        let given = Point { x: 1.0, y: [2, 3] };
        launch(&view, 1, compare(given)).unwrap();
        let Err(Error::KernelFault(fault)) = view.wait() else {
            panic!("{view}: no fault");
        };
        assert_eq!(
            fault.message,
            "assertion `left == right` failed: of Hearts\n  left: Point { x: 1.0, y: [0, 3] }\n right: Point { x: 1.0, y: [2, 3] }"
        );
    }
    assert_silent();
}

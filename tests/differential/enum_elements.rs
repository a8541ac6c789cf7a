//! Enums as elements of arrays and views, by the struct that `#[amp_enum(element = ..)]` gives them: read,
//! written, copied, in structs, arrays and tile memory, with methods, of modules and crates; and the bytes that
//! they have there.

use amp::__private::bytemuck::{bytes_of, cast_slice};
use amp::glam::Mat2;
use amp::prelude::*;
use amp_test_helpers::shapes::{Figure, StoredFigure, scaled};
use testkit::{everywhere, gives, gives_and_faults, input, launch};

const COUNT: usize = 3;
type Wide = f64;

#[amp_enum(element = StoredShape)]
#[derive(Debug, PartialEq)]
enum Shape {
    Empty,
    Circle(f32),
    Rect { w: f32, h: f32 },
    Marked(bool, u32),
    None(),
}

#[amp_enum(element = StoredToken)]
#[derive(Clone, Copy, Debug, PartialEq)]
enum Token {
    Small(u8, i16),
    Large([f32; COUNT], u8),
    Number { of: Wide, exact: bool },
    Counted(i64, [u8; 3]),
    Shaped(StoredShape),
}

#[amp_enum(element = StoredSide)]
#[derive(Debug, PartialEq)]
enum Side {
    Left,
    Right,
    Both,
}

#[amp_struct]
#[derive(Debug, Default, PartialEq)]
struct Item {
    shapes: [StoredShape; 2],
    side: StoredSide,
    weight: f32,
}

fn shape(i: usize) -> Shape {
    let x = i as f32 * 0.75 - 20.0;
    match i % 5 {
        0 => Shape::Rect { w: x, h: -x },
        1 => Shape::Empty,
        2 => Shape::Circle(x),
        3 => Shape::Marked(i.is_multiple_of(2), i as u32),
        _ => Shape::None(),
    }
}

fn token(i: usize) -> Token {
    let x = i as f32 * 1.25 - 3.0;
    match i % 5 {
        0 => Token::Large([x, -x, 0.0], i as u8),
        1 => Token::Number {
            of: f64::from(x) / 3.0,
            exact: i.is_multiple_of(2),
        },
        2 => Token::Small(i as u8, -(i as i16)),
        3 => Token::Counted(-(i as i64) << 40, [1, i as u8, 3]),
        _ => Token::Shaped(shape(i).into()),
    }
}

fn shapes(count: usize) -> Vec<StoredShape> {
    (0..count).map(|i| shape(i).into()).collect()
}

/// Requires that kernels on every accelerator write these elements, bit for bit.
fn writes<T: amp::Element>(
    expected: &[T],
    launches: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, T, 1>) -> amp::Result<()>,
) {
    everywhere(|view| {
        let mut out = ArrayViewMut::uninit(expected.len()).unwrap();
        launches(view, &mut out).unwrap();
        let found = out.to_vec().unwrap();
        let [found, expected] = [&*found, expected].map(cast_slice::<T, u8>);
        assert_eq!(found, expected, "{view}");
    });
}

#[test]
fn have_the_bytes_that_the_documents_say() {
    let words = |shape: Shape| -> [u32; 5] {
        let element = StoredShape::from(shape);
        cast_slice(bytes_of(&element)).try_into().unwrap()
    };
    assert_eq!(words(Shape::Empty), [0; 5]);
    assert_eq!(words(Shape::Circle(1.0)), [1, 0x3f80_0000, 0, 0, 0]);
    let rect = Shape::Rect { w: 1.0, h: -0.0 };
    assert_eq!(words(rect), [2, 0x3f80_0000, 0x8000_0000, 0, 0]);
    assert_eq!(words(Shape::Marked(true, 7)), [3, 0, 0, 1, 7]);
    assert_eq!(words(Shape::None()), [4, 0, 0, 0, 0]);
    // An f64 and an i64; `case`, three f32, a shape and a bool; an i16; four u8, and two that fill it.
    assert_eq!(
        size_of::<StoredToken>(),
        8 + 8 + 4 + 12 + 20 + 4 + 2 + 1 + 3 + 2
    );
    assert_eq!(size_of::<StoredSide>(), 4);
    assert_eq!(bytes_of(&StoredSide::from(Side::Both)), [2, 0, 0, 0]);
    for i in 0..20 {
        assert_eq!(StoredShape::from(shape(i)).value(), shape(i));
        assert_eq!(Token::from(StoredToken::from(token(i))), token(i));
    }
    assert_eq!(StoredShape::default().value(), Shape::Empty);
    assert_eq!(
        format!("{:?}", StoredShape::from(Shape::Circle(2.0))),
        "Circle(2.0)"
    );
    assert_eq!(StoredSide::from(Side::Left), StoredSide::default());
}

#[amp_fn]
fn next(shape: Shape) -> Shape {
    match shape {
        Shape::Circle(r) => Shape::Rect { w: r, h: 2.0 },
        Shape::Rect { w, h } => Shape::Circle(w * h),
        Shape::Marked(true, n) => Shape::Marked(false, n + 1),
        Shape::Marked(..) | Shape::None() => Shape::Empty,
        Shape::Empty => Shape::Marked(true, 7),
    }
}

#[amp_kernel]
fn advance(
    idx: Index<1>,
    shapes: &ArrayView<StoredShape, 1>,
    out: &mut ArrayViewMut<StoredShape, 1>,
) {
    out[idx] = next(shapes[idx].value()).into();
}

#[test]
fn are_read_and_written() {
    let shapes = shapes(67);
    let expected: Vec<StoredShape> = shapes.iter().map(|s| next(s.value()).into()).collect();
    writes(&expected, |view, out| {
        launch(view, out.extent(), advance(&input(&shapes), out))
    });
}

#[amp_fn]
fn area(shape: &StoredShape) -> f32 {
    match shape.value() {
        Shape::Circle(r) if r > 4.0 => r * r * 3.0,
        Shape::Circle(r) => r,
        Shape::Rect { w, h: height } => w * height,
        Shape::Marked(is, n) => {
            if is {
                n as f32
            } else {
                -1.0
            }
        }
        _ => 0.25,
    }
}

#[amp_fn]
fn widen(shape: &mut StoredShape) {
    let mut value = shape.value();
    if let Shape::Rect { w, .. } = &mut value {
        *w *= 2.0;
    }
    *shape = StoredShape::from(value);
}

#[amp_kernel]
fn areas(idx: Index<1>, shapes: &mut ArrayViewMut<StoredShape, 1>, out: &mut ArrayViewMut<f32, 1>) {
    widen(&mut shapes[idx]);
    let mut sum = area(&shapes[idx]);
    if let Shape::Rect { h, .. } = shapes[idx].value() {
        sum += h;
    }
    let Shape::Marked(_, n) = Shape::from(shapes[idx]) else {
        out[idx] = sum;
        return;
    };
    let is_first = shapes[idx] == StoredShape::from(Shape::Marked(true, 3));
    out[idx] = sum + n as f32 * if is_first { 100.0 } else { 1.0 };
}

#[test]
fn are_passed_by_reference_and_compared() {
    let shapes = shapes(43);
    let expected: Vec<f32> = (0..43)
        .map(|i| match shape(i) {
            Shape::Rect { w, h } => w * 2.0 * h + h,
            Shape::Marked(is, n) => {
                area(&shape(i).into()) + n as f32 * if is && n == 3 { 100.0 } else { 1.0 }
            }
            other => area(&other.into()),
        })
        .collect();
    gives(&expected, |view, out| {
        let mut shapes = shapes.clone();
        let mut shapes = ArrayViewMut::new(43, &mut shapes)?;
        launch(view, out.extent(), areas(&mut shapes, out))
    });
}

#[amp_kernel]
fn turn(idx: Index<1>, tokens: &mut ArrayViewMut<StoredToken, 1>) {
    let token = match tokens[idx].value() {
        Token::Small(a, b) => Token::Counted(a as i64 * b as i64, [a; 3]),
        Token::Large([x, y, _], byte) => Token::Number {
            of: x as f64 - y as f64,
            exact: byte > 9,
        },
        Token::Number { of, exact: true } => Token::Large([of as f32; COUNT], 1),
        Token::Number { of, .. } => Token::Shaped(Shape::Circle(of as f32).into()),
        Token::Counted(n, [first, second, _]) => Token::Small(second - first, (n >> 40) as i16),
        Token::Shaped(shape) => Token::Shaped(next(shape.value()).into()),
    };
    tokens[idx] = StoredToken::from(token);
}

fn turned(token: Token) -> Token {
    match token {
        Token::Small(a, b) => Token::Counted(i64::from(a) * i64::from(b), [a; 3]),
        Token::Large([x, y, _], byte) => Token::Number {
            of: f64::from(x) - f64::from(y),
            exact: byte > 9,
        },
        Token::Number { of, exact: true } => Token::Large([of as f32; COUNT], 1),
        Token::Number { of, .. } => Token::Shaped(Shape::Circle(of as f32).into()),
        Token::Counted(n, [first, second, _]) => {
            Token::Small(second.wrapping_sub(first), (n >> 40) as i16)
        }
        Token::Shaped(shape) => Token::Shaped(next(shape.value()).into()),
    }
}

#[test]
fn have_fields_of_all_widths() {
    let tokens: Vec<StoredToken> = (0..61).map(|i| token(i).into()).collect();
    let expected: Vec<StoredToken> = (0..61).map(|i| turned(token(i)).into()).collect();
    everywhere(|view| {
        let mut tokens = tokens.clone();
        let mut out = ArrayViewMut::new(61, &mut tokens).unwrap();
        launch(view, 61, turn(&mut out)).unwrap();
        drop(out);
        assert_eq!(
            cast_slice::<_, u8>(&tokens),
            cast_slice::<_, u8>(&expected),
            "{view}"
        );
    });
}

#[amp_kernel]
fn sort_out(
    t_idx: TiledIndex<1, 16>,
    items: &ArrayView<Item, 1>,
    out: &mut ArrayViewMut<[StoredShape; 2], 1>,
    side: StoredSide,
) {
    #[tile_static]
    let mut kept: [StoredShape; 16];
    let item = items[t_idx.global];
    let own = t_idx.local[0];
    kept[own] = match item.side.value() {
        Side::Left => item.shapes[0],
        Side::Right => item.shapes[1],
        Side::Both => Shape::Circle(item.weight).into(),
    };
    t_idx.barrier.wait();
    out[t_idx.global][0] = kept[15 - own];
    out[t_idx.global][1] = if side.value() == Side::Both {
        Shape::None().into()
    } else {
        items[t_idx.global].shapes[1]
    };
}

#[test]
fn are_parts_of_structs_arrays_and_tiles() {
    let item = |i: usize| Item {
        shapes: [shape(i).into(), shape(i + 2).into()],
        side: match i % 3 {
            0 => Side::Left,
            1 => Side::Right,
            _ => Side::Both,
        }
        .into(),
        weight: i as f32,
    };
    let items: Vec<Item> = (0..64).map(item).collect();
    let kept = |i: usize| -> StoredShape {
        match i % 3 {
            0 => shape(i).into(),
            1 => shape(i + 2).into(),
            _ => Shape::Circle(i as f32).into(),
        }
    };
    for (side, is_both) in [(Side::Both, true), (Side::Left, false)] {
        let side = StoredSide::from(side);
        let expected: Vec<[StoredShape; 2]> = (0..64)
            .map(|i| {
                let other = if is_both { Shape::None() } else { shape(i + 2) };
                [kept(i / 16 * 16 + 15 - i % 16), other.into()]
            })
            .collect();
        writes(&expected, |view, out| {
            let domain = Extent::new([64]).tile::<16>();
            launch(view, domain, sort_out(&input(&items), out, side))
        });
    }
}

#[test]
fn the_number_of_no_case_is_the_first_case() {
    let words = [u32::MAX, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3, 0, 0, 9, 4];
    let given = [Shape::Empty, Shape::Empty, Shape::Marked(true, 4)];
    let given = given.map(|shape| next(shape).into());
    writes(&given, |view, out| {
        let words = input(&words);
        launch(view, 3, advance(&words.reinterpret::<StoredShape>()?, out))
    });
    everywhere(|view| {
        let zeroes: Array<StoredShape, 1> = Array::builder(3).on(view).build().unwrap();
        let mut out: Array<StoredShape, 1> = Array::builder(3).on(view).build().unwrap();
        launch(view, 3, advance(&zeroes, &mut out)).unwrap();
        let mut copied = [StoredShape::default(); 3];
        copy(&out, &mut copied[..]).unwrap();
        assert_eq!(copied, [StoredShape::from(Shape::Marked(true, 7)); 3]);
    });
}

#[amp_kernel]
fn beyond(idx: Index<1>, shapes: &ArrayView<StoredShape, 1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = match shapes[idx[0] + 5].value() {
        Shape::Empty => 9,
        _ => 1,
    };
}

#[test]
fn an_element_out_of_bounds_is_a_fault() {
    gives_and_faults(&[9], |view, out| {
        launch(view, 1, beyond(&input(&shapes(5)), out))
    });
}

#[amp_module]
mod cells {
    /// In an `#[amp_module]`, with methods.
    #[amp_enum(element = StoredCell)]
    #[derive(Debug, PartialEq)]
    pub enum Cell {
        Dead(u32),
        Alive { age: u32 },
    }

    impl Cell {
        pub fn older(self) -> Self {
            match self {
                Self::Dead(since) => Cell::Dead(since + 1),
                Self::Alive { age } if age > 5 => Self::Dead(0),
                Self::Alive { age } => Self::Alive { age: age + 1 },
            }
        }
    }

    impl StoredCell {
        pub fn age(&self) -> u32 {
            match self.value() {
                Cell::Alive { age } => age,
                Cell::Dead(_) => 0,
            }
        }
    }
}

use cells::{Cell, StoredCell};

#[amp_kernel]
fn ages(idx: Index<1>, cells: &mut ArrayViewMut<StoredCell, 1>, out: &mut ArrayViewMut<u32, 1>) {
    cells[idx] = cells[idx].value().older().into();
    out[idx] = cells[idx].age();
}

#[test]
fn have_methods_in_modules() {
    let cell = |i: u32| match i % 3 {
        0 => Cell::Dead(i),
        _ => Cell::Alive { age: i % 8 },
    };
    let cells: Vec<StoredCell> = (0..40).map(|i| cell(i).into()).collect();
    let expected: Vec<u32> = (0..40)
        .map(|i| StoredCell::from(cell(i).older()).age())
        .collect();
    gives(&expected, |view, out| {
        let mut cells = cells.clone();
        let mut cells = ArrayViewMut::new(40, &mut cells)?;
        launch(view, 40, ages(&mut cells, out))
    });
}

mod beside {
    use amp::prelude::*;

    #[amp_enum(element = StoredLevel)]
    #[derive(Debug, PartialEq)]
    pub enum Level {
        Low,
        High(i32),
    }

    // Compiled together with the enum.
    #[amp_fn]
    impl StoredLevel {
        pub fn doubled(self) -> Self {
            match self.value() {
                Level::High(n) => Level::High(n * 2).into(),
                low => low.into(),
            }
        }
    }
}

use beside::{Level, StoredLevel};

#[amp_kernel]
fn double(idx: Index<1>, levels: &mut ArrayViewMut<StoredLevel, 1>) {
    levels[idx] = levels[idx].doubled();
}

#[amp_kernel]
fn scale(idx: Index<1>, figures: &mut ArrayViewMut<StoredFigure, 1>) {
    figures[idx] = scaled(figures[idx].value(), 3.0).into();
    if let Figure::Line(x) = figures[idx].value() {
        figures[idx] = Figure::Dot(x, 1).into();
    }
}

macro_rules! enums {
    ($name:ident $element:ident $($field:ty)*) => {
        #[amp_enum(element = $element)]
        #[derive(PartialEq)]
        enum $name {
            Nothing,
            Fields($($field),*),
        }
    };
}
enums!(Made StoredMade f32 bool [i32; 2]);

#[amp_kernel]
fn fill(idx: Index<1>, out: &mut ArrayViewMut<StoredMade, 1>) {
    if idx[0] % 3 != 0 {
        out[idx] = Made::Fields(idx[0] as f32, idx[0] % 2 == 0, [idx[0] as i32, -1]).into();
    } else {
        out[idx] = Made::Nothing.into();
    }
}

#[test]
fn stand_anywhere() {
    let levels = [Level::Low, Level::High(4), Level::High(-9)].map(StoredLevel::from);
    let expected = [Level::Low, Level::High(8), Level::High(-18)].map(StoredLevel::from);
    everywhere(|view| {
        let mut levels = levels;
        let mut out = ArrayViewMut::new(3, &mut levels).unwrap();
        launch(view, 3, double(&mut out)).unwrap();
        drop(out);
        assert_eq!(levels, expected);
    });
    let figures = [Figure::Line(2.0), Figure::Dot(1.0, 5)].map(StoredFigure::from);
    let expected = [Figure::Dot(6.0, 1), Figure::Dot(3.0, 5)].map(StoredFigure::from);
    everywhere(|view| {
        let mut figures = figures;
        let mut out = ArrayViewMut::new(2, &mut figures).unwrap();
        launch(view, 2, scale(&mut out)).unwrap();
        drop(out);
        assert_eq!(figures, expected);
    });
    let expected: Vec<StoredMade> = (0..31)
        .map(|i| match i % 3 {
            0 => Made::Nothing.into(),
            _ => Made::Fields(i as f32, i % 2 == 0, [i, -1]).into(),
        })
        .collect();
    writes(&expected, |view, out| launch(view, out.extent(), fill(out)));
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Motion {
    by: Mat2,
    times: [u32; 4],
}

#[amp_struct]
#[derive(PartialEq)]
struct Pause {
    until: f64,
    and: [f32; 2],
}

// No field has a default of zeroes.
#[amp_enum(element = StoredMove)]
#[derive(PartialEq)]
enum Move {
    Stay,
    Turn(Motion),
    Scale(f64, Mat2, [u8; 33]),
    Wait(u8, Pause, u16),
}

#[amp_kernel]
fn step(idx: Index<1>, moves: &mut ArrayViewMut<StoredMove, 1>) {
    moves[idx] = match moves[idx].value() {
        Move::Stay => Move::Scale(0.5, Mat2::IDENTITY, [7; 33]),
        Move::Turn(motion) => Move::Turn(Motion {
            by: motion.by * 2.0,
            times: motion.times,
        }),
        Move::Wait(a, pause, b) => Move::Wait(
            a + 1,
            Pause {
                until: pause.and[0] as f64,
                ..pause
            },
            b * 2,
        ),
        Move::Scale(_, by, [first, ..]) => Move::Turn(Motion {
            by,
            times: [first as u32, 0, 0, 1],
        }),
    }
    .into();
}

#[test]
fn need_no_default() {
    let turn = |by: Mat2, first| {
        Move::Turn(Motion {
            by,
            times: [first, 0, 0, 1],
        })
    };
    let by = Mat2::from_cols_array(&[1.0, 2.0, 3.0, -4.0]);
    let wait = |a, until, b| {
        let and = [1.5, 2.5];
        Move::Wait(a, Pause { until, and }, b)
    };
    let before = [
        Move::Stay,
        turn(by, 4),
        Move::Scale(1.5, by, [9; 33]),
        wait(3, 0.1, 40),
    ];
    let expected = [
        Move::Scale(0.5, Mat2::IDENTITY, [7; 33]),
        turn(by * 2.0, 4),
        turn(by, 9),
        wait(4, 1.5, 80),
    ];
    let [before, expected] = [before, expected].map(|moves| moves.map(StoredMove::from));
    everywhere(|view| {
        let mut data = before;
        let mut out = ArrayViewMut::new(4, &mut data).unwrap();
        launch(view, 4, step(&mut out)).unwrap();
        drop(out);
        assert_eq!(
            cast_slice::<_, u8>(&data),
            cast_slice::<_, u8>(&expected),
            "{view}"
        );
    });
    assert_eq!(
        bytes_of(&StoredMove::from(Move::Stay)),
        [0; size_of::<StoredMove>()]
    );
}

#[test]
fn stand_in_functions() {
    #[amp_enum(element = StoredLocal)]
    enum Local {
        One(u32),
        Two([u32; 2]),
    }

    #[amp_kernel]
    fn swap(idx: Index<1>, out: &mut ArrayViewMut<StoredLocal, 1>) {
        out[idx] = match out[idx].value() {
            Local::One(x) => Local::Two([x, x + 1]),
            Local::Two([x, _]) => Local::One(x),
        }
        .into();
    }

    let before = [Local::One(3), Local::Two([4, 5])].map(StoredLocal::from);
    let expected = [Local::Two([3, 4]), Local::One(4)].map(StoredLocal::from);
    everywhere(|view| {
        let mut data = before;
        let mut out = ArrayViewMut::new(2, &mut data).unwrap();
        launch(view, 2, swap(&mut out)).unwrap();
        drop(out);
        assert_eq!(cast_slice::<_, u32>(&data), cast_slice::<_, u32>(&expected));
    });
}

#[amp_kernel]
fn reverse(
    idx: Index<1>,
    shapes: &ArrayView<StoredShape, 1>,
    out: &mut ArrayViewMut<StoredShape, 1>,
) {
    let last = shapes.extent()[0] - 1;
    let found = shapes
        .iter()
        .filter(|shape| matches!(shape.value(), Shape::Circle(_)))
        .count();
    out[idx] = shapes[last - idx[0]];
    if idx[0] == 0 {
        out[idx] = Shape::Marked(false, found as u32).into();
    }
}

#[test]
fn are_copied_whole() {
    let shapes = shapes(37);
    let mut expected: Vec<StoredShape> = shapes.iter().rev().copied().collect();
    expected[0] = Shape::Marked(false, 7).into();
    writes(&expected, |view, out| {
        launch(view, out.extent(), reverse(&input(&shapes), out))
    });
}

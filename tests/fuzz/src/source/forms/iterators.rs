//! Iterators with their adapters and ends, methods of arrays and slices, and patterns of slices.

use amp_spirv::tree::BinaryOp::{Add, Mul};

use super::Class::{Any, Integer, Number};
use super::{Form, operator, range, value};

/// The forms.
pub const FORMS: &[Form] = &[
    // Sources.
    value(Any, &[], "std::iter::once(@x).next().unwrap_or(@x)"),
    value(
        Any,
        &[],
        "std::iter::repeat(@x).take(3).last().unwrap_or(@x)",
    ),
    value(Any, &[], "std::iter::repeat_n(@x, 2).nth(1).unwrap_or(@x)"),
    value(
        Any,
        &[],
        "std::iter::successors(Some(@x), |y| Some(*y)).skip(2).next().unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "let mut n = 0_u8; std::iter::from_fn(|| { n += 1; (n < 3).then_some(@x) }).fold(@x, |_, y| y)",
    ),
    value(
        Any,
        &[],
        "(0_u32..3).map(|_| @x).reduce(|_, y| y).unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "let y = [@x; 3]; y.iter().copied().last().unwrap_or(@x)",
    ),
    value(Any, &[], "[@x; 3].into_iter().skip(1).next().unwrap_or(@x)"),
    value(
        Any,
        &[],
        "let y = [@x; 4]; y.windows(2).map(|w| w[1]).next().unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "let y = [@x; 3]; y.chunks(2).map(|c| c[0]).last().unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "let y = [@x; 4]; y.chunks_exact(2).map(|c| c[1]).nth(1).unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "let y = [@x; 3]; y.array_windows::<2>().map(|[a, _]| *a).last().unwrap_or(@x)",
    ),
    // Adapters.
    value(
        Any,
        &[],
        "[@x; 2].iter().cycle().skip(1).take(4).map(|y| *y).last().unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "[@x; 4].array_windows().map(|[_, y, _]| *y).last().unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "[@x, @x].iter().rev().enumerate().map(|(_, y)| *y).nth(1).unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "std::iter::once(@x).chain([@x; 2]).filter(|_| @c).last().unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "[@x; 3].iter().zip([1_u8, 2, 3]).filter_map(|(y, n)| (n > 1).then_some(*y)).next().unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "[@x; 5].into_iter().step_by(2).inspect(|_| ()).take(2).fuse().last().unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "[(1_u8, @x), (2, @x)].into_iter().skip_while(|y| y.0 < 2).map(|y| y.1).next().unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "[@x; 3].into_iter().scan(0_u8, |n, y| { *n += 1; (*n < 3).then_some((*n, y)) }).last().map_or(@x, |y| y.1)",
    ),
    value(
        Any,
        &[],
        "(0_u8..3).map_while(|n| if n < 2 { Some(@x) } else { None }).last().unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "(1_u8..3).flat_map(|n| (0..n).map(|_| @x)).take_while(|_| true).last().unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "[[@x; 2]; 2].into_iter().flatten().last().unwrap_or(@x)",
    ),
    // Ends.
    value(
        Number,
        &[],
        "let y = [@x; 3]; if y.iter().take(2).lt(y.iter()) && y.iter().skip(1).le([@x; 2].iter()) { @x } else { y[1] }",
    ),
    value(
        Number,
        &[],
        "let y = [@x, @x]; if y.iter().is_sorted() && y.is_sorted_by(|a, b| a < b) { y[0] } else { y[1] }",
    ),
    value(
        Any,
        &[],
        "[@x; 2].into_iter().try_fold(@x, |_, y| Some(y)).unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "let mut y = @x; [@x; 2].iter().for_each(|z| y = *z); y",
    ),
    value(
        Any,
        &[],
        "let mut y = @x; _ = (0_u8..9).try_for_each(|n| { if n > 3 { return None; } y = @x; Some(()) }); y",
    ),
    value(
        Any,
        &[],
        "[(1_u8, @x), (2, @x)].into_iter().find_map(|(n, y)| if n > 1 { Some(y) } else { None }).unwrap_or(@x)",
    ),
    value(
        Number,
        &[],
        "*[@x; 3].iter().max_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal)).unwrap()",
    ),
    value(Integer, &[], "[@x; 2].iter().copied().min().unwrap_or(@x)"),
    value(
        Integer,
        &[],
        "[@x; 2].into_iter().max_by_key(|y| *y / 2).unwrap_or(@x)",
    ),
    value(
        Integer,
        &[],
        "[@x, 0].into_iter().find(|y| *y == @x).unwrap_or(@x)",
    ),
    value(
        Integer,
        &[],
        "let y = [@x; 3]; match y.iter().position(|z| *z == @x) { Some(at) => y[at], None => 0 }",
    ),
    value(
        Integer,
        &[],
        "let y = [@x; 2]; if y.iter().all(|z| *z == @x) && !y.iter().any(|z| *z != @x) { y[0] } else { 0 }",
    ),
    value(
        Integer,
        &[],
        "let y = [@x; 3]; if y.iter().filter(|z| **z == @x).count() == y.len() && y.iter().eq(&y) { y[2] } else { 0 }",
    ),
    operator(Add, Integer, &[], "[@a, @b].iter().sum::<@t>()"),
    operator(
        Add,
        Integer,
        &[],
        "[@a, @b].into_iter().fold(0, |a, b| a + b)",
    ),
    operator(
        Add,
        Number,
        &[],
        "[@a, @b].into_iter().reduce(|a, b| a + b).unwrap()",
    ),
    operator(
        Mul,
        Integer,
        &[],
        "[@a, @b].iter().copied().product::<@t>()",
    ),
    // Arrays and slices.
    value(Any, &[], "std::array::from_fn::<@t, 3, _>(|_| @x)[1]"),
    value(Any, &[], "[1_u8, 2].map(|_| @x)[1]"),
    value(
        Any,
        &[],
        "let mut y = [@x; 3]; y.reverse(); y.swap(0, 2); y.rotate_left(1); y[1]",
    ),
    value(
        Number,
        &[],
        "let mut y = [@x; 3]; y.fill(@x); let z = [@x; 2]; y[1..].copy_from_slice(&z); y[2]",
    ),
    value(
        Integer,
        &[],
        "let mut y = [@x, 3, @x]; y.sort(); if y.contains(&@x) && y.is_sorted() { @x } else { 0 }",
    ),
    value(
        Integer,
        &[],
        "let mut y = [@x, 3, @x]; y.sort_by(|a, b| b.cmp(a)); if y[0] >= y[1] && y.starts_with(&[y[0]]) { @x } else { 0 }",
    ),
    value(
        Integer,
        &[],
        "let mut y = [@x, 3, 9]; y.sort_unstable_by_key(|y| *y / 3); match y.binary_search_by_key(&(@x / 3), |y| *y / 3) { Ok(at) if at < 3 => @x, _ => 0 }",
    ),
    value(
        Any,
        &[],
        "let y = [@x; 4]; let (a, b) = y.split_at(1); if a.len() < b.len() { b[2] } else { a[0] }",
    ),
    value(
        Any,
        &[],
        "let y = [@x; 2]; y.first().copied().unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "let y = [@x; 2]; if let Some(z) = y.get(@c as usize) { *z } else { @x }",
    ),
    value(
        Any,
        &[],
        "let y = [@x; 3]; let Some((z, rest)) = y.split_first() else { panic!() }; if rest.is_empty() { *z } else { rest[1] }",
    ),
    value(
        Any,
        &[],
        "let mut y = [@x; 3]; if let Some(z) = y.last_mut() { *z = @x; } y[2]",
    ),
    value(
        Any,
        &[],
        "let y = [@x; 3]; match &y[1..] { [] => @x, [z] => *z, [_, .., z] => *z }",
    ),
    value(
        Any,
        &[],
        "let y = [@x; 4]; let [a, rest @ .., _] = y; if @c { a } else { rest[1] }",
    ),
    value(
        Any,
        &[],
        "let y = [@x; 4]; let r@n = 1..3; let s = &y[r@n.clone()]; if r@n.contains(&2) && s.len() == r@n.len() { s[1] } else { @x }",
    ),
    // Loops.
    range(".map(|i| i)"),
    range(".filter(|_| true)"),
    range(".filter_map(Some)"),
    range(".flat_map(|i| std::iter::once(i))"),
    range(".inspect(|_| ())"),
    range(".take_while(|_| true)"),
    range(".skip_while(|_| false)"),
    range(".map_while(|i| Some(i))"),
    range(".scan(0_u8, |n, i| { *n += 1; Some(i) })"),
    range(".skip(0)"),
    range(".take(1000)"),
    range(".zip(1_u32..).map(|(i, _)| i)"),
    range(".enumerate().map(|(_, i)| i)"),
    range(".chain(std::iter::repeat(0).take(0))"),
    range(".fuse()"),
];

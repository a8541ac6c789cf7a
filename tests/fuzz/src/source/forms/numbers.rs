//! Methods of numbers, comparisons and orderings.

use amp_spirv::tree::BinaryOp::{Add, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Rem, Sub};

use super::Class::{Element, Half, Integer, Number};
use super::{Form, operator, value};

/// The forms.
pub const FORMS: &[Form] = &[
    // Arithmetic.
    operator(Add, Integer, &[], "@a.overflowing_add(@b).0"),
    operator(
        Add,
        Integer,
        &[],
        "{ let (a, b): (@t, @t) = (@a, @b); a.checked_add(b).unwrap_or(a.wrapping_add(b)) }",
    ),
    operator(
        Sub,
        Integer,
        &[],
        "{ let (a, b): (@t, @t) = (@a, @b); match a.checked_sub(b) { Some(c) => c, None => a.overflowing_sub(b).0 } }",
    ),
    operator(
        Sub,
        Integer,
        &[],
        "{ let (a, b): (@t, @t) = (@a, @b); if let (c, false) = a.overflowing_sub(b) && c == a.saturating_sub(b) { c } else { a.wrapping_sub(b) } }",
    ),
    operator(
        Mul,
        Integer,
        &[],
        "{ let (a, b): (@t, @t) = (@a, @b); let (c, over) = a.overflowing_mul(b); if over == a.checked_mul(b).is_none() { c } else { 0 } }",
    ),
    operator(
        Div,
        Integer,
        &[],
        "{ let (a, b): (@t, @t) = (@a, @b); a.checked_div(b).unwrap_or_else(|| a / b) }",
    ),
    operator(
        Rem,
        Integer,
        &[],
        "{ let (a, b): (@t, @t) = (@a, @b); match a.checked_rem(b) { Some(c) => c, _ => a % b } }",
    ),
    operator(
        Add,
        Integer,
        &[],
        "{ let (a, b): (@t, @t) = (@a, @b); match (a.checked_add(b), a.overflowing_add(b)) { (Some(c), (d, false)) if c == d && a.saturating_add(b) == c => c, (None, (d, true)) => d, _ => panic!() } }",
    ),
    operator(
        Mul,
        Integer,
        &[],
        "{ let (a, b): (@t, @t) = (@a, @b); match a.checked_mul(b) { Some(c) if a.saturating_mul(b) == c => c, Some(_) => panic!(), None => a.wrapping_mul(b) } }",
    ),
    value(
        Integer,
        &[],
        "let (y, _) = @x.overflowing_shl(1); if y == @x.wrapping_shl(1) && @x.checked_shl(200).is_none() && @x.unbounded_shr(200).count_ones() % 8 == 0 { @x } else { panic!() }",
    ),
    value(
        Integer,
        &[],
        "if @x.checked_pow(1) == Some(@x) && @x.saturating_pow(1) == @x && @x.overflowing_pow(1) == (@x, false) { @x } else { panic!() }",
    ),
    value(
        Integer,
        &[],
        "@x.rotate_left(3).rotate_right(3).swap_bytes().swap_bytes().reverse_bits().reverse_bits()",
    ),
    value(Half, &[], "<@t>::from_bits(@x.to_bits())"),
    value(
        Half,
        &[],
        "if @x.is_nan() { @x } else { <@t>::from_f32(@x.to_f32()) }",
    ),
    value(
        Half,
        &[],
        "let y = [@x; 2]; if y[0].to_f32() < y[1].to_f32() || y[0] < y[1] { panic!() } else { Some(y[1]).unwrap_or_default() }",
    ),
    value(
        Integer,
        &[],
        "@x.saturating_add(0).checked_mul(1).unwrap_or_default()",
    ),
    value(
        Integer,
        &[],
        "if let Some(n) = @x.checked_ilog2() && @x.ilog2() == n { @x } else { @x.midpoint(@x) }",
    ),
    value(Integer, &[], "<@t>::from_le_bytes(@x.to_le_bytes())"),
    value(
        Integer,
        &[],
        "<@t>::from_be_bytes(@x.to_be_bytes()).clone()",
    ),
    value(Number, &[], "<@t>::from(@x)"),
    value(Number, &[], "let y: @t = @x.into(); y"),
    // Comparisons.
    operator(Lt, Integer, &[], "@a.cmp(&@b).is_lt()"),
    operator(
        Lt,
        Number,
        &[],
        "(@a).partial_cmp(&@b).is_some_and(|order| order.is_lt())",
    ),
    operator(Lt, Element, &[], "matches!(@a, a if a < @b)"),
    operator(Le, Integer, &[], "(@a..).contains(&@b)"),
    operator(
        Le,
        Element,
        &[],
        "matches!((@a).partial_cmp(&@b), Some(std::cmp::Ordering::Less | std::cmp::Ordering::Equal))",
    ),
    operator(
        Gt,
        Integer,
        &[],
        "(@a.cmp(&@b).reverse() == std::cmp::Ordering::Less)",
    ),
    operator(Gt, Element, &[], "((@a, 1_u8) > (@b, 1_u8))"),
    operator(
        Ge,
        Integer,
        &[],
        "matches!(@a.cmp(&@b).then(std::cmp::Ordering::Equal), std::cmp::Ordering::Greater | std::cmp::Ordering::Equal)",
    ),
    operator(Ge, Element, &[], "([@a] >= [@b])"),
    operator(Eq, Element, &[], "(Some(@a) == Some(@b))"),
    operator(Eq, Element, &[], "([1 as @t, @a] == [1 as @t, @b])"),
    operator(
        Eq,
        Integer,
        &[],
        "{ use std::cmp::Ordering; let order: Ordering = @a.cmp(&@b); matches!(order, Ordering::Equal) }",
    ),
    operator(Ne, Element, &[], "((@a, true) != (@b, true))"),
    operator(Ne, Integer, &[], "(!matches!(@a.abs_diff(@b), 0))"),
    operator(
        Ne,
        Element,
        &[],
        "{ let (a, b): (@t, @t) = (@a, @b); &[a, b][..1] != &[b] }",
    ),
];

//! Macros of the program: before what calls them and in bodies, with repetitions, with names and
//! labels that the caller has, too.

use amp_spirv::tree::BinaryOp::{Add, Mul};

use super::Class::{Any, Number};
use super::{Form, operator, store, update, value};

const SAME: &str = "macro_rules! same@s { ($x:expr) => { $x }; }";
const KEPT: &str = "macro_rules! kept@s { \
    ($x:expr) => {{ let kept = 7_u32; let me = $x; let _ = kept; me }}; \
    }";
const LOOPED: &str = "macro_rules! looped@s { \
    ($x:expr, $more:expr) => { 'l0: loop { if $more { break 'l0 $x; } else { break 'l0 $x; } } }; \
    }";
const LAST: &str = "macro_rules! last@s { \
    ($x:expr $(,)?) => { $x }; \
    ($first:expr, $($rest:expr),+ $(,)?) => {{ let _ = $first; last@s!($($rest),+) }}; \
    }";
const SUM: &str = "macro_rules! sum@s { \
    ($first:expr $(, $rest:expr)*) => { same@s!(($first $(+ $rest)*)) }; \
    }";
const PRODUCT: &str = "macro_rules! product@s { \
    ($x:expr) => { $x }; \
    ($x:expr, $($rest:expr),+) => { $x * product@s!($($rest),+) }; \
    }";
const STORE: &str = "macro_rules! store@s { \
    ($place:expr, $value:expr) => { let value = $value; $place = value; }; \
    }";
const UPDATE: &str = "macro_rules! update@s { \
    ($($place:expr => $op:tt $by:expr;)*) => { $($place $op $by;)* }; \
    }";
const BIND: &str = "macro_rules! bind@s { \
    ($name:ident: $ty:ty = $value:expr) => { let hidden = $value; let $name: $ty = hidden; }; \
    }";
const RUN: &str = "macro_rules! run@s { ($($body:tt)*) => {{ $($body)* }}; }";

/// The forms.
pub const FORMS: &[Form] = &[
    value(Any, &[SAME], "same@s!(@v)"),
    value(Any, &[KEPT], "{ let kept: @t = @v; kept@s!(kept) }"),
    value(Any, &[LOOPED], "looped@s!(@v, @c)"),
    value(Any, &[LAST], "last@s!(1_u8, @c, @v)"),
    value(Any, &[BIND], "{ bind@s!(hidden: @t = @v); hidden }"),
    value(Any, &[RUN], "run@s!(let a: @t = @v; let b = a; b)"),
    value(
        Any,
        &[],
        "{ macro_rules! own@n { ($x:expr; $($y:expr),*) => { match $x { x => { $(let _ = $y;)* x } } }; } own@n!(@v; 1, 2) }",
    ),
    value(
        Any,
        &[SAME],
        "{ let x: @t = @v; macro_rules! x { () => { same@s!(x) }; } let _ = 1_u8; x!() }",
    ),
    operator(Add, Number, &[SAME, SUM], "sum@s!(@a, @b)"),
    operator(Mul, Number, &[PRODUCT], "product@s!(@a, @b)"),
    store(Any, &[STORE], "let value: @t = @v; store@s!(@p, value)"),
    update(Any, &[UPDATE], "update@s! { @p => @o= @v; }"),
    update(
        Any,
        &[],
        "macro_rules! put@n { ($by:expr) => { @p @o= $by; }; } put@n!(@v)",
    ),
];

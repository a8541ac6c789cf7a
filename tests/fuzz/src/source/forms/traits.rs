//! Methods, operators and traits of the program's own, and generic functions with bounds.

use amp_spirv::tree::BinaryOp::{Add, BitAnd, BitOr, BitXor, Eq, Ge, Gt, Le, Lt, Mul, Ne, Sub};

use super::Class::{Any, Element, Integer, Number};
use super::{Form, operator, value};

const OWN: &str = "#[derive(Clone, Copy, PartialEq, PartialOrd)] pub struct Own<T>(pub T);";
const OWN_ADD: &str = "impl<T: Scalar> std::ops::Add for Own<T> { type Output = Self; \
    fn add(self, other: Self) -> Self { Own(self.0 + other.0) } }";
const OWN_ADD_REF: &str = "impl<T: Scalar> std::ops::Add<&Own<T>> for &Own<T> { type Output = Own<T>; \
    fn add(self, other: &Own<T>) -> Own<T> { Own(self.0 + other.0) } }";
const OWN_SUB: &str = "impl<T: Scalar> std::ops::Sub for Own<T> { type Output = Own<T>; \
    fn sub(self, other: Self) -> Own<T> { Own(self.0 - other.0) } }";
const OWN_MUL: &str = "impl<T: Scalar> std::ops::Mul<T> for Own<T> { type Output = T; \
    fn mul(self, by: T) -> T { self.0 * by } }";
const OWN_ADD_ASSIGN: &str = "impl<T: Scalar> std::ops::AddAssign for Own<T> { \
    fn add_assign(&mut self, other: Self) { *self = *self + other; } }";
const OWN_SUB_ASSIGN: &str = "impl<T: Scalar> std::ops::SubAssign<T> for Own<T> { \
    fn sub_assign(&mut self, by: T) { self.0 -= by; } }";
const OWN_FROM: &str = "impl<T: Scalar> From<T> for Own<T> { fn from(x: T) -> Self { Own(x) } }";
const BITS: &str = "#[derive(Clone, Copy, PartialEq, Eq)] pub struct Bits<T> { pub bits: T }";
const BITS_AND: &str = "impl<T: Integer> std::ops::BitAnd for Bits<T> { type Output = Self; \
    fn bitand(self, other: Self) -> Self { Self { bits: self.bits & other.bits } } }";
const BITS_NOT: &str = "impl<T: Integer> std::ops::Not for Bits<T> { type Output = Self; \
    fn not(self) -> Self { Self { bits: !self.bits } } }";
const BITS_XOR_ASSIGN: &str = "impl<T: Integer> std::ops::BitXorAssign<T> for Bits<T> { \
    fn bitxor_assign(&mut self, other: T) { self.bits ^= other; } }";
const DOWN: &str = "#[derive(Clone, Copy, PartialEq)] pub struct Down<T> { pub of: T }";
const DOWN_ORDER: &str = "impl<T: PartialOrd + Copy> PartialOrd for Down<T> { \
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> { other.of.partial_cmp(&self.of) } }";
const KEEPER: &str = "pub struct Keeper<T> { pub all: [T; 4], pub len: usize, pub lost: u32 }";
const KEEPER_METHODS: &str = "impl<T: Scalar> Keeper<T> { pub const MOST: usize = 4; \
    pub fn new() -> Self { Self { all: [T::ZERO; 4], len: 0, lost: 0 } } \
    pub fn with(mut self, x: T) -> Self { self.push(x).unwrap_or(()); self } \
    pub fn push(&mut self, x: T) -> Result<(), u32> { \
    if self.len == Self::MOST { self.lost += 1; return Err(self.lost); } \
    self.all[self.len] = x; self.len += 1; Ok(()) } \
    pub fn pop(&mut self) -> Option<T> { self.len = self.len.checked_sub(1)?; Some(self.all[self.len]) } \
    pub fn peek(&self) -> Option<T> { self.all[..self.len].last().copied() } \
    pub fn is_empty(&self) -> bool { self.len == 0 } }";
const SIDED: &str = "pub trait Sided { const SIDES: u32; fn unit() -> Self; fn side(&self) -> u32; \
    fn around(&self) -> u32 { self.side() * Self::SIDES } \
    fn is_wider<O: Sided>(&self, than: &O) -> bool { self.around() > than.around() } }";
const SQUARE: &str = "pub struct Square { pub side: u32 }";
const SQUARE_SIDED: &str = "impl Sided for Square { const SIDES: u32 = 4; fn unit() -> Self { Square { side: 1 } } \
    fn side(&self) -> u32 { self.side } }";
const LINE: &str = "pub struct Line(pub u32);";
const LINE_SIDED: &str = "impl Sided for Line { const SIDES: u32 = 1; fn unit() -> Self { Self(1) } \
    fn side(&self) -> u32 { self.0 } fn around(&self) -> u32 { 2 * self.side() } }";
const WIDEST: &str = "fn widest<A: Sided, B>(a: &A, b: &B) -> u32 where B: Sided { \
    if a.is_wider(b) { A::SIDES } else { B::SIDES + B::unit().around() } }";
const SUMMED: &str = "fn summed<T>(a: T, b: T) -> T where T: std::ops::Add<Output = T> + Copy { \
    let f = |x: T| x + b; f(a) }";
const LARGEST: &str = "fn largest<T: PartialOrd + Copy, const N: usize>(all: [T; N]) -> T { \
    let mut most = all[0]; for x in all { if x > most { most = x; } } most }";
const OWNS: &[&str] = &[
    OWN,
    OWN_ADD,
    OWN_ADD_REF,
    OWN_SUB,
    OWN_MUL,
    OWN_ADD_ASSIGN,
    OWN_SUB_ASSIGN,
    OWN_FROM,
];
const ALL_BITS: &[&str] = &[BITS, BITS_AND, BITS_NOT, BITS_XOR_ASSIGN];
const DOWNS: &[&str] = &[DOWN, DOWN_ORDER];
const KEEPERS: &[&str] = &[KEEPER, KEEPER_METHODS];
const SIDES: &[&str] = &[SIDED, SQUARE, SQUARE_SIDED, LINE, LINE_SIDED];

/// The forms.
pub const FORMS: &[Form] = &[
    // Operators.
    operator(Add, Number, OWNS, "(Own(@a) + Own(@b)).0"),
    operator(Add, Number, OWNS, "(&Own(@a) + &Own(@b)).0"),
    operator(
        Add,
        Number,
        OWNS,
        "{ let mut own = Own(@a); own += Own(@b); own.0 }",
    ),
    operator(
        Add,
        Number,
        &[OWN, OWN_ADD, OWN_ADD_REF, SUMMED],
        "summed(Own(@a), Own(@b)).0",
    ),
    operator(Add, Number, &[SUMMED], "summed::<@t>(@a, @b)"),
    operator(Sub, Number, OWNS, "(Own(@a) - @b.into()).0"),
    operator(
        Sub,
        Number,
        OWNS,
        "{ let mut own = Own::from(@a); own -= @b; let Own(rest) = own; rest }",
    ),
    operator(Mul, Number, OWNS, "(Own(@a) * @b)"),
    operator(
        BitAnd,
        Integer,
        ALL_BITS,
        "(Bits { bits: @a } & Bits { bits: @b }).bits",
    ),
    operator(
        BitOr,
        Integer,
        ALL_BITS,
        "(!(!Bits { bits: @a } & !Bits { bits: @b })).bits",
    ),
    operator(
        BitXor,
        Integer,
        ALL_BITS,
        "{ let mut all = Bits { bits: @a }; all ^= @b; all.bits }",
    ),
    operator(Eq, Element, OWNS, "(Own(@a) == Own(@b))"),
    operator(
        Ne,
        Integer,
        ALL_BITS,
        "(Bits { bits: @a } != Bits { bits: @b })",
    ),
    operator(Lt, Element, OWNS, "(Own(@a) < Own(@b))"),
    operator(Lt, Element, DOWNS, "(Down { of: @a } > Down { of: @b })"),
    operator(Le, Element, DOWNS, "(&Down { of: @a } >= &Down { of: @b })"),
    operator(
        Gt,
        Element,
        DOWNS,
        "matches!(Down { of: @a }.partial_cmp(&Down { of: @b }), Some(std::cmp::Ordering::Less))",
    ),
    operator(Ge, Element, DOWNS, "Down { of: @a }.le(&Down { of: @b })"),
    value(Element, &[LARGEST], "largest([@x; 3])"),
    value(
        Element,
        &[DOWN, DOWN_ORDER, LARGEST],
        "largest([Down { of: @x }, Down { of: @x }]).of",
    ),
    // Methods.
    value(
        Number,
        KEEPERS,
        "let mut all = Keeper::new().with(@x); all.push(@x).unwrap_or_default(); match (all.pop(), all.peek()) { (Some(_), Some(y)) if all.len == 1 => y, _ => panic!() }",
    ),
    value(
        Number,
        KEEPERS,
        "let mut all = Keeper::<@t>::new(); while let Ok(()) = all.push(@x) {} let mut n = 0; let mut y = @t::default(); while let Some(z) = all.pop() { y = z; n += 1; } if all.is_empty() && all.lost == 1 && n == Keeper::<@t>::MOST { y } else { panic!() }",
    ),
    // Traits.
    value(
        Any,
        SIDES,
        "let s = Square { side: 3 }; if s.is_wider(&Line(5)) && !Line::unit().is_wider(&s) && s.around() == 4 * Line(6).around() / 4 { @x } else { panic!() }",
    ),
    value(
        Any,
        &[SIDED, SQUARE, SQUARE_SIDED, LINE, LINE_SIDED, WIDEST],
        "match (widest(&Square { side: 1 }, &Line(1)), widest(&Line::unit(), &Square::unit())) { (Square::SIDES, n) if n == 2 * <Square as Sided>::SIDES => @x, _ => panic!() }",
    ),
];

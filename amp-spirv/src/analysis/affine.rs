//! Integers as sums: `constant + Σ coefficient · base`.
//!
//! A [`Sum`] is arithmetic modulo 2ⁿ, where n is the width of the value's type, as the
//! operations that it is made of wrap. So equal sums are equal values, and sums whose difference
//! is a constant other than zero are different values; which of two is greater a sum does not
//! say. The checks of the tree compute with sums of symbols, passes with those of [`Affine`].
//!
//! [`Affine`] has a sum for each integer of a function. Bases are what is no sum itself: positions
//! of the thread, counters of loops, extents, what is loaded; coefficients are numbers times
//! specialization constants. A position in the domain is `tile · size of the tile + position in
//! the tile`, so that the parts cancel out where they should.
//!
//! Leaves out products of two bases, and sums that are cast to more bits: the wider value does not
//! wrap where the sum does.

use crate::mir::{Def, Function, Inst, Module, Op, Value};
use crate::tree::{
    BinaryOp, ConstId, Domain, FunctionId, Len, Literal, Scalar, TiledField, Type, UnaryOp,
};

/// The most terms of a sum; what has more is a base.
const TERMS: usize = 16;

/// `constant + Σ coefficient · base` modulo the width of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sum<B> {
    /// By base, without zeros.
    pub terms: Vec<(B, u64)>,
    /// What is added.
    pub constant: u64,
}

impl<B: Ord + Clone> Sum<B> {
    /// A number.
    pub fn constant(constant: u64) -> Self {
        Sum {
            terms: Vec::new(),
            constant,
        }
    }

    /// A base alone.
    pub fn of(base: B) -> Self {
        Sum {
            terms: vec![(base, 1)],
            constant: 0,
        }
    }

    /// The value, if it depends on nothing.
    pub fn known(&self) -> Option<u64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The base, if it is nothing more.
    pub fn base(&self) -> Option<&B> {
        match (&self.terms[..], self.constant) {
            ([(base, 1)], 0) => Some(base),
            _ => None,
        }
    }

    /// `self + factor · other`, of a type.
    pub fn add(&self, other: &Self, factor: u64, ty: Scalar) -> Self {
        let mut sum = self.clone();
        for (base, coefficient) in &other.terms {
            sum.add_term(base.clone(), coefficient.wrapping_mul(factor));
        }
        let more = other.constant.wrapping_mul(factor);
        sum.constant = sum.constant.wrapping_add(more);
        sum.reduced(ty)
    }

    fn add_term(&mut self, base: B, coefficient: u64) {
        match self.terms.binary_search_by(|(known, _)| known.cmp(&base)) {
            Ok(at) => self.terms[at].1 = self.terms[at].1.wrapping_add(coefficient),
            Err(at) => self.terms.insert(at, (base, coefficient)),
        }
    }

    /// `self - other`, of a type.
    pub fn minus(&self, other: &Self, ty: Scalar) -> Self {
        self.add(other, u64::MAX, ty)
    }

    /// The same modulo what the type holds.
    pub fn reduced(mut self, ty: Scalar) -> Self {
        let mask = u64::MAX >> (64 - ty.bits());
        for (_, coefficient) in &mut self.terms {
            *coefficient &= mask;
        }
        self.terms.retain(|(_, coefficient)| *coefficient != 0);
        self.constant &= mask;
        self
    }

    /// What one is more than the other, of the same type, if that is known: zero if they are
    /// equal.
    pub fn difference(&self, other: &Self) -> Option<u64> {
        (self.terms == other.terms).then(|| self.constant.wrapping_sub(other.constant))
    }
}

/// What a sum of [`Affine`] is made of: the product of constants and perhaps of a base.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Factor {
    /// Specialization constants, in order.
    pub constants: Vec<ConstId>,
    /// What the launch or the thread decides.
    pub base: Option<Base>,
}

/// What is no sum of other values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    /// The thread's position in a domain without tiles, in this dimension.
    Global(u32),
    /// The position of the thread's tile.
    Tile(u32),
    /// The thread's position in its tile.
    Local(u32),
    /// Any other value.
    Value(Value),
}

impl From<Base> for Factor {
    fn from(base: Base) -> Self {
        Factor {
            constants: Vec::new(),
            base: Some(base),
        }
    }
}

impl From<ConstId> for Factor {
    fn from(constant: ConstId) -> Self {
        Factor {
            constants: vec![constant],
            base: None,
        }
    }
}

impl Factor {
    /// The product, if at most one of the two has a base.
    fn times(&self, other: &Factor) -> Option<Factor> {
        let base = match (self.base, other.base) {
            (Some(_), Some(_)) => return None,
            (base, None) | (None, base) => base,
        };
        let mut constants = [&self.constants[..], &other.constants].concat();
        constants.sort_unstable();
        Some(Factor { constants, base })
    }
}

/// The sums of a function's integers.
#[derive(Clone, Debug, Default)]
pub struct Affine {
    /// By value: the type of an integer, and its sum where it is more than its own base.
    integers: Vec<Option<(Scalar, Option<Sum<Factor>>)>>,
}

impl Affine {
    /// Facts about a function of a module.
    pub fn of(module: &Module, id: FunctionId) -> Self {
        let function = &module.functions[id.0 as usize];
        let is_kernel = id.0 as usize + 1 == module.functions.len();
        let integers = function
            .values
            .iter()
            .map(|value| match module.types[value.ty] {
                Type::Scalar(scalar) if scalar.is_integer() => Some((scalar, None)),
                _ => None,
            });
        let mut finding = Finding {
            function,
            position: is_kernel.then_some(&module.domain),
            affine: Affine {
                integers: integers.collect(),
            },
        };
        function.walk(function.body, &mut |_, inst| finding.inst(inst));
        finding.affine
    }

    /// The sum of an integer; one that is not known of is its own base.
    pub fn sum(&self, value: Value) -> Sum<Factor> {
        let known = self.integer(value).and_then(|(_, sum)| sum.clone());
        known.unwrap_or_else(|| Sum::of(Base::Value(value).into()))
    }

    fn integer(&self, value: Value) -> Option<&(Scalar, Option<Sum<Factor>>)> {
        self.integers.get(value.0 as usize)?.as_ref()
    }

    /// The type of an integer.
    pub fn ty(&self, value: Value) -> Option<Scalar> {
        self.integer(value).map(|(ty, _)| *ty)
    }

    /// What one integer is more than another of its type, if that is known: the number with a
    /// sign that gives the one if it is added to the other, wrapping.
    pub fn difference(&self, a: Value, b: Value) -> Option<i64> {
        if a == b {
            return Some(0);
        }
        let difference = self.sum(a).difference(&self.sum(b))?;
        let unused = 64 - self.ty(a)?.bits();
        Some((difference << unused).cast_signed() >> unused)
    }
}

struct Finding<'m> {
    function: &'m Function,
    /// What the first parameter is a position in, in the kernel.
    position: Option<&'m Domain>,
    affine: Affine,
}

impl Finding<'_> {
    fn inst(&mut self, inst: &Inst) {
        if let &[result] = &inst.results[..]
            && let Some(ty) = self.affine.ty(result)
        {
            let sum = self.computed(inst, ty);
            let sum = sum.filter(|sum| sum.terms.len() <= TERMS);
            let sum = sum.map(|sum| sum.reduced(ty));
            self.affine.integers[result.0 as usize] = Some((ty, sum));
        }
    }

    fn computed(&self, inst: &Inst, ty: Scalar) -> Option<Sum<Factor>> {
        let sum = |at: usize| self.affine.sum(inst.args[at]);
        match inst.op {
            Op::Literal(literal) => Some(Sum::constant(literal.bits())),
            Op::Zero => Some(Sum::constant(0)),
            Op::Const(id) => Some(Sum::of(id.into())),
            Op::Binary(BinaryOp::Add) => Some(sum(0).add(&sum(1), 1, ty)),
            Op::Binary(BinaryOp::Sub) => Some(sum(0).minus(&sum(1), ty)),
            Op::Binary(BinaryOp::Mul) => product(&sum(0), &sum(1), ty),
            Op::Binary(BinaryOp::Shl) => {
                let count = sum(1).known()? & u64::from(ty.bits() - 1);
                Some(Sum::constant(0).add(&sum(0), 1 << count, ty))
            }
            Op::Unary(UnaryOp::Neg) => Some(Sum::constant(0).minus(&sum(0), ty)),
            Op::Unary(UnaryOp::Not) => Some(Sum::constant(u64::MAX).minus(&sum(0), ty)),
            Op::Cast => {
                let from = self.affine.ty(inst.args[0])?;
                match sum(0).known() {
                    Some(value) => {
                        let value = Literal::new(from, value).integer()?;
                        Some(Sum::constant(value as u64))
                    }
                    None => (from.bits() >= ty.bits()).then(|| sum(0)),
                }
            }
            Op::Extract(part) => self.part(inst.args[0], part, ty),
            _ => None,
        }
    }

    /// A component of a value.
    fn part(&self, whole: Value, part: u32, ty: Scalar) -> Option<Sum<Factor>> {
        match (self.function.def(whole), self.position) {
            (Def::Param(0), Some(Domain::Range { .. })) => Some(Sum::of(Base::Global(part).into())),
            (Def::Inst(id, _), position) => {
                let inst = self.function.inst(id);
                match (&inst.op, position) {
                    (Op::Construct, _) => Some(self.affine.sum(*inst.args.get(part as usize)?)),
                    (Op::Insert(other), _) if *other == part => Some(self.affine.sum(inst.args[1])),
                    (Op::Insert(_), _) => self.part(inst.args[0], part, ty),
                    (Op::Extract(field), Some(Domain::Tiled { tile }))
                        if self.function.def(inst.args[0]) == Def::Param(0) =>
                    {
                        in_tiles(*field, part, *tile.get(part as usize)?, ty)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// A component of a field of a `TiledIndex`, in a dimension in which tiles are of some size.
fn in_tiles(field: u32, k: u32, size: Len, ty: Scalar) -> Option<Sum<Factor>> {
    let local = Sum::of(Base::Local(k).into());
    let tile = Sum::of(Base::Tile(k).into());
    let size = match size {
        Len::Literal(size) => Sum::constant(size.into()),
        Len::Const(id) => Sum::of(id.into()),
    };
    let origin = product(&tile, &size, ty)?;
    Some(match TiledField::of(field)? {
        TiledField::Global => origin.add(&local, 1, ty),
        TiledField::Local => local,
        TiledField::Tile => tile,
        TiledField::TileOrigin => origin,
    })
}

/// The product of two sums, if it is one.
fn product(a: &Sum<Factor>, b: &Sum<Factor>, ty: Scalar) -> Option<Sum<Factor>> {
    if a.terms.len() * b.terms.len() > TERMS {
        return None;
    }
    let mut product = Sum::constant(0)
        .add(a, b.constant, ty)
        .add(b, a.constant, ty);
    // Both sums had it.
    product.constant = a.constant.wrapping_mul(b.constant);
    for (factor, coefficient) in &a.terms {
        for (other, more) in &b.terms {
            product.add_term(factor.times(other)?, coefficient.wrapping_mul(*more));
        }
    }
    Some(product.reduced(ty))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tests::kernel;

    /// The difference of the last two values of a body.
    #[track_caller]
    fn last_two(body: &str) -> Option<i64> {
        let module = kernel(body);
        let function = module.kernel();
        let affine = Affine::of(&module, FunctionId(0));
        let &[.., a, b] = &function.values[..] else {
            panic!("there are no two values");
        };
        assert_eq!(a.ty, b.ty);
        let number = function.values.len() as u32;
        affine.difference(Value(number - 2), Value(number - 1))
    }

    #[test]
    fn neighbours_differ_by_a_constant() {
        let found = last_two(
            "%8: usize = literal 1
             %9: usize = literal 4
             %10: usize = mul %3, %9
             %11: usize = add %10, %8
             %12: usize = shl %3, %9
             %13: usize = sub %12, %10
             %14: usize = add %10, %13
             %15: usize = add %14, %11
             %16: usize = add %12, %10",
        );
        assert_eq!(found, Some(1));
    }

    #[test]
    fn sums_wrap() {
        let found = last_two(
            "%8: i32 = literal -3
             %9: i32 = add %7, %8
             %10: i32 = not %9
             %11: i32 = neg %7
             %12: i32 = sub %10, %8",
        );
        assert_eq!(found, Some(-5), "-n - (-(n - 3) - 1 + 3)");
    }

    #[test]
    fn positions_are_made_of_their_parts() {
        let found = last_two(
            "%8: Index<2> = extract 0 %0
             %9: Index<2> = extract 1 %0
             %10: Index<2> = extract 2 %0
             %11: Index<2> = extract 3 %0
             %12: usize = extract 1 %8
             %13: usize = extract 1 %9
             %14: usize = extract 1 %10
             %15: usize = extract 1 %11
             %16: usize = const SIZE#0
             %17: usize = mul %16, %14
             %18: usize = sub %12, %17
             %19: usize = sub %12, %15
             %20: usize = add %18, %15
             %21: usize = add %13, %15",
        );
        assert_eq!(found, Some(0));
    }

    #[test]
    fn constants_are_factors() {
        let found = last_two(
            "%8: usize = const SIZE#0
             %9: usize = add %3, %8
             %10: usize = mul %9, %8
             %11: usize = mul %8, %8
             %12: usize = mul %8, %3
             %13: usize = add %11, %12
             %14: usize = sub %10, %13
             %15: usize = zero",
        );
        assert_eq!(found, Some(0));
    }

    #[test]
    fn a_cast_to_more_bits_is_not_a_sum() {
        let casts = |to: &str| {
            last_two(&format!(
                "%8: u32 = literal 1
                 %9: u32 = add %5, %8
                 %10: {to} = cast %9
                 %11: {to} = cast %5"
            ))
        };
        assert_eq!(casts("i32"), Some(1));
        assert_eq!(casts("u16"), Some(1));
        assert_eq!(casts("u64"), None);
    }

    #[test]
    fn products_of_what_threads_decide_are_no_sums() {
        let found = last_two(
            "%8: usize = mul %3, %4
             %9: usize = mul %4, %3",
        );
        assert_eq!(found, None);
    }
}

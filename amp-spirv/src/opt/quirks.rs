//! What drivers must not know of values, since they draw wrong conclusions from it.
//!
//! ```text
//! %2: f32 = literal 0.0               %2: f32 = literal 0.0
//! %3: f32 = mul %1, %2                %3: f32 = hide Value %2
//!                                     %4: f32 = mul %1, %3
//! ```
//!
//! `QUIRKS` has the faults, one a row. They are lavapipe's of Mesa 22.3 and those of NVIDIA's
//! driver 580; the run time says whether a device has them, and elsewhere nothing is hidden.
//! The tests that are named with them are in `tests/differential`.
//!
//! It comes last, for no other pass sees through what is hidden. It leaves out what is no value of
//! the module and arises only in the words for an operation; `emit/hidden.rs` lists that.

use crate::mir::{Base, Def, Function, Hidden, Inst, InstId, Module, Op, RegionId, Types, Value};
use crate::tree::{BinaryOp, MathOp, MemoryLayout, Scalar, SubgroupOp, Type};
use rustc_hash::FxHashSet as HashSet;

/// A fault of a driver, and what prevents it.
struct Quirk {
    /// Which value of an instruction the fault is about.
    pattern: fn(&Context<'_>, &Inst) -> Option<Spot>,
    /// What the driver must not know of it.
    hidden: Hidden,
}

/// A value of an instruction.
enum Spot {
    Operand(usize),
    Result,
}

const QUIRKS: &[Quirk] = &[
    // lavapipe: `x + 0.0` is `x`, `x * 0.0` is `0.0` and `x / 0.0` is anything, also for `-0.0`,
    // infinities and NaN. Test: `driver_faults::zero_in_a_variable` and those after it.
    Quirk {
        pattern: |context, inst| {
            let made = match inst.op {
                Op::Literal(_) | Op::Const(_) | Op::Zero | Op::Math(MathOp::FromBits) => true,
                Op::Cast => context.scalar(inst.args[0])?.is_integer(),
                _ => false,
            };
            (made && context.is_exact() && context.holds_float(inst.results[0]))
                .then_some(Spot::Result)
        },
        hidden: Hidden::Value,
    },
    // lavapipe: `1 < 1_i32 as i64` holds. Test: `driver_faults::known_integers_made_wide`.
    Quirk {
        pattern: |context, inst| {
            let is_cast = inst.op == Op::Cast;
            let [from, to] = [inst.args.first(), inst.results.first()]
                .map(|it| it.and_then(|it| context.scalar(*it)));
            let is_integer = from?.is_integer() && to?.is_integer();
            (is_cast && is_integer && from?.bits() < 64 && to?.bits() == 64).then_some(Spot::Result)
        },
        hidden: Hidden::Value,
    },
    // lavapipe: a count of 32 bits or more, to shift 64, loses some.
    // Test: `driver_faults::turns_by_half`.
    Quirk {
        pattern: |context, inst| {
            let shifts = matches!(
                inst.op,
                Op::Binary(BinaryOp::Shl | BinaryOp::Shr)
                    | Op::Math(MathOp::RotateLeft | MathOp::RotateRight)
            );
            (shifts && context.scalar(inst.args[0])?.bits() == 64).then_some(Spot::Operand(1))
        },
        hidden: Hidden::Value,
    },
    // lavapipe: a part of an element that a variable of a loop gets, `at = a[at].next`, is there before the
    // other parts of the element are read. Test: `driver_faults::elements_at_what_they_lead_to`.
    Quirk {
        pattern: |context, inst| context.carried_index(inst, 0),
        hidden: Hidden::Value,
    },
    // The same of the second of two such indices.
    Quirk {
        pattern: |context, inst| context.carried_index(inst, 1),
        hidden: Hidden::Value,
    },
    // NVIDIA: one bit of a sum of products of 64 bits, times something, is taken for set.
    // Test: `known_bits::one_bit_times_something`. And the last two bits of `!(x * x * x)` of 64
    // bits are taken for those of `!x`. Test: `known_bits::last_bits_of_odd_powers`.
    Quirk {
        pattern: |context, inst| {
            let is_and = inst.op == Op::Binary(BinaryOp::BitAnd) && context.has_wide;
            let is_known = |value: &Value| context.is_mask(*value);
            let position = inst.args.iter().position(is_known)?;
            is_and.then_some(Spot::Operand(position))
        },
        hidden: Hidden::Bits,
    },
    // The same: a remainder of 64 bits is a sum of products, and may have a single bit.
    Quirk {
        pattern: |context, inst| {
            let is_rest = matches!(
                inst.op,
                Op::Binary(BinaryOp::Rem) | Op::Math(MathOp::RemEuclid)
            );
            (is_rest && context.scalar(inst.args[0])? == Scalar::U64).then_some(Spot::Result)
        },
        hidden: Hidden::Bits,
    },
    // NVIDIA: an `f32` converted to 64 bits, of which the lower 32 are used, is converted to 32.
    // Test: `known_bits::lower_halves_of_converted_floats`.
    Quirk {
        pattern: |context, inst| {
            let [from, to] = [inst.args.first()?, inst.results.first()?];
            let is_it = inst.op == Op::Cast
                && context.scalar(*from)? == Scalar::F32
                && context.scalar(*to)? == Scalar::U64;
            is_it.then_some(Spot::Result)
        },
        hidden: Hidden::Bits,
    },
    // NVIDIA: the sum of a literal and a number of 64 bits, or'ed with a remainder, has a wrong bit.
    // Test: `known_bits::sums_beside_remainders`.
    Quirk {
        pattern: |context, inst| {
            let is_literal = |value: &Value| {
                let inst = context.function.def_inst(*value);
                inst.is_some_and(|it| matches!(it.op, Op::Literal(_)))
            };
            let is_it = inst.op == Op::Binary(BinaryOp::Add)
                && context.scalar(inst.args[0])? == Scalar::U64
                && context.ored.contains(&inst.results[0]);
            let position = inst.args.iter().position(is_literal)?;
            is_it.then_some(Spot::Operand(position))
        },
        hidden: Hidden::Bits,
    },
    // NVIDIA: the carry of a sum of 64 bits, `x + y < x`, is taken from another register beside a
    // division of 64 bits. Test: `known_bits::carries_beside_divisions`.
    Quirk {
        pattern: |context, inst| {
            let compares = matches!(
                inst.op,
                Op::Binary(BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge)
            );
            if !compares {
                return None;
            }
            let scalar = context.scalar(inst.args[0])?;
            if !scalar.is_integer() || scalar.bits() != 64 {
                return None;
            }
            let is_sum_of = |sum: Value, part: Value| {
                let inst = context.function.def_inst(sum);
                inst.is_some_and(|it| {
                    matches!(it.op, Op::Binary(BinaryOp::Add | BinaryOp::Sub))
                        && it.args.contains(&part)
                })
            };
            let [left, right] = [inst.args[0], inst.args[1]];
            if is_sum_of(left, right) {
                Some(Spot::Operand(0))
            } else {
                is_sum_of(right, left).then_some(Spot::Operand(1))
            }
        },
        hidden: Hidden::Bits,
    },
    // NVIDIA: the compiler crashes, for some loops in which what all threads load is shuffled.
    // Test: `subgroups::shuffled_in_known_rounds`.
    Quirk {
        pattern: |context, inst| {
            let shuffles = matches!(
                inst.op,
                Op::Subgroup(SubgroupOp::Shuffle | SubgroupOp::ShuffleXor)
            );
            (shuffles && context.scalar(inst.args[0])?.bits() == 32).then_some(Spot::Operand(0))
        },
        hidden: Hidden::Bits,
    },
    // NVIDIA: the bytes of `x << 16` change places wrongly beside a division of floats.
    // Test: `known_bits::bytes_of_products_that_change_places`.
    Quirk {
        pattern: |context, inst| {
            let swaps = inst.op == Op::Math(MathOp::SwapBytes);
            (swaps && context.scalar(inst.args[0])?.bits() == 32).then_some(Spot::Operand(0))
        },
        hidden: Hidden::Bits,
    },
    // NVIDIA: neighbouring bits are counted, too, when a number comes from memory of 8 or 16 bits.
    // Test: `known_bits::bits_of_narrow_numbers`.
    Quirk {
        pattern: |context, inst| {
            let counts = matches!(
                inst.op,
                Op::Math(MathOp::CountOnes | MathOp::CountZeros | MathOp::IsPowerOfTwo)
            );
            (counts && context.scalar(inst.args[0])?.bits() < 32).then_some(Spot::Operand(0))
        },
        hidden: Hidden::Bits,
    },
    // NVIDIA: what is made of the bits of an `f32` and back is shared with negations that the
    // driver needs itself, and those take denormals for zero.
    // Test: `driver_faults::flipped_signs_beside_what_negates`.
    Quirk {
        pattern: |context, inst| {
            let is_read = inst.op == Op::Math(MathOp::ToBits);
            let is_f32 = context.scalar(*inst.args.first()?)? == Scalar::F32;
            (is_read && is_f32 && context.is_exact()).then_some(Spot::Result)
        },
        hidden: Hidden::Float,
    },
    // The same of a sign that is set. Test: `driver_faults::known_signs`.
    Quirk {
        pattern: |context, inst| {
            let is_set = inst.op == Op::Math(MathOp::Copysign);
            let is_f32 = context.scalar(*inst.args.first()?)? == Scalar::F32;
            (is_set && is_f32 && context.is_exact()).then_some(Spot::Operand(1))
        },
        hidden: Hidden::Float,
    },
    // The same the other way. Test: `driver_faults::flipped_signs_of_bits`.
    Quirk {
        pattern: |context, inst| {
            let is_made = inst.op == Op::Math(MathOp::FromBits);
            let is_f32 = context.scalar(*inst.results.first()?)? == Scalar::F32;
            (is_made && is_f32 && context.is_exact()).then_some(Spot::Operand(0))
        },
        hidden: Hidden::Float,
    },
];

/// Hides what drivers must not know.
pub fn run(module: &mut Module) {
    let is_wide = |types: &Types, function: &Function| {
        let mut values = function.values.iter();
        values.any(|it| types[it.ty].scalar().is_some_and(|it| it.bits() == 64))
    };
    let has_wide = module.functions.iter().any(|it| is_wide(&module.types, it));
    let layout = MemoryLayout {
        structs: &module.structs,
        index: module.index,
    };
    for function in &mut module.functions {
        let mut ored = HashSet::default();
        if has_wide {
            function.walk(function.body, &mut |_, inst| {
                if inst.op == Op::Binary(BinaryOp::BitOr) {
                    ored.extend(&inst.args);
                }
            });
        }
        region(function, function.body, &|function, id| {
            let context = Context {
                types: &module.types,
                layout,
                function,
                has_wide,
                ored: &ored,
            };
            let inst = function.inst(id);
            let found = |quirk: &Quirk| Some(((quirk.pattern)(&context, inst)?, quirk.hidden));
            QUIRKS.iter().filter_map(found).collect()
        });
    }
}

/// What to hide of an instruction.
type Find<'f> = dyn Fn(&Function, InstId) -> Vec<(Spot, Hidden)> + 'f;

fn region(function: &mut Function, id: RegionId, find: &Find<'_>) {
    let insts = std::mem::take(&mut function.regions[id.0 as usize].insts);
    let mut kept = Vec::with_capacity(insts.len());
    for id in insts {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (spot, hidden) in find(function, id) {
            match spot {
                Spot::Operand(position) => {
                    before.push(hide_operand(function, id, position, hidden))
                }
                Spot::Result => after.push(hide_result(function, id, hidden)),
            }
        }
        kept.extend(before);
        kept.push(id);
        kept.extend(after);
        for inner in function.inst(id).regions.clone() {
            region(function, inner, find);
        }
    }
    function.regions[id.0 as usize].insts = kept;
}

fn hide_operand(function: &mut Function, id: InstId, position: usize, hidden: Hidden) -> InstId {
    let known = function.inst(id).args[position];
    let hide = hide(function, id, known, hidden);
    let result = function.new_result(hide, function.ty(known));
    function.insts[id.0 as usize].args[position] = result;
    hide
}

/// The instruction gets a new result, and what hides that has the one that is used.
fn hide_result(function: &mut Function, id: InstId, hidden: Hidden) -> InstId {
    let result = function.inst(id).results[0];
    let known = function.new_value(function.ty(result), Def::Inst(id, 0));
    function.insts[id.0 as usize].results[0] = known;
    let hide = hide(function, id, known, hidden);
    function.insts[hide.0 as usize].results.push(result);
    function.values[result.0 as usize].def = Def::Inst(hide, 0);
    hide
}

fn hide(function: &mut Function, of: InstId, known: Value, hidden: Hidden) -> InstId {
    let inst = Inst::new(Op::Hide(hidden), vec![known], function.inst(of).span);
    function.new_inst(inst, &[])
}

/// Where a pattern looks.
struct Context<'m> {
    types: &'m Types,
    layout: MemoryLayout<'m>,
    function: &'m Function,
    /// Some value of the module has 64 bits.
    has_wide: bool,
    /// Operands of `|`.
    ored: &'m HashSet<Value>,
}

impl Context<'_> {
    /// The scalar that a value is, or its components are.
    fn scalar(&self, value: Value) -> Option<Scalar> {
        match self.types[self.function.ty(value)] {
            Type::Scalar(scalar) | Type::Vector(scalar, _) => Some(scalar),
            _ => None,
        }
    }

    fn holds_float(&self, value: Value) -> bool {
        self.layout
            .holds_float(&self.types[self.function.ty(value)])
    }

    /// Whether the function's floats are Rust's.
    fn is_exact(&self) -> bool {
        !self.function.fast_math
    }

    /// An index that a variable of a loop is, of a load of several parts from a variable of the thread.
    fn carried_index(&self, inst: &Inst, nth: usize) -> Option<Spot> {
        let Op::Load(access) = &inst.op else {
            return None;
        };
        let has_parts = matches!(
            self.types[self.function.ty(*inst.results.first()?)],
            Type::Struct(_) | Type::Tuple(_) | Type::Array(..)
        );
        if !has_parts || !matches!(access.base, Base::Slot(_)) {
            return None;
        }
        let indices = inst.args.iter().enumerate();
        let mut carried = indices.filter(|(_, index)| self.is_carried(**index));
        carried
            .nth(nth)
            .map(|(position, _)| Spot::Operand(position))
    }

    /// Whether a value is a parameter of a region, or a part of one.
    fn is_carried(&self, value: Value) -> bool {
        match self.function.def_inst(value) {
            Some(inst) if matches!(inst.op, Op::Cast | Op::Extract(_)) => {
                self.is_carried(inst.args[0])
            }
            Some(_) => false,
            None => true,
        }
    }

    /// Whether a value is the literal 1 or one of 64 bits, or all its components are.
    fn is_mask(&self, value: Value) -> bool {
        self.function
            .def_inst(value)
            .is_some_and(|inst| match inst.op {
                Op::Literal(literal) => literal.integer().is_some_and(|number| {
                    number == 1 || self.scalar(value).is_some_and(|it| it.bits() == 64)
                }),
                Op::Construct => inst.args.iter().all(|it| self.is_mask(*it)),
                _ => false,
            })
    }
}

#[cfg(test)]
mod tests;

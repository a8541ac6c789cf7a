//! Loops whose step only the launch knows, counted by their rounds.
//!
//! ```text
//! loop %1, %2 as %3, %4 {             loop %1, %2 as %3, %4 {
//!     %5: bool = lt %3, %n                %5: bool = lt %3, %n
//!     if %5 { yield } else { break .. }   if %5 { yield } else { break .. }
//!     ...                                 %6 = (%n - 1 - %3) / %step + 1
//!     %9 = add %3, %step                  %8 = for 0, %6, 1, %4 as %7, .. {
//!     yield %9, %8                            %10 = %3 + %7 * %step
//! }                                           ...
//!                                         }
//!                                         yield %3 + %6 * %step, %8
//!                                     }
//! ```
//!
//! Drivers load for several rounds at a time only where they can count the rounds, which takes a
//! division that they do not make (docs/compiler.md has the figure). The counted loop has all
//! rounds until the counter would leave its range, so the outer one goes round again only if the
//! sum wraps. Of a `for` only the counted loop is left: it stops rather than wrap.
//!
//! Comes after [`launch_checks`](super::launch_checks), which proves more of a counter that is
//! compared with its limit than of a product.
//!
//! Leaves out loops in other loops, which would divide again and again; those that write views or
//! in which threads wait for each other, where no load moves from round to round; steps of a
//! `while` that a driver knows; and counters with signs.

use std::collections::BTreeSet;

use crate::analysis::affine::Affine;
use crate::analysis::effects::{Footprint, Footprints, Object};
use crate::analysis::loops::{CountedWhile, Loop, Loops, Rounds};
use crate::mir::{Def, End, Function, Inst, InstId, Module, Op, RegionId, Ty, Value};
use crate::tree::{BinaryOp, FunctionId, Literal, MathOp, Scalar, Type};

/// Counts the rounds of the loops of a module's kernel.
pub fn run(module: &mut Module, footprints: &Footprints) {
    let Some(number) = module.functions.len().checked_sub(1) else {
        return;
    };
    let affine = Affine::of(module, FunctionId(number as u32));
    let bool = module.types.bool();
    let function = &mut module.functions[number];
    let loops = Loops::of(function, &affine, footprints);
    for looping in loops.iter().filter(|it| gains(it)) {
        let finding = Finding {
            function,
            affine: &affine,
        };
        let Some(found) = finding.found(looping.inst) else {
            continue;
        };
        if let Type::Scalar(scalar) = module.types[found.ty]
            && is_counter(scalar)
        {
            let counting = Counting {
                function,
                bool,
                scalar,
                found,
            };
            counting.run();
        }
    }
}

/// Whether loads of a loop can move from round to round, and are worth a division.
fn gains(looping: &Loop) -> bool {
    let Footprint {
        reads,
        writes,
        meets,
        ..
    } = &looping.footprint;
    let has_view =
        |objects: &BTreeSet<Object>| objects.iter().any(|it| matches!(it, Object::View(_)));
    looping.depth == 0
        && looping.rounds == Rounds::Unknown
        && has_view(reads)
        && !has_view(writes)
        && !meets
}

/// Whether the numbers of a type are those from 0, and many.
fn is_counter(ty: Scalar) -> bool {
    ty.is_integer() && !ty.is_signed() && ty.bits() >= 32
}

/// A loop that goes round while `counter < end`, and adds `step` in each round.
struct Found {
    inst: InstId,
    /// The position of the counter among the parameters of the body.
    counter: usize,
    end: Value,
    step: Value,
    ty: Ty,
    /// The `if` that leaves a [`Op::Loop`], by its position in the body.
    exit: Option<usize>,
}

struct Finding<'f> {
    function: &'f Function,
    affine: &'f Affine,
}

impl Finding<'_> {
    fn found(&self, id: InstId) -> Option<Found> {
        let function = self.function;
        let inst = function.inst(id);
        match inst.op {
            Op::For => {
                let found = Found {
                    inst: id,
                    counter: 0,
                    end: inst.args[1],
                    step: inst.args[2],
                    ty: function.ty(inst.args[0]),
                    exit: None,
                };
                (self.affine.sum(found.step).known() != Some(1)).then_some(found)
            }
            Op::Loop => {
                let counted = CountedWhile::of(function, id)?;
                let found = Found {
                    inst: id,
                    counter: counted.counter,
                    end: counted.end,
                    step: counted.step,
                    ty: function.ty(counted.end),
                    exit: Some(counted.exit),
                };
                let terms = self.affine.sum(found.step).terms;
                let is_known = terms.iter().all(|(factor, _)| factor.base.is_none());
                (!is_known).then_some(found)
            }
            _ => None,
        }
    }
}

struct Counting<'f> {
    function: &'f mut Function,
    bool: Ty,
    scalar: Scalar,
    found: Found,
}

impl Counting<'_> {
    fn run(mut self) {
        match self.found.exit {
            None => self.for_(),
            Some(exit) => self.while_(exit),
        }
    }

    fn for_(&mut self) {
        let id = self.found.inst;
        let inst = self.function.inst(id).clone();
        let (start, end) = (inst.args[0], inst.args[1]);
        let mut before = Vec::new();
        let some = self.binary(BinaryOp::Lt, [start, end], None, &mut before);
        let [zero, one] = [0, 1].map(|it| self.literal(it, &mut before));
        let rounds = self.rounds(start, zero, one, &mut before);
        let select = Inst::new(
            Op::Math(MathOp::Select),
            vec![some, rounds, zero],
            inst.span,
        );
        let rounds = self.push(select, self.found.ty, &mut before);
        self.function.insts[id.0 as usize].args[..3].copy_from_slice(&[zero, rounds, one]);
        self.count(inst.regions[0], start);
        let mut regions = self.function.regions.iter_mut();
        let home = regions.find_map(|it| {
            let at = it.insts.iter().position(|it| *it == id)?;
            Some((it, at))
        });
        if let Some((home, at)) = home {
            home.insts.splice(at..at, before);
        }
    }

    fn while_(&mut self, exit: usize) {
        let (id, counter) = (self.found.inst, self.found.counter);
        let (body, span) = (
            self.function.inst(id).regions[0],
            self.function.inst(id).span,
        );
        let outer = self.function.new_region();
        let params = self.function.region(body).params.clone();
        let taken: Vec<Value> = params
            .iter()
            .map(|it| self.function.region_param(outer, self.function.ty(*it)))
            .collect();
        let start = taken[counter];

        let test = self.function.regions[body.0 as usize].insts.remove(exit);
        let mut insts = Vec::new();
        let some = self.binary(BinaryOp::Lt, [start, self.found.end], None, &mut insts);
        self.function.insts[test.0 as usize].args = vec![some];
        let left = self.function.inst(test).regions[1];
        for value in self.function.regions[left.0 as usize].end.values_mut() {
            if let Some(position) = params.iter().position(|it| it == value) {
                *value = taken[position];
            }
        }
        insts.push(test);

        let [zero, one] = [0, 1].map(|it| self.literal(it, &mut insts));
        let rounds = self.rounds(start, zero, one, &mut insts);
        let mut carried = taken.clone();
        carried.remove(counter);
        let types: Vec<Ty> = carried.iter().map(|it| self.function.ty(*it)).collect();
        let unroll = std::mem::take(&mut self.function.insts[id.0 as usize].unroll);
        let counted = Inst {
            unroll,
            regions: vec![body],
            ..Inst::new(Op::For, [&[zero, rounds, one], &carried[..]].concat(), span)
        };
        let counted = self.function.new_inst(counted, &types);
        insts.push(counted);
        let mut results = self.function.inst(counted).results.clone();
        let way = self.binary(BinaryOp::Mul, [rounds, self.found.step], None, &mut insts);
        let next = self.binary(BinaryOp::Add, [start, way], None, &mut insts);
        results.insert(counter, next);

        self.count(body, start);
        if let End::Yield(values) = &mut self.function.regions[body.0 as usize].end {
            values.remove(counter);
        }
        let region = &mut self.function.regions[outer.0 as usize];
        region.insts = insts;
        region.end = End::Yield(results);
        self.function.insts[id.0 as usize].regions = vec![outer];
    }

    /// The rounds from a number below the end until the counter leaves its range:
    /// `(end - 1 - start) / step + 1`. One if the step is zero.
    fn rounds(&mut self, start: Value, zero: Value, one: Value, list: &mut Vec<InstId>) -> Value {
        let last = self.binary(BinaryOp::Sub, [self.found.end, one], None, list);
        let way = self.binary(BinaryOp::Sub, [last, start], None, list);
        let moves = self.binary(BinaryOp::Ne, [self.found.step, zero], None, list);
        let further = self.binary(BinaryOp::Div, [way, self.found.step], Some(moves), list);
        self.binary(BinaryOp::Add, [further, one], None, list)
    }

    /// Has a body count rounds, and compute its counter from them.
    fn count(&mut self, body: RegionId, start: Value) {
        let counter = self.function.regions[body.0 as usize]
            .params
            .remove(self.found.counter);
        let round = self.function.region_param(body, self.found.ty);
        let params = &mut self.function.regions[body.0 as usize].params;
        params.rotate_right(1);
        for (position, param) in (0..).zip(params.clone()) {
            self.function.values[param.0 as usize].def = Def::Region(body, position);
        }
        let mut insts = Vec::new();
        let way = self.binary(BinaryOp::Mul, [round, self.found.step], None, &mut insts);
        let span = self.function.inst(self.found.inst).span;
        let add = Inst {
            results: vec![counter],
            ..Inst::new(Op::Binary(BinaryOp::Add), vec![start, way], span)
        };
        let add = self.function.new_inst(add, &[]);
        self.function.values[counter.0 as usize].def = Def::Inst(add, 0);
        insts.push(add);
        self.function.regions[body.0 as usize]
            .insts
            .splice(..0, insts);
    }

    fn literal(&mut self, number: u64, list: &mut Vec<InstId>) -> Value {
        let span = self.function.inst(self.found.inst).span;
        let literal = Op::Literal(Literal::new(self.scalar, number));
        self.push(Inst::new(literal, Vec::new(), span), self.found.ty, list)
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        args: [Value; 2],
        guard: Option<Value>,
        list: &mut Vec<InstId>,
    ) -> Value {
        let ty = match op {
            BinaryOp::Lt | BinaryOp::Ne => self.bool,
            _ => self.found.ty,
        };
        let span = self.function.inst(self.found.inst).span;
        let inst = Inst {
            guard,
            ..Inst::new(Op::Binary(op), args.to_vec(), span)
        };
        self.push(inst, ty, list)
    }

    fn push(&mut self, inst: Inst, ty: Ty, list: &mut Vec<InstId>) -> Value {
        let id = self.function.new_inst(inst, &[ty]);
        list.push(id);
        self.function.inst(id).results[0]
    }
}

#[cfg(test)]
mod tests {
    use crate::opt::tests::body_becomes;

    #[track_caller]
    fn becomes(before: &str, expected: &str) {
        body_becomes(before, expected, super::run);
    }

    #[track_caller]
    fn stays(body: &str) {
        becomes(body, body);
    }

    /// A sum of elements, while a test of the counter `%8` holds, and `%14` is the next.
    fn sum(test: &str, next: &str, view: &str) -> String {
        format!(
            "    %5: usize = extent 0 %1
    %6: usize, %7: u32 = '0: loop %3, %4 as %8: usize, %9: u32 {{
        %10: bool = {test}
        if %10 {{
            yield
        }} else {{
            break '0 %8, %9
        }}
        %11: bool = in_bounds view 1 {view}, %8
        %12: u32 = load {view}[%8] if %11
        %13: u32 = add %9, %12
        %14: usize = {next}
        yield %14, %13
    }}
    return
"
        )
    }

    #[test]
    fn a_while_is_counted_within_a_loop_that_wraps() {
        becomes(
            &sum("lt %8, %5", "add %8, %3", "%1"),
            "    %5: usize = extent 0 %1
    %6: usize, %7: u32 = '0: loop %3, %4 as %8: usize, %9: u32 {
        %10: bool = lt %8, %5
        if %10 {
            yield
        } else {
            break '0 %8, %9
        }
        %11: usize = literal 0
        %12: usize = literal 1
        %13: usize = sub %5, %12
        %14: usize = sub %13, %8
        %15: bool = ne %3, %11
        %16: usize = div %14, %3 if %15
        %17: usize = add %16, %12
        %18: u32 = for %11, %17, %12, %9 as %19: usize, %20: u32 {
            %21: usize = mul %19, %3
            %22: usize = add %8, %21
            %23: bool = lt %22, %5
            %24: bool = in_bounds view 1 %1, %22
            %25: u32 = load %1[%22] if %24
            %26: u32 = add %20, %25
            %27: usize = add %22, %3
            yield %26
        }
        %28: usize = mul %17, %3
        %29: usize = add %8, %28
        yield %29, %18
    }
    return
",
        );
    }

    #[test]
    fn a_for_is_counted_in_its_place() {
        becomes(
            "    %5: usize = extent 0 %1
    %6: u32 = '0: for %3, %5, %3, %4 as %7: usize, %8: u32 {
        %9: bool = in_bounds view 1 %1, %7
        %10: u32 = load %1[%7] if %9
        if %9 {
            yield
        } else {
            break '0 %10
        }
        yield %10
    }
    return
",
            "    %5: usize = extent 0 %1
    %6: bool = lt %3, %5
    %7: usize = literal 0
    %8: usize = literal 1
    %9: usize = sub %5, %8
    %10: usize = sub %9, %3
    %11: bool = ne %3, %7
    %12: usize = div %10, %3 if %11
    %13: usize = add %12, %8
    %14: usize = math Select %6, %13, %7
    %15: u32 = '0: for %7, %14, %8, %4 as %16: usize, %17: u32 {
        %18: usize = mul %16, %3
        %19: usize = add %3, %18
        %20: bool = in_bounds view 1 %1, %19
        %21: u32 = load %1[%19] if %20
        if %20 {
            yield
        } else {
            break '0 %21
        }
        yield %21
    }
    return
",
        );
    }

    #[test]
    fn other_loops_stay() {
        // Another test, another next number, a step that varies.
        stays(&sum("le %8, %5", "add %8, %3", "%1"));
        stays(&sum("lt %8, %5", "mul %8, %3", "%1"));
        stays(&sum("lt %8, %5", "add %8, %8", "%1"));
        // An inner loop, and a store.
        let inner = sum("lt %8, %5", "add %8, %3", "%1");
        let inner = inner
            .replace("    return\n", "    yield\n")
            .replace('\n', "\n    ");
        stays(&format!("    loop {{\n    {}}}\n    unreachable\n", inner));
        stays(
            "    %5: usize = extent 0 %1
    for %3, %5, %3 as %6: usize {
        %7: bool = in_bounds view 1 %2, %6
        %8: u32 = load %1[%6] if %7
        store %2[%6], %8 if %7
        yield
    }
    return
",
        );
    }
}

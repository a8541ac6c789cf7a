//! Where loops are tested.
//!
//! ```text
//! '0: loop %3 as %4: u32 {            loop %3 as %4: u32 {
//!     %5: bool = lt %4, %1                %5: bool = lt %4, %1
//!     if %5 {                             while %5, %4
//!         yield                           %6: u32 = add %4, %2
//!     } else {                            yield %6
//!         break '0 %4                 }
//!     }
//!     %6: u32 = add %4, %2
//!     yield %6
//! }
//! ```
//!
//! The first `if` of a loop that does nothing but leave it becomes its test, if what it passes on is
//! carried or defined outside: lavapipe gives threads that left early the last round's value of all
//! else. Comes behind the passes that look for conditions.

use crate::mir::{End, Function, Inst, InstId, Module, Op, RegionId, Value};

/// Finds the tests of all loops.
pub fn run(module: &mut Module) {
    for function in &mut module.functions {
        for id in function.live_insts() {
            if function.inst(id).op == Op::Loop
                && let Some((test, args)) = test(function, id)
            {
                let span = function.inst(test).span;
                function.insts[test.0 as usize] = Inst::new(Op::While, args, span);
            }
        }
    }
}

/// The first test of a loop, and the operands that it has as one.
fn test(function: &Function, id: InstId) -> Option<(InstId, Vec<Value>)> {
    let list = &function.region(function.inst(id).regions[0]).insts;
    let position = list.iter().position(|it| leaves(function, *it, id))?;
    let inst = function.inst(list[position]);
    let values = function.region(inst.regions[1]).end.values();
    let is_inside = |value: &Value| {
        let mut before = list[..position].iter();
        before.any(|it| function.inst(*it).results.contains(value))
    };
    if values.iter().any(is_inside) {
        return None;
    }
    let args = inst.args.iter().chain(values);
    Some((list[position], args.copied().collect()))
}

/// Whether an instruction does nothing but leave a loop, unless its condition holds.
fn leaves(function: &Function, id: InstId, target: InstId) -> bool {
    let inst = function.inst(id);
    let is_empty = |region: &RegionId| function.region(*region).insts.is_empty();
    let end = |way: usize| &function.region(inst.regions[way]).end;
    inst.op == Op::If
        && inst.results.is_empty()
        && inst.regions.iter().all(is_empty)
        && matches!(end(0), End::Yield(_))
        && matches!(end(1), End::Break(left, _) if *left == target)
}

#[cfg(test)]
mod tests {
    use crate::opt::tests::body_becomes;

    #[track_caller]
    fn becomes(before: &str, expected: &str) {
        body_becomes(before, expected, |module, _| super::run(module));
    }

    #[test]
    fn the_first_test_of_a_loop_is_its_own() {
        becomes(
            "    %5: u32 = '0: loop %4 as %6: u32 {
        %7: bool = lt %6, %4
        if %7 {
            yield
        } else {
            break '0 %6
        }
        %8: u32 = add %6, %4
        %9: bool = lt %8, %4
        if %9 {
            yield
        } else {
            break '0 %4
        }
        yield %8
    }
    return
",
            "    %5: u32 = '0: loop %4 as %6: u32 {
        %7: bool = lt %6, %4
        while %7, %6
        %8: u32 = add %6, %4
        %9: bool = lt %8, %4
        if %9 {
            yield
        } else {
            break '0 %4
        }
        yield %8
    }
    return
",
        );
    }

    #[test]
    fn what_a_round_computes_does_not_leave_by_a_test() {
        let body = "    %5: u32 = '0: loop %4 as %6: u32 {
        %7: u32 = add %6, %4
        %8: bool = lt %7, %4
        if %8 {
            yield
        } else {
            break '0 %7
        }
        yield %7
    }
    return
";
        becomes(body, body);
    }

    #[test]
    fn the_test_of_an_outer_loop_stays() {
        let body = "    '0: loop {
        %5: bool = eq %4, %4
        loop {
            if %5 {
                yield
            } else {
                break '0
            }
            yield
        }
        unreachable
    }
    return
";
        becomes(body, body);
    }
}

//! Instructions whose results nothing needs.
//!
//! ```text
//! %2: u32 = mul %0, %1                store %1[%3], %0 if %4
//! store %1[%3], %0 if %4
//! ```
//!
//! Needed are effects, loops that may not end, jumps and what all of these are computed from;
//! the rest goes, an `if` or a counted loop with its regions.
//!
//! Leaves out results and carried values of an instruction that stays for other reasons, and
//! stores to slots that nothing reads.

use crate::mir::{Def, Effects, End, Function, Inst, InstId, Op, RegionId, Value};

/// Removes what a function does not need.
pub fn run(function: &mut Function) {
    let mut found = Found {
        needed: vec![false; function.insts.len()],
        pending: Vec::new(),
        owners: vec![None; function.regions.len()],
        homes: vec![None; function.insts.len()],
        function,
    };
    found.homes(function.body);
    found.roots(function.body);
    found.spread();
    let needed = found.needed;
    for region in &mut function.regions {
        region.insts.retain(|id| needed[id.0 as usize]);
    }
}

struct Found<'f> {
    function: &'f Function,
    /// By instruction.
    needed: Vec<bool>,
    /// Those whose own needs are not yet known.
    pending: Vec<InstId>,
    /// By region: the instruction that has it.
    owners: Vec<Option<InstId>>,
    /// By instruction: the region that lists it.
    homes: Vec<Option<RegionId>>,
}

impl Found<'_> {
    fn homes(&mut self, region: RegionId) {
        for &id in &self.function.region(region).insts {
            self.homes[id.0 as usize] = Some(region);
            for &inner in &self.function.inst(id).regions {
                self.owners[inner.0 as usize] = Some(id);
                self.homes(inner);
            }
        }
    }

    fn roots(&mut self, region: RegionId) {
        let function = self.function;
        for value in function.region(function.body).end.values() {
            self.need_value(*value);
        }
        function.walk(region, &mut |id, inst| {
            let jumps = |region: &RegionId| !matches!(function.region(*region).end, End::Yield(_));
            if has_effect(inst) || inst.regions.iter().any(jumps) {
                self.need(id);
            }
        });
    }

    fn need_value(&mut self, value: Value) {
        match self.function.def(value) {
            Def::Inst(id, _) => self.need(id),
            Def::Region(region, _) => {
                if let Some(owner) = self.owners[region.0 as usize] {
                    self.need(owner);
                }
            }
            Def::Param(_) => {}
        }
    }

    fn need(&mut self, id: InstId) {
        if !std::mem::replace(&mut self.needed[id.0 as usize], true) {
            self.pending.push(id);
        }
    }

    /// Finds what is needed for what is.
    fn spread(&mut self) {
        let function = self.function;
        while let Some(id) = self.pending.pop() {
            let inst = function.inst(id);
            for value in inst.args.iter().chain(&inst.guard) {
                self.need_value(*value);
            }
            for region in &inst.regions {
                for value in function.region(*region).end.values() {
                    self.need_value(*value);
                }
            }
            let home = self.homes[id.0 as usize];
            if let Some(owner) = home.and_then(|home| self.owners[home.0 as usize]) {
                self.need(owner);
            }
        }
    }
}

/// Whether an instruction does something besides computing its results.
fn has_effect(inst: &Inst) -> bool {
    let reads_only = Effects {
        reads: inst.op.info().effects.reads,
        ..Effects::default()
    };
    // A loop that does nothing may still never end.
    inst.op.info().effects != reads_only || inst.op == Op::Loop
}

#[cfg(test)]
mod tests {
    use crate::opt::{each, tests::body_becomes};

    #[track_caller]
    fn becomes(before: &str, expected: &str) {
        body_becomes(before, expected, |module, _| each(module, super::run));
    }

    #[test]
    fn unused_values_are_removed() {
        becomes(
            "    %5: u32 = mul %4, %4
    %6: bool = in_bounds view 1 %2, %3
    %7: u32 = for %4, %4, %4, %5 as %8: u32, %9: u32 {
        yield %8
    }
    %10: bool = eq %4, %4
    if %10 {
        yield
    } else {
        yield
    }
    store %2[%3], %4 if %6
    return
",
            "    %5: bool = in_bounds view 1 %2, %3
    store %2[%3], %4 if %5
    return
",
        );
    }

    #[test]
    fn jumps_and_what_may_not_end_stay() {
        let body = "    %5: u32 = '0: loop %4 as %6: u32 {
        %7: bool = lt %6, %4
        if %7 {
            break '0 %6
        } else {
            yield
        }
        yield %6
    }
    return
";
        becomes(body, body);
    }
}

//! Where a kernel looks whether the driver has ended its loops too early.
//!
//! ```text
//! %5: u32 = '0: loop %4 as %6: u32 {  %5: u32 = '0: loop %4 as %6: u32 {
//!     ...                                 ...
//! }                                   }
//!                                     %7: bool = literal false
//!                                     %8: usize = literal 0
//!                                     note_cut #1 %7, %8, %8
//! ```
//!
//! lavapipe ends loops once a few neighbouring threads have gone through some number of rounds of all
//! loops together. A note follows each loop that is in no other, and one comes before each end of
//! the kernel that is in a loop. Later loops cannot hide an earlier one that was ended, since what is
//! used up stays so.
//!
//! The rounds of all loops are counted here as a [graph](crate::proof), if each counts to an end
//! that is not read from data. If they are few whatever the launch, there are no notes;
//! [`launch_checks`](super::launch_checks) has the host prove the others' conditions.
//!
//! A kernel with many loops in a row keeps its notes whatever the launch: without them, the time that
//! LLVM takes for it grows with the cube of that number.
//!
//! Leaves out the loops that instructions become: see `emit/cut.rs`.

use super::graph::Graph;
use crate::analysis::loops::CountedWhile;
use crate::artifact::FaultKind;
use crate::mir::{End, Function, Inst, InstId, Module, Op, RegionId, Site, SiteId, Value};
use crate::proof::{Int, Node, Operation};
use crate::tree::{Literal, Span};

/// Fewer rounds than this are safe. The driver's limit is 65 535; later passes may add a few.
const LIMIT: i64 = 60_000;

/// A kernel with more loops than this behind each other keeps its notes.
const IN_A_ROW: usize = 12;

/// Adds the notes of a module's kernel.
pub fn run(module: &mut Module) {
    let repeating = repeating(module);
    if repeating.last() != Some(&true) {
        return;
    }
    let kernel = module.kernel();
    let mut graph = Graph::of(module, kernel);
    if let Some(conditions) = few_rounds(&mut graph)
        && conditions.is_empty()
    {
        return;
    }
    let body = kernel.body;
    Noting { module, repeating }.region(body, 0);
}

/// Whether there is a loop in each function, or in one that it calls.
fn repeating(module: &Module) -> Vec<bool> {
    let mut repeating = Vec::with_capacity(module.functions.len());
    for function in &module.functions {
        let mut found = false;
        function.walk(function.body, &mut |_, inst| {
            found |= repeats(&inst.op, &repeating);
        });
        repeating.push(found);
    }
    repeating
}

/// Whether an instruction is a loop, or calls a function in which there is one.
fn repeats(op: &Op, repeating: &[bool]) -> bool {
    match op {
        Op::Call(callee) => repeating[callee.0 as usize],
        op => op.is_loop(),
    }
}

/// What has to be less than what for a kernel to have few rounds; nothing if that cannot be said.
pub(super) fn few_rounds(graph: &mut Graph<'_>) -> Option<Vec<(u32, u32)>> {
    let mut counting = Counting {
        repeating: repeating(graph.module),
        graph,
        conditions: Vec::new(),
    };
    let body = counting.graph.function.body;
    if counting.in_a_row(body) > IN_A_ROW {
        return None;
    }
    let rounds = counting.region(body)?;
    // Threads that will be merged may go through their rounds one after the other, and leave a round
    // by way of two blocks.
    let factors = counting.graph.module.options.factors().iter();
    let merged = match factors.map(|it| i64::from(*it)).product() {
        1 => 1,
        merged => merged + 2,
    };
    let merged = counting.number(merged);
    let rounds = counting.binary(Operation::Mul, rounds, merged);
    let mut conditions = counting.conditions;
    match graph.nodes[rounds as usize] {
        Node::Constant(..LIMIT) => {}
        _ => {
            graph.bounded(rounds).ok()?;
            conditions.push((rounds, graph.node(Node::Constant(LIMIT))));
        }
    }
    Some(conditions)
}

/// Wide enough for sums of rounds.
const WIDE: Int = Int {
    bits: 64,
    signed: false,
};

struct Counting<'g, 'm> {
    graph: &'g mut Graph<'m>,
    /// By function.
    repeating: Vec<bool>,
    conditions: Vec<(u32, u32)>,
}

impl Counting<'_, '_> {
    /// The loops in a region that are in no other.
    fn in_a_row(&self, region: RegionId) -> usize {
        let function = self.graph.function;
        let insts = function.region(region).insts.iter();
        insts
            .map(|id| function.inst(*id))
            .map(|inst| match inst.op.is_loop() {
                true => 1,
                false => inst.regions.iter().map(|it| self.in_a_row(*it)).sum(),
            })
            .sum()
    }

    /// The rounds of all loops in a region.
    fn region(&mut self, region: RegionId) -> Option<u32> {
        let mut sum = self.number(0);
        for id in &self.graph.function.region(region).insts {
            let rounds = self.inst(*id)?;
            sum = self.binary(Operation::Add, sum, rounds);
        }
        Some(sum)
    }

    fn inst(&mut self, id: InstId) -> Option<u32> {
        let inst = self.graph.function.inst(id);
        let mut body = self.number(0);
        for region in &inst.regions {
            let rounds = self.region(*region)?;
            body = self.binary(Operation::Add, body, rounds);
        }
        let rounds = match inst.op {
            Op::For | Op::ForInclusive => {
                let [start, end, step] = [0, 1, 2].map(|at| inst.args[at]);
                self.rounds(start, end, step)?
            }
            Op::Loop => self.while_(id, inst)?,
            // It becomes a loop.
            Op::Block => self.number(1),
            Op::Call(callee) => return (!self.repeating[callee.0 as usize]).then_some(body),
            _ => return Some(body),
        };
        // It is left in a further round.
        let one = self.number(1);
        let each = self.binary(Operation::Add, body, one);
        let all = self.binary(Operation::Mul, rounds, each);
        Some(self.binary(Operation::Add, all, one))
    }

    /// A loop that counts from a number to another goes round no more often.
    fn rounds(&mut self, start: Value, end: Value, step: Value) -> Option<u32> {
        let is_unsigned = !self.graph.int(start)?.signed;
        let [start, mut end, step] = [start, end, step].map(|it| self.graph.value(it));
        match self.graph.nodes[start as usize] {
            Node::Constant(first) => match self.graph.nodes[end as usize] {
                Node::Constant(last) => end = self.number(last.checked_sub(first)?.max(0)),
                _ if first < 0 => return None,
                _ => {}
            },
            _ if is_unsigned => {}
            _ => return None,
        }
        let further = self.binary(Operation::Div, end, step);
        let one = self.number(1);
        Some(self.binary(Operation::Add, further, one))
    }

    /// So does a `while`, if it never wraps.
    fn while_(&mut self, id: InstId, inst: &Inst) -> Option<u32> {
        let CountedWhile {
            counter, end, step, ..
        } = CountedWhile::of(self.graph.function, id)?;
        let rounds = self.rounds(inst.args[counter], end, step)?;
        let int = self
            .graph
            .int(end)
            .filter(|int| !int.signed && int.bits <= 32)?;
        let [end, step] = [end, step].map(|it| self.graph.value(it));
        let next = self.binary(Operation::Add, end, step);
        let (zero, past) = (self.number(0), self.number(1 << int.bits));
        self.conditions.extend([(zero, step), (next, past)]);
        Some(rounds)
    }

    fn number(&mut self, number: i64) -> u32 {
        self.graph.node(Node::Constant(number))
    }

    fn binary(&mut self, operation: Operation, a: u32, b: u32) -> u32 {
        let known = |node: u32| match self.graph.nodes[node as usize] {
            Node::Constant(number) => Some(number),
            _ => None,
        };
        let result = known(a).zip(known(b)).and_then(|(a, b)| match operation {
            Operation::Add => a.checked_add(b),
            Operation::Mul => a.checked_mul(b),
            Operation::Div => a.checked_div(b),
            _ => None,
        });
        let node = match result {
            Some(number) => Node::Constant(number),
            None => Node::Binary(operation, a, b, WIDE),
        };
        self.graph.node(node)
    }
}

/// Adds notes to a kernel.
struct Noting<'m> {
    module: &'m mut Module,
    /// By function.
    repeating: Vec<bool>,
}

impl Noting<'_> {
    fn kernel(&mut self) -> &mut Function {
        let last = self.repeating.len() - 1;
        &mut self.module.functions[last]
    }

    /// Adds the notes of a region in so many loops.
    fn region(&mut self, region: RegionId, depth: u32) {
        let list = std::mem::take(&mut self.kernel().regions[region.0 as usize].insts);
        for id in list {
            self.kernel().regions[region.0 as usize].insts.push(id);
            let inst = self.module.kernel().inst(id);
            let (span, regions) = (inst.span, inst.regions.clone());
            let is_call = matches!(inst.op, Op::Call(_));
            let repeats = repeats(&inst.op, &self.repeating);
            for inner in regions {
                self.region(inner, depth + u32::from(repeats));
            }
            if repeats && depth == 0 && self.kernel().completes(id) {
                self.note(region, span, u64::from(is_call));
            }
        }
        if depth > 0 && matches!(self.kernel().region(region).end, End::Return(_)) {
            let span = self.kernel().span;
            self.note(region, span, 1);
        }
    }

    /// At the end of a region so far. The number says what the span is of: see
    /// [`FaultKind::LoopCut`].
    fn note(&mut self, region: RegionId, span: Span, what: u64) {
        let site = SiteId(self.module.sites.len() as u32);
        self.module.sites.push(Site {
            kind: FaultKind::LoopCut,
            lane: 0,
            span,
        });
        let index = self.module.index;
        let types = &mut self.module.types;
        let (bool, usize) = (types.bool(), types.intern(index.ty()));
        let number = |number| Literal::new(index.scalar(), number);
        let operands = [
            (Literal::Bool(false), bool),
            (number(what), usize),
            (number(0), usize),
        ];
        let kernel = self.kernel();
        let mut insts = Vec::new();
        let mut args = Vec::new();
        for (literal, ty) in operands {
            let id = kernel.new_inst(Inst::new(Op::Literal(literal), Vec::new(), span), &[ty]);
            args.push(kernel.inst(id).results[0]);
            insts.push(id);
        }
        insts.push(kernel.new_inst(Inst::new(Op::NoteCut(site), args, span), &[]));
        kernel.regions[region.0 as usize].insts.extend(insts);
    }
}

#[cfg(test)]
mod tests {
    use crate::opt::launch_checks;
    use crate::opt::tests::after;

    /// The lines of a kernel after the pass, and that which asks the host, that are about loops, notes
    /// and ends.
    #[track_caller]
    fn told(body: &str) -> String {
        let text = format!(
            "kernel k over tiles of 16 x #0
             const SIZE#0: usize
             fn k#0(%0: TiledIndex<2>, %1: usize, %2: bool, %3: &ArrayView<u32, 1>) {{
                 %4: usize = literal 1
                 %5: usize = literal 16
                 %6: usize = literal 100000
                 %7: usize = const SIZE#0
                 %8: usize = literal 0
                 {body}
                 return
             }}"
        );
        let told = ["for ", "loop", "note_", "proven", "if ", "else", "return"];
        let text = after(&text, |module, _| {
            super::run(module);
            launch_checks::run(module);
        });
        let lines = text
            .lines()
            .filter(|line| told.iter().any(|it| line.contains(it)));
        lines.map(|line| format!("{line}\n")).collect()
    }

    #[test]
    fn few_rounds_need_no_note() {
        let body = "for %4, %5, %4 as %10: usize {
                        for %10, %5, %5 as %11: usize {
                            yield
                        }
                        yield
                    }";
        assert!(!told(body).contains("note_cut"));
    }

    #[test]
    fn many_loops_in_a_row_keep_their_notes() {
        let one = |name| format!("for %4, %5, %4 as %{name}: usize {{\nyield\n}}\n");
        let loops = |count| (10..10 + count).map(one).collect::<String>();
        assert!(!told(&loops(12)).contains("note_cut"));
        let kept = told(&loops(13));
        assert_eq!(kept.matches("note_cut").count(), 13);
        assert!(!kept.contains("proven"));
    }

    #[test]
    fn the_host_counts_rounds() {
        let body = "for %4, %7, %4 as %10: usize {
                        for %4, %1, %4 as %11: usize {
                            yield
                        }
                        yield
                    }
                    %12: usize = extent 0 %3
                    '0: loop %1 as %13: usize {
                        %14: bool = lt %13, %12
                        if %14 {
                            yield
                        } else {
                            break '0
                        }
                        %15: usize = add %13, %7
                        yield %15
                    }";
        assert_eq!(
            told(body),
            "    for %4, %7, %4 as %9: usize {
        for %4, %1, %4 as %10: usize {
    %12: bool = proven 0 %11
    note_cut #0 %12, %13, %14
    '0: loop %1 as %16: usize {
        if %17 {
        } else {
    %20: bool = proven 0 %19
    note_cut #1 %20, %21, %22
    return
"
        );
    }

    #[test]
    fn what_counts_to_data_is_asked() {
        let body = "%10: bool = in_bounds view 1 %3, %1
                    %11: u32 = load %3[%1] if %10
                    %12: usize = cast %11
                    if %2 {
                        for %8, %12, %4 as %13: usize {
                            if %2 { return } else { yield }
                            yield
                        }
                        yield
                    } else {
                        return
                    }
                    for %8, %6, %4 as %14: usize {
                        yield
                    }";
        assert_eq!(
            told(body),
            "    %10: u32 = load %3[%1] if %9
    if %2 {
        for %8, %11, %4 as %12: usize {
            if %2 {
                note_cut #0 %13, %14, %15
                return
            } else {
        note_cut #1 %16, %17, %18
    } else {
        return
    for %8, %6, %4 as %19: usize {
    note_cut #2 %20, %21, %22
    return
"
        );
    }
}

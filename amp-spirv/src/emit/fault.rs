//! Faults: what a kernel does instead of an operation that has no result.
//!
//! The operation is not done, or its result is zero, and the thread remembers its
//! first fault in a few private variables. Nothing else happens then: a check costs a
//! comparison and no memory traffic, and since there is no side effect between an access and
//! the next, the driver may still move loads across it. When the kernel has returned, the
//! entry point hands the fault to the host.
//!
//! Everything hangs on one specialization constant. With it off, each condition is a
//! constant, and what depends on it disappears in the driver.

use spirv::{BuiltIn, MemorySemantics, Op, Scope, StorageClass, Word};

use super::Emitter;
use super::argument::Block;
use crate::artifact::{FAULT_OPERANDS, FaultKind, FaultSite, MessageKind, SPEC_CHECKED};
use crate::mir::{Module, Op as MirOp, SiteId, Value};
use crate::tree::Span;

/// Fault sites and what the module needs once it has any.
#[derive(Default)]
pub(super) struct Faults {
    /// Those of the module that something can fault at, and then those that emission adds.
    pub sites: Vec<FaultSite>,
    /// By [`SiteId`]: the number of the site, if something can fault there.
    numbers: Vec<Option<u32>>,
    /// The private variables: site + 1 (or 0), and the operands.
    state: Vec<Word>,
    /// The function that remembers a fault.
    record: Option<Word>,
    /// The switch and its opposite.
    checked: Option<(Word, Word)>,
}

/// A fault as it is remembered.
pub(super) struct Fault {
    pub site: u32,
    /// Two numbers, as wide as an index, that say what was wrong.
    pub operands: [Word; 2],
}

impl Faults {
    pub fn of(module: &Module) -> Self {
        let mut faults = Faults {
            numbers: vec![None; module.sites.len()],
            ..Faults::default()
        };
        let mut can_fault = vec![false; module.sites.len()];
        for function in &module.functions {
            function.walk(function.body, &mut |_, inst| match &inst.op {
                MirOp::NoteFault(site) | MirOp::NoteCut(site) => can_fault[site.0 as usize] = true,
                MirOp::Fault(sites) => {
                    for site in sites {
                        can_fault[site.0 as usize] = true;
                    }
                }
                MirOp::Message(message, site) => {
                    let kind = module.messages[message.0 as usize].kind;
                    can_fault[site.0 as usize] |= kind == MessageKind::Fault;
                }
                _ => {}
            });
        }
        for (position, it) in module.sites.iter().enumerate() {
            if can_fault[position] {
                faults.numbers[position] = Some(faults.sites.len() as u32);
                faults.sites.push(FaultSite {
                    lane: it.lane,
                    ..site(module, it.kind, it.span)
                });
            }
        }
        faults
    }

    /// The number of a site at which something can fault.
    pub fn number(&self, site: SiteId) -> u32 {
        self.numbers[site.0 as usize].unwrap_or_default()
    }
}

fn site(module: &Module, kind: FaultKind, span: Span) -> FaultSite {
    let location = module.location(span);
    FaultSite {
        kind,
        lane: 0,
        file: location.file,
        line: location.line,
        column: location.column,
    }
}

impl Emitter<'_> {
    /// The switch for checks and its opposite.
    fn checked(&mut self) -> (Word, Word) {
        if let Some(words) = self.faults.checked {
            return words;
        }
        let bool = self.b.scalar.bool;
        let on = self.specialization(Op::SpecConstantTrue, bool, &[], SPEC_CHECKED, "checked");
        let off = self.b.intern(
            Op::SpecConstantOp,
            Some(bool),
            &[Op::LogicalNot as Word, on],
        );
        self.faults.checked = Some((on, off));
        (on, off)
    }

    /// Whether faults are not reported.
    pub fn unchecked(&mut self) -> Word {
        self.checked().1
    }

    /// Number of a further place where a fault can happen.
    pub fn fault_site(&mut self, kind: FaultKind, span: Span) -> u32 {
        let site = site(self.ir, kind, span);
        self.faults.sites.push(site);
        self.faults.sites.len() as u32 - 1
    }

    /// Remembers a fault unless a condition holds, and goes on in either case.
    pub fn watch(&mut self, ok: Word, fault: &Fault) {
        let unchecked = self.unchecked();
        let ok = self.b.test(Op::LogicalOr, unchecked, ok);
        let (faulty, merge) = (self.b.id(), self.b.id());
        self.b.selection_merge(merge);
        self.b.branch_if(ok, merge, faulty);
        self.b.label(faulty);
        let site = self.b.u32(fault.site);
        self.record(site, fault.operands);
        self.b.branch(merge);
        self.b.label(merge);
    }

    /// `note_fault`
    pub fn note_fault(&mut self, site: SiteId, args: &[Value]) {
        let [ok, a, b] = [0, 1, 2].map(|k| self.word(args[k]));
        let fault = Fault {
            site: self.faults.number(site),
            operands: [a, b],
        };
        self.watch(ok, &fault);
    }

    /// `fault`
    pub fn fault(&mut self, sites: &[SiteId], args: &[Value]) {
        let words = self.words(args);
        let mut faults = sites.iter().zip(words.chunks(3)).rev();
        let Some((last, &[a, b])) = faults.next() else {
            // The form's rules: the last has no condition.
            unreachable!("there is no fault");
        };
        let (u32_ty, index_ty) = (self.b.scalar.u32, self.index_ty());
        let mut site = self.b.u32(self.faults.number(*last));
        let mut operands = [a, b];
        for (this, words) in faults {
            let ok = words[0];
            let this = self.b.u32(self.faults.number(*this));
            if this != site {
                site = self.b.select(u32_ty, ok, site, this);
            }
            for (operand, this) in operands.iter_mut().zip(&words[1..]) {
                *operand = self.b.select(index_ty, ok, *operand, *this);
            }
        }
        self.record(site, operands);
    }

    /// Remembers a fault in the user's words, and goes on.
    pub fn state_fault(&mut self, site: SiteId, words: &[Word]) {
        let (zero, checked) = (self.b.u32(0), self.checked().0);
        self.when(checked, |emitter| {
            let recorded = emitter.recorded_words();
            if let Some(others) = words.get(recorded..)
                && !others.is_empty()
            {
                emitter.store_further_operands(others);
            }
            let word = |at: usize| words.get(at).copied().unwrap_or(zero);
            let site = emitter.faults.number(site);
            let site = emitter.b.u32(site);
            emitter.call_record(site, (0..recorded).map(word).collect());
        });
    }

    /// How many words of operands every fault has: two numbers as wide as an index.
    fn recorded_words(&self) -> usize {
        2 * self.ir.index.words() as usize
    }

    /// Remembers the operands after those, unless there is a fault already.
    fn store_further_operands(&mut self, words: &[Word]) {
        let recorded = self.recorded_words();
        let variables = self.fault_state(recorded + words.len());
        let (u32_ty, zero) = (self.b.scalar.u32, self.b.u32(0));
        let seen = self.b.load(u32_ty, variables[0]);
        let first = self.b.test(Op::IEqual, seen, zero);
        self.when(first, |emitter| {
            for (variable, word) in variables[1 + recorded..].iter().zip(words) {
                emitter.b.store(*variable, *word);
            }
        });
    }

    /// Emits `then` in a branch of its own.
    pub fn when(&mut self, condition: Word, then: impl FnOnce(&mut Self)) {
        let (yes, merge) = (self.b.id(), self.b.id());
        self.b.selection_merge(merge);
        self.b.branch_if(condition, yes, merge);
        self.b.label(yes);
        then(self);
        self.b.branch(merge);
        self.b.label(merge);
    }

    /// Remembers a fault, and goes on.
    fn record(&mut self, site: Word, operands: [Word; 2]) {
        let mut words = Vec::new();
        for operand in operands {
            self.push_words(self.ir.index.ty(), operand, &mut words);
        }
        self.call_record(site, words);
    }

    fn call_record(&mut self, site: Word, words: Vec<Word>) {
        let (void, record) = (self.b.scalar.void, self.record_function());
        let operands = [vec![record, site], words].concat();
        self.b.op(Op::FunctionCall, void, &operands);
    }

    fn record_function(&mut self) -> Word {
        if let Some(id) = self.faults.record {
            return id;
        }
        let id = self.b.id();
        self.faults.record = Some(id);
        id
    }

    /// The private variables with at least so many operands; the first of them is zero as
    /// long as nothing happened.
    fn fault_state(&mut self, operands: usize) -> Vec<Word> {
        let u32_ty = self.b.scalar.u32;
        while self.faults.state.len() < 1 + operands {
            let name = match self.faults.state.len() {
                0 => "fault_site".to_owned(),
                number => format!("fault_operand_{}", number - 1),
            };
            let variable = self.global_variable(StorageClass::Private, u32_ty, &name);
            self.faults.state.push(variable);
        }
        self.faults.state.clone()
    }

    /// Emits the function that remembers a fault, if anything calls it.
    pub fn fault_library(&mut self) {
        let Some(id) = self.faults.record else {
            return;
        };
        let recorded = self.recorded_words();
        let state = self.fault_state(recorded);
        let (void, u32_ty) = (self.b.scalar.void, self.b.scalar.u32);
        let types = vec![u32_ty; 1 + recorded];
        let params = self.b.begin_function(id, "amp::fault", void, &types);
        let (zero, one) = (self.b.u32(0), self.b.u32(1));
        let seen = self.b.load(u32_ty, state[0]);
        let first = self.b.test(Op::IEqual, seen, zero);
        self.when(first, |emitter| {
            let number = emitter.b.int(Op::IAdd, params[0], one);
            emitter.b.store(state[0], number);
            for (variable, word) in state.iter().zip(&params).skip(1) {
                emitter.b.store(*variable, *word);
            }
        });
        self.b.ret(None);
        self.b.end_function();
    }

    /// Hands this thread's fault to the host, unless another thread was first.
    pub fn report_fault(&mut self, block: &Block) {
        if self.faults.sites.is_empty() {
            return;
        }
        let state = self.fault_state(self.recorded_words());
        let u32_ty = self.b.scalar.u32;
        let (zero, one) = (self.b.u32(0), self.b.u32(1));
        let (checked, _) = self.checked();

        let number = self.b.load(u32_ty, state[0]);
        let faulted = self.b.test(Op::INotEqual, number, zero);
        let faulted = self.b.test(Op::LogicalAnd, checked, faulted);
        let (report, winner, won, done) = (self.b.id(), self.b.id(), self.b.id(), self.b.id());
        self.b.selection_merge(done);
        self.b.branch_if(faulted, report, done);

        self.b.label(report);
        let slot = self.block_fault_slot(block);
        let word = self.fault_word(slot, 0);
        let scope = self.b.u32(Scope::QueueFamily as u32);
        let relaxed = self.b.u32(MemorySemantics::RELAXED.bits());
        let before = self.b.op(
            Op::AtomicCompareExchange,
            u32_ty,
            &[word, scope, relaxed, relaxed, one, zero],
        );
        let is_first = self.b.test(Op::IEqual, before, zero);
        self.b.selection_merge(won);
        self.b.branch_if(is_first, winner, won);

        self.b.label(winner);
        let index = self.b.int(Op::ISub, number, one);
        self.store_fault_word(slot, 1, index);
        for (word, value) in (2..).zip(self.thread_words()) {
            self.store_fault_word(slot, word, value);
        }
        for (word, variable) in (FAULT_OPERANDS..).zip(&state[1..]) {
            let value = self.b.load(u32_ty, *variable);
            self.store_fault_word(slot, word, value);
        }
        self.b.branch(won);
        self.b.label(won);
        self.b.branch(done);
        self.b.label(done);
    }

    /// The running thread as the host decodes it: `WorkgroupId`, `LocalInvocationId`.
    pub fn thread_words(&mut self) -> Vec<Word> {
        let builtins = [BuiltIn::WorkgroupId, BuiltIn::LocalInvocationId];
        let components = builtins
            .into_iter()
            .flat_map(|it| (0..3).map(move |k| (it, k)));
        components
            .map(|(builtin, component)| self.builtin(builtin, component))
            .collect()
    }

    fn fault_word(&mut self, slot: Word, word: u32) -> Word {
        let pointer = self
            .b
            .pointer(StorageClass::PhysicalStorageBuffer, self.b.scalar.u32);
        let (zero, word) = (self.b.u32(0), self.b.u32(word));
        self.b.access(pointer, slot, &[zero, word])
    }

    fn store_fault_word(&mut self, slot: Word, word: u32, value: Word) {
        let place = self.fault_word(slot, word);
        self.b.store_aligned(place, value, 4);
    }
}

//! Loops that a driver ends before they end themselves.
//!
//! lavapipe (Mesa 22.3) counts the rounds of all loops that a few neighbouring threads go
//! through, and ends every loop after its next round once there have been 65 535. Nothing
//! escapes the count: neither loops within loops nor loops in functions. Where the run time says
//! that the driver does so ([`SPEC_CUTS_LOOPS`]), a loop of two rounds tries whether the count is
//! used up; if it is, that is a fault. A round of a `for` costs nothing more, one of a `loop` or
//! `while` an addition.
//!
//! `opt/cuts.rs` says where that is tried. What it cannot know is here: the loops that
//! instructions become, tried for behind the kernel.

use spirv::{Op, StorageClass, Word};

use super::Emitter;
use super::argument::Block;
use super::fault::Fault;
use crate::artifact::{FaultKind, SPEC_CUTS_LOOPS};
use crate::mir::{SiteId, Value};

impl Emitter<'_> {
    /// `note_cut`
    pub fn note_cut(&mut self, site: SiteId, args: &[Value]) {
        let [few, a, b] = [0, 1, 2].map(|k| self.word(args[k]));
        let site = self.faults.number(site);
        let many = self.b.op(Op::LogicalNot, self.b.scalar.bool, &[few]);
        self.when(many, |emitter| emitter.try_loops(site, [a, b]));
    }

    /// Behind the kernel: a fault if the driver may have ended a loop that an instruction became.
    pub fn try_own_loops(&mut self, block: &Block) {
        if !self.has_own_loops && !self.library.has_loops() {
            return;
        }
        let operands = [1, 0].map(|it| self.index_number(it));
        let site = self.fault_site(FaultKind::LoopCut, self.ir.kernel().span);
        let cuts = self.cuts_loops();
        self.when(cuts, |emitter| {
            emitter.try_count(&Fault { site, operands });
            emitter.report_fault(block);
        });
    }

    /// A fault if the driver may have ended any loop so far.
    pub fn try_loops(&mut self, site: u32, operands: [Word; 2]) {
        let cuts = self.cuts_loops();
        self.when(cuts, |emitter| emitter.try_count(&Fault { site, operands }));
    }

    /// A loop that notes its end in its second round.
    ///
    /// To the driver it has no way out but that, and the note is made for certain. It does not
    /// take it for made in an array of which it does not know which elements are written.
    ///
    /// Each round has a loop of its own, to save LLVM's time. While innermost loops follow each
    /// other, the count changes by one in each of their rounds, so LLVM's scalar evolution
    /// expresses it as a sum over all these loops, and needs minutes for fifty of them. It cannot
    /// express the count behind a loop with another one inside, and starts anew from there.
    fn try_count(&mut self, fault: &Fault) {
        let (u32_ty, zero, one) = (self.b.scalar.u32, self.b.u32(0), self.b.u32(1));
        let cuts = self.cuts_loops();
        let hidden = self.zero_hidden_if(cuts, Self::group_bits);
        let hidden_one = self.b.int(Op::BitwiseOr, hidden, one);
        let other = self.note(hidden_one);
        let note = self.note(zero);
        self.b.store(note, zero);

        let [header, test, next, merge] = [(); 4].map(|()| self.b.id());
        let (round, following) = (self.b.id(), self.b.id());
        let before = self.b.block;
        self.b.branch(header);
        self.b.label(header);
        let edges = [zero, before, following, next];
        self.b.define(round, Op::Phi, u32_ty, &edges);
        self.b.loop_merge(merge, next);
        self.b.branch(test);
        self.b.label(test);
        self.count_up(hidden_one, |emitter, _| emitter.b.store(other, zero));
        let ends = self.b.test(Op::UGreaterThanEqual, round, hidden_one);
        let noted = self.b.select(u32_ty, ends, one, zero);
        self.b.store(note, noted);
        self.b.branch_if(ends, merge, next);
        self.b.label(next);
        self.b.define(following, Op::IAdd, u32_ty, &[round, one]);
        self.b.branch(header);
        self.b.label(merge);

        let noted = self.b.load(u32_ty, note);
        let ok = self.b.test(Op::IEqual, noted, one);
        self.watch(ok, fault);
    }

    /// Behind a loop that may have no end: notes the number of its rounds, so that no driver
    /// leaves out the loop because nothing else that it computes is used.
    pub fn note_rounds(&mut self, rounds: Word) {
        let zero = self.b.u32(0);
        let note = self.note(zero);
        self.b.store(note, rounds);
    }

    /// A pointer to one of the thread's two notes.
    fn note(&mut self, number: Word) -> Word {
        let (u32_ty, two) = (self.b.scalar.u32, self.b.u32(2));
        let notes = match self.notes {
            Some(notes) => notes,
            None => {
                let ty = self.b.intern(Op::TypeArray, None, &[u32_ty, two]);
                let notes = self.global_variable(StorageClass::Private, ty, "notes");
                *self.notes.insert(notes)
            }
        };
        let pointer = self.b.pointer(StorageClass::Private, u32_ty);
        self.b.access(pointer, notes, &[number])
    }

    fn cuts_loops(&mut self) -> Word {
        self.switch(SPEC_CUTS_LOOPS, "cuts_loops")
    }
}

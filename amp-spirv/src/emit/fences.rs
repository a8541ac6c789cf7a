//! Which barriers have accesses to views to order.
//!
//! `wait` orders all memory, as C++ AMP has it, and ordering global memory costs a
//! device a trip to its caches. Where a kernel touches writable views only before, or
//! only after, every run of a barrier, as the tiled kernels do that write their result
//! at the end, nobody can tell whether they are ordered; then the barrier is emitted
//! without that part.
//!
//! A barrier orders something if an access may happen before it, another may happen
//! after it, and one of the two writes. All threads of the tile are at the same barrier,
//! so before and after are the same for all of them. Views may overlap, so all writable
//! views count as one; views that the launch never writes do not count. In a loop, what
//! happens anywhere in the outermost loop around the barrier happens both before and
//! after it; jumps only make less happen. A helper's barriers are judged by what all its
//! callers do.
//!
//! The free fences are emitted as they are written: they may stand in divergent code,
//! where other threads are elsewhere.

use std::collections::HashSet;

use crate::ir::FunctionId;
use crate::mir::{Function, InstId, Module, Op, RegionId, Uses, ViewUse, touched, view_param};

/// See the module's documentation.
#[derive(Default)]
pub(super) struct Fences {
    /// Barriers that do, each by its function's number and its own.
    barriers: HashSet<(usize, InstId)>,
    /// How many do not, although they say so.
    pub relaxed: u32,
    /// By function: whether it reaches a barrier.
    waits: Vec<bool>,
    /// Some barrier or fence orders elements of views.
    order_views: bool,
}

/// What is done to the elements of writable views.
#[derive(Clone, Copy, Default)]
struct Access {
    reads: bool,
    writes: bool,
}

impl Access {
    fn add(&mut self, other: Access) {
        self.reads |= other.reads;
        self.writes |= other.writes;
    }

    fn and(mut self, other: Access) -> Access {
        self.add(other);
        self
    }
}

/// What happens around a function or one of its events.
#[derive(Clone, Copy, Default)]
struct Around {
    before: Access,
    after: Access,
}

/// What a function does that matters here, in the order of evaluation.
enum Event {
    Access(Access),
    /// A barrier that is to order views.
    Barrier(InstId),
    /// A fence that does.
    Fence,
    Call(FunctionId),
    LoopStart,
    LoopEnd,
}

impl Fences {
    pub fn of(module: &Module, uses: &Uses) -> Self {
        let mut events = Vec::with_capacity(module.functions.len());
        let mut totals: Vec<Access> = Vec::with_capacity(module.functions.len());
        for (index, function) in module.functions.iter().enumerate() {
            let mut of_function = Vec::new();
            let params = &uses.params[index];
            collect(function, params, function.body, &mut of_function);
            let mut total = Access::default();
            for event in &of_function {
                total.add(access(event, &totals));
            }
            events.push(of_function);
            totals.push(total);
        }
        let mut fences = Fences::default();
        for function in &module.functions {
            let mut waits = false;
            function.walk(function.body, &mut |_, inst| {
                waits |= match inst.op {
                    Op::Barrier(_) => true,
                    Op::Call(callee) => fences.waits(callee),
                    _ => false,
                };
            });
            fences.waits.push(waits);
        }
        let mut around = vec![Around::default(); events.len()];
        // Callers come after what they call.
        for (index, events) in events.iter().enumerate().rev() {
            let outside = around[index];
            for (event, inside) in events.iter().zip(surroundings(events, &totals)) {
                let here = Around {
                    before: outside.before.and(inside.before),
                    after: outside.after.and(inside.after),
                };
                match event {
                    Event::Barrier(id) if orders(here) => {
                        fences.barriers.insert((index, *id));
                        fences.order_views = true;
                    }
                    Event::Barrier(_) => fences.relaxed += 1,
                    Event::Fence => fences.order_views = true,
                    Event::Call(callee) => {
                        let callee = &mut around[callee.0 as usize];
                        callee.before.add(here.before);
                        callee.after.add(here.after);
                    }
                    _ => {}
                }
            }
        }
        fences
    }

    /// Whether a barrier has elements of views to order.
    pub fn barrier_orders_views(&self, function: usize, barrier: InstId) -> bool {
        self.barriers.contains(&(function, barrier))
    }

    /// Whether a function reaches a barrier.
    pub fn waits(&self, function: FunctionId) -> bool {
        self.waits[function.0 as usize]
    }

    /// Whether any barrier has, or there is a fence of views.
    pub fn order_views(&self) -> bool {
        self.order_views
    }
}

fn orders(around: Around) -> bool {
    let Around { before, after } = around;
    (before.writes && (after.reads || after.writes)) || (before.reads && after.writes)
}

fn access(event: &Event, totals: &[Access]) -> Access {
    match event {
        Event::Access(access) => *access,
        Event::Call(callee) => totals[callee.0 as usize],
        Event::Barrier(_) | Event::Fence | Event::LoopStart | Event::LoopEnd => Access::default(),
    }
}

/// What happens before and after each event within its function.
fn surroundings(events: &[Event], totals: &[Access]) -> Vec<Around> {
    let mut around = vec![Around::default(); events.len()];
    let mut seen = Access::default();
    for (event, around) in events.iter().zip(&mut around) {
        around.before = seen;
        seen.add(access(event, totals));
    }
    seen = Access::default();
    for (event, around) in events.iter().zip(&mut around).rev() {
        around.after = seen;
        seen.add(access(event, totals));
    }
    let (mut depth, mut start) = (0, 0);
    for (index, event) in events.iter().enumerate() {
        match event {
            Event::LoopStart => {
                if depth == 0 {
                    start = index;
                }
                depth += 1;
            }
            Event::LoopEnd => {
                depth -= 1;
                if depth == 0 {
                    let mut round = Access::default();
                    for event in &events[start..index] {
                        round.add(access(event, totals));
                    }
                    for around in &mut around[start..index] {
                        around.before.add(round);
                        around.after.add(round);
                    }
                }
            }
            _ => {}
        }
    }
    around
}

fn collect(function: &Function, params: &[ViewUse], region: RegionId, events: &mut Vec<Event>) {
    for id in &function.region(region).insts {
        let inst = function.inst(*id);
        for (view, reads, writes) in touched(inst) {
            if view_param(function, view).is_some_and(|param| params[param].mutable) {
                events.push(Event::Access(Access { reads, writes }));
            }
        }
        match inst.op {
            Op::Barrier(fence) if fence.orders().views => events.push(Event::Barrier(*id)),
            Op::Fence(fence) if fence.orders().views => events.push(Event::Fence),
            Op::DeviceFence => events.push(Event::Fence),
            Op::Call(callee) => events.push(Event::Call(callee)),
            _ => {}
        }
        let repeats = matches!(inst.op, Op::Loop | Op::For(_) | Op::ForInclusive(_));
        events.extend(repeats.then_some(Event::LoopStart));
        for region in &inst.regions {
            collect(function, params, *region, events);
        }
        events.extend(repeats.then_some(Event::LoopEnd));
    }
}

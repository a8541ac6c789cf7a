//! Which barriers and accesses have nothing to order.
//!
//! ```text
//! store %2[%3], %4 if %5              store %2[%3] private, %4 if %5
//! barrier All                         barrier All orders tile
//! ```
//!
//! `wait` orders all memory, as C++ AMP has it, and ordering global memory costs a
//! device a trip to its caches. Where a kernel touches writable views only before, or
//! only after, every run of a barrier, as the tiled kernels do that write their result
//! at the end, their order cannot be observed; then the barrier leaves that out.
//!
//! A barrier orders something if an access may happen before it, another may happen
//! after it, and one of the two writes. All threads of the tile are at the same barrier,
//! so before and after are the same for all of them. Views may overlap, so all writable
//! views count as one; views that the launch never writes do not count. In a loop, what
//! happens anywhere in the outermost loop around the barrier happens both before and
//! after it; jumps only make less happen. A helper's barriers are judged by what all its
//! callers do.
//!
//! Then accesses to memory that no barrier and no fence of the kernel orders are private, and
//! so are those to views that the launch never writes.
//!
//! Needs accesses where they will stay. Leaves out the free fences: they may stand in divergent
//! code, where other threads are elsewhere.

use crate::analysis::effects::{Footprints, Object, Touch, touches};
use crate::mir::{Function, InstId, Module, Op, RegionId};
use crate::tree::{FunctionId, SharedMemory};

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
    Call(FunctionId),
    LoopStart,
    LoopEnd,
}

/// Relaxes barriers and accesses of a module.
pub fn run(module: &mut Module, footprints: &Footprints) {
    let mutable = &footprints.mutable;
    for (function, barrier) in idle_barriers(module, mutable) {
        let inst = &mut module.functions[function].insts[barrier.0 as usize];
        if let Op::Barrier(_, ordered) = &mut inst.op {
            ordered.views = false;
        }
    }
    let mut ordered = SharedMemory::default();
    for function in &module.functions {
        function.walk(function.body, &mut |_, inst| ordered |= inst.op.orders());
    }
    for (function, mutable) in module.functions.iter_mut().zip(mutable) {
        relax(function, mutable, ordered);
    }
}

/// The barriers that have no elements of views to order, each by its function's number and its
/// own.
fn idle_barriers(module: &Module, mutable: &[Vec<bool>]) -> Vec<(usize, InstId)> {
    let mut events = Vec::with_capacity(module.functions.len());
    let mut totals: Vec<Access> = Vec::with_capacity(module.functions.len());
    for (function, mutable) in module.functions.iter().zip(mutable) {
        let mut of_function = Vec::new();
        collect(function, mutable, function.body, &mut of_function);
        let mut total = Access::default();
        for event in &of_function {
            total.add(access(event, &totals));
        }
        events.push(of_function);
        totals.push(total);
    }
    let mut idle = Vec::new();
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
                Event::Barrier(id) if !orders(here) => idle.push((index, *id)),
                Event::Call(callee) => {
                    let callee = &mut around[callee.0 as usize];
                    callee.before.add(here.before);
                    callee.after.add(here.after);
                }
                _ => {}
            }
        }
    }
    idle
}

/// Marks the accesses of a function that nothing orders.
fn relax(function: &mut Function, mutable: &[bool], ordered: SharedMemory) {
    for id in function.live_insts() {
        let private: Vec<bool> = touches(function.inst(id))
            .map(|touch| match touch.place.object(function) {
                Object::View(param) => !(ordered.views && mutable[param as usize]),
                Object::TileStatic(_) => !ordered.tile,
                Object::Slot(_) => false,
            })
            .collect();
        let accesses = function.insts[id.0 as usize].op.accesses_mut();
        for (access, private) in accesses.into_iter().zip(private) {
            access.is_private = private;
        }
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
        Event::Barrier(_) | Event::LoopStart | Event::LoopEnd => Access::default(),
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

fn collect(function: &Function, mutable: &[bool], region: RegionId, events: &mut Vec<Event>) {
    for id in &function.region(region).insts {
        let inst = function.inst(*id);
        for touch in touches(inst) {
            if let Object::View(param) = touch.place.object(function)
                && mutable[param as usize]
            {
                let Touch { reads, writes, .. } = touch;
                events.push(Event::Access(Access { reads, writes }));
            }
        }
        match inst.op {
            Op::Barrier(_, ordered) if ordered.views => events.push(Event::Barrier(*id)),
            Op::Call(callee) => events.push(Event::Call(callee)),
            _ => {}
        }
        let repeats = inst.op.is_loop();
        events.extend(repeats.then_some(Event::LoopStart));
        for region in &inst.regions {
            collect(function, mutable, *region, events);
        }
        events.extend(repeats.then_some(Event::LoopEnd));
    }
}

#[cfg(test)]
mod tests {
    use crate::opt::tests::after;

    #[track_caller]
    fn becomes(before: &str, expected: &str) {
        let text = |body: &str| {
            format!(
                "kernel k over tiles of 8\ntile_static last@0: u32\n\nfn k#0(%0: TiledIndex<1>, \
                 %1: &ArrayView<u32, 1>, %2: &mut ArrayViewMut<u32, 1>, %3: usize, %4: bool) \
                 {{\n{body}    return\n}}\n"
            )
        };
        assert_eq!(after(&text(before), super::run), text(expected));
    }

    #[test]
    fn a_barrier_with_writable_views_on_one_side_orders_tile_memory() {
        becomes(
            "    %5: u32 = load %1[%3] if %4
    store last@0, %5
    barrier All
    %6: u32 = load last@0
    store %2[%3], %6 if %4
",
            "    %5: u32 = load %1[%3] private if %4
    store last@0, %5
    barrier All orders tile
    %6: u32 = load last@0
    store %2[%3] private, %6 if %4
",
        );
    }

    #[test]
    fn what_happens_in_a_loop_happens_on_both_sides() {
        becomes(
            "    loop {
        %5: u32 = load %1[%3] if %4
        barrier Global
        store %2[%3], %5 if %4
        store last@0, %5
        yield
    }
",
            "    loop {
        %5: u32 = load %1[%3] private if %4
        barrier Global
        store %2[%3], %5 if %4
        store last@0 private, %5
        yield
    }
",
        );
    }

    #[test]
    fn fences_order_what_they_say() {
        becomes(
            "    %5: u32 = literal 1
    barrier Global
    fence TileStatic
    store last@0, %5
",
            "    %5: u32 = literal 1
    barrier Global orders nothing
    fence TileStatic
    store last@0, %5
",
        );
    }
}

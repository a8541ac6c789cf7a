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

use super::uses::Uses;
use crate::ir::{
    Expr, ExprKind, Function, FunctionId, Module, Place, Root,
    visit::{self, Node},
};

/// See the module's documentation.
#[derive(Default)]
pub(super) struct Fences {
    /// Barriers by the addresses of their expressions, which do not move while the
    /// module is emitted.
    barriers: HashSet<usize>,
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
enum Event<'m> {
    Access(Access),
    /// A barrier that is to order views.
    Barrier(&'m Expr),
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
            let of_function = collect(function, index, uses);
            let mut total = Access::default();
            for event in &of_function {
                total.add(access(event, &totals));
            }
            events.push(of_function);
            totals.push(total);
        }
        let mut fences = Fences::default();
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
                    Event::Barrier(expr) if orders(here) => {
                        fences.barriers.insert(std::ptr::from_ref(*expr).addr());
                        fences.order_views = true;
                    }
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
    pub fn barrier_orders_views(&self, barrier: &Expr) -> bool {
        self.barriers.contains(&std::ptr::from_ref(barrier).addr())
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

fn access(event: &Event<'_>, totals: &[Access]) -> Access {
    match event {
        Event::Access(access) => *access,
        Event::Call(callee) => totals[callee.0 as usize],
        Event::Barrier(_) | Event::Fence | Event::LoopStart | Event::LoopEnd => Access::default(),
    }
}

/// What happens before and after each event within its function.
fn surroundings(events: &[Event<'_>], totals: &[Access]) -> Vec<Around> {
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

fn collect<'m>(function: &'m Function, index: usize, uses: &Uses) -> Vec<Event<'m>> {
    let (params, origins) = (&uses.params[index], &uses.origins[index]);
    let touched = |place: &Place, reads: bool, writes: bool| match &place.root {
        Root::Element { view, .. } => params
            .get(origins[view.0 as usize].0 as usize)
            .filter(|param| param.mutable)
            .map(|_| Event::Access(Access { reads, writes })),
        _ => None,
    };
    let mut events = Vec::new();
    visit::block(&function.body, &mut |node| {
        let event = match node {
            Node::Expr(expr) => matches!(expr.kind, ExprKind::Loop(_)).then_some(Event::LoopStart),
            // What an expression does happens after what its parts do.
            Node::Done(expr) => match &expr.kind {
                ExprKind::Load(place) => touched(place, true, false),
                ExprKind::Assign(place, _) => touched(place, false, true),
                ExprKind::AssignOp(_, place, _) => touched(place, true, true),
                ExprKind::Atomic(atomic) => {
                    touched(&atomic.place, atomic.op.reads(), atomic.op.writes())
                }
                ExprKind::Barrier(fence) => fence.orders().views.then_some(Event::Barrier(expr)),
                ExprKind::Fence(fence) => fence.orders().views.then_some(Event::Fence),
                ExprKind::DeviceFence => Some(Event::Fence),
                ExprKind::Call(callee, _) => Some(Event::Call(*callee)),
                ExprKind::Loop(_) => Some(Event::LoopEnd),
                _ => None,
            },
            Node::Let(..) => None,
        };
        events.extend(event);
    });
    events
}

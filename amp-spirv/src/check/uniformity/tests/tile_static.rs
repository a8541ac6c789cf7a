//! Loads of tile_static variables between barriers.

use super::*;
use crate::tree::MemoryFence;

fn first() -> Expr {
    set(at_s(local(0)), global(0))
}

fn tested(index: Expr) -> Expr {
    when(eq(get(at_s(index)), lit(0)), [wait()], [])
}

#[test]
fn at_rest_behind_a_barrier() {
    accept([first(), wait(), tested(lit(0))]);
    accept([
        first(),
        wait(),
        give(X, get(at_s(var(N)))),
        for_i(0, lit(0), var(X), [wait()]),
    ]);
    accept([first(), barrier(MemoryFence::TileStatic), tested(lit(0))]);
}

#[test]
fn before_any_barrier() {
    reject([tested(lit(0))]);
    reject([first(), tested(lit(0))]);
}

#[test]
fn at_an_index_that_varies() {
    reject([first(), wait(), tested(local(0))]);
}

#[test]
fn written_since_the_barrier() {
    reject([wait(), set(at_s(lit(0)), local(0)), tested(lit(0))]);
}

/// A fast thread may write while a slow one still has to read.
#[test]
fn written_before_the_next_barrier() {
    reject([
        first(),
        wait(),
        give(X, get(at_s(lit(0)))),
        first(),
        when(eq(var(X), lit(0)), [wait()], []),
    ]);
    accept([
        first(),
        wait(),
        give(X, get(at_s(lit(0)))),
        wait(),
        first(),
        when(eq(var(X), lit(0)), [wait()], []),
    ]);
}

#[test]
fn barrier_for_global_memory_only() {
    reject([first(), barrier(MemoryFence::Global), tested(lit(0))]);
}

#[test]
fn barrier_on_one_way_only() {
    reject([
        first(),
        when(eq(var(N), lit(0)), [wait()], []),
        tested(lit(0)),
    ]);
}

/// `loop { if first { s[0] = .. } wait; let x = s[0]; wait; if x == 0 { break } }`
#[test]
fn loop_until_the_tile_is_done() {
    let publish = || {
        when(
            eq(local(0), lit(0)),
            [set(at_s(lit(0)), get(at_view(C, global(0))))],
            [],
        )
    };
    accept([forever(
        0,
        [
            publish(),
            wait(),
            give(X, get(at_s(lit(0)))),
            wait(),
            when(eq(var(X), lit(0)), [break_(0)], []),
        ],
    )]);
    // Without the second barrier the next iteration's write races with the read.
    reject([forever(
        0,
        [
            publish(),
            wait(),
            when(eq(get(at_s(lit(0))), lit(0)), [break_(0)], []),
        ],
    )]);
}

#[test]
fn written_by_a_helper() {
    let writes = || function("writes", [set(at_s(lit(0)), local(0))]);
    reject_with(writes(), [wait(), call(0, lit(0)), tested(lit(0))]);
    accept_with(writes(), [wait(), call(0, lit(0)), wait(), tested(lit(0))]);
    accept_with(
        function("waits", [wait()]),
        [first(), call(0, lit(0)), tested(lit(0))],
    );
}

/// `while x > 0 { s[..] = ..; barrier; x -= 1; }`, which all threads leave together.
fn reduction(behind_the_barrier: impl Into<Vec<Expr>>) -> Expr {
    let mut body = vec![first(), wait(), set(at(X), add(var(X), lit(u32::MAX)))];
    body.extend(behind_the_barrier.into());
    while_(0, gt(var(X), lit(0)), body)
}

#[test]
fn behind_a_loop_that_ends_with_a_barrier() {
    let start = || [first(), give(X, var(N)), wait()];
    let with = |rest: Vec<Expr>| start().into_iter().chain(rest).collect::<Vec<_>>();
    accept(with(vec![reduction([]), tested(lit(0))]));
    accept(with(vec![reduction([]), reduction([]), tested(lit(0))]));
    accept(with(vec![forever(
        1,
        [reduction([]), tested(lit(0)), wait()],
    )]));
    accept(with(vec![labelled(1, [reduction([])]), tested(lit(0))]));
    // Another thread may be writing still, or already.
    refuse(with(vec![reduction([first()]), tested(lit(0))]));
    refuse(with(vec![reduction([]), first(), tested(lit(0))]));
    refuse(with(vec![reduction([]), tested(lit(0)), first()]));
    refuse([first(), give(X, var(N)), reduction([]), tested(lit(0))]);
    refuse(with(vec![forever(1, [reduction([]), tested(lit(0))])]));
    // Not all leave at once: those behind the loop have one barrier less before them.
    refuse(with(vec![
        while_(
            0,
            gt(local(0), var(X)),
            [first(), wait(), set(at(X), add(var(X), lit(1)))],
        ),
        tested(lit(0)),
    ]));
}

#[test]
fn loop_until_a_sum_of_the_tile_is_small() {
    let small = || eq(get(at_s(lit(0))), lit(0));
    let leave = || when(small(), [break_(0)], []);
    accept([forever(0, [first(), wait(), leave(), wait()]), wait()]);
    accept([
        first(),
        wait(),
        while_(0, small(), [wait(), first(), wait()]),
        tested(lit(0)),
    ]);
    // A thread that goes on writes what another has not read yet.
    refuse([forever(0, [first(), wait(), leave()]), wait()]);
    refuse([
        first(),
        wait(),
        while_(0, small(), [first(), wait()]),
        wait(),
    ]);
    refuse([
        forever(0, [first(), wait(), leave(), wait()]),
        first(),
        wait(),
    ]);
}

//! What varies, where threads part and where they meet.

use super::*;
use crate::diagnostic::Code;
use crate::tree::{Adapter, AtomicOp, SubgroupOp};

#[test]
fn straight_line() {
    accept([wait(), set(at(X), local(0)), wait()]);
}

#[test]
fn under_uniform_conditions() {
    accept([when(eq(var(N), lit(0)), [wait()], [wait()])]);
    accept([when(eq(tile(0), lit(0)), [wait()], [])]);
    accept([when(eq(origin(0), ts()), [wait()], [])]);
    accept([when(gt(extent(A), lit(3)), [wait()], [])]);
    accept([when(gt(extent(C), lit(3)), [wait()], [])]);
    accept([when(eq(get(at_view(A, var(N))), lit(1)), [wait()], [])]);
}

/// Conformance 49: `if t_idx.local[0] % 2 == 0 { wait }`, and `global`, and both sides.
#[test]
fn under_the_position_of_a_thread() {
    reject([when(eq(rem(local(0), lit(2)), lit(0)), [wait()], [])]);
    reject([when(eq(rem(global(1), lit(2)), lit(0)), [wait()], [])]);
    reject([when(eq(local(0), lit(0)), [], [wait()])]);
    reject([when(
        eq(local(0), lit(0)),
        [when(eq(var(N), lit(0)), [wait()], [])],
        [],
    )]);
}

#[test]
fn one_diagnostic_for_each_barrier() {
    let module = kernel([when(eq(local(0), lit(0)), [wait()], [wait()])]);
    assert_eq!(found(&module).len(), 2);
}

#[test]
fn under_elements_that_vary() {
    reject([when(eq(get(at_view(A, global(0))), lit(1)), [wait()], [])]);
    reject([when(eq(get(at_view(C, lit(0))), lit(1)), [wait()], [])]);
}

#[test]
fn fences_stand_anywhere() {
    accept([when(eq(local(0), lit(0)), [fence()], [])]);
}

#[test]
fn under_what_an_atomic_operation_found() {
    let ticket = |place| atomic(AtomicOp::Add, place, [lit(1)]);
    reject([when(eq(ticket(at_view(C, lit(0))), lit(0)), [wait()], [])]);
    reject([when(eq(ticket(at_s(lit(0))), lit(0)), [wait()], [])]);
    // What it leaves is a write like another.
    reject([
        wait(),
        ticket(at_s(lit(0))),
        when(eq(get(at_s(lit(0))), lit(0)), [wait()], []),
    ]);
    accept([
        ticket(at_s(lit(0))),
        wait(),
        when(eq(get(at_s(lit(0))), lit(0)), [wait()], []),
    ]);
}

#[test]
fn operations_of_subgroups_are_barriers() {
    let sum = |value| give(X, subgroup(SubgroupOp::Add, [value]));
    accept([sum(local(0)), when(eq(tile(0), lit(0)), [sum(lit(1))], [])]);
    let divergent = kernel([when(eq(local(0), lit(0)), [sum(lit(1))], [])]);
    let divergent = found(&divergent).remove(0);
    assert_eq!(divergent.code, Code::Subgroup);
    assert!(!divergent.help.unwrap().contains("barrier"));
    // Not for memory: what others wrote is not seen behind one.
    reject([
        set(at_s(local(0)), local(0)),
        sum(lit(1)),
        when(eq(get(at_s(lit(0))), lit(0)), [wait()], []),
    ]);
}

#[test]
fn results_of_subgroups_differ_in_a_tile() {
    let of = |op| when(eq(subgroup(op, [lit(1)]), lit(0)), [wait()], []);
    reject([of(SubgroupOp::Add)]);
    reject([of(SubgroupOp::Index)]);
    accept([of(SubgroupOp::Size)]);
    // Numbers of lanes need no other thread.
    accept([when(
        eq(local(0), lit(0)),
        [give(X, subgroup(SubgroupOp::Index, []))],
        [],
    )]);
}

#[test]
fn through_variables() {
    reject([give(X, local(0)), when(eq(var(X), lit(0)), [wait()], [])]);
    reject([
        give(X, lit(0)),
        add_to(at(X), local(0)),
        when(eq(var(X), lit(0)), [wait()], []),
    ]);
    accept([
        give(X, local(0)),
        set(at(X), tile(0)),
        when(eq(var(X), lit(0)), [wait()], []),
    ]);
}

/// `let mut x = 0; if t_idx.local[0] == 0 { x = 1; } if x == 1 { wait }`
#[test]
fn assigned_under_a_varying_condition() {
    reject([
        give(X, lit(0)),
        when(eq(local(0), lit(0)), [set(at(X), lit(1))], []),
        when(eq(var(X), lit(1)), [wait()], []),
    ]);
    accept([
        give(X, lit(0)),
        when(eq(var(N), lit(0)), [set(at(X), lit(1))], []),
        when(eq(var(X), lit(1)), [wait()], []),
    ]);
    accept([
        give(X, lit(0)),
        when(eq(local(0), lit(0)), [set(at(X), lit(1))], []),
        set(at(X), lit(2)),
        when(eq(var(X), lit(2)), [wait()], []),
    ]);
}

#[test]
fn values_of_if() {
    let chosen = |condition| when(condition, [lit(1)], [lit(2)]);
    reject([
        give(X, chosen(eq(local(0), lit(0)))),
        when(eq(var(X), lit(1)), [wait()], []),
    ]);
    accept([
        give(X, chosen(eq(tile(0), lit(0)))),
        when(eq(var(X), lit(1)), [wait()], []),
    ]);
    let partly = when(eq(tile(0), lit(0)), [local(0)], [lit(2)]);
    reject([give(X, partly), when(eq(var(X), lit(1)), [wait()], [])]);
}

/// `c && { wait; true }`
#[test]
fn right_side_of_a_lazy_operator() {
    let waits = || braces([wait(), eq(lit(0), lit(0))]);
    reject([and(eq(local(0), lit(0)), waits()), wait()]);
    accept([and(eq(tile(0), lit(0)), waits()), wait()]);
    accept([and(waits(), eq(local(0), lit(0))), wait()]);
    reject([when(
        and(eq(tile(0), lit(0)), eq(local(0), lit(0))),
        [wait()],
        [],
    )]);
}

#[test]
fn components_apart() {
    let split = || set_pair(pair(local(0), tile(0)));
    accept([split(), when(eq(get(at_pair(1)), lit(0)), [wait()], [])]);
    reject([split(), when(eq(get(at_pair(0)), lit(0)), [wait()], [])]);
    accept([
        split(),
        set(at_pair(0), lit(1)),
        when(eq(get(at_pair(0)), lit(0)), [wait()], []),
    ]);
    accept([
        set(at_pair(0), local(0)),
        when(eq(get(at_pair(1)), lit(0)), [wait()], []),
    ]);
}

fn set_pair(value: Expr) -> Expr {
    give(PAIR, value)
}

#[test]
fn arrays_as_a_whole() {
    let zero = || set(at_array(lit(0)), lit(0));
    let tested = || when(eq(get(at_array(lit(1))), lit(0)), [wait()], []);
    accept([zero(), tested()]);
    reject([zero(), set(at_array(lit(0)), local(0)), tested()]);
    reject([zero(), set(at_array(local(0)), lit(1)), tested()]);
    reject([
        zero(),
        when(eq(get(at_array(local(0))), lit(0)), [wait()], []),
    ]);
    reject([set(at_array(lit(0)), local(0)), zero(), tested()]);
}

/// Conformance 61: barriers under nested loops and conditions that are uniform.
#[test]
fn uniform_loops() {
    accept([for_i(0, lit(0), extent(A), [wait()])]);
    accept([for_i(
        0,
        lit(0),
        ts(),
        [wait(), for_i(1, lit(0), ts(), [wait()]), wait()],
    )]);
    accept([for_by(
        0,
        lit(0),
        var(N),
        [Adapter::Rev, Adapter::StepBy(ts())],
        [wait()],
    )]);
    accept([
        give(X, lit(0)),
        while_(0, gt(var(N), var(X)), [wait(), add_to(at(X), lit(1))]),
    ]);
    accept([forever(
        0,
        [when(eq(var(N), lit(0)), [break_(0)], []), wait()],
    )]);
    accept([for_i(
        0,
        lit(0),
        var(N),
        [when(eq(var(I), lit(2)), [wait()], [])],
    )]);
}

#[test]
fn loops_bounded_by_the_thread() {
    reject([for_i(0, lit(0), local(0), [wait()])]);
    reject([for_i(0, local(0), var(N), [wait()])]);
    reject([for_by(
        0,
        lit(0),
        var(N),
        [Adapter::StepBy(local(0))],
        [wait()],
    )]);
    reject([
        give(X, lit(0)),
        while_(0, gt(local(0), var(X)), [wait(), add_to(at(X), lit(1))]),
    ]);
    accept([for_i(0, lit(0), local(0), [add_to(at(X), lit(1))]), wait()]);
    reject([
        give(X, lit(0)),
        while_(0, gt(var(N), var(X)), [wait(), add_to(at(X), local(0))]),
    ]);
}

/// Conformance 59: `while n > 1 { wait; break; }`
#[test]
fn left_at_once() {
    accept([while_(0, gt(var(N), lit(1)), [wait(), break_(0)])]);
    accept([for_i(0, lit(0), var(N), [wait(), break_(0)])]);
    accept([forever(0, [wait(), break_(0)]), wait()]);
}

#[test]
fn varying_break() {
    let leaves = || when(eq(local(0), var(I)), [break_(0)], []);
    reject([for_i(0, lit(0), var(N), [leaves(), wait()])]);
    // The next iteration is without those that have left.
    reject([for_i(0, lit(0), var(N), [wait(), leaves()])]);
    accept([for_i(0, lit(0), var(N), [leaves()]), wait()]);
    // The body ends in the first iteration for all that are left.
    accept([forever(0, [wait(), leaves(), break_(0)]), wait()]);
}

#[test]
fn live_out_of_a_loop_left_at_different_iterations() {
    let counted = |after: Expr| {
        [
            give(X, lit(0)),
            forever(
                0,
                [
                    add_to(at(X), lit(1)),
                    when(gt(var(X), local(0)), [break_(0)], []),
                ],
            ),
            after,
        ]
    };
    accept(counted(wait()));
    reject(counted(when(eq(var(X), lit(1)), [wait()], [])));
    reject([
        give(
            X,
            as_value(forever(
                0,
                [
                    when(eq(local(0), lit(0)), [break_with(0, lit(1))], []),
                    break_with(0, lit(2)),
                ],
            )),
        ),
        when(eq(var(X), lit(1)), [wait()], []),
    ]);
    accept([
        give(
            X,
            as_value(forever(
                0,
                [
                    when(eq(var(N), lit(0)), [break_with(0, lit(1))], []),
                    break_with(0, lit(2)),
                ],
            )),
        ),
        when(eq(var(X), lit(1)), [wait()], []),
    ]);
}

#[test]
fn varying_continue() {
    let skips = || when(eq(local(0), var(I)), [continue_(0)], []);
    reject([for_i(0, lit(0), var(N), [skips(), wait()])]);
    accept([for_i(0, lit(0), var(N), [wait(), skips()])]);
    accept([
        for_i(0, lit(0), var(N), [skips(), add_to(at(X), lit(1))]),
        wait(),
    ]);
}

/// The inner loop is left for the outer one's next iteration.
#[test]
fn labels_say_which_loop() {
    let inner = |jump: Expr| for_i(1, lit(0), ts(), [when(eq(local(0), var(I)), [jump], [])]);
    accept([for_i(0, lit(0), var(N), [inner(break_(1)), wait()])]);
    reject([for_i(0, lit(0), var(N), [inner(continue_(0)), wait()])]);
    accept([for_i(0, lit(0), var(N), [wait(), inner(continue_(0))])]);
    reject([for_i(0, lit(0), var(N), [wait(), inner(break_(0))])]);
    accept([for_i(0, lit(0), var(N), [inner(break_(0))]), wait()]);
}

#[test]
fn labelled_blocks() {
    let leaves = || when(eq(local(0), lit(0)), [break_(0)], []);
    reject([labelled(0, [leaves(), wait()])]);
    accept([labelled(0, [leaves(), add_to(at(X), lit(1))]), wait()]);
    accept([
        labelled(0, [when(eq(var(N), lit(0)), [break_(0)], []), wait()]),
        wait(),
    ]);
    reject([
        give(X, lit(0)),
        labelled(0, [leaves(), set(at(X), lit(1))]),
        when(eq(var(X), lit(0)), [wait()], []),
    ]);
}

#[test]
fn early_return() {
    reject([when(eq(local(0), lit(0)), [return_()], []), wait()]);
    accept([when(eq(var(N), lit(0)), [return_()], []), wait()]);
    reject([
        for_i(
            0,
            lit(0),
            var(N),
            [when(eq(local(0), lit(0)), [return_()], [])],
        ),
        wait(),
    ]);
    reject([for_i(
        0,
        lit(0),
        var(N),
        [wait(), when(eq(local(0), lit(0)), [return_()], [])],
    )]);
    // Behind the `if` come only blocks of threads that did not go in.
    accept([
        when(
            eq(var(N), lit(0)),
            [when(eq(local(0), lit(0)), [return_()], []), return_()],
            [],
        ),
        wait(),
    ]);
}

/// Both sides leave, to different places, and what is behind the loop is reached without
/// those that returned.
#[test]
fn parted_and_gone_both_ways() {
    let part = |then: Expr, otherwise: Expr| when(eq(local(0), lit(0)), [then], [otherwise]);
    reject([forever(0, [part(break_(0), return_())]), wait()]);
    reject([forever(0, [part(return_(), break_(0))]), wait()]);
    reject([forever(0, [wait(), part(return_(), continue_(0))])]);
    reject([labelled(
        0,
        [labelled(1, [part(break_(1), break_(0))]), wait()],
    )]);
    accept([
        labelled(0, [labelled(1, [part(break_(1), break_(0))])]),
        wait(),
    ]);
}

#[test]
fn dead_code_is_not_reached() {
    accept([when(eq(local(0), lit(0)), [return_(), wait()], [])]);
}

/// Each loop must not double the work of the one around it.
#[test]
fn deep_nests_are_walked_in_time() {
    let mut body = vec![add_to(at(X), var(Y)), add_to(at(Y), local(0)), wait()];
    for label in 0..63 {
        body = vec![for_i(label, lit(0), var(N), body), wait()];
    }
    accept(body);
    let mut body = vec![
        when(eq(var(X), lit(0)), [wait()], []),
        set(at(X), var(Y)),
        set(at(Y), local(0)),
    ];
    for label in 0..63 {
        body = vec![for_i(label, lit(0), var(N), body)];
    }
    reject(body);
}

/// Who left an inner loop for its end comes to where others jump over it.
#[test]
fn jumps_over_a_loop_that_others_leave() {
    let inner = |jump: Expr| {
        let some_jump = when(eq(local(0), lit(1)), [jump], []);
        forever(1, [some_jump, when(gt(var(N), lit(0)), [break_(1)], [])])
    };
    accept([for_i(0, lit(0), lit(3), [inner(continue_(0))]), wait()]);
    accept([for_i(0, lit(0), lit(3), [inner(break_(0))]), wait()]);
    accept([labelled(0, [inner(break_(0))]), wait()]);
    reject([for_i(0, lit(0), lit(3), [inner(continue_(0)), wait()])]);
    reject([for_i(0, lit(0), lit(3), [inner(break_(0)), wait()])]);
}

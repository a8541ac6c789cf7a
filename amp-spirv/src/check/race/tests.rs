//! Programs that race and programs that do not.

use super::super::build::*;
use super::super::reach::Reach;
use crate::{
    diagnostic::{Code, Diagnostic},
    tree::{AtomicOp, ConstId, Domain, Expr, Len, MemoryFence, Module},
};

fn check(module: &Module) -> Vec<Diagnostic> {
    super::check(module, &Reach::of(module))
}

fn found(module: &Module) -> Vec<Diagnostic> {
    let found = check(module);
    assert!(
        found
            .iter()
            .all(|one| one.code == Code::Race && one.help.is_some())
    );
    assert_eq!(
        widened(module).len(),
        found.len(),
        "with indices of 64 bits"
    );
    found
}

/// What is found if indices have 64 bits.
fn widened(module: &Module) -> Vec<Diagnostic> {
    let mut module = module.clone();
    module.widen_index();
    check(&module)
}

#[track_caller]
fn accept(body: impl Into<Vec<Expr>>) {
    let found = found(&kernel(body));
    assert!(found.is_empty(), "{found:#?}");
}

#[track_caller]
fn reject(body: impl Into<Vec<Expr>>) -> Diagnostic {
    let mut found = found(&kernel(body));
    assert_eq!(found.len(), 1, "{found:#?}");
    found.remove(0)
}

/// `t_idx.local[0] * 4 + t_idx.local[1]`
fn flat() -> Expr {
    add(mul(local(0), lit(4)), local(1))
}

/// `s[flat] = a[t_idx.global[0]]`
fn fill() -> Expr {
    set(at_s(flat()), get(at_view(A, global(0))))
}

fn read(index: Expr) -> Expr {
    set(at(X), get(at_s(index)))
}

fn first() -> Expr {
    and(eq(local(0), lit(0)), eq(local(1), lit(0)))
}

#[test]
fn what_wraps_at_32_bits_alone() {
    let far = mul(mul(local(1), lit(1 << 16)), lit(1 << 16));
    let module = kernel([set(at_s(far), local(1))]);
    assert_eq!(check(&module).len(), 1);
    assert!(widened(&module).is_empty());
}

#[test]
fn all_threads_update_one_element() {
    let race = reject([add_to(at_s(lit(0)), get(at_view(A, global(0))))]);
    assert!(race.message.contains("several threads"), "{}", race.message);
    assert!(race.labels[0].1.contains("[0, 0]") && race.labels[0].1.contains("[0, 1]"));
    reject([add_to(at_s(lit(0)), lit(1))]);
    reject([add_to(at_s(var(N)), lit(1))]);
    accept([add_to(at_s(flat()), lit(1))]);
}

#[test]
fn all_threads_write_one_element() {
    reject([set(at_s(lit(0)), flat())]);
    reject([set(at_s(lit(0)), global(1))]);
    reject([set(at_s(lit(0)), get(at_view(A, global(0))))]);
    reject([set(at_s(lit(0)), get(at_view(C, global(0))))]);
    // The threads of a row, which share an element.
    reject([set(at_s(local(0)), local(1))]);
}

#[test]
fn the_same_value_in_all_threads() {
    accept([set(at_s(lit(0)), lit(7)), read(lit(0))]);
    accept([set(at_s(lit(0)), var(N)), read(lit(0))]);
    accept([set(at_s(lit(0)), get(at_view(A, var(N))))]);
    accept([set(at_s(lit(0)), get(at_view(C, lit(0))))]);
    accept([set(at_s(lit(0)), rem(global(0), lit(4)))]);
    accept([or_to(at_s(lit(0)), lit(1)), read(lit(0))]);
    // But not beside an update.
    reject([
        set(at_s(lit(0)), lit(0)),
        add_to(at_s(lit(0)), lit(1)),
        wait(),
    ]);
}

#[test]
fn reads_before_the_barrier() {
    let race = reject([fill(), read(lit(0)), read(lit(1)), wait()]);
    assert!(
        race.message.contains("a thread reads here"),
        "{}",
        race.message
    );
    assert_eq!(race.labels.len(), 2);
    assert!(
        race.labels[0].1.contains("writes `s[0]`"),
        "{:?}",
        race.labels
    );
    accept([fill(), wait(), read(lit(0)), read(lit(1))]);
    reject([fill(), read(add(flat(), lit(1)))]);
    accept([fill(), read(flat())]);
}

#[test]
fn one_thread_reads_what_all_wrote() {
    let sum = || for_i(0, lit(0), lit(16), [add_to(at(X), get(at_s(var(I))))]);
    reject([fill(), when(first(), [sum()], [])]);
    accept([fill(), wait(), when(first(), [sum()], [])]);
    // And writes where all read.
    reject([
        fill(),
        wait(),
        read(lit(0)),
        when(first(), [set(at_s(lit(0)), lit(1))], []),
    ]);
}

#[test]
fn barriers_that_order_other_memory() {
    reject([fill(), barrier(MemoryFence::Global), read(lit(0))]);
    accept([fill(), barrier(MemoryFence::TileStatic), read(lit(0))]);
    reject([fill(), fence(), read(lit(0))]);
    accept([fill(), fence(), barrier(MemoryFence::Global), read(lit(0))]);
}

/// `for i in (0..a.extent()[0]).step_by(4) { fill; wait; sum; }`
fn product(last: Expr) -> [Expr; 1] {
    let sum = for_i(
        1,
        lit(0),
        lit(4),
        [read(add(mul(local(0), lit(4)), var(I)))],
    );
    let mut body = vec![fill(), wait(), sum];
    body.push(last);
    [while_(0, gt(extent(A), var(Y)), {
        body.push(add_to(at(Y), lit(4)));
        body
    })]
}

#[test]
fn carried_by_a_loop() {
    let [looping] = product(wait());
    accept([give(Y, lit(0)), looping]);
    let [looping] = product(fence());
    let race = reject([give(Y, lit(0)), looping]);
    assert!(
        race.labels[1].1.contains("next iteration"),
        "{:?}",
        race.labels
    );
    let body = || [read(lit(0)), wait(), fill()];
    reject([for_i(0, lit(0), var(N), body())]);
    reject([for_i(0, lit(0), lit(2), body())]);
    accept([for_i(0, lit(0), lit(1), body())]);
}

#[test]
fn accesses_that_may_not_happen_are_accepted() {
    let data = || eq(get(at_view(C, global(0))), lit(1));
    accept([when(data(), [add_to(at_s(lit(0)), lit(1))], [])]);
    accept([fill(), when(data(), [read(lit(0))], [])]);
    accept([fill(), when(eq(ts(), lit(1)), [read(lit(0))], [])]);
    accept([fill(), when(eq(var(N), lit(1)), [wait()], []), read(lit(0))]);
    accept([when(data(), [return_()], []), fill(), read(lit(0))]);
    accept([for_i(
        0,
        lit(0),
        get(at_view(C, global(0))),
        [fill(), read(lit(0))],
    )]);
}

#[test]
fn accesses_that_depend_on_data_are_accepted() {
    let data = || eq(get(at_view(A, lit(0))), lit(1));
    accept([fill(), when(data(), [read(lit(0))], [])]);
    accept([
        fill(),
        when(first(), [when(data(), [read(lit(1))], [])], []),
    ]);
    let last = || eq(global(0), var(N));
    accept([
        fill(),
        when(first(), [when(last(), [read(lit(1))], [])], []),
    ]);
}

#[test]
fn conditions_of_the_launch() {
    let condition = || gt(var(N), lit(3));
    reject([when(condition(), [fill(), read(lit(0))], [])]);
    reject([when(condition(), [fill()], []), read(lit(0))]);
    reject([when(condition(), [return_()], []), fill(), read(lit(0))]);
    reject([
        when(condition(), [fill()], []),
        when(condition(), [read(lit(0))], []),
    ]);
    accept([when(condition(), [fill()], [read(lit(0))])]);
    accept([
        when(condition(), [fill()], []),
        when(gt(extent(A), lit(3)), [read(lit(0))], []),
    ]);
}

#[test]
fn threads_that_leave() {
    accept([when(first(), [fill(), return_()], []), read(flat())]);
    reject([fill(), when(first(), [return_()], []), read(lit(1))]);
    accept([
        fill(),
        forever(0, [when(first(), [], [break_(0)]), read(lit(0)), break_(0)]),
    ]);
    reject([
        fill(),
        forever(0, [when(first(), [], [break_(0)]), read(lit(1)), break_(0)]),
    ]);
}

/// Tiles of TS×TS.
fn generic(body: impl Into<Vec<Expr>>) -> Module {
    let mut module = kernel(body);
    let len = Len::Const(ConstId(0));
    module.domain = Domain::Tiled {
        tile: vec![len, len],
    };
    module
}

#[test]
fn tiles_of_constants() {
    let own = || add(mul(local(0), ts()), local(1));
    let write = || set(at_s(own()), lit(1));
    assert_eq!(found(&generic([add_to(at_s(lit(0)), lit(1))])).len(), 1);
    assert_eq!(found(&generic([write(), read(lit(0))])).len(), 1);
    assert_eq!(
        found(&generic([write(), read(add(own(), lit(1)))])).len(),
        1
    );
    assert!(found(&generic([write(), read(own())])).is_empty());
    assert!(found(&generic([write(), wait(), read(lit(0))])).is_empty());
    let sum = for_i(0, lit(0), ts(), [read(add(mul(local(0), ts()), var(I)))]);
    assert_eq!(found(&generic([write(), sum])).len(), 1);
    // What depends on there being one thread, or on which dimension has more.
    let single = when(eq(ts(), lit(1)), [add_to(at_s(lit(0)), lit(1))], []);
    assert!(found(&generic([single])).is_empty());
    let mut module = generic([add_to(at_s(local(0)), lit(1))]);
    module.consts.push(module.consts[0].clone());
    let tile = vec![Len::Const(ConstId(0)), Len::Const(ConstId(1))];
    module.domain = Domain::Tiled { tile };
    assert!(found(&module).is_empty());
    module.functions[0].body = block([add_to(at_s(lit(0)), lit(1))]);
    assert_eq!(found(&module).len(), 1);
}

#[test]
fn a_tile_of_one_thread() {
    let mut module = kernel([add_to(at_s(lit(0)), lit(1))]);
    module.domain = Domain::Tiled {
        tile: vec![Len::Literal(1)],
    };
    assert!(found(&module).is_empty());
}

#[test]
fn helpers() {
    let helper = || function("f", [set(at_s(var(N)), flat())]);
    assert_eq!(found(&program([helper()], [call(0, lit(3))])).len(), 1);
    assert!(found(&program([helper()], [call(0, flat())])).is_empty());
    let waiting = || function("f", [wait()]);
    let body = [fill(), call(0, lit(0)), read(lit(0))];
    assert!(found(&program([waiting()], body)).is_empty());
    let looping = for_i(0, lit(0), get(at_view(C, lit(0))), [call(0, lit(0))]);
    assert!(found(&program([waiting()], [fill(), looping, read(lit(0))])).is_empty());
}

#[test]
fn deep_nests_end() {
    let mut body = vec![fill(), wait(), read(lit(0)), wait()];
    for label in 0..24 {
        body = vec![for_i(label, lit(0), var(N), body)];
    }
    accept(body);
}

fn atomic_add(index: Expr) -> Expr {
    atomic(AtomicOp::Add, at_s(index), [lit(1)])
}

fn atomic_read(index: Expr) -> Expr {
    atomic(AtomicOp::Load, at_s(index), [])
}

#[test]
fn atomic_operations_do_not_race_with_each_other() {
    accept([atomic_add(lit(0)), atomic_add(lit(0)), atomic_read(lit(0))]);
    accept([fill(), wait(), atomic_add(lit(0)), wait(), read(lit(0))]);
    accept([atomic_read(lit(0)), read(lit(0))]);
    accept([atomic(AtomicOp::Add, at_view(C, lit(0)), [lit(1)])]);
}

#[test]
fn atomic_operations_race_with_plain_ones() {
    let race = reject([fill(), atomic_add(lit(0))]);
    assert!(race.labels[1].1.contains("atomically changes `s[0]`"));
    assert!(race.help.unwrap().contains("atomic_load"));
    reject([atomic_add(lit(0)), read(lit(0))]);
    reject([
        when(first(), [set(at_s(lit(3)), lit(0))], []),
        atomic_add(lit(3)),
    ]);
    reject([fill(), atomic_read(lit(0))]);
    accept([fill(), atomic_add(flat())]);
}

use super::super::build::*;
use super::*;
use crate::tree::{Adapter, AtomicOp, Const, ConstId, Expr, ExprKind, Len, Scalar, Type};

/// Whether `s`, of 16 elements in a tile of 4×4, has to be cleared.
fn cleared(body: impl Into<Vec<Expr>>) -> bool {
    !unwritten(&kernel(body)).is_empty()
}

/// The same in a tile of as many threads as a constant says, for an array of that length.
fn cleared_by_constant(body: impl Into<Vec<Expr>>) -> bool {
    let mut module = kernel(body);
    module.domain = Domain::Tiled {
        tile: vec![Len::Const(ConstId(0)), Len::Literal(1)],
    };
    module.tile_statics[0].ty = Type::Array(Box::new(Type::USIZE), Len::Const(ConstId(0)));
    module.consts.push(Const {
        name: "OTHER".into(),
        ty: Scalar::Usize,
    });
    !unwritten(&module).is_empty()
}

fn other() -> Expr {
    let mut expr = ts();
    expr.kind = ExprKind::Const(ConstId(1));
    expr
}

fn flat() -> Expr {
    add(mul(local(0), lit(4)), local(1))
}

fn write(index: Expr) -> Expr {
    set(at_s(index), lit(1))
}

fn read() -> Expr {
    set(at(X), get(at_s(lit(0))))
}

fn is_first() -> Expr {
    and(eq(local(0), lit(0)), eq(local(1), lit(0)))
}

#[test]
fn each_thread_writes_its_element() {
    assert!(!cleared([write(flat()), wait(), read()]));
    assert!(!cleared([
        write(add(mul(local(1), lit(4)), local(0))),
        wait(),
        read()
    ]));
    assert!(!cleared([give(Y, flat()), write(var(Y)), wait(), read()]));
    assert!(!cleared_by_constant([write(local(0)), wait(), read()]));
    // Not all of them, not all elements, and not before the read.
    assert!(cleared([write(local(0)), wait(), read()]));
    assert!(cleared([write(mul(flat(), lit(2))), wait(), read()]));
    assert!(cleared([write(flat()), read(), wait()]));
    assert!(cleared([
        write(flat()),
        barrier(crate::tree::MemoryFence::Global),
        read()
    ]));
    assert!(cleared([write(add(flat(), var(N))), wait(), read()]));
    assert!(cleared_by_constant([write(local(1)), wait(), read()]));
    assert!(cleared_by_constant([
        write(add(local(0), lit(1))),
        wait(),
        read()
    ]));
}

#[test]
fn memory_that_is_never_read_is_accepted() {
    assert!(!cleared([write(local(0)), wait()]));
    assert!(!cleared([atomic(AtomicOp::Store, at_s(lit(0)), [lit(1)])]));
    assert!(cleared([atomic(AtomicOp::Add, at_s(lit(0)), [lit(1)])]));
    assert!(cleared([add_to(at_s(flat()), lit(1))]));
}

#[test]
fn a_thread_reads_what_it_has_written() {
    assert!(!cleared([write(local(0)), set(at(X), get(at_s(local(0))))]));
    assert!(cleared([write(local(0)), set(at(X), get(at_s(local(1))))]));
    let under = |then: Vec<Expr>| when(is_first(), then, []);
    let own = [
        under(vec![write(lit(3))]),
        under(vec![add_to(at_s(lit(3)), lit(1))]),
    ];
    assert!(!cleared(own));
    assert!(cleared([
        under(vec![write(lit(3))]),
        add_to(at_s(lit(3)), lit(1))
    ]));
}

#[test]
fn conditions_divide_the_threads() {
    let below = |count| gt(lit(count), flat());
    let both = |count, then: Expr, otherwise: Expr| when(below(count), [then], [otherwise]);
    let halves = |first| both(first, write(flat()), write(flat()));
    assert!(!cleared([halves(7), wait(), read()]));
    let mirrored = write(add(lit(15), mul(flat(), lit(u32::MAX))));
    assert!(cleared([both(7, write(flat()), mirrored), wait(), read()]));
    assert!(cleared([
        when(below(15), [write(flat())], []),
        wait(),
        read()
    ]));
    // Two halves, each by its own threads; a condition that data decides.
    let low = when(below(8), [write(flat())], []);
    let high = when(below(8), [], [write(flat())]);
    assert!(!cleared([low, high, wait(), read()]));
    let data = gt(get(at_view(A, lit(0))), lit(0));
    assert!(cleared([when(data, [write(flat())], []), wait(), read()]));
    // Who is behind a `return` has not returned.
    assert!(!cleared([
        when(gt(var(N), lit(1)), [return_()], [write(flat())]),
        wait(),
        read()
    ]));
    // A launch decides for all threads: then the read is with the write, or not in order.
    let written = || vec![write(flat()), wait(), read()];
    assert!(!cleared([when(gt(var(N), lit(1)), written(), [])]));
    assert!(cleared([when(gt(var(N), lit(1)), written(), []), read()]));
}

#[test]
fn loops_write_dimensions() {
    let all = |body: Vec<Expr>| for_i(1, lit(0), lit(16), body);
    assert!(!cleared([all(vec![write(var(I))]), wait(), read()]));
    assert!(!cleared([
        when(is_first(), [all(vec![write(var(I))])], []),
        wait(),
        read()
    ]));
    assert!(cleared([
        for_i(1, lit(1), lit(16), [write(var(I))]),
        wait(),
        read()
    ]));
    assert!(cleared([
        for_i(1, lit(0), var(N), [write(var(I))]),
        wait(),
        read()
    ]));
    let left = when(gt(var(N), var(I)), [break_(1)], []);
    assert!(cleared([all(vec![left, write(var(I))]), wait(), read()]));
    let skipped = when(gt(var(N), var(I)), [continue_(1)], []);
    assert!(cleared([all(vec![skipped, write(var(I))]), wait(), read()]));
    let quarter = |start| for_i(1, lit(0), lit(4), [write(add(mul(var(I), lit(4)), start))]);
    assert!(!cleared([quarter(local(1)), wait(), read()]));
    assert!(cleared([quarter(local(1)), read()]));
    let strided = |start, step| {
        let by = [Adapter::StepBy(step)];
        for_by(1, start, ts(), by, [write(var(I))])
    };
    assert!(!cleared_by_constant([
        strided(local(0), ts()),
        wait(),
        read()
    ]));
    assert!(!cleared_by_constant([
        for_i(1, lit(0), ts(), [write(var(I))]),
        wait(),
        read()
    ]));
    assert!(cleared_by_constant([
        strided(local(0), other()),
        wait(),
        read()
    ]));
    assert!(cleared_by_constant([strided(lit(0), ts()), wait(), read()]));
    let by_sixteen = for_by(
        1,
        flat(),
        lit(16),
        [Adapter::StepBy(lit(16))],
        [write(var(I))],
    );
    assert!(!cleared([by_sixteen, wait(), read()]));
}

#[test]
fn rounds_of_a_loop_begin_with_what_was_before_it() {
    let round = || vec![write(flat()), wait(), read(), wait()];
    assert!(!cleared([for_i(1, lit(0), var(N), round())]));
    assert!(!cleared([while_(1, gt(var(N), var(X)), round())]));
    assert!(!cleared([for_i(1, lit(0), lit(2), round()), read()]));
    assert!(cleared([for_i(1, lit(0), var(N), round()), read()]));
    assert!(cleared([for_i(
        1,
        lit(0),
        lit(2),
        [read(), wait(), write(flat()), wait()]
    )]));
    // The index is another one in each round.
    let moving = [
        write(var(X)),
        set(at(X), add(var(X), lit(1))),
        set(at(Y), get(at_s(var(X)))),
    ];
    assert!(cleared([set(at(X), lit(0)), forever(1, moving)]));
    let before_the_end = forever(
        1,
        [write(flat()), when(gt(var(N), lit(3)), [break_(1)], [])],
    );
    assert!(!cleared([before_the_end, wait(), read()]));
}

#[test]
fn helpers_write_too() {
    let helper = || function("f", [write(flat()), wait()]);
    assert!(unwritten(&program([helper()], [call(0, lit(0)), read()])).is_empty());
    let early = function(
        "f",
        [
            when(gt(var(N), lit(3)), [return_()], []),
            write(flat()),
            wait(),
        ],
    );
    assert!(!unwritten(&program([early], [call(0, var(N)), read()])).is_empty());
}

//! Every shape that control can take.

use amp_spirv::ir::*;

use crate::check::{count, listing, loops, valid};
use crate::ir::*;

/// A kernel that writes what `body` leaves in `n` (a `u32` that starts as the thread's
/// index).
pub fn scaffold(
    name: &str,
    helpers: Vec<Function>,
    body: impl FnOnce(&mut Fun, &Var) -> Vec<Statement>,
) -> Module {
    let mut f = Fun::new(name);
    let idx = f.param("idx", Type::Index(1));
    let out = f.param("out", view(Type::U32, 1, true));
    let n = f.var("n", Type::U32);
    let component = load(elem(idx.place(), usize_(0)));
    let mut statements = vec![n.init(cast(component, Type::U32))];
    statements.extend(body(&mut f, &n));
    statements.push(assign(out.at(idx.get()), n.get()));
    let function = f.finish(block(statements));
    let functions = helpers.into_iter().chain([function]).collect();
    module(Domain::Range { rank: 1 }, functions)
}

fn add(n: &Var, value: u32) -> Statement {
    assign_op(BinaryOp::Add, n.place(), u32_(value))
}

fn is(n: &Var, value: u32) -> Expr {
    bin(BinaryOp::Eq, n.get(), u32_(value))
}

fn below(n: &Var, value: u32) -> Expr {
    bin(BinaryOp::Lt, n.get(), u32_(value))
}

#[test]
fn if_as_value_is_a_phi() {
    let module = scaffold("if_value", vec![], |_, n| {
        let one = valued(vec![add(n, 1)], u32_(10));
        let two = valued(vec![], u32_(20));
        vec![n.set(if_(is(n, 3), one, two))]
    });
    if let Some(text) = listing(&module) {
        assert!(count(&text, "OpPhi") >= 1);
    }
}

#[test]
fn if_with_a_branch_that_leaves_needs_no_phi() {
    valid(&scaffold("if_never", vec![], |_, n| {
        let leaves = never(vec![stmt(return_(None))]);
        let stays = valued(vec![], u32_(20));
        vec![n.set(if_(is(n, 3), leaves, stays))]
    }));
}

#[test]
fn nothing_follows_an_if_that_never_completes() {
    let both = || never(vec![stmt(return_(None))]);
    valid(&scaffold("both_leave", vec![], |_, n| {
        vec![stmt(if_(is(n, 3), both(), both())), add(n, 1)]
    }));
}

#[test]
fn else_if_chains_with_values() {
    valid(&scaffold("chain", vec![], |_, n| {
        let inner = if_(is(n, 2), valued(vec![], u32_(2)), valued(vec![], u32_(3)));
        vec![n.set(if_(
            is(n, 1),
            valued(vec![], u32_(1)),
            valued(vec![], inner),
        ))]
    }));
}

#[test]
fn lazy_operators_branch_only_around_what_costs() {
    let mut f = Fun::new("lazy");
    let idx = f.param("idx", Type::Index(1));
    let out = f.param("out", view(Type::U32, 1, true));
    let n = f.var("n", Type::U32);
    let cheap = lazy(LazyOp::And, is(&n, 1), is(&n, 2));
    let element = bin(BinaryOp::Eq, load(out.at(idx.get())), u32_(4));
    let costly = lazy(LazyOp::Or, cheap.clone(), element);
    let divides = bin(BinaryOp::Eq, bin(BinaryOp::Div, u32_(8), n.get()), u32_(4));
    let faults = lazy(LazyOp::And, cheap, divides);
    let body = block(vec![
        n.init(u32_(1)),
        when(costly, vec![add(&n, 1)]),
        when(faults, vec![add(&n, 1)]),
        assign(out.at(idx.get()), n.get()),
    ]);
    let module = module(Domain::Range { rank: 1 }, vec![f.finish(body)]);
    if let Some(text) = listing(&module) {
        assert!(text.contains("OpLogicalAnd"));
    }
}

#[test]
fn lazy_operator_whose_right_side_leaves() {
    valid(&scaffold("lazy_return", vec![], |f, n| {
        let flag = f.var("flag", Type::BOOL);
        let right = return_(None);
        vec![flag.init(lazy(LazyOp::Or, is(n, 1), right)), add(n, 1)]
    }));
}

#[test]
fn while_with_break_and_continue() {
    valid(&scaffold("while", vec![], |_, n| {
        vec![while_(
            0,
            below(n, 100),
            vec![
                add(n, 1),
                jump_if(is(n, 50), break_(0)),
                jump_if(is(n, 20), continue_(0)),
                add(n, 2),
            ],
        )]
    }));
}

#[test]
fn break_with_a_value() {
    valid(&scaffold("break_value", vec![], |_, n| {
        let endless = loop_(
            0,
            Type::U32,
            vec![
                add(n, 1),
                jump_if(is(n, 7), break_with(0, u32_(70))),
                jump_if(is(n, 9), break_with(0, n.get())),
            ],
        );
        vec![n.set(endless)]
    }));
}

#[test]
fn endless_loop_without_break_ends_the_function() {
    valid(&scaffold("endless", vec![], |_, n| {
        vec![
            stmt(loop_(
                0,
                Type::Never,
                vec![add(n, 1), jump_if(is(n, 5), return_(None))],
            )),
            add(n, 1),
        ]
    }));
}

#[test]
fn loop_that_leaves_at_once() {
    valid(&scaffold("once", vec![], |_, n| {
        vec![stmt(loop_(0, Type::Unit, vec![add(n, 1), stmt(break_(0))]))]
    }));
}

#[test]
fn labelled_jumps_out_of_nested_loops() {
    let module = scaffold("nested", vec![], |f, n| {
        let [i, j, k] = ["i", "j", "k"].map(|name| f.var(name, Type::U32));
        let inner = for_(
            2,
            range(&k, u32_(0), u32_(4)),
            vec![
                jump_if(is(n, 11), break_(0)),
                jump_if(is(n, 12), continue_(0)),
                jump_if(is(n, 13), break_(1)),
                jump_if(is(n, 14), continue_(1)),
                jump_if(is(n, 15), break_(2)),
                jump_if(is(n, 16), continue_(2)),
                jump_if(is(n, 17), return_(None)),
                add(n, 1),
            ],
        );
        let middle = for_(1, range(&j, u32_(0), u32_(4)), vec![inner, add(n, 3)]);
        vec![for_(
            0,
            range(&i, u32_(0), u32_(4)),
            vec![middle, add(n, 5)],
        )]
    });
    assert_eq!(loops(&valid(&module)), 3);
    if let Some(text) = listing(&module) {
        // One test for each jump that leaves a loop on its way further out.
        assert!(text.contains("OpName %escape \"escape\""));
    }
}

#[test]
fn labelled_blocks() {
    valid(&scaffold("blocks", vec![], |f, n| {
        let i = f.var("i", Type::U32);
        let inner = labelled(
            2,
            valued(
                vec![
                    jump_if(is(n, 1), break_with(2, u32_(5))),
                    jump_if(is(n, 2), break_with(1, u32_(6))),
                    jump_if(is(n, 3), continue_(0)),
                    jump_if(is(n, 4), break_(0)),
                ],
                n.get(),
            ),
        );
        let outer = labelled(1, valued(vec![n.set(inner)], u32_(9)));
        vec![for_(
            0,
            range(&i, u32_(0), u32_(4)),
            vec![n.set(outer), add(n, 1)],
        )]
    }));
}

#[test]
fn labelled_block_that_only_breaks() {
    valid(&scaffold("block_breaks", vec![], |_, n| {
        let body = Block {
            ty: Type::U32,
            ..block(vec![stmt(break_with(0, u32_(3)))])
        };
        vec![n.set(labelled(0, body))]
    }));
}

#[test]
fn early_return_from_nested_loops_of_a_helper() {
    let mut f = Fun::new("find");
    let x = f.param("x", Type::U32);
    let i = f.var("i", Type::U32);
    let j = f.var("j", Type::U32);
    let product = bin(BinaryOp::Mul, i.get(), j.get());
    let found = bin(BinaryOp::Eq, product, x.get());
    let inner = for_(
        1,
        range(&j, u32_(0), u32_(10)),
        vec![jump_if(found, return_(Some(i.get())))],
    );
    let body = valued(
        vec![for_(0, range(&i, u32_(0), u32_(10)), vec![inner])],
        u32_(99),
    );
    let helper = f.returning(Type::U32, body);
    valid(&scaffold("calls", vec![helper], |_, n| {
        vec![n.set(call(0, Type::U32, vec![n.get()]))]
    }));
}

#[test]
fn helpers_take_and_give_nothing_views_and_values() {
    let mut unit = Fun::new("nothing");
    let nothing = unit.param("nothing", Type::Unit);
    let ignored = unit.var("ignored", Type::Unit);
    let unit = unit.finish(block(vec![ignored.init(nothing.get())]));

    let mut reads = Fun::new("reads");
    let source = reads.param("source", view(Type::U32, 2, false));
    let scale = reads.param("scale", Type::U32);
    let element = load(source.at(index(vec![usize_(1), usize_(2)])));
    let product = bin(BinaryOp::Mul, element, scale.get());
    let reads = reads.returning(Type::U32, valued(vec![], product));

    let mut f = Fun::new("views");
    f.param("idx", Type::Index(1));
    let a = f.param("a", view(Type::U32, 2, false));
    let b = f.param("b", view(Type::U32, 2, true));
    let first = call(1, Type::U32, vec![view_arg(&a), u32_(2)]);
    let second = call(1, Type::U32, vec![view_arg(&b), u32_(3)]);
    let value = expr(ExprKind::Unit, Type::Unit);
    let body = block(vec![
        stmt(call(0, Type::Unit, vec![value])),
        assign(
            b.at(index(vec![usize_(0), usize_(0)])),
            bin(BinaryOp::Add, first, second),
        ),
    ]);
    let module = module(Domain::Range { rank: 1 }, vec![unit, reads, f.finish(body)]);
    let artifact = valid(&module);
    let uses: Vec<(bool, bool)> = artifact
        .params
        .iter()
        .map(|param| match param.kind {
            amp_spirv::artifact::ParamKind::View { reads, writes, .. } => (reads, writes),
            amp_spirv::artifact::ParamKind::Value { .. } => (false, false),
        })
        .collect();
    assert_eq!(uses, [(true, false), (true, true)]);
}

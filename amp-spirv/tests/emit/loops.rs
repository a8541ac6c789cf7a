//! Loops, their jumps and the indices in them.

use amp_spirv::artifact::FaultKind;
use amp_spirv::ir::*;

use crate::check::{faults, instructions, loops, valid};
use crate::ir::*;

/// What the bodies of the test loops can use.
struct Scene {
    f: Fun,
    idx: Var,
    /// Rank 1, read only.
    a: Var,
    out: Var,
    n: Var,
    /// `[u32; N]`
    table: Var,
    /// The variable of the loop under test.
    i: Var,
    sum: Var,
    /// Another `usize`.
    j: Var,
}

impl Scene {
    /// `sum += value`
    fn add(&self, value: Expr) -> Statement {
        assign_op(BinaryOp::Add, self.sum.place(), value)
    }

    /// `sum += a[index]`
    fn read(&self, at: Expr) -> Statement {
        self.add(load(self.a.at(index(vec![at]))))
    }

    /// `for i in 0..n { body }`
    fn rounds(&self, body: Vec<Statement>) -> Statement {
        for_(0, range(&self.i, usize_(0), self.n.get()), body)
    }
}

/// A kernel of `body`, with the store of its result, which can fault, at the end.
fn kernel(helpers: Vec<Function>, body: impl FnOnce(&mut Scene) -> Vec<Statement>) -> Module {
    let mut f = Fun::new("kernel");
    let idx = f.param("idx", Type::Index(1));
    let a = f.param("a", view(Type::U32, 1, false));
    let out = f.param("out", view(Type::U32, 1, true));
    let n = f.param("n", Type::USIZE);
    let ty = Type::Array(Box::new(Type::U32), Len::Const(ConstId(0)));
    let table = f.var("table", ty.clone());
    let i = f.var("i", Type::USIZE);
    let sum = f.var("sum", Type::U32);
    let j = f.var("j", Type::USIZE);
    let mut scene = Scene {
        f,
        idx,
        a,
        out,
        n,
        table,
        i,
        sum,
        j,
    };
    let zeros = expr(ExprKind::Repeat(Box::new(u32_(0))), ty);
    let mut statements = vec![scene.table.init(zeros), scene.sum.init(u32_(0))];
    statements.extend(body(&mut scene));
    statements.push(assign(scene.out.at(scene.idx.get()), scene.sum.get()));
    let function = scene.f.finish(block(statements));
    let functions = helpers.into_iter().chain([function]).collect();
    let mut module = module(Domain::Range { rank: 1 }, functions);
    module.consts.push(constant("N", Scalar::Usize));
    module
}

/// Loops that set a table whose length only the run time knows to zero.
const FILLING: usize = 1;

/// Number of loops that are written, and of places that can fault in them.
fn shape(module: &Module) -> (usize, usize) {
    let artifact = valid(module);
    (loops(&artifact) - FILLING, faults(&artifact).len() - 1)
}

fn add(a: Expr, b: Expr) -> Expr {
    bin(BinaryOp::Add, a, b)
}

#[test]
fn loop_variable_that_is_assigned_proves_nothing() {
    let module = kernel(vec![], |s| {
        let later = s.i.set(add(s.i.get(), usize_(1)));
        vec![s.rounds(vec![s.read(s.i.get()), later])]
    });
    assert_eq!(shape(&module), (1, 1));
}

#[test]
fn variable_may_get_its_first_value_in_a_loop() {
    let module = kernel(vec![], |s| {
        let unset = Statement::Let {
            local: s.j.id,
            value: None,
        };
        vec![unset, s.rounds(vec![s.j.set(usize_(3)), s.read(s.j.get())])]
    });
    assert_eq!(shape(&module), (1, 1));
}

#[test]
fn indices_of_arrays_are_checked_unless_a_fact_bounds_them() {
    let with = |end: fn(&Scene) -> Expr| {
        shape(&kernel(vec![], |s| {
            let body = vec![s.add(load(elem(s.table.place(), s.i.get())))];
            vec![for_(0, range(&s.i, usize_(0), end(s)), body)]
        }))
    };
    assert_eq!(with(|s| s.n.get()), (1, 1));
    assert_eq!(with(|_| const_(0, Type::USIZE)), (1, 0));
}

#[test]
fn parts_of_an_index_fault_before_it() {
    let module = kernel(vec![], |s| {
        let third = cast(load(elem(s.table.place(), usize_(2))), Type::USIZE);
        vec![s.rounds(vec![s.read(add(third, s.i.get()))])]
    });
    let (element, part) = (FaultKind::OutOfBounds, FaultKind::ArrayOutOfBounds);
    assert_eq!(faults(&valid(&module)), [part, element, element]);
}

#[test]
fn masks_bound_indices_of_arrays() {
    let with = |mask: fn(Expr) -> Expr| {
        shape(&kernel(vec![], |s| {
            let small = s.f.var("small", array(Type::U32, 4));
            let zeros = expr(ExprKind::Repeat(Box::new(u32_(0))), small.ty.clone());
            let mut last = s.n.clone();
            let mut all = vec![small.init(zeros)];
            for _ in 0..60 {
                let next = s.f.var("next", Type::USIZE);
                all.push(next.init(bin(BinaryOp::BitAnd, last.get(), last.get())));
                last = next;
            }
            all.push(s.add(load(elem(small.place(), mask(last.get())))));
            all
        }))
    };
    assert_eq!(with(|x| bin(BinaryOp::BitAnd, x, usize_(3))), (0, 0));
    assert_eq!(with(|x| bin(BinaryOp::BitAnd, usize_(3), x)), (0, 0));
    assert_eq!(with(|x| bin(BinaryOp::BitAnd, x, usize_(4))), (0, 1));
    assert_eq!(with(|x| x), (0, 1));
}

#[test]
fn jumps_leave_several_constructs() {
    let jumps: [fn() -> Expr; 7] = [
        || break_(0),
        || continue_(0),
        || break_(1),
        || continue_(1),
        || break_(2),
        || break_(3),
        || return_(None),
    ];
    for jump in jumps {
        let module = kernel(vec![], |s| {
            let k = s.f.var("k", Type::USIZE);
            let stop = bin(BinaryOp::Eq, s.i.get(), usize_(3));
            let body = vec![
                jump_if(stop.clone(), jump()),
                jump_if(stop, break_(1)),
                s.read(s.i.get()),
            ];
            let inner = vec![s.rounds(body), s.add(u32_(1))];
            let middle = for_(1, range(&k, usize_(0), usize_(4)), inner);
            let blocks = labelled(2, block(vec![middle, s.add(u32_(2))]));
            let outer = loop_(
                3,
                Type::Unit,
                vec![stmt(blocks), s.add(u32_(3)), stmt(break_(3))],
            );
            vec![stmt(outer)]
        });
        assert_eq!(shape(&module).1, 1);
    }
}

#[test]
fn a_round_may_leave_for_good() {
    let module = kernel(vec![], |s| {
        let body = vec![s.read(s.i.get()), stmt(return_(None))];
        vec![s.rounds(body)]
    });
    assert_eq!(shape(&module), (1, 1));
}

#[test]
fn an_element_that_is_changed_is_checked_once() {
    let branches = |changes: bool| {
        let module = kernel(vec![], |s| {
            let change = assign_op(BinaryOp::Add, s.out.at(s.idx.get()), u32_(1));
            Vec::from_iter(changes.then_some(change))
        });
        instructions(&valid(&module), "BranchConditional").len()
    };
    assert_eq!(branches(true), branches(false) + 1);
}

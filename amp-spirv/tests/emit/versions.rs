//! Loops that are emitted twice, and those that must not be.

use amp_spirv::artifact::FaultKind;
use amp_spirv::ir::*;

use crate::check::{faults, loops, valid};
use crate::ir::*;

/// What the bodies of the test loops can use.
struct Scene {
    f: Fun,
    idx: Var,
    /// Rank 1, read only.
    a: Var,
    /// Rank 2, read only.
    grid: Var,
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
    let grid = f.param("grid", view(Type::U32, 2, false));
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
        grid,
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

/// The shape of `for i in 0..n { sum += a[index] }` by its index.
fn of(make: impl FnOnce(&Scene) -> Expr) -> (usize, usize) {
    shape(&kernel(vec![], |scene| {
        let at = make(scene);
        vec![scene.rounds(vec![scene.read(at)])]
    }))
}

const TWICE: (usize, usize) = (2, 1);
const ONCE: (usize, usize) = (1, 1);

fn add(a: Expr, b: Expr) -> Expr {
    bin(BinaryOp::Add, a, b)
}

fn mul(a: Expr, b: Expr) -> Expr {
    bin(BinaryOp::Mul, a, b)
}

#[test]
fn indices_that_grow_are_tried_before_the_loop() {
    assert_eq!(of(|s| s.i.get()), TWICE);
    assert_eq!(of(|s| add(s.i.get(), s.n.get())), TWICE);
    assert_eq!(of(|s| add(mul(s.n.get(), s.i.get()), usize_(7))), TWICE);
    assert_eq!(of(|s| mul(s.i.get(), s.i.get())), TWICE);
    assert_eq!(of(|s| mul(s.i.get(), extent(&s.grid, 1))), TWICE);
    assert_eq!(
        of(|s| add(s.i.get(), load(elem(s.idx.place(), usize_(0))))),
        TWICE
    );
    assert_eq!(
        of(|s| cast(add(cast(s.i.get(), Type::U32), u32_(1)), Type::USIZE)),
        TWICE
    );
    // What does not depend on the variable may be computed in any way that cannot fault.
    assert_eq!(
        of(|s| add(bin(BinaryOp::Sub, s.n.get(), usize_(1)), s.i.get())),
        TWICE
    );
    assert_eq!(
        of(|s| cast(un(UnaryOp::Neg, cast(s.n.get(), Type::I32)), Type::USIZE)),
        TWICE
    );
}

#[test]
fn other_indices_are_checked_in_the_loop() {
    for op in [
        BinaryOp::Sub,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::BitXor,
    ] {
        assert_eq!(of(|s| bin(op, s.i.get(), s.n.get())), ONCE, "{op:?}");
        assert_eq!(of(|s| bin(op, s.n.get(), s.i.get())), ONCE, "{op:?}");
    }
    assert_eq!(of(|s| cast(cast(s.i.get(), Type::F32), Type::USIZE)), ONCE);
    assert_eq!(of(|s| cast(cast(s.i.get(), Type::I32), Type::USIZE)), ONCE);
    // Two places that can fault: the test before the loop must not.
    assert_eq!(of(|s| bin(BinaryOp::Div, usize_(9), s.n.get())), (1, 2));
    let element = |s: &Scene, at| cast(load(s.a.at(index(vec![at]))), Type::USIZE);
    assert_eq!(of(|s| add(element(s, s.n.get()), s.i.get())), (2, 3));
}

#[test]
fn variables_that_the_loop_sets_once_are_followed() {
    let body = |set_again: bool| {
        kernel(vec![], |s| {
            let mut body = vec![s.j.init(add(s.i.get(), s.n.get())), s.read(s.j.get())];
            if set_again {
                body.push(s.j.set(usize_(0)));
            }
            vec![s.rounds(body)]
        })
    };
    assert_eq!(shape(&body(false)), TWICE);
    assert_eq!(shape(&body(true)), ONCE);
}

#[test]
fn variables_of_outside_that_the_loop_sets_are_not() {
    let versions = |inside: bool| {
        shape(&kernel(vec![], |s| {
            let set = when(bool_(true), vec![s.j.set(add(s.j.get(), usize_(1)))]);
            let (before, mut body) = if inside {
                (vec![], vec![set])
            } else {
                (vec![set], vec![])
            };
            body.insert(0, s.read(s.j.get()));
            let mut all = vec![s.j.init(usize_(0))];
            all.extend(before);
            all.push(s.rounds(body));
            all
        }))
    };
    assert_eq!(versions(false), TWICE);
    assert_eq!(versions(true), ONCE);
}

#[test]
fn variable_that_gets_its_first_value_in_the_loop_is_not_read_before() {
    let module = kernel(vec![], |s| {
        let unset = Statement::Let {
            local: s.j.id,
            value: None,
        };
        vec![unset, s.rounds(vec![s.j.set(usize_(3)), s.read(s.j.get())])]
    });
    assert_eq!(shape(&module), ONCE);
}

#[test]
fn loop_variable_that_is_assigned_proves_nothing() {
    let module = kernel(vec![], |s| {
        let later = s.i.set(add(s.i.get(), usize_(1)));
        vec![s.rounds(vec![s.read(s.i.get()), later])]
    });
    assert_eq!(shape(&module), ONCE);
}

#[test]
fn every_dimension_is_tried() {
    let with = |row: fn(&Scene) -> Expr| {
        shape(&kernel(vec![], |s| {
            let place = s.grid.at(index(vec![row(s), s.i.get()]));
            vec![s.rounds(vec![s.add(load(place))])]
        }))
    };
    assert_eq!(with(|s| s.n.get()), TWICE);
    assert_eq!(with(|s| bin(BinaryOp::Rem, s.i.get(), s.n.get())), (1, 2));
}

#[test]
fn whole_index_is_tried_if_the_loop_leaves_it_alone() {
    let module = kernel(vec![], |s| {
        let place = s.out.at(s.idx.get());
        vec![s.rounds(vec![assign_op(BinaryOp::Add, place, u32_(1))])]
    });
    assert_eq!(shape(&module), TWICE);
}

#[test]
fn indices_of_arrays_are_tried_unless_a_fact_bounds_them() {
    let with = |end: fn(&Scene) -> Expr| {
        shape(&kernel(vec![], |s| {
            let body = vec![s.add(load(elem(s.table.place(), s.i.get())))];
            vec![for_(0, range(&s.i, usize_(0), end(s)), body)]
        }))
    };
    // The loop that fills the table is one more.
    assert_eq!(with(|s| s.n.get()), (2, 1));
    assert_eq!(with(|_| const_(0, Type::USIZE)), (1, 0));
}

#[test]
fn element_of_an_array_is_not_read_before_the_loop_if_there_may_be_none() {
    let module = kernel(vec![], |s| {
        let third = cast(load(elem(s.table.place(), usize_(2))), Type::USIZE);
        vec![s.rounds(vec![s.read(add(third, s.i.get()))])]
    });
    // `table[2]` is tried and `a[..]` never; nothing faults before the loop.
    let (element, part) = (FaultKind::OutOfBounds, FaultKind::ArrayOutOfBounds);
    assert_eq!(faults(&valid(&module)), [element, part, element, element]);
}

#[test]
fn only_some_ranges_qualify() {
    let with = |change: fn(&mut ForRange)| {
        shape(&kernel(vec![], |s| {
            let mut range = range(&s.i, usize_(0), s.n.get());
            change(&mut range);
            vec![for_(0, range, vec![s.read(s.i.get())])]
        }))
    };
    let step = || Adapter::StepBy(usize_(3));
    assert_eq!(
        with(|range| range.adapters = vec![Adapter::StepBy(usize_(3))]),
        TWICE
    );
    assert_eq!(with(|range| range.adapters = vec![Adapter::Rev]), ONCE);
    assert_eq!(with(|range| range.inclusive = true), ONCE);
    let stepped = kernel(vec![], |s| {
        let mut range = range(&s.i, usize_(0), s.n.get());
        range.adapters = vec![step(), step()];
        vec![for_(0, range, vec![s.read(s.i.get())])]
    });
    assert_eq!(shape(&stepped), ONCE);
    let signed = kernel(vec![], |s| {
        let x = s.f.var("x", Type::I32);
        let body = vec![s.read(cast(x.get(), Type::USIZE))];
        vec![for_(0, range(&x, i32_(0), i32_(9)), body)]
    });
    assert_eq!(shape(&signed), ONCE);
    let whiles = kernel(vec![], |s| {
        let more = bin(BinaryOp::Lt, s.j.get(), s.n.get());
        let next = s.j.set(add(s.j.get(), usize_(1)));
        vec![
            s.j.init(usize_(0)),
            while_(0, more, vec![s.read(s.n.get()), next]),
        ]
    });
    assert_eq!(shape(&whiles), ONCE);
}

#[test]
fn only_the_innermost_loop_is_emitted_twice() {
    let module = kernel(vec![], |s| {
        let deepest = for_(
            3,
            range(&s.j, usize_(0), s.n.get()),
            vec![s.read(s.j.get())],
        );
        let loops = [2, 1].into_iter().fold(deepest, |inner, label| {
            let k = s.f.var("k", Type::USIZE);
            for_(
                label,
                range(&k, usize_(0), s.n.get()),
                vec![s.read(k.get()), inner],
            )
        });
        vec![s.rounds(vec![s.read(s.i.get()), loops])]
    });
    assert_eq!(shape(&module), (5, 4));
}

#[test]
fn large_bodies_are_emitted_once() {
    let module = kernel(vec![], |s| {
        let body = (0..200).map(|_| s.read(s.i.get())).collect();
        vec![s.rounds(body)]
    });
    assert_eq!(shape(&module), (1, 200));
}

#[test]
fn indices_that_double_are_given_up() {
    let with = |doublings: usize| {
        shape(&kernel(vec![], |s| {
            let mut body = Vec::new();
            let mut last = s.i.clone();
            for _ in 0..doublings {
                let next = s.f.var("next", Type::USIZE);
                body.push(next.init(add(last.get(), last.get())));
                last = next;
            }
            body.push(s.read(last.get()));
            vec![s.rounds(body)]
        }))
    };
    assert_eq!(with(2), TWICE);
    assert_eq!(with(60), ONCE);
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
fn loops_with_barriers_are_emitted_once() {
    let barrier = || stmt(expr(ExprKind::Barrier(MemoryFence::All), Type::Unit));
    let helper = |name: &str, body: Vec<Statement>| Fun::new(name).finish(block(body));
    let with = |waits: fn() -> Statement, calls: u32| {
        let helpers = vec![helper("waits", vec![waits()]), helper("calm", vec![])];
        let mut module = kernel(helpers, |s| {
            let call = stmt(call(calls, Type::Unit, vec![]));
            vec![s.rounds(vec![s.read(s.n.get()), call])]
        });
        // Barriers are for tiles only.
        module.domain = Domain::Tiled {
            tile: vec![Len::Literal(4)],
        };
        module.functions[2].locals[0].ty = Type::TiledIndex(1);
        module
    };
    let global = |mut module: Module| {
        let kernel = module.functions.last_mut().expect("a kernel");
        let Some(Statement::Expr(Expr {
            kind: ExprKind::Assign(place, _),
            ..
        })) = kernel.body.statements.last_mut()
        else {
            panic!("the kernel ends with a store");
        };
        let Root::Element { index, .. } = &mut place.root else {
            panic!("of an element")
        };
        let ExprKind::Load(place) = &mut index.kind else {
            panic!("at a variable")
        };
        place
            .projections
            .push(Projection::Field(TiledField::Global as u32));
        module
    };
    let calm = || stmt(u32_(0));
    assert_eq!(shape(&global(with(calm, 0))), TWICE);
    assert_eq!(shape(&global(with(barrier, 0))), ONCE);
    assert_eq!(shape(&global(with(barrier, 1))), ONCE);
}

#[test]
fn jumps_leave_both_versions() {
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
        // A labelled block is a loop too.
        assert_eq!(shape(&module), (5, 1));
    }
}

#[test]
fn both_versions_may_leave_for_good() {
    let module = kernel(vec![], |s| {
        let body = vec![s.read(s.i.get()), stmt(return_(None))];
        vec![s.rounds(body)]
    });
    assert_eq!(shape(&module), TWICE);
}

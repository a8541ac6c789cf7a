//! What the tree becomes in the optimiser's form.

use amp_spirv::ir::*;
use amp_spirv::mir;

use crate::control_flow::scaffold;
use crate::ir::*;

/// The functions of a module as text, without places in the source.
fn text(module: &Module) -> String {
    let built = mir::build(module);
    assert_eq!(mir::verify(&built), Ok(()), "{built}");
    let text = built.to_string();
    let (_, functions) = text.split_once("\nfn ").expect("a kernel");
    let mut parts = functions.split(" !0:");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| {
        all + part.trim_start_matches(|it: char| it.is_ascii_digit() || it == ':')
    })
}

/// The body of a kernel that does something with `n`, a `u32`, without what surrounds that.
fn body(statements: impl FnOnce(&mut Fun, &Var) -> Vec<Statement>) -> String {
    let all = text(&scaffold("k", vec![], statements));
    let (_, behind) = all.split_once("%3: u32 = cast %2\n").expect("a start");
    let end = behind.rfind("extract").expect("an end");
    let lines = behind[..end].lines();
    let whole = lines.clone().count() - 1;
    let lines = lines
        .take(whole)
        .map(|line| line.strip_prefix("    ").unwrap_or(line));
    lines.fold(String::new(), |all, line| all + line + "\n")
}

fn is(n: &Var, value: u32) -> Expr {
    bin(BinaryOp::Eq, n.get(), u32_(value))
}

#[test]
fn variables_that_a_branch_changes_are_results() {
    let found = body(|f, n| {
        let (same, m) = (f.var("same", Type::U32), f.var("m", Type::U32));
        let one = valued(vec![m.set(u32_(5))], same.get());
        let two = valued(vec![], u32_(20));
        vec![
            same.init(u32_(1)),
            m.init(u32_(2)),
            n.set(if_(is(n, 3), one, two)),
            assign_op(BinaryOp::Add, n.place(), m.get()),
        ]
    });
    let expected = "\
%4: u32 = literal 1
%5: u32 = literal 2
%6: u32 = literal 3
%7: bool = eq %3, %6
%8: u32, %9: u32 = if %7 {
    %10: u32 = literal 5
    yield %4, %10
} else {
    %11: u32 = literal 20
    yield %11, %5
}
%12: u32 = add %8, %9
";
    assert_eq!(found, expected);
}

#[test]
fn loops_carry_what_their_rounds_change() {
    let found = body(|f, n| {
        let (k, seen) = (f.var("k", Type::U32), f.var("seen", Type::U32));
        vec![
            seen.init(u32_(0)),
            for_(
                0,
                range(&k, u32_(0), n.get()),
                vec![
                    jump_if(is(&k, 7), continue_(0)),
                    jump_if(is(&k, 9), break_(0)),
                    seen.set(k.get()),
                ],
            ),
            while_(
                1,
                is(&seen, 4),
                vec![assign_op(BinaryOp::Sub, seen.place(), u32_(1))],
            ),
            n.set(seen.get()),
        ]
    });
    let expected = "\
%4: u32 = literal 0
%5: u32 = literal 0
%6: u32 = literal 1
%7: u32 = '0: for %5, %3, %6, %4 as %8: u32, %9: u32 {
    %10: u32 = literal 7
    %11: bool = eq %8, %10
    if %11 {
        continue '0 %9
    } else {
        yield
    }
    %12: u32 = literal 9
    %13: bool = eq %8, %12
    if %13 {
        break '0 %9
    } else {
        yield
    }
    yield %8
}
%14: u32 = '1: loop %7 as %15: u32 {
    %16: u32 = literal 4
    %17: bool = eq %15, %16
    if %17 {
        yield
    } else {
        break '1 %15
    }
    %18: u32 = literal 1
    %19: u32 = sub %15, %18
    yield %19
}
";
    assert_eq!(found, expected);
}

#[test]
fn jumps_out_of_blocks_pass_results() {
    let found = body(|_, n| {
        let block = valued(
            vec![
                when(
                    is(n, 1),
                    vec![n.set(u32_(2)), stmt(break_with(0, u32_(10)))],
                ),
                jump_if(is(n, 3), return_(None)),
            ],
            u32_(20),
        );
        vec![assign_op(BinaryOp::Add, n.place(), labelled(0, block))]
    });
    let expected = "\
%4: u32, %5: u32 = '0: block {
    %6: u32 = literal 1
    %7: bool = eq %3, %6
    if %7 {
        %8: u32 = literal 2
        %9: u32 = literal 10
        break '0 %9, %8
    } else {
        yield
    }
    %10: u32 = literal 3
    %11: bool = eq %3, %10
    if %11 {
        return
    } else {
        yield
    }
    %12: u32 = literal 20
    yield %12, %3
}
%13: u32 = add %5, %4
";
    assert_eq!(found, expected);
}

#[test]
fn names_of_a_pattern_reach_behind_its_guard() {
    let found = body(|f, n| {
        let name = f.var("name", Type::U32);
        let guard = valued(vec![name.init(n.get())], is(&name, 4));
        let guard = Expr {
            ty: Type::BOOL,
            ..expr(ExprKind::Block(Box::new(guard)), Type::BOOL)
        };
        vec![when(
            lazy(LazyOp::And, is(n, 3), guard),
            vec![n.set(name.get())],
        )]
    });
    let expected = "\
%4: u32 = literal 3
%5: bool = eq %3, %4
%6: bool, %7: u32 = if %5 {
    %8: u32 = literal 4
    %9: bool = eq %3, %8
    yield %9, %3
} else {
    %10: bool = literal false
    %11: u32 = zero
    yield %10, %11
}
%12: u32 = if %6 {
    yield %7
} else {
    yield %3
}
";
    assert_eq!(found, expected);
}

#[test]
fn only_what_is_indexed_at_run_time_is_in_a_slot() {
    let found = body(|f, n| {
        let (a, b) = (
            f.var("a", array(Type::U32, 2)),
            f.var("b", array(Type::U32, 2)),
        );
        let parts = || construct(array(Type::U32, 2), vec![n.get(), u32_(1)]);
        let at = cast(n.get(), Type::USIZE);
        vec![
            a.init(parts()),
            b.init(parts()),
            assign(elem(a.place(), usize_(1)), u32_(7)),
            assign_op(
                BinaryOp::Mul,
                elem(b.place(), at),
                load(elem(a.place(), usize_(1))),
            ),
            n.set(load(elem(b.place(), usize_(0)))),
        ]
    });
    let expected = "\
%4: u32 = literal 1
%5: [u32; 2] = construct %3, %4
%6: u32 = literal 1
%7: [u32; 2] = construct %3, %6
store b$0, %7
%8: u32 = literal 7
%9: [u32; 2] = insert 1 %5, %8
%10: u32 = extract 1 %9
%11: usize = cast %3
%12: bool = in_bounds len 2 %11
%13: usize = literal 2
note_fault #0 %12, %11, %13
%14: u32 = load b$0[%11] if %12
%15: u32 = mul %14, %10
store b$0[%11], %15 if %12
%16: u32 = load b$0.0
";
    assert_eq!(found, expected);
}

#[test]
fn divisions_run_under_guards() {
    let found = body(|f, n| {
        let k = f.var("k", Type::I32);
        let mut down = range(&k, i32_(0), cast(n.get(), Type::I32));
        down.adapters = vec![Adapter::Rev, Adapter::StepBy(cast(n.get(), Type::USIZE))];
        vec![
            n.set(bin(BinaryOp::Rem, u32_(100), n.get())),
            n.set(bin(BinaryOp::Div, n.get(), u32_(3))),
            for_(
                0,
                down,
                vec![assign_op(
                    BinaryOp::Add,
                    n.place(),
                    cast(k.get(), Type::U32),
                )],
            ),
        ]
    });
    let expected = "\
%4: u32 = literal 100
%5: u32 = literal 0
%6: bool = ne %3, %5
%7: usize = cast %4
%8: usize = literal 0
note_fault #0 %6, %7, %8
%9: u32 = rem %4, %3 if %6
%10: u32 = literal 3
%11: u32 = div %9, %10
%12: i32 = literal 0
%13: i32 = cast %11
%14: u32 = cast %12
%15: u32 = cast %13
%16: u32 = sub %15, %14
%17: u32 = literal 1
%18: bool = lt %12, %13
%19: u32 = sub %16, %17
%20: bool = not %18
%21: u32 = mul %19, %17
%22: u32 = add %14, %21
%23: u32 = neg %17
%24: usize = cast %11
%25: u32 = cast %24
%26: usize = literal 0
%27: bool = ne %24, %26
note_fault #1 %27, %26, %26
%28: bool = eq %24, %26
%29: u32 = literal 4294967295
%30: u32 = math Select %28, %29, %25
%31: u32 = literal 0
%32: bool = ne %30, %31
%33: u32 = div %19, %30 if %32
%34: u32 = math Select %28, %31, %33
%35: u32 = mul %23, %30
%36: bool = not %20
%37: u32 = if %36 {
    %38: u32 = literal 0
    %39: u32 = literal 1
    %40: u32 = for_inclusive %38, %34, %39, %11 as %41: u32, %42: u32 {
        %43: u32 = mul %41, %35
        %44: u32 = add %22, %43
        %45: i32 = cast %44
        %46: u32 = cast %45
        %47: u32 = add %42, %46
        yield %47
    }
    yield %40
} else {
    yield %11
}
";
    assert_eq!(found, expected);
}

#[test]
fn bulk_values_are_in_slots() {
    let bulk = || array(Type::U32, 64);
    let mut helper = Fun::new("helper");
    let given = helper.param("given", bulk());
    let own = helper.param("own", bulk());
    let body = valued(
        vec![assign(
            elem(own.place(), usize_(1)),
            load(elem(given.place(), usize_(2))),
        )],
        own.get(),
    );
    let helper = helper.finish(body);
    let module = scaffold("k", vec![helper], |f, n| {
        let (a, same) = (f.var("a", bulk()), f.var("same", bulk()));
        let repeat = expr(ExprKind::Repeat(Box::new(n.get())), bulk());
        vec![
            a.init(expr(ExprKind::Zero, bulk())),
            a.set(repeat),
            same.init(a.get()),
            n.set(load(elem(same.place(), usize_(3)))),
            a.set(call(0, bulk(), vec![a.get(), a.get()])),
        ]
    });
    let expected = "\
helper#0(given$1, own$2) -> [u32; 64] in $0 {
    slot $0: [u32; 64]
    slot given$1: [u32; 64]
    slot own$2: [u32; 64]
    slot own$3: [u32; 64]
    copy own$3, own$2
    %0: u32 = load given$1.2
    store own$3.1, %0
    copy $0, own$3
    return
}

fn k#1(idx%0: Index<1>, out%1: &mut ArrayViewMut<u32, 1>) {
    slot a$0: [u32; 64]
    slot same$1: [u32; 64]
    slot $2: [u32; 64]
    %2: usize = extract 0 %0
    %3: u32 = cast %2
    clear a$0
    %4: usize = literal 0
    %5: usize = literal 64
    %6: usize = literal 1
    for %4, %5, %6 as %7: usize {
        %8: bool = in_bounds len 64 always %7
        store a$0[%7], %3 if %8
        yield
    }
    copy same$1, a$0
    %9: u32 = load same$1.3
    call helper#0 with $2, a$0, a$0
    copy a$0, $2
    %10: usize = extract 0 %0
    %11: usize = extent 0 %1
    %12: bool = lt %10, %11
    %13: bool = in_bounds view 1 %1, %10
    note_fault #0 %12, %10, %11
    store %1[%10], %9 if %13
    return
}
";
    assert_eq!(text(&module), expected);
}

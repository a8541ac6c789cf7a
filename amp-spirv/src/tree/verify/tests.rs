//! Each rule, broken.

use super::*;
use crate::tree::{
    Const, ExprKind, Field, LocalId, Root, Statement, Struct, TileStatic, TileStaticId, parse,
};

/// A module with a body that can use all that modules have.
fn module(body: &str) -> Module {
    let text = format!(
        "kernel k over tiles of 8
struct Item#0 {{
    depth: f32,
    size: u32,
}}
const N#0: usize
tile_static shared@0: [u32; 8]
fn helper#0(x: u32, to: &mut ArrayViewMut<u32, 1>, from: &ArrayView<u32, 1>) -> u32 {{
    x
}}
fn k#1(t: TiledIndex<1>, a: &ArrayView<Item#0, 2>, b: &mut ArrayViewMut<u32, 1>, c: bool, n: u32, f: f32) {{
{body}
}}
"
    );
    match parse(&text) {
        Ok(module) => module,
        Err(error) => panic!("{error}\n{text}"),
    }
}

#[track_caller]
fn accept(body: &str) {
    assert_eq!(verify(&module(body)), Ok(()), "{body}");
}

/// The one thing that is wrong with a body.
#[track_caller]
fn found(module: &Module) -> String {
    let errors = verify(module).expect_err("something is wrong");
    let [error] = errors.as_slice() else {
        panic!("{errors:#?}");
    };
    let (at, message) = error.split_once(": ").unwrap_or(("", error));
    match at.contains(" at ") {
        true => message.to_owned(),
        false => error.clone(),
    }
}

#[track_caller]
fn reject(body: &str, message: &str) {
    assert_eq!(found(&module(body)), message, "{body}");
}

#[track_caller]
fn reject_changed(change: impl FnOnce(&mut Module), message: &str) {
    let mut module = module("");
    assert_eq!(verify(&module), Ok(()));
    change(&mut module);
    assert_eq!(found(&module), message);
}

#[test]
fn errors_say_where() {
    let errors = verify(&module("    n = 1u32;\n    n = f;"));
    let expected = "k at 13:5: the value has the wrong type";
    assert_eq!(errors, Err(vec![expected.to_owned()]));
}

#[test]
fn items() {
    reject_changed(|it| it.functions.clear(), "there is no kernel");
    reject_changed(
        |it| it.domain = Domain::Range { rank: 1 },
        "the first parameter of a kernel is its Index<1>",
    );
    reject_changed(
        |it| {
            let tile = vec![Len::Literal(1); 4];
            it.domain = Domain::Tiled { tile };
            it.functions[1].locals[0].ty = Type::TiledIndex(4);
        },
        "a tile has one to three dimensions",
    );
    let named = |ty| {
        let name = "x".to_owned();
        TileStatic {
            name,
            ty,
            span: Span(0),
        }
    };
    let tile_static = |ty| move |it: &mut Module| it.tile_statics.push(named(ty));
    let of_item = |len| Type::Array(Box::new(Type::U32), len);
    reject_changed(
        tile_static(of_item(Len::Const(crate::tree::ConstId(5)))),
        "tile_static x: there is no constant #5",
    );
    reject_changed(
        |it| {
            let name = "M".to_owned();
            it.consts.push(Const {
                name,
                ty: Scalar::U8,
            });
            tile_static(of_item(Len::Const(crate::tree::ConstId(1))))(it);
        },
        "tile_static x: the length M is no `usize`",
    );
    reject_changed(
        tile_static(Type::Vector(Scalar::F32, 5)),
        "tile_static x: there are no vectors of 5",
    );
    reject_changed(
        tile_static(Type::Index(0)),
        "tile_static x: a rank is at least 1",
    );
    let view = |element: Type| {
        Type::View(crate::tree::View {
            element: Box::new(element),
            rank: 1,
            mutable: false,
        })
    };
    reject_changed(
        tile_static(view(Type::U32)),
        "tile_static x: a view is no part of anything",
    );
    reject_changed(
        |it| {
            let name = "own".to_owned();
            let ty = Type::Struct(crate::tree::StructId(1));
            let fields = vec![Field {
                name: name.clone(),
                ty,
            }];
            it.structs.push(Struct { name, fields });
        },
        "struct own: there is no struct #1 before this",
    );
    reject_changed(
        |it| it.functions[0].locals[2].ty = view(Type::BOOL),
        "`from`: a bool is no element",
    );
}

#[test]
fn wide_indices() {
    let narrow = "kernel k over Index<1>\nindices of 64 bits\nfn k#0(i: Index<1>) {\n";
    let module = |body: &str| parse(&format!("{narrow}{body}\n}}\n")).expect("a module");
    assert_eq!(verify(&module("i[0u64];")), Ok(()));
    assert_eq!(
        found(&module("0usize;")),
        "there is no usize where indices have 64 bits"
    );
}

#[test]
fn functions() {
    reject(
        "call helper#1(n, b, b);",
        "calls what does not come before it",
    );
    reject("call helper#0(n, b);", "passes 2 arguments, not 3");
    reject("call helper#0(f, b, b);", "passes the wrong `x`");
    reject("call helper#0(n, b, a);", "passes the wrong `from`");
    accept("call helper#0(n, b, &b.section(Index<1>(0usize), Index<1>(1usize)));");
    reject("call helper#0(n, &b, b);", "passes the wrong `to`");
    reject("return n;", "returns what is no result");
    reject("n", "its body has another type than its result");
    reject_changed(
        |it| it.functions[1].params = 99,
        "has parameters that are no variables",
    );
    reject_changed(
        |it| it.functions[0].result = Type::Struct(crate::tree::StructId(7)),
        "there is no struct #7 before this",
    );
    let mut valued = module("n");
    valued.functions[1].result = Type::U32;
    assert_eq!(found(&valued), "a kernel has no result");
}

#[test]
fn variables_are_declared_before_they_are_used() {
    accept("let x: u32; x = 1u32;");
    reject(
        "{ let x = n; } '0: loop { let y = n; break '0; } y;",
        "`y` is not declared here",
    );
    accept("{ let x = n; } x;");
    accept("if c { let x = 1u32; } else { let x = 2u32; } x;");
    reject("if c { let x = 1u32; } x;", "`x` is not declared here");
    accept("if c { let x = 1u32; } else { return; } x;");
    reject(
        "'0: for i in (0u32..n) { i; } i;",
        "`i` is not declared here",
    );
    reject("'0: { let x = n; } x;", "`x` is not declared here");
    reject(
        "let t: TiledIndex<1>;",
        "the parameter `t` is declared again",
    );
    reject("let x: u32 = f;", "`x` gets a f32");
    let missing = |it: &mut Module| {
        let value = Statement::Let {
            local: LocalId(99),
            value: None,
        };
        it.functions[1].body.statements.push(value);
    };
    reject_changed(missing, "there is no variable 99");
}

#[test]
fn what_a_condition_declares_is_there_where_it_holds() {
    accept("if (c && { let x = n; (x == 1u32) }) { x; }");
    reject(
        "if (c && { let x = n; (x == 1u32) }) {} else { x; }",
        "`x` is not declared here",
    );
    reject(
        "if (c || { let x = n; (x == 1u32) }) { x; }",
        "`x` is not declared here",
    );
    accept("if !(c || { let x = n; (x == 1u32) }) { x; }");
    accept("'0: while (c && { let x = n; (x == 1u32) }) { x; }");
}

#[test]
fn views() {
    accept("let row: &ArrayView<Item#0, 1> = a.row(0usize); row[0usize];");
    accept("b[{ let v = b.section(Index<1>(0usize), Index<1>(1usize)); Index<1>(0usize) }] = n;");
    reject("{ b };", "a view is no value");
    reject("let v: &ArrayView<u32, 1>;", "the view `v` has no value");
    reject("let v = &b;", "a view is no value");
    let two = "if c { let v = b.section(Index<1>(0usize), Index<1>(1usize)); } \
               else { let v = call.section(Index<1>(0usize), Index<1>(1usize)); }";
    let other = "let other = b.section(Index<1>(0usize), Index<1>(1usize));";
    reject(
        &format!("{other}{}", two.replace("call", "other")),
        "a view is made from two",
    );
    reject("b.row(0usize);", "the view has no rows");
    reject(
        "a.view_as(Index<1>(1usize));",
        "the view has more than one dimension",
    );
    reject(
        "a.section(Index<1>(0usize), Index<2>(1usize, 1usize));",
        "an operand has the wrong type",
    );
    let mut assigned = module("n = 1u32;");
    let view = assigned.functions[1].locals[2].ty.clone();
    let Statement::Expr(assign) = &mut assigned.functions[1].body.statements[0] else {
        panic!("an assignment");
    };
    let ExprKind::Assign(place, _) = &mut assign.kind else {
        panic!("an assignment");
    };
    (place.root, place.ty) = (Root::Local(LocalId(2)), view);
    assert_eq!(found(&assigned), "assigns a view");
}

#[test]
fn places() {
    reject("shared@0[1u32] = 1u32;", "the index has the wrong type");
    reject("n[0usize] = 1u32;", "is no value that has elements");
    reject("t.local.1 = 1usize;", "there is no part 1");
    reject("b[0usize, 1usize] = n;", "the index has the wrong type");
    reject("a[0usize, 1usize].1 = n;", "writes a read-only view");
    reject("n = f;", "the value has the wrong type");
    reject("n += f;", "has operands of two types");
    accept("n += 1u32; n <<= 1i8;");
    let other = |it: &mut Module| {
        let mut read = module("n;");
        let Statement::Expr(load) = &mut read.functions[1].body.statements[0] else {
            panic!("a load");
        };
        let ExprKind::Load(place) = &mut load.kind else {
            panic!("a load");
        };
        place.root = Root::TileStatic(TileStaticId(9));
        *it = read;
    };
    reject_changed(other, "there is no variable @9");
}

#[test]
fn operations() {
    reject("(n + f);", "has operands of two types");
    accept("(n << 1u8);");
    reject("(f << 1u8);", "is not made for f32");
    reject("(c + c);", "is not made for bool");
    accept("(c & c);");
    reject("(t.local + n);", "is made for scalars and vectors");
    accept("(<f32; 3>(f, f, f) < f);");
    reject(
        "(<f32; 3>(f, f, f) + <f32; 2>(f, f));",
        "has vectors of two lengths",
    );
    reject("!f;", "is not made for f32");
    reject("(n && c);", "an operand has the wrong type");
    reject("(t.local as u32);", "is made for scalars and vectors");
    reject("Min(n);", "has 1 operands, not 2");
    reject("Min(n, f);", "has operands of the wrong type");
    reject("FromBits<f64>(n);", "is no float of as many bits");
    reject("Item#0(f);", "has 1 parts, not 2");
    reject("Item#0(f, f);", "a part has the wrong type");
    reject("(f, f).2;", "there is no part 2");
    reject("zero<TiledIndex<1>>;", "no such value is zero");
    reject("subgroup All(n);", "has operands of the wrong type");
    reject("#1;", "there is no constant #1");
    reject(
        "atomic Add(shared@0[0usize], f);",
        "an operand has the wrong type",
    );
    reject("atomic Add(shared@0[0usize]);", "has 0 operands, not 1");
    reject("atomic And(f, f);", "is no place for this");
    reject(
        "Stdout(\"{0}\", a[0usize, 0usize]);",
        "says what cannot be said",
    );
}

#[test]
fn control() {
    reject("if n {}", "the condition has the wrong type");
    reject(
        "let x = if c { 1u32 } else { f }; x;",
        "the other side has the wrong type",
    );
    reject("'0: while n {}", "a condition is a bool");
    reject(
        "'0: for i in (0u32..1i32) {}",
        "is no range of the variable's type",
    );
    reject(
        "'0: for i in (0u32..n).step_by(n) {}",
        "a step is a `usize`",
    );
    reject("'0: loop { n }", "the body of a loop has no value");
    reject("'0: while c -> u32 {};", "only a `loop` has a value");
    reject("break '0;", "nothing around this is '0");
    reject("'0: { continue '0; }", "only loops go on");
    reject(
        "'0: loop -> u32 { break '0 f; };",
        "leaves with the wrong type",
    );
    reject(
        "'0: loop { break '0; } '0: loop { break '0; }",
        "there are two labels '0",
    );
    reject("'0: -> u32 { f };", "its body has another type");
}

#[test]
fn what_does_not_end_stands_for_any_type() {
    accept("n = return;");
    accept("(n + (return));");
    accept("let x: u32 = if c { return } else { n };");
    accept("call helper#0(panic, b, b);");
}

#[test]
fn stated_types() {
    let stated = |body: &str, ty: Type| {
        let mut module = module(body);
        let Statement::Expr(expr) = &mut module.functions[1].body.statements[0] else {
            panic!("an expression");
        };
        expr.ty = ty;
        module
    };
    assert_eq!(
        found(&stated("(n + n);", Type::F32)),
        "a u32 is said to be a f32"
    );
    assert_eq!(found(&stated("();", Type::U32)), "a () is said to be a u32");
    let mut block = module("{ n; };");
    let Statement::Expr(expr) = &mut block.functions[1].body.statements[0] else {
        panic!("a block");
    };
    let ExprKind::Block(body) = &mut expr.kind else {
        panic!("a block");
    };
    (body.ty, expr.ty) = (Type::U32, Type::U32);
    assert_eq!(found(&block), "a block of type () is said to be u32");
    let mut place = module("n;");
    let Statement::Expr(expr) = &mut place.functions[1].body.statements[0] else {
        panic!("a load");
    };
    let ExprKind::Load(read) = &mut expr.kind else {
        panic!("a load");
    };
    read.ty = Type::I32;
    assert_eq!(found(&place), "a place of type u32 is said to be i32");
}

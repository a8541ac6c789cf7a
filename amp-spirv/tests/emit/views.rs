//! Views made from views.

use amp_spirv::artifact::ParamKind;
use amp_spirv::ir::*;

use crate::check::valid;
use crate::fences::ordering;
use crate::ir::*;

/// `of.section([origin], [4])`
fn section(of: &Var, origin: Expr) -> Expr {
    let step = ViewStep::Section {
        origin: index(vec![origin]),
        extent: index(vec![usize_(4)]),
    };
    let of = view_arg(of);
    let ty = of.ty.clone();
    expr(ExprKind::Derive(Box::new(Derivation { of, step })), ty)
}

/// What a tiled kernel uses: views `a` to read and `c` to write, a section of `c`.
struct Scene {
    a: Var,
    c: Var,
    part: Var,
    x: Var,
}

fn kernel(helpers: Vec<Function>, body: impl FnOnce(&Scene) -> Vec<Statement>) -> Module {
    let mut f = Fun::new("kernel");
    f.param("t_idx", Type::TiledIndex(1));
    let scene = Scene {
        a: f.param("a", view(Type::U32, 1, false)),
        c: f.param("c", view(Type::U32, 1, true)),
        part: f.var("part", view(Type::U32, 1, true)),
        x: f.var("x", Type::U32),
    };
    let mut statements = vec![scene.x.init(u32_(0))];
    statements.extend(body(&scene));
    let functions = helpers.into_iter().chain([f.finish(block(statements))]);
    let tile = vec![Len::Literal(8)];
    module(Domain::Tiled { tile }, functions.collect())
}

/// Whether elements of each view of the kernel are read, and whether they are written.
fn uses(module: &Module) -> Vec<(bool, bool)> {
    let artifact = valid(module);
    let params = artifact.params.iter();
    params
        .filter_map(|param| match param.kind {
            ParamKind::View { reads, writes, .. } => Some((reads, writes)),
            ParamKind::Value { .. } => None,
        })
        .collect()
}

fn at(view: &Var, place: u32) -> Place {
    view.at(index(vec![usize_(place)]))
}

#[test]
fn what_happens_to_a_section_happens_to_its_parameter() {
    let write = kernel(vec![], |s| {
        let part = s.part.init(section(&s.c, usize_(2)));
        vec![part, assign(at(&s.part, 1), u32_(1))]
    });
    assert_eq!(uses(&write), [(false, false), (false, true)]);

    let mut f = Fun::new("fill");
    let out = f.param("out", view(Type::U32, 1, true));
    let helper = f.finish(block(vec![assign(at(&out, 0), u32_(1))]));
    let through_a_helper = kernel(vec![helper], |s| {
        let part = s.part.init(section(&s.c, usize_(2)));
        let again = section(&s.part, usize_(1));
        vec![part, stmt(call(0, Type::Unit, vec![again]))]
    });
    assert_eq!(uses(&through_a_helper), [(false, false), (false, true)]);
}

#[test]
fn barriers_order_sections_of_what_is_written() {
    let wait = || stmt(expr(ExprKind::Barrier(MemoryFence::All), Type::Unit));
    let module = kernel(vec![], |s| {
        vec![
            s.part.init(section(&s.c, usize_(2))),
            wait(),
            assign(at(&s.part, 1), u32_(1)),
            wait(),
            s.x.set(load(at(&s.a, 1))),
            wait(),
            s.x.set(load(at(&s.c, 1))),
            wait(),
        ]
    });
    assert_eq!(ordering(&module), [false, true, true, false]);
}

#[test]
fn text_form() {
    let module = kernel(vec![], |s| vec![s.part.init(section(&s.c, usize_(2)))]);
    let text = module.to_text();
    let wanted = "= c.section(Index<1>(2usize), Index<1>(4usize));";
    assert!(text.contains(wanted), "{text}");
}

//! Whole kernels.

use amp_spirv::artifact::{FaultKind, ParamKind};
use amp_spirv::ir::*;

use crate::check::{count, faults, listing, valid};
use crate::ir::*;

/// `y[idx] = a * x[idx] + y[idx]`
pub fn axpy() -> Module {
    let mut f = Fun::new("axpy");
    let idx = f.param("idx", Type::Index(1));
    let x = f.param("x", view(Type::F32, 1, false));
    let y = f.param("y", view(Type::F32, 1, true));
    let a = f.param("a", Type::F32);
    let product = bin(BinaryOp::Mul, a.get(), load(line(x.at(idx.get()), 3)));
    let sum = bin(BinaryOp::Add, product, load(line(y.at(idx.get()), 3)));
    let body = block(vec![assign(line(y.at(idx.get()), 4), sum)]);
    module(Domain::Range { rank: 1 }, vec![f.finish(body)])
}

/// The tiled matrix product of Microsoft's article.
pub fn mat_mul() -> Module {
    let ts = Len::Const(ConstId(0));
    let ts_value = || const_(0, Type::USIZE);
    let tile = Type::Array(Box::new(Type::Array(Box::new(Type::F32), ts)), ts);
    let mut f = Fun::new("mat_mul");
    let t_idx = f.param("t_idx", Type::TiledIndex(2));
    let a = f.param("a", view(Type::F32, 2, false));
    let b = f.param("b", view(Type::F32, 2, false));
    let c = f.param("c", view(Type::F32, 2, true));
    let row = f.var("row", Type::USIZE);
    let col = f.var("col", Type::USIZE);
    let sum = f.var("sum", Type::F32);
    let i = f.var("i", Type::USIZE);
    let k = f.var("k", Type::USIZE);
    let part = |part: TiledField, dimension: u32| {
        let whole = field(t_idx.place(), part as u32, Type::Index(2));
        load(elem(whole, usize_(dimension)))
    };
    let shared = |id: u32, y: Expr, x: Expr| elem(elem(tile_static_place(id, tile.clone()), y), x);
    let barrier = || stmt(expr(ExprKind::Barrier(MemoryFence::All), Type::Unit));
    let a_index = index(vec![
        part(TiledField::Global, 0),
        bin(BinaryOp::Add, col.get(), i.get()),
    ]);
    let b_index = index(vec![
        bin(BinaryOp::Add, row.get(), i.get()),
        part(TiledField::Global, 1),
    ]);
    let product = bin(
        BinaryOp::Mul,
        load(shared(0, row.get(), k.get())),
        load(shared(1, k.get(), col.get())),
    );
    let mut outer = range(&i, usize_(0), extent(&a, 1));
    outer.adapters.push(Adapter::StepBy(ts_value()));
    let inner = range(&k, usize_(0), ts_value());
    let global = load(field(
        t_idx.place(),
        TiledField::Global as u32,
        Type::Index(2),
    ));
    let body = block(vec![
        row.init(part(TiledField::Local, 0)),
        col.init(part(TiledField::Local, 1)),
        sum.init(f32_(0.0)),
        for_(
            0,
            outer,
            vec![
                assign(shared(0, row.get(), col.get()), load(a.at(a_index))),
                assign(shared(1, row.get(), col.get()), load(b.at(b_index))),
                barrier(),
                for_(
                    1,
                    inner,
                    vec![assign_op(BinaryOp::Add, sum.place(), product)],
                ),
                barrier(),
            ],
        ),
        assign(c.at(global), sum.get()),
    ]);
    let mut module = module(Domain::Tiled { tile: vec![ts, ts] }, vec![f.finish(body)]);
    module.consts.push(constant("TS", Scalar::Usize));
    module.tile_statics.push(tile_static("loc_a", tile.clone()));
    module.tile_statics.push(tile_static("loc_b", tile));
    module
}

#[test]
fn axpy_describes_itself() {
    let artifact = valid(&axpy());
    assert_eq!(artifact.name, "axpy");
    assert_eq!(artifact.rank, 1);
    assert!(!artifact.tiled && !artifact.has_barrier && !artifact.spilled);
    let kinds: Vec<(u32, ParamKind)> = artifact
        .params
        .iter()
        .map(|param| (param.offset, param.kind))
        .collect();
    let view = |reads, writes| ParamKind::View {
        rank: 1,
        element_bytes: 4,
        reads,
        writes,
    };
    assert_eq!(
        kinds,
        [
            (16, view(true, false)),
            (32, view(true, true)),
            (44, ParamKind::Value { bytes: 4 }),
        ]
    );
    assert_eq!(artifact.block_bytes, 48);
    let sites = artifact.faults.iter();
    let lines: Vec<(FaultKind, u32)> = sites
        .filter(|site| site.kind != FaultKind::LoopCut)
        .map(|site| (site.kind, site.line))
        .collect();
    let kind = FaultKind::OutOfBounds;
    assert_eq!(lines, [(kind, 3), (kind, 3), (kind, 4)]);
}

#[test]
fn tile_static_accesses_within_the_tile_are_not_checked() {
    let artifact = valid(&mat_mul());
    assert!(artifact.tiled && artifact.has_barrier);
    // Two loads and a store of views; the six accesses of tile_static are proven.
    assert_eq!(
        faults(&artifact),
        [
            FaultKind::ZeroStep,
            FaultKind::OutOfBounds,
            FaultKind::OutOfBounds,
            FaultKind::OutOfBounds,
        ]
    );
}

#[test]
fn names_and_lines_reach_the_module() {
    let Some(text) = listing(&mat_mul()) else {
        return;
    };
    for name in [
        "OpEntryPoint GLCompute %main \"mat_mul\"",
        "OpName %loc_a \"loc_a\"",
        "OpName %c \"c\"",
        "OpName %TS \"TS\"",
        "OpString \"src/kernel.rs\"",
        "OpLine",
        "BuiltIn WorkgroupSize",
        "OpMemoryModel PhysicalStorageBuffer64 Vulkan",
    ] {
        assert!(text.contains(name), "{name} is missing in\n{text}");
    }
    assert_eq!(count(&text, "OpControlBarrier"), 2);
    assert_eq!(count(&text, "NoContraction"), 2);
}

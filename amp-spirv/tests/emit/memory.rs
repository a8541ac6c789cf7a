//! Places, layouts, the argument block, barriers.

use amp_spirv::artifact::{FaultKind, ParamKind};
use amp_spirv::compile;
use amp_spirv::ir::*;

use crate::check::{count, disassemble, listing, valid};
use crate::ir::*;

fn particle() -> Struct {
    let field = |name: &str, ty| Field {
        name: name.into(),
        ty,
    };
    Struct {
        name: "Particle".into(),
        fields: vec![
            field("mass", Type::F32),
            field("position", array(Type::F32, 3)),
            field("id", Type::U32),
        ],
    }
}

const PARTICLE: Type = Type::Struct(StructId(0));

#[test]
fn struct_elements_and_their_fields() {
    let mut f = Fun::new("structs");
    let idx = f.param("idx", Type::Index(1));
    let all = f.param("all", view(PARTICLE, 1, true));
    let one = f.var("one", PARTICLE);
    let k = f.var("k", Type::USIZE);
    let position = |place| field(place, 1, array(Type::F32, 3));
    let component = |index: Expr| elem(position(all.at(idx.get())), index);
    let body = block(vec![
        one.init(load(all.at(idx.get()))),
        for_(
            0,
            range(&k, usize_(0), usize_(3)),
            vec![
                assign_op(BinaryOp::Add, component(k.get()), f32_(1.0)),
                assign(
                    elem(position(one.place()), k.get()),
                    load(component(bin(BinaryOp::Add, k.get(), usize_(1)))),
                ),
            ],
        ),
        assign(field(all.at(idx.get()), 2, Type::U32), u32_(7)),
        assign(all.at(idx.get()), one.get()),
    ]);
    let mut module = module(Domain::Range { rank: 1 }, vec![f.finish(body)]);
    module.structs.push(particle());
    let artifact = valid(&module);
    assert_eq!(
        artifact.params[0].kind,
        ParamKind::View {
            rank: 1,
            element_bytes: 20,
            reads: true,
            writes: true
        }
    );
    // `k` is proven, `k + 1` is not.
    let arrays = artifact
        .faults
        .iter()
        .filter(|site| site.kind == FaultKind::ArrayOutOfBounds);
    assert_eq!(arrays.count(), 1);
}

/// A value of every kind that an argument can be, enough to spill.
fn everything() -> Module {
    let mut f = Fun::new("everything");
    let idx = f.param("idx", Type::Index(3));
    let out = f.param("out", view(Type::F32, 3, true));
    let flag = f.param("flag", Type::BOOL);
    let pair = f.param("pair", Type::Tuple(vec![Type::BOOL, Type::I32]));
    let flags = f.param("flags", array(Type::BOOL, 2));
    let table = f.param("table", array(Type::F32, 20));
    let size = f.param("size", Type::USIZE);
    let extent = f.param("extent", Type::Extent(3));
    let origin = f.param("origin", Type::Index(3));
    let one = f.param("one", PARTICLE);
    f.param("nothing", Type::Unit);
    let last = f.param("last", view(Type::I32, 1, false));
    let first = load(field(pair.place(), 0, Type::BOOL));
    let second = load(elem(flags.place(), usize_(1)));
    let both = bin(BinaryOp::BitAnd, first, second);
    let all = bin(BinaryOp::BitOr, both, flag.get());
    let sum = bin(
        BinaryOp::Add,
        load(elem(extent.place(), usize_(2))),
        load(elem(origin.place(), size.get())),
    );
    let mass = load(field(one.place(), 0, Type::F32));
    let product = bin(BinaryOp::Mul, load(elem(table.place(), sum)), mass);
    let number = cast(load(last.at(index(vec![usize_(0)]))), Type::F32);
    let value = if_(all, valued(vec![], product), valued(vec![], number));
    let body = block(vec![assign(out.at(idx.get()), value)]);
    let mut module = module(Domain::Range { rank: 3 }, vec![f.finish(body)]);
    module.structs.push(particle());
    module
}

#[test]
fn large_argument_blocks_are_spilled() {
    let artifact = valid(&everything());
    assert!(artifact.spilled);
    let offsets: Vec<u32> = artifact.params.iter().map(|param| param.offset).collect();
    // The domain's extents end at 24; `out` takes 8 + 4 * 5 bytes.
    assert_eq!(offsets, [24, 52, 56, 64, 72, 152, 156, 168, 180, 200, 200]);
    assert_eq!(artifact.block_bytes, 212);
}

#[test]
fn arrays_of_constant_length() {
    let n = Len::Const(ConstId(0));
    let row = Type::Array(Box::new(Type::F32), n);
    let grid = Type::Array(Box::new(row.clone()), n);
    let mut f = Fun::new("constants");
    let idx = f.param("idx", Type::Index(1));
    let out = f.param("out", view(Type::F32, 1, true));
    let a = f.var("a", row.clone());
    let b = f.var("b", grid.clone());
    let c = f.var("c", row.clone());
    let k = f.var("k", Type::USIZE);
    let repeat = |value: Expr, ty: &Type| expr(ExprKind::Repeat(Box::new(value)), ty.clone());
    let zeros = repeat(f32_(0.0), &row);
    let component = load(elem(idx.place(), usize_(0)));
    let body = block(vec![
        a.init(repeat(f32_(1.5), &row)),
        b.init(repeat(zeros, &grid)),
        c.init(a.get()),
        c.set(repeat(load(elem(a.place(), component)), &row)),
        for_(
            0,
            range(&k, usize_(0), const_(0, Type::USIZE)),
            vec![assign_op(
                BinaryOp::Add,
                elem(elem(b.place(), k.get()), k.get()),
                load(elem(c.place(), k.get())),
            )],
        ),
        assign(
            out.at(idx.get()),
            load(elem(elem(b.place(), usize_(0)), usize_(0))),
        ),
    ]);
    let mut module = module(Domain::Range { rank: 1 }, vec![f.finish(body)]);
    module.consts.push(constant("N", Scalar::Usize));
    let artifact = valid(&module);
    let arrays = artifact
        .faults
        .iter()
        .filter(|site| site.kind == FaultKind::ArrayOutOfBounds);
    // `a[idx]` and the literal zeros, of which the compiler does not know the bound.
    assert_eq!(arrays.count(), 3);
}

#[test]
fn tuples_units_and_temporaries() {
    let pair = Type::Tuple(vec![Type::U32, Type::Tuple(vec![Type::Unit, Type::BOOL])]);
    let inner = Type::Tuple(vec![Type::Unit, Type::BOOL]);
    let mut f = Fun::new("tuples");
    let idx = f.param("idx", Type::Index(1));
    let out = f.param("out", view(Type::U32, 1, true));
    let t = f.var("t", pair.clone());
    let unit = expr(ExprKind::Unit, Type::Unit);
    let made = construct(
        pair,
        vec![u32_(1), construct(inner.clone(), vec![unit, bool_(true)])],
    );
    let nothing = field(field(t.place(), 1, inner.clone()), 0, Type::Unit);
    let truth = field(field(t.place(), 1, inner.clone()), 1, Type::BOOL);
    let part = expr(ExprKind::Field(Box::new(t.get()), 0), Type::U32);
    let body = block(vec![
        t.init(made),
        stmt(load(nothing)),
        when(load(truth), vec![assign(out.at(idx.get()), part)]),
    ]);
    valid(&module(Domain::Range { rank: 1 }, vec![f.finish(body)]));
}

#[test]
fn every_domain() {
    for rank in 1..=5 {
        let mut f = Fun::new("domain");
        let idx = f.param("idx", Type::Index(rank));
        let out = f.param("out", view(Type::F32, rank, true));
        let body = block(vec![assign(out.at(idx.get()), f32_(1.0))]);
        valid(&module(Domain::Range { rank }, vec![f.finish(body)]));
    }
    for rank in 1..=3_u32 {
        let tile = [Len::Literal(2), Len::Literal(4), Len::Literal(8)][..rank as usize].to_vec();
        let mut f = Fun::new("tiled");
        let t_idx = f.param("t_idx", Type::TiledIndex(rank));
        let out = f.param("out", view(Type::F32, rank, true));
        let global = field(t_idx.place(), TiledField::Global as u32, Type::Index(rank));
        let body = block(vec![assign(out.at(load(global)), f32_(1.0))]);
        valid(&module(Domain::Tiled { tile }, vec![f.finish(body)]));
    }
}

/// A kernel that exchanges two elements of tile_static memory around `sync`.
fn exchange(sync: ExprKind) -> Module {
    let mut f = Fun::new("exchange");
    let t_idx = f.param("t_idx", Type::TiledIndex(1));
    let source = f.param("source", view(Type::F32, 1, false));
    let out = f.param("out", view(Type::F32, 1, true));
    let local = field(t_idx.place(), TiledField::Local as u32, Type::Index(1));
    let global = || {
        load(field(
            t_idx.place(),
            TiledField::Global as u32,
            Type::Index(1),
        ))
    };
    let mine = load(elem(local, usize_(0)));
    let shared = |index| elem(tile_static_place(0, array(Type::F32, 64)), index);
    let body = block(vec![
        assign(shared(mine.clone()), load(source.at(global()))),
        assign(out.at(global()), f32_(1.0)),
        stmt(expr(sync, Type::Unit)),
        assign(out.at(global()), load(shared(mine))),
    ]);
    let tile = vec![Len::Literal(64)];
    let mut module = module(Domain::Tiled { tile }, vec![f.finish(body)]);
    module
        .tile_statics
        .push(tile_static("shared", array(Type::F32, 64)));
    module
}

#[test]
fn every_barrier_and_fence() {
    // AcquireRelease, MakeAvailable, MakeVisible; then UniformMemory, WorkgroupMemory.
    const BASE: u32 = 0x8 | 0x2000 | 0x4000;
    for (fence, memory) in [
        (MemoryFence::All, 0x40 | 0x100),
        (MemoryFence::Global, 0x40),
        (MemoryFence::TileStatic, 0x100),
    ] {
        for (kind, is_barrier) in [
            (ExprKind::Barrier(fence), true),
            (ExprKind::Fence(fence), false),
        ] {
            let module = exchange(kind);
            let artifact = compile(&module).expect("nothing is wrong");
            assert_eq!(artifact.has_barrier, is_barrier);
            let Some(text) = disassemble(&artifact) else {
                return;
            };
            let semantics = BASE | memory;
            let operand = format!("%uint_{semantics}");
            let expected = if is_barrier {
                format!("OpControlBarrier %uint_2 %uint_2 {operand}")
            } else {
                format!("OpMemoryBarrier %uint_2 {operand}")
            };
            assert!(text.contains(&expected), "{expected} in\n{text}");
            let shared = fence != MemoryFence::Global;
            let global = fence != MemoryFence::TileStatic;
            // Two accesses of tile_static memory, two writes through a mutable view.
            let wanted = 2 * usize::from(shared) + 2 * usize::from(global);
            assert_eq!(count(&text, "NonPrivatePointer"), wanted, "{text}");
        }
    }
}

#[test]
fn constants_of_every_type() {
    let mut f = Fun::new("constants");
    let idx = f.param("idx", Type::Index(1));
    let out = f.param("out", view(Type::F32, 1, true));
    let sum = bin(
        BinaryOp::Add,
        cast(const_(0, Type::I32), Type::F32),
        bin(
            BinaryOp::Add,
            cast(const_(1, Type::U32), Type::F32),
            const_(2, Type::F32),
        ),
    );
    let body = block(vec![when(
        const_(3, Type::BOOL),
        vec![assign(out.at(idx.get()), sum)],
    )]);
    let mut module = module(Domain::Range { rank: 1 }, vec![f.finish(body)]);
    module.consts = vec![
        constant("I", Scalar::I32),
        constant("U", Scalar::U32),
        constant("F", Scalar::F32),
        constant("B", Scalar::Bool),
    ];
    let Some(text) = listing(&module) else {
        return;
    };
    for (name, number) in [("I", 16), ("U", 17), ("F", 18), ("B", 19)] {
        assert!(text.contains(&format!("OpDecorate %{name} SpecId {number}")));
    }
}

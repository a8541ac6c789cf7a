//! Which memory barriers and fences order, given what the kernel does around them.

use amp_spirv::artifact::Artifact;
use amp_spirv::ir::*;

use crate::check::{instructions, valid};
use crate::ir::*;

/// Bit of a fence's semantics that orders the elements of views.
const UNIFORM: u32 = 0x40;
/// Bit that orders tile_static variables.
const WORKGROUP: u32 = 0x100;

/// A tiled kernel whose view `c` can be written, and `a` can not.
struct Scene {
    f: Fun,
    a: Var,
    c: Var,
    i: Var,
    x: Var,
}

impl Scene {
    /// An element of a view, the same for all threads.
    fn element(view: &Var) -> Place {
        view.at(index(vec![usize_(0)]))
    }

    fn write(&self) -> Statement {
        assign(Self::element(&self.c), u32_(1))
    }

    fn read(&self) -> Statement {
        self.x.set(load(Self::element(&self.c)))
    }

    fn read_only(&self) -> Statement {
        self.x.set(load(Self::element(&self.a)))
    }

    fn rounds(&self, body: Vec<Statement>) -> Statement {
        for_(0, range(&self.i, usize_(0), usize_(4)), body)
    }
}

fn kernel(helpers: Vec<Function>, body: impl FnOnce(&mut Scene) -> Vec<Statement>) -> Module {
    let mut f = Fun::new("kernel");
    f.param("t_idx", Type::TiledIndex(1));
    let a = f.param("a", view(Type::U32, 1, false));
    let c = f.param("c", view(Type::U32, 1, true));
    let i = f.var("i", Type::USIZE);
    let x = f.var("x", Type::U32);
    let mut scene = Scene { f, a, c, i, x };
    let mut statements = vec![scene.x.init(u32_(0))];
    statements.extend(body(&mut scene));
    let function = scene.f.finish(block(statements));
    let functions = helpers.into_iter().chain([function]).collect();
    let tile = vec![Len::Literal(8)];
    module(Domain::Tiled { tile }, functions)
}

fn barrier(fence: MemoryFence) -> Expr {
    expr(ExprKind::Barrier(fence), Type::Unit)
}

fn wait() -> Statement {
    stmt(barrier(MemoryFence::All))
}

/// The value of the constant that an instruction ends with.
fn last_constant(artifact: &Artifact, op: &str) -> Vec<u32> {
    let constants = instructions(artifact, "Constant");
    let value = |id: u32| {
        let constant = constants.iter().find(|words| words[2] == id);
        constant.expect("semantics are a constant")[3]
    };
    instructions(artifact, op)
        .iter()
        .map(|words| value(*words.last().expect("it has operands")))
        .collect()
}

/// For each barrier whether it orders views.
pub fn ordering(module: &Module) -> Vec<bool> {
    let artifact = valid(module);
    let semantics = last_constant(&artifact, "ControlBarrier");
    semantics.iter().map(|bits| bits & UNIFORM != 0).collect()
}

#[test]
fn barrier_between_accesses_one_of_which_writes_orders_them() {
    let around = |before: fn(&Scene) -> Statement, after: fn(&Scene) -> Statement| {
        ordering(&kernel(vec![], |s| vec![before(s), wait(), after(s)]))
    };
    assert_eq!(around(Scene::write, Scene::write), [true]);
    assert_eq!(around(Scene::write, Scene::read), [true]);
    assert_eq!(around(Scene::read, Scene::write), [true]);
    assert_eq!(around(Scene::read, Scene::read), [false]);
    assert_eq!(around(Scene::write, Scene::read_only), [false]);
    assert_eq!(around(Scene::read_only, Scene::write), [false]);
}

#[test]
fn barrier_with_accesses_on_one_side_orders_none() {
    let both = |s: &Scene| vec![s.read(), s.write()];
    let after = kernel(vec![], |s| [vec![wait()], both(s)].concat());
    assert_eq!(ordering(&after), [false]);
    let before = kernel(vec![], |s| [both(s), vec![wait()]].concat());
    assert_eq!(ordering(&before), [false]);
}

#[test]
fn each_barrier_is_judged_for_itself() {
    let module = kernel(vec![], |s| {
        vec![
            wait(),
            s.write(),
            wait(),
            s.read_only(),
            wait(),
            s.read(),
            wait(),
        ]
    });
    assert_eq!(ordering(&module), [false, true, true, false]);
}

#[test]
fn round_of_a_loop_comes_before_and_after_the_next() {
    let once = kernel(vec![], |s| vec![s.rounds(vec![wait(), s.write()])]);
    assert_eq!(ordering(&once), [true]);
    let outer = kernel(vec![], |s| {
        let k = s.f.var("k", Type::USIZE);
        let inner = s.rounds(vec![wait()]);
        vec![for_(
            1,
            range(&k, usize_(0), usize_(2)),
            vec![inner, s.write()],
        )]
    });
    assert_eq!(ordering(&outer), [true]);
    let behind = kernel(vec![], |s| vec![s.rounds(vec![wait()]), s.write()]);
    assert_eq!(ordering(&behind), [false]);
    let condition = kernel(vec![], |s| {
        let waits = valued(vec![wait()], bool_(true));
        let condition = expr(ExprKind::Block(Box::new(waits)), Type::BOOL);
        vec![while_(0, condition, vec![s.write()])]
    });
    assert_eq!(ordering(&condition), [true]);
}

#[test]
fn access_follows_the_barriers_in_its_operands() {
    let waits = |value: Expr| {
        let ty = value.ty.clone();
        expr(ExprKind::Block(Box::new(valued(vec![wait()], value))), ty)
    };
    let value = kernel(vec![], |s| {
        vec![s.write(), assign(Scene::element(&s.c), waits(u32_(2)))]
    });
    assert_eq!(ordering(&value), [true]);
    let place = kernel(vec![], |s| {
        let inner = s.c.at(index(vec![waits(usize_(0))]));
        vec![s.write(), s.x.set(load(inner))]
    });
    assert_eq!(ordering(&place), [true]);
    let mut writes = Fun::new("writes");
    let c = writes.param("c", view(Type::U32, 1, true));
    let x = writes.param("x", Type::U32);
    let writes = writes.finish(block(vec![assign(Scene::element(&c), x.get())]));
    let argument = kernel(vec![writes], |s| {
        let call = call(0, Type::Unit, vec![view_arg(&s.c), waits(u32_(3))]);
        vec![s.write(), stmt(call)]
    });
    assert_eq!(ordering(&argument), [true]);
}

#[test]
fn helpers_are_part_of_their_callers() {
    let waits = || Fun::new("waits").finish(block(vec![wait()]));
    let calls = || stmt(call(0, Type::Unit, vec![]));
    let between = kernel(vec![waits()], |s| vec![s.write(), calls(), s.read()]);
    assert_eq!(ordering(&between), [true]);
    let behind = kernel(vec![waits()], |s| vec![s.write(), calls()]);
    assert_eq!(ordering(&behind), [false]);
    // One function for both calls.
    let twice = kernel(vec![waits()], |s| vec![calls(), s.write(), calls()]);
    assert_eq!(ordering(&twice), [true]);
    let mut reads = Fun::new("reads");
    let v = reads.param("v", view(Type::U32, 1, false));
    let value = load(Scene::element(&v));
    let reads = reads.returning(Type::U32, valued(vec![], value));
    // A helper that only reads is handed a view that the kernel writes.
    let through = kernel(vec![reads], |s| {
        let read = call(0, Type::U32, vec![view_arg(&s.c)]);
        vec![s.write(), wait(), s.x.set(read)]
    });
    assert_eq!(ordering(&through), [true]);
}

#[test]
fn barrier_with_nothing_to_order_is_still_one() {
    let of = |fence| {
        let module = kernel(vec![], |s| vec![stmt(barrier(fence)), s.write()]);
        last_constant(&valid(&module), "ControlBarrier")
    };
    const REST: u32 = 0x8 | 0x2000 | 0x4000;
    assert_eq!(of(MemoryFence::All), [REST | WORKGROUP]);
    assert_eq!(of(MemoryFence::TileStatic), [REST | WORKGROUP]);
    assert_eq!(of(MemoryFence::Global), [0]);
}

#[test]
fn free_fences_stay_as_they_are_written() {
    for (fence, memory) in [
        (MemoryFence::All, UNIFORM | WORKGROUP),
        (MemoryFence::Global, UNIFORM),
        (MemoryFence::TileStatic, WORKGROUP),
    ] {
        let fence = expr(ExprKind::Fence(fence), Type::Unit);
        let module = kernel(vec![], |s| {
            // Threads that have not written look at what others wrote.
            let first = bin(BinaryOp::Eq, s.x.get(), u32_(0));
            let yes = block(vec![s.read()]);
            let no = block(vec![s.write(), stmt(fence)]);
            vec![stmt(if_(first, yes, no))]
        });
        let found = last_constant(&valid(&module), "MemoryBarrier");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0] & (UNIFORM | WORKGROUP), memory);
    }
}

fn atomic(op: AtomicOp, place: Place, operands: Vec<Expr>) -> Expr {
    let ty = match op {
        AtomicOp::Store => Type::Unit,
        _ => place.ty.clone(),
    };
    let atomic = Atomic {
        op,
        place,
        operands,
    };
    expr(ExprKind::Atomic(Box::new(atomic)), ty)
}

#[test]
fn atomic_operations_are_accesses() {
    let load = |s: &Scene| stmt(atomic(AtomicOp::Load, Scene::element(&s.c), vec![]));
    let store = |s: &Scene| stmt(atomic(AtomicOp::Store, Scene::element(&s.c), vec![u32_(1)]));
    let between = |before: fn(&Scene) -> Statement, after: &dyn Fn(&Scene) -> Statement| {
        ordering(&kernel(vec![], |s| vec![before(s), wait(), after(s)]))
    };
    assert_eq!(between(Scene::write, &load), [true]);
    assert_eq!(between(Scene::read, &load), [false]);
    assert_eq!(between(Scene::read, &store), [true]);
}

#[test]
fn device_fence_orders_views_for_all_tiles() {
    let module = kernel(vec![], |s| {
        let fence = expr(ExprKind::DeviceFence, Type::Unit);
        let flag = s.c.at(index(vec![usize_(1)]));
        vec![
            s.write(),
            stmt(fence),
            stmt(atomic(AtomicOp::Store, flag, vec![u32_(1)])),
        ]
    });
    let artifact = valid(&module);
    assert_eq!(
        last_constant(&artifact, "MemoryBarrier"),
        [0x8 | 0x2000 | 0x4000 | UNIFORM]
    );
    let constants = instructions(&artifact, "Constant");
    let value = |id: u32| constants.iter().find(|words| words[2] == id).unwrap()[3];
    // The queue family.
    assert_eq!(value(instructions(&artifact, "MemoryBarrier")[0][1]), 5);
    assert_eq!(value(instructions(&artifact, "AtomicStore")[0][2]), 5);
    // The write before it is one that others may see.
    let stores = instructions(&artifact, "Store");
    assert!(stores.iter().any(|words| words.get(3) == Some(&0x22)));
}

/// Every operation on both types, in both kinds of memory.
#[test]
fn every_atomic_operation_is_valid() {
    use AtomicOp::*;
    let all = [
        Store,
        Load,
        Exchange,
        CompareExchange,
        Add,
        Sub,
        Min,
        Max,
        And,
        Or,
        Xor,
    ];
    for (ty, one) in [(Type::U32, u32_(1)), (Type::I32, i32_(1))] {
        let mut f = Fun::new("kernel");
        f.param("t_idx", Type::TiledIndex(1));
        let c = f.param("c", view(ty.clone(), 1, true));
        let mut statements = vec![];
        for op in all {
            let operands = match op {
                Load => vec![],
                CompareExchange => vec![one.clone(), one.clone()],
                _ => vec![one.clone()],
            };
            let element = c.at(index(vec![usize_(0)]));
            statements.push(stmt(atomic(op, element, operands.clone())));
            let shared = tile_static_place(0, ty.clone());
            statements.push(stmt(atomic(op, shared, operands)));
        }
        let function = f.finish(block(statements));
        let tile = vec![Len::Literal(8)];
        let mut module = module(Domain::Tiled { tile }, vec![function]);
        module.tile_statics = vec![tile_static("shared", ty.clone())];
        let artifact = valid(&module);
        let signed = instructions(&artifact, "AtomicSMin").len();
        assert_eq!(signed, if ty == Type::I32 { 2 } else { 0 });
    }
}

//! Which memory barriers and fences order, given what the kernel does around them.

use amp_spirv::artifact::Artifact;
use amp_spirv::tree::Module;

use crate::check::{instructions, read, valid};

/// Bit of a fence's semantics that orders the elements of views.
const UNIFORM: u32 = 0x40;
/// Bit that orders tile_static variables.
const WORKGROUP: u32 = 0x100;

const WRITE: &str = "c[0usize] = 1u32;";
const READ: &str = "x = c[0usize];";
const READ_ONLY: &str = "x = a[0usize];";
const WAIT: &str = "barrier(All);";

/// A tiled kernel whose view `c` can be written, and `a` can not, behind helpers.
pub fn tiled(helpers: &str, body: &str) -> Module {
    let number = helpers.matches("fn ").count();
    read(&format!(
        "kernel k over tiles of 8
{helpers}
fn k#{number}(t_idx: TiledIndex<1>, a: &ArrayView<u32, 1>, c: &mut ArrayViewMut<u32, 1>) {{
    let x = 0u32;
    {body}
}}"
    ))
}

/// Such a kernel that does one after the other.
fn kernel(statements: &[&str]) -> Module {
    tiled("", &statements.join("\n"))
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
    let around = |before, after| ordering(&kernel(&[before, WAIT, after]));
    assert_eq!(around(WRITE, WRITE), [true]);
    assert_eq!(around(WRITE, READ), [true]);
    assert_eq!(around(READ, WRITE), [true]);
    assert_eq!(around(READ, READ), [false]);
    assert_eq!(around(WRITE, READ_ONLY), [false]);
    assert_eq!(around(READ_ONLY, WRITE), [false]);
}

#[test]
fn barrier_with_accesses_on_one_side_orders_none() {
    assert_eq!(ordering(&kernel(&[WAIT, READ, WRITE])), [false]);
    assert_eq!(ordering(&kernel(&[READ, WRITE, WAIT])), [false]);
}

#[test]
fn each_barrier_is_judged_for_itself() {
    let module = kernel(&[WAIT, WRITE, WAIT, READ_ONLY, WAIT, READ, WAIT]);
    assert_eq!(ordering(&module), [false, true, true, false]);
}

#[test]
fn round_of_a_loop_comes_before_and_after_the_next() {
    let rounds = |body| format!("'0: for i in (0usize..4usize) {{ {body} }}");
    let (waits, writes) = (rounds(WAIT.to_owned()), rounds(format!("{WAIT} {WRITE}")));
    assert_eq!(ordering(&kernel(&[&writes])), [true]);
    let outer = format!("'1: for k in (0usize..2usize) {{ {waits} {WRITE} }}");
    assert_eq!(ordering(&kernel(&[&outer])), [true]);
    assert_eq!(ordering(&kernel(&[&waits, WRITE])), [false]);
    let condition = format!("'0: while ({{ {WAIT} true }}) {{ {WRITE} }}");
    assert_eq!(ordering(&kernel(&[&condition])), [true]);
}

#[test]
fn access_follows_the_barriers_in_its_operands() {
    let value = "c[0usize] = { barrier(All); 2u32 };";
    assert_eq!(ordering(&kernel(&[WRITE, value])), [true]);
    let place = "x = c[{ barrier(All); 0usize }];";
    assert_eq!(ordering(&kernel(&[WRITE, place])), [true]);
    let writes = "fn writes#0(c: &mut ArrayViewMut<u32, 1>, x: u32) { c[0usize] = x; }";
    let argument = "c[0usize] = 1u32; call writes#0(c, { barrier(All); 3u32 });";
    assert_eq!(ordering(&tiled(writes, argument)), [true]);
}

#[test]
fn helpers_are_part_of_their_callers() {
    let of = |body: &[&str]| {
        let helper = "fn waits#0() { barrier(All); }";
        ordering(&tiled(helper, &body.join("\n")))
    };
    let calls = "call waits#0();";
    assert_eq!(of(&[WRITE, calls, READ]), [true]);
    assert_eq!(of(&[WRITE, calls]), [false]);
    // One function for both calls.
    assert_eq!(of(&[calls, WRITE, calls]), [true]);
    // A helper that only reads is handed a view that the kernel writes.
    let reads = "fn reads#0(v: &ArrayView<u32, 1>) -> u32 { v[0usize] }";
    let through = tiled(
        reads,
        "c[0usize] = 1u32; barrier(All); x = call reads#0(c);",
    );
    assert_eq!(ordering(&through), [true]);
}

#[test]
fn barrier_with_nothing_to_order_is_still_one() {
    let of = |barrier| last_constant(&valid(&kernel(&[barrier, WRITE])), "ControlBarrier");
    const REST: u32 = 0x8 | 0x2000 | 0x4000;
    assert_eq!(of("barrier(All);"), [REST | WORKGROUP]);
    assert_eq!(of("barrier(TileStatic);"), [REST | WORKGROUP]);
    assert_eq!(of("barrier(Global);"), [0]);
}

#[test]
fn free_fences_stay_as_they_are_written() {
    for (fence, memory) in [
        ("All", UNIFORM | WORKGROUP),
        ("Global", UNIFORM),
        ("TileStatic", WORKGROUP),
    ] {
        // Threads that have not written look at what others wrote.
        let both = format!("if (x == 0u32) {{ {READ} }} else {{ {WRITE} fence({fence}); }}");
        let found = last_constant(&valid(&kernel(&[&both])), "MemoryBarrier");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0] & (UNIFORM | WORKGROUP), memory);
    }
}

#[test]
fn atomic_operations_are_accesses() {
    let between = |before, after| ordering(&kernel(&[before, WAIT, after]));
    let (load, store) = ("atomic Load(c[0usize]);", "atomic Store(c[0usize], 1u32);");
    assert_eq!(between(WRITE, load), [true]);
    assert_eq!(between(READ, load), [false]);
    assert_eq!(between(READ, store), [true]);
}

#[test]
fn device_fence_orders_views_for_all_tiles() {
    let module = kernel(&[WRITE, "device_fence;", "atomic Store(c[1usize], 1u32);"]);
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
    for ty in ["u32", "i32"] {
        let operations = [
            ("Store", 1),
            ("Load", 0),
            ("Exchange", 1),
            ("CompareExchange", 2),
            ("Add", 1),
            ("Sub", 1),
            ("Min", 1),
            ("Max", 1),
            ("And", 1),
            ("Or", 1),
            ("Xor", 1),
        ];
        let on = |place: &str| -> String {
            let one = |(op, operands)| {
                let operands = format!(", 1{ty}").repeat(operands);
                format!("atomic {op}({place}{operands});\n")
            };
            operations.into_iter().map(one).collect()
        };
        let (element, shared) = (on("c[0usize]"), on("shared@0"));
        let module = read(&format!(
            "kernel k over tiles of 8
tile_static shared@0: {ty}
fn k#0(t_idx: TiledIndex<1>, c: &mut ArrayViewMut<{ty}, 1>) {{
{element}{shared}
}}"
        ));
        let artifact = valid(&module);
        let signed = instructions(&artifact, "AtomicSMin").len();
        assert_eq!(signed, if ty == "i32" { 2 } else { 0 });
    }
}

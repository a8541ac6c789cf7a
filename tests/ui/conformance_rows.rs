//! The restrictions of C++ AMP as Microsoft's conformance suite tests them: rows 1 to 53 of
//! the conformance list, each with the name of its programs there. What has no counterpart
//! in Rust is left out: bit-fields (9), `goto` (29), restriction specifiers (53).

#![allow(unused)]

use amp::prelude::*;

/// Row 1, 2_4_1_2_Fund_Type/Negative: types without a counterpart on devices.
#[amp_kernel]
fn row_001(idx: Index<1>, letter: char, wide: i128) {
    let local: u128 = 1;
}

/// Row 3, Type_Qual/Local_variable/Negative/Test07: `volatile`.
#[amp_kernel]
fn row_003(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    let x = 1;
    c[idx] = std::ptr::read_volatile(&x);
}

/// Row 5, PointerArrayElementType, PointerToPointer.
#[amp_kernel]
fn row_005(idx: Index<1>, of_pointers: [&i32; 5], to_pointer: &&i32) {}

/// Row 7, Class.02: a struct that nests one with a pointer.
#[amp_struct]
struct WithPointer {
    pointer: *const f32,
}

#[amp_struct]
struct Row007 {
    inner: WithPointer,
}

/// Row 9, Enums.01: an enum over `char`. Kernels have narrow numbers, and enums of them; none of 64 bits.
#[amp_enum]
#[repr(u64)]
enum Row009 {
    Zero,
}

/// Row 11, LC/Negative/1d/Test01 to Test04: references and pointers to views, arrays.
#[amp_struct]
struct Row011<'a> {
    by_reference: &'a ArrayView<'a, f32, 1>,
    by_pointer: *const ArrayView<'a, f32, 1>,
    array: Array<f32, 1>,
    array_by_pointer: *const Array<f32, 1>,
}

/// Row 13, RefToPointer/Test.05, Reference/Test.08.
#[amp_kernel]
fn row_013(idx: Index<1>, captured: &&mut f32, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = std::mem::transmute(1_u32);
}

/// Row 15, Function_parameters/Negative/Test.02: a reference to a function.
#[amp_kernel]
fn row_015(idx: Index<1>, f: fn(i32) -> i32, c: &mut ArrayViewMut<i32, 1>) {
    c[idx] = f(1);
}

/// Row 17, out_of_range.01.
#[amp_kernel]
fn row_017(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = 3.40282357e+38_f32;
    let double = 1.7976931348623159e+308_f64;
}

static GLOBAL: i32 = 1;
static mut EXTERN: i32 = 1;

/// Row 19, ExternVariable.01, GlobalVariable.01, StaticMember.01.
#[amp_kernel]
fn row_019_global(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    c[idx] = GLOBAL;
}

#[amp_kernel]
fn row_019_mutable(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    c[idx] = EXTERN;
}

/// Row 21, CaptureBadType.03, Test.04: pointers, arrays by value.
#[amp_kernel]
fn row_021(idx: Index<1>, slice: &[f32], array: Array<f32, 1>) {}

/// Row 23, Tile_staticPointer, Tile_staticReference, Test10, Test19.
#[amp_kernel]
fn row_023(t_idx: TiledIndex<1, 16>) {
    #[tile_static]
    let mut pointer: *mut f32;
    #[tile_static]
    let mut reference: &f32;
    #[tile_static]
    let mut nested: [&'static f32; 2];
}

/// Row 27, Bool.01: arithmetic on pointers to `bool`.
#[amp_kernel]
fn row_027(idx: Index<1>, flags: *const bool) {
    let next = flags.add(1);
}

/// Row 29, Throw.01, TryCatch.01.
#[amp_kernel]
fn row_029(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    let caught = std::panic::catch_unwind(1);
    c[idx] = c[idx]?;
    'block: {
        continue 'block;
    }
}

/// Row 31, OV/Test06, OV/Test07, destructor.03.
#[amp_kernel]
fn row_031(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    let boxed = Box::new(1);
    let list = Vec::new();
    let text = String::from(2);
    let raw = std::alloc::alloc(3);
}

fn for_hosts(x: i32) -> i32 {
    x
}

/// Rows 33 and 35, OV/Negative/Test.17, CallingContext.01: at any depth.
#[amp_fn]
fn row_033(x: i32) -> i32 {
    for_hosts(x)
}

struct Host;

impl Host {
    fn make() -> i32 {
        1
    }
}

/// Row 35, CallingContext.11.
#[amp_kernel]
fn row_035(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    c[idx] = Host::make();
}

/// Row 37, CaptureByReference.01.
#[amp_kernel]
fn row_037(idx: Index<1>, x: &i32, y: &f32) {}

/// Row 39, AR/Restrict/Test.01, AV/WithoutDataSource/Negative/Test.01.
#[amp_kernel]
fn row_039(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    let array = Array::zeroed(4);
    let view = ArrayViewMut::uninit([16, 16]);
}

/// Row 41, AV/5_2_4_i/Negative/Const.01.
#[amp_kernel]
fn row_041(idx: Index<1>, a: &ArrayView<i32, 1>) {
    a[idx] = 1;
}

/// Row 43, AG/negative: types that are no elements.
#[amp_struct]
struct Row043 {
    flag: bool,
}

#[amp_kernel]
fn row_043(
    idx: Index<1>,
    flags: &ArrayView<bool, 1>,
    structs: &ArrayView<Row043, 1>,
    views: &ArrayView<ArrayView<f32, 1>, 1>,
) {
}

/// Row 45, IX/4_1_2_c/Negative, in kernels.
#[amp_kernel]
fn row_045(idx: Index<0>, c: &mut ArrayViewMut<i32, 2>) {
    c[Index::new([1, 2, 3])] = 1;
}

/// Row 47, EX/4_2_3_m/tile/Negative, in kernels.
#[amp_kernel]
fn row_047_count(t_idx: TiledIndex<2, 16>) {}

#[amp_kernel]
fn row_047_zero(t_idx: TiledIndex<2, 16, 0>) {}

/// Row 49, B8/Test.01/1d, 2d, 3d, Test.02/1d, Test.03.
#[amp_kernel]
fn row_049_local(t_idx: TiledIndex<1, 16>) {
    if t_idx.local[0] % 2 == 0 {
        t_idx.barrier.wait();
    }
}

#[amp_kernel]
fn row_049_global(t_idx: TiledIndex<2, 4, 4>) {
    if (t_idx.global[0] * 4 + t_idx.global[1]) % 2 == 0 {
        t_idx.barrier.wait();
    }
}

#[amp_kernel]
fn row_049_flat(t_idx: TiledIndex<3, 2, 2, 2>) {
    let flat = t_idx.local[0] * 4 + t_idx.local[1] * 2 + t_idx.local[2];
    if flat % 2 == 0 {
        t_idx.barrier.wait();
    }
}

/// Of the specification, without a program in the suite: recursion, assembly, trait objects.
#[amp_fn]
fn recursive(n: u32) -> u32 {
    if n == 0 { 1 } else { n * recursive(n - 1) }
}

#[amp_kernel]
fn assembly(idx: Index<1>) {
    std::arch::asm!("nop");
}

#[amp_fn]
fn dynamic(f: &dyn Fn(i32) -> i32) -> i32 {
    f(1)
}

fn main() {}

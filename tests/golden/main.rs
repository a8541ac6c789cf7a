//! The SPIR-V of some kernels as text.
//!
//! Of one kernel for each family of constructs the whole text is under `snapshots/`, so that a
//! change of the compiler shows what it does to them: `INSTA_UPDATE=always cargo test -p
//! amp-tests --test golden` writes what is made now; read the difference before it is
//! committed. Of the others, the lines are here that each is about. Every module passes
//! `spirv-val` too, where that is installed (`AMP_REQUIRE_SPIRV_VAL=1` insists on it).

mod kernels;
mod lines;
mod listing;
mod probe;
mod tell;

use amp::__private::{Artifact, FaultKind, ParamKind};
use amp::{Array, Element};

use kernels::Body;

/// What the host passes, and where faults can happen.
fn interface(artifact: &Artifact) -> String {
    let place = if artifact.spilled {
        "a buffer"
    } else {
        "push constants"
    };
    let mut text = format!("; {} bytes in {place}\n", artifact.block_bytes);
    for param in &*artifact.params {
        let what = match param.kind {
            ParamKind::View {
                rank,
                element_bytes,
                reads,
                writes,
            } => {
                let access = [(reads, " read"), (writes, " written")];
                let access: String = access
                    .iter()
                    .filter(|(does, _)| *does)
                    .map(|(_, text)| *text)
                    .collect();
                format!("view of rank {rank}, {element_bytes} bytes each,{access}")
            }
            ParamKind::Value { bytes } => format!("value of {bytes} bytes"),
        };
        text += &format!("; {:3} {}: {what}\n", param.offset, param.name);
    }
    for remark in artifact.remarks.iter() {
        let place = listing::source_at(remark.line, remark.column);
        let within = if remark.in_loop { " in a loop" } else { "" };
        text += &format!("; {:?}{within} `{place}`\n", remark.kind);
    }
    for (number, fault) in artifact.faults.iter().enumerate() {
        let what = match fault.kind {
            FaultKind::OutOfBounds => "element",
            FaultKind::Section => "section",
            FaultKind::ArrayOutOfBounds => "part of an array",
            FaultKind::ZeroStep => "step",
            FaultKind::LoopCut => "loop",
            FaultKind::Message(number) => &artifact.messages[number as usize].format,
            _ => "operation",
        };
        let place = listing::source_at(fault.line, fault.column);
        text += &format!("; fault {number}: {what} `{place}`\n");
    }
    text
}

/// A module as text, with what the host knows of it.
fn text(artifact: &Artifact) -> String {
    testkit::validate(artifact);
    interface(artifact) + &listing::of(&artifact.spirv)
}

/// What a kernel is called with; none is run.
fn array<T: Element, const N: usize>(extent: [usize; N]) -> amp::Result<Array<T, N>> {
    Array::zeroed(extent)
}

/// Kernels whose whole text is compared.
macro_rules! whole {
    ($($name:ident($($arg:expr),*);)+) => {$(
        #[test]
        fn $name() -> amp::Result<()> {
            let text = text(kernels::$name($($arg),*).artifact());
            insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
                insta::assert_snapshot!(stringify!($name), text);
            });
            Ok(())
        }
    )+};
}

whole! {
    add_arrays(&array([5])?, &array([5])?, &mut array([5])?);
    mat_mul_tiled(&array([4, 4])?, &array([4, 4])?, &mut array([4, 4])?);
    labelled_loops(&array([4, 4])?, &mut array([4])?);
    exact_floats(&mut array([4])?);
    atomics(&mut array([8])?, &mut array([8])?);
}

/// Kernels with the lines that they are about.
macro_rules! lines {
    ($($name:ident($($arg:expr),*) has $patterns:expr;)+) => {$(
        #[test]
        fn $name() -> amp::Result<()> {
            lines::expect(&text(kernels::$name($($arg),*).artifact()), $patterns);
            Ok(())
        }
    )+};
}

lines! {
    wait(&mut array([8])?) has "
        ; Proven `shared[i] = 1;`
        ; AtLaunch(0) `v[t_idx.global] = 2;`
        ; Barrier { relaxed: false } ..
        OpStore .. %1u NonPrivatePointer
        OpStore .. %2u Aligned|NonPrivatePointer 4
        OpControlBarrier Workgroup Workgroup AcquireRelease|UniformMemory|WorkgroupMemory|MakeAvailable|MakeVisible
        = OpLoad .. NonPrivatePointer
        = OpLoad .. Aligned|NonPrivatePointer 4
        OpStore .. Aligned|NonPrivatePointer 4
        OpFunctionEnd
    ";
    wait_with_all_memory_fence(&mut array([8])?) has "
        OpStore .. %1u NonPrivatePointer
        OpStore .. %2u Aligned|NonPrivatePointer 4
        OpControlBarrier Workgroup Workgroup AcquireRelease|UniformMemory|WorkgroupMemory|MakeAvailable|MakeVisible
    ";
    wait_with_global_memory_fence(&mut array([8])?) has "
        OpStore .. %1u
        OpStore .. %2u Aligned|NonPrivatePointer 4
        OpControlBarrier Workgroup Workgroup AcquireRelease|UniformMemory|MakeAvailable|MakeVisible
        !NonPrivatePointer
        = OpLoad .. Aligned|NonPrivatePointer 4
    ";
    wait_with_tile_static_memory_fence(&mut array([8])?) has "
        OpStore .. %1u NonPrivatePointer
        OpStore .. %2u Aligned 4
        OpControlBarrier Workgroup Workgroup AcquireRelease|WorkgroupMemory|MakeAvailable|MakeVisible
        = OpLoad .. NonPrivatePointer
        = OpSelect %u32 .. %2u ..
        !OpLoad .. Aligned 4
        OpStore .. Aligned 4
    ";
    wait_without_global_memory(&array([8])?, &mut array([8])?) has "
        ; Barrier { relaxed: true } ..
        ; fault 1: part of an array `shared[7 - i];`
        = OpLoad .. Aligned 4
        OpStore .. NonPrivatePointer
        OpControlBarrier Workgroup Workgroup AcquireRelease|WorkgroupMemory|MakeAvailable|MakeVisible
        = OpLoad .. NonPrivatePointer
        OpStore .. Aligned 4
    ";
    all_fence(&mut array([8])?) has "
        OpStore .. %1u Aligned|NonPrivatePointer 4
        OpMemoryBarrier Workgroup AcquireRelease|UniformMemory|WorkgroupMemory|MakeAvailable|MakeVisible
        = OpLoad .. Aligned|NonPrivatePointer 4
        OpStore .. Aligned|NonPrivatePointer 4
        OpStore %last %3u NonPrivatePointer
    ";
    global_fence(&mut array([8])?) has "
        OpStore .. %1u Aligned|NonPrivatePointer 4
        OpMemoryBarrier Workgroup AcquireRelease|UniformMemory|MakeAvailable|MakeVisible
        = OpLoad .. Aligned|NonPrivatePointer 4
        OpStore .. Aligned|NonPrivatePointer 4
        OpStore %last %3u
    ";
    tile_static_fence(&mut array([8])?) has "
        OpStore .. %1u Aligned 4
        OpMemoryBarrier Workgroup AcquireRelease|WorkgroupMemory|MakeAvailable|MakeVisible
        = OpSelect %u32 .. %1u ..
        !OpLoad .. Aligned 4
        OpStore .. Aligned 4
        OpStore %last %3u NonPrivatePointer
    ";
    mat_mul_simple(&array([4, 4])?, &array([4, 4])?, &mut array([4, 4])?) has "
        OpFunction %void ..
        = OpPhi %f32 ..
        OpLoopMerge .. None
        OpBranchConditional ..
        = OpLoad %f32 .. Aligned 4
        = OpLoad %f32 .. Aligned 4
        = OpFMul %f32 .. ; NoContraction
        = OpFAdd %f32 .. ; NoContraction
        !OpLoad %f32 ..
        OpStore .. Aligned 4
        OpFunctionEnd
    ";
    asserts(&array([5])?, &mut array([5])?) has "
        ; fault 1: assertion failed: x >= 0 `assert!(x >= 0);`
        ; fault 2: seven `panic!(\"seven\");`
        = OpSGreaterThanEqual %bool .. %0i
        OpBranchConditional %checked ..
        = OpFunctionCall %void %amp::fault %1u %0u %0u
        = OpIEqual %bool .. %7i
        OpBranchConditional %checked ..
        = OpFunctionCall %void %amp::fault %2u %0u %0u
        OpReturn
        OpStore .. Aligned 4
        OpReturn
    ";
    atomic_types(&mut array([8])?) has "
        OpCapability Int64Atomics
        = OpAccessChain %u32*Workgroup %sums ..
        = OpBitcast %u32 ..
        OpStore .. NonPrivatePointer
        = OpAtomicSMax %i64 .. QueueFamily None %7u
        = OpAtomicLoad %u32 .. Workgroup None
        OpLoopMerge .. None
        = OpFAdd %f32 ..
        = OpAtomicCompareExchange %u32 .. Workgroup None None ..
        = OpConvertFToS %i64 ..
        OpStore .. Aligned|NonPrivatePointer 8
    ";
    subgroups(&mut array([8])?) has "
        OpCapability GroupNonUniform
        OpCapability GroupNonUniformArithmetic
        OpCapability GroupNonUniformVote
        OpCapability GroupNonUniformShuffle
        OpCapability GroupNonUniformBallot
        = OpGroupNonUniformFAdd %f32 Subgroup InclusiveScan ..
        = OpGroupNonUniformFMin %f32 Subgroup Reduce ..
        = OpGroupNonUniformAny %bool Subgroup ..
        = OpLoad %u32 %SubgroupSize
        = OpGroupNonUniformBallotBitExtract %bool Subgroup ..
        = OpGroupNonUniformShuffle %f32 Subgroup ..
        = OpSelect %f32 .. %null(f32)
        = OpGroupNonUniformElect %bool Subgroup
    ";
    fast_math(&mut array([4])?) has "
        !OpExecutionMode %main DenormPreserve 32
        = OpFOrdLessThan %bool .. %0.0
        !; NoContraction
        = OpFMul %f32 ..
        !; NoContraction
        = OpFAdd %f32 .. %1.0
        = OpExtInst %f32 %glsl Sqrt ..
    ";
    fast_helper(&mut array([4])?) has "
        OpExecutionMode %main DenormPreserve 32
        %fast_length = OpFunction ..
        !; NoContraction
        = OpFMul %f32 ..
        = OpExtInst %f32 %glsl Sqrt ..
        OpFunctionEnd
        = OpFunctionCall %f32 %fast_length ..
        = OpFMul %f32 .. ; NoContraction
        = OpFAdd %f32 .. ; NoContraction
    ";
    rank_3(&mut array([2, 3, 4])?) has "
        ; 52 bytes in push constants
        ; AtLaunch(0) ..
        = OpULessThan %bool ..
        = OpULessThan %bool ..
        = OpULessThan %bool ..
        = OpLogicalAnd %bool ..
        = OpLogicalAnd %bool ..
        = OpLogicalOr %bool %LogicalOr(LogicalNot(checked),INotEqual(BitwiseAnd(proven,1u),0u)) ..
        = OpIMul %u32 ..
        = OpIMul %u32 ..
        OpStore .. Aligned 4
        = OpFunctionCall %void %amp::fault %0u ..
    ";
    vector_elements(&array([4])?, &array([4])?, &array([4])?, &mut array([4])?) has "
        OpDecorate %[f32x4] ArrayStride 16
        OpDecorate %[f32x3] ArrayStride 12
        = OpLoad %f32x4 .. Aligned 16
        = OpLoad %i32 .. Aligned 4
        = OpLoad %f32x3 .. Aligned 4
        OpStore .. Aligned 16
    ";
    struct_elements(&mut array([4])?) has "
        OpMemberDecorate %Body 0 Offset 0
        OpMemberDecorate %Body 1 Offset 12
        OpDecorate %[Body] ArrayStride 16
        = OpLoad %Body .. Aligned 4
        = OpCopyLogical %Body.2 ..
        = OpAccessChain %f32*PhysicalStorageBuffer %bodies %0u .. %0u %1u
        OpStore .. Aligned 4
        = OpCopyLogical %Body ..
        OpStore .. Aligned 4
    ";
    helper_with_a_view(&array([2, 3])?, &mut array([2])?) has "
        ; fault 0: element `a[[row, column]];`
        %helper_with_a_view = OpFunction ..
        !OpFunctionCall %i32 %row_sum ..
        OpLoopMerge .. None
        = OpLoad %i32 .. Aligned 4
        = OpFunctionCall %void %amp::fault %0u ..
        OpStore .. Aligned 4
        OpFunctionEnd
    ";
    sections(&array([4, 4])?, &mut array([4])?) has "
        ; fault 1: section `a.section([1, 0], [2, 3]);`
        %sections = OpFunction ..
        = OpFunctionCall %void %amp::fault %1u ..
        = OpSelect %u32 .. %0u
        = OpAccessChain %i32*PhysicalStorageBuffer .. %0u ..
        = OpBitcast %ArrayView*PhysicalStorageBuffer ..
        = OpSelect %u32 .. %2u %0u
        = OpSelect %u32 .. %3u %0u
        = OpBitcast %ArrayViewMut.2*PhysicalStorageBuffer %c
        OpLoopMerge .. None
        OpStore .. Aligned 4
    ";
    unrolled(&mut array([4])?) has "
        OpLoopMerge .. Unroll
        OpLoopMerge .. None
        OpLoopMerge .. Unroll
        OpFunctionEnd
    ";
    ranges(9, 2, &mut array([4])?) has "
        ; fault 1: step `step) {`
        ; fault 3: loop `for k in (0..to).rev() {`
        = OpSLessThan %bool %0i %to
        OpLoopMerge .. None
        = OpSLessThan %bool %to %0i
        = OpINotEqual %bool %step %0u
        = OpFunctionCall %void %amp::fault %1u ..
        = OpUDiv %u32 ..
        OpLoopMerge .. None
        OpFunctionEnd
    ";
    wide_index(&array([4, 4])?, 1, &mut array([4, 4])?) has "
        ; 112 bytes in push constants
        ;  72 from: value of 8 bytes
        ; AtLaunch(1) ..
        ; AtLaunch(0) ..
        ; Proven `weights[idx[0] % 2];`
        OpCapability Int64
        = OpIAdd %u64 .. %from
        = OpULessThan %bool ..
        = OpULessThan %bool ..
        = OpSelect %u64 %far ..
        = OpConvertUToPtr %ArrayView*PhysicalStorageBuffer ..
        = OpLoad %f32 .. Aligned 4
        = OpFunctionCall %void %amp::fault %0u .. .. .. ..
        !OpUMod ..
        OpFunctionEnd
    ";
    spilled_arguments(&array([2, 2])?, &array([2, 2])?, &array([2, 2])?, [0.0; 9], (true, 1), Body::default(), &mut array([2, 2])?) has "
        ; 172 bytes in a buffer
        ;  92 weights: value of 36 bytes
        ; 128 choice: value of 8 bytes
        ; 136 body: value of 16 bytes
        OpMemberDecorate %Arguments 16 Offset 92
        OpMemberDecorate %Arguments 18 Offset 136
        OpMemberDecorate %PushConstants 0 Offset 0
        = OpCompositeExtract %bool %choice 0
        = OpCompositeExtract %f32 %weights 8
        = OpCompositeExtract %[f32; 3u].2 %body 0
        %main = OpFunction ..
        = OpLoad %Arguments*PhysicalStorageBuffer ..
        = OpCopyLogical %[f32; 9u].2 ..
        = OpCopyLogical %Body.2 ..
        = OpFunctionCall %void %spilled_arguments ..
    ";
}

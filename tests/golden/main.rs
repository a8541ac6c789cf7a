//! The SPIR-V of some kernels, as text under `snapshots/`: a change of the compiler shows
//! what it does to them.
//!
//! `INSTA_UPDATE=always cargo test -p amp-tests --test golden` writes what is made now;
//! read the difference before it is committed. Each module passes `spirv-val` too, where
//! that is installed (`AMP_REQUIRE_SPIRV_VAL=1` insists on it).

mod kernels;
mod listing;
mod probe;
mod tell;

use amp::__private::{Artifact, Counts, FaultKind, ParamKind};
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
    let Counts {
        checked,
        hoisted,
        proven,
        barriers,
        relaxed,
    } = artifact.counts;
    text += &format!(
        "; indices: {checked} checked, {hoisted} before their loops, {proven} not at all; \
         barriers: {barriers}, {relaxed} without views\n"
    );
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

fn check(name: &str, artifact: &Artifact) {
    amp_tests::validate(artifact);
    let text = interface(artifact) + &listing::of(&artifact.spirv);
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, text);
    });
}

/// What a kernel is called with; none is run.
fn array<T: Element, const N: usize>(extent: [usize; N]) -> amp::Result<Array<T, N>> {
    Array::zeroed(extent)
}

/// One test for each kernel.
macro_rules! golden {
    ($($name:ident($($arg:expr),*);)+) => {$(
        #[test]
        fn $name() -> amp::Result<()> {
            check(stringify!($name), kernels::$name($($arg),*).artifact());
            Ok(())
        }
    )+};
}

golden! {
    add_arrays(&array([5])?, &array([5])?, &mut array([5])?);
    atomics(&mut array([8])?, &mut array([8])?);
    atomic_types(&mut array([8])?);
    asserts(&array([5])?, &mut array([5])?);
    mat_mul_simple(&array([4, 4])?, &array([4, 4])?, &mut array([4, 4])?);
    mat_mul_tiled(&array([4, 4])?, &array([4, 4])?, &mut array([4, 4])?);
    wait(&mut array([8])?);
    wait_with_all_memory_fence(&mut array([8])?);
    wait_with_global_memory_fence(&mut array([8])?);
    wait_with_tile_static_memory_fence(&mut array([8])?);
    wait_without_global_memory(&array([8])?, &mut array([8])?);
    subgroups(&mut array([8])?);
    all_fence(&mut array([8])?);
    global_fence(&mut array([8])?);
    tile_static_fence(&mut array([8])?);
    exact_floats(&mut array([4])?);
    fast_math(&mut array([4])?);
    fast_helper(&mut array([4])?);
    rank_3(&mut array([2, 3, 4])?);
    vector_elements(&array([4])?, &array([4])?, &array([4])?, &mut array([4])?);
    struct_elements(&mut array([4])?);
    helper_with_a_view(&array([2, 3])?, &mut array([2])?);
    sections(&array([4, 4])?, &mut array([4])?);
    labelled_loops(&array([4, 4])?, &mut array([4])?);
    ranges(9, 2, &mut array([4])?);
    wide_index(&array([4, 4])?, 1, &mut array([4, 4])?);
    spilled_arguments(&array([2, 2])?, &array([2, 2])?, &array([2, 2])?, [0.0; 9], (true, 1), Body::default(), &mut array([2, 2])?);
}

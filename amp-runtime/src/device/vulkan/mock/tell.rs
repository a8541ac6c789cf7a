//! A kernel for tests that faults, prints and spills: `tests/golden/tell.rs`, compiled; a
//! test there sees to it that the two agree.

use std::sync::OnceLock;

use amp_spirv::artifact::{
    Artifact, FaultKind, FaultSite, FloatFaults, Message, MessageKind, Param, ParamKind,
};

use crate::kernel::binding::Binding;
use crate::kernel::source::{ReadSource, WriteSource};
use crate::{Index, Kernel};

fn artifact() -> &'static Artifact {
    static TELL: OnceLock<Artifact> = OnceLock::new();
    TELL.get_or_init(|| {
        let param = |name: &'static str, offset, kind| Param {
            name: name.into(),
            offset,
            kind,
        };
        let view = |writes: bool| ParamKind::View {
            rank: 1,
            element_bytes: 4,
            reads: !writes,
            writes,
        };
        let params = vec![
            param("from", 16, view(false)),
            param("to", 32, view(true)),
            param("start", 44, ParamKind::Value { bytes: 4 }),
            param("spill", 48, ParamKind::Value { bytes: 128 }),
        ];
        let site = |column| FaultSite {
            kind: FaultKind::OutOfBounds,
            file: 0,
            lane: 0,
            line: 21,
            column,
        };
        let said = Message {
            kind: MessageKind::Stdout,
            format: "telling\n".into(),
        };
        Artifact {
            name: "tell".into(),
            spirv: include_bytes!("tell.spv").into(),
            rank: 1,
            // It does not, but this has the device's floats tried before its first launch.
            float_faults: FloatFaults::ARITHMETIC,
            params: params.into(),
            block_bytes: 176,
            spilled: true,
            files: vec!["tests/golden/tell.rs".into()].into(),
            faults: vec![site(15), site(5)].into(),
            messages: vec![said].into(),
            print_words: 7,
            ..Artifact::default()
        }
    })
}

/// Adds one to the elements from `start` on.
pub(super) fn tell<'a>(
    from: &'a impl ReadSource<u32, 1>,
    to: &'a mut impl WriteSource<u32, 1>,
    start: u32,
) -> Kernel<'a, Index<1>> {
    let mut binding = Binding::new(artifact(), &[]);
    binding.messages(&[|_| "telling\n".into()]);
    binding.read(from);
    binding.write(to);
    binding.value(start);
    binding.value([0u32; 32]);
    binding.finish(|_, _| unreachable!("it runs on devices"))
}

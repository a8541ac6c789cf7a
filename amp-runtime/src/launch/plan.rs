//! What a launch has found out that holds for the next one like it: which checks cannot fail, how
//! the domain is cut into workgroups, and the pipeline.
//!
//! All of it follows from the code, the domain, and the layouts of the views; from scalar
//! arguments only if the checks ask for them. Addresses and data change nothing.

use std::ops::Range;
use std::sync::Arc;

use amp_spirv::artifact::{Artifact, ParamKind};
use amp_spirv::proof::Node;

use crate::device::vulkan::{Plan, Stream};
use crate::kernel::Parts;
use crate::kernel::source::Bound;
use crate::launch;
use crate::types::error::Result;

/// Bytes of a word.
const WORD: usize = 4;

impl Plan {
    /// The plan of a launch on the stream.
    pub(super) fn of(stream: &Stream, extent: &[usize], kernel: &Parts<'_>) -> Result<Arc<Self>> {
        let fits = |plan: &Self| plan.fits(extent, kernel);
        let make = || Self::new(stream, extent, kernel);
        (stream.plans).of(kernel.code.artifact, extent, fits, make)
    }

    /// Makes it, and the pipeline if need be.
    fn new(stream: &Stream, extent: &[usize], kernel: &Parts<'_>) -> Result<Self> {
        let mut code = kernel.code.clone();
        code.switches.far = launch::is_far(stream, kernel)?;
        code.prove(extent, &kernel.block, &kernel.views);
        let (shape, pipeline) = code.on(stream, extent)?;
        let artifact = code.artifact;
        let offsets = asked(artifact)
            .into_iter()
            .flat_map(|range| range.step_by(WORD));
        let given = offsets.filter_map(|offset| Some((offset, word(&kernel.block, offset)?)));
        Ok(Self {
            code,
            extent: extent.into(),
            pipeline,
            shape,
            given: given.collect(),
            starts: starts(artifact, &kernel.views).collect(),
        })
    }

    /// Whether it holds for a launch.
    fn fits(&self, extent: &[usize], kernel: &Parts<'_>) -> bool {
        let block = &*kernel.block;
        let mut given = self.given.iter();
        self.is_for(&kernel.code, extent)
            && given.all(|(offset, known)| word(block, *offset).as_ref() == Some(known))
            && starts(kernel.code.artifact, &kernel.views).eq(self.starts.iter().copied())
    }
}

/// A word of an argument block, which is a multiple of words.
fn word(block: &[u8], offset: usize) -> Option<[u8; WORD]> {
    block.get(offset..)?.first_chunk().copied()
}

/// The parts of an argument block that checks and pipelines depend on.
fn asked(artifact: &Artifact) -> Vec<Range<usize>> {
    let nodes = (0..).map_while(|number| artifact.proofs.node(number));
    let arguments: Vec<u32> = nodes
        .filter_map(|node| match node {
            Node::Argument(param, ..) => Some(param),
            _ => None,
        })
        .collect();
    let width = artifact.index.bytes() as usize;
    let params = (0..).zip(&*artifact.params);
    let parts = params.filter_map(|(number, param)| {
        let start = param.offset as usize;
        match param.kind {
            // What is behind its address.
            ParamKind::View { rank, .. } => {
                Some(start + 8..start + 8 + width * (2 * rank as usize - 1))
            }
            ParamKind::Value { bytes } => arguments
                .contains(&number)
                .then(|| start..start + bytes as usize),
        }
    });
    parts.collect()
}

/// Where views start, if that decides whether threads may run several indices.
fn starts<'v>(artifact: &Artifact, views: &'v [Bound<'_>]) -> impl Iterator<Item = usize> + 'v {
    let views = match artifact.wide.lanes > 1 {
        true => views,
        false => &[],
    };
    views.iter().map(|view| view.start)
}

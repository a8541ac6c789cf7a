//! What a launch has found out that holds for the next one like it: which checks cannot fail, how
//! the domain is cut into workgroups, and the pipeline.
//!
//! All of it follows from the code, the domain, and the layouts of the views; from scalar
//! arguments only if the checks ask for them. Addresses and data change nothing.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use amp_spirv::artifact::{Artifact, ParamKind};
use amp_spirv::proof::Node;

use crate::device::shape::Shape;
use crate::device::vulkan::{Pipeline, Stream};
use crate::kernel::Parts;
use crate::kernel::binding::Bound;
use crate::launch;
use crate::launch::prepare::Code;
use crate::types::error::Result;

/// How many plans a stream remembers.
const PLACES: usize = 64;
/// Bytes of a word.
const WORD: usize = 4;

/// What follows for launches of a kernel that are alike.
#[derive(Debug)]
pub(crate) struct Plan {
    /// With the checks that are proven.
    pub(crate) code: Code,
    pub(crate) extent: Box<[usize]>,
    pub(crate) pipeline: Pipeline,
    /// Of the first dispatch.
    pub(crate) shape: Shape,
    /// The words of the argument block that it follows from, by their offsets.
    given: Vec<(usize, [u8; WORD])>,
    /// Where the views start in their data, if that matters.
    starts: Vec<usize>,
}

impl Plan {
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

    /// Whether it is for launches of this code over this domain. Whether it holds for one of them
    /// follows from the arguments.
    pub(crate) fn is_for(&self, code: &Code, extent: &[usize]) -> bool {
        let mine = &self.code;
        std::ptr::eq(mine.artifact, code.artifact)
            && mine.switches.checked == code.switches.checked
            && self.extent.iter().eq(extent)
            && mine.tile == code.tile
            && mine.tile_static == code.tile_static
            && mine.constants == code.constants
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

/// The plans of a stream, each in a place that follows from what it is for.
#[derive(Debug)]
pub(crate) struct Plans(Mutex<[Option<Arc<Plan>>; PLACES]>);

impl Default for Plans {
    fn default() -> Self {
        Self(Mutex::new([const { None }; PLACES]))
    }
}

impl Plans {
    /// The plan of a launch on the stream.
    pub(crate) fn of(
        &self,
        stream: &Stream,
        extent: &[usize],
        kernel: &Parts<'_>,
    ) -> Result<Arc<Plan>> {
        let place = place(kernel.code.artifact, extent);
        let known = self.lock()[place].clone();
        if let Some(known) = known.filter(|known| known.fits(extent, kernel)) {
            return Ok(known);
        }
        // Without the lock: it may take seconds to make a pipeline.
        let plan = Arc::new(Plan::new(stream, extent, kernel)?);
        self.lock()[place] = Some(Arc::clone(&plan));
        Ok(plan)
    }

    fn lock(&self) -> MutexGuard<'_, [Option<Arc<Plan>>; PLACES]> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn place(artifact: &'static Artifact, extent: &[usize]) -> usize {
    let mix = |hash: u64, number: &usize| {
        let mixed = (hash ^ *number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed.rotate_left(32)
    };
    let artifact = std::ptr::from_ref(artifact).addr() as u64;
    extent.iter().fold(artifact, mix) as usize % PLACES
}

//! The plans that a stream remembers: what a launch has found out that holds for the next one like
//! it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use amp_spirv::artifact::Artifact;

use super::super::pipeline::Pipeline;
use crate::device::code::Code;
use crate::device::shape::Shape;
use crate::types::error::Result;

/// How many plans a stream remembers.
const PLACES: usize = 64;

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
    pub(crate) given: Vec<(usize, [u8; 4])>,
    /// Where the views start in their data, if that matters.
    pub(crate) starts: Vec<usize>,
}

impl Plan {
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

/// The plans of a stream, each in a place that follows from what it is for.
#[derive(Debug)]
pub(crate) struct Plans(Mutex<[Option<Arc<Plan>>; PLACES]>);

impl Default for Plans {
    fn default() -> Self {
        Self(Mutex::new([const { None }; PLACES]))
    }
}

impl Plans {
    /// The plan for launches of a kernel over a domain that `fits`, else the one that `make` makes.
    pub(crate) fn of(
        &self,
        artifact: &'static Artifact,
        extent: &[usize],
        fits: impl FnOnce(&Plan) -> bool,
        make: impl FnOnce() -> Result<Plan>,
    ) -> Result<Arc<Plan>> {
        let place = place(artifact, extent);
        let known = self.lock()[place].clone();
        if let Some(known) = known.filter(|known| fits(known)) {
            return Ok(known);
        }
        // Without the lock: it may take seconds to make a pipeline.
        let plan = Arc::new(make()?);
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

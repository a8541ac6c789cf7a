//! Which commands must wait for which.
//!
//! Commands of one stream reach its queue in order but may overlap there. A [`Hazards`]
//! knows what the commands since the last barrier have read and written, and says
//! whether the next one needs a barrier before it: only if it reads or writes what was
//! written, or writes what was read. One barrier orders everything, so nothing is
//! remembered across it; and there is one when there is much to remember.
//!
//! It holds for commands of one queue, in whatever batches they are.

use std::collections::HashMap;
use std::sync::Arc;

use super::buffer::Buffer;

/// Buffers to remember at most.
const MOST: usize = 4096;

/// The buffers that commands since the last barrier use.
#[derive(Debug, Default)]
pub(super) struct Hazards {
    /// By the buffer's id: whether it was written.
    used: HashMap<u64, bool>,
}

/// A use of a buffer by one command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Use {
    /// The buffer's id.
    pub(super) buffer: u64,
    /// Whether the command writes it; else it reads it.
    pub(super) writes: bool,
}

/// A buffer, and whether the command writes it.
impl From<(&Arc<Buffer>, bool)> for Use {
    fn from((buffer, writes): (&Arc<Buffer>, bool)) -> Self {
        Self {
            buffer: buffer.id,
            writes,
        }
    }
}

impl Hazards {
    /// Notes a command. Returns whether a barrier must come before it.
    pub(super) fn add(&mut self, uses: impl Iterator<Item = Use> + Clone) -> bool {
        let conflicts = uses.clone().any(|next| {
            self.used
                .get(&next.buffer)
                .is_some_and(|&written| written || next.writes)
        });
        let settles = conflicts || self.used.len() >= MOST;
        if settles {
            self.used.clear();
        }
        for next in uses {
            *self.used.entry(next.buffer).or_default() |= next.writes;
        }
        settles
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(buffer: u64) -> Use {
        Use {
            buffer,
            writes: false,
        }
    }

    fn write(buffer: u64) -> Use {
        Use {
            buffer,
            writes: true,
        }
    }

    fn barriers(commands: &[&[Use]]) -> Vec<bool> {
        let mut hazards = Hazards::default();
        commands
            .iter()
            .map(|uses| hazards.add(uses.iter().copied()))
            .collect()
    }

    #[test]
    fn independent_commands_overlap() {
        assert_eq!(
            barriers(&[&[read(1), write(2)], &[read(1), write(3)], &[read(1)]]),
            [false; 3]
        );
    }

    #[test]
    fn every_kind_of_hazard_needs_a_barrier() {
        assert_eq!(
            barriers(&[&[write(1)], &[read(1)]]),
            [false, true],
            "read after write"
        );
        assert_eq!(
            barriers(&[&[read(1)], &[write(1)]]),
            [false, true],
            "write after read"
        );
        assert_eq!(
            barriers(&[&[write(1)], &[write(1)]]),
            [false, true],
            "write after write"
        );
    }

    #[test]
    fn one_barrier_settles_everything_before_it() {
        let commands: &[&[Use]] = &[&[write(1)], &[write(2)], &[read(1)], &[read(2)], &[read(1)]];
        assert_eq!(barriers(commands), [false, false, true, false, false]);
    }

    /// A series of launches, each with a new array, conflicts nowhere.
    #[test]
    fn so_many_buffers_are_remembered() {
        let mut hazards = Hazards::default();
        let barriers = (0..3 * MOST as u64).filter(|at| hazards.add([write(*at)].into_iter()));
        assert_eq!(barriers.count(), 2);
        assert_eq!(hazards.used.len(), MOST);
    }

    #[test]
    fn one_command_does_not_wait_for_itself() {
        assert_eq!(
            barriers(&[&[read(1), write(1)], &[read(2)]]),
            [false, false]
        );
    }
}

//! Which commands must wait for which.
//!
//! Commands of one stream reach its queue in order but may overlap there. A [`Hazards`]
//! knows what the commands since the last barrier have read and written, and says
//! whether the next one needs a barrier before it: only if it reads or writes what was
//! written, or writes what was read. One barrier orders everything, so nothing is
//! remembered across it; and there is one when there is much to remember.
//!
//! It holds for commands of one queue. At the end of each batch is a barrier.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use super::super::buffer::Buffer;

/// Buffers to remember at most.
const MOST: usize = 4096;

/// The buffers that commands since the last barrier use.
#[derive(Debug, Default)]
pub(super) struct Hazards {
    /// By the buffer's id. What was used before the last barrier stays there until there is much:
    /// a series of dependent launches would empty the table each time.
    used: HashMap<u64, Used, BuildHasherDefault<ById>>,
    /// Barriers so far.
    barriers: u64,
}

/// The last use of a buffer.
#[derive(Clone, Copy, Debug)]
struct Used {
    /// Barriers before it.
    barriers: u64,
    written: bool,
}

/// Hashes an id: they are numbers in a row.
#[derive(Default)]
struct ById(u64);

impl Hasher for ById {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64((*byte).into());
        }
    }

    fn write_u64(&mut self, id: u64) {
        self.0 = (self.0 ^ id).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// What a command does with a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mode {
    Reads,
    /// It may read it, too.
    Writes,
}

/// A use of a buffer by one command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Use {
    /// The buffer's id.
    pub(super) buffer: u64,
    pub(super) mode: Mode,
}

impl From<(&Arc<Buffer>, Mode)> for Use {
    fn from((buffer, mode): (&Arc<Buffer>, Mode)) -> Self {
        Self {
            buffer: buffer.id,
            mode,
        }
    }
}

impl Hazards {
    /// Notes a barrier behind the commands so far.
    pub(super) fn settle(&mut self) {
        self.barriers += 1;
    }

    /// Notes a command. Returns whether a barrier must come before it.
    pub(super) fn add(&mut self, uses: impl Iterator<Item = Use> + Clone) -> bool {
        let conflicts = uses.clone().any(|next| {
            let writes = next.mode == Mode::Writes;
            self.used
                .get(&next.buffer)
                .is_some_and(|used| used.barriers == self.barriers && (used.written || writes))
        });
        let is_full = self.used.len() >= MOST;
        if is_full {
            self.used.clear();
        }
        let settles = conflicts || is_full;
        self.barriers += u64::from(settles);
        let barriers = self.barriers;
        for next in uses {
            let used = self.used.entry(next.buffer).or_insert(Used {
                barriers,
                written: false,
            });
            let written = used.barriers == barriers && used.written || next.mode == Mode::Writes;
            *used = Used { barriers, written };
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
            mode: Mode::Reads,
        }
    }

    fn write(buffer: u64) -> Use {
        Use {
            buffer,
            mode: Mode::Writes,
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

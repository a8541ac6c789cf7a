//! Checked mode: the accesses of a launch's threads, compared with each other as they happen.
//!
//! A launch in checked mode runs on one OS thread, tile after tile, each thread of a tile until it waits at a
//! barrier. Every access to memory that a kernel writes (`Access::checked`) is noted in a [shadow](shadow) of
//! that memory: who wrote a word last, who has read it, since which barrier, and where in the source.
//! Two accesses of one word, one of them a write, are a race if nothing orders them:
//!
//! - threads of one tile are ordered by a barrier between the two that orders this kind of memory;
//! - threads of different tiles, or of an untiled kernel, are ordered by nothing;
//! - two atomic operations never race.
//!
//! So a race is found whatever the order in which the threads of a device would happen to run. Reading a
//! tile_static variable that no thread of the tile has written is a fault too, though it is zero, and so is
//! reading an element that was discarded and that no thread has written; an atomic operation may count from
//! what is there. Bounds and divergent barriers are checked as in every launch on the CPU.
//!
//! Leaves out threads that order their accesses by fences and atomic flags: what a tile did that has called
//! `device_memory_fence` is not compared with other tiles, and after another fence the threads of a tile are
//! not compared until the next barrier. So every race that is reported is one.

mod shadow;

use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::Range;
use std::panic::Location;
use std::ptr::NonNull;

use self::shadow::{Places, Shadow, Stamp, Word};

/// Which memory a barrier or a fence orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ordered {
    All,
    Global,
    TileStatic,
    /// Threads meet there, and that is all.
    Nothing,
}

/// What an access does, as bits: 1 if it writes, 2 if it is atomic, 4 if it is an atomic one that does both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Read = 0,
    Write = 1,
    AtomicRead = 2,
    AtomicWrite = 3,
    AtomicUpdate = 7,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Read => "reads",
            Kind::Write => "writes",
            Kind::AtomicRead => "atomically reads",
            Kind::AtomicWrite => "atomically writes",
            Kind::AtomicUpdate => "atomically changes",
        }
    }
}

/// What is wrong with an access: nothing orders it and an earlier one, to tile memory or to an element of a
/// view; or, without one, it reads tile memory that no thread has written, or an element that was discarded.
pub(super) struct Wrong {
    other: Option<Stamp>,
    is_tile: bool,
}

/// What checks one launch.
pub(super) struct Checker<'a> {
    state: RefCell<State>,
    /// Threads of a tile; 1 in an untiled kernel.
    tile_threads: usize,
    /// The index of a thread, by its number.
    name: &'a dyn Fn(usize) -> Vec<usize>,
}

struct State {
    /// The shadows of the views which the kernel writes.
    global: Vec<Shadow>,
    /// The threads of the running tile.
    threads: Range<usize>,
    /// The shadows of those of its variables that are in use.
    tile: Vec<Shadow>,
    /// How many barriers the tile has passed that order global memory, and tile_static.
    passed: [usize; 2],
    /// Numbers of the intervals between such barriers that the running tile is in, of all tiles in their order.
    intervals: [u32; 2],
    /// Whether a thread of the tile has called a fence since the last barrier.
    has_fenced: bool,
    /// The tiles that have called a fence for all tiles.
    publishing: HashSet<usize>,
    places: Places,
}

impl State {
    /// The next interval begins, of global memory and of tile_static memory if so. There are no more than numbers for
    /// them: after the last, nothing settles.
    fn next_interval(&mut self, begins: [bool; 2]) {
        for (interval, begins) in self.intervals.iter_mut().zip(begins) {
            *interval = interval.saturating_add(u32::from(begins));
        }
    }
}

impl<'a> Checker<'a> {
    /// How many threads of a launch it tells apart.
    pub(super) const MOST_THREADS: usize = Stamp::MOST_THREADS;

    /// Checks a launch whose accesses to these ranges of memory are noted, in elements of so many bytes; parts
    /// of them were `discarded`. If memory runs out, the error is how many bytes were wanted.
    pub(super) fn new<'r>(
        noted: Vec<(Range<usize>, usize)>,
        discarded: impl Iterator<Item = &'r Range<usize>>,
        tile_threads: usize,
        name: &'a dyn Fn(usize) -> Vec<usize>,
    ) -> Result<Self, usize> {
        let mut global = shadow::of(noted)?;
        for memory in discarded {
            let shadow = global.iter_mut().find(|it| it.contains(memory.start));
            let words = shadow.into_iter().flat_map(|it| it.words(memory));
            words.for_each(Word::discard);
        }
        let state = State {
            global,
            threads: 0..0,
            tile: Vec::new(),
            passed: [0; 2],
            intervals: [1; 2],
            has_fenced: false,
            publishing: HashSet::new(),
            places: Places::default(),
        };
        Ok(Self {
            state: RefCell::new(state),
            tile_threads,
            name,
        })
    }

    /// A tile of so many threads from number `first` on begins, and its variables are unwritten.
    pub(super) fn enter_tile(&self, first: usize, count: usize) {
        let mut state = self.state.borrow_mut();
        state.threads = first..first + count;
        state.tile.clear();
        state.passed = [0; 2];
        state.next_interval([true; 2]);
        state.has_fenced = false;
    }

    /// The running tile has a variable there; whether there is memory to check it.
    pub(super) fn has_variable<T>(&self, variable: NonNull<T>) -> bool {
        let mut state = self.state.borrow_mut();
        let start = variable.addr().get();
        if size_of::<T>() == 0 || state.tile.iter().any(|it| it.contains(start)) {
            return size_of::<T>() > 0;
        }
        let shadow = Shadow::new(start..start + size_of::<T>(), align_of::<T>());
        state.tile.extend(shadow.ok());
        state.tile.iter().any(|it| it.contains(start))
    }

    /// All threads of the tile are at a barrier.
    pub(super) fn pass_barrier(&self, ordered: Ordered) {
        let mut state = self.state.borrow_mut();
        let global = matches!(ordered, Ordered::All | Ordered::Global);
        let tile_static = matches!(ordered, Ordered::All | Ordered::TileStatic);
        state.passed[0] += usize::from(global);
        state.passed[1] += usize::from(tile_static);
        state.next_interval([global, tile_static]);
        state.has_fenced &= ordered == Ordered::Nothing;
    }

    /// A thread has called a fence for the memory of its tile or of the launch.
    pub(super) fn fence(&self) {
        self.state.borrow_mut().has_fenced = true;
    }

    /// A thread has called a fence for what all tiles see.
    pub(super) fn device_fence(&self, thread: usize) {
        let mut state = self.state.borrow_mut();
        state.has_fenced = true;
        state.publishing.insert(self.tile_of(thread));
    }

    fn tile_of(&self, thread: usize) -> usize {
        thread / self.tile_threads
    }

    /// Whether a plain read of so many bytes is of one word and need not be noted.
    #[inline(always)]
    pub(super) fn is_settled(&self, address: usize, bytes: usize) -> bool {
        let state = self.state.borrow();
        let is_settled = |shadows: &[Shadow], interval| {
            let mut shadows = shadows.iter();
            let shadow = shadows.find(|it| it.contains(address))?;
            Some(shadow.is_settled(address, bytes, interval))
        };
        is_settled(&state.tile, state.intervals[1])
            .or_else(|| is_settled(&state.global, state.intervals[0]))
            .unwrap_or(false)
    }

    /// Notes an access, and returns what is wrong with it.
    #[inline(always)]
    pub(super) fn note(
        &self,
        memory: Range<usize>,
        kind: Kind,
        thread: usize,
        place: &'static Location<'static>,
    ) -> Option<Wrong> {
        let mut state = self.state.borrow_mut();
        let State {
            global,
            threads,
            tile,
            passed,
            intervals,
            has_fenced,
            publishing,
            places,
        } = &mut *state;
        let holds = |shadow: &&mut Shadow| shadow.contains(memory.start);
        let (shadow, passed, interval, is_tile) = match tile.iter_mut().find(holds) {
            Some(shadow) => (shadow, passed[1], intervals[1], true),
            None => (
                global.iter_mut().find(holds)?,
                passed[0],
                intervals[0],
                false,
            ),
        };
        let words = shadow.words(&memory);
        let stamp = Stamp::new(thread, passed, places.number(place), kind);
        let of_tile = |other: Stamp| match self.tile_threads {
            1 => other.thread() == thread,
            _ => threads.contains(&other.thread()),
        };
        // Whether an earlier access is in the same interval between barriers, and whether nothing orders it.
        let is_beside = |other: Stamp| of_tile(other) && other.passed() == stamp.passed();
        let meets = |other: Stamp| match of_tile(other) {
            true => !*has_fenced && other.meets(stamp),
            false => publishing.is_empty() || !publishing.contains(&self.tile_of(other.thread())),
        };
        let (mut race, mut is_written) = (None, stamp.writes());
        for word in &mut *words {
            is_written |= match is_tile {
                true => word.is_written(),
                false => !word.is_discarded(),
            };
            race = race.or(word.race(stamp, meets));
            word.note(stamp, is_beside);
        }
        if race.is_some() || !is_written {
            return Some(Wrong {
                other: race,
                is_tile,
            });
        }
        if kind == Kind::Read {
            words
                .iter_mut()
                .for_each(|word| word.settle(interval, is_beside));
        }
        None
    }

    /// Says what is wrong with an access of a thread.
    #[cold]
    pub(super) fn message(&self, kind: Kind, thread: usize, wrong: &Wrong) -> String {
        let kind = kind.name();
        let Some(other) = wrong.other else {
            let what = match wrong.is_tile {
                true => "a tile_static variable that no thread of its tile has written",
                false => "an element of a view that was discarded and not written since",
            };
            return format!("this thread {kind} {what}");
        };
        let what = match wrong.is_tile {
            true => "a tile_static variable",
            false => "an element of a view",
        };
        let whose = (self.name)(other.thread());
        let of_tile = self.tile_of(other.thread()) == self.tile_of(thread);
        let why = match (self.tile_threads, of_tile) {
            (1, _) => "and nothing orders the threads of a launch",
            (_, true) => "with no barrier between the two",
            (_, false) => "and nothing orders threads of different tiles",
        };
        format!(
            "race: this thread {kind} {what} that thread {whose:?} {} at {}, {why}",
            other.kind(),
            self.state.borrow().places.place(other),
        )
    }
}

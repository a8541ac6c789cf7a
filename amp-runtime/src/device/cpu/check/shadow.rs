//! [`Shadow`]: what has happened to each word of a piece of memory.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::panic::Location;

use bytemuck::Zeroable;

use super::Kind;

/// One access: the thread, how many barriers its tile had passed, the place in the source, and what it did.
/// All zeroes is no access.
#[derive(Clone, Copy, PartialEq, Eq, Zeroable)]
pub(super) struct Stamp {
    thread: u32,
    /// From the low bits up: the kind, the place's number, the barriers.
    rest: u32,
}

impl Stamp {
    /// How many threads have numbers of their own.
    pub(super) const MOST_THREADS: usize = u32::MAX as usize;

    const KIND_BITS: u32 = 3;
    const PLACE_BITS: u32 = 11;
    /// What stands for all barriers from this one on.
    const MOST_PASSED: u32 = (1 << (32 - Self::KIND_BITS - Self::PLACE_BITS)) - 1;

    pub(super) fn new(thread: usize, passed: usize, place: u32, kind: Kind) -> Self {
        let passed = passed.min(Self::MOST_PASSED as usize) as u32;
        let rest = kind as u32 | (place << Self::KIND_BITS);
        Self {
            thread: thread as u32,
            rest: rest | (passed << (Self::KIND_BITS + Self::PLACE_BITS)),
        }
    }

    /// What stands in place of the last write where contents were discarded: no access either.
    const DISCARD: Self = Self {
        thread: 0,
        rest: Kind::AtomicUpdate as u32 & !(Kind::AtomicWrite as u32),
    };

    pub(super) fn thread(self) -> usize {
        self.thread as usize
    }

    pub(super) fn passed(self) -> u32 {
        self.rest >> (Self::KIND_BITS + Self::PLACE_BITS)
    }

    /// Whether accesses of threads of one tile are known to lie between the same barriers.
    pub(super) fn meets(self, other: Self) -> bool {
        self.passed() == other.passed() && self.passed() < Self::MOST_PASSED
    }

    fn place(self) -> u32 {
        (self.rest >> Self::KIND_BITS) & ((1 << Self::PLACE_BITS) - 1)
    }

    /// What the access does, in words.
    pub(super) fn kind(self) -> &'static str {
        let kinds = [
            Kind::Write,
            Kind::AtomicRead,
            Kind::AtomicWrite,
            Kind::AtomicUpdate,
        ];
        let is_this = |kind: &Kind| *kind as u32 == self.rest & ((1 << Self::KIND_BITS) - 1);
        kinds.into_iter().find(is_this).unwrap_or(Kind::Read).name()
    }

    pub(super) fn writes(self) -> bool {
        self.rest & Kind::Write as u32 != 0
    }

    fn is_atomic(self) -> bool {
        self.rest & Kind::AtomicRead as u32 != 0
    }

    fn is_there(self) -> bool {
        self.rest >= 1 << Self::KIND_BITS
    }

    /// Whether two accesses of one word, one of them a write, are a race if nothing orders them.
    fn conflicts(self, other: Self) -> bool {
        other.is_there() && self.thread != other.thread && !(self.is_atomic() && other.is_atomic())
    }
}

/// Places in the source, by numbers from 1 on.
#[derive(Default)]
pub(super) struct Places {
    numbers: HashMap<usize, u32>,
    places: Vec<&'static Location<'static>>,
    /// Addresses and numbers of places that have been asked for lately, by some of their address bits.
    latest: [(usize, u32); Self::LATEST],
}

impl Places {
    /// The last number, which all have that come too late for one of their own.
    const LAST: u32 = (1 << Stamp::PLACE_BITS) - 1;

    const LATEST: usize = 32;

    #[inline(always)]
    pub(super) fn number(&mut self, place: &'static Location<'static>) -> u32 {
        let address = std::ptr::from_ref(place).addr();
        match self.latest[Self::slot(address)] {
            (known, number) if known == address => number,
            _ => self.find(address, place),
        }
    }

    fn slot(address: usize) -> usize {
        address / size_of::<Location<'_>>() % Self::LATEST
    }

    #[cold]
    fn find(&mut self, address: usize, place: &'static Location<'static>) -> u32 {
        let next = (self.places.len() as u32 + 1).min(Self::LAST);
        let number = *self.numbers.entry(address).or_insert(next);
        if number == next && next < Self::LAST {
            self.places.push(place);
        }
        self.latest[Self::slot(address)] = (address, number);
        number
    }

    /// Where an access was.
    pub(super) fn place(&self, stamp: Stamp) -> impl fmt::Display {
        match self.places.get(stamp.place() as usize - 1) {
            Some(place) => place.to_string(),
            None => "another place".to_owned(),
        }
    }
}

/// What has happened to one word.
#[derive(Clone, Copy, Zeroable)]
pub(super) struct Word {
    /// The last write.
    write: Stamp,
    /// Reads by two threads of one tile between the same barriers, and by one of another tile. If a later
    /// write is in a race with any read, it is with one of these.
    reads: [Stamp; 3],
    /// The interval between barriers in which it is [settled](Self::settle); 0 before the first.
    settled: u32,
}

impl Word {
    /// Whether another plain read in this interval is in no race, and tells nothing that is not known.
    #[inline(always)]
    pub(super) fn is_settled(&self, interval: u32) -> bool {
        self.settled == interval && interval < u32::MAX
    }

    /// After a plain read in an interval that was in no race: another read tells nothing new if two threads have read
    /// the word. That holds until the next write.
    #[inline(always)]
    pub(super) fn settle(&mut self, interval: u32, is_beside: impl Fn(Stamp) -> bool) {
        if self.is_read_by_two(is_beside) {
            self.settled = interval;
        }
    }

    /// Whether two threads of a tile have plainly read the word between the same barriers: a write is in a race with
    /// one of them, whichever other threads read it.
    fn is_read_by_two(&self, is_beside: impl Fn(Stamp) -> bool) -> bool {
        let [first, second, _] = self.reads;
        let is_read = |read: Stamp| read.is_there() && !read.is_atomic() && is_beside(read);
        is_read(first) && is_read(second) && first.thread != second.thread
    }

    pub(super) fn is_written(&self) -> bool {
        self.write.is_there()
    }

    pub(super) fn is_discarded(&self) -> bool {
        self.write == Stamp::DISCARD
    }

    pub(super) fn discard(&mut self) {
        self.write = Stamp::DISCARD;
    }

    /// An access that this one races with, of those that it meets: nothing orders the two.
    #[inline(always)]
    pub(super) fn race(&self, stamp: Stamp, meets: impl Fn(Stamp) -> bool) -> Option<Stamp> {
        let is_race = |other: Stamp| stamp.conflicts(other) && meets(other);
        if is_race(self.write) {
            return Some(self.write);
        }
        if !stamp.writes() {
            return None;
        }
        self.reads.into_iter().find(|read| is_race(*read))
    }

    /// Notes an access. `is_beside` says of an earlier one whether its thread is of the same tile and it lies
    /// between the same barriers.
    #[inline(always)]
    pub(super) fn note(&mut self, stamp: Stamp, is_beside: impl Fn(Stamp) -> bool) {
        // Of the accesses of one thread between two barriers the first that is not atomic is kept: it
        // conflicts with whatever the others do.
        let is_told = |known: Stamp| {
            known.is_there()
                && known.thread == stamp.thread
                && is_beside(known)
                && (stamp.is_atomic() || !known.is_atomic())
        };
        if stamp.writes() {
            self.settled = 0;
            if !is_told(self.write) {
                self.write = stamp;
            }
            return;
        }
        if is_told(self.reads[0]) || is_told(self.reads[1]) || self.is_read_by_two(&is_beside) {
            return;
        }
        let [first, second, elsewhere] = &mut self.reads;
        if !first.is_there() || first.thread == stamp.thread && is_beside(*first) {
            *first = stamp;
        } else if is_beside(*first) {
            *second = stamp;
        } else {
            *elsewhere = *first;
            *first = stamp;
            *second = Stamp::zeroed();
        }
    }
}

/// The words of a piece of memory.
pub(super) struct Shadow {
    memory: Range<usize>,
    /// Bytes of a word, as a power of two.
    shift: u32,
    words: Vec<Word>,
}

impl Shadow {
    /// The shadow of memory to which nothing has happened, with words of so many bytes or of fewer. If memory
    /// runs out, the error is how many bytes were wanted.
    pub(super) fn new(memory: Range<usize>, bytes: usize) -> Result<Self, usize> {
        let shift = (bytes | memory.len()).trailing_zeros();
        let count = memory.len() >> shift;
        let words = bytemuck::allocation::try_zeroed_vec(count);
        let words = words.map_err(|()| count * size_of::<Word>())?;
        Ok(Self {
            memory,
            shift,
            words,
        })
    }

    #[inline(always)]
    pub(super) fn contains(&self, address: usize) -> bool {
        self.memory.contains(&address)
    }

    /// Whether so many bytes of the memory are one word, and that is [settled](Word::settle).
    #[inline(always)]
    pub(super) fn is_settled(&self, address: usize, bytes: usize, interval: u32) -> bool {
        let start = address - self.memory.start;
        let is_word = bytes == 1 << self.shift && start & (bytes - 1) == 0;
        let mut word = self.words.get(start >> self.shift).into_iter();
        is_word && word.all(|word| word.is_settled(interval))
    }

    /// The words that bytes of the memory belong to.
    #[inline(always)]
    pub(super) fn words(&mut self, memory: &Range<usize>) -> &mut [Word] {
        let start = memory.start - self.memory.start;
        let length = memory.len().min(self.memory.end - memory.start);
        let shift = (start | length).trailing_zeros();
        if shift < self.shift {
            self.refine(shift);
        }
        &mut self.words[start >> self.shift..(start + length) >> self.shift]
    }

    /// Divides the words into smaller ones, each with the history of the whole.
    #[cold]
    fn refine(&mut self, shift: u32) {
        let parts = 1 << (self.shift - shift);
        let words = self.words.iter();
        self.words = words
            .flat_map(|whole| std::iter::repeat_n(*whole, parts))
            .collect();
        self.shift = shift;
    }
}

/// The shadows of memory that views write, of which several may lie between each other's rows.
pub(super) fn of(mut written: Vec<(Range<usize>, usize)>) -> Result<Vec<Shadow>, usize> {
    written.sort_by_key(|(memory, _)| memory.start);
    let mut merged: Vec<(Range<usize>, usize)> = Vec::new();
    for (memory, word) in written {
        match merged.last_mut() {
            Some((before, least)) if memory.start < before.end => {
                before.end = before.end.max(memory.end);
                *least = (*least).min(word);
            }
            _ => merged.push((memory, word)),
        }
    }
    let shadows = merged.into_iter();
    shadows
        .map(|(memory, word)| Shadow::new(memory, word))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_between_each_others_rows_have_one_shadow() {
        let mut shadows = of(vec![(64..128, 8), (0..40, 8), (32..60, 4)]).unwrap();
        let memory: Vec<_> = shadows.iter().map(|it| it.memory.clone()).collect();
        assert_eq!(memory, [0..60, 64..128]);
        assert_eq!(shadows[0].words(&(32..40)).len(), 2);
        assert_eq!(shadows[1].words(&(64..72)).len(), 1);
    }

    #[test]
    fn parts_of_a_word_have_its_history() {
        let mut shadow = Shadow::new(16..32, 8).unwrap();
        let stamp = Stamp::new(3, 0, 1, Kind::Write);
        shadow.words(&(16..24))[0].note(stamp, |_| false);
        let is_written = |word: &mut Word| word.is_written();
        assert!(shadow.words(&(18..20)).iter_mut().all(is_written));
        assert!(!shadow.words(&(24..26)).iter_mut().any(is_written));
        assert!(shadow.words(&(16..24)).iter_mut().all(is_written));
    }

    #[test]
    fn an_atomic_read_hides_no_plain_one() {
        let mut word = Word::zeroed();
        let reads = [(1, Kind::Read), (2, Kind::Read), (3, Kind::AtomicRead)];
        for (thread, kind) in reads {
            word.note(Stamp::new(thread, 0, 1, kind), |_| true);
        }
        let write = Stamp::new(1, 0, 1, Kind::AtomicWrite);
        let race = word.race(write, |_| true);
        assert_eq!(race.map(Stamp::thread), Some(2));
    }

    #[test]
    fn a_word_is_settled_until_it_is_written() {
        let mut word = Word::zeroed();
        for thread in [1, 2] {
            assert!(!word.is_settled(7));
            word.note(Stamp::new(thread, 0, 1, Kind::Read), |_| true);
            word.settle(7, |_| true);
        }
        assert!(word.is_settled(7) && !word.is_settled(8));
        word.note(Stamp::new(1, 0, 1, Kind::Write), |_| true);
        assert!(!word.is_settled(7));
    }

    #[test]
    fn a_stamp_keeps_what_it_is_made_of() {
        let stamp = Stamp::new(Stamp::MOST_THREADS - 1, 5, 7, Kind::AtomicUpdate);
        assert_eq!(
            (stamp.thread(), stamp.passed(), stamp.place()),
            (Stamp::MOST_THREADS - 1, 5, 7)
        );
        assert!(stamp.writes() && stamp.is_atomic());
        assert_eq!(stamp.kind(), "atomically changes");
        let late = Stamp::new(0, usize::MAX, 1, Kind::Read);
        assert!(!late.meets(late), "too many barriers to tell them apart");
        assert!(stamp.meets(stamp));
    }
}

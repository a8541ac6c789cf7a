//! [`Run`]: neighbouring elements that other threads may use at the same time.
//!
//! They are copied from and to memory of the thread's own, where LLVM may use vector instructions: it
//! leaves loops of atomic accesses as they are, element by element.
//!
//! # Invariant
//!
//! Each word of an element is accessed at once, as in [`Shared`]. On x86-64 that holds for a load or store
//! of 16 bytes too, for each of the words in it. Rust's atomics have no such access, so it is an instruction
//! of its own; it means the same as one relaxed access for each word.

use std::marker::PhantomData;
use std::ptr::NonNull;

use bytemuck::Zeroable;

use super::shared::{Access, Shared};

/// See the module's documentation.
#[derive(Clone, Copy)]
pub(super) struct Run<'a, T> {
    first: NonNull<T>,
    count: usize,
    access: Access,
    memory: PhantomData<&'a [T]>,
}

impl<'a, T: Copy + Zeroable> Run<'a, T> {
    /// # Safety
    ///
    /// What [`Shared::new`] requires, of each of `count` elements from `first` on.
    #[inline(always)]
    pub(super) unsafe fn new(first: NonNull<T>, count: usize, access: Access) -> Self {
        Self {
            first,
            count,
            access,
            memory: PhantomData,
        }
    }

    /// One of its elements, of which there are more.
    #[inline(always)]
    fn element(self, at: usize) -> Shared<'a, T> {
        assert!(at < self.count);
        // SAFETY: the contract of `new`.
        unsafe { Shared::new(self.first.add(at), self.access) }
    }

    /// Copies the elements. `to` has as many.
    #[inline(always)]
    #[track_caller]
    pub(super) fn load(self, to: &mut [T]) {
        let to = &mut to[..self.count];
        if self.access.is_wide() {
            // SAFETY: all bytes of both are there, and of words that any bytes are.
            unsafe { wide::load(self.first, to, self.access.word_of::<T>()) };
            return;
        }
        for (at, to) in to.iter_mut().enumerate() {
            *to = self.element(at).load();
        }
    }

    /// Writes the elements. There are as many values.
    #[inline(always)]
    #[track_caller]
    pub(super) fn store(self, values: &[T]) {
        let values = &values[..self.count];
        if self.access.is_wide() {
            // SAFETY: all bytes of both are there; the elements may be written, and have no padding.
            unsafe { wide::store(self.first, values, self.access.word_of::<T>()) };
            return;
        }
        for (at, value) in values.iter().enumerate() {
            self.element(at).store(*value);
        }
    }

    /// Writes the elements whose number in `chosen` is not zero.
    #[inline(always)]
    #[track_caller]
    pub(super) fn store_where(self, values: &[T], chosen: &[u32]) {
        const AT_ONCE: usize = 16;
        let (values, chosen) = (&values[..self.count], &chosen[..self.count]);
        let parts = values.chunks(AT_ONCE).zip(chosen.chunks(AT_ONCE));
        for (part, (values, chosen)) in parts.enumerate() {
            // Often none is, which 16 numbers say in a few vector instructions.
            let any = match chosen.as_array::<AT_ONCE>() {
                Some(chosen) => chosen.iter().fold(0, |any, chosen| any | chosen),
                None => 1,
            };
            if any == 0 {
                continue;
            }
            for (at, (value, chosen)) in values.iter().zip(chosen).enumerate() {
                if *chosen != 0 {
                    self.element(part * AT_ONCE + at).store(*value);
                }
            }
        }
    }
}

/// Copies of words, many at a time where the processor has instructions that access each word of several at
/// once.
mod wide {
    use std::ptr::NonNull;
    use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

    use super::super::shared::Word;
    use super::vectors;

    /// # Safety
    ///
    /// As many elements as `to` has can be read from `from` on, in words of `word` bytes; any bytes are a `T`.
    #[inline(always)]
    pub(super) unsafe fn load<T>(from: NonNull<T>, to: &mut [T], word: usize) {
        let (from, bytes) = (from.cast::<u8>(), size_of_val(to));
        let to = to.as_mut_ptr().cast::<u8>();
        // SAFETY: the caller's; what is copied first are whole words.
        unsafe {
            let at = vectors::copy(from.as_ptr(), to, bytes);
            let (from, to, bytes) = (from.add(at), to.add(at), bytes - at);
            match word {
                1 => load_words::<AtomicU8>(from, to, bytes),
                2 => load_words::<AtomicU16>(from, to, bytes),
                4 => load_words::<AtomicU32>(from, to, bytes),
                _ => load_words::<AtomicU64>(from, to, bytes),
            }
        }
    }

    /// # Safety
    ///
    /// As many elements as there are values can be written from `to` on, in words of `word` bytes; a `T` has
    /// no padding.
    #[inline(always)]
    pub(super) unsafe fn store<T>(to: NonNull<T>, values: &[T], word: usize) {
        let (to, bytes) = (to.cast::<u8>(), size_of_val(values));
        let from = values.as_ptr().cast::<u8>();
        // SAFETY: the caller's; what is copied first are whole words.
        unsafe {
            let at = vectors::copy(from, to.as_ptr(), bytes);
            let (from, to, bytes) = (from.add(at), to.add(at), bytes - at);
            match word {
                1 => store_words::<AtomicU8>(from, to, bytes),
                2 => store_words::<AtomicU16>(from, to, bytes),
                4 => store_words::<AtomicU32>(from, to, bytes),
                _ => store_words::<AtomicU64>(from, to, bytes),
            }
        }
    }

    /// # Safety
    ///
    /// So many bytes can be read in words and written.
    #[inline(always)]
    unsafe fn load_words<W: Word>(from: NonNull<u8>, to: *mut u8, bytes: usize) {
        for at in (0..bytes).step_by(size_of::<W::Plain>()) {
            // SAFETY: the caller's; what is copied are whole words.
            unsafe {
                let value = W::load(from.add(at).cast());
                to.add(at).cast::<W::Plain>().write_unaligned(value);
            }
        }
    }

    /// # Safety
    ///
    /// So many bytes can be read and written in words.
    #[inline(always)]
    unsafe fn store_words<W: Word>(from: *const u8, to: NonNull<u8>, bytes: usize) {
        for at in (0..bytes).step_by(size_of::<W::Plain>()) {
            // SAFETY: the caller's; what is copied are whole words.
            unsafe {
                let value = from.add(at).cast::<W::Plain>().read_unaligned();
                W::store(to.add(at).cast(), value);
            }
        }
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod vectors {
    use std::arch::asm;

    /// Bytes that one step copies.
    const STEP: usize = 64;

    /// Copies the first of so many bytes, and returns how many: a multiple of [`STEP`]. Each aligned word of
    /// at most 8 bytes is read and written at once.
    ///
    /// # Safety
    ///
    /// So many bytes can be read and written.
    #[inline(always)]
    pub(super) unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize) -> usize {
        let mut at = 0;
        while at + STEP <= bytes {
            // SAFETY: within both.
            unsafe {
                asm!(
                    "movdqu {a}, xmmword ptr [{from}]",
                    "movdqu {b}, xmmword ptr [{from} + 16]",
                    "movdqu {c}, xmmword ptr [{from} + 32]",
                    "movdqu {d}, xmmword ptr [{from} + 48]",
                    "movdqu xmmword ptr [{to}], {a}",
                    "movdqu xmmword ptr [{to} + 16], {b}",
                    "movdqu xmmword ptr [{to} + 32], {c}",
                    "movdqu xmmword ptr [{to} + 48], {d}",
                    a = out(xmm_reg) _,
                    b = out(xmm_reg) _,
                    c = out(xmm_reg) _,
                    d = out(xmm_reg) _,
                    from = in(reg) from.add(at),
                    to = in(reg) to.add(at),
                    options(nostack, preserves_flags),
                );
            }
            at += STEP;
        }
        at
    }
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
mod vectors {
    /// Copies nothing: there is no such instruction.
    ///
    /// # Safety
    ///
    /// None has to be met.
    #[inline(always)]
    pub(super) unsafe fn copy(_from: *const u8, _to: *mut u8, _bytes: usize) -> usize {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run<T: Copy + Zeroable>(values: &mut [T], word: usize) -> Run<'_, T> {
        let (first, count) = (NonNull::from(&mut values[0]), values.len());
        // SAFETY: borrowed exclusively, and all bytes are values.
        unsafe { Run::new(first, count, Access::words(word)) }
    }

    /// Copies parts of every length that begin at every place.
    fn copies<T: Copy + Zeroable + PartialEq + std::fmt::Debug>(values: Vec<T>, word: usize) {
        for start in 0..values.len() {
            for end in start + 1..=values.len() {
                let mut shared = values.clone();
                let mut found = vec![T::zeroed(); end - start];
                run(&mut shared[start..end], word).load(&mut found);
                assert_eq!(found, values[start..end]);

                let mut written = vec![T::zeroed(); values.len()];
                run(&mut written[start..end], word).store(&found);
                assert_eq!(written[start..end], values[start..end]);
                let mut outside = written[..start].iter().chain(&written[end..]);
                assert!(outside.all(|value| *value == T::zeroed()));
            }
        }
    }

    #[test]
    fn elements_of_every_size_are_copied() {
        copies((1..=40_u8).collect(), 1);
        copies((1..=20_u16).collect(), 2);
        copies((1..=20_u32).map(|it| [it, 2 * it, 3 * it]).collect(), 4);
        copies((1..=9_u64).collect(), 8);
    }

    #[test]
    fn only_what_is_chosen_is_written() {
        let values: Vec<u32> = (1..=40).collect();
        let chosen: Vec<u32> = (0..40).map(|at| u32::from(at == 3 || at > 30)).collect();
        let mut written = vec![0; 40];
        run(&mut written, 4).store_where(&values, &chosen);
        let expected = values.iter().zip(&chosen);
        let expected: Vec<u32> = expected.map(|(value, chosen)| value * chosen).collect();
        assert_eq!(written, expected);
    }
}

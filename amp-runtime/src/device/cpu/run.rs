//! [`Run`]: neighbouring elements that other threads may use at the same time.
//!
//! They are copied from and to memory of the thread's own, where LLVM may use vector instructions: it
//! leaves loops of atomic accesses as they are, element by element.
//!
//! # Invariant
//!
//! Each word of an element is accessed at once, as in [`Shared`]. On x86-64 that holds for loads and stores of
//! vectors too, for each aligned word in them. Rust's atomics have no such access, so these are instructions
//! written by hand; they mean the same as one relaxed access for each word.

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

    /// Writes the elements that are chosen.
    #[inline(always)]
    #[track_caller]
    pub(super) fn store_where(self, values: &[T], chosen: &[bool]) {
        let (values, chosen) = (&values[..self.count], &chosen[..self.count]);
        let done = match self.access.is_wide() {
            // SAFETY: the elements may be written, and have no padding if they are words.
            true => unsafe {
                let word = self.access.word_of::<T>();
                vectors::store_where(self.first, values, chosen, word)
            },
            false => 0,
        };
        let (parts, rest) = chosen[done..].as_chunks::<8>();
        for (first, chosen) in (done..).step_by(8).zip(parts) {
            // Often few are: the bytes of a word say which.
            let mut left = u64::from_le_bytes(chosen.map(u8::from));
            while left != 0 {
                let at = first + left.trailing_zeros() as usize / 8;
                self.element(at).store(values[at]);
                left &= left - 1;
            }
        }
        for (at, chosen) in (done + 8 * parts.len()..).zip(rest) {
            if *chosen {
                self.element(at).store(values[at]);
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
    use std::ptr::NonNull;

    /// Bytes of a vector.
    const VECTOR: usize = 32;

    /// Copies the first of so many bytes, and returns how many: whole vectors. Each aligned word of at most 8
    /// bytes is read and written at once.
    ///
    /// # Safety
    ///
    /// So many bytes can be read and written.
    #[inline(always)]
    pub(super) unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize) -> usize {
        let (whole, fours) = (bytes - bytes % VECTOR, bytes - bytes % (4 * VECTOR));
        if whole == 0 || !is_x86_feature_detected!("avx") {
            return 0;
        }
        // SAFETY: the processor has these instructions; what they access is within both.
        unsafe {
            asm!(
                "test {fours}, {fours}",
                "jz 3f",
                "2:",
                "vmovdqu ymm0, ymmword ptr [{from} + {at}]",
                "vmovdqu ymm1, ymmword ptr [{from} + {at} + 32]",
                "vmovdqu ymm2, ymmword ptr [{from} + {at} + 64]",
                "vmovdqu ymm3, ymmword ptr [{from} + {at} + 96]",
                "vmovdqu ymmword ptr [{to} + {at}], ymm0",
                "vmovdqu ymmword ptr [{to} + {at} + 32], ymm1",
                "vmovdqu ymmword ptr [{to} + {at} + 64], ymm2",
                "vmovdqu ymmword ptr [{to} + {at} + 96], ymm3",
                "add {at}, 128",
                "cmp {at}, {fours}",
                "jb 2b",
                "3:",
                "cmp {at}, {whole}",
                "jae 4f",
                "vmovdqu ymm0, ymmword ptr [{from} + {at}]",
                "vmovdqu ymmword ptr [{to} + {at}], ymm0",
                "add {at}, 32",
                "jmp 3b",
                "4:",
                "vzeroupper",
                from = in(reg) from,
                to = in(reg) to,
                whole = in(reg) whole,
                fours = in(reg) fours,
                at = inout(reg) 0usize => _,
                out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
                out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
                out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
                out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
                options(nostack),
            );
        }
        whole
    }

    /// Elements that one step writes.
    const CHOSEN: usize = 32;

    /// Writes those of the first elements that are chosen, if each is one word, and returns of how many it has
    /// decided. Each word is written at once, and what is not chosen is not accessed.
    ///
    /// # Safety
    ///
    /// As many elements as there are values can be written from `to` on, in words of `word` bytes.
    #[inline(always)]
    pub(super) unsafe fn store_where<T>(
        to: NonNull<T>,
        values: &[T],
        chosen: &[bool],
        word: usize,
    ) -> usize {
        debug_assert_eq!(values.len(), chosen.len());
        let whole = values.len() - values.len() % CHOSEN;
        let is_word = size_of::<T>() == word && matches!(word, 4 | 8);
        if whole == 0 || !is_word || !is_x86_feature_detected!("avx2") {
            return 0;
        }
        // Makes a mask of so many choices, and writes under it. Where none of a step is chosen, it writes nothing.
        macro_rules! store_where {
            ($widen:literal, $shift:literal, $store:literal, $word:literal, [$($at:literal)*]) => {
                asm!(
                    "2:",
                    "vmovdqu ymm0, ymmword ptr [{chosen} + {at}]",
                    "vptest ymm0, ymm0",
                    "jz 3f",
                    $(
                        concat!($widen, " ymm0, [{chosen} + {at} + ", $at, "]"),
                        concat!($shift, " ymm0, ymm0, ", $word, "*8 - 1"),
                        concat!("vmovdqu ymm1, [{values} + {at}*", $word, " + ", $word, "*", $at, "]"),
                        concat!($store, " [{to} + {at}*", $word, " + ", $word, "*", $at, "], ymm0, ymm1"),
                    )*
                    "3:",
                    "add {at}, 32",
                    "cmp {at}, {whole}",
                    "jb 2b",
                    "vzeroupper",
                    to = in(reg) to.as_ptr(),
                    values = in(reg) values.as_ptr(),
                    chosen = in(reg) chosen.as_ptr(),
                    whole = in(reg) whole,
                    at = inout(reg) 0usize => _,
                    out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
                    out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
                    out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
                    out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
                    options(nostack),
                )
            };
        }
        // SAFETY: the processor has these instructions; what they access is within all three.
        unsafe {
            match word {
                4 => store_where!("vpmovzxbd", "vpslld", "vpmaskmovd", 4, [0 8 16 24]),
                _ => store_where!("vpmovzxbq", "vpsllq", "vpmaskmovq", 8, [0 4 8 12 16 20 24 28]),
            }
        }
        whole
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

    /// Writes nothing: there is no such instruction.
    ///
    /// # Safety
    ///
    /// None has to be met.
    #[inline(always)]
    pub(super) unsafe fn store_where<T>(
        _to: std::ptr::NonNull<T>,
        _values: &[T],
        _chosen: &[bool],
        _word: usize,
    ) -> usize {
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
        // More bytes than one step of a copy by vectors takes.
        copies((1..=200_u8).collect(), 1);
        copies((1..=140_u16).collect(), 2);
        copies((1..=24_u32).map(|it| [it, 2 * it, 3 * it]).collect(), 4);
        copies((1..=36_u64).collect(), 8);
    }

    /// Writes 143 elements of which some are chosen, others not, and for a while none.
    fn chosen<T: Copy + Zeroable + PartialEq + std::fmt::Debug>(
        value: impl Fn(u8) -> T,
        word: usize,
    ) {
        let values: Vec<T> = (1..=143).map(value).collect();
        let chosen: Vec<bool> = (0..143)
            .map(|at| at == 3 || at % 7 == 2 && at < 40 || at > 100)
            .collect();
        let mut written = vec![T::zeroed(); 143];
        run(&mut written, word).store_where(&values, &chosen);
        for at in 0..143 {
            let expected = if chosen[at] { values[at] } else { T::zeroed() };
            assert_eq!(written[at], expected, "element {at}");
        }
    }

    #[test]
    fn only_what_is_chosen_is_written() {
        chosen(|it| it, 1);
        chosen(u16::from, 2);
        chosen(|it| 0x0102_0304 * u32::from(it), 4);
        chosen(|it| [it; 4].map(u32::from), 4);
        chosen(|it| f64::from(it).recip(), 8);
    }
}

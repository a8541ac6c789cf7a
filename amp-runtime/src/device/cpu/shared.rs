//! [`Shared`]: a place that other threads may use at the same time.
//!
//! No reference to such a place is ever made, only a pointer that Rust's own atomics go
//! through. All are relaxed: on the processor a plain access. So what two threads of a
//! kernel do to one element at the same time leaves one value or the other there, as on a
//! device: a race in the kernel, but nothing undefined in Rust.
//!
//! LLVM moves nothing across such an access, out of a loop for instance. So what is known to have
//! no writer on another OS thread is read plainly: views that a launch only reads, tile_static
//! variables, variables of a thread.
//!
//! # Invariant
//!
//! Accesses of different sizes to the same bytes would not be atomic to each other. A scalar is
//! accessed at once, a struct or vector in words of its view's smallest scalar. What is left
//! are races between a whole struct with scalars of several sizes and one of its parts, and
//! those between a view and one with elements of another size that is made from it.

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

use amp_spirv::artifact::FaultKind;
use bytemuck::Zeroable;

use super::check::Kind;
use super::place::Place;
use super::report;

/// How a place is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    /// Bytes of a word; 0 if other OS threads at most read the place, while this one does not
    /// write it.
    word: usize,
    /// Whether each access is noted ([`check`](super::check)).
    is_checked: bool,
}

impl Access {
    /// By the threads of one tile, which take turns on one OS thread, or by one of them; or by
    /// many that only read.
    pub(super) const PLAIN: Self = Self {
        word: 0,
        is_checked: false,
    };

    /// By many OS threads, in words of so many bytes.
    pub(super) const fn words(word: usize) -> Self {
        Self {
            word,
            ..Self::PLAIN
        }
    }

    /// The same, with each access noted if so.
    #[inline(always)]
    pub(super) const fn checked(self, is_checked: bool) -> Self {
        Self { is_checked, ..self }
    }

    /// Whether the place is accessed as one of this OS thread's own.
    #[inline(always)]
    pub(super) const fn is_plain(self) -> bool {
        self.word == 0
    }

    /// That of the same bytes as other elements, which have words of so many bytes.
    #[inline(always)]
    pub(super) const fn as_words(self, word: usize) -> Self {
        match self.word {
            0 => self,
            _ => Self { word, ..self },
        }
    }

    /// Whether neighbouring places can be accessed together: in words, of which no access is noted.
    #[inline(always)]
    pub(super) const fn is_wide(self) -> bool {
        !self.is_plain() && !self.is_checked
    }

    /// Bytes of the words that a `T` is accessed in.
    #[inline(always)]
    pub(super) const fn word_of<T>(self) -> usize {
        let is_scalar = size_of::<T>() == align_of::<T>() && size_of::<T>() <= 8;
        match self.word {
            0 => 0,
            _ if is_scalar => size_of::<T>(),
            word => word,
        }
    }
}

/// A place that other threads may use at the same time, or why there is none.
#[derive(Debug)]
pub struct Shared<'a, T> {
    pub(super) pointer: Result<NonNull<T>, Missing>,
    pub(super) access: Access,
    memory: PhantomData<&'a T>,
}

impl<T> Clone for Shared<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Shared<'_, T> {}

/// Why there is no place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Missing {
    /// An index is out of bounds: it and the length.
    Outside(FaultKind, [usize; 2]),
    /// It has been reported.
    Reported,
}

impl Missing {
    /// Reports it. Inlined, so that a place need not have an address of its own on the stack.
    #[inline(always)]
    #[track_caller]
    pub(super) fn raise(self) {
        if let Missing::Outside(kind, operands) = self {
            report::raise(kind, operands);
        }
    }
}

impl<'a, T> Shared<'a, T> {
    /// # Safety
    ///
    /// For `'a` the pointer is that of a `T` that may be read, and written if it is written.
    /// If `access` has words, any bytes are a `T`, whose alignment and size are multiples of
    /// a word, and meanwhile all threads access the place so. If it is plain, no other OS thread
    /// writes there meanwhile, and none reads if this one writes.
    #[inline(always)]
    pub(super) unsafe fn new(pointer: NonNull<T>, access: Access) -> Self {
        Self {
            pointer: Ok(pointer),
            access,
            memory: PhantomData,
        }
    }

    #[inline(always)]
    pub(super) fn outside(kind: FaultKind, operands: [usize; 2]) -> Self {
        Self::missing(Missing::Outside(kind, operands))
    }

    /// What stands for a place that does not exist.
    #[inline(always)]
    pub(super) fn missing(why: Missing) -> Self {
        Self {
            pointer: Err(why),
            access: Access::PLAIN,
            memory: PhantomData,
        }
    }

    /// Notes an access to the place, in checked mode.
    #[inline(always)]
    #[track_caller]
    pub(super) fn note(&self, kind: Kind) {
        if self.access.is_checked
            && let Ok(pointer) = self.pointer
        {
            report::access(pointer.addr().get(), size_of::<T>(), kind);
        }
    }

    /// The same place, of which no access is noted.
    #[inline(always)]
    pub(super) fn unchecked(self) -> Self {
        let access = self.access.checked(false);
        Self { access, ..self }
    }

    /// The place, about which a fault is reported here and not where it is used.
    #[inline(always)]
    #[track_caller]
    pub fn named(self) -> Self {
        match self.pointer {
            Ok(_) => self,
            Err(why) => {
                why.raise();
                Self::missing(Missing::Reported)
            }
        }
    }

    /// A part of the place: the one that `part` takes of another `T`.
    #[inline(always)]
    pub fn field<F>(self, part: impl FnOnce(&mut T) -> &mut F) -> Shared<'a, F>
    where
        T: Zeroable,
    {
        let mut other = T::zeroed();
        let start = (&raw mut other).addr();
        let offset = (&raw mut *part(&mut other)).addr().wrapping_sub(start);
        assert!(
            offset
                .checked_add(size_of::<F>())
                .is_some_and(|end| end <= size_of::<T>()),
            "a field lies in its struct"
        );
        Shared {
            // SAFETY: the offset is that of an `F` in a `T`, and stays within it.
            pointer: self
                .pointer
                .map(|pointer| unsafe { pointer.byte_add(offset).cast() }),
            access: self.access,
            memory: PhantomData,
        }
    }

    /// An element of the place.
    #[inline(always)]
    pub fn at(self, index: usize) -> Shared<'a, T::Item>
    where
        T: Place,
    {
        const { assert!(T::LENGTH * size_of::<T::Item>() <= size_of::<T>()) };
        match self.pointer {
            // SAFETY: the elements of a `Place` lie one behind the other from its start on.
            Ok(whole) if index < T::LENGTH => unsafe {
                Shared::new(whole.cast::<T::Item>().add(index), self.access)
            },
            Ok(_) => Shared::outside(FaultKind::ArrayOutOfBounds, [index, T::LENGTH]),
            Err(why) => Shared::missing(why),
        }
    }
}

impl<'a, T: Copy + Zeroable> Shared<'a, T> {
    /// What is there; zero if there is no place.
    #[inline(always)]
    #[track_caller]
    pub fn load(self) -> T {
        match self.pointer {
            // SAFETY: it may be read as `access` says (contract of `new`).
            Ok(pointer) => unsafe {
                self.note(Kind::Read);
                match self.access.word_of::<T>() {
                    0 => pointer.read(),
                    1 => load_words::<T, AtomicU8>(pointer),
                    2 => load_words::<T, AtomicU16>(pointer),
                    4 => load_words::<T, AtomicU32>(pointer),
                    _ => load_words::<T, AtomicU64>(pointer),
                }
            },
            Err(why) => {
                why.raise();
                T::zeroed()
            }
        }
    }

    /// Puts a value there, if there is a place.
    #[inline(always)]
    #[track_caller]
    pub fn store(self, value: T) {
        match self.pointer {
            // SAFETY: it may be written as `access` says (contract of `new`).
            Ok(pointer) => unsafe {
                self.note(Kind::Write);
                match self.access.word_of::<T>() {
                    0 => pointer.write(value),
                    1 => store_words::<T, AtomicU8>(pointer, value),
                    2 => store_words::<T, AtomicU16>(pointer, value),
                    4 => store_words::<T, AtomicU32>(pointer, value),
                    _ => store_words::<T, AtomicU64>(pointer, value),
                }
            },
            Err(why) => why.raise(),
        }
    }
}

impl<'a, T: Copy + Zeroable> Shared<'a, T> {
    /// Puts the words of a value there in which it differs from what was found there, if there is a place.
    #[inline(always)]
    #[track_caller]
    pub(super) fn change(self, found: &T, value: &T) {
        match self.pointer {
            // SAFETY: it may be written as `access` says (contract of `new`).
            Ok(pointer) => unsafe {
                self.note(Kind::Write);
                match self.access.word_of::<T>() {
                    0 => pointer.write(*value),
                    1 => change_words::<T, AtomicU8>(pointer, found, value),
                    2 => change_words::<T, AtomicU16>(pointer, found, value),
                    4 => change_words::<T, AtomicU32>(pointer, found, value),
                    _ => change_words::<T, AtomicU64>(pointer, found, value),
                }
            },
            Err(why) => why.raise(),
        }
    }
}

/// Rust's atomic of a word.
pub(super) trait Word {
    type Plain: Copy + PartialEq;

    /// # Safety
    ///
    /// The word may be read, and all threads access it atomically.
    unsafe fn load(place: NonNull<Self::Plain>) -> Self::Plain;

    /// # Safety
    ///
    /// The word may be written, and all threads access it atomically.
    unsafe fn store(place: NonNull<Self::Plain>, value: Self::Plain);
}

macro_rules! words {
    ($($atomic:ident $plain:ident)*) => {$(
        impl Word for $atomic {
            type Plain = $plain;

            #[inline(always)]
            unsafe fn load(place: NonNull<$plain>) -> $plain {
                // SAFETY: the caller's.
                unsafe { $atomic::from_ptr(place.as_ptr()) }.load(Ordering::Relaxed)
            }

            #[inline(always)]
            unsafe fn store(place: NonNull<$plain>, value: $plain) {
                // SAFETY: the caller's.
                unsafe { $atomic::from_ptr(place.as_ptr()) }.store(value, Ordering::Relaxed);
            }
        }
    )*};
}
words!(AtomicU8 u8 AtomicU16 u16 AtomicU32 u32 AtomicU64 u64);

/// # Safety
///
/// The place may be read; all bytes are a `T`, which is made of such words.
#[inline(always)]
unsafe fn load_words<T, W: Word>(place: NonNull<T>) -> T {
    let mut value = MaybeUninit::<T>::uninit();
    let to = value.as_mut_ptr().cast::<W::Plain>();
    let mut word = 0;
    while word < size_of::<T>() / size_of::<W::Plain>() {
        // SAFETY: within both values, of which the caller says that they are words; `to` is
        // as aligned as a `T` is.
        unsafe {
            let found = W::load(place.cast::<W::Plain>().add(word));
            to.add(word).write(found);
        }
        word += 1;
    }
    // SAFETY: all of its words are there, and any bytes are a `T`.
    unsafe { value.assume_init() }
}

/// # Safety
///
/// The place may be written; a `T` has no padding and is made of such words.
#[inline(always)]
unsafe fn store_words<T, W: Word>(place: NonNull<T>, value: T) {
    let from = (&raw const value).cast::<W::Plain>();
    let mut word = 0;
    while word < size_of::<T>() / size_of::<W::Plain>() {
        // SAFETY: within both values, of which the caller says that they are words.
        unsafe {
            let new = from.add(word).read();
            W::store(place.cast::<W::Plain>().add(word), new);
        }
        word += 1;
    }
}

/// # Safety
///
/// The place may be written; a `T` has no padding and is made of such words.
#[inline(always)]
unsafe fn change_words<T, W: Word>(place: NonNull<T>, found: &T, value: &T) {
    let from = (&raw const *value).cast::<W::Plain>();
    let before = (&raw const *found).cast::<W::Plain>();
    let mut word = 0;
    while word < size_of::<T>() / size_of::<W::Plain>() {
        // SAFETY: within the values, of which the caller says that they are words.
        unsafe {
            let new = from.add(word).read();
            if new != before.add(word).read() {
                W::store(place.cast::<W::Plain>().add(word), new);
            }
        }
        word += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Zeroable)]
    #[repr(C)]
    struct Mixed {
        wide: u64,
        narrow: [u16; 4],
    }

    fn shared(value: &mut Mixed, word: usize) -> Shared<'_, Mixed> {
        // SAFETY: borrowed exclusively, and all bytes are one.
        unsafe { Shared::new(NonNull::from(value), Access::words(word)) }
    }

    #[test]
    fn a_value_is_its_words() {
        let start = Mixed {
            wide: 0x0123_4567_89AB_CDEF,
            narrow: [1, 2, 3, 4],
        };
        for word in [1, 2] {
            let mut value = start;
            assert_eq!(shared(&mut value, word).load(), start);
            let other = Mixed { wide: 5, ..start };
            shared(&mut value, word).store(other);
            assert_eq!(value, other);
        }
    }

    #[test]
    fn a_scalar_is_accessed_at_once() {
        assert_eq!(Access::words(2).word_of::<u64>(), 8);
        assert_eq!(Access::words(2).word_of::<[u16; 4]>(), 2);
        assert_eq!(Access::PLAIN.word_of::<u64>(), 0);
    }

    #[test]
    fn parts_are_parts() {
        let mut value = Mixed::zeroed();
        let narrow = shared(&mut value, 2).field(|whole| &mut whole.narrow);
        narrow.at(2).store(7);
        assert_eq!(narrow.load(), [0, 0, 7, 0]);
        shared(&mut value, 2)
            .field(|whole| &mut whole.wide)
            .store(9);
        assert_eq!((value.wide, value.narrow), (9, [0, 0, 7, 0]));
    }

    #[test]
    fn threads_may_race() {
        let mut value = Mixed::zeroed();
        let place = (&raw mut value).expose_provenance();
        std::thread::scope(|scope| {
            for thread in 1..=2 {
                scope.spawn(move || {
                    let place = NonNull::new(std::ptr::with_exposed_provenance_mut(place));
                    // SAFETY: it lives until the scope ends, and both access it so.
                    let place = unsafe {
                        Shared::<Mixed>::new(place.expect("it is no null"), Access::words(2))
                    };
                    place.field(|whole| &mut whole.wide).store(thread);
                });
            }
        });
        assert!([1, 2].contains(&value.wide));
    }
}

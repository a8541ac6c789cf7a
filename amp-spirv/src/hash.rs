//! Maps and sets with a hasher that is cheap without optimisation, which is how the compiler runs in
//! a user's build: the standard one took a sixth of each compilation. It need not withstand keys that
//! are chosen to collide.

use std::hash::{BuildHasherDefault, Hasher};

pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<Multiplying>>;
pub(crate) type HashSet<T> = std::collections::HashSet<T, BuildHasherDefault<Multiplying>>;

/// Multiplies the words of a key.
#[derive(Default)]
pub(crate) struct Multiplying(u64);

impl Hasher for Multiplying {
    fn write(&mut self, bytes: &[u8]) {
        for bytes in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, byte: u8) {
        self.write_u64(byte.into());
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        // Odd, and with bits all over: 2⁶⁴ divided by the golden ratio.
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        // A product's high bits depend on all of the key, and a table takes its low ones.
        self.0.rotate_left(26)
    }
}

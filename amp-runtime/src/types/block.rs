//! Argument blocks.

use std::ops::{Deref, DerefMut};

use amp_spirv::artifact::PUSH_CONSTANT_BYTES;

/// Bytes that have room in place.
const FEW: usize = PUSH_CONSTANT_BYTES as usize;

/// The bytes of arguments: in place as far as they fit push constants, so that a launch takes no
/// memory for them.
#[derive(Clone, Debug)]
pub(crate) enum Block {
    Few(usize, [u8; FEW]),
    Many(Box<[u8]>),
}

impl Block {
    /// So many zeroes.
    pub(crate) fn zeroed(length: usize) -> Self {
        match length <= FEW {
            true => Self::Few(length, [0; FEW]),
            false => Self::Many(vec![0; length].into()),
        }
    }
}

impl Deref for Block {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Few(count, few) => &few[..*count],
            Self::Many(many) => many,
        }
    }
}

impl DerefMut for Block {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Few(count, few) => &mut few[..*count],
            Self::Many(many) => many,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_room_for_all() {
        for length in [0, 1, FEW, FEW + 1] {
            let mut block = Block::zeroed(length);
            assert_eq!(*block, vec![0; length]);
            block.fill(7);
            assert_eq!(*block, vec![7; length]);
        }
    }
}

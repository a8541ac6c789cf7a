//! Elements as words. What only moves elements needs no kernels for each of their types: it moves
//! words of the largest size that every element is a multiple of, by its alignment.

/// Evaluates an expression with the type of word, `u8`, `u16` or `u32`, in which elements of a type
/// are moved.
macro_rules! by_word {
    ($element:ty, $word:ident => $body:expr) => {
        match align_of::<$element>() {
            1 => {
                type $word = u8;
                $body
            }
            2 => {
                type $word = u16;
                $body
            }
            _ => {
                type $word = u32;
                $body
            }
        }
    };
}

pub(super) use by_word;

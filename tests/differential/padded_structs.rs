//! Structs of a module that have padding: they are variables, parameters, results and tile memory.

use amp::prelude::*;
use glam::Vec4;
use testkit::{gives, launch};

#[amp_module]
mod tokens {
    use amp::prelude::*;
    use glam::Vec4;

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Token {
        pub kind: u8,
        pub length: u32,
        pub flags: u16,
    }

    #[derive(Default)]
    pub struct Held<T> {
        pub value: T,
        pub count: u32,
    }

    pub struct Line {
        pub weight: f32,
        pub plane: Vec4,
        pub tokens: [Token; 2],
    }

    pub enum Found {
        Nothing,
        One(Token),
    }

    pub fn next(word: u32) -> Option<Token> {
        let kind = (word % 5) as u8;
        (kind > 0).then_some(Token {
            kind,
            length: word / 5,
            ..Token::default()
        })
    }

    pub fn longest(words: &[u32]) -> Found {
        let mut found = Found::Nothing;
        for token in words.iter().filter_map(|&word| next(word)) {
            found = match found {
                Found::One(best) if best.length >= token.length => Found::One(best),
                _ => Found::One(token),
            };
        }
        found
    }

    pub fn weight(words: &[u32]) -> u32 {
        let held = match longest(words) {
            Found::One(token) => Held {
                value: u16::from(token.kind),
                count: token.length,
            },
            Found::Nothing => Held::default(),
        };
        u32::from(held.value) * 1000 + held.count
    }

    #[amp_kernel]
    pub fn weigh(
        t_idx: TiledIndex<1, 4>,
        line: Line,
        held: Held<u8>,
        out: &mut ArrayViewMut<u32, 1>,
    ) {
        #[tile_static]
        let mut shared: [Token; 4];
        let local = t_idx.local[0];
        let mut token = line.tokens[local % 2];
        token.length += local as u32;
        shared[local] = token;
        t_idx.barrier.wait();
        let other = shared[3 - local];
        let same = (other == token) as u32;
        let words = [other.length, token.length * 7, held.count];
        out[t_idx] = weight(&words)
            + u32::from(other.flags) * same
            + u32::from(held.value)
            + (line.plane.w * line.weight) as u32;
    }
}

#[test]
fn structs_with_padding_are_values() {
    use tokens::{Held, Line, Token};
    let tokens = [
        Token {
            kind: 3,
            length: 40,
            flags: 9,
        },
        Token {
            kind: 1,
            length: 38,
            flags: 700,
        },
    ];
    let line = Line {
        weight: 2.5,
        plane: Vec4::new(0.0, 1.0, 2.0, 4.0),
        tokens,
    };
    let held = Held {
        value: 200_u8,
        count: 123_456,
    };
    let expected = [0, 1, 2, 3].map(|local| {
        let of = |local: usize| {
            let token = tokens[local % 2];
            Token {
                length: token.length + local as u32,
                ..token
            }
        };
        let (own, other) = (of(local), of(3 - local));
        let words = [other.length, own.length * 7, held.count];
        tokens::weight(&words) + u32::from(other.flags) * (own == other) as u32 + 210
    });
    gives(&expected, |view, out| {
        let domain = out.extent().tile::<4>();
        launch(view, domain, tokens::weigh(line, held, out))
    });
}

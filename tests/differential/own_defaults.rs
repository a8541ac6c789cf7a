//! Defaults of types with parts whose `Default` is written by hand, and types whose `Clone` and `Copy` are; against
//! the same module as plain Rust.

use amp::prelude::*;

device_and_host! {
    use std::marker::PhantomData;

    #[derive(Clone, Copy)]
    pub struct Gain {
        by: u32,
        of: u16,
    }

    impl Default for Gain {
        fn default() -> Self {
            Gain { by: 15, of: 7 }
        }
    }

    #[derive(Clone, Copy, PartialEq)]
    pub enum Mode {
        Slow,
        Fast,
    }

    impl Default for Mode {
        fn default() -> Self {
            Mode::Fast
        }
    }

    #[derive(Default, Clone, Copy, PartialEq)]
    pub enum Shape {
        Point,
        #[default]
        Line,
        Circle(u32),
    }

    #[derive(Default, Clone, Copy)]
    pub struct Config {
        gain: Gain,
        mode: Mode,
        shape: Shape,
        parts: [(u8, Gain); 3],
    }

    #[derive(Clone, Copy)]
    pub struct Bag<T, const N: usize> {
        items: [T; N],
        len: u32,
    }

    impl<T: Default + Copy, const N: usize> Default for Bag<T, N> {
        fn default() -> Self {
            Bag { items: [T::default(); N], len: 3 + N as u32 }
        }
    }

    #[derive(Default, Clone, Copy)]
    pub struct Bags {
        gains: Bag<Gain, 4>,
        numbers: Bag<u32, 2>,
    }

    pub struct Handle<T> {
        index: u32,
        of: PhantomData<T>,
    }

    impl<T> Clone for Handle<T> {
        fn clone(&self) -> Self {
            *self
        }
    }

    impl<T> Copy for Handle<T> {}

    pub enum Tag {
        None,
        Some(u32),
    }

    impl Clone for Tag {
        fn clone(&self) -> Self {
            *self
        }
    }

    impl Copy for Tag {}

    fn pair<T: Default>() -> [T; 2] {
        [T::default(), Default::default()]
    }

    fn bag_of<T: Default + Copy, const N: usize>(_: T) -> Bag<T, N> {
        Default::default()
    }

    fn copied(x: u32) -> u32 {
        let handle: Handle<f32> = Handle { index: x, of: PhantomData };
        let (other, tag) = (handle.clone(), Tag::Some(x));
        let again = tag;
        let of_tags = match (tag, again.clone()) {
            (Tag::Some(x), Tag::Some(y)) => x + y,
            (Tag::None, _) | (_, Tag::None) => 0,
        };
        handle.index + other.index * 2 + of_tags
    }

    pub fn all(x: u32) -> u32 {
        let config = Config::default();
        let bags: Bags = Default::default();
        let gain = Gain { of: x as u16, ..Default::default() };
        let pairs = pair::<Gain>()[1].by + pair::<Config>()[0].gain.by;
        let bag = bag_of::<Gain, 3>(gain);
        let none: Option<Gain> = None;
        let is_plain = (config.mode == Mode::Fast) as u32 + (config.shape == Shape::Line) as u32;
        let of_bags = bags.gains.items[3].by + bags.gains.len + bags.numbers.len + bags.numbers.items[1];
        let gains = config.parts[2].1.by + gain.by * gain.of as u32 + none.unwrap_or_default().by;
        copied(x) + pairs * is_plain + of_bags + gains + bag.items[2].of as u32 * bag.len
    }
}

all_agree!(defaults_are_those_of_the_parts: u32, 20);

//! Types that the bodies of a module declare, with their blocks.

use amp::prelude::*;

device_and_host! {
    pub const LIMIT: u32 = 12;

    /// A stack of frames.
    pub fn depth(x: u32) -> u32 {
        #[derive(Clone, Copy, Default)]
        struct Frame {
            left: u32,
            sum: u32,
        }

        let mut stack = [Frame::default(); 4];
        let mut top = 0;
        stack[0] = Frame { left: x % 4, sum: x };
        while stack[top].left > 0 && top < 3 {
            let Frame { left, sum } = stack[top];
            top += 1;
            stack[top] = Frame { left: left - 1, sum: sum * 3 + left };
        }
        stack[top].sum + top as u32
    }

    pub fn parsed(text: &[u8]) -> u32 {
        const BASE: u32 = 10;

        #[derive(Clone, Copy, PartialEq, Debug)]
        enum State {
            Start,
            Number(u32),
            Bad(Reason),
        }

        #[derive(Clone, Copy, PartialEq, Debug)]
        enum Reason {
            Letter,
            Long,
        }

        impl State {
            fn next(self, c: u8) -> Self {
                match (self, c) {
                    (Self::Start, b'0'..=b'9') => State::Number((c - b'0') as u32),
                    (Self::Number(n), _) if n > LIMIT => State::Bad(Reason::Long),
                    (Self::Number(n), b'0'..=b'9') => Self::Number(n * 10 + (c - b'0') as u32),
                    (Self::Bad(_), _) => self,
                    _ => Self::Bad(Reason::Letter),
                }
            }
        }

        let mut state = State::Start;
        for &c in text {
            state = state.next(c);
        }
        match state {
            State::Number(n) => n + BASE,
            State::Start => 0,
            State::Bad(reason) => 500 + (reason == Reason::Long) as u32,
        }
    }

    pub struct Counter(pub u32);

    impl Counter {
        pub fn halves(&self) -> u32 {
            if self.0 > 3 {
                struct Halves<T>(T, T);

                impl<T: Copy> Halves<T> {
                    fn first(&self) -> T {
                        self.0
                    }
                }

                let halves = Halves(self.0 / 2, self.0 - self.0 / 2);
                return halves.first() * 10 + halves.1;
            }
            fn small(x: u32) -> u32 {
                struct Small {
                    x: u32,
                }
                Small { x }.x + 1
            }
            small(self.0)
        }
    }

    pub fn all(x: u32) -> u32 {
        let digit = b'0' + (x % 12) as u8;
        depth(x) + parsed(&[b'1', digit, b'2'][..x as usize % 4]) * 3 + Counter(x).halves()
    }
}

all_agree!(types_in_bodies_are_those_of_kernels: u32, 60);

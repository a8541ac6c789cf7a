//! Methods of one's own types that make iterators, by the names of those of arrays, beside these; against the same
//! module as plain Rust.

use amp::prelude::*;

device_and_host! {
    #[derive(Clone, Copy)]
    pub struct Ring<T, const N: usize> {
        buf: [Option<T>; N],
        head: usize,
        len: usize,
    }

    impl<T: Copy, const N: usize> Ring<T, N> {
        pub fn new(t: T) -> Self {
            Ring {
                buf: [Some(t); N],
                head: 1,
                len: N - 1,
            }
        }
        pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
            (0..self.len).filter_map(move |i| self.buf[(self.head + i) % N])
        }
    }

    impl<const N: usize> Ring<u32, N> {
        pub fn total(&self) -> u32 {
            self.iter().sum()
        }
    }

    pub struct Bag {
        buf: [u32; 4],
        len: usize,
    }

    impl Bag {
        pub fn new(t: u32) -> Self {
            Bag {
                buf: [t, t + 1, 7, 9],
                len: 3,
            }
        }
        pub fn iter(&self) -> impl Iterator<Item = &u32> {
            self.buf[..self.len].iter()
        }
        pub fn chunks(&self, n: usize) -> impl Iterator<Item = u32> {
            self.buf.chunks(n).map(|c| c.iter().sum::<u32>())
        }
        pub fn most(&self) -> u32 {
            let mut m = 0;
            for &x in self.iter() {
                if x > m {
                    m = x;
                }
            }
            m
        }
    }

    fn of(b: &Bag, xs: &[u32]) -> u32 {
        b.iter().map(|x| x * 2).sum::<u32>() + xs.iter().sum::<u32>() * 100
    }

    pub fn a(x: u32) -> u32 {
        let r = Ring::<u32, 4>::new(x);
        r.iter().sum::<u32>() + r.iter().count() as u32 + r.total()
    }

    pub fn e(x: u32) -> u32 {
        let r = Bag::new(x);
        let a = [x, 2, 3];
        let mut s = 0;
        for v in r.iter() {
            s += v;
        }
        for v in a.iter() {
            s += v * 10;
        }
        s + r.iter().copied().max().unwrap() + of(&r, &a)
    }

    pub fn f(x: u32) -> u32 {
        let r = Bag::new(x);
        let r2 = &r;
        let s: u32 = r2.iter().zip([1, 2, 3]).map(|(a, b)| a * b).sum();
        s + r.chunks(2).map(|v| v * 3).sum::<u32>() + r.most() + Bag::new(3).iter().sum::<u32>()
    }

    pub fn g(x: u32) -> u32 {
        let a = [x, 4, 5];
        let mut it = a.iter();
        let first = it.next();
        first.copied().unwrap_or(0)
            + it.sum::<u32>()
            + a.chunks(2).map(|c| c[0]).sum::<u32>()
            + a.iter().position(|&v| v == 5).unwrap() as u32
    }

    pub struct Two {
        left: Bag,
        right: Bag,
    }

    impl Two {
        fn sum(&self) -> u32 {
            self.left.iter().sum::<u32>() + self.right.chunks(3).sum::<u32>() * 5
        }
    }

    pub fn h(x: u32) -> u32 {
        let two = Two {
            left: Bag::new(x),
            right: Bag::new(2),
        };
        two.sum() + two.right.iter().count() as u32
    }

    pub fn all(x: u32) -> u32 {
        a(x) + e(x) + f(x) + g(x) + h(x)
    }
}

all_agree!(methods_are_those_of_the_type: u32, 40);

//! Iterators of one's own types, where they cannot be used.

use amp::prelude::*;

#[amp_struct]
struct Countdown(u32);

#[amp_fn]
impl Iterator for Countdown {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.0 = self.0.checked_sub(1)?;
        Some(self.0)
    }
}

#[amp_struct]
struct Holder {
    count: Countdown,
}

#[amp_struct]
struct Taking(u32);

#[amp_fn]
impl Taking {
    fn take(&self, n: usize) -> u32 {
        self.0 + n as u32
    }
}

#[amp_fn]
impl Iterator for Taking {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        Some(self.0)
    }
}

#[amp_kernel]
fn used(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let count = Countdown(3);
    let holder = Holder { count };
    out[idx] = holder.count.take(3).sum::<u32>();
    for x in count.rev() {
        out[idx] += x;
    }
    out[idx] = Taking(3).take(2);
    out[idx] = Taking(3).map(|x| x + 1).next().unwrap();
}

#[amp_module]
mod visited {
    #[derive(Clone, Copy)]
    pub struct Grid {
        pub n: u32,
    }

    #[derive(Clone, Copy)]
    pub struct Cells {
        left: u32,
    }

    impl Iterator for Cells {
        type Item = (u32, u32);

        fn next(&mut self) -> Option<(u32, u32)> {
            if self.left == 0 {
                return None;
            }
            self.left -= 1;
            Some((self.left, 1))
        }
    }

    impl IntoIterator for &Grid {
        type Item = (u32, u32);
        type IntoIter = Cells;

        fn into_iter(self) -> Cells {
            Cells { left: self.n }
        }
    }

    pub fn sum(grid: &Grid) -> u32 {
        let mut sum = 0;
        for (a, b) in grid {
            sum += a * b;
        }
        let own = *grid;
        for x in own {
            sum += x.0;
        }
        sum + grid.into_iter().map(|(a, _)| a).sum::<u32>()
    }
}

fn main() {}

//! Guards with `let`, alone and among other conditions.

use amp::prelude::*;

device_and_host! {
    #[derive(Clone, Copy)]
    pub struct Part {
        pub next: Option<u32>,
        pub size: u32,
    }

    #[derive(Clone, Copy)]
    pub enum Op {
        Push(u32),
        Jump { to: usize },
        Stop,
    }

    pub fn values(v: &[Option<u32>; 4], x: Option<usize>) -> u32 {
        match x {
            Some(i) if let Some(y) = v[i] => y,
            Some(i) if i > 2 && let Some(y) = v[i - 1] && y > 1 && let Some(z) = v[0] => y + 1 + z,
            Some(3) if let None = v[0] => 77,
            _ => 0,
        }
    }

    pub fn references(v: &[Part; 3], i: usize) -> u32 {
        match i {
            i if let part = &v[i] && part.size > 2 && let Some(3 | 4) = part.next => part.size * 100,
            0 | 1 if let Some(next) = &v[i].next => *next,
            _ => 5,
        }
    }

    pub fn ops(code: &[Op], at: usize, count: &mut u32) -> u32 {
        let mut tried = |x: u32| {
            *count += 1;
            if x % 2 == 0 { Some(x / 2) } else { None }
        };
        match &code[at] {
            Op::Push(x) if let Some(half) = tried(*x) => half,
            Op::Push(x) if let Some(half) = tried(*x + 1) => half * 10,
            Op::Jump { to } if let Op::Push(mut x) = code[*to] && x != 1 => {
                x += 1;
                x * 100
            }
            Op::Jump { .. } | Op::Stop if let (1..=2, n) = (at, code.len()) => n as u32,
            _ => 3,
        }
    }

    pub fn lines(v: &[u32], w: &[u32]) -> u32 {
        match v {
            [x, ..] if let &[y, .., z] = w && *x < z => y * 10 + z,
            [x, rest @ ..] if let Some(last) = rest.last().copied() => x + last,
            _ => 9,
        }
    }

    pub fn all(x: u32) -> u32 {
        let i = x as usize;
        let v = [Some(x), None, Some(x / 2), None];
        let parts = [(Some(x), 1), (Some(x % 5), x), (None, 4)].map(|(next, size)| Part { next, size });
        let code = [Op::Push(x), Op::Jump { to: i % 4 }, Op::Stop, Op::Push(1)];
        let mut count = 0;
        let mut sum = values(&v, Some(i % 4)) + values(&[None; 4], Some(i % 4)) + references(&parts, i % 3) * 3;
        sum += ops(&code, i % 4, &mut count) + ops(&code, (i + 1) % 4, &mut count);
        let numbers = [x, 3, x + 1, 7];
        sum * 10 + count + lines(&numbers[i % 5..], &numbers[..i % 4]) * 7
    }
}

all_agree!(guards_bind_what_their_arms_use: u32, 40);

//! What is matched by `&mut` while the arms change it through its own name, against the same module as plain Rust.

use amp::prelude::*;
use testkit::{becomes, launch};

device_and_host! {
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum State {
        Idle,
        Run { left: u32 },
        Wait(u32),
    }

    #[derive(Clone, Copy)]
    pub struct Machine {
        state: State,
        count: u32,
        log: [u32; 4],
        next: Option<u32>,
    }

    fn tick(s: &mut Machine, x: u32) {
        match &mut s.state {
            State::Run { left } => {
                *left -= 1;
                s.count += *left;
                if *left == 0 {
                    s.state = State::Idle;
                }
            }
            State::Wait(n) => *n += x,
            State::Idle => s.state = State::Wait(0),
        }
    }

    fn turn(s: &mut State) -> u32 {
        match s {
            State::Run { left } if *left > 3 => {
                *left = 2;
                1
            }
            State::Run { .. } => {
                *s = State::Wait(7);
                2
            }
            State::Wait(n) => {
                let k = *n;
                *s = State::Run { left: k };
                turned(s) + k
            }
            State::Idle => {
                *s = State::Wait(1);
                9
            }
        }
    }

    fn turned(s: &mut State) -> u32 {
        if let State::Run { left } = s {
            *left += 1;
            if *left > 4 {
                *s = State::Idle;
            }
        }
        3
    }

    fn each(states: &mut [State]) -> u32 {
        let mut sum = 0;
        for s in states {
            sum += turn(s);
            if let State::Wait(n) = s {
                *n += 1;
                if *n > 4 {
                    *s = State::Idle;
                    continue;
                }
                sum += 1;
            }
        }
        sum
    }

    fn taken(s: &mut Machine) -> u32 {
        let State::Run { left } = &mut s.state else {
            s.state = State::Idle;
            return 1;
        };
        *left += 1;
        s.count += *left;
        let [first, .., last] = &mut s.log;
        std::mem::swap(first, last);
        s.count + s.log[0]
    }

    fn taken_whole(s: &mut State) -> u32 {
        let State::Run { left } = s else {
            *s = State::Wait(2);
            return 5;
        };
        *left += 1;
        if *left > 3 {
            *s = State::Idle;
        }
        2
    }

    fn counted(s: &mut Machine) -> u32 {
        let mut sum = 0;
        while let Some(n) = &mut s.next {
            *n -= 1;
            sum += *n;
            s.count += 1;
            if *n == 0 {
                s.next = None;
            }
        }
        sum
    }

    fn optional(s: &mut Option<u32>) -> u32 {
        if let Some(x) = s {
            *x += 1;
            if *x > 5 {
                *s = None;
            }
        }
        match s {
            Some(x) => {
                *x *= 2;
                *x
            }
            None => {
                *s = Some(1);
                0
            }
        }
    }

    fn numbers(s: &mut Machine) {
        for (k, l) in s.log.iter_mut().enumerate() {
            match l {
                0 => *l = k as u32,
                x if *x > 2 => *x = 1,
                _ => *l += 1,
            }
        }
    }

    pub fn all(x: u32) -> u32 {
        let next = if x > 3 { Some(x) } else { None };
        let mut m = Machine { state: State::Run { left: x + 1 }, count: 0, log: [x, 2, 3, 4], next };
        let mut states = [State::Idle, State::Run { left: x }, State::Wait(x)];
        let mut sum = taken(&mut m) + counted(&mut m) * 3;
        for k in 0..x {
            tick(&mut m, k);
        }
        sum += each(&mut states) + taken_whole(&mut m.state) + optional(&mut m.next);
        sum += each(&mut states) * 7 + taken_whole(&mut states[1]);
        numbers(&mut m);
        sum + m.count * 3 + m.log.iter().sum::<u32>()
    }
}

all_agree!(arms_change_what_is_matched: u32, 24);

#[amp_fn]
fn count(counter: &mut [u32; 2]) {
    match &mut counter[0] {
        0 => counter[1] += 10,
        left => {
            *left -= 1;
            if *left == 0 {
                counter[1] = 7;
            }
        }
    }
}

#[amp_kernel]
fn count_all(idx: Index<1>, counters: &mut ArrayViewMut<[u32; 2], 1>) {
    count(&mut counters[idx]);
}

/// Other threads may use what is matched, so that the CPU has a copy of it meanwhile.
#[test]
fn elements_of_views() {
    let before: Vec<[u32; 2]> = (0..9).map(|i| [i % 3, i]).collect();
    let mut expected = before.clone();
    expected.iter_mut().for_each(count);
    becomes([9], &before, &expected, |view, out| {
        launch(view, 9, count_all(out))
    });
}

//! Random kernels: where the check accepts one, two threads come to the same barriers under
//! every schedule that is tried.

use super::*;

/// A statement of a small language, which is both checked and run.
#[derive(Clone, Debug)]
enum Stmt {
    /// `s[slot] = value;`
    Write(u32, Value),
    /// `x = s[slot];`
    Take(u32),
    /// A barrier with its number.
    Wait(u32),
    If(Condition, Vec<Stmt>, Vec<Stmt>),
    /// `'label: loop { .. }`
    Loop(u32, Vec<Stmt>),
    Break(u32),
    Return,
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Number(u32),
    Thread,
}

/// What is compared with 0.
#[derive(Clone, Copy, Debug)]
enum Condition {
    Slot(u32),
    X,
    Thread,
    Parameter,
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end) as u32
    }

    fn condition(&mut self) -> Condition {
        match self.below(8) {
            0..5 => Condition::Slot(self.below(2)),
            5 => Condition::X,
            6 => Condition::Thread,
            _ => Condition::Parameter,
        }
    }

    fn body(&mut self, depth: u32, labels: &mut Vec<u32>, next: &mut u32) -> Vec<Stmt> {
        let count = 1 + self.below(5);
        (0..count).map(|_| self.stmt(depth, labels, next)).collect()
    }

    fn stmt(&mut self, depth: u32, labels: &mut Vec<u32>, next: &mut u32) -> Stmt {
        *next += 1;
        let number = *next;
        match self.below(16) {
            0..3 => Stmt::Write(self.below(2), Value::Number(self.below(2))),
            3 => Stmt::Write(self.below(2), Value::Thread),
            4 => Stmt::Take(self.below(2)),
            10..13 if depth > 0 => {
                let condition = self.condition();
                let then = self.body(depth - 1, labels, next);
                let otherwise = match self.below(2) {
                    0 => Vec::new(),
                    _ => self.body(depth - 1, labels, next),
                };
                Stmt::If(condition, then, otherwise)
            }
            13 | 14 if depth > 0 => {
                labels.push(number);
                let mut body = self.body(depth - 1, labels, next);
                labels.pop();
                // Most loops end at some time, and with a barrier or before one.
                let leave = Stmt::If(self.condition(), vec![Stmt::Break(number)], Vec::new());
                let at = self.below(body.len() as u64 + 1) as usize;
                body.insert(at, leave);
                *next += 1;
                body.push(Stmt::Wait(*next));
                Stmt::Loop(number, body)
            }
            15 if !labels.is_empty() => {
                let label = labels[self.below(labels.len() as u64) as usize];
                let leave = match self.below(8) {
                    0 => Stmt::Return,
                    _ => Stmt::Break(label),
                };
                Stmt::If(self.condition(), vec![leave], Vec::new())
            }
            _ => Stmt::Wait(number),
        }
    }
}

/// The tree of a body.
fn lowered(body: &[Stmt]) -> Vec<Expr> {
    let statement = |stmt: &Stmt| match stmt {
        Stmt::Write(slot, Value::Number(number)) => set(at_s(lit(*slot)), lit(*number)),
        Stmt::Write(slot, Value::Thread) => set(at_s(lit(*slot)), local(0)),
        Stmt::Take(slot) => set(at(X), get(at_s(lit(*slot)))),
        Stmt::Wait(_) => wait(),
        Stmt::If(condition, then, otherwise) => {
            let tested = match condition {
                Condition::Slot(slot) => get(at_s(lit(*slot))),
                Condition::X => var(X),
                Condition::Thread => local(0),
                Condition::Parameter => var(N),
            };
            when(eq(tested, lit(0)), lowered(then), lowered(otherwise))
        }
        Stmt::Loop(label, body) => forever(*label, lowered(body)),
        Stmt::Break(label) => break_(*label),
        Stmt::Return => return_(),
    };
    body.iter().map(statement).collect()
}

/// The rest of a body; of a loop's also its label, and all of it.
type Rest<'p> = (&'p [Stmt], Option<(u32, &'p [Stmt])>);

/// A thread: its variable, and what it has still to do, innermost last.
struct Thread<'p> {
    number: u32,
    x: u32,
    todo: Vec<Rest<'p>>,
    waits: Option<u32>,
}

impl<'p> Thread<'p> {
    fn step(&mut self, slots: &mut [u32; 2], parameter: u32) {
        let Some((rest, again)) = self.todo.pop() else {
            return;
        };
        let Some((stmt, rest)) = rest.split_first() else {
            if let Some((_, body)) = again {
                self.todo.push((body, again));
            }
            return;
        };
        self.todo.push((rest, again));
        match stmt {
            Stmt::Write(slot, Value::Number(number)) => slots[*slot as usize] = *number,
            Stmt::Write(slot, Value::Thread) => slots[*slot as usize] = self.number,
            Stmt::Take(slot) => self.x = slots[*slot as usize],
            Stmt::Wait(number) => self.waits = Some(*number),
            Stmt::If(condition, then, otherwise) => {
                let tested = match condition {
                    Condition::Slot(slot) => slots[*slot as usize],
                    Condition::X => self.x,
                    Condition::Thread => self.number,
                    Condition::Parameter => parameter,
                };
                let side = if tested == 0 { then } else { otherwise };
                self.todo.push((side, None));
            }
            Stmt::Loop(label, body) => self.todo.push((body, Some((*label, body)))),
            Stmt::Break(label) => {
                while let Some((_, again)) = self.todo.pop() {
                    if again.is_some_and(|(of, _)| of == *label) {
                        break;
                    }
                }
            }
            Stmt::Return => self.todo.clear(),
        }
    }
}

/// Whether two threads come to a different barrier each in some schedule.
fn diverges(body: &[Stmt], random: &mut Random) -> bool {
    let parameter = random.below(2);
    let mut slots = [random.below(2), random.below(2)];
    let mut threads = [0, 1].map(|number| Thread {
        number,
        x: 0,
        todo: vec![(body, None)],
        waits: None,
    });
    // Endless loops are cut off.
    for _ in 0..300 {
        let runs = |thread: &Thread<'_>| thread.waits.is_none() && !thread.todo.is_empty();
        let first = random.below(2) as usize;
        // One thread often runs far ahead.
        let Some(at) = [first, 1 - first]
            .into_iter()
            .find(|at| runs(&threads[*at]))
        else {
            let [left, right] = &mut threads;
            if left.waits != right.waits {
                return true;
            }
            if left.waits.is_none() {
                return false;
            }
            (left.waits, right.waits) = (None, None);
            continue;
        };
        for _ in 0..1 + random.below(4) {
            if runs(&threads[at]) {
                threads[at].step(&mut slots, parameter);
            }
        }
    }
    false
}

#[test]
fn accepted_kernels_do_not_diverge() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut accepted, mut refused, mut seen) = (0, 0, 0);
    for _ in 0..4000 {
        let mut body = random.body(3, &mut Vec::new(), &mut 0);
        // `x` is the same in all threads at first.
        body.push(Stmt::Wait(u32::MAX));
        let mut exprs = vec![set(at(X), lit(0))];
        exprs.extend(lowered(&body));
        let found = (0..20).any(|_| diverges(&body, &mut random));
        match super::found(&kernel(exprs)).is_empty() {
            true => {
                assert!(!found, "{body:#?}");
                accepted += 1;
            }
            false => {
                refused += 1;
                seen += u32::from(found);
            }
        }
    }
    assert!(
        accepted > 200 && refused > 200 && seen > 100,
        "{accepted} {refused} {seen}"
    );
}

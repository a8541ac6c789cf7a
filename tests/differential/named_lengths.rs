//! Generic structs whose lengths have names: constants, what `const fn`s compute, parameters of
//! kernels and helpers. Locals, tile memory, results, parts of other values, and arguments.

use amp::prelude::*;
use testkit::{gives, launch, twice};

const NUMBERS: [u32; 6] = [0, 1, 2, 9, 250, u32::MAX];

const CAP: usize = 8;
const ROWS: usize = 2;
const COLS: usize = ROWS + 1;
const WIDE: usize = twice(3);

const fn twice(n: usize) -> usize {
    2 * n
}

#[amp_struct]
#[derive(Debug, PartialEq, PartialOrd)]
struct Stack<T, const N: usize> {
    data: [T; N],
    len: usize,
}

#[amp_fn]
impl<T: Scalar, const N: usize> Stack<T, N> {
    fn new() -> Self {
        Self {
            data: [T::ZERO; N],
            len: 0,
        }
    }

    fn push(&mut self, value: T) {
        if self.len < N {
            self.data[self.len] = value;
            self.len += 1;
        }
    }

    fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        Some(self.data[self.len])
    }

    fn sum(&self) -> T {
        let mut sum = T::ZERO;
        for part in self.data {
            sum += part;
        }
        sum
    }

    fn top_mut(&mut self) -> &mut T {
        &mut self.data[self.len - 1]
    }
}

#[amp_struct]
struct Matrix<const R: usize, const C: usize> {
    cells: [[u32; C]; R],
}

#[amp_fn]
impl<const R: usize, const C: usize> Matrix<R, C> {
    fn transposed(&self) -> Matrix<C, R> {
        let mut transposed = Matrix::<C, R> { cells: [[0; R]; C] };
        for i in 0..R {
            for j in 0..C {
                transposed.cells[j][i] = self.cells[i][j];
            }
        }
        transposed
    }
}

/// Its field is laid out when the kernel is compiled.
#[amp_struct]
struct Both<const N: usize> {
    named: Stack<u32, N>,
    counted: Stack<u32, 4>,
}

#[amp_struct]
struct Fixed {
    stack: Stack<u32, CAP>,
    factor: u32,
}

#[amp_enum]
enum Either<const N: usize> {
    One(Stack<u32, N>),
    Other([u32; N]),
    Neither,
}

const FULL: Stack<u32, CAP> = Stack {
    data: [3; CAP],
    len: CAP,
};

#[amp_fn]
fn filled<const N: usize>(x: u32) -> Stack<u32, N> {
    let mut stack = Stack::<u32, N>::new();
    for i in 0..20 {
        stack.push(x.wrapping_add(i));
    }
    stack
}

twice! {
    constants_are_lengths(x: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        let mut stack: Stack<u32, CAP> = Stack::new();
        for i in 0..12 {
            stack.push(x >> i);
        }
        *stack.top_mut() ^= 5;
        let mut digits = 0_u32;
        while let Some(digit) = stack.pop() {
            digits = digits.wrapping_mul(31).wrapping_add(digit);
        }
        digits
    }
}

twice! {
    several_lengths(x: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        let mut matrix = Matrix::<ROWS, COLS> { cells: [[x; COLS]; ROWS] };
        matrix.cells[1][2] = x / 3;
        let transposed: Matrix<COLS, ROWS> = matrix.transposed();
        let back = transposed.transposed();
        let mut sum = transposed.cells[2][1].wrapping_mul(7);
        for row in back.cells {
            for cell in row {
                sum = sum.wrapping_mul(3).wrapping_add(cell);
            }
        }
        sum
    }
}

twice! {
    lengths_of_calls(x: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        const FEW: usize = 3;
        let few: Stack<u32, FEW> = filled(x);
        let wide = filled::<WIDE>(x / 2);
        few.sum().wrapping_add(wide.sum()).wrapping_add(FULL.data[CAP - 1] * FULL.len as u32)
    }
}

twice! {
    parts_of_others(x: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        let mut both = Both::<WIDE> { named: filled(x), counted: Stack::new() };
        both.counted.push(x / 5);
        both.named.data[1] ^= 9;
        let copy = both;
        let stacks = [copy.named, filled(x / 3), Stack::new()];
        let mut greatest = stacks[0];
        for stack in stacks {
            if stack > greatest {
                greatest = stack;
            }
        }
        let pair = (greatest, stacks[1] == stacks[2]);
        let (stack, is_same) = pair;
        stack.sum().wrapping_add(copy.counted.sum()) ^ is_same as u32
    }
}

#[amp_fn]
fn chosen<const N: usize>(x: u32) -> Either<N> {
    match x % 3 {
        0 => Either::One(filled(x)),
        1 => Either::Other([x; N]),
        _ => Either::Neither,
    }
}

twice! {
    fields_of_cases(x: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        let mut found = chosen::<WIDE>(x);
        if let Either::One(stack) = &mut found {
            stack.push(1);
            *stack.top_mut() += 2;
        }
        let optional = (x > 2).then_some(filled::<CAP>(x));
        let rest = optional.map_or(0, |stack| stack.sum());
        match found {
            Either::One(stack) => stack.sum().wrapping_add(rest),
            Either::Other(all) => all.iter().fold(rest, |sum, x| sum.wrapping_add(*x)),
            Either::Neither => 77,
        }
    }
}

#[amp_kernel]
fn shared<const N: usize>(
    t_idx: TiledIndex<1, 4>,
    fixed: Fixed,
    start: Stack<u32, CAP>,
    out: &mut ArrayViewMut<u32, 1>,
) {
    #[tile_static]
    let mut stacks: [Stack<u32, N>; 4];
    let local = t_idx.local[0];
    let mut own = Stack::<u32, N>::new();
    own.push(local as u32 * fixed.factor);
    own.push(start.data[start.len - 1]);
    stacks[local] = own;
    t_idx.barrier.wait();
    out[t_idx] = stacks[3 - local].sum() + fixed.stack.data[1];
}

#[test]
fn tile_memory_and_arguments_have_named_lengths() {
    let stack = Stack {
        data: [1, 20, 3, 4, 5, 6, 7, 8],
        len: CAP,
    };
    let fixed = Fixed { stack, factor: 100 };
    let expected = [3, 2, 1, 0].map(|local| local * 100 + 28);
    gives(&expected, |view, out| {
        let domain = out.extent().tile::<4>();
        launch(view, domain, shared::<5>(fixed, stack, out))
    });
    gives(&expected.map(|sum| sum - 8), |view, out| {
        let domain = out.extent().tile::<4>();
        launch(view, domain, shared::<1>(fixed, stack, out))
    });
}

/// Constants of bodies, whose lengths are those of the body, of the file, or computed.
#[amp_kernel]
fn in_bodies(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    const N: usize = 5;
    const OF_BODY: [u32; N] = [1, 2, 3, 4, 5];
    const OF_FILE: [[u32; 2]; CAP] = [[3, 4]; CAP];
    const COMPUTED: [u32; N] = {
        let mut table = [0; N];
        let mut i = 0;
        while i < N {
            table[i] = (i * i) as u32;
            i += 1;
        }
        table
    };
    let i = idx[0];
    let (n, of_file) = (OF_BODY.len(), OF_FILE.len());
    out[idx] = OF_BODY[i % N] + 10 * OF_FILE[i % of_file][i % 2] + 100 * COMPUTED[i % n];
}

#[test]
fn constants_of_bodies_have_named_lengths() {
    let expected: Vec<u32> = (0..12)
        .map(|i: u32| i % 5 + 1 + 10 * (3 + i % 2) + 100 * (i % 5).pow(2))
        .collect();
    gives(&expected, |view, out| launch(view, 12, in_bodies(out)));
}

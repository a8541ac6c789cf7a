//! The fragments of `macro_rules!`: a kernel that is given them means what a function on the
//! host means that is given the same.

// A `$s:stmt` needs a semicolon that rustc then finds unnecessary.
#![allow(redundant_semicolons)]

use amp::prelude::*;
use testkit::{gives, launch};

#[amp_fn]
fn double(x: u32) -> u32 {
    2 * x
}

#[amp_fn]
fn apply(f: impl Fn(u32) -> u32, x: u32) -> u32 {
    f(x)
}

mod further {
    use amp::prelude::*;

    #[amp_fn]
    pub fn triple(x: u32) -> u32 {
        3 * x
    }
}

#[amp_struct]
struct Pair<T> {
    one: T,
    other: T,
}

const NINE: u32 = 9;

/// Statements as a kernel and as a function on the host, and a test that both give the same.
macro_rules! both {
    ($name:ident, $i:ident, $($body:tt)*) => {
        mod $name {
            use super::*;

            #[amp_kernel]
            fn kernel(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
                let $i = idx[0] as u32;
                out[idx] = { $($body)* };
            }

            fn host($i: u32) -> u32 {
                $($body)*
            }

            #[test]
            fn gives_the_same() {
                gives(&[0, 1, 2, 3].map(host), |view, out| launch(view, 4, kernel(out)));
            }
        }
    };
}

macro_rules! fragments {
    (
        $i:ident, $e:expr, $t:ty, $p:path, $l:literal, $negative:literal, $call:path,
        $callee:expr, $name:ident, $pat:pat, $single:pat_param, $life:lifetime, $meta:meta,
        $tt:tt, $many:ty
    ) => {
        both!(expression, $i, $e * 2 + double($e) + $i);
        both!(ty, $i, let x: $t = 3; <$t>::MAX.wrapping_sub($i + x) + <$t>::from(3_u8));
        both!(ty_of_function, $i, <$t>::pow(<$t>::BITS, 2) + apply(|x| <$t>::max(x, 2), $i));
        both!(ty_of_several, $i, let [a, b]: $many = [$i; 2]; a + b);
        both!(ty_argument, $i, let p = Pair::<$t> { one: $i, other: 1 }; p.one + p.other);
        both!(path, $i, $p + $p * $i);
        both!(literal, $i, $i + $l + $negative.pow(2) as u32 + ($negative as i32).unsigned_abs());
        both!(callee_path, $i, $call($i) + $call(1));
        both!(callee_expression, $i, $callee($i) * $callee(2));
        both!(callee_name, $i, $name($i) + apply(|x| $name(x), 3));
        both!(pattern, $i, match $i { $pat => 10, $single => 20, _ => 30 });
        both!(lifetime, $i, let mut x = 0; $life: loop { x += 2; if x > $i { break $life; } } x);
        both!(meta, $i, #[$meta] let x = ($i); x + 2);
        both!(token, $i, $i + $tt);
    };
}

fragments!(
    i, i + 1, u32, NINE, 5, -6_i32, further::triple, double, double, 1 | 2, 3..=4, 'outer,
    allow(unused_parens), (1 + 2), [u32; 2]
);

mod of_other_forms {
    use super::*;

    fragments!(
        i, NINE, u32, super::NINE, 0x10_u32, -1_i32, double, further::triple, double, 0, 2,
        'a, allow(unused), 12, [u32; 2]
    );
}

/// Fragments that are statements, items or blocks.
macro_rules! statements {
    ($vis:vis $name:ident, $i:ident, $x:ident, $block:block, $let:stmt, $do:stmt, $item:item) => {
        both!($name, $i, $item $let; $block $do; $block $x += in_body(1); $x);

        #[amp_kernel]
        #[allow(dead_code)]
        $vis fn visible(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
            out[idx] = 1;
        }
    };
}

statements!(
    pub(crate) statement, i, x, { x += 3; }, let mut x = i, x *= 2,
    fn in_body(x: u32) -> u32 { const ONE: u32 = 1; x + ONE }
);

mod of_functions {
    use super::*;

    statements!(
        statement, i, x, { if i > 2 { x -= 1 } else { x += 2 } }, let mut x: u32 = i + 1, x += 2,
        fn in_body(x: u32) -> u32 { x * 5 }
    );
}

/// A statement follows a block that is a fragment.
macro_rules! after_a_block {
    ($out:ident, $idx:ident, $body:block) => {
        #[amp_kernel]
        fn after_a_block($idx: Index<1>, $out: &mut ArrayViewMut<u32, 1>) {
            $body
            $out[$idx] += 1;
        }
    };
}

after_a_block!(out, idx, {
    out[idx] = 4;
});

#[test]
fn a_statement_follows_a_block() {
    gives(&[5; 4], |view, out| launch(view, 4, after_a_block(out)));
}

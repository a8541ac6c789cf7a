//! Tables of expressions: what a kernel computes beside what the host computes.

use std::fmt::Debug;

use crate::Same;

/// Makes a module with a kernel that evaluates the expressions on the left for each
/// element of its inputs, and a test that compares them with those on the right.
///
/// ```text
/// table! {
///     sums(x: i32, y: i32) -> i32 = pairs(&INTEGERS);
///     x + y => x.wrapping_add(y);
/// }
/// ```
///
/// An attribute before the name has the kernel's arguments: `#[index = 64]`.
#[macro_export]
macro_rules! table {
    (
        $(#[$($argument:tt)+])?
        $name:ident($($x:ident: $X:ty),+) -> $out:ty = $data:expr;
        $($device:expr => $host:expr;)+
    ) => {
        #[allow(unused_assignments)]
        mod $name {
            use super::*;

            #[amp_kernel($($($argument)+)?)]
            fn rows(
                idx: Index<1>,
                $($x: &ArrayView<$X, 1>,)+
                out: &mut ArrayViewMut<$out, 2>,
            ) {
                $(let $x = $x[idx];)+
                let mut row = 0;
                $(
                    out[[idx[0], row]] = $device;
                    row += 1;
                )+
            }

            #[test]
            fn is_the_same_everywhere() {
                let ($($x,)+): ($(Vec<$X>,)+) = $data;
                let n = [$($x.len()),+][0];
                let mut expected: Vec<$out> = Vec::new();
                for i in 0..n {
                    $(let $x = $x[i];)+
                    expected.extend([$($host),+]);
                }
                let rows_of = [$(stringify!($device)),+];
                $crate::everywhere(|view| {
                    let mut found = vec![<$out>::default(); expected.len()];
                    {
                        $(let $x = $crate::input(&$x);)+
                        let mut out = amp::ArrayViewMut::new([n, rows_of.len()], &mut found)
                            .expect("the table has rows");
                        out.discard_data();
                        $crate::launch(view, n, rows($(&$x,)+ &mut out))
                            .and_then(|()| out.synchronize())
                            .unwrap_or_else(|error| panic!("{view}: {error}"));
                    }
                    let inputs = |i: usize| format!("{:?}", ($($x[i],)+));
                    $crate::assert_table(&found, &expected, &rows_of, inputs, &view.to_string());
                });
            }
        }
    };
}

/// Requires that a table is the same, and shows for each wrong expression how often and
/// the first few inputs for which it is wrong.
///
/// # Panics
///
/// If it is not.
#[track_caller]
pub fn assert_table<T: Same + Debug>(
    found: &[T],
    expected: &[T],
    rows: &[&str],
    inputs: impl Fn(usize) -> String,
    what: &str,
) {
    assert_eq!(found.len(), expected.len(), "{what}: number of results");
    let mut report = String::new();
    for (row, text) in rows.iter().enumerate() {
        let wrong: Vec<usize> = (row..found.len())
            .step_by(rows.len())
            .filter(|&k| !found[k].same(&expected[k]))
            .collect();
        if wrong.is_empty() {
            continue;
        }
        report += &format!("\n  `{text}` is wrong {} times:", wrong.len());
        for &k in wrong.iter().take(6) {
            let (found, expected) = (&found[k], &expected[k]);
            let inputs = inputs(k / rows.len());
            report += &format!("\n    of {inputs}: found {found:?}, expected {expected:?}");
        }
    }
    assert!(report.is_empty(), "{what}: {report}");
}

/// Makes a module with a function that exists twice, word for word: as an `#[amp_fn]`
/// that a kernel calls for each element of its inputs, and as the plain Rust function
/// that says what is expected.
///
/// ```text
/// twice! {
///     gcd(a: u32, b: u32) -> u32 = pairs(&[1, 2, 3]);
///     { if b == 0 { a } else { .. } }
/// }
/// ```
///
/// An attribute before the name has the arguments of both: `#[index = 64]`.
#[macro_export]
macro_rules! twice {
    (
        $(#[$($argument:tt)+])?
        $name:ident($($x:ident: $X:ty),+) -> $out:ty = $data:expr;
        { $($body:tt)* }
    ) => {
        #[allow(clippy::all, unused)]
        mod $name {
            use super::*;

            #[amp_fn($($($argument)+)?)]
            fn device($($x: $X),+) -> $out { $($body)* }

            fn host($($x: $X),+) -> $out { $($body)* }

            #[amp_kernel($($($argument)+)?)]
            fn each(idx: Index<1>, $($x: &ArrayView<$X, 1>,)+ out: &mut ArrayViewMut<$out, 1>) {
                out[idx] = device($($x[idx]),+);
            }

            #[test]
            fn is_the_same_everywhere() {
                let ($($x,)+): ($(Vec<$X>,)+) = $data;
                let n = [$($x.len()),+][0];
                let expected: Vec<$out> = (0..n).map(|i| host($($x[i]),+)).collect();
                $crate::gives(&expected, |view, out| {
                    $(let $x = $crate::input(&$x);)+
                    $crate::launch(view, n, each($(&$x,)+ out))
                });
            }
        }
    };
}

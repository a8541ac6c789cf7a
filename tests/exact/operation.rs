//! One operation on all operands: on the host, and on each accelerator.

use std::fmt::Debug;

use amp::{AcceleratorView, Element};
use testkit::Same;

/// What became of one operation.
pub struct Row {
    /// The type of the operands.
    pub kind: &'static str,
    pub name: &'static str,
    /// For each accelerator, how many results are wrong, and the first of them.
    pub wrong: Vec<(usize, String)>,
}

impl Row {
    /// What is wrong, for people.
    pub fn fault(&self) -> Option<String> {
        let wrong: Vec<String> = self
            .wrong
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, first)| {
                format!(
                    "`{}` of {} is wrong {count} times: {first}",
                    self.name, self.kind
                )
            })
            .collect();
        (!wrong.is_empty()).then(|| wrong.join("\n"))
    }
}

/// The accelerators beside each other, as Markdown.
pub fn table(views: &[AcceleratorView], rows: &[Row]) -> String {
    let mut text = String::from("| operation | of |");
    for view in views {
        text += &format!(" {} |", view.accelerator().description());
    }
    text += "\n|---|---|";
    text += &"---|".repeat(views.len());
    for row in rows {
        text += &format!("\n| `{}` | `{}` |", row.name, row.kind);
        for (count, _) in &row.wrong {
            text += &match count {
                0 => " exact |".to_owned(),
                count => format!(" {count} wrong |"),
            };
        }
    }
    text
}

/// Compares what an accelerator found with what the host did.
pub fn compare<T: Same + Debug + Element>(
    found: &[T],
    expected: &[T],
    operands: impl Fn(usize) -> String,
) -> (usize, String) {
    let wrong: Vec<usize> = (0..expected.len())
        .filter(|&k| !found[k].same(&expected[k]))
        .collect();
    let first: Vec<String> = wrong
        .iter()
        .take(4)
        .map(|&k| {
            let (found, expected) = (&found[k], &expected[k]);
            format!("{}: found {found:?}, expected {expected:?}", operands(k))
        })
        .collect();
    (wrong.len(), first.join("; "))
}

/// Makes a function `rows` that tries each of the expressions on all operands.
macro_rules! operations {
    (
        $operands:tt: $types:ty = $data:expr;
        $($name:ident -> $out:ty { $($operation:tt)+ })+
    ) => {
        type All = $types;

        $(
            #[allow(clippy::all, unused)]
            mod $name {
                use super::*;
                operation! { $operands -> $out { $($operation)+ } }
            }
        )+

        /// Every operation of this table.
        pub fn rows(views: &[AcceleratorView]) -> Vec<Row> {
            let operands: All = $data;
            vec![$($name::row(views, &operands)),+]
        }
    };
}

/// Makes a function `row` that tries one expression.
macro_rules! operation {
    (($($x:ident: $X:ty),+) -> $out:ty { $($operation:tt)+ }) => {
        fn host($($x: $X),+) -> $out { $($operation)+ }

        #[amp_kernel]
        fn each(idx: Index<1>, $($x: &ArrayView<$X, 1>,)+ out: &mut ArrayViewMut<$out, 1>) {
            $(let $x = $x[idx];)+
            out[idx] = { $($operation)+ };
        }

        pub fn row(views: &[AcceleratorView], ($($x),+): &All) -> Row {
            let n = [$($x.len()),+][0];
            let expected: Vec<$out> = (0..n).map(|i| host($($x[i]),+)).collect();
            let wrong = views.iter().map(|view| {
                let mut found = vec![<$out>::default(); n];
                {
                    $(let $x = testkit::input($x);)+
                    let mut out = ArrayViewMut::new(n, &mut found).expect("not empty");
                    out.discard_data();
                    testkit::launch(view, n, each($(&$x,)+ &mut out))
                        .and_then(|()| out.synchronize())
                        .unwrap_or_else(|error| panic!("{view}: {error}"));
                }
                operation::compare(&found, &expected, |i| format!("{:?}", ($($x[i]),+)))
            });
            let kind = [$(stringify!($X)),+][0];
            Row { name: stringify!($($operation)+), kind, wrong: wrong.collect() }
        }
    };
}

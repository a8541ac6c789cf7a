//! A violation in words.

use super::{
    Violation,
    cause::{Jump, Step},
};
use crate::diagnostic::{Code, Diagnostic};

/// The diagnostic for a barrier, or an operation of the subgroup, that a part of a tile
/// reaches.
pub(super) fn diagnostic(violation: &Violation<'_>, subgroup: bool) -> Diagnostic {
    let (code, message, called) = match subgroup {
        false => (
            Code::DivergentBarrier,
            "barrier in control flow that is not uniform across the tile",
            "which waits at the barrier",
        ),
        true => (
            Code::Subgroup,
            "subgroup operation in control flow that is not uniform across the tile",
            "which has the subgroup operation",
        ),
    };
    let help = help(&violation.why.step);
    let help = match subgroup {
        false => help,
        true => help.replace("barrier", "subgroup operation"),
    };
    let mut diagnostic = Diagnostic::new(code, violation.barrier, message).help(help);
    for (span, function) in &violation.path {
        diagnostic = diagnostic.label(*span, format!("`{function}`, {called}, is called here"));
    }
    for cause in violation.why.chain() {
        let label = (cause.span, cause.step.to_string());
        if !diagnostic.labels.contains(&label) {
            diagnostic.labels.push(label);
        }
    }
    diagnostic
}

/// What to write instead, by what divides the tile.
fn help(step: &Step<'_>) -> String {
    match step {
        Step::Jump(Jump::Return) => "let every thread reach the barrier: instead of returning early, put the work into \
             an `if` and keep the barrier outside of it"
            .into(),
        Step::Jump(Jump::Panic) => "let every thread reach the barrier: use `assert!`, after which the thread goes on, \
             or panic behind the last barrier"
            .into(),
        Step::Jump(_) => "let every thread go through the loop together: instead of leaving it early, put the work \
             into an `if` and keep the barrier outside of it"
            .into(),
        Step::Range => "let every thread go round the loop equally often: use a range that is the same for the whole \
             tile, and guard the work inside with an `if` that contains no barrier"
            .into(),
        _ => "let every thread of the tile reach the barrier: move it out of the condition, and guard only the work \
             around it"
            .into(),
    }
}

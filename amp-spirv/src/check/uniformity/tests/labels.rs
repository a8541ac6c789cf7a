//! What a diagnostic says.

use super::*;

const CONDITION: &str = "this condition differs between the threads of a tile";
const LOCAL: &str = "`t_idx.local[0]` is different in each thread";

#[test]
fn condition_and_origin() {
    assert_eq!(
        labels(&kernel([when(eq(local(0), lit(0)), [wait()], [])])),
        [CONDITION, LOCAL]
    );
}

#[test]
fn places() {
    let (condition, waits) = (eq(local(0), lit(0)), wait());
    let (condition_span, wait_span) = (condition.span, waits.span);
    let diagnostic = reject_program(&kernel([when(condition, [waits], [])]));
    assert_eq!(diagnostic.span, wait_span);
    assert_eq!(diagnostic.labels[0].0, condition_span);
    assert_eq!(
        diagnostic.help.as_deref(),
        Some(
            "let every thread of the tile reach the barrier: move it out of the condition, and guard only the work \
             around it"
        )
    );
}

#[test]
fn through_variables() {
    assert_eq!(
        labels(&kernel([
            give(X, local(0)),
            give(Y, var(X)),
            when(eq(var(Y), lit(0)), [wait()], [])
        ])),
        [
            CONDITION,
            "`y` is assigned here from a value that differs",
            "`x` is assigned here from a value that differs",
            LOCAL
        ]
    );
}

#[test]
fn not_through_variables_of_the_front_end() {
    assert_eq!(
        labels(&kernel([
            give(MADE, local(0)),
            when(eq(var(MADE), lit(0)), [wait()], [])
        ])),
        [CONDITION, LOCAL]
    );
}

#[test]
fn assigned_by_some() {
    let module = kernel([
        give(X, lit(0)),
        when(eq(local(0), lit(0)), [set(at(X), lit(1))], []),
        when(eq(var(X), lit(1)), [wait()], []),
    ]);
    assert_eq!(
        labels(&module),
        [
            CONDITION,
            "`x` is assigned here by some threads of a tile only",
            CONDITION,
            LOCAL
        ]
    );
}

#[test]
fn early_return() {
    let module = kernel([when(eq(local(0), lit(0)), [return_()], []), wait()]);
    assert_eq!(
        labels(&module),
        [
            "some threads of a tile leave by this `return`",
            CONDITION,
            LOCAL
        ]
    );
}

#[test]
fn ranges_and_elements() {
    assert_eq!(
        labels(&kernel([for_i(
            0,
            lit(0),
            get(at_view(A, global(1))),
            [wait()]
        )])),
        [
            "this range differs between the threads of a tile",
            "each thread reads its own element of `a`",
            "`t_idx.global[1]` is different in each thread"
        ]
    );
    assert_eq!(
        labels(&kernel([when(
            eq(get(at_view(C, lit(0))), lit(0)),
            [wait()],
            []
        )])),
        [
            CONDITION,
            "`c` can be written by this kernel, so what is read from it may differ between threads"
        ]
    );
    assert_eq!(
        labels(&kernel([when(eq(get(at_s(lit(0))), lit(0)), [wait()], [])])),
        [
            CONDITION,
            "`s` may be written between the same two barriers, so threads may read different values"
        ]
    );
}

#[test]
fn calls() {
    let asks = || function("asks", [when(eq(var(N), lit(0)), [wait()], [])]);
    assert_eq!(
        labels(&program([asks()], [call(0, local(0))])),
        [
            "`asks`, which waits at the barrier, is called here",
            CONDITION,
            "parameter `n` of `asks` gets a value here that differs",
            LOCAL
        ]
    );
    assert_eq!(
        labels(&program(
            [asks()],
            [when(eq(local(0), lit(0)), [call(0, lit(0))], [])]
        )),
        [
            "`asks`, which waits at the barrier, is called here",
            CONDITION,
            LOCAL
        ]
    );
    let outer = function("outer", [call(0, var(N))]);
    assert_eq!(
        labels(&program([asks(), outer], [call(1, local(0))])),
        [
            "`asks`, which waits at the barrier, is called here",
            "`outer`, which waits at the barrier, is called here",
            CONDITION,
            "parameter `n` of `asks` gets a value here that differs",
            "parameter `n` of `outer` gets a value here that differs",
            LOCAL
        ]
    );
}

#[test]
fn long_chains_are_cut() {
    let mut body = vec![give(X, local(0))];
    for _ in 0..1000 {
        body.push(give(Y, var(X)));
        body.push(give(X, var(Y)));
    }
    body.push(when(eq(var(X), lit(0)), [wait()], []));
    let labels = labels(&kernel(body));
    assert!(labels.len() < 10, "{labels:#?}");
    assert_eq!(
        (
            labels.first().map(String::as_str),
            labels.last().map(String::as_str)
        ),
        (Some(CONDITION), Some(LOCAL))
    );
}

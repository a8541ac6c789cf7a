//! Barriers and conditions across calls.

use super::*;

/// Conformance 57: a helper with its own barrier, under uniform control flow.
#[test]
fn called_by_the_whole_tile() {
    let sum = || function("sum", [set(at_s(local(0)), var(N)), wait()]);
    accept_with(sum(), [call(0, lit(1)), call(0, local(0))]);
    accept_with(
        sum(),
        [when(
            eq(var(N), lit(0)),
            [call(0, lit(1))],
            [call(0, lit(2))],
        )],
    );
    accept_with(
        sum(),
        [while_(0, gt(var(N), lit(1)), [call(0, lit(1)), break_(0)])],
    );
}

#[test]
fn called_by_a_part_of_the_tile() {
    let sum = || function("sum", [wait()]);
    reject_with(sum(), [when(eq(local(0), lit(0)), [call(0, lit(1))], [])]);
    reject_with(
        sum(),
        [when(eq(local(0), lit(0)), [return_()], []), call(0, lit(1))],
    );
    reject_with(
        sum(),
        [
            call(0, lit(1)),
            when(eq(local(0), lit(0)), [call(0, lit(1))], []),
        ],
    );
    let outer = function("outer", [call(0, var(N))]);
    reject_program(&program(
        [sum(), outer],
        [when(eq(local(0), lit(0)), [call(1, lit(1))], [])],
    ));
}

/// `fn f(n) { if n == 0 { wait } }`
#[test]
fn by_what_the_arguments_are() {
    let asks = || function("asks", [when(eq(var(N), lit(0)), [wait()], [])]);
    accept_with(asks(), [call(0, lit(1)), call(0, var(N)), call(0, tile(0))]);
    reject_with(asks(), [call(0, local(0))]);
    reject_with(asks(), [call(0, lit(0)), call(0, get(at_view(C, lit(0))))]);
    accept_with(asks(), [call(0, get(at_view(A, lit(0))))]);
}

#[test]
fn the_index_as_an_argument() {
    reject_with(
        function("f", [when(eq(local(0), lit(0)), [wait()], [])]),
        [call(0, lit(0))],
    );
    accept_with(
        function("f", [when(eq(tile(0), lit(0)), [wait()], [])]),
        [call(0, lit(0))],
    );
}

#[test]
fn views_as_arguments() {
    accept_with(
        function(
            "f",
            [when(eq(get(at_view(A, lit(0))), lit(0)), [wait()], [])],
        ),
        [call(0, lit(0))],
    );
    reject_with(
        function(
            "f",
            [when(eq(get(at_view(C, lit(0))), lit(0)), [wait()], [])],
        ),
        [call(0, lit(0))],
    );
}

/// A view that the kernel can write does not become constant by being lent to a helper that
/// only reads it.
#[test]
fn writable_view_for_a_reader() {
    let reads = function(
        "reads",
        [when(eq(get(at_view(A, lit(0))), lit(0)), [wait()], [])],
    );
    let module = program([reads], [call_reading(0, C)]);
    assert_eq!(
        labels(&module).last().map(String::as_str),
        Some(
            "`c` can be written by this kernel, so what is read from it may differ between threads"
        )
    );
}

#[test]
fn results() {
    let same = || function("same", [var(N)]);
    accept_with(
        same(),
        [when(eq(call_value(0, tile(0)), lit(0)), [wait()], [])],
    );
    reject_with(
        same(),
        [when(eq(call_value(0, local(0)), lit(0)), [wait()], [])],
    );
    let chosen = || function("chosen", [when(eq(var(N), lit(0)), [lit(1)], [lit(2)])]);
    accept_with(
        chosen(),
        [when(eq(call_value(0, tile(0)), lit(1)), [wait()], [])],
    );
    reject_with(
        chosen(),
        [when(eq(call_value(0, local(0)), lit(1)), [wait()], [])],
    );
}

/// Threads that return early from a helper go on together behind the call; what they
/// bring back differs.
#[test]
fn early_return_from_a_helper() {
    let early = || {
        function(
            "early",
            [when(eq(var(N), lit(0)), [return_with(lit(1))], []), lit(2)],
        )
    };
    accept_with(early(), [give(X, call_value(0, local(0))), wait()]);
    reject_with(
        early(),
        [
            give(X, call_value(0, local(0))),
            when(eq(var(X), lit(1)), [wait()], []),
        ],
    );
    accept_with(early(), [give(X, call_value(0, var(N))), wait()]);
    accept_with(
        early(),
        [
            give(X, call_value(0, var(N))),
            when(eq(var(X), lit(1)), [wait()], []),
        ],
    );
    let outer = function("outer", [give(X, call_value(0, var(N)))]);
    accept_program(&program([early(), outer], [call(1, local(0)), wait()]));
}

/// A helper that all its callers leave together does not divide them further.
#[test]
fn return_together_under_a_varying_condition() {
    let early = || {
        function(
            "early",
            [when(eq(var(N), lit(0)), [return_with(lit(1))], []), lit(2)],
        )
    };
    accept_with(
        early(),
        [
            when(eq(local(0), lit(0)), [give(X, call_value(0, lit(0)))], []),
            wait(),
        ],
    );
}

#[test]
fn many_calls_are_walked_once() {
    let mut helpers = vec![function("h0", [wait()])];
    for depth in 1..40 {
        helpers.push(function(
            "h",
            [call(depth - 1, var(N)), call(depth - 1, var(N))],
        ));
    }
    accept_program(&program(helpers, [call(39, lit(0))]));
}

//! Items that are deep or long: they are compiled or refused, and the stack lasts.

use std::str::FromStr;

use proc_macro2::{TokenStream, TokenTree};

use super::{
    ENOUGH, as_rustc, on_stack,
    pipeline::{Outcome, judge},
};
use crate::attribute::TaskKind;

/// Expands a kernel with a body, and hands the result to `look` while there is stack.
fn expand<R: Send>(body: &str, look: impl FnOnce(TokenStream) -> R + Send) -> R {
    let text = format!(
        "fn k(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {{ \
         let i = idx[0] as u32; let b = i > 3; {body} }}"
    );
    as_rustc(|| {
        let tokens = TokenStream::from_str(&text).expect("it is tokens");
        look(crate::expand::start(
            TaskKind::Kernel,
            TokenStream::new(),
            tokens,
        ))
    })
}

/// Whether a kernel with a body is compiled.
fn compiles(body: &str) -> bool {
    let expansion = expand(body, |expansion| expansion.to_string());
    // What looks at the result needs a stack too.
    on_stack(ENOUGH, || {
        match judge(&TokenStream::from_str(&expansion).expect("it was tokens")) {
            Outcome::Accepted => true,
            Outcome::Refused => false,
            Outcome::NoItem => panic!("it is an item"),
            Outcome::Wrong(error) => panic!("{error}"),
        }
    })
}

/// Whether a kernel with a body is refused for being too deep.
fn is_too_deep(body: &str) -> bool {
    expand(body, |expansion| {
        let error: TokenStream = expansion
            .into_iter()
            .take(10)
            .take_while(is_no_item)
            .collect();
        error.to_string().contains("too deep in others")
    })
}

/// The error stands before the item that it is about.
fn is_no_item(token: &TokenTree) -> bool {
    !matches!(token, TokenTree::Ident(word) if word == "fn")
}

/// A kernel that is compiled `shallow` times deep, and refused, not more, far deeper.
fn holds(shallow: usize, body: impl Fn(usize) -> String) {
    assert!(compiles(&body(shallow)), "{}", body(3));
    for deep in [1000, 20_000] {
        assert!(is_too_deep(&body(deep)), "{deep} times {}", body(3));
    }
}

/// `a a a b c c c`
fn nest(count: usize, before: &str, middle: &str, after: &str) -> String {
    before.repeat(count) + middle + &after.repeat(count)
}

#[test]
fn groups() {
    holds(100, |n| format!("c[0] = {};", nest(n, "(", "i", ")")));
    holds(100, |n| format!("c[0] = {};", nest(n, "{", "i", "}")));
    holds(60, |n| nest(n, "if b {", "c[0] = 1;", "}"));
    holds(60, |n| nest(n, "loop { if b { break; } ", "c[0] = 1;", "}"));
    holds(95, |n| nest(n, "for k in 0..2 {", "c[0] = 1;", "}"));
    holds(95, |n| {
        nest(n, "'a: while c[0] + i < 3 {", "c[0] = 1;", "}")
    });
    holds(95, |n| {
        nest(
            n,
            "for k in (i..9 + i).step_by(2).rev() {",
            "c[0] = k;",
            "}",
        )
    });
    holds(100, |n| {
        format!("let x = {}; c[0] = 1;", nest(n, "(", "i", ",)"))
    });
    holds(50, |n| {
        let value = nest(n, "match i { 0 => 1, _ => ", "i", "}");
        format!("c[0] = {value};")
    });
    // A variable without a value needs its type.
    holds(60, |n| {
        format!(
            "let x: {} = {};",
            nest(n, "[", "u32", "; 1]"),
            nest(n, "[", "i", "]")
        )
    });
    holds(60, |n| {
        format!("c[0] = {};", nest(n, "c[", "0", " as usize]"))
    });
}

#[test]
fn chains() {
    holds(200, |n| format!("c[0] = {};", nest(n, "!", "i", "")));
    holds(200, |n| format!("c[0] = {};", nest(n, "", "i", " + i")));
    holds(100, |n| nest(n, "if b { c[0] = 1; } else ", "{}", ""));
    holds(150, |n| format!("c[0] = {};", nest(n, "", "i", ".min(i)")));
    holds(200, |n| format!("c[0] = {};", nest(n, "", "i", " as u32")));
    holds(150, |n| {
        format!("c[0] = ({}) as u32;", nest(n, "b && ", "b", ""))
    });
    holds(400, |n| {
        let arms: String = (0..n).map(|k| format!("{k} => {{ 1 }} ")).collect();
        format!("c[0] = match i {{ {arms} _ => 2 }};")
    });
    holds(100, |n| {
        let pattern: Vec<String> = (0..n).map(|k| k.to_string()).collect();
        format!("c[0] = match i {{ {} => 1, _ => 2 }};", pattern.join(" | "))
    });
}

/// What costs most of what is let through.
#[test]
fn groups_of_chains() {
    for count in [20, 40, 60] {
        for length in [2, 5, 10, 20, 40] {
            let sum = " + i".repeat(length);
            compiles(&format!(
                "c[0] = {};",
                nest(count, "(", "i", &format!("){sum}"))
            ));
            compiles(&format!(
                "c[0] = {};",
                nest(count, "(!", "i", &format!("){sum}"))
            ));
        }
    }
}

#[test]
fn long_items_are_not_deep() {
    assert!(compiles(&"c[0] = 1;".repeat(1000)));
    assert!(compiles(&"if b { c[0] = 1; } ".repeat(500)));
}

/// Every access to a view goes through each of its dimensions.
#[test]
fn ranks_are_limited() {
    let text = |rank: u32| {
        format!("fn k(idx: Index<{rank}>, c: &mut ArrayViewMut<u32, {rank}>) {{ c[idx] = 1; }}")
    };
    let accepts = |rank: u32| {
        let tokens = TokenStream::from_str(&text(rank)).expect("it is tokens");
        let expansion = crate::expand::start(TaskKind::Kernel, TokenStream::new(), tokens);
        matches!(judge(&expansion), Outcome::Accepted)
    };
    assert!(accepts(128));
    assert!(!accepts(129) && !accepts(100_000));
}

/// More would be no instruction of SPIR-V.
#[test]
fn written_arrays_are_limited() {
    let array = |count: usize| {
        let elements = "1, ".repeat(count);
        format!("let table = [{elements}]; c[0] = table[i as usize];")
    };
    assert!(compiles(&array(2000)));
    assert!(!compiles(&array(65_533)));
}

//! Random modules: what each pass makes of them between the tree and the device.
//!
//! | variable | |
//! |---|---|
//! | `AMP_FUZZ_PROGRAMS` | how many programs, 150 without it |
//! | `AMP_FUZZ_SEED` | the first seed, 0 without it; the others follow |
//!
//! `AMP_FUZZ_PROGRAMS=20000 cargo test --release -p amp-fuzz --test mir` by hand. One that is
//! wrong is reduced and printed with its seed.

use std::fmt::Display;

use amp_fuzz::interpret::Outcome;
use amp_fuzz::reduce::reduce;
use amp_fuzz::{Dialect, Program, each_seed, interpret, middle, variable};
use amp_spirv::check::check;
use amp_spirv::mir::interpret::Refusal;
use amp_spirv::mir::{Module, build, parse, verify};
use amp_spirv::{opt, tree};

/// What is wrong with the form of a module, given its text, what its verifier found, and what is
/// written of it once it has been read back.
fn ill_formed<E: Display>(
    text: &str,
    verified: Result<(), Vec<String>>,
    read: Result<String, E>,
) -> Option<String> {
    match (verified, read) {
        (Err(errors), _) => Some(format!("{}\n{text}", errors.join("\n"))),
        (_, Err(error)) => Some(format!("{error}\n{text}")),
        (_, Ok(read)) if read != text => Some(format!("read:\n{read}\nwritten:\n{text}")),
        _ => None,
    }
}

/// The same of a program's tree.
fn ill_formed_tree(tree: &tree::Module) -> Option<String> {
    let text = tree.to_string();
    let read = tree::parse(&text).map(|it| it.to_string());
    ill_formed(&text, tree::verify(tree), read).map(|it| format!("tree: {it}"))
}

/// The same of what is made of it.
fn ill_formed_module(module: &Module) -> Option<String> {
    let text = module.to_string();
    let read = parse(&text).map(|it| it.to_string());
    ill_formed(&text, verify(module), read)
}

/// What is wrong with what a module leaves.
fn differs(program: &Program, module: &Module, expected: &str) -> Option<String> {
    if !module.merged.is_empty() {
        return differs_merged(program, module);
    }
    let run = |wide| middle::run(program, module, wide);
    let (found, wide) = (run(false), run(module.lanes > 1));
    let wrong = |found: Result<Outcome, Refusal>| {
        let found = match found {
            Ok(found) => format!("{found:?}"),
            Err(refusal) => format!("{refusal:?}"),
        };
        (expected != found).then(|| format!("expected {expected}\nfound    {found}\n{module}"))
    };
    // A wide kernel is for launches without accesses that are out of bounds.
    let is_proven = found.as_ref().is_ok_and(|found| found.faults.is_empty()) || wide.is_ok();
    wrong(found).or_else(|| is_proven.then_some(wide).and_then(wrong))
}

/// The same where threads are merged, each of which notes the first fault of all that it runs.
fn differs_merged(program: &Program, module: &Module) -> Option<String> {
    let faultless = |outcome: &Outcome| {
        let outcome = Outcome {
            faults: Vec::new(),
            ..outcome.clone()
        };
        format!("{outcome:?}")
    };
    let expected = interpret::run(program).ok()?;
    let wrong = |found: &str| {
        let expected = format!("{expected:?}");
        Some(format!("expected {expected}\nfound    {found}\n{module}"))
    };
    match middle::run(program, module, false) {
        Ok(found) => {
            let mut faults = found.faults.iter();
            let same = faultless(&found) == faultless(&expected)
                && faults.all(|fault| expected.faults.contains(fault))
                && found.faults.is_empty() == expected.faults.is_empty();
            (!same).then(|| wrong(&format!("{found:?}"))).flatten()
        }
        Err(refusal) => wrong(&format!("{refusal:?}")),
    }
}

/// What is wrong with a program's module, when it is built or after a pass; nothing with one
/// that has no meaning.
fn wrong(program: &Program) -> Option<String> {
    if let Some(found) = ill_formed_tree(&program.module) {
        return Some(found);
    }
    if !check(&program.module).is_empty() {
        return None;
    }
    // As text, because one NaN is as good as another.
    let expected = format!("{:?}", interpret::run(program).ok()?);
    let mut module = build(&program.module);
    let mut found = ill_formed_module(&module).or_else(|| differs(program, &module, &expected));
    let mut before = module.to_string();
    opt::run(&mut module, &mut |name, module| {
        let after = module.to_string();
        if found.is_none() && after != before {
            let wrong = ill_formed_module(module).or_else(|| differs(program, module, &expected));
            found = wrong.map(|it| format!("{name}: {it}\nbefore:\n{before}"));
        }
        before = after;
    });
    found
}

#[test]
fn mir_agrees_with_the_tree_after_each_pass() {
    let first = variable("AMP_FUZZ_SEED").unwrap_or(0);
    let count = variable("AMP_FUZZ_PROGRAMS").unwrap_or(150);
    let found = each_seed(first..first + count, |seed| {
        let program = Program::new(seed, Dialect::Tree);
        wrong(&program)?;
        let small = reduce(&program, |it| wrong(it).is_some());
        let why = wrong(&small).unwrap_or_default();
        Some(format!("seed {seed}: {why}\n{}", small.module))
    });
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}

//! Random modules: what becomes of them between the tree and the device.
//!
//! | variable | |
//! |---|---|
//! | `AMP_FUZZ_PROGRAMS` | how many programs, 300 without it |
//! | `AMP_FUZZ_SEED` | the first seed, 0 without it; the others follow |
//!
//! `AMP_FUZZ_PROGRAMS=20000 cargo test --release -p amp-fuzz --test mir` by hand. One that is
//! wrong is reduced and printed with its seed.

use amp_fuzz::reduce::reduce;
use amp_fuzz::{Dialect, Program, interpret, middle, variable};
use amp_spirv::check::check;
use amp_spirv::mir::{Module, build, parse, verify};

/// What is wrong with the form of a module.
fn ill_formed(module: &Module) -> Option<String> {
    let text = module.to_string();
    if let Err(errors) = verify(module) {
        return Some(format!("{}\n{text}", errors.join("\n")));
    }
    match parse(&text) {
        Err(error) => Some(format!("{error}\n{text}")),
        Ok(read) if read.to_string() != text => Some(format!("read:\n{read}\nwritten:\n{text}")),
        Ok(_) => None,
    }
}

/// What is wrong with what a module does.
fn differs(program: &Program, module: &Module) -> Option<String> {
    let expected = interpret::run(program).ok()?;
    // As text, because one NaN is as good as another.
    let expected = format!("{expected:?}");
    let found = match middle::run(program, module) {
        Ok(found) => format!("{found:?}"),
        Err(refusal) => format!("{refusal:?}"),
    };
    (expected != found).then(|| format!("expected {expected}\nfound    {found}\n{module}"))
}

fn wrong(program: &Program) -> Option<String> {
    let module = build(&program.module);
    ill_formed(&module).or_else(|| differs(program, &module))
}

/// Whether a program has a meaning.
fn sound(program: &Program) -> bool {
    check(&program.module).is_empty() && interpret::run(program).is_ok()
}

#[test]
fn what_is_built_does_what_the_tree_does() {
    let first = variable("AMP_FUZZ_SEED").unwrap_or(0);
    let count = variable("AMP_FUZZ_PROGRAMS").unwrap_or(300);
    let mut found = Vec::new();
    for seed in first..first + count {
        let program = Program::new(seed, Dialect::Ir);
        if !sound(&program) {
            continue;
        }
        if wrong(&program).is_some() {
            let small = reduce(&program, |it| sound(it) && wrong(it).is_some());
            let why = wrong(&small).unwrap_or_default();
            found.push(format!("seed {seed}: {why}\n{}", small.module));
        }
        if found.len() >= 3 {
            break;
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}

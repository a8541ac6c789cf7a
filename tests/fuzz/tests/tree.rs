//! Random modules: the emitter and a device against the interpreter.
//!
//! | variable | |
//! |---|---|
//! | `AMP_FUZZ_PROGRAMS` | how many programs, 150 without it |
//! | `AMP_FUZZ_SEED` | the first seed, 0 without it; the others follow |
//! | `AMP_FUZZ_VALIDATE` | every how many programs `spirv-val` looks at one |
//!
//! `AMP_FUZZ_PROGRAMS=20000 cargo test --release -p amp-fuzz --test tree` by hand. One that
//! differs is reduced and printed with its seed.

use std::sync::atomic::{AtomicU32, Ordering};

use amp::{AcceleratorView, QueuingMode};
use amp_fuzz::launch::{compile, difference, launch};
use amp_fuzz::reduce::reduce;
use amp_fuzz::{Dialect, Program, each_seed, interpret, variable};
use amp_spirv::check::check;
use amp_spirv::diagnostic::{Code, Diagnostic};

/// Programs that nothing is wrong with, and what became of the others.
#[derive(Debug, Default)]
struct Tally {
    run: AtomicU32,
    faulted: AtomicU32,
    with_barriers: AtomicU32,
    too_long: AtomicU32,
    refused: AtomicU32,
}

fn add(count: &AtomicU32, one: bool) {
    count.fetch_add(one.into(), Ordering::Relaxed);
}

/// A view of each device.
fn devices() -> Vec<AcceleratorView> {
    testkit::accelerators()
        .iter()
        .filter(|accelerator| accelerator.device_path() != "cpu")
        .map(|accelerator| accelerator.create_view(QueuingMode::Automatic))
        .map(|view| view.expect("a listed accelerator can be used"))
        .collect()
}

thread_local! {
    /// A fault is reported by the view that it is on, so no two threads share one.
    static DEVICES: Vec<AcceleratorView> = devices();
}

/// Whether a program is refused for another reason than an index known to be outside,
/// which the generator does not avoid.
fn wrongly_refused(program: &Program) -> Option<Diagnostic> {
    let diagnostics = check(&program.module);
    let mut others = diagnostics.into_iter();
    others.find(|it| it.code != Code::ConstantOutOfBounds)
}

/// What is wrong with a program on a device.
fn wrong(view: &AcceleratorView, program: &Program, validate: bool) -> Option<String> {
    let expected = match interpret::run(program) {
        Ok(expected) => expected,
        Err(refusal) => return Some(format!("no result: {refusal:?}")),
    };
    let artifact = compile(program);
    if validate {
        testkit::validate(artifact);
    }
    let mut checks = vec![true];
    // Without checks what faults has no meaning.
    if expected.faults.is_empty() && program.seed.is_multiple_of(4) {
        checks.push(false);
    }
    checks.into_iter().find_map(|checked| {
        let mode = if checked { "checked" } else { "unchecked" };
        match launch(view, program, artifact, checked) {
            Ok(found) => difference(&expected, &found).map(|it| format!("{mode}: {it}")),
            Err(error) => Some(format!("{mode}: {error}")),
        }
    })
}

/// What is wrong with the program of a seed.
fn found(seed: u64, validate: bool, tally: &Tally) -> Option<String> {
    let program = Program::new(seed, Dialect::Tree);
    if let Some(found) = wrongly_refused(&program) {
        let small = reduce(&program, |it| {
            wrongly_refused(it).is_some_and(|it| it.code == found.code)
        });
        let why = wrongly_refused(&small);
        return Some(format!("seed {seed}: refused: {why:?}\n{}", small.module));
    }
    if !check(&program.module).is_empty() {
        add(&tally.refused, true);
        return None;
    }
    match interpret::run(&program) {
        Err(_) => {
            add(&tally.too_long, true);
            return None;
        }
        Ok(expected) => add(&tally.faulted, !expected.faults.is_empty()),
    }
    add(&tally.run, true);
    add(&tally.with_barriers, program.has_barriers);
    DEVICES.with(|views| {
        views.iter().find_map(|view| {
            let text = wrong(view, &program, validate)?;
            let small = reduce(&program, |it| {
                let sound = check(&it.module).is_empty()
                    && interpret::run(it).is_ok()
                    && interpret::is_orderly(it);
                sound && wrong(view, it, false).is_some()
            });
            let now = wrong(view, &small, false);
            Some(format!(
                "seed {seed} on {view}: {text}\nreduced: {now:?}\n{:?}\nconstants {:?}\n{}",
                small.inputs, small.constants, small.module
            ))
        })
    })
}

#[test]
fn devices_agree_with_the_interpreter() {
    let first = variable("AMP_FUZZ_SEED").unwrap_or(0);
    let count = variable("AMP_FUZZ_PROGRAMS").unwrap_or(150);
    let validate = variable("AMP_FUZZ_VALIDATE").unwrap_or(10).max(1);
    let tally = Tally::default();
    let differences = each_seed(first..first + count, |seed| {
        found(seed, seed.is_multiple_of(validate), &tally)
    });
    println!("{tally:?}");
    testkit::assert_silent();
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

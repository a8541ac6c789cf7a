//! No internal error is reachable: whatever functions the attributes are given, they
//! answer with a compiled item or with errors that have codes.
//!
//! The corpus is every annotated item of the tests, the examples and the documents. Each
//! case changes one of them a few times, as tokens or as syntax, and takes it through the
//! attributes as rustc would. Nothing may panic or take long, what comes out has to be
//! Rust, and a kernel that is accepted has to be SPIR-V.
//!
//! | variable | |
//! |---|---|
//! | `AMP_FUZZ_CASES` | how many cases, 10 000 without it |
//! | `AMP_FUZZ_SEED` | the first seed, 0 without it |
//!
//! `AMP_FUZZ_CASES=1000000 cargo test --release -p amp-macros fuzz` by hand. A case that
//! fails is printed with its seed.

mod corpus;
mod depth;
mod documents;
mod mutate;
mod page;
mod pipeline;
mod spirv;
mod words;

use std::{
    panic::{self, AssertUnwindSafe},
    thread,
    time::{Duration, Instant},
};

use amp_spirv::tree;
use fastrand::Rng;

use self::{
    corpus::Corpus,
    mutate::{mutate, mutate_expression},
    pipeline::Outcome,
};

/// A case that takes longer than this is taken to hang.
const LIMIT: Duration = Duration::from_secs(60);

/// As much as rustc gives to a macro, less what it may have used by then.
const STACK: usize = 6 << 20;

/// Enough stack for what reads the result of a macro, however deep that is.
const ENOUGH: usize = 1 << 30;

fn variable(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().expect("a number"))
}

/// Runs what a macro does on a stack like rustc's.
fn as_rustc<R: Send>(run: impl FnOnce() -> R + Send) -> R {
    on_stack(STACK, run)
}

fn on_stack<R: Send>(bytes: usize, run: impl FnOnce() -> R + Send) -> R {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(bytes)
            .spawn_scoped(scope, run)
            .expect("a thread starts")
            .join()
            .unwrap_or_else(|panic| panic::resume_unwind(panic))
    })
}

#[derive(Debug, Default)]
struct Tally {
    accepted: u32,
    refused: u32,
    no_item: u32,
}

/// What is wrong with a case, if anything.
fn wrong(expand: impl FnOnce() -> Outcome, tally: &mut Tally) -> Option<String> {
    let start = Instant::now();
    let outcome = panic::catch_unwind(AssertUnwindSafe(expand));
    let took = start.elapsed();
    if took > LIMIT {
        return Some(format!("it takes {took:?}"));
    }
    match outcome {
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Some(format!("panic: {}", text.unwrap_or("of an unknown kind")))
        }
        Ok(Outcome::NoItem) => {
            tally.no_item += 1;
            None
        }
        Ok(Outcome::Refused) => {
            tally.refused += 1;
            None
        }
        Ok(Outcome::Accepted) => {
            tally.accepted += 1;
            None
        }
        Ok(Outcome::Wrong(text)) => Some(text),
    }
}

/// A kernel's tree keeps the rules, and is written as it is read.
pub fn reads_back(module: &tree::Module) {
    let text = module.to_text();
    assert_eq!(tree::verify(module), Ok(()), "{text}");
    // Only tests read trees, which takes more stack than a macro has.
    on_stack(ENOUGH, || {
        let read = tree::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read.to_text(), text);
        assert_eq!(tree::verify(&read), Ok(()), "{text}");
    });
}

/// The corpus itself is expanded, most of it with success.
#[test]
fn the_corpus_is_accepted() {
    as_rustc(|| {
        let corpus = Corpus::read();
        let mut tally = Tally::default();
        for item in &corpus.items {
            let text = item.text();
            let world = &corpus.worlds[item.world];
            let wrong = wrong(|| world.expand(&text), &mut tally);
            assert!(wrong.is_none(), "{}\n{text}", wrong.unwrap_or_default());
        }
        for it in &corpus.expressions {
            let (world, text) = (&corpus.worlds[it.world], it.tokens.to_string());
            let wrong = wrong(|| world.expand_expression(&text), &mut tally);
            assert!(wrong.is_none(), "{}\n{text}", wrong.unwrap_or_default());
        }
        println!("{tally:?}");
        // The wrong programs of the UI tests are part of it.
        assert!(tally.accepted > tally.refused, "{tally:?}");
    });
}

/// What the changed items of some seeds become, and what is wrong with them.
fn changed(seeds: impl Iterator<Item = u64> + Send) -> (Tally, Vec<String>) {
    as_rustc(|| {
        let corpus = Corpus::read();
        let (mut tally, mut found) = (Tally::default(), Vec::new());
        for seed in seeds {
            let mut rng = Rng::with_seed(seed);
            let expression = rng.choice(&corpus.expressions).filter(|_| seed % 32 == 0);
            let (text, wrong) = match expression {
                Some(it) => {
                    let text = mutate_expression(&mut rng, &corpus, &it.tokens);
                    let world = &corpus.worlds[it.world];
                    let wrong = wrong(|| world.expand_expression(&text), &mut tally);
                    (text, wrong)
                }
                None => {
                    let item = rng.choice(&corpus.items).expect("there are some");
                    let text = mutate(&mut rng, &corpus, item);
                    let world = &corpus.worlds[item.world];
                    let wrong = wrong(|| world.expand(&text), &mut tally);
                    (text, wrong)
                }
            };
            if let Some(wrong) = wrong {
                found.push(format!("seed {seed}: {wrong}\n{text}"));
            }
            if found.len() > 4 {
                break;
            }
        }
        (tally, found)
    })
}

#[test]
fn no_internal_error_is_reachable() {
    let first = variable("AMP_FUZZ_SEED", 0);
    let seeds = first..first + variable("AMP_FUZZ_CASES", 10_000);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let hook = panic::take_hook();
    // A panic is told by the test, with its case.
    panic::set_hook(Box::new(|_| {}));
    let results: Vec<_> = thread::scope(|scope| {
        let started: Vec<_> = (0..threads)
            .map(|k| seeds.clone().skip(k).step_by(threads))
            .map(|own| scope.spawn(|| changed(own)))
            .collect();
        let ended = started.into_iter().map(|thread| thread.join());
        ended.collect()
    });
    panic::set_hook(hook);
    let (mut accepted, mut refused, mut found) = (0, 0, Vec::new());
    for result in results {
        let (tally, wrong) = result.unwrap_or_else(|panic| panic::resume_unwind(panic));
        println!("{tally:?}");
        accepted += tally.accepted;
        refused += tally.refused;
        found.extend(wrong);
    }
    assert!(found.is_empty(), "{}", found.join("\n\n"));
    // Changes that are always refused would not test much.
    assert!(accepted > 0 && refused > 0);
}

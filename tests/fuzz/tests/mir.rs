//! Random modules in the optimiser's form.
//!
//! `AMP_FUZZ_PROGRAMS` and `AMP_FUZZ_SEED` are those of `ir.rs`.

use amp_fuzz::{Dialect, Program, variable};
use amp_spirv::mir::{build, parse, verify};

#[test]
fn what_is_built_keeps_the_rules_of_the_form() {
    let first = variable("AMP_FUZZ_SEED").unwrap_or(0);
    let count = variable("AMP_FUZZ_PROGRAMS").unwrap_or(150);
    for seed in first..first + count {
        let program = Program::new(seed, Dialect::Ir);
        let module = build(&program.module);
        let text = module.to_string();
        if let Err(errors) = verify(&module) {
            panic!("seed {seed}: {errors:#?}\n{}\n{text}", program.module);
        }
        match parse(&text) {
            Ok(again) => assert_eq!(again.to_string(), text, "seed {seed}"),
            Err(error) => panic!("seed {seed}: {error:?}\n{text}"),
        }
    }
}

//! What a program's MIR means.

use amp_spirv::mir::Module;
use amp_spirv::mir::interpret::{Argument, Launch, Refusal, run as launch};

use crate::interpret::{Fault, Outcome, array};
use crate::program::Program;

/// Instructions that a thread may do: more than a program of the tree's steps ever needs.
const STEPS: u32 = 1_000_000;

/// Runs a program's MIR, with several indices in a thread if `wide`.
///
/// # Errors
///
/// If it has no result.
pub fn run(program: &Program, module: &Module, wide: bool) -> Result<Outcome, Refusal> {
    let mut arrays = Vec::new();
    let mut arguments = Vec::new();
    for param in &program.params {
        arguments.push(match array(program, *param) {
            None => Argument::Value(program.scalar(*param)),
            Some(array) => {
                arrays.push(array);
                Argument::Array(arrays.len() - 1)
            }
        });
    }
    let is_array: Vec<bool> = arguments
        .iter()
        .map(|argument| matches!(argument, Argument::Array(_)))
        .collect();
    let faults = launch(
        &Launch {
            module,
            constants: &program.constants,
            extent: program.shape.extent(),
            tile: program.shape.tile(),
            arguments,
            steps: STEPS * module.merged.iter().product::<u32>(),
            wide,
        },
        &mut arrays,
    )?;
    let faults = faults.into_iter().map(|fault| Fault {
        thread: fault.thread.iter().map(|&it| it as usize).collect(),
        line: module
            .location(module.sites[fault.site.0 as usize].span)
            .line,
    });
    let (mut arrays, mut is_array) = (arrays.into_iter(), is_array.into_iter());
    let next = |_: &_| match is_array.next() {
        Some(true) => arrays.next(),
        _ => None,
    };
    Ok(Outcome::of(program, next, faults.collect()))
}

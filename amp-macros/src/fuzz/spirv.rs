//! Whether bytes are a SPIR-V module that can be: rspirv reads it, every id is defined
//! once, and now and then `spirv-val` looks at it, if it is installed.

use std::{
    collections::HashSet,
    io::Write,
    process::{Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

/// Every how many modules `spirv-val` looks at one.
const SAMPLE: u32 = 100;

/// What is wrong with a module.
pub fn check(bytes: &[u8]) -> Result<(), String> {
    let module = rspirv::dr::load_bytes(bytes).map_err(|error| format!("no SPIR-V: {error}"))?;
    let mut defined = HashSet::new();
    for instruction in module.all_inst_iter() {
        if let Some(id) = instruction.result_id
            && !defined.insert(id)
        {
            return Err(format!("id {id} is defined twice"));
        }
    }
    for instruction in module.all_inst_iter() {
        for id in instruction.operands.iter().filter_map(|it| it.id_ref_any()) {
            if !defined.contains(&id) {
                return Err(format!(
                    "id {id} is used in {instruction:?} but not defined"
                ));
            }
        }
    }
    static SEEN: AtomicU32 = AtomicU32::new(0);
    match SEEN.fetch_add(1, Ordering::Relaxed).is_multiple_of(SAMPLE) {
        true => validate(bytes),
        false => Ok(()),
    }
}

fn validate(bytes: &[u8]) -> Result<(), String> {
    let validator = Command::new("spirv-val")
        .args(["--target-env", "vulkan1.2", "--scalar-block-layout", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut validator) = validator else {
        return Ok(());
    };
    let mut input = validator.stdin.take().expect("stdin is piped");
    input.write_all(bytes).map_err(|error| error.to_string())?;
    drop(input);
    let output = validator
        .wait_with_output()
        .map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!(
            "not valid: {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

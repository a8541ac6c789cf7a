//! `spirv-val` on every module that a test launches, once each.

use std::collections::HashSet;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use amp::__private::Artifact;

/// Modules that have passed, by where they lie: artifacts are statics.
static PASSED: Mutex<Option<HashSet<usize>>> = Mutex::new(None);

/// Validates a module unless that has been done.
///
/// # Panics
///
/// If the module is not valid; or if there is no `spirv-val` and the environment says
/// `AMP_REQUIRE_SPIRV_VAL=1`.
pub fn validate(artifact: &Artifact) {
    let place = artifact.spirv.as_ptr().addr();
    let is_new = PASSED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get_or_insert_default()
        .insert(place);
    if !is_new {
        return;
    }
    let validator = Command::new("spirv-val")
        .args(["--target-env", "vulkan1.2", "--scalar-block-layout", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut validator = match validator {
        Ok(validator) => validator,
        Err(error) => {
            let required = super::is_set("AMP_REQUIRE_SPIRV_VAL");
            assert!(
                !required,
                "AMP_REQUIRE_SPIRV_VAL=1, but spirv-val cannot run: {error}"
            );
            return;
        }
    };
    let mut words = validator.stdin.take().expect("stdin is piped");
    words
        .write_all(&artifact.spirv)
        .expect("spirv-val reads its input");
    drop(words);
    let output = validator.wait_with_output().expect("spirv-val ends");
    assert!(
        output.status.success(),
        "kernel `{}` is not valid SPIR-V: {}{}",
        artifact.name,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
}

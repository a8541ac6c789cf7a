use crate::{artifact::Artifact, ir::Module};
/// Emits.
pub fn emit(_module: &Module) -> Artifact {
    todo!()
}

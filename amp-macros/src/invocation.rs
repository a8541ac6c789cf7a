//! How rustc was called: the only place that says what a crate's root file is, and by which names
//! it knows others. Where macros are expanded without rustc, as in some editors, nothing is known.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

fn arguments() -> &'static [String] {
    static ARGUMENTS: OnceLock<Vec<String>> = OnceLock::new();
    ARGUMENTS.get_or_init(|| {
        let written = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
        written
            .flat_map(|argument| from_file(&argument).unwrap_or(vec![argument]))
            .collect()
    })
}

/// The arguments in the file that `@file` names, one on each line.
fn from_file(argument: &str) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(argument.strip_prefix('@')?).ok()?;
    Some(text.lines().map(str::to_owned).collect())
}

/// The root file of the crate.
pub fn root() -> Option<PathBuf> {
    let mut files = arguments().iter().skip(1).map(Path::new);
    let is_root = |file: &&Path| file.extension().is_some_and(|extension| extension == "rs");
    files.find(is_root).map(Path::to_owned)
}

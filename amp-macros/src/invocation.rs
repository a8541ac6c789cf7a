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

/// Whether the file is a module of its own, as far as can be seen: what has it by `include!`
/// may declare more.
pub fn is_module(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let (Some(stem), Some(folder)) = (stem, path.parent()) else {
        return false;
    };
    let root = root();
    if root.as_deref() == Some(path) || ["lib", "main", "mod"].contains(&stem) {
        return path.extension().is_some_and(|extension| extension == "rs");
    }
    let parents = ["lib.rs", "main.rs", "mod.rs"].map(|name| folder.join(name));
    let mut parents = parents
        .into_iter()
        .chain([folder.with_extension("rs")])
        .chain(root);
    let declaration = format!("mod {stem};");
    parents
        .any(|parent| std::fs::read_to_string(parent).is_ok_and(|text| text.contains(&declaration)))
}

/// The file with another crate that this one knows by a name.
pub fn file_of(name: &str) -> Option<&'static Path> {
    externals().find_map(|external| {
        let (known, path) = external.split_once('=')?;
        (known.rsplit(':').next() == Some(name)).then(|| Path::new(path))
    })
}

/// What the options say of other crates: `options:name=path`.
fn externals() -> impl Iterator<Item = &'static str> {
    arguments().windows(2).filter_map(|pair| {
        let [option, value] = pair else { return None };
        match option.strip_prefix("--extern=") {
            Some(value) => Some(value),
            None => (option == "--extern").then_some(value.as_str()),
        }
    })
}

/// The name by which the crate knows this project, if it is not `amp`.
pub fn new_name() -> Option<&'static str> {
    static NAME: OnceLock<Option<String>> = OnceLock::new();
    let name = NAME.get_or_init(|| {
        let mut names = externals().filter_map(name_of_amp);
        let first = names.next()?;
        let is_known = first == "amp" || names.any(|name| name == "amp");
        (!is_known).then(|| first.to_owned())
    });
    name.as_deref()
}

/// The name in `options:name=path`, where both options and path may be missing, if the path is
/// that of `amp`: `libamp-<hash>.rlib`.
fn name_of_amp(external: &str) -> Option<&str> {
    let (name, path) = external.split_once('=')?;
    let file = Path::new(path).file_name()?.to_str()?;
    let file = file.strip_prefix("lib")?;
    let end = file.find(['-', '.'])?;
    let name = name.rsplit(':').next()?;
    (&file[..end] == "amp").then_some(name)
}

#[cfg(test)]
mod tests {
    use super::name_of_amp;

    #[test]
    fn the_name_of_a_renamed_dependency() {
        let folder = "/target/debug/deps";
        let named = |value: String| name_of_amp(&value).map(str::to_owned);
        assert_eq!(
            named(format!("amp={folder}/libamp-0f.rlib")).as_deref(),
            Some("amp")
        );
        assert_eq!(
            named(format!("gpu={folder}/libamp-0f.rmeta")).as_deref(),
            Some("gpu")
        );
        assert_eq!(
            named(format!("priv,noprelude:gpu={folder}/libamp.rlib")).as_deref(),
            Some("gpu")
        );
        assert_eq!(named(format!("gpu={folder}/libamp_runtime-0f.rlib")), None);
        assert_eq!(named(format!("amp={folder}/libamplifier-0f.rlib")), None);
        assert_eq!(named("amp".to_owned()), None);
    }
}

//! The layers of the run time: a file uses modules of its own layer and of those below.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// From the bottom to the top. Modules of one line may use each other.
const LAYERS: &[&[&str]] = &[
    &["types"],
    &["device"],
    &["intrinsics"],
    &["residency"],
    &["accelerator"],
    &["array", "completion", "copy", "marker", "view"],
    &["kernel"],
    &["graph", "launch", "profile"],
    &["interop"],
    &["private"],
];

/// Upward arrows that are still to be removed: a file, and the module that it uses.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("accelerator/view.rs", "kernel"),
    ("accelerator/view.rs", "launch"),
    ("device/cpu/views.rs", "kernel"),
    ("device/vulkan/existing.rs", "accelerator"),
    ("device/vulkan/export.rs", "array"),
    ("device/vulkan/raw.rs", "accelerator"),
    ("device/vulkan/raw.rs", "array"),
    ("device/vulkan/raw.rs", "residency"),
    ("device/vulkan/stream.rs", "launch"),
    ("kernel/binding.rs", "launch"),
    ("kernel/mod.rs", "launch"),
    ("residency/bytes.rs", "accelerator"),
    ("residency/ledger.rs", "accelerator"),
    ("residency/mod.rs", "accelerator"),
    ("residency/writers.rs", "accelerator"),
    ("types/access.rs", "accelerator"),
    ("types/index/arithmetic.rs", "device"),
    ("types/index/barrier.rs", "device"),
    ("types/memory.rs", "accelerator"),
    ("types/memory.rs", "device"),
    ("types/properties.rs", "accelerator"),
    ("types/properties.rs", "device"),
    ("types/rejected.rs", "accelerator"),
];

#[test]
fn arrows_go_downward_only() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let root = fs::read_to_string(source.join("lib.rs")).unwrap();
    let roots = re_exports(&root);
    let mut upward = BTreeSet::new();
    for file in files(&source) {
        let name = file.strip_prefix(&source).unwrap().to_str().unwrap();
        let is_test = ["tests.rs", "tests/", "double/"];
        if name == "lib.rs" || is_test.iter().any(|part| name.contains(part)) {
            continue;
        }
        let own = layer(name.split(['/', '.']).next().unwrap());
        for path in paths(&code(&fs::read_to_string(&file).unwrap())) {
            let module = roots.get(&path).unwrap_or(&path);
            if layer(module) > own {
                upward.insert((name.replace('\\', "/"), module.clone()));
            }
        }
    }
    let known = EXCEPTIONS
        .iter()
        .map(|(file, to)| (file.to_string(), to.to_string()));
    let known: BTreeSet<_> = known.collect();
    let new: Vec<_> = upward.difference(&known).collect();
    assert!(
        new.is_empty(),
        "these files use layers above theirs: {new:#?}"
    );
    let gone: Vec<_> = known.difference(&upward).collect();
    assert!(gone.is_empty(), "no exceptions any more: {gone:#?}");
}

#[test]
fn paths_are_found_wherever_they_stand() {
    let text = "use crate::types::{error::{Error, Result}, index};\nuse crate::{device, a::b};\n\
                // crate::comment\nfn f() -> crate::Index { crate::launch::on(\"crate::text\") }\n\
                #[cfg(test)]\nmod tests { use crate::test; }";
    let found: Vec<_> = paths(&code(text)).into_iter().collect();
    assert_eq!(found, ["Index", "a", "device", "launch", "types"]);
    let roots = re_exports("pub use types::index::{\n    Extent, Index as Point,\n};");
    assert_eq!(roots["Extent"], "types");
    assert_eq!(roots["Point"], "types");
}

/// The height of a module of the root.
fn layer(module: &str) -> usize {
    LAYERS
        .iter()
        .position(|layer| layer.contains(&module))
        .unwrap_or_else(|| panic!("`{module}` is in no layer"))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => files(&path),
            false => vec![path],
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// A file without comments, literals of text, and its tests, which stand at its end.
fn code(text: &str) -> String {
    let text = text
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default();
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    lines
        .flat_map(|line| line.split('"').step_by(2).chain(["\n"]))
        .collect()
}

/// The first names of all paths from the root.
fn paths(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, start) in code.match_indices("crate::") {
        let rest = &code[at + start.len()..];
        if code[..at].ends_with(['$', '_']) {
            continue;
        }
        match rest.strip_prefix('{') {
            None => found.extend(name(rest)),
            Some(group) => {
                let mut depth = 1;
                let mut is_first = true;
                for (at, character) in group.char_indices() {
                    match character {
                        '{' => depth += 1,
                        '}' => depth -= 1,
                        ',' if depth == 1 => is_first = true,
                        _ if is_first && character.is_alphabetic() => {
                            found.extend(name(&group[at..]));
                            is_first = false;
                        }
                        _ => (),
                    }
                    if depth == 0 {
                        break;
                    }
                }
            }
        }
    }
    found
}

fn name(text: &str) -> Option<String> {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let name: String = text.chars().take_while(|&it| is_part(it)).collect();
    (!name.is_empty()).then_some(name)
}

/// The module behind each name that the root re-exports; a module is behind its own name.
fn re_exports(root: &str) -> BTreeMap<String, String> {
    let uses = root.split("pub use ").skip(1);
    let uses = uses.filter_map(|item| item.split(';').next());
    uses.flat_map(|item| {
        let module = name(item).unwrap_or_default();
        let names = item.rsplit("::").next().unwrap_or_default();
        let names = names.trim_matches(['{', '}', '\n', ' ', ',']).split(',');
        let names = names.map(|it| {
            it.rsplit(" as ")
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned()
        });
        names
            .map(move |name| (name, module.clone()))
            .collect::<Vec<_>>()
    })
    .collect()
}

//! The layers of the run time: a file uses modules of its own layer and of those below.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// From the bottom to the top. Modules of one line may use each other. A module of which nothing is
/// said belongs to the layer of its parent.
const LAYERS: &[&[&str]] = &[
    &["types"],
    &[
        "device::code",
        "device::print",
        "device::profiler",
        "device::shape",
        "device::unreported",
    ],
    &["device::cpu"],
    &["device::vulkan"],
    // The handles of devices and queues: what the layers above know of them.
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

#[test]
fn arrows_go_downward_only() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let root = re_exports(&fs::read_to_string(source.join("lib.rs")).unwrap());
    let mut upward = BTreeSet::new();
    for file in files(&source) {
        let name = file.strip_prefix(&source).unwrap().with_extension("");
        let parts = name.iter().map(|part| part.to_str().unwrap());
        let module: Vec<_> = parts.filter(|part| *part != "mod").collect();
        if ["lib", "tests", "mock"]
            .iter()
            .any(|it| module.contains(it))
        {
            continue;
        }
        let module = module.join("::");
        for used in paths(&code(&fs::read_to_string(&file).unwrap()), &module) {
            let used = root.get(&used).unwrap_or(&used);
            if layer(used) > layer(&module) {
                upward.insert(format!("{module} uses {used}"));
            }
        }
    }
    assert!(upward.is_empty(), "arrows that point upward: {upward:#?}");
}

#[test]
fn paths_are_found_wherever_they_stand() {
    let text = "use crate::types::{error::{Error, Result}, index};\nuse crate::{device, a::b};\n\
                use super::c::D;\n// crate::comment\n\
                fn f() -> crate::Index { crate::launch::on(\"crate::text\") }\n\
                #[cfg(test)]\nmod tests { use crate::test; }";
    let found: Vec<_> = paths(&code(text), "x::y").into_iter().collect();
    let expected = [
        "Index",
        "a::b",
        "device",
        "launch::on",
        "types::error::Error",
        "types::error::Result",
        "types::index",
        "x::c::D",
    ];
    assert_eq!(found, expected);
    let root = re_exports("pub use types::index::{\n    Extent, Index as Point,\n};");
    assert_eq!(root["Extent"], "types::index::Extent");
    assert_eq!(root["Point"], "types::index::Index");
}

/// How high the layer of a path is.
fn layer(path: &str) -> usize {
    let is_in = |module: &&str| {
        let rest = path.strip_prefix(*module);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let modules = LAYERS.iter().enumerate().flat_map(|(height, layer)| {
        let modules = layer.iter().filter(|module| is_in(module));
        modules.map(move |module| (module.len(), height))
    });
    let (_, height) = modules
        .max()
        .unwrap_or_else(|| panic!("`{path}` is in no layer"));
    height
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
    let text = text.split("#[cfg(test)]\nmod tests {").next();
    let lines = text.unwrap_or_default().lines();
    let lines = lines.map(|line| line.split("//").next().unwrap_or_default());
    lines
        .flat_map(|line| line.split('"').step_by(2).chain(["\n"]))
        .collect()
}

/// What a module names by paths from the root, and by those from its parent that it imports.
fn paths(code: &str, module: &str) -> BTreeSet<String> {
    let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
    let from_root = code.match_indices("crate::").filter(|(at, _)| {
        let before = &code[..*at];
        !before.ends_with(['$', '_'])
    });
    let from_root = from_root.map(|(at, start)| ("", at + start.len()));
    let from_parent = code.match_indices("\nuse super::");
    let from_parent = from_parent.map(|(at, start)| (parent, at + start.len()));
    let mut found = BTreeSet::new();
    for (prefix, at) in from_root.chain(from_parent) {
        expand(prefix, &code[at..], &mut found);
    }
    found
}

/// Adds the paths of a tree as `use` has it, which a text begins with. Returns the rest.
fn expand<'t>(prefix: &str, text: &'t str, found: &mut BTreeSet<String>) -> &'t str {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let text = text.trim_start();
    let end = text.find(|it| !is_part(it)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let path = match (prefix, name) {
        (prefix, "" | "self") => prefix.to_owned(),
        ("", name) => name.to_owned(),
        (prefix, name) => format!("{prefix}::{name}"),
    };
    if let Some(rest) = rest.strip_prefix("::") {
        return expand(&path, rest, found);
    }
    let Some(mut group) = rest.strip_prefix('{') else {
        found.insert(path);
        return rest;
    };
    loop {
        group = group.trim_start_matches(|it: char| it.is_whitespace() || it == ',');
        if group.is_empty() || group.starts_with('}') {
            return group.strip_prefix('}').unwrap_or_default();
        }
        group = expand(&path, group, found);
        // What it is called here does not matter.
        group = &group[group.find([',', '}']).unwrap_or(group.len())..];
    }
}

/// The paths behind the names that the root re-exports.
fn re_exports(root: &str) -> BTreeMap<String, String> {
    let uses = root.split("pub use ").skip(1);
    let uses = uses.filter_map(|item| item.split(';').next());
    let names = uses.flat_map(|item| {
        let (module, names) = item.rsplit_once("::").unwrap_or_default();
        let names = names.trim_matches(['{', '}', '\n', ' ', ',']).split(',');
        names.map(move |name| {
            let (name, known) = name.split_once(" as ").unwrap_or((name, name));
            (
                known.trim().to_owned(),
                format!("{module}::{}", name.trim()),
            )
        })
    });
    names.collect()
}

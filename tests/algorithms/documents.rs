//! Each public item of the crate has an example in its documentation, which `cargo test --doc` runs.

use std::fs;
use std::path::{Path, PathBuf};

const SOURCE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../amp-algorithms/src/algorithms"
);

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of the crate");
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.expect("an entry of the folder").path();
        match path.is_dir() {
            true => files.extend(sources(&path)),
            false => files.push(path),
        }
    }
    files
}

/// The names that a module makes public, without those that are hidden.
fn exported(module: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = module;
    while let Some(at) = rest.find("pub use ") {
        let (before, from) = rest.split_at(at);
        let (list, after) = from.split_once(';').expect("the end of the list");
        if !before.trim_end().ends_with("#[doc(hidden)]") {
            let items = list.rsplit_once("::").expect("a path").1;
            let items = items.trim_matches(|c: char| "{} \n".contains(c));
            names.extend(
                items
                    .split(',')
                    .map(str::trim)
                    .filter(|name| !name.is_empty()),
            );
        }
        rest = after;
    }
    names
}

/// What is documented above a line: its comments and attributes.
fn above<'l>(lines: &[&'l str], at: usize) -> Vec<&'l str> {
    let is_part = |line: &&&str| {
        ["///", "#["]
            .iter()
            .any(|start| line.trim().starts_with(start))
    };
    lines[..at]
        .iter()
        .rev()
        .take_while(is_part)
        .copied()
        .collect()
}

/// The item of a line, if it is public or part of a public trait: what it is, and its name.
fn item(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start().trim_start_matches("pub ");
    let (kind, rest) = line.split_once(' ')?;
    let name = rest
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()?;
    ["fn", "struct", "trait", "macro_rules!"]
        .contains(&kind)
        .then_some((kind, name))
}

/// The type or trait whose block begins on a line. What implements a trait is documented there.
fn owner(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let name = match line.strip_prefix("impl") {
        Some(rest) if rest.starts_with('<') => rest.split_once("> ")?.1,
        Some(rest) => rest.trim_start(),
        None => line.strip_prefix("pub trait ")?,
    };
    match line.contains(" for ") {
        true => None,
        false => name
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .next(),
    }
}

#[test]
fn every_item_has_an_example() {
    let modules = ["mod.rs", "random/mod.rs"].map(|file| {
        fs::read_to_string(Path::new(SOURCE).join(file)).expect("a module of the crate")
    });
    let exported: Vec<&str> = modules.iter().flat_map(|module| exported(module)).collect();
    let texts: Vec<String> = sources(Path::new(SOURCE))
        .iter()
        .map(|path| fs::read_to_string(path).expect("a file of the crate"))
        .collect();
    let mut found = Vec::new();
    let mut methods = 0;
    let mut without = Vec::new();
    for text in &texts {
        let lines: Vec<&str> = text.lines().collect();
        // Of methods of a type or trait that is exported, and whether it is a trait.
        let mut block = None;
        for (at, line) in lines.iter().enumerate() {
            let indent = line.len() - line.trim_start().len();
            let starts =
                |words: &[&str]| words.iter().any(|word| line.trim_start().starts_with(word));
            if starts(&[
                "impl",
                "pub trait",
                "pub(",
                "mod",
                "pub mod",
                "macro_rules!",
            ]) || *line == "}"
            {
                block = owner(line)
                    .filter(|name| exported.contains(name))
                    .map(|_| (indent + 4, starts(&["pub trait"])));
            }
            let Some((kind, name)) = item(line) else {
                continue;
            };
            let is_method = kind == "fn"
                && block.is_some_and(|(of_methods, is_trait)| {
                    indent == of_methods && (is_trait || starts(&["pub fn"]))
                });
            let is_item = exported.contains(&name)
                && indent <= 4
                && (starts(&["pub "]) || kind == "macro_rules!");
            let documents = above(&lines, at);
            if !is_method && !is_item || documents.iter().any(|line| line.contains("doc(hidden)")) {
                continue;
            }
            match is_method {
                true => methods += 1,
                false => found.push(name),
            }
            if !documents.iter().any(|line| line.contains("```")) {
                without.push(name);
            }
        }
    }
    assert!(without.is_empty(), "no example of {without:?}");
    // What stands above what a macro makes is an argument of the macro.
    let ready_made = ["Add", "And", "Max", "Min", "Mul", "Or", "Xor"];
    let missing: Vec<&&str> = exported
        .iter()
        .filter(|name| !found.contains(*name) && !ready_made.contains(*name))
        .collect();
    assert!(missing.is_empty(), "not found: {missing:?}");
    assert!(methods > 40, "{methods}");
}

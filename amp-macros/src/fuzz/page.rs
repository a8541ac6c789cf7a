//! `docs/compiler.md` shows what the compiler makes of its kernel: the listings under its
//! comments `<!-- dump: NAME -->` are the files that `AMP_DUMP` writes, or what is in them from
//! the first line on that starts with a word: `<!-- dump: NAME from WORD -->`.
//!
//! `INSTA_UPDATE=always cargo test -p amp-macros page` writes what is made now.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use rspirv::{binary::Disassemble, dr::load_bytes};

use super::{as_rustc, documents::root, pipeline::World};

const PAGE: &str = "docs/compiler.md";

/// The place of each instruction in MIR: outside of rustc it is not known.
const NOWHERE: &str = " !0:1:1";

fn page() -> String {
    fs::read_to_string(root().join(PAGE)).expect("it can be read")
}

/// The kernel's source: the first listing.
fn source(page: &str) -> &str {
    let listing = page.split("```rust\n").nth(1).expect("it shows a kernel");
    listing.split("```").next().unwrap_or_default()
}

/// Expands the kernel of the page, in a process with `AMP_DUMP`.
#[test]
#[ignore = "run by the test beside it"]
fn expand() {
    as_rustc(|| {
        let file = syn::parse_file(source(&page())).expect("it is Rust");
        let world = World::new(&file.items);
        for item in &file.items {
            if let Some(expansion) = world.run(item) {
                let text = expansion.expect("nothing is missing").to_string();
                assert!(!text.contains("compile_error"), "{text}");
            }
        }
    });
}

/// What is shown of a file of the kernel.
fn shown(folder: &Path, name: &str, from: Option<&str>) -> String {
    let path = folder.join(name);
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = match name.ends_with(".spv") {
        // The first function is the kernel.
        true => load_bytes(&bytes).expect("it is SPIR-V").functions[0].disassemble(),
        false => String::from_utf8(bytes).expect("it is text"),
    };
    let start = from.map_or(Some(0), |from| {
        let mut starts = text.match_indices('\n').map(|(end, _)| end + 1);
        starts.find(|start| text[*start..].starts_with(from))
    });
    let start = start.unwrap_or_else(|| panic!("{name} has no {from:?}"));
    let lines = text[start..].lines().filter(|it| !it.starts_with("OpLine"));
    let lines: Vec<String> = lines.map(|line| line.replace(NOWHERE, "")).collect();
    lines.join("\n") + "\n"
}

/// The page with the listings that the compiler makes now.
fn updated(page: &str, folder: &Path) -> String {
    let mut parts = page.split("<!-- dump: ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (what, rest) = part.split_once(" -->\n```text\n").expect("a listing");
        let (_, rest) = rest.split_once("```\n").expect("it ends");
        let (name, from) = match what.split_once(" from ") {
            Some((name, from)) => (name, Some(from)),
            None => (what, None),
        };
        let listing = shown(folder, name, from);
        text += &format!("<!-- dump: {what} -->\n```text\n{listing}```\n{rest}");
    }
    text
}

/// The folder that `AMP_DUMP` fills for the kernel.
fn dumped() -> PathBuf {
    let folder = env::temp_dir().join(format!("amp-page-{}", std::process::id()));
    let expanded = Command::new(env::current_exe().expect("it runs"))
        .args(["--exact", "fuzz::page::expand", "--ignored"])
        .env("AMP_DUMP", "tree,mir,spirv")
        .env("AMP_DUMP_DIR", &folder)
        .env("CARGO_CRATE_NAME", "page")
        .output()
        .expect("it starts");
    let printed = String::from_utf8_lossy(&expanded.stdout);
    assert!(expanded.status.success(), "{printed}");
    folder
}

#[test]
fn the_page_shows_what_the_compiler_makes_of_its_kernel() {
    let folder = dumped();
    let kernel = folder.join("page/blur");
    let (before, after) = (page(), updated(&page(), &kernel));
    // A pass that begins to change the kernel, or ceases to, has the page say so.
    let mut files: Vec<String> = fs::read_dir(&kernel)
        .expect("it is there")
        .map(|file| file.expect("it is there").file_name())
        .filter_map(|name| name.into_string().ok())
        .filter(|name| !before.contains(&format!("<!-- dump: {name}")))
        .collect();
    files.sort();
    fs::remove_dir_all(folder).expect("it is ours");
    assert_eq!(files, [""; 0], "the page does not show them");
    if env::var("INSTA_UPDATE").is_ok_and(|value| value == "always") {
        fs::write(root().join(PAGE), &after).expect("it can be written");
    } else {
        assert!(before == after, "write it with INSTA_UPDATE=always");
    }
}

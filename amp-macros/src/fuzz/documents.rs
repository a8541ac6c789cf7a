//! `docs/errors.md` is whole: every code has an entry with a program that the compiler
//! refuses with that code and one that it accepts, and a test of its messages.
//!
//! That rustc agrees is shown by the programs being doc tests of the crate `amp`.

use std::{collections::BTreeSet, fs, path::Path};

use amp_spirv::diagnostic::Code;
use syn::{
    Item,
    visit::{self, Visit},
};

use super::{
    as_rustc,
    corpus::{attributes, marked},
    pipeline::World,
};
use crate::{expand, language::method::is_library_path};

/// The code of what rustc refuses, by the proofs in an expansion.
const BY_RUSTC: Code = Code::Resolution;

/// A program of an entry.
struct Program {
    /// rustc must refuse it.
    is_wrong: bool,
    text: String,
}

/// The entries of the document, by the codes in their headings.
fn entries(text: &str) -> Vec<(String, Vec<Program>)> {
    let mut entries: Vec<(String, Vec<Program>)> = Vec::new();
    let mut open: Option<Program> = None;
    for line in text.lines() {
        if let Some(code) = line.strip_prefix("## ") {
            entries.push((code.to_owned(), Vec::new()));
        } else if line.starts_with("```") {
            match open.take() {
                Some(program) => {
                    let (_, programs) = entries.last_mut().expect("programs stand in entries");
                    programs.push(program);
                }
                None => {
                    let is_wrong = line.contains("compile_fail");
                    let text = String::new();
                    open = Some(Program { is_wrong, text });
                }
            }
        } else if let Some(program) = &mut open {
            // A hidden line of a doc test that is a statement is no item, and left out.
            if !line.starts_with("# ") {
                program.text.push_str(line);
                program.text.push('\n');
            }
        }
    }
    entries
}

/// The codes of all errors in a program.
fn codes(text: &str) -> BTreeSet<String> {
    struct Found(Vec<Item>);
    impl<'a> Visit<'a> for Found {
        fn visit_item(&mut self, item: &'a Item) {
            let mut own = item.clone();
            if attributes(&mut own).is_some_and(|attributes| marked(attributes).is_some()) {
                self.0.push(own);
            }
            visit::visit_item(self, item);
        }
    }
    let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut found = Found(Vec::new());
    found.visit_file(&file);
    let world = World::new(&found.0);
    let mut codes = BTreeSet::new();
    for item in &found.0 {
        match world.run(item) {
            Some(Ok(expansion)) => codes.extend(codes_in(&expansion.to_string())),
            // A function without `#[amp_fn]` has no macro; where rustc runs us, its file says why.
            Some(Err(path)) if text.contains(&format!("fn {}(", name_of(&path))) => {
                codes.insert(Code::NotCallable.to_string());
            }
            // The library is not among the items of a document.
            Some(Err(path)) if is_library_path(&path) => {}
            Some(Err(path)) => panic!("no item exports `{path}`\n{text}"),
            None => {}
        }
    }
    for item in &file.items {
        if let Item::Mod(module) = item
            && module
                .attrs
                .iter()
                .any(|it| it.path().is_ident("amp_module"))
        {
            let mut module = module.clone();
            module.attrs.retain(|it| !it.path().is_ident("amp_module"));
            let expansion = expand::start_module(Default::default(), quote::quote!(#module));
            codes.extend(codes_in(&expansion.to_string()));
        }
    }
    codes
}

fn name_of(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

fn codes_in(expansion: &str) -> Vec<String> {
    let codes = expansion.split("\"[AMP").skip(1);
    let codes = codes.filter_map(|rest| Some(format!("AMP{}", rest.split_once(']')?.0)));
    codes.collect()
}

pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

#[test]
fn every_code_is_explained_by_programs_that_have_it() {
    as_rustc(|| {
        let text = fs::read_to_string(root().join("docs/errors.md")).expect("it can be read");
        let entries = entries(&text);
        let known: Vec<String> = Code::ALL.iter().map(Code::to_string).collect();
        let headings: Vec<String> = entries.iter().map(|(code, _)| code.clone()).collect();
        assert_eq!(headings, known, "each code has an entry, in order");
        for (code, programs) in &entries {
            assert!(
                text.contains(&format!("\n| [{code}](#")),
                "{code} is not in the table"
            );
            assert!(
                programs.iter().any(|it| it.is_wrong),
                "{code}: no wrong program"
            );
            assert!(
                programs.iter().any(|it| !it.is_wrong),
                "{code}: no right program"
            );
            for program in programs {
                let expected: &[String] = match program.is_wrong {
                    true if *code != BY_RUSTC.to_string() => std::slice::from_ref(code),
                    _ => &[],
                };
                let found: Vec<String> = codes(&program.text).into_iter().collect();
                assert_eq!(found, expected, "{code}\n{}", program.text);
            }
        }
    });
}

#[test]
fn every_code_has_a_test_of_its_messages() {
    let files = fs::read_dir(root().join("tests/ui")).expect("it can be read");
    let files: Vec<String> = files
        .map(|file| file.expect("it can be read").file_name())
        .filter_map(|name| name.into_string().ok())
        .collect();
    for code in Code::ALL {
        let own = |suffix: &str| {
            let mut own = files.iter();
            own.any(|file| file.starts_with(&format!("{code}_")) && file.ends_with(suffix))
        };
        assert!(
            own(".rs") && own(".stderr"),
            "{code} has no test in tests/ui"
        );
    }
}

//! The derives that stand above an attribute of amp, which rustc has run and taken away before.
//!
//! `#[amp_struct]` derives what the user does not, and cannot know that a derive above it has done so:
//! rustc would report two `impl`s of one trait. The file tells. What a macro writes is not found.

use proc_macro2::Span;
use syn::{Attribute, Item, parse::Parser};

use crate::{infer, position};

/// The derive above the attribute that is being expanded, if it derives what that derives, too.
pub fn derive(item: &Item) -> Option<Attribute> {
    let traits: &[&str] = match item {
        Item::Struct(_) => &["Clone", "Copy"],
        Item::Enum(item) if item.variants.iter().all(|it| it.fields.is_empty()) => {
            &["Clone", "Copy", "PartialEq", "Eq"]
        }
        Item::Enum(_) => &["Clone", "Copy"],
        _ => return None,
    };
    let span = Span::call_site();
    let text = std::fs::read_to_string(position::local_file(span)?).ok()?;
    let own = position::start(span);
    let above = above(&text, own.line, own.column)?;
    above.into_iter().find(|attribute| {
        let derived = infer::derives(std::slice::from_ref(attribute));
        derived.iter().any(|name| traits.contains(&&**name))
    })
}

/// The attributes directly before a place, the last one first.
fn above(text: &str, line: usize, column: usize) -> Option<Vec<Attribute>> {
    let mut lines: Vec<&str> = text.lines().take(line).collect();
    let last = lines.pop()?;
    let end = last.char_indices().nth(column - 1)?.0;
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let mut before = lines
        .into_iter()
        .filter(is_code)
        .chain([&last[..end]])
        .collect::<Vec<_>>()
        .join("\n");
    let mut found = Vec::new();
    while let Some(start) = before.rfind("#[") {
        let Ok(attribute) = Attribute::parse_outer.parse_str(&before[start..]) else {
            break;
        };
        found.extend(attribute);
        before.truncate(start);
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::above;

    /// The paths of the attributes before the `@`.
    fn paths(text: &str) -> Vec<String> {
        let (before, _) = text.split_once('@').unwrap();
        let line = before.split('\n').count();
        let column = before.split('\n').next_back().unwrap().chars().count() + 1;
        let found = above(text, line, column).unwrap();
        found
            .iter()
            .map(|it| it.path().get_ident().unwrap().to_string())
            .collect()
    }

    #[test]
    fn attributes_are_found_to_the_item_before() {
        assert_eq!(
            paths("#[a] fn f() {}\n#[b(x)]\n/// [c]\n#[d] @[e]"),
            ["d", "b"]
        );
        assert_eq!(paths("#[a] struct S;\n@[b]"), [""; 0]);
        assert_eq!(paths("@[b]"), [""; 0]);
        assert_eq!(paths("é #[a] é @[b]"), [""; 0]);
    }
}

//! The syntax of a file without the bodies of its functions: they are most of the file, and few
//! questions are about them.

use std::{collections::HashMap, str::FromStr};

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, ExprLit, Item, ItemFn, Lit, Stmt};

/// A file with a number in place of each body. Bodies with items of ours in them are kept.
pub(super) struct Outline {
    pub items: Vec<Item>,
    /// The functions by these numbers, as text: tokens do not outlive the call of a macro.
    functions: Vec<String>,
}

impl Outline {
    /// Reads the text of a file.
    pub fn of(text: &str) -> Option<Self> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let text = match text.starts_with("#!/") {
            true => text.split_once('\n')?.1,
            false => text,
        };
        let mut functions = Vec::new();
        let tokens = outlined(tokens(text)?, &mut functions);
        let syn::File { items, .. } = syn::parse2(tokens).ok()?;
        Some(Self { items, functions })
    }

    /// A function as text, with its body.
    pub fn text(&self, function: &ItemFn) -> String {
        let number = match &*function.block.stmts {
            [
                Stmt::Expr(
                    Expr::Lit(ExprLit {
                        lit: Lit::Int(number),
                        ..
                    }),
                    None,
                ),
            ] => number.base10_parse::<usize>().ok(),
            _ => None,
        };
        match number.and_then(|number| self.functions.get(number)) {
            Some(text) => text.clone(),
            None => function.to_token_stream().to_string(),
        }
    }
}

/// The lines of a text that define macros, from 1; the last of each name.
pub(super) fn macro_lines(text: &str) -> HashMap<String, usize> {
    let defined = |(i, line): (usize, &str)| {
        let name = line.trim_start().strip_prefix("macro_rules!")?.trim_start();
        let end = name.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        Some((name[..end.unwrap_or(name.len())].to_owned(), i + 1))
    };
    text.lines().enumerate().filter_map(defined).collect()
}

/// Reads text with rustc's lexer if there is one. proc-macro2 would first read it with its own,
/// since rustc's ends the compilation at an error, which it has done then for such a file.
pub(super) fn tokens(text: &str) -> Option<TokenStream> {
    match proc_macro::is_available() {
        true => Some(proc_macro::TokenStream::from_str(text).ok()?.into()),
        false => text.parse().ok(),
    }
}

/// What an item may begin with, besides qualifiers.
const KEYWORDS: &[&str] = &["enum", "fn", "impl", "mod", "struct", "trait", "union"];

/// Items without the bodies of functions.
fn outlined(items: TokenStream, functions: &mut Vec<String>) -> TokenStream {
    let mut result: Vec<TokenTree> = Vec::new();
    // The word that says what an item is, and where it stands.
    let mut keyword: Option<(&str, usize)> = None;
    let mut items = items.into_iter().peekable();
    while let Some(token) = items.next() {
        let outlined = match &token {
            TokenTree::Ident(word) if keyword.is_none() => {
                let word = word.to_string();
                let mut known = KEYWORDS.iter().copied();
                keyword = known
                    .find(|known| *known == word)
                    .map(|known| (known, result.len()));
                None
            }
            TokenTree::Punct(punct) if punct.as_char() == ';' => {
                keyword = None;
                None
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                match (items.peek(), keyword) {
                    // An argument of a type in the signature.
                    (Some(TokenTree::Punct(next)), _) if matches!(next.as_char(), ',' | '>') => {
                        None
                    }
                    (_, Some(("fn", start))) => {
                        keyword = None;
                        numbered(&result[start..], group, functions)
                    }
                    (_, Some(("impl" | "mod" | "trait", _))) => {
                        keyword = None;
                        Some(outlined(group.stream(), functions))
                    }
                    _ => {
                        keyword = None;
                        None
                    }
                }
            }
            _ => None,
        };
        result.push(match outlined {
            Some(inner) => Group::new(Delimiter::Brace, inner).into(),
            None => token,
        });
    }
    result.into_iter().collect()
}

/// The number that stands for the body of a function, unless it has items of ours in it.
fn numbered(
    signature: &[TokenTree],
    body: &Group,
    functions: &mut Vec<String>,
) -> Option<TokenStream> {
    let body = body.to_string();
    if body.contains("amp_") {
        return None;
    }
    let signature: TokenStream = signature.iter().cloned().collect();
    functions.push(format!("{signature} {body}"));
    let number = Literal::usize_unsuffixed(functions.len() - 1);
    Some(TokenTree::from(number).into())
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;
    use syn::Item;

    use super::Outline;

    fn texts(file: &str) -> Vec<String> {
        let outline = Outline::of(file).expect("this is a file");
        let functions = outline.items.iter().filter_map(|item| match item {
            Item::Fn(function) => Some(outline.text(function)),
            _ => None,
        });
        functions.collect()
    }

    #[test]
    fn functions_with_their_bodies() {
        let file = "#!/usr/bin/env run\n\
                    const C: [u8; 2] = { [1, 2] };\n\
                    pub fn first(a: Wrapper<{ 1 + 1 }, u8>) -> u8 { C[0] }\n\
                    fn second() { #[amp_fn] fn inner() { 1 } }\n\
                    fn third() -> u8 { 17 }";
        let expected = [
            "fn first(a: Wrapper<{ 1 + 1 }, u8>) -> u8 { C[0] }",
            "fn second() { #[amp_fn] fn inner() { 1 } }",
            "fn third() -> u8 { 17 }",
        ];
        let normal = |text: &str| {
            let tokens: proc_macro2::TokenStream = text.parse().expect("these are tokens");
            tokens.to_string()
        };
        let found: Vec<String> = texts(file).iter().map(|text| normal(text)).collect();
        assert_eq!(found, expected.map(normal));
    }

    #[test]
    fn bodies_of_blocks_are_left_out() {
        let outline = Outline::of(
            "impl Call for fn(u8) { const N: u8 = 1; fn call(self) { self(2) } }\n\
             mod inner { struct S<F = fn()> { f: F } fn f() { g() } }",
        );
        let items = outline.expect("this is a file").items;
        let text: Vec<String> = items
            .iter()
            .map(|item| item.to_token_stream().to_string())
            .collect();
        let all = text.join(" ");
        assert!(all.contains("const N : u8 = 1 ;"), "{all}");
        assert!(all.contains("f : F"), "{all}");
        assert!(!all.contains("self (2)") && !all.contains("g ()"), "{all}");
    }
}

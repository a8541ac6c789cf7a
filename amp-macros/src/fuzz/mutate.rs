//! Changes of items, as tokens and as syntax.

use std::str::FromStr;

use fastrand::Rng;
use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Block, Expr, Pat, Stmt, Type,
    visit_mut::{self, VisitMut},
};

use super::corpus::{Annotated, Corpus};

/// Tokens that mean something, or too much.
const WORDS: &[&str] = &[
    "0",
    "1",
    "-",
    "!",
    "*",
    "&",
    "&mut",
    "&&",
    "||",
    "==",
    "=",
    "+=",
    "<<",
    "..",
    "..=",
    "=>",
    ".",
    ",",
    ";",
    ":",
    "::",
    "'a",
    "'outer",
    "?",
    "@",
    "|",
    "_",
    "#",
    "as",
    "mut",
    "ref",
    "let",
    "if",
    "else",
    "match",
    "for",
    "in",
    "while",
    "loop",
    "break",
    "continue",
    "return",
    "fn",
    "struct",
    "const",
    "static",
    "impl",
    "move",
    "async",
    "unsafe",
    "dyn",
    "where",
    "self",
    "Self",
    "super",
    "crate",
    "true",
    "false",
    "u8",
    "i16",
    "u64",
    "i128",
    "f16",
    "f64",
    "usize",
    "str",
    "String",
    "Vec",
    "Option",
    "Index",
    "TiledIndex",
    "ArrayView",
    "ArrayViewMut",
    "()",
    "[]",
    "{}",
    "(,)",
    "[0; 0]",
    "[0u32; 4294967295]",
    "[[0u32; 65536]; 65536]",
    "340282366920938463463374607431768211455",
    "340282366920938463463374607431768211456",
    "99999999999999999999999999999999999999999",
    "1e400",
    "1e-400",
    "0x",
    "4294967296",
    "2147483648",
    "-2147483648",
    "0.0",
    "1.5f32",
    "1u8",
    "1i64",
    "'c'",
    "b'c'",
    "\"text\"",
    "b\"text\"",
    "c\"text\"",
    "r#\"text\"#",
    "r#type",
    "assert!(true)",
    "panic!()",
    "vec![1]",
    "println!(\"{}\", 1)",
    "matches!(1, 1)",
    "if let 1 = 1 {}",
    "|x| x",
    "0..0",
    "x @ 1..=2",
    "#[tile_static]",
    "#[cfg(test)]",
    "'a: {}",
    "loop {}",
    "return;",
    "impl Fn()",
    "<T>",
    "::<3>",
    ".barrier.wait()",
    ".extent()",
    ".row(0)",
    "[0]",
    "[[0, 0]]",
    ".0",
    ".x",
    "f32::MAX",
    "u32::MAX",
    "f32::consts::PI",
    "i32::from_bits(1)",
    "Index::new([1])",
];

/// The item with a few changes.
pub fn mutate(rng: &mut Rng, corpus: &Corpus, item: &Annotated) -> String {
    let mut own = item.item.clone();
    let mut tokens = None;
    for _ in 0..rng.usize(1..4) {
        match &mut tokens {
            None if rng.u8(0..3) > 0 => change_syntax(rng, corpus, &mut own),
            None => tokens = Some(change_tokens(rng, corpus, own.to_token_stream())),
            Some(tokens) => *tokens = change_tokens(rng, corpus, tokens.clone()),
        }
    }
    tokens.unwrap_or_else(|| own.to_token_stream()).to_string()
}

/// Counts down to the one part that is replaced.
struct Replace<'c, 'r> {
    corpus: &'c Corpus,
    rng: &'r mut Rng,
    left: usize,
    counting: bool,
    kind: u8,
}

impl Replace<'_, '_> {
    fn is_it(&mut self, kind: u8) -> bool {
        if kind != self.kind {
            return false;
        }
        if self.counting {
            self.left += 1;
            return false;
        }
        let is_it = self.left == 0;
        self.left = self.left.wrapping_sub(1);
        is_it
    }
}

impl VisitMut for Replace<'_, '_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if self.is_it(0) {
            let other = self.rng.choice(&self.corpus.exprs).expect("there are some");
            let new = match self.rng.u8(0..6) {
                0 => quote!((#expr + #other)),
                1 => quote!({ #expr; #other }),
                2 => quote!((#expr)[#other]),
                _ => quote!(#other),
            };
            // Not every expression may stand beside every other.
            *expr = syn::parse2(new).unwrap_or_else(|_| other.clone());
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        if self.is_it(1) {
            let other = self.rng.choice(&self.corpus.types).expect("there are some");
            let new = match self.rng.u8(0..6) {
                0 => quote!([#ty; 4]),
                1 => quote!((#ty, #other)),
                2 => quote!(&#ty),
                _ => quote!(#other),
            };
            *ty = syn::parse2(new).unwrap_or_else(|_| other.clone());
            return;
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        if self.is_it(2) {
            let others = &self.corpus.patterns;
            *pattern = self.rng.choice(others).expect("there are some").clone();
            return;
        }
        visit_mut::visit_pat_mut(self, pattern);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        if self.is_it(3) {
            let others = &self.corpus.statements;
            let other: Stmt = self.rng.choice(others).expect("there are some").clone();
            let length = block.stmts.len();
            let at = self.rng.usize(0..=length);
            match self.rng.u8(0..4) {
                0 if length > 0 => drop(block.stmts.remove(at % length)),
                1 if length > 0 => {
                    let copy = block.stmts[at % length].clone();
                    block.stmts.push(copy);
                }
                2 if length > 1 => block.stmts.swap(0, at % length),
                _ => block.stmts.insert(at, other),
            }
            return;
        }
        visit_mut::visit_block_mut(self, block);
    }
}

fn change_syntax(rng: &mut Rng, corpus: &Corpus, item: &mut syn::Item) {
    let kind = [0, 0, 0, 1, 2, 3][rng.usize(0..6)];
    let mut replace = Replace {
        corpus,
        rng,
        left: 0,
        counting: true,
        kind,
    };
    replace.visit_item_mut(item);
    if replace.left > 0 {
        replace.left = replace.rng.usize(0..replace.left);
        replace.counting = false;
        replace.visit_item_mut(item);
    }
}

/// Changes one place among the tokens.
fn change_tokens(rng: &mut Rng, corpus: &Corpus, tokens: TokenStream) -> TokenStream {
    let mut trees: Vec<TokenTree> = tokens.into_iter().collect();
    let groups: Vec<usize> = (0..trees.len())
        .filter(|&k| matches!(&trees[k], TokenTree::Group(group) if !group.stream().is_empty()))
        .collect();
    if !groups.is_empty() && rng.u8(0..5) > 0 {
        // The last one is mostly the body.
        let at = match rng.bool() {
            true => groups[groups.len() - 1],
            false => groups[rng.usize(0..groups.len())],
        };
        if let TokenTree::Group(group) = &trees[at] {
            let inner = change_tokens(rng, corpus, group.stream());
            trees[at] = Group::new(group.delimiter(), inner).into();
        }
        return trees.into_iter().collect();
    }
    let length = trees.len();
    if length == 0 {
        return word(rng, corpus);
    }
    let at = rng.usize(0..length);
    match rng.u8(0..8) {
        0 => drop(trees.remove(at)),
        1 => trees.insert(at, trees[at].clone()),
        2 => trees.swap(at, rng.usize(0..length)),
        3 => {
            let delimiters = [Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket];
            let delimiter = delimiters[rng.usize(0..3)];
            let inner = trees.drain(at..length.min(at + 3)).collect();
            trees.insert(at, Group::new(delimiter, inner).into());
        }
        4 => {
            if let TokenTree::Group(group) = trees.remove(at) {
                trees.splice(at..at, group.stream());
            }
        }
        5 => {
            trees.remove(at);
            trees.splice(at..at, word(rng, corpus));
        }
        6 => {
            let number = Literal::u64_unsuffixed(rng.u64(..) >> rng.u32(0..64));
            trees[at] = number.into();
        }
        _ => {
            trees.splice(at..at, word(rng, corpus));
        }
    }
    trees.into_iter().collect()
}

fn word(rng: &mut Rng, corpus: &Corpus) -> TokenStream {
    let text = match rng.bool() {
        true => rng.choice(WORDS).expect("there are some"),
        false => rng.choice(&corpus.words).expect("there are some").as_str(),
    };
    TokenStream::from_str(text).unwrap_or_default()
}

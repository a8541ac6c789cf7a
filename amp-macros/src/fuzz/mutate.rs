//! Changes of items, as tokens and as syntax.

use std::str::FromStr;

use fastrand::Rng;
use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Block, Expr, Generics, Pat, Stmt, Type,
    visit_mut::{self, VisitMut},
};

use super::{
    corpus::{Annotated, Corpus, attributes, marked},
    words::{ARGUMENTS, WORDS},
};

/// Attempts at a change that leaves an item, without which rustc runs no attribute.
const ATTEMPTS: usize = 6;

/// The item with a few changes; mostly one that can be read.
pub fn mutate(rng: &mut Rng, corpus: &Corpus, item: &Annotated) -> String {
    let mut text = String::new();
    for _ in 0..ATTEMPTS {
        text = changed(rng, corpus, item);
        if syn::parse_str::<syn::Item>(&text).is_ok() {
            break;
        }
    }
    text
}

fn changed(rng: &mut Rng, corpus: &Corpus, item: &Annotated) -> String {
    let mut own = item.item.clone();
    let mut tokens = None;
    for _ in 0..rng.usize(1..4) {
        match &mut tokens {
            None if rng.u8(0..12) == 0 => change_arguments(rng, corpus, &mut own),
            None if rng.u8(0..3) > 0 => change_syntax(rng, corpus, &mut own),
            None => tokens = Some(change_tokens(rng, corpus, own.to_token_stream())),
            Some(tokens) => *tokens = change_tokens(rng, corpus, tokens.clone()),
        }
    }
    tokens.unwrap_or_else(|| own.to_token_stream()).to_string()
}

/// A kernel in an expression, with a few changes.
pub fn mutate_expression(rng: &mut Rng, corpus: &Corpus, tokens: &TokenStream) -> String {
    let mut tokens = tokens.clone();
    for _ in 0..rng.usize(1..4) {
        tokens = change_tokens(rng, corpus, tokens);
    }
    tokens.to_string()
}

/// Gives the attribute other arguments, or makes it another attribute.
fn change_arguments(rng: &mut Rng, corpus: &Corpus, item: &mut syn::Item) {
    let attributes = attributes(item).into_iter().flatten();
    let known = |it: &&mut syn::Attribute| marked(std::slice::from_ref(&**it)).is_some();
    let Some(attribute) = attributes.into_iter().find(known) else {
        return;
    };
    let kinds = [
        "amp_kernel",
        "amp_fn",
        "amp_struct",
        "amp_enum",
        "amp_module",
    ];
    let name = match rng.u8(0..4) {
        0 => kinds[rng.usize(0..kinds.len())].to_string(),
        _ => attribute.path().to_token_stream().to_string(),
    };
    let arguments = match rng.choice(&corpus.arguments) {
        Some(arguments) if rng.u8(0..4) == 0 => arguments.clone(),
        _ => TokenStream::from_str(ARGUMENTS[rng.usize(0..ARGUMENTS.len())]).unwrap_or_default(),
    };
    let name = quote::format_ident!("{name}");
    *attribute = syn::parse_quote!(#[#name(#arguments)]);
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
            let new = match self.rng.u8(0..10) {
                0 => quote!((#expr + #other)),
                1 => quote!({ #expr; #other }),
                2 => quote!((#expr)[#other]),
                3 => quote!((|x| x)(#expr)),
                4 => quote!({ let f = || #expr; f() + #other }),
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

    fn visit_generics_mut(&mut self, generics: &mut Generics) {
        if self.is_it(4) {
            let others = &self.corpus.generics;
            if let Some(other) = self.rng.choice(others) {
                match self.rng.bool() {
                    true => generics.params.extend(other.params.clone()),
                    false => *generics = other.clone(),
                }
            }
            return;
        }
        visit_mut::visit_generics_mut(self, generics);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if self.is_it(5)
            && let Some((_, items)) = &mut module.content
        {
            let others = &self.corpus.items;
            let other = &self.rng.choice(others).expect("there are some").item;
            let at = self.rng.usize(0..=items.len());
            match self.rng.u8(0..4) {
                0 if at < items.len() => drop(items.remove(at)),
                1 if at < items.len() => items.push(items[at].clone()),
                _ => items.insert(at, other.clone()),
            }
            return;
        }
        visit_mut::visit_item_mod_mut(self, module);
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
    let kind = [0, 0, 0, 1, 1, 2, 3, 3, 4, 5][rng.usize(0..10)];
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

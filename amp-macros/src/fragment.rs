//! The fragments of `macro_rules!`: what `$e:expr` and its like put into an item.
//!
//! rustc hands a fragment over in invisible delimiters, which keep `$a * 2` from coming apart.
//! syn knows them around expressions and types alone. So a fragment that needs none, as a
//! block, a path or a statement, is written out, as if it stood there by hand. So is `r#name`, as
//! `name`, which is the same to rustc.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use syn::{Expr, ExprPath};

/// The tokens without invisible delimiters around what holds together by itself, and with one
/// spelling of each name.
pub fn written_out(tokens: TokenStream) -> TokenStream {
    rewritten(&tokens, false).unwrap_or(tokens)
}

/// The tokens rewritten; nothing if they are so already.
fn rewritten(tokens: &TokenStream, in_attribute: bool) -> Option<TokenStream> {
    let mut changed = false;
    let mut result = Vec::new();
    let mut after_hash = false;
    for token in tokens.clone() {
        let is_hash = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
        let group = match token {
            TokenTree::Group(group) => group,
            other => {
                let plain = plain(&other);
                changed |= plain.is_some();
                result.push(plain.unwrap_or(other));
                after_hash = is_hash;
                continue;
            }
        };
        let (delimiter, span) = (group.delimiter(), group.span());
        let is_attribute = after_hash && delimiter == Delimiter::Bracket;
        after_hash = false;
        let inner = rewritten(&group.stream(), is_attribute);
        changed |= inner.is_some();
        let group = match inner {
            Some(inner) => {
                let mut group = Group::new(delimiter, inner);
                group.set_span(span);
                group
            }
            None => group,
        };
        let is_invisible = delimiter == Delimiter::None;
        if is_invisible && (in_attribute || holds_together(&group.stream())) {
            result.extend(group.stream());
            changed = true;
        } else {
            result.push(TokenTree::Group(group));
        }
    }
    changed.then(|| result.into_iter().collect())
}

/// `r#name` as `name`, unless that is a keyword of some edition.
fn plain(token: &TokenTree) -> Option<TokenTree> {
    let TokenTree::Ident(ident) = token else {
        return None;
    };
    let text = ident.to_string();
    let name = text.strip_prefix("r#").filter(|name| *name != "gen")?;
    syn::parse_str::<Ident>(name).ok()?;
    Some(TokenTree::Ident(Ident::new(name, ident.span())))
}

/// Words that only a statement, an item or a visibility begins with.
const STARTS: &[&str] = &[
    "let", "const", "static", "fn", "struct", "enum", "union", "trait", "impl", "mod", "use",
    "type", "extern", "pub", "crate",
];

/// Whether tokens mean the same wherever they stand.
fn holds_together(tokens: &TokenStream) -> bool {
    let mut rest = tokens.clone().into_iter();
    let (first, second) = (rest.next(), rest.next());
    match (first, second) {
        (None, _) | (Some(_), None) => true,
        (Some(TokenTree::Ident(word)), _) if STARTS.iter().any(|start| word == start) => true,
        // An item with attributes.
        (Some(TokenTree::Punct(punct)), _) if punct.as_char() == '#' => true,
        (Some(TokenTree::Literal(_)), _) => false,
        _ => matches!(
            syn::parse2(tokens.clone()),
            Ok(Expr::Path(ExprPath { attrs, .. })) if attrs.is_empty()
        ),
    }
}

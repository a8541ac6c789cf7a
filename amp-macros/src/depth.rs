//! How deep an item may be.
//!
//! Everything that reads an item goes down into it, from syn to the emitter, and rustc
//! gives a macro as much stack as it has itself. An item that would need more is refused
//! before anything is read. What a token may cost there is measured by the tests of
//! `fuzz::depth`: an operand of a chain of operators takes up to 6 KiB, a group 26. Each arm of
//! a `match` lies within the arms before it, because it becomes the `else` of their tests.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

/// What may stand around a token: the tokens of its statement, of the statement around
/// that, and so on, and for each of them a [`GROUP`].
const LIMIT: usize = 800;

/// A pair of delimiters, in tokens.
const GROUP: usize = 4;

/// What stands before the body of a loop, in tokens: it stands beside the body, not around it.
const HEADER: usize = 4;

/// Where tokens become too deep.
pub fn too_deep(tokens: TokenStream) -> Option<Span> {
    inner(tokens, 0)
}

fn inner(tokens: TokenStream, outer: usize) -> Option<Span> {
    let mut statement = Vec::new();
    let mut arms = 0;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_end = ends(&token, tokens.peek());
        arms += usize::from(is_arrow(&token, tokens.peek()));
        statement.push(token);
        if (is_end || tokens.peek().is_none())
            && let Some(place) = within(std::mem::take(&mut statement), outer + arms)
        {
            return Some(place);
        }
    }
    None
}

/// Whether a token begins the `=>` of an arm.
fn is_arrow(token: &TokenTree, next: Option<&TokenTree>) -> bool {
    matches!((token, next), (TokenTree::Punct(first), Some(TokenTree::Punct(second)))
        if first.as_char() == '=' && second.as_char() == '>')
}

/// Whether a statement, an argument or an arm ends with a token.
fn ends(token: &TokenTree, next: Option<&TokenTree>) -> bool {
    match token {
        TokenTree::Punct(punct) => matches!(punct.as_char(), ';' | ','),
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => match next {
            Some(TokenTree::Ident(word)) => word != "else" && word != "as",
            Some(TokenTree::Punct(_)) => false,
            _ => true,
        },
        _ => false,
    }
}

fn within(statement: Vec<TokenTree>, outer: usize) -> Option<Span> {
    let depth = outer + statement.len();
    if depth > LIMIT {
        return statement.first().map(TokenTree::span);
    }
    let body = is_loop(&statement).then(|| statement.len() - 1);
    let mut tokens = statement.into_iter().enumerate();
    tokens.find_map(|(position, token)| match token {
        TokenTree::Group(group) if Some(position) == body => {
            inner(group.stream(), depth.min(outer + HEADER) + GROUP)
        }
        TokenTree::Group(group) => inner(group.stream(), depth + GROUP),
        _ => None,
    })
}

/// Whether a statement is a loop that ends with its body.
fn is_loop(statement: &[TokenTree]) -> bool {
    let is_keyword = |token: &TokenTree| match token {
        TokenTree::Ident(word) => word == "for" || word == "while" || word == "loop",
        _ => false,
    };
    let is_label =
        matches!(statement.first(), Some(TokenTree::Punct(punct)) if punct.as_char() == '\'');
    // `'label: for ..`
    let keyword = statement.get(if is_label { 3 } else { 0 });
    keyword.is_some_and(is_keyword)
        && matches!(statement.last(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace)
}

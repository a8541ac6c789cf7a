//! The rules of a `macro_rules!`.

use std::iter::Peekable;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree, token_stream::IntoIter};

/// One rule: what it takes, and what it stands for.
#[derive(Clone)]
pub struct Rule {
    pub pattern: Vec<Part>,
    pub body: Vec<Part>,
}

/// A part of a pattern or of a body.
#[derive(Clone)]
pub enum Part {
    Token(TokenTree),
    Group(Delimiter, Vec<Part>),
    /// `$name`, or `$name:fragment` in a pattern.
    Variable {
        name: String,
        fragment: String,
    },
    /// `$(parts) separator count`
    Repetition {
        parts: Vec<Part>,
        /// More than one for `=>` and its like.
        separator: Vec<TokenTree>,
        count: Count,
    },
}

/// How often a part is there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Count {
    Optional,
    Any,
    OneOrMore,
}

type Tokens = Peekable<IntoIter>;

impl Rule {
    /// The rules in the tokens of a definition, if it is one.
    pub fn all(definition: TokenStream) -> Option<Vec<Self>> {
        let mut tokens = definition.into_iter().peekable();
        let mut rules = Vec::new();
        while tokens.peek().is_some() {
            let pattern = parts(group(&mut tokens)?.stream(), true)?;
            (punct(&mut tokens, '=')? && punct(&mut tokens, '>')?).then_some(())?;
            let body = parts(group(&mut tokens)?.stream(), false)?;
            rules.push(Self { pattern, body });
            if tokens.peek().is_some() && !punct(&mut tokens, ';')? {
                return None;
            }
        }
        Some(rules)
    }
}

fn group(tokens: &mut Tokens) -> Option<Group> {
    match tokens.next()? {
        TokenTree::Group(group) => Some(group),
        _ => None,
    }
}

fn punct(tokens: &mut Tokens, wanted: char) -> Option<bool> {
    Some(is_punct(&tokens.next()?, wanted))
}

fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

fn parts(tokens: TokenStream, in_pattern: bool) -> Option<Vec<Part>> {
    let mut tokens = tokens.into_iter().peekable();
    let mut parts = Vec::new();
    while let Some(token) = tokens.next() {
        let part = match token {
            TokenTree::Group(group) => {
                Part::Group(group.delimiter(), self::parts(group.stream(), in_pattern)?)
            }
            token if !is_punct(&token, '$') => Part::Token(token),
            dollar => match tokens.next()? {
                TokenTree::Group(group) => repetition(&group, &mut tokens, in_pattern)?,
                TokenTree::Ident(name) if name == "crate" => Part::Token(TokenTree::Ident(name)),
                TokenTree::Ident(name) => {
                    let mut fragment = String::new();
                    if in_pattern {
                        punct(&mut tokens, ':')?.then_some(())?;
                        fragment = tokens.next()?.to_string();
                    }
                    let name = name.to_string();
                    Part::Variable { name, fragment }
                }
                other => {
                    parts.push(Part::Token(dollar));
                    Part::Token(other)
                }
            },
        };
        parts.push(part);
    }
    Some(parts)
}

fn repetition(group: &Group, tokens: &mut Tokens, in_pattern: bool) -> Option<Part> {
    let parts = parts(group.stream(), in_pattern)?;
    let mut separator = Vec::new();
    loop {
        let token = tokens.next()?;
        let count = match &token {
            TokenTree::Punct(punct) => match punct.as_char() {
                '?' => Some(Count::Optional),
                '*' => Some(Count::Any),
                '+' => Some(Count::OneOrMore),
                _ => None,
            },
            _ => None,
        };
        match count {
            Some(count) => {
                return Some(Part::Repetition {
                    parts,
                    separator,
                    count,
                });
            }
            None => separator.push(token),
        }
    }
}

//! Whether tokens are what a rule takes, and what its variables are then.

use std::collections::HashMap;

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser, discouraged::Speculative};

use super::{
    fragment,
    rule::{Count, Part},
};

/// What a variable of a rule is.
#[derive(Clone)]
pub enum Value {
    Tokens(TokenStream),
    /// That of each repetition.
    Repeated(Vec<Value>),
}

pub type Values = HashMap<String, Value>;

/// The variables of a pattern, if it takes these tokens.
pub fn matched(pattern: &[Part], tokens: TokenStream) -> Option<Values> {
    let take = |input: ParseStream| {
        let mut values = Values::new();
        take_all(pattern, input, &mut values)?;
        Ok(values)
    };
    take.parse2(tokens).ok()
}

fn take_all(pattern: &[Part], input: ParseStream, values: &mut Values) -> syn::Result<()> {
    for part in pattern {
        match part {
            Part::Token(token) => expect(token, input)?,
            Part::Group(delimiter, parts) => {
                let TokenTree::Group(group) = input.parse()? else {
                    return Err(input.error("no group"));
                };
                let inner = matched(parts, group.stream());
                let inner = inner.filter(|_| group.delimiter() == *delimiter);
                values.extend(inner.ok_or_else(|| input.error("another group"))?);
            }
            Part::Variable { name, fragment } => {
                let taken = fragment::take(fragment, input)?;
                values.insert(name.clone(), Value::Tokens(taken));
            }
            Part::Repetition {
                parts,
                separator,
                count,
            } => {
                let found = repeated(parts, separator, *count, input);
                if *count == Count::OneOrMore && found.is_empty() {
                    return Err(input.error("nothing to repeat"));
                }
                for name in variables(parts) {
                    let of_each = found.iter().filter_map(|values| values.get(name));
                    let value = Value::Repeated(of_each.cloned().collect());
                    values.insert(name.to_owned(), value);
                }
            }
        }
    }
    Ok(())
}

/// Takes parts as often as they are there.
fn repeated(
    parts: &[Part],
    separator: &[TokenTree],
    count: Count,
    input: ParseStream,
) -> Vec<Values> {
    let mut found = Vec::new();
    loop {
        let ahead = input.fork();
        let mut between = separator.iter().filter(|_| !found.is_empty());
        let separated = between.try_for_each(|token| expect(token, &ahead));
        let mut values = Values::new();
        let taken = separated.and_then(|()| take_all(parts, &ahead, &mut values));
        // One that takes nothing would never end.
        if taken.is_err() || ahead.cursor() == input.cursor() {
            return found;
        }
        input.advance_to(&ahead);
        found.push(values);
        if count == Count::Optional {
            return found;
        }
    }
}

/// The same token as in the pattern.
fn expect(token: &TokenTree, input: ParseStream) -> syn::Result<()> {
    let next: TokenTree = input.parse()?;
    match next.to_string() == token.to_string() {
        true => Ok(()),
        false => Err(syn::Error::new(next.span(), "another token")),
    }
}

/// The variables of a part and of those in it.
pub fn variables(parts: &[Part]) -> Vec<&str> {
    let of_part = |part| match part {
        &Part::Token(_) => Vec::new(),
        Part::Variable { name, .. } => vec![name.as_str()],
        Part::Group(_, parts) | Part::Repetition { parts, .. } => variables(parts),
    };
    parts.iter().flat_map(of_part).collect()
}

//! What a call stands for: the body of the rule that takes its arguments, with these in it.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use syn::{Item, Macro, spanned::Spanned};

use super::{
    hygiene::Hygiene,
    matching::{Value, Values, matched, variables},
    rule::{Part, Rule},
};
use crate::{fragment::written_out, visit::VisitMut};

/// The tokens of an expansion.
pub struct Transcription {
    pub tokens: TokenStream,
    hygiene: Hygiene,
}

impl Transcription {
    /// What the first rule that takes the call makes of it. Each call of an item has a number.
    pub fn of(rules: &[Rule], call: &Macro, number: usize) -> Option<Self> {
        let mut found = rules.iter().filter_map(|rule| {
            let values = matched(&rule.pattern, call.tokens.clone())?;
            Some((rule, values))
        });
        let (rule, values) = found.next()?;
        let mut writer = Writer {
            span: call.path.span(),
            hygiene: Hygiene::new(number),
        };
        let tokens = written_out(writer.written(&rule.body, &values)?);
        let hygiene = writer.hygiene;
        Some(Self { tokens, hygiene })
    }

    /// Gives the names of the body that are no variables of it their own spelling again, in the syntax that
    /// the tokens have been read as. `visit` takes a visitor there.
    pub fn settle(mut self, mut visit: impl FnMut(&mut dyn VisitMut)) {
        visit(&mut self.hygiene.variables());
        visit(&mut self.hygiene.spelling());
    }

    /// The same in items. Variables stay within these, so that only those need another name of which the arguments
    /// of the call have one alike.
    pub fn settle_items(self, items: &mut [Item], given: &TokenStream) {
        for item in items {
            let mut hygiene = self.hygiene.clone();
            hygiene.variables().visit_item_mut(item);
            hygiene.retain(given);
            hygiene.spelling().visit_item_mut(item);
        }
    }
}

struct Writer {
    /// Where the macro's name stands.
    span: Span,
    hygiene: Hygiene,
}

impl Writer {
    fn written(&mut self, body: &[Part], values: &Values) -> Option<TokenStream> {
        let mut tokens = TokenStream::new();
        for part in body {
            match part {
                Part::Token(token) => tokens.extend([self.own(token)]),
                Part::Group(delimiter, parts) => {
                    let mut group = Group::new(*delimiter, self.written(parts, values)?);
                    group.set_span(self.span);
                    tokens.extend([TokenTree::Group(group)]);
                }
                Part::Variable { name, .. } => match values.get(name) {
                    Some(Value::Tokens(value)) => tokens.extend(value.clone()),
                    _ => return None,
                },
                Part::Repetition {
                    parts, separator, ..
                } => {
                    for (position, values) in repetitions(parts, values)?.iter().enumerate() {
                        let between = separator.iter().filter(|_| position > 0);
                        tokens.extend(between.map(|token| self.own(token)));
                        tokens.extend(self.written(parts, values)?);
                    }
                }
            }
        }
        Some(tokens)
    }

    /// A token of the body.
    fn own(&mut self, token: &TokenTree) -> TokenTree {
        let mut token = match token {
            TokenTree::Ident(name) => TokenTree::Ident(self.hygiene.marked(name)),
            other => other.clone(),
        };
        token.set_span(self.span);
        token
    }
}

/// The variables in each repetition of some parts; nothing if they do not say how many there are.
fn repetitions(parts: &[Part], values: &Values) -> Option<Vec<Values>> {
    let names = variables(parts);
    let mut counts = names.iter().filter_map(|name| match values.get(*name) {
        Some(Value::Repeated(values)) => Some(values.len()),
        _ => None,
    });
    let count = counts.next()?;
    if counts.any(|other| other != count) {
        return None;
    }
    let of_one = |position: usize| {
        let values = names.iter().filter_map(|name| {
            let value = match values.get(*name)? {
                Value::Repeated(values) => &values[position],
                value => value,
            };
            Some(((*name).to_owned(), value.clone()))
        });
        values.collect()
    };
    Some((0..count).map(of_one).collect())
}

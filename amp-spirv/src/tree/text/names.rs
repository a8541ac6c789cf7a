//! The names that people gave.

use std::fmt::{self, Display, Formatter};

/// A name that people gave, in quotes unless it is a plain word.
pub(crate) struct Named<'a>(pub &'a str);

impl Display for Named<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => Ok(()),
            name if is_word(name) => f.write_str(name),
            name => write!(f, "{name:?}"),
        }
    }
}

/// Whether a name needs no quotes.
pub(crate) fn is_word(name: &str) -> bool {
    let mut chars = name.chars();
    chars
        .next()
        .is_some_and(|it| it.is_ascii_alphabetic() || it == '_')
        && chars.all(|it| it.is_ascii_alphanumeric() || it == '_')
}

/// The name in front of a number where something is used.
pub(crate) fn prefix(name: &str) -> &str {
    if is_word(name) { name } else { "" }
}

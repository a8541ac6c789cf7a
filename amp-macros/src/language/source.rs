//! Functions of foreign types in the kernel language: text that is searched by name, and read when
//! a kernel calls one. Those that are not `pub` are for the others alone.
//!
//! In the text some names stand for others, which depend on the type.

use proc_macro2::{Group, Span, TokenStream, TokenTree};

/// A function in the kernel language.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Source {
    /// Its name.
    pub name: &'static str,
    /// The function itself.
    pub text: &'static str,
    /// What the host version calls where that is not the function that has the name: an expression
    /// of the parameters.
    pub host: Option<&'static str>,
    pub is_public: bool,
}

impl Source {
    /// Whether it is called as `T::name` alone.
    pub fn is_constructor(&self) -> bool {
        self.name.starts_with("from_")
    }

    /// Whether the standard library's method takes its receiver by reference.
    pub fn takes_reference(&self) -> bool {
        self.name.contains("ascii")
    }

    /// The function for the host, where [`Source::host`] is all that its body is.
    pub fn host_text(&self) -> String {
        match (self.host, self.text.split_once('{')) {
            (Some(host), Some((signature, _))) => format!("{signature}{{ {host} }}"),
            _ => self.text.to_owned(),
        }
    }
}

/// The functions of a file: each starts a line and ends with a brace that does.
pub fn functions(file: &'static str) -> impl Iterator<Item = Source> {
    let functions = file.split_inclusive("\n}\n");
    functions.filter_map(|function| {
        let function = function.trim();
        let (host, text) = match function.strip_prefix("// host: ") {
            Some(rest) => {
                let (host, text) = rest.split_once('\n')?;
                (Some(host), text)
            }
            None => (None, function),
        };
        let is_public = text.starts_with("pub ");
        let signature = text.trim_start_matches("pub ").strip_prefix("fn ")?;
        let (name, _) = signature.split_once('(')?;
        Some(Source {
            name,
            text,
            host,
            is_public,
        })
    })
}

/// Tokens at one place of the source, where some names stand for others.
pub fn replaced(
    tokens: TokenStream,
    span: Span,
    meaning: &dyn Fn(&str) -> Option<TokenStream>,
) -> TokenStream {
    let tokens = tokens.into_iter().map(|mut token| {
        token.set_span(span);
        match token {
            TokenTree::Group(group) => {
                let inner = replaced(group.stream(), span, meaning);
                let mut group = Group::new(group.delimiter(), inner);
                group.set_span(span);
                TokenTree::from(group).into()
            }
            TokenTree::Ident(name) => match meaning(&name.to_string()) {
                Some(meant) => replaced(meant, span, &|_| None),
                None => TokenTree::from(name).into(),
            },
            other => TokenStream::from(other),
        }
    });
    tokens.collect()
}

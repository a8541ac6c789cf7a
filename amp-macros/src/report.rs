//! Diagnostics on their way to the user: real spans, and `compile_error!` items.
//!
//! The compiler core names places by [`tree::Span`]; [`Spans`] owns the real ones.
//! A stable proc macro can only speak through `compile_error!`, so the code, the
//! message, the labels with their lines and the help share one text: one error for
//! each thing that is wrong.

use std::{cell::LazyCell, collections::HashMap};

use amp_spirv::{
    diagnostic::{Code, Diagnostic},
    tree,
};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprPath, spanned::Spanned};

use crate::{
    invocation,
    position::{self, Position},
};

/// From the first to the last token of what an error is about. On stable Rust two spans
/// cannot be joined, but rustc underlines a macro call from its first token to its last,
/// and each of these may have a span of its own.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub first: Span,
    last: Span,
}

impl Place {
    /// What is written there, if it is on one line of a file that can be read.
    fn source(self) -> Option<String> {
        self.text().filter(|text| !text.contains('\n'))
    }

    /// What is written there, if the file can be read.
    pub fn text(self) -> Option<String> {
        let (start, end) = (position::start(self.first), position::end(self.last));
        if start.file != end.file || start.line > end.line {
            return None;
        }
        let file = std::fs::read_to_string(position::local_file(self.first)?).ok()?;
        let before = start.line.checked_sub(1)?;
        let lines = file.lines().skip(before).take(end.line - before);
        let mut lines: Vec<String> = lines.map(str::to_owned).collect();
        let last = lines.last_mut()?;
        *last = last.chars().take(end.column.checked_sub(1)?).collect();
        let first = lines.first_mut()?;
        *first = first.chars().skip(start.column.checked_sub(1)?).collect();
        Some(lines.join("\n"))
    }
}

impl Place {
    /// The place of an expression. Of most, the tokens at their ends are known without walking
    /// those between.
    pub fn of(expr: &Expr) -> Self {
        let (first, last) = match expr {
            Expr::Binary(binary) => (Self::of(&binary.left).first, Self::of(&binary.right).last),
            Expr::Call(call) => (Self::of(&call.func).first, call.paren_token.span.join()),
            Expr::Field(field) => (Self::of(&field.base).first, field.member.span()),
            Expr::Index(index) => (Self::of(&index.expr).first, index.bracket_token.span.join()),
            Expr::MethodCall(call) => {
                (Self::of(&call.receiver).first, call.paren_token.span.join())
            }
            Expr::Path(ExprPath {
                qself: None, path, ..
            }) if let Some(name) = path.get_ident() => (name.span(), name.span()),
            other => return other.locate(),
        };
        Self { first, last }
    }
}

/// Something that has a place: a span, or tokens, which are only walked when there is an
/// error to report.
pub trait Locate {
    /// Where it is.
    fn locate(self) -> Place;
}

impl Locate for Place {
    fn locate(self) -> Place {
        self
    }
}

impl Locate for Span {
    fn locate(self) -> Place {
        Place {
            first: self,
            last: self,
        }
    }
}

impl<T: ToTokens> Locate for &T {
    fn locate(self) -> Place {
        let mut tokens = self.to_token_stream().into_iter();
        let first = tokens
            .next()
            .map_or_else(Span::call_site, |token| token.span());
        let last = tokens.last().map_or(first, |token| token.span());
        Place { first, last }
    }
}

/// Real spans by [`tree::Span`].
#[derive(Default)]
pub struct Spans {
    spans: Vec<Span>,
    /// Last tokens of the places that are more than one token.
    ends: HashMap<u32, Span>,
}

impl Spans {
    /// Numbers a span.
    pub fn add(&mut self, span: Span) -> tree::Span {
        self.spans.push(span);
        tree::Span(self.spans.len() as u32 - 1)
    }

    /// Numbers a place.
    pub fn add_place(&mut self, place: impl Locate) -> tree::Span {
        let Place { first, last } = place.locate();
        let span = self.add(first);
        self.ends.insert(span.0, last);
        span
    }

    /// The place behind a number.
    fn place(&self, span: tree::Span) -> Place {
        let first = self.get(span);
        let last = self.ends.get(&span.0).copied().unwrap_or(first);
        Place { first, last }
    }

    /// The real span behind a number.
    pub fn get(&self, span: tree::Span) -> Span {
        self.spans[span.0 as usize]
    }

    /// Source positions of all spans, and the files that they name.
    pub fn locate(&self) -> (Vec<tree::Location>, Vec<String>) {
        let mut files: Vec<String> = Vec::new();
        let mut last: Option<(String, u32)> = None;
        let mut locations = Vec::with_capacity(self.spans.len());
        for span in &self.spans {
            let start = position::start(*span);
            let file = match &last {
                Some((known, file)) if *known == start.file => *file,
                _ => number_of(&start.file, &mut files),
            };
            last = Some((start.file, file));
            locations.push(tree::Location {
                file,
                line: start.line as u32,
                column: start.column as u32,
            });
        }
        (locations, files)
    }
}

/// The number of a file among others, to which it is added if it is new.
fn number_of(name: &str, files: &mut Vec<String>) -> u32 {
    let known = files.iter().position(|file| file == name);
    let number = known.unwrap_or_else(|| {
        files.push(name.to_owned());
        files.len() - 1
    });
    number as u32
}

/// Collects errors while a function is read, so that all of them are shown.
#[derive(Default)]
pub struct Report {
    /// The spans that the diagnostics name.
    pub spans: Spans,
    diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// Records an error and returns it for labels and help.
    pub fn error(
        &mut self,
        code: Code,
        place: impl Locate,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let span = self.spans.add_place(place);
        self.diagnostics.push(Diagnostic::new(code, span, message));
        self.diagnostics.last_mut().expect("just pushed")
    }

    /// Adds a place that explains the last error. What is written there is shown too, unless
    /// the text quotes something itself.
    pub fn note(&mut self, place: impl Locate, text: impl Into<String>) {
        let span = self.spans.add_place(place);
        if let Some(last) = self.diagnostics.last_mut() {
            last.labels.push((span, text.into()));
        }
    }

    /// Records an error that says what to write instead.
    pub fn error_help(
        &mut self,
        code: Code,
        place: impl Locate,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.error(code, place, message).help = Some(help.into());
    }

    /// Records what a check of the compiler core found.
    pub fn extend(&mut self, diagnostics: Vec<Diagnostic>) {
        self.diagnostics.extend(diagnostics);
    }

    /// How many errors there are so far.
    pub fn count(&self) -> usize {
        self.diagnostics.len()
    }

    /// Moves the errors behind the first `known`, which are those of an instance of a helper,
    /// to the call that makes the instance, and keeps one of them: the call is the mistake.
    pub fn blame(&mut self, known: usize, call: Span, instance: &str) {
        if self.diagnostics.len() <= known {
            return;
        }
        self.diagnostics.truncate(known + 1);
        let span = self.spans.add_place(call);
        let found = &mut self.diagnostics[known];
        let inside = std::mem::replace(&mut found.span, span);
        found.message = format!("{instance} cannot be compiled: {}", found.message);
        found.labels.insert(0, (inside, "in the helper".to_owned()));
        found.help = Some("call it with other types, or change the helper".to_owned());
    }

    /// Whether nothing is wrong so far.
    pub fn is_clean(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// All errors as items that make rustc show them.
    pub fn to_tokens(&self) -> TokenStream {
        self.diagnostics
            .iter()
            .map(|diagnostic| {
                let mut text = format!("[{}] {}", diagnostic.code, diagnostic.message);
                let place = self.spans.get(diagnostic.span);
                let home = position::start(place).file;
                let is_included = LazyCell::new(|| {
                    let file = position::local_file(place);
                    file.is_some_and(|file| !invocation::is_module(&file))
                });
                for (span, label) in &diagnostic.labels {
                    let place = self.spans.place(*span);
                    let Position { file, line, column } = position::start(place.first);
                    // A line of a file that others include may be taken for one of theirs.
                    let file = if file == home && !*is_included {
                        String::new()
                    } else {
                        format!("{file}:")
                    };
                    text.push_str(&format!("\n  note: {file}{line}:{column}: {label}"));
                    if let Some(source) = place.source().filter(|_| !label.contains('`')) {
                        text.push_str(&format!(": `{source}`"));
                    }
                }
                if let Some(help) = &diagnostic.help {
                    text.push_str(&format!("\n  help: {help}"));
                }
                compile_error(self.spans.place(diagnostic.span), &text)
            })
            .collect()
    }
}

/// An item that makes rustc show `text` at a place.
fn compile_error(Place { first, last }: Place, text: &str) -> TokenStream {
    let start = quote_spanned!(first=> ::core::compile_error!);
    let end = quote_spanned!(last=> { #text });
    quote!(#start #end)
}

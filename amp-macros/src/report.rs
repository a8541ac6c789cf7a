//! Diagnostics on their way to the user: real spans, and `compile_error!` items.
//!
//! The compiler core names places by [`ir::Span`]; [`Spans`] owns the real ones.
//! A stable proc macro can only speak through `compile_error!`, so the code, the
//! message and the help share one text, and each label that stands elsewhere becomes
//! an error of its own at its place.

use amp_spirv::{
    diagnostic::{Code, Diagnostic},
    ir,
};
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// Real spans by [`ir::Span`].
#[derive(Default)]
pub struct Spans {
    spans: Vec<Span>,
    files: Vec<String>,
}

impl Spans {
    /// Numbers a span.
    pub fn add(&mut self, span: Span) -> ir::Span {
        self.spans.push(span);
        ir::Span(self.spans.len() as u32 - 1)
    }

    /// The real span behind a number.
    pub fn get(&self, span: ir::Span) -> Span {
        self.spans[span.0 as usize]
    }

    /// Source positions of all spans, and the files that they name.
    pub fn locate(mut self) -> (Vec<ir::Location>, Vec<String>) {
        let mut last: Option<(String, u32)> = None;
        let mut locations = Vec::with_capacity(self.spans.len());
        for span in std::mem::take(&mut self.spans) {
            let name = span.unwrap().file();
            let file = match &last {
                Some((known, file)) if *known == name => *file,
                _ => self.file(name.clone()),
            };
            last = Some((name, file));
            let start = span.unwrap().start();
            locations.push(ir::Location {
                file,
                line: start.line() as u32,
                column: start.column() as u32,
            });
        }
        (locations, self.files)
    }

    fn file(&mut self, name: String) -> u32 {
        if let Some(known) = self.files.iter().position(|file| *file == name) {
            return known as u32;
        }
        self.files.push(name);
        self.files.len() as u32 - 1
    }
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
    pub fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        let span = self.spans.add(span);
        self.diagnostics.push(Diagnostic::new(code, span, message));
        self.diagnostics.last_mut().expect("just pushed")
    }

    /// Records an error that says what to write instead.
    pub fn error_help(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.error(code, span, message).help = Some(help.into());
    }

    /// Records what a check of the compiler core found.
    pub fn extend(&mut self, diagnostics: Vec<Diagnostic>) {
        self.diagnostics.extend(diagnostics);
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
                let mut elsewhere = TokenStream::new();
                for (span, label) in &diagnostic.labels {
                    let line = self.spans.get(*span).unwrap().start().line();
                    text.push_str(&format!("\n  note: line {line}: {label}"));
                    let pointer = format!("[{}] cause: {label}", diagnostic.code);
                    let span = self.spans.get(*span);
                    elsewhere.extend(quote_spanned!(span=> ::core::compile_error!(#pointer);));
                }
                if let Some(help) = &diagnostic.help {
                    text.push_str(&format!("\n  help: {help}"));
                }
                let span = self.spans.get(diagnostic.span);
                quote_spanned!(span=> ::core::compile_error!(#text); #elsewhere)
            })
            .collect()
    }
}

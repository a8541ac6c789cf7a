//! Where tokens stand in the source.
//!
//! Only rustc knows, and only while it runs a macro. Outside of one, in this crate's
//! tests, every token stands at the start of a file without a name.

use std::{cell::RefCell, path::PathBuf, rc::Rc, time::SystemTime};

use proc_macro2::Span;

/// A place in a file, as rustc shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// Name of the file.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
}

/// rustc's own span, if there is one.
fn real(span: Span) -> Option<proc_macro::Span> {
    proc_macro::is_available().then(|| span.unwrap())
}

fn position(real: Option<proc_macro::Span>) -> Position {
    Position {
        file: real.map_or_else(String::new, |span| span.file()),
        line: real.map_or(1, |span| span.line()),
        column: real.map_or(1, |span| span.column()),
    }
}

/// Where a token starts.
pub fn start(span: Span) -> Position {
    position(real(span).map(|span| span.start()))
}

/// Where a token ends.
pub fn end(span: Span) -> Position {
    position(real(span).map(|span| span.end()))
}

/// Which expansion of a macro a token comes from; nothing if it is written where it stands.
///
/// A macro that is called twice repeats the places of its own tokens. What tells them apart has
/// no name on stable Rust: it is what rustc's spans are shown with, as in `#12 bytes(3..5)`.
pub fn expansion(span: Span) -> Option<String> {
    let shown = format!("{:?}", real(span)?);
    let context = shown.split_whitespace().next()?;
    (context.starts_with('#') && context != "#0").then(|| context.to_owned())
}

/// The file that a token stands in, if it can be read.
pub fn local_file(span: Span) -> Option<PathBuf> {
    real(span)?.local_file()
}

/// The text of the file that a token stands in. The last one is kept: a file's functions ask for it one after
/// another.
pub fn file_text(span: Span) -> Option<Rc<str>> {
    let path = local_file(span)?;
    let modified = std::fs::metadata(&path).ok()?.modified().ok()?;
    LAST_TEXT.with_borrow_mut(|last| {
        if let Some((known, at, text)) = last
            && *known == path
            && *at == modified
        {
            return Some(text.clone());
        }
        let text: Rc<str> = std::fs::read_to_string(&path).ok()?.into();
        *last = Some((path, modified, text.clone()));
        Some(text)
    })
}

/// Whether the file that a token stands in declares a function of this name, as far as its text tells.
pub fn file_declares(span: Span, function: &str) -> bool {
    let text = file_text(span);
    text.is_some_and(|text| text.contains(&format!("fn {function}(")))
}

thread_local! {
    static LAST_TEXT: RefCell<Option<(PathBuf, SystemTime, Rc<str>)>> = RefCell::default();
}

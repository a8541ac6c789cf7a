//! `assert!`, `panic!` and their kin: macros of Rust that are faults in a kernel.
//!
//! [`rewrite`] turns them into calls before anything else looks at a function, so that
//! the names in their arguments are imported, and everybody who gets the function, the
//! twin and kernels elsewhere alike, has the same words:
//!
//! ```text
//! assert!(a < b)       ::amp::__private::twin::assert(a < b, "assertion failed: a < b")
//! assert_eq!(a, b)     ::amp::__private::twin::assert((a) == (b), "assertion `left == ..")
//! debug_assert!(c)     if ::core::cfg!(debug_assertions) { .. }
//! panic!("no sum")     ::amp::__private::twin::panic("no sum")
//! ```
//!
//! All tokens that are new stand where the macro's name does, which is where the fault
//! is reported. A macro that says more than the language has (format arguments) stays as
//! it is, and inference refuses it with the [`Refusal`] of [`read`].

use proc_macro2::Span;
use quote::{ToTokens, quote_spanned};
use syn::{
    Expr, ExprBinary, ExprCall, ExprLit, ExprParen, ItemFn, Lit, LitStr, Macro, Path, Stmt, Token,
    parse::Parser,
    parse_quote_spanned,
    punctuated::Punctuated,
    spanned::Spanned,
    token::Paren,
    visit_mut::{self, VisitMut},
};

use crate::{
    import::path_key,
    report::{Locate, Place},
};

/// What a rewritten macro calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stated {
    /// `twin::assert(condition, message)`: a fault unless the condition holds.
    Assert,
    /// `twin::panic(message)`: a fault, and the end of the function.
    Panic,
}

impl Stated {
    /// What the path of a call says, if it is one that [`rewrite`] makes.
    pub fn of(path: &Path) -> Option<Self> {
        match path_key(path).strip_prefix("::amp::__private::twin::")? {
            "assert" => Some(Self::Assert),
            "panic" => Some(Self::Panic),
            _ => None,
        }
    }
}

/// Why a macro cannot be rewritten.
pub struct Refusal {
    /// What is wrong.
    pub place: Place,
    /// In which way.
    pub message: String,
    /// What to write instead.
    pub help: &'static str,
}

/// Rewrites the assertions and panics of a function.
pub fn rewrite(function: &mut ItemFn) {
    Rewrite.visit_block_mut(&mut function.block);
}

/// The words of a call that [`rewrite`] made.
pub fn message(call: &ExprCall) -> String {
    match call.args.last() {
        Some(Expr::Lit(ExprLit {
            lit: Lit::Str(words),
            ..
        })) => words.value(),
        _ => String::new(),
    }
}

/// Whether a macro is the condition of a rewritten `debug_assert!`.
pub fn is_profile(mac: &Macro) -> bool {
    path_key(&mac.path) == "::core::cfg"
}

struct Rewrite;

impl VisitMut for Rewrite {
    /// Of items in bodies, only functions are kernel code.
    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        if let syn::Item::Fn(function) = item {
            self.visit_block_mut(&mut function.block);
        }
    }

    fn visit_stmt_mut(&mut self, statement: &mut Stmt) {
        if let Stmt::Macro(mac) = statement
            && let Some(Ok(mut call)) = read(&mac.mac)
        {
            match &mut call {
                Expr::Call(call) => call.attrs = std::mem::take(&mut mac.attrs),
                Expr::If(choice) => choice.attrs = std::mem::take(&mut mac.attrs),
                _ => {}
            }
            // `panic! { .. }` needs none.
            let semicolon = mac
                .semi_token
                .unwrap_or_else(|| Token![;](mac.mac.path.span()));
            *statement = Stmt::Expr(call, Some(semicolon));
        }
        visit_mut::visit_stmt_mut(self, statement);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Macro(mac) = expr
            && let Some(Ok(call)) = read(&mac.mac)
        {
            *expr = call;
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}

/// What an assertion or a panic becomes; nothing if the macro is neither.
pub fn read(mac: &Macro) -> Option<Result<Expr, Refusal>> {
    let path = path_key(&mac.path);
    let path = path.trim_start_matches("::");
    let name = path
        .strip_prefix("std::")
        .or_else(|| path.strip_prefix("core::"))
        .unwrap_or(path);
    let stated = Statement {
        mac,
        span: mac.path.span(),
    };
    let (checked, is_debug) = match name.strip_prefix("debug_") {
        Some(checked) => (checked, true),
        None => (name, false),
    };
    let call = match (checked, is_debug) {
        ("assert", _) => stated.assert(),
        ("assert_eq", _) => stated.compare(syn::BinOp::Eq(Token![==](stated.span)), "=="),
        ("assert_ne", _) => stated.compare(syn::BinOp::Ne(Token![!=](stated.span)), "!="),
        ("panic", false) => stated.panic("explicit panic", ""),
        ("unreachable", false) => {
            let words = "internal error: entered unreachable code";
            stated.panic(words, "internal error: entered unreachable code: ")
        }
        ("todo", false) => stated.panic("not yet implemented", "not yet implemented: "),
        ("unimplemented", false) => stated.panic("not implemented", "not implemented: "),
        _ => return None,
    };
    let span = stated.span;
    Some(call.map(|call| match is_debug {
        true => parse_quote_spanned!(span=> if ::core::cfg!(debug_assertions) { #call; }),
        false => call,
    }))
}

/// One macro call.
struct Statement<'a> {
    mac: &'a Macro,
    span: Span,
}

impl Statement<'_> {
    fn assert(&self) -> Result<Expr, Refusal> {
        let arguments = self.arguments()?;
        let Some((condition, rest)) = arguments.split_first() else {
            return Err(self.refusal(
                &self.mac.path,
                "without a condition",
                "write `assert!(a < b)`",
            ));
        };
        let words = match self.words(rest)? {
            Some(words) => words,
            None => format!("assertion failed: {}", one_line(condition)),
        };
        Ok(self.assertion(condition, &words))
    }

    fn compare(&self, op: syn::BinOp, symbol: &str) -> Result<Expr, Refusal> {
        let arguments = self.arguments()?;
        let [left, right, rest @ ..] = &*arguments else {
            return Err(self.refusal(
                &self.mac.path,
                "without two values to compare",
                "write `assert_eq!(a, b)`",
            ));
        };
        let mut words = format!("assertion `left {symbol} right` failed");
        if let Some(own) = self.words(rest)? {
            words = format!("{words}: {own}");
        }
        let condition = Expr::Binary(ExprBinary {
            attrs: Vec::new(),
            left: Box::new(self.in_parentheses(left)),
            op,
            right: Box::new(self.in_parentheses(right)),
        });
        Ok(self.assertion(&condition, &words))
    }

    fn panic(&self, without: &str, before: &str) -> Result<Expr, Refusal> {
        let words = match self.words(&self.arguments()?)? {
            Some(own) => format!("{before}{own}"),
            None => without.to_owned(),
        };
        let (span, words) = (self.span, LitStr::new(&words, self.span));
        let tokens = quote_spanned!(span=> ::amp::__private::twin::panic(#words));
        Ok(parse_quote_spanned!(span=> #tokens))
    }

    fn assertion(&self, condition: &Expr, words: &str) -> Expr {
        let (span, words) = (self.span, LitStr::new(words, self.span));
        parse_quote_spanned!(span=> ::amp::__private::twin::assert(#condition, #words))
    }

    fn in_parentheses(&self, operand: &Expr) -> Expr {
        Expr::Paren(ExprParen {
            attrs: Vec::new(),
            paren_token: Paren(self.span),
            expr: Box::new(operand.clone()),
        })
    }

    fn arguments(&self) -> Result<Vec<Expr>, Refusal> {
        let arguments = Punctuated::<Expr, Token![,]>::parse_terminated
            .parse2(self.mac.tokens.clone())
            .map_err(|error| {
                self.refusal(
                    error.span(),
                    &format!("with arguments that cannot be read: {error}"),
                    "write expressions and then, as the last argument, a text",
                )
            })?;
        Ok(arguments.into_iter().collect())
    }

    /// The user's own words, which are a literal without arguments.
    fn words(&self, arguments: &[Expr]) -> Result<Option<String>, Refusal> {
        let help = "write a text alone, `\"the sum is negative\"`; write values to a view and \
                    print them on the host";
        let (text, rest) = match arguments {
            [] => return Ok(None),
            [
                Expr::Lit(ExprLit {
                    lit: Lit::Str(text),
                    ..
                }),
                rest @ ..,
            ] => (text, rest),
            [other, ..] => {
                return Err(self.refusal(other, "with a message that is no literal", help));
            }
        };
        if let Some(first) = rest.first() {
            return Err(self.refusal(first, "with format arguments", help));
        }
        let value = text.value();
        let plain = value.replace("{{", "").replace("}}", "");
        if plain.contains(['{', '}']) {
            return Err(self.refusal(text, "with format arguments", help));
        }
        Ok(Some(value.replace("{{", "{").replace("}}", "}")))
    }

    fn refusal(&self, place: impl Locate, what: &str, help: &'static str) -> Refusal {
        Refusal {
            place: place.locate(),
            message: format!("`{}!` {what} in a kernel", path_key(&self.mac.path)),
            help,
        }
    }
}

/// An expression as it is written, on one line.
fn one_line(expr: &Expr) -> String {
    // Tokens have lost the spaces between them, the file may have comments.
    let written = expr.locate().text();
    let text = written
        .filter(|text| !text.is_empty() && !text.contains("//") && !text.contains("/*"))
        .unwrap_or_else(|| expr.to_token_stream().to_string());
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

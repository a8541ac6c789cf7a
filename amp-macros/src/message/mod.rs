//! `assert!`, `panic!`, `println!` and the like: macros of Rust by which a kernel speaks.
//!
//! [`rewrite`] turns them into calls before anything else looks at a function, so that
//! the names in their arguments are imported, and all that get the function, the
//! host version and kernels elsewhere alike, have the same words:
//!
//! ```text
//! assert!(a < b)           if a < b {} else { host_version::assert("assertion failed: a < b") }
//! assert_eq!(a, b)         { let l = a; let r = b; if l == r {} else { host_version::assert_eq(.., l, r) } }
//! debug_assert!(c)         if ::core::cfg!(debug_assertions) { .. }
//! std::panic!("no {sum}")  host_version::panic("no {0}", sum)
//! println!("{} of {n}", i) host_version::println("{0} of {1}\n", i, n)
//! dbg!(x)                  { let v = x; host_version::dbg("[file:1:2] x = {0:#?}\n", v); v }
//! ```
//!
//! where `host_version` is `::amp::__private::host_version`. A function has the name of the macro,
//! so that the host version can prove that the macro is the standard one, or that of
//! [`Told::function`] where the user wrote a path of the standard library. The first argument of
//! such a call is a format string whose arguments are all numbers ([`mod@format`]), the others are
//! these arguments; what they can be is the business of inference.
//!
//! All tokens that are new stand where the macro's name does, which is where a fault is
//! reported. A macro that cannot be rewritten stays as it is, and inference refuses it
//! with the [`Refusal`] of [`read`].

pub mod form;
pub mod format;

use amp_spirv::{diagnostic::Code, tree::MessageKind};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::{
    Expr, ExprCall, ExprLit, Ident, ItemFn, Lit, LitStr, Macro, Path, Stmt, Token, parse::Parser,
    parse_quote_spanned, punctuated::Punctuated, spanned::Spanned,
};

use self::format::Format;
use crate::{
    head::before_brace,
    language::name::{path_key, within_standard},
    position,
    report::{Locate, Place},
    sugar::conditional,
    visit::{self, VisitMut},
};

/// What a rewritten macro calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// A fault, after which the thread goes on.
    Fault,
    /// A fault, and the end of the function.
    Panic,
    /// A text for the standard output.
    Stdout,
    /// A text for the standard error.
    Stderr,
}

/// What the macros become.
const MACROS: &[(&str, Told)] = &[
    ("assert", Told::Fault),
    ("assert_eq", Told::Fault),
    ("assert_ne", Told::Fault),
    ("debug_assert", Told::Fault),
    ("debug_assert_eq", Told::Fault),
    ("debug_assert_ne", Told::Fault),
    ("panic", Told::Panic),
    ("unreachable", Told::Panic),
    ("todo", Told::Panic),
    ("unimplemented", Told::Panic),
    ("print", Told::Stdout),
    ("println", Told::Stdout),
    ("eprint", Told::Stderr),
    ("eprintln", Told::Stderr),
    ("dbg", Told::Stderr),
];

impl Told {
    /// What the path of a call says, if it is one that [`rewrite`] makes.
    pub fn of(path: &Path) -> Option<Self> {
        // A crate may know this project by another name than `amp`.
        let key = path_key(path);
        let (_, inner) = key.strip_prefix("::")?.split_once("::")?;
        let name = inner.strip_prefix("__private::host_version::")?;
        let all = [Self::Fault, Self::Panic, Self::Stdout, Self::Stderr];
        let mut of_paths = all.into_iter().map(|told| (told.function(), told));
        let mut of_macros = MACROS.iter().copied();
        let is_named = |(known, _): &(&str, Self)| *known == name;
        let found = of_paths.find(is_named).or(of_macros.find(is_named));
        found.map(|(_, told)| told)
    }

    /// The function of the host version's run time.
    pub fn function(self) -> &'static str {
        match self {
            Self::Fault => "fault",
            Self::Panic => "ends",
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
        }
    }

    /// Where it goes.
    pub fn kind(self) -> MessageKind {
        match self {
            Self::Fault | Self::Panic => MessageKind::Fault,
            Self::Stdout => MessageKind::Stdout,
            Self::Stderr => MessageKind::Stderr,
        }
    }
}

/// Why a macro cannot be rewritten.
pub struct Refusal {
    /// What kind of error it is.
    pub code: Code,
    /// What is wrong.
    pub place: Place,
    /// In which way.
    pub message: String,
    /// What to write instead.
    pub help: &'static str,
}

/// Rewrites the assertions, panics and prints of a function, and before that the statements that are there
/// under a condition, which may be such macros.
pub fn rewrite(function: &mut ItemFn) {
    conditional::rewrite(function);
    Rewrite.visit_block_mut(&mut function.block);
}

/// The format string of a call that [`rewrite`] made.
pub fn format_of(call: &ExprCall) -> String {
    let text = call.args.first().and_then(literal);
    text.map(LitStr::value).unwrap_or_default()
}

/// The macro that became a call of this path, with arguments that it takes, if the user wrote no
/// path of the standard library.
pub fn macro_of(path: &Path) -> Option<TokenStream> {
    Told::of(path)?;
    let name = &path.segments.last()?.ident;
    let text = name.to_string();
    MACROS.iter().find(|(known, _)| *known == text)?;
    let span = name.span();
    Some(match text.trim_start_matches("debug_") {
        "assert" => quote_spanned!(span=> #name!(true);),
        "assert_eq" => quote_spanned!(span=> #name!(0, 0);),
        "assert_ne" => quote_spanned!(span=> #name!(0, 1);),
        _ => quote_spanned!(span=> #name!("");),
    })
}

/// Whether a macro is `cfg!`, as the condition of a rewritten `debug_assert!` is, which rustc computes.
pub fn is_condition(mac: &Macro) -> bool {
    let name = path_key(&mac.path);
    matches!(
        name.as_str(),
        "cfg" | "std::cfg" | "core::cfg" | "::core::cfg"
    )
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
                Expr::Block(block) => block.attrs = std::mem::take(&mut mac.attrs),
                _ => {}
            }
            // `panic! { .. }` needs none.
            let semicolon = mac
                .semi_token
                .unwrap_or_else(|| Token![;](mac.mac.path.span()));
            *statement = Stmt::Expr(call, Some(semicolon));
        }
        visit::visit_stmt_mut(self, statement);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Macro(mac) = expr
            && let Some(Ok(call)) = read(&mac.mac)
        {
            *expr = call;
        }
        visit::visit_expr_mut(self, expr);
    }
}

/// What an assertion, a panic or a print becomes; nothing for any other macro.
pub fn read(mac: &Macro) -> Option<Result<Expr, Refusal>> {
    let path = path_key(&mac.path);
    let name = within_standard(&path);
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
        ("assert_eq", _) => stated.compare("=="),
        ("assert_ne", _) => stated.compare("!="),
        ("panic", false) => stated.panic("explicit panic", ""),
        ("unreachable", false) => {
            let words = "internal error: entered unreachable code";
            stated.panic(words, "internal error: entered unreachable code: ")
        }
        ("todo", false) => stated.panic("not yet implemented", "not yet implemented: "),
        ("unimplemented", false) => stated.panic("not implemented", "not implemented: "),
        ("print", false) => stated.print(Told::Stdout, ""),
        ("println", false) => stated.print(Told::Stdout, "\n"),
        ("eprint", false) => stated.print(Told::Stderr, ""),
        ("eprintln", false) => stated.print(Told::Stderr, "\n"),
        ("dbg", false) => stated.shown(),
        _ => return None,
    };
    let span = stated.span;
    Some(call.map(|call| match is_debug {
        true => parse_quote_spanned!(span=> if ::core::cfg!(debug_assertions) { #call; }),
        false => call,
    }))
}

/// The user's own words: a format string with numbers, and its arguments.
#[derive(Default)]
struct Words {
    text: String,
    operands: Vec<Expr>,
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
        let words = self.words(rest, &[])?.unwrap_or_else(|| {
            let condition = verbatim(&one_line(condition));
            Words {
                text: format!("assertion failed: {condition}"),
                operands: Vec::new(),
            }
        });
        let (span, fault) = (self.span, self.call(Told::Fault, &words));
        let condition = before_brace(condition);
        Ok(parse_quote_spanned!(span=> if #condition {} else { #fault; }))
    }

    fn compare(&self, symbol: &str) -> Result<Expr, Refusal> {
        let arguments = self.arguments()?;
        let [left, right, rest @ ..] = &*arguments else {
            return Err(self.refusal(
                &self.mac.path,
                "without two values to compare",
                "write `assert_eq!(a, b)`",
            ));
        };
        let span = self.span;
        let (a, b) = (
            Ident::new("__amp_left", span),
            Ident::new("__amp_right", span),
        );
        let compared = [
            parse_quote_spanned!(span=> #a),
            parse_quote_spanned!(span=> #b),
        ];
        let own = self.words(rest, &compared)?;
        let (own, operands) = match own {
            Some(own) => (format!(": {}", own.text), own.operands),
            None => (String::new(), compared.to_vec()),
        };
        let words = Words {
            text: format!(
                "assertion `left {symbol} right` failed{own}\n  left: {{0:?}}\n right: {{1:?}}"
            ),
            operands,
        };
        let fault = self.call(Told::Fault, &words);
        // The names at the macro's place, errors about their types at the values'.
        let l = Ident::new("__amp_left", span.located_at(left.span()));
        let r = Ident::new("__amp_right", span.located_at(right.span()));
        let condition = match symbol {
            "==" => quote_spanned!(span=> #l == #r),
            _ => quote_spanned!(span=> #l != #r),
        };
        Ok(parse_quote_spanned! {span=> {
            let #a = #left;
            let #b = #right;
            if #condition {} else { #fault; }
        }})
    }

    fn panic(&self, without: &str, before: &str) -> Result<Expr, Refusal> {
        let words = match self.words(&self.arguments()?, &[])? {
            Some(own) => Words {
                text: format!("{before}{}", own.text),
                ..own
            },
            None => Words {
                text: without.to_owned(),
                ..Words::default()
            },
        };
        Ok(self.call(Told::Panic, &words))
    }

    fn print(&self, stream: Told, end: &str) -> Result<Expr, Refusal> {
        let mut words = self.words(&self.arguments()?, &[])?.unwrap_or_default();
        words.text += end;
        Ok(self.call(stream, &words))
    }

    /// The values, after each of which is printed with its place and its words.
    fn shown(&self) -> Result<Expr, Refusal> {
        let (span, place) = (self.span, position::start(self.span));
        let place = format!("[{}:{}:{}]", place.file, place.line, place.column);
        let values = self.arguments()?;
        let shown: Vec<Expr> = values
            .iter()
            .map(|value| {
                let name = Ident::new("__amp_value", span);
                let text = verbatim(&format!("{place} {}", one_line(value)));
                let words = Words {
                    text: format!("{text} = {{0:#?}}\n"),
                    operands: vec![parse_quote_spanned!(span=> #name)],
                };
                let print = self.call(Told::Stderr, &words);
                let own = Ident::new("__amp_value", span.located_at(value.span()));
                parse_quote_spanned!(span=> { let #own = #value; #print; #name })
            })
            .collect();
        match &*shown {
            [] => {
                let words = Words {
                    text: format!("{}\n", verbatim(&place)),
                    operands: Vec::new(),
                };
                Ok(self.call(Told::Stderr, &words))
            }
            [one] => Ok(one.clone()),
            all => Ok(parse_quote_spanned!(span=> (#(#all),*))),
        }
    }

    /// A call of the host version's run time, which is all that is left of the macro.
    fn call(&self, told: Told, words: &Words) -> Expr {
        let span = self.span;
        let function = match self.mac.path.get_ident() {
            Some(name) => name.clone(),
            None => Ident::new(told.function(), span),
        };
        let (text, operands) = (LitStr::new(&words.text, span), &words.operands);
        parse_quote_spanned!(span=> ::amp::__private::host_version::#function(#text #(, #operands)*))
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

    /// The user's own words: a literal with its arguments, which are numbered after
    /// those of `before`.
    fn words(&self, arguments: &[Expr], before: &[Expr]) -> Result<Option<Words>, Refusal> {
        let Some((first, rest)) = arguments.split_first() else {
            return Ok(None);
        };
        let Some(text) = literal(first) else {
            let help = "write the text there: `\"the sum is {sum}\"`";
            return Err(self.refusal(first, "with a message that is no literal", help));
        };
        let mut operands = before.to_vec();
        let mut names = Vec::new();
        for argument in rest {
            match named(argument) {
                Some((name, value)) => {
                    names.push(name);
                    operands.push(value);
                }
                None if names.is_empty() => operands.push(argument.clone()),
                None => {
                    let help = "move it before those with names";
                    let what = "with an argument that has no name, after one that has";
                    return Err(self.refusal(argument, what, help));
                }
            }
        }
        let unnamed = rest.len() - names.len();
        let format = Format::parse(&text.value(), before.len(), unnamed, &names);
        let format = format.map_err(|what| Refusal {
            code: Code::Format,
            place: text.locate(),
            message: format!("in the text of `{}!`: {what}", path_key(&self.mac.path)),
            help: "write it as for `std::fmt`, with the arguments after it",
        })?;
        operands.extend(format.captures.iter().map(|name| {
            let name = Ident::new(name, text.span());
            parse_quote_spanned!(text.span()=> #name)
        }));
        Ok(Some(Words {
            text: format.text,
            operands,
        }))
    }

    fn refusal(&self, place: impl Locate, what: &str, help: &'static str) -> Refusal {
        Refusal {
            code: Code::UnsupportedSyntax,
            place: place.locate(),
            message: format!("`{}!` {what} in a kernel", path_key(&self.mac.path)),
            help,
        }
    }
}

/// A text; one that a `macro_rules!` passed on stands in a group.
fn literal(expr: &Expr) -> Option<&LitStr> {
    match expr {
        Expr::Group(group) => literal(&group.expr),
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text),
        _ => None,
    }
}

/// `name = value` among the arguments of a format string.
fn named(argument: &Expr) -> Option<(String, Expr)> {
    let Expr::Assign(assign) = argument else {
        return None;
    };
    let Expr::Path(path) = &*assign.left else {
        return None;
    };
    let name = path.path.get_ident()?;
    Some((name.to_string(), (*assign.right).clone()))
}

/// A format string of a text.
fn verbatim(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
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

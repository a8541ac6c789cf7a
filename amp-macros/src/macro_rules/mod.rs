//! The user's own macros: calls of a `macro_rules!` become what they stand for.
//!
//! rustc expands the macros in a function after its attributes. So [`expand`] does it first, before
//! anything else looks at an item. It knows the macros that the body defines, and those that the file or
//! the crate's modules define, as text ([`File`]); rustc proves beside the item that the name leads to a macro.
//! [`rule`] reads a definition, [`fragment`] what `$x:expr` and its like take, [`matching`] and
//! [`transcription`] apply a rule, and [`hygiene`] keeps the variables of an expansion apart from the
//! caller's.
//!
//! What is new stands where the macro's name does. [`items`] expands the macros of an `#[amp_module]` where its items
//! stand. Left to inference, which refuses them, are macros of other crates, and macros in patterns and types.

mod fragment;
mod hygiene;
mod items;
mod matching;
mod rule;
mod transcription;

use amp_spirv::diagnostic::Code;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{
    Attribute, Block, Expr, ExprBlock, Item, Macro, Path, Stmt, Token, parse::Parser, parse_quote,
    punctuated::Punctuated, spanned::Spanned,
};

pub use self::items::of_module as items_of_module;
use self::{rule::Rule, transcription::Transcription};
use crate::{
    attribute::{TaskKind, has_attribute},
    depth,
    import::{self, File},
    language::name::path_key,
    position,
    report::Report,
    sugar,
    visit::{self, VisitMut},
};

/// How many tokens the macros of an item may write, where each call counts as one more, and how many calls
/// may stand in what others stand for: rustc's limit. A macro that calls itself for ever exceeds them.
const MOST: usize = 1 << 16;
const DEEPEST: usize = 128;

const SHORTER: &str = "give parts of it names with `let`, or make them an `#[amp_fn]`";

/// Expands the macros in the functions of an item, and gives what has rustc prove that it knows them. The
/// names are those of `known` macros, or are looked up in the module of `anchor`, an item of some kind.
pub fn expand(
    item: &mut Item,
    known: &[Definition],
    (anchor, kind): (&Ident, TaskKind),
    report: &mut Report,
) -> TokenStream {
    let mut expansion = Expansion {
        report,
        anchor,
        kind,
        local: known.to_vec(),
        used: Vec::new(),
        calls: 0,
        written: 0,
        depth: 0,
        is_endless: false,
    };
    expansion.visit_item_mut(item);
    let Expansion { calls, used, .. } = expansion;
    if calls > 0
        && report.is_clean()
        && let Some(place) = depth::too_deep(item.to_token_stream())
    {
        let what = "macros make this too long an expression, or too deep in others";
        report.error_help(Code::UnsupportedSyntax, place, what, SHORTER);
    }
    if used.is_empty() {
        return TokenStream::new();
    }
    // In an `impl` block a constant needs a name.
    let file = File::of(anchor.span());
    let name = match file.is_some_and(|file| file.has_method(&anchor.to_string())) {
        true => format_ident!("__AMP_MACROS_OF_{anchor}").into_token_stream(),
        false => quote!(_),
    };
    quote! {
        #[doc(hidden)]
        #[allow(dead_code, non_upper_case_globals, unused_imports)]
        const #name: () = { #(use #used as _;)* };
    }
}

/// A macro with its name.
#[derive(Clone)]
pub struct Definition {
    name: String,
    rules: Vec<Rule>,
}

impl Definition {
    /// The macro that an item defines.
    pub fn of(item: &Item) -> Option<Self> {
        let name = import::macro_name(item)?.to_string();
        let Item::Macro(item) = item else { return None };
        if has_attribute(&item.attrs, "cfg") {
            return None;
        }
        let rules = Rule::all(item.mac.tokens.clone())?;
        Some(Self { name, rules })
    }

    /// The macros that a module defines, without those that share a name: which one counts depends on
    /// where the call stands.
    pub fn of_module(items: &[Item]) -> Vec<Self> {
        let names: Vec<String> = items
            .iter()
            .filter_map(import::macro_name)
            .map(Ident::to_string)
            .collect();
        let all = items.iter().filter_map(Self::of);
        all.filter(|own| names.iter().filter(|name| **name == own.name).count() == 1)
            .collect()
    }
}

struct Expansion<'a> {
    report: &'a mut Report,
    anchor: &'a Ident,
    kind: TaskKind,
    /// The macros that the bodies around define; the last of a name counts.
    local: Vec<Definition>,
    /// The macros of the file that were called.
    used: Vec<Path>,
    /// The calls until now, which number the expansions.
    calls: usize,
    /// The tokens until now.
    written: usize,
    /// The calls that the one at hand stands in.
    depth: usize,
    /// Whether a limit is exceeded: nothing is expanded any more.
    is_endless: bool,
}

impl Expansion<'_> {
    /// What a call stands for, read by `parse`; nothing if it is not one of a macro that is known.
    fn expanded<T>(
        &mut self,
        call: &Macro,
        parse: impl FnOnce(TokenStream) -> syn::Result<T>,
    ) -> Option<(T, Transcription)> {
        if self.is_endless {
            return None;
        }
        let rules = self.rules(&call.path)?;
        self.calls += 1;
        let name = path_key(&call.path);
        let transcription = Transcription::of(&rules, call, self.calls);
        let tokens = transcription.as_ref().map(|it| count(it.tokens.clone()));
        self.written += 1 + tokens.unwrap_or(0);
        self.is_endless = self.written > MOST || self.depth > DEEPEST;
        let (what, help) = match transcription {
            _ if self.is_endless => (
                format!("`{name}!` calls too many macros, or too deep in each other"),
                "let a loop or an `#[amp_fn]` repeat what the macro does",
            ),
            None => (
                format!("no rule of the macro `{name}!` matches this"),
                "write what one of its rules takes",
            ),
            Some(it) if depth::too_deep(it.tokens.clone()).is_some() => (
                format!("`{name}!` stands for too long an expression, or too deep in others"),
                SHORTER,
            ),
            Some(transcription) => match parse(transcription.tokens.clone()) {
                Ok(parsed) => return Some((parsed, transcription)),
                Err(error) => (
                    format!("what `{name}!` stands for cannot be read: {error}"),
                    "a macro in a kernel makes an expression or statements",
                ),
            },
        };
        self.report
            .error_help(Code::UnsupportedSyntax, &call.path, what, help);
        None
    }

    /// The rules of the macro that a path means, if they are known.
    fn rules(&mut self, path: &Path) -> Option<Vec<Rule>> {
        if let Some(name) = path.get_ident() {
            let mut local = self.local.iter().rev();
            if let Some(known) = local.find(|known| *name == known.name) {
                return Some(known.rules.clone());
            }
        }
        // Where another macro has written the call, the name may mean one of another file.
        if position::expansion(path.span()).is_some() {
            return None;
        }
        let file = File::of(path.span())?;
        let home = file.home(self.anchor, self.kind);
        let rules = Rule::all(file.macro_rules(home, path)?)?;
        let is_new = !self
            .used
            .iter()
            .any(|used| path_key(used) == path_key(path));
        self.used.extend(is_new.then(|| path.clone()));
        Some(rules)
    }

    /// The statements that a call in their place stands for.
    fn statements(&mut self, call: &Macro, attributes: &[Attribute]) -> Option<Vec<Stmt>> {
        let (statements, transcription) =
            self.expanded(call, |tokens| Block::parse_within.parse2(tokens))?;
        let mut block: Block = parse_quote!({ #(#statements)* });
        transcription.settle(|visitor| visitor.visit_block_mut(&mut block));
        if attributes.is_empty() {
            return Some(block.stmts);
        }
        let block = ExprBlock {
            attrs: attributes.to_vec(),
            label: None,
            block,
        };
        Some(vec![Stmt::Expr(Expr::Block(block), None)])
    }
}

impl VisitMut for Expansion<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let around = self.local.len();
        let mut statements = std::mem::take(&mut block.stmts);
        statements.reverse();
        while let Some(mut statement) = statements.pop() {
            if let Stmt::Item(item) = &statement
                && let Some(definition) = Definition::of(item)
            {
                self.local.push(definition);
                continue;
            }
            if let Stmt::Macro(call) = &statement
                && let Some(mut expanded) = self.statements(&call.mac, &call.attrs)
            {
                // A value that is not the block's ends here.
                let ends = call.semi_token.is_some() || !statements.is_empty();
                if let Some(Stmt::Expr(_, end @ None)) = expanded.last_mut()
                    && ends
                {
                    *end = Some(Token![;](call.mac.path.span()));
                }
                statements.extend(expanded.into_iter().rev());
                continue;
            }
            self.visit_stmt_mut(&mut statement);
            block.stmts.push(statement);
        }
        self.local.truncate(around);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let around = self.depth;
        while let Expr::Macro(call) = expr
            && let Some((mut value, transcription)) =
                self.expanded(&call.mac, |tokens| semicolon_allowed.parse2(tokens))
        {
            transcription.settle(|visitor| visitor.visit_expr_mut(&mut value));
            *expr = value;
            self.depth += 1;
        }
        // Its pattern and its guard are no expressions of arguments.
        if let Expr::Macro(call) = expr
            && let Some(choice) = sugar::matches_macro(&call.mac)
        {
            *expr = choice;
        }
        visit::visit_expr_mut(self, expr);
        self.depth = around;
    }

    /// Of macros that are known by other ways, as assertions, the arguments.
    fn visit_macro_mut(&mut self, call: &mut Macro) {
        let arguments = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(mut arguments) = arguments.parse2(call.tokens.clone()) {
            let before = self.calls;
            arguments
                .iter_mut()
                .for_each(|argument| self.visit_expr_mut(argument));
            if self.calls > before {
                call.tokens = arguments.into_token_stream();
            }
        }
    }
}

fn count(tokens: TokenStream) -> usize {
    let of_token = |token| match token {
        TokenTree::Group(group) => 1 + count(group.stream()),
        _ => 1,
    };
    tokens.into_iter().map(of_token).sum()
}

/// An expression, behind which a macro may have a semicolon.
fn semicolon_allowed(input: syn::parse::ParseStream) -> syn::Result<Expr> {
    let value = input.parse()?;
    input.parse::<Option<Token![;]>>()?;
    Ok(value)
}

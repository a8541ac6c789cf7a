//! References to write that an `if` or a `match` chooses, as the statements that use them, once in each branch.
//!
//! ```text
//! let slot = if c { &mut a[i] } else { &mut b };      if c { let slot = &mut a[i]; *slot += 1; }
//! *slot += 1;                                         else { let slot = &mut b; *slot += 1; }
//! ```
//!
//! A place is borrowed in the branch that names it, so rustc refuses what it refuses of the choice. Left to
//! inference, which refuses them, are branches that declare names which the statements mention, and choices
//! among more than [`MOST_BRANCHES`].

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Block, Expr, ItemFn, Local, Pat, Stmt, parse_quote};

use crate::{
    attribute::CHOICE,
    iterate::bare,
    visit::{self, Visit, VisitMut},
};

/// How often statements are repeated at most, choices within choices included.
const MOST_BRANCHES: usize = 8;

/// Writes out the choices in the body of a function.
pub fn rewrite(item: &mut ItemFn) {
    let mut chosen = Chosen {
        branches: 1,
        choices: 0,
    };
    chosen.visit_block_mut(&mut item.block);
}

struct Chosen {
    /// How often the statements at hand are repeated.
    branches: usize,
    /// The choices before.
    choices: usize,
}

impl VisitMut for Chosen {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let found = (block.stmts.iter()).position(|statement| match statement {
            Stmt::Local(local) => is_choice(local),
            _ => false,
        });
        let around = self.branches;
        if let Some(at) = found
            && let Some(branches) =
                write_out(block, at, MOST_BRANCHES / self.branches, self.choices)
        {
            self.branches *= branches;
            self.choices += 1;
        }
        visit::visit_block_mut(self, block);
        self.branches = around;
    }
}

/// Whether a `let` names one of several places to write.
fn is_choice(local: &Local) -> bool {
    let (Some(init), true) = (&local.init, name_of(&local.pat).is_some()) else {
        return false;
    };
    let mut choice = bare(&init.expr).clone();
    let mut ends = Vec::new();
    init.diverge.is_none()
        && matches!(choice, Expr::If(_) | Expr::Match(_))
        && branches(&mut choice, &mut ends, &is_place).is_some()
        && ends.iter().any(|end| place(end).is_some())
}

fn name_of(pattern: &Pat) -> Option<&Ident> {
    match pattern {
        Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => Some(&name.ident),
        Pat::Type(typed) => name_of(&typed.pat),
        _ => None,
    }
}

/// Puts the statements that use the name of the choice at a position into its branches, if these are at most
/// so many, and gives their number.
fn write_out(block: &mut Block, at: usize, most: usize, choice_number: usize) -> Option<usize> {
    let Stmt::Local(local) = &block.stmts[at] else {
        return None;
    };
    let name = name_of(&local.pat)?;
    let mut choice = bare(&local.init.as_ref()?.expr).clone();
    let pattern = local.pat.clone();
    let rest = &block.stmts[at + 1..];
    let length = used_length(rest, std::slice::from_ref(name))?;
    let used = rest[..length].to_vec();
    let mut declared = Declared::default();
    declared.visit_expr(&choice);
    let is_hidden = |it: &Stmt| declared.0.iter().any(|name| mentions(it, name));
    if used.iter().any(is_hidden) {
        return None;
    }
    let mut ends = Vec::new();
    branches(&mut choice, &mut ends, &is_place)?;
    let count = ends.len();
    let mark = Ident::new(CHOICE, Span::mixed_site());
    let number = Literal::usize_unsuffixed(choice_number);
    if count > most {
        return None;
    }
    for end in ends {
        if let Some(place) = place(end) {
            *end = parse_quote!({
                #[#mark(#number)]
                let #pattern = #place;
                #(#used)*
            });
        }
    }
    let is_last = at + 1 + length == block.stmts.len();
    let has_value = is_last && matches!(used.last(), Some(Stmt::Expr(_, None)));
    let statement = Stmt::Expr(choice, (!has_value).then(Default::default));
    block.stmts.splice(at..at + 1 + length, [statement]);
    Some(count)
}

/// How many statements there are up to the last that uses one of the names, or what these declare.
pub fn used_length(rest: &[Stmt], names: &[Ident]) -> Option<usize> {
    let mentions_any = |it: &Stmt, names: &[Ident]| names.iter().any(|name| mentions(it, name));
    let length = rest.iter().rposition(|it| mentions_any(it, names))? + 1;
    let mut own = Declared::default();
    rest[..length].iter().for_each(|it| own.visit_stmt(it));
    let is_used = rest[length..].iter().any(|it| mentions_any(it, &own.0));
    Some(if is_used { rest.len() } else { length })
}

/// What the branches of an `if` or a `match` end with, if all end with what is wanted or leave.
pub fn branches<'e>(
    choice: &'e mut Expr,
    ends: &mut Vec<&'e mut Expr>,
    is_end: &impl Fn(&Expr) -> bool,
) -> Option<()> {
    match choice {
        Expr::Paren(paren) => branches(&mut paren.expr, ends, is_end),
        Expr::Group(group) => branches(&mut group.expr, ends, is_end),
        Expr::If(branch) => {
            of_block(&mut branch.then_branch, ends, is_end)?;
            let (_, otherwise) = branch.else_branch.as_mut()?;
            branches(otherwise, ends, is_end)
        }
        Expr::Match(choice) => {
            let mut arms = choice.arms.iter_mut();
            arms.try_for_each(|arm| branches(&mut arm.body, ends, is_end))
        }
        Expr::Block(block) => match block.label {
            None => of_block(&mut block.block, ends, is_end),
            Some(_) => None,
        },
        end => (leaves(end) || is_end(end)).then(|| ends.push(end)),
    }
}

fn of_block<'e>(
    block: &'e mut Block,
    ends: &mut Vec<&'e mut Expr>,
    is_end: &impl Fn(&Expr) -> bool,
) -> Option<()> {
    match block.stmts.last_mut()? {
        Stmt::Expr(end, None) => branches(end, ends, is_end),
        Stmt::Expr(end, Some(_)) if leaves(end) => branches(end, ends, is_end),
        _ => None,
    }
}

/// Whether an expression leaves what it stands in.
pub fn leaves(end: &Expr) -> bool {
    matches!(end, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_))
}

fn is_place(end: &Expr) -> bool {
    place(end).is_some()
}

/// `&mut place`
fn place(end: &Expr) -> Option<&Expr> {
    match bare(end) {
        reference @ Expr::Reference(of) if of.mutability.is_some() => Some(reference),
        _ => None,
    }
}

/// The names that patterns declare.
#[derive(Default)]
struct Declared(Vec<Ident>);

impl Visit<'_> for Declared {
    fn visit_pat_ident(&mut self, pattern: &syn::PatIdent) {
        self.0.push(pattern.ident.clone());
        visit::visit_pat_ident(self, pattern);
    }
}

/// Whether a statement mentions a name, in the tokens of macros too.
fn mentions(statement: &Stmt, name: &Ident) -> bool {
    fn within(tokens: TokenStream, name: &Ident) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => ident == *name,
            TokenTree::Group(group) => within(group.stream(), name),
            _ => false,
        })
    }
    within(statement.to_token_stream(), name)
}

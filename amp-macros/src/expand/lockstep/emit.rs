//! [`Emit`]: the tokens of a plan.

use std::collections::{HashMap, HashSet};

use amp_spirv::tree::LocalId;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{
    Expr, ExprIf, FnArg, ItemFn, Local, Pat, Stmt,
    spanned::Spanned,
    visit::Visit,
    visit_mut::{self, VisitMut},
};

use super::{
    plan::{Branch, Otherwise, Piece, regions},
    region::{Hoisted, Region, Stored},
    shape::{Shape, Shapes},
};
use crate::{
    attribute::is_unroll,
    expand::{host_version::HostVersion, place::own},
};

/// What writes a plan's tokens.
pub(super) struct Emit<'e, 'a> {
    host: &'e mut HostVersion<'a>,
    shapes: &'e Shapes<'a>,
    /// The variables that live in several regions: their names and types.
    variables: &'e HashMap<LocalId, (Ident, TokenStream)>,
    /// The `let`s around that each region repeats.
    derived: Vec<Derived>,
    /// How many rooms for rows there are.
    scratches: usize,
    /// The kernel's index.
    index: TokenStream,
    /// A row is what goes through the code that is being written.
    in_row: bool,
}

struct Derived {
    declared: Vec<LocalId>,
    reads: HashSet<LocalId>,
    tokens: TokenStream,
}

fn group() -> Ident {
    own("__amp_group")
}

fn row() -> Ident {
    own("__amp_row")
}

fn thread() -> Ident {
    own("__amp_thread")
}

/// A name of the generated code's own, with a number.
fn numbered(name: &str, number: usize) -> Ident {
    own(&format!("__amp_{name}_{number}"))
}

impl<'e, 'a> Emit<'e, 'a> {
    pub(super) fn new(
        host: &'e mut HostVersion<'a>,
        shapes: &'e Shapes<'a>,
        variables: &'e HashMap<LocalId, (Ident, TokenStream)>,
    ) -> Self {
        Emit {
            host,
            shapes,
            variables,
            derived: Vec::new(),
            scratches: 0,
            index: TokenStream::new(),
            in_row: false,
        }
    }

    /// The function of this name.
    pub(super) fn kernel(
        mut self,
        item: &mut ItemFn,
        pieces: &[Piece],
        name: &Ident,
    ) -> TokenStream {
        self.host.parameters(item);
        let Some(FnArg::Typed(first)) = item.sig.inputs.first() else {
            return TokenStream::new();
        };
        let (pattern, ty) = (&first.pat, &first.ty);
        self.index = quote!(#pattern);
        let (ty, index) = (quote!(#ty), self.index.clone());
        let body = self.block(&mut item.block.stmts, pieces);
        let scratches = (0..self.scratches).map(|number| numbered("scratch", number));
        let group = group();
        let consts = item.sig.generics.const_params();
        let rest = item.sig.inputs.iter().skip(1);
        quote! {
            #[inline(always)]
            #[allow(unused, clippy::all)]
            fn #name<#(#consts),*>(#group: &::amp::__private::cpu::Group<'_, #ty>, #(#rest),*) {
                let #index = #group.enter();
                #(let mut #scratches = #group.scratch();)*
                #body
            }
        }
    }

    fn block(&mut self, stmts: &mut [Stmt], pieces: &[Piece]) -> TokenStream {
        let around = self.derived.len();
        let mut tokens = TokenStream::new();
        for piece in pieces {
            tokens.extend(self.piece(stmts, piece));
        }
        self.derived.truncate(around);
        tokens
    }

    fn piece(&mut self, stmts: &mut [Stmt], piece: &Piece) -> TokenStream {
        let group = group();
        match piece {
            Piece::Together(at) => {
                self.host.visit_stmt_mut(&mut stmts[*at]);
                stmts[*at].to_token_stream()
            }
            Piece::Derived(at) => {
                self.derive(&mut stmts[*at]);
                TokenStream::new()
            }
            Piece::Barrier => quote!(#group.barrier();),
            Piece::Apart(region) => self.region(stmts, region),
            Piece::Block(at, pieces) => {
                let Stmt::Expr(Expr::Block(block), _) = &mut stmts[*at] else {
                    return TokenStream::new();
                };
                let label = block.label.clone();
                let body = self.block(&mut block.block.stmts, pieces);
                quote!(#label { #body })
            }
            Piece::Branch(at, plan) => match &mut stmts[*at] {
                Stmt::Expr(Expr::If(branch), _) => self.branch(branch, plan),
                _ => TokenStream::new(),
            },
            Piece::Loop(at, pieces) => match &mut stmts[*at] {
                Stmt::Expr(round, _) => self.round(round, pieces),
                _ => TokenStream::new(),
            },
        }
    }

    fn derive(&mut self, stmt: &mut Stmt) {
        let Stmt::Local(local) = &*stmt else { return };
        let declared = self.shapes.declared(&local.pat);
        let reads = self.shapes.read(|read| read.visit_stmt(stmt));
        self.host.visit_stmt_mut(stmt);
        self.derived.push(Derived {
            declared,
            reads,
            tokens: stmt.to_token_stream(),
        });
    }

    fn branch(&mut self, branch: &mut ExprIf, plan: &Branch) -> TokenStream {
        self.host.visit_expr_mut(&mut branch.cond);
        let then = self.block(&mut branch.then_branch.stmts, &plan.then);
        let otherwise = branch.else_branch.as_mut().map(|(_, otherwise)| {
            match (&plan.otherwise, &mut **otherwise) {
                (Otherwise::Block(pieces), Expr::Block(block)) => {
                    self.block(&mut block.block.stmts, pieces)
                }
                (Otherwise::If(plan), Expr::If(branch)) => self.branch(branch, plan),
                _ => TokenStream::new(),
            }
        });
        let condition = &branch.cond;
        quote!(if #condition { #then } else { #otherwise })
    }

    /// A loop, through which a row goes after the other if that makes no difference: then what a row has
    /// at hand it keeps.
    fn round(&mut self, round: &mut Expr, pieces: &[Piece]) -> TokenStream {
        if self.in_row || !pieces.iter().all(|piece| self.is_of_row(piece)) {
            return self.rounds(round, pieces);
        }
        let mut found = Vec::new();
        regions(pieces, &mut found);
        let shared: HashSet<LocalId> = found
            .iter()
            .flat_map(|region| self.shared(region))
            .collect();
        self.in_row = true;
        let rounds = self.rounds(round, pieces);
        self.in_row = false;
        self.rows(shared.into_iter().collect(), &rounds)
    }

    /// Whether each row can go through a piece alone.
    fn is_of_row(&self, piece: &Piece) -> bool {
        match piece {
            Piece::Derived(_) => true,
            Piece::Apart(region) => {
                let mut declared = region.declared.iter();
                !region.acts && !declared.any(|local| self.variables.contains_key(local))
            }
            Piece::Loop(_, pieces) => pieces.iter().all(|piece| self.is_of_row(piece)),
            _ => false,
        }
    }

    fn rounds(&mut self, round: &mut Expr, pieces: &[Piece]) -> TokenStream {
        match round {
            Expr::ForLoop(round) => {
                round.attrs.retain(|attribute| !is_unroll(attribute));
                let declared = self.host.declared_types(&round.pat);
                self.host.visit_expr_mut(&mut round.expr);
                let body = self.block(&mut round.body.stmts, pieces);
                let (label, pattern, range) = (&round.label, &round.pat, &round.expr);
                quote!(#label for #pattern in #range { #(#declared)* #body })
            }
            Expr::While(round) => {
                self.host.visit_expr_mut(&mut round.cond);
                let body = self.block(&mut round.body.stmts, pieces);
                let (label, condition) = (&round.label, &round.cond);
                quote!(#label while #condition { #body })
            }
            Expr::Loop(round) => {
                let body = self.block(&mut round.body.stmts, pieces);
                let label = &round.label;
                quote!(#label loop { #body })
            }
            _ => TokenStream::new(),
        }
    }

    /// The variables that a region shares with others.
    fn shared(&self, region: &Region) -> Vec<LocalId> {
        let mut shared: Vec<LocalId> = region.declared.union(&region.used).copied().collect();
        shared.retain(|local| self.variables.contains_key(local));
        shared.sort_by_key(|local| local.0);
        shared
    }

    /// What each row does that has its part of these variables.
    fn rows(&self, mut shared: Vec<LocalId>, body: &TokenStream) -> TokenStream {
        let (group, row) = (group(), row());
        shared.sort_by_key(|local| local.0);
        let parts = shared.iter().map(|local| {
            let number = local.0 as usize;
            let (variable, part) = (numbered("of", number), numbered("part", number));
            quote!(let #part = #row.of(&mut #variable);)
        });
        quote! {
            for #row in #group.rows() {
                let #row = &#row;
                #(#parts)*
                #body
            }
            #group.enter();
        }
    }

    fn region(&mut self, stmts: &mut [Stmt], region: &Region) -> TokenStream {
        let (group, row, thread) = (group(), row(), thread());
        let late = late(&stmts[region.statements.clone()], self.shapes);
        let own = |local: &LocalId| region.declared.contains(local) && !late.contains(local);
        let shared = self.shared(region);
        let declared = shared
            .iter()
            .filter(|local| region.declared.contains(local))
            .map(|local| {
                let (variable, (_, ty)) =
                    (numbered("of", local.0 as usize), &self.variables[local]);
                quote!(let mut #variable = #group.variables::<#ty>();)
            });
        let declared: TokenStream = declared.collect();
        let part = |local: &LocalId| numbered("part", local.0 as usize);
        let loaded = |at: TokenStream, of_row: bool| -> TokenStream {
            let live = shared.iter().filter(|local| !own(local));
            let live =
                live.filter(|local| !of_row || self.shapes.of_local(**local) != Shape::Varying);
            live.map(|local| {
                let (name, part) = (&self.variables[local].0, part(local));
                quote!(let mut #name = #part[#at];)
            })
            .collect()
        };
        let (loaded, loaded_first) = (loaded(quote!(#thread), false), loaded(quote!(0), true));
        let kept = shared
            .iter()
            .filter(|local| region.declared.contains(local) || region.assigned.contains(local));
        let kept: TokenStream = kept
            .map(|local| {
                let (name, part) = (&self.variables[local].0, part(local));
                quote!(#part[#thread] = #name;)
            })
            .collect();

        let mut statements = TokenStream::new();
        let mut hoisted = vec![TokenStream::new(); region.hoisted.len()];
        let mut stored = TokenStream::new();
        let mut room = TokenStream::new();
        let last = region.statements.end - 1;
        for at in region.statements.clone() {
            let stmt = &mut stmts[at];
            if region.derived.contains(&at) {
                self.derive(stmt);
                continue;
            }
            if is_late(stmt) && !late.is_empty() {
                let Stmt::Local(local) = &*stmt else { continue };
                let declared = self.shapes.declared(&local.pat);
                if declared
                    .iter()
                    .any(|local| self.variables.contains_key(local))
                {
                    continue;
                }
            }
            let mut hoist = Hoist {
                region,
                host: self.host,
                scratches: &mut self.scratches,
                hoisted: &mut hoisted,
            };
            if let (true, Some(kind)) = (at == last, region.stored)
                && let Stmt::Expr(Expr::Assign(assign), _) = stmt
            {
                hoist.visit_expr_mut(&mut assign.right);
                self.host.visit_expr_mut(&mut assign.right);
                let (value, place) = (&assign.right, own_place(&mut assign.left));
                let span = place.span();
                let Expr::Index(index) = place else { continue };
                self.host.visit_expr_mut(&mut index.index);
                let values = numbered("stored", region.id);
                let scratch = numbered("scratch", self.scratches);
                self.scratches += 1;
                room = quote!(let #values = #row.room(&mut #scratch););
                statements.extend(quote!(#values[#thread] = #value;));
                stored = match kind {
                    Stored::Elements => {
                        self.host.visit_expr_mut(&mut index.expr);
                        let (view, index) = (&index.expr, &index.index);
                        quote_spanned!(span=> #view.set_along(#row, #index, #values);)
                    }
                    Stored::Items => {
                        self.host.place(&mut index.expr);
                        let (base, index) = (&index.expr, &index.index);
                        quote_spanned!(span=> #row.set_items(&mut #base, #index, #values);)
                    }
                };
                continue;
            }
            hoist.visit_stmt_mut(stmt);
            self.host.visit_stmt_mut(stmt);
            statements.extend(stmt.to_token_stream());
        }

        let derived = self.derived_of(region);
        let index = match region.used.contains(&LocalId(0)) || !derived.is_empty() {
            true => self.index.clone(),
            false => quote!(_),
        };
        let first = quote!(let #index = #row.enter(0); #derived #loaded_first);
        let hoisted = match hoisted.is_empty() {
            true => hoisted.into_iter().collect(),
            false => {
                let names = (0..hoisted.len()).map(|at| hoisted_name(region, at));
                quote!(let (#(#names,)*) = { #first (#(#hoisted,)*) };)
            }
        };
        let stored = match region.stored {
            None => stored,
            Some(_) => quote!({ #first #stored }),
        };
        let enter = match region.acts {
            true => quote!(enter),
            false => quote!(index),
        };
        let statements = match region.returns {
            true => quote!((|| { #statements })();),
            false => statements,
        };
        let shape = quote!(in 0..#row.count());
        let body = quote! {
            #hoisted
            #room
            for #thread #shape {
                let #index = #row.#enter(#thread);
                #derived
                #loaded
                #statements
                #kept
            }
            #stored
        };
        match self.in_row {
            true => quote!({ #body } #row.enter(0);),
            false => {
                let rows = self.rows(shared, &body);
                quote!(#declared #rows)
            }
        }
    }

    /// The `let`s that a region repeats.
    fn derived_of(&self, region: &Region) -> TokenStream {
        let mut wanted = region.used.clone();
        let mut found = Vec::new();
        for derived in self.derived.iter().rev() {
            if derived.declared.iter().any(|local| wanted.contains(local)) {
                wanted.extend(&derived.reads);
                found.push(&derived.tokens);
            }
        }
        found.into_iter().rev().cloned().collect()
    }
}

fn hoisted_name(region: &Region, at: usize) -> Ident {
    format_ident!(
        "__amp_hoisted_{}_{at}",
        region.id,
        span = Span::mixed_site()
    )
}

/// The place without parentheses.
fn own_place(place: &mut Expr) -> &mut Expr {
    match place {
        Expr::Paren(paren) => own_place(&mut paren.expr),
        Expr::Group(group) => own_place(&mut group.expr),
        place => place,
    }
}

fn is_late(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Local(Local { init: None, .. }))
}

/// The variables that are declared without a value.
fn late(stmts: &[Stmt], shapes: &Shapes<'_>) -> HashSet<LocalId> {
    let declared = stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Local(Local {
            init: None, pat, ..
        }) => Some(pat),
        _ => None,
    });
    declared
        .flat_map(|pattern: &Pat| shapes.declared(pattern))
        .collect()
}

/// Takes what is computed once a row out of statements.
struct Hoist<'h, 'a> {
    region: &'h Region,
    host: &'h mut HostVersion<'a>,
    scratches: &'h mut usize,
    hoisted: &'h mut Vec<TokenStream>,
}

impl VisitMut for Hoist<'_, '_> {
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let address = std::ptr::from_ref(expr).addr();
        let mut hoisted = self.region.hoisted.iter();
        let Some(at) = hoisted.position(|(of, _)| *of == address) else {
            visit_mut::visit_expr_mut(self, expr);
            return;
        };
        let (kind, span, name) = (
            self.region.hoisted[at].1,
            expr.span(),
            hoisted_name(self.region, at),
        );
        let (row, thread) = (row(), thread());
        if let (Hoisted::Elements | Hoisted::Items, Expr::Index(index)) = (kind, &mut *expr) {
            self.host.visit_expr_mut(&mut index.expr);
            self.host.visit_expr_mut(&mut index.index);
            let scratch = numbered("scratch", *self.scratches);
            *self.scratches += 1;
            let (base, index) = (&index.expr, &index.index);
            self.hoisted[at] = match kind {
                Hoisted::Elements => {
                    quote_spanned!(span=> #base.along(#row, #index, &mut #scratch))
                }
                _ => quote_spanned!(span=> #row.items(&#base, #index, &mut #scratch)),
            };
            *expr = Expr::Verbatim(quote!(#name[#thread]));
        } else {
            self.host.visit_expr_mut(expr);
            self.hoisted[at] = expr.to_token_stream();
            *expr = Expr::Verbatim(quote!(#name));
        }
    }
}

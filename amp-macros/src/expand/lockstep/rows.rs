//! The tokens of a region, for one row of threads: what is computed once, the loop over the threads,
//! and what is written for all of them.

use std::collections::HashSet;

use amp_spirv::tree::LocalId;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{
    Expr, ExprAssign, Local, Pat, Stmt,
    spanned::Spanned,
    visit::Visit,
    visit_mut::{self, VisitMut},
};

use super::{
    emit::{Derived, Emit, numbered, row},
    quiet::Quiet,
    region::{Hoisted, Region, Stored},
    shape::{Shape, Shapes},
};
use crate::{
    expand::{host_version::HostVersion, place::own},
    infer::bare,
};

fn thread() -> Ident {
    own("__amp_thread")
}

/// The parts of a region.
#[derive(Default)]
struct Parts {
    /// What is computed once a row, by its place in [`Region::hoisted`].
    hoisted: Vec<TokenStream>,
    /// What each thread does.
    statements: TokenStream,
    /// What is written at the end.
    stored: TokenStream,
    /// Room for that.
    room: TokenStream,
    /// The variables that the row reads, and those that each thread reads.
    of_row: HashSet<LocalId>,
    of_thread: HashSet<LocalId>,
    /// The variables that have their value before the rows.
    initialised: HashSet<LocalId>,
}

impl<'a> Emit<'_, 'a> {
    /// What a row does in a region.
    pub(super) fn region(&mut self, stmts: &mut [Stmt], region: &Region) -> TokenStream {
        let late = late(&stmts[region.statements.clone()], self.shapes);
        let parts = self.parts(stmts, region);
        let (row, thread) = (row(), thread());
        let shared = self.shared(region);
        let has_value = |local: &LocalId| {
            let later = late.contains(local) || parts.initialised.contains(local);
            region.declared.contains(local) && !later
        };
        let is_set = |local: &&LocalId| region.assigned.contains(local) || has_value(local);
        let kept: TokenStream = shared
            .iter()
            .filter(is_set)
            .map(|local| {
                let (name, part) = (&self.variables[local].0, part(*local));
                quote!(#part[#thread] = #name;)
            })
            .collect();
        let is_read = |local: &&LocalId| {
            let is_used = parts.of_thread.contains(local) || region.assigned.contains(local);
            is_used && !has_value(local)
        };
        let loaded = shared.iter().filter(is_read).map(|local| {
            let (name, part) = (&self.variables[local].0, part(*local));
            quote!(let mut #name = #part[#thread];)
        });
        let of_first = shared.iter().filter(|local| parts.of_row.contains(local));
        let of_first = of_first.map(|local| {
            let (name, part) = (&self.variables[local].0, part(*local));
            quote!(let mut #name = #part[0];)
        });
        let index = |wanted: &HashSet<LocalId>, of: TokenStream| match wanted.contains(&LocalId(0))
        {
            true => {
                let index = &self.index;
                quote!(let #index = #row.index(#of);)
            }
            false => TokenStream::new(),
        };
        let (of_row, derived_of_row) = self.derived_of(&parts.of_row);
        let (of_thread, derived_of_thread) = self.derived_of(&parts.of_thread);
        let index_of_row = index(&of_row, quote!(0));
        let enter = match region.acts {
            true => quote!(#row.enter(#thread);),
            false => TokenStream::new(),
        };
        let index_of_thread = index(&of_thread, quote!(#thread));
        let statements = match region.returns {
            true => {
                let statements = &parts.statements;
                quote!((|| { #statements })();)
            }
            false => parts.statements,
        };
        let threads = match statements.is_empty() && kept.is_empty() {
            true => TokenStream::new(),
            false => quote! {
                for #thread in 0..#row.count() {
                    #enter
                    #index_of_thread
                    #derived_of_thread
                    #(#loaded)*
                    #statements
                    #kept
                }
            },
        };
        let first_again = match region.acts && !parts.stored.is_empty() {
            true => quote!(#row.enter(0);),
            false => TokenStream::new(),
        };
        let hoisted = parts.hoisted.iter().enumerate().map(|(at, value)| {
            let name = hoisted_name(region, at);
            quote!(let #name = #value;)
        });
        let (room, stored) = (parts.room, parts.stored);
        quote! {
            #index_of_row
            #derived_of_row
            #(#of_first)*
            #(#hoisted)*
            #room
            #threads
            #first_again
            #stored
        }
    }

    /// Writes the statements of a region, and declares its variables.
    fn parts(&mut self, stmts: &mut [Stmt], region: &Region) -> Parts {
        let mut parts = Parts {
            hoisted: vec![TokenStream::new(); region.hoisted.len()],
            ..Parts::default()
        };
        let last = region.statements.end - 1;
        for at in region.statements.clone() {
            let stmt = &mut stmts[at];
            if region.derived.contains(&at) {
                self.derive(stmt);
                continue;
            }
            if let Stmt::Local(local) = stmt
                && let Some(initialised) = self.initialised(local)
            {
                parts.initialised.insert(initialised);
                continue;
            }
            if let Stmt::Local(Local {
                init: None, pat, ..
            }) = stmt
            {
                let declared = self.shapes.declared(pat);
                if declared
                    .iter()
                    .any(|local| self.variables.contains_key(local))
                {
                    continue;
                }
            }
            if let (true, Some(kind)) = (at == last, region.stored)
                && let Stmt::Expr(Expr::Assign(assign), _) = stmt
            {
                self.stored(assign, region, kind, &mut parts);
                continue;
            }
            self.hoist(region, &mut parts).visit_stmt_mut(stmt);
            parts
                .of_thread
                .extend(self.shapes.read(|read| read.visit_stmt(stmt)));
            self.host.visit_stmt_mut(stmt);
            parts.statements.extend(stmt.to_token_stream());
        }
        let mut declared: Vec<LocalId> = self.shared(region);
        declared
            .retain(|local| region.declared.contains(local) && !parts.initialised.contains(local));
        for local in declared {
            let (variable, (_, ty)) = (numbered("of", local.0 as usize), &self.variables[&local]);
            let group = own("__amp_group");
            self.declarations
                .extend(quote!(let mut #variable = #group.zeroes::<#ty>();));
        }
        parts
    }

    /// Declares the variable of a `let` whose value is the same in all threads of the group, and which is
    /// evaluated once.
    fn initialised(&mut self, local: &mut Local) -> Option<LocalId> {
        let init = local.init.as_mut().filter(|init| init.diverge.is_none())?;
        let name = match &local.pat {
            Pat::Type(typed) => &*typed.pat,
            pattern => pattern,
        };
        let Pat::Ident(name) = name else { return None };
        let variable = self.host.function.typed.of(name).local?;
        let (_, ty) = self.variables.get(&variable)?;
        let is_once = self.shapes.shape(&init.expr) == Shape::Uniform
            && !Quiet::of(self.shapes.function).may_act(&init.expr);
        if self.in_loop || !is_once {
            return None;
        }
        self.host.visit_expr_mut(&mut init.expr);
        let (group, of, value) = (
            own("__amp_group"),
            numbered("of", variable.0 as usize),
            &init.expr,
        );
        self.declarations
            .extend(quote!(let mut #of = #group.variables::<#ty>(#value);));
        Some(variable)
    }

    /// The assignment whose places are written at the end of a region.
    fn stored(
        &mut self,
        assign: &mut ExprAssign,
        region: &Region,
        kind: Stored,
        parts: &mut Parts,
    ) {
        let (row, thread) = (row(), thread());
        let at_hand = self.at_hand(&assign.right, region);
        self.hoist(region, parts).visit_expr_mut(&mut assign.right);
        let values = match at_hand {
            Some(values) => values,
            None => {
                let of_thread = self.shapes.read(|read| read.visit_expr(&assign.right));
                parts.of_thread.extend(of_thread);
                self.host.visit_expr_mut(&mut assign.right);
                let value = &assign.right;
                let values = numbered("stored", region.id);
                let scratch = self.scratch();
                parts.room = quote!(let #values = #row.room(&mut #scratch););
                parts.statements.extend(quote!(#values[#thread] = #value;));
                values
            }
        };
        let place = own_place(&mut assign.left);
        parts
            .of_row
            .extend(self.shapes.read(|read| read.visit_expr(place)));
        let span = place.span();
        let Expr::Index(index) = place else { return };
        self.host.visit_expr_mut(&mut index.index);
        parts.stored = match kind {
            Stored::Elements => {
                self.host.visit_expr_mut(&mut index.expr);
                let (view, index) = (&index.expr, &index.index);
                quote_spanned!(span=> #view.set_along(&#row, #index, #values);)
            }
            Stored::Items => {
                self.host.place(&mut index.expr);
                let (base, index) = (&index.expr, &index.index);
                quote_spanned!(span=> #row.set_items(&mut #base, #index, #values);)
            }
        };
    }

    /// What has the values of all threads of a row already: elements of a view, or a variable.
    fn at_hand(&self, value: &Expr, region: &Region) -> Option<Ident> {
        let value = bare(value);
        if let Some(local) = self.shapes.local(value)
            && self.variables.contains_key(&local)
        {
            return Some(part(local));
        }
        let id = self.host.id(value);
        let mut hoisted = region.hoisted.iter();
        let at = hoisted.position(|hoisted| *hoisted == (id, Hoisted::Elements))?;
        Some(hoisted_name(region, at))
    }

    fn hoist<'h>(&'h mut self, region: &'h Region, parts: &'h mut Parts) -> Hoist<'h, 'a> {
        Hoist {
            region,
            host: self.host,
            shapes: self.shapes,
            scratches: &mut self.scratches,
            parts,
        }
    }

    fn scratch(&mut self) -> Ident {
        self.scratches += 1;
        numbered("scratch", self.scratches - 1)
    }

    pub(super) fn derive(&mut self, stmt: &mut Stmt) {
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

    /// The `let`s that a region repeats to read these variables, and what is read with them.
    fn derived_of(&self, wanted: &HashSet<LocalId>) -> (HashSet<LocalId>, TokenStream) {
        let mut wanted = wanted.clone();
        let mut found = Vec::new();
        for derived in self.derived.iter().rev() {
            if derived.declared.iter().any(|local| wanted.contains(local)) {
                wanted.extend(&derived.reads);
                found.push(&derived.tokens);
            }
        }
        (wanted, found.into_iter().rev().cloned().collect())
    }
}

/// A row's part of a variable.
fn part(local: LocalId) -> Ident {
    numbered("part", local.0 as usize)
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
    shapes: &'h Shapes<'a>,
    scratches: &'h mut usize,
    parts: &'h mut Parts,
}

impl VisitMut for Hoist<'_, '_> {
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let id = self.host.id(expr);
        let mut hoisted = self.region.hoisted.iter();
        let Some(at) = hoisted.position(|(of, _)| *of == id) else {
            visit_mut::visit_expr_mut(self, expr);
            return;
        };
        let read = self.shapes.read(|read| read.visit_expr(expr));
        self.parts.of_row.extend(read);
        let kind = self.region.hoisted[at].1;
        let (span, name) = (expr.span(), hoisted_name(self.region, at));
        let (row, thread) = (row(), thread());
        if let (Hoisted::Elements | Hoisted::Items, Expr::Index(index)) = (kind, &mut *expr) {
            self.host.visit_expr_mut(&mut index.expr);
            self.host.visit_expr_mut(&mut index.index);
            let scratch = numbered("scratch", *self.scratches);
            *self.scratches += 1;
            let (base, index) = (&index.expr, &index.index);
            self.parts.hoisted[at] = match kind {
                Hoisted::Elements => {
                    quote_spanned!(span=> #base.along(&#row, #index, &mut #scratch))
                }
                _ => quote_spanned!(span=> #row.items(&#base, #index, &mut #scratch)),
            };
            *expr = Expr::Verbatim(quote!(#name[#thread]));
        } else {
            self.host.visit_expr_mut(expr);
            self.parts.hoisted[at] = expr.to_token_stream();
            *expr = Expr::Verbatim(quote!(#name));
        }
    }
}

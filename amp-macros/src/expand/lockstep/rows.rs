//! The tokens of a region, for one row of threads: what is computed once, the loop over the threads,
//! and what is written for all of them.

use std::collections::HashSet;

use amp_spirv::tree::LocalId;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Expr, Local, Pat, Stmt};

use super::{
    emit::{Derived, Emit, numbered, row, thread},
    hoist::{Hoist, Once, Parts, hoisted_name},
    region::{Hoisted, Region},
    shape::{Shape, Shapes},
};
use crate::{
    expand::place::own,
    infer::bare,
    visit::{Visit, VisitMut},
};

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
        let loaded = shared.iter().filter(is_read).copied();
        let loaded = self.loaded(loaded, quote!(#thread));
        let of_row = self.of_row(&parts.of_row);
        let of_thread = self.indices(&parts.of_thread, quote!(#thread));
        let enter = match region.enters {
            true => quote!(#row.enter(#thread);),
            false => TokenStream::new(),
        };
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
                    #of_thread
                    #loaded
                    #statements
                    #kept
                }
            },
        };
        let first_again = match region.enters && !parts.stored.is_empty() {
            true => quote!(#row.enter(0);),
            false => TokenStream::new(),
        };
        let hoisted = parts.hoisted.iter().enumerate().map(|(at, value)| {
            let (name, value) = (hoisted_name(region, at), value.tokens(self));
            quote!(let #name = #value;)
        });
        let (old, room, stored) = (parts.old, parts.room, parts.stored);
        quote! {
            #of_row
            #(#hoisted)*
            #old
            #room
            #threads
            #first_again
            #stored
        }
    }

    /// What a row has to know to read these variables: they are those of its first thread.
    pub(super) fn of_row(&self, reads: &HashSet<LocalId>) -> TokenStream {
        let thread = thread();
        let indices = self.indices(reads, quote!(0));
        let loaded = self.loaded(reads.iter().copied(), quote!(0));
        quote! {
            let #thread = 0usize;
            #indices
            #loaded
        }
    }

    /// What a thread has to know to read these variables.
    pub(super) fn of_one(&self, reads: &HashSet<LocalId>) -> TokenStream {
        let thread = thread();
        let indices = self.indices(reads, quote!(#thread));
        let loaded = self.loaded(reads.iter().copied(), quote!(#thread));
        quote!(#indices #loaded)
    }

    /// A thread's index, and what is computed from it.
    fn indices(&self, reads: &HashSet<LocalId>, thread: TokenStream) -> TokenStream {
        let (reads, derived) = self.derived_of(reads);
        let index = match reads.contains(&LocalId(0)) {
            true => {
                let (row, index) = (row(), &self.index);
                quote!(let #index = #row.index(#thread);)
            }
            false => TokenStream::new(),
        };
        quote!(#index #derived)
    }

    /// A thread's values of those of these variables that regions share.
    fn loaded(&self, locals: impl Iterator<Item = LocalId>, thread: TokenStream) -> TokenStream {
        let mut shared: Vec<LocalId> = locals
            .filter(|local| self.variables.contains_key(local))
            .collect();
        shared.sort_unstable_by_key(|local| local.0);
        let loaded = shared.into_iter().map(|local| {
            let (name, part) = (&self.variables[&local].0, part(local));
            quote!(let mut #name = #part[#thread];)
        });
        loaded.collect()
    }

    /// Writes the statements of a region, and declares its variables.
    fn parts(&mut self, stmts: &mut [Stmt], region: &Region) -> Parts {
        let mut parts = Parts {
            hoisted: region.hoisted.iter().map(|_| Once::default()).collect(),
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
            if let (true, Some(kind)) = (at == last, region.stored) {
                self.stored(stmt, region, kind, &mut parts);
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
            let slot = slot(local);
            let group = own("__amp_group");
            self.declarations
                .extend(quote!(let mut #variable = #group.zeroes::<#ty>(#slot);));
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
            && !self.shapes.quiet.may_act(&init.expr);
        if self.in_loop || !is_once {
            return None;
        }
        self.host.visit_expr_mut(&mut init.expr);
        let slot = slot(variable);
        let (group, of, value) = (
            own("__amp_group"),
            numbered("of", variable.0 as usize),
            &init.expr,
        );
        self.declarations
            .extend(quote!(let mut #of = #group.variables::<#ty>(#slot, #value);));
        Some(variable)
    }

    /// What has the values of all threads of a row already: elements of a view, or a variable.
    pub(super) fn at_hand(&self, value: &Expr, region: &Region) -> Option<Ident> {
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

    pub(super) fn hoist<'h>(
        &'h mut self,
        region: &'h Region,
        parts: &'h mut Parts,
    ) -> Hoist<'h, 'a> {
        Hoist {
            region,
            host: self.host,
            shapes: self.shapes,
            scratches: &mut self.scratches,
            parts,
        }
    }

    pub(super) fn scratch(&mut self) -> Ident {
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

/// The number of a variable among the group's; those of rooms for rows are even.
fn slot(local: LocalId) -> usize {
    2 * local.0 as usize + 1
}

/// A row's part of a variable.
fn part(local: LocalId) -> Ident {
    numbered("part", local.0 as usize)
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

//! [`Emit`]: the tokens of a plan.

use std::collections::{HashMap, HashSet};

use amp_spirv::tree::LocalId;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Expr, ExprForLoop, ExprIf, FnArg, ItemFn, Pat, Stmt};

use super::{
    plan::{Branch, Otherwise, Piece, regions},
    region::Region,
    shape::Shapes,
};
use crate::{
    attribute::is_unroll,
    expand::{host_version::HostVersion, place::own},
    infer::Ty,
    visit::{Visit, VisitMut},
};

/// How many lines a kernel has at most: with tiles of 1024 threads, 256 KiB of vectors of `f64`.
const MOST_LINES: usize = 8;

/// What writes a plan's tokens.
pub(super) struct Emit<'e, 'a> {
    pub(super) host: &'e mut HostVersion<'a>,
    pub(super) shapes: &'e Shapes<'a>,
    /// The variables that live in several regions: their names and types.
    pub(super) variables: &'e HashMap<LocalId, (Ident, TokenStream)>,
    /// The `let`s around that each region repeats.
    pub(super) derived: Vec<Derived>,
    /// Declarations of variables that are still to be written before the rows.
    pub(super) declarations: TokenStream,
    /// How many lines there are, each of which is on the stack.
    lines: usize,
    /// How many rooms for rows there are.
    pub(super) scratches: usize,
    /// The kernel's index.
    pub(super) index: TokenStream,
    /// A row is what goes through the code that is being written.
    in_row: bool,
    /// And it goes through a loop.
    pub(super) in_loop: bool,
}

/// A `let` that each region repeats.
pub(super) struct Derived {
    pub(super) declared: Vec<LocalId>,
    pub(super) reads: HashSet<LocalId>,
    pub(super) tokens: TokenStream,
}

fn group() -> Ident {
    own("__amp_group")
}

pub(super) fn thread() -> Ident {
    own("__amp_thread")
}

pub(super) fn row() -> Ident {
    own("__amp_row")
}

/// A name of the generated code's own, with a number.
pub(super) fn numbered(name: &str, number: usize) -> Ident {
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
            declarations: TokenStream::new(),
            lines: 0,
            scratches: 0,
            index: TokenStream::new(),
            in_row: false,
            in_loop: false,
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
        let group = group();
        let scratches = (0..self.scratches).map(|number| {
            let (name, slot) = (numbered("scratch", number), 2 * number);
            quote!(let mut #name = #group.scratch(#slot);)
        });
        let consts = item.sig.generics.const_params();
        let rest = item.sig.inputs.iter().skip(1);
        quote! {
            #[inline(always)]
            #[allow(unused, clippy::all)]
            fn #name<#(#consts),*>(#group: &::amp::__private::cpu::Group<'_, #ty>, #(#rest),*) {
                let #index = #group.enter();
                #(#scratches)*
                #body
            }
        }
    }

    pub(super) fn block(&mut self, stmts: &mut [Stmt], pieces: &[Piece]) -> TokenStream {
        let around = self.derived.len();
        let mut tokens = TokenStream::new();
        let mut rest = pieces;
        while let Some((piece, next)) = rest.split_first() {
            let run = match piece {
                Piece::Derived(_) => 0,
                _ if self.in_row => 0,
                _ => rest.iter().take_while(|piece| piece.is_of_row()).count(),
            };
            (tokens, rest) = if run > 0 {
                tokens.extend(self.run(stmts, &rest[..run]));
                (tokens, &rest[run..])
            } else {
                tokens.extend(self.piece(stmts, piece));
                (tokens, next)
            };
        }
        self.derived.truncate(around);
        tokens
    }

    /// Pieces through which one row goes after the other: what a row has at hand it keeps.
    fn run(&mut self, stmts: &mut [Stmt], pieces: &[Piece]) -> TokenStream {
        let mut found = Vec::new();
        regions(pieces, &mut found);
        self.in_row = true;
        let body: TokenStream = pieces
            .iter()
            .map(|piece| self.piece(stmts, piece))
            .collect();
        self.in_row = false;
        let is_loop = |piece: &Piece| matches!(piece, Piece::Loop(..) | Piece::Strided(..));
        let has_loop = pieces.iter().any(is_loop);
        self.rows(&found, self.shapes.tiled && has_loop, &body)
    }

    fn piece(&mut self, stmts: &mut [Stmt], piece: &Piece) -> TokenStream {
        let group = group();
        match piece {
            Piece::Together(at) => {
                self.host.visit_stmt_mut(&mut stmts[*at]);
                stmts[*at].to_token_stream()
            }
            Piece::Derived(at) => {
                let mixed = self.shapes.is_mixed(&stmts[*at]);
                self.derive(&mut stmts[*at]);
                match mixed {
                    true => stmts[*at].to_token_stream(),
                    false => TokenStream::new(),
                }
            }
            Piece::Barrier => quote!(#group.barrier();),
            Piece::Apart(region) => {
                let body = self.region(stmts, region);
                match self.in_row {
                    true => quote!({ #body }),
                    false => self.rows(&[&**region], false, &body),
                }
            }
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
            Piece::Strided(at, pieces) => match &mut stmts[*at] {
                Stmt::Expr(Expr::ForLoop(round), _) => self.strided(round, pieces),
                _ => TokenStream::new(),
            },
        }
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

    fn round(&mut self, round: &mut Expr, pieces: &[Piece]) -> TokenStream {
        let around = std::mem::replace(&mut self.in_loop, self.in_row);
        let rounds = self.rounds(round, pieces);
        self.in_loop = around;
        rounds
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
    pub(super) fn shared(&self, region: &Region) -> Vec<LocalId> {
        let mut shared: Vec<LocalId> = region.declared.union(&region.used).copied().collect();
        shared.retain(|local| self.variables.contains_key(local));
        shared.sort_by_key(|local| local.0);
        shared
    }

    /// Whether a variable can be a line.
    fn is_small(&self, local: LocalId) -> bool {
        let ty = &self.shapes.function.typed.locals[local.0 as usize].ty;
        matches!(ty, Ty::Scalar(_) | Ty::Vector(..))
    }

    /// What each row does that goes through these regions, if it does something; with its parts of variables
    /// as its own, if these are `lines`.
    fn rows(&mut self, regions: &[&Region], lines: bool, body: &TokenStream) -> TokenStream {
        let declarations = std::mem::take(&mut self.declarations);
        if body.is_empty() {
            return declarations;
        }
        let shared = regions.iter().flat_map(|region| self.shared(region));
        let mut shared: Vec<LocalId> = shared.collect();
        shared.sort_unstable_by_key(|local| local.0);
        shared.dedup();
        let (group, row) = (group(), row());
        let [mut parts, mut kept] = [TokenStream::new(), TokenStream::new()];
        for local in shared {
            let number = local.0 as usize;
            let (variable, part) = (numbered("of", number), numbered("part", number));
            if !lines || self.lines == MOST_LINES || !self.is_small(local) {
                parts.extend(quote!(let #part = #row.of(&mut #variable);));
                continue;
            }
            self.lines += 1;
            let (line, (_, ty)) = (numbered("line", number), &self.variables[&local]);
            parts.extend(quote! {
                let mut #line = #row.line(&mut #variable);
                let #part: &mut [#ty] = ::core::convert::AsMut::as_mut(&mut #line);
            });
            let is_set = |region: &&Region| {
                region.assigned.contains(&local) || region.declared.contains(&local)
            };
            if regions.iter().any(is_set) {
                kept.extend(quote!(#row.keep(&mut #variable, #line);));
            }
        }
        quote! {
            #declarations
            let mut #row = #group.rows();
            while #row.next() {
                #parts
                #body
                #kept
            }
        }
    }

    /// What a row does in a [strided](super::strided) loop.
    pub(super) fn strided(&mut self, round: &mut ExprForLoop, pieces: &[Piece]) -> TokenStream {
        let Pat::Ident(name) = &*round.pat else {
            return TokenStream::new();
        };
        let (row, thread) = (row(), thread());
        let (first, end) = (own("__amp_first"), own("__amp_end"));
        let reads = self.shapes.read(|read| read.visit_expr(&round.expr));
        let prelude = self.of_row(&reads);
        self.derived.push(Derived {
            declared: self.shapes.declared(&round.pat),
            reads: HashSet::new(),
            tokens: quote!(let #name = #first + #thread;),
        });
        let mut last = TokenStream::new();
        if let Some(end_of_range) = end_of(&mut round.expr) {
            self.host.visit_expr_mut(end_of_range);
            last = end_of_range.to_token_stream();
            *end_of_range = Expr::Verbatim(quote!(#end));
        }
        self.host.visit_expr_mut(&mut round.expr);
        let around = std::mem::replace(&mut self.in_loop, true);
        let body = self.block(&mut round.body.stmts, pieces);
        self.in_loop = around;
        self.derived.pop();
        let range = &round.expr;
        quote! {{
            #prelude
            let #end = #last;
            for #first in #range {
                let #row = #row.up_to(#first, #end);
                #body
            }
        }}
    }
}

/// The end of a range.
fn end_of(range: &mut Expr) -> Option<&mut Expr> {
    match range {
        Expr::Paren(paren) => end_of(&mut paren.expr),
        Expr::Group(group) => end_of(&mut group.expr),
        Expr::MethodCall(call) => end_of(&mut call.receiver),
        Expr::Range(range) => range.end.as_deref_mut(),
        _ => None,
    }
}

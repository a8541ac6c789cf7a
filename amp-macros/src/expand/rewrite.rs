//! The walk over a function's syntax that makes its host version.
//!
//! Rewrites go from the leaves up, and look types up by the id of the node they are about
//! to replace: a node's children may have been replaced, its own place has not moved.
//!
//! A fault is reported where `Location::caller()` says, which is the place of whatever
//! token rustc takes for the operation's: it gets the place where the whole operation
//! begins, which is also what the compiled kernel reports.

use std::{collections::HashSet, rc::Rc};

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{
    Arm, Attribute, Block, Expr, ExprForLoop, ExprLoop, ExprWhile, FnArg, Item, ItemFn, ItemTrait,
    Local, Pat, PatType, Signature, Stmt, Token, TraitItem, Type, parse_quote, spanned::Spanned,
};

use super::{
    bundle,
    host_version::{HostVersion, run_time, view_path_of_cpu},
    interface::is_of_trait,
    lockstep,
    pattern::{Unmistakable, say_type},
    reference,
    resolved::Imported,
    structure::unmark,
    view,
};
use crate::{
    attribute::{choice_of, is_unroll},
    import::{Closure, place_hash},
    infer::{NodeId, Program, Resolved, Ty},
    language::returned::of_const,
    sugar::unmark_matches,
    visit::{self, VisitMut},
};

/// The host version of a kernel.
pub struct KernelVersions {
    /// Functions for one thread, and for a group of threads in lockstep if there is one.
    pub functions: TokenStream,
    /// Whether the kernel runs in lockstep.
    pub in_lockstep: bool,
}

/// The host version of a kernel: for one thread as a function called `name`, and unless that is enough, in
/// lockstep as one called `together`.
pub fn kernel(
    program: Program,
    closure: &Closure,
    name: &Ident,
    together: Option<(&Ident, bool)>,
) -> KernelVersions {
    let (mut item, together) = rewrite(program, closure, together);
    item.vis = syn::Visibility::Inherited;
    item.attrs.clear();
    item.sig.ident = name.clone();
    // An instance has types of these names.
    let parameters = std::mem::take(&mut item.sig.generics.params);
    item.sig.generics.params = parameters
        .into_iter()
        .filter(|param| !matches!(param, syn::GenericParam::Type(_)))
        .collect();
    item.sig.generics.where_clause = None;
    // It is called in one place, the loop over a launch's threads; or nowhere, and proves what the other
    // takes for granted.
    KernelVersions {
        in_lockstep: together.is_some(),
        functions: quote! {
            #[inline(always)]
            #[allow(dead_code, unused_parens, unused_braces, clippy::all)]
            #item
            #together
        },
    }
}

/// The host version of a helper.
pub fn helper(program: Program, closure: &Closure) -> ItemFn {
    let mut item = rewrite(program, closure, None).0;
    unmark(&mut item.attrs);
    item
}

fn rewrite(
    mut program: Program,
    closure: &Closure,
    together: Option<(&Ident, bool)>,
) -> (ItemFn, Option<TokenStream>) {
    let together = together.map(|together| (together, lockstep::QuietHelpers::of(&program)));
    let together = together.as_ref();
    // Functions of the program are named by their places in the list, so they stay there
    // without their items.
    let taken: ItemFn = parse_quote!(
        fn taken() {}
    );
    let taken = Rc::new(taken);
    let functions = program.functions.iter_mut();
    // An instance holds the item of its template, which stands in the body.
    let items: Vec<Option<Rc<ItemFn>>> = functions
        .map(|function| {
            let item = std::mem::replace(&mut function.item, taken.clone());
            function.template.is_none().then_some(item)
        })
        .collect();
    let mut items: Vec<Option<ItemFn>> = items
        .into_iter()
        .map(|item| Rc::into_inner(item?))
        .collect();
    let (Some(function), Some(Some(mut item))) = (program.functions.last(), items.pop()) else {
        unreachable!("a program ends with its item, which nothing else holds")
    };
    let imported = Imported::of(closure);
    let mut host_version = HostVersion {
        program: &program,
        function,
        result: &function.result,
        items: &mut items,
        imported: &imported,
        in_lockstep: true,
        proven: HashSet::new(),
        kept: None,
        own_references: Vec::new(),
    };
    let together = together.and_then(|((name, has_barrier), helpers)| {
        function.typed.with_copy(&item, |copy| {
            lockstep::kernel(&mut host_version, helpers, copy, *has_barrier, name)
        })
    });
    host_version.in_lockstep = false;
    host_version.function(&mut item);
    let span = item.sig.ident.span();
    let assumed = program.assumed.borrow();
    let proofs = assumed
        .iter()
        .map(|(block, of_trait)| Stmt::Item(Item::Verbatim(is_of_trait(block, of_trait, span))));
    item.block.stmts.splice(..0, proofs);
    (item, together)
}

/// A trait whose functions take what the host versions in its `impl` blocks take. These have the bodies
/// that it supplies.
pub(super) fn interface(item: &ItemTrait) -> ItemTrait {
    let mut item = item.clone();
    for part in &mut item.items {
        let TraitItem::Fn(function) = part else {
            continue;
        };
        if views_of_cpu(&mut function.sig) {
            function.default = None;
            function.semi_token = Some(Token![;](function.sig.fn_token.span));
        }
    }
    item
}

/// A method whose parameters are those of its host version.
pub(super) fn signature(mut item: ItemFn) -> ItemFn {
    views_of_cpu(&mut item.sig);
    item
}

/// The views of a function become the CPU accelerator's; whether there are some.
fn views_of_cpu(signature: &mut Signature) -> bool {
    let mut has_views = false;
    for input in &mut signature.inputs {
        if let FnArg::Typed(typed) = input {
            has_views |= view_of_cpu(&mut typed.ty);
        }
    }
    has_views
}

/// `&ArrayView<T, N>` becomes the CPU accelerator's view; whether it is one.
fn view_of_cpu(ty: &mut Type) -> bool {
    let Type::Reference(reference) = ty else {
        return false;
    };
    let Type::Path(path) = &mut *reference.elem else {
        return false;
    };
    view_path_of_cpu(&mut path.path, &quote!('_))
}

fn is_tile_static(attribute: &Attribute) -> bool {
    attribute.path().is_ident("tile_static")
}

impl HostVersion<'_> {
    fn function(&mut self, item: &mut ItemFn) {
        let proof = (self.imported).proof_in(item, self.program, self.function);
        self.visit_block_mut(&mut item.block);
        self.kept_result(&mut item.block);
        self.kept_parameters(item);
        if !proof.is_empty() {
            item.block
                .stmts
                .insert(0, Stmt::Item(Item::Verbatim(proof)));
        }
        self.parameters(item);
        // A method's receiver is Rust's own reference, and a trait fixes the others.
        if !self.function.is_member {
            reference::parameters(item, self.function);
        }
        view::result(item, self.function);
    }

    /// What the parameters of a function are in its host version.
    pub(super) fn parameters(&self, item: &mut ItemFn) {
        for (position, input) in item.sig.inputs.iter_mut().enumerate() {
            bundle::parameter(input, self.function, position);
            if let FnArg::Typed(typed) = input {
                view_of_cpu(&mut typed.ty);
            }
        }
    }

    /// A function in the body, whose own item is the one that was inferred.
    fn nested(&mut self, item: &mut ItemFn) {
        let Some(index) = self.function.typed.of(&*item).nested else {
            return;
        };
        let Some(mut inferred) = self.items[index].take() else {
            return;
        };
        let mut host_version = HostVersion {
            program: self.program,
            function: &self.program.functions[index],
            result: &self.program.functions[index].result,
            items: self.items,
            imported: self.imported,
            in_lockstep: self.in_lockstep,
            proven: HashSet::new(),
            kept: None,
            own_references: Vec::new(),
        };
        host_version.function(&mut inferred);
        inferred.attrs = std::mem::take(&mut item.attrs);
        *item = inferred;
    }

    fn for_loop(&mut self, this: NodeId, round: &mut ExprForLoop) {
        // The types of the variables, said once where rustc checks them.
        let mut declared = self.declared_types(&round.pat);
        match self.function.typed.of(this).each {
            Some(each) => declared.extend(self.each(round, each)),
            None => self.visit_expr_mut(&mut round.expr),
        }
        self.visit_block_mut(&mut round.body);
        round.body.stmts.splice(..0, declared);
    }

    fn tile_static(&self, local: &mut Local) {
        let Pat::Type(PatType { pat, ty, .. }) = &local.pat else {
            return;
        };
        let span = pat.span();
        let (pat, ty) = (pat.clone(), ty.clone());
        let name = match self.in_lockstep {
            true => "tile_static_in_lockstep",
            false => "tile_static",
        };
        let tile_static = run_time(name, span);
        // Which variable: where it stands.
        let which = place_hash(span) as u32 ^ self.program.repetition;
        local.attrs.retain(|attribute| !is_tile_static(attribute));
        local.pat = *pat;
        local.init = Some(syn::LocalInit {
            eq_token: Token![=](span),
            expr: Box::new(Expr::Verbatim(
                quote_spanned!(span=> #tile_static::<#ty>(#which)),
            )),
            diverge: None,
        });
    }
}

impl VisitMut for HostVersion<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        self.statements(block);
    }

    fn visit_stmt_mut(&mut self, statement: &mut Stmt) {
        if let Stmt::Local(local) = statement {
            local
                .attrs
                .retain(|attribute| choice_of(attribute).is_none());
            if local.attrs.iter().any(is_tile_static) {
                self.tile_static(local);
                return;
            }
            if self.reference_local(local) {
                return;
            }
            let diverges = matches!(&local.init, Some(init) if init.diverge.is_some());
            let typed = self.taken_type(&local.pat, local.init.as_ref());
            if diverges {
                Unmistakable(&self.function.typed).visit_pat_mut(&mut local.pat);
            }
            self.without_kept(local);
            if !matches!(local.pat, Pat::Type(_))
                && let Some(ty) = typed
            {
                say_type(&mut local.pat, ty);
            }
            if let Some(init) = &mut local.init {
                match self.function.typed.ty(&init.expr).is_side_by_side() {
                    true => self.taken_apart(&mut init.expr),
                    false => self.visit_expr_mut(&mut init.expr),
                }
                if let Some((_, otherwise)) = &mut init.diverge {
                    self.visit_expr_mut(otherwise);
                }
            }
            return;
        }
        visit::visit_stmt_mut(self, statement);
    }

    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        if let Item::Fn(function) = item {
            let mut written = function.clone();
            self.nested(function);
            unmark_matches(&mut written.block);
            if written.sig.constness.is_some() {
                function.sig.constness = None;
                function.sig.ident = of_const(&function.sig.ident);
                *item = Item::Verbatim(quote! {
                    #[allow(dead_code)]
                    #written
                    #[allow(dead_code)]
                    #function
                });
            }
        }
    }

    fn visit_type_mut(&mut self, _: &mut Type) {}

    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        self.arm(arm);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match self.function.typed.of(&*expr).keeps_slice {
            true => self.kept_slice(expr),
            false => self.form(expr),
        }
    }
}

impl HostVersion<'_> {
    /// An expression by its form.
    pub(super) fn form(&mut self, expr: &mut Expr) {
        let this = self.id(expr);
        let facts = self.function.typed.of(this);
        let has_value = matches!(
            expr,
            Expr::Index(_) | Expr::Try(_) | Expr::If(_) | Expr::Match(_) | Expr::Block(_)
        );
        let refers = has_value && facts.is_kept_slice && facts.dereferenced;
        match expr {
            Expr::Index(_) | Expr::Field(_) | Expr::Unary(_) if self.is_shared(expr) => {
                *expr = self.loaded(expr);
            }
            Expr::Binary(_) => self.binary(expr),
            Expr::Assign(assign) => {
                if self.reference_assignment(assign) {
                    return;
                }
                self.visit_expr_mut(&mut assign.right);
                if self.is_shared(&assign.left) {
                    *expr = self.stored(&mut assign.left, &assign.right);
                    return;
                }
                self.place(&mut assign.left);
                if matches!(&*assign.left, Expr::Verbatim(_)) {
                    // Rust evaluates the value first; so does what this becomes.
                    let (left, right) = (&assign.left, &assign.right);
                    let span = assign.eq_token.span();
                    *expr = Expr::Verbatim(quote_spanned! {span=> {
                        let __amp_value = #right;
                        #left = __amp_value;
                    }});
                }
            }
            Expr::Unary(unary) => {
                unary.attrs.clear();
                let literal = matches!(&*unary.expr, Expr::Lit(_)) || self.is_own(&*unary);
                let operand = self.id(&unary.expr);
                match unary.op {
                    syn::UnOp::Deref(_) => self.visit_expr_mut(&mut unary.expr),
                    _ => self.argument(&mut unary.expr, false),
                }
                if matches!(unary.op, syn::UnOp::Neg(_))
                    && let Some(negation) = self.vector_negation(this, &unary.expr, unary.span())
                {
                    *expr = Expr::Verbatim(negation);
                } else if matches!(unary.op, syn::UnOp::Neg(_))
                    && !literal
                    && let Some(ty) = self.integer(this)
                {
                    let (span, operand) = (unary.span(), &unary.expr);
                    *expr = Expr::Verbatim(quote_spanned!(span=> #ty::wrapping_neg(#operand)));
                } else if matches!(unary.op, syn::UnOp::Neg(_))
                    && matches!(self.function.typed.ty(operand), Ty::Param(_))
                {
                    let negation = self.opposite(operand, &unary.expr, unary.span());
                    *expr = Expr::Verbatim(negation);
                }
            }
            Expr::Index(_) if self.is_own_index(this) => self.own_index(expr, None),
            Expr::Index(index) => {
                let span = index.span();
                let indexing = self.indexing(index, false);
                self.visit_expr_mut(&mut index.expr);
                self.visit_expr_mut(&mut index.index);
                let (base, position) = (&index.expr, &index.index);
                let position = quote!(#position);
                *expr = Expr::Verbatim(self.indexed(this, (base, &position), indexing, span));
            }
            Expr::Reference(_) | Expr::Path(_) if self.function.typed.of(this).returned => {
                self.returned(expr);
            }
            Expr::Path(path) => {
                let typed = &self.function.typed;
                let of_tile = matches!(typed.of(this).path, Some(Resolved::TileStatic(_)));
                let dereferenced = typed.of(this).dereferenced && self.is_reference(this);
                if dereferenced || of_tile && !self.in_lockstep {
                    *expr = self.loaded(expr);
                } else if of_tile || typed.of(this).dereferenced {
                    let span = path.span();
                    *expr = Expr::Verbatim(match self.is_behind_two(this) {
                        true => quote_spanned!(span=> (**#path)),
                        false => quote_spanned!(span=> (*#path)),
                    });
                }
            }
            Expr::Field(field) => {
                let only_read = self.is_only_read(this, field);
                self.visit_expr_mut(&mut field.base);
                if only_read || self.function.typed.of(this).dereferenced {
                    let span = field.span();
                    *expr = Expr::Verbatim(quote_spanned!(span=> (*#field)));
                }
            }
            Expr::MethodCall(_) | Expr::Call(_) => {
                self.call(expr);
                if self.function.typed.of(this).dereferenced {
                    let span = expr.span();
                    *expr = Expr::Verbatim(quote_spanned!(span=> (*#expr)));
                }
            }
            Expr::Reference(place) if self.function.typed.of(this).dereferenced => {
                self.visit_expr_mut(&mut place.expr);
                *expr = (*place.expr).clone();
            }
            Expr::Closure(closure) => self.closure(this, closure),
            // rustc computes it.
            Expr::Const(_) => {}
            // So it does the length.
            Expr::Repeat(repeat) => self.visit_expr_mut(&mut repeat.expr),
            Expr::Match(choice) => {
                self.sure(choice);
                if let Some(outliving) = self.outliving(choice) {
                    *expr = outliving;
                    return;
                }
                if let Some(matched) = self.matched_with_its_reference(this, choice) {
                    *expr = matched;
                    return;
                }
                self.taken_apart(&mut choice.expr);
                choice.arms.iter_mut().for_each(|arm| self.arm(arm));
            }
            Expr::ForLoop(round) => {
                round.attrs.retain(|attribute| !is_unroll(attribute));
                self.for_loop(this, round);
            }
            Expr::While(ExprWhile { attrs, .. }) | Expr::Loop(ExprLoop { attrs, .. }) => {
                attrs.retain(|attribute| !is_unroll(attribute));
                visit::visit_expr_mut(self, expr);
            }
            _ => visit::visit_expr_mut(self, expr),
        }
        if refers {
            let span = expr.span();
            *expr = Expr::Verbatim(quote_spanned!(span=> (*#expr)));
        }
    }
}

//! Inference of one function: the order in which its records are filled.

use std::collections::{HashMap, HashSet};

use amp_spirv::{diagnostic::Code, tree::LocalId};
use syn::{FnArg, Pat, ReturnType};

use super::{
    cause::{ValueOf, written},
    context::FnCx,
    generic::has_own_reference,
    lending,
    program::Program,
    scope::Scopes,
    ty::{Ty, Unifier},
    typed::{Resolved, Typed},
    unsupported::Attributes,
};
use crate::{attribute::TaskKind, report::Report, visit::Visit};

/// What is found out about the function at `index`.
pub fn infer(program: &mut Program, index: usize, kind: TaskKind, report: &mut Report) -> Typed {
    program.functions[index].read_body();
    let function = &program.functions[index];
    let item = function.item.clone();
    let params = function.params.clone();
    let result = function.result.clone();
    let names = function.names.clone();
    let arguments = function.arguments.clone();
    let is_fast = program.is_fast(index);
    let template = function
        .template
        .map(|template| &program.functions[template].typed);
    let typed = Typed::new(template);
    let mut cx = FnCx {
        arguments,
        pending: Vec::new(),
        first_closure: program.closures.len(),
        program,
        report,
        owner: index,
        names,
        typed,
        unifier: Unifier::default(),
        scopes: Scopes::default(),
        result,
        result_place: written(&item.sig.output),
        choices: HashMap::new(),
        has_tile: params.iter().any(|param| matches!(param.ty, Ty::Tiled(_))),
        is_fast,
        obligations: Vec::new(),
        literals: Vec::new(),
        messages: Vec::new(),
        undecided: Vec::new(),
        intos: Vec::new(),
        propagated: Vec::new(),
        sums: Vec::new(),
        defaults: Vec::new(),
        consts: HashMap::new(),
        const_uses: HashMap::new(),
        const_bounds: HashMap::new(),
        next_label: 0,
        iterators: HashMap::new(),
        own_elements: HashSet::new(),
        thread_own: HashMap::new(),
        wanted_slices: HashMap::new(),
        alternatives: Vec::new(),
    };
    cx.declare_generics(&item.sig.generics, kind);
    cx.read_projections(&item);
    for param in &params {
        // Behind such a reference is Rust's own in the host version, which nothing else may touch.
        if let Ty::Reference { target, .. } = &param.ty
            && params
                .iter()
                .any(|param| matches!(param.ty, Ty::Tiled(_) | Ty::Barrier))
        {
            cx.needs_scalar(target, &param.ident, "a place");
        }
        let local = cx.new_local(&param.ident, param.ty.clone());
        cx.scopes.declare(&param.ident, Resolved::Local(local));
    }
    for input in &item.sig.inputs {
        if let FnArg::Typed(typed) = input
            && !matches!(*typed.pat, Pat::Ident(_))
        {
            cx.declare_lost(&typed.pat);
        }
    }
    Attributes(&mut cx).visit_block(&item.block);
    if cx.result.is_reference() {
        lending::mark(&mut cx.typed, &item.block);
    }
    cx.expects_result(&item.block);
    let found = cx.block(&item.block);
    cx.check_returned(&item, &found);
    cx.check_lending(&item);
    let has_value = matches!(item.block.stmts.last(), Some(syn::Stmt::Expr(_, None)));
    match &item.sig.output {
        ReturnType::Type(_, ty) if !has_value => {
            let result = cx.result.clone();
            cx.expect(&found, &result, &**ty);
        }
        _ => cx.expect_result(&found, ValueOf(&item.block)),
    }
    cx.finish()
}

impl FnCx<'_> {
    /// Checks what was left open, and fills every table with final types.
    fn finish(mut self) -> Typed {
        self.settle_undecided();
        self.settle_projections();
        self.settle_intos();
        self.settle_propagated();
        self.settle_defaults();
        self.settle_bounds();
        self.settle_literals();
        self.settle_obligations();
        self.settle_messages();
        // Whether a number is said before or after a constant is used does not matter.
        self.program
            .equal_lengths
            .extend(std::mem::take(&mut self.unifier.equal_lengths));
        self.settle_consts();
        let mut typed = std::mem::take(&mut self.typed);
        typed.labels_used = self.next_label;
        for local in &mut typed.locals {
            local.ty = self.unifier.defaulted(&local.ty);
            if self.is_open(&local.ty) {
                self.report.error_help(
                    Code::UnknownType,
                    local.span,
                    format!("nothing tells the type of `{}`", local.name),
                    format!("write it: `let {}: f32`", local.name),
                );
                local.ty = Ty::Error;
            }
        }
        let names = typed.locals.iter().enumerate();
        let own = names.filter(|(_, local)| has_own_reference(self.program, &local.ty));
        let own: Vec<LocalId> = own.map(|(position, _)| LocalId(position as u32)).collect();
        typed.places.extend(own);
        for ty in typed.facts.iter_mut().filter_map(|facts| facts.ty.as_mut()) {
            *ty = self.unifier.defaulted(ty);
        }
        self.settle_sums(&mut typed);
        let lengths = std::mem::take(&mut self.unifier.equal_lengths);
        self.program.equal_lengths.extend(lengths);
        for index in self.first_closure..self.program.closures.len() {
            let closure = &mut self.program.closures[index];
            closure.params = closure
                .params
                .iter()
                .map(|ty| self.unifier.defaulted(ty))
                .collect();
            closure.result = self.unifier.defaulted(&closure.result);
        }
        self.settle_instances(&mut typed);
        typed
    }
}

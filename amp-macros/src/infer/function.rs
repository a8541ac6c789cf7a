//! Inference of one function: the order in which its records are filled.

use std::collections::HashMap;

use amp_spirv::{
    diagnostic::Code,
    tree::{LabelId, LocalId, Scalar},
};
use proc_macro2::Span;
use syn::{FnArg, Ident, Pat, ReturnType, visit::Visit};

use super::{
    block_constants::ConstKey,
    cause::written,
    conversion::Into,
    generic::{Arguments, Pending},
    message::PendingMessage,
    obligation::Obligation,
    program::{Names, Program},
    scope::Scopes,
    ty::{Ty, Unifier},
    typed::{NodeId, Resolved, Typed, Variable},
    unsupported::Attributes,
};
use crate::{
    import::TaskKind,
    report::{Locate, Place, Report},
};

/// A literal whose type was not written.
pub struct PendingLiteral {
    pub ty: Ty,
    pub text: String,
    pub value: Option<u128>,
    pub negative: bool,
    pub span: Span,
}

/// A function while it is being inferred.
pub struct FnCx<'a> {
    /// What the function's generic parameters stand for.
    pub arguments: Arguments,
    /// Calls of generic helpers.
    pub pending: Vec<Pending>,
    /// The first closure of the function.
    pub first_closure: usize,
    pub program: &'a mut Program,
    pub report: &'a mut Report,
    pub owner: usize,
    pub names: Names,
    pub typed: Typed,
    pub unifier: Unifier,
    pub scopes: Scopes,
    pub result: Ty,
    /// Where that type is written.
    pub result_place: Option<Place>,
    pub has_tile: bool,
    /// Whether floats are the device's own here.
    pub is_fast: bool,
    pub obligations: Vec<Obligation>,
    pub literals: Vec<PendingLiteral>,
    pub messages: Vec<PendingMessage>,
    /// Calls of `into`.
    pub intos: Vec<Into>,
    /// Derived defaults, with their places.
    pub defaults: Vec<(Ty, Span)>,
    /// Constants of this function by what they are.
    pub consts: HashMap<ConstKey, usize>,
    /// How often each constant is named in an expression.
    pub const_uses: HashMap<usize, usize>,
    /// How often each constant is a bound of numbers that are not used.
    pub const_bounds: HashMap<usize, usize>,
    pub next_label: u32,
    /// By the calls that make an iterator of an array, the methods that are called on it.
    pub iterators: HashMap<NodeId, Ident>,
}

/// What is found out about the function at `index`.
pub fn infer(program: &mut Program, index: usize, kind: TaskKind, report: &mut Report) -> Typed {
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
        has_tile: params.iter().any(|param| matches!(param.ty, Ty::Tiled(_))),
        is_fast,
        obligations: Vec::new(),
        literals: Vec::new(),
        messages: Vec::new(),
        intos: Vec::new(),
        defaults: Vec::new(),
        consts: HashMap::new(),
        const_uses: HashMap::new(),
        const_bounds: HashMap::new(),
        next_label: 0,
        iterators: HashMap::new(),
    };
    cx.declare_generics(&item.sig.generics, kind);
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
    let found = cx.block(&item.block);
    cx.check_returned(&item, &found);
    let has_value = matches!(item.block.stmts.last(), Some(syn::Stmt::Expr(_, None)));
    match &item.sig.output {
        ReturnType::Type(_, ty) if !has_value => {
            let result = cx.result.clone();
            cx.expect(&found, &result, &**ty);
        }
        _ => cx.expect_result(&found, value_of(&item.block)),
    }
    cx.finish()
}

/// Where a block's value stands, for an error about its type.
pub fn value_of(block: &syn::Block) -> Place {
    match block.stmts.last() {
        Some(syn::Stmt::Expr(expr, None)) => expr.locate(),
        _ => block.locate(),
    }
}

impl FnCx<'_> {
    /// A new variable.
    pub fn new_local(&mut self, ident: &syn::Ident, ty: Ty) -> LocalId {
        self.typed.locals.push(Variable {
            name: ident.to_string(),
            ty,
            span: ident.span(),
        });
        LocalId(self.typed.locals.len() as u32 - 1)
    }

    /// A new label.
    pub fn new_label(&mut self) -> LabelId {
        self.next_label += 1;
        LabelId(self.next_label - 1)
    }

    /// Requires that `found` is `wanted`, and says whether it is; an expression that never
    /// completes may stand for anything.
    pub fn expect(&mut self, found: &Ty, wanted: &Ty, place: impl Locate) -> bool {
        if self.unifier.shallow(found) == Ty::Never {
            return true;
        }
        let agree = self.unifier.unify(found, wanted);
        if !agree {
            let (found, wanted) = (self.unifier.deep(found), self.unifier.deep(wanted));
            let help = conversion_help(&found, &wanted);
            let message = format!(
                "mismatched types: expected {}, found {}",
                self.show(&wanted),
                self.show(&found)
            );
            let error = self.report.error(Code::TypeMismatch, place, message);
            error.help = Some(help);
            self.unifier.poison(&found);
            self.unifier.poison(&wanted);
        }
        agree
    }

    /// Checks what was left open, and fills every table with final types.
    fn finish(mut self) -> Typed {
        self.settle_intos();
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
        for ty in typed.facts.iter_mut().filter_map(|facts| facts.ty.as_mut()) {
            *ty = self.unifier.defaulted(ty);
        }
        let lengths = std::mem::take(&mut self.unifier.equal_lengths);
        self.program.equal_lengths.extend(lengths);
        self.settle_structs(&typed);
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

    /// Whether a type still has an unknown part.
    pub fn is_open(&self, ty: &Ty) -> bool {
        match self.unifier.shallow(ty) {
            Ty::Var(_) => true,
            Ty::Tuple(parts) => parts.iter().any(|part| self.is_open(part)),
            Ty::Array(element, _) => self.is_open(&element),
            Ty::Reference { target, .. } => self.is_open(&target),
            Ty::Struct(_, applied) => applied.types.iter().any(|part| self.is_open(part)),
            _ => false,
        }
    }
}

fn conversion_help(found: &Ty, wanted: &Ty) -> String {
    match (found, wanted) {
        (Ty::Scalar(found), Ty::Scalar(wanted)) if found.is_half() || wanted.is_half() => {
            let from = format!("{}::from_f32(x)", wanted.name());
            let help = if wanted.is_half() {
                &from
            } else {
                "x.to_f32()"
            };
            format!("convert it: `{help}`")
        }
        (Ty::Scalar(_), Ty::Scalar(wanted)) if wanted.name() != "bool" => {
            format!("convert it: `value as {}`", wanted.name())
        }
        (Ty::Var(_), Ty::Scalar(Scalar::F32 | Scalar::F64)) => {
            "write a float literal: `1.0`".into()
        }
        (Ty::Scalar(_) | Ty::Var(_), Ty::Scalar(Scalar::Bool)) => "compare it: `x != 0`".into(),
        (Ty::Scalar(_) | Ty::Var(_), Ty::Scalar(_) | Ty::Var(_)) => {
            "convert one of them with `as`, or write a literal of the other's type".into()
        }
        (_, Ty::Unit) => "end it with `;`, or leave the value out".into(),
        (Ty::Unit, _) => "end with the value that is wanted, without `;`".into(),
        (Ty::Reference { mutable: false, .. }, Ty::Reference { mutable: true, .. }) => {
            "pass a place that can be written: `&mut x`".into()
        }
        (Ty::Reference { .. }, Ty::Reference { .. }) => {
            "pass a place that holds a value of that type".into()
        }
        (_, Ty::Reference { mutable: true, .. }) => "pass a place: `&mut x`".into(),
        (_, Ty::Reference { mutable: false, .. }) => "pass a reference: `&x`".into(),
        (Ty::Closure(_), _) => "call it: `f(x)`".into(),
        (Ty::Reference { .. }, _) => "read what it refers to: `*x`".into(),
        (Ty::View(found), Ty::View(wanted))
            if wanted.mutable && !found.mutable && found.element == wanted.element =>
        {
            "pass a view that can be written, as `&mut`".into()
        }
        (Ty::View(_), _) | (_, Ty::View(_)) => {
            "pass a view of that element type and rank, by its name".into()
        }
        _ => "make both the same type, part by part".into(),
    }
}

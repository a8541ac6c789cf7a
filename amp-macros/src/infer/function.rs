//! Inference of one function: its tables, and the order in which they are filled.

use std::collections::{HashMap, HashSet};

use amp_spirv::{
    diagnostic::Code,
    tree::{LabelId, LocalId, MemoryFence, Scalar, SubgroupOp, TileStaticId},
};
use proc_macro2::Span;
use syn::{Expr, FnArg, Ident, Pat, ReturnType, visit::Visit};

use super::{
    atomic::AtomicFunction,
    block_constants::ConstKey,
    cause::written,
    constant::ConstCast,
    conversion::Into,
    each::Each,
    generic::{Arguments, Parameters, Pending},
    key,
    message::PendingMessage,
    numeric::MathMethod,
    obligation::Obligation,
    program::{Names, Program},
    scope::Scopes,
    ty::{Applied, Len, Ty, Unifier},
    unsupported::Attributes,
    vector::VectorCall,
    view::Derived,
};
use crate::{
    import::TaskKind,
    message::Told,
    report::{Locate, Place, Report},
};

/// A variable.
#[derive(Clone)]
pub struct LocalVar {
    /// Rust name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Where it is declared.
    pub span: Span,
}

/// A tile_static variable.
#[derive(Clone)]
pub struct TileStaticVar {
    /// Rust name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Where it is declared.
    pub span: Span,
}

/// What a name in an expression means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// A variable.
    Local(LocalId),
    /// A tile_static variable of this function.
    TileStatic(TileStaticId),
    /// Index into [`Program::consts`].
    Const(usize),
    /// A constant that the compiler knows.
    Known(Known),
    /// A variant of an enum, index into [`Program::enums`].
    Variant { of: usize, position: usize },
}

/// A constant whose value needs no rustc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// A const parameter of type `usize`.
    Length(u32),
    /// `T::ZERO`
    Zero,
    /// `T::ONE`
    One,
    /// `S::SIDES` of a trait that bounds `S`, in the helper itself.
    OfBound,
}

/// What a call calls.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// Index into [`Program::functions`].
    Helper(usize),
    /// A tuple struct.
    TupleStruct,
    /// `Index::new`, `Index::from`: the argument is an array or a component.
    IndexFrom,
    /// A function or method of a vector or matrix, receiver first.
    Vector(VectorCall),
    /// A function of the library, of each component of a vector: index into
    /// [`Program::functions`].
    Each(usize),
    /// A numeric method or function, receiver first.
    Math(MathMethod),
    /// `x.clone()` of a value that is `Copy`.
    Copy,
    /// `v.extent()`
    ViewExtent,
    /// `v.section(origin, extent)` and the like.
    Derived(Derived),
    /// `e.size()`
    ExtentSize,
    /// `e.to_array()`, `i.to_array()`
    Components,
    /// `a.len()` of an array.
    ArrayLength(Len),
    /// `e.contains(i)`
    ExtentContains,
    /// `t_idx.barrier.wait()` and its flavours.
    Barrier(MemoryFence),
    /// `all_memory_fence(&t_idx.barrier)` and its flavours.
    Fence(MemoryFence),
    /// `device_memory_fence()`
    DeviceFence,
    /// `atomic_fetch_add(&mut a[i], x)` and the like.
    Atomic(AtomicFunction),
    /// `subgroup::reduce_add(x)` and the like.
    Subgroup(SubgroupOp),
    /// Index into [`Program::closures`].
    Closure(usize),
    /// What an assertion, panic or print became: the format string, its arguments.
    Told(Told),
    /// A parameter that is a closure, in the helper itself.
    ClosureParam,
    /// `x.to_f32()`, `T::from_i32(x)`: what `as` does.
    Convert,
    /// `T::default()` where that is zero.
    Zero,
}

/// What inference found out about a function.
#[derive(Default)]
pub struct Typed {
    /// Types of expressions.
    pub types: HashMap<usize, Ty>,
    /// Variables, parameters first.
    pub locals: Vec<LocalVar>,
    /// tile_static variables.
    pub tile_statics: Vec<TileStaticVar>,
    /// Variables by the pattern (`PatIdent`) that declares them.
    pub bindings: HashMap<usize, LocalId>,
    /// tile_static variables by the `let` (`Local`) that declares them.
    pub tile_static_lets: HashMap<usize, TileStaticId>,
    /// What paths in expressions mean.
    pub paths: HashMap<usize, Resolved>,
    /// What calls and method calls call.
    pub calls: HashMap<usize, Callee>,
    /// What the generic parameters of a called function stand for, by call.
    pub told: HashMap<usize, (Parameters, Applied)>,
    /// Calls of functions that the library has for methods: their paths.
    pub library: HashMap<usize, String>,
    /// Functions that are called, with the places of the calls, in order.
    pub callees: Vec<(usize, Span)>,
    /// Comparisons of structs, part by part: what `#[derive(PartialEq)]` does.
    pub by_parts: HashSet<usize>,
    /// Labels of loops and labelled blocks, and targets of `break` and `continue`.
    pub labels: HashMap<usize, LabelId>,
    /// Functions in the body, by their items: indices into [`Program::functions`].
    pub nested: HashMap<usize, usize>,
    /// What a `for` over an array visits, by the loop.
    pub each: HashMap<usize, Each>,
    /// How many labels there are.
    pub labels_used: u32,
    /// Constants like `Vec3::ZERO`, by the types whose they are.
    pub vector_constants: HashMap<usize, Ty>,
    /// The first of the numbers of a constant that is a vector or matrix.
    pub constant_parts: HashMap<usize, usize>,
    /// Casts of constants.
    pub const_casts: HashMap<usize, ConstCast>,
    /// Types written in casts and typed patterns.
    pub written: HashMap<usize, Ty>,
    /// References that are dereferenced without a `*`, as in `pair.0`; [`Typed::types`]
    /// has the type of what they name.
    pub dereferenced: HashSet<usize>,
    /// Lengths of repeat expressions.
    pub lengths: HashMap<usize, Len>,
}

impl Typed {
    /// Type of an expression.
    pub fn ty(&self, expr: &Expr) -> &Ty {
        self.types.get(&key(expr)).unwrap_or(&Ty::Error)
    }
}

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
    pub iterators: HashMap<usize, Ident>,
}

/// Fills the tables of the function at `index`.
pub fn infer(program: &mut Program, index: usize, kind: TaskKind, report: &mut Report) -> Typed {
    let function = &program.functions[index];
    let item = function.item.clone();
    let params = function.params.clone();
    let result = function.result.clone();
    let names = function.names.clone();
    let arguments = function.arguments.clone();
    let is_fast = program.is_fast(index);
    let mut cx = FnCx {
        arguments,
        pending: Vec::new(),
        first_closure: program.closures.len(),
        program,
        report,
        owner: index,
        names,
        typed: Typed::default(),
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
        // Behind such a reference is Rust's own in the twin, which nothing else may touch.
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
        self.typed.locals.push(LocalVar {
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
        for ty in typed.types.values_mut() {
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

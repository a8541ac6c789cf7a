//! A function while it is being inferred, and what waits until its types are known.

use std::collections::{HashMap, HashSet};

use amp_spirv::{
    diagnostic::Code,
    tree::{LabelId, LocalId, Scalar},
};
use proc_macro2::Span;
use quote::ToTokens;
use syn::{Expr, Ident, Type, spanned::Spanned};

use super::{
    names::{ConstKey, Meaning, Names},
    node::NodeId,
    program::Program,
    scope::Scopes,
    shown::{name, show},
    ty::{Arguments, Kind, Len, Ty, Unifier},
    type_expr::{TypeScope, literal_usize, read_type},
    typed::{Typed, Variable},
};
use crate::{
    language::{method::half_of, name::path_key},
    message::format::Format,
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

/// The call of a generic helper whose arguments are not all known yet.
pub struct Pending {
    pub call: NodeId,
    pub span: Span,
    pub template: usize,
    pub types: Vec<Ty>,
    pub lengths: Vec<Len>,
}

/// A message whose arguments' types may not be known yet.
pub struct PendingMessage {
    pub format: Format,
    pub operands: Vec<(Ty, Place)>,
}

/// An operand type that must turn out to belong to a class.
pub struct Obligation {
    pub ty: Ty,
    pub class: Class,
    pub operator: &'static str,
    pub span: Span,
    /// What the operand would be a value of if it were a variant: `E` of `E::A`, of which nothing
    /// is known.
    pub owner: Option<String>,
}

/// A class of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Integers and floats.
    Number,
    /// Integers and floats with a sign.
    Signed,
    /// Integers.
    Integer,
    /// Integers and `bool`.
    Bits,
    /// Scalars.
    Comparable,
    /// Integers and `bool`, which are `Ord`.
    Ordered,
    /// `i32`, `u32`, `f32`, `bool`, `usize`: what `as` converts.
    Castable,
}

/// `x.into()` and `x.try_into()`, whose type is told by what stands around it.
pub struct Into {
    pub node: NodeId,
    pub receiver: Ty,
    pub result: Ty,
    /// The type of what it fails with, if it can.
    pub error: Option<Ty>,
    pub span: Span,
}

/// `x.try_into()?`, whose error may be converted to that of the function.
pub struct Propagated {
    pub node: NodeId,
    pub error: Ty,
    /// The error that the function returns.
    pub returned: Ty,
    pub span: Span,
}

impl Into {
    /// The trait that a type implements for the conversion, and its function.
    pub fn function(&self) -> (&'static str, &'static str) {
        match self.error {
            None => ("From", "from"),
            Some(_) => ("TryFrom", "try_from"),
        }
    }
}

/// A call of one of several functions, which its value's type tells.
pub struct Undecided {
    pub node: NodeId,
    pub span: Span,
    pub functions: Vec<usize>,
    pub result: Ty,
}

/// A function while it is being inferred.
pub struct FnCx<'a> {
    /// The arguments of the function's generic parameters.
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
    /// The types of the places that branches choose among.
    pub choices: HashMap<String, Ty>,
    /// Whether floats are the device's own here.
    pub is_fast: bool,
    pub obligations: Vec<Obligation>,
    pub literals: Vec<PendingLiteral>,
    pub messages: Vec<PendingMessage>,
    /// Calls of one of several functions.
    pub undecided: Vec<Undecided>,
    /// Calls of `into`.
    pub intos: Vec<Into>,
    /// Those of `?` whose error an [`Into`] tells.
    pub propagated: Vec<Propagated>,
    /// The sums and products of chains, as expressions and as calls, with what gives those of no values, and
    /// their places.
    pub sums: Vec<((NodeId, NodeId), String, Span)>,
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
    /// The variables that name elements of the thread's own arrays, by references of the run time's.
    pub own_elements: HashSet<LocalId>,
    /// The variables that name what only this thread uses by reference, and those that lead there.
    pub thread_own: HashMap<LocalId, Option<LocalId>>,
    /// Expressions whose values are slices that become values, with the type of those that are no choices.
    pub wanted_slices: HashMap<NodeId, Option<Ty>>,
    /// The names of the first of several patterns, which the others have too.
    pub alternatives: Vec<LocalId>,
}

impl FnCx<'_> {
    /// Reads a type that stands in the body.
    pub fn read_type(&mut self, ty: &Type) -> Ty {
        read_type(ty, self)
    }

    /// A type as a message shows it.
    pub fn show(&self, ty: &Ty) -> String {
        show(self.program, &self.unifier.deep(ty), Some(&self.unifier))
    }

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
            let help = conversion_help(self.program, &found, &wanted);
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

    /// Whether a type still has an unknown part.
    pub fn is_open(&self, ty: &Ty) -> bool {
        match self.unifier.shallow(ty) {
            Ty::Var(_) => true,
            known => known.parts().any(|part| self.is_open(part)),
        }
    }
}

impl TypeScope for FnCx<'_> {
    fn meaning(&self, path: &str) -> Option<Meaning> {
        self.names.get(path)
    }

    fn program(&self) -> &Program {
        self.program
    }

    fn program_mut(&mut self) -> &mut Program {
        self.program
    }

    fn told(&mut self) -> Option<Ty> {
        Some(self.unifier.fresh(Kind::Any))
    }

    fn parameter(&self, name: &str) -> Option<Ty> {
        self.arguments.types.get(name).cloned()
    }

    fn number(&mut self, expr: &Expr, ty: &Ty) -> Len {
        if let Expr::Path(path) = expr
            && let Some(length) = self.arguments.lengths.get(&path_key(&path.path))
        {
            return *length;
        }
        match literal_usize(expr) {
            Some(number) => Len::Literal(number),
            None => {
                Len::Const(self.constant(expr.to_token_stream(), Some(ty.clone()), expr.span()))
            }
        }
    }

    fn report(&mut self) -> &mut Report {
        self.report
    }
}

fn conversion_help(program: &Program, found: &Ty, wanted: &Ty) -> String {
    match (found, wanted) {
        (stored, of) | (of, stored) if program.is_zero_by_default(stored) && program.is_enum(of) => {
            let name = name(program, stored);
            format!("`stored.value()` of a `{name}` is the enum, and `{name}::from(value)` makes one")
        }
        (Ty::Scalar(_) | Ty::Var(_), Ty::Param(_)) => {
            "any type may stand for it: take the value as a parameter, or bound it by `Scalar`, which has \
             `from_f32`, or by `From<u8>`"
                .into()
        }
        (Ty::Scalar(found), Ty::Scalar(wanted)) if found.is_half() || wanted.is_half() => {
            match wanted.is_half() {
                true => format!("convert it: {}", half_of(*wanted, "x")),
                false => "convert it: `x.to_f32()`".into(),
            }
        }
        (Ty::Var(_), Ty::Scalar(wanted)) if wanted.is_half() => {
            format!("write {}", half_of(*wanted, "1.0"))
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
        (Ty::View(_), Ty::Reference { target, .. }) if matches!(**target, Ty::Slice(_)) => {
            "slices are parts of arrays; a helper takes a view as `&ArrayView<T, 1>`".into()
        }
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

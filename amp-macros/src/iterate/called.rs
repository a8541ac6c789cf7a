//! Calls of functions that return iterators and closures, which `sugar::returned` has written anew.
//!
//! ```text
//! for x in evens(n) { body }       evens(n, |x| { body; false });
//! let s = scaler(2.0);             let k = 2.0; let s = |x| scaler(k, x);
//! ```
//!
//! `passed_on` writes them so. Which functions these are is known when the program's functions are: a chain that such a call may
//! be the source of is left as it is before. `given` makes the closure of a loop's body.

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use proc_macro2::Ident;
use syn::{
    Expr, FnArg, Generics, ImplItem, ItemFn, ItemImpl, ItemStruct, Member, Path, ReceiverKind,
    Signature, Stmt, Type,
};

use super::{
    Names, bare,
    body::Body,
    is_known, is_of_slices,
    operators::Operators,
    own_sources,
    result::{Returned, What},
    signatures::{is_range, result_name, taken, type_name},
    sliced::Sliced,
};
use crate::language::{
    COLLECTS, VISITS, VISITS_BEHIND,
    name::{is_of_type, local_key},
    returned::{METHOD, Taken},
};

/// The functions by their paths, and the methods by their names.
#[derive(Default)]
pub struct Called {
    functions: HashMap<String, Returned>,
    methods: HashMap<String, Returned>,
    /// Those that take iterators: which of their arguments, a receiver among these, are some.
    takes: HashMap<String, Vec<Option<Taken>>>,
    methods_take: HashMap<String, Vec<Option<Taken>>>,
    /// The types with a method of a name that returns none of these.
    others: HashMap<String, HashSet<String>>,
    /// Those by the names of methods of arrays, of which types have them.
    own_sources: HashMap<String, HashMap<String, Returned>>,
    /// The types that are iterators themselves.
    iterators: HashSet<String>,
    operators: Operators,
    /// The types with methods of their own by the names of adapters or ends, where either may be called.
    with_adapters: HashSet<String>,
    /// The methods of iterators by such names, which are called in the stead of these.
    own_methods: HashMap<String, HashSet<String>>,
    /// The methods that loops over values of types call, by the types: those of references to it, and of the type
    /// itself.
    visited: HashMap<String, [Option<Ident>; 2]>,
    /// The types that functions return, by their paths.
    made: HashMap<String, String>,
    /// Those that methods return, by their names, where all of a name return the same.
    made_by_methods: HashMap<String, Option<String>>,
    /// Those that return slices.
    pub(super) sliced: Sliced,
    /// The fields of structs by their names: whether those of all structs are ranges.
    fields: HashMap<String, bool>,
    /// Their types, where those of all structs have the same.
    field_types: HashMap<String, Option<String>>,
}

/// The methods of iterators that do not take these by value.
const BY_REFERENCE: &[&str] = &[
    "all",
    "any",
    "find",
    "find_map",
    "len",
    "next",
    "next_back",
    "nth",
    "position",
    "rposition",
    "try_fold",
    "try_for_each",
];

/// The call of a function that returns an iterator.
#[derive(Clone)]
pub struct Yield {
    pub call: Expr,
    /// Of each part of an item that is a reference, whether it is one to write.
    pub parts: Vec<Option<bool>>,
}

impl Called {
    /// Adds a function of the module, whose names mean the same where it is called.
    pub fn own_function(&mut self, function: &ItemFn) {
        let (path, signature) = (function.sig.ident.to_string(), &function.sig);
        self.function(&path, signature);
        let returned = Returned::with_body(signature, &function.block, &Generics::default());
        if let Some(returned) = returned {
            self.functions.insert(path, returned);
        }
    }

    /// Adds a function.
    pub fn function(&mut self, path: &str, signature: &Signature) {
        if let Some(returned) = Returned::of(signature) {
            self.functions.insert(path.to_owned(), returned);
        }
        if let Some(taken) = taken(signature) {
            self.takes.insert(path.to_owned(), taken);
        }
        if let Some(made) = result_name(signature) {
            self.made.insert(path.to_owned(), made);
        }
        self.sliced.function(path, signature);
    }

    /// Adds the fields of a struct.
    pub fn structure(&mut self, item: &ItemStruct) {
        for field in &item.fields {
            if let Some(name) = &field.ident {
                let is_range = is_range(&field.ty);
                let known = self.fields.entry(name.to_string()).or_insert(is_range);
                *known &= is_range;
                let ty = type_name(&field.ty);
                let types = &mut self.field_types;
                let known = types.entry(name.to_string()).or_insert_with(|| ty.clone());
                if *known != ty {
                    *known = None;
                }
            }
        }
    }

    /// The type of a field.
    pub(super) fn type_of_field(&self, field: &Member) -> Option<String> {
        match field {
            Member::Named(name) => self.field_types.get(&name.to_string())?.clone(),
            Member::Unnamed(_) => None,
        }
    }

    /// Whether an expression is a field that is a range.
    pub(super) fn is_range_field(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Field(field) if self.is_range_named(&field.member))
    }

    /// Whether the fields of this name are ranges.
    pub(super) fn is_range_named(&self, field: &Member) -> bool {
        matches!(field, Member::Named(name) if self.fields.get(&name.to_string()) == Some(&true))
    }

    /// Adds the methods of a block, which may be one of the module.
    pub fn block(&mut self, block: &ItemImpl, is_own: bool) {
        let own = type_name(&block.self_ty);
        let of_trait = block
            .trait_
            .as_ref()
            .and_then(|(path, _)| path.segments.last());
        self.operators.add(block);
        if of_trait.is_some_and(|of_trait| of_trait.ident == "Iterator") {
            self.iterators.extend(own.clone());
        }
        for part in &block.items {
            if block.trait_.is_none()
                && let (Some(own), ImplItem::Fn(function)) = (&own, part)
                && let name = function.sig.ident.to_string()
                && is_known(&name)
                && let Some(FnArg::Receiver(receiver)) = function.sig.inputs.first()
            {
                // Rust looks for methods of the value before those of references to it.
                let is_by_value = match &receiver.kind {
                    ReceiverKind::Typed(_, ty) => !matches!(**ty, Type::Reference(_)),
                    kind => matches!(kind, ReceiverKind::Value),
                };
                match is_by_value || BY_REFERENCE.contains(&&*name) {
                    true => {
                        _ = self
                            .own_methods
                            .entry(name)
                            .or_default()
                            .insert(own.clone())
                    }
                    false => _ = self.with_adapters.insert(own.clone()),
                }
            }
            if let (Some(own), ImplItem::Fn(function)) = (&own, part) {
                let method = &function.sig.ident;
                let name = method.to_string();
                let which = match &name {
                    name if name.starts_with(VISITS_BEHIND) => Some(0),
                    name if name.starts_with(VISITS) => Some(1),
                    _ => None,
                };
                if let Some(which) = which {
                    let visited = self.visited.entry(own.clone()).or_default();
                    visited[which] = Some(method.clone());
                }
            }
            if let (Some(own), ImplItem::Fn(function)) = (&own, part)
                && let Some(made) = result_name(&function.sig)
            {
                let made = if made == "Self" { own.clone() } else { made };
                self.made
                    .insert(format!("{own}::{}", function.sig.ident), made);
            }
            if let ImplItem::Fn(method) = part {
                self.sliced.method(own.as_ref(), &method.sig);
            }
            if let ImplItem::Fn(method) = part
                && let Some(FnArg::Receiver(_)) = method.sig.inputs.first()
            {
                self.method(own.as_ref(), &method.sig);
            }
            if let ImplItem::Fn(method) = part {
                let name = method.sig.ident.to_string();
                if let Some(taken) = taken(&method.sig) {
                    let name = name.strip_prefix(METHOD).unwrap_or(&name);
                    self.methods_take.insert(name.to_owned(), taken);
                }
                let returned = match is_own {
                    true => Returned::with_body(&method.sig, &method.block, &block.generics),
                    false => Returned::of(&method.sig),
                };
                match returned {
                    Some(returned) => {
                        let name = name.strip_prefix(METHOD).unwrap_or(&name);
                        match &own {
                            Some(own) if own_sources::is_doubtful(name) => {
                                let methods = self.own_sources.entry(own.clone()).or_default();
                                methods.insert(name.to_owned(), returned);
                            }
                            _ => _ = self.methods.insert(name.to_owned(), returned),
                        }
                    }
                    None => {
                        let others = self.others.entry(name).or_default();
                        others.extend(own.clone());
                    }
                }
            }
        }
    }

    /// Notes what a method of a type makes, unless arrays or iterators have a method of this name.
    fn method(&mut self, own: Option<&String>, signature: &Signature) {
        let name = signature.ident.to_string();
        if is_known(&name) || is_of_slices(&name) || name == "into_iter" {
            return;
        }
        let made = result_name(signature);
        let made = match made.as_deref() {
            Some("Self") => own.cloned(),
            _ => made,
        };
        match self.made_by_methods.get_mut(&name) {
            Some(known) if *known != made => *known = None,
            Some(_) => {}
            None => _ = self.made_by_methods.insert(name, made),
        }
    }

    /// Whether a type is an iterator itself.
    pub(super) fn is_iterator(&self, ty: &Type) -> bool {
        match ty {
            Type::Reference(reference) => self.is_iterator(&reference.elem),
            ty => type_name(ty).is_some_and(|name| self.is_iterator_named(&name)),
        }
    }

    /// Whether an expression makes an iterator of such a type.
    pub(super) fn makes_iterator(&self, expr: &Expr) -> bool {
        self.made_by(expr)
            .is_some_and(|name| self.is_iterator_named(&name))
    }

    /// The type that an expression makes a value of which loops visit.
    pub(super) fn makes_visited(&self, expr: &Expr) -> Option<String> {
        let made = self.made_by(expr)?;
        self.is_visited(&made).then_some(made)
    }

    /// The type of values that loops visit, if a type is one, or a reference to one.
    pub(super) fn visited_type(&self, ty: &Type) -> Option<String> {
        match ty {
            Type::Reference(reference) => self.visited_type(&reference.elem),
            ty => type_name(ty).filter(|name| self.is_visited(name)),
        }
    }

    /// Whether a type says how loops visit its values, or what makes iterators of them.
    fn is_visited(&self, name: &str) -> bool {
        self.visited.contains_key(name) || self.own_sources.contains_key(name)
    }

    /// Whether a type has a method of its own by the name of one of arrays.
    pub(super) fn has_own_source(&self, of: &str, method: &str) -> bool {
        let methods = self.own_sources.get(of);
        methods.is_some_and(|methods| methods.contains_key(method))
    }

    /// The method that a loop over a value of such a type calls, or over a reference to it.
    pub(super) fn visits(&self, of: &str, is_behind: bool) -> Option<&Ident> {
        self.visited.get(of)?[usize::from(!is_behind)].as_ref()
    }

    /// The name of the type that an expression makes a value of.
    fn made_by(&self, expr: &Expr) -> Option<String> {
        match bare(expr) {
            Expr::Struct(of) => of.path.segments.last().map(|last| last.ident.to_string()),
            Expr::Block(block) => match block.block.stmts.last()? {
                Stmt::Expr(end, None) => self.made_by(end),
                _ => None,
            },
            Expr::Call(call) => match bare(&call.func) {
                Expr::Path(path) => {
                    let key = local_key(&path.path);
                    Some(self.made.get(&key).cloned().unwrap_or(key))
                }
                _ => None,
            },
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                self.made_by_methods.get(&name).cloned().flatten()
            }
            _ => None,
        }
    }

    /// Whether an operator makes an iterator of one, whatever iterators there are.
    pub(super) fn operator_makes_iterator(&self, of_trait: &str) -> bool {
        let is_iterator = |name: &str| self.is_iterator_named(name);
        self.operators.make_only(of_trait, &is_iterator)
    }

    /// Whether a type is made of what an iterator yields.
    pub(super) fn collects(&self, ty: &Path) -> bool {
        let last = ty.segments.last();
        last.is_some_and(|of| {
            self.made
                .contains_key(&format!("{}::{METHOD}{COLLECTS}", of.ident))
        })
    }

    /// Whether a type has a method that takes items from the other end.
    pub(super) fn has_next_back(&self) -> bool {
        self.others.contains_key("next_back")
    }

    /// Whether the method of this name is one that an iterator has itself.
    pub(super) fn is_own_method(&self, name: &str) -> bool {
        let types = self.own_methods.get(name);
        types.is_some_and(|types| types.iter().any(|of| self.is_iterator_named(of)))
    }

    fn is_iterator_named(&self, name: &str) -> bool {
        self.iterators.contains(name) && !self.with_adapters.contains(name)
    }

    /// Whether any type is one.
    pub fn has_iterators(&self) -> bool {
        !self.iterators.is_empty()
    }

    /// What a call returns, if it is one of these functions that is called.
    pub(super) fn of_call(&self, expr: &Expr) -> Option<&Returned> {
        let (returned, given) = match bare(expr) {
            Expr::Call(call) => {
                let Expr::Path(path) = bare(&call.func) else {
                    return None;
                };
                let own = match is_of_type(&path.path) {
                    true => self
                        .methods
                        .get(&path.path.segments.last()?.ident.to_string()),
                    false => self.functions.get(&local_key(&path.path)),
                };
                (own?, call.args.len())
            }
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                if let Some(others) = self.others.get(&name)
                    && let Some(receiver) = self.made_by(&call.receiver)
                    && others.contains(&receiver)
                {
                    return None;
                }
                let known = match own_sources::owned(&name) {
                    Some((of, name)) => self.own_sources.get(of)?.get(name),
                    None => self.methods.get(&name),
                };
                (known?, call.args.len() + 1)
            }
            _ => return None,
        };
        (returned.given == given).then_some(returned)
    }

    /// Which parts of the tuple that a call returns are ranges.
    pub(super) fn ranges_of(&self, call: &Expr) -> Option<&[bool]> {
        match &self.of_call(call)?.what {
            What::Tuple(parts) => Some(parts),
            _ => None,
        }
    }

    /// Which arguments of a call, a receiver among these, are iterators.
    pub(super) fn taken_by(&self, call: &Expr) -> Option<&[Option<Taken>]> {
        let (taken, given) = match bare(call) {
            Expr::Call(call) => {
                let Expr::Path(path) = bare(&call.func) else {
                    return None;
                };
                let taken = match is_of_type(&path.path) {
                    true => {
                        let name = path.path.segments.last()?.ident.to_string();
                        self.methods_take.get(&name)?
                    }
                    false => self.takes.get(&local_key(&path.path))?,
                };
                (taken, call.args.len())
            }
            Expr::MethodCall(call) => {
                let taken = self.methods_take.get(&call.method.to_string())?;
                (taken, call.args.len() + 1)
            }
            _ => return None,
        };
        (taken.len() == given).then_some(taken)
    }
}

impl Names {
    /// Whether what an expression is depends on functions that are not known yet.
    pub(super) fn is_later(&self, expr: &Expr) -> bool {
        self.called.is_none() && matches!(bare(expr), Expr::Call(_) | Expr::MethodCall(_))
    }

    fn of_call(&self, expr: &Expr) -> Option<&Returned> {
        self.called.as_ref()?.of_call(expr)
    }

    /// Whether a call returns an iterator or a closure.
    pub(super) fn returns(&self, expr: &Expr) -> bool {
        self.iterator_of_call(expr).is_some() || self.parameters_of_call(expr).is_some()
    }

    /// The parts of an item of the iterator that a call returns.
    pub(super) fn iterator_of_call(&self, expr: &Expr) -> Option<Vec<Option<bool>>> {
        match &self.of_call(expr)?.what {
            What::Iterator(parts) => Some(parts.clone()),
            _ => None,
        }
    }

    /// What a function does before it returns an iterator, if that can be written where it is called.
    pub(super) fn body_of_call(&self, expr: &Expr) -> Option<Rc<Body>> {
        self.of_call(expr)?.unfolded.clone()
    }

    /// How many parameters the closure has that a call returns.
    pub(super) fn parameters_of_call(&self, expr: &Expr) -> Option<usize> {
        match self.of_call(expr)?.what {
            What::Closure(parameters) => Some(parameters),
            _ => None,
        }
    }

    /// Whether an expression is the place of a range: a variable, or a field.
    pub(super) fn is_place_of_range(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Path(_) | Expr::Field(_)) && self.is_range(expr)
    }

    /// Whether an expression is a range that is a value: a name, a field, a call, or a copy.
    pub(super) fn is_range(&self, expr: &Expr) -> bool {
        match bare(expr) {
            Expr::Range(_) => false,
            Expr::MethodCall(call) if call.method == "clone" => self.is_range(&call.receiver),
            name @ Expr::Path(_) => self.known.is_range(name),
            field @ Expr::Field(_) => {
                let called = self.called.as_ref();
                called.is_some_and(|called| called.is_range_field(field))
            }
            call => matches!(
                self.of_call(call),
                Some(Returned {
                    what: What::Range,
                    ..
                })
            ),
        }
    }
}

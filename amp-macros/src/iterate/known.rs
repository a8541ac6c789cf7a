//! What syntax tells of variables: which are references, which are arrays, which of these slices, and which
//! are views.
//!
//! A name is told by its last declaration before a use. What that gets wrong is refused later, by inference
//! or by rustc, and not compiled otherwise.

mod value;

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use proc_macro2::Ident;
use syn::{
    Expr, ExprAssign, ExprReference, FnArg, ItemFn, Local, Pat, PatIdent, PatStruct, PatTuple,
    PatType, ReceiverKind, Type, UnOp, parse_quote_spanned, spanned::Spanned,
};

use super::{
    bare,
    called::Called,
    shape::{Shape, depth_within_fields},
};
use crate::visit::{self, Visit};

/// See the module's documentation.
#[derive(Clone, Default)]
pub struct Known {
    references: HashSet<String>,
    /// The references to what may be written.
    writable: HashSet<String>,
    slices: HashSet<String>,
    /// How many arrays stand in each other, `[[T; N]; M]` for two, of those of which more than one does.
    depths: HashMap<String, usize>,
    /// Those whose length is no part of the type.
    unsized_ones: HashSet<String>,
    views: HashSet<String>,
    /// Those of the type `Range`.
    ranges: HashSet<String>,
    /// Those that are assigned as a whole.
    assigned: HashSet<String>,
    /// What those refer to that are declared without a value.
    deferred: HashMap<String, Shape>,
    /// Those that may change, or what they refer to: all that the function declares by `mut`, or as
    /// references of `&mut`.
    mutable: HashSet<String>,
    /// Those of iterators.
    kept: HashMap<String, Chain>,
    /// Those of types that are iterators, which the functions tell once they are known.
    own: HashSet<String>,
    /// Whether `self` is a value.
    owns_self: bool,
    /// The types of those whose types say how loops visit them.
    visited: HashMap<String, String>,
    called: Option<Rc<Called>>,
}

/// What is known of an iterator where its name stands.
#[derive(Clone)]
pub struct Chain {
    /// The variable of what is left of it.
    pub left: String,
    /// The names that it mentions.
    mentioned: Rc<HashSet<String>>,
    /// The one of these that has been declared anew.
    pub hidden: Option<String>,
}

impl Known {
    /// What a function tells before its statements are read.
    pub fn of(function: &ItemFn, called: Option<Rc<Called>>) -> Self {
        struct Changed<'a>(&'a mut Known);
        impl Visit<'_> for Changed<'_> {
            fn visit_expr_assign(&mut self, assign: &ExprAssign) {
                self.0.assigned.extend(named(&assign.left));
                if let value @ Expr::Reference(_) = bare(&assign.right)
                    && let Some(name) = named(&assign.left)
                {
                    self.0.assign_reference(name, value);
                }
                visit::visit_expr_assign(self, assign);
            }

            fn visit_pat_ident(&mut self, pattern: &PatIdent) {
                if pattern.mutability.is_some() {
                    self.0.mutable.insert(pattern.ident.to_string());
                }
                visit::visit_pat_ident(self, pattern);
            }

            fn visit_pat_type(&mut self, typed: &PatType) {
                if let (Pat::Ident(name), Type::Reference(ty)) = (&*typed.pat, &*typed.ty)
                    && ty.mutability.is_some()
                {
                    self.0.mutable.insert(name.ident.to_string());
                }
                visit::visit_pat_type(self, typed);
            }

            fn visit_local(&mut self, local: &Local) {
                if let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init)
                    && let Expr::Reference(reference) = &*init.expr
                    && reference.mutability.is_some()
                {
                    self.0.mutable.insert(name.ident.to_string());
                }
                visit::visit_local(self, local);
            }
        }
        let mut known = Self {
            called,
            ..Self::default()
        };
        Changed(&mut known).visit_item_fn(function);
        for input in &function.sig.inputs {
            match input {
                FnArg::Typed(typed) => {
                    if let Pat::Ident(name) = &*typed.pat {
                        let shape = known.shape_of_type(&typed.ty);
                        known.note(&name.ident.to_string(), shape);
                        let called = known.called.clone();
                        let visited = called.and_then(|called| called.visited_type(&typed.ty));
                        known.note_visited(&name.ident, visited);
                    }
                }
                FnArg::Receiver(receiver) => {
                    known.owns_self = match &receiver.kind {
                        ReceiverKind::Typed(_, ty) => !matches!(**ty, Type::Reference(_)),
                        kind => matches!(kind, ReceiverKind::Value),
                    };
                    if let ReceiverKind::Typed(_, ty) = &receiver.kind {
                        let shape = known.shape_of_type(ty);
                        known.note("self", shape);
                        let called = known.called.clone();
                        let visited = called.and_then(|called| called.visited_type(ty));
                        let this = Ident::new("self", receiver.self_token.span());
                        known.note_visited(&this, visited);
                    }
                }
            }
        }
        known
    }

    /// What a `let` tells.
    pub fn declare(&mut self, local: &Local) {
        let (pattern, written) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let Pat::Ident(name) = pattern else {
            self.forget(pattern);
            match (pattern, &local.init) {
                (Pat::Tuple(parts), Some(init)) => {
                    self.declare_ranges(parts, &init.expr);
                    self.declare_own(parts, &init.expr);
                }
                (Pat::Slice(parts), Some(init)) => {
                    let depth = self.depth(&init.expr);
                    parts
                        .elems
                        .iter()
                        .for_each(|part| self.declare_element(part, depth));
                }
                _ => {}
            }
            return;
        };
        let shape = match (written, &local.init) {
            (Some(ty), _) => self.shape_of_type(ty),
            (None, Some(init)) => self.shape_of_variable(&init.expr),
            (None, None) => {
                let shape = self.deferred.get(&name.ident.to_string());
                shape.copied().unwrap_or_default()
            }
        };
        self.note(&name.ident.to_string(), shape);
        let called = self.called.clone();
        let visited = called.and_then(|called| match (written, &local.init) {
            (Some(ty), _) => called.visited_type(ty),
            (None, Some(init)) => match bare(&init.expr) {
                Expr::Reference(reference) => self.visited_value(&reference.expr, &called),
                value => self.visited_value(value, &called),
            },
            (None, None) => None,
        });
        self.note_visited(&name.ident, visited);
    }

    /// The type of an expression, if it says how loops visit its values.
    fn visited_value(&self, value: &Expr, called: &Called) -> Option<String> {
        let of_name = named(value).and_then(|name| self.visited.get(&name).cloned());
        of_name.or_else(|| called.makes_visited(value))
    }

    /// The type of a value that has a method of its own by the name of one of arrays.
    pub fn owner_of(&self, receiver: &Expr, method: &str) -> Option<String> {
        let called = self.called.as_ref()?;
        let value = match bare(receiver) {
            Expr::Reference(reference) => bare(&reference.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => bare(&unary.expr),
            value => value,
        };
        let of = match value {
            Expr::Field(field) => called.type_of_field(&field.member),
            value => self.visited_value(value, called),
        }?;
        called.has_own_source(&of, method).then_some(of)
    }

    fn note_visited(&mut self, name: &Ident, visited: Option<String>) {
        match visited {
            Some(of) => self.visited.insert(name.to_string(), of),
            None => self.visited.remove(&name.to_string()),
        };
    }

    /// What a loop visits instead of a value whose type says so: `grid` and `&grid`.
    pub fn visited(&self, source: &Expr) -> Option<Expr> {
        let called = self.called.as_ref()?;
        let (variable, is_behind) = match bare(source) {
            Expr::Reference(reference) if reference.mutability.is_none() => {
                (bare(&reference.expr), true)
            }
            name => (name, self.is_reference(name)),
        };
        let of = self.visited_value(variable, called)?;
        let method = called.visits(&of, is_behind)?;
        let mut method = method.clone();
        method.set_span(method.span().located_at(source.span()));
        Some(parse_quote_spanned!(source.span()=> #variable.#method()))
    }

    /// Notes what a name refers to that is declared without a value.
    pub fn assign_reference(&mut self, name: String, reference: &Expr) {
        let shape = self.shape_of_value(reference);
        self.deferred.insert(name, shape);
    }

    /// Notes that a name is that of a reference to a place.
    pub fn declare_reference(&mut self, name: &Ident, reference: &ExprReference) {
        let shape = Shape {
            is_reference: true,
            is_writable: reference.mutability.is_some(),
            ..self.shape_of_variable(&reference.expr)
        };
        self.note(&name.to_string(), shape);
    }

    /// What a loop tells of its pattern.
    pub fn declare_items(&mut self, pattern: &Pat, source: &Expr) {
        self.forget(pattern);
        let source = match bare(source) {
            Expr::MethodCall(call)
                if matches!(&*call.method.to_string(), "iter" | "iter_mut" | "into_iter") =>
            {
                &*call.receiver
            }
            source => source,
        };
        self.declare_element(pattern, self.depth(source).max(depth_within_fields(source)));
    }

    /// Notes that a name is that of an element of so many arrays in each other.
    fn declare_element(&mut self, pattern: &Pat, depth: usize) {
        if let Pat::Ident(PatIdent {
            ident,
            subpat: None,
            ..
        }) = pattern
        {
            self.note(
                &ident.to_string(),
                Shape::of_arrays(depth.saturating_sub(1)),
            );
        }
    }

    /// Notes that nothing is known of the names of a pattern.
    pub fn forget(&mut self, pattern: &Pat) {
        struct Names<'a>(&'a mut Known);
        impl Visit<'_> for Names<'_> {
            fn visit_pat_ident(&mut self, pattern: &PatIdent) {
                self.0.note(&pattern.ident.to_string(), Shape::default());
                visit::visit_pat_ident(self, pattern);
            }

            fn visit_pat_struct(&mut self, pattern: &PatStruct) {
                visit::visit_pat_struct(self, pattern);
                for field in &pattern.fields {
                    let called = self.0.called.as_ref();
                    if let Pat::Ident(name) = &*field.pat
                        && called.is_some_and(|called| called.is_range_named(&field.member))
                    {
                        self.0.declare_range(&name.ident);
                    }
                }
            }
        }
        Names(self).visit_pat(pattern);
    }

    /// Whether the function has `self` by value.
    pub fn owns_self(&self) -> bool {
        self.owns_self
    }

    /// Whether a name is that of a reference.
    pub fn is_reference(&self, expr: &Expr) -> bool {
        named(expr).is_some_and(|name| self.references.contains(&name))
    }

    /// Whether an expression is a reference to what may be written.
    pub fn is_writable(&self, expr: &Expr) -> bool {
        self.shape_of_value(expr).is_writable
    }

    /// Whether a name may be that of a slice that is assigned another.
    pub fn is_assigned_slice(&self, expr: &Expr) -> bool {
        let is_array = |name: &str| {
            self.slices.contains(name)
                && !self.unsized_ones.contains(name)
                && !self.references.contains(name)
        };
        named(expr).is_some_and(|name| self.assigned.contains(&name) && !is_array(&name))
    }

    /// Whether a variable of this name, or what it refers to, may change.
    pub fn is_mutable(&self, name: &str) -> bool {
        self.mutable.contains(name)
    }

    /// Whether a variable of this name is a reference to what may change.
    pub fn is_mutable_reference(&self, name: &str) -> bool {
        self.is_mutable(name) && self.references.contains(name)
    }

    /// Notes that a variable may change.
    pub fn note_mutable(&mut self, name: &Ident) {
        self.mutable.insert(name.to_string());
    }

    /// Whether an expression is an array or a slice.
    pub fn is_slice(&self, expr: &Expr) -> bool {
        self.depth(expr) > 0
    }

    /// How many arrays and slices stand in each other in an expression, as far as is known.
    pub fn depth(&self, expr: &Expr) -> usize {
        self.shape_of_value(expr).depth
    }

    /// Whether an expression is a slice, or a reference to one, and no array.
    pub fn is_unsized(&self, expr: &Expr) -> bool {
        self.shape_of_value(expr).is_unsized
    }

    /// Whether an expression is a view, or makes one of a view.
    pub fn is_view(&self, expr: &Expr) -> bool {
        self.shape_of_value(expr).is_view
    }

    /// Whether an expression is a range that is a value, or written.
    pub fn is_range(&self, expr: &Expr) -> bool {
        self.shape_of_value(expr).is_range
    }

    /// Whether an expression is a variable whose type is an iterator, or a reference to one.
    pub fn is_own_iterator(&self, expr: &Expr) -> bool {
        self.shape_of_value(expr).is_own_iterator
    }

    /// Notes that a name is that of a range.
    pub fn declare_range(&mut self, name: &Ident) {
        let shape = Shape {
            is_range: true,
            ..Shape::default()
        };
        self.note(&name.to_string(), shape);
    }

    /// Notes which names of a pattern are those of ranges.
    fn declare_ranges(&mut self, parts: &PatTuple, call: &Expr) {
        let called = self.called.clone();
        let is_range = called.as_ref().and_then(|called| called.ranges_of(call));
        for (part, is_range) in parts.elems.iter().zip(is_range.unwrap_or_default()) {
            if let (Pat::Ident(name), true) = (part, is_range) {
                self.declare_range(&name.ident);
            }
        }
    }

    /// Notes which names of a pattern are those of types that are iterators.
    fn declare_own(&mut self, parts: &PatTuple, value: &Expr) {
        let Expr::Tuple(values) = bare(value) else {
            return;
        };
        for (part, value) in parts.elems.iter().zip(&values.elems) {
            let shape = self.shape_of_value(value);
            if let (Pat::Ident(name), true) = (part, shape.is_own_iterator) {
                self.note(&name.ident.to_string(), shape);
            }
        }
    }

    /// Notes that a name is that of an iterator.
    pub fn declare_chain(&mut self, name: &str, left: &Ident, mentioned: Rc<HashSet<String>>) {
        self.note(name, Shape::default());
        let chain = Chain {
            left: left.to_string(),
            mentioned,
            hidden: None,
        };
        self.kept.insert(name.to_owned(), chain);
    }

    /// The iterator that a name is.
    pub fn chain(&self, expr: &Expr) -> Option<&Chain> {
        self.kept.get(&named(expr)?)
    }

    /// Whether a name is that of a reference to a view, which is visited as the view.
    pub fn is_view_by_reference(&self, expr: &Expr) -> bool {
        self.is_reference(expr) && self.is_view(expr)
    }

    fn note(&mut self, name: &str, shape: Shape) {
        self.kept.remove(name);
        self.visited.remove(name);
        let chains = self.kept.values_mut();
        for chain in chains.filter(|chain| chain.mentioned.contains(name)) {
            chain.hidden = Some(name.to_owned());
        }
        for (names, is) in [
            (&mut self.references, shape.is_reference),
            (&mut self.writable, shape.is_writable),
            (&mut self.slices, shape.depth > 0),
            (&mut self.unsized_ones, shape.is_unsized),
            (&mut self.views, shape.is_view),
            (&mut self.ranges, shape.is_range),
            (&mut self.own, shape.is_own_iterator),
        ] {
            match is {
                true => names.insert(name.to_owned()),
                false => names.remove(name),
            };
        }
        match shape.depth {
            0 | 1 => self.depths.remove(name),
            depth => self.depths.insert(name.to_owned(), depth),
        };
    }
}

fn named(expr: &Expr) -> Option<String> {
    match bare(expr) {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}

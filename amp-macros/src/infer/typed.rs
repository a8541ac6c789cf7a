//! What inference finds out about a function: a record of facts for each node of its syntax.

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use amp_spirv::tree::{LabelId, LocalId, MemoryFence, SubgroupOp, TileStaticId};
use proc_macro2::Span;
use syn::{ItemFn, Pat};

use super::{
    node::{Node, NodeId, SourceMap},
    ty::{Applied, Len, Parameters, Ty},
    vector_operation::VectorCall,
};
use crate::{
    language::{atomic::AtomicFunction, method::Method, owner::Owner, source::Source},
    message::Told,
};

/// A variable.
#[derive(Clone)]
pub struct Variable {
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
    /// A case of an enum with fields, index into [`Program::structs`].
    Case { of: usize, position: usize },
    /// The value of a struct without fields.
    Unit,
}

/// The place that a slice is of: a variable, or a field of one.
#[derive(Clone, Debug, PartialEq)]
pub struct SlicePlace {
    pub of: Resolved,
    pub fields: Vec<String>,
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
    /// `S::SIDES` of the trait with this index that bounds `S`, in the helper itself.
    OfBound(usize),
}

/// What a call calls.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// Index into [`Program::functions`].
    Helper(usize),
    /// A tuple struct.
    TupleStruct,
    /// A case of an enum with fields, index into [`Program::structs`].
    Case { of: usize, position: usize },
    /// `Index::new`, `Index::from`: the argument is an array or a component.
    IndexFrom,
    /// A function or method of a vector or matrix, receiver first.
    Vector(VectorCall),
    /// A function of the library, of each component of a vector: index into
    /// [`Program::functions`].
    Each(usize),
    /// A numeric method or function, receiver first.
    Math(&'static Method),
    /// `x.clone()` of a value that is `Copy`.
    Copy,
    /// `v.extent()`
    ViewExtent,
    /// `v.len()`, or `v.is_empty()`.
    ViewSize { is_empty: bool },
    /// `v.section(origin, extent)` and the like.
    Derived(Derived),
    /// `e.size()`
    ExtentSize,
    /// `e.to_array()`, `i.to_array()`
    Components,
    /// `a.len()` of an array.
    ArrayLength(Len),
    /// `slice.len()`
    SliceLength,
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
    /// `x.unwrap()` and the like.
    Unwrap(Unwrapped),
    /// What an assertion, panic or print became: the format string, its arguments.
    Told(Told),
    /// A parameter that is a closure, in the helper itself.
    ClosureParam,
    /// `x.to_f32()`, `T::from_i32(x)`: what `as` does.
    Convert,
    /// `T::default()` that is derived, or the standard library's.
    Default,
    /// What only types tell of an iterator.
    Iteration(Iteration),
}

/// What a chain of iterators asks of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iteration {
    /// How many elements a view of rank 1 has.
    Length,
    /// How many values an `Option` or a `Result` has, one in this case. The element at an index is that value.
    IsCase(usize),
    /// The sum of nothing.
    EmptySum,
    /// The product of nothing.
    EmptyProduct,
    /// The value itself, whose type has an order.
    Ordered,
    /// The value itself, which has the type of the argument.
    Like,
    /// The value as the `Some` or `Ok` of what the closure returns.
    Output { of: usize, position: usize },
}

/// What a function of a library is on the host.
#[derive(Clone, Debug, PartialEq)]
pub enum Library {
    /// That of amp at this path.
    Own(String),
    /// That of a type of the standard library or of glam.
    Source(Owner, Source),
}

/// The call of a method that panics unless a value is of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Unwrapped {
    /// The enum: index into [`Program::structs`].
    pub of: usize,
    /// The position of the case, whose only field is the result.
    pub position: usize,
    /// What the panic says.
    pub message: String,
}

impl Unwrapped {
    /// The message as a format string.
    pub fn format(&self) -> String {
        self.message.replace('{', "{{").replace('}', "}}")
    }
}

/// What inference found out about a node.
#[derive(Default)]
pub struct Facts {
    /// Type of an expression; of a reference that is dereferenced without a `*`, that of what it
    /// names.
    pub ty: Option<Ty>,
    /// Whether it is such a reference, as in `pair.0`.
    pub dereferenced: bool,
    /// Whether it is what a function returns by reference, or has such values.
    pub returned: bool,
    /// Whether an element out of bounds is read as the first one.
    pub reads_first: bool,
    /// Whether it is an index of the user's own, which the callee has as a place.
    pub indexes_own: bool,
    /// The variable that a pattern declares.
    pub local: Option<LocalId>,
    /// The tile_static variable that a `let` declares.
    pub tile_static: Option<TileStaticId>,
    /// What a path means.
    pub path: Option<Resolved>,
    /// What a call, method call or operator calls.
    pub callee: Option<Callee>,
    /// The arguments of the generic parameters of the called function.
    pub told: Option<Box<(Parameters, Applied)>>,
    /// What the host version calls for a method that is a function of a library.
    pub library: Option<Library>,
    /// Whether structs are compared part by part: what `#[derive(PartialEq)]` does.
    pub by_parts: bool,
    /// Label of a loop or labelled block, or target of a `break` or `continue`.
    pub label: Option<LabelId>,
    /// A reference that becomes a value.
    pub is_kept: bool,
    /// Whether it is a slice that is a value.
    pub is_kept_slice: bool,
    /// Whether it is a slice that becomes a value.
    pub keeps_slice: bool,
    /// The function that an item in the body is, or that gives the sum of no values: index into [`Program::functions`].
    pub nested: Option<usize>,
    /// What a `for` over an array visits.
    pub each: Option<Each>,
    /// Whether a path is a constant like `Vec3::ZERO`, of its type.
    pub vector_constant: bool,
    /// The cast of a constant.
    pub const_cast: Option<ConstCast>,
}

impl Facts {
    /// The function that is called, if it is one of the program.
    pub fn helper(&self) -> Option<usize> {
        match self.callee {
            Some(Callee::Helper(function)) => Some(function),
            _ => None,
        }
    }
}

/// What inference found out about a function.
#[derive(Default)]
pub struct Typed {
    source: Rc<SourceMap>,
    /// The facts of each node, by its id.
    pub facts: Vec<Facts>,
    /// Those of a node about which nothing was found.
    nothing: Facts,
    /// Variables, parameters first.
    pub locals: Vec<Variable>,
    /// tile_static variables.
    pub tile_statics: Vec<Variable>,
    /// Functions that are called, with the places of the calls, in order.
    pub callees: Vec<(usize, Span)>,
    /// The names of patterns for places: parts of what a `match` takes apart, and parameters of
    /// closures.
    pub places: HashSet<LocalId>,
    /// The places of the slices that variables name, as far as they are known.
    pub slice_places: HashMap<LocalId, SlicePlace>,
    /// Variables for slices that are assigned others of the same place.
    pub assigned_slices: HashSet<LocalId>,
    /// Variables that are declared without a value.
    pub deferred: HashSet<LocalId>,
    /// Variables for references to read that are assigned others.
    pub assigned_references: HashSet<LocalId>,
    /// Variables for references to places that other threads may change meanwhile.
    pub changing: HashSet<LocalId>,
    /// Functions that find a place again and again for what Rust has once, with the places of the calls.
    pub repeated: Vec<(usize, Span)>,
    /// The types in defaults that have one of their own, and its function.
    pub own_defaults: Vec<(Ty, usize)>,
    /// How many labels there are.
    pub labels_used: u32,
    /// The first of the numbers of a constant that is a vector or matrix.
    pub constant_parts: HashMap<usize, usize>,
}

impl Typed {
    /// Of a function whose syntax may be that of another, its template.
    pub fn new(template: Option<&Typed>) -> Self {
        Self {
            source: template
                .map(|template| template.source.clone())
                .unwrap_or_default(),
            ..Self::default()
        }
    }

    /// The id of a node.
    pub fn id(&self, node: impl Node) -> NodeId {
        node.id(&self.source)
    }

    /// Calls `work` with a copy of a function, about which the same is found out.
    pub fn with_copy<R>(&self, item: &ItemFn, work: impl FnOnce(ItemFn) -> R) -> R {
        self.source.with_copy(item, item.clone(), work)
    }

    /// What was found out about a node.
    pub fn of(&self, node: impl Node) -> &Facts {
        let NodeId(at) = node.id(&self.source);
        self.facts.get(at as usize).unwrap_or(&self.nothing)
    }

    /// The record of a node, for what is found out about it.
    pub fn note(&mut self, node: impl Node) -> &mut Facts {
        let NodeId(at) = node.id(&self.source);
        let at = at as usize;
        if self.facts.len() <= at {
            self.facts.resize_with(at + 1, Facts::default);
        }
        &mut self.facts[at]
    }

    /// Type of an expression.
    pub fn ty(&self, expr: impl Node) -> &Ty {
        self.of(expr).ty.as_ref().unwrap_or(&Ty::Error)
    }
}

/// `CONST as T`: computed by rustc if nothing else tells the constant's type.
#[derive(Clone, Copy, Debug)]
pub struct ConstCast {
    /// The constant, index into [`super::Program::consts`].
    pub value: usize,
    /// The whole cast as a constant, if rustc has to compute it.
    pub whole: Option<usize>,
}

/// A `for` over an array or a slice.
#[derive(Clone, Copy, Debug)]
pub struct Each {
    /// The array's length; none of a slice, which knows its own.
    pub length: Option<Len>,
    /// The elements are visited by reference.
    pub by_reference: bool,
    /// `.enumerate()`
    pub enumerated: bool,
    /// `.rev()`
    pub reversed: bool,
    /// The case that is visited, of an `Option` or a `Result`.
    pub case: Option<usize>,
}

impl Each {
    /// The pattern that takes the element, and the one that takes its position.
    pub fn patterns<'a>(&self, pattern: &'a Pat) -> Option<(&'a Pat, Option<&'a Pat>)> {
        match pattern {
            Pat::Paren(paren) => self.patterns(&paren.pat),
            Pat::Tuple(tuple) if self.enumerated => {
                let [position, element] = &*tuple.elems.iter().collect::<Vec<_>>() else {
                    return None;
                };
                Some((element, Some(position)))
            }
            _ if self.enumerated => None,
            pattern => Some((pattern, None)),
        }
    }
}

/// What a method makes of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derived {
    /// `section(origin, extent)`
    Section,
    /// `row(i)`
    Row,
    /// `view_as(extent)`
    Shape,
    /// `reinterpret::<U>()`
    Elements,
}

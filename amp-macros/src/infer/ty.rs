//! Types while they are still being found, and unification.

use std::collections::HashMap;

use amp_spirv::tree::Scalar;
use proc_macro2::Ident;

use crate::language::glam::Glam;

/// The length of an array: a literal, or a constant that rustc evaluates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Len {
    /// Written as a number.
    Literal(u32),
    /// Index into [`super::Program::consts`].
    Const(usize),
}

/// A type that may still have unknown parts.
#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    /// Something is wrong and has been reported; agrees with everything.
    Error,
    /// Unknown yet; index into [`Unifier`].
    Var(usize),
    /// `()`
    Unit,
    /// `!`
    Never,
    /// A scalar.
    Scalar(Scalar),
    /// A tuple of at least one component.
    Tuple(Vec<Ty>),
    /// A vector of glam's: its scalar and how many there are.
    Vector(Scalar, u32),
    /// A matrix of glam's, by its number of columns.
    Matrix(u32),
    /// An array.
    Array(Box<Ty>, Len),
    /// Index into [`super::Program::structs`], and what it is applied to.
    Struct(usize, Applied),
    /// A struct with views in it, which is no value: index into
    /// [`super::Program::structs`].
    Bundle(usize),
    /// Index into [`super::Program::enums`].
    Enum(usize),
    /// `Index<N>`
    Index(u32),
    /// `Extent<N>`
    Extent(u32),
    /// `TiledIndex<N, ..>` with the extents of its tile.
    Tiled(Vec<Len>),
    /// `TileBarrier`
    Barrier,
    /// A view, or a row of one.
    View(ViewTy),
    /// A type parameter, where it stands for no type: index into
    /// [`super::Program::type_params`].
    Param(usize),
    /// A closure: index into [`super::Program::closures`].
    Closure(usize),
    /// `[T]`: elements of an array that stand next to each other. Only references have it.
    Slice(Box<Ty>),
    /// `&T` or `&mut T`: a parameter that names a place of the caller.
    Reference {
        /// Whether the place can be written.
        mutable: bool,
        /// Type of what it holds.
        target: Box<Ty>,
    },
}

/// The arguments of a generic type, in order; none for a type without parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Applied {
    /// Of its type parameters.
    pub types: Vec<Ty>,
    /// Of its const parameters.
    pub lengths: Vec<Len>,
}

impl Applied {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty() && self.lengths.is_empty()
    }

    /// The same with other types.
    pub fn map(&self, ty: impl FnMut(&Ty) -> Ty) -> Self {
        Self {
            types: self.types.iter().map(ty).collect(),
            lengths: self.lengths.clone(),
        }
    }
}

/// A view as inference sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewTy {
    /// Element type.
    pub element: Box<Ty>,
    /// Number of dimensions.
    pub rank: u32,
    /// Whether elements can be written.
    pub mutable: bool,
}

impl From<Glam> for Ty {
    fn from(ty: Glam) -> Self {
        match ty {
            Glam::Vector(scalar, components) => Ty::Vector(scalar, components),
            Glam::Matrix(columns) => Ty::Matrix(columns),
        }
    }
}

impl Ty {
    /// Whether it is that of a reference.
    pub fn is_reference(&self) -> bool {
        matches!(self, Ty::Reference { .. })
    }

    /// Whether it is that of a tuple with references in it, which is taken apart where it is written.
    pub fn is_side_by_side(&self) -> bool {
        match self {
            Ty::Tuple(parts) => parts
                .iter()
                .any(|part| part.is_reference() || part.is_side_by_side()),
            _ => false,
        }
    }

    /// Whether it is a struct or an enum, or has one in it.
    pub fn is_named(&self) -> bool {
        match self {
            Ty::Struct(..) | Ty::Enum(_) => true,
            Ty::Tuple(parts) => parts.iter().any(Ty::is_named),
            Ty::Array(element, _) => element.is_named(),
            _ => false,
        }
    }

    /// The type of glam's that it is.
    pub fn glam(&self) -> Option<Glam> {
        match self {
            Ty::Vector(scalar, components) => Some(Glam::Vector(*scalar, *components)),
            Ty::Matrix(columns) => Some(Glam::Matrix(*columns)),
            _ => None,
        }
    }

    /// What a reference refers to; any other type itself.
    pub fn target(&self) -> &Ty {
        match self {
            Ty::Reference { target, .. } => target,
            other => other,
        }
    }

    /// Its parts, as [`map_parts`](Self::map_parts) has them.
    pub fn parts(&self) -> impl Iterator<Item = &Ty> {
        let (many, one): (&[Ty], Option<&Ty>) = match self {
            Ty::Tuple(parts) => (parts, None),
            Ty::Struct(_, applied) => (&applied.types, None),
            Ty::Array(part, _) | Ty::Slice(part) | Ty::Reference { target: part, .. } => {
                (&[], Some(part))
            }
            _ => (&[], None),
        };
        many.iter().chain(one)
    }

    /// The same with other types of its parts: a tuple's, an array's, a struct's arguments, what a
    /// reference refers to. A view is one part.
    pub fn map_parts(self, mut part: impl FnMut(&Ty) -> Ty) -> Ty {
        match self {
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(part).collect()),
            Ty::Array(element, len) => Ty::Array(Box::new(part(&element)), len),
            Ty::Slice(element) => Ty::Slice(Box::new(part(&element))),
            Ty::Struct(index, applied) => Ty::Struct(index, applied.map(part)),
            Ty::Reference { mutable, target } => Ty::Reference {
                mutable,
                target: Box::new(part(&target)),
            },
            other => other,
        }
    }

    pub const BOOL: Ty = Ty::Scalar(Scalar::Bool);
    pub const I32: Ty = Ty::Scalar(Scalar::I32);
    pub const U32: Ty = Ty::Scalar(Scalar::U32);
    pub const F64: Ty = Ty::Scalar(Scalar::F64);
    pub const USIZE: Ty = Ty::Scalar(Scalar::Usize);
}

/// What a type variable may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Anything.
    Any,
    /// The type of an unsuffixed integer literal.
    Int,
    /// The type of an unsuffixed float literal.
    Float,
}

#[derive(Clone, Debug)]
enum Slot {
    Open(Kind),
    Bound(Ty),
}

/// The type variables of one function.
#[derive(Default)]
pub struct Unifier {
    slots: Vec<Slot>,
    /// Lengths that must turn out equal; rustc proves that they are.
    pub equal_lengths: Vec<(Len, Len)>,
}

impl Unifier {
    /// A new variable.
    pub fn fresh(&mut self, kind: Kind) -> Ty {
        self.slots.push(Slot::Open(kind));
        Ty::Var(self.slots.len() - 1)
    }

    /// The type with its outermost constructor known, if it is.
    pub fn shallow(&self, ty: &Ty) -> Ty {
        let mut ty = ty;
        while let Ty::Var(var) = ty {
            match &self.slots[*var] {
                Slot::Bound(bound) => ty = bound,
                Slot::Open(_) => break,
            }
        }
        ty.clone()
    }

    /// What an open variable may become.
    pub fn kind(&self, var: usize) -> Kind {
        match &self.slots[var] {
            Slot::Open(kind) => *kind,
            Slot::Bound(_) => Kind::Any,
        }
    }

    /// The type with all that is known filled in.
    pub fn deep(&self, ty: &Ty) -> Ty {
        self.shallow(ty).map_parts(|part| self.deep(part))
    }

    /// The type with literals' defaults in place of what nothing determined.
    pub fn defaulted(&self, ty: &Ty) -> Ty {
        match self.shallow(ty) {
            Ty::Var(var) if self.kind(var) == Kind::Int => Ty::I32,
            Ty::Var(var) if self.kind(var) == Kind::Float => Ty::F64,
            known => known.map_parts(|part| self.defaulted(part)),
        }
    }

    /// Makes two types one; false if they cannot be.
    pub fn unify(&mut self, a: &Ty, b: &Ty) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        match (&a, &b) {
            // What is unknown because of an error is not reported once more.
            (Ty::Error, other) | (other, Ty::Error) => {
                self.poison(other);
                true
            }
            (Ty::Var(x), Ty::Var(y)) if x == y => true,
            (Ty::Var(x), Ty::Var(y)) => {
                let kind = match (self.kind(*x), self.kind(*y)) {
                    (Kind::Any, kind) | (kind, Kind::Any) => kind,
                    (one, other) if one == other => one,
                    _ => return false,
                };
                self.slots[*x] = Slot::Bound(b.clone());
                self.slots[*y] = Slot::Open(kind);
                true
            }
            (Ty::Var(var), ty) | (ty, Ty::Var(var)) => {
                let fits = match self.kind(*var) {
                    Kind::Any => !matches!(
                        ty,
                        Ty::View(_)
                            | Ty::Bundle(_)
                            | Ty::Barrier
                            | Ty::Closure(_)
                            | Ty::Slice(_)
                            | Ty::Reference { .. }
                    ),
                    Kind::Int => matches!(ty, Ty::Scalar(scalar) if scalar.is_integer()),
                    Kind::Float => matches!(ty, Ty::Scalar(Scalar::F32 | Scalar::F64)),
                };
                if fits && !self.occurs(*var, ty) {
                    self.slots[*var] = Slot::Bound(ty.clone());
                    return true;
                }
                false
            }
            (Ty::Tuple(xs), Ty::Tuple(ys)) => {
                xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| self.unify(x, y))
            }
            (Ty::Array(x, m), Ty::Array(y, n)) => self.equal(*m, *n) && self.unify(x, y),
            (Ty::Slice(x), Ty::Slice(y)) => self.unify(x, y),
            (Ty::Struct(one, x), Ty::Struct(other, y)) => {
                let mut lengths = x.lengths.iter().zip(&y.lengths);
                let mut types = x.types.iter().zip(&y.types);
                one == other
                    && lengths.all(|(m, n)| self.equal(*m, *n))
                    && types.all(|(x, y)| self.unify(x, y))
            }
            (
                Ty::Reference { mutable, target },
                Ty::Reference {
                    mutable: other_mutable,
                    target: other,
                },
            ) => mutable == other_mutable && self.unify(target, other),
            (Ty::Tiled(x), Ty::Tiled(y)) => {
                for (m, n) in x.iter().zip(y) {
                    let known = matches!((m, n), (Len::Literal(_), Len::Literal(_)));
                    if m != n && !known {
                        self.equal_lengths.push((*m, *n));
                    }
                }
                x.len() == y.len()
            }
            (Ty::View(x), Ty::View(y)) => {
                x.rank == y.rank && x.mutable == y.mutable && self.unify(&x.element, &y.element)
            }
            _ => a == b,
        }
    }

    /// Makes the unknown type of a variable that has no value yet that of a reference.
    pub fn refer(&mut self, variable: &Ty, reference: &Ty) {
        if let Ty::Var(var) = self.shallow(variable)
            && !self.occurs(var, reference)
        {
            self.slots[var] = Slot::Bound(reference.clone());
        }
    }

    /// Whether two lengths may be equal; what only rustc knows, it proves.
    fn equal(&mut self, one: Len, other: Len) -> bool {
        match (one, other) {
            (Len::Literal(one), Len::Literal(other)) => one == other,
            _ => {
                if one != other {
                    self.equal_lengths.push((one, other));
                }
                true
            }
        }
    }

    /// Makes unknown parts erroneous, so that an error that has been reported has no
    /// others in its wake.
    pub fn poison(&mut self, ty: &Ty) {
        match self.shallow(ty) {
            Ty::Var(var) => self.slots[var] = Slot::Bound(Ty::Error),
            known => known.parts().for_each(|part| self.poison(part)),
        }
    }

    fn occurs(&self, var: usize, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Var(other) => other == var,
            known => known.parts().any(|part| self.occurs(var, part)),
        }
    }
}

/// The trait that declares an associated type.
#[derive(Clone, Debug, PartialEq)]
pub enum OfTrait {
    /// One of a module: index into [`Program::traits`].
    Module(usize),
    /// One of `std::ops`, with the other operand where it has one.
    Operator(String, Option<Ty>),
}

/// What a type parameter stands for that is an associated type of another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// The other parameter: index into [`Program::type_params`].
    pub of: usize,
    /// The trait.
    pub of_trait: OfTrait,
    /// Its name there.
    pub name: String,
}

/// A type parameter.
pub struct TypeParam {
    /// Its name.
    pub ident: Ident,
    /// The name as messages show it.
    pub shown: String,
    /// The associated type of another one that it is.
    pub projection: Option<Projection>,
    /// The paths of its bounds.
    pub bounds: Vec<String>,
    /// It is bounded by `Scalar`.
    pub is_scalar: bool,
    /// It is bounded by `Integer`.
    pub is_integer: bool,
    /// It is bounded by what has a negation.
    pub is_signed: bool,
    /// It is bounded by `Atomic` or `AtomicInteger`.
    pub is_atomic: bool,
    /// It is bounded by `AtomicInteger`.
    pub is_atomic_integer: bool,
    /// Parameters and result, if it is bounded by `Fn`, `FnMut` or `FnOnce`.
    pub closure: Option<(Vec<Ty>, Ty)>,
}

impl TypeParam {
    /// Whether a bound has this name, by whatever path.
    pub fn has_bound(&self, name: &str) -> bool {
        let mut bounds = self.bounds.iter();
        bounds.any(|bound| bound.rsplit("::").next() == Some(name))
    }
}

/// The parameters of a generic helper.
#[derive(Clone, Default)]
pub struct Parameters {
    /// Indices into [`Program::type_params`].
    pub types: Vec<usize>,
    /// Indices into [`Program::consts`].
    pub consts: Vec<usize>,
    /// Of all, in order: whether it is a const parameter.
    pub order: Vec<bool>,
    /// How many of them, the first ones, are those of an `impl` block.
    pub of_block: usize,
}

impl Parameters {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// What `each` makes of all of them, in order; it is told which are const.
    pub fn in_order<T>(&self, each: impl FnMut(bool) -> Option<T>) -> Option<Vec<T>> {
        self.order.iter().copied().map(each).collect()
    }
}

/// The arguments of the parameters of a function, by name.
#[derive(Clone, Default, PartialEq)]
pub struct Arguments {
    /// Type parameters.
    pub types: HashMap<String, Ty>,
    /// Const parameters.
    pub lengths: HashMap<String, Len>,
}

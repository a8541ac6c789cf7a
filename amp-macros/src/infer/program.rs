//! A kernel or helper with everything that it needs, typed.

use std::{
    cell::RefCell,
    collections::{BTreeSet, HashMap, HashSet},
    rc::Rc,
};

use amp_spirv::tree::{IndexWidth, Scalar};
use proc_macro2::{Span, TokenStream};
use syn::{Ident, ItemFn, ItemImpl};

use super::{
    names::{BlockConstants, ConstKey, Meaning, Names},
    node::NodeId,
    trait_definition::TraitDef,
    ty::{Applied, Arguments, Len, Parameters, Ty, TypeParam},
    typed::Typed,
};
use crate::{
    attribute::{self, has_fast_math, is_exact},
    language::{core::File, returned},
    sugar::parameters::is_unnamed,
};

/// A struct that the program uses.
pub struct StructDef {
    /// Its name.
    pub name: String,
    /// The id of its entry.
    pub id: String,
    /// Fields in order; positions name the fields of a tuple struct.
    pub fields: Vec<(String, Ty)>,
    /// The fields that not all code can name.
    pub private: HashSet<String>,
    /// Whether it is a tuple struct.
    pub is_tuple: bool,
    /// Whether it is written without fields, so that its name is its value.
    pub is_unit: bool,
    /// It has views in it.
    pub is_bundle: bool,
    /// What it derives.
    pub derives: Vec<String>,
    /// Its generic parameters, which its fields name.
    pub parameters: Parameters,
    /// What the last of these are where they are left out.
    pub defaults: Applied,
    /// The cases of an enum with fields, whose first field is the tag; none of a struct.
    pub cases: Vec<CaseDef>,
}

/// What a program uses of Rust's `core`, as far as it has been read.
pub struct Core {
    /// The enums.
    pub enums: Vec<(&'static str, Meaning)>,
    /// What the names in the functions mean.
    pub names: Names,
    /// The blocks whose functions may be called.
    pub blocks: HashMap<File, Rc<Vec<ItemImpl>>>,
    /// The names of the functions that are declared.
    pub declared: HashSet<(File, String)>,
}

/// A case of an enum with fields.
pub struct CaseDef {
    /// Its name.
    pub name: String,
    /// The first of its fields among those of the enum.
    pub first: usize,
    /// The names of its fields; positions name those of a tuple.
    pub fields: Vec<String>,
    /// Whether its fields have names.
    pub is_named: bool,
    /// It is the one that `#[derive(Default)]` makes.
    pub is_default: bool,
}

impl StructDef {
    /// Whether it is an enum with fields.
    pub fn is_enum(&self) -> bool {
        !self.cases.is_empty()
    }

    /// The position of the case that `#[derive(Default)]` makes.
    pub fn default_case(&self) -> Option<usize> {
        self.cases.iter().position(|case| case.is_default)
    }

    /// Whether it derives the trait of this name.
    pub fn derives(&self, of_trait: &str) -> bool {
        self.derives.iter().any(|name| name == of_trait)
    }
}

/// A constant that rustc evaluates.
pub struct ConstDef {
    /// The function in which it is written: index into [`Program::functions`].
    pub owner: usize,
    /// The expression.
    pub expr: TokenStream,
    /// The expression without spaces, for comparison and display.
    pub text: String,
    /// Its type, known when the owner has been inferred.
    pub ty: Ty,
    /// Where it is written.
    pub span: Span,
    /// The constants of the blocks around it, if the expression names some of them.
    pub within: Option<Rc<BlockConstants>>,
}

/// A parameter.
#[derive(Clone)]
pub struct ParamDef {
    /// Its name.
    pub ident: Ident,
    /// Its type.
    pub ty: Ty,
}

/// A kernel or helper.
pub struct FunctionDef {
    /// Its own id, unique in the program; empty for what nothing else names.
    pub id: String,
    /// Id of the entry in which it stands: a method's is that of its `impl` block.
    pub entry: String,
    /// What its paths mean.
    pub names: Names,
    /// The function itself.
    pub item: Rc<ItemFn>,
    /// Its body, until it is read.
    pub body: Option<TokenStream>,
    /// All parameters, a kernel's index included.
    pub params: Vec<ParamDef>,
    /// Type of the result.
    pub result: Ty,
    /// It stands in an `impl` block, or has references to what is no number: these are
    /// Rust's own in the host version.
    pub is_member: bool,
    /// The host has it as the user wrote it, because rustc computes constants with it.
    pub is_const: bool,
    /// What inference found.
    pub typed: Typed,
    /// The function in whose body it is written.
    pub within: Option<usize>,
    /// Its generic parameters.
    pub parameters: Parameters,
    /// The arguments of its generic parameters.
    pub arguments: Arguments,
    /// The generic function that it is an instance of.
    pub template: Option<usize>,
    /// Only its signature is read, and these are the constants that it has for its callers.
    pub outlined: Option<Vec<Ident>>,
}

impl FunctionDef {
    /// Reads the body, which the item is without before.
    pub fn read_body(&mut self) {
        if let Some(body) = self.body.take()
            && let Ok(block) = syn::parse2(body)
        {
            Rc::make_mut(&mut self.item).block = block;
        }
    }

    /// Whether kernels call another function in its stead: its parameters are views, or
    /// references to places that other threads use, which the host has otherwise; its result is an
    /// iterator or a closure; or it is constant.
    pub fn has_host_version(&self) -> bool {
        let is_const = self.is_const && !self.has_constant_beside();
        is_const || self.has_other_parameters()
    }

    /// Whether it is a constant function in an `impl` block or a body, where what the user wrote stands
    /// beside the one that kernels call.
    pub fn has_constant_beside(&self) -> bool {
        self.is_const && (self.entry != self.id || self.within.is_some())
    }

    fn has_other_parameters(&self) -> bool {
        self.within.is_none()
            && self.params.iter().any(|param| match &param.ty {
                _ if returned::is_added(&param.ident) => !self.id.contains(returned::METHOD),
                Ty::View(_) | Ty::Bundle(_) => true,
                Ty::Reference { target, .. } => {
                    !self.is_member || matches!(**target, Ty::Bundle(_))
                }
                _ => false,
            })
    }
}

impl ConstDef {
    /// What tells it from the function's others.
    pub fn key(&self) -> ConstKey {
        ConstKey::new(&self.text, self.within.as_ref())
    }

    /// The owner of a constant that stands for a length which is still to be found.
    pub const NOBODY: usize = usize::MAX;

    /// The owner of the const parameters of types, for which each use has something else.
    pub const A_TYPE: usize = usize::MAX - 1;
}

/// Everything that the task's item needs, typed; callees before callers, the item last.
#[derive(Default)]
pub struct Program {
    /// How wide a `usize` is on a device.
    pub index: IndexWidth,
    /// The arguments of the item's attribute. `fast_math` is for all functions of a kernel but the
    /// library's exact ones, and for a helper's own.
    pub arguments: attribute::Arguments,
    /// How many items like the program's own have stood in the same place before.
    pub repetition: u32,
    /// Structs, each before those that contain it.
    pub structs: Vec<StructDef>,
    /// Enums.
    pub enums: Vec<EnumDef>,
    /// The enums and functions of Rust's `core`, if the program uses some.
    pub core: Option<Core>,
    /// The traits of modules.
    pub traits: Vec<TraitDef>,
    /// Blocks that are taken for those of traits of the same names: the ids of both.
    pub assumed: RefCell<BTreeSet<(String, String)>>,
    /// Functions of types; these name functions only until these are in order.
    pub methods: Vec<Method>,
    /// Associated types of types.
    pub associated: Vec<AssociatedTypes>,
    /// Constants of types.
    pub type_consts: Vec<TypeConst>,
    /// Functions, callees before callers.
    pub functions: Vec<FunctionDef>,
    /// Constants of all functions.
    pub consts: Vec<ConstDef>,
    /// Type parameters of all functions.
    pub type_params: Vec<TypeParam>,
    /// Closures of all functions.
    pub closures: Vec<ClosureDef>,
    /// Lengths that rustc proves equal.
    pub equal_lengths: Vec<(Len, Len)>,
    /// What the paths of functions of the library mean.
    pub library: HashMap<String, Meaning>,
    /// Paths of functions of the library that are not there yet.
    pub wanted: Vec<String>,
    /// A needed item failed to compile; its errors stand there.
    pub broken: bool,
}

impl Program {
    /// Whether floats are the device's own in a function.
    pub fn is_fast(&self, index: usize) -> bool {
        let function = &self.functions[index];
        let around = function.within.is_some_and(|around| self.is_fast(around));
        let is_asked_for =
            self.arguments.fast_math.is_some() || around || has_fast_math(&function.item);
        is_asked_for && !is_exact(&function.item)
    }

    /// How many parameters of a function, the last ones, are those of `impl Trait`.
    pub fn unnamed(&self, parameters: &Parameters) -> usize {
        let is_unnamed = |index: &&usize| is_unnamed(&self.type_params[**index].ident);
        parameters.types.iter().rev().take_while(is_unnamed).count()
    }

    /// Whether a length stands for one that is still to be found.
    pub fn is_nobodys(&self, len: Len) -> bool {
        matches!(len, Len::Const(index) if self.consts[index].owner == ConstDef::NOBODY)
    }

    /// What was found for a length that was to be found; others as they are.
    pub fn canonical_if_open(&self, len: Len) -> Len {
        match self.is_nobodys(len) {
            true => self.canonical(len),
            false => len,
        }
    }

    /// A type with numbers for the lengths that are said to equal one.
    pub fn with_known_lengths(&self, ty: Ty) -> Ty {
        match ty {
            Ty::Array(element, length) => {
                let length = match self.canonical(length) {
                    number @ Len::Literal(_) => number,
                    Len::Const(_) => length,
                };
                Ty::Array(Box::new(self.with_known_lengths(*element)), length)
            }
            other => other.map_parts(|part| self.with_known_lengths(part.clone())),
        }
    }

    /// The length that stands for all that equal `len`: a literal where there is one.
    pub fn canonical(&self, len: Len) -> Len {
        let rank = |len: &Len| match len {
            Len::Literal(_) => 0,
            len if self.is_nobodys(*len) => usize::MAX,
            Len::Const(index) => index + 1,
        };
        let equal = self.lengths_equal_to(len).into_iter();
        equal.min_by_key(rank).unwrap_or(len)
    }

    /// The lengths that rustc proves equal to one, which is the first of them.
    pub fn lengths_equal_to(&self, len: Len) -> Vec<Len> {
        equal_to(len, &self.equal_lengths)
    }
}

/// The lengths that equal one by these pairs, which is the first of them.
pub fn equal_to(len: Len, pairs: &[(Len, Len)]) -> Vec<Len> {
    let mut class = vec![len];
    let mut at = 0;
    while at < class.len() {
        for (a, b) in pairs {
            for (one, other) in [(a, b), (b, a)] {
                if *one == class[at] && !class.contains(other) {
                    class.push(*other);
                }
            }
        }
        at += 1;
    }
    class
}

/// An enum that the program uses.
pub struct EnumDef {
    /// Its name.
    pub name: String,
    /// The id of its entry.
    pub id: String,
    /// The integer that it is.
    pub repr: Scalar,
    /// Variants in order, with the bits of their discriminants.
    pub variants: Vec<(String, u32)>,
    /// The position of the one that is `#[default]`.
    pub default: Option<usize>,
    /// What it derives.
    pub derives: Vec<String>,
}

impl EnumDef {
    /// Whether it derives the trait of this name.
    pub fn derives(&self, of_trait: &str) -> bool {
        self.derives.iter().any(|name| name == of_trait)
    }

    /// Whether zero is a variant: what an access that faults reads.
    pub fn has_zero(&self) -> bool {
        self.variants.iter().any(|(_, bits)| *bits == 0)
    }
}

/// A closure of a program.
#[derive(Clone, Debug)]
pub struct ClosureDef {
    /// Its expression, in the function that it stands in.
    pub node: NodeId,
    /// Types of its parameters, while that function is being inferred.
    pub params: Vec<Ty>,
    /// Type of its result, while that function is being inferred.
    pub result: Ty,
}

/// A function of a type.
pub struct Method {
    /// The type; of a generic block, with the block's parameters in it.
    pub owner: Ty,
    /// The trait that it is of.
    pub of_trait: Option<String>,
    /// The id of that trait, if it is known to be a module's.
    pub trait_id: Option<String>,
    /// The arguments of that trait.
    pub of_arguments: Vec<Ty>,
    /// The id of the block's entry.
    pub block: String,
    /// Its name.
    pub name: String,
    /// It is called on a value.
    pub has_receiver: bool,
    /// It is a constant, named without a call.
    pub is_constant: bool,
    /// It is a constant that rustc hands over where its type is known by a path.
    pub is_handed_over: bool,
    /// Index into [`Program::functions`].
    pub function: usize,
}

impl Method {
    /// Whether its block may be one for a type.
    pub fn is_for(&self, ty: &Ty) -> bool {
        match (&self.owner, ty) {
            (Ty::Struct(one, _), Ty::Struct(other, _)) => one == other,
            (Ty::Param(_), _) => true,
            (owner, ty) => owner == ty,
        }
    }

    /// Whether it is of a trait of this name that no module is known to have.
    pub fn is_of_library(&self, of_trait: &str) -> bool {
        self.trait_id.is_none() && self.of_trait.as_deref() == Some(of_trait)
    }

    /// Whether it is of a trait of a module, as far as it can be seen: where the block's module
    /// does not name the trait elsewhere, its name is all that is known.
    pub fn may_be_of(&self, of_trait: &TraitDef) -> bool {
        match &self.trait_id {
            Some(known) => *known == of_trait.id,
            None => self.of_trait.as_ref() == Some(&of_trait.name),
        }
    }
}

/// The associated types of an `impl` block.
pub struct AssociatedTypes {
    /// The type that the block is for.
    pub owner: Ty,
    /// The parameters of the block, which the types name.
    pub parameters: Parameters,
    /// The trait that it is of.
    pub of_trait: Option<String>,
    /// The id of that trait, if it is known to be a module's.
    pub trait_id: Option<String>,
    /// The other operand, if the trait is that of an operator with one.
    pub other: Ty,
    /// The types by their names.
    pub types: Vec<(String, Ty)>,
}

/// A constant of a type.
pub struct TypeConst {
    /// The type that has it.
    pub owner: Ty,
    /// Its name.
    pub name: String,
    /// Its own type.
    pub ty: Ty,
}

//! Type inference and name resolution, as rustc does them for the kernel language.
//!
//! From syntax trees to a [`Program`]: for each function the type of every
//! expression, the variable behind every name, the function behind every call. What
//! the language does not have is reported here, by name and with its place; when
//! nothing was reported, `lower` and the host version can rely on the records being complete.
//!
//! Each node of the syntax has a [`NodeId`], by which one record has everything that was found
//! out about it (`typed`).
//!
//! What rustc knows and a macro cannot (values and types of constants, whether two
//! spelled-out array lengths are equal) is *assumed* here and proved by rustc when it
//! checks the host version.

mod apart;
mod array;
mod assigned;
mod atomic;
mod block;
mod build;
mod bundle;
mod call;
mod case;
mod cause;
mod choice;
mod closure;
mod comparison;
mod compound;
mod constant;
mod context;
mod control;
mod conversion;
mod core;
mod defaults;
mod each;
mod element;
mod enumeration;
mod exported;
mod expr;
mod fallback;
mod field;
mod function;
mod generic;
mod implementation;
mod index;
mod item;
mod iterator;
mod kept;
mod kept_slice;
mod layout;
mod lending;
mod library;
mod literal;
mod lost;
mod made;
mod matching;
mod message;
mod method;
mod named_reference;
mod names;
mod nested;
mod node;
mod obligation;
mod operator;
mod order;
mod own_index;
mod own_operator;
mod parameter;
mod pattern;
mod program;
mod qualified;
mod range;
mod reference;
mod reserved;
mod returned;
mod scope;
mod shown;
mod signature;
mod size;
mod slice;
mod standard;
mod subgroup;
mod thread_own;
mod trait_arguments;
mod trait_definition;
mod ty;
mod type_expr;
mod typed;
mod unknown_type;
mod unsupported;
mod vector;
mod vector_operation;
mod view;

pub use apart::{is_told_by_value, member_name, parts_of_pattern, rest_of_pattern};
pub use build::{build, build_instance};
pub use bundle::{has_lifetime, view_path};
pub use case::has_fields;
pub use each::adapters;
pub use element::check_elements;
pub use enumeration::{derived, derives, name_of};
pub use field::{check_layout, refuse_slices};
pub use generic::unbounded;
pub use lending::only_place;
pub use library::asking;
pub use names::Meaning;
pub use node::{Node, NodeId, bare};
pub use operator::BinaryKind;
pub use own_operator::{operator_trait, unary_trait};
pub use program::{CaseDef, EnumDef, FunctionDef, ParamDef, Program, StructDef};
pub use reserved::exported_type;
pub use returned::source as source_of_view;
pub use shown::name;
pub use ty::{Applied, Len, OfTrait, Ty};
pub use type_expr::scalar;
pub use typed::Derived;
pub use typed::Each;
pub use typed::{Callee, Iteration, Known, Library, Resolved, Typed, Unwrapped};
pub use vector::component;
pub use vector_operation::{Operation, VectorCall};

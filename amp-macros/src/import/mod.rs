//! Token import: how a kernel sees the helpers and structs that it names.
//!
//! An attribute macro sees one item. So every `#[amp_fn]` and `#[amp_struct]` exports
//! its tokens through a `macro_rules!` of its own name, together with those of all
//! that it needs (its *closure*), and code that names it asks that macro for them:
//!
//! ```text
//! helper! { [{::amp::__private::resume}] {task} }     emitted by the attribute
//! ::amp::__private::resume! { [] {task} [entries] }   what `helper!` turns it into
//! ```
//!
//! Of several helpers each invokes the next ([`chain`]). `resume` files the entries and
//! compiles the item. Entries carry ids unique across crates, and each says which of its
//! paths means which id, resolved where it was written: equal names never clash.
//!
//! A cycle of helpers cannot be resolved this way; [`siblings`] finds those of one
//! module and says so.

pub mod aliases;
pub mod cases;
mod chain;
mod comparison;
mod entry;
mod foreign;
pub mod functions;
pub mod implementation;
pub mod lengths;
mod member;
mod module;
mod paths;
pub mod siblings;
pub mod standard_traits;
mod supplied;
pub mod tables;
mod task;

pub use chain::gather;
pub use entry::{
    Closure, Entry, EntryKind, Sealed, apart, export, is_block, method_id, number, place_hash,
    repetition,
};
pub use foreign::{without_foreign, without_foreign_beside};
pub use member::{
    CARRIER, Member, attributes_of, bare_enum, bare_struct, closure_of, id_of, ident_of,
    macro_name, name_of,
};
pub use module::{Cluster, File, Table, together};
pub use paths::{Paths, collect};
pub use task::{Task, TaskItem, resume};

//! The attribute macros of amp.
//!
//! ```text
//! tokens ─ import ─ infer ─ lower ─► amp-spirv ─► expand ─► tokens
//! ```
//!
//! Before all else `macro_rules` expands the user's own macros, and `message` turns `assert!`, `panic!` and
//! `println!` into calls. `import`
//! gathers the tokens of all that an item names, `infer` finds every type, `lower` builds the
//! compiler core's tree, and `expand` writes what rustc sees: the binding function, the host
//! version, and the compiled kernel as a static.

#![forbid(unsafe_code)]

mod above;
mod attribute;
mod depth;
mod dump;
mod ends;
mod expand;
mod fragment;
#[cfg(test)]
mod fuzz;
mod head;
mod import;
mod infer;
mod invocation;
mod iterate;
mod language;
mod lower;
mod macro_rules;
mod message;
mod optimisation;
mod position;
mod rename;
mod report;
mod sugar;
mod suggest;
mod visit;

use proc_macro::TokenStream;

use attribute::TaskKind;

/// Marks a function as a kernel. See the crate `amp`.
#[proc_macro_attribute]
pub fn amp_kernel(arguments: TokenStream, item: TokenStream) -> TokenStream {
    rename::emit(expand::start(
        TaskKind::Kernel,
        arguments.into(),
        item.into(),
    ))
}

/// Marks a function as a helper of kernels. See the crate `amp`.
#[proc_macro_attribute]
pub fn amp_fn(arguments: TokenStream, item: TokenStream) -> TokenStream {
    rename::emit(expand::start(
        TaskKind::Function,
        arguments.into(),
        item.into(),
    ))
}

/// Marks a struct as a value of kernels. See the crate `amp`.
#[proc_macro_attribute]
pub fn amp_struct(arguments: TokenStream, item: TokenStream) -> TokenStream {
    rename::emit(expand::start(
        TaskKind::Struct,
        arguments.into(),
        item.into(),
    ))
}

/// Marks an enum as a value of kernels. See the crate `amp`.
#[proc_macro_attribute]
pub fn amp_enum(arguments: TokenStream, item: TokenStream) -> TokenStream {
    rename::emit(expand::start(TaskKind::Enum, arguments.into(), item.into()))
}

/// Marks a constant that kernels of other crates use. See the crate `amp`.
#[proc_macro_attribute]
pub fn amp_const(arguments: TokenStream, item: TokenStream) -> TokenStream {
    rename::emit(expand::start(
        TaskKind::Constant,
        arguments.into(),
        item.into(),
    ))
}

/// A kernel in an expression. See the crate `amp`.
#[proc_macro]
pub fn kernel(tokens: TokenStream) -> TokenStream {
    rename::emit(expand::expression::expand(tokens.into()))
}

/// Marks a module all of whose items kernels can see. See the crate `amp`.
#[proc_macro_attribute]
pub fn amp_module(arguments: TokenStream, item: TokenStream) -> TokenStream {
    rename::emit(expand::start_module(arguments.into(), item.into()))
}

/// Goes on with a compilation when an import has arrived. Emitted by the attributes.
#[doc(hidden)]
#[proc_macro]
pub fn resume(tokens: TokenStream) -> TokenStream {
    rename::emit(expand::resume(tokens.into()))
}

/// Compiles the items of a module that need each other. Emitted by the attribute of the last of them.
#[doc(hidden)]
#[proc_macro]
pub fn compile_together(tokens: TokenStream) -> TokenStream {
    rename::emit(expand::compile_together(tokens.into()))
}

/// The functions of glam's types for the CPU. For the crate `amp` itself.
#[doc(hidden)]
#[proc_macro]
pub fn glam_functions(_: TokenStream) -> TokenStream {
    rename::emit(language::vector::host())
}

/// Defines a macro that supplies several imports at once. Emitted by the attributes.
#[doc(hidden)]
#[proc_macro]
pub fn gather(tokens: TokenStream) -> TokenStream {
    rename::emit(import::gather(tokens.into()))
}

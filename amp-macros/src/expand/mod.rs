//! What rustc sees in place of an annotated item.
//!
//! [`start`] reads the item and asks for what it names; when all has arrived,
//! [`resume`] compiles it and writes the expansion. Whatever goes wrong, an item of
//! the same name and kind is emitted beside the errors, so that one error does not
//! become twenty.

mod artifact;
mod atomic;
mod borrowing;
mod bundle;
mod called;
mod claim;
mod closure;
mod constant;
mod constant_item;
mod derive;
mod each;
mod enumeration;
pub mod expression;
mod fallback;
mod generic;
mod helper;
mod hidden;
mod host;
mod host_version;
mod imported;
mod indexing;
mod instances;
mod interface;
mod iterator;
mod kept;
mod kept_slice;
mod kernel;
mod lending;
mod limits;
mod lockstep;
mod matched;
mod message;
mod method;
mod module;
mod operation;
mod own_operator;
mod passed;
mod pattern;
mod place;
mod receiver;
mod reference;
mod resolved;
mod rewrite;
mod standard;
mod structure;
mod types;
mod vector;
mod view;

pub use module::{compile_together, start as start_module};

use amp_spirv::diagnostic::Code;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Item, ItemFn, Path, parse_quote, spanned::Spanned};

use crate::{
    above,
    attribute::{self, Arguments, TaskKind},
    depth, fragment,
    import::{
        self, Closure, Cluster, Task, TaskItem, aliases, cases, functions, lengths, siblings,
        standard_traits, tables,
    },
    infer,
    language::returned::is_of_host,
    macro_rules, position,
    report::Report,
    sugar::{self, returned, taken},
};

/// Begins the compilation of an annotated item.
pub fn start(kind: TaskKind, arguments: TokenStream, tokens: TokenStream) -> TokenStream {
    if let Some(place) = depth::too_deep(tokens.clone()) {
        let mut report = Report::default();
        report.error_help(
            Code::UnsupportedSyntax,
            place,
            "this is too long an expression, or too deep in others",
            "give parts of it names with `let`, make them an `#[amp_fn]`, or replace a long `match` by a constant array",
        );
        let errors = report.to_tokens();
        let stub = unread(kind, &arguments, tokens);
        return quote!(#errors #stub);
    }
    let tokens = fragment::written_out(tokens);
    let mut item = match syn::parse2::<Item>(tokens.clone()) {
        Ok(item) => item,
        Err(error) => {
            let mut report = Report::default();
            report.error_help(
                Code::UnsupportedSyntax,
                error.span(),
                format!("this cannot be read: {error}"),
                "write it in the Rust that docs/language.md describes",
            );
            let errors = report.to_tokens();
            let stub = unread(kind, &arguments, tokens);
            return quote!(#errors #stub);
        }
    };
    let mut report = Report::default();
    let attribute = kind.attribute();
    let wanted = match kind {
        TaskKind::Kernel | TaskKind::Function => "a function",
        TaskKind::Struct => "a struct",
        TaskKind::Enum => "an enum",
        TaskKind::Constant => "a constant",
        TaskKind::Module => "a module",
    };
    let fits = match kind {
        TaskKind::Struct => matches!(item, Item::Struct(_)),
        TaskKind::Enum => matches!(item, Item::Enum(_)),
        TaskKind::Constant => matches!(item, Item::Const(_)),
        TaskKind::Module => matches!(item, Item::Mod(_)),
        TaskKind::Kernel => matches!(item, Item::Fn(_)),
        TaskKind::Function => matches!(item, Item::Fn(_) | Item::Impl(_) | Item::Trait(_)),
    };
    if !fits {
        report.error_help(
            Code::Signature,
            item.span(),
            format!("`#[{attribute}]` is for {wanted}, and this is not one"),
            format!("remove it, or make this {wanted}"),
        );
        let errors = report.to_tokens();
        return quote!(#errors #item);
    }
    if let Item::Const(item) = &item {
        let arguments = Arguments::read(kind, &arguments, &mut report);
        return constant_item::start(item, arguments, report);
    }
    if let Some(derive) = above::derive(&item) {
        let derive = derive.to_token_stream();
        report.error_help(
            Code::AttributeArgument,
            Span::call_site(),
            format!(
                "`{derive}` above `#[{attribute}]`, which does not see it and derives the same"
            ),
            format!("write `#[{attribute}]` above it"),
        );
        let arguments = Arguments::read(kind, &arguments, &mut report);
        let (errors, stub) = (
            report.to_tokens(),
            stub(&task(kind, arguments, item, Vec::new())),
        );
        return quote!(#errors #stub);
    }
    if kind != TaskKind::Kernel
        && let Some(cluster) = Cluster::of(&item)
    {
        Arguments::read(kind, &arguments, &mut report);
        let errors = report.to_tokens();
        let name = format_ident!("{attribute}");
        let attribute = match arguments.is_empty() || !report.is_clean() {
            true => quote!(#[#name]),
            false => quote!(#[#name(#arguments)]),
        };
        let handed_on = cluster.hand_on(&quote!(#attribute #item));
        return quote!(#errors #handed_on);
    }
    if let Item::Enum(of) = &mut item {
        of.attrs.push(parse_quote!(#[amp_enum(#arguments)]));
        if attribute::element_of(of).is_some() {
            return module::with_element(of);
        }
        of.attrs.pop();
    }
    if let Item::Impl(_) | Item::Trait(_) = &item {
        // An editor expands macros without rustc, and so without files.
        if position::local_file(item.span()).is_none() {
            return quote!(#item);
        }
        report.error_help(
            Code::Signature,
            item.span(),
            "the types that this belongs to cannot be told",
            "write it beside the type, without `#[cfg]` and not by a macro; elsewhere, put the type and \
             its `impl` into an `#[amp_module]`",
        );
        let errors = report.to_tokens();
        return quote!(#errors #item);
    }
    if kind == TaskKind::Function
        && let Item::Fn(function) = &item
        && siblings::is_associated(function)
    {
        report.error_help(
            Code::Signature,
            &function.sig,
            "`#[amp_fn]` is for all functions of an `impl` or `trait`, and not for one of them",
            METHODS,
        );
        let errors = report.to_tokens();
        return quote!(#errors #item);
    }
    if let Some(attributes) = import::attributes_of(&mut item) {
        attribute::alone(Some(kind), attributes, &mut report);
    }
    let arguments = Arguments::read(kind, &arguments, &mut report);
    let mut proofs = TokenStream::new();
    let written = item.clone();
    let anchor = import::ident_of(&item).cloned();
    if let Some(anchor) = &anchor {
        proofs.extend(macro_rules::expand(
            &mut item,
            &[],
            (anchor, kind),
            &mut report,
        ));
    }
    if let Item::Fn(function) = &mut item {
        crate::message::rewrite(function);
    }
    if let Some(anchor) = &anchor {
        proofs.extend(aliases::settle(&mut item, anchor, kind));
        proofs.extend(cases::settle(&mut item, anchor, kind));
        proofs.extend(standard_traits::settle(&mut item, anchor, kind));
        proofs.extend(lengths::settle(&mut item, anchor, kind));
    }
    if let Item::Fn(function) = &mut item {
        normalise(function, kind);
        if let Item::Fn(written) = written
            && is_of_host(&function.sig)
            && kind == TaskKind::Function
        {
            called::of_host(written).to_tokens(&mut proofs);
        }
        returned::check(&mut function.sig, &mut report);
    }
    // What is chosen by type has a body that only the host sees.
    let paths = match arguments.by_type {
        true => Vec::new(),
        false => siblings::needed(&item, kind, &arguments),
    };
    let mut missing = import::without_foreign(&item, kind, paths);
    siblings::check(&item, kind, &missing, &mut report);
    missing.extend(lengths::exported(&item, kind));
    let task = task(kind, arguments, item, missing);
    if report.is_clean() {
        let expansion = proceed(&task);
        quote!(#proofs #expansion)
    } else {
        let errors = report.to_tokens();
        let stub = stub(&task);
        quote!(#errors #proofs #stub)
    }
}

/// What to write instead of an attribute on methods.
const METHODS: &str = "write it before the `impl` or `trait`, all of whose functions then are kernels', or make this a \
                       function without a type";

/// Writes a function in the forms that inference reads.
fn normalise(function: &mut ItemFn, kind: TaskKind) {
    let ItemFn { sig, block, .. } = function;
    tables::declare(block, &sig.generics, None, (&sig.ident, kind));
    if kind == TaskKind::Function {
        taken::rewrite(function);
        returned::rewrite(function);
    }
    sugar::rewrite(function);
    let ItemFn { sig, block, .. } = function;
    functions::as_closures(block, sig, kind);
    if kind == TaskKind::Function {
        sugar::name_parameters(sig);
    }
}

/// The compilation of an item that needs what these paths name.
fn task(kind: TaskKind, arguments: Arguments, item: Item, missing: Vec<Path>) -> Task {
    let repetition = import::ident_of(&item).map_or(0, import::repetition);
    Task {
        arguments,
        repetition,
        id: match kind {
            TaskKind::Kernel => String::new(),
            _ => import::id_of(&item, repetition),
        },
        item: match item {
            Item::Fn(item) if kind == TaskKind::Kernel => TaskItem::Kernel(item),
            Item::Fn(item) => TaskItem::Function(item),
            Item::Struct(item) => TaskItem::Struct(item),
            Item::Enum(item) => TaskItem::Enum(item),
            Item::Const(item) => TaskItem::Constant(item),
            other => TaskItem::Module(other.into_token_stream()),
        },
        closure: Closure::default(),
        missing,
    }
}

/// What stands for an item that cannot be read. Of a function only the body is left out, so
/// that its calls have no errors of their own.
fn unread(kind: TaskKind, arguments: &TokenStream, tokens: TokenStream) -> TokenStream {
    match (kind, syn::parse2(import::apart(tokens.clone()).0)) {
        (TaskKind::Kernel | TaskKind::Function, Ok(Item::Fn(function))) => {
            let arguments = Arguments::read(kind, arguments, &mut Report::default());
            stub(&task(kind, arguments, Item::Fn(function), Vec::new()))
        }
        _ => tokens,
    }
}

/// Goes on when an import has arrived.
pub fn resume(tokens: TokenStream) -> TokenStream {
    match import::resume(tokens) {
        Ok(task) => proceed(&task),
        Err(error) => error.to_compile_error(),
    }
}

fn proceed(task: &Task) -> TokenStream {
    task.request().unwrap_or_else(|| {
        let asked = task;
        let (task, proofs) = imported::of_task(task);
        let task = &called::of_task(&task);
        let expanded = match &task.item {
            TaskItem::Kernel(item) => instances::expand(task, item),
            TaskItem::Function(item) => helper::expand(task, item),
            TaskItem::Struct(item) => Ok(structure::expand(task, item, true)),
            TaskItem::Enum(item) => Ok(enumeration::expand(task, item)),
            TaskItem::Constant(item) => Ok(constant_item::expand(task, item)),
            TaskItem::Module(items) => module::expand(task, items),
        };
        let expanded = expanded.map(|expanded| quote!(#proofs #expanded));
        expanded.unwrap_or_else(|wanted| proceed(&infer::asking(asked, wanted)))
    })
}

/// What stands for an item that cannot be compiled.
fn stub(task: &Task) -> TokenStream {
    match &task.item {
        TaskItem::Kernel(item) => instances::stub(&task.arguments, item),
        TaskItem::Function(item) => helper::stub(task, item),
        TaskItem::Struct(item) => structure::stub(task, item),
        TaskItem::Enum(item) => enumeration::stub(task, item),
        TaskItem::Constant(item) => constant_item::stub(task, item),
        TaskItem::Module(items) => items.clone(),
    }
}

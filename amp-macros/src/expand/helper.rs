//! `#[amp_fn]`: the function itself, its host version, and its export.

use amp_spirv::diagnostic::Code;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{FnArg, Generics, Ident, ItemFn, ReceiverKind, ReturnType, Type, parse_quote};

use super::{
    bundle, claim,
    constant::{self, Constant},
    host, rewrite,
    structure::unmark,
};
use crate::{
    attribute::marks,
    import::{Closure, Entry, EntryKind, Task, export},
    infer::{self, Program},
    language::{name::is_reserved_name, returned},
    lower,
    report::Report,
};

/// A function that has been compiled.
pub struct Compiled {
    /// What is wrong with it.
    pub errors: TokenStream,
    /// Its host version, or what stands for it.
    pub tokens: TokenStream,
    /// Its constants, and those of the functions that it calls.
    pub constants: Vec<Constant>,
    /// It cannot be used.
    pub broken: bool,
    /// What is still to come, if anything: then all else is nothing.
    pub wanted: Vec<String>,
}

/// The expansion of a helper all of whose callees have arrived, or the paths of what it turns out
/// to need too.
pub fn expand(task: &Task, item: &ItemFn) -> Result<TokenStream, Vec<String>> {
    let Compiled {
        errors,
        tokens,
        constants,
        broken,
        wanted,
    } = compile(task, item);
    if !wanted.is_empty() {
        return Err(wanted);
    }
    let carrier = constant::carrier(&item.sig.ident, &item.vis, &constants);
    let names = (!broken).then(|| constant::names(&constants));
    let export = export_of(task, item, names);
    Ok(quote!(#errors #tokens #carrier #export))
}

/// Compiles a function.
pub fn compile(task: &Task, item: &ItemFn) -> Compiled {
    compile_with(task, item, None)
}

/// What a function of an `impl` block is apart from the block.
#[derive(Clone, Copy)]
pub struct Own<'a> {
    /// The parameters of its own.
    pub generics: &'a Generics,
    /// Whether the block is of a reference, as which it takes `self`.
    pub of_reference: bool,
}

/// Compiles a function of an `impl` block.
pub fn compile_member(task: &Task, item: &ItemFn, own: Own) -> Compiled {
    compile_with(task, item, Some(own))
}

fn compile_with(task: &Task, item: &ItemFn, own: Option<Own>) -> Compiled {
    let mut report = Report::default();
    // Of what is chosen by type, only the host sees this body.
    if task.arguments.by_type {
        let defined = claim::function(&task.id, item, None);
        return Compiled {
            errors: TokenStream::new(),
            tokens: quote!(#item #defined),
            constants: Vec::new(),
            broken: false,
            wanted: Vec::new(),
        };
    }
    let program = infer::build(task, &mut report);
    if let Some(name) = &task.arguments.fast_math
        && program
            .functions
            .last()
            .is_some_and(|helper| lower::is_inlined(&program, helper))
    {
        report.error_help(
            Code::AttributeArgument,
            name,
            "`fast_math` on a helper that takes references or closures",
            "such a helper is compiled as a part of its callers: write it on the kernel, or \
             take values",
        );
    }
    if !program.wanted.is_empty() || program.broken || !report.is_clean() {
        return Compiled {
            errors: report.to_tokens(),
            tokens: diverging(&match own {
                // As its trait has it.
                Some(own) => rewrite::signature(within_block(item.clone(), own)),
                None => item.clone(),
            }),
            constants: Vec::new(),
            broken: true,
            wanted: program.wanted,
        };
    }
    Compiled {
        errors: TokenStream::new(),
        constants: constant::all(&program, &task.closure),
        tokens: match own {
            Some(own) => member_of(program, &task.closure, own),
            None => function_of(program, &task.closure, &task.id, item.clone()),
        },
        broken: false,
        wanted: Vec::new(),
    }
}

/// The host version of a method, which is the method.
fn member_of(program: Program, closure: &Closure, own: Own) -> TokenStream {
    let mut item = within_block(rewrite::helper(program, closure), own);
    // The host has it as it is written, elsewhere.
    if item.sig.constness.take().is_some() {
        item.sig.ident = returned::of_const(&item.sig.ident);
        item.attrs.push(parse_quote!(#[doc(hidden)]));
        item.attrs.push(parse_quote!(#[allow(dead_code)]));
    }
    quote! {
        #[allow(unused_parens, unused_braces, clippy::all)]
        #item
    }
}

/// The host version of a helper, which is the helper if the host can call it as it is written; and
/// what proves that a name means it.
fn function_of(program: Program, closure: &Closure, id: &str, mut item: ItemFn) -> TokenStream {
    unmark(&mut item.attrs);
    let host = program
        .functions
        .last()
        .filter(|own| own.has_host_version());
    // The host has what returns an iterator or a closure, or is constant, as it is written, elsewhere.
    let is_elsewhere = returned::is_of_host(&item.sig);
    let host = host.map(|own| match is_elsewhere {
        true => host::without_returned(item),
        false => host::function(id, item, own),
    });
    let host_version = rewrite::helper(program, closure);
    match host {
        None => {
            let defined = claim::function(id, &host_version, None);
            quote! {
                #[allow(unused_parens, unused_braces, clippy::all)]
                #host_version
                #defined
            }
        }
        Some(host) => {
            let (path, host) = host::without_taken(host);
            let host_version = host::host_version(host_version, &host.sig.generics);
            let defined = claim::function(id, &host, Some((path, &host_version)));
            let host = (!is_elsewhere).then_some(host);
            quote!(#host #defined)
        }
    }
}

/// The function as it stands in its block.
pub fn within_block(mut item: ItemFn, own: Own) -> ItemFn {
    item.sig.generics = own.generics.clone();
    if own.of_reference
        && let Some(FnArg::Receiver(receiver)) = item.sig.inputs.first_mut()
    {
        receiver.kind = ReceiverKind::Value;
    }
    item
}

/// What stands for a helper that cannot be compiled.
pub fn stub(task: &Task, item: &ItemFn) -> TokenStream {
    let export = export_of(task, item, None);
    let stub = diverging(item);
    quote!(#stub #export)
}

/// The signature with a body that type-checks whatever the result is.
pub fn diverging(item: &ItemFn) -> TokenStream {
    if returned::is_of_host(&item.sig) {
        return TokenStream::new();
    }
    let ItemFn { vis, sig, .. } = item;
    let mut sig = sig.clone();
    if let Some(FnArg::Receiver(receiver)) = sig.inputs.first_mut() {
        bundle::without_type(receiver);
    }
    // What a result borrows is not said here.
    if let ReturnType::Type(_, ty) = &mut sig.output
        && (infer::has_lifetime(ty) || infer::view_path(ty).is_some())
    {
        **ty = Type::Never(parse_quote!(!));
    }
    quote! {
        #[allow(unused, clippy::all)]
        #vis #sig { ::core::unreachable!() }
    }
}

/// The macro that hands the helper to code that names it, with the names of its constants unless
/// it is broken.
pub fn export_of(task: &Task, item: &ItemFn, constants: Option<Vec<Ident>>) -> TokenStream {
    // A method stands where no macro can; a reserved name would hide the macro it is.
    if item.sig.receiver().is_some() || is_reserved_name(&item.sig.ident.to_string()) {
        return TokenStream::new();
    }
    let mut bare = item.clone();
    bare.attrs = marks(&task.arguments, item);
    let broken = constants.is_none();
    let own = task.entry(EntryKind::Function, broken, quote!(#bare));
    let own = Entry { constants, ..own };
    export(&item.sig.ident, &item.vis, own, &task.closure)
}

//! `#[amp_kernel]`: the binding function with the host version and the compiled kernel inside.

use amp_spirv::{
    artifact::Artifact,
    diagnostic::{Code, Diagnostic},
    memory, tree,
};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{FnArg, GenericParam, ItemFn, Pat, Type, parse_quote};

use super::passed::{Passed, view_arguments};
use super::{artifact, constant, constant::const_arguments, limits, message, rewrite};
use crate::{
    dump,
    import::Task,
    infer::{self, Len, Program, Ty},
    lower, optimisation,
    report::Report,
};

/// Why there is no body of a kernel.
pub(super) enum Refused {
    /// It cannot be compiled: what stands for it.
    Failed(TokenStream),
    /// Paths of functions of the library that are still to come.
    Wanted(Vec<String>),
}

/// The expansion of a kernel all of whose helpers and structs have arrived, or the paths of
/// what it turns out to need too.
pub fn expand(task: &Task, item: &ItemFn) -> Result<TokenStream, Vec<String>> {
    let body = match instance(task, item, &[]) {
        Ok(body) => body,
        Err(Refused::Failed(stub)) => return Ok(stub),
        Err(Refused::Wanted(wanted)) => return Err(wanted),
    };
    let Signature {
        attributes,
        head,
        index,
        ..
    } = &Signature::of(item);
    let inline = (!attributes.iter().any(|it| it.path().is_ident("inline"))).then(on_use);
    Ok(quote! {
        #(#attributes)*
        #inline
        #[allow(clippy::too_many_arguments)]
        #head -> ::amp::Kernel<'amp, #index> { #body }
    })
}

/// The attribute of bindings that are not generic: a library is not compiled with the host versions of
/// all its kernels, but a program with those that it uses.
pub(super) fn on_use() -> TokenStream {
    quote!(#[inline])
}

/// The body of the binding with types in the place of the kernel's type parameters, or
/// what stands for the kernel if something is wrong.
pub(super) fn instance(
    task: &Task,
    item: &ItemFn,
    types: &[(syn::Ident, Type)],
) -> Result<TokenStream, Refused> {
    let mut report = Report::default();
    let program = infer::build_instance(task, types, &mut report);
    if !program.wanted.is_empty() {
        return Err(Refused::Wanted(program.wanted));
    }
    if program.broken || !report.is_clean() {
        return Err(Refused::Failed(failed(item, &report, Some(&program))));
    }
    let Some(domain) = domain(&program) else {
        return Err(Refused::Failed(failed(item, &report, Some(&program))));
    };
    let lower::Lowered {
        mut module,
        consts,
        lengths,
        too_large,
        copied,
    } = lower::lower(&program, domain, &mut report.spans);
    let too_large = too_large.map(|call| {
        let most = lower::MOST_BODIES;
        let message = format!(
            "this kernel calls closures and helpers with references in more than {most} places"
        );
        Diagnostic::new(Code::Generic, call, message).help(
            "each such call is compiled where it stands, and those within it again: pass values",
        )
    });
    let copied = copied.map(|slice| {
        let message = "a slice is kept of an array that a function chooses, of an element, or behind two indices";
        Diagnostic::new(Code::Reference, slice, message)
            .help("copy the array to a variable of its own, and keep a slice of that")
    });
    let refused: Vec<Diagnostic> = too_large.into_iter().chain(copied).collect();
    if !refused.is_empty() {
        report.extend(refused);
        return Err(Refused::Failed(failed(item, &report, Some(&program))));
    }
    (module.locations, module.files) = report.spans.locate();
    #[cfg(test)]
    crate::fuzz::reads_back(&module);
    let compiled = dump::compile(&module);
    let compiled = compiled.map_err(|found| report.extend(found));
    let (Ok((artifact, dumped)), true) = (compiled, report.is_clean()) else {
        return Err(Refused::Failed(failed(item, &report, Some(&program))));
    };
    let messages = message::writers(&module);
    let values = consts.iter().map(|&index| {
        let value = constant::value(&program, &task.closure, index);
        constant::fitted(&program, index, lengths.contains(&index), value)
    });
    let values = quote!([#(#values),*]);
    let limits = limits::statements(&program, task, &memory::Memory::of(&module), &consts);
    let prepared = quote!(#messages #limits #dumped);
    Ok(binding(task, item, program, artifact, &values, &prepared))
}

/// What stands for a kernel that cannot be compiled.
pub fn stub(item: &ItemFn) -> TokenStream {
    failed(item, &Report::default(), None)
}

fn domain(program: &Program) -> Option<tree::Domain> {
    match &program.functions.last()?.params.first()?.ty {
        Ty::Index(rank) => Some(tree::Domain::Range { rank: *rank }),
        Ty::Tiled(dims) => {
            // Extents that are constants are checked by rustc, in `limits`.
            let literal = |dim: &Len| match program.canonical(*dim) {
                Len::Literal(number) => tree::Len::Literal(number),
                Len::Const(index) => tree::Len::Const(tree::ConstId(index as u32)),
            };
            Some(tree::Domain::Tiled {
                tile: dims.iter().map(literal).collect(),
            })
        }
        _ => None,
    }
}

fn binding(
    task: &Task,
    item: &ItemFn,
    program: Program,
    artifact: Artifact,
    values: &TokenStream,
    prepared: &TokenStream,
) -> TokenStream {
    let signature = Signature::of(item);
    let names = &signature.names;
    let binds = signature
        .kinds
        .iter()
        .zip(names)
        .map(|(kind, name)| kind.bound(name));
    let is_part = |kind: &Passed| matches!(kind, Passed::Bundle { .. });
    let pointwise = artifact.pointwise && !signature.kinds.iter().any(is_part);
    let opened = signature
        .kinds
        .iter()
        .zip(names)
        .map(|(kind, name)| kind.opened(name));
    let passed = |has_own: bool| -> Vec<_> {
        let kinds = signature.kinds.iter().zip(names);
        kinds
            .map(|(kind, name)| kind.passed(name, has_own))
            .collect()
    };
    let host_version_arguments = const_arguments(item);
    // An item is evaluated by `cargo check`, but only a block sees const parameters.
    let constants = match host_version_arguments.is_empty() {
        true => quote!({
            const __AMP_CONSTANTS: &[::core::primitive::u64] = &#values;
            __AMP_CONSTANTS
        }),
        false => quote!(const { &#values }),
    };
    let [alone, together] =
        ["__amp_host_version", "__amp_together"].map(|it| format_ident!("{it}"));
    let together = (!pointwise).then_some((&together, artifact.has_barrier));
    let host_version = rewrite::kernel(program, &task.closure, &alone, together);
    let opened: Vec<_> = opened.collect();
    let (shared, own) = (passed(false), passed(true));
    let types = item.sig.inputs.iter().skip(1);
    let slots = types
        .zip(&signature.kinds)
        .filter_map(|(input, kind)| match input {
            FnArg::Typed(typed) => Some(kind.slot(&typed.ty)),
            FnArg::Receiver(_) => None,
        });
    let slots: Vec<_> = slots.collect();
    let index = &signature.index;
    let threads = [quote!(Views<'_>), quote!(Threads<'_, #index>)];
    // For one thread, whose views are those of its piece.
    let alone = quote! {
        __amp_threads.run(|__amp_index| {
            __amp_host_version #host_version_arguments (__amp_index, #(#shared),*)
        })
    };
    let in_turns = !pointwise && !host_version.in_lockstep && artifact.has_barrier;
    let (finish, extended, run) = if pointwise {
        let views = signature.kinds.iter().zip(names);
        let views = views.filter(|(kind, _)| matches!(kind, Passed::View { .. }));
        let views = views.rfold(quote!(()), |rest, (_, name)| quote!((#name, #rest)));
        let run = quote! {
            __amp_threads.run(#views, move |__amp_index, #views| {
                __amp_host_version #host_version_arguments (__amp_index, #(#own),*)
            })
        };
        let rank = artifact.rank as usize;
        let points = [quote!(OwnViews<'_>), quote!(Points<'_, #rank>)];
        (
            quote!(finish_pointwise),
            Some((quote!(extended_pointwise), points)),
            run,
        )
    } else if host_version.in_lockstep {
        let run = quote! {
            __amp_threads.run_together(|__amp_group| {
                __amp_together #host_version_arguments (__amp_group, #(#shared),*)
            })
        };
        (quote!(finish), Some((quote!(extended), threads)), run)
    } else if in_turns {
        (quote!(finish_in_turns), None, alone.clone())
    } else {
        (
            quote!(finish),
            Some((quote!(extended), threads)),
            alone.clone(),
        )
    };
    // Kernels whose threads take turns run by the same code in checked mode.
    let unchecked = (!in_turns).then(|| quote!(let __amp_views = __amp_views.unchecked();));
    let extended = extended
        .filter(|_| optimisation::is_on())
        .map(|(bind, [views, threads])| {
            let consts = item.sig.generics.const_params();
            quote! {
                ::amp::__private::extended! {
                    [fn __amp_extended<#(#consts),*>(
                        __amp_views: ::amp::__private::cpu::#views,
                        __amp_threads: ::amp::__private::cpu::#threads,
                        (#(#names,)*): (#(#slots,)*),
                    ) {
                        #unchecked
                        #(#opened)*
                        #run
                    }]
                    __amp_binding.#bind(__amp_extended #host_version_arguments, (#(#names,)*));
                }
            }
        });
    let checked = (!in_turns).then(|| {
        quote! {
            __amp_binding.checked(move |__amp_views, __amp_threads| {
                #(#opened)*
                #alone
            });
        }
    });
    let unoptimised = (!optimisation::is_on()).then(|| quote!(__amp_binding.unoptimised();));
    let compiled = artifact::tokens(&Artifact {
        in_lockstep: host_version.in_lockstep,
        ..artifact
    });
    let host_version = host_version.functions;
    quote! {
        #host_version
        static __AMP_ARTIFACT: ::amp::__private::Embedded = #compiled;
        let mut __amp_binding = ::amp::__private::Binding::new(__AMP_ARTIFACT.artifact(), #constants);
        #prepared
        #(#binds)*
        #checked
        #unoptimised
        #extended
        __amp_binding.#finish(move |__amp_views, __amp_threads| {
            #unchecked
            #(#opened)*
            #run
        })
    }
}

/// The errors, and a binding of the right signature that cannot be run. Parameters whose
/// types could not be read take anything, so that calls have no errors of their own.
pub(super) fn failed(item: &ItemFn, report: &Report, program: Option<&Program>) -> TokenStream {
    let errors = report.to_tokens();
    let known = program.and_then(|program| program.functions.last());
    let params = known
        .map(|kernel| kernel.params.as_slice())
        .unwrap_or_default();
    let mut readable = item.clone();
    // A type that nothing tells is one that no call can tell.
    let unlisted =
        known.is_none_or(|kernel| kernel.arguments.types.values().any(|ty| *ty == Ty::Error));
    if unlisted {
        let parameters = std::mem::take(&mut readable.sig.generics.params);
        let consts = parameters
            .into_iter()
            .filter(|param| matches!(param, GenericParam::Const(_)));
        readable.sig.generics.params = consts.collect();
    }
    // The binding names no views, whose imports the user needs.
    let mut views = Vec::new();
    for input in readable.sig.inputs.iter_mut().skip(1) {
        let FnArg::Typed(typed) = input else { continue };
        if let Pat::Ident(name) = &*typed.pat
            && params
                .iter()
                .any(|param| param.ident == name.ident && is_unreadable(&param.ty))
        {
            *typed.ty = parse_quote!(impl ::core::marker::Sized);
        } else if let Type::Reference(reference) = &*typed.ty
            && !unlisted
            && view_arguments(&typed.ty).is_some()
            && reference.lifetime.is_none()
            && !infer::has_lifetime(&reference.elem)
        {
            views.push(typed.ty.clone());
        }
    }
    let signature = Signature::of(&readable);
    let Signature {
        attributes,
        head,
        index,
        ..
    } = &signature;
    if !signature.is_whole {
        return errors;
    }
    let is_index = match params.first() {
        Some(param) => matches!(param.ty, Ty::Index(_) | Ty::Tiled(_)),
        None => known.is_none(),
    };
    let index = if is_index {
        quote!(#index)
    } else {
        quote!(::amp::Index<1>)
    };
    quote! {
        #errors
        #(#attributes)*
        #[allow(unused, clippy::all)]
        #head -> ::amp::Kernel<'amp, #index> {
            #(let _ = |_: #views| ();)*
            ::core::unreachable!()
        }
    }
}

/// Whether a parameter's type is wrong, or that of its elements.
fn is_unreadable(ty: &Ty) -> bool {
    match ty {
        Ty::View(view) => *view.element == Ty::Error,
        ty => *ty == Ty::Error,
    }
}

/// A kernel's signature as the binding has it.
pub(super) struct Signature<'a> {
    /// Attributes that the user wrote.
    pub attributes: &'a [syn::Attribute],
    /// `pub fn name<'amp, ..>(a: .., b: ..)`
    pub head: TokenStream,
    /// Type of the index.
    pub index: TokenStream,
    /// Names of the other parameters.
    pub names: Vec<syn::Ident>,
    /// How they are passed.
    kinds: Vec<Passed>,
    /// The const parameters.
    consts: Vec<syn::ConstParam>,
    /// All parameters but the index.
    params: TokenStream,
    /// Every parameter could be read.
    is_whole: bool,
}

impl<'a> Signature<'a> {
    /// `fn name<'amp, const ..>(..) -> Kernel<'amp, ..>`: the binding as a method of what
    /// has the type parameters.
    pub(super) fn method(&self, name: &syn::Ident) -> TokenStream {
        let Signature {
            consts,
            params,
            index,
            ..
        } = self;
        quote!(fn #name<'amp, #(#consts),*>(#params) -> ::amp::Kernel<'amp, #index>)
    }

    pub(super) fn of(item: &'a ItemFn) -> Self {
        let mut names = Vec::new();
        let mut kinds = Vec::new();
        let mut params = Vec::new();
        let mut is_whole = !item.sig.inputs.is_empty();
        for input in item.sig.inputs.iter().skip(1) {
            let FnArg::Typed(typed) = input else {
                is_whole = false;
                continue;
            };
            let Pat::Ident(name) = &*typed.pat else {
                is_whole = false;
                continue;
            };
            let (name, ty) = (&name.ident, &typed.ty);
            let (kind, ty) = Passed::of(ty);
            params.push(quote!(#name: #ty));
            kinds.push(kind);
            names.push(name.clone());
        }
        let index = match item.sig.inputs.first() {
            Some(FnArg::Typed(typed)) => {
                let ty = &typed.ty;
                quote!(#ty)
            }
            _ => quote!(::amp::Index<1>),
        };
        let ItemFn {
            vis, sig, attrs, ..
        } = item;
        let name = &sig.ident;
        let generics = sig
            .generics
            .params
            .iter()
            .filter(|param| !matches!(param, GenericParam::Lifetime(_)));
        Signature {
            attributes: attrs,
            consts: sig.generics.const_params().cloned().collect(),
            params: quote!(#(#params),*),
            head: quote!(#vis fn #name<'amp, #(#generics),*>(#(#params),*)),
            index,
            names,
            kinds,
            is_whole,
        }
    }
}

//! A kernel with type parameters: one binding and one artifact for each of the types that
//! its attribute lists, and a generic function that picks among them.
//!
//! ```text
//! #[amp_kernel(T = f32 | i32)]        trait __amp_instances_of_axpy<T: Scalar> { fn bind(..); }
//! fn axpy<T: Scalar>(..)              impl __amp_instances_of_axpy<f32> for () { .. }
//!                                     impl __amp_instances_of_axpy<i32> for () { .. }
//!                                     fn axpy<T: Scalar>(..) where (): __amp_instances_of_axpy<T>
//! ```
//!
//! Each instance is a kernel like others, in whose body `T` is the name of a type.

use amp_spirv::diagnostic::Code;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{GenericParam, ItemFn, Type, TypePath};

use super::{
    constant::const_arguments,
    kernel::{self, Refused, Signature, failed, instance},
};
use crate::{
    import::Task,
    report::Report,
    visit::{self, VisitMut},
};

/// More instances than a kernel should have: each takes its time to compile.
const MOST_INSTANCES: usize = 64;

/// The expansion of a kernel all of whose helpers and structs have arrived, or the paths of
/// what it turns out to need too.
pub fn expand(task: &Task, item: &ItemFn) -> Result<TokenStream, Vec<String>> {
    if task.arguments.instances.is_empty() {
        return kernel::expand(task, item);
    }
    let mut report = Report::default();
    let arguments = &task.arguments;
    let parameters: Vec<&Ident> = item
        .sig
        .generics
        .type_params()
        .map(|param| &param.ident)
        .collect();
    for (name, _) in &arguments.instances {
        if !parameters.contains(&name) {
            report.error_help(
                Code::AttributeArgument,
                name,
                format!("the kernel has no type parameter `{name}`"),
                format!("declare it: `fn {}<{name}: Scalar>(..)`", item.sig.ident),
            );
        }
    }
    let combinations = combinations(&arguments.instances);
    if combinations.len() > MOST_INSTANCES {
        report.error_help(
            Code::Generic,
            &arguments.tokens,
            format!(
                "{} instances of one kernel; {MOST_INSTANCES} are the most",
                combinations.len()
            ),
            "list the types that the program really launches it with",
        );
    }
    if !report.is_clean() {
        return Ok(failed(item, &report, None));
    }
    let mut bodies = Vec::new();
    for combination in &combinations {
        match instance(task, item, combination) {
            Ok(body) => bodies.push(body),
            // The others would say the same.
            Err(Refused::Failed(stub)) => return Ok(stub),
            Err(Refused::Wanted(wanted)) => return Err(wanted),
        }
    }
    let instances = combinations
        .iter()
        .zip(bodies)
        .map(|(combination, body)| implementation(item, &parameters, combination, &body));
    let instances: TokenStream = instances.collect();
    let listed: Vec<String> = combinations.iter().map(|types| shown(types)).collect();
    Ok(generic_binding(item, &parameters, &listed, &instances))
}

/// A type for each listed parameter, in all ways.
fn combinations(listed: &[(Ident, Vec<Type>)]) -> Vec<Vec<(Ident, Type)>> {
    let mut all = vec![Vec::new()];
    for (name, types) in listed {
        all = all
            .into_iter()
            .flat_map(|some: Vec<(Ident, Type)>| {
                types.iter().map(move |ty| {
                    let mut more = some.clone();
                    more.push((name.clone(), ty.clone()));
                    more
                })
            })
            .collect();
    }
    all
}

fn shown(combination: &[(Ident, Type)]) -> String {
    let types: Vec<String> = combination
        .iter()
        .map(|(name, ty)| {
            format!(
                "{name} = {}",
                ty.to_token_stream().to_string().replace(' ', "")
            )
        })
        .collect();
    types.join(", ")
}

fn trait_name(item: &ItemFn) -> Ident {
    format_ident!("__amp_instances_of_{}", item.sig.ident)
}

/// The instance for some types, as an implementation of the kernel's trait.
fn implementation(
    item: &ItemFn,
    parameters: &[&Ident],
    combination: &[(Ident, Type)],
    body: &TokenStream,
) -> TokenStream {
    let name = trait_name(item);
    let types = parameters.iter().map(|parameter| {
        combination
            .iter()
            .find(|(listed, _)| listed == *parameter)
            .map(|(_, ty)| ty)
    });
    let mut concrete = item.clone();
    Concrete(combination).visit_signature_mut(&mut concrete.sig);
    let signature = Signature::of(&concrete);
    let head = signature.method(&format_ident!("bind"));
    let on_use = kernel::on_use();
    let aliases = combination.iter().map(|(name, ty)| {
        quote! {
            #[allow(dead_code)]
            type #name = #ty;
        }
    });
    quote! {
        #[allow(clippy::too_many_arguments)]
        impl #name<#(#types),*> for () {
            #on_use
            #head {
                #[allow(unused_imports)]
                use ::amp::Scalar as _;
                #(#aliases)*
                #body
            }
        }
    }
}

/// The generic function of the kernel's name, and the trait by which it finds instances.
fn generic_binding(
    item: &ItemFn,
    parameters: &[&Ident],
    listed: &[String],
    instances: &TokenStream,
) -> TokenStream {
    let (name, vis) = (trait_name(item), &item.vis);
    let generics = item
        .sig
        .generics
        .params
        .iter()
        .filter(|param| matches!(param, GenericParam::Type(_)));
    let signature = Signature::of(item);
    let method = signature.method(&format_ident!("bind"));
    let Signature {
        attributes,
        head,
        index,
        names,
        ..
    } = &signature;
    let wanted: Vec<String> = parameters
        .iter()
        .map(|parameter| format!("{parameter} = {{{parameter}}}"))
        .collect();
    let message = format!(
        "the kernel `{}` is not compiled for {}",
        item.sig.ident,
        wanted.join(", ")
    );
    let label = "no instance of the kernel for this type";
    let note = format!("its `#[amp_kernel]` lists {}", listed.join("; "));
    let consts = const_arguments(item);
    let bounds = item
        .sig
        .generics
        .where_clause
        .iter()
        .flat_map(|clause| &clause.predicates);
    let bounds: Vec<_> = bounds.collect();
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, clippy::too_many_arguments)]
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
        #vis trait #name<#(#generics),*> where #(#bounds),* {
            #method;
        }
        #instances
        #(#attributes)*
        #[allow(clippy::too_many_arguments)]
        #head -> ::amp::Kernel<'amp, #index>
        where
            #(#bounds,)*
            (): #name<#(#parameters),*>,
        {
            <() as #name<#(#parameters),*>>::bind #consts (#(#names),*)
        }
    }
}

/// Writes types in the place of type parameters.
struct Concrete<'a>(&'a [(Ident, Type)]);

impl VisitMut for Concrete<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(TypePath {
            qself: None, path, ..
        }) = ty
            && let Some(name) = path.get_ident()
            && let Some((_, concrete)) = self.0.iter().find(|(listed, _)| listed == name)
        {
            *ty = concrete.clone();
            return;
        }
        visit::visit_type_mut(self, ty);
    }
}

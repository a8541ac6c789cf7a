//! A kernel with type parameters: one binding and one artifact for each of the types that
//! its attribute lists, and a generic function that picks among them.
//!
//! ```text
//! #[amp_kernel(T = f32 | i32, instances = Axpy)]      trait Axpy: Scalar { fn __amp_bind(..); }
//! fn axpy<T: Scalar>(..)                              impl Axpy for f32 { .. }
//!                                                     impl Axpy for i32 { .. }
//!                                                     fn axpy<T: Scalar>(..) where T: Axpy
//! ```
//!
//! Each instance is a kernel like others, in whose body `T` is the name of a type. The trait is
//! implemented for the types of the first parameter, and has the others as its own: `A: Axpy<B>`.
//! The user names it, because any name that is made up here could be one that the module has.

use std::iter::once;

use amp_spirv::diagnostic::Code;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{ItemFn, Path, Type, TypeParam, TypePath};

use super::{
    constant::const_arguments,
    kernel::{self, Refused, Signature, instance},
};
use crate::{
    attribute::Arguments,
    import::{Task, siblings},
    report::Report,
    visit::{self, VisitMut},
};

/// More instances than a kernel should have: each takes its time to compile.
const MOST_INSTANCES: usize = 64;

/// The expansion of a kernel all of whose helpers and structs have arrived, or the paths of
/// what it turns out to need too.
pub fn expand(task: &Task, item: &ItemFn) -> Result<TokenStream, Vec<String>> {
    let mut report = Report::default();
    let arguments = &task.arguments;
    if arguments.instances.is_empty() {
        let Some(name) = &arguments.named else {
            return kernel::expand(task, item);
        };
        report.error_help(
            Code::AttributeArgument,
            name,
            format!("`{name}` is to name the instances of a kernel that lists no types"),
            format!("list them: `#[amp_kernel(T = f32 | i32, instances = {name})]`"),
        );
        return Ok(kernel::failed(item, &report, None));
    }
    if siblings::is_kernel_of_block(&item.sig.ident) {
        report.error_help(
            Code::Generic,
            &item.sig.generics,
            "a kernel with type parameters in an `impl` block",
            "write it before the block: its instances have a trait, which cannot stand in there",
        );
        return Ok(kernel::failed(item, &report, None));
    }
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
        let failed = kernel::failed(item, &report, None);
        return Ok(with_empty_trait(arguments, item, failed));
    }
    let mut bodies = Vec::new();
    for combination in &combinations {
        match instance(task, item, combination) {
            Ok(body) => bodies.push(body),
            // The others would say the same.
            Err(Refused::Failed(stub)) => return Ok(with_empty_trait(arguments, item, stub)),
            Err(Refused::Wanted(wanted)) => return Err(wanted),
        }
    }
    let Some(interface) = Interface::of(arguments, item) else {
        return kernel::expand(task, item);
    };
    let instances = combinations
        .iter()
        .zip(bodies)
        .map(|(combination, body)| interface.implementation(combination, &body));
    let instances: TokenStream = instances.collect();
    let listed: Vec<String> = combinations.iter().map(|types| shown(types)).collect();
    let declaration = interface.declaration(&listed.join("; "));
    let binding = interface.binding();
    Ok(quote!(#declaration #instances #binding))
}

/// What stands for a kernel that cannot be compiled, and for the trait that its attribute names.
pub fn stub(arguments: &Arguments, item: &ItemFn) -> TokenStream {
    with_empty_trait(arguments, item, kernel::stub(item))
}

/// A stub with the trait that the attribute names, which any type has, so that the functions that use it
/// have no errors of their own.
fn with_empty_trait(arguments: &Arguments, item: &ItemFn, stub: TokenStream) -> TokenStream {
    let interface = arguments.named.as_ref().and(Interface::of(arguments, item));
    let empty = interface.map(|interface| interface.empty());
    quote!(#empty #stub)
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

/// The trait of a kernel's instances.
struct Interface<'a> {
    item: &'a ItemFn,
    /// The kernel with `Self` in the place of its first type parameter.
    of_self: ItemFn,
    name: Ident,
    /// The user has named it.
    is_named: bool,
    /// The kernel's first type parameter, whose types have the trait.
    first: &'a TypeParam,
    /// Its other type parameters, which the trait has as well.
    others: Vec<&'a TypeParam>,
}

impl<'a> Interface<'a> {
    fn of(arguments: &Arguments, item: &'a ItemFn) -> Option<Self> {
        let mut parameters = item.sig.generics.type_params();
        let hidden = || format_ident!("__amp_instances_of_{}", item.sig.ident);
        let first = parameters.next()?;
        let mut of_self = item.clone();
        OfSelf(&first.ident).visit_signature_mut(&mut of_self.sig);
        Some(Self {
            item,
            of_self,
            name: arguments.named.clone().unwrap_or_else(hidden),
            is_named: arguments.named.is_some(),
            first,
            others: parameters.collect(),
        })
    }

    /// `Axpy<U>`, as a function that has the kernel's parameters bounds its first by it.
    fn bound(&self) -> TokenStream {
        let (name, others) = (&self.name, self.others.iter().map(|other| &other.ident));
        quote!(#name<#(#others),*>)
    }

    /// The trait without its items, with the bounds of the first parameter above it.
    fn head(&self) -> TokenStream {
        let (vis, name) = (&self.item.vis, &self.name);
        let generics = &self.of_self.sig.generics;
        let mut types = generics.type_params();
        let bounds = types.next().into_iter().flat_map(|first| &first.bounds);
        let bounds = quote!(::core::marker::Sized #(+ #bounds)*);
        let clause = &generics.where_clause;
        quote!(#vis trait #name<#(#types),*>: #bounds #clause)
    }

    fn declaration(&self, listed: &str) -> TokenStream {
        let (kernel, head) = (&self.item.sig.ident, self.head());
        let parameters = once(self.first).chain(self.others.iter().copied());
        let wanted: Vec<String> = parameters
            .enumerate()
            .map(|(number, parameter)| match number {
                0 => format!("{} = {{Self}}", parameter.ident),
                _ => format!("{0} = {{{0}}}", parameter.ident),
            })
            .collect();
        let message = format!(
            "the kernel `{kernel}` is not compiled for {}",
            wanted.join(", ")
        );
        let label = "no instance of the kernel for this type";
        let note = format!("its `#[amp_kernel]` lists {listed}");
        let in_general = self.in_general();
        let documentation = match self.is_named {
            true => {
                let text =
                    format!("The types that the kernel [`{kernel}`] is compiled for: {listed}.");
                quote!(#[doc = #text])
            }
            false => quote!(#[doc(hidden)] #[allow(non_camel_case_types)]),
        };
        let method = Signature::of(&self.of_self).method(&method_name());
        quote! {
            #documentation
            #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note, note = #in_general)]
            #head {
                #[doc(hidden)]
                #[allow(clippy::too_many_arguments)]
                #method;
            }
        }
    }

    /// What a generic function needs that launches the kernel.
    fn in_general(&self) -> String {
        let (first, kernel) = (&self.first.ident, &self.item.sig.ident);
        let (name, way) = match self.is_named {
            true => (self.name.to_string(), String::new()),
            false => {
                let name = in_camel_case(kernel);
                let way = format!(", of `#[amp_kernel({first} = .., instances = {name})]`");
                (name, way)
            }
        };
        let others: Vec<String> = self.others.iter().map(|it| it.ident.to_string()).collect();
        let others = match others.is_empty() {
            true => String::new(),
            false => format!("<{}>", others.join(", ")),
        };
        format!("a generic function that calls it has the bound `{first}: {name}{others}`{way}")
    }

    /// The instance for some types.
    fn implementation(&self, combination: &[(Ident, Type)], body: &TokenStream) -> TokenStream {
        let name = &self.name;
        let this = listed(combination, self.first);
        let others = self.others.iter().map(|other| listed(combination, other));
        let mut concrete = self.item.clone();
        Concrete(combination).visit_signature_mut(&mut concrete.sig);
        let head = Signature::of(&concrete).method(&method_name());
        let on_use = kernel::on_use();
        let aliases = combination.iter().map(|(name, ty)| {
            quote! {
                #[allow(dead_code)]
                type #name = #ty;
            }
        });
        quote! {
            #[allow(clippy::too_many_arguments)]
            impl #name<#(#others),*> for #this {
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

    /// The generic function of the kernel's name.
    fn binding(&self) -> TokenStream {
        let item = self.item;
        let Signature {
            attributes,
            head,
            index,
            names,
            ..
        } = &Signature::of(item);
        let predicates = item.sig.generics.where_clause.iter();
        let predicates = predicates.flat_map(|clause| &clause.predicates);
        let (first, bound, method) = (&self.first.ident, self.bound(), method_name());
        let consts = const_arguments(item);
        quote! {
            #(#attributes)*
            #[allow(clippy::too_many_arguments, clippy::multiple_bound_locations)]
            #head -> ::amp::Kernel<'amp, #index>
            where
                #(#predicates,)*
                #first: #bound,
            {
                <#first as #bound>::#method #consts (#(#names),*)
            }
        }
    }

    /// The trait of a kernel that is not compiled.
    fn empty(&self) -> TokenStream {
        let (head, bound, first) = (self.head(), self.bound(), &self.first.ident);
        let generics = &self.item.sig.generics;
        let (types, clause) = (generics.type_params(), &generics.where_clause);
        quote! {
            #[allow(dead_code)]
            #head {}
            impl<#(#types),*> #bound for #first #clause {}
        }
    }
}

/// The function of the trait that binds an instance.
fn method_name() -> Ident {
    format_ident!("__amp_bind")
}

/// The type in a combination that a parameter stands for.
fn listed<'a>(combination: &'a [(Ident, Type)], parameter: &TypeParam) -> Option<&'a Type> {
    let mut types = combination.iter();
    let found = types.find(|(name, _)| *name == parameter.ident);
    found.map(|(_, ty)| ty)
}

/// `MatMul` for `mat_mul`.
fn in_camel_case(name: &Ident) -> String {
    let name = name.to_string();
    let words = name.trim_start_matches("r#").split('_');
    let capitalised = words.flat_map(|word| {
        let mut letters = word.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(letters).collect::<Vec<_>>()
    });
    capitalised.collect()
}

/// Writes `Self` in the place of a type parameter, also before its associated types.
struct OfSelf<'a>(&'a Ident);

impl VisitMut for OfSelf<'_> {
    fn visit_path_mut(&mut self, path: &mut Path) {
        if let Some(first) = path.segments.first_mut()
            && first.ident == *self.0
        {
            first.ident = Ident::new("Self", first.ident.span());
        }
        visit::visit_path_mut(self, path);
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

//! `#[amp_module]`: a module whose items all see each other.
//!
//! The module stands there at once, with what kernels do not see (imports, constants,
//! other modules) as the user wrote it. The items that they do see wait in it until what
//! they need from outside has arrived; then each is compiled as if it stood alone, with
//! the others as its closure.
//!
//! Nothing outside can name the constants of a method. So all constants of the module's functions
//! stand in one type ([`CARRIER`](crate::import::CARRIER)), and each function and type that is
//! exported repeats them under its own name.

mod check;
mod constants;
mod element;
mod host;
mod nested;
mod stub;

use std::collections::HashSet;

use amp_spirv::diagnostic::Code;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    Attribute, Generics, ImplItem, Item, ItemEnum, ItemFn, ItemMod, Path, TraitItem, parse_quote,
    spanned::Spanned,
};

use super::{
    borrowing, bundle, called, claim, constant, enumeration, helper, imported, instances,
    interface, normalise, proceed, rewrite, structure,
};
use crate::{
    attribute::{
        self, Arguments, TaskKind, arguments_of, find_attribute as find, has_attribute as has,
        is_one,
    },
    fragment,
    import::{
        self, Closure, Entry, Member, Sealed, Task, TaskItem, aliases, cases, closure_of, export,
        functions, implementation, lengths, method_id, siblings, standard_traits, tables,
    },
    iterate::own_sources,
    language::name::{local_key, path_key},
    macro_rules::{self, Definition},
    report::Report,
    sugar::{self, returned},
};
use constants::Constants;
use stub::stub;

/// Begins the compilation of a module.
pub fn start(arguments: TokenStream, tokens: TokenStream) -> TokenStream {
    let tokens = fragment::written_out(tokens);
    let mut report = Report::default();
    let mut module = syn::parse2::<ItemMod>(tokens.clone()).ok();
    let items = module
        .as_mut()
        .and_then(|module| module.content.as_mut())
        .map(|(_, items)| std::mem::take(items));
    let (Some(mut module), Some(items)) = (module, items) else {
        report.error_help(
            Code::Signature,
            &tokens,
            "`#[amp_module]` is for a module that stands here whole",
            "write `#[amp_module] mod name { .. }`",
        );
        let errors = report.to_tokens();
        return quote!(#errors #tokens);
    };
    let arguments = Arguments::read(TaskKind::Module, &arguments, &mut report);
    let repetition = import::repetition(&module.ident);
    let items = compile(items, arguments, repetition, report);
    if let Some((_, inner)) = &mut module.content {
        *inner = items;
    }
    module.into_token_stream()
}

/// Begins the compilation of items that see each other, and whose module has others that kernels do not see:
/// the tokens of a [`Cluster`](import::Cluster).
pub fn compile_together(tokens: TokenStream) -> TokenStream {
    match import::together(tokens) {
        Ok(items) => {
            let place = items.iter().map(|item| item.span()).next_back();
            let place = Ident::new("together", place.unwrap_or_else(Span::call_site));
            let repetition = import::repetition(&place);
            let items = compile(items, Arguments::default(), repetition, Report::default());
            quote!(#(#items)*)
        }
        Err(error) => error.to_compile_error(),
    }
}

/// Begins the compilation of an enum that has an element, and its attribute.
pub fn with_element(item: &ItemEnum) -> TokenStream {
    let repetition = import::repetition(&item.ident);
    let items = vec![Item::Enum(item.clone())];
    let items = compile(items, Arguments::default(), repetition, Report::default());
    quote!(#(#items)*)
}

/// Begins the compilation of items that see each other.
fn compile(
    items: Vec<Item>,
    arguments: Arguments,
    repetition: u32,
    mut report: Report,
) -> Vec<Item> {
    let items = macro_rules::items_of_module(items);
    let (mut members, mut outside): (Vec<Item>, Vec<Item>) = items.into_iter().partition(is_member);
    outside.extend(host::take_out(&mut members));
    nested::take_out(&mut members, &outside);
    outside.extend(host::take_out(&mut members));
    for member in &mut members {
        check::unmark(member, &mut report);
    }
    element::add(&mut members, &mut outside, &mut report);
    let anchor = members
        .iter()
        .find_map(|member| Some((import::ident_of(member)?.clone(), kind_of(member)?)));
    if let Some((anchor, kind)) = &anchor {
        let known = Definition::of_module(&outside);
        for member in &mut members {
            let proof = macro_rules::expand(member, &known, (anchor, *kind), &mut report);
            outside.push(Item::Verbatim(proof));
        }
        // rustc does not see the calls.
        for item in &mut outside {
            if let Item::Macro(definition) = item {
                definition.attrs.push(parse_quote!(#[allow(unused_macros)]));
            }
        }
    }
    let written = members.clone();
    own_sources::mark(&mut members);
    cases::of_module(&mut members, &mut outside);
    sugar::imports::of_module(&mut members, &mut outside);
    sugar::aliases::of_module(&mut members, &mut outside);
    sugar::function_tables::of_module(&mut members, &mut outside);
    if let Some((anchor, kind)) = &anchor {
        for member in &mut members {
            let proofs = standard_traits::settle(member, anchor, *kind);
            outside.push(Item::Verbatim(proofs));
        }
    }
    for member in &members {
        if let Item::Impl(block) = member
            && let Some(name) = implementation::ambiguous(block, &members)
        {
            report.error_help(
                Code::Implementation,
                name,
                format!("the type has another `{name}` of a trait that supplies functions"),
                "rename one of them: in what the trait supplies, the name means the trait's",
            );
        }
    }
    declare_tables(&mut members, anchor.as_ref());
    let borrowing = borrowing::settle(&mut members);
    implementation::complete(&mut members);
    // What messages name has been in macros before.
    declare_tables(&mut members, anchor.as_ref());
    check::overlaps(&members, &mut report);
    let without_value = check::fields(&members, &mut report);
    let own: HashSet<String> = members.iter().filter_map(import::name_of).collect();
    for member in &mut members {
        if let Item::Fn(function) = member {
            crate::message::rewrite(function);
        }
        if let Some((anchor, kind)) = &anchor {
            outside.push(Item::Verbatim(aliases::settle(member, anchor, *kind)));
            outside.push(Item::Verbatim(cases::settle(member, anchor, *kind)));
            outside.push(Item::Verbatim(lengths::settle(member, anchor, *kind)));
        }
        if let Some(attributes) = import::attributes_of(member) {
            attribute::alone(None, attributes, &mut report);
        }
        if let Item::Fn(function) = member {
            let kind = kind_of_function(function);
            normalise(function, kind);
            returned::check(&mut function.sig, &mut report);
        }
        if let (Item::Impl(block), Some((_, kind))) = (&mut *member, &anchor) {
            for part in &mut block.items {
                if let ImplItem::Fn(function) = part {
                    returned::check(&mut function.sig, &mut report);
                    functions::as_closures(&mut function.block, &function.sig, *kind);
                }
            }
        }
        if let Item::Trait(of_trait) = &mut *member {
            for part in &mut of_trait.items {
                if let TraitItem::Fn(function) = part {
                    sugar::taken::check(&mut function.sig, &mut report);
                }
            }
        }
        check::conditions(member, &mut report);
        if let Item::Impl(block) = member
            && implementation::self_path(block)
                .is_none_or(|path| !without_value.contains(&local_key(path)))
        {
            check::block(block, (&own, &borrowing), &mut report);
        }
    }
    let bundles = bundle::names(&members);
    (members.iter_mut()).for_each(|member| bundle::without_const(member, &bundles));
    let written = written.iter().zip(&members);
    outside.extend(written.filter_map(|(written, member)| match member {
        // Its methods are those of the host version's struct.
        Item::Impl(block) if bundle::is_one(block, &bundles) => None,
        _ => called::as_written(written, member),
    }));
    let task = Task {
        arguments,
        missing: missing(&members, &own, &mut report),
        item: TaskItem::Module(quote!(#(#members)*)),
        closure: Closure::default(),
        id: String::new(),
        repetition,
    };
    let body = match report.is_clean() {
        true => proceed(&task),
        false => {
            let errors = report.to_tokens();
            let stubs = members.iter().map(|member| stub(member, &task));
            quote!(#errors #(#stubs)*)
        }
    };
    outside.push(Item::Verbatim(body));
    outside
}

/// Declares the tables that functions of blocks read, which are looked up in the module of the item `anchor`.
fn declare_tables(members: &mut [Item], anchor: Option<&(Ident, TaskKind)>) {
    let Some((anchor, kind)) = anchor else {
        return;
    };
    for member in members {
        let Item::Impl(block) = member else { continue };
        let owner = implementation::self_path(block).cloned();
        for part in &mut block.items {
            if let ImplItem::Fn(function) = part {
                let generics = tables::within(&block.generics, &function.sig.generics);
                let body = &mut function.block;
                tables::declare(body, &generics, owner.as_ref(), (anchor, *kind));
            }
        }
    }
}

/// Whether an item is one that kernels can see.
fn is_member(item: &Item) -> bool {
    match item {
        Item::Fn(function) => !has(&function.attrs, "test"),
        Item::Struct(_) | Item::Enum(_) | Item::Impl(_) | Item::Trait(_) => true,
        _ => false,
    }
}

/// The paths that the members need from outside the module.
fn missing(members: &[Item], own: &HashSet<String>, report: &mut Report) -> Vec<Path> {
    let anchor = members
        .iter()
        .find_map(|member| Some((import::ident_of(member)?, kind_of(member)?)));
    let mut keys = HashSet::new();
    let mut missing = Vec::new();
    for member in members {
        let import::Paths {
            needed: mut paths,
            mut built_ins,
            ..
        } = import::collect(member, &Arguments::of(member));
        paths.retain(|path| !own.contains(local_key(path).as_str()));
        built_ins.retain(|path| !own.contains(local_key(path).as_str()));
        if let Some(anchor) = anchor {
            paths.extend(siblings::own_doubtful(anchor, built_ins, Vec::new()));
        }
        if let Some((ident, kind)) = anchor {
            paths = import::without_foreign_beside(ident, kind, paths);
        }
        if let (Item::Impl(_) | Item::Trait(_), Some(anchor)) = (member, anchor) {
            siblings::check_beside(member, anchor, &paths, report);
        }
        let kind = kind_of(member).unwrap_or(TaskKind::Function);
        siblings::check(member, kind, &paths, report);
        paths.extend(lengths::exported(member, kind));
        let new = paths.into_iter().filter(|path| keys.insert(path_key(path)));
        missing.extend(new);
    }
    missing
}

/// What an item with a name would be compiled as, if it stood alone.
fn kind_of(member: &Item) -> Option<TaskKind> {
    Some(match member {
        Item::Struct(_) => TaskKind::Struct,
        Item::Enum(_) => TaskKind::Enum,
        Item::Fn(function) => kind_of_function(function),
        _ => return None,
    })
}

fn kind_of_function(function: &ItemFn) -> TaskKind {
    match has(&function.attrs, "amp_kernel") {
        true => TaskKind::Kernel,
        false => TaskKind::Function,
    }
}

/// The expansion of a module's items, when all that they need has arrived, or the paths of what
/// they turn out to need too.
pub fn expand(task: &Task, items: &TokenStream) -> Result<TokenStream, Vec<String>> {
    let mut refused = HashSet::new();
    let expansion = expand_without(&mut refused, task, items)?;
    if refused.is_empty() {
        return Ok(expansion);
    }
    // What uses those that are refused has no errors of its own.
    expand_without(&mut refused, task, items)
}

/// The expansion where functions with these ids are refused, to which it adds others.
fn expand_without(
    refused: &mut HashSet<String>,
    task: &Task,
    items: &TokenStream,
) -> Result<TokenStream, Vec<String>> {
    let Ok(mut file) = syn::parse2::<syn::File>(items.clone()) else {
        return Ok(items.clone());
    };
    let (names, proofs) = imported::of_module(&mut file.items, &task.closure);
    called::of_module(&mut file.items, &task.closure);
    let members = Member::all(file.items, &names, task.repetition);
    let own = members.iter().filter_map(Member::entry).map(|own| Entry {
        broken: refused.contains(&own.id),
        ..own
    });
    let mut entries: Vec<Sealed> = own.map(Sealed::from).collect();
    entries.extend(task.closure.entries.iter().cloned());
    let bundles = bundle::names(members.iter().map(|member| &member.item));
    let mut wanted = Vec::new();
    let mut constants = Constants::default();
    let mut expansion = proofs;
    let repetition = task.repetition;
    for member in &members {
        let task = |arguments, item, id: String| Task {
            arguments,
            item,
            closure: closure_of(&member.names, &entries),
            missing: Vec::new(),
            id,
            repetition,
        };
        match &member.item {
            Item::Fn(function) if let Some(attribute) = find(&function.attrs, "amp_kernel") => {
                let mut kernel = function.clone();
                kernel
                    .attrs
                    .retain(|attribute| !is_one(attribute, &["amp_kernel"]));
                let tokens = match &attribute.meta {
                    syn::Meta::List(list) => list.tokens.clone(),
                    _ => TokenStream::new(),
                };
                let mut report = Report::default();
                let arguments = Arguments::read(TaskKind::Kernel, &tokens, &mut report);
                let task = task(arguments, TaskItem::Kernel(kernel.clone()), String::new());
                let errors = report.to_tokens();
                expansion.extend(match report.is_clean() {
                    true => instances::expand(&task, &kernel).unwrap_or_else(|more| {
                        wanted.extend(more);
                        TokenStream::new()
                    }),
                    false => {
                        let stub = instances::stub(&task.arguments, &kernel);
                        quote!(#errors #stub)
                    }
                });
            }
            Item::Fn(function) => {
                let arguments = arguments_of(&function.attrs, "amp_fn");
                let mut report = Report::default();
                let arguments = Arguments::read(TaskKind::Function, &arguments, &mut report);
                expansion.extend(report.to_tokens());
                let mut function = function.clone();
                function.attrs.retain(|attribute| !is_ours(attribute));
                let item = TaskItem::Function(function.clone());
                let task = task(arguments, item, member.id.clone());
                let compiled = helper::compile(&task, &function);
                wanted.extend(compiled.wanted);
                if compiled.broken {
                    refused.insert(member.id.clone());
                }
                let names = (!compiled.broken).then(|| constant::names(&compiled.constants));
                let export = helper::export_of(&task, &function, names);
                constants.add(compiled.constants, &members);
                constants.repeat_for(&function.sig.ident, None, Some(&function.vis));
                let (errors, host_version) = (compiled.errors, compiled.tokens);
                expansion.extend(quote!(#errors #host_version #export));
            }
            Item::Struct(item) => {
                let mut item = item.clone();
                let is_marked = item.attrs.iter().any(is_ours);
                item.attrs.retain(|attribute| !is_ours(attribute));
                constants.repeat_for(&item.ident, Some(&item.generics), None);
                let of = TaskItem::Struct(item.clone());
                let task = task(Arguments::default(), of, member.id.clone());
                expansion.extend(structure::expand(&task, &item, is_marked));
            }
            Item::Enum(item) => {
                let mut item = item.clone();
                item.attrs.retain(|attribute| !is_ours(attribute));
                constants.repeat_for(&item.ident, Some(&item.generics), None);
                let of = TaskItem::Enum(item.clone());
                let task = task(Arguments::default(), of, member.id.clone());
                expansion.extend(enumeration::expand(&task, &item));
            }
            Item::Impl(block) => {
                let (whole, is_of_bundle) = (block, bundle::is_one(block, &bundles));
                let mut block = block.clone();
                for part in &mut block.items {
                    let (function, generics) = match part {
                        ImplItem::Fn(function) => {
                            let alone = implementation::alone(function);
                            let generics = alone.sig.generics.clone();
                            (Some(implementation::outside(whole, alone)), generics)
                        }
                        ImplItem::Const(constant) => (
                            implementation::computed(whole, constant),
                            Generics::default(),
                        ),
                        _ => (None, Generics::default()),
                    };
                    if let ImplItem::Const(constant) = part
                        && let Some(function) = implementation::of_bound(whole, constant)
                    {
                        // What is wrong with it matters where a parameter's type has it.
                        let own = method_id(&member.id, &function.sig.ident);
                        let item = TaskItem::Function(function.clone());
                        let task = task(Arguments::default(), item, own);
                        constants.add(helper::compile(&task, &function).constants, &members);
                    }
                    let Some(function) = function else { continue };
                    let own = method_id(&member.id, &function.sig.ident);
                    let (name, of) = (&function.sig.ident, (whole, is_of_bundle));
                    expansion.extend(match part {
                        ImplItem::Const(part) => claim::constant(&own, whole, part),
                        _ => claim::method(&own, of, name, &generics),
                    });
                    let item = TaskItem::Function(function.clone());
                    let task = task(Arguments::default(), item, own);
                    let own = helper::Own {
                        generics: &generics,
                        of_reference: implementation::referred(whole).is_some(),
                    };
                    let compiled = helper::compile_member(&task, &function, own);
                    wanted.extend(compiled.wanted);
                    constants.add(compiled.constants, &members);
                    expansion.extend(compiled.errors);
                    // rustc computes a constant as it is written.
                    if let ImplItem::Fn(_) = part {
                        *part = ImplItem::Verbatim(compiled.tokens);
                    }
                }
                let of_trait = member.of_trait.as_ref();
                if let Some((path, _)) = &whole.trait_ {
                    let is_beside = members.iter().any(|known| of_trait == Some(&known.id));
                    expansion.extend(interface::block(&member.id, whole, path, is_beside));
                    let proof = match of_trait {
                        Some(id) => Some(interface::is_of_trait(&member.id, id, path.span())),
                        None => interface::is_of_library(whole, path),
                    };
                    expansion.extend(proof);
                }
                let constants_of_bundle = bundle::redirect(&mut block, &bundles);
                expansion.extend(quote!(#block #constants_of_bundle));
            }
            Item::Trait(item) => {
                let needed = closure_of(&member.names, &entries);
                let own = member.entry();
                let export = own.map(|own| export(&item.ident, &item.vis, own, &needed));
                let defined = interface::interface(&member.id, item);
                let interface = rewrite::interface(item);
                expansion.extend(quote!(#interface #defined #export));
            }
            _ => {}
        }
    }
    if !wanted.is_empty() {
        return Err(wanted);
    }
    expansion.extend(constants.to_tokens());
    Ok(expansion)
}

/// Attributes that a module's items have anyway.
fn is_ours(attribute: &Attribute) -> bool {
    is_one(attribute, &["amp_fn", "amp_struct", "amp_enum"])
}

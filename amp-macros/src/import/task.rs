//! A compilation under way: the item, what has been imported, what is still missing.
//!
//! A task travels as tokens between the macros that supply the imports:
//! `{ kind repetition "id" {arguments} {item} {"path" "id" ..} {"missing path" ..} } [entries]`.

use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{ItemConst, ItemEnum, ItemFn, ItemStruct, Path};

use super::{
    chain,
    entry::{self, Closure, Entry, EntryKind, Sealed},
    module::File,
};
use crate::{
    attribute::{Arguments, TaskKind},
    language::name::path_key,
    report::Report,
};

/// The item that a task is about.
#[derive(Clone)]
pub enum TaskItem {
    /// That of `#[amp_kernel]`.
    Kernel(ItemFn),
    /// That of `#[amp_fn]`.
    Function(ItemFn),
    /// That of `#[amp_struct]`.
    Struct(ItemStruct),
    /// That of `#[amp_enum]`.
    Enum(ItemEnum),
    /// That of `#[amp_const]`.
    Constant(ItemConst),
    /// The items of an `#[amp_module]`.
    Module(TokenStream),
}

impl TaskItem {
    /// Which attribute it has.
    pub fn kind(&self) -> TaskKind {
        match self {
            TaskItem::Kernel(_) => TaskKind::Kernel,
            TaskItem::Function(_) => TaskKind::Function,
            TaskItem::Struct(_) => TaskKind::Struct,
            TaskItem::Enum(_) => TaskKind::Enum,
            TaskItem::Constant(_) => TaskKind::Constant,
            TaskItem::Module(_) => TaskKind::Module,
        }
    }

    fn parse(kind: TaskKind, item: TokenStream) -> syn::Result<Self> {
        Ok(match kind {
            TaskKind::Kernel => TaskItem::Kernel(syn::parse2(item)?),
            TaskKind::Function => TaskItem::Function(syn::parse2(item)?),
            TaskKind::Struct => TaskItem::Struct(syn::parse2(item)?),
            TaskKind::Enum => TaskItem::Enum(syn::parse2(item)?),
            TaskKind::Constant => TaskItem::Constant(syn::parse2(item)?),
            TaskKind::Module => TaskItem::Module(item),
        })
    }
}

impl ToTokens for TaskItem {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            TaskItem::Kernel(item) | TaskItem::Function(item) => item.to_tokens(tokens),
            TaskItem::Struct(item) => item.to_tokens(tokens),
            TaskItem::Enum(item) => item.to_tokens(tokens),
            TaskItem::Constant(item) => item.to_tokens(tokens),
            TaskItem::Module(items) => items.to_tokens(tokens),
        }
    }
}

/// An item to compile and what it needs for that.
#[derive(Clone)]
pub struct Task {
    /// The attribute's arguments.
    pub arguments: Arguments,
    /// The annotated item.
    pub item: TaskItem,
    /// What has arrived.
    pub closure: Closure,
    /// Paths whose items are still to come.
    pub missing: Vec<Path>,
    /// The id of the item, if others can name it.
    pub id: String,
    /// How many such items have stood in the same place before.
    pub repetition: u32,
}

impl Task {
    /// The same task with paths whose items are still to come.
    pub fn with_missing(&self, missing: Vec<Path>) -> Task {
        Task {
            missing,
            ..self.clone()
        }
    }

    /// The task's item as others see it.
    pub fn entry(&self, kind: EntryKind, broken: bool, item: TokenStream) -> Entry {
        Entry {
            id: self.id.clone(),
            kind,
            broken,
            item,
            names: self.closure.names.clone(),
            constants: None,
        }
    }

    /// Asks for the missing items, if there are any.
    pub fn request(&self) -> Option<TokenStream> {
        if self.missing.is_empty() {
            return None;
        }
        let kind = format_ident!("{}", self.item.kind().attribute());
        let arguments = &self.arguments.tokens;
        let names = self
            .closure
            .names
            .iter()
            .map(|(path, id)| quote!(#path #id));
        let Task {
            item, missing, id, ..
        } = self;
        let repetition = Literal::u32_unsuffixed(self.repetition);
        let entries = &self.closure.entries;
        let keys = missing.iter().map(path_key);
        let task = quote! {
            { #kind #repetition #id { #arguments } { #item } { #(#names)* } { #(#keys)* } }
            [#(#entries)*]
        };
        let in_block = missing.len() > chain::LONGEST && self.is_in_block();
        let last = quote!(::amp::__private::resume);
        Some(chain::ask(missing, &last, &task, in_block))
    }

    /// Whether the item is a kernel that the source file has in an `impl` block.
    fn is_in_block(&self) -> bool {
        let TaskItem::Kernel(item) = &self.item else {
            return false;
        };
        let name = &item.sig.ident;
        let file = File::of(name.span());
        file.is_some_and(|file| file.has_method(&name.to_string()))
    }
}

/// Files what has arrived for a task: `[] { task } [entries]`, and what each of the macros that
/// it has asked has supplied.
pub fn resume(tokens: TokenStream) -> syn::Result<Task> {
    let mut groups = tokens.into_iter().filter_map(group);
    let (Some(_), Some(task), Some(known)) = (groups.next(), groups.next(), groups.next()) else {
        return Err(foreign_call());
    };
    let (mut task, missing) = read(task)?;
    task.closure.entries = Sealed::all(known);
    task.closure.file(missing, groups);
    Ok(task)
}

/// Reads a task, and the paths that it has asked for.
fn read(tokens: TokenStream) -> syn::Result<(Task, Vec<String>)> {
    let mut tokens = tokens.into_iter();
    let mut word = || Some(tokens.next()?.to_string());
    let (kind, repetition, id) = (word(), word(), word());
    let mut kinds = TaskKind::ALL.into_iter();
    let kind = kinds.find(|known| kind.as_deref() == Some(known.attribute()));
    let repetition = repetition.and_then(|number| number.parse().ok());
    let groups: Vec<TokenStream> = tokens.filter_map(group).collect();
    let (Some(kind), Some(repetition), Some(id), [arguments, item, names, missing]) =
        (kind, repetition, id, &*groups)
    else {
        return Err(foreign_call());
    };
    let task = Task {
        arguments: Arguments::read(kind, arguments, &mut Report::default()),
        item: TaskItem::parse(kind, item.clone())?,
        closure: Closure {
            names: entry::names(names.clone()),
            entries: Vec::new(),
        },
        missing: Vec::new(),
        id: id.trim_matches('"').to_owned(),
        repetition,
    };
    Ok((task, entry::texts(missing.clone()).collect()))
}

fn group(token: TokenTree) -> Option<TokenStream> {
    match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    }
}

fn foreign_call() -> syn::Error {
    let message = "amp: this macro is called by the attributes alone";
    syn::Error::new(Span::call_site(), message)
}

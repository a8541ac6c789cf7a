//! A compilation under way: the item, what has been imported, what is still missing.
//!
//! A task travels as tokens between the macros that supply the imports:
//! `{ kind repetition {arguments} {item} {names} {entries} {missing} }`.

use std::collections::HashMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{
    LitInt, Path, braced, bracketed,
    parse::{Parse, ParseStream},
};

use super::{
    entry::{Entry, EntryKind, parse_names},
    paths::path_key,
};

/// Which attribute started the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskKind {
    /// `#[amp_kernel]`
    Kernel,
    /// `#[amp_fn]`
    Function,
    /// `#[amp_struct]`
    Struct,
    /// `#[amp_enum]`
    Enum,
    /// `#[amp_module]`
    Module,
}

impl TaskKind {
    /// The attribute's name.
    pub fn attribute(self) -> &'static str {
        match self {
            TaskKind::Kernel => "amp_kernel",
            TaskKind::Function => "amp_fn",
            TaskKind::Struct => "amp_struct",
            TaskKind::Enum => "amp_enum",
            TaskKind::Module => "amp_module",
        }
    }
}

/// What has been imported: the items by id, and the ids by path.
#[derive(Clone, Default)]
pub struct Closure {
    /// Ids by the paths that the task's own item uses.
    pub names: Vec<(String, String)>,
    /// Items in order of arrival.
    pub entries: Vec<Entry>,
}

impl Closure {
    /// All items but one, which may need itself.
    pub fn others<'a>(&'a self, id: &'a str) -> impl Iterator<Item = Entry> + 'a {
        self.entries
            .iter()
            .filter(move |entry| entry.id != id)
            .cloned()
    }

    /// The items by id.
    pub fn by_id(&self) -> HashMap<&str, &Entry> {
        self.entries
            .iter()
            .map(|entry| (entry.id.as_str(), entry))
            .collect()
    }
}

/// An item to compile and what it needs for that.
pub struct Task {
    /// Which attribute started it.
    pub kind: TaskKind,
    /// The attribute's arguments.
    pub arguments: TokenStream,
    /// The annotated item.
    pub item: TokenStream,
    /// What has arrived.
    pub closure: Closure,
    /// Paths whose items are still to come.
    pub missing: Vec<Path>,
    /// The id by which the closure knows the item: one of an `#[amp_module]`.
    pub own: String,
    /// How many such items have stood in the same place before.
    pub repetition: u32,
}

impl Task {
    /// The same task with paths whose items are still to come.
    pub fn with_missing(&self, missing: Vec<Path>) -> Task {
        Task {
            kind: self.kind,
            arguments: self.arguments.clone(),
            item: self.item.clone(),
            closure: self.closure.clone(),
            missing,
            own: self.own.clone(),
            repetition: self.repetition,
        }
    }

    /// The task's item as others see it.
    pub fn entry(&self, id: String, kind: EntryKind, broken: bool, item: TokenStream) -> Entry {
        Entry {
            id,
            kind,
            broken,
            item,
            names: self.closure.names.clone(),
        }
    }

    /// Asks for the next missing item, if there is one.
    pub fn request(&self) -> Option<TokenStream> {
        let next = self.missing.first()?;
        let kind = match self.kind {
            TaskKind::Kernel => format_ident!("kernel"),
            TaskKind::Function => format_ident!("function"),
            TaskKind::Struct => format_ident!("structure"),
            TaskKind::Enum => format_ident!("enumeration"),
            TaskKind::Module => format_ident!("module"),
        };
        let names = self
            .closure
            .names
            .iter()
            .map(|(path, id)| quote!(#path #id));
        let Task {
            arguments,
            item,
            missing,
            repetition,
            ..
        } = self;
        let entries = &self.closure.entries;
        let mut path = next.clone();
        for segment in &mut path.segments {
            segment.arguments = syn::PathArguments::None;
        }
        Some(quote! {
            #path! {
                ::amp::__private::resume,
                { #kind #repetition { #arguments } { #item } { #(#names)* } { #(#entries)* } { #({ #missing })* } }
            }
        })
    }
}

impl Parse for Task {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let content;
        braced!(content in input);
        let kind: Ident = content.parse()?;
        let repetition: LitInt = content.parse()?;
        let (arguments, item, names, entries, missing);
        braced!(arguments in content);
        braced!(item in content);
        braced!(names in content);
        braced!(entries in content);
        braced!(missing in content);
        let mut paths = Vec::new();
        while !missing.is_empty() {
            let path;
            braced!(path in missing);
            paths.push(path.parse()?);
        }
        Ok(Self {
            kind: match kind.to_string().as_str() {
                "kernel" => TaskKind::Kernel,
                "function" => TaskKind::Function,
                "enumeration" => TaskKind::Enum,
                "module" => TaskKind::Module,
                _ => TaskKind::Struct,
            },
            arguments: arguments.parse()?,
            item: item.parse()?,
            closure: Closure {
                names: parse_names(&names)?,
                entries: parse_entries(&entries)?,
            },
            missing: paths,
            own: String::new(),
            repetition: repetition.base10_parse()?,
        })
    }
}

fn parse_entries(input: ParseStream) -> syn::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    while !input.is_empty() {
        entries.push(input.parse()?);
    }
    Ok(entries)
}

struct Arrival {
    entries: Vec<Entry>,
    task: Task,
}

impl Parse for Arrival {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let entries;
        bracketed!(entries in input);
        Ok(Self {
            entries: parse_entries(&entries)?,
            task: input.parse()?,
        })
    }
}

/// Files what has arrived for the first missing path of the task.
pub fn resume(tokens: TokenStream) -> syn::Result<Task> {
    let Arrival { entries, mut task } = syn::parse2(tokens)?;
    let path = task.missing.remove(0);
    task.closure
        .names
        .push((path_key(&path), entries[0].id.clone()));
    for entry in entries {
        if task
            .closure
            .entries
            .iter()
            .all(|known| known.id != entry.id)
        {
            task.closure.entries.push(entry);
        }
    }
    Ok(task)
}

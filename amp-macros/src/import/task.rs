//! A compilation under way: the item, what has been imported, what is still missing.
//!
//! A task travels as tokens between the macros that supply the imports:
//! `{ kind repetition {arguments} {item} {"path" "id" ..} {"missing path" ..} } [entries]`.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{
    ItemFn, LitInt, LitStr, Path, braced,
    parse::{Parse, ParseStream},
};

use super::{
    chain,
    entry::{Entry, EntryKind, Sealed, parse_names},
    module::File,
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
    /// All of them.
    pub const ALL: [TaskKind; 5] = [
        TaskKind::Kernel,
        TaskKind::Function,
        TaskKind::Struct,
        TaskKind::Enum,
        TaskKind::Module,
    ];

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
    pub entries: Vec<Sealed>,
}

impl Closure {
    /// All items but one, which may need itself.
    pub fn others<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a Sealed> {
        self.entries.iter().filter(move |entry| entry.id() != id)
    }

    /// The items by id.
    pub fn by_id(&self) -> HashMap<&str, &Sealed> {
        by_id(&self.entries)
    }

    /// Files what the macros of the missing paths have supplied.
    fn file(&mut self, missing: Vec<String>, supplied: impl Iterator<Item = TokenStream>) {
        let ids = self.entries.iter().map(|entry| entry.id().to_owned());
        let mut known: HashSet<String> = ids.collect();
        for (path, tokens) in missing.into_iter().zip(supplied) {
            let entries = Sealed::all(tokens);
            if let Some(own) = entries.first() {
                self.names.push((path, own.id().to_owned()));
            }
            let new = entries.into_iter();
            self.entries
                .extend(new.filter(|entry| known.insert(entry.id().to_owned())));
        }
    }
}

/// Entries by id.
pub fn by_id(entries: &[Sealed]) -> HashMap<&str, &Sealed> {
    entries.iter().map(|entry| (entry.id(), entry)).collect()
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
            constants: None,
        }
    }

    /// Asks for the missing items, if there are any.
    pub fn request(&self) -> Option<TokenStream> {
        if self.missing.is_empty() {
            return None;
        }
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
        let keys = missing.iter().map(path_key);
        let task = quote! {
            { #kind #repetition { #arguments } { #item } { #(#names)* } { #(#keys)* } }
            [#(#entries)*]
        };
        let in_block = missing.len() > chain::LONGEST && self.is_in_block();
        Some(chain::ask(missing, &task, in_block))
    }

    /// Whether the item is a kernel that the source file has in an `impl` block.
    fn is_in_block(&self) -> bool {
        let Ok(item) = syn::parse2::<ItemFn>(self.item.clone()) else {
            return false;
        };
        let name = &item.sig.ident;
        let file = File::of(name.span());
        self.kind == TaskKind::Kernel && file.is_some_and(|file| file.has_method(&name.to_string()))
    }
}

/// A task, and the paths that it has asked for.
struct Asked {
    task: Task,
    missing: Vec<String>,
}

impl Parse for Asked {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let kind: Ident = input.parse()?;
        let repetition: LitInt = input.parse()?;
        let (arguments, item, names, missing);
        braced!(arguments in input);
        braced!(item in input);
        braced!(names in input);
        braced!(missing in input);
        let mut paths = Vec::new();
        while !missing.is_empty() {
            paths.push(missing.parse::<LitStr>()?.value());
        }
        let task = Task {
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
                entries: Vec::new(),
            },
            missing: Vec::new(),
            own: String::new(),
            repetition: repetition.base10_parse()?,
        };
        Ok(Self {
            task,
            missing: paths,
        })
    }
}

/// Files what has arrived for a task: `[] { task } [entries]`, and what each of the macros that
/// it has asked has supplied.
pub fn resume(tokens: TokenStream) -> syn::Result<Task> {
    let mut groups = tokens.into_iter().filter_map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    let (Some(_), Some(task), Some(known)) = (groups.next(), groups.next(), groups.next()) else {
        let message = "amp: this macro is called by the attributes alone";
        return Err(syn::Error::new(Span::call_site(), message));
    };
    let Asked { mut task, missing } = syn::parse2(task)?;
    task.closure.entries = Sealed::all(known);
    task.closure.file(missing, groups);
    Ok(task)
}

//! The modules of one source file, and of those below it: what each declares, and what a
//! path means there.
//!
//! A macro cannot ask rustc what a name is, but it can read the file that the name stands
//! in. What is found here serves messages only: where the file cannot be read, or
//! something could come from elsewhere (a glob, a macro, a file that has this one by
//! `include!`), the answer is [`Found::Unknown`] and rustc has the word.

mod alias;
mod braced;
mod cases;
mod cluster;
mod constant;
mod cycle;
mod declared;
mod evaluate;
mod exported;
mod metadata;
mod outline;
mod type_names;

use std::{
    cell::{OnceCell, RefCell},
    collections::{HashMap, HashSet},
    path::PathBuf,
    rc::Rc,
    time::SystemTime,
};

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::{
    Ident, ImplItemConst, ImplItemFn, Item, ItemEnum, ItemFn, ItemStruct, Path, Signature,
    TraitItemFn,
};

use self::{
    alias::Alias,
    braced::Braced,
    constant::Constant,
    declared::{Function, Macros, Module, ModuleFile, define, folders, has_one, marked},
    outline::Outline,
};
pub use self::{
    cases::Enum,
    cluster::{Cluster, together},
    constant::Table,
    cycle::cycle,
    evaluate::elements,
};
use super::member::{macro_name, name_of};
use crate::{
    attribute::{TaskKind, element_of, has_attribute},
    invocation,
    language::name::is_type_name,
    position,
    visit::{self, Visit},
};

/// What a path means.
pub enum Found<'a> {
    /// A function, and the module that declares it.
    Function(&'a File, usize, &'a Function),
    /// A struct; whether it is an `#[amp_struct]`.
    Struct(bool),
    /// An enum.
    Enum(&'a Enum),
    /// An item that kernels cannot use, and what it is called.
    Other(&'static str),
    /// A constant, and the module that declares it.
    Constant(&'a File, usize, &'a Constant),
    /// A type alias, and the module that declares it.
    Alias(&'a File, usize, &'a Alias),
    /// A trait that the file declares.
    Trait,
    /// A macro, as text, if only one has the name.
    Macro(Option<&'a str>),
    /// Something of Rust's own library.
    Standard,
    /// Nothing has this name in the module.
    Absent(&'a Module),
    /// It cannot be told.
    Unknown,
}

/// The modules of a file.
#[derive(Default)]
pub struct File {
    path: PathBuf,
    root: OnceCell<Option<Rc<File>>>,
    modules: Vec<Module>,
    /// How often a marked item of this name stands anywhere in the file.
    marked: HashMap<String, usize>,
    /// Kernels and marked constants in `impl` blocks.
    methods: HashSet<String>,
    /// The signatures of helpers in `impl` blocks and traits.
    helpers: HashSet<String>,
    /// How many parameters the functions of this name in `impl` blocks and traits have, if all have as many.
    arities: HashMap<String, Option<usize>>,
    /// The signatures of marked functions that stand elsewhere.
    functions: HashSet<String>,
    /// Whether it has `impl` blocks or traits that are marked.
    has_clusters: bool,
    text: String,
    /// The braces of the text, if they are asked for.
    braced: OnceCell<Braced>,
    /// The keys of the items that are compiled together, by where their module or block starts.
    clusters: RefCell<HashMap<usize, Option<Vec<String>>>>,
    /// The macros that stand anywhere in the file.
    macros: Macros,
    /// The lines that define macros, from 1; the last of each name.
    macro_lines: HashMap<String, usize>,
}

thread_local! {
    static FILES: RefCell<HashMap<PathBuf, (SystemTime, Rc<File>)>> = RefCell::default();
}

impl File {
    /// The file in which `span` stands, if it is a file of Rust: an example of the documentation may stand
    /// in a page.
    pub fn of(span: Span) -> Option<Rc<File>> {
        let path = position::local_file(span)?;
        let is_page = path.extension().is_some_and(|extension| extension == "md");
        (!is_page).then(|| Self::at(path))?
    }

    /// The file and the module in which an annotated item stands, if there is no doubt.
    pub fn around(item: &Ident, kind: TaskKind) -> Option<(Rc<File>, usize)> {
        let file = File::of(item.span())?;
        let home = file.home(item, kind)?;
        Some((file, home))
    }

    pub(super) fn at(path: PathBuf) -> Option<Rc<File>> {
        let modified = std::fs::metadata(&path).ok()?.modified().ok()?;
        let known = FILES.with_borrow(|files| {
            let (at, file) = files.get(&path)?;
            (*at == modified).then(|| file.clone())
        });
        if known.is_some() {
            return known;
        }
        let text = std::fs::read_to_string(&path).ok()?;
        let file = Rc::new(Self::of_text(path.clone(), text)?);
        FILES.with_borrow_mut(|files| files.insert(path, (modified, file.clone())));
        Some(file)
    }

    fn of_text(path: PathBuf, text: String) -> Option<Self> {
        let outline = Outline::of(&text)?;
        let folders = folders(&path);
        let mut file = File {
            path,
            macro_lines: outline::macro_lines(&text),
            ..File::default()
        };
        file.read(&outline, &outline.items, None, false, &folders);
        outline.items.iter().for_each(|item| file.visit_item(item));
        file.text = text;
        Some(file)
    }

    /// The module that declares an annotated item, if there is no doubt: of several, the one that it stands in.
    pub fn home(&self, item: &Ident, kind: TaskKind) -> Option<usize> {
        let name = &*item.to_string();
        if kind == TaskKind::Constant {
            return self.only_home_of(name);
        }
        let declares = |module: &Module| match kind {
            TaskKind::Struct => module.structs.get(name) == Some(&true),
            TaskKind::Enum => module.enums.get(name).is_some_and(|own| own.marked),
            _ => module
                .functions
                .get(name)
                .is_some_and(|function| function.marked),
        };
        if self.marked.get(name) == Some(&1) {
            return self.modules.iter().position(declares);
        }
        let place = position::start(item.span());
        let path = self.braced().modules_around(&place)?;
        let mut steps = path.into_iter();
        let home = steps.try_fold(0, |at, name| self.step(at, name))?;
        declares(&self.modules[home]).then_some(home)
    }

    /// The braces of the text.
    fn braced(&self) -> &Braced {
        self.braced.get_or_init(|| Braced::new(self.text.clone()))
    }

    /// The marked function of this name, if there is only one.
    pub fn only_function(&self, name: &Ident) -> Option<&Function> {
        let name = name.to_string();
        let mut found = self.modules.iter().filter_map(|it| it.functions.get(&name));
        found.next().filter(|_| self.marked.get(&name) == Some(&1))
    }

    /// Whether a marked item of this name stands anywhere in the file.
    pub fn declares(&self, name: &str) -> bool {
        self.marked.contains_key(name)
    }

    /// Whether a kernel or a marked constant of this name stands in an `impl` block of the file.
    pub fn has_method(&self, name: &str) -> bool {
        self.methods.contains(name)
    }

    /// Whether a marked function stands in an `impl` block or a trait, as far as can be seen.
    pub fn has_helper(&self, signature: &Signature) -> bool {
        if self.helpers.is_empty() || position::expansion(signature.ident.span()).is_some() {
            return false;
        }
        let signature = text(signature);
        self.helpers.contains(&signature) && !self.functions.contains(&signature)
    }

    /// How many parameters a function of an `impl` block or a trait has, `self` among them, if the file tells.
    pub fn arity_of_method(&self, name: &str) -> Option<usize> {
        *self.arities.get(name)?
    }

    fn add_method(&mut self, signature: &Signature) {
        let arity = Some(signature.inputs.len());
        let known = self.arities.entry(signature.ident.to_string());
        let known = known.or_insert(arity);
        if *known != arity {
            *known = None;
        }
    }

    /// What `path` means in the module `at`.
    pub fn find(&self, at: usize, path: &Path) -> Found<'_> {
        if path.leading_colon.is_some() {
            return Found::Unknown;
        }
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        self.resolve(at, &names, 0)
    }

    /// The rules of the macro that `path` means in the module `at`, or in one that cannot be told, if there
    /// is no doubt. A macro reaches into the modules behind it that stand in its own, in other files, too.
    pub fn macro_rules(&self, at: Option<usize>, path: &Path) -> Option<TokenStream> {
        let text = |found| match found {
            Found::Macro(text) => Some(text),
            _ => None,
        };
        let Some(name) = path.get_ident() else {
            return outline::tokens(text(self.find(at?, path))??);
        };
        let own = self.macros.get(&name.to_string());
        let line = self.macro_lines.get(&name.to_string());
        if line.is_some_and(|line| position::start(name.span()).line < *line)
            || (at.is_none() && own.is_some_and(|text| text.is_none()))
        {
            return None;
        }
        let outer = std::iter::successors(at.or(Some(0)), |at| self.modules[*at].parent);
        let mut around = outer.map(|own| self.find(own, path)).filter_map(text);
        let in_a_body = || Some(own?.as_deref());
        let in_the_root = || text(self.root()?.find(0, path));
        let found = around.next().or_else(in_a_body).or_else(in_the_root);
        outline::tokens(found??)
    }

    fn resolve(&self, mut at: usize, names: &[String], depth: usize) -> Found<'_> {
        let Some((last, owners)) = names.split_last() else {
            return Found::Unknown;
        };
        // Imports of imports may go round in a circle.
        if depth > 8 {
            return Found::Unknown;
        }
        for (i, owner) in owners.iter().enumerate() {
            if let Some(path) = self.modules[at].imported.get(owner) {
                let names: Vec<String> = path.iter().chain(&names[i + 1..]).cloned().collect();
                return self.resolve(at, &names, depth + 1);
            }
            if let Some(file) = self.modules[at].files.get(owner) {
                return match file.read() {
                    Some(file) => file.resolve(0, &names[i + 1..], depth + 1),
                    None => Found::Unknown,
                };
            }
            if i == 0 && owner == "crate" {
                return match self.root() {
                    Some(root) => root.resolve(0, &names[1..], depth + 1),
                    None => Found::Unknown,
                };
            }
            let Some(next) = self.step(at, owner) else {
                if i + 1 == owners.len()
                    && let Some(constant) =
                        self.modules[at].constants.get(&format!("{owner}::{last}"))
                {
                    return Found::Constant(self, at, constant);
                }
                let is_standard = i == 0 && ["std", "core", "alloc"].contains(&owner.as_str());
                return match is_standard {
                    true => Found::Standard,
                    false => Found::Unknown,
                };
            };
            at = next;
        }
        let module = &self.modules[at];
        if let Some(text) = module.macros.get(last) {
            return Found::Macro(text.as_deref());
        }
        if let Some(path) = module.imported.get(last) {
            return match path.as_slice() {
                [own] if own == last => Found::Unknown,
                path => self.resolve(at, path, depth + 1),
            };
        }
        if let Some(function) = module.functions.get(last) {
            return Found::Function(self, at, function);
        }
        if let Some(marked) = module.structs.get(last) {
            return Found::Struct(*marked);
        }
        if let Some(own) = module.enums.get(last) {
            return Found::Enum(own);
        }
        if let Some(constant) = module.constants.get(last) {
            return Found::Constant(self, at, constant);
        }
        if let Some(alias) = module.aliases.get(last) {
            return Found::Alias(self, at, alias);
        }
        if let Some(what) = module.others.get(last) {
            return Found::Other(what);
        }
        if module.traits.contains(last) {
            return Found::Trait;
        }
        let is_known = module.children.contains_key(last) || module.files.contains_key(last);
        if module.is_open || is_known {
            return Found::Unknown;
        }
        let mut has_library = false;
        for glob in &module.globs {
            match glob.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                ["std" | "core" | "alloc", ..] => {
                    has_library = true;
                    continue;
                }
                // Its types are those of the language.
                ["amp", "prelude"] if is_type_name(last) => continue,
                _ => {}
            }
            let mut steps = glob.iter();
            let from = steps.try_fold(at, |at, owner| self.step(at, owner));
            let Some(from) = from else {
                return Found::Unknown;
            };
            match self.resolve(from, std::slice::from_ref(last), depth + 1) {
                Found::Absent(_) => {}
                found => return found,
            }
        }
        if at == 0 && !invocation::is_module(&self.path) {
            return Found::Unknown;
        }
        // What nothing else has, rustc finds there, or nowhere.
        match has_library {
            true => Found::Standard,
            false => Found::Absent(module),
        }
    }

    /// The root file of the crate.
    fn root(&self) -> Option<&File> {
        let path = invocation::root()?;
        if path == self.path {
            return Some(self);
        }
        self.root.get_or_init(|| Self::at(path)).as_deref()
    }

    /// The module that `name` leads to from another.
    fn step(&self, at: usize, name: &str) -> Option<usize> {
        match name {
            "self" => Some(at),
            "super" => self.modules[at].parent,
            name => self.modules[at].children.get(name).copied(),
        }
    }

    /// Reads a module; `whole` if it is an `#[amp_module]`, all of whose items are marked.
    /// The files of its modules are in one of the folders.
    fn read(
        &mut self,
        outline: &Outline,
        items: &[Item],
        parent: Option<usize>,
        whole: bool,
        folders: &[PathBuf],
    ) -> usize {
        let own = self.modules.len();
        self.modules.push(Module {
            parent,
            ..Module::default()
        });
        for item in items {
            if let Item::Mod(inner) = item {
                let name = inner.ident.to_string();
                if let Some((_, items)) = &inner.content {
                    let whole = has_attribute(&inner.attrs, "amp_module");
                    let folders: Vec<PathBuf> =
                        folders.iter().map(|folder| folder.join(&name)).collect();
                    let child = self.read(outline, items, Some(own), whole, &folders);
                    self.modules[own].children.insert(name, child);
                } else if inner.attrs.is_empty() {
                    let file = ModuleFile::new(folders, &name);
                    self.modules[own].files.insert(name, file);
                }
            } else {
                let ours = ["amp_fn", "amp_kernel", "amp_struct", "amp_enum"];
                if whole
                    && !has_one(item, &ours)
                    && let Some(name) = name_of(item)
                {
                    *self.marked.entry(name).or_default() += 1;
                }
                self.modules[own].add(outline, item, whole);
            }
        }
        own
    }
}

impl<'ast> Visit<'ast> for File {
    fn visit_item(&mut self, item: &'ast Item) {
        if let Item::Macro(definition) = item
            && let Some(name) = macro_name(item)
        {
            define(&mut self.macros, name, definition);
        }
        self.has_clusters |= cluster::needs_others(item);
        visit::visit_item(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if marked(&item.attrs, &["amp_fn", "amp_kernel"]) {
            *self.marked.entry(item.sig.ident.to_string()).or_default() += 1;
            self.functions.insert(text(&item.sig));
        }
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_const(&mut self, item: &'ast ImplItemConst) {
        if has_attribute(&item.attrs, "amp_const") {
            self.methods.insert(item.ident.to_string());
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        if has_attribute(&item.attrs, "amp_kernel") {
            self.methods.insert(item.sig.ident.to_string());
        }
        if has_attribute(&item.attrs, "amp_fn") {
            self.helpers.insert(text(&item.sig));
        }
        self.add_method(&item.sig);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if has_attribute(&item.attrs, "amp_fn") {
            self.helpers.insert(text(&item.sig));
        }
        self.add_method(&item.sig);
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        if marked(&item.attrs, &["amp_struct"]) {
            *self.marked.entry(item.ident.to_string()).or_default() += 1;
        }
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        if marked(&item.attrs, &["amp_enum"]) {
            for name in element_of(item).iter().chain([&item.ident]) {
                *self.marked.entry(name.to_string()).or_default() += 1;
            }
        }
    }
}

fn text(signature: &Signature) -> String {
    signature.to_token_stream().to_string()
}

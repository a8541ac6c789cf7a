//! The modules of one source file, and of those below it: what each declares, and what a
//! path means there.
//!
//! A macro cannot ask rustc what a name is, but it can read the file that the name stands
//! in. What is found here serves messages only: where the file cannot be read, or
//! something could come from elsewhere (a glob, a macro), the answer is [`Found::Unknown`]
//! and rustc has the word.

use std::{
    cell::{OnceCell, RefCell},
    collections::{HashMap, HashSet},
    path::PathBuf,
    rc::Rc,
    time::SystemTime,
};

use proc_macro2::Span;
use syn::{
    Attribute, Item, ItemEnum, ItemFn, ItemStruct, Path, UseTree,
    visit::{self, Visit},
};

use super::{
    TaskKind,
    member::{has_attribute, name_of},
    paths::collect,
};
use crate::{message, position};

/// Attributes that add no items beside the one that they stand on, or only ours.
const TAME_ATTRIBUTES: &[&str] = &[
    "allow",
    "amp_enum",
    "amp_fn",
    "amp_kernel",
    "amp_module",
    "amp_struct",
    "cfg",
    "cold",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "expect",
    "forbid",
    "ignore",
    "inline",
    "must_use",
    "non_exhaustive",
    "repr",
    "rustfmt",
    "should_panic",
    "test",
    "track_caller",
    "warn",
];

/// What a path means.
pub enum Found<'a> {
    /// A function; whether it is marked for kernels.
    Function(&'a Function),
    /// A struct; whether it is an `#[amp_struct]`.
    Struct(bool),
    /// An enum; whether it is an `#[amp_enum]`.
    Enum(bool),
    /// An item that kernels cannot use, and what it is called.
    Other(&'static str),
    /// Nothing has this name in the module.
    Absent(&'a Module),
    /// It cannot be told.
    Unknown,
}

/// A function of a module.
pub struct Function {
    /// Has `#[amp_fn]` or `#[amp_kernel]`.
    pub marked: bool,
    /// Functions that it calls by a bare name.
    pub calls: Vec<String>,
}

/// What a module declares and imports.
#[derive(Default)]
pub struct Module {
    parent: Option<usize>,
    children: HashMap<String, usize>,
    functions: HashMap<String, Function>,
    structs: HashMap<String, bool>,
    enums: HashMap<String, bool>,
    /// Traits that kernels can name.
    traits: HashSet<String>,
    others: HashMap<String, &'static str>,
    /// Modules in files of their own, read when something leads there.
    files: HashMap<String, ModuleFile>,
    /// Names that come from elsewhere, with their paths.
    imported: HashMap<String, Vec<String>>,
    /// Paths of modules all of whose names are imported.
    globs: Vec<Vec<String>>,
    /// Items may come from a macro.
    is_open: bool,
}

/// The modules of a file.
#[derive(Default)]
pub struct File {
    modules: Vec<Module>,
    /// How often a marked item of this name stands anywhere in the file.
    marked: HashMap<String, usize>,
}

/// A module in a file of its own.
#[derive(Default)]
struct ModuleFile {
    /// Where the file may be.
    candidates: Vec<PathBuf>,
    file: OnceCell<Option<Rc<File>>>,
}

impl ModuleFile {
    fn new(folders: &[PathBuf], name: &str) -> Self {
        let candidates = folders
            .iter()
            .flat_map(|folder| {
                let flat = folder.join(format!("{name}.rs"));
                [flat, folder.join(name).join("mod.rs")]
            })
            .collect();
        let file = OnceCell::new();
        Self { candidates, file }
    }

    /// The file, if there is no doubt which one it is.
    fn read(&self) -> Option<&File> {
        let file = self.file.get_or_init(|| {
            let mut there = self.candidates.iter().filter(|path| path.is_file());
            let path = there.next()?;
            there.next().is_none().then(|| File::at(path.clone()))?
        });
        file.as_deref()
    }
}

/// The folders in which the modules of a file may be: beside it if it is the first of its
/// crate or folder, else in one of its name.
fn folders(path: &std::path::Path) -> Vec<PathBuf> {
    let beside = path.with_file_name("");
    match path.file_stem().and_then(|stem| stem.to_str()) {
        Some("main" | "lib" | "mod") | None => vec![beside],
        Some(_) => vec![beside, path.with_extension("")],
    }
}

thread_local! {
    static FILES: RefCell<HashMap<PathBuf, (SystemTime, Rc<File>)>> = RefCell::default();
}

impl File {
    /// The file in which `span` stands.
    pub fn of(span: Span) -> Option<Rc<File>> {
        Self::at(position::local_file(span)?)
    }

    fn at(path: PathBuf) -> Option<Rc<File>> {
        let modified = std::fs::metadata(&path).ok()?.modified().ok()?;
        let known = FILES.with_borrow(|files| {
            let (at, file) = files.get(&path)?;
            (*at == modified).then(|| file.clone())
        });
        if known.is_some() {
            return known;
        }
        let syntax = syn::parse_file(&std::fs::read_to_string(&path).ok()?).ok()?;
        let mut file = File::default();
        file.read(&syntax.items, None, false, &folders(&path));
        file.visit_file(&syntax);
        let file = Rc::new(file);
        FILES.with_borrow_mut(|files| files.insert(path, (modified, file.clone())));
        Some(file)
    }

    /// The module that declares the annotated item `name`, if there is no doubt.
    pub fn home(&self, name: &str, kind: TaskKind) -> Option<usize> {
        if self.marked.get(name) != Some(&1) {
            return None;
        }
        self.modules.iter().position(|module| match kind {
            TaskKind::Struct => module.structs.get(name) == Some(&true),
            TaskKind::Enum => module.enums.get(name) == Some(&true),
            _ => module
                .functions
                .get(name)
                .is_some_and(|function| function.marked),
        })
    }

    /// Whether a marked item of this name stands anywhere in the file.
    pub fn declares(&self, name: &str) -> bool {
        self.marked.contains_key(name)
    }

    /// What `path` means in the module `at`.
    pub fn find(&self, at: usize, path: &Path) -> Found<'_> {
        if path.leading_colon.is_some() {
            return Found::Unknown;
        }
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        self.resolve(at, &names, 0)
    }

    /// The function that a bare name means in the module `at`, if it is declared there.
    pub fn function(&self, at: usize, name: &str) -> Option<&Function> {
        let module = &self.modules[at];
        module
            .functions
            .get(name)
            .filter(|_| !module.imported.contains_key(name))
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
            let Some(next) = self.step(at, owner) else {
                return Found::Unknown;
            };
            at = next;
        }
        let module = &self.modules[at];
        if let Some(path) = module.imported.get(last) {
            return match path.as_slice() {
                [own] if own == last => Found::Unknown,
                path => self.resolve(at, path, depth + 1),
            };
        }
        if let Some(function) = module.functions.get(last) {
            return Found::Function(function);
        }
        if let Some(marked) = module.structs.get(last) {
            return Found::Struct(*marked);
        }
        if let Some(marked) = module.enums.get(last) {
            return Found::Enum(*marked);
        }
        if let Some(what) = module.others.get(last) {
            return Found::Other(what);
        }
        let is_known = module.children.contains_key(last)
            || module.files.contains_key(last)
            || module.traits.contains(last);
        if module.is_open || is_known {
            return Found::Unknown;
        }
        for glob in &module.globs {
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
        Found::Absent(module)
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
                    let child = self.read(items, Some(own), whole, &folders);
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
                self.modules[own].add(item, whole);
            }
        }
        own
    }
}

impl<'ast> Visit<'ast> for File {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if marked(&item.attrs, &["amp_fn", "amp_kernel"]) {
            *self.marked.entry(item.sig.ident.to_string()).or_default() += 1;
        }
        visit::visit_item_fn(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        if marked(&item.attrs, &["amp_struct"]) {
            *self.marked.entry(item.ident.to_string()).or_default() += 1;
        }
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        if marked(&item.attrs, &["amp_enum"]) {
            *self.marked.entry(item.ident.to_string()).or_default() += 1;
        }
    }
}

impl Module {
    /// The functions that kernels can call by a bare name here.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        let own = self.functions.iter().filter(|(_, own)| own.marked);
        let own = own.map(|(name, _)| name);
        own.chain(self.imported.keys()).map(String::as_str)
    }

    /// The structs and enums that kernels can name here.
    pub fn types(&self) -> impl Iterator<Item = &str> {
        let own = self.structs.iter().chain(&self.enums);
        let own = own.filter(|(_, marked)| **marked).map(|(name, _)| name);
        own.chain(self.imported.keys()).map(String::as_str)
    }

    fn add(&mut self, item: &Item, whole: bool) {
        let (attributes, name, what) = match item {
            Item::Fn(function) => {
                let marked = whole || marked(&function.attrs, &["amp_fn", "amp_kernel"]);
                let calls = if marked {
                    let mut function = function.clone();
                    message::rewrite(&mut function);
                    collect(&Item::Fn(function))
                        .iter()
                        .filter_map(|path| Some(path.get_ident()?.to_string()))
                        .collect()
                } else {
                    Vec::new()
                };
                let name = function.sig.ident.to_string();
                // Of two under different `cfg`s, one that is marked may be the real one.
                let known = self.functions.remove(&name);
                let marked = marked || known.is_some_and(|known| known.marked);
                self.functions.insert(name, Function { marked, calls });
                self.is_open |= !tame(&function.attrs);
                return;
            }
            Item::Struct(structure) => {
                let marked = whole || marked(&structure.attrs, &["amp_struct"]);
                *self.structs.entry(structure.ident.to_string()).or_default() |= marked;
                self.is_open |= !tame(&structure.attrs);
                return;
            }
            Item::Use(import) => {
                self.import(&import.tree, &mut Vec::new());
                return;
            }
            Item::Enum(item) => {
                let marked = whole || marked(&item.attrs, &["amp_enum"]);
                *self.enums.entry(item.ident.to_string()).or_default() |= marked;
                self.is_open |= !tame(&item.attrs);
                return;
            }
            Item::Trait(item) if whole => {
                self.traits.insert(item.ident.to_string());
                return;
            }
            Item::Union(item) => (&item.attrs, &item.ident, "a union"),
            Item::Trait(item) => (&item.attrs, &item.ident, "a trait"),
            Item::Type(item) => (&item.attrs, &item.ident, "a type alias"),
            Item::Static(item) => (&item.attrs, &item.ident, "a static"),
            Item::Const(item) => (&item.attrs, &item.ident, "a constant"),
            Item::Impl(item) => {
                self.is_open |= !tame(&item.attrs);
                return;
            }
            _ => {
                self.is_open = true;
                return;
            }
        };
        self.others.insert(name.to_string(), what);
        self.is_open |= !tame(attributes);
    }

    fn import(&mut self, tree: &UseTree, prefix: &mut Vec<String>) {
        let with = |name: &str| match name {
            "self" => prefix.clone(),
            name => prefix.iter().cloned().chain([name.to_owned()]).collect(),
        };
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.import(&path.tree, prefix);
                prefix.pop();
            }
            UseTree::Name(name) => {
                let path = with(&name.ident.to_string());
                if let Some(last) = path.last() {
                    self.imported.insert(last.clone(), path);
                }
            }
            UseTree::Rename(rename) => {
                let path = with(&rename.ident.to_string());
                self.imported.insert(rename.rename.to_string(), path);
            }
            UseTree::Group(group) => {
                group
                    .items
                    .iter()
                    .for_each(|tree| self.import(tree, prefix));
            }
            // Our prelude has no helpers and structs of the user's.
            UseTree::Glob(_) if *prefix == ["amp", "prelude"] => {}
            UseTree::Glob(_) => self.globs.push(prefix.clone()),
        }
    }
}

/// Whether one of these attributes stands on the item itself.
fn has_one(item: &Item, names: &[&str]) -> bool {
    let attributes = match item {
        Item::Fn(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        _ => return false,
    };
    names.iter().any(|name| has_attribute(attributes, name))
}

fn last_segment(attribute: &Attribute) -> Option<String> {
    Some(attribute.path().segments.last()?.ident.to_string())
}

/// Whether one of the attributes is, or may stand for, one of these.
fn marked(attributes: &[Attribute], names: &[&str]) -> bool {
    let named = |name: String| names.contains(&name.as_str());
    !tame(attributes) || attributes.iter().filter_map(last_segment).any(named)
}

fn tame(attributes: &[Attribute]) -> bool {
    attributes.iter().all(|attribute| {
        last_segment(attribute).is_some_and(|name| TAME_ATTRIBUTES.contains(&name.as_str()))
    })
}

/// The names of functions of a module that lead from `start` back to `name`.
pub fn cycle(file: &File, at: usize, name: &str, start: &str) -> Option<Vec<String>> {
    fn walk<'a>(
        file: &'a File,
        at: usize,
        name: &str,
        function: &'a str,
        way: &mut Vec<&'a str>,
        seen: &mut HashSet<&'a str>,
    ) -> bool {
        if !seen.insert(function) {
            return false;
        }
        let Some(found) = file.function(at, function) else {
            return false;
        };
        way.push(function);
        if found.calls.iter().any(|called| called == name)
            || found
                .calls
                .iter()
                .any(|called| walk(file, at, name, called, way, seen))
        {
            return true;
        }
        way.pop();
        false
    }
    let (start, _) = file.modules[at].functions.get_key_value(start)?;
    let mut way = Vec::new();
    walk(file, at, name, start, &mut way, &mut HashSet::new())
        .then(|| way.iter().map(|name| format!("`{name}`")).collect())
}

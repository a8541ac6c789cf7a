//! What one module declares and imports, as far as its tokens tell.

use std::{
    cell::OnceCell,
    collections::{HashMap, HashSet},
    path::PathBuf,
    rc::Rc,
};

use quote::ToTokens;
use syn::{Attribute, Expr, Ident, ImplItem, Item, ItemFn, ItemImpl, ItemMacro, Type, UseTree};

use super::{File, alias::Alias, cases::Enum, constant::Constant, outline::Outline};
use crate::{
    attribute::{Arguments, element_of, has_attribute},
    import::{collect, member::macro_name},
    invocation,
    language::name::local_key,
    message,
};

/// Attributes that add no items beside the one that they stand on, or only ours.
const TAME_ATTRIBUTES: &[&str] = &[
    "allow",
    "amp_const",
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

/// A function of a module.
#[derive(Default)]
pub struct Function {
    /// Has `#[amp_fn]` or `#[amp_kernel]`.
    pub marked: bool,
    /// A `const fn`, and the only function of its name: others are there under other conditions.
    pub(super) is_const: bool,
    /// The tokens of one that is marked or `const`.
    text: String,
    words: OnceCell<Vec<String>>,
    calls: OnceCell<Vec<String>>,
}

impl Function {
    /// What may be functions that it calls by a bare name: the words before parentheses.
    pub fn words(&self) -> &[String] {
        self.words.get_or_init(|| {
            let before = self.text.split(['(', '<']).map(str::trim_end);
            let names = before.map(|before| before.trim_end_matches(':').trim_end());
            let word = |name: &str| {
                let is_inside = |letter: char| letter.is_alphanumeric() || "_#".contains(letter);
                let start = name.trim_end_matches(is_inside).len();
                name[start..].to_owned()
            };
            names.map(word).filter(|word| !word.is_empty()).collect()
        })
    }

    /// The function, if it is marked or `const`.
    pub(super) fn item(&self) -> Option<ItemFn> {
        syn::parse_str(&self.text).ok()
    }

    /// How many parameters it has, if it is marked or `const`.
    pub fn arity(&self) -> Option<usize> {
        let function = self.item()?;
        Some(function.sig.inputs.len())
    }

    /// Functions that it calls by a bare name.
    pub fn calls(&self) -> &[String] {
        self.calls.get_or_init(|| {
            let Some(mut function) = self.item() else {
                return Vec::new();
            };
            message::rewrite(&mut function);
            let paths = collect(&Item::Fn(function), &Arguments::default()).needed;
            let keys = paths.iter().map(local_key);
            keys.filter(|key| !key.contains("::")).collect()
        })
    }
}

/// The rules of macros as text; nothing if several have a name, or one under a condition.
pub(super) type Macros = HashMap<String, Option<String>>;

/// Adds a macro.
pub(super) fn define(macros: &mut Macros, name: &Ident, definition: &ItemMacro) {
    let name = name.to_string();
    let is_sure = !macros.contains_key(&name) && !has_attribute(&definition.attrs, "cfg");
    let text = is_sure.then(|| definition.mac.tokens.to_string());
    macros.insert(name, text);
}

/// What a module declares and imports.
#[derive(Default)]
pub struct Module {
    pub(super) parent: Option<usize>,
    pub(super) children: HashMap<String, usize>,
    pub(super) functions: HashMap<String, Function>,
    pub(super) structs: HashMap<String, bool>,
    pub(super) enums: HashMap<String, Enum>,
    /// Traits that kernels can name.
    pub(super) traits: HashSet<String>,
    pub(super) others: HashMap<String, &'static str>,
    /// By their names; `Type::NAME` those of a type.
    pub(super) constants: HashMap<String, Constant>,
    pub(super) aliases: HashMap<String, Alias>,
    pub(super) macros: Macros,
    /// Modules in files of their own, read when something leads there.
    pub(super) files: HashMap<String, ModuleFile>,
    /// Names that come from elsewhere, with their paths.
    pub(super) imported: HashMap<String, Vec<String>>,
    /// Paths of modules all of whose names are imported.
    pub(super) globs: Vec<Vec<String>>,
    /// Items may come from a macro.
    pub(super) is_open: bool,
}

/// A module in a file of its own.
#[derive(Default)]
pub(super) struct ModuleFile {
    /// Where the file may be.
    candidates: Vec<PathBuf>,
    file: OnceCell<Option<Rc<File>>>,
}

impl ModuleFile {
    pub(super) fn new(folders: &[PathBuf], name: &str) -> Self {
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
    pub(super) fn read(&self) -> Option<&File> {
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
pub(super) fn folders(path: &std::path::Path) -> Vec<PathBuf> {
    let beside = path.with_file_name("");
    match path.file_stem().and_then(|stem| stem.to_str()) {
        Some("main" | "lib" | "mod") | None => vec![beside],
        Some(_) => vec![beside, path.with_extension("")],
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
        let structs = self.structs.iter().map(|(name, marked)| (name, *marked));
        let enums = self.enums.iter().map(|(name, own)| (name, own.marked));
        let own = structs.chain(enums).filter(|(_, marked)| *marked);
        let own = own.map(|(name, _)| name);
        own.chain(self.imported.keys()).map(String::as_str)
    }

    /// Whether an item of the module has this name.
    pub(super) fn declares(&self, name: &str) -> bool {
        self.functions.contains_key(name)
            || self.structs.contains_key(name)
            || self.enums.contains_key(name)
            || self.constants.contains_key(name)
            || self.aliases.contains_key(name)
            || self.others.contains_key(name)
            || self.traits.contains(name)
    }

    pub(super) fn add(&mut self, outline: &Outline, item: &Item, whole: bool) {
        let (attributes, name, what) = match item {
            Item::Fn(function) => {
                let marked = whole || marked(&function.attrs, &["amp_fn", "amp_kernel"]);
                // Of two under different `cfg`s, one that is marked may be the real one.
                let name = function.sig.ident.to_string();
                let is_const =
                    function.sig.constness.is_some() && !self.functions.contains_key(&name);
                let own = self.functions.entry(name).or_default();
                *own = Function {
                    marked: marked || own.marked,
                    is_const,
                    text: if marked || is_const {
                        outline.text(function)
                    } else {
                        String::new()
                    },
                    ..Function::default()
                };
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
                let generics = item.generics.to_token_stream().to_string();
                let own = self.enums.entry(item.ident.to_string()).or_default();
                own.add(item, marked, generics);
                if let Some(element) = element_of(item) {
                    self.structs.insert(element.to_string(), true);
                }
                self.is_open |= !tame(&item.attrs);
                return;
            }
            Item::Trait(item) if whole || marked(&item.attrs, &["amp_fn"]) => {
                self.traits.insert(item.ident.to_string());
                return;
            }
            Item::Union(item) => (&item.attrs, &item.ident, "a union"),
            Item::Trait(item) => (&item.attrs, &item.ident, "a trait"),
            Item::Type(item) => {
                let name = item.ident.to_string();
                let is_sure = !self.aliases.contains_key(&name);
                let alias = Alias::new(item.to_token_stream().to_string(), is_sure);
                self.aliases.insert(name, alias);
                self.is_open |= !tame(&item.attrs);
                return;
            }
            Item::Static(item) => (&item.attrs, &item.ident, "a static"),
            Item::Const(item) => {
                let is_marked = has_attribute(&item.attrs, "amp_const");
                self.add_constant(item.ident.to_string(), &item.ty, &item.expr, is_marked);
                self.is_open |= !tame(&item.attrs);
                return;
            }
            Item::Impl(item) => {
                self.add_constants_of(item, whole || has_attribute(&item.attrs, "amp_fn"));
                self.is_open |= !tame(&item.attrs);
                return;
            }
            Item::Macro(definition) if let Some(name) = macro_name(item) => {
                define(&mut self.macros, name, definition);
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

    fn add_constant(&mut self, name: String, ty: &Type, value: &Expr, is_marked: bool) {
        let constant = Constant {
            ty: ty.to_token_stream().to_string(),
            value: value.to_token_stream().to_string(),
            is_sure: !self.constants.contains_key(&name),
            is_marked,
        };
        self.constants.insert(name, constant);
    }

    /// Adds the constants of a type of the module, by the names `Type::CONSTANT`. Those of a block of
    /// kernels are computed where they are named, but for references.
    fn add_constants_of(&mut self, block: &ItemImpl, is_seen: bool) {
        let Type::Path(owner) = &*block.self_ty else {
            return;
        };
        let Some(name) = owner.path.get_ident() else {
            return;
        };
        if block.trait_.is_some() || !block.generics.params.is_empty() {
            return;
        }
        for part in &block.items {
            if let ImplItem::Const(constant) = part
                && (!is_seen || matches!(constant.ty, Type::Reference(_)))
            {
                let ty = match &constant.ty {
                    Type::Path(ty) if ty.path.is_ident("Self") => &*block.self_ty,
                    ty => ty,
                };
                let name = format!("{name}::{}", constant.ident);
                self.add_constant(name, ty, &constant.expr, false);
            }
        }
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
            UseTree::Glob(_) if is_prelude(prefix) => {}
            UseTree::Glob(_) => self.globs.push(prefix.clone()),
        }
    }
}

fn is_prelude(path: &[String]) -> bool {
    let own = invocation::new_name().unwrap_or("amp");
    path == [own, "prelude"]
}

fn last_segment(attribute: &Attribute) -> Option<String> {
    Some(attribute.path().segments.last()?.ident.to_string())
}

/// Whether one of the attributes is, or may stand for, one of these.
pub(super) fn marked(attributes: &[Attribute], names: &[&str]) -> bool {
    let named = |name: String| names.contains(&name.as_str());
    !tame(attributes) || attributes.iter().filter_map(last_segment).any(named)
}

fn tame(attributes: &[Attribute]) -> bool {
    attributes.iter().all(|attribute| {
        last_segment(attribute).is_some_and(|name| TAME_ATTRIBUTES.contains(&name.as_str()))
    })
}

/// Whether one of these attributes stands on the item itself.
pub(super) fn has_one(item: &Item, names: &[&str]) -> bool {
    let attributes = match item {
        Item::Fn(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        _ => return false,
    };
    names.iter().any(|name| has_attribute(attributes, name))
}

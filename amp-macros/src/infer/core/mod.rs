//! What Rust's `core` has for types of all kinds: `Option`, `Result`, and `Ordering`, the methods of
//! arrays, and comparisons. Their source, which the compiler brings along, is in `language::core`.
//!
//! To inference and `lower` these are enums like those of the program, and generic functions. The
//! host version has the standard library's, which `expand` proves the names to mean. A program
//! without them does not read the source.

mod compared;
mod propagated;
mod unwrapped;

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use amp_spirv::tree::Scalar;
use proc_macro2::Span;
use quote::ToTokens;
use syn::{Fields, Item, ItemFn, ItemImpl, ItemStruct};

use super::{
    case, enumeration, field, implementation,
    names::{Meaning, Names},
    parameter,
    program::{ConstDef, Core, FunctionDef, Program, StructDef},
    signature,
    ty::{Applied, Ty},
    typed::Typed,
};
use crate::{
    attribute::{TaskKind, has_attribute},
    import::implementation as blocks,
    iterate::is_known,
    language::{
        core::{ENUMS, File, STRUCTS, TYPE_NAMES, function_at},
        name::standard_type,
        source::replaced,
    },
    report::Report,
    suggest::suggest_or,
};

/// The id of what is declared here.
const ID: &str = "core";

impl Core {
    fn read(program: &mut Program) -> Option<Self> {
        let file = syn::parse_str::<syn::File>(ENUMS).ok()?;
        let structs = syn::parse_str::<syn::File>(STRUCTS).ok()?;
        // An error in what is read here is reported where it is called.
        let mut elsewhere = Report::default();
        let mut enums = Vec::new();
        for item in file.items.into_iter().chain(structs.items) {
            let (name, meaning) = match item {
                Item::Enum(item) if case::has_fields(&item) => {
                    let names = Names::default();
                    let read = case::read(program, ID, &item, &names, &mut elsewhere);
                    (item.ident, Meaning::Struct(read))
                }
                Item::Enum(item) => {
                    let read = enumeration::read(ID, &item, &mut elsewhere);
                    program.enums.push(read);
                    (item.ident, Meaning::Enum(program.enums.len() - 1))
                }
                Item::Struct(item) => {
                    let read = declare_struct(program, &item);
                    (item.ident, Meaning::Struct(read))
                }
                _ => continue,
            };
            let (name, _) = standard_type(&name.to_string())?;
            enums.push((name, meaning));
        }
        Some(Self {
            names: Names::of(
                enums
                    .iter()
                    .map(|(name, of)| ((*name).to_owned(), *of))
                    .collect(),
            ),
            enums,
            blocks: HashMap::new(),
            declared: HashSet::new(),
        })
    }

    fn blocks(&mut self, file: File) -> Rc<Vec<ItemImpl>> {
        let read = || {
            let mut read = syn::parse_str::<syn::File>(file.text()).ok()?;
            blocks::complete(&mut read.items);
            let blocks = read.items.into_iter().filter_map(|item| match item {
                Item::Impl(block) => Some(block),
                _ => None,
            });
            Some(Rc::new(blocks.collect()))
        };
        let blocks = self.blocks.entry(file);
        blocks.or_insert_with(|| read().unwrap_or_default()).clone()
    }
}

impl Program {
    fn core(&mut self) -> Option<&mut Core> {
        if self.core.is_none() {
            self.core = Core::read(self);
        }
        self.core.as_mut()
    }

    /// The type of this name.
    pub fn standard(&mut self, name: &str) -> Option<Meaning> {
        let mut enums = self.core()?.enums.iter();
        enums.find(|(known, _)| *known == name).map(|(_, of)| *of)
    }

    /// The type of this name, applied to others.
    pub fn core_type<'a>(
        &mut self,
        name: &str,
        types: impl IntoIterator<Item = &'a Ty>,
    ) -> Option<Ty> {
        match self.standard(name)? {
            Meaning::Struct(of) => {
                let types = types.into_iter().cloned().collect();
                let lengths = Vec::new();
                Some(Ty::Struct(of, Applied { types, lengths }))
            }
            _ => None,
        }
    }

    /// The name of the enum that a type is, if it is one of these.
    pub fn standard_name(&self, ty: &Ty) -> Option<&'static str> {
        let name = self.core_name(ty)?;
        TYPE_NAMES.contains(&name).then_some(name)
    }

    /// The name of the standard library's type that a type is.
    pub fn core_name(&self, ty: &Ty) -> Option<&'static str> {
        let meaning = match ty {
            Ty::Struct(index, _) => Meaning::Struct(*index),
            Ty::Enum(index) => Meaning::Enum(*index),
            _ => return None,
        };
        let mut enums = self.core.as_ref()?.enums.iter();
        let found = enums.find(|(_, known)| *known == meaning)?;
        Some(found.0)
    }

    /// Which case of a type has the one value that a chain or a loop visits: `Some` or `Ok`.
    pub fn visited_case(&self, ty: &Ty) -> Option<usize> {
        match self.core_name(ty)? {
            "Option" => Some(1),
            "Result" => Some(0),
            _ => None,
        }
    }

    /// Whether a type is `Reverse`, whose order is not that of its parts.
    pub fn is_reversed(&self, ty: &Ty) -> bool {
        self.core_name(ty) == Some("Reverse")
    }

    /// The operators that a type of the standard library has of its own.
    pub fn operators_of(&self, ty: &Ty) -> Option<File> {
        match self.core_name(ty)? {
            "Reverse" => Some(File::Reverse),
            "Wrapping" => Some(File::Wrapping),
            _ => None,
        }
    }

    /// Whether a function is one of these.
    pub fn is_standard(&self, function: usize) -> bool {
        self.functions[function].entry == ID
    }

    /// Whether the host version calls the run time's function instead of the standard library's.
    pub fn is_of_run_time(&self, function: usize) -> bool {
        self.functions[function].id.starts_with(OF_RUN_TIME)
    }

    /// What to write instead of a method that an enum of these does not have in kernels.
    pub fn standard_help(&self, owner: &Ty, name: &str) -> String {
        let files = [self.file_of(owner, None)].into_iter().flatten();
        match name {
            "as_ref" | "as_mut" | "as_deref" | "copied" | "cloned" => {
                "its value is copied, and no reference is kept: leave it out, or `match` the place"
                    .to_owned()
            }
            _ if self.standard_name(owner) == Some("Range") && is_known(name) => {
                "name the range with its type, and call it on the name: `let r: Range<u32> = ..;`"
                    .to_owned()
            }
            "insert" | "get_or_insert" | "get_or_insert_with" => {
                "it returns a reference: assign, `x = Some(value)`, and `match` the place"
                    .to_owned()
            }
            _ => suggest_or(
                name,
                files.flat_map(File::names),
                "`match` the value, or write it as an `#[amp_fn]`",
            ),
        }
    }

    /// The file with a type's methods; with that of this name, if one is given.
    fn file_of(&self, ty: &Ty, name: Option<&str>) -> Option<File> {
        let own = match ty {
            ty if let Some(operators) = self.operators_of(ty) => Some(operators),
            Ty::Scalar(Scalar::Bool) => Some(File::Bool),
            Ty::Scalar(Scalar::U8) if name.is_some_and(|name| File::Byte.has(name)) => {
                Some(File::Byte)
            }
            Ty::Array(..) if name.is_some_and(|name| File::Array.has(name)) => Some(File::Array),
            Ty::Array(..) | Ty::Slice(_) => Some(File::Slice),
            ty => match self.standard_name(ty) {
                Some("Option") => Some(File::Option),
                Some("Result") => Some(File::Result),
                Some("Ordering") => Some(File::Ordering),
                Some("Range") => Some(File::Range),
                _ => None,
            },
        };
        let Some(name) = name else {
            return own;
        };
        let is_choice = matches!(name, "max" | "min");
        let is_compared = match ty {
            Ty::Scalar(_) | Ty::Param(_) if is_choice => self.is_ordered(ty),
            Ty::Scalar(_) | Ty::Tuple(_) | Ty::Array(..) | Ty::Param(_) => true,
            Ty::Struct(index, _) => {
                self.structs[*index].derives("PartialOrd") || self.is_reversed(ty)
            }
            Ty::Enum(index) => self.enums[*index].derives("PartialOrd"),
            _ => false,
        };
        let compared = is_compared.then_some(File::Comparison);
        let is_equated = match ty {
            Ty::Scalar(_) | Ty::Tuple(_) | Ty::Array(..) | Ty::Param(_) => true,
            Ty::Struct(index, _) => self.structs[*index].derives("PartialEq"),
            Ty::Enum(index) => self.enums[*index].derives("PartialEq"),
            _ => false,
        };
        let equated = is_equated.then_some(File::Equality);
        let has_kept = ty.parts().any(|part| self.kept(part).is_some());
        let kept = has_kept.then_some(File::Kept);
        let files = own.into_iter().chain(kept).chain(compared).chain(equated);
        files.into_iter().find(|file| file.has(name))
    }

    /// Whether a type has functions of this name here.
    pub fn has_standard(&self, ty: &Ty, name: &str) -> bool {
        self.file_of(ty, Some(name)).is_some()
    }

    /// Declares the functions of this name that a type has here. What can fault is there for each
    /// call, in whose place it stands.
    pub fn declare_standard(&mut self, ty: &Ty, name: &str, call: Span) {
        let Some(file) = self.file_of(ty, Some(name)) else {
            return;
        };
        let Some(core) = self.core() else {
            return;
        };
        let is_new = core.declared.insert((file, name.to_owned()));
        let (blocks, names) = (core.blocks(file), core.names.clone());
        for block in blocks.iter() {
            for mut function in blocks::functions(block) {
                if function.sig.ident != name {
                    continue;
                }
                if has_attribute(&function.attrs, FAULTS) {
                    let id = id_of(&function);
                    let functions = &self.functions;
                    self.methods.retain(|it| functions[it.function].id != id);
                    let tokens = replaced(function.to_token_stream(), call, &|_| None);
                    let Ok(moved) = syn::parse2(tokens) else {
                        continue;
                    };
                    function = moved;
                } else if !is_new {
                    continue;
                }
                let id = id_of(&function);
                self.declare_function(Some(block), function, &names, id);
            }
        }
    }

    /// The function that a path means where nothing else has the path.
    pub fn function_of_core(&mut self, path: &str) -> Option<usize> {
        let name = function_at(path)?;
        let id = format!("{ID}::{FUNCTION}{name}");
        let known = self
            .functions
            .iter()
            .position(|it| it.id == id && it.template.is_none());
        if known.is_some() {
            return known;
        }
        let names = self.core()?.names.clone();
        let file = syn::parse_str::<syn::File>(File::Function.text()).ok()?;
        let item = file.items.into_iter().find_map(|item| match item {
            Item::Fn(item) if item.sig.ident == name => Some(item),
            _ => None,
        })?;
        Some(self.declare_function(None, item, &names, id))
    }

    fn declare_function(
        &mut self,
        block: Option<&ItemImpl>,
        mut item: ItemFn,
        names: &Names,
        id: String,
    ) -> usize {
        let mut elsewhere = Report::default();
        let index = self.functions.len();
        item.attrs.clear();
        let (mut parameters, arguments) =
            parameter::declare(self, &item.sig.generics, index, names);
        parameters.of_block = block.map_or(0, implementation::parameters);
        let kind = TaskKind::Function;
        signature::closures(self, &item, names, &parameters, &arguments, &mut elsewhere);
        let (params, result) =
            signature::function(self, &item, names, kind, &arguments, &mut elsewhere);
        if let Some(block) = block {
            implementation::function(self, block, (&item, index), ID, names, &arguments);
        }
        self.functions.push(FunctionDef {
            id,
            entry: ID.to_owned(),
            names: names.clone(),
            item: Rc::new(item),
            body: None,
            params,
            result,
            is_member: true,
            is_const: false,
            typed: Typed::default(),
            within: None,
            parameters,
            arguments,
            template: None,
            outlined: None,
        });
        index
    }
}

fn declare_struct(program: &mut Program, item: &ItemStruct) -> usize {
    let names = Names::default();
    let (parameters, arguments) =
        parameter::declare(program, &item.generics, ConstDef::A_TYPE, &names);
    let mut elsewhere = Report::default();
    let fields = field::fields(program, item, &names, &arguments, &mut elsewhere);
    program.structs.push(StructDef {
        defaults: Applied::default(),
        name: item.ident.to_string(),
        id: ID.to_owned(),
        fields,
        private: Default::default(),
        is_tuple: matches!(item.fields, Fields::Unnamed(_)),
        is_unit: matches!(item.fields, Fields::Unit),
        is_bundle: false,
        derives: enumeration::derives(&item.attrs),
        parameters,
        cases: Vec::new(),
    });
    program.structs.len() - 1
}

/// The start of the names of functions, as parts of ids.
const FUNCTION: &str = "fn ";

/// The attribute of what can fault.
const FAULTS: &str = "faults";

/// The attribute of what the run time has for the host version.
const HOST: &str = "host";

/// The start of the ids of such functions.
const OF_RUN_TIME: &str = "core::host::";

fn id_of(item: &ItemFn) -> String {
    let start = match has_attribute(&item.attrs, HOST) {
        true => OF_RUN_TIME,
        false => "core::",
    };
    format!("{start}{}", item.sig.ident)
}

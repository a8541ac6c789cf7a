//! A kernel or helper with everything that it needs, typed.

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use amp_spirv::{diagnostic::Code, ir::IndexWidth};
use proc_macro2::{Span, TokenStream};
use syn::{Ident, ItemEnum, ItemFn, ItemImpl, ItemStruct, ItemTrait, Type};

use super::{
    bundle,
    closure::ClosureDef,
    enumeration::{self, EnumDef, derived},
    function::Typed,
    generic::{self, Arguments, Parameters, TraitDef, TraitFunction, TypeParam},
    implementation::{self, Method, TypeConst},
    library,
    order::infer_called,
    signature,
    ty::{Len, Ty},
};
use crate::{
    attribute::{self, has_wide_index},
    import::{Entry, EntryKind, Task, TaskKind, implementation as blocks, is_block, method_id},
    report::Report,
};

/// A struct that the program uses.
pub struct StructDef {
    /// Its name.
    pub name: String,
    /// Fields in order; positions name the fields of a tuple struct.
    pub fields: Vec<(String, Ty)>,
    /// Whether it is a tuple struct.
    pub is_tuple: bool,
    /// It has views in it.
    pub is_bundle: bool,
    /// What it derives.
    pub derives: Vec<String>,
    /// Its generic parameters, which its fields name.
    pub parameters: Parameters,
}

impl StructDef {
    /// Whether it derives the trait of this name.
    pub fn derives(&self, of_trait: &str) -> bool {
        self.derives.iter().any(|name| name == of_trait)
    }
}

/// A constant that rustc evaluates.
pub struct ConstDef {
    /// The function in which it is written: index into [`Program::functions`].
    pub owner: usize,
    /// The expression.
    pub expr: TokenStream,
    /// The expression without spaces, for comparison and display.
    pub text: String,
    /// Its type, known when the owner has been inferred.
    pub ty: Ty,
    /// Where it is written.
    pub span: Span,
}

/// A parameter.
#[derive(Clone)]
pub struct ParamDef {
    /// Its name.
    pub ident: Ident,
    /// Its type.
    pub ty: Ty,
}

/// A kernel or helper.
pub struct FunctionDef {
    /// Its own id, unique in the program; empty for what nothing else names.
    pub id: String,
    /// Id of the entry in which it stands: a method's is that of its `impl` block.
    pub entry: String,
    /// What its paths mean.
    pub names: Names,
    /// The function itself.
    pub item: Rc<ItemFn>,
    /// All parameters, a kernel's index included.
    pub params: Vec<ParamDef>,
    /// Type of the result.
    pub result: Ty,
    /// It stands in an `impl` block, or has references to what is no number: these are
    /// Rust's own in the twin.
    pub is_member: bool,
    /// What inference found.
    pub typed: Typed,
    /// The function in whose body it is written.
    pub within: Option<usize>,
    /// Its generic parameters.
    pub parameters: Parameters,
    /// What its generic parameters stand for.
    pub arguments: Arguments,
    /// The generic function that it is an instance of.
    pub template: Option<usize>,
}

impl ConstDef {
    /// The owner of a constant that stands for a length which is still to be found.
    pub const NOBODY: usize = usize::MAX;

    /// The owner of the const parameters of types, for which each use has something else.
    pub const A_TYPE: usize = usize::MAX - 1;
}

/// What the paths of an item mean.
#[derive(Clone, Default)]
pub struct Names(HashMap<String, Meaning>);

/// What a path means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Index into [`Program::structs`].
    Struct(usize),
    /// Index into [`Program::enums`].
    Enum(usize),
    /// Index into [`Program::functions`].
    Function(usize),
    /// Index into [`Program::traits`].
    Trait(usize),
    /// An item that does not compile, which is reported where it is.
    Broken,
}

impl Names {
    /// What `path` means in the item.
    pub fn get(&self, path: &str) -> Option<Meaning> {
        self.0.get(path).copied()
    }

    /// Gives a path a meaning.
    pub fn declare(&mut self, path: &str, meaning: Meaning) {
        self.0.insert(path.to_owned(), meaning);
    }

    /// A path by which the item names something, if it does.
    pub fn path_of(&self, wanted: Meaning) -> Option<&str> {
        self.0
            .iter()
            .filter(|(_, meaning)| **meaning == wanted)
            .map(|(path, _)| path.as_str())
            .min()
    }
}

/// Everything that the task's item needs, typed; callees before callers, the item last.
#[derive(Default)]
pub struct Program {
    /// How wide a `usize` is on a device.
    pub index: IndexWidth,
    /// Structs, each before those that contain it.
    pub structs: Vec<StructDef>,
    /// Enums.
    pub enums: Vec<EnumDef>,
    /// The traits of modules.
    pub traits: Vec<TraitDef>,
    /// Functions of types; these name functions only until these are in order.
    pub methods: Vec<Method>,
    /// Constants of types.
    pub type_consts: Vec<TypeConst>,
    /// Functions, callees before callers.
    pub functions: Vec<FunctionDef>,
    /// Constants of all functions.
    pub consts: Vec<ConstDef>,
    /// Type parameters of all functions.
    pub type_params: Vec<TypeParam>,
    /// Closures of all functions.
    pub closures: Vec<ClosureDef>,
    /// Lengths that rustc proves equal.
    pub equal_lengths: Vec<(Len, Len)>,
    /// What the paths of functions of the library mean.
    pub library: HashMap<String, Meaning>,
    /// Paths of functions of the library that are not there yet.
    pub wanted: Vec<String>,
    /// A needed item failed to compile; its errors stand there.
    pub broken: bool,
}

impl Program {
    /// Whether a length stands for one that is still to be found.
    pub fn is_nobodys(&self, len: Len) -> bool {
        matches!(len, Len::Const(index) if self.consts[index].owner == ConstDef::NOBODY)
    }

    /// What was found for a length that was to be found; others as they are.
    pub fn canonical_if_open(&self, len: Len) -> Len {
        match self.is_nobodys(len) {
            true => self.canonical(len),
            false => len,
        }
    }

    /// The length that stands for all that equal `len`: a literal where there is one.
    pub fn canonical(&self, len: Len) -> Len {
        let mut class = vec![len];
        let mut at = 0;
        while at < class.len() {
            for (a, b) in &self.equal_lengths {
                for (one, other) in [(a, b), (b, a)] {
                    if *one == class[at] && !class.contains(other) {
                        class.push(*other);
                    }
                }
            }
            at += 1;
        }
        let rank = |len: &Len| match len {
            Len::Literal(_) => 0,
            len if self.is_nobodys(*len) => usize::MAX,
            Len::Const(index) => index + 1,
        };
        class.into_iter().min_by_key(rank).unwrap_or(len)
    }
}

/// Types the task's item and all that it needs. Errors go to `report`; those inside an
/// imported item are reported where it is defined, and only mark the program as broken.
pub fn build(task: &Task, report: &mut Report) -> Program {
    build_instance(task, &[], report)
}

/// The same for a kernel, with types in the place of its type parameters.
pub fn build_instance(task: &Task, types: &[(Ident, Type)], report: &mut Report) -> Program {
    // What is wrong with the arguments is said elsewhere.
    let arguments = attribute::Arguments::read(task.kind, &task.arguments, &mut Report::default());
    let mut builder = Builder {
        program: Program {
            index: arguments.index.unwrap_or_default(),
            ..Program::default()
        },
        entries: task.closure.by_id(),
        meanings: HashMap::new(),
        seen: HashSet::new(),
        declared: Vec::new(),
    };
    for (_, id) in &task.closure.names {
        builder.import(id);
    }
    match task.kind {
        TaskKind::Struct => {
            if let Ok(item) = syn::parse2::<ItemStruct>(task.item.clone()) {
                let names = builder.names(&task.closure.names);
                builder.add_struct(&item, &names, report);
            }
        }
        TaskKind::Enum => {
            if let Ok(item) = syn::parse2::<ItemEnum>(task.item.clone()) {
                builder.program.enums.push(enumeration::read(&item, report));
            }
        }
        // The items of a module are tasks of their own.
        TaskKind::Module => {}
        TaskKind::Kernel | TaskKind::Function => match syn::parse2::<ItemFn>(task.item.clone()) {
            Ok(item) => {
                builder.own(&task.own, item, &task.closure.names);
                builder.functions(task, types, report);
            }
            Err(error) => {
                report.error_help(
                    Code::UnsupportedSyntax,
                    error.span(),
                    format!("this cannot be read as Rust: {error}"),
                    "write it in the syntax that docs/language.md describes",
                );
            }
        },
    }
    builder.program
}

/// Reports helpers for indices of 64 bits that an item with narrower ones calls.
fn refuse_wide_helpers(program: &Program, report: &mut Report) {
    let Some((own, called)) = program.functions.split_last() else {
        return;
    };
    if program.index == IndexWidth::Bits64 {
        return;
    }
    for helper in called.iter().filter(|it| has_wide_index(&it.item)) {
        let (own, helper) = (&own.item.sig.ident, &helper.item.sig.ident);
        report.error_help(
            Code::AttributeArgument,
            own,
            format!("`{own}` calls `{helper}`, which is for indices of 64 bits"),
            "give its attribute the argument `index = 64` too",
        );
    }
}

/// A function of which only the item is known.
struct Declared<'a> {
    id: String,
    entry: String,
    item: ItemFn,
    names: &'a [(String, String)],
    /// The `impl` block in which it stands.
    block: Option<Rc<ItemImpl>>,
    /// The trait that declares it: index into [`Program::traits`].
    of_trait: Option<usize>,
}

struct Builder<'a> {
    program: Program,
    entries: HashMap<&'a str, &'a Entry>,
    meanings: HashMap<String, Meaning>,
    seen: HashSet<&'a str>,
    declared: Vec<Declared<'a>>,
}

impl<'a> Builder<'a> {
    /// Adds the types that an entry stands for or needs, and remembers the functions.
    fn import(&mut self, id: &str) {
        let Some(&entry) = self.entries.get(id) else {
            return;
        };
        if !self.seen.insert(&entry.id) {
            return;
        }
        if entry.broken {
            self.program.broken = true;
            self.meanings.insert(entry.id.clone(), Meaning::Broken);
            return;
        }
        // What implements a type needs the type.
        let (blocks, needed): (Vec<_>, Vec<_>) =
            entry.names.iter().partition(|(path, _)| is_block(path));
        for (_, needed) in needed {
            self.import(needed);
        }
        self.add(entry);
        for (_, block) in blocks {
            self.import(block);
        }
    }

    fn add(&mut self, entry: &'a Entry) {
        // Errors of imported types stand where these are defined.
        let mut elsewhere = Report::default();
        let meaning = match entry.kind {
            EntryKind::Struct => {
                let Ok(item) = syn::parse2::<ItemStruct>(entry.item.clone()) else {
                    return;
                };
                let names = self.names(&entry.names);
                Meaning::Struct(self.add_struct(&item, &names, &mut elsewhere))
            }
            EntryKind::Enum => {
                let Ok(item) = syn::parse2::<ItemEnum>(entry.item.clone()) else {
                    return;
                };
                let definition = enumeration::read(&item, &mut elsewhere);
                self.program.enums.push(definition);
                Meaning::Enum(self.program.enums.len() - 1)
            }
            EntryKind::Function => {
                let Ok(item) = syn::parse2::<ItemFn>(entry.item.clone()) else {
                    return;
                };
                self.declared.push(Declared {
                    id: entry.id.clone(),
                    entry: entry.id.clone(),
                    item,
                    names: &entry.names,
                    block: None,
                    of_trait: None,
                });
                return;
            }
            EntryKind::Trait => {
                let Ok(item) = syn::parse2::<ItemTrait>(entry.item.clone()) else {
                    return;
                };
                let names = self.names(&entry.names);
                self.program.traits.push(TraitDef::read(&item, names));
                let index = self.program.traits.len() - 1;
                for function in generic::functions(&item) {
                    self.declared.push(Declared {
                        id: method_id(&entry.id, &function.sig.ident),
                        entry: entry.id.clone(),
                        item: function,
                        names: &entry.names,
                        block: None,
                        of_trait: Some(index),
                    });
                }
                Meaning::Trait(index)
            }
            EntryKind::Impl => {
                let Ok(block) = syn::parse2::<ItemImpl>(entry.item.clone()) else {
                    return;
                };
                let names = self.names(&entry.names);
                implementation::constants(&mut self.program, &block, &names);
                let block = Rc::new(block);
                for function in blocks::functions(&block) {
                    self.declared.push(Declared {
                        id: method_id(&entry.id, &function.sig.ident),
                        entry: entry.id.clone(),
                        item: function,
                        names: &entry.names,
                        block: Some(block.clone()),
                        of_trait: None,
                    });
                }
                return;
            }
        };
        self.program.broken |= !elsewhere.is_clean();
        self.meanings.insert(entry.id.clone(), meaning);
    }

    fn names(&self, paths: &[(String, String)]) -> Names {
        Names(
            paths
                .iter()
                .filter_map(|(path, id)| Some((path.clone(), *self.meanings.get(id)?)))
                .collect(),
        )
    }

    fn add_struct(&mut self, item: &ItemStruct, names: &Names, report: &mut Report) -> usize {
        let owner = ConstDef::A_TYPE;
        let (parameters, arguments) = generic::declare(&mut self.program, &item.generics, owner);
        let fields = signature::fields(&mut self.program, item, names, &arguments, report);
        self.program.structs.push(StructDef {
            name: item.ident.to_string(),
            is_bundle: fields.iter().any(|(_, ty)| bundle::is_part(ty)),
            fields,
            parameters,
            is_tuple: matches!(item.fields, syn::Fields::Unnamed(_)),
            derives: derived(&item.attrs),
        });
        self.program.structs.len() - 1
    }

    /// Declares the task's own function last, in place of what the closure has of it.
    fn own(&mut self, id: &str, item: ItemFn, names: &'a [(String, String)]) {
        let known = self.declared.iter().position(|declared| declared.id == id);
        let own = match known {
            Some(place) => Declared {
                item,
                ..self.declared.remove(place)
            },
            None => Declared {
                id: id.to_owned(),
                entry: id.to_owned(),
                item,
                names,
                block: None,
                of_trait: None,
            },
        };
        self.declared.push(own);
    }

    /// Reads the signatures of all functions, the last of which is the task's own, then
    /// the bodies of those that it calls.
    fn functions(&mut self, task: &Task, types: &[(Ident, Type)], report: &mut Report) {
        let kind = task.kind;
        let declared = std::mem::take(&mut self.declared);
        let own = declared.len() - 1;
        for (index, function) in declared.iter().enumerate() {
            if function.block.is_none() && function.of_trait.is_none() {
                let meaning = Meaning::Function(index);
                self.meanings.insert(function.id.clone(), meaning);
            }
        }
        let entries = self.entries.values();
        self.program.library = library::meanings(task, entries, &self.meanings);
        for (index, function) in declared.into_iter().enumerate() {
            let Declared {
                id,
                entry,
                item,
                names,
                block,
                of_trait,
            } = function;
            let names = self.names(names);
            let is_member = block.is_some();
            let of_block = match (&block, of_trait) {
                (Some(block), _) => block.generics.params.len(),
                (None, Some(_)) => 1,
                (None, None) => 0,
            };
            let mut elsewhere = Report::default();
            let (kind, report) = match index == own {
                true => (kind, &mut *report),
                false => (TaskKind::Function, &mut elsewhere),
            };
            let (parameters, arguments) = match kind {
                TaskKind::Function => {
                    let owner = self.program.functions.len();
                    let generics = &item.sig.generics;
                    let (mut parameters, arguments) =
                        generic::declare(&mut self.program, generics, owner);
                    parameters.of_block = of_block;
                    (parameters, arguments)
                }
                _ => {
                    let generics = &item.sig.generics;
                    let program = &mut self.program;
                    let listed = signature::listed(program, generics, types, &names, report);
                    (Parameters::default(), listed)
                }
            };
            let (params, result) =
                signature::function(&mut self.program, &item, &names, kind, &arguments, report);
            signature::closures(
                &mut self.program,
                &item,
                &names,
                &parameters,
                &arguments,
                report,
            );
            if let Some(block) = block {
                let program = &mut self.program;
                implementation::function(program, &block, &item, index, &names, &arguments);
                implementation::check_waiting(&item, &params, report);
            }
            match of_trait {
                // One with types that are not known here is there for instances alone.
                Some(index) if elsewhere.is_clean() => {
                    let declared = TraitFunction {
                        name: item.sig.ident.to_string(),
                        has_receiver: blocks::has_receiver(&item),
                        function: self.program.functions.len(),
                    };
                    self.program.traits[index].functions.push(declared);
                }
                Some(_) => {}
                None => self.program.broken |= !elsewhere.is_clean(),
            }
            self.program.functions.push(FunctionDef {
                id,
                entry,
                names,
                item: Rc::new(item),
                is_member: is_member || generic::has_own_references(&self.program, &params),
                params,
                result,
                typed: Typed::default(),
                within: None,
                parameters,
                arguments,
                template: None,
            });
        }
        infer_called(&mut self.program, own, kind, report);
        refuse_wide_helpers(&self.program, report);
    }
}

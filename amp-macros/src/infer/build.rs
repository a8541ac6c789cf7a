//! Reading what a task brings into a [`Program`]: types first, then signatures, then bodies.

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use amp_spirv::{diagnostic::Code, tree::IndexWidth};
use proc_macro2::TokenStream;
use syn::{
    GenericParam, Ident, ItemEnum, ItemFn, ItemImpl, ItemStruct, ItemTrait, Type, Visibility,
};

use super::{
    bundle, case,
    enumeration::{self, derives},
    exported, field,
    generic::{self},
    implementation, kept_slice, layout,
    names::{Meaning, Names},
    order::infer_called,
    parameter,
    program::{ConstDef, FunctionDef, Program, StructDef},
    reference, reserved, signature,
    trait_definition::{TraitDef, TraitFunction},
    ty::{Parameters, Ty},
    typed::Typed,
};
use crate::{
    attribute::{ELEMENT, OWN_REFERENCES, TaskKind, has_attribute, has_wide_index},
    import::{
        Entry, EntryKind, Sealed, Task, TaskItem, apart, implementation as blocks, is_block,
        method_id,
    },
    language::method::is_library_path,
    report::Report,
};

/// Types the task's item and all that it needs. Errors go to `report`; those inside an
/// imported item are reported where it is defined, and only mark the program as broken.
pub fn build(task: &Task, report: &mut Report) -> Program {
    build_instance(task, &[], report)
}

/// The same for a kernel, with types in the place of its type parameters.
pub fn build_instance(task: &Task, types: &[(Ident, Type)], report: &mut Report) -> Program {
    let arguments = &task.arguments;
    let mut builder = Builder {
        program: Program {
            index: arguments.index.unwrap_or_default(),
            arguments: arguments.clone(),
            repetition: task.repetition,
            ..Program::default()
        },
        needs_bodies: task.item.kind() == TaskKind::Kernel,
        entries: task.closure.by_id(),
        library: Vec::new(),
        meanings: HashMap::new(),
        seen: HashSet::new(),
        declared: Vec::new(),
    };
    builder.library(&task.closure.names);
    for (_, id) in &task.closure.names {
        builder.import(id);
    }
    match &task.item {
        TaskItem::Struct(item) => {
            let names = builder.names(&task.closure.names);
            builder.add_struct(&task.id, item, &names, report);
        }
        TaskItem::Enum(item) => {
            let names = builder.names(&task.closure.names);
            builder.add_enum(&task.id, item, &names, report);
        }
        TaskItem::Constant(item) => {
            builder.own(&task.id, exported::user_of(item), &task.closure.names);
            builder.functions(task, types, report);
        }
        // The items of a module are tasks of their own.
        TaskItem::Module(_) => {}
        TaskItem::Kernel(item) | TaskItem::Function(item) => {
            builder.own(&task.id, item.clone(), &task.closure.names);
            builder.functions(task, types, report);
        }
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

/// Whether a helper is compiled for each set of arguments that it is called with.
fn is_generic(item: &ItemFn) -> bool {
    let mut parameters = item.sig.generics.params.iter();
    parameters.any(|parameter| !matches!(parameter, GenericParam::Lifetime(_)))
}

/// A function of which only the item is known.
struct Declared<'a> {
    id: String,
    entry: String,
    item: ItemFn,
    /// Its body, if the item is without it.
    body: Option<TokenStream>,
    names: &'a [(String, String)],
    /// The `impl` block in which it stands.
    block: Option<Rc<ItemImpl>>,
    /// The trait that declares it: index into [`Program::traits`].
    of_trait: Option<usize>,
    /// The constants of one whose body is not read.
    outlined: Option<Vec<Ident>>,
}

struct Builder<'a> {
    program: Program,
    /// The item is a kernel, which is compiled with all that it calls. A helper that another one
    /// calls has been compiled on its own: its signature says all that the caller needs.
    needs_bodies: bool,
    entries: HashMap<&'a str, &'a Sealed>,
    /// Paths of the library, with their ids.
    library: Vec<&'a (String, String)>,
    meanings: HashMap<String, Meaning>,
    seen: HashSet<&'a str>,
    declared: Vec<Declared<'a>>,
}

impl<'a> Builder<'a> {
    /// Adds the types that an entry declares or needs, and remembers the functions.
    fn import(&mut self, id: &str) {
        let Some(entry) = self.entries.get(id).map(|sealed| sealed.open()) else {
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
        self.library(&entry.names);
        let function = self.function(entry);
        let is_outlined = matches!(
            &function,
            Some(Declared {
                outlined: Some(_),
                ..
            })
        );
        // What implements a type needs the type.
        let (blocks, needed): (Vec<_>, Vec<_>) =
            entry.names.iter().partition(|(path, _)| is_block(path));
        for (_, needed) in needed {
            if !(is_outlined && self.is_function(needed)) {
                self.import(needed);
            }
        }
        match function {
            Some(function) => self.declared.push(function),
            None => self.add(entry),
        }
        for (_, block) in blocks {
            self.import(block);
        }
    }

    /// The function that an entry is, if it is one. Its body is read when it is inferred, unless
    /// its callers need nothing of it.
    fn function(&self, entry: &'a Entry) -> Option<Declared<'a>> {
        if entry.kind != EntryKind::Function {
            return None;
        }
        let (item, body) = apart(entry.item.clone());
        let item = syn::parse2(item).ok()?;
        let is_compiled_here = self.needs_bodies || is_generic(&item);
        let outlined = entry.constants.clone().filter(|_| !is_compiled_here);
        Some(Declared {
            id: entry.id.clone(),
            entry: entry.id.clone(),
            item,
            body: body.filter(|_| outlined.is_none()),
            names: &entry.names,
            block: None,
            of_trait: None,
            outlined,
        })
    }

    /// Remembers what paths of the library mean.
    fn library(&mut self, names: &'a [(String, String)]) {
        let library = names.iter().filter(|(path, _)| is_library_path(path));
        self.library.extend(library);
    }

    fn is_function(&self, id: &str) -> bool {
        let entry = self.entries.get(id);
        entry.is_some_and(|entry| entry.open().kind == EntryKind::Function)
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
                Meaning::Struct(self.add_struct(&entry.id, &item, &names, &mut elsewhere))
            }
            EntryKind::Enum => {
                let Ok(item) = syn::parse2::<ItemEnum>(entry.item.clone()) else {
                    return;
                };
                let names = self.names(&entry.names);
                self.add_enum(&entry.id, &item, &names, &mut elsewhere)
            }
            EntryKind::Function | EntryKind::Constant => return,
            EntryKind::Trait => {
                let Ok(item) = syn::parse2::<ItemTrait>(entry.item.clone()) else {
                    return;
                };
                let names = self.names(&entry.names);
                self.program
                    .traits
                    .push(TraitDef::read(&entry.id, &item, names));
                let index = self.program.traits.len() - 1;
                for function in generic::functions(&item) {
                    self.declared.push(Declared {
                        id: method_id(&entry.id, &function.sig.ident),
                        entry: entry.id.clone(),
                        item: function,
                        body: None,
                        names: &entry.names,
                        block: None,
                        of_trait: Some(index),
                        outlined: None,
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
                generic::associated_types(&mut self.program, &block, &names);
                let block = Rc::new(block);
                for function in blocks::functions(&block) {
                    self.declared.push(Declared {
                        id: method_id(&entry.id, &function.sig.ident),
                        entry: entry.id.clone(),
                        item: function,
                        body: None,
                        names: &entry.names,
                        block: Some(block.clone()),
                        of_trait: None,
                        outlined: None,
                    });
                }
                return;
            }
        };
        self.program.broken |= !elsewhere.is_clean();
        self.meanings.insert(entry.id.clone(), meaning);
    }

    fn names(&self, paths: &[(String, String)]) -> Names {
        Names::of(
            paths
                .iter()
                .filter_map(|(path, id)| Some((path.clone(), *self.meanings.get(id)?)))
                .collect(),
        )
    }

    fn add_struct(
        &mut self,
        id: &str,
        item: &ItemStruct,
        names: &Names,
        report: &mut Report,
    ) -> usize {
        let owner = ConstDef::A_TYPE;
        let (parameters, arguments) =
            parameter::declare(&mut self.program, &item.generics, owner, names);
        let mut fields = field::fields(&mut self.program, item, names, &arguments, report);
        let private = private(item, &fields);
        if has_attribute(&item.attrs, ELEMENT) {
            layout::arrange(&self.program, &mut fields);
        }
        let program = &mut self.program;
        let defaults = super::defaults::read(program, &item.generics, names, &arguments, report);
        self.program.structs.push(StructDef {
            defaults,
            name: item.ident.to_string(),
            id: id.to_owned(),
            is_bundle: fields.iter().any(|(_, ty)| bundle::is_part(ty)),
            private,
            fields,
            parameters,
            is_tuple: matches!(item.fields, syn::Fields::Unnamed(_)),
            is_unit: matches!(item.fields, syn::Fields::Unit),
            derives: derives(&item.attrs),
            cases: Vec::new(),
        });
        self.program.structs.len() - 1
    }

    fn add_enum(
        &mut self,
        id: &str,
        item: &ItemEnum,
        names: &Names,
        report: &mut Report,
    ) -> Meaning {
        if case::has_fields(item) {
            return Meaning::Struct(case::read(&mut self.program, id, item, names, report));
        }
        let definition = enumeration::read(id, item, report);
        self.program.enums.push(definition);
        Meaning::Enum(self.program.enums.len() - 1)
    }

    /// Declares the task's own function last, in place of what the closure has of it.
    fn own(&mut self, id: &str, item: ItemFn, names: &'a [(String, String)]) {
        let known = self.declared.iter().position(|declared| declared.id == id);
        let own = match known {
            Some(place) => Declared {
                item,
                body: None,
                ..self.declared.remove(place)
            },
            None => Declared {
                id: id.to_owned(),
                entry: id.to_owned(),
                item,
                body: None,
                names,
                block: None,
                of_trait: None,
                outlined: None,
            },
        };
        self.declared.push(own);
    }

    /// Reads the signatures of all functions, the last of which is the task's own, then
    /// the bodies of those that it calls.
    fn functions(&mut self, task: &Task, types: &[(Ident, Type)], report: &mut Report) {
        let kind = task.item.kind();
        let declared = std::mem::take(&mut self.declared);
        let own = declared.len() - 1;
        for (index, function) in declared.iter().enumerate() {
            if function.block.is_none() && function.of_trait.is_none() {
                let meaning = Meaning::Function(index);
                self.meanings.insert(function.id.clone(), meaning);
            }
        }
        let library = std::mem::take(&mut self.library).into_iter();
        let library =
            library.filter_map(|(path, id)| Some((path.clone(), *self.meanings.get(id)?)));
        self.program.library = library.collect();
        for (index, function) in declared.into_iter().enumerate() {
            let Declared {
                id,
                entry,
                item,
                body,
                names,
                block,
                of_trait,
                outlined,
            } = function;
            let mut names = self.names(names);
            names.hide(&item.sig.generics);
            let is_member = block.is_some();
            let of_block = match (&block, of_trait) {
                (Some(block), _) => implementation::parameters(block),
                (None, Some(index)) => 1 + self.program.traits[index].all_parameters(),
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
                    let program = &mut self.program;
                    let (mut parameters, mut arguments) =
                        parameter::declare(program, generics, owner, &names);
                    parameters.of_block = of_block;
                    let (own, all) = (&mut parameters, &mut arguments);
                    generic::declare_projections(program, &item, &names, of_trait, own, all);
                    (parameters, arguments)
                }
                _ => {
                    let generics = &item.sig.generics;
                    let program = &mut self.program;
                    let listed = signature::listed(program, generics, types, &names, report);
                    (Parameters::default(), listed)
                }
            };
            signature::closures(
                &mut self.program,
                &item,
                &names,
                &parameters,
                &arguments,
                report,
            );
            let (params, result) =
                signature::function(&mut self.program, &item, &names, kind, &arguments, report);
            if block.is_none() && of_trait.is_none() {
                reserved::exported(&item.sig.ident, report);
            }
            let is_marked = has_attribute(&item.attrs, OWN_REFERENCES);
            let lends = kept_slice::lends(&self.program, &params, &result);
            if block.is_some() || lends {
                reference::check_waiting(&item, &params, report);
            }
            if let Some(block) = block {
                let program = &mut self.program;
                implementation::function(
                    program,
                    &block,
                    (&item, index),
                    &entry,
                    &names,
                    &arguments,
                );
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
                is_const: item.sig.constness.is_some(),
                item: Rc::new(item),
                body,
                is_member: is_member
                    || lends
                    || is_marked
                    || generic::has_own_references(&self.program, &params),
                params,
                result,
                typed: Typed::default(),
                within: None,
                parameters,
                arguments,
                template: None,
                outlined,
            });
        }
        infer_called(&mut self.program, own, kind, report);
        if !report.is_clean() && kind != TaskKind::Constant {
            exported::want(&mut self.program, task);
        }
        refuse_wide_helpers(&self.program, report);
    }
}

/// The fields of a struct that are not public.
fn private(item: &ItemStruct, fields: &[(String, Ty)]) -> HashSet<String> {
    let fields = item.fields.iter().zip(fields);
    let private = fields.filter(|(field, _)| !matches!(field.vis, Visibility::Public(_)));
    private.map(|(_, (name, _))| name.clone()).collect()
}

//! Constants that other crates export: a body that names one declares it again, with the type that has
//! arrived, which rustc proves (see `import::tables`).

use syn::{Block, Generics, ImplItem, Item, Path, Type};

use super::constant_item::{Part, Parts};
use crate::{
    import::{Closure, EntryKind, Table, Task, TaskItem, tables},
    language::name::path_key,
    visit::VisitMut,
};

/// The task of a function that declares the constants which have arrived.
pub(super) fn of_task(task: &Task) -> Task {
    let mut task = task.clone();
    let imported = Imported::of(&task.closure);
    if let TaskItem::Kernel(item) | TaskItem::Function(item) = &mut task.item {
        imported.declare(&mut item.block, &item.sig.generics);
    }
    task.closure.names.extend(imported.names);
    task
}

/// Declares the constants that the functions of a module name, and gives the ids by the paths that are known
/// then.
pub(super) fn of_module(items: &mut [Item], closure: &Closure) -> Vec<(String, String)> {
    let imported = Imported::of(closure);
    for item in items {
        match item {
            Item::Fn(function) => imported.declare(&mut function.block, &function.sig.generics),
            Item::Impl(block) => {
                for part in &mut block.items {
                    if let ImplItem::Fn(function) = part {
                        imported.declare(&mut function.block, &function.sig.generics);
                    }
                }
            }
            _ => {}
        }
    }
    let mut names = closure.names.clone();
    names.extend(imported.names);
    names
}

/// The constants that have arrived.
#[derive(Default)]
struct Imported {
    /// Their types, and the paths by which the item names them.
    constants: Vec<(Path, Type)>,
    /// Ids by the paths of what their types have in them.
    names: Vec<(String, String)>,
}

impl Imported {
    fn of(closure: &Closure) -> Self {
        let entries = closure.by_id();
        let mut imported = Self::default();
        for (key, id) in &closure.names {
            let Some(entry) = entries.get(id.as_str()).map(|entry| entry.open()) else {
                continue;
            };
            let (EntryKind::Constant, Ok(path), Ok(mut ty)) = (
                entry.kind,
                syn::parse_str::<Path>(key),
                syn::parse2::<Type>(entry.item.clone()),
            ) else {
                continue;
            };
            let mut parts = Parts {
                constant: Some(path.clone()),
                ..Parts::default()
            };
            parts.visit_type_mut(&mut ty);
            for Part { path, name } in parts.named {
                let written = path_key(&path);
                let mut known = entry.names.iter();
                if let Some((_, id)) = known.find(|(path, _)| *path == written) {
                    imported.names.push((format!("{key}::{name}"), id.clone()));
                }
            }
            imported.constants.push((path, ty));
        }
        imported
    }

    fn declare(&self, body: &mut Block, generics: &Generics) {
        if self.constants.is_empty() {
            return;
        }
        tables::declare_by(body, generics, &|path| {
            let key = path_key(path);
            let mut constants = self.constants.iter();
            let (_, ty) = constants.find(|(path, _)| path_key(path) == key)?;
            let (ty, is_referred) = match ty {
                Type::Reference(reference) => (&*reference.elem, true),
                ty => (ty, false),
            };
            let ty = ty.clone();
            Some((path.clone(), Table { ty, is_referred }))
        });
    }
}

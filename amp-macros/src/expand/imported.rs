//! Constants that other crates export: a body that names one declares it again, with the type that has
//! arrived, which rustc proves (see `import::tables`), and a length is the number that has arrived (see
//! `import::lengths`).

use proc_macro2::TokenStream;
use syn::{
    Block, Expr, Generics, ImplItem, Item, LitInt, Path, Token, Type,
    parse::{ParseStream, Parser},
};

use super::constant_item::{Part, Parts};
use crate::{
    attribute::TaskKind,
    import::{Closure, EntryKind, Table, Task, TaskItem, lengths, siblings, tables},
    language::name::path_key,
    visit::VisitMut,
};

/// The task of an item that has the constants which have arrived, and what proves lengths of it.
pub(super) fn of_task(task: &Task) -> (Task, TokenStream) {
    let mut task = task.clone();
    let imported = Imported::of(&task.closure);
    if imported.constants.is_empty() {
        return (task, TokenStream::new());
    }
    let kind = task.item.kind();
    // Beside it no proof of a length can stand.
    if let TaskItem::Kernel(item) = &mut task.item
        && siblings::is_kernel_of_block(&item.sig.ident)
    {
        imported.declare(&mut item.block, &item.sig.generics);
        task.closure.names.extend(imported.names);
        return (task, TokenStream::new());
    }
    let mut item = match &task.item {
        TaskItem::Kernel(item) | TaskItem::Function(item) => Item::Fn(item.clone()),
        TaskItem::Struct(item) => Item::Struct(item.clone()),
        TaskItem::Enum(item) => Item::Enum(item.clone()),
        TaskItem::Constant(_) | TaskItem::Module(_) => return (task, TokenStream::new()),
    };
    let proofs = imported.settle(&mut item);
    task.item = match item {
        Item::Fn(item) if kind == TaskKind::Kernel => TaskItem::Kernel(item),
        Item::Fn(item) => TaskItem::Function(item),
        Item::Struct(item) => TaskItem::Struct(item),
        Item::Enum(item) => TaskItem::Enum(item),
        _ => task.item,
    };
    task.closure.names.extend(imported.names);
    (task, proofs)
}

/// Writes what has arrived into the items of a module, and gives the ids by the paths that are known then, and what
/// proves lengths.
pub(super) fn of_module(
    items: &mut [Item],
    closure: &Closure,
) -> (Vec<(String, String)>, TokenStream) {
    let imported = Imported::of(closure);
    let mut proofs = TokenStream::new();
    for item in items {
        proofs.extend(imported.settle(item));
        if let Item::Impl(block) = item {
            for part in &mut block.items {
                if let ImplItem::Fn(function) = part {
                    let generics = tables::within(&block.generics, &function.sig.generics);
                    imported.declare(&mut function.block, &generics);
                }
            }
        }
    }
    let mut names = closure.names.clone();
    names.extend(imported.names);
    (names, proofs)
}

/// The constants that have arrived.
#[derive(Default)]
struct Imported {
    /// The paths by which the item names them, their types and the numbers that they are.
    constants: Vec<(Path, Type, Option<u64>)>,
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
            if entry.kind != EntryKind::Constant {
                continue;
            }
            let (Ok(path), Ok((mut ty, number))) = (
                syn::parse_str::<Path>(key),
                exported.parse2(entry.item.clone()),
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
            imported.constants.push((path, ty, number));
        }
        imported
    }

    /// Writes numbers for the lengths in an item, and declares the constants in the body of a function.
    fn settle(&self, item: &mut Item) -> TokenStream {
        if let Item::Fn(function) = item {
            self.declare(&mut function.block, &function.sig.generics);
        }
        lengths::settle_by(item, &|length| match length {
            Expr::Path(length) => self.get(&length.path)?.2,
            _ => None,
        })
    }

    fn get(&self, path: &Path) -> Option<&(Path, Type, Option<u64>)> {
        let key = path_key(path);
        let mut constants = self.constants.iter();
        constants.find(|(path, ..)| path_key(path) == key)
    }

    fn declare(&self, body: &mut Block, generics: &Generics) {
        if self.constants.is_empty() {
            return;
        }
        tables::declare_by(body, generics, &|path| {
            let (_, ty, _) = self.get(path)?;
            let (ty, is_referred) = match ty {
                Type::Reference(reference) => (&*reference.elem, true),
                ty => (ty, false),
            };
            let ty = ty.clone();
            let table = Table {
                ty,
                is_referred,
                // Those of other crates are declared wherever they stand.
                is_number: false,
            };
            Some((path.clone(), table))
        });
    }
}

/// The type of an exported constant, and the number that it is: `usize = 5`.
fn exported(input: ParseStream) -> syn::Result<(Type, Option<u64>)> {
    let ty = input.parse()?;
    let number = match input.parse::<Option<Token![=]>>()? {
        Some(_) => Some(input.parse::<LitInt>()?.base10_parse()?),
        None => None,
    };
    Ok((ty, number))
}

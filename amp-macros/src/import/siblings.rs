//! What stands beside an item in its module, for errors that rustc could not explain.
//!
//! A helper that is no `#[amp_fn]` has no macro to import, and a cycle of helpers
//! waits for itself: rustc would only say that it cannot find or resolve a macro. So
//! before anything is imported the source file is read, and what its module says for
//! certain is reported. Nothing is ever *accepted* because of it: where the file
//! cannot be read, or the module is not certain, nothing happens here.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    path::PathBuf,
    rc::Rc,
    time::SystemTime,
};

use amp_spirv::diagnostic::Code;
use proc_macro2::Span;
use syn::{Attribute, Item, Path, UseTree, spanned::Spanned};

use super::{paths::collect, task::TaskKind};
use crate::report::Report;

/// The items of one module by name.
#[derive(Default)]
struct Module {
    functions: HashMap<String, Function>,
    structs: HashMap<String, bool>,
    /// Names that come from elsewhere.
    imported: HashSet<String>,
}

struct Function {
    /// Has `#[amp_fn]` or `#[amp_kernel]`.
    marked: bool,
    /// Functions that it calls by a bare name.
    calls: Vec<String>,
}

type Modules = Rc<Vec<Module>>;

thread_local! {
    static FILES: RefCell<HashMap<PathBuf, (SystemTime, Modules)>> = RefCell::default();
}

/// Reports recursion, and bare names that the module declares without the attribute.
pub fn check(item: &Item, kind: TaskKind, missing: &[Path], report: &mut Report) {
    let (name, span) = match item {
        Item::Fn(function) => (function.sig.ident.to_string(), function.sig.ident.span()),
        Item::Struct(structure) => (structure.ident.to_string(), structure.ident.span()),
        _ => return,
    };
    let bare: Vec<(String, Span)> = missing
        .iter()
        .filter_map(|path| Some((path.get_ident()?.to_string(), path.span())))
        .collect();
    if let Some((_, call)) = bare.iter().find(|(called, _)| *called == name) {
        let message = match kind {
            TaskKind::Struct => format!("the struct `{name}` contains itself"),
            _ => format!("`{name}` calls itself; kernels have no recursion"),
        };
        report.error_help(Code::Recursion, *call, message, "write it as a loop");
        return;
    }
    if bare.is_empty() {
        return;
    }
    let Some(modules) = modules(span) else { return };
    let mut homes = modules.iter().filter(|module| match kind {
        TaskKind::Struct => module.structs.get(&name) == Some(&true),
        _ => module.functions.get(&name).is_some_and(|function| function.marked),
    });
    let (Some(module), None) = (homes.next(), homes.next()) else {
        return;
    };
    for (called, span) in bare {
        if module.imported.contains(&called) {
            continue;
        }
        match (module.functions.get(&called), module.structs.get(&called)) {
            (Some(function), _) if !function.marked => report.error_help(
                Code::NotCallable,
                span,
                format!("`{called}` is not an `#[amp_fn]`, so a kernel cannot call it"),
                format!("mark it: `#[amp_fn] fn {called}(..)`"),
            ),
            (None, Some(false)) => report.error_help(
                Code::UnsupportedType,
                span,
                format!("`{called}` is not an `#[amp_struct]`, so a kernel cannot use it"),
                format!("mark it: `#[amp_struct] struct {called} {{ .. }}`"),
            ),
            (Some(_), _) => {
                if let Some(cycle) = cycle(module, &name, &called) {
                    let message = format!(
                        "`{name}` calls itself through {}; kernels have no recursion",
                        cycle.join(" and ")
                    );
                    report.error_help(Code::Recursion, span, message, "write it as a loop");
                }
            }
            _ => {}
        }
    }
}

/// The functions on a way from `start` back to `name`.
fn cycle(module: &Module, name: &str, start: &str) -> Option<Vec<String>> {
    fn walk(module: &Module, name: &str, at: &str, way: &mut Vec<String>) -> bool {
        let shown = format!("`{at}`");
        if way.contains(&shown) || module.imported.contains(at) {
            return false;
        }
        let Some(function) = module.functions.get(at) else {
            return false;
        };
        way.push(shown);
        if function.calls.iter().any(|called| called == name)
            || function.calls.iter().any(|called| walk(module, name, called, way))
        {
            return true;
        }
        way.pop();
        false
    }
    let mut way = Vec::new();
    walk(module, name, start, &mut way).then_some(way)
}

/// The modules of the file in which `span` stands.
fn modules(span: Span) -> Option<Modules> {
    let path = span.unwrap().local_file()?;
    let modified = std::fs::metadata(&path).ok()?.modified().ok()?;
    let known = FILES.with_borrow(|files| {
        let (at, modules) = files.get(&path)?;
        (*at == modified).then(|| modules.clone())
    });
    if known.is_some() {
        return known;
    }
    let file = syn::parse_file(&std::fs::read_to_string(&path).ok()?).ok()?;
    let mut modules = Vec::new();
    read(&file.items, &mut modules);
    let modules = Rc::new(modules);
    FILES.with_borrow_mut(|files| files.insert(path, (modified, modules.clone())));
    Some(modules)
}

fn read(items: &[Item], modules: &mut Vec<Module>) {
    let mut module = Module::default();
    for item in items {
        match item {
            Item::Fn(function) => {
                let marked = has(&function.attrs, &["amp_fn", "amp_kernel"]);
                let calls = if marked {
                    collect(item)
                        .iter()
                        .filter_map(|path| Some(path.get_ident()?.to_string()))
                        .collect()
                } else {
                    Vec::new()
                };
                let name = function.sig.ident.to_string();
                module.functions.insert(name, Function { marked, calls });
            }
            Item::Struct(structure) => {
                let marked = has(&structure.attrs, &["amp_struct"]);
                module.structs.insert(structure.ident.to_string(), marked);
            }
            Item::Use(import) => names(&import.tree, &mut module.imported),
            Item::Mod(inner) => {
                if let Some((_, items)) = &inner.content {
                    read(items, modules);
                }
            }
            _ => {}
        }
    }
    modules.push(module);
}

fn has(attributes: &[Attribute], names: &[&str]) -> bool {
    attributes.iter().any(|attribute| {
        attribute
            .path()
            .segments
            .last()
            .is_some_and(|segment| names.iter().any(|name| segment.ident == name))
    })
}

fn names(tree: &UseTree, into: &mut HashSet<String>) {
    match tree {
        UseTree::Path(path) => names(&path.tree, into),
        UseTree::Name(name) => {
            into.insert(name.ident.to_string());
        }
        UseTree::Rename(rename) => {
            into.insert(rename.rename.to_string());
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| names(tree, into)),
        UseTree::Glob(_) => {}
    }
}

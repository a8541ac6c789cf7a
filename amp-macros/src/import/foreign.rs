//! Which paths stand for types and functions of glam and of `core`, of which there is nothing to
//! import.
//!
//! A name alone does not tell whether `Vec3` is glam's, or `swap` the standard library's. Asked for by
//! a macro that is not there rustc would only say so; so the source file decides: of glam's names,
//! what it declares itself, or leads to, is the program's own; of those of `core`, what it imports
//! from the standard library is not. rustc proves in the host version that this is right.

use syn::{Ident, Item, Path};

use super::module::{File, Found};
use crate::{
    attribute::TaskKind,
    language::{core::is_function, glam::is_name},
};

/// The paths of an item without those that stand for something foreign.
pub fn without_foreign(item: &Item, kind: TaskKind, paths: Vec<Path>) -> Vec<Path> {
    match item {
        Item::Fn(function) => without_foreign_beside(&function.sig.ident, kind, paths),
        Item::Struct(structure) => without_foreign_beside(&structure.ident, kind, paths),
        Item::Enum(enumeration) => without_foreign_beside(&enumeration.ident, kind, paths),
        Item::Const(constant) => without_foreign_beside(&constant.ident, kind, paths),
        _ => paths,
    }
}

/// The same of paths that stand in the module of the annotated item `ident`.
pub fn without_foreign_beside(ident: &Ident, kind: TaskKind, mut paths: Vec<Path>) -> Vec<Path> {
    let last = |path: &Path| path.segments.last().map(|last| last.ident.to_string());
    let is_of_glam = |path: &Path| last(path).is_some_and(|name| is_name(&name));
    let is_of_core = |path: &Path| last(path).is_some_and(|name| is_function(&name));
    let is_foreign = |path: &Path| is_of_glam(path) || is_of_core(path);
    if !paths.iter().any(is_foreign) {
        return paths;
    }
    let file = File::of(ident.span());
    let home = file
        .as_ref()
        .and_then(|file| Some((file.clone(), file.home(ident, kind)?)));
    // What a macro makes has no module that the file tells: of names, the outermost has to do.
    let found_in = |path: &Path| match (&home, path.segments.last()) {
        (Some(home), _) => Some(home.clone()),
        (None, last) => Some((File::of(last?.ident.span())?, 0)),
    };
    let is_own = |path: &Path| match (is_of_core(path), &home, &file) {
        (true, ..) => found_in(path).is_none_or(|(file, home)| match file.find(home, path) {
            Found::Standard => false,
            // These need no import.
            Found::Absent(_) | Found::Unknown => {
                let name = last(path).filter(|_| path.segments.len() == 1);
                !matches!(name.as_deref(), Some("size_of" | "align_of"))
            }
            _ => true,
        }),
        (false, Some((file, home)), _) => {
            matches!(
                file.find(*home, path),
                Found::Struct(_) | Found::Function(..)
            )
        }
        (false, None, Some(file)) => last(path).is_some_and(|name| file.declares(&name)),
        (false, None, None) => false,
    };
    paths.retain(|path| !is_foreign(path) || is_own(path));
    paths
}

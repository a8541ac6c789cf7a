//! Which paths stand for glam's types and functions, of which there is nothing to import.
//!
//! A name alone does not tell whether `Vec3` is glam's. Asked for by a macro that is not
//! there rustc would only say so; so the source file decides: what it declares itself, or
//! leads to, is the program's own. Of anything else rustc proves in the host version that it is
//! glam's.

use syn::{Ident, Item, Path};

use super::module::{File, Found};
use crate::{attribute::TaskKind, language::glam::is_name};

/// The paths of an item without those that stand for something of glam's.
pub fn without_glam(item: &Item, kind: TaskKind, paths: Vec<Path>) -> Vec<Path> {
    match item {
        Item::Fn(function) => without_glam_beside(&function.sig.ident, kind, paths),
        Item::Struct(structure) => without_glam_beside(&structure.ident, kind, paths),
        _ => paths,
    }
}

/// The same of paths that stand in the module of the annotated item `ident`.
pub fn without_glam_beside(ident: &Ident, kind: TaskKind, mut paths: Vec<Path>) -> Vec<Path> {
    let named = |path: &Path| {
        let last = path.segments.last();
        last.is_some_and(|last| is_name(&last.ident.to_string()))
    };
    if !paths.iter().any(named) {
        return paths;
    }
    let file = File::of(ident.span());
    let own = |path: &Path| {
        let Some(file) = &file else { return false };
        match file.home(&ident.to_string(), kind) {
            Some(home) => matches!(file.find(home, path), Found::Struct(_) | Found::Function(_)),
            None => path
                .segments
                .last()
                .is_some_and(|last| file.declares(&last.ident.to_string())),
        }
    };
    paths.retain(|path| !named(path) || own(path));
    paths
}

//! `use` declarations in bodies: the names that they import become the paths that these stand for. So do
//! the names of std's functions, constants and modules that modules import, and the other names that they
//! give to its items, `use std::cmp::Reverse as R;`.
//!
//! Left to inference, which refuses them, are imports of everything, under attributes, of names that the
//! block declares itself, and of names that no path begins with, such as those of traits.

use syn::{
    Block, ExprPath, FieldValue, Generics, Ident, Item, ItemUse, Pat, PatIdent, Path, Stmt,
    UseTree, Visibility, parse_quote,
};

use crate::{
    language::name::{is_of_type, is_type_name},
    visit::{self, Visit, VisitMut},
};

/// Writes out the imports of the blocks of a body.
pub fn of_body(block: &mut Block) {
    Imports(Vec::new()).visit_block_mut(block);
}

/// Writes out, in its members, the items of std that a module imports, but for types under their names.
pub fn of_module(members: &mut [Item], declared: &mut [Item]) {
    for item in declared {
        let Item::Use(item) = item else { continue };
        let Some(imports) = imports(item) else {
            continue;
        };
        let names: Vec<(Ident, Path)> = (imports.into_iter())
            .filter(Import::needs_path)
            .map(|import| (import.name, import.path))
            .collect();
        if names.is_empty() {
            continue;
        }
        for member in &mut *members {
            of_item(member, &names);
        }
        // The members used it.
        item.attrs.push(parse_quote!(#[allow(unused_imports)]));
    }
}

/// Writes out imported names in an item, and gives those that it uses.
pub fn of_item(item: &mut Item, names: &[(Ident, Path)]) -> Vec<Ident> {
    let names = names
        .iter()
        .filter(|(name, _)| !declares(name, |it| it.visit_item(item)));
    let imports = names.map(|(name, path)| Import {
        name: name.clone(),
        path: path.clone(),
        is_used: false,
    });
    let mut imports = Imports(imports.collect());
    if !imports.0.is_empty() {
        imports.visit_item_mut(item);
    }
    let used = imports.0.into_iter().filter(|import| import.is_used);
    used.map(|import| import.name).collect()
}

/// The imports of the blocks around, the innermost last.
struct Imports(Vec<Import>);

struct Import {
    name: Ident,
    path: Path,
    is_used: bool,
}

impl Import {
    /// Whether it names a case of an enum, or an item of std that its name alone does not tell: a type has
    /// its own name.
    fn needs_path(&self) -> bool {
        let (first, last) = (self.path.segments.first(), self.path.segments.last());
        is_of_type(&self.path)
            || first.is_some_and(|first| first.ident == "std" || first.ident == "core")
                && last.is_some_and(|last| {
                    last.ident != self.name || !is_type_name(&self.name.to_string())
                })
    }
}

impl VisitMut for Imports {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let around = self.0.len();
        let mut ends = Vec::new();
        for statement in &block.stmts {
            if let Stmt::Item(Item::Use(item)) = statement
                && let Some(declared) = imports(item)
                && !declared
                    .iter()
                    .any(|import| declares(&import.name, |it| it.visit_block(block)))
            {
                self.0.extend(declared);
            }
            ends.push(self.0.len());
        }
        visit::visit_block_mut(self, block);
        let mut start = around;
        let mut ends = ends.into_iter();
        block.stmts.retain(|_| {
            let end = ends.next().unwrap_or(start);
            let declared = &self.0[std::mem::replace(&mut start, end)..end];
            // A case that is not used is no mistake: it may come from a `*`.
            declared.is_empty()
                || (declared.iter()).any(|import| !import.is_used && !is_of_type(&import.path))
        });
        self.0.truncate(around);
    }

    fn visit_path_mut(&mut self, path: &mut Path) {
        visit::visit_path_mut(self, path);
        let Some(first) = path.segments.first() else {
            return;
        };
        let mut imports = self.0.iter_mut().rev();
        let found = imports.find(|import| import.name == first.ident);
        if let Some(import) = found.filter(|_| path.leading_colon.is_none()) {
            import.is_used = true;
            let mut written = import.path.clone();
            for segment in &mut written.segments {
                segment.ident.set_span(first.ident.span());
            }
            if let Some(last) = written.segments.last_mut() {
                last.arguments = first.arguments.clone();
            }
            let rest = path.segments.iter().skip(1).cloned();
            written.segments.extend(rest);
            *path = written;
        }
    }

    /// A case of an enum by its name alone.
    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        if let Pat::Ident(name) = pattern
            && is_case(name)
            && self.0.iter().any(|import| import.name == name.ident)
        {
            let mut path = Path::from(name.ident.clone());
            self.visit_path_mut(&mut path);
            *pattern = Pat::Path(ExprPath {
                attrs: Vec::new(),
                qself: None,
                path,
            });
            return;
        }
        visit::visit_pat_mut(self, pattern);
    }

    /// In `P { x }`, `x` is a field.
    fn visit_field_value_mut(&mut self, field: &mut FieldValue) {
        if field.colon_token.is_some() {
            visit::visit_field_value_mut(self, field);
        }
    }
}

/// What a declaration imports, if it is a plain `use`.
fn imports(item: &ItemUse) -> Option<Vec<Import>> {
    let ItemUse {
        attrs,
        vis: Visibility::Inherited,
        leading_colon,
        tree,
        ..
    } = item
    else {
        return None;
    };
    let mut prefix = Path {
        leading_colon: *leading_colon,
        segments: Default::default(),
    };
    let mut found = Vec::new();
    add(tree, &mut prefix, &mut found).filter(|()| attrs.is_empty())?;
    Some(found)
}

fn add(tree: &UseTree, prefix: &mut Path, found: &mut Vec<Import>) -> Option<()> {
    let mut import = |last: &Ident, name: &Ident| {
        let mut path = prefix.clone();
        if last == "self" {
            path.segments.pop_punct();
        } else {
            path.segments.push(last.clone().into());
        }
        let name = match name == "self" {
            true => path.segments.last()?.ident.clone(),
            false => name.clone(),
        };
        let is_used = false;
        found.push(Import {
            name,
            path,
            is_used,
        });
        Some(())
    };
    match tree {
        UseTree::Name(name) => import(&name.ident, &name.ident),
        UseTree::Rename(rename) => import(&rename.ident, &rename.rename),
        UseTree::Path(path) => {
            let mut inner = prefix.clone();
            inner.segments.push(path.ident.clone().into());
            inner.segments.push_punct(path.colon2_token);
            add(&path.tree, &mut inner, found)
        }
        UseTree::Group(group) => {
            let mut items = group.items.iter();
            items.try_for_each(|tree| add(tree, prefix, found))
        }
        UseTree::Glob(_) => None,
    }
}

/// Whether a pattern may be a case of an enum, or a constant, by its name.
fn is_case(pattern: &PatIdent) -> bool {
    pattern.by_ref.is_none()
        && pattern.mutability.is_none()
        && pattern.subpat.is_none()
        && is_type_name(&pattern.ident.to_string())
}

/// Whether a pattern or a parameter declares a name in what is visited.
fn declares(name: &Ident, visit: impl FnOnce(&mut Declares)) -> bool {
    let mut visitor = Declares(name.clone(), false);
    visit(&mut visitor);
    visitor.1
}

struct Declares(Ident, bool);

impl Visit<'_> for Declares {
    fn visit_pat_ident(&mut self, pattern: &PatIdent) {
        self.1 |= pattern.ident == self.0 && !is_case(pattern);
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_generics(&mut self, generics: &Generics) {
        let mut types = generics.type_params();
        self.1 |= types.any(|parameter| parameter.ident == self.0);
        visit::visit_generics(self, generics);
    }
}

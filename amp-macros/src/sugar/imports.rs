//! `use` declarations in bodies: the names that they import become the paths that these stand for.
//!
//! Left to inference, which refuses them, are imports of everything, under attributes, of names that the
//! block declares itself, and of names that no path begins with, such as those of traits.

use syn::{
    Block, ExprPath, FieldValue, Ident, Item, ItemUse, Pat, PatIdent, Path, Stmt, UseTree,
    Visibility,
};

use crate::{
    language::name::is_type_name,
    visit::{self, Visit, VisitMut},
};

/// Writes out the imports of the blocks of a body.
pub fn of_body(block: &mut Block) {
    Imports(Vec::new()).visit_block_mut(block);
}

/// The imports of the blocks around, the innermost last.
struct Imports(Vec<Import>);

struct Import {
    name: Ident,
    path: Path,
    is_used: bool,
}

impl VisitMut for Imports {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let around = self.0.len();
        let mut ends = Vec::new();
        for statement in &block.stmts {
            if let Some(declared) = imports(statement)
                && !declared.iter().any(|import| declares(block, &import.name))
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
            declared.is_empty() || declared.iter().any(|import| !import.is_used)
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

/// What a statement imports, if it is a plain `use`.
fn imports(statement: &Stmt) -> Option<Vec<Import>> {
    let Stmt::Item(Item::Use(ItemUse {
        attrs,
        vis: Visibility::Inherited,
        leading_colon,
        tree,
        ..
    })) = statement
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

/// Whether a pattern in the block declares a name.
fn declares(block: &Block, name: &Ident) -> bool {
    struct Declares<'a>(&'a Ident, bool);
    impl<'ast> Visit<'ast> for Declares<'_> {
        fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
            self.1 |= pattern.ident == *self.0 && !is_case(pattern);
            visit::visit_pat_ident(self, pattern);
        }
    }
    let mut visitor = Declares(name, false);
    visitor.visit_block(block);
    visitor.1
}

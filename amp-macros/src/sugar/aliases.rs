//! Type aliases of bodies and modules, written out as the types that they stand for.
//!
//! Left out are generic aliases, those under a condition, and those that no macro sees: of the file around
//! the function.

use syn::{
    Block, ExprStruct, Item, ItemType, PatStruct, Path, Stmt, Type, parse_quote,
    visit_mut::{self, VisitMut},
};

/// Writes out the aliases that the blocks of a body declare.
pub fn of_body(block: &mut Block) {
    Aliases::default().visit_block_mut(block);
}

/// Writes out, in its members, the aliases that a module declares.
pub fn of_module(members: &mut [Item], declared: &mut [Item]) {
    let mut aliases = Aliases::default();
    for item in declared {
        if let Item::Type(alias) = item {
            aliases.add(alias);
            // The members used it.
            alias.attrs.push(parse_quote!(#[allow(dead_code)]));
        }
    }
    if !aliases.0.is_empty() {
        members
            .iter_mut()
            .for_each(|member| aliases.visit_item_mut(member));
    }
}

/// The aliases of the blocks around, the innermost last.
#[derive(Default)]
struct Aliases(Vec<(String, Type)>);

fn is_plain(alias: &ItemType) -> bool {
    alias.generics.params.is_empty() && alias.attrs.is_empty()
}

impl Aliases {
    fn add(&mut self, alias: &ItemType) {
        if is_plain(alias) {
            let mut ty = (*alias.ty).clone();
            self.visit_type_mut(&mut ty);
            self.0.push((alias.ident.to_string(), ty));
        }
    }

    fn meant(&self, path: &Path) -> Option<&Type> {
        let first = path.segments.first()?;
        if path.leading_colon.is_some() || !first.arguments.is_empty() {
            return None;
        }
        let name = first.ident.to_string();
        let mut aliases = self.0.iter().rev();
        aliases.find(|(alias, _)| *alias == name).map(|(_, ty)| ty)
    }

    /// The path of a type in the place of its alias, with what follows it.
    fn written_out(&self, path: &Path) -> Option<Path> {
        let Type::Path(of) = self.meant(path)? else {
            return None;
        };
        let mut written = of.path.clone();
        let is_generic = written
            .segments
            .iter()
            .any(|part| !part.arguments.is_empty());
        if of.qself.is_some() || is_generic {
            return None;
        }
        written
            .segments
            .extend(path.segments.iter().skip(1).cloned());
        Some(written)
    }
}

impl VisitMut for Aliases {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let around = self.0.len();
        for statement in &block.stmts {
            if let Stmt::Item(Item::Type(alias)) = statement {
                self.add(alias);
            }
        }
        let is_written_out = |statement: &Stmt| matches!(statement, Stmt::Item(Item::Type(alias)) if is_plain(alias));
        block.stmts.retain(|statement| !is_written_out(statement));
        visit_mut::visit_block_mut(self, block);
        self.0.truncate(around);
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = ty
            && path.qself.is_none()
            && path.path.segments.len() == 1
            && let Some(meant) = self.meant(&path.path)
        {
            *ty = meant.clone();
            return;
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_path_mut(&mut self, path: &mut Path) {
        if path.segments.len() > 1
            && let Some(written) = self.written_out(path)
        {
            *path = written;
        }
        visit_mut::visit_path_mut(self, path);
    }

    fn visit_expr_struct_mut(&mut self, literal: &mut ExprStruct) {
        if let Some(written) = self.written_out(&literal.path) {
            literal.path = written;
        }
        visit_mut::visit_expr_struct_mut(self, literal);
    }

    fn visit_pat_struct_mut(&mut self, pattern: &mut PatStruct) {
        if let Some(written) = self.written_out(&pattern.path) {
            pattern.path = written;
        }
        visit_mut::visit_pat_struct_mut(self, pattern);
    }
}

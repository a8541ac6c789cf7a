//! Constants of arrays, tuples, structs and enums in a function: their types, which its file tells.
//!
//! A macro does not know the type of a constant that is declared elsewhere. So the body begins with
//! a constant of its own for each whose type the file tells, which rustc proves:
//!
//! ```text
//! b[i] = CX[j];        const __AMP_TABLE_CX: [i32; 9] = CX;    b[i] = __AMP_TABLE_CX[j];
//! ```

use quote::format_ident;
use syn::{
    Block, Expr, ExprPath, Generics, Ident, Item, Path, Stmt, Type, parse_quote_spanned,
    spanned::Spanned,
};

use super::module::File;
use crate::{
    attribute::TaskKind,
    language::name::{is_type_name, path_key},
    visit::{self, Visit, VisitMut},
};

/// What the names of these constants begin with.
pub const PREFIX: &str = "__AMP_TABLE_";

/// Declares the constants of a body of a function with these generic parameters, which stands in
/// the module of an item of this name and kind.
pub fn declare(body: &mut Block, generics: &Generics, anchor: &Ident, kind: TaskKind) {
    let mut used = Used::default();
    used.visit_block(body);
    if used.paths.is_empty() {
        return;
    }
    let home = File::of(anchor.span())
        .and_then(|file| Some((file.home(&anchor.to_string(), kind)?, file)));
    let is_parameter = |path: &Path| {
        let mut parameters = generics.const_params();
        parameters.any(|parameter| path.is_ident(&parameter.ident))
    };
    let mut tables = Tables::default();
    let mut declarations: Vec<Stmt> = Vec::new();
    for path in &used.paths {
        let key = path_key(path);
        let is_known = tables.known.iter().any(|(known, _)| *known == key);
        if is_known || is_parameter(path) {
            continue;
        }
        let ty = match &home {
            Some((home, file)) => file.type_of(*home, path),
            None => only_one(path),
        };
        let Some(ty) = ty else { continue };
        let name = format_ident!(
            "{PREFIX}{}",
            key.replace("::", "_").to_uppercase(),
            span = path.span()
        );
        declarations.push(parse_quote_spanned!(path.span()=> const #name: #ty = #path;));
        tables.known.push((key, name));
    }
    tables.visit_block_mut(body);
    body.stmts.splice(..0, declarations);
}

/// The type of a constant that a function names whose module is not known, as when a macro makes
/// it: that of the constant which the file itself calls so, or of the only one of this name in it.
fn only_one(path: &Path) -> Option<Type> {
    let file = File::of(path.segments.first()?.ident.span())?;
    let of_only_one = || file.type_of(file.only_home_of(path.get_ident()?)?, path);
    file.type_of(0, path).or_else(of_only_one)
}

/// The constants that a block declares itself.
fn own(block: &Block) -> impl Iterator<Item = Ident> {
    block.stmts.iter().filter_map(|statement| match statement {
        Stmt::Item(Item::Const(constant)) => Some(constant.ident.clone()),
        _ => None,
    })
}

/// The paths in a body that may be constants from elsewhere.
#[derive(Default)]
struct Used {
    paths: Vec<Path>,
    hidden: Vec<Ident>,
}

impl<'a> Visit<'a> for Used {
    fn visit_expr_path(&mut self, expr: &'a ExprPath) {
        let last = expr.path.segments.last();
        let is_hidden = expr
            .path
            .get_ident()
            .is_some_and(|it| self.hidden.contains(it));
        let is_constant = last.is_some_and(|it| is_type_name(&it.ident.to_string()));
        if expr.qself.is_none() && is_constant && !is_hidden {
            self.paths.push(expr.path.clone());
        }
    }

    fn visit_block(&mut self, block: &'a Block) {
        let outside = self.hidden.len();
        self.hidden.extend(own(block));
        visit::visit_block(self, block);
        self.hidden.truncate(outside);
    }
}

/// Names the constants of the body instead of those that they repeat.
#[derive(Default)]
struct Tables {
    known: Vec<(String, Ident)>,
    hidden: Vec<Ident>,
}

impl VisitMut for Tables {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let Expr::Path(ExprPath {
            qself: None, path, ..
        }) = expr
        else {
            return visit::visit_expr_mut(self, expr);
        };
        let key = path_key(path);
        let is_hidden = path.get_ident().is_some_and(|it| self.hidden.contains(it));
        if let Some((_, name)) = self.known.iter().find(|(known, _)| *known == key)
            && !is_hidden
        {
            let mut name = name.clone();
            name.set_span(path.span());
            *path = name.into();
        }
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        let outside = self.hidden.len();
        self.hidden.extend(own(block));
        visit::visit_block_mut(self, block);
        self.hidden.truncate(outside);
    }
}

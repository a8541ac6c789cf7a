//! Cases of enums by their names alone, `use Step::{Go, Stop};`, as paths of the enums.
//!
//! The file, or the module of the macro, tells the cases behind a `use Step::*`; rustc proves, beside the
//! item, that a name means the case. Left out are enums of other crates, all of whose cases are imported.

use proc_macro2::{Ident, TokenStream};
use syn::{Item, Path, UseGroup, UseName, UsePath, UseTree, parse_quote, token::Brace};

use super::module::File;
use crate::{
    attribute::TaskKind,
    language::name::is_type_name,
    sugar::imports,
    visit::{self, VisitMut},
};

/// Names the cases that the imports in an item, which stands in the module of the item `anchor` of this
/// kind, mean by `*`, writes out those that the module imports, and gives what has rustc prove them.
pub fn settle(item: &mut Item, anchor: &Ident, kind: TaskKind) -> TokenStream {
    let Some((file, home)) = File::around(anchor, kind) else {
        return TokenStream::new();
    };
    Globs(&|path| file.cases_of(home, path)).visit_item_mut(item);
    let cases = file.imported_cases(home);
    let used = imports::of_item(item, &cases);
    let used = cases.iter().filter(|(name, _)| used.contains(name));
    used.map(|(name, path)| file.proof_of_case(home, name, path))
        .collect()
}

/// Names the cases of a module's own enums that its imports, and those of its functions, mean by `*`.
pub fn of_module(members: &mut [Item], declared: &mut [Item]) {
    let enums = members.iter().filter_map(|member| match member {
        Item::Enum(item) => {
            let cases = item.variants.iter().map(|case| case.ident.to_string());
            Some((item.ident.clone(), cases.collect::<Vec<String>>()))
        }
        _ => None,
    });
    let enums: Vec<(Ident, Vec<String>)> = enums.collect();
    let cases = |path: &Path| {
        let last = &path.segments.last()?.ident;
        let mut owners = path.segments.iter().rev().skip(1);
        let is_own = owners.all(|owner| owner.ident == "self");
        let own = enums.iter().find(|(name, _)| is_own && name == last);
        own.map(|(_, cases)| cases.clone())
    };
    let imports = declared
        .iter_mut()
        .filter(|item| matches!(item, Item::Use(_)));
    for item in imports.chain(members) {
        Globs(&cases).visit_item_mut(item);
    }
}

/// `use {Step, Step::{Go, Stop}}` for `use Step::{self, Go, Stop}`, which imports no macro of this name.
fn with_macro(path: &UsePath) -> Option<UseTree> {
    let UseTree::Group(group) = &*path.tree else {
        return None;
    };
    let is_own = |tree: &UseTree| matches!(tree, UseTree::Name(name) if name.ident == "self");
    if !is_type_name(&path.ident.to_string()) || !group.items.iter().any(is_own) {
        return None;
    }
    let (name, others) = (&path.ident, group.items.iter().filter(|tree| !is_own(tree)));
    Some(parse_quote!({ #name, #name::{ #(#others),* } }))
}

/// Writes `use Step::{Go, Stop}` for `use Step::*`.
struct Globs<'a>(&'a dyn Fn(&Path) -> Option<Vec<String>>);

impl Globs<'_> {
    fn name(&self, tree: &mut UseTree, prefix: &Path) {
        match tree {
            UseTree::Path(path) => {
                let mut inner = prefix.clone();
                inner.segments.push(path.ident.clone().into());
                self.name(&mut path.tree, &inner);
                if let Some(apart) = with_macro(path) {
                    *tree = apart;
                }
            }
            UseTree::Group(group) => {
                group
                    .items
                    .iter_mut()
                    .for_each(|tree| self.name(tree, prefix));
            }
            UseTree::Glob(glob) => {
                let span = glob.star_token.spans[0];
                if let Some(cases) = (self.0)(prefix) {
                    let names = cases.iter().map(|name| {
                        let ident = Ident::new(name, span);
                        UseTree::Name(UseName { ident })
                    });
                    *tree = UseTree::Group(UseGroup {
                        brace_token: Brace(span),
                        items: names.collect(),
                    });
                }
            }
            UseTree::Name(_) | UseTree::Rename(_) => {}
        }
    }
}

impl VisitMut for Globs<'_> {
    fn visit_item_mut(&mut self, item: &mut Item) {
        if let Item::Use(item) = item {
            let prefix = Path {
                leading_colon: item.leading_colon,
                segments: Default::default(),
            };
            self.name(&mut item.tree, &prefix);
        }
        visit::visit_item_mut(self, item);
    }
}

//! Type aliases of a module: what they stand for, as another module may name it.

use syn::{Generics, ItemType, Path, Type};

use super::{File, Found, type_names::TypeNames};
use crate::language::name::standard_type;

/// A type alias of a module, as text: tokens end with the macro that has read them.
pub struct Alias {
    text: String,
    /// Whether it is the only one of its name: others are there under other conditions.
    pub(super) is_sure: bool,
}

impl Alias {
    /// An alias whose item has this text.
    pub(super) fn new(text: String, is_sure: bool) -> Self {
        Self { text, is_sure }
    }

    fn item(&self) -> Option<ItemType> {
        let item: ItemType = syn::parse_str(&self.text).ok()?;
        let is_sure = self.is_sure && item.attrs.iter().all(|it| !it.path().is_ident("cfg"));
        is_sure.then_some(item)
    }

    /// The type that it stands for, if it has no parameters.
    pub(super) fn plain(&self, names: &TypeNames) -> Option<Type> {
        let item = self.item().filter(|item| item.generics.params.is_empty())?;
        names.written_out(&item.ty)
    }
}

impl File {
    /// The types of std that a module imports under other names.
    pub fn renamed(&self, at: usize) -> impl Iterator<Item = (&str, Path)> {
        let imported = self.modules[at].imported.iter();
        imported.filter_map(|(name, path)| {
            let is_renamed = path.last().is_some_and(|last| last != name);
            let text = format!("::{}", path.join("::"));
            let known = is_renamed && standard_type(&text).is_some();
            Some((&**name, syn::parse_str(&text).ok()?)).filter(|_| known)
        })
    }

    /// Whether a module imports all of a module of std's.
    pub fn has_all_of(&self, at: usize, standard: &str) -> bool {
        self.modules[at].globs.iter().any(|glob| {
            matches!(&**glob, [library, module] if ["std", "core"].contains(&&**library) && module == standard)
        })
    }

    /// The parameters of the alias that `path` means in a module, and the type that it stands for, as
    /// the module can name it.
    pub fn alias(&self, at: usize, path: &Path) -> Option<(Generics, Type)> {
        let Found::Alias(file, home, alias) = self.find(at, path) else {
            return None;
        };
        let item = alias.item()?;
        let names = TypeNames::new(file, home, (self, at), path).with(&item.generics);
        let ty = names.written_out(&item.ty)?;
        Some((item.generics, ty))
    }
}

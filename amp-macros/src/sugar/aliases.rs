//! Type aliases, written out as the types that they stand for: those of bodies and modules, and those of
//! the file around a function, which `import` finds.
//!
//! Left out are aliases of bodies and modules under a condition.

use syn::{
    Block, Expr, ExprPath, ExprStruct, GenericArgument, GenericParam, Generics, Item, ItemType,
    Lifetime, PatStruct, Path, PathArguments, Stmt, Type, parse_quote,
};

use crate::{
    language::name::path_key,
    visit::{self, VisitMut},
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
            aliases.declare(alias);
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
pub struct Aliases(Vec<Alias>);

/// A path, and the type that it stands for.
struct Alias {
    key: String,
    generics: Generics,
    ty: Type,
}

fn is_plain(alias: &ItemType) -> bool {
    alias.attrs.is_empty()
}

impl Aliases {
    /// Adds a path that stands for a type.
    pub fn add(&mut self, path: &Path, generics: Generics, ty: Type) {
        let key = path_key(path);
        self.0.push(Alias { key, generics, ty });
    }

    /// Writes them out in an item.
    pub fn write_out(&mut self, item: &mut Item) {
        self.visit_item_mut(item);
    }

    fn declare(&mut self, alias: &ItemType) {
        if is_plain(alias) {
            let mut ty = (*alias.ty).clone();
            self.visit_type_mut(&mut ty);
            let name = alias.ident.clone().into();
            self.add(&name, alias.generics.clone(), ty);
        }
    }

    /// The type that a path stands for. Where it is a type, parameters have their defaults.
    fn meant(&self, path: &Path, is_type: bool) -> Option<Type> {
        let last = path.segments.last()?;
        let mut bare = path.clone();
        bare.segments.last_mut()?.arguments = PathArguments::None;
        let key = path_key(&bare);
        let alias = self.0.iter().rev().find(|alias| alias.key == key)?;
        let given: Vec<&GenericArgument> = match &last.arguments {
            PathArguments::AngleBracketed(arguments) => arguments.args.iter().collect(),
            _ => Vec::new(),
        };
        let (lifetimes, given): (Vec<_>, Vec<_>) = given
            .into_iter()
            .partition(|argument| matches!(argument, GenericArgument::Lifetime(_)));
        let mut lifetimes = lifetimes.into_iter();
        let mut given = given.into_iter();
        let mut applied = Applied::default();
        for parameter in &alias.generics.params {
            let argument = match parameter {
                GenericParam::Lifetime(_) => match lifetimes.next() {
                    Some(given) => given.clone(),
                    None => GenericArgument::Lifetime(parse_quote!('_)),
                },
                _ if let Some(given) = given.next() => given.clone(),
                parameter => {
                    let mut default = default_of(parameter).filter(|_| is_type)?;
                    applied.visit_generic_argument_mut(&mut default);
                    default
                }
            };
            applied.apply(parameter.clone(), argument);
        }
        let mut ty = alias.ty.clone();
        applied.visit_type_mut(&mut ty);
        given.next().is_none().then_some(ty)
    }

    /// The path of a type in the place of its alias.
    fn path_meant(&self, path: &Path) -> Option<Path> {
        let Type::Path(of) = self.meant(path, false)? else {
            return None;
        };
        let mut written = of.path;
        for segment in &mut written.segments {
            if let PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
                arguments.colon2_token.get_or_insert_default();
            }
        }
        of.qself.is_none().then_some(written)
    }

    /// The path of a member of a type in the place of one of its alias.
    fn member_meant(&self, path: &Path) -> Option<Path> {
        let mut owner = path.clone();
        let member = owner.segments.pop()?;
        owner.segments.pop_punct();
        let mut written = self.path_meant(&owner)?;
        written.segments.push(member);
        Some(written)
    }

    /// Forgets the aliases that parameters hide while something is visited.
    fn hiding(&mut self, generics: &Generics, visit: impl FnOnce(&mut Self)) {
        let is_hidden = |key: &str| {
            let mut types = generics.type_params();
            types.any(|parameter| parameter.ident == *key)
        };
        let (hidden, seen) = std::mem::take(&mut self.0)
            .into_iter()
            .partition(|alias| is_hidden(&alias.key));
        self.0 = seen;
        visit(self);
        self.0.splice(..0, hidden as Vec<Alias>);
    }
}

impl VisitMut for Aliases {
    fn visit_item_mut(&mut self, item: &mut Item) {
        let generics = match item {
            Item::Fn(item) => item.sig.generics.clone(),
            Item::Struct(item) => item.generics.clone(),
            Item::Enum(item) => item.generics.clone(),
            Item::Impl(item) => item.generics.clone(),
            Item::Trait(item) => item.generics.clone(),
            _ => Generics::default(),
        };
        self.hiding(&generics, |aliases| visit::visit_item_mut(aliases, item));
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut syn::ImplItemFn) {
        let generics = function.sig.generics.clone();
        self.hiding(&generics, |aliases| {
            visit::visit_impl_item_fn_mut(aliases, function);
        });
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        let around = self.0.len();
        for statement in &block.stmts {
            if let Stmt::Item(Item::Type(alias)) = statement {
                self.declare(alias);
            }
        }
        let is_written_out = |statement: &Stmt| matches!(statement, Stmt::Item(Item::Type(alias)) if is_plain(alias));
        block.stmts.retain(|statement| !is_written_out(statement));
        visit::visit_block_mut(self, block);
        self.0.truncate(around);
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit::visit_type_mut(self, ty);
        if let Type::Path(path) = ty
            && path.qself.is_none()
            && let Some(meant) = self.meant(&path.path, true)
        {
            *ty = meant;
        }
    }

    fn visit_path_mut(&mut self, path: &mut Path) {
        if path.segments.len() > 1
            && let Some(written) = self.member_meant(path)
        {
            *path = written;
        }
        visit::visit_path_mut(self, path);
    }

    fn visit_expr_struct_mut(&mut self, literal: &mut ExprStruct) {
        if let Some(written) = self.path_meant(&literal.path) {
            literal.path = written;
        }
        visit::visit_expr_struct_mut(self, literal);
    }

    fn visit_pat_struct_mut(&mut self, pattern: &mut PatStruct) {
        if let Some(written) = self.path_meant(&pattern.path) {
            pattern.path = written;
        }
        visit::visit_pat_struct_mut(self, pattern);
    }
}

/// What a parameter is where an argument is left out.
fn default_of(parameter: &GenericParam) -> Option<GenericArgument> {
    Some(match parameter {
        GenericParam::Type(parameter) => GenericArgument::Type(parameter.default.clone()?.1),
        GenericParam::Const(parameter) => GenericArgument::Const(parameter.default.clone()?.1),
        GenericParam::Lifetime(_) => return None,
    })
}

/// The arguments of an alias in the places of its parameters.
#[derive(Default)]
pub struct Applied(Vec<(GenericParam, GenericArgument)>);

impl Applied {
    /// Puts an argument in the place of a parameter.
    pub fn apply(&mut self, parameter: GenericParam, argument: GenericArgument) {
        self.0.push((parameter, argument));
    }

    fn given(&self, path: &Path) -> Option<&GenericArgument> {
        let is_named = |parameter: &GenericParam| match parameter {
            GenericParam::Type(parameter) => path.is_ident(&parameter.ident),
            GenericParam::Const(parameter) => path.is_ident(&parameter.ident),
            GenericParam::Lifetime(_) => false,
        };
        let found = self.0.iter().find(|(parameter, _)| is_named(parameter));
        Some(&found?.1)
    }
}

impl VisitMut for Applied {
    // What stands in a body sees no parameters of what is around.
    fn visit_item_mut(&mut self, _: &mut Item) {}

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        for (parameter, argument) in &self.0 {
            if let (GenericParam::Lifetime(parameter), GenericArgument::Lifetime(given)) =
                (parameter, argument)
                && parameter.lifetime == *lifetime
            {
                *lifetime = given.clone();
                return;
            }
        }
    }

    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        visit::visit_type_reference_mut(self, reference);
        let is_open = |lifetime: &mut Lifetime| lifetime.ident == "_";
        reference.lifetime.take_if(is_open);
    }

    fn visit_generic_argument_mut(&mut self, argument: &mut GenericArgument) {
        if let GenericArgument::Type(Type::Path(path)) = argument
            && let Some(given) = self.given(&path.path)
        {
            *argument = given.clone();
            return;
        }
        visit::visit_generic_argument_mut(self, argument);
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = ty
            && let Some(GenericArgument::Type(given)) = self.given(&path.path)
        {
            *ty = given.clone();
            return;
        }
        visit::visit_type_mut(self, ty);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Path(ExprPath { path, .. }) = expr {
            match self.given(path) {
                Some(GenericArgument::Const(given)) => *expr = given.clone(),
                // A name is read as a type.
                Some(GenericArgument::Type(given)) => *expr = parse_quote!(#given),
                _ => {}
            }
            return;
        }
        visit::visit_expr_mut(self, expr);
    }
}

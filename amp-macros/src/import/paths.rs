//! Which paths of an item name helpers and structs.
//!
//! What cannot be a helper or a struct (built-in types, types of the standard library,
//! names that the language refuses anyway) is left out, so that its error comes from
//! inference, with a code, and not from a macro that rustc cannot find.

use std::collections::HashSet;

use syn::{
    AngleBracketedGenericArguments, Expr, ExprCall, ExprPath, ExprStruct, GenericArgument,
    ImplItem, Item, ItemImpl, ItemTrait, Pat, PatStruct, PatTupleStruct, Path, TraitItem, Type,
    TypePath,
};

use super::implementation;
use crate::{
    attribute::Arguments,
    language::name::{
        Name, STANDARD_TYPES, bound_name, is_built_in_function, is_built_in_type, is_constant_name,
        is_optional_type, is_reserved_name, is_standard_bound, is_standard_trait, is_trait_of_amp,
        is_type_name, owner_of, path_key,
    },
    message,
    visit::{self, Visit},
};

/// The distinct paths in an item, in order of appearance.
pub struct Paths {
    /// Those that the item needs.
    pub needed: Vec<Path>,
    /// Of functions and types that are built-in unless they are the program's.
    pub built_ins: Vec<Path>,
    /// Of types whose members are written as constants are, which are needed if they are enums.
    pub owners: Vec<Path>,
}

/// The paths in an item that may have to be imported, and in the types that its attribute lists.
pub fn collect(item: &Item, arguments: &Arguments) -> Paths {
    let mut collector = collected(item);
    let listed = arguments.instances.iter().flat_map(|(_, types)| types);
    listed.for_each(|ty| collector.visit_type(ty));
    let Collector {
        keys,
        paths: needed,
        built_ins,
        mut owners,
        ..
    } = collector;
    let mut keys: HashSet<String> = keys.into_iter().collect();
    owners.retain(|path| keys.insert(path_key(path)));
    Paths {
        needed,
        built_ins,
        owners,
    }
}

fn collected(item: &Item) -> Collector {
    if let Item::Impl(block) = item {
        return collect_impl(block);
    }
    let mut collector = Collector::default();
    if let Item::Const(item) = item {
        collector.visit_type(&item.ty);
        return collector;
    }
    if let Item::Trait(item) = item {
        collector.types.push("Self".to_owned());
        let parameters = item.generics.type_params();
        collector
            .types
            .extend(parameters.map(|param| param.ident.to_string()));
        collector.interface(item);
        return collector;
    }
    let generics = match item {
        Item::Fn(function) => &function.sig.generics,
        Item::Struct(structure) => &structure.generics,
        Item::Enum(item) => &item.generics,
        _ => return collector,
    };
    let parameters = generics.type_params().map(|param| param.ident.to_string());
    collector.types.extend(parameters);
    match item {
        Item::Fn(function) => {
            collector.parameters(&function.sig);
            collector.visit_signature(&function.sig);
            collector.visit_block(&function.block);
        }
        Item::Struct(structure) => collector.visit_fields(&structure.fields),
        Item::Enum(item) => {
            let cases = item.variants.iter();
            cases.for_each(|case| collector.visit_fields(&case.fields));
        }
        _ => {}
    }
    collector
}

/// The paths that an `impl` block of an `#[amp_module]` needs, other than its trait.
fn collect_impl(block: &ItemImpl) -> Collector {
    let mut collector = Collector::default();
    let parameters = block.generics.type_params();
    collector
        .types
        .extend(parameters.map(|param| param.ident.to_string()));
    collector.visit_type(&block.self_ty);
    if let Some((path, _)) = &block.trait_
        && let Some(last) = path.segments.last()
    {
        collector.visit_path_arguments(&last.arguments);
    }
    for part in &block.items {
        match part {
            ImplItem::Type(associated) => collector.visit_type(&associated.ty),
            ImplItem::Const(constant) => collector.visit_type(&constant.ty),
            _ => {}
        }
    }
    for function in implementation::functions(block) {
        let inner = collected(&Item::Fn(function));
        for path in inner.paths.iter().chain(&inner.built_ins) {
            collector.add(path);
        }
        collector.owners.extend(inner.owners);
    }
    collector
}

#[derive(Default)]
struct Collector {
    keys: Vec<String>,
    paths: Vec<Path>,
    /// Paths that are no others' only if nothing else has their names.
    built_ins: Vec<Path>,
    /// Types of what is written as constants are.
    owners: Vec<Path>,
    /// Type parameters.
    types: Vec<String>,
    /// Variables in scope, from the outermost block to the innermost.
    variables: Vec<Name>,
    /// Functions in bodies that are in scope.
    functions: Vec<String>,
}

impl Collector {
    fn add(&mut self, path: &Path) {
        let Some(last) = path.segments.last() else {
            return;
        };
        let name = last.ident.to_string();
        let known = path.get_ident().is_some()
            && (self.types.contains(&name) || is_reserved_name(&name))
            || is_built_in_type(&name)
            || STANDARD_TYPES.contains(&name.as_str())
            || is_built_in_function(path)
            || message::Told::of(path).is_some()
            || is_trait_of_amp(&name)
            || matches!(
                path.segments[0].ident.to_string().as_str(),
                "std" | "core" | "alloc"
            );
        // `Type::function` is a member of a type, not an item of a module.
        let member = path.segments.len() > 1 && {
            let owner = path.segments[path.segments.len() - 2].ident.to_string();
            is_type_name(&owner) || is_built_in_type(&owner)
        };
        if member {
            self.add_owner(path);
            return;
        }
        let key = path_key(path);
        let can_be_own =
            is_built_in_function(path) || is_optional_type(&name) || is_trait_of_amp(&name);
        if known && !can_be_own || self.keys.contains(&key) {
            return;
        }
        self.keys.push(key);
        match known {
            true => self.built_ins.push(path.clone()),
            false => self.paths.push(path.clone()),
        }
    }
}

impl Collector {
    /// Adds the type that `path` names a member of.
    fn add_owner(&mut self, path: &Path) {
        let owner = owner_of(path);
        if !owner.segments.is_empty() {
            self.add(&owner);
        }
    }

    /// The paths that the declarations of a trait need.
    fn interface(&mut self, item: &ItemTrait) {
        for bound in &item.supertraits {
            self.visit_type_param_bound(bound);
        }
        for part in &item.items {
            match part {
                TraitItem::Fn(part) => {
                    let outside = self.types.len();
                    let parameters = part.sig.generics.type_params();
                    self.types
                        .extend(parameters.map(|param| param.ident.to_string()));
                    self.visit_signature(&part.sig);
                    self.types.truncate(outside);
                }
                TraitItem::Const(part) => self.visit_type(&part.ty),
                TraitItem::Type(part) => {
                    let bounds = part.bounds.iter();
                    bounds.for_each(|bound| self.visit_type_param_bound(bound));
                }
                _ => {}
            }
        }
    }

    /// Adds what `<S as Shape>::item` needs: the type, and the trait.
    fn qualified(&mut self, of: &syn::QSelf, path: &Path) {
        self.visit_type(&of.ty);
        visit::visit_path(self, path);
        let of_trait = owner_of(path);
        let name = of_trait.segments.last().map(|last| last.ident.to_string());
        if name.is_some_and(|name| !is_standard_trait(&name) || is_trait_of_amp(&name)) {
            self.add(&of_trait);
        }
    }

    /// Brings the parameters of a function into scope.
    fn parameters(&mut self, signature: &syn::Signature) {
        for input in &signature.inputs {
            if let syn::FnArg::Typed(typed) = input {
                self.bind(&typed.pat);
            }
        }
    }

    /// Brings the names of a pattern into scope.
    fn bind(&mut self, pattern: &Pat) {
        struct Names<'a>(&'a mut Vec<Name>);
        impl Visit<'_> for Names<'_> {
            fn visit_pat_ident(&mut self, pattern: &syn::PatIdent) {
                self.0.push(Name::of(&pattern.ident));
                visit::visit_pat_ident(self, pattern);
            }
        }
        Names(&mut self.variables).visit_pat(pattern);
    }

    /// Whether a path is a variable or a function in the body, which is not imported.
    fn is_local(&self, path: &Path) -> bool {
        let name = path.segments.first().map(|name| &name.ident);
        let name = name.filter(|_| path.segments.len() == 1);
        name.is_some_and(|name| {
            let is_variable = path.is_ident(name) && self.variables.contains(&Name::of(name));
            is_variable || self.functions.iter().any(|function| name == function)
        })
    }
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_block(&mut self, block: &'ast syn::Block) {
        let (variables, functions) = (self.variables.len(), self.functions.len());
        for statement in &block.stmts {
            if let syn::Stmt::Item(Item::Fn(function)) = statement {
                self.functions.push(function.sig.ident.to_string());
            }
        }
        visit::visit_block(self, block);
        self.variables.truncate(variables);
        self.functions.truncate(functions);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        visit::visit_local(self, local);
        self.bind(&local.pat);
    }

    fn visit_expr_for_loop(&mut self, round: &'ast syn::ExprForLoop) {
        let outside = self.variables.len();
        self.visit_expr(&round.expr);
        self.visit_pat(&round.pat);
        self.bind(&round.pat);
        self.visit_block(&round.body);
        self.variables.truncate(outside);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let outside = self.variables.len();
        self.bind(&arm.pat);
        visit::visit_arm(self, arm);
        self.variables.truncate(outside);
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let Expr::Path(ExprPath {
            qself: None, path, ..
        }) = &*call.func
        {
            if !self.is_local(path) {
                self.add(path);
            }
            visit::visit_path(self, path);
        } else if let Expr::Path(ExprPath {
            qself: Some(of),
            path,
            ..
        }) = &*call.func
        {
            self.qualified(of, path);
        } else {
            self.visit_expr(&call.func);
        }
        for argument in &call.args {
            self.visit_expr(argument);
        }
    }

    // rustc computes it.
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    // `Suit::Hearts` needs the enum. `Limits::MOST`, which is written as a constant is,
    // needs nothing unless it is known to be a variant: rustc evaluates it.
    fn visit_expr_path(&mut self, expr: &'ast ExprPath) {
        // `<S as Shape>::SIDES`, where both may be those of kernels.
        if let Some(of) = expr.qself.as_ref().filter(|of| of.as_token.is_some()) {
            self.owners.push(owner_of(&expr.path));
            if let Type::Path(TypePath {
                qself: None, path, ..
            }) = &*of.ty
            {
                self.owners.push(path.clone());
            }
        }
        let segments = &expr.path.segments;
        let last = segments.last().map(|last| last.ident.to_string());
        // May be a struct without fields, if it is no constant.
        if expr.qself.is_none()
            && last.is_some_and(|last| is_type_name(&last))
            && !self.is_local(&expr.path)
        {
            self.owners.push(expr.path.clone());
        }
        if expr.qself.is_none()
            && let Some(last) = segments.last()
            && let Some(owner) = segments.len().checked_sub(2)
            && is_type_name(&segments[owner].ident.to_string())
        {
            match last.ident.to_string().chars().any(char::is_lowercase) {
                true => self.add_owner(&expr.path),
                false => self.owners.push(owner_of(&expr.path)),
            }
        }
    }

    fn visit_expr_struct(&mut self, literal: &'ast ExprStruct) {
        if literal.qself.is_none() {
            self.add(&literal.path);
            visit::visit_path(self, &literal.path);
        }
        for field in &literal.fields {
            self.visit_expr(&field.expr);
        }
        if let Some(rest) = &literal.rest {
            self.visit_expr(rest);
        }
    }

    fn visit_pat_struct(&mut self, pattern: &'ast PatStruct) {
        if pattern.qself.is_none() {
            self.add(&pattern.path);
        }
        for field in &pattern.fields {
            self.visit_pat(&field.pat);
        }
    }

    fn visit_pat_tuple_struct(&mut self, pattern: &'ast PatTupleStruct) {
        if pattern.qself.is_none() {
            self.add(&pattern.path);
        }
        for part in &pattern.elems {
            self.visit_pat(part);
        }
    }

    fn visit_type_path(&mut self, ty: &'ast TypePath) {
        let last = ty.path.segments.last().map(|s| s.ident.to_string());
        match last.as_deref() {
            // Only the element type of a view is a type; the rest are constants.
            Some("ArrayView" | "ArrayViewMut" | "Array") => {
                if let syn::PathArguments::AngleBracketed(arguments) = &ty
                    .path
                    .segments
                    .last()
                    .expect("a path has segments")
                    .arguments
                    && let Some(syn::GenericArgument::Type(element)) = arguments
                        .args
                        .iter()
                        .find(|a| matches!(a, syn::GenericArgument::Type(_)))
                {
                    self.visit_type(element);
                }
            }
            Some("Index" | "Extent" | "TiledIndex") => {}
            _ if ty.qself.is_none() => {
                self.add(&ty.path);
                visit::visit_path(self, &ty.path);
            }
            _ => {}
        }
        // `<S as Shape>::Kind` needs the trait.
        if let Some(of) = &ty.qself {
            self.qualified(of, &ty.path);
        }
    }

    fn visit_type_param_bound(&mut self, bound: &'ast syn::TypeParamBound) {
        if let syn::TypeParamBound::Trait(bound_by) = bound
            && (!is_standard_bound(bound) || is_trait_of_amp(&bound_name(bound)))
        {
            self.add(&bound_by.path);
        }
        visit::visit_type_param_bound(self, bound);
    }

    // What is written as constants are is taken for one unless the file tells that it is a type.
    fn visit_angle_bracketed_generic_arguments(
        &mut self,
        arguments: &'ast AngleBracketedGenericArguments,
    ) {
        for argument in &arguments.args {
            match argument {
                GenericArgument::Type(Type::Path(ty)) if is_constant_name(ty) => {
                    let is_own = |known: &String| ty.path.is_ident(known);
                    if ty.qself.is_none() && !self.types.iter().any(is_own) {
                        self.owners.push(ty.path.clone());
                    }
                }
                GenericArgument::Type(ty) => self.visit_type(ty),
                _ => {}
            }
        }
    }

    // Array lengths are constants: rustc evaluates them, nothing is imported.
    fn visit_type_array(&mut self, array: &'ast syn::TypeArray) {
        self.visit_type(&array.elem);
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    /// A function in a body names what the body does, but no variables of it.
    fn visit_item(&mut self, item: &'ast Item) {
        if let Item::Const(constant) = item {
            return self.visit_type(&constant.ty);
        }
        let Item::Fn(function) = item else { return };
        let outside = std::mem::take(&mut self.variables);
        let types = self.types.len();
        let parameters = function.sig.generics.type_params();
        self.types
            .extend(parameters.map(|param| param.ident.to_string()));
        self.parameters(&function.sig);
        self.visit_signature(&function.sig);
        self.visit_block(&function.block);
        self.types.truncate(types);
        self.variables = outside;
    }

    fn visit_macro(&mut self, _: &'ast syn::Macro) {}

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        let outside = self.variables.len();
        for input in &closure.inputs {
            self.visit_pat(input);
            self.bind(input);
        }
        self.visit_return_type(&closure.output);
        self.visit_expr(&closure.body);
        self.variables.truncate(outside);
    }
}

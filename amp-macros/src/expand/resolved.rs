//! Names in the host version: proof that each means in Rust the item whose tokens the kernel has.
//!
//! A host version that names an exported item proves that it is what `claim.rs` has put beside it.
//! A function is proven by its first call, where rustc infers its generic parameters; types are
//! proven in a function of the host version that nothing calls, with stand-ins for their
//! parameters.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{
    Arm, DeriveInput, Expr, ExprCall, ExprPath, Fields, Generics, ItemFn, ItemTrait, Path,
    PathArguments, TypePath, spanned::Spanned,
};

use super::{
    claim::{item_of, stand_ins},
    method::Methods,
    types,
};
use crate::{
    import::{Closure, Entry, EntryKind, Sealed, is_block},
    infer::{Callee, FunctionDef, Program, Ty, scalar},
    language::{
        atomic::AtomicFunction,
        core,
        fence::{self, FENCES},
        glam,
        name::{is_of_type, path_key, qualifying_trait, standard_case, standard_path},
        subgroup,
    },
    message, sugar,
    visit::{self, Visit},
};

/// The items that a function or struct names.
pub(super) struct Imported<'a> {
    paths: HashMap<&'a str, &'a Entry>,
    by_id: HashMap<&'a str, &'a Sealed>,
}

impl<'a> Imported<'a> {
    pub(super) fn of(closure: &'a Closure) -> Self {
        let entries = closure.by_id();
        let named = closure.names.iter().filter(|(path, _)| !is_block(path));
        let paths = named
            .filter_map(|(path, id)| Some((path.as_str(), entries.get(id.as_str())?.open())))
            .collect();
        let by_id = entries;
        Self { paths, by_id }
    }

    pub(super) fn get(&self, path: &Path) -> Option<&'a Entry> {
        self.paths.get(path_key(path).as_str()).copied()
    }

    /// Whether a function is one of an `impl` block or trait.
    pub(super) fn is_method(&self, function: &FunctionDef) -> bool {
        let entry = self.by_id.get(function.entry.as_str());
        let kind = entry.map(|entry| entry.open().kind);
        matches!(kind, Some(EntryKind::Impl | EntryKind::Trait))
    }

    /// Statements that compile if what a function names is what it is taken for, but for
    /// functions of the program, which their calls prove.
    pub(super) fn proof_in(
        &self,
        item: &ItemFn,
        program: &Program,
        function: &FunctionDef,
    ) -> TokenStream {
        let mut proofs = Proofs::new(self, &item.sig.generics, Some((program, function)));
        proofs.visit_signature(&item.sig);
        proofs.visit_block(&item.block);
        let methods = std::mem::take(&mut proofs.methods).into_statements();
        let names = proofs.into_function();
        quote!(#names #methods)
    }

    /// The same of the fields of a type.
    pub(super) fn proof_of<'f>(
        &self,
        generics: &Generics,
        fields: impl IntoIterator<Item = &'f Fields>,
    ) -> TokenStream {
        let mut proofs = Proofs::new(self, generics, None);
        for fields in fields {
            proofs.visit_fields(fields);
        }
        let function = proofs.into_function();
        match function.is_empty() {
            true => function,
            false => quote!(const _: () = { #function };),
        }
    }
}

/// Collects what proves the names of an item, each once.
struct Proofs<'a> {
    imported: &'a Imported<'a>,
    /// The function and its program.
    function: Option<(&'a Program, &'a FunctionDef)>,
    /// Type parameters, which are no items.
    parameters: HashSet<String>,
    seen: HashSet<String>,
    statements: Vec<TokenStream>,
    /// Calls of the macros that the body calls by their names alone.
    macros: Vec<TokenStream>,
    methods: Methods,
}

impl<'a> Proofs<'a> {
    fn new(
        imported: &'a Imported<'a>,
        generics: &Generics,
        function: Option<(&'a Program, &'a FunctionDef)>,
    ) -> Self {
        let parameters = generics.type_params().map(|param| param.ident.to_string());
        Self {
            imported,
            function,
            parameters: parameters.collect(),
            seen: HashSet::new(),
            statements: Vec::new(),
            macros: Vec::new(),
            methods: Methods::default(),
        }
    }

    fn into_function(self) -> TokenStream {
        let (statements, macros) = (self.statements, self.macros);
        if statements.is_empty() && macros.is_empty() {
            return quote!();
        }
        // A name that two globs bring is ambiguous unless it means one macro.
        let macros = (!macros.is_empty()).then(|| {
            quote! {
                #[allow(unused_imports, unreachable_code, clippy::all)]
                mod __amp_macros {
                    use super::*;
                    use ::amp::__private::macros::*;
                    fn __amp_names() { #(#macros)* }
                }
            }
        });
        quote! {
            #[allow(dead_code, elided_lifetimes_in_paths, clippy::all)]
            fn __amp_names() { #macros #(#statements)* }
        }
    }

    fn is_new(&mut self, path: &Path) -> bool {
        let is_parameter = path
            .get_ident()
            .is_some_and(|name| self.parameters.contains(&name.to_string()));
        !is_parameter && self.seen.insert(path_key(path))
    }

    /// A path where a type stands.
    fn ty(&mut self, path: &Path) {
        let Some(last) = path.segments.last() else {
            return;
        };
        let span = last.ident.span();
        let entry = self.imported.get(path);
        let known = match entry {
            Some(_) => None,
            None if is_of_type(path) => None,
            None => built_in_type(&last.ident.to_string(), span),
        };
        if entry.is_none() && known.is_none() || !self.is_new(path) {
            return;
        }
        let path = without_arguments(path);
        if let Some((known, arguments)) = known {
            self.statements.push(quote_spanned! {span=>
                ::amp::__private::same_type::<#path #arguments, #known #arguments>();
            });
            return;
        }
        let Some(entry) = entry else { return };
        let item = item_of(&entry.id, span);
        self.statements.push(match entry.kind {
            EntryKind::Struct | EntryKind::Enum => {
                let declared = syn::parse2::<DeriveInput>(entry.item.clone());
                let stand_ins = declared.map(|declared| stand_ins(&declared.generics, span));
                let stand_ins = stand_ins.unwrap_or_default();
                quote_spanned! {span=>
                    ::amp::__private::holds(|| <#item>::same_type::<#path #stand_ins>());
                }
            }
            _ => return,
        });
    }

    /// A name that may be that of a case of `Option` or `Result`.
    fn standard(&mut self, name: &Ident) {
        let (text, span) = (name.to_string(), name.span());
        if self.function.is_none() || standard_case(&text).is_none() {
            return;
        }
        if !self.is_new(&name.clone().into()) {
            return;
        }
        let known = types::standard_case(&text, span);
        let statement = match &*text {
            "None" => quote_spanned!(span=> let _: ::core::option::Option<()> = #name;),
            // As a pattern, no function is it.
            "Some" => quote_spanned!(span=> let #name(()) = #known(()) else { return };),
            _ => quote_spanned!(span=> let #name(()) = #known::<(), ()>(()) else { return };),
        };
        self.statements.push(statement);
    }

    /// The trait of `<S as Shape>::kind`.
    fn qualifying(&mut self, item: &ExprPath) {
        if let ExprPath {
            qself: Some(of),
            path,
            ..
        } = item
            && of.position > 0
        {
            let of_trait = qualifying_trait(of, path);
            // With arguments, the function that is called proves enough.
            if of_trait
                .segments
                .iter()
                .all(|name| name.arguments.is_empty())
            {
                self.bound(&of_trait);
            }
        }
    }

    /// A path where the bound of a type parameter stands.
    fn bound(&mut self, path: &Path) {
        let last = path.segments.last();
        let is_scalar = last.is_some_and(|last| last.ident == "Scalar" || last.ident == "Integer");
        if !self.is_new(path) {
            return;
        }
        let span = path.span();
        let (implied, name) = match self.imported.get(path) {
            // What is called by a trait with parameters proves enough.
            Some(entry) if entry.kind == EntryKind::Trait && has_parameters(entry) => return,
            Some(entry) if entry.kind == EntryKind::Trait => {
                let item = item_of(&entry.id, span);
                (
                    quote_spanned!(span=> <#item>::implied::<__AmpType>()),
                    "trait",
                )
            }
            None if is_scalar => (
                quote_spanned!(span=> ::amp::__private::is_scalar::<__AmpType>()),
                "scalar",
            ),
            _ => return,
        };
        let number = self.statements.len();
        let name = format_ident!("__amp_{name}_{number}");
        self.statements.push(quote_spanned! {span=>
            fn #name<__AmpType: #path>() { #implied; }
        });
    }
}

/// The type that kernels know by a name, and arguments for its parameters.
fn built_in_type(name: &str, span: Span) -> Option<(TokenStream, TokenStream)> {
    let none = TokenStream::new;
    if let Some(scalar) = scalar(name) {
        return Some((types::scalar(scalar), none()));
    }
    if let Some(ty) = glam::named(name).map(Ty::from) {
        return Some((types::glam(&ty)?, none()));
    }
    let of_view = || quote_spanned!(span=> <'static, ::core::primitive::f32, 1>);
    if let Some(path) = standard_path(name, span) {
        let arguments = match name {
            "Option" | "PhantomData" | "Range" | "Reverse" | "Wrapping" => {
                quote_spanned!(span=> <()>)
            }
            "Result" => quote_spanned!(span=> <(), ()>),
            _ => none(),
        };
        return Some((path, arguments));
    }
    Some(match name {
        "Index" => (quote!(::amp::Index), quote_spanned!(span=> <1>)),
        "Extent" => (quote!(::amp::Extent), quote_spanned!(span=> <1>)),
        "TiledIndex" => (quote!(::amp::TiledIndex), quote_spanned!(span=> <1, 1>)),
        "TileBarrier" => (quote!(::amp::TileBarrier), none()),
        "ArrayView" => (quote!(::amp::ArrayView), of_view()),
        "ArrayViewMut" => (quote!(::amp::ArrayViewMut), of_view()),
        _ => return None,
    })
}

/// Whether a trait has parameters.
fn has_parameters(of_trait: &Entry) -> bool {
    let declared = syn::parse2::<ItemTrait>(of_trait.item.clone());
    declared.is_ok_and(|declared| !declared.generics.params.is_empty())
}

/// A path as it names an item.
fn without_arguments(path: &Path) -> Path {
    let mut path = path.clone();
    for segment in &mut path.segments {
        segment.arguments = PathArguments::None;
    }
    path
}

/// The path of the function of `core` that kernels know by a path.
fn function_of_core(path: &Path) -> Option<TokenStream> {
    let name = core::function_at(&path_key(path))?;
    let mut functions = core::FUNCTIONS.iter();
    let (_, module, arguments) = functions.find(|(known, ..)| *known == name)?;
    format!("::core::{module}::{name}::<{arguments}>")
        .parse()
        .ok()
}

/// The path of the function that kernels know by a path.
fn built_in_function(path: &Path) -> Option<TokenStream> {
    let name = &path.segments.last()?.ident;
    let text = name.to_string();
    let own = Ident::new(&text, Span::call_site());
    if subgroup::is_subgroup_function(path) {
        let of_value = subgroup::is_generic(&text).then(|| quote!(::<::core::primitive::u32>));
        return Some(quote!(::amp::subgroup::#own #of_value));
    }
    if AtomicFunction::named(&text).is_some() {
        return Some(quote!(::amp::#own::<::core::primitive::u32>));
    }
    if glam::constructor(&text).is_some() {
        return Some(quote!(::amp::__private::glam::#own));
    }
    fence::named(FENCES, &text).map(|_| quote!(::amp::#own))
}

impl<'ast> Visit<'ast> for Proofs<'_> {
    fn visit_type_path(&mut self, ty: &'ast TypePath) {
        if ty.qself.is_none() {
            self.ty(&ty.path);
        }
        visit::visit_type_path(self, ty);
    }

    fn visit_expr_struct(&mut self, literal: &'ast syn::ExprStruct) {
        if literal.qself.is_none() {
            self.ty(&literal.path);
        }
        visit::visit_expr_struct(self, literal);
    }

    fn visit_pat_struct(&mut self, pattern: &'ast syn::PatStruct) {
        if pattern.qself.is_none() {
            self.ty(&pattern.path);
        }
        visit::visit_pat_struct(self, pattern);
    }

    fn visit_pat_tuple_struct(&mut self, pattern: &'ast syn::PatTupleStruct) {
        if pattern.qself.is_none() {
            self.ty(&pattern.path);
            if let Some(name) = pattern.path.get_ident() {
                self.standard(name);
            }
        }
        visit::visit_pat_tuple_struct(self, pattern);
    }

    fn visit_expr_path(&mut self, expr: &'ast ExprPath) {
        self.qualifying(expr);
        if let (None, Some(name)) = (&expr.qself, expr.path.get_ident()) {
            self.standard(name);
        }
        // `Vec3::new`, `Suit::Hearts`
        let mut owner = expr.path.clone();
        if expr.qself.is_none() && owner.segments.len() > 1 {
            owner.segments.pop();
            owner.segments.pop_punct();
            self.ty(&owner);
        }
        visit::visit_expr_path(self, expr);
    }

    /// `None`
    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        self.standard(&pattern.ident);
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_trait_bound(&mut self, bound: &'ast syn::TraitBound) {
        self.bound(&bound.path);
        visit::visit_trait_bound(self, bound);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        let facts = self.function.map(|(_, function)| function.typed.of(expr));
        let callee = facts.and_then(|facts| facts.callee.as_ref());
        if let Some((program, around)) = self.function {
            match (expr, callee) {
                (Expr::MethodCall(call), Some(callee)) => {
                    self.methods
                        .add(around.typed.id(expr), call, callee, program, around);
                }
                (Expr::Call(call), Some(callee)) => {
                    if let Callee::Helper(_) = callee {
                        self.methods.function(&call.func, program, around);
                    }
                    self.methods
                        .of_scalar(around.typed.id(expr), call, callee, around);
                }
                (Expr::Binary(_) | Expr::Unary(_) | Expr::Index(_) | Expr::Try(_), _) => {
                    self.methods.operator(expr, program, around);
                }
                (Expr::Path(path), Some(Callee::Helper(_))) => {
                    self.methods
                        .constant(around.typed.id(expr), path, program, around);
                }
                (Expr::Field(field), _) => self.methods.field(field, program, around),
                (Expr::ForLoop(round), _) => self.methods.iterator(&round.expr, program, around),
                _ => {}
            }
        }
        let is_built_in = matches!(
            callee,
            Some(
                Callee::Atomic(_)
                    | Callee::Fence(_)
                    | Callee::DeviceFence
                    | Callee::Subgroup(_)
                    | Callee::Vector(_)
            )
        );
        if let Expr::Call(ExprCall { func, .. }) = expr
            && let Expr::Path(ExprPath {
                qself: None, path, ..
            }) = &**func
        {
            if let Some(call) = message::macro_of(path)
                && self.is_new(path)
            {
                self.macros.push(call);
            }
            let of_core = self
                .function
                .zip(callee)
                .is_some_and(|((program, _), callee)| match callee {
                    Callee::Helper(index) => program.is_standard(*index),
                    callee => matches!(callee, Callee::ArrayLength(_)),
                });
            let known = match of_core {
                true => function_of_core(path),
                false if is_built_in => built_in_function(path),
                false => None,
            };
            if let Some(known) = known
                && self.is_new(path)
            {
                let path = without_arguments(path);
                let span = path.span();
                self.statements.push(quote_spanned! {span=>
                    ::amp::__private::holds(|| ::amp::__private::same_function(#path, #known));
                });
            }
        }
        visit::visit_expr(self, expr);
    }

    /// A function in the body proves its names itself.
    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_arm(&mut self, arm: &'ast Arm) {
        for mark in arm.attrs.iter().filter(|it| sugar::is_of_matches(it)) {
            let name = Ident::new("matches", mark.path().span());
            if self.is_new(&name.clone().into()) {
                self.macros.push(quote!(let _ = #name!(0, _);));
            }
        }
        visit::visit_arm(self, arm);
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}

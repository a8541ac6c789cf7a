//! Associated types of type parameters: `S::Kind`, `<A as Mul<B>>::Output`.
//!
//! What one is of a type, the `impl` block of its trait says. Of a parameter its bounds say it,
//! `S: Shape<Kind = f32>`, or nothing does: then it is a parameter of its own, which calls do not write, but
//! which those that it depends on tell. Those that a function mentions are read once, and found by their text
//! among the function's arguments.

use proc_macro2::{Ident, Span};
use syn::{
    AngleBracketedGenericArguments, GenericArgument, Generics, ItemFn, Path, PathArguments, Type,
    TypeParamBound, TypePath, WherePredicate,
};

use super::substitution::Substitution;
use crate::{
    import::implementation,
    infer::{
        context::FnCx,
        names::{Meaning, Names},
        parameter::is_own,
        program::Program,
        signature,
        trait_definition::TraitDef,
        ty::{Arguments, Kind, Len, OfTrait, Parameters, Projection, Ty, TypeParam},
        type_expr::{projection_key, text},
    },
    language::name::{bound_name, is_standard_trait, path_key},
    report::Report,
    visit::{self, Visit},
};

/// The bounds of what is written as a type: of a parameter, or of an associated type of one.
pub fn bounds_of<'g>(generics: &'g Generics, written: &str) -> Vec<&'g TypeParamBound> {
    let mut bounds = Vec::new();
    for parameter in generics.type_params() {
        if parameter.ident == written {
            bounds.extend(&parameter.bounds);
        }
    }
    let clause = generics.where_clause.iter();
    for predicate in clause.flat_map(|clause| &clause.predicates) {
        if let WherePredicate::Type(predicate) = predicate
            && shown_as(&predicate.bounded_ty) == written
        {
            bounds.extend(&predicate.bounds);
        }
    }
    bounds
}

/// A type as messages show it: `<S as Shape>::Kind` as `S::Kind`.
fn shown_as(ty: &Type) -> String {
    match ty {
        Type::Path(TypePath {
            qself: Some(of),
            path,
            ..
        }) => match path.segments.last() {
            Some(last) => format!("{}::{}", shown_as(&of.ty), last.ident),
            None => String::new(),
        },
        ty => text(ty),
    }
}

/// The arguments of the trait that a bound or path names.
pub(super) fn arguments_of(path: &Path) -> Vec<&GenericArgument> {
    match path.segments.last().map(|last| &last.arguments) {
        Some(PathArguments::AngleBracketed(AngleBracketedGenericArguments { args, .. })) => {
            args.iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Reads the associated types that the generics and the signature of a function mention. What its parameters
/// do not tell becomes parameters of their own.
pub fn declare(
    program: &mut Program,
    item: &ItemFn,
    names: &Names,
    of_trait: Option<usize>,
    parameters: &mut Parameters,
    arguments: &mut Arguments,
) {
    let mut reader = Reader::new(program, names, &item.sig.generics, arguments);
    reader.of_trait = of_trait;
    reader.visit_signature(&item.sig);
    parameters.types.append(&mut reader.made);
}

/// Reads what a function mentions.
pub(super) struct Reader<'a> {
    program: &'a mut Program,
    names: &'a Names,
    generics: &'a Generics,
    arguments: &'a mut Arguments,
    /// The trait that declares the function.
    of_trait: Option<usize>,
    /// The parameters that nothing tells.
    pub(super) made: Vec<usize>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        program: &'a mut Program,
        names: &'a Names,
        generics: &'a Generics,
        arguments: &'a mut Arguments,
    ) -> Self {
        Self {
            program,
            names,
            generics,
            arguments,
            of_trait: None,
            made: Vec::new(),
        }
    }

    fn read(&mut self, path: &TypePath) -> Option<Ty> {
        let (last, before) = path
            .path
            .segments
            .iter()
            .collect::<Vec<_>>()
            .split_last()
            .map(|(last, before)| (*last, before.to_vec()))?;
        let name = last.ident.to_string();
        let (owner, of_trait) = match &path.qself {
            None => (before.first()?.ident.to_string(), None),
            Some(of) if before.is_empty() => (text(&of.ty), None),
            Some(of) => {
                let segments = before.into_iter().cloned().collect();
                let leading_colon = path.path.leading_colon;
                (
                    text(&of.ty),
                    Some(Path {
                        leading_colon,
                        segments,
                    }),
                )
            }
        };
        let base = self.arguments.types.get(&owner)?.clone();
        let shown = match &path.qself {
            Some(of) => shown_as(&of.ty),
            None => owner,
        };
        let bounds = bounds_of(self.generics, &shown);
        let of_trait = match of_trait {
            Some(of) => self.named(&of, &base)?,
            None => self.declaring(&bounds, &base, &name)?,
        };
        self.said(&bounds, &base, &of_trait, &name)
            .or_else(|| self.project(&base, &of_trait, &name))
    }

    /// The trait of a path.
    fn named(&mut self, path: &Path, base: &Ty) -> Option<OfTrait> {
        if let Some(Meaning::Trait(index)) = self.names.get(&path_key(path)) {
            return Some(OfTrait::Module(index));
        }
        let name = path.segments.last()?.ident.to_string();
        if !implementation::is_operator_trait(&name) {
            return None;
        }
        let other = arguments_of(path)
            .into_iter()
            .find_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(self.written(ty)),
                _ => None,
            });
        let is_unary = matches!(&*name, "Neg" | "Not");
        let other = (!is_unary).then(|| other.unwrap_or_else(|| base.clone()));
        Some(OfTrait::Operator(name, other))
    }

    /// The trait that declares a type of this name, by the bounds.
    fn declaring(&mut self, bounds: &[&TypeParamBound], base: &Ty, name: &str) -> Option<OfTrait> {
        let of_own = self.of_trait.into_iter();
        let of_projection = match base {
            Ty::Param(index) => self.program.traits_of_projection(*index),
            _ => Vec::new(),
        };
        let mut roots: Vec<usize> = of_own.chain(of_projection).collect();
        for bound in bounds {
            let TypeParamBound::Trait(bound) = bound else {
                continue;
            };
            match self.named(&bound.path, base) {
                Some(OfTrait::Module(index)) => roots.push(index),
                Some(operator) if name == "Output" => return Some(operator),
                _ => {}
            }
        }
        let all = self.program.with_supertraits(roots);
        let declares = |of: &usize| self.program.traits[*of].declares(name);
        all.into_iter().find(declares).map(OfTrait::Module)
    }

    /// What a bound says that the type is: `Shape<Kind = f32>`.
    fn said(
        &mut self,
        bounds: &[&TypeParamBound],
        base: &Ty,
        of_trait: &OfTrait,
        name: &str,
    ) -> Option<Ty> {
        for bound in bounds {
            let TypeParamBound::Trait(bound) = bound else {
                continue;
            };
            let said = arguments_of(&bound.path)
                .into_iter()
                .find_map(|argument| match argument {
                    GenericArgument::AssocType(said) if said.ident == name => Some(&said.ty),
                    _ => None,
                });
            let Some(said) = said else { continue };
            let is_same = match (self.named(&bound.path, base), of_trait) {
                (Some(OfTrait::Module(bound)), OfTrait::Module(of)) => {
                    self.program.with_supertraits(vec![bound]).contains(of)
                }
                (found, of) => found.as_ref() == Some(of),
            };
            if is_same {
                return Some(self.written(said));
            }
        }
        None
    }

    /// A type that the generics write.
    fn written(&mut self, ty: &Type) -> Ty {
        self.visit_type(ty);
        let mut elsewhere = Report::default();
        signature::written(self.program, ty, self.names, self.arguments, &mut elsewhere)
    }

    fn project(&mut self, base: &Ty, of_trait: &OfTrait, name: &str) -> Option<Ty> {
        let Ty::Param(of) = *base else {
            return self.program.associated_type(base, of_trait, name);
        };
        let shown = format!("{}::{name}", self.program.type_params[of].shown);
        let bounds = bounds_of(self.generics, &shown);
        let bounds: Vec<TypeParamBound> = bounds.into_iter().cloned().collect();
        let of_trait = of_trait.clone();
        let name = name.to_owned();
        let index = self.program.projection(
            Projection { of, of_trait, name },
            shown,
            (bounds, self.names),
        );
        if !self.made.contains(&index) {
            self.made.push(index);
        }
        Some(Ty::Param(index))
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_type_path(&mut self, path: &'ast TypePath) {
        visit::visit_type_path(self, path);
        let Some(key) = projection_key(path) else {
            return;
        };
        if self.arguments.types.contains_key(&key) {
            return;
        }
        // A bound that names what it bounds has no end.
        self.arguments.types.insert(key.clone(), Ty::Error);
        match self.read(path) {
            Some(ty) => self.arguments.types.insert(key, ty),
            None => self.arguments.types.remove(&key),
        };
    }
}

impl TraitDef {
    fn declares(&self, name: &str) -> bool {
        self.types.iter().any(|(known, _)| known == name)
    }
}

impl Program {
    /// These traits, and those that types with them have too.
    pub(super) fn with_supertraits(&self, mut traits: Vec<usize>) -> Vec<usize> {
        let mut at = 0;
        while let Some(&index) = traits.get(at) {
            for supertrait in &self.traits[index].supertraits {
                if !traits.contains(supertrait) {
                    traits.push(*supertrait);
                }
            }
            at += 1;
        }
        traits
    }

    /// The bounds that the trait of an associated type declares of it, with the trait.
    pub(super) fn declared_bounds(
        &self,
        projection: &Projection,
    ) -> Option<(usize, &[TypeParamBound])> {
        let OfTrait::Module(of) = projection.of_trait else {
            return None;
        };
        let mut types = self.traits[of].types.iter();
        let (_, bounds) = types.find(|(name, _)| *name == projection.name)?;
        Some((of, bounds))
    }

    /// The traits of modules that an associated type has by its declaration.
    pub(super) fn traits_of_projection(&self, parameter: usize) -> Vec<usize> {
        let projection = self.type_params[parameter].projection.as_ref();
        let Some((of, bounds)) = projection.and_then(|it| self.declared_bounds(it)) else {
            return Vec::new();
        };
        let traits = bounds.iter().filter_map(|bound| match bound {
            TypeParamBound::Trait(bound) => {
                match self.traits[of].names.get(&path_key(&bound.path)) {
                    Some(Meaning::Trait(index)) => Some(index),
                    _ => None,
                }
            }
            _ => None,
        });
        traits.collect()
    }

    /// The parameter that an associated type of another one is, with what a function states about it.
    fn projection(
        &mut self,
        projection: Projection,
        shown: String,
        (bounds, names): (Vec<TypeParamBound>, &Names),
    ) -> usize {
        let mut known = self.type_params.iter();
        if let Some(known) = known.position(|it| it.projection.as_ref() == Some(&projection)) {
            return known;
        }
        let index = self.type_params.len();
        let ident = Ident::new(&projection.name, Span::call_site());
        let declared = self.declared_bounds(&projection);
        let of_trait = declared.map(|(of, _)| &self.traits[of].names);
        let is_of_module = |bound: &&TypeParamBound| of_trait.is_some_and(|of| is_own(bound, of));
        let declared = declared.map_or(&[][..], |(_, bounds)| bounds);
        // Those of modules are found where the trait is read.
        let standard = declared
            .iter()
            .filter(|bound| is_standard_trait(&bound_name(bound)) && !is_of_module(bound));
        let bounds: Vec<&TypeParamBound> = bounds.iter().chain(standard).collect();
        self.type_params.push(TypeParam {
            shown,
            projection: Some(projection),
            ..TypeParam::new(ident, &bounds, names)
        });
        index
    }
}

impl OfTrait {
    pub(super) fn substituted(&self, substitution: &Substitution) -> Self {
        match self {
            Self::Module(of) => Self::Module(*of),
            Self::Operator(of, other) => {
                let other = other.as_ref().map(|other| substitution.ty(other));
                Self::Operator(of.clone(), other)
            }
        }
    }
}

impl FnCx<'_> {
    /// Reads the associated types that the body mentions.
    pub fn read_projections(&mut self, item: &ItemFn) {
        self.reader(&item.sig.generics).visit_block(&item.block);
    }

    fn reader<'r>(&'r mut self, generics: &'r Generics) -> Reader<'r> {
        Reader::new(self.program, &self.names, generics, &mut self.arguments)
    }

    /// The types of a trait as those of a type.
    pub(super) fn declare_own_types(&mut self, of_trait: usize, own: &Ty) {
        for of in self.program.with_supertraits(vec![of_trait]) {
            let types = self.program.traits[of].types.iter();
            let names: Vec<String> = types.map(|(name, _)| name.clone()).collect();
            for name in names {
                if let Some(ty) = self.associated(own, &OfTrait::Module(of), &name) {
                    self.arguments.types.insert(format!("Self::{name}"), ty);
                }
            }
        }
    }

    /// What an operator of a parameter gives, of which no bound says it.
    pub(super) fn output(&mut self, parameter: usize, of_trait: &str, other: &Ty) -> Ty {
        let is_unary = matches!(of_trait, "Neg" | "Not");
        let other = (!is_unary).then(|| other.clone());
        let of_trait = OfTrait::Operator(of_trait.to_owned(), other);
        let item = self.program.functions[self.owner].item.clone();
        let mut reader = self.reader(&item.sig.generics);
        let found = reader.project(&Ty::Param(parameter), &of_trait, "Output");
        found.unwrap_or(Ty::Error)
    }

    /// Makes the types of a call that are associated types of others what these say, as far as they are
    /// known.
    pub(super) fn told_by_others(
        &mut self,
        parameters: &Parameters,
        types: &[Ty],
        lengths: &[Len],
        span: Span,
    ) {
        for (position, index) in parameters.types.iter().enumerate() {
            let Some(projection) = self.program.type_params[*index].projection.clone() else {
                continue;
            };
            let of = parameters.types.iter().position(|at| *at == projection.of);
            let Some(of) = of else { continue };
            let substitution = Substitution {
                parameters,
                types,
                lengths,
            };
            let of_trait = match projection.of_trait.substituted(&substitution) {
                OfTrait::Operator(of, other) => {
                    OfTrait::Operator(of, other.map(|other| self.unifier.deep(&other)))
                }
                module => module,
            };
            let base = self.unifier.deep(&types[of]);
            if let Some(found) = self.associated(&base, &of_trait, &projection.name) {
                self.expect(&types[position], &found, span);
            }
        }
    }

    /// The same of all calls, now that more is known.
    pub fn settle_projections(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            let parameters = self.program.functions[pending.template].parameters.clone();
            self.told_by_others(&parameters, &pending.types, &pending.lengths, pending.span);
            self.pending.push(pending);
        }
    }

    fn associated(&mut self, base: &Ty, of_trait: &OfTrait, name: &str) -> Option<Ty> {
        let other = match of_trait {
            OfTrait::Operator(_, other) => other.as_ref(),
            OfTrait::Module(_) => None,
        };
        match base {
            Ty::Var(var) if self.unifier.kind(*var) == Kind::Any => None,
            // A literal is a number.
            Ty::Var(_) => other.map(|_| base.clone()),
            Ty::Param(index) => {
                let item = self.program.functions[self.owner].item.clone();
                let generics = &item.sig.generics;
                let mut reader = self.reader(generics);
                let shown = reader.program.type_params[*index].shown.clone();
                let bounds = bounds_of(generics, &shown);
                let said = reader.said(&bounds, base, of_trait, name);
                said.or_else(|| reader.project(base, of_trait, name))
            }
            base => self.program.associated_type(base, of_trait, name),
        }
    }
}

//! The traits of modules that type parameters have, with the arguments of those that have parameters:
//! `U: Tag<u16>`.
//!
//! A trait is read where a function or another trait bounds a parameter by it, and supertraits with it. Where a
//! parameter is bounded by one trait with several arguments, a path has to say which is meant.

use amp_spirv::diagnostic::Code;
use proc_macro2::Span;
use syn::{AngleBracketedGenericArguments, Path, Type, TypeParamBound};

use super::{instance::has_parameter, projection, substitution::Substitution};
use crate::{
    infer::{
        context::{FnCx, Pending},
        names::Meaning,
        node::Node,
        program::Method,
        trait_arguments::{TraitRef, types},
        trait_definition::TraitFunction,
        ty::{Len, Ty},
        type_expr::{arguments_at, text},
        typed::{Known, Resolved},
    },
    language::name::path_key,
    report::Locate,
};

/// A function that a bound declares.
pub struct BoundFunction {
    /// Index into [`Program::functions`](crate::infer::Program::functions).
    pub template: usize,
    /// It is called on a value.
    pub has_receiver: bool,
    /// The arguments of its trait.
    pub of_trait: Vec<Ty>,
}

impl FnCx<'_> {
    /// The trait that a path names with arguments, for this type.
    pub fn trait_ref(
        &mut self,
        of: usize,
        written: Option<&AngleBracketedGenericArguments>,
        own: &Ty,
    ) -> TraitRef {
        let known = &self.program.traits[of];
        let written = written.map(|it| types(it, Some(known)).cloned().collect::<Vec<_>>());
        let written = written.unwrap_or_default();
        let mut arguments: Vec<Ty> = written.iter().map(|ty| self.read_type(ty)).collect();
        let parameters = self.program.traits[of].parameters.clone();
        for (_, default) in parameters.iter().skip(arguments.len()) {
            let Some(default) = default else { break };
            let names = self.program.traits[of].names.clone();
            let names = std::mem::replace(&mut self.names, names);
            arguments.push(match text(default) == "Self" {
                true => own.clone(),
                false => self.read_type(default),
            });
            self.names = names;
        }
        TraitRef { of, arguments }
    }

    /// The traits of modules that a type parameter has.
    pub(super) fn traits_of(&mut self, parameter: usize) -> Vec<TraitRef> {
        let own = Ty::Param(parameter);
        let shown = self.program.type_params[parameter].shown.clone();
        let mut found = self.traits_written(&shown, &own);
        let projection = self.program.type_params[parameter].projection.clone();
        if let Some(projection) = projection
            && let Some((of, bounds)) = self.program.declared_bounds(&projection)
        {
            let bounds = bounds.to_vec();
            let of_trait = self.trait_ref(of, None, &own);
            let base = Ty::Param(projection.of);
            let declared =
                self.within_trait(&of_trait, &base, |cx| cx.traits_in(bounds.iter(), &own));
            let is_new = |declared: &TraitRef| !found.contains(declared);
            let declared: Vec<TraitRef> = declared.into_iter().filter(is_new).collect();
            found.extend(declared);
        }
        self.with_implied(found, &own)
    }

    /// The traits of modules that this function writes for the parameter of a name, which stands for a type.
    pub(super) fn traits_written(&mut self, name: &str, own: &Ty) -> Vec<TraitRef> {
        let item = self.program.functions[self.owner].item.clone();
        let bounds = projection::bounds_of(&item.sig.generics, name);
        self.traits_in(bounds.into_iter(), own)
    }

    /// These traits of a type, and those that they imply.
    pub(super) fn with_implied(&mut self, mut found: Vec<TraitRef>, own: &Ty) -> Vec<TraitRef> {
        let mut at = 0;
        while let Some(of_trait) = found.get(at).cloned() {
            let bounds = self.program.traits[of_trait.of].bounds.clone();
            let implied = self.within_trait(&of_trait, own, |cx| cx.traits_in(bounds.iter(), own));
            for implied in implied {
                if !found.contains(&implied) {
                    found.push(implied);
                }
            }
            at += 1;
        }
        found
    }

    fn traits_in<'b>(
        &mut self,
        bounds: impl Iterator<Item = &'b TypeParamBound>,
        own: &Ty,
    ) -> Vec<TraitRef> {
        let mut found = Vec::new();
        for bound in bounds {
            if let TypeParamBound::Trait(bound) = bound
                && let Some(Meaning::Trait(of)) = self.names.get(&path_key(&bound.path))
            {
                let last = bound.path.segments.len() - 1;
                let of_trait = self.trait_ref(of, arguments_at(&bound.path, last), own);
                if !found.contains(&of_trait) {
                    found.push(of_trait);
                }
            }
        }
        found
    }

    /// Reads something in a trait, where `Self` is a type.
    pub(super) fn within_trait<R>(
        &mut self,
        of_trait: &TraitRef,
        own: &Ty,
        read: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let known = &self.program.traits[of_trait.of];
        let parameters = known.parameters.iter().zip(&of_trait.arguments);
        let parameters = parameters.map(|((name, _), ty)| (name.to_string(), ty.clone()));
        let this = ("Self".to_owned(), own.clone());
        let told: Vec<(String, Ty)> = parameters.chain([this]).collect();
        let names = std::mem::replace(&mut self.names, known.names.clone());
        let arguments = self.arguments.clone();
        self.arguments.types.extend(told);
        self.declare_own_types(of_trait.of, own);
        let found = read(self);
        (self.names, self.arguments) = (names, arguments);
        found
    }

    /// A function that a bound of the parameter declares; of several by one trait, none.
    pub fn bound_function(
        &mut self,
        parameter: usize,
        name: &str,
        place: impl Locate,
    ) -> Option<BoundFunction> {
        let found = self.functions_of_bounds(parameter, name, None);
        let template = found.first()?.template;
        if let Some(other) = found.iter().skip(1).find(|it| it.template == template) {
            let of_trait = |function: &BoundFunction| -> String {
                let shown = function.of_trait.iter().map(|ty| self.show(ty));
                shown.collect::<Vec<_>>().join(", ").replace('`', "")
            };
            let owner = &self.program.type_params[parameter].shown;
            let mut traits = self.program.traits.iter();
            let is_of = |it: &TraitFunction| it.function == template;
            let declaring = traits.find(|it| it.functions.iter().any(is_of));
            let declaring = declaring.map(|it| it.name.clone()).unwrap_or_default();
            let (one, other) = (of_trait(&found[0]), of_trait(other));
            let message = format!(
                "`{name}` is of `{declaring}<{one}>` and of `{declaring}<{other}>`, which `{owner}` has both"
            );
            let help = format!("name the trait: `<{owner} as {declaring}<{one}>>::{name}(..)`");
            self.report
                .error_help(Code::UnknownType, place, message, help);
        }
        found.into_iter().next()
    }

    /// The functions of this name that bounds of a parameter declare, those by this trait alone.
    fn functions_of_bounds(
        &mut self,
        parameter: usize,
        name: &str,
        of: Option<&TraitRef>,
    ) -> Vec<BoundFunction> {
        let mut found = Vec::new();
        for of_trait in self.traits_of(parameter) {
            let is_meant =
                of.is_none_or(|of| of.of == of_trait.of && self.may_be_of(of, &of_trait));
            let mut functions = self.program.traits[of_trait.of].functions.iter();
            if is_meant && let Some(function) = functions.find(|function| function.name == name) {
                found.push(BoundFunction {
                    template: function.function,
                    has_receiver: function.has_receiver,
                    of_trait: of_trait.arguments,
                });
            }
        }
        found
    }

    /// Whether arguments of a trait may be those of another.
    fn may_be_of(&self, told: &TraitRef, known: &TraitRef) -> bool {
        let mut pairs = told.arguments.iter().zip(&known.arguments);
        pairs.all(|(told, known)| match known {
            Ty::Param(_) => self.unifier.shallow(told) == *known,
            known => self.could_be(told, known),
        })
    }

    /// The function `Shape::area` for a value whose type is a parameter.
    pub fn function_of_bound(
        &mut self,
        of_trait: &TraitRef,
        name: &str,
        owner: &Ty,
    ) -> Option<BoundFunction> {
        let Ty::Param(parameter) = owner else {
            return None;
        };
        let found = self.functions_of_bounds(*parameter, name, Some(of_trait));
        found.into_iter().next()
    }

    /// Makes what is to be found among the types of a call the argument of a trait of a module that a type has:
    /// the `T` of `U: Tag<T>` by the one block that `U` may have.
    pub(super) fn told_by_block(
        &mut self,
        template: usize,
        bound: &TypeParamBound,
        own: &Ty,
        (position, types): (&impl Fn(&Type) -> Option<usize>, &[Ty]),
    ) {
        let TypeParamBound::Trait(bound) = bound else {
            return;
        };
        let meaning = self.program.functions[template]
            .names
            .get(&path_key(&bound.path));
        let (Some(Meaning::Trait(of)), Some(last)) =
            (meaning, bound.path.segments.len().checked_sub(1))
        else {
            return;
        };
        let Some(written) = arguments_at(&bound.path, last) else {
            return;
        };
        let of_trait = &self.program.traits[of];
        let wanted = self::types(written, Some(of_trait)).map(position);
        let wanted: Vec<Option<usize>> = wanted.collect();
        let own = self.unifier.deep(own);
        let methods = self.program.methods.iter();
        let fits = |method: &&Method| {
            let mut pairs = wanted.iter().zip(&method.of_arguments);
            method.may_be_of(of_trait)
                && self.fits(&own, &method.owner)
                && pairs.all(|(at, known)| at.is_none_or(|at| self.could_be(&types[at], known)))
        };
        let mut told: Vec<Vec<Ty>> = Vec::new();
        for method in methods.filter(fits) {
            if !told.contains(&method.of_arguments) {
                told.push(method.of_arguments.clone());
            }
        }
        let [told] = &*told else { return };
        for (at, told) in wanted.iter().zip(told) {
            if let Some(at) = at
                && !has_parameter(told)
            {
                self.unifier.unify(&types[*at], told);
            }
        }
    }

    /// Makes the arguments of the trait of a function what a bound or a path says.
    pub(super) fn tell_trait(
        &mut self,
        template: usize,
        told: &[Ty],
        substitution: &Substitution,
        span: Span,
    ) {
        let mut methods = self.program.methods.iter();
        let arguments: Vec<Ty> = match methods.find(|method| method.function == template) {
            Some(method) => {
                let arguments = method.of_arguments.iter();
                arguments.map(|ty| substitution.ty(ty)).collect()
            }
            // A trait's own function has them behind `Self`.
            None => substitution.types.iter().skip(1).cloned().collect(),
        };
        for (told, argument) in told.iter().zip(&arguments) {
            self.expect(told, argument, span);
        }
    }

    /// The same of the function that was called last.
    pub fn tell_called(&mut self, told: &[Ty], span: Span) {
        let Some(Pending {
            template,
            types,
            lengths,
            ..
        }) = self.pending.last()
        else {
            return;
        };
        let (template, types, lengths) = (*template, types.clone(), lengths.clone());
        let parameters = self.program.functions[template].parameters.clone();
        let substitution = Substitution {
            parameters: &parameters,
            types: &types,
            lengths: &lengths,
        };
        self.tell_trait(template, told, &substitution, span);
    }

    /// The trait whose function a call in an instance calls, if the generic function knows that by
    /// a bound alone: a type may have other functions of this name.
    pub fn trait_called(&self, call: impl Node) -> Option<TraitRef> {
        let template = &self.program.functions[self.program.functions[self.owner].template?];
        let facts = template.typed.of(call);
        let called = facts.helper()?;
        let is_called = |function: &TraitFunction| function.function == called;
        let mut traits = self.program.traits.iter();
        let of = traits.position(|of| of.functions.iter().any(is_called))?;
        let told = facts.told.as_deref().map(|(_, told)| &*told.types);
        let count = self.program.traits[of].parameters.len();
        let told = told.and_then(|told| told.get(1..=count));
        let parameters = &template.parameters;
        let types = parameters.types.iter().map(|index| {
            let parameter = &self.program.type_params[*index];
            let known = &self.arguments.types;
            let known = known
                .get(&parameter.shown)
                .or_else(|| known.get(&parameter.ident.to_string()));
            known.cloned().unwrap_or(Ty::Param(*index))
        });
        let types: Vec<Ty> = types.collect();
        let lengths = parameters.consts.iter().map(|index| {
            let name = &self.program.consts[*index].text;
            let known = self.arguments.lengths.get(name).copied();
            known.unwrap_or(Len::Const(*index))
        });
        let lengths: Vec<_> = lengths.collect();
        let substitution = Substitution {
            parameters,
            types: &types,
            lengths: &lengths,
        };
        let arguments = told.unwrap_or_default();
        let arguments = arguments.iter().map(|ty| substitution.ty(ty)).collect();
        Some(TraitRef { of, arguments })
    }

    /// The same of a constant of a type parameter.
    pub fn trait_of_constant(&self, constant: impl Node) -> Option<TraitRef> {
        let template = self.program.functions[self.owner].template?;
        match self.program.functions[template].typed.of(constant).path {
            Some(Resolved::Known(Known::OfBound(of))) => Some(TraitRef {
                of,
                arguments: Vec::new(),
            }),
            _ => None,
        }
    }

    /// The trait of `Tag::<u16>::tag`, of which the path says what it may say.
    pub fn trait_of_path(&mut self, of: usize, path: &Path, segment: usize) -> TraitRef {
        match arguments_at(path, segment) {
            Some(written) => self.trait_ref(of, Some(written), &Ty::Error),
            None => TraitRef {
                of,
                arguments: Vec::new(),
            },
        }
    }
}

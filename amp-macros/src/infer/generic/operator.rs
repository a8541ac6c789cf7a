//! What type parameters have by the bounds of `std::ops` and `From`: `T: Add<Output = T>`.
//!
//! Only the generic function itself, which is typed for its host version, asks for them: an instance has
//! the operators of its types, and rustc proves that those meet the bounds.

use amp_spirv::tree::BinaryOp;
use proc_macro2::Span;
use syn::{
    AngleBracketedGenericArguments, Expr, ExprBinary, ExprCall, ExprUnary, GenericArgument, Ident,
    Path, PathArguments, Type, TypeParamBound, spanned::Spanned,
};

use super::{projection, scalar::unbounded};
use crate::{
    infer::{
        context::FnCx,
        own_operator::{operator_trait, unary_trait},
        trait_arguments::TraitRef,
        ty::Ty,
        typed::Callee,
    },
    language::name::{bound_name, bounds_of},
};

/// What a bound says: the other operand, and the result, if these are written.
struct Bound {
    other: Option<Type>,
    output: Option<Type>,
}

impl Bound {
    fn of(bound: &TypeParamBound) -> Self {
        let arguments = match bound {
            TypeParamBound::Trait(bound) => bound.path.segments.last().map(|last| &last.arguments),
            _ => None,
        };
        let arguments = match arguments {
            Some(PathArguments::AngleBracketed(AngleBracketedGenericArguments {
                args, ..
            })) => args.iter().collect(),
            _ => Vec::new(),
        };
        let mut arguments = arguments.into_iter();
        let mut bound = Self {
            other: None,
            output: None,
        };
        arguments.by_ref().for_each(|argument| match argument {
            GenericArgument::Type(ty) => bound.other = Some(ty.clone()),
            GenericArgument::AssocType(named) if named.ident == "Output" => {
                bound.output = Some(named.ty.clone());
            }
            _ => {}
        });
        bound
    }
}

impl FnCx<'_> {
    /// The parameter that a type is, if it is one of which bounds tell what it has.
    fn bounded(&self, ty: &Ty) -> Option<usize> {
        match self.unifier.shallow(ty) {
            Ty::Param(index) if !self.program.type_params[index].is_scalar => Some(index),
            _ => None,
        }
    }

    /// The bounds of a parameter by a trait of this name, those of its own traits included: the other
    /// operand, which is the parameter if nothing says so, and the result.
    fn bounds_by(&mut self, parameter: usize, operator: &str) -> Vec<(Ty, Option<Ty>)> {
        let own = Ty::Param(parameter);
        let name = self.program.type_params[parameter].shown.clone();
        let mut found = self.written_bounds(&name, &own, operator);
        let projection = self.program.type_params[parameter].projection.clone();
        if let Some(projection) = projection
            && let Some((index, bounds)) = self.program.declared_bounds(&projection)
        {
            let bounds = bounds.to_vec();
            let of_trait = self.trait_ref(index, None, &own);
            let base = Ty::Param(projection.of);
            found.extend(self.within_trait(&of_trait, &base, |cx| {
                cx.read_bounds(bounds.iter(), &own, operator)
            }));
        }
        let traits = self.traits_of(parameter);
        found.extend(self.bounds_of_traits(traits, &own, operator));
        found
    }

    /// The bounds by a trait of this name that traits of a type have.
    fn bounds_of_traits(
        &mut self,
        traits: Vec<TraitRef>,
        own: &Ty,
        operator: &str,
    ) -> Vec<(Ty, Option<Ty>)> {
        let mut found = Vec::new();
        for of_trait in traits {
            let bounds = self.program.traits[of_trait.of].bounds.clone();
            found.extend(self.within_trait(&of_trait, own, |cx| {
                cx.read_bounds(bounds.iter(), own, operator)
            }));
        }
        found
    }

    /// The same of those that this function writes for the parameter of a name, which stands for a type.
    fn written_bounds(&mut self, name: &str, own: &Ty, of_trait: &str) -> Vec<(Ty, Option<Ty>)> {
        let item = self.program.functions[self.owner].item.clone();
        let bounds = projection::bounds_of(&item.sig.generics, name);
        self.read_bounds(bounds.into_iter(), own, of_trait)
    }

    fn read_bounds<'b>(
        &mut self,
        bounds: impl Iterator<Item = &'b TypeParamBound>,
        own: &Ty,
        of_trait: &str,
    ) -> Vec<(Ty, Option<Ty>)> {
        let bounds = bounds.filter(|bound| bound_name(bound) == of_trait);
        let read = bounds.map(|bound| {
            let Bound { other, output } = Bound::of(bound);
            let other = other.map_or_else(|| own.clone(), |ty| self.read_type(&ty));
            (other, output.map(|ty| self.read_type(&ty)))
        });
        read.collect()
    }

    /// Makes a number that is to be found the operand that a type has: the `U` of `T: Mul<U>` by the one
    /// block, or number, that `T` is.
    pub(super) fn told_by_bounds(&mut self, template: usize, types: &[Ty]) {
        let item = self.program.functions[template].item.clone();
        let generics = &item.sig.generics;
        let position = |ty: &Type| {
            let Type::Path(path) = ty else { return None };
            generics
                .type_params()
                .position(|it| path.path.is_ident(&it.ident))
        };
        for (parameter, own) in generics.type_params().zip(types) {
            for bound in bounds_of(generics, &parameter.ident, &parameter.bounds) {
                self.told_by_block(template, bound, own, (&position, types));
                let of_trait = bound_name(bound);
                let Some(other) = Bound::of(bound).other.as_ref().and_then(position) else {
                    continue;
                };
                let is_open = matches!(self.unifier.shallow(&types[other]), Ty::Var(_));
                if is_open && let Some(told) = self.only_operand(&of_trait, own) {
                    self.unifier.unify(&types[other], &told);
                }
            }
        }
    }

    /// The other operand of an operator of a type, if there is one alone.
    fn only_operand(&self, of_trait: &str, own: &Ty) -> Option<Ty> {
        let own = self.unifier.deep(own);
        if let Ty::Scalar(_) = own {
            return (!of_trait.starts_with("Sh")).then_some(own);
        }
        let methods = self.program.methods.iter();
        let mut found =
            methods.filter(|it| it.is_of_library(of_trait) && self.fits(&own, &it.owner));
        let (Some(method), None) = (found.next(), found.next()) else {
            return None;
        };
        match (
            &self.program.functions[method.function].params.get(1)?.ty,
            &method.owner,
            &own,
        ) {
            (Ty::Param(wanted), Ty::Struct(_, pattern), Ty::Struct(_, found)) => {
                let is_wanted = |ty: &Ty| *ty == Ty::Param(*wanted);
                let at = pattern.types.iter().position(is_wanted)?;
                Some(found.types[at].clone())
            }
            (ty @ Ty::Scalar(_), ..) => Some(ty.clone()),
            _ => None,
        }
    }

    /// Type of `left op right`, where a bound of the type of `left` has the operator.
    pub fn operation_by_bound(
        &mut self,
        op: BinaryOp,
        assigns: bool,
        binary: &ExprBinary,
        left: &Ty,
        right: &Ty,
    ) -> Option<Ty> {
        if op.is_comparison() {
            return None;
        }
        let parameter = self.bounded(left)?;
        let (of_trait, _) = operator_trait(op, assigns);
        let bounds = self.bounds_by(parameter, of_trait);
        let fits = |(other, _): &&(Ty, Option<Ty>)| self.may_be_operand(right, other);
        let (other, output) = bounds.iter().find(fits).or(bounds.first())?.clone();
        self.expect(right, &other, &*binary.right);
        Some(match assigns {
            true => Ty::Unit,
            false => output.unwrap_or_else(|| self.output(parameter, of_trait, &other)),
        })
    }

    fn may_be_operand(&self, found: &Ty, wanted: &Ty) -> bool {
        match (self.unifier.shallow(found), wanted) {
            (Ty::Param(found), Ty::Param(wanted)) => found == *wanted,
            (Ty::Param(_), _) => false,
            (Ty::Scalar(_) | Ty::Struct(..), Ty::Param(_)) => false,
            (found, wanted) => self.could_be(&found, wanted),
        }
    }

    /// Type of `-x` or `!x`, where a bound of the type of `x` has it.
    pub fn unary_by_bound(&mut self, unary: &ExprUnary, operand: &Ty) -> Option<Ty> {
        let parameter = self.bounded(operand)?;
        let (of_trait, _) = unary_trait(&unary.op);
        let (other, output) = self.bounds_by(parameter, of_trait).into_iter().next()?;
        Some(output.unwrap_or_else(|| self.output(parameter, of_trait, &other)))
    }

    /// Makes a number that is to be found what a bound of the type says that it converts to it, if one alone
    /// does. Whether a bound says so.
    pub fn is_made_by_bound(&mut self, found: &Ty, ty: &Ty, span: Span) -> bool {
        let Some(parameter) = self.bounded(ty) else {
            return false;
        };
        let bounds = self.bounds_by(parameter, "From");
        let fits = |(from, _): &&(Ty, Option<Ty>)| self.may_be_operand(found, from);
        let fitting: Vec<Ty> = bounds.iter().filter(fits).map(|it| it.0.clone()).collect();
        match &*fitting {
            [from] => self.expect(found, from, span),
            _ => false,
        }
    }

    /// The number that an expression without a type is in the generic function that this one is an instance of.
    pub fn told_by_template(&mut self, expr: &Expr, found: &Ty) {
        let Some(template) = self.program.functions[self.owner].template else {
            return;
        };
        let told = self.program.functions[template].typed.of(expr).ty.clone();
        if let (Ty::Var(_), Some(told @ Ty::Scalar(_))) = (self.unifier.shallow(found), told) {
            self.unifier.unify(found, &told);
        }
    }

    /// Type of `T::from(x)`, where a bound of `T` has it.
    pub fn conversion_by_bound(&mut self, expr: &Expr, call: &ExprCall, path: &Path) -> Option<Ty> {
        let segments: Vec<&Ident> = path.segments.iter().map(|part| &part.ident).collect();
        let ([owner, function], Some(argument)) = (&*segments, call.args.first()) else {
            return None;
        };
        let ty = self.arguments.types.get(&owner.to_string())?.clone();
        if *function != "from" || call.args.len() != 1 {
            return None;
        }
        let bounds = match ty {
            Ty::Param(parameter) if self.bounded(&ty).is_some() => {
                self.bounds_by(parameter, "From")
            }
            Ty::Scalar(_) => {
                let name = owner.to_string();
                let mut found = self.written_bounds(&name, &ty, "From");
                let traits = self.traits_written(&name, &ty);
                let traits = self.with_implied(traits, &ty);
                found.extend(self.bounds_of_traits(traits, &ty, "From"));
                found
            }
            _ => return None,
        };
        let first = bounds.first()?;
        let found = self.value(argument);
        let fits = |(other, _): &&(Ty, Option<Ty>)| self.may_be_operand(&found, other);
        let (from, _) = bounds.iter().find(fits).unwrap_or(first).clone();
        self.expect(&found, &from, argument);
        match ty {
            Ty::Scalar(scalar) => {
                let (node, span) = (self.typed.id(expr), call.func.span());
                self.standard_function(node, scalar, "from", &[found], span)
            }
            _ => {
                self.typed.note(expr).callee = Some(Callee::Convert);
                Some(ty)
            }
        }
    }

    /// The type of an element as the generic function has it that this one is an instance of.
    fn general_element(&self, node: &Expr, element: &Ty) -> Option<Ty> {
        match self.program.functions[self.owner].template {
            None => Some(self.unifier.deep(element)),
            Some(template) => self.program.functions[template].typed.of(node).ty.clone(),
        }
    }

    /// Whether an element is of a type parameter of which bounds tell what it has, or has a part of one.
    pub fn is_element_by_bound(&self, node: &Expr, element: &Ty) -> bool {
        let general = self.general_element(node, element);
        general.is_some_and(|general| unbounded(self.program, &general).is_some())
    }

    /// Whether the host reads zeroes for an element out of bounds: a generic function, whatever its
    /// instances have for elements, unless it names a case itself. Functions of the standard library are
    /// Rust's own there.
    pub fn reads_zeroes(&self, node: &Expr, element: &Ty) -> bool {
        let general = self.general_element(node, element);
        !self.program.is_standard(self.owner)
            && general.is_some_and(|general| self.program.without_zero(&general).is_none())
    }
}

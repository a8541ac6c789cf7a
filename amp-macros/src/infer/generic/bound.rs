//! What type parameters have that are bounded by traits of modules.
//!
//! Inside a generic function nothing is known of `S: Shape` but the trait. So each function
//! of a trait is a generic function of the program without a body, whose first parameter
//! is `Self`; it types the calls in the function's own host version. Instances call the functions
//! of the `impl` blocks.

use amp_spirv::tree::Scalar;
use proc_macro2::{Ident, Span};
use syn::{
    Expr, ExprCall, ExprMethodCall, FnArg, GenericParam, Generics, ItemFn, ItemTrait, Path,
    ReceiverKind, TraitItem, TraitItemFn, Type, TypeParam, Visibility, parse_quote,
    parse_quote_spanned, spanned::Spanned,
};

use super::{BoundFunction, GenericCall};
use crate::{
    infer::{
        context::FnCx,
        names::{Meaning, Names},
        program::Program,
        trait_arguments::TraitRef,
        trait_definition::TraitDef,
        ty::Ty,
        type_expr::turbofish,
        typed::{Known, Resolved},
    },
    language::name::is_standard_trait,
    suggest::suggest,
};

/// The functions of a trait, each as a generic one of `Self` and of the trait's parameters. A trait with
/// lifetimes has none that bounds could use.
pub fn functions(item: &ItemTrait) -> Vec<ItemFn> {
    let mut parameters = item.generics.params.iter();
    if parameters.any(|parameter| matches!(parameter, GenericParam::Lifetime(_))) {
        return Vec::new();
    }
    let functions = item.items.iter().filter_map(|part| match part {
        TraitItem::Fn(function) => Some(declared(function, &item.generics)),
        _ => None,
    });
    functions.collect()
}

fn declared(function: &TraitItemFn, of_trait: &Generics) -> ItemFn {
    let mut sig = function.sig.clone();
    let own = TypeParam::from(Ident::new("Self", Span::call_site()));
    let of_trait = of_trait.params.iter().cloned().map(|mut parameter| {
        match &mut parameter {
            GenericParam::Type(parameter) => parameter.default = None,
            GenericParam::Const(parameter) => parameter.default = None,
            GenericParam::Lifetime(_) => {}
        }
        parameter
    });
    let all = std::iter::once(GenericParam::Type(own)).chain(of_trait);
    sig.generics.params = all.chain(sig.generics.params).collect();
    if let Some(FnArg::Receiver(receiver)) = sig.inputs.first_mut() {
        let span = receiver.self_token.span();
        let ty: Option<Type> = match &receiver.kind {
            ReceiverKind::Value => Some(parse_quote_spanned!(span=> Self)),
            ReceiverKind::Reference(and, _, mutability) => {
                Some(parse_quote_spanned!(span=> #and #mutability Self))
            }
            _ => None,
        };
        if let Some(ty) = ty {
            receiver.kind = ReceiverKind::Typed(syn::Token![:](span), Box::new(ty));
        }
    }
    ItemFn {
        attrs: Vec::new(),
        vis: Visibility::Inherited,
        modifiers: syn::FnModifiers::default(),
        sig,
        block: parse_quote!({ loop {} }),
    }
}

impl Program {
    /// The first of a parameter's bounds that a type does not have, as far as it is known
    /// here: rustc proves the others on the host version.
    pub fn unmet_bound<'b>(&self, names: &Names, bounds: &'b [String], ty: &Ty) -> Option<&'b str> {
        let is_met = |bound: &str| match bound.rsplit("::").next() {
            Some(name) if let Ty::Param(own) = ty => self.may_be(*own, name),
            _ if let Some(Meaning::Trait(index)) = names.get(bound) => {
                self.implements(ty, &self.traits[index])
            }
            Some("Scalar") => is_number(ty),
            Some("Integer") => {
                is_number(ty) && matches!(ty, Ty::Scalar(scalar) if scalar.is_integer())
            }
            Some("Float") => matches!(ty, Ty::Scalar(Scalar::F32 | Scalar::F64)),
            Some("Ord") => self.is_ordered(ty),
            _ => true,
        };
        let mut bounds = bounds.iter().map(String::as_str);
        bounds.find(|bound| !is_met(bound))
    }

    /// Whether a parameter's own bounds may imply another one.
    fn may_be(&self, parameter: usize, bound: &str) -> bool {
        let mut own = self.type_params[parameter].bounds.iter();
        let implies = |own: &String| match own.rsplit("::").next().unwrap_or(own) {
            own if own == bound => true,
            "Float" | "Integer" | "Atomic" | "AtomicInteger" => true,
            // One of a module may.
            own => !is_standard_trait(own),
        };
        !matches!(bound, "Scalar" | "Float" | "Integer") || own.any(implies)
    }

    /// Whether what an instance of a generic function is depends on what the bounds say, those of
    /// traits of modules, and of `std::ops`.
    pub fn depends_on_bounds(&self, function: usize) -> bool {
        let function = &self.functions[function];
        let mut parameters = function.parameters.types.iter();
        parameters.any(|index| {
            let parameter = &self.type_params[*index];
            !parameter.is_scalar && parameter.closure.is_none() && !parameter.bounds.is_empty()
        })
    }

    /// Whether values of a type have a total order, as far as it is known here.
    pub fn is_ordered(&self, ty: &Ty) -> bool {
        let is_own = || {
            let mut methods = self.methods.iter();
            methods.any(|method| method.is_of_library("Ord") && method.is_for(ty))
        };
        match ty {
            Ty::Scalar(scalar) => !scalar.is_float(),
            Ty::Unit | Ty::Var(_) | Ty::Error | Ty::Never => true,
            Ty::Tuple(_) | Ty::Array(..) => ty.parts().all(|part| self.is_ordered(part)),
            Ty::Struct(index, applied) => {
                let fields = || self.fields(*index, applied);
                is_own()
                    || self.structs[*index].derives("Ord")
                        && fields().iter().all(|(_, field)| self.is_ordered(field))
            }
            Ty::Enum(index) => is_own() || self.enums[*index].derives("Ord"),
            Ty::Param(index) => {
                let mut bounds = self.type_params[*index].bounds.iter();
                bounds.any(|bound| match bound.rsplit("::").next().unwrap_or(bound) {
                    "Ord" | "Integer" | "AtomicInteger" => true,
                    // One of a module may be.
                    name => !is_standard_trait(name),
                })
            }
            _ => false,
        }
    }

    /// Whether a type may implement a trait: some block for it has a function of the trait.
    fn implements(&self, ty: &Ty, of: &TraitDef) -> bool {
        let mut methods = self.methods.iter();
        of.functions.is_empty() || methods.any(|method| method.may_be_of(of) && method.is_for(ty))
    }
}

/// Whether a type is a `Scalar`.
fn is_number(ty: &Ty) -> bool {
    match ty {
        Ty::Scalar(scalar) => {
            !matches!(scalar, Scalar::Bool | Scalar::Usize | Scalar::Isize) && !scalar.is_half()
        }
        _ => false,
    }
}

impl FnCx<'_> {
    /// Type of `s.area()` for a parameter `S: Shape`, if a bound has the method.
    pub fn bound_method(
        &mut self,
        expr: &Expr,
        call: &ExprMethodCall,
        receiver: &Ty,
    ) -> Option<Ty> {
        let Ty::Param(parameter) = receiver else {
            return None;
        };
        let name = call.method.to_string();
        let function = self.bound_function(*parameter, &name, &call.method)?;
        if !function.has_receiver {
            return None;
        }
        self.written_receiver(function.template, call);
        Some(self.generic_call(GenericCall {
            node: self.typed.id(expr),
            span: call.method.span(),
            template: function.template,
            of_trait: &function.of_trait,
            turbofish: call.turbofish.as_ref(),
            owner: Some(receiver),
            skipped: 1,
            arguments: call.args.iter().collect(),
        }))
    }

    /// Type of `S::new()` for a parameter `S: Shape`, if a bound has the function.
    pub fn bound_call(&mut self, expr: &Expr, call: &ExprCall, path: &Path) -> Option<Ty> {
        let [owner, function] = &*path.segments.iter().collect::<Vec<_>>() else {
            return None;
        };
        let owner = self.arguments.types.get(&owner.ident.to_string())?.clone();
        let Ty::Param(parameter) = owner else {
            return None;
        };
        let function = self.bound_function(parameter, &function.ident.to_string(), path)?;
        Some(self.call_of_bound(expr, call, (path, &function), &owner))
    }

    /// Type of a call of a function that a bound of the owner declares.
    pub fn call_of_bound(
        &mut self,
        expr: &Expr,
        call: &ExprCall,
        (path, function): (&Path, &BoundFunction),
        owner: &Ty,
    ) -> Ty {
        self.generic_call(GenericCall {
            node: self.typed.id(expr),
            span: call.func.span(),
            template: function.template,
            of_trait: &function.of_trait,
            turbofish: turbofish(path),
            owner: Some(owner),
            skipped: 0,
            arguments: call.args.iter().collect(),
        })
    }

    /// `S::SIDES` for a parameter `S: Shape`, if a bound has the constant, by this trait if one is named.
    pub fn bound_constant(
        &mut self,
        parameter: usize,
        name: &str,
        named: Option<&TraitRef>,
    ) -> Option<(Resolved, Ty)> {
        let traits = self.traits_of(parameter).into_iter();
        let mut traits = traits.filter(|it| named.is_none_or(|named| named.of == it.of));
        let (of, ty) = traits.find_map(|of| {
            let mut constants = self.program.traits[of.of].constants.iter();
            let (_, ty) = constants.find(|(known, _)| known == name)?;
            Some((of, ty.clone()))
        })?;
        let ty = self.within_trait(&of, &Ty::Param(parameter), |cx| cx.read_type(&ty));
        Some((Resolved::Known(Known::OfBound(of.of)), ty))
    }

    /// What to write instead of a member that the bounds of a parameter do not have.
    pub fn bound_help(&mut self, parameter: usize, name: &str) -> String {
        let traits = self.traits_of(parameter);
        let functions = traits
            .iter()
            .flat_map(|of| &self.program.traits[of.of].functions);
        let names = functions.map(|function| function.name.as_str());
        suggest(name, names).unwrap_or_else(|| {
            let ident = &self.program.type_params[parameter].shown;
            format!(
                "bound `{ident}` by `Scalar`, or by an `#[amp_fn] trait` that has it; \
                 or pass a closure"
            )
        })
    }
}

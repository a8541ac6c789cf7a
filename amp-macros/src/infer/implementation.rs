//! Members of types: the functions and constants of the `impl` blocks of kernels, found by the type
//! that they are called on.
//!
//! Inherent members come before those of traits, as in Rust. Whether a trait is in scope
//! is for rustc to say, on the host version.

use amp_spirv::diagnostic::Code;
use proc_macro2::Span;
use syn::{
    Expr, ExprCall, ExprMethodCall, ImplItem, ItemFn, ItemImpl, Path, Type, spanned::Spanned,
};

use super::{
    choice::{Chosen, Members},
    context::FnCx,
    generic::GenericCall,
    names::{Meaning, Names},
    node::NodeId,
    program::{Method, Program, TypeConst},
    signature,
    trait_arguments::{self, TraitRef},
    ty::{Arguments, Ty},
    type_expr::{scalar, turbofish},
};
use crate::{import::implementation, language::name::path_key, report::Report};

/// How many parameters a block has that are types or constants.
pub fn parameters(block: &ItemImpl) -> usize {
    let lifetimes = block.generics.lifetimes().count();
    block.generics.params.len() - lifetimes
}

/// Notes the constants of an `impl` block that rustc hands over.
pub fn constants(program: &mut Program, block: &ItemImpl, names: &Names) {
    if parameters(block) > 0 {
        return;
    }
    // What cannot be read is reported where the block is compiled.
    let mut elsewhere = Report::default();
    let none = Arguments::default();
    let owner = signature::written(program, &block.self_ty, names, &none, &mut elsewhere);
    for part in &block.items {
        if let ImplItem::Const(constant) = part
            && implementation::computed(block, constant).is_none()
        {
            let ty = signature::written(program, &constant.ty, names, &none, &mut elsewhere);
            program.type_consts.push(TypeConst {
                owner: owner.clone(),
                name: constant.ident.to_string(),
                ty,
            });
        }
    }
}

/// Notes a function of an `impl` block.
pub fn function(
    program: &mut Program,
    block: &ItemImpl,
    (item, function): (&ItemFn, usize),
    entry: &str,
    names: &Names,
    arguments: &Arguments,
) {
    let mut elsewhere = Report::default();
    let owner = match implementation::referred(block).unwrap_or(&block.self_ty) {
        // Only the compiler's own blocks are of slices.
        Type::Slice(slice) => {
            let element =
                signature::written(program, &slice.elem, names, arguments, &mut elsewhere);
            Ty::Slice(Box::new(element))
        }
        ty => signature::written(program, ty, names, arguments, &mut elsewhere),
    };
    let name = item.sig.ident.to_string();
    let is_handed_over = block.items.iter().any(|part| {
        matches!(part, ImplItem::Const(constant) if constant.ident == item.sig.ident
            && implementation::computed(block, constant).is_none())
    });
    let of_arguments = trait_arguments::of_block(program, block, names, arguments);
    program.methods.push(Method {
        is_handed_over,
        owner,
        of_arguments,
        of_trait: implementation::trait_name(block),
        trait_id: implementation::trait_id(block),
        block: entry.to_owned(),
        is_constant: block.items.iter().any(
            |part| matches!(part, ImplItem::Const(constant) if constant.ident == item.sig.ident),
        ),
        name,
        has_receiver: implementation::has_receiver(item),
        function,
    });
}

impl FnCx<'_> {
    /// The type whose member a path names in this function.
    fn named_owner(&mut self, path: &Path) -> Option<Ty> {
        let text = path_key(path);
        let (owner, _) = text.rsplit_once("::")?;
        match self.names.get(owner).or_else(|| self.of_core(owner)) {
            Some(Meaning::Struct(index)) if self.program.structs[index].is_bundle => {
                Some(Ty::Bundle(index))
            }
            Some(Meaning::Struct(index)) => {
                let applied = self.applied(index, path, path.segments.len() - 2);
                Some(Ty::Struct(index, applied))
            }
            Some(Meaning::Enum(index)) => Some(Ty::Enum(index)),
            Some(_) => None,
            None if let Some(ty) = self.arguments.types.get(owner) => Some(ty.clone()),
            None => scalar(owner).map(Ty::Scalar),
        }
    }

    /// The type of a constant whose path tells it: `Vec2::DIMENSIONS`.
    pub fn constant_of_type(&mut self, path: &Path) -> Option<Ty> {
        let name = path.segments.last()?.ident.to_string();
        let owner = self.named_owner(path)?;
        let consts = &self.program.type_consts;
        let found = consts
            .iter()
            .find(|constant| constant.owner == owner && constant.name == name)?;
        Some(found.ty.clone())
    }

    /// Type of `Vec2::ZERO`, a constant that is computed where it is named.
    pub fn computed_constant(&mut self, expr: &Expr, path: &Path) -> Option<Ty> {
        let name = path.segments.last()?.ident.to_string();
        let owner = self.named_owner(path)?;
        let first = path.segments.first()?.ident.to_string();
        let of_parameter = self.arguments.types.contains_key(&first);
        let declared_by = self.trait_of_constant(expr);
        self.constant_of_block(expr, (&owner, &name), of_parameter, declared_by.as_ref())
    }

    /// Type of a constant of a type, if the blocks of kernels have it.
    pub(super) fn constant_of_block(
        &mut self,
        expr: &Expr,
        (owner, name): (&Ty, &str),
        of_parameter: bool,
        declared_by: Option<&TraitRef>,
    ) -> Option<Ty> {
        let methods = self.program.methods.iter();
        // The type's own go before those of traits.
        let function = methods
            .filter(|method| {
                method.is_constant
                    && (of_parameter || !method.is_handed_over)
                    && method.name == name
                    && self.fits(owner, &method.owner)
                    && declared_by.is_none_or(|of| self.is_declared_by(method, of))
            })
            .min_by_key(|method| method.of_trait.is_some())?
            .function;
        Some(self.call_constant(self.typed.id(expr), function, owner, expr.span()))
    }

    /// Type of a constant that is computed where it is named.
    fn call_constant(&mut self, node: NodeId, function: usize, owner: &Ty, span: Span) -> Ty {
        if self.is_generic(function) {
            return self.generic_call(GenericCall {
                node,
                span,
                template: function,
                of_trait: &[],
                turbofish: None,
                owner: Some(owner),
                skipped: 0,
                arguments: Vec::new(),
            });
        }
        self.calls(node, function, span);
        self.program.functions[function].result.clone()
    }

    /// Whether a function has generic parameters, its block's included.
    pub(super) fn is_generic(&self, function: usize) -> bool {
        !self.program.functions[function].parameters.is_empty()
    }

    /// Whether a trait of a module declares a function. What is not certain, rustc has to prove.
    fn is_declared_by(&self, method: &Method, declared_by: &TraitRef) -> bool {
        let of_trait = &self.program.traits[declared_by.of];
        let mut arguments = declared_by.arguments.iter().zip(&method.of_arguments);
        let may_be =
            method.may_be_of(of_trait) && arguments.all(|(told, known)| self.fits(told, known));
        if may_be && method.trait_id.is_none() {
            let pair = (method.block.clone(), of_trait.id.clone());
            self.program.assumed.borrow_mut().insert(pair);
        }
        may_be
    }

    /// The functions of a type with this name: all, or those that a trait declares.
    pub(super) fn members(
        &self,
        owner: Option<&Ty>,
        name: &str,
        declared_by: Option<&TraitRef>,
    ) -> Members {
        let Some(owner) = owner.filter(|ty| !matches!(ty, Ty::Var(_) | Ty::Error)) else {
            return Members::default();
        };
        let methods = self.program.methods.iter().enumerate();
        let members = methods.filter(|(_, method)| {
            !method.is_constant
                && method.name == name
                && self.fits(owner, &method.owner)
                && declared_by.is_none_or(|of| self.is_declared_by(method, of))
        });
        let (standard, own): (Vec<usize>, Vec<usize>) =
            members.map(|(position, _)| position).partition(|position| {
                let function = self.program.methods[*position].function;
                self.program.is_standard(function)
            });
        // A float has it of its own, which Rust prefers to that of a trait.
        let is_inherent = name == "total_cmp" && matches!(owner, Ty::Scalar(_));
        let is_standard = own.is_empty() || is_inherent && declared_by.is_none();
        // What all types have that compare, this one may not have.
        Members(
            match is_standard && self.program.has_standard(owner, name) {
                true => standard,
                false => own,
            },
        )
    }

    /// Whether a type has a function of this name that is of no trait.
    pub fn has_of_its_own(&self, owner: &Ty, name: &str) -> bool {
        let Members(known) = self.members(Some(owner), name, None);
        let mut known = known.iter().map(|known| &self.program.methods[*known]);
        known.any(|method| method.of_trait.is_none())
    }

    /// The one of these members that is called, if that is generic, and no other could be:
    /// what its arguments are is then told by its parameters.
    fn generic_member(&self, Members(known): &Members) -> Option<&Method> {
        let mut methods = known
            .iter()
            .map(|position| &self.program.methods[*position]);
        let inherent = methods.clone().find(|method| method.of_trait.is_none());
        let only = methods.next().filter(|_| known.len() == 1);
        let chosen = inherent.or(only)?;
        self.is_generic(chosen.function).then_some(chosen)
    }

    /// Type of `Vec2::new(..)`, `Vec2::length(&v)` or `Shape::area(&v)`, if the path leads
    /// to a type or trait that may have functions of a module.
    pub fn call_of_member(&mut self, expr: &Expr, call: &ExprCall, path: &Path) -> Option<Ty> {
        let text = path_key(path);
        let (owner, name) = text.rsplit_once("::")?;
        let of_trait = match self.names.get(owner) {
            Some(Meaning::Trait(of)) => Some(self.trait_of_path(of, path, path.segments.len() - 2)),
            _ => None,
        };
        let ty = self.named_owner(path);
        let declared_by = self.trait_called(expr);
        if let (Some(Ty::Scalar(scalar)), None, None) = (&ty, &of_trait, &declared_by)
            && self.is_built_in(name, *scalar)
        {
            return None;
        }
        let is_user = matches!(ty, Some(Ty::Struct(..) | Ty::Bundle(_) | Ty::Enum(_)));
        if let Some(ty) = &ty {
            self.program.declare_standard(ty, name, expr.span());
        }
        let known = self.members(ty.as_ref(), name, declared_by.as_ref());
        if of_trait.is_none() && known.0.is_empty() && !is_user {
            return None;
        }
        let traits = (of_trait.as_ref(), declared_by.as_ref());
        self.called_member(expr, call, path, ty, traits, &known)
    }

    /// Type of a call of one of these members, or of a trait's function.
    pub(super) fn called_member(
        &mut self,
        expr: &Expr,
        call: &ExprCall,
        path: &Path,
        ty: Option<Ty>,
        (of_trait, declared_by): (Option<&TraitRef>, Option<&TraitRef>),
        known: &Members,
    ) -> Option<Ty> {
        let name = path.segments.last()?.ident.to_string();
        let name = &*name;
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let told = of_trait.or(declared_by).map(|of| of.arguments.clone());
        let mut told = told.unwrap_or_default();
        // Beside a number's own conversions stand those of the library.
        let is_among_others = matches!(ty, Some(Ty::Scalar(_)))
            && declared_by.is_none()
            && matches!(name, "from" | "try_from");
        let template = self.generic_member(known).map(|method| method.function);
        if let Some(template) = template.filter(|_| !is_among_others) {
            return Some(self.generic_call(GenericCall {
                node: self.typed.id(expr),
                span: call.func.span(),
                template,
                turbofish: turbofish(path),
                of_trait: &told,
                owner: ty.as_ref(),
                skipped: 0,
                arguments,
            }));
        }
        let found: Vec<Ty> = arguments.iter().map(|part| self.argument(part)).collect();
        if let Some(Ty::Scalar(scalar)) = ty
            && declared_by.is_none()
            && let Some(result) =
                self.standard_function(self.typed.id(expr), scalar, name, &found, call.func.span())
        {
            return Some(result);
        }
        let known = ty.as_ref().and_then(|ty| self.chosen(known, ty, 0, &found));
        let known = match (known, of_trait) {
            (None, Some(of_trait)) => self.function_of_trait(path, of_trait, name, &found),
            (known, _) => known,
        };
        let function = match (known, of_trait, &ty) {
            (Some(Chosen::Function(function)), ..) => Some(function),
            (Some(Chosen::OfBound(bound)), ..) => {
                told = bound.of_trait;
                Some(bound.template)
            }
            (Some(Chosen::ByResult(functions)), ..) => {
                self.pass(functions[0], 0, &arguments, &found, &*call.func);
                return Some(self.undecided(self.typed.id(expr), call.func.span(), functions));
            }
            (Some(Chosen::Unknown), ..) => {
                self.refuse_several(call.func.span(), name);
                None
            }
            (None, Some(_), _) => None,
            (None, None, Some(ty))
                if name == "default"
                    && found.is_empty()
                    && let Some(result) =
                        self.derived_default(self.typed.id(expr), ty, call.func.span()) =>
            {
                return Some(result);
            }
            (None, None, Some(ty)) => {
                let message = format!("{} has no function `{name}` in kernels", self.show(ty));
                let help = self.members_help(ty, name);
                self.report
                    .error_help(Code::UnknownMember, path, message, help);
                None
            }
            (None, None, None) => None,
        };
        let Some(function) = function else {
            found.iter().for_each(|found| self.unifier.poison(found));
            return Some(Ty::Error);
        };
        if self.is_generic(function) {
            let found: Vec<Ty> = found.iter().map(|found| self.unifier.deep(found)).collect();
            let values = found.iter().map(Ty::target);
            let operands: Vec<(&Ty, &Expr)> = values.zip(arguments).collect();
            let (node, span) = (self.typed.id(expr), call.func.span());
            let result = self.generic_operation(node, function, &operands, span);
            self.tell_called(&told, span);
            return Some(result);
        }
        self.pass(function, 0, &arguments, &found, &*call.func);
        self.calls(expr, function, call.func.span());
        Some(self.program.functions[function].result.clone())
    }

    fn function_of_trait(
        &mut self,
        path: &Path,
        of_trait: &TraitRef,
        name: &str,
        found: &[Ty],
    ) -> Option<Chosen> {
        let first = found.first().map(|first| self.unifier.deep(first));
        let first = first.as_ref();
        if first == Some(&Ty::Error) {
            return None;
        }
        if let Some(first) = first.map(Ty::target) {
            let mut known = self.members(Some(first), name, Some(of_trait));
            let methods = &self.program.methods;
            known.0.retain(|position| methods[*position].has_receiver);
            let chosen = self.chosen(&known, first, 0, found);
            if chosen.is_some() {
                return chosen;
            }
            if let Some(bound) = self.function_of_bound(of_trait, name, first) {
                return Some(Chosen::OfBound(bound));
            }
        }
        let of_trait = &self.program.traits[of_trait.of].name;
        let message = match first {
            Some(first) => format!(
                "{} has no `{of_trait}::{name}` in kernels",
                self.show(first.target())
            ),
            None => format!("nothing says whose `{of_trait}::{name}` it is"),
        };
        let supplied = first.and_then(|first| self.supplied_help(first.target(), name));
        let help = supplied.unwrap_or_else(|| {
            "write an `#[amp_fn] impl` of the trait for the type of the first argument".to_owned()
        });
        self.report
            .error_help(Code::UnknownMember, path, message, help);
        None
    }

    /// Type of `receiver.method(..)`, if a module gives the receiver this method.
    pub fn method_of_module(
        &mut self,
        expr: &Expr,
        call: &ExprMethodCall,
        receiver: &Ty,
        name: &str,
    ) -> Option<Ty> {
        if let Some(found) = self.bound_method(expr, call, receiver) {
            return Some(found);
        }
        let declared_by = self.trait_called(expr);
        let receiver = &self.unifier.deep(receiver);
        self.program
            .declare_standard(receiver, name, call.method.span());
        let known = self.members(Some(receiver), name, declared_by.as_ref());
        let told = declared_by.as_ref().map_or(&[][..], |of| &of.arguments);
        if known.0.is_empty() {
            return None;
        }
        let arguments: Vec<&Expr> = call.args.iter().collect();
        if let Some(method) = self.generic_member(&known)
            && method.has_receiver
        {
            let template = method.function;
            self.written_receiver(template, call);
            return Some(self.generic_call(GenericCall {
                node: self.typed.id(expr),
                span: call.method.span(),
                template,
                of_trait: told,
                turbofish: call.turbofish.as_ref(),
                owner: Some(receiver),
                skipped: 1,
                arguments,
            }));
        }
        let found: Vec<Ty> = arguments.iter().map(|part| self.argument(part)).collect();
        let (function, others) = match self.chosen(&known, receiver, 1, &found)? {
            Chosen::Function(function) => (function, None),
            Chosen::OfBound(bound) => (bound.template, None),
            Chosen::ByResult(functions) => (functions[0], Some(functions)),
            Chosen::Unknown => {
                found.iter().for_each(|found| self.unifier.poison(found));
                return Some(self.refuse_several(call.method.span(), name));
            }
        };
        let mut methods = self.program.methods.iter();
        if methods.any(|method| method.function == function && !method.has_receiver) {
            let message = format!("`{name}` is called on the type, not on a value");
            let help = format!(
                "write `{}::{name}(..)`",
                self.show(receiver).replace('`', "")
            );
            self.report
                .error_help(Code::UnknownMember, &call.method, message, help);
            found.iter().for_each(|found| self.unifier.poison(found));
            return Some(Ty::Error);
        }
        self.written_receiver(function, call);
        if self.is_generic(function) {
            let of = std::iter::once((receiver, &*call.receiver));
            let found: Vec<Ty> = found.iter().map(|found| self.unifier.deep(found)).collect();
            let values = found.iter().map(Ty::target).zip(arguments);
            let operands: Vec<(&Ty, &Expr)> = of.chain(values).collect();
            let (node, span) = (self.typed.id(expr), call.method.span());
            let result = self.generic_operation(node, function, &operands, span);
            self.tell_called(told, span);
            return Some(result);
        }
        self.pass(function, 1, &arguments, &found, &call.method);
        if let Some(functions) = others {
            return Some(self.undecided(self.typed.id(expr), call.method.span(), functions));
        }
        self.calls(expr, function, call.method.span());
        Some(self.program.functions[function].result.clone())
    }

    /// Requires that a method which writes to its receiver is called on a place.
    pub fn written_receiver(&mut self, function: usize, call: &ExprMethodCall) {
        let params = &self.program.functions[function].params;
        if let Some(Ty::Reference { mutable: true, .. }) = params.first().map(|param| &param.ty) {
            self.lends(&call.receiver);
        }
    }
}

//! Calls of generic helpers: what a call spells out, and what its arguments tell.

use amp_spirv::diagnostic::Code;
use proc_macro2::Span;
use syn::{AngleBracketedGenericArguments, Expr, GenericArgument, Type};

use super::substitution::Substitution;
use crate::infer::{
    context::{FnCx, Pending},
    node::{NodeId, bare},
    ty::{Kind, Len, Parameters, Ty},
    type_expr::{TypeScope, argument_expr},
};

/// A call of a generic function: what is written, and where.
pub struct GenericCall<'a> {
    /// The call.
    pub node: NodeId,
    /// Where the function is named.
    pub span: Span,
    /// The function.
    pub template: usize,
    /// The arguments of its trait, if a bound declares it.
    pub of_trait: &'a [Ty],
    /// `::<..>` behind its name.
    pub turbofish: Option<&'a AngleBracketedGenericArguments>,
    /// The type that it is called on: the first parameters are its `impl` block's.
    pub owner: Option<&'a Ty>,
    /// How many parameters are no arguments of the call: 1 for a method.
    pub skipped: usize,
    /// The arguments.
    pub arguments: Vec<&'a Expr>,
}

impl FnCx<'_> {
    /// Type of a call of a generic helper or member.
    pub fn generic_call(&mut self, call: GenericCall) -> Ty {
        let function = &self.program.functions[call.template];
        let parameters = function.parameters.clone();
        let params = function.params.iter().skip(call.skipped);
        let wanted: Vec<Ty> = params.map(|param| param.ty.clone()).collect();
        let result = function.result.clone();
        let (mut types, lengths) = self.fresh_arguments(&call, &parameters);
        if let Some(owner) = call.owner {
            self.owner_tells(
                call.template,
                owner,
                &parameters,
                (&types, &lengths),
                call.span,
            );
        }
        let substitution = Substitution {
            parameters: &parameters,
            types: &types,
            lengths: &lengths,
        };
        self.tell_trait(call.template, call.of_trait, &substitution, call.span);
        let count = call.arguments.len();
        self.count_arguments(call.template, call.skipped, count, call.span);
        let mut closures = Vec::new();
        for (i, argument) in call.arguments.into_iter().enumerate() {
            let Some(wanted) = wanted.get(i) else {
                let found = self.argument(argument);
                self.unifier.poison(&found);
                continue;
            };
            // Closures last: their parameters may have types that the others tell.
            if let Ty::Param(param) = wanted
                && let Some(signature) = self.program.type_params[*param].closure.clone()
            {
                closures.push((argument, *param, signature));
                continue;
            }
            let substitution = Substitution {
                parameters: &parameters,
                types: &types,
                lengths: &lengths,
            };
            let wanted = substitution.ty(wanted);
            let found = self.argument(argument);
            self.coerce(&found, &wanted, argument);
            self.told_by_others(&parameters, &types, &lengths, call.span);
        }
        self.told_by_bounds(call.template, &types);
        self.told_by_others(&parameters, &types, &lengths, call.span);
        for (argument, param, (inputs, output)) in closures {
            let substitution = Substitution {
                parameters: &parameters,
                types: &types,
                lengths: &lengths,
            };
            let inputs: Vec<Ty> = inputs.iter().map(|ty| substitution.ty(ty)).collect();
            let output = substitution.ty(&output);
            let found = self.passed_closure(argument, &inputs, &output);
            if let Some(position) = parameters.types.iter().position(|at| *at == param) {
                types[position] = found;
            }
        }
        let substitution = Substitution {
            parameters: &parameters,
            types: &types,
            lengths: &lengths,
        };
        let result = substitution.ty(&result);
        self.pending.push(Pending {
            call: call.node,
            span: call.span,
            template: call.template,
            types,
            lengths,
        });
        result
    }

    /// Whether an expression calls a generic function.
    pub fn is_generic_call(&self, expr: &Expr) -> bool {
        let node = self.typed.id(expr);
        self.pending.iter().any(|pending| pending.call == node)
    }

    /// Arguments as far as the call spells them out; else something that is still to be
    /// found.
    fn fresh_arguments(
        &mut self,
        call: &GenericCall,
        parameters: &Parameters,
    ) -> (Vec<Ty>, Vec<Len>) {
        let of_block = parameters.of_block;
        let mut written: Vec<GenericArgument> = Vec::new();
        if let Some(arguments) = call.turbofish {
            written = arguments.args.iter().cloned().collect();
            let all = parameters.order.len() - of_block;
            let wanted = all - self.program.unnamed(parameters);
            if ![wanted, all].contains(&written.len()) {
                let called = &self.program.functions[call.template].item.sig.ident;
                let message = format!(
                    "`{called}` has {wanted} generic parameters, found {} arguments",
                    written.len()
                );
                self.report.error_help(
                    Code::Arity,
                    arguments,
                    message,
                    "name all of them, with `_` for what the call tells, or leave all out",
                );
                written.clear();
            }
        }
        let (mut types, mut lengths) = (Vec::new(), Vec::new());
        for (i, is_const) in parameters.order.iter().enumerate() {
            let written = i.checked_sub(of_block).and_then(|i| written.get(i));
            if *is_const {
                let index = parameters.consts[lengths.len()];
                lengths.push(self.length_argument(written, index));
            } else {
                types.push(self.type_argument(written));
            }
        }
        types.resize_with(parameters.types.len(), || self.unifier.fresh(Kind::Any));
        (types, lengths)
    }

    /// A const argument. One that is to be found is a constant without an owner.
    pub(super) fn length_argument(
        &mut self,
        written: Option<&GenericArgument>,
        parameter: usize,
    ) -> Len {
        let ty = self.program.consts[parameter].ty.clone();
        let expr = written
            .filter(|argument| !matches!(argument, GenericArgument::Type(Type::Infer(_))))
            .and_then(argument_expr);
        match expr {
            Some(expr) => self.number(&expr, &ty),
            None => {
                let name = self.program.consts[parameter].text.clone();
                self.program.open_length(name)
            }
        }
    }

    /// Type of a closure as an argument, which its parameter's bound describes.
    fn passed_closure(&mut self, argument: &Expr, inputs: &[Ty], output: &Ty) -> Ty {
        let written = match argument {
            Expr::Reference(reference) => bare(&reference.expr),
            argument => argument,
        };
        let found = match written {
            Expr::Closure(closure) => self.closure(written, closure, Some(inputs)),
            _ => self.argument(argument),
        };
        let (params, result) = match self.unifier.shallow(&found) {
            Ty::Closure(index) => {
                let closure = &self.program.closures[index];
                (closure.params.clone(), closure.result.clone())
            }
            Ty::Param(param) if let Some(signature) = &self.program.type_params[param].closure => {
                signature.clone()
            }
            Ty::Error => return Ty::Error,
            other => {
                let message = format!("expected a closure, found {}", self.show(&other));
                self.unifier.poison(&other);
                self.report.error_help(
                    Code::TypeMismatch,
                    argument,
                    message,
                    "pass `|x| ..`, or the name of a closure",
                );
                return Ty::Error;
            }
        };
        if params.len() != inputs.len() {
            let message = format!(
                "the closure has {} parameters, but is called with {}",
                params.len(),
                inputs.len()
            );
            self.report.error_help(
                Code::Arity,
                argument,
                message,
                "give it the parameters that the helper's bound names",
            );
            return Ty::Error;
        }
        for (param, input) in params.iter().zip(inputs) {
            self.expect(input, param, argument);
        }
        self.expect(&result, output, argument);
        found
    }
}

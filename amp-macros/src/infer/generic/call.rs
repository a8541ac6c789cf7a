//! Calls of generic helpers: what a call spells out, and what its arguments tell.

use amp_spirv::diagnostic::Code;
use proc_macro2::Span;
use quote::ToTokens;
use syn::{Expr, ExprCall, GenericArgument, PathArguments, Type, spanned::Spanned};

use super::{Parameters, substitution::Substitution};
use crate::infer::{
    function::FnCx,
    key,
    program::ConstDef,
    ty::{Kind, Len, Ty},
    type_expr::{TypeScope, argument_expr, literal_usize},
};

/// The call of a generic helper whose arguments are not all known yet.
pub struct Pending {
    pub(super) call: usize,
    pub(super) span: Span,
    pub(super) template: usize,
    pub(super) types: Vec<Ty>,
    pub(super) lengths: Vec<Len>,
}

impl FnCx<'_> {
    /// Type of a call of a generic helper.
    pub fn generic_call(&mut self, expr: &Expr, call: &ExprCall, template: usize) -> Ty {
        let function = &self.program.functions[template];
        let parameters = function.parameters.clone();
        let wanted: Vec<Ty> = function
            .params
            .iter()
            .map(|param| param.ty.clone())
            .collect();
        let result = function.result.clone();
        let (mut types, lengths) = self.fresh_arguments(call, template, &parameters);
        self.count_arguments(template, 0, call.args.len(), &*call.func);
        let mut closures = Vec::new();
        for (i, argument) in call.args.iter().enumerate() {
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
        }
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
            call: key(expr),
            span: call.func.span(),
            template,
            types,
            lengths,
        });
        result
    }

    /// Arguments as far as the call spells them out; else something that is still to be
    /// found. A length that is to be found is a constant that nobody owns.
    fn fresh_arguments(
        &mut self,
        call: &ExprCall,
        template: usize,
        parameters: &Parameters,
    ) -> (Vec<Ty>, Vec<Len>) {
        let mut written: Vec<GenericArgument> = Vec::new();
        if let Expr::Path(path) = &*call.func
            && let Some(last) = path.path.segments.last()
            && let PathArguments::AngleBracketed(arguments) = &last.arguments
        {
            written = arguments.args.iter().cloned().collect();
            if written.len() != parameters.order.len() {
                let called = &self.program.functions[template].item.sig.ident;
                let message = format!(
                    "`{called}` has {} generic parameters, found {} arguments",
                    parameters.order.len(),
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
            let written = written.get(i);
            if *is_const {
                let index = parameters.consts[lengths.len()];
                lengths.push(self.length_argument(written, index));
            } else {
                types.push(match written {
                    Some(GenericArgument::Type(ty)) if !matches!(ty, Type::Infer(_)) => {
                        self.read_type(ty)
                    }
                    _ => self.unifier.fresh(Kind::Any),
                });
            }
        }
        (types, lengths)
    }

    fn length_argument(&mut self, written: Option<&GenericArgument>, parameter: usize) -> Len {
        let ty = self.program.consts[parameter].ty.clone();
        let expr = written
            .filter(|argument| !matches!(argument, GenericArgument::Type(Type::Infer(_))))
            .and_then(argument_expr);
        match expr {
            Some(expr) if ty == Ty::USIZE => self.length(&expr),
            Some(expr) if literal_usize(&expr).is_none() || ty != Ty::USIZE => {
                let span = expr.span();
                Len::Const(self.constant(expr.to_token_stream(), Some(ty), span))
            }
            _ => {
                let name = self.program.consts[parameter].text.clone();
                self.program.consts.push(ConstDef {
                    owner: ConstDef::NOBODY,
                    expr: proc_macro2::TokenStream::new(),
                    text: name,
                    ty: Ty::Error,
                    span: Span::call_site(),
                });
                Len::Const(self.program.consts.len() - 1)
            }
        }
    }

    /// Type of a closure as an argument, which its parameter's bound describes.
    fn passed_closure(&mut self, argument: &Expr, inputs: &[Ty], output: &Ty) -> Ty {
        let found = match argument {
            Expr::Closure(closure) => self.closure(argument, closure, Some(inputs)),
            other => self.argument(other),
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

//! Members of generic types: the functions of `impl<T> Pair<T> { .. }`, whose first
//! parameters are those of the block, told by the type that they are called on.

use proc_macro2::Span;

use super::substitution::Substitution;
use crate::infer::{
    context::{FnCx, Pending},
    node::NodeId,
    program::{FunctionDef, Method, ParamDef},
    ty::{Applied, Kind, Len, Parameters, Ty},
};

impl FnCx<'_> {
    /// Makes the type for which a block stands the one that its function is called on.
    pub(super) fn owner_tells(
        &mut self,
        template: usize,
        owner: &Ty,
        parameters: &Parameters,
        (types, lengths): (&[Ty], &[Len]),
        span: Span,
    ) {
        let mut methods = self.program.methods.iter();
        let Some(method) = methods.find(|method| method.function == template) else {
            // A trait's, whose own type is its first parameter.
            self.expect(owner, &types[0], span);
            return;
        };
        let substitution = Substitution {
            parameters,
            types,
            lengths,
        };
        let wanted = substitution.ty(&method.owner);
        match (owner, &wanted) {
            // An array has the methods of slices.
            (Ty::Array(element, _), Ty::Slice(wanted)) => self.expect(element, wanted, span),
            _ => self.expect(owner, &wanted, span),
        };
    }

    /// Whether a type may be the one for which a block of this type stands: any type is a
    /// parameter of the block.
    pub fn fits(&self, found: &Ty, pattern: &Ty) -> bool {
        match (self.unifier.shallow(found), pattern) {
            (_, Ty::Param(_)) => true,
            (Ty::Struct(index, found), Ty::Struct(of, wanted)) => {
                let mut types = found.types.iter().zip(&wanted.types);
                let mut lengths = found.lengths.iter().zip(&wanted.lengths);
                index == *of
                    && types.all(|(found, wanted)| self.could_be(found, wanted))
                    && lengths.all(|(found, wanted)| match (found, wanted) {
                        (Len::Literal(found), Len::Literal(wanted)) => found == wanted,
                        _ => true,
                    })
            }
            (Ty::Array(found, m), Ty::Array(wanted, n)) => {
                let lengths = matches!((m, n), (Len::Literal(_), Len::Literal(_)));
                (m == *n || !lengths) && self.could_be(&found, wanted)
            }
            (Ty::Array(found, _) | Ty::Slice(found), Ty::Slice(wanted)) => {
                self.could_be(&found, wanted)
            }
            (Ty::Tuple(found), Ty::Tuple(wanted)) => {
                let mut parts = found.iter().zip(wanted);
                found.len() == wanted.len()
                    && parts.all(|(found, wanted)| self.could_be(found, wanted))
            }
            (found, wanted) => found == *wanted,
        }
    }

    /// Whether an operand may be the second of an operator's function, whose first tells what the parameters of
    /// its block stand for.
    pub fn fits_second(&self, function: usize, first: &Ty, second: &Ty) -> bool {
        let [own, _] = &*self.program.functions[function].params else {
            return false;
        };
        let mut told = Vec::new();
        self.stand_for(first.target(), own.ty.target(), &mut told);
        self.fits_behind(function, 1, &told, std::slice::from_ref(second))
    }

    /// Whether the type that a function is called on, and arguments behind its `skipped` first parameters, may be
    /// those of its block.
    pub fn fits_arguments(
        &self,
        method: &Method,
        owner: &Ty,
        skipped: usize,
        found: &[Ty],
    ) -> bool {
        let mut told = Vec::new();
        self.stand_for(owner.target(), &method.owner, &mut told);
        self.fits_behind(method.function, skipped, &told, found)
    }

    fn fits_behind(
        &self,
        function: usize,
        skipped: usize,
        told: &[(usize, Ty)],
        found: &[Ty],
    ) -> bool {
        let FunctionDef {
            params, parameters, ..
        } = &self.program.functions[function];
        let of = |index: &usize| {
            let found = told.iter().find(|(known, _)| known == index);
            found.map_or(Ty::Param(*index), |(_, ty)| ty.clone())
        };
        let types: Vec<Ty> = parameters.types.iter().map(of).collect();
        let lengths: Vec<Len> = parameters.consts.iter().map(|at| Len::Const(*at)).collect();
        let substitution = Substitution {
            parameters,
            types: &types,
            lengths: &lengths,
        };
        let behind = params.get(skipped..).unwrap_or_default();
        let fits = |(param, found): (&ParamDef, &Ty)| {
            match substitution.ty(param.ty.target()) {
                // A parameter of the function that calls it is that type alone.
                Ty::Param(index) if !parameters.types.contains(&index) => {
                    match self.unifier.shallow(found.target()) {
                        Ty::Var(var) => self.unifier.kind(var) == Kind::Any,
                        Ty::Error | Ty::Never => true,
                        found => found == Ty::Param(index),
                    }
                }
                wanted => self.could_be(found, &wanted),
            }
        };
        behind.len() == found.len() && behind.iter().zip(found).all(fits)
    }

    /// What the parameters in a pattern stand for, as far as it is known.
    fn stand_for(&self, found: &Ty, pattern: &Ty, told: &mut Vec<(usize, Ty)>) {
        match (self.unifier.shallow(found), pattern) {
            (_, Ty::Param(index)) => {
                let found = self.unifier.deep(found);
                if !self.is_open(&found) {
                    told.push((*index, found));
                }
            }
            (found, pattern) => {
                let parts = found.parts().zip(pattern.parts());
                parts.for_each(|(found, pattern)| self.stand_for(found, pattern, told));
            }
        }
    }

    /// The call of `from` that an `into` is.
    pub fn made_from(
        &mut self,
        node: NodeId,
        function: usize,
        result: &Ty,
        receiver: &Ty,
        span: Span,
    ) {
        let parameters = self.program.functions[function].parameters.clone();
        if parameters.is_empty() {
            let made = self.program.functions[function].result.clone();
            self.expect(result, &made, span);
            self.calls(node, function, span);
            return;
        }
        let Applied { types, lengths } = self.open(&parameters);
        let substitution = Substitution {
            parameters: &parameters,
            types: &types,
            lengths: &lengths,
        };
        let wanted = &self.program.functions[function];
        let made = substitution.ty(&wanted.result);
        let from = wanted
            .params
            .first()
            .map(|param| substitution.ty(&param.ty));
        self.expect(result, &made, span);
        if let Some(from) = from {
            self.expect(receiver, &from, span);
        }
        self.told_by_others(&parameters, &types, &lengths, span);
        self.pending.push(Pending {
            call: node,
            span,
            template: function,
            types,
            lengths,
        });
    }

    /// Type of the call that an operator of a generic block is, whose operands have been
    /// found.
    pub fn generic_operation(
        &mut self,
        node: NodeId,
        template: usize,
        operands: &[(&Ty, &syn::Expr)],
        span: Span,
    ) -> Ty {
        let parameters = self.program.functions[template].parameters.clone();
        let Applied { types, lengths } = self.open(&parameters);
        let substitution = Substitution {
            parameters: &parameters,
            types: &types,
            lengths: &lengths,
        };
        let function = &self.program.functions[template];
        let params = function.params.iter();
        let wanted: Vec<Ty> = params
            .map(|param| substitution.ty(param.ty.target()))
            .collect();
        let result = substitution.ty(&function.result);
        for ((found, operand), wanted) in operands.iter().zip(&wanted) {
            self.expect(found, wanted, *operand);
        }
        self.told_by_others(&parameters, &types, &lengths, span);
        self.pending.push(Pending {
            call: node,
            span,
            template,
            types,
            lengths,
        });
        result
    }
}

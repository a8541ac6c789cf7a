//! Generic types where they are named: `Pair<f32>` in a type, `Pair { a, b }` and
//! `Pair::<f32>::new` in an expression.
//!
//! A type names all of its arguments. An expression may leave them out: the fields tell.

use amp_spirv::diagnostic::Code;
use proc_macro2::{Span, TokenStream};
use syn::{GenericArgument, Path, Type};

use crate::infer::{
    context::FnCx,
    program::{ConstDef, Program},
    ty::{Applied, Kind, Len, Parameters, Ty},
    type_expr::arguments_at,
};

impl Program {
    /// A length that is still to be found.
    pub fn open_length(&mut self, name: String) -> Len {
        self.consts.push(ConstDef {
            owner: ConstDef::NOBODY,
            expr: TokenStream::new(),
            text: name,
            ty: Ty::Error,
            span: Span::call_site(),
            within: None,
        });
        Len::Const(self.consts.len() - 1)
    }

    /// A type with its lengths as they are known by now.
    pub fn canonical_ty(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Array(element, length) => {
                let length = self.canonical_if_open(*length);
                Ty::Array(Box::new(self.canonical_ty(element)), length)
            }
            Ty::Tuple(parts) => {
                Ty::Tuple(parts.iter().map(|part| self.canonical_ty(part)).collect())
            }
            Ty::Struct(index, applied) => {
                let lengths = applied.lengths.iter();
                let applied = Applied {
                    types: applied.map(|ty| self.canonical_ty(ty)).types,
                    lengths: lengths.map(|length| self.canonical(*length)).collect(),
                };
                Ty::Struct(*index, applied)
            }
            other => other.clone(),
        }
    }
}

impl FnCx<'_> {
    /// The struct that an expression names, applied to what it says, and to what is still
    /// to be found; `segment` is where the path names it.
    pub fn applied(&mut self, index: usize, path: &Path, segment: usize) -> Applied {
        let parameters = self.program.structs[index].parameters.clone();
        let Some(arguments) = arguments_at(path, segment) else {
            return self.open(&parameters);
        };
        let given: Vec<&GenericArgument> = (arguments.args.iter())
            .filter(|argument| !matches!(argument, GenericArgument::Lifetime(_)))
            .collect();
        if given.is_empty() {
            return self.open(&parameters);
        }
        if given.len() != parameters.order.len() {
            let name = &self.program.structs[index].name;
            let message = format!(
                "`{name}` has {} generic parameters, found {} arguments",
                parameters.order.len(),
                given.len()
            );
            self.report.error_help(
                Code::Arity,
                arguments,
                message,
                "name all of them, with `_` for what the fields tell, or leave all out",
            );
            return self.open(&parameters);
        }
        let mut applied = Applied::default();
        for (argument, is_const) in given.into_iter().zip(&parameters.order) {
            if *is_const {
                let parameter = parameters.consts[applied.lengths.len()];
                let length = self.length_argument(Some(argument), parameter);
                applied.lengths.push(length);
            } else {
                let ty = self.type_argument(Some(argument));
                applied.types.push(ty);
            }
        }
        applied
    }

    /// Arguments that are all still to be found.
    pub fn open(&mut self, parameters: &Parameters) -> Applied {
        let lengths = parameters.consts.iter().map(|parameter| {
            let name = self.program.consts[*parameter].text.clone();
            self.program.open_length(name)
        });
        Applied {
            lengths: lengths.collect(),
            types: parameters
                .types
                .iter()
                .map(|_| self.unifier.fresh(Kind::Any))
                .collect(),
        }
    }

    /// A type argument, which may be left to be found.
    pub fn type_argument(&mut self, written: Option<&GenericArgument>) -> Ty {
        match written {
            Some(GenericArgument::Type(ty)) if !matches!(ty, Type::Infer(_)) => self.read_type(ty),
            _ => self.unifier.fresh(Kind::Any),
        }
    }
}

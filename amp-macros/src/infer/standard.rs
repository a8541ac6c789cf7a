//! Methods of the standard library's numbers that are functions in the kernel language: each is
//! declared when a kernel calls it.

use amp_spirv::tree::Scalar;
use proc_macro2::Span;
use syn::{Expr, ItemFn, spanned::Spanned};

use super::{
    context::FnCx,
    names::{Meaning, Names},
    program::FunctionDef,
    signature,
    ty::{Arguments, Parameters, Ty},
    typed::{Library, Typed},
};
use crate::{
    attribute::TaskKind,
    language::standard::{self, Source},
    message,
    report::Report,
};

/// The start of the ids of these functions.
const STANDARD: &str = "standard";

impl FnCx<'_> {
    /// The function that a scalar has by this name.
    pub fn standard(&self, name: &str, scalar: Scalar) -> Option<Source> {
        let is_within = self.program.functions[self.owner].id.starts_with(STANDARD);
        standard::find(name, scalar, self.program.index, is_within)
    }

    /// Type of a call of such a function, whose first `skipped` parameters are not among the
    /// arguments.
    pub fn standard_call(
        &mut self,
        expr: &Expr,
        (source, scalar): (Source, Scalar),
        arguments: &[&Expr],
        skipped: usize,
        span: Span,
    ) -> Ty {
        let Some(function) = self.declared(source, scalar, expr) else {
            self.lost_arguments(arguments.iter().copied());
            return Ty::Error;
        };
        let params = self.program.functions[function].params.iter();
        let wanted: Vec<Ty> = params.skip(skipped).map(|param| param.ty.clone()).collect();
        self.arguments(source.name, arguments, &wanted, span);
        self.typed.note(expr).library = Some(Library::Standard(scalar, source));
        self.calls(expr, function, span);
        self.program.functions[function].result.clone()
    }

    /// The function of the program. What can fault is there for each call, in whose place it
    /// stands.
    fn declared(&mut self, source: Source, scalar: Scalar, call: &Expr) -> Option<usize> {
        let id = format!("{STANDARD} {}::{}", scalar.name(), source.name);
        if let Some(Meaning::Function(known)) = self.program.library.get(&id) {
            return Some(*known);
        }
        let tokens = source.tokens(scalar, self.program.index, call.span());
        let mut item: ItemFn = syn::parse2(tokens).ok()?;
        message::rewrite(&mut item);
        let (names, arguments) = (Names::default(), Arguments::default());
        let mut report = Report::default();
        let kind = TaskKind::Function;
        let (params, result) =
            signature::function(self.program, &item, &names, kind, &arguments, &mut report);
        let index = self.program.functions.len();
        if source.host.is_none() {
            let library = &mut self.program.library;
            library.insert(id.clone(), Meaning::Function(index));
        }
        self.program.functions.push(FunctionDef {
            entry: id.clone(),
            id,
            names,
            item: item.into(),
            body: None,
            params,
            result,
            typed: Typed::default(),
            within: None,
            is_member: false,
            parameters: Parameters::default(),
            arguments,
            template: None,
            outlined: None,
        });
        Some(index)
    }
}

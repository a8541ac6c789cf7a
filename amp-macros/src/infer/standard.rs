//! Methods of numbers, vectors and matrices that are functions in the kernel language: each is
//! declared when a kernel calls it.

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
    language::{owner::Owner, source::Source},
    message,
    report::{Locate, Report},
};

/// The start of the ids of these functions.
const STANDARD: &str = "standard";

impl FnCx<'_> {
    /// The function that a type has by this name.
    pub fn standard(&self, name: &str, owner: Owner) -> Option<Source> {
        let is_within = self.program.functions[self.owner].id.starts_with(STANDARD);
        owner.find(name, self.program.index, is_within)
    }

    /// Type of a call of such a function, whose first `skipped` parameters are not among the
    /// arguments.
    pub fn standard_call(
        &mut self,
        expr: &Expr,
        (source, owner): (Source, Owner),
        arguments: &[&Expr],
        skipped: usize,
        place: impl Locate,
    ) -> Ty {
        let Some(function) = self.declared(source, owner, expr.span()) else {
            self.lost_arguments(arguments.iter().copied());
            return Ty::Error;
        };
        let params = self.program.functions[function].params.iter();
        let wanted: Vec<Ty> = params.skip(skipped).map(|param| param.ty.clone()).collect();
        let place = place.locate();
        match arguments {
            [argument] if skipped == 0 && source.takes_reference() => {
                let found = self.read_argument(argument);
                self.expect(&found, &wanted[0], *argument);
            }
            _ => self.arguments(source.name, arguments, &wanted, place),
        }
        self.typed.note(expr).library = Some(Library::Source(owner, source));
        self.calls(expr, function, place.first);
        self.program.functions[function].result.clone()
    }

    /// The function of the program. What can fault is there for each call, in whose place it
    /// stands.
    pub fn declared(&mut self, source: Source, owner: Owner, call: Span) -> Option<usize> {
        let id = format!("{STANDARD} {}::{}", owner.name(), source.name);
        if let Some(Meaning::Function(known)) = self.program.library.get(&id) {
            return Some(*known);
        }
        let tokens = owner.tokens(&source, self.program.index, call);
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
            is_const: false,
            parameters: Parameters::default(),
            arguments,
            template: None,
            outlined: None,
        });
        Some(index)
    }
}

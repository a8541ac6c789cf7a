//! Instances: a generic helper with what its calls give its parameters.

use amp_spirv::diagnostic::Code;
use proc_macro2::Span;

use super::projection;
use crate::{
    attribute::TaskKind,
    infer::{
        context::{FnCx, Pending},
        names::Meaning,
        program::FunctionDef,
        shown::name,
        signature,
        ty::{Applied, Arguments, Kind, Len, Parameters, Ty},
        typed::{Callee, Typed},
    },
};

/// More functions than any kernel needs.
const MOST_FUNCTIONS: usize = 2000;

impl FnCx<'_> {
    /// Makes the instances that were called, now that all types are known.
    pub fn settle_instances(&mut self, typed: &mut Typed) {
        for pending in std::mem::take(&mut self.pending) {
            let Pending {
                call,
                span,
                template,
                types,
                lengths,
            } = pending;
            let (types, lengths) = self.found_arguments(&types, &lengths);
            if types.contains(&Ty::Error) {
                continue;
            }
            let function = &self.program.functions[template];
            let parameters = function.parameters.clone();
            let called = function.item.sig.ident.to_string();
            let open_type = types.iter().position(|ty| self.is_open(ty));
            let open_length = lengths.iter().position(|len| self.program.is_nobodys(*len));
            let unknown = match (open_type, open_length) {
                (Some(at), _) => Some(self.program.type_params[parameters.types[at]].shown.clone()),
                (_, Some(at)) => Some(self.program.consts[parameters.consts[at]].text.clone()),
                _ => None,
            };
            if let Some(name) = unknown {
                self.report.error_help(
                    Code::UnknownType,
                    span,
                    format!("nothing tells the parameter `{name}` of `{called}` here"),
                    format!("write it: `{called}::<..>(..)`, with all of its parameters"),
                );
                continue;
            }
            // What is wrong here already would be wrong in the instance too.
            if !self.report.is_clean() {
                continue;
            }
            let is_open = self.is_unset(&types, &lengths);
            if !self.are_within_bounds(template, &types, span) {
                continue;
            }
            let index = match is_open {
                true => template,
                false if let Some(chosen) = self.chosen_by_type(template, &types, span) => {
                    let Some(index) = chosen else { continue };
                    index
                }
                false => match self.instance(template, &types, &lengths, span) {
                    Some(index) => index,
                    None => return,
                },
            };
            typed.note(call).callee = Some(Callee::Helper(index));
            let told = Applied { types, lengths };
            typed.note(call).told = Some(Box::new((parameters, told)));
            typed.callees.push((index, span));
        }
    }

    /// Whether the types have what the bounds of a helper's parameters say; reports the first
    /// that does not, at the call.
    fn are_within_bounds(&mut self, template: usize, types: &[Ty], span: Span) -> bool {
        let function = &self.program.functions[template];
        let parameters = function.parameters.types.iter();
        let unmet = parameters.zip(types).find_map(|(parameter, ty)| {
            let parameter = &self.program.type_params[*parameter];
            let bound = self
                .program
                .unmet_bound(&function.names, &parameter.bounds, ty)?;
            let is_own = matches!(function.names.get(bound), Some(Meaning::Trait(_)));
            Some((parameter.ident.clone(), bound.to_owned(), is_own, ty))
        });
        let Some((parameter, bound, is_own, own)) = unmet else {
            return true;
        };
        // Of an instance, the helper itself is refused: its own bounds do not imply this one.
        if self.program.functions[self.owner].template.is_some() {
            self.program.broken = true;
            return false;
        }
        let (called, ty) = (function.item.sig.ident.to_string(), name(self.program, own));
        let help = match bound.as_str() {
            _ if let Ty::Param(_) = own => format!("write `{ty}: {bound}`"),
            _ if is_own => format!("write `#[amp_fn] impl {bound} for {ty}` beside the type"),
            "Scalar" => "a `Scalar` is a number of fixed width, an integer or a float".to_owned(),
            "Integer" => "an `Integer` is an integer of fixed width".to_owned(),
            "Float" => "a `Float` is `f32` or `f64`".to_owned(),
            "Ord" if !has_float(own) => {
                "derive its order, `#[derive(PartialEq, Eq, PartialOrd, Ord)]`, \
                or write an `#[amp_fn] impl Ord` beside the type"
                    .to_owned()
            }
            "Ord" if matches!(&*called, "min" | "max") => match own {
                Ty::Scalar(_) => format!("floats have no `Ord`: use the method, `a.{called}(b)`"),
                _ => "floats have no `Ord`: choose by `if a < b { .. } else { .. }`".to_owned(),
            },
            "Ord" => "floats have no `Ord`: compare with `total_cmp`, as in \
                      `a.sort_by(|x, y| x.total_cmp(y))`"
                .to_owned(),
            _ => format!("write `#[amp_fn] impl {bound} for {ty}` beside the type"),
        };
        let article = if matches!(&*bound, "Ord" | "Integer") {
            "an"
        } else {
            "a"
        };
        self.report.error_help(
            Code::Generic,
            span,
            format!(
                "`{ty}` is not {article} `{bound}`, which `{called}` requires of `{parameter}`"
            ),
            help,
        );
        if self.program.is_standard(template) {
            return false;
        }
        let text = format!("the parameter `{parameter}` of `{called}` is declared here");
        self.report.note(&parameter, text);
        false
    }

    /// The instance of a function without arguments for the type that its block is of.
    pub fn instance_for(&mut self, template: usize, owner: &Ty, span: Span) -> Option<usize> {
        let parameters = self.program.functions[template].parameters.clone();
        if parameters.is_empty() {
            return Some(template);
        }
        let types = parameters
            .types
            .iter()
            .map(|_| self.unifier.fresh(Kind::Any));
        let types: Vec<Ty> = types.collect();
        let lengths = parameters.consts.iter().map(|index| {
            let name = self.program.consts[*index].text.clone();
            self.program.open_length(name)
        });
        let lengths: Vec<Len> = lengths.collect();
        self.owner_tells(template, owner, &parameters, (&types, &lengths), span);
        let equal = std::mem::take(&mut self.unifier.equal_lengths);
        self.program.equal_lengths.extend(equal);
        let (types, lengths) = self.found_arguments(&types, &lengths);
        match self.is_unset(&types, &lengths) {
            true => Some(template),
            false => self.instance(template, &types, &lengths, span),
        }
    }

    /// The arguments of parameters, as far as they are known.
    fn found_arguments(&self, types: &[Ty], lengths: &[Len]) -> (Vec<Ty>, Vec<Len>) {
        let types = types
            .iter()
            .map(|ty| self.program.canonical_ty(&self.unifier.defaulted(ty)));
        let lengths = lengths.iter().map(|len| self.program.canonical(*len));
        (types.collect(), lengths.collect())
    }

    /// Whether arguments have parameters of this function in them: in a generic helper itself, the bounds are all that
    /// is known.
    fn is_unset(&self, types: &[Ty], lengths: &[Len]) -> bool {
        let own = &self.program.functions[self.owner].parameters.consts;
        let mut lengths = lengths.iter();
        let unset =
            lengths.any(|length| matches!(length, Len::Const(index) if own.contains(index)));
        unset || types.iter().any(has_parameter)
    }

    fn instance(
        &mut self,
        template: usize,
        types: &[Ty],
        lengths: &[Len],
        span: Span,
    ) -> Option<usize> {
        let program = &mut *self.program;
        program.functions[template].read_body();
        let function = &program.functions[template];
        let mut arguments = Arguments::default();
        for (param, ty) in function.parameters.types.iter().zip(types) {
            let param = &program.type_params[*param];
            if param.projection.is_none() {
                arguments.types.insert(param.ident.to_string(), ty.clone());
            }
        }
        for (param, length) in function.parameters.consts.iter().zip(lengths) {
            let name = program.consts[*param].text.clone();
            arguments.lengths.insert(name, *length);
        }
        let (item, names) = (function.item.clone(), function.names.clone());
        let mut known = Parameters::default();
        projection::declare(program, &item, &names, None, &mut known, &mut arguments);
        let function = &program.functions[template];
        let known = program
            .functions
            .iter()
            .position(|other| other.template == Some(template) && other.arguments == arguments);
        if known.is_some() {
            return known;
        }
        if program.functions.len() > MOST_FUNCTIONS {
            self.report.error_help(
                Code::Generic,
                span,
                format!(
                    "this kernel calls more than {MOST_FUNCTIONS} instances of generic helpers"
                ),
                "call them with fewer different types and lengths",
            );
            return None;
        }
        let (id, entry) = (function.id.clone(), function.entry.clone());
        let (is_member, is_const) = (function.is_member, function.is_const);
        let (params, result) = signature::function(
            program,
            &item,
            &names,
            TaskKind::Function,
            &arguments,
            self.report,
        );
        program.functions.push(FunctionDef {
            id,
            entry,
            names,
            item,
            body: None,
            params,
            result,
            typed: Typed::default(),
            within: None,
            is_member,
            is_const,
            parameters: Parameters::default(),
            arguments,
            template: Some(template),
            outlined: None,
        });
        Some(program.functions.len() - 1)
    }
}

/// Whether a type has type parameters in it.
pub(super) fn has_parameter(ty: &Ty) -> bool {
    matches!(ty, Ty::Param(_)) || ty.parts().any(has_parameter)
}

/// Whether a type has floats in it, as far as its parts tell.
fn has_float(ty: &Ty) -> bool {
    matches!(ty, Ty::Scalar(scalar) if scalar.is_float()) || ty.parts().any(has_float)
}

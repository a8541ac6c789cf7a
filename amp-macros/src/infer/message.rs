//! Messages: what the arguments of a format string can be.

use amp_spirv::{artifact::MESSAGE_WORDS, diagnostic::Code, tree::Scalar};
use syn::{Expr, ExprCall};

use super::{
    context::{FnCx, PendingMessage},
    ty::{Len, Ty},
    typed::Callee,
};
use crate::{
    message::{
        self, Told,
        format::{Format, Trait, Use},
    },
    report::{Locate, Place},
};

/// The most texts that one message has.
const MOST_FORMS: u32 = 64;

impl FnCx<'_> {
    /// What an assertion, a panic or a print became.
    pub fn told(&mut self, expr: &Expr, call: &ExprCall, told: Told) -> Ty {
        self.typed.note(expr).callee = Some(Callee::Told(told));
        let mut operands = Vec::new();
        for argument in call.args.iter().skip(1) {
            operands.push((self.value(argument), argument.locate()));
        }
        // It has been written by `message`, which writes no wrong ones.
        let text = message::format_of(call);
        let format = Format::parse(&text, 0, operands.len(), &[]).unwrap_or_default();
        for used in &format.uses {
            if let Use::Count(number) = *used {
                let (ty, place) = operands[number].clone();
                self.expect(&ty, &Ty::USIZE, place);
            }
        }
        self.messages.push(PendingMessage { format, operands });
        match told {
            Told::Panic => {
                self.check_panic(expr);
                self.needs_result(expr);
                Ty::Never
            }
            Told::Fault | Told::Stdout | Told::Stderr => Ty::Unit,
        }
    }

    /// Reports arguments that cannot be formatted.
    pub fn settle_messages(&mut self) {
        for PendingMessage { format, operands } in std::mem::take(&mut self.messages) {
            let (mut words, mut forms) = (0, 1_u32);
            for (number, (ty, place)) in operands.iter().enumerate() {
                let ty = self.unifier.defaulted(ty);
                let Some(count) = self.words(&ty, *place) else {
                    continue;
                };
                words += count;
                forms = forms.saturating_mul(self.forms(&ty));
                for used in &format.uses {
                    if let Use::Value(of, how) = *used
                        && of == number
                    {
                        self.check_format(&ty, how, *place);
                    }
                }
            }
            let message = if words > MESSAGE_WORDS {
                format!(
                    "the arguments of a message have {MESSAGE_WORDS} numbers at most, these have \
                     {words}"
                )
            } else if forms > MOST_FORMS {
                format!(
                    "the enums in the arguments of a message have {MOST_FORMS} combinations of \
                     cases at most, these have more"
                )
            } else {
                continue;
            };
            if let Some((_, place)) = operands.first() {
                let help = "say less at a time, or write the values to a view";
                self.report.error_help(Code::Format, *place, message, help);
            }
        }
    }

    /// How many numbers a value has, if it can travel in a message.
    fn words(&mut self, ty: &Ty, place: Place) -> Option<u32> {
        let help = match ty {
            Ty::Scalar(scalar) => return Some(self.program.index.settled(*scalar).words()),
            Ty::Index(rank) | Ty::Extent(rank) => {
                return Some(rank * self.program.index.words());
            }
            Ty::Tuple(parts) => {
                return parts.iter().map(|part| self.words(part, place)).sum();
            }
            Ty::Array(element, Len::Literal(len)) => {
                return Some(len.saturating_mul(self.words(element, place)?));
            }
            Ty::Struct(index, applied) if self.program.structs[*index].derives("Debug") => {
                let fields = self.program.fields(*index, applied);
                let words = fields.iter().map(|(_, ty)| self.words(ty, place));
                let words: Vec<u32> = words.collect::<Option<_>>()?;
                let cases = self.program.structs[*index].cases.iter();
                let of_case =
                    cases.map(|case| words[case.first..][..case.fields.len()].iter().sum());
                return Some(of_case.max().unwrap_or_else(|| words.iter().sum()));
            }
            Ty::Enum(index) if self.program.enums[*index].derives("Debug") => return Some(0),
            // Reported elsewhere.
            Ty::Error | Ty::Never | Ty::Var(_) => return None,
            Ty::Array(..) => "format its elements, or write its length as a number",
            Ty::Struct(..) => "derive `Debug` for it, or format its fields",
            Ty::Enum(_) => "derive `Debug` for it, or format its number: `case as u32`",
            Ty::Tiled(_) => "format one of its indices, such as `t_idx.global`",
            _ => "format a number, an index, or a tuple or array of such",
        };
        let message = format!("a kernel cannot format {}", self.show(ty));
        self.report.error_help(Code::Format, place, message, help);
        None
    }

    /// How many texts a value has around its numbers.
    fn forms(&self, ty: &Ty) -> u32 {
        let of_all = |types: &mut dyn Iterator<Item = &Ty>| {
            types.fold(1_u32, |forms, ty| forms.saturating_mul(self.forms(ty)))
        };
        match ty {
            Ty::Struct(index, applied) => {
                let fields = self.program.fields(*index, applied);
                let cases = self.program.structs[*index].cases.iter();
                let of_cases = cases.map(|case| {
                    let fields = &fields[case.first..][..case.fields.len()];
                    of_all(&mut fields.iter().map(|(_, ty)| ty))
                });
                match of_cases.clone().next() {
                    Some(_) => of_cases.fold(0, u32::saturating_add),
                    None => of_all(&mut fields.iter().map(|(_, ty)| ty)),
                }
            }
            Ty::Enum(index) => self.program.enums[*index].variants.len() as u32,
            Ty::Tuple(parts) => of_all(&mut parts.iter()),
            Ty::Array(element, Len::Literal(len)) => self.forms(element).saturating_pow(*len),
            _ => 1,
        }
    }

    /// Reports a value that does not have this format.
    fn check_format(&mut self, ty: &Ty, how: Trait, place: Place) {
        let scalar = match ty {
            Ty::Scalar(scalar) => Some(*scalar),
            _ => None,
        };
        let is_number = scalar.is_some_and(|scalar| scalar != Scalar::Bool);
        let (fits, help) = match how {
            Trait::Debug => (true, ""),
            Trait::PrettyDebug => (
                !(ty.is_named() && has_index(ty)),
                "format the index by itself, or use `{:?}`",
            ),
            Trait::Display => (
                matches!(ty, Ty::Scalar(_) | Ty::Index(_) | Ty::Extent(_)),
                "use `{:?}`",
            ),
            Trait::LowerHex | Trait::UpperHex | Trait::Octal | Trait::Binary => (
                scalar.is_some_and(Scalar::is_integer),
                match scalar {
                    Some(scalar) if scalar.is_float() => {
                        "only integers have it: format `x.to_bits()`"
                    }
                    _ => "only integers have it",
                },
            ),
            Trait::LowerExp | Trait::UpperExp => (is_number, "only numbers have it"),
        };
        if !fits {
            let message = format!("{} does not have the format `{how:?}`", self.show(ty));
            self.report.error_help(Code::Format, place, message, help);
        }
    }
}

/// Whether an index is among the parts of a tuple or array.
fn has_index(ty: &Ty) -> bool {
    match ty {
        Ty::Index(_) | Ty::Extent(_) => true,
        Ty::Tuple(parts) => parts.iter().any(has_index),
        Ty::Array(element, _) => has_index(element),
        _ => false,
    }
}

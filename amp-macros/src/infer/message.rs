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
                let result = self.result.clone();
                self.check_panic(expr);
                self.needs_end(&result, expr);
                Ty::Never
            }
            Told::Fault | Told::Stdout | Told::Stderr => Ty::Unit,
        }
    }

    /// Reports arguments that cannot be formatted.
    pub fn settle_messages(&mut self) {
        for PendingMessage { format, operands } in std::mem::take(&mut self.messages) {
            let mut words = 0;
            for (number, (ty, place)) in operands.iter().enumerate() {
                let ty = self.unifier.defaulted(ty);
                let Some(count) = self.words(&ty, *place) else {
                    continue;
                };
                words += count;
                for used in &format.uses {
                    if let Use::Value(of, how) = *used
                        && of == number
                    {
                        self.check_format(&ty, how, *place);
                    }
                }
            }
            if words > MESSAGE_WORDS
                && let Some((_, place)) = operands.first()
            {
                self.report.error_help(
                    Code::Format,
                    *place,
                    format!(
                        "the arguments of a message have {MESSAGE_WORDS} numbers at most, these \
                         have {words}"
                    ),
                    "say less at a time, or write the values to a view",
                );
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
            // Reported elsewhere.
            Ty::Error | Ty::Never | Ty::Var(_) => return None,
            Ty::Array(..) => "format its elements, or write its length as a number",
            Ty::Struct(..) => "format its fields",
            Ty::Enum(_) => "format its number: `case as u32`",
            Ty::Tiled(_) => "format one of its indices, such as `t_idx.global`",
            _ => "format a number, an index, or a tuple or array of such",
        };
        let message = format!("a kernel cannot format {}", self.show(ty));
        self.report.error_help(Code::Format, place, message, help);
        None
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

//! What a fault leaves of a type: zeroes, and where Rust does not say that zeroes are a value, the first
//! case of an enum of the standard library's, which the host version can name.
//!
//! A type of which neither is known is refused where a fault would need a value of it.

use amp_spirv::{diagnostic::Code, tree::Scalar};

use super::{
    context::FnCx,
    program::Program,
    ty::{Applied, Ty},
};
use crate::report::Locate;

impl Program {
    /// A part of the type of which zero is no value, or not known to be one.
    pub fn without_zero(&self, ty: &Ty) -> Option<Ty> {
        match ty {
            // Rust does not say how it stores them.
            _ if (self.core_name(ty))
                .is_some_and(|name| !matches!(name, "PhantomData" | "Reverse" | "Wrapping")) =>
            {
                Some(ty.clone())
            }
            // Nor does glam.
            Ty::Vector(Scalar::Bool, _) => Some(ty.clone()),
            Ty::Enum(index) => (!self.enums[*index].has_zero()).then(|| ty.clone()),
            Ty::Array(element, _) | Ty::Slice(element) => self.without_zero(element),
            Ty::Tuple(parts) => parts.iter().find_map(|part| self.without_zero(part)),
            Ty::Struct(index, applied) => {
                let mut fields = self.of_zero(*index, applied).into_iter();
                fields.find_map(|(_, field)| self.without_zero(&field))
            }
            _ => None,
        }
    }

    /// The fields of the value of zeroes: of an enum, those of its first case.
    pub fn of_zero(&self, index: usize, applied: &Applied) -> Vec<(String, Ty)> {
        let mut fields = self.fields(index, applied);
        if let Some(case) = self.structs[index].cases.first() {
            fields = fields.split_off(case.first);
            fields.truncate(case.fields.len());
        }
        fields
    }

    /// A part of the type of which a fault leaves no value: neither zeroes nor a case of the standard
    /// library's that the host can name.
    pub fn without_end(&self, ty: &Ty) -> Option<Ty> {
        match (ty, self.standard_name(ty)) {
            _ if self.kept_slice(ty).is_some() => None,
            (_, Some("Option" | "Ordering")) => None,
            (Ty::Struct(_, applied), Some(_)) => self.without_end(&applied.types[0]),
            (Ty::Tuple(parts), _) => parts.iter().find_map(|part| self.without_end(part)),
            (Ty::Array(element, _), _) => self.without_end(element),
            (Ty::Struct(index, applied), _) if self.core_name(ty).is_none() => {
                let mut arguments = applied.types.iter();
                let mut fields = self.of_zero(*index, applied).into_iter();
                (arguments.find_map(|argument| self.without_zero(argument)))
                    .or_else(|| fields.find_map(|(_, field)| self.without_end(&field)))
            }
            _ => self.without_zero(ty),
        }
    }
}

impl FnCx<'_> {
    /// Refuses a type in which zero is no value where a fault would make one.
    pub fn needs_zero(&mut self, ty: &Ty, place: impl Locate, why: &str) {
        let ty = self.unifier.deep(ty);
        if let Some(of) = self.program.without_zero(&ty) {
            self.no_zero(of, place, why);
        }
    }

    /// Refuses a type of which a fault leaves no value.
    pub fn needs_end(&mut self, ty: &Ty, place: impl Locate, why: &str) {
        let ty = self.unifier.deep(ty);
        if let Some(of) = self.program.without_end(&ty) {
            self.no_zero(of, place, why);
        }
    }

    fn no_zero(&mut self, of: Ty, place: impl Locate, why: &str) {
        let (code, message, help) = match (self.program.core_name(&of), self.show(&of)) {
            (None, mask) if let Ty::Vector(..) = of => (
                Code::UnsupportedType,
                format!("glam promises no {mask} of zeroes, {why}"),
                "keep its `bitmask()`, a u32",
            ),
            (None, of) => (
                Code::Enumeration,
                format!("{of} has no variant of the value 0, {why}"),
                "give one variant the value 0",
            ),
            (Some(of), _) => (
                Code::Enumeration,
                format!("Rust does not say how zeroes are a value of `{of}`, {why}"),
                match of {
                    "Ordering" => "keep its number: `order as i32`",
                    "FpCategory" => "keep the float",
                    "Range" => "keep its bounds: `(r.start, r.end)`",
                    "TryFromIntError" | "Infallible" => "keep what `is_ok()` says, a bool",
                    _ => "use an `#[amp_enum]` with a generic case, whose first case is zero",
                },
            ),
        };
        self.report.error_help(code, place, message, help);
    }
}

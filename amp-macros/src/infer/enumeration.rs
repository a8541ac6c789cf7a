//! `#[amp_enum]`s: enums without fields, which are numbers to a device.
//!
//! A variant is its discriminant, of the integer type that `repr` names. rustc proves on
//! the host version that every `match` is complete; here a variant is a literal.
//!
//! What a macro cannot tell is left to rustc: a variant that is written as constants are
//! (`Axis::X`), or brought in by `use Suit::*`, is a constant of the enum's type.

use amp_spirv::{diagnostic::Code, tree::Scalar};
use syn::{Attribute, Expr, ExprLit, ItemEnum, Lit, Path, Token, UnOp, Variant};

use super::{
    context::FnCx,
    layout::padding,
    names::Meaning,
    node::bare,
    program::{EnumDef, Program, StructDef},
    ty::Ty,
    typed::Resolved,
};
use crate::{
    attribute::{ELEMENT, PADDED, has_attribute},
    language::name::path_key,
    report::Report,
    suggest::suggest,
};

impl Program {
    /// The scalar that a value of the type is on a device, if it is one.
    pub fn scalar(&self, ty: &Ty) -> Option<Scalar> {
        match ty {
            Ty::Scalar(scalar) => Some(*scalar),
            Ty::Enum(index) => Some(self.enums[*index].repr),
            _ => None,
        }
    }

    /// Whether a value of the type may be any bytes, as it has to be in an array that
    /// the host shares.
    pub fn is_any_bytes(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Scalar(scalar) | Ty::Vector(scalar, _) => scalar.is_element(),
            Ty::Matrix(_) | Ty::Param(_) | Ty::Error => true,
            Ty::Array(element, _) => self.is_any_bytes(element),
            Ty::Struct(index, applied) => {
                // A generic one may have padding for some parameters.
                let this = &self.structs[*index];
                applied.is_empty()
                    && !this.fields.is_empty()
                    && !this.is_enum()
                    && this
                        .fields
                        .iter()
                        .all(|(_, field)| self.is_any_bytes(field))
                    && padding(self, &this.fields).is_none()
            }
            _ => false,
        }
    }

    /// Bytes of the smallest scalar in a type.
    pub fn smallest_scalar(&self, ty: &Ty) -> u32 {
        match ty {
            Ty::Scalar(scalar) | Ty::Vector(scalar, _) => scalar.bits() / 8,
            Ty::Matrix(_) => 4,
            Ty::Array(element, _) => self.smallest_scalar(element),
            Ty::Struct(index, _) => {
                let fields = self.structs[*index].fields.iter();
                let scalars = fields.map(|(_, field)| self.smallest_scalar(field));
                scalars.min().unwrap_or(1)
            }
            _ => 1,
        }
    }
}

/// Reads an enum.
pub fn read(id: &str, item: &ItemEnum, report: &mut Report) -> EnumDef {
    if !item.generics.params.is_empty() {
        report.error_help(
            Code::Enumeration,
            &item.generics,
            "an `#[amp_enum]` without fields has no generic parameters",
            "remove them",
        );
    }
    if item.variants.is_empty() {
        report.error_help(
            Code::Enumeration,
            &item.ident,
            "an `#[amp_enum]` without variants has no values",
            "give it a variant",
        );
    }
    let repr = repr(&item.attrs, report);
    let mut next: i64 = 0;
    let mut variants = Vec::new();
    for variant in &item.variants {
        always_there(&variant.attrs, "a variant", report);
        if let Some((_, value)) = &variant.discriminant {
            match literal(value) {
                Some(value) => next = value,
                None => report.error_help(
                    Code::Enumeration,
                    value,
                    "the value of a variant is a number in kernels",
                    "write the number: the device's code has to know it",
                ),
            }
        }
        variants.push((variant.ident.to_string(), next as u32));
        next = next.wrapping_add(1);
    }
    EnumDef {
        name: item.ident.to_string(),
        id: id.to_owned(),
        repr,
        variants,
        default: item.variants.iter().position(is_default),
        derives: derives(&item.attrs),
    }
}

/// Whether `Default` makes the variant or case.
pub fn is_default(variant: &Variant) -> bool {
    variant.attrs.iter().any(|it| it.path().is_ident("default"))
}

/// Refuses what is a part of an enum under a condition.
pub fn always_there(attributes: &[Attribute], what: &str, report: &mut Report) {
    let conditional = attributes.iter().find(|attribute| {
        attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr")
    });
    if let Some(attribute) = conditional {
        report.error_help(
            Code::Enumeration,
            attribute,
            format!("{what} that is there under a condition"),
            "the device's code would not know; put the `cfg` on the enum, and write two",
        );
    }
}

/// The last segments of all derived traits, and the mark of an enum's struct.
pub fn derives(attributes: &[Attribute]) -> Vec<String> {
    let marks = [ELEMENT, PADDED].into_iter();
    let marks = marks.filter(|mark| has_attribute(attributes, mark));
    let derived = derived(attributes);
    let derived = derived.iter().map(name_of);
    derived.chain(marks.map(str::to_owned)).collect()
}

/// The last segment of the path of a derive.
pub fn name_of(derive: &Path) -> String {
    let last = derive.segments.last();
    last.map_or_else(String::new, |last| last.ident.to_string())
}

/// The paths of all derives.
pub fn derived(attributes: &[Attribute]) -> Vec<Path> {
    let paths = |attribute: &Attribute| {
        attribute.parse_args_with(syn::punctuated::Punctuated::<Path, Token![,]>::parse_terminated)
    };
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("derive"))
        .filter_map(|attribute| paths(attribute).ok())
        .flatten()
        .collect()
}

/// The integer type of an enum on a device, `i32` or `u32`: that of `#[repr(..)]`, or the wider one if that is
/// narrow; `i32` if there is none, as in C++.
fn repr(attributes: &[Attribute], report: &mut Report) -> Scalar {
    let mut scalar = Scalar::I32;
    for attribute in attributes {
        if !attribute.path().is_ident("repr") {
            continue;
        }
        match attribute.parse_args::<Path>().as_ref().map(path_key) {
            Ok(name) if matches!(&*name, "i8" | "i16" | "i32") => scalar = Scalar::I32,
            Ok(name) if matches!(&*name, "u8" | "u16" | "u32") => scalar = Scalar::U32,
            _ => report.error_help(
                Code::Enumeration,
                attribute,
                "an `#[amp_enum]` is a number of at most 32 bits",
                "write `#[repr(i32)]`, `#[repr(u32)]`, or a narrower one",
            ),
        }
    }
    scalar
}

fn literal(value: &Expr) -> Option<i64> {
    match bare(value) {
        Expr::Lit(ExprLit {
            lit: Lit::Int(int), ..
        }) => int.base10_parse().ok(),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => Some(-literal(&unary.expr)?),
        _ => None,
    }
}

impl FnCx<'_> {
    /// The enum of `Suit::Hearts`, and what the path means; nothing if it is no enum, or a
    /// constant that only rustc knows.
    pub fn variant(&mut self, path: &Path) -> Option<(Ty, Option<Resolved>)> {
        if let Some((ty, of, position)) = self.case_of(path) {
            return Some((ty, Some(Resolved::Case { of, position })));
        }
        let text = path_key(path);
        let (owner, name) = text.rsplit_once("::")?;
        let owner = self.names.get(owner).or_else(|| self.of_core(owner));
        let (of, variants): (&str, Vec<&str>) = match owner? {
            Meaning::Enum(of) => {
                let EnumDef {
                    name: of_enum,
                    variants,
                    ..
                } = &self.program.enums[of];
                let known = variants.iter().position(|(variant, _)| variant == name);
                if let Some(position) = known {
                    return Some((Ty::Enum(of), Some(Resolved::Variant { of, position })));
                }
                (
                    of_enum,
                    variants.iter().map(|(variant, _)| &**variant).collect(),
                )
            }
            Meaning::Struct(of) if self.program.structs[of].is_enum() => {
                let StructDef { name, cases, .. } = &self.program.structs[of];
                (name, cases.iter().map(|case| &*case.name).collect())
            }
            Meaning::Broken => return Some((Ty::Error, None)),
            _ => return None,
        };
        if name.chars().all(|letter| !letter.is_lowercase()) {
            return None;
        }
        let message = format!("`{of}` has no variant `{name}`");
        let help = suggest(name, variants);
        let error = self.report.error(Code::UnknownMember, path, message);
        error.help = help;
        Some((Ty::Error, None))
    }
}

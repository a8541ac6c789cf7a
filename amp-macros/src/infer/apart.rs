//! Values that are taken apart: patterns of tuples, arrays and structs.

use std::ops::Range;

use amp_spirv::diagnostic::Code;
use syn::{Member, Pat, PatIdent, Path, Token, punctuated::Punctuated};

use super::{
    context::FnCx,
    made::Made,
    names::Meaning,
    program::equal_to,
    ty::{Kind, Len, Ty},
};
use crate::{iterate::rest_name, language::name::path_key, suggest::suggest};

/// The patterns within a pattern, each with the position of its part among the `count` parts of
/// the value. `position` finds the field that has a name.
pub fn parts_of_pattern(
    pattern: &Pat,
    count: usize,
    position: impl Fn(&str) -> Option<usize>,
) -> Vec<(usize, &Pat)> {
    let Some(elements) = elements(pattern) else {
        let Pat::Struct(fields) = pattern else {
            return Vec::new();
        };
        let part = |field: &'_ syn::FieldPat| position(&member_name(&field.member));
        let fields = fields.fields.iter();
        return fields
            .filter_map(|field| Some((part(field)?, &*field.pat)))
            .collect();
    };
    let rest = elements.iter().position(is_rest);
    let part = |(k, element): (usize, _)| match rest {
        Some(rest) if k == rest => None,
        Some(rest) if k > rest => Some(((count + k).checked_sub(elements.len())?, element)),
        _ => Some((k, element)),
    };
    elements.iter().enumerate().filter_map(part).collect()
}

/// Whether a pattern leaves to the value what its type is.
pub fn is_told_by_value(pattern: &Pat) -> bool {
    match pattern {
        Pat::Struct(_) | Pat::TupleStruct(_) => true,
        Pat::Paren(paren) => is_told_by_value(&paren.pat),
        _ => elements(pattern).is_some_and(|parts| parts.iter().any(is_rest)),
    }
}

/// The patterns in parentheses or brackets.
fn elements(pattern: &Pat) -> Option<&Punctuated<Pat, Token![,]>> {
    match pattern {
        Pat::Tuple(tuple) => Some(&tuple.elems),
        Pat::TupleStruct(tuple) => Some(&tuple.elems),
        Pat::Slice(slice) => Some(&slice.elems),
        _ => None,
    }
}

fn is_rest(pattern: &Pat) -> bool {
    matches!(pattern, Pat::Rest(_)) || rest_name(pattern).is_some()
}

/// The name of the rest of an array of `count` elements, and the positions of these.
pub fn rest_of_pattern(pattern: &Pat, count: usize) -> Option<(&PatIdent, Range<usize>)> {
    let Pat::Slice(slice) = pattern else {
        return None;
    };
    let position = slice.elems.iter().position(is_rest)?;
    let behind = slice.elems.len() - 1 - position;
    let name = rest_name(&slice.elems[position])?;
    Some((name, position..count.checked_sub(behind)?))
}

/// A field as its name, or its number.
pub fn member_name(member: &Member) -> String {
    match member {
        Member::Named(name) => name.to_string(),
        Member::Unnamed(position) => position.index.to_string(),
    }
}

/// A part of a value, or of what a reference refers to, which is a reference too.
fn part_by(reference: Option<bool>, part: Ty) -> Ty {
    match reference {
        Some(mutable) if !matches!(part, Ty::Reference { .. } | Ty::Error) => Ty::Reference {
            mutable,
            target: Box::new(part),
        },
        _ => part,
    }
}

impl FnCx<'_> {
    /// The type that a pattern takes apart, and whether a reference to it can write: as in Rust,
    /// those of a `match` look behind references.
    pub(super) fn behind_pattern(&self, ty: &Ty, may_fail: bool) -> (Ty, Option<bool>) {
        match self.unifier.shallow(ty) {
            Ty::Reference { mutable, target } if may_fail => (*target, Some(mutable)),
            ty => (ty, None),
        }
    }

    /// A pattern in parentheses.
    pub(super) fn tuple_pattern(&mut self, pattern: &Pat, ty: &Ty, may_fail: bool) {
        let (ty, reference) = self.behind_pattern(ty, may_fail);
        let parts = match self.unifier.shallow(&ty) {
            Ty::Tuple(parts) => parts,
            Ty::Var(_) if is_told_by_value(pattern) => {
                self.report.error_help(
                    Code::UnknownType,
                    pattern,
                    "the type must be known here to leave parts of it out",
                    "give the value a type where it is declared, or use `_` for each part",
                );
                self.unifier.poison(&ty);
                return self.declare_lost(pattern);
            }
            _ => {
                let parts = elements(pattern).into_iter().flatten();
                let parts: Vec<Ty> = parts
                    .filter(|part| !is_rest(part))
                    .map(|_| self.unifier.fresh(Kind::Any))
                    .collect();
                self.expect(&ty, &Ty::Tuple(parts.clone()), pattern);
                parts
            }
        };
        let part = |k: usize| part_by(reference, parts[k].clone());
        self.parts(pattern, parts.len(), part, may_fail);
    }

    /// A pattern in brackets.
    pub(super) fn array_pattern(&mut self, pattern: &Pat, ty: &Ty, may_fail: bool) {
        let (ty, reference) = self.behind_pattern(ty, may_fail);
        let ty = match self.unifier.shallow(&ty) {
            // What a generic function returns may have a length that its arguments tell.
            Ty::Array(element, length) => {
                let mut equal = equal_to(length, &self.unifier.equal_lengths).into_iter();
                let number = equal.find(|length| matches!(length, Len::Literal(_)));
                Ty::Array(element, number.unwrap_or(length))
            }
            other => other,
        };
        match ty {
            Ty::Array(element, Len::Literal(length)) => {
                let part = |_| part_by(reference, (*element).clone());
                self.parts(pattern, length as usize, part, may_fail);
                if let Some((name, left)) = rest_of_pattern(pattern, length as usize) {
                    self.name_of_rest(name, &element, left.len(), reference.is_some(), may_fail);
                }
            }
            Ty::Error => self.declare_lost(pattern),
            other => {
                let shown = self.show(&other);
                self.report.error_help(
                    Code::UnsupportedPattern,
                    pattern,
                    format!("an array pattern for {shown}"),
                    "it takes apart arrays whose length is a number",
                );
                self.declare_lost(pattern);
            }
        }
    }

    /// The name of what an array pattern leaves out, which is an array.
    fn name_of_rest(
        &mut self,
        name: &PatIdent,
        element: &Ty,
        length: usize,
        by_reference: bool,
        may_fail: bool,
    ) {
        let (message, help) = match (by_reference, length) {
            (true, _) => (
                "a name for the rest of an array behind a reference",
                "name a slice of it: `let rest = &a[1..];`",
            ),
            (false, 0) => ("a name for no elements", "leave the name out"),
            (false, _) => {
                let rest = Ty::Array(Box::new(element.clone()), Len::Literal(length as u32));
                return self.declare_name(name, &rest, may_fail);
            }
        };
        self.report
            .error_help(Code::UnsupportedPattern, name, message, help);
        self.declare_lost(&Pat::Ident(name.clone()));
    }

    /// `Pair { a, b: (x, _), .. }` and `Pair(a, ..)`.
    pub(super) fn struct_pattern(&mut self, pattern: &Pat, path: &Path, ty: &Ty, may_fail: bool) {
        let meaning = self.names.get(&path_key(path));
        if let Some(Meaning::Struct(index)) = meaning
            && self.program.structs[index].is_bundle
        {
            self.report.error_help(
                Code::UnsupportedPattern,
                pattern,
                "a struct with views is not taken apart",
                "use its fields where they are needed",
            );
            return self.declare_lost(pattern);
        }
        let Some(Made {
            ty: made,
            name,
            mut fields,
            is_named,
            case,
        }) = self.made(path)
        else {
            match self.variant(path) {
                Some((Ty::Error, None)) => {}
                _ if meaning == Some(Meaning::Broken) => {}
                _ => self.no_struct(path),
            }
            return self.declare_lost(pattern);
        };
        let (ty, reference) = self.behind_pattern(ty, may_fail);
        self.expect(&ty, &made, path);
        for (_, field) in &mut fields {
            *field = part_by(reference, field.clone());
        }
        match pattern {
            Pat::Struct(pattern) => self.typed.note(pattern).path = case,
            Pat::TupleStruct(pattern) => self.typed.note(pattern).path = case,
            _ => {}
        }
        let Pat::Struct(named) = pattern else {
            if is_named {
                let names: Vec<&str> = fields.iter().map(|(field, _)| field.as_str()).collect();
                self.report.error_help(
                    Code::UnsupportedPattern,
                    pattern,
                    format!("the fields of `{name}` have names"),
                    format!("write `{name} {{ {} }}`", names.join(", ")),
                );
                return self.declare_lost(pattern);
            }
            return self.parts(pattern, fields.len(), |k| fields[k].1.clone(), may_fail);
        };
        let mut missing: Vec<&str> = fields.iter().map(|(field, _)| field.as_str()).collect();
        let mut is_misspelt = false;
        for part in &named.fields {
            let member = member_name(&part.member);
            missing.retain(|field| *field != member);
            match fields.iter().find(|(field, _)| *field == member) {
                Some((_, ty)) => self.take_apart(&part.pat, ty, may_fail),
                None => {
                    let help = suggest(&member, fields.iter().map(|(field, _)| field.as_str()));
                    let message = format!("`{name}` has no field `{member}`");
                    let error = self
                        .report
                        .error(Code::UnknownMember, &part.member, message);
                    error.help = help;
                    self.declare_lost(&part.pat);
                    is_misspelt = true;
                }
            }
        }
        if !missing.is_empty() && named.rest.is_none() && !is_misspelt {
            self.report.error_help(
                Code::Arity,
                pattern,
                format!(
                    "a pattern of `{name}` without `{}`",
                    missing.join("` and `")
                ),
                "name every field, or end with `..`",
            );
        }
    }

    fn no_struct(&mut self, path: &Path) {
        let shown = path_key(path);
        let help = match shown.as_str() {
            "Index" | "Extent" => {
                "take its components: `idx[0]`, or `let [i, j] = idx.to_array();`"
            }
            _ if self.names.get(&shown).is_some() => "name the case: `Shape::Circle(r)`",
            _ => "mark it with `#[amp_struct]` or `#[amp_enum]`",
        };
        self.report.error_help(
            Code::UnsupportedPattern,
            path,
            format!("`{shown}` is not a struct of kernels"),
            help,
        );
    }

    /// Declares the names in the parts of a value, of which there are `count`.
    fn parts(&mut self, pattern: &Pat, count: usize, ty: impl Fn(usize) -> Ty, may_fail: bool) {
        let all = elements(pattern).map_or(0, Punctuated::len);
        let parts = parts_of_pattern(pattern, count, |_| None);
        let rests = elements(pattern)
            .into_iter()
            .flatten()
            .filter(|part| is_rest(part));
        if let Some(second) = rests.clone().nth(1) {
            self.report.error_help(
                Code::UnsupportedPattern,
                second,
                "a second `..` in one pattern",
                "use `_` for each part that has no name",
            );
            return self.declare_lost(pattern);
        }
        let mut all_parts = elements(pattern).into_iter().flatten();
        if !matches!(pattern, Pat::Slice(_))
            && let Some(part) = all_parts.find(|part| rest_name(part).is_some())
        {
            self.report.error_help(
                Code::UnsupportedPattern,
                part,
                "a name for the rest of a value",
                "name the components, or the whole value",
            );
            return self.declare_lost(pattern);
        }
        let named = all - rests.count();
        if named > count || (named == all && named < count) {
            self.report.error_help(
                Code::Arity,
                pattern,
                format!("the pattern has {named} components, the value {count}"),
                "name every component, or use `_` or `..`",
            );
        }
        for (position, part) in parts {
            match position < count {
                true => self.take_apart(part, &ty(position), may_fail),
                false => self.declare_lost(part),
            }
        }
    }
}

//! `for` over the elements of an array or a slice: by value, or by reference.
//!
//! ```text
//! for x in a              for x in &a            for x in a.iter()
//! for (i, x) in a.iter().enumerate()             for &x in a.iter().rev()
//! ```
//!
//! The array is what any place or value of array type is. A variable of the loop that is
//! a reference names the element, as a helper's parameter does.

use amp_spirv::diagnostic::Code;
use syn::{Expr, ExprForLoop, ExprMethodCall, Pat, spanned::Spanned};

use super::{
    context::{Class, FnCx},
    ty::Ty,
    typed::Each,
};

/// The methods between the array and the loop, outermost first, and the array.
pub fn adapters(expr: &Expr) -> (Vec<&ExprMethodCall>, &Expr) {
    let mut calls = Vec::new();
    let mut at = expr;
    loop {
        at = match at {
            Expr::Paren(paren) => &paren.expr,
            Expr::Group(group) => &group.expr,
            Expr::MethodCall(call) if ADAPTERS.contains(&call.method.to_string().as_str()) => {
                calls.push(call);
                &call.receiver
            }
            _ => return (calls, at),
        }
    }
}

const ADAPTERS: &[&str] = &[
    "iter",
    "iter_mut",
    "into_iter",
    "enumerate",
    "rev",
    "copied",
    "cloned",
];

impl FnCx<'_> {
    /// Declares the variables of a `for` that is not over a range.
    pub fn each(&mut self, expr: &Expr, round: &ExprForLoop) {
        let (calls, source) = adapters(&round.expr);
        let Some((each, element)) = self.elements(&calls, source) else {
            self.declare_lost(&round.pat);
            return;
        };
        let Some(each) = each else {
            // The numbers of a range.
            return self.pattern(&round.pat, &element);
        };
        self.typed.note(expr).each = Some(each);
        let Some((pattern, position)) = each.patterns(&round.pat) else {
            self.report.error_help(
                Code::UnsupportedPattern,
                &round.pat,
                "an enumerated element without its position",
                "write `for (i, x) in a.iter().enumerate()`",
            );
            self.declare_lost(&round.pat);
            return;
        };
        if let Some(position) = position {
            self.pattern(position, &Ty::USIZE);
        }
        match (pattern, &element) {
            (Pat::Reference(reference), Ty::Reference { target, .. }) => {
                self.pattern(&reference.pat, target);
            }
            (Pat::Ident(name), Ty::Reference { .. }) => {
                self.pattern(pattern, &element);
                self.name_changing(name, source);
                self.note_own(name, source);
            }
            (Pat::Ident(_) | Pat::Wild(_), _) | (_, Ty::Error) => self.pattern(pattern, &element),
            (_, Ty::Reference { .. }) => {
                self.report.error_help(
                    Code::UnsupportedPattern,
                    pattern,
                    "a reference is taken apart",
                    "take the value apart, `for &(a, b) in ..`, or name the element",
                );
                self.declare_lost(pattern);
            }
            _ => self.pattern(pattern, &element),
        }
    }

    /// What a loop visits, and the type of its elements.
    fn elements(&mut self, calls: &[&ExprMethodCall], source: &Expr) -> Option<(Option<Each>, Ty)> {
        for call in calls {
            if let Some(argument) = call.args.first() {
                let message = format!("`{}` with an argument", call.method);
                self.report
                    .error_help(Code::Arity, argument, message, "leave it out");
                return None;
            }
        }
        let names: Vec<String> = calls
            .iter()
            .rev()
            .map(|call| call.method.to_string())
            .collect();
        let (first, rest) = match names.split_first() {
            Some((first, rest)) if matches!(&**first, "iter" | "iter_mut" | "into_iter") => {
                (Some(&**first), rest)
            }
            _ => (None, &*names),
        };
        let found = match (first, source) {
            (Some("iter" | "iter_mut"), _) => {
                let target = Box::new(self.owner_of(source));
                let mutable = first == Some("iter_mut");
                if mutable && !self.writable(source) {
                    return None;
                }
                Ty::Reference { mutable, target }
            }
            (_, Expr::Reference(reference)) => self.borrowed(source, reference),
            _ => self.expr(source),
        };
        if self.unifier.shallow(&found).is_reference() && !self.can_wait_lent(source) {
            return None;
        }
        let (reference, array) = match self.unifier.shallow(&found) {
            Ty::Reference { mutable, target } => (Some(mutable), self.unifier.shallow(&target)),
            other => (None, other),
        };
        let (element, length) = match array {
            Ty::Array(element, length) => (element, Some(length)),
            Ty::Slice(element) => (element, None),
            other
                if reference.is_none()
                    && calls.is_empty()
                    && let Some(case) = self.program.visited_case(&other) =>
            {
                let element = other.parts().next().cloned().unwrap_or(Ty::Error);
                let each = Each {
                    length: None,
                    by_reference: false,
                    enumerated: false,
                    reversed: false,
                    case: Some(case),
                };
                return Some((Some(each), element));
            }
            other => {
                let is_plain = calls.iter().all(|call| call.method == "rev");
                if let (None, true, Some(number)) =
                    (reference, is_plain, self.number_of_range(&other))
                {
                    self.oblige(&number, Class::Integer, "..", source.span());
                    return Some((None, number));
                }
                self.not_an_array(&other, source);
                return None;
            }
        };
        let mut each = Each {
            length,
            by_reference: reference.is_some(),
            enumerated: false,
            reversed: false,
            case: None,
        };
        for (name, call) in rest
            .iter()
            .zip(calls.iter().rev().skip(names.len() - rest.len()))
        {
            let fits = match &**name {
                "enumerate" if !each.enumerated && !each.reversed => {
                    each.enumerated = true;
                    true
                }
                "rev" if !each.reversed => {
                    each.reversed = true;
                    true
                }
                "copied" | "cloned" if each.by_reference && reference == Some(false) => {
                    let plain = !each.enumerated && first.is_some();
                    each.by_reference = !plain;
                    plain
                }
                _ => false,
            };
            // Of an array itself there is no iterator yet.
            if !fits || first.is_none() {
                self.report.error_help(
                    Code::UnsupportedSyntax,
                    &call.method,
                    format!("`.{name}()` here"),
                    "kernels have `a.iter()` with `copied`, `enumerate` and `rev`, in this order",
                );
                return None;
            }
        }
        let element = match reference {
            Some(mutable) if each.by_reference => Ty::Reference {
                mutable,
                target: element,
            },
            _ => *element,
        };
        Some((Some(each), element))
    }

    fn not_an_array(&mut self, found: &Ty, source: &Expr) {
        if *found == Ty::Error {
            return;
        }
        let constant = self.constant_help(source, "[f32; 9]");
        let help = match found {
            Ty::View(_) => "visit its indices: `for i in 0..a.extent()[0]`",
            Ty::Var(_) if self.names_a_constant(source) => &constant,
            Ty::Var(_) => "give it a type where it is declared: `let a: [f32; 4]`",
            _ => {
                "write `for i in a..b`, with `..=`, `.rev()` and `.step_by(n)` where needed, or \
                 loop over an array"
            }
        };
        self.report.error_help(
            Code::UnsupportedSyntax,
            source,
            "a `for` over something that is no range and no array",
            help,
        );
        self.unifier.poison(found);
    }
}

//! Iterators: what chains ask of types (see `crate::iterate`), and methods that kernels do not have.

use amp_spirv::diagnostic::Code;
use proc_macro2::Span;
use syn::{Expr, ExprMethodCall};

use super::{
    context::{Class, FnCx},
    each::adapters,
    generic::GenericCall,
    program::Program,
    ty::{Kind, Ty},
    typed::{Callee, Iteration, Typed},
};
use crate::{
    iterate::{self, own_sources},
    language::returned::METHOD,
};

impl Program {
    /// Whether a type has a method of its own that makes an iterator, by the name of one of arrays.
    fn has_own_sources(&self, ty: &Ty) -> bool {
        let mut methods = self.methods.iter();
        methods.any(|method| {
            let name = method.name.strip_prefix(METHOD);
            method.is_for(ty) && name.is_some_and(own_sources::is_doubtful)
        })
    }
}

impl FnCx<'_> {
    /// Type of a method that a chain of iterators has become.
    pub fn iteration(&mut self, expr: &Expr, call: &ExprMethodCall) -> Option<Ty> {
        let name = iterate::own(&call.method)?;
        let span = call.method.span();
        let (callee, ty) = match &*name {
            name if name == "length" || name == "into_iter" || iterate::is_of_slices(name) => {
                let owner = self.owner_of(&call.receiver);
                let owner = self.known_view(&call.receiver, owner);
                match self.unifier.shallow(&owner) {
                    option
                        if matches!(name, "length" | "iter" | "iter_mut" | "into_iter")
                            && let Some(case) = self.program.visited_case(&option) =>
                    {
                        (Callee::Iteration(Iteration::IsCase(case)), Ty::USIZE)
                    }
                    Ty::Array(_, length) => (Callee::ArrayLength(length), Ty::USIZE),
                    Ty::Slice(_) => (Callee::SliceLength, Ty::USIZE),
                    Ty::View(view) if view.rank == 1 => {
                        (Callee::Iteration(Iteration::Length), Ty::USIZE)
                    }
                    other => {
                        self.not_iterable(&other, &call.receiver);
                        return Some(Ty::Error);
                    }
                }
            }
            "empty_sum" | "empty_product" => {
                self.expr(&call.receiver);
                let what = match &*name {
                    "empty_sum" => Iteration::EmptySum,
                    _ => Iteration::EmptyProduct,
                };
                let nodes = (self.typed.id(expr), self.typed.id(call));
                self.sums.push((nodes, call.method.to_string(), span));
                (Callee::Iteration(what), self.unifier.fresh(Kind::Any))
            }
            "ordered" => {
                let found = self.value(&call.receiver);
                self.ordered(&found, span);
                (Callee::Iteration(Iteration::Ordered), found)
            }
            "like" => {
                let found = self.value(&call.receiver);
                if let Some(like) = call.args.first() {
                    let wanted = self.operand(like);
                    self.expect(&found, &wanted, like);
                }
                (Callee::Iteration(Iteration::Like), found)
            }
            "output" => {
                let found = self.value(&call.receiver);
                let result = self.unifier.shallow(&self.result.clone());
                let Ty::Struct(of, applied) = &result else {
                    // A `?` told it, or was refused.
                    return Some(Ty::Error);
                };
                let wanted = applied.types[0].clone();
                self.expect(&found, &wanted, span);
                let cases = self.program.structs[*of].cases.iter();
                let mut names = cases.map(|case| &*case.name);
                let position = names.position(|name| matches!(name, "Some" | "Ok"))?;
                let of = *of;
                (
                    Callee::Iteration(Iteration::Output { of, position }),
                    result,
                )
            }
            _ => return None,
        };
        self.typed.note(expr).callee = Some(callee);
        Some(ty)
    }

    /// Finds what sums of one's own types begin with, now that all types are known.
    pub fn settle_sums(&mut self, typed: &mut Typed) {
        for ((node, call), name, span) in std::mem::take(&mut self.sums) {
            let Some(ty @ (Ty::Struct(..) | Ty::Enum(_) | Ty::Tuple(_) | Ty::Array(..))) =
                typed.of(node).ty.clone()
            else {
                continue;
            };
            let mut methods = self.program.methods.iter();
            let own = methods.find(|method| method.name == name && self.fits(&ty, &method.owner));
            let Some(function) = own.map(|method| method.function) else {
                let of_trait = match name.ends_with("sum") {
                    true => "Sum",
                    false => "Product",
                };
                let ty = self.show(&ty);
                self.report.error_help(
                    Code::UnknownMember,
                    span,
                    format!("{ty} has no `{of_trait}` in kernels"),
                    "write it beside the type, in an `#[amp_module]` or with `#[amp_fn]`, as a fold by the type's own \
                     operator: `iter.fold(V::ZERO, |a, b| a + b)`; or fold here",
                );
                continue;
            };
            if self.is_generic(function) {
                self.generic_call(GenericCall {
                    node: call,
                    span,
                    template: function,
                    of_trait: &[],
                    turbofish: None,
                    owner: Some(&ty),
                    skipped: 0,
                    arguments: Vec::new(),
                });
                continue;
            }
            typed.note(call).callee = Some(Callee::Helper(function));
            typed.callees.push((function, span));
        }
    }

    /// Requires that values have the order that `min` and `max` want.
    fn ordered(&mut self, ty: &Ty, span: Span) {
        match self.unifier.shallow(ty) {
            Ty::Tuple(parts) => parts.iter().for_each(|part| self.ordered(part, span)),
            Ty::Array(element, _) => self.ordered(&element, span),
            Ty::Unit => {}
            other => self.oblige(&other, Class::Ordered, "cmp", span),
        }
    }

    fn not_iterable(&mut self, found: &Ty, source: &Expr) {
        let constant = self.constant_help(source, "[f32; 9]");
        let help = match found {
            Ty::Error => return,
            Ty::Var(_) if self.names_a_constant(source) => &constant,
            Ty::View(_) => "visit its rows: `for i in 0..a.extent()[0] { .. a.row(i) .. }`",
            Ty::Var(_) => "give it a type where it is declared: `let a: [f32; 4]`",
            other if self.number_of_range(other).is_some() => {
                "name the range with its type: `let r: Range<u32> = ..;`"
            }
            Ty::Struct(..) if self.program.has_own_sources(found) => {
                "of methods named as those of arrays, kernels call a type's own in its `#[amp_module]`, where a \
                 declaration tells the type: `let bag: &Bag = &bags[i];`, and then `bag.iter()`"
            }
            Ty::Struct(..) | Ty::Enum(_) if self.program.core_name(found).is_none() => {
                "a `for` visits a variable of a type with `IntoIterator` by a name, which the body takes apart: \
                 `for x in &grid { let (a, b) = x; .. }`"
            }
            _ => "kernels iterate over arrays, views of rank 1, and ranges",
        };
        let message = format!("an iterator over {}", self.show(found));
        self.report
            .error_help(Code::UnsupportedSyntax, source, message, help);
        self.unifier.poison(found);
    }
    /// Notes that a method is called on what may be the iterator of an array.
    pub fn note_iterator(&mut self, call: &ExprMethodCall) {
        let (calls, _) = adapters(&call.receiver);
        if let Some(first) = calls.last() {
            let node = self.typed.id(*first);
            self.iterators
                .entry(node)
                .or_insert_with(|| call.method.clone());
        }
    }

    /// Refuses a method of the iterator of an array, if this call makes one: that method is
    /// what kernels do not have.
    pub fn unknown_of_iterator(&mut self, call: &ExprMethodCall) -> bool {
        let Some(method) = self.iterators.remove(&self.typed.id(call)) else {
            return false;
        };
        let name = method.to_string();
        self.report.error_help(
            Code::UnknownMember,
            &method,
            format!("`{name}` of an iterator in a kernel"),
            of_iterator(&name),
        );
        true
    }

    /// Refuses a method of a range.
    pub fn method_of_range(&mut self, call: &ExprMethodCall) -> Ty {
        self.lost_arguments(&call.args);
        let name = call.method.to_string();
        self.report.error_help(
            Code::UnknownMember,
            &call.method,
            format!("`{name}` of a range in a kernel"),
            of_range(&name),
        );
        Ty::Error
    }
}

/// What to write instead of a method of a range.
fn of_range(name: &str) -> &'static str {
    match name {
        "contains" => "give the range a bound, and the method one reference: `(a..b).contains(&x)`",
        name => of_iterator(name),
    }
}

/// What to write instead of a method of an iterator.
fn of_iterator(name: &str) -> &'static str {
    match name {
        "collect" | "partition" | "unzip" => {
            "kernels allocate nothing: declare an array, and write to it in a loop, \
             `for (y, x) in y.iter_mut().zip(x.iter()) { *y = .. }`"
        }
        _ if iterate::is_known(name) => {
            "an iterator is no value: end it where it stands, as in `x.iter().map(f).sum()`, or \
             loop over it"
        }
        _ => "write it as a loop: `for x in a.iter() { .. }`",
    }
}

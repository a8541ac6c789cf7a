//! Which function of a type a call means, of those that share a name: one of the type itself before those of
//! traits; and of the blocks that give the type one trait with several arguments, `impl Conv<u8>` and
//! `impl Conv<u64>`, the one whose parameters the arguments fit, or whose result is what the call's value
//! turns out to be.
//!
//! Whether a trait is in scope is for rustc to say, which proves on the host version what is called.

use amp_spirv::diagnostic::Code;
use proc_macro2::Span;

use super::{
    context::{FnCx, Undecided},
    generic::BoundFunction,
    node::NodeId,
    program::Method,
    ty::{Kind, Ty},
};

/// Functions of a type that share a name: indices into [`Program::methods`](super::Program::methods).
#[derive(Default)]
pub(super) struct Members(pub(super) Vec<usize>);

/// What a call means, as far as its arguments tell.
pub(super) enum Chosen {
    /// One function.
    Function(usize),
    /// What a bound declares.
    OfBound(BoundFunction),
    /// One of these, which take the same.
    ByResult(Vec<usize>),
    /// Several that take different arguments.
    Unknown,
}

impl FnCx<'_> {
    /// The function that is called of these members, on a type with arguments behind the `skipped` first.
    pub(super) fn chosen(
        &self,
        Members(known): &Members,
        owner: &Ty,
        skipped: usize,
        found: &[Ty],
    ) -> Option<Chosen> {
        let methods = known
            .iter()
            .map(|position| &self.program.methods[*position]);
        // The arguments may have told more of the type.
        let methods: Vec<&Method> = methods
            .filter(|method| self.fits(owner, &method.owner))
            .collect();
        let mut inherent = methods.iter().filter(|method| method.of_trait.is_none());
        if let Some(own) = inherent.next() {
            return Some(Chosen::Function(own.function));
        }
        let params = |method: &Method| {
            let params = &self.program.functions[method.function].params;
            params.get(skipped..).unwrap_or_default()
        };
        let fits = |method: &&&Method| self.fits_arguments(method, owner, skipped, found);
        let fitting: Vec<&Method> = methods.iter().filter(fits).copied().collect();
        let first = fitting.first().or(methods.first())?;
        // Which of several traits is in scope, rustc knows.
        let others = fitting.iter().filter(|other| {
            other.of_trait == first.of_trait && other.of_arguments != first.of_arguments
        });
        let others: Vec<&&Method> = others.collect();
        if others.is_empty() {
            return Some(Chosen::Function(first.function));
        }
        let types =
            |method: &Method| -> Vec<&Ty> { params(method).iter().map(|it| &it.ty).collect() };
        let is_alike = |other: &&&Method| {
            let is_generic = !self.program.functions[other.function].parameters.is_empty();
            !is_generic && types(other) == types(first)
        };
        Some(
            match others.iter().copied().all(|other| is_alike(&other)) && is_alike(&first) {
                true => {
                    let all = std::iter::once(first.function);
                    Chosen::ByResult(
                        all.chain(others.iter().map(|other| other.function))
                            .collect(),
                    )
                }
                false => Chosen::Unknown,
            },
        )
    }

    /// Whether a value of one type may turn out to be what another says.
    pub fn could_be(&self, found: &Ty, wanted: &Ty) -> bool {
        let wanted = wanted.target();
        match self.unifier.shallow(found) {
            Ty::Error | Ty::Never => true,
            Ty::Var(var) => match (self.unifier.kind(var), wanted) {
                (Kind::Any, _) | (_, Ty::Param(_)) => true,
                (Kind::Int, Ty::Scalar(scalar)) => scalar.is_integer(),
                (Kind::Float, Ty::Scalar(scalar)) => scalar.is_float(),
                _ => false,
            },
            Ty::Tuple(found) if let Ty::Tuple(wanted) = wanted => {
                let mut pairs = found.iter().zip(wanted);
                found.len() == wanted.len() && pairs.all(|(one, other)| self.could_be(one, other))
            }
            Ty::Array(found, length)
                if let Ty::Array(wanted, same) = wanted
                    && length == *same =>
            {
                self.could_be(&found, wanted)
            }
            found => self.fits(found.target(), wanted),
        }
    }

    /// Type of a call of one of several functions, which is found when that is known.
    pub(super) fn undecided(&mut self, node: NodeId, span: Span, functions: Vec<usize>) -> Ty {
        let result = self.unifier.fresh(Kind::Any);
        self.undecided.push(Undecided {
            node,
            span,
            functions,
            result: result.clone(),
        });
        result
    }

    /// Reports a call that may mean several functions.
    pub(super) fn refuse_several(&mut self, span: Span, name: &str) -> Ty {
        let message = format!("nothing tells which `{name}` is called here");
        let help = format!(
            "give the arguments types where they are declared, or name the trait with its arguments: \
             `<X as Trait<u8>>::{name}(..)`"
        );
        self.report
            .error_help(Code::UnknownType, span, message, help);
        Ty::Error
    }

    /// Finds the functions of calls whose values' types tell them.
    pub fn settle_undecided(&mut self) {
        for Undecided {
            node,
            span,
            functions,
            result,
        } in std::mem::take(&mut self.undecided)
        {
            let wanted = self.unifier.shallow(&result);
            if wanted == Ty::Error {
                continue;
            }
            let of = |function: &usize| self.program.functions[*function].result.clone();
            let fits = |function: &&usize| self.could_be(&wanted, &of(function));
            let fitting: Vec<usize> = functions.iter().filter(fits).copied().collect();
            let name = self.program.functions[functions[0]].item.sig.ident.clone();
            match &*fitting {
                [function] => {
                    let found = of(function);
                    self.expect(&found, &result, span);
                    self.calls(node, *function, span);
                }
                [] => {
                    let shown: Vec<String> =
                        functions.iter().map(|it| self.show(&of(it))).collect();
                    let message = format!(
                        "no `{name}` gives {}: they give {}",
                        self.show(&wanted),
                        shown.join(" and ")
                    );
                    let help = "convert its value, or write an `impl` of the trait for that";
                    self.report
                        .error_help(Code::TypeMismatch, span, message, help);
                }
                _ => {
                    let message = format!("nothing tells which `{name}` is called here");
                    let help = format!(
                        "say the type of its value, `let x: u8 = a.{name}();`, or name the trait with its \
                         arguments: `<X as Trait<u8>>::{name}(..)`"
                    );
                    self.report
                        .error_help(Code::UnknownType, span, message, help);
                    self.unifier.poison(&result);
                }
            }
        }
    }
}

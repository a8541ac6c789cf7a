//! Indexing of views, arrays, indices and extents.

use amp_spirv::{diagnostic::Code, tree::Scalar};
use syn::{Expr, ExprIndex, ExprRange};

use super::{
    context::FnCx,
    generic::unbounded,
    node::bare,
    ty::{Kind, Len, Ty},
};
use crate::iterate;

impl FnCx<'_> {
    /// Type of `base[index]`.
    pub fn index(&mut self, node: &Expr, expr: &ExprIndex) -> Ty {
        let base = self.owner_of(&expr.expr);
        if let Expr::Range(range) = bare(&expr.index) {
            return self.part(&base, expr, range);
        }
        let index = self.expr(&expr.index);
        let owner = self.unifier.shallow(&base);
        if let Some(ty) = self.own_index(node, expr, &owner, &index) {
            return ty;
        }
        if self
            .number_of_range(&self.unifier.shallow(&index))
            .is_some()
        {
            self.report.error_help(
                Code::UnsupportedSyntax,
                &expr.index,
                "a slice by a range that has no name",
                "name the range: `let r = part(i);`, and then `&a[r]`, or write its bounds: `&a[start..end]`",
            );
            return Ty::Error;
        }
        match self.known_view(&expr.expr, owner) {
            Ty::Error => Ty::Error,
            Ty::View(view) => match self.view_index(&index, view.rank, expr) {
                true => *view.element,
                // `a[i][j]` would tell of the second index, too.
                false => Ty::Error,
            },
            Ty::Array(element, _) | Ty::Slice(element) => {
                self.expect(&index, &Ty::USIZE, &expr.index);
                if !self.is_element_by_bound(node, &element) {
                    self.needs_scalar(&element, expr, "an element");
                }
                if self.is_never_written(bare(&expr.expr))
                    && (self.program)
                        .without_end(&self.unifier.deep(&element))
                        .is_some()
                {
                    // What is never written has a first element.
                    self.typed.note(node).reads_first = true;
                    return *element;
                }
                let is_zeroed = self.reads_zeroes(node, &element);
                self.needs_element(&element, is_zeroed, expr);
                *element
            }
            // Which has a value there (see `Iteration::IsCase`).
            Ty::Struct(of, applied)
                if is_of_chain(&expr.index)
                    && (self.program)
                        .visited_case(&Ty::Struct(of, applied.clone()))
                        .is_some() =>
            {
                applied.types[0].clone()
            }
            Ty::Index(_) | Ty::Extent(_) => {
                self.expect(&index, &Ty::USIZE, &expr.index);
                Ty::USIZE
            }
            Ty::Vector(scalar, _) if scalar != Scalar::Bool => {
                self.expect(&index, &Ty::USIZE, &expr.index);
                Ty::Scalar(scalar)
            }
            Ty::Var(_) => {
                let help = match self.names_a_constant(&expr.expr) {
                    true => self.constant_help(&expr.expr, "[f32; 9]"),
                    false => "give the variable a type where it is declared".to_owned(),
                };
                self.report.error_help(
                    Code::UnknownType,
                    &expr.expr,
                    "the type must be known here to index it",
                    help,
                );
                self.note_declaration(&expr.expr);
                self.unifier.poison(&base);
                Ty::Error
            }
            // That it is not iterated over has been reported.
            _ if is_of_chain(&expr.index) && !self.report.is_clean() => Ty::Error,
            other => {
                let message = format!("{} cannot be indexed", self.show(&other));
                self.report.error_help(
                    Code::UnknownMember,
                    &expr.expr,
                    message,
                    match other {
                        Ty::Vector(..) => "its components are `x`, `y`, `z`, `w`",
                        Ty::Matrix(_) => "its columns are `x_axis`, `y_axis`, .. and `m.col(i)`",
                        Ty::Struct(..) => "write an `#[amp_fn] impl Index` beside the type",
                        _ => {
                            "views, arrays, `Index` and `Extent` can; the position of a thread is \
                             `t_idx.global`"
                        }
                    },
                );
                Ty::Error
            }
        }
    }

    /// Whether a path is a constant, which may be one of a type.
    fn is_never_written(&self, base: &Expr) -> bool {
        let is_called = self.typed.of(base).callee.is_some();
        self.names_a_constant(base) || matches!(base, Expr::Path(_)) && is_called
    }

    /// Requires that there is an element for an index that is out of bounds.
    fn needs_element(&mut self, element: &Ty, is_zeroed: bool, expr: &ExprIndex) {
        let why = "which an element out of bounds is read as";
        match is_zeroed || self.program.holds_range(&self.unifier.deep(element)) {
            true => self.needs_zero(element, expr, why),
            false => self.needs_end(element, expr, why),
        }
    }

    /// Type of `base[range]`: a slice, which only references name.
    fn part(&mut self, base: &Ty, expr: &ExprIndex, range: &ExprRange) -> Ty {
        for bound in [&range.start, &range.end].into_iter().flatten() {
            let found = self.value(bound);
            self.expect(&found, &Ty::USIZE, &**bound);
        }
        let base = self.unifier.shallow(base);
        match self.known_view(&expr.expr, base) {
            Ty::Error => Ty::Error,
            Ty::View(view) if view.rank == 1 => Ty::Slice(view.element),
            Ty::Array(element, _) | Ty::Slice(element) => {
                if unbounded(self.program, &self.unifier.deep(&element)).is_none() {
                    self.needs_scalar(&element, expr, "an element");
                }
                self.needs_element(&element, false, expr);
                Ty::Slice(element)
            }
            other => {
                let message = format!("a slice of {}", self.show(&other));
                let help = match other {
                    Ty::View(_) => {
                        "take a row of the view, `&a.row(i)[1..]`, or a part: `a.section(origin, extent)`"
                    }
                    Ty::Var(_) => "give the variable a type where it is declared",
                    Ty::Struct(..) => {
                        "kernels have no `Index` by ranges: write a method, \
                         `fn part(&self, r: Range<usize>) -> &[f32] { &self.parts[r] }`"
                    }
                    _ => "arrays have slices: `&a[1..]`",
                };
                self.report
                    .error_help(Code::UnsupportedSyntax, &expr.index, message, help);
                self.unifier.poison(&other);
                Ty::Error
            }
        }
    }

    /// Whether a view of this rank has elements there.
    fn view_index(&mut self, index: &Ty, rank: u32, expr: &ExprIndex) -> bool {
        let components = match self.unifier.shallow(index) {
            Ty::Error => return true,
            Ty::Never if rank == 1 => return true,
            Ty::Index(components) => components,
            Ty::Tiled(dims) => dims.len() as u32,
            Ty::Array(element, Len::Literal(components)) => {
                self.expect(&element, &Ty::USIZE, &expr.index);
                components
            }
            Ty::USIZE => 1,
            Ty::Var(var) if self.unifier.kind(var) != Kind::Float => {
                self.expect(index, &Ty::USIZE, &expr.index);
                1
            }
            other => {
                let message = format!("a view is not indexed by {}", self.show(&other));
                self.report.error_help(
                    Code::TypeMismatch,
                    &expr.index,
                    message,
                    "index it by an `Index`, by `[usize; N]`, or by a usize in rank 1 \
                     (`i as usize`)",
                );
                self.unifier.poison(index);
                return true;
            }
        };
        if components != rank {
            let help = match rank {
                1 => "write `a[i]`".to_owned(),
                2 => "write `a[[row, column]]` or `a.row(i)[j]`".to_owned(),
                _ => format!("write `a[[..]]` with {rank} components"),
            };
            let plural = if components == 1 { "" } else { "s" };
            self.report.error_help(
                Code::Arity,
                &expr.index,
                format!("a view of rank {rank} is indexed by {components} component{plural}"),
                help,
            );
        }
        components == rank
    }
}

/// Whether an index is one that a chain of iterators has made.
fn is_of_chain(index: &Expr) -> bool {
    let Expr::Path(path) = bare(index) else {
        return false;
    };
    let name = path.path.get_ident();
    name.is_some_and(|name| iterate::own(name).is_some())
}

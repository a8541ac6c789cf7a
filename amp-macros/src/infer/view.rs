//! Views made from views: `section`, `row`, `view_as` and `reinterpret`.
//!
//! A view is no value that code could choose: it is a parameter, or what one of these
//! methods makes of a view, for a `let` to name, to pass on, or to use where it stands. So
//! it is always known whose elements a view has. That a writable view and its sections are
//! not used at the same time is for rustc to prove, on the host version.

use amp_spirv::diagnostic::Code;
use syn::{Expr, ExprMethodCall, GenericArgument, LocalInit, Pat};

use super::{
    context::FnCx,
    layout::Places,
    node::bare,
    ty::{Kind, Len, Ty, ViewTy},
    type_expr::expect_element,
    typed::{Callee, Derived, Resolved},
};

/// What names a place or a shape of a view.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Components {
    Index,
    Extent,
}

impl FnCx<'_> {
    /// Type of `view.method(..)`; nothing if views have no such method.
    pub fn view_method(&mut self, expr: &Expr, call: &ExprMethodCall, view: &ViewTy) -> Option<Ty> {
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let name = call.method.to_string();
        let derived = match name.as_str() {
            "extent" => {
                self.arguments(&name, &arguments, &[], &call.method);
                self.typed.note(expr).callee = Some(Callee::ViewExtent);
                return Some(Ty::Extent(view.rank));
            }
            "len" | "is_empty" => {
                self.arguments(&name, &arguments, &[], &call.method);
                let is_empty = name == "is_empty";
                self.typed.note(expr).callee = Some(Callee::ViewSize { is_empty });
                return Some(if is_empty { Ty::BOOL } else { Ty::USIZE });
            }
            "row" if view.rank > 1 => Derived::Row,
            "section" => Derived::Section,
            "view_as" if view.rank == 1 => Derived::Shape,
            "reinterpret" if view.rank == 1 => Derived::Elements,
            _ => return None,
        };
        let mut view = view.clone();
        self.typed.note(expr).callee = Some(Callee::Derived(derived));
        match (derived, &*arguments) {
            (Derived::Section, [origin, extent]) => {
                match self.components(origin, Components::Index, Some(view.rank)) {
                    Some(_) => {
                        self.components(extent, Components::Extent, Some(view.rank));
                    }
                    None => self.lost(extent),
                }
            }
            (Derived::Row, [row]) => {
                let found = self.expr(row);
                self.expect(&found, &Ty::USIZE, *row);
                view.rank -= 1;
            }
            (Derived::Shape, [extent]) => match self.components(extent, Components::Extent, None) {
                Some(rank) => view.rank = rank,
                None => return Some(Ty::Error),
            },
            (Derived::Elements, []) => *view.element = self.reinterpreted(call, &view.element),
            _ => return Some(self.miscounted(call, derived)),
        }
        Some(Ty::View(view))
    }

    fn miscounted(&mut self, call: &ExprMethodCall, derived: Derived) -> Ty {
        self.lost_arguments(&call.args);
        let (count, help) = match derived {
            Derived::Section => ("2 arguments", "write `a.section(origin, extent)`"),
            Derived::Row => ("1 argument", "write `a.row(i)`"),
            Derived::Shape => ("1 argument", "write `a.view_as(extent)`"),
            Derived::Elements => ("no argument", "write `a.reinterpret::<u32>()`"),
        };
        let (name, found) = (&call.method, call.args.len());
        let message = format!("`{name}` takes {count}, found {found}");
        self.report.error_help(Code::Arity, name, message, help);
        Ty::Error
    }

    /// Type of `extent.contains(index)`, where the index is given as to `section`.
    pub fn contains(&mut self, expr: &Expr, index: &Expr, rank: u32) -> Ty {
        let found = self.components(index, Components::Index, None);
        if let Some(found) = found.filter(|found| *found != rank) {
            let plural = if found == 1 { "" } else { "s" };
            self.report.error_help(
                Code::Arity,
                index,
                format!("an index of {found} component{plural} for an extent of rank {rank}"),
                format!("write {rank}, or an `Index<{rank}>`"),
            );
        }
        self.typed.note(expr).callee = Some(Callee::ExtentContains);
        Ty::BOOL
    }

    /// The rank of an origin or an extent, if it is one.
    fn components(&mut self, expr: &Expr, what: Components, wanted: Option<u32>) -> Option<u32> {
        let found = self.value(expr);
        let rank = match (self.unifier.shallow(&found), what) {
            (Ty::Error | Ty::Never, _) => return None,
            (Ty::Index(rank), Components::Index) | (Ty::Extent(rank), Components::Extent) => rank,
            (Ty::Tiled(dims), Components::Index) => dims.len() as u32,
            (Ty::Array(element, Len::Literal(rank)), _) => {
                self.expect(&element, &Ty::USIZE, expr);
                rank
            }
            (Ty::USIZE, _) => 1,
            (Ty::Var(var), _) if self.unifier.kind(var) == Kind::Int => {
                self.expect(&found, &Ty::USIZE, expr);
                1
            }
            (other, _) => {
                let name = match what {
                    Components::Index => "Index",
                    Components::Extent => "Extent",
                };
                let message = format!(
                    "mismatched types: expected an `{name}`, found {}",
                    self.show(&other)
                );
                self.report.error_help(
                    Code::TypeMismatch,
                    expr,
                    message,
                    "give it as `[usize; N]`, or as a usize in rank 1 (`i as usize`)",
                );
                self.unifier.poison(&found);
                return None;
            }
        };
        if let Some(wanted) = wanted
            && rank != wanted
        {
            let plural = if rank == 1 { "" } else { "s" };
            self.report.error_help(
                Code::Arity,
                expr,
                format!(
                    "a section of a view of rank {wanted} is given by {rank} component{plural}"
                ),
                format!("write {wanted} for the origin and {wanted} for the extent"),
            );
            return None;
        }
        Some(rank)
    }

    /// The type in `reinterpret::<U>()`.
    fn reinterpreted(&mut self, call: &ExprMethodCall, from: &Ty) -> Ty {
        let named = call.turbofish.as_ref().map(|turbofish| &turbofish.args);
        let ty = match named.map(|args| args.iter().collect::<Vec<_>>()).as_deref() {
            Some([GenericArgument::Type(ty)]) => ty,
            _ => {
                self.report.error_help(
                    Code::UnknownType,
                    &call.method,
                    "the type of the elements must be known here",
                    "write `reinterpret::<u32>()`",
                );
                return Ty::Error;
            }
        };
        let to = self.read_type(ty);
        let from = self.unifier.deep(from);
        if to == Ty::Error || from == Ty::Error {
            return Ty::Error;
        }
        if !expect_element(&to, ty, self) {
            return Ty::Error;
        }
        let given = Places::of_elements(self.program, &from);
        let wanted = Places::wanted(self.program, &to);
        for (given, wanted) in [(given.host, wanted.host), (given.device, wanted.device)] {
            if wanted > given {
                let (to, from) = (self.show(&to), self.show(&from));
                self.report.error_help(
                    Code::UnsupportedType,
                    ty,
                    format!(
                        "{to} lies at multiples of {wanted} bytes, {from} at multiples of {given}"
                    ),
                    "take the view with the larger elements, and reinterpret it as the smaller",
                );
                return Ty::Error;
            }
        }
        to
    }

    /// Type of a view that is used, as far as it is known whose elements it has.
    pub fn known_view(&mut self, expr: &Expr, ty: Ty) -> Ty {
        if matches!(ty, Ty::View(_)) && self.is_returned(expr) {
            self.report.error_help(
                Code::ViewValue,
                expr,
                "a view that a helper returns has no name here",
                "name it first: `let part = ..;`",
            );
            return Ty::Error;
        }
        if matches!(ty, Ty::View(_)) && !self.is_known_view(expr) {
            self.report.error_help(
                Code::ViewValue,
                expr,
                "a view that depends on more than its name",
                "name the view, and choose what depends on it: `a.row(if c { 0 } else { 1 })`",
            );
            return Ty::Error;
        }
        ty
    }

    fn is_known_view(&self, expr: &Expr) -> bool {
        match bare(expr) {
            Expr::Path(_) => true,
            field @ Expr::Field(_) => self.names_part(field),
            made => self.is_derived(made),
        }
    }

    /// Whether an expression makes a view.
    pub fn is_derived(&self, expr: &Expr) -> bool {
        let callee = &self.typed.of(bare(expr)).callee;
        matches!(callee, Some(Callee::Derived(_)))
    }

    /// Whether a `let` gives a name to a view.
    pub fn names_view(&self, pattern: &Pat, init: &LocalInit) -> bool {
        init.diverge.is_none() && is_name(pattern) && self.makes_view(&init.expr)
    }

    /// A view as an argument: views that are no parameters are borrowed.
    pub fn passed_view(&mut self, argument: &Expr, borrowed: bool) -> Ty {
        let found = self.expr(argument);
        let ty = self.unifier.shallow(&found);
        let Ty::View(view) = &ty else {
            return found;
        };
        if !borrowed && !self.is_parameter(argument) {
            let reference = if view.mutable { "&mut" } else { "&" };
            self.report.error_help(
                Code::ViewValue,
                argument,
                "a view that is no parameter is passed by reference",
                format!("put `{reference}` before it"),
            );
            return Ty::Error;
        }
        self.known_view(argument, ty)
    }

    fn is_parameter(&self, expr: &Expr) -> bool {
        let count = self.program.functions[self.owner].params.len();
        match self.typed.of(expr).path {
            Some(Resolved::Local(local)) => (local.0 as usize) < count,
            // Whatever else it is has been reported.
            _ => !self.is_derived(expr) && !self.names_part(expr),
        }
    }
}

fn is_name(pattern: &Pat) -> bool {
    match pattern {
        Pat::Paren(paren) => is_name(&paren.pat),
        Pat::Ident(ident) => ident.subpat.is_none(),
        Pat::Wild(_) => true,
        _ => false,
    }
}

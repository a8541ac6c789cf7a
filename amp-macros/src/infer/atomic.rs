//! Atomic operations: `atomic_fetch_add(&mut place, value)` and the like.
//!
//! The place is one that other threads see: an element of a mutable view, a tile_static
//! variable, or a part of either; in a helper also what a `&mut` parameter refers to, of which
//! the checks of `amp-spirv` see in each call what it is.

use amp_spirv::{
    diagnostic::Code,
    tree::{AtomicOp, Scalar},
};
use syn::{Expr, ExprCall};

use super::{
    context::FnCx,
    node::bare,
    ty::Ty,
    typed::{Callee, Resolved},
};
use crate::language::atomic::{AtomicFunction, Takes};

impl FnCx<'_> {
    /// Type of a call of an atomic function.
    pub fn atomic(&mut self, expr: &Expr, call: &ExprCall, function: AtomicFunction) -> Ty {
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let wanted = match function.takes {
            Takes::Nothing | Takes::One => 1,
            Takes::Value => 2,
            Takes::Expected => 3,
        };
        if arguments.len() != wanted {
            for argument in &arguments {
                self.misplaced(argument);
            }
            let message = format!(
                "`{}` takes {wanted} argument{}, found {}",
                function.name,
                if wanted == 1 { "" } else { "s" },
                arguments.len()
            );
            self.report
                .error_help(Code::Arity, &call.func, message, function.usage());
            return Ty::Error;
        }
        let ty = self.shared_place(arguments[0], function);
        if function.takes == Takes::Expected {
            let expected = self.own_variable(arguments[1], function);
            self.expect(&expected, &ty, arguments[1]);
        }
        if let Takes::Value | Takes::Expected = function.takes {
            let value = arguments[wanted - 1];
            let found = self.value(value);
            self.expect(&found, &ty, value);
        }
        self.typed.note(expr).callee = Some(Callee::Atomic(function));
        match function.op {
            AtomicOp::Store => Ty::Unit,
            AtomicOp::CompareExchange => Ty::BOOL,
            _ => ty,
        }
    }

    /// Type of the place in `&mut place`, or behind a reference by name, that an atomic
    /// operation can work on.
    fn shared_place(&mut self, argument: &Expr, function: AtomicFunction) -> Ty {
        let place = mutable_reference(argument);
        let by_name = place.is_none() && self.is_mutable_reference(argument);
        let Some(place) = place.or(by_name.then_some(argument)) else {
            self.misplaced(argument);
            self.report.error_help(
                Code::AtomicPlace,
                argument,
                format!("`{}` wants the place to work on as `&mut`", function.name),
                function.usage(),
            );
            return Ty::Error;
        };
        let ty = match (self.expr(place), by_name) {
            (Ty::Reference { target, .. }, true) => *target,
            (ty, _) => self.not_a_reference(place, ty),
        };
        if !by_name {
            self.typed.note(argument).ty = Some(ty.clone());
        }
        let ty = self.unifier.shallow(&ty);
        if ty == Ty::Error || !by_name && !self.writable(place) {
            return Ty::Error;
        }
        match self.seen(place) {
            Seen::Shared => {}
            Seen::Referred if !self.program.functions[self.owner].is_member => {}
            Seen::Referred => {
                self.report.error_help(
                    Code::AtomicPlace,
                    place,
                    "an atomic operation on what a reference of a method names",
                    "write a function for it, `fn count(place: &mut u32)`: a method's references \
                     are Rust's own, which no other thread may look behind",
                );
                return Ty::Error;
            }
            Seen::Own => {
                self.report.error_help(
                    Code::AtomicPlace,
                    place,
                    "an atomic operation on what no other thread sees",
                    "it works on elements of an `ArrayViewMut` and on tile_static variables; for a \
                     variable of the thread use plain operators",
                );
                return Ty::Error;
            }
        }
        match ty {
            Ty::Scalar(Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64) => ty,
            Ty::Scalar(Scalar::F32 | Scalar::F64) if function.works_on_floats() => ty,
            Ty::Scalar(Scalar::F32 | Scalar::F64) => {
                let message = format!("`{}` does not work on {}", function.name, self.show(&ty));
                self.report.error_help(
                    Code::AtomicPlace,
                    place,
                    message,
                    "on floats there are `atomic_load`, `atomic_store`, `atomic_exchange`, \
                     `atomic_compare_exchange`, `atomic_fetch_add` and `atomic_fetch_sub`",
                );
                Ty::Error
            }
            Ty::Param(index) if self.is_bounded(index, function) => ty,
            _ => {
                let message = format!("an atomic operation on {}", self.show(&ty));
                let help = match &ty {
                    Ty::Param(index) => {
                        let name = &self.program.type_params[*index].ident;
                        let bound = match function.works_on_floats() {
                            true => "Atomic",
                            false => "AtomicInteger",
                        };
                        format!("bound it: `{name}: {bound}`")
                    }
                    _ => "atomic operations work on `i32`, `u32`, `i64`, `u64`, `f32` and `f64`"
                        .to_owned(),
                };
                self.report
                    .error_help(Code::AtomicPlace, place, message, help);
                Ty::Error
            }
        }
    }

    /// Whether the bounds of a type parameter give it an atomic operation.
    fn is_bounded(&self, parameter: usize, function: AtomicFunction) -> bool {
        let of = &self.program.type_params[parameter];
        match function.works_on_floats() {
            true => of.is_atomic,
            false => of.is_atomic_integer,
        }
    }

    /// Type of `&mut expected`, a variable of the thread.
    fn own_variable(&mut self, argument: &Expr, function: AtomicFunction) -> Ty {
        let place = mutable_reference(argument);
        let Some(place) = place.filter(|place| is_name(place)) else {
            self.misplaced(argument);
            self.report.error_help(
                Code::AtomicPlace,
                argument,
                format!(
                    "`{}` wants the expected value as `&mut` of a variable",
                    function.name
                ),
                "keep it in a variable, which receives the value that was found: \
                 `let mut expected = 0;`",
            );
            return Ty::Error;
        };
        let ty = self.value(place);
        self.typed.note(argument).ty = Some(ty.clone());
        if !self.writable(place) {
            return Ty::Error;
        }
        if self.seen(place) == Seen::Shared {
            self.report.error_help(
                Code::AtomicPlace,
                place,
                "the expected value of an atomic operation is in tile_static memory",
                "keep it in a variable of the thread: `let mut expected = 0;`",
            );
            return Ty::Error;
        }
        ty
    }

    /// An argument that is wrong already.
    fn misplaced(&mut self, argument: &Expr) {
        let value = match argument {
            Expr::Reference(reference) => &reference.expr,
            value => value,
        };
        let found = self.expr(value);
        self.unifier.poison(&found);
    }

    /// Who sees a place.
    fn seen(&mut self, place: &Expr) -> Seen {
        let place = bare(place);
        match place {
            Expr::Field(field) => self.seen(&field.base),
            Expr::Unary(unary) => self.seen(&unary.expr),
            Expr::Index(_) if self.is_own_index(place) => Seen::Own,
            Expr::Index(index) => match self.unifier.shallow(self.typed.ty(&index.expr)) {
                Ty::View(_) => Seen::Shared,
                _ => self.seen(&index.expr),
            },
            Expr::Path(_) => match self.typed.of(place).path {
                Some(Resolved::TileStatic(_)) => Seen::Shared,
                Some(Resolved::Local(local)) => match self.typed.locals[local.0 as usize].ty {
                    Ty::Reference { .. } => Seen::Referred,
                    _ => Seen::Own,
                },
                _ => Seen::Own,
            },
            _ => Seen::Own,
        }
    }

    /// Whether an argument is the name of a `&mut T`.
    fn is_mutable_reference(&self, argument: &Expr) -> bool {
        let Expr::Path(path) = argument else {
            return false;
        };
        let known = path.path.get_ident().and_then(|name| self.scopes.get(name));
        match known {
            Some(Resolved::Local(local)) => matches!(
                self.typed.locals[local.0 as usize].ty,
                Ty::Reference { mutable: true, .. }
            ),
            _ => false,
        }
    }
}

/// Who sees a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    /// Other threads: it is an element of a view, or tile_static, or a part of one.
    Shared,
    /// Who sees what a reference names.
    Referred,
    /// The thread whose variable it is.
    Own,
}

/// The place in `&mut place`.
fn mutable_reference(argument: &Expr) -> Option<&Expr> {
    match bare(argument) {
        Expr::Reference(reference) if reference.mutability.is_some() => Some(&reference.expr),
        _ => None,
    }
}

/// Whether an expression is a name, in parentheses perhaps.
fn is_name(expr: &Expr) -> bool {
    matches!(bare(expr), Expr::Path(_))
}

//! Functions of the library that kernels call without naming them: methods of floats that
//! devices do not compute exactly, and the functions of `precise_math` that there are once
//! for `f32` and once for `f64`.
//!
//! Whether a kernel needs one is known only when its types are, after all that it names
//! has arrived. So inference notes the absolute path of a function that is not there
//! ([`Program::wanted`]), and the compilation begins anew when it has arrived too.

use amp_spirv::{diagnostic::Code, tree::Scalar};
use proc_macro2::Span;
use syn::{Expr, Path};

use super::{
    context::FnCx,
    names::Meaning,
    program::Program,
    ty::Ty,
    typed::{Callee, Library},
};
use crate::{
    attribute::is_by_type,
    import::Task,
    language::{
        method::{library_function, scalar_method},
        name::path_key,
    },
};

/// The module of the functions that there are for both floats.
const PRECISE: &str = "::amp::precise_math";

/// The library's function that is the method `name` of a scalar. Where floats are fast the
/// methods of `f32` are the device's own, as far as it has them.
pub(super) fn method(name: &str, scalar: Scalar, is_fast: bool) -> Option<String> {
    let function = library_function(name, scalar)?;
    match is_fast && scalar == Scalar::F32 {
        true if name == "sin_cos" => Some("::amp::fast_math::sincos".to_owned()),
        true if scalar_method(name, scalar).is_some() => None,
        _ => Some(of_scalar(function, scalar)),
    }
}

/// The path of a function of `precise_math` for `f32` or `f64`.
fn of_scalar(function: &str, scalar: Scalar) -> String {
    let module = match scalar {
        Scalar::F32 => "single",
        _ => "double",
    };
    format!("{PRECISE}::{module}::{function}")
}

/// Makes a task that asks for what a program wants, if it wants something.
pub fn asking(task: &Task, wanted: Vec<String>) -> Task {
    let paths = wanted.iter().filter_map(|path| syn::parse_str(path).ok());
    let mut missing: Vec<Path> = Vec::new();
    for path in paths {
        if missing
            .iter()
            .all(|known| path_key(known) != path_key(&path))
        {
            missing.push(path);
        }
    }
    task.with_missing(missing)
}

impl Program {
    /// The library's function at a path; if it is not there, it is wanted.
    fn library_function(&mut self, path: &str) -> Option<usize> {
        match self.library.get(path) {
            Some(Meaning::Function(index)) => Some(*index),
            Some(_) => {
                self.broken = true;
                None
            }
            None => {
                self.wanted.push(path.to_owned());
                None
            }
        }
    }
}

impl FnCx<'_> {
    /// Type of a method of a float that is a function of the library, or of the same
    /// written as `f64::sin(x)`, whose receiver is among the arguments then.
    pub fn library_call(
        &mut self,
        expr: &Expr,
        name: &str,
        scalar: Scalar,
        arguments: &[&Expr],
        skipped: usize,
        span: Span,
    ) -> Option<Ty> {
        let path = method(name, scalar, self.is_fast)?;
        let found: Vec<Ty> = arguments.iter().map(|part| self.argument(part)).collect();
        let Some(function) = self.program.library_function(&path) else {
            found.iter().for_each(|found| self.unifier.poison(found));
            return Some(Ty::Error);
        };
        self.pass(function, skipped, arguments, &found, span);
        self.typed.note(expr).library = Some(Library::Own(path));
        self.calls(expr, function, span);
        Some(self.program.functions[function].result.clone())
    }

    /// Has a method of vectors be one of each component, which is a function of the library.
    /// Whether it is one.
    pub fn library_call_of_each(
        &mut self,
        expr: &Expr,
        name: &str,
        scalar: Scalar,
        span: Span,
    ) -> bool {
        let Some(path) = method(name, scalar, self.is_fast) else {
            return false;
        };
        if let Some(function) = self.program.library_function(&path) {
            let node = self.typed.id(expr);
            self.typed.note(node).library = Some(Library::Own(path));
            self.typed.note(node).callee = Some(Callee::Each(function));
            self.typed.callees.push((function, span));
        }
        true
    }

    /// The function that stands for a helper that is chosen by type, if this is one: nothing
    /// if it is still to come, or if no function is for these types.
    pub fn chosen_by_type(
        &mut self,
        template: usize,
        types: &[Ty],
        span: Span,
    ) -> Option<Option<usize>> {
        let function = &self.program.functions[template];
        if !is_by_type(&function.item) {
            return None;
        }
        let name = function.item.sig.ident.to_string();
        match types.first() {
            Some(Ty::Scalar(scalar @ (Scalar::F32 | Scalar::F64))) => {
                let path = of_scalar(&name, *scalar);
                Some(self.program.library_function(&path))
            }
            other => {
                let shown = other.map(|ty| self.show(ty)).unwrap_or_default();
                self.report.error_help(
                    Code::Generic,
                    span,
                    format!("`{name}` of {shown}"),
                    "it takes f32 or f64",
                );
                Some(None)
            }
        }
    }
}

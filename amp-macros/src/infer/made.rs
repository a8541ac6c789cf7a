//! Structs and cases of enums where their fields are given or taken: in literals, calls and
//! patterns.
//!
//! rustc proves on the host version that a case which is named alone has no fields.

use syn::{Expr, ExprCall, Path};

use super::{
    context::FnCx,
    names::Meaning,
    program::{Program, StructDef},
    ty::{Applied, Ty},
    type_expr::turbofish,
    typed::{Callee, Resolved},
};
use crate::language::name::{path_key, standard_case, standard_type};

/// The types and names of what a pattern or expression gives the fields of.
pub(super) struct Made {
    /// The whole value.
    pub ty: Ty,
    /// `Pair` or `Shape::Circle`
    pub name: String,
    /// Its fields.
    pub fields: Vec<(String, Ty)>,
    /// Whether these have names.
    pub is_named: bool,
    /// The case that it is.
    pub case: Option<Resolved>,
}

impl Program {
    /// The fields of a case of an enum that is applied to something.
    fn fields_of_case(&self, of: usize, position: usize, applied: &Applied) -> Vec<(String, Ty)> {
        let case = &self.structs[of].cases[position];
        let types = self.fields(of, applied).into_iter().skip(case.first);
        let names = case.fields.iter().cloned();
        names.zip(types.map(|(_, ty)| ty)).collect()
    }
}

impl FnCx<'_> {
    /// The enum with fields that a path names a case of, and which case.
    pub fn case_of(&mut self, path: &Path) -> Option<(Ty, usize, usize)> {
        let text = path_key(path);
        let (owner, name) = match text.rsplit_once("::") {
            Some((owner, name)) => (self.names.get(owner).or_else(|| self.of_core(owner)), name),
            None => (self.standard_of_case(&text), &*text),
        };
        let Some(Meaning::Struct(of)) = owner else {
            return None;
        };
        let mut cases = self.program.structs[of].cases.iter();
        let position = cases.position(|case| case.name == name)?;
        let last = path.segments.len() - 1;
        let at = match turbofish(path) {
            None => last.saturating_sub(1),
            Some(_) => last,
        };
        let applied = self.applied(of, path, at);
        Some((Ty::Struct(of, applied), of, position))
    }

    /// The enum of the standard library at a path that nothing else has.
    pub fn of_core(&mut self, path: &str) -> Option<Meaning> {
        self.program.standard(standard_type(path)?.0)
    }

    fn standard_of_case(&mut self, name: &str) -> Option<Meaning> {
        self.program.standard(standard_case(name)?)
    }

    /// The struct or case that a path names, where its fields are given or taken.
    pub(super) fn made(&mut self, path: &Path) -> Option<Made> {
        if let Some((ty, of, position)) = self.case_of(path) {
            let Ty::Struct(_, applied) = &ty else {
                return None;
            };
            let StructDef { name, cases, .. } = &self.program.structs[of];
            return Some(Made {
                name: format!("{name}::{}", cases[position].name),
                fields: self.program.fields_of_case(of, position, applied),
                is_named: cases[position].is_named,
                case: Some(Resolved::Case { of, position }),
                ty,
            });
        }
        let text = path_key(path);
        let Some(Meaning::Struct(index)) = self.names.get(&text).or_else(|| self.of_core(&text))
        else {
            return None;
        };
        if self.program.structs[index].is_enum() {
            return None;
        }
        let applied = self.applied(index, path, path.segments.len() - 1);
        let definition = &self.program.structs[index];
        Some(Made {
            name: definition.name.clone(),
            fields: self.program.fields(index, &applied),
            is_named: !definition.is_tuple,
            case: None,
            ty: Ty::Struct(index, applied),
        })
    }

    /// Type of `Shape::Circle(r)`, if the path names a case.
    pub fn case_call(&mut self, expr: &Expr, call: &ExprCall, path: &Path) -> Option<Ty> {
        let Made {
            ty,
            name,
            fields,
            is_named,
            case: Some(Resolved::Case { of, position }),
        } = self.made(path)?
        else {
            return None;
        };
        if is_named {
            let what = format!("the case `{name}`");
            let help = format!("write `{name} {{ .. }}` with its fields");
            self.not_callable(call, &what, &help);
            return Some(Ty::Error);
        }
        let wanted: Vec<Ty> = fields.into_iter().map(|(_, ty)| ty).collect();
        let arguments: Vec<&Expr> = call.args.iter().collect();
        if !(self.program.core_name(&ty) == Some("Option") && self.some_of_reference(call, &wanted))
        {
            self.arguments(&name, &arguments, &wanted, &call.func);
        }
        self.typed.note(expr).callee = Some(Callee::Case { of, position });
        Some(ty)
    }
}

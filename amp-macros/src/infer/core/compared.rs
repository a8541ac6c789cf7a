//! Comparisons part by part, where a part has operators of its own: as functions in the language of
//! kernels, which call these.
//!
//! ```text
//! fn lt<T0: Copy, T1: Copy>(x: &(T0, T1), y: &(T0, T1)) -> bool {
//!     x.0 < y.0 || x.0 <= y.0 && (x.1 < y.1)
//! }
//! ```
//!
//! As in Rust, what is neither less nor greater is equal to an order, whatever `==` says. The host version
//! has Rust's own comparison. Types whose parts have none of their own are compared by `lower`.

use amp_spirv::tree::BinaryOp;
use syn::ItemFn;

use super::{Core, ID};
use crate::infer::{
    names::Meaning,
    own_operator::{is_equality, operator_trait},
    program::{Program, StructDef},
    ty::{Parameters, Ty},
};

/// The name in these functions of the type that they compare.
const OWN: &str = "Own";

impl Program {
    /// Whether a comparison of values with parts calls a function for one of them.
    pub fn has_own_comparison(&self, op: BinaryOp, ty: &Ty) -> bool {
        let (of_trait, _) = operator_trait(op, false);
        let is_own = |derives: bool| {
            let mut methods = self.methods.iter();
            !derives && methods.any(|it| it.is_of_library(of_trait) && it.is_for(ty))
        };
        match ty {
            Ty::Tuple(_) | Ty::Array(..) => {
                ty.parts().any(|part| self.has_own_comparison(op, part))
            }
            Ty::Struct(index, applied) => {
                let derives = self.structs[*index].derives(of_trait);
                let fields = || self.fields(*index, applied);
                is_own(derives)
                    || !is_equality(op) && self.is_reversed(ty)
                    || derives
                        && fields()
                            .iter()
                            .any(|(_, it)| self.has_own_comparison(op, it))
            }
            Ty::Enum(index) => is_own(self.enums[*index].derives(of_trait)),
            _ => false,
        }
    }

    /// The generic function that compares values of a type part by part.
    pub fn compared(&mut self, op: BinaryOp, ty: &Ty) -> Option<usize> {
        let (_, name) = operator_trait(op, false);
        // What is not equal is what `eq` says it is not.
        let (op, name) = match op {
            BinaryOp::Ne => (BinaryOp::Eq, "eq"),
            op => (op, name),
        };
        let (of, text) = match ty {
            Ty::Tuple(parts) => (format!("{}", parts.len()), of_tuple(op, parts.len())),
            Ty::Array(..) => ("array".to_owned(), of_array(op)),
            Ty::Struct(index, _) => (
                format!("struct {index}"),
                of_struct(op, &self.structs[*index]),
            ),
            _ => return None,
        };
        let id = format!("{ID}::compared {name} {of}");
        let mut known = self.functions.iter();
        if let Some(known) = known.position(|it| it.id == id && it.template.is_none()) {
            return Some(known);
        }
        let item = syn::parse_str::<ItemFn>(&format!("fn {name}{text}")).ok()?;
        let Core { names, .. } = self.core()?;
        let mut names = names.clone();
        if let Ty::Struct(index, _) = ty {
            names.declare(OWN, Meaning::Struct(*index));
        }
        Some(self.declare_function(None, item, &names, id))
    }
}

/// The comparison of pairs of parts, in order.
fn decided(op: BinaryOp, pairs: impl DoubleEndedIterator<Item = (String, String)>) -> String {
    let (symbol, strict) = (op.symbol(), strict(op).symbol());
    let mut whole = None;
    for (x, y) in pairs.rev() {
        whole = Some(match whole {
            None => format!("{x} {symbol} {y}"),
            Some(rest) if is_equality(op) => format!("{x} == {y} && {rest}"),
            Some(rest) => format!("({x} {strict} {y} || {x} {strict}= {y} && ({rest}))"),
        });
    }
    whole.unwrap_or_else(|| is_met_by_equals(op).to_string())
}

/// `<` for `<` and `<=`, and else `>`.
fn strict(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt | BinaryOp::Le => BinaryOp::Lt,
        _ => BinaryOp::Gt,
    }
}

fn is_met_by_equals(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Eq | BinaryOp::Le | BinaryOp::Ge)
}

fn of_tuple(op: BinaryOp, count: usize) -> String {
    let types: Vec<String> = (0..count).map(|k| format!("T{k}")).collect();
    let bounds: String = types.iter().map(|name| format!("{name}: Copy, ")).collect();
    let parts = (0..count).map(|k| (format!("x.{k}"), format!("y.{k}")));
    let (ty, body) = (format!("({},)", types.join(", ")), decided(op, parts));
    format!("<{bounds}>(x: &{ty}, y: &{ty}) -> bool {{ {body} }}")
}

fn of_array(op: BinaryOp) -> String {
    let strict = strict(op).symbol();
    let round = match is_equality(op) {
        true => "if !(x[i] == y[i]) { return false; }".to_owned(),
        false => format!(
            "if x[i] {strict} y[i] {{ return true; }}
             if !(x[i] {strict}= y[i]) {{ return false; }}"
        ),
    };
    let end = is_met_by_equals(op);
    format!(
        "<T: Copy, const N: usize>(x: &[T; N], y: &[T; N]) -> bool {{
            for i in 0..N {{ {round} }}
            {end}
        }}"
    )
}

fn of_struct(op: BinaryOp, of: &StructDef) -> String {
    let (declared, applied) = generics(&of.parameters);
    let body = match of.is_enum() {
        true => of_cases(op, of),
        false => {
            let fields = of.fields.iter();
            decided(
                op,
                fields.map(|(name, _)| (format!("x.{name}"), format!("y.{name}"))),
            )
        }
    };
    format!("<{declared}>(x: &{OWN}{applied}, y: &{OWN}{applied}) -> bool {{ {body} }}")
}

/// The parameters of a struct as they are declared, and as arguments.
fn generics(parameters: &Parameters) -> (String, String) {
    let mut declared = String::new();
    let mut applied = Vec::new();
    for (k, is_const) in parameters.order.iter().enumerate() {
        declared += &match is_const {
            true => format!("const P{k}: usize, "),
            false => format!("P{k}: Copy, "),
        };
        applied.push(format!("P{k}"));
    }
    let applied = match applied.is_empty() {
        true => String::new(),
        false => format!("<{}>", applied.join(", ")),
    };
    (declared, applied)
}

/// The comparison of two values of an enum with fields: by their cases, and by the fields of one case.
fn of_cases(op: BinaryOp, of: &StructDef) -> String {
    let names = |position: usize, of_value: &str| -> Vec<String> {
        let fields = 0..of.cases[position].fields.len();
        fields.map(|k| format!("{of_value}{k}")).collect()
    };
    let pattern = |position: usize, names: &[String]| {
        let case = &of.cases[position];
        let path = format!("{OWN}::{}", case.name);
        match (case.is_named, names) {
            (_, []) => path,
            (false, names) => format!("{path}({})", names.join(", ")),
            (true, names) => {
                let fields = case.fields.iter().zip(names);
                let fields: Vec<String> = fields
                    .map(|(field, name)| format!("{field}: {name}"))
                    .collect();
                format!("{path} {{ {} }}", fields.join(", "))
            }
        }
    };
    let count = of.cases.len();
    let arms = (0..count).map(|first| {
        let seconds = (0..count).map(|second| {
            let (ours, theirs) = (names(first, "a"), names(second, "b"));
            let value = match first == second {
                true => {
                    let pairs = ours.iter().zip(&theirs);
                    decided(op, pairs.map(|(a, b)| (format!("*{a}"), format!("*{b}"))))
                }
                false => match strict(op) {
                    _ if is_equality(op) => false,
                    BinaryOp::Lt => first < second,
                    _ => first > second,
                }
                .to_string(),
            };
            let hidden: Vec<String> = theirs.iter().map(|_| "_".to_owned()).collect();
            let theirs = if first == second { theirs } else { hidden };
            format!("{} => {value},", pattern(second, &theirs))
        });
        let seconds: String = seconds.collect();
        format!(
            "{} => match y {{ {seconds} }},",
            pattern(first, &names(first, "a"))
        )
    });
    let arms: String = arms.collect();
    format!("match x {{ {arms} }}")
}

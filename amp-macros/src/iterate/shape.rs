//! What is known of a value without its type.

use amp_spirv::tree::Scalar;
use syn::{Expr, ExprField, Member, Type};

use super::{bare, signatures::is_range};
use crate::position;

/// What is known of a value.
#[derive(Clone, Copy, Default)]
pub struct Shape {
    pub is_reference: bool,
    pub is_writable: bool,
    /// How many arrays and slices stand in each other.
    pub depth: usize,
    pub is_unsized: bool,
    pub is_view: bool,
    pub is_range: bool,
    pub is_own_iterator: bool,
}

impl Shape {
    /// That of arrays in each other.
    pub fn of_arrays(depth: usize) -> Self {
        Self {
            depth,
            ..Self::default()
        }
    }
}

/// What a type tells of its values.
pub fn shape_of_type(ty: &Type) -> Shape {
    match ty {
        Type::Group(group) => shape_of_type(&group.elem),
        Type::Paren(paren) => shape_of_type(&paren.elem),
        Type::Reference(reference) => Shape {
            is_reference: true,
            is_writable: reference.mutability.is_some(),
            ..shape_of_type(&reference.elem)
        },
        Type::Array(array) => Shape::of_arrays(1 + shape_of_type(&array.elem).depth),
        Type::Slice(slice) => Shape {
            is_unsized: true,
            ..Shape::of_arrays(1 + shape_of_type(&slice.elem).depth)
        },
        Type::Path(path) => Shape {
            is_view: path
                .path
                .segments
                .last()
                .is_some_and(|name| name.ident == "ArrayView" || name.ident == "ArrayViewMut"),
            is_range: is_range(ty),
            ..Shape::default()
        },
        _ => Shape::default(),
    }
}

/// The methods of an array that find an element of it.
pub const FINDERS: [&str; 3] = ["get", "first", "last"];

/// How many arrays stand in each other in a field or a part of it, as far as the text of the file tells.
pub fn depth_within_fields(expr: &Expr) -> usize {
    let found = |call: &Expr| match bare(call) {
        Expr::MethodCall(call) if FINDERS.iter().any(|finder| call.method == finder) => {
            depth_within_fields(&call.receiver).saturating_sub(1)
        }
        _ => 0,
    };
    match bare(expr) {
        Expr::Field(field) => depth_of_field(field),
        Expr::Reference(reference) => depth_within_fields(&reference.expr),
        Expr::Index(index) => depth_within_fields(&index.expr).saturating_sub(1),
        Expr::Try(asked) => found(&asked.expr),
        Expr::MethodCall(call) if call.method == "unwrap" || call.method == "expect" => {
            found(&call.receiver)
        }
        _ => 0,
    }
}

/// The same of a field: of all that the file declares by its name.
fn depth_of_field(field: &ExprField) -> usize {
    let Member::Named(name) = &field.member else {
        return 0;
    };
    let Some(text) = position::file_text(name.span()) else {
        return 0;
    };
    let declaration = format!("{name}:");
    let is_start = |at: usize| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let declared = text.match_indices(&declaration);
    let declared = declared.filter(|(at, _)| is_start(*at));
    let behind = declared.map(|(at, _)| text[at + declaration.len()..].trim_start());
    let types = behind.filter(|rest| !rest.starts_with(':') && !is_value(rest));
    let depths = types.map(|ty| ty.chars().take_while(|c| *c == '[').count());
    depths.min().unwrap_or_default()
}

/// Whether a text begins with what is no type: a variable, a number, a string.
fn is_value(text: &str) -> bool {
    let is_in_name = |c: char| c.is_alphanumeric() || c == '_';
    let word = text.split(|c| !is_in_name(c)).next().unwrap_or_default();
    match text.chars().next() {
        Some(first) => {
            "*-\"".contains(first) || first.is_ascii_digit() || {
                first.is_lowercase() && Scalar::from_name(word).is_none()
            }
        }
        None => false,
    }
}

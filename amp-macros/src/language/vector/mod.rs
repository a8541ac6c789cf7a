//! The functions of glam's vectors and matrices, in the kernel language: files of Rust, one for each
//! class of types.
//!
//! The order of operations is that of glam's scalar implementation. glam itself computes in the
//! order that suits how it was compiled: with SSE2 its `Vec4::dot` adds in pairs. So the host
//! version does not call glam's functions but these, which [`host`] writes for the CPU.
//!
//! | name | meaning |
//! |---|---|
//! | `V` | the type |
//! | `T` | its scalar |
//! | `C`, `P` | the type of a matrix's columns, and with one component less |
//! | `own`, `column` | the functions of `V` and of `C` |
//!
//! What takes, moves, converts or compares components, and what is a scalar's function of each
//! component, is left to the compiler, and so are operators.

use amp_spirv::tree::Scalar;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{BinOp, Expr, File, UnOp, parse_quote};

use super::{
    glam::Glam,
    source::{Source, functions, replaced},
};
use crate::visit::{self, VisitMut};

const ANY: &str = include_str!("any.rs");
const INTEGER: &str = include_str!("integer.rs");
const FLOAT: &str = include_str!("float.rs");
const OF_2: &str = include_str!("of_2.rs");
const OF_3: &str = include_str!("of_3.rs");
const OF_4: &str = include_str!("of_4.rs");
const SIGNED_2: &str = include_str!("signed_2.rs");
const MATRIX_2: &str = include_str!("matrix_2.rs");
const MATRIX_3: &str = include_str!("matrix_3.rs");
const MATRIX_4: &str = include_str!("matrix_4.rs");

fn files(ty: Glam) -> Vec<&'static str> {
    let (scalar, components) = match ty {
        Glam::Vector(Scalar::Bool, _) => return Vec::new(),
        Glam::Vector(scalar, components) => (scalar, components),
        Glam::Matrix(2) => return vec![MATRIX_2],
        Glam::Matrix(3) => return vec![MATRIX_3],
        Glam::Matrix(_) => return vec![MATRIX_4],
    };
    let mut files = vec![ANY];
    files.push(if scalar.is_integer() { INTEGER } else { FLOAT });
    files.push(match components {
        2 => OF_2,
        3 => OF_3,
        _ => OF_4,
    });
    if components == 2 && scalar != Scalar::U32 {
        files.push(SIGNED_2);
    }
    files
}

/// The functions of a type.
pub fn all(ty: Glam) -> impl Iterator<Item = Source> {
    files(ty).into_iter().flat_map(functions)
}

/// The text that replaces a name in them, if it is one of those above.
pub fn meaning(name: &str, ty: Glam) -> Option<String> {
    let column = |less: u32| match ty {
        Glam::Matrix(columns) => Glam::Vector(Scalar::F32, columns - less).name(),
        Glam::Vector(..) => ty.name(),
    };
    Some(match name {
        "V" | "own" => ty.name(),
        "C" | "column" => column(0),
        "P" => column(1),
        "T" => match ty {
            Glam::Vector(scalar, _) => scalar.name().to_owned(),
            Glam::Matrix(_) => Scalar::F32.name().to_owned(),
        },
        _ => return None,
    })
}

/// The functions for the CPU: a module for each type, beside the run time's functions.
pub fn host() -> TokenStream {
    let modules = Glam::all().filter_map(|ty| {
        let functions: TokenStream = all(ty).map(|source| host_function(source, ty)).collect();
        let mut functions: File = syn::parse2(functions).ok()?;
        if matches!(ty, Glam::Vector(scalar, _) if scalar.is_integer()) {
            Wrapping.visit_file_mut(&mut functions);
        }
        let (name, functions) = (module(ty), functions.items);
        Some(quote! {
            pub mod #name {
                use super::*;
                #(#[inline] #functions)*
            }
        })
    });
    modules.collect()
}

fn host_function(source: Source, ty: Glam) -> TokenStream {
    let text = source.host_text().parse().unwrap_or_default();
    replaced(text, Span::call_site(), &|name| {
        let meant = meaning(name, ty)?;
        let path = match name {
            "own" => "self".to_owned(),
            "column" => format!("super::{}", meant.to_lowercase()),
            "T" => meant,
            _ => format!("::amp::__private::glam::{meant}"),
        };
        path.parse().ok()
    })
}

/// The module of a type's functions.
pub fn module(ty: Glam) -> Ident {
    Ident::new(&ty.name().to_lowercase(), Span::call_site())
}

/// Makes the arithmetic of integers wrap.
struct Wrapping;

impl VisitMut for Wrapping {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit::visit_expr_mut(self, expr);
        match expr {
            Expr::Binary(binary) => {
                let (left, right) = (&binary.left, &binary.right);
                *expr = match binary.op {
                    BinOp::Add(_) => parse_quote!((#left).wrapping_add(#right)),
                    BinOp::Sub(_) => parse_quote!((#left).wrapping_sub(#right)),
                    BinOp::Mul(_) => parse_quote!((#left).wrapping_mul(#right)),
                    _ => return,
                };
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                let operand = &unary.expr;
                *expr = parse_quote!((#operand).wrapping_neg());
            }
            _ => {}
        }
    }
}

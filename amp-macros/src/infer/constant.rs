//! Constants: their types, which rustc knows and a macro does not.
//!
//! The function tells them, as it tells those of variables. Where it does not and the type
//! does not matter, rustc computes what is made of the constant: a cast, and how often a loop
//! runs whose numbers are not used.

use std::{collections::HashMap, rc::Rc};

use amp_spirv::{diagnostic::Code, tree::Scalar};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::{Block, Expr, Item, Lit, Path, Stmt, Type};

use super::{
    context::FnCx,
    kept_slice,
    names::{BlockConstants, ConstKey},
    node::bare,
    program::ConstDef,
    ty::{Kind, Len, Ty},
    type_expr::scalar,
    typed::Resolved,
};
use crate::{
    import::{siblings, tables},
    language::name::path_key,
};

impl FnCx<'_> {
    /// Declares the constants of a block, which see each other. Gives the const parameters that
    /// they hide.
    pub fn block_constants(&mut self, block: &Block) -> Vec<(String, Len)> {
        let constants = block.stmts.iter().filter_map(|statement| match statement {
            Stmt::Item(Item::Const(constant)) => Some(constant),
            _ => None,
        });
        let constants: Vec<_> = constants.collect();
        if constants.is_empty() {
            return Vec::new();
        }
        let names = constants.iter().map(|constant| constant.ident.to_string());
        let hidden = names.filter_map(|name| self.arguments.lengths.remove_entry(&name));
        let hidden = hidden.collect();
        let functions = block.stmts.iter().filter_map(|statement| match statement {
            Stmt::Item(Item::Fn(item)) if item.sig.constness.is_some() => Some(item),
            _ => None,
        });
        let functions: Vec<_> = functions.collect();
        let declared = Rc::new(BlockConstants::new(
            &constants,
            &functions,
            self.names.constants.clone(),
        ));
        self.names.constants = Some(declared.clone());
        for constant in constants {
            for attribute in &constant.attrs {
                self.attribute(attribute);
            }
            let ty = match &*constant.ty {
                // One whose elements are written out is an array already.
                Type::Reference(reference) if matches!(*reference.elem, Type::Slice(_)) => {
                    self.report.error_help(
                        Code::UnsupportedType,
                        reference,
                        "a constant slice of a kernel whose length only rustc knows",
                        "write its elements out, `&[1.0, 2.0]`, or say how many they are: `&[f32; 2]`",
                    );
                    Ty::Error
                }
                ty => {
                    let read = self.read_type(ty);
                    kept_slice::refuse(ty, read, self)
                }
            };
            declared.has_type(&constant.ident, ty);
        }
        hidden
    }

    /// Whether a path names a constant, as the body or the file tells; nothing if neither does.
    pub fn is_constant(&self, path: &Path) -> Option<bool> {
        let expr = path.to_token_stream();
        let within = self.names.constants_in(&expr, &self.arguments);
        let key = ConstKey::new(&expr.to_string(), None);
        if within.is_some() || self.consts.contains_key(&key) {
            return Some(true);
        }
        let own = &self.program.functions[self.owner].item.sig.ident;
        siblings::names_constant(own, path)
    }

    /// The constant written as `expr`, which may have been mentioned before.
    pub fn constant(&mut self, expr: TokenStream, ty: Option<Ty>, span: Span) -> usize {
        let text: String = expr.to_string().split_whitespace().collect();
        let within = self.names.constants_in(&expr, &self.arguments);
        let ty = ty.or_else(|| within.as_ref()?.ty(&text));
        let key = ConstKey::new(&text, within.as_ref());
        if let Some(&known) = self.consts.get(&key) {
            if let Some(ty) = ty {
                let known_ty = self.program.consts[known].ty.clone();
                self.expect(&ty, &known_ty, span);
            }
            return known;
        }
        let ty = ty.unwrap_or_else(|| self.unifier.fresh(Kind::Any));
        let text = text.trim_start_matches(tables::PREFIX).to_owned();
        self.program.consts.push(ConstDef {
            owner: self.owner,
            expr,
            text,
            ty,
            span,
            within,
        });
        let index = self.program.consts.len() - 1;
        self.consts.insert(key, index);
        index
    }

    /// How to tell the type of a constant, for one of this type.
    pub(super) fn constant_help(&self, constant: &Expr, ty: &str) -> String {
        let name = match constant {
            Expr::Path(constant) => path_key(&constant.path),
            constant => constant.to_token_stream().to_string(),
        };
        format!(
            "write `#[amp_const]` before its declaration, or name its type where it is kept: \
             `let x: {ty} = {name};`"
        )
    }

    /// Whether an expression is the name of a constant.
    pub(super) fn names_a_constant(&self, expr: &Expr) -> bool {
        matches!(self.typed.of(expr).path, Some(Resolved::Const(_)))
    }

    /// Notes the bounds of a range whose numbers are not used: `for _ in 0..CONST`.
    pub(super) fn unseen(&mut self, start: &Expr, end: &Expr) {
        let bounds = [start, end].map(|bound| self.plain_bound(bound));
        if let [Some(start), Some(end)] = bounds {
            for constant in [start, end].into_iter().flatten() {
                *self.const_bounds.entry(constant).or_default() += 1;
            }
        }
    }

    /// The constant that a bound is, if it is one; `None` if it is no literal either.
    fn plain_bound(&self, expr: &Expr) -> Option<Option<usize>> {
        let expr = bare(expr);
        match expr {
            Expr::Lit(literal) => matches!(literal.lit, Lit::Int(_)).then_some(None),
            Expr::Path(_) => match self.typed.of(expr).path {
                Some(Resolved::Const(constant)) => Some(Some(constant)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Takes constants that only bound unused numbers for `isize`s, whatever
    /// integers they are.
    pub(super) fn settle_bounds(&mut self) {
        let casts = self.const_casts();
        let mut open: HashMap<usize, Vec<usize>> = HashMap::new();
        for index in self.consts.values() {
            if let Ty::Var(var) = self.unifier.shallow(&self.program.consts[*index].ty) {
                open.entry(var).or_default().push(*index);
            }
        }
        for (var, constants) in open {
            let count = |uses: &HashMap<usize, usize>, of| uses.get(of).copied().unwrap_or(0);
            let is_bound = |constant| {
                let (bounds, casts) =
                    (count(&self.const_bounds, constant), count(&casts, constant));
                bounds > 0 && count(&self.const_uses, constant) == bounds + casts
            };
            if constants.iter().all(is_bound) {
                self.unifier
                    .unify(&Ty::Var(var), &Ty::Scalar(Scalar::Isize));
                for constant in constants {
                    let ConstDef { expr, span, .. } = &mut self.program.consts[constant];
                    let span = span.resolved_at(Span::call_site());
                    *expr = quote_spanned! {span=>
                        ::amp::__private::spec::bound((#expr) as ::core::primitive::i128)
                    };
                }
            }
        }
    }

    /// How often each constant is cast.
    fn const_casts(&self) -> HashMap<usize, usize> {
        let mut uses = HashMap::new();
        for cast in self.typed.facts.iter().filter_map(|facts| facts.const_cast) {
            *uses.entry(cast.value).or_default() += 1;
        }
        uses
    }

    /// Reports constants whose types nothing tells.
    pub(super) fn settle_consts(&mut self) {
        let cast_uses = self.const_casts();
        let mut facts = std::mem::take(&mut self.typed.facts);
        for cast in facts
            .iter_mut()
            .filter_map(|facts| facts.const_cast.as_mut())
        {
            if !self.is_open(&self.program.consts[cast.value].ty) {
                cast.whole = None;
            }
        }
        self.typed.facts = facts;
        for index in 0..self.program.consts.len() {
            if self.program.consts[index].owner != self.owner {
                continue;
            }
            let ty = self.unifier.deep(&self.program.consts[index].ty);
            let ty = self.program.with_known_lengths(ty);
            let (text, span) = {
                let constant = &self.program.consts[index];
                (constant.text.clone(), constant.span)
            };
            self.program.consts[index].ty = ty.clone();
            match &ty {
                Ty::Scalar(_) | Ty::Enum(_) | Ty::Error => {}
                // Named only under `as`: rustc computes the casts.
                Ty::Var(_) if self.const_uses.get(&index) == cast_uses.get(&index) => {}
                _ if self.is_open(&ty) => {
                    self.report.error_help(
                        Code::UnknownType,
                        span,
                        format!("nothing tells the type of the constant `{text}` here"),
                        match syn::parse_str::<Path>(&text) {
                            Ok(_) => format!(
                                "say it where the value is kept, `let x: usize = {text};`, or write \
                                 `#[amp_const]` before its declaration"
                            ),
                            Err(_) => format!(
                                "say it where the value is kept: `let x: usize = {text};`"
                            ),
                        },
                    );
                    self.unifier.poison(&ty);
                }
                _ if self.take_constant_apart(index) => {}
                other => {
                    let found = self.show(other);
                    let help = match other {
                        Ty::Array(_, Len::Const(_)) => format!(
                            "name its type where it is kept, with the length as a number: \
                             `let x: [f32; 9] = {text};` for 9 of f32"
                        ),
                        _ => {
                            "a constant in a kernel is a bool, a number, an `#[amp_enum]`, a vector, a \
                              matrix, or an array, tuple, struct, `Option` or `Result` of such; an enum with \
                              fields has numbers, vectors, arrays, tuples and structs in them, and the \
                              function names it: write `fn value() -> T` of others"
                                .to_owned()
                        }
                    };
                    let message = format!("the constant `{text}` is used as {found}");
                    self.report
                        .error_help(Code::UnsupportedType, span, message, help);
                }
            }
        }
    }
}

/// The type of a constant whose path tells it: `f32::MAX`, `u32::BITS`,
/// `std::f32::consts::PI`.
pub(super) fn known_constant(path: &syn::Path) -> Option<Ty> {
    let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let (last, owners) = segments.split_last()?;
    let owner = match owners {
        [.., ty, module] if module == "consts" => ty,
        [.., ty] => ty,
        [] => return None,
    };
    let ty = Ty::Scalar(scalar(owner).filter(|scalar| *scalar != Scalar::Bool)?);
    Some(match last.as_str() {
        "BITS" | "RADIX" | "DIGITS" | "MANTISSA_DIGITS" => Ty::U32,
        "MAX_EXP" | "MIN_EXP" | "MAX_10_EXP" | "MIN_10_EXP" => Ty::I32,
        _ => ty,
    })
}

//! Expressions: the dispatch by form, and the forms that need no file of their own.

use amp_spirv::{
    diagnostic::Code,
    tree::{LocalId, UnaryOp},
};
use quote::ToTokens;
use syn::{Expr, ExprField, ExprPath, ExprStruct, UnOp, spanned::Spanned};

use super::{
    apart::member_name,
    constant::known_constant,
    context::{Class, FnCx},
    made::Made,
    names::Meaning,
    ty::Ty,
    typed::{ConstCast, Resolved},
    vector::{has_method, parts_of},
};
use crate::{
    language::{glam, name::path_key},
    message,
    suggest::{suggest, suggest_or},
};

/// The fields of a tiled index.
pub const TILED_FIELDS: [&str; 5] = ["global", "local", "tile", "tile_origin", "barrier"];

impl FnCx<'_> {
    /// Type of an expression; every part of it has its record then.
    pub fn expr(&mut self, expr: &Expr) -> Ty {
        let returned = match self.typed.of(expr).returned {
            true => self.returned_place(expr),
            false => None,
        };
        let ty = match returned.or_else(|| self.wanted_slice(expr)) {
            Some(ty) => ty,
            None => {
                let ty = self.expr_form(expr);
                self.as_slice(expr, ty)
            }
        };
        self.check_lent_slices(expr, &ty);
        // What becomes a slice has the type of the reference.
        if !self.typed.of(expr).keeps_slice {
            self.typed.note(expr).ty = Some(ty.clone());
        }
        ty
    }

    pub(super) fn expr_form(&mut self, expr: &Expr) -> Ty {
        match expr {
            Expr::Lit(literal) => self.literal(literal, false),
            Expr::Path(path) => self.path(expr, path),
            Expr::Paren(paren) => self.expr(&paren.expr),
            Expr::Group(group) => self.expr(&group.expr),
            Expr::Unary(unary) => match &unary.op {
                UnOp::Neg(token) => {
                    let ty = self.negated(&unary.expr);
                    if let Some(result) = self
                        .own_unary(unary, &ty)
                        .or_else(|| self.unary_by_bound(unary, &ty))
                    {
                        return result;
                    }
                    if let Some(ty) = self.vector_unary(UnaryOp::Neg, &ty, token.span) {
                        return ty;
                    }
                    self.oblige_operand(&ty, Class::Signed, "-", token.span, &unary.expr);
                    ty
                }
                UnOp::Not(token) => {
                    let ty = self.operand(&unary.expr);
                    if let Some(result) = self
                        .own_unary(unary, &ty)
                        .or_else(|| self.unary_by_bound(unary, &ty))
                    {
                        return result;
                    }
                    if let Some(ty) = self.vector_unary(UnaryOp::Not, &ty, token.span) {
                        return ty;
                    }
                    self.oblige_operand(&ty, Class::Bits, "!", token.span, &unary.expr);
                    ty
                }
                _ => self.dereference(expr, &unary.expr),
            },
            Expr::Binary(binary) => self.binary(binary),
            Expr::Assign(assign) => {
                let place = self.expr(&assign.left);
                if self.typed.of(&assign.left).is_kept_slice {
                    self.assign_kept_slice(assign);
                } else if let Some(variable) = self.reference_variable(assign, &place) {
                    self.assign_reference(assign, variable, &place);
                } else if self.writable(&assign.left) {
                    self.expects_slices(&assign.right, &place);
                    let value = self.value(&assign.right);
                    if !self.expect(&value, &place, &assign.right) {
                        self.note_declaration(&assign.left);
                    }
                    self.check_kept(&value, &assign.right);
                } else {
                    self.lost(&assign.right);
                    self.unifier.poison(&place);
                }
                Ty::Unit
            }
            Expr::Cast(cast) => {
                let target = match &*cast.ty {
                    inferred @ syn::Type::Infer(_) => {
                        self.report.error_help(
                            Code::UnsupportedType,
                            inferred,
                            "`as _` in a kernel",
                            "write the type: `x as f32`",
                        );
                        Ty::Error
                    }
                    ty => self.read_type(ty),
                };
                let source = self.expr(&cast.expr);
                let Ty::Scalar(scalar) = target else {
                    if target != Ty::Error {
                        let message = format!(
                            "`as` converts between scalars, not to {}",
                            self.show(&target)
                        );
                        let help = match target {
                            Ty::Enum(_) => "choose the variant with a `match` on the number",
                            _ => "build the value from its parts",
                        };
                        self.report
                            .error_help(Code::Operator, &*cast.ty, message, help);
                    }
                    return Ty::Error;
                };
                self.hint_literal(&cast.expr, scalar);
                self.oblige(&source, Class::Castable, "as", cast.as_token.span);
                self.cast_rules(&cast.expr, &source, scalar, cast.as_token.span);
                if let Some(Resolved::Const(value)) = self.typed.of(&cast.expr).path {
                    let whole = matches!(self.unifier.shallow(&source), Ty::Var(_)).then(|| {
                        self.constant(cast.to_token_stream(), Some(target.clone()), cast.span())
                    });
                    self.typed.note(expr).const_cast = Some(ConstCast { value, whole });
                }
                target
            }
            Expr::Field(field) => self.field(field),
            Expr::Index(index) => self.index(expr, index),
            Expr::Tuple(tuple) if tuple.elems.is_empty() => Ty::Unit,
            Expr::Tuple(tuple) => {
                Ty::Tuple(tuple.elems.iter().map(|part| self.value(part)).collect())
            }
            Expr::Array(array) => self.written_array(array),
            Expr::Repeat(repeat) => self.repeated(repeat),
            Expr::Struct(literal) => self.struct_literal(expr, literal),
            Expr::Call(call) => self.call(expr, call),
            Expr::MethodCall(call) => self.method_call(expr, call),
            Expr::If(_)
            | Expr::While(_)
            | Expr::Loop(_)
            | Expr::ForLoop(_)
            | Expr::Block(_)
            | Expr::Break(_)
            | Expr::Continue(_)
            | Expr::Return(_) => self.control(expr),
            Expr::Macro(mac) if message::is_condition(&mac.mac) => {
                let tokens = expr.to_token_stream();
                let constant = self.constant(tokens, Some(Ty::BOOL), expr.span());
                let meaning = Resolved::Const(constant);
                self.typed.note(expr).path = Some(meaning);
                Ty::BOOL
            }
            Expr::Const(_) => {
                let constant = self.constant(expr.to_token_stream(), None, expr.span());
                *self.const_uses.entry(constant).or_default() += 1;
                self.typed.note(expr).path = Some(Resolved::Const(constant));
                self.program.consts[constant].ty.clone()
            }
            Expr::Match(choice) => self.match_expr(choice),
            Expr::Try(tried) => self.propagated(expr, tried),
            Expr::Range(range) => self.range_value(expr, range),
            Expr::Closure(closure) => self.nameless_closure(closure),
            Expr::Macro(mac) => {
                self.macro_call(&mac.mac);
                Ty::Error
            }
            other => {
                self.unsupported(other);
                Ty::Error
            }
        }
    }

    /// An expression whose value is kept, which those of views and barriers are not.
    pub fn value(&mut self, expr: &Expr) -> Ty {
        if let Some(ty) = self.written_slice(expr) {
            return ty;
        }
        let ty = self.expr(expr);
        self.kept(expr, ty)
    }

    /// The type of an expression, if its value can be kept.
    pub(super) fn kept(&mut self, expr: &Expr, ty: Ty) -> Ty {
        if let Ty::View(_) | Ty::Barrier = self.unifier.shallow(&ty) {
            self.report.error_help(
                Code::ViewValue,
                expr,
                "a view or barrier is not a value that can be kept",
                "index a view, name a part of it by `let`, or pass it to an `#[amp_fn]`",
            );
            return Ty::Error;
        }
        if let Ty::Slice(_) = self.unifier.shallow(&ty) {
            return self.slice_value(expr);
        }
        if self.is_bundle(&ty) {
            self.report.error_help(
                Code::ViewValue,
                expr,
                "a struct with views is not a value that can be kept",
                "use its fields where they are needed, or pass it to an `#[amp_fn]`",
            );
            return Ty::Error;
        }
        let ty = self.not_a_reference(expr, ty);
        self.not_a_closure(expr, ty)
    }

    fn negated(&mut self, expr: &Expr) -> Ty {
        if let Expr::Lit(literal) = expr {
            let ty = self.literal(literal, true);
            self.typed.note(expr).ty = Some(ty.clone());
            return ty;
        }
        self.operand(expr)
    }

    fn path(&mut self, expr: &Expr, path: &ExprPath) -> Ty {
        let text = path_key(&path.path);
        if path.qself.is_none()
            && let Some(meaning) = path.path.get_ident().and_then(|name| self.scopes.get(name))
        {
            self.typed.note(expr).path = Some(meaning);
            return match meaning {
                Resolved::Local(LocalId(local)) => self.typed.locals[local as usize].ty.clone(),
                Resolved::TileStatic(id) => self.typed.tile_statics[id.0 as usize].ty.clone(),
                Resolved::Const(index) => self.program.consts[index].ty.clone(),
                Resolved::Known(_) => Ty::USIZE,
                Resolved::Variant { of, .. } => Ty::Enum(of),
                Resolved::Case { .. } | Resolved::Unit => Ty::Error,
            };
        }
        if path.qself.is_none()
            && let Some(Meaning::Struct(index)) =
                self.names.get(&text).or_else(|| self.of_core(&text))
            && self.program.structs[index].is_unit
        {
            self.typed.note(expr).path = Some(Resolved::Unit);
            let applied = self.applied(index, &path.path, path.path.segments.len() - 1);
            return Ty::Struct(index, applied);
        }
        if path.qself.is_none()
            && let Some((ty, meaning)) = self.variant(&path.path)
        {
            self.typed.note(expr).path = meaning;
            return ty;
        }
        if path.qself.is_none()
            && let Some(ty) = self.computed_constant(expr, &path.path)
        {
            return ty;
        }
        if let Some(ty) = self.constant_of_projection(expr, path) {
            return ty;
        }
        if let Some((meaning, ty)) = self.generic_constant(&path.path) {
            self.typed.note(expr).path = Some(meaning);
            return ty;
        }
        if self.names.get(&text).is_some() || self.names_function(path, &text) {
            self.report.error_help(
                Code::UnsupportedSyntax,
                path,
                format!("`{text}` used as a value"),
                format!("kernels have no function pointers: pass a closure, `|x| {text}(x)`"),
            );
            return Ty::Error;
        }
        if text == "self" || text.starts_with("Self::") {
            self.report.error_help(
                Code::UnsupportedSyntax,
                path,
                "`self` in kernel code",
                "pass the value as a parameter",
            );
            return Ty::Error;
        }
        if let Some(ty) = self.vector_constant(expr, path) {
            return ty;
        }
        let lower = path.path.get_ident().is_some()
            && text.chars().all(|letter| !letter.is_uppercase())
            && self.is_constant(&path.path) != Some(true);
        if lower {
            // A constant is not written like this; rustc would only say that a constant
            // cannot be computed.
            let names = path.path.get_ident().map(|ident| self.scopes.names(ident));
            let help = suggest_or(
                &text,
                names.into_iter().flatten(),
                "declare it with `let`, pass it as a parameter, or make it a `const`",
            );
            self.report.error_help(
                Code::UnknownName,
                path,
                format!("`{text}` is not a variable or constant that kernels can see"),
                help,
            );
            return Ty::Error;
        }
        let known = self
            .constant_of_type(&path.path)
            .or_else(|| known_constant(&path.path));
        let constant = self.constant(path.to_token_stream(), known, path.span());
        *self.const_uses.entry(constant).or_default() += 1;
        self.typed.note(expr).path = Some(Resolved::Const(constant));
        self.program.consts[constant].ty.clone()
    }

    fn field(&mut self, field: &ExprField) -> Ty {
        let base = self.owner_of(&field.base);
        let base = self.known_bundle(&field.base, base);
        let member = member_name(&field.member);
        let found = match &base {
            Ty::Error => Some(Ty::Error),
            Ty::Tuple(parts) => member
                .parse::<usize>()
                .ok()
                .and_then(|position| parts.get(position).cloned()),
            Ty::Struct(index, applied) => {
                let fields = self.program.fields(*index, applied);
                let mut fields = fields.into_iter();
                fields.find(|(name, _)| *name == member).map(|(_, ty)| ty)
            }
            Ty::Bundle(index) => self.bundle_field(*index, field),
            Ty::Tiled(dims) => match member.as_str() {
                "global" | "local" | "tile" | "tile_origin" => Some(Ty::Index(dims.len() as u32)),
                "barrier" => Some(Ty::Barrier),
                _ => None,
            },
            Ty::Vector(..) | Ty::Matrix(_) => self.vector_field(&base, &member),
            Ty::Var(_) => {
                let help = match self.names_a_constant(&field.base) {
                    true => self.constant_help(&field.base, "Point"),
                    false => "give the variable a type where it is declared".to_owned(),
                };
                self.report.error_help(
                    Code::UnknownType,
                    &field.base,
                    "the type must be known here to read a field",
                    help,
                );
                self.note_declaration(&field.base);
                self.unifier.poison(&base);
                return Ty::Error;
            }
            _ => None,
        };
        found.unwrap_or_else(|| {
            let shown = self.show(&base);
            let help = match &base {
                Ty::Struct(index, _) if self.program.structs[*index].is_enum() => {
                    Some("only `match` and the like name the fields of a case".into())
                }
                Ty::Struct(index, _) | Ty::Bundle(index) => {
                    let fields = &self.program.structs[*index].fields;
                    suggest(&member, fields.iter().map(|(name, _)| name.as_str()))
                }
                Ty::Tiled(_) => suggest(&member, TILED_FIELDS),
                Ty::Vector(..) | Ty::Matrix(_) if has_method(&base, &member) => {
                    Some(format!("it is a method: `.{member}()`"))
                }
                Ty::Vector(..) | Ty::Matrix(_) => Some(parts_of(&base)),
                Ty::Index(_) | Ty::Extent(_) => Some("its components are `[0]`, `[1]`, ..".into()),
                Ty::Tuple(parts) => Some(format!("its fields are `0` to `{}`", parts.len() - 1)),
                Ty::Array(..) => Some("its elements are `[0]`, `[1]`, ..".into()),
                Ty::View(_) => Some("index it: `a[i]`".into()),
                _ => Some("it is one value, without fields".into()),
            };
            let error = self.report.error(
                Code::UnknownMember,
                &field.member,
                format!("{shown} has no field `{member}`"),
            );
            error.help = help;
            Ty::Error
        })
    }

    fn struct_literal(&mut self, expr: &Expr, literal: &ExprStruct) -> Ty {
        let meaning = self.names.get(&path_key(&literal.path));
        if let Some(Meaning::Struct(index)) = meaning
            && self.program.structs[index].is_bundle
        {
            self.made_here(
                literal.fields.iter().map(|field| &field.expr),
                &literal.path,
            );
            return Ty::Error;
        }
        let Some(Made {
            ty,
            name: made,
            fields,
            case,
            ..
        }) = self.made(&literal.path)
        else {
            self.lost_arguments(literal.fields.iter().map(|field| &field.expr));
            if meaning == Some(Meaning::Broken) {
                return Ty::Error;
            }
            let shown = path_key(&literal.path);
            let help = match glam::named(&shown) {
                _ if let Some(Meaning::Struct(_)) = meaning => {
                    "name the case: `Shape::Rect { .. }`"
                }
                Some(_) => "call its `new`: not everywhere is it a struct with these fields",
                None => "mark the struct with `#[amp_struct]`",
            };
            self.report.error_help(
                Code::UnsupportedType,
                &literal.path,
                format!("`{shown}` is not a struct of kernels"),
                help,
            );
            return Ty::Error;
        };
        self.typed.note(expr).path = case;
        let mut seen = Vec::new();
        let mut is_misspelt = false;
        for value in &literal.fields {
            let name = member_name(&value.member);
            let field = fields.iter().find(|(field, _)| *field == name);
            if let Some((_, wanted)) = field {
                self.expects_slices(&value.expr, wanted);
            }
            let found = self.value(&value.expr);
            match field {
                Some((_, ty)) => {
                    self.expect(&found, ty, &value.expr);
                }
                None => {
                    let message = format!("`{made}` has no field `{name}`");
                    let help = suggest(&name, fields.iter().map(|(field, _)| field.as_str()));
                    let error = self
                        .report
                        .error(Code::UnknownMember, &value.member, message);
                    error.help = help;
                    self.unifier.poison(&found);
                    is_misspelt = true;
                }
            }
            seen.push(name);
        }
        if let Some(rest) = &literal.rest {
            let found = self.value(rest);
            self.expect(&found, &ty, &**rest);
            if case.is_some() {
                self.report.error_help(
                    Code::UnsupportedSyntax,
                    &**rest,
                    "the rest of a case of an enum",
                    "give every field a value",
                );
            }
        }
        let missing: Vec<_> = fields
            .iter()
            .filter(|(name, _)| !seen.contains(name))
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        if !missing.is_empty() && literal.rest.is_none() && !is_misspelt {
            let message = format!("a `{made}` without {}", missing.join(" and "));
            self.report
                .error_help(Code::Arity, literal, message, "give every field a value");
        }
        ty
    }
}

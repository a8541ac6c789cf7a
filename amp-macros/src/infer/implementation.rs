//! Members of types: the functions and constants of the `impl` blocks of an
//! `#[amp_module]`, found by the type that they are called on.
//!
//! Inherent members come before those of traits, as in Rust. Whether a trait is in scope
//! is for rustc to say, on the twin.

use amp_spirv::{diagnostic::Code, ir::BinaryOp};
use proc_macro2::Span;
use syn::{
    Expr, ExprBinary, ExprCall, ExprMethodCall, ExprUnary, ImplItem, ItemFn, ItemImpl, Path, UnOp,
    spanned::Spanned,
};

use super::{
    function::FnCx,
    key,
    program::{Meaning, Names, ParamDef, Program},
    signature,
    ty::{Kind, Ty},
    type_expr::scalar,
};
use crate::{
    import::{implementation, path_key},
    report::Report,
    suggest::suggest,
};

/// A function of a type.
pub struct Method {
    /// The type.
    pub owner: Ty,
    /// The trait that it is of.
    pub of_trait: Option<String>,
    /// Its name.
    pub name: String,
    /// It is called on a value.
    pub has_receiver: bool,
    /// It is a constant, named without a call.
    pub is_constant: bool,
    /// Index into [`Program::functions`].
    pub function: usize,
}

/// A constant of a type.
pub struct TypeConst {
    /// The type that has it.
    pub owner: Ty,
    /// Its name.
    pub name: String,
    /// Its own type.
    pub ty: Ty,
}

/// Notes the scalar constants of an `impl` block.
pub fn constants(program: &mut Program, block: &ItemImpl, names: &Names) {
    // What cannot be read is reported where the block is compiled.
    let mut elsewhere = Report::default();
    let owner = signature::written(program, &block.self_ty, names, &mut elsewhere);
    for part in &block.items {
        if let ImplItem::Const(constant) = part
            && implementation::computed(constant).is_none()
        {
            let ty = signature::written(program, &constant.ty, names, &mut elsewhere);
            program.type_consts.push(TypeConst {
                owner: owner.clone(),
                name: constant.ident.to_string(),
                ty,
            });
        }
    }
}

/// Notes a function of an `impl` block.
pub fn function(
    program: &mut Program,
    block: &ItemImpl,
    item: &ItemFn,
    function: usize,
    names: &Names,
) {
    let mut elsewhere = Report::default();
    let owner = signature::written(program, &block.self_ty, names, &mut elsewhere);
    let name = item.sig.ident.to_string();
    program.methods.push(Method {
        owner,
        of_trait: implementation::trait_name(block),
        is_constant: block.items.iter().any(
            |part| matches!(part, ImplItem::Const(constant) if constant.ident == item.sig.ident),
        ),
        name,
        has_receiver: implementation::has_receiver(item),
        function,
    });
}

/// Refuses a function that holds a place by reference while others of its tile run.
pub fn check_waiting(item: &ItemFn, params: &[ParamDef], report: &mut Report) {
    let waits = |param: &ParamDef| matches!(param.ty, Ty::Tiled(_) | Ty::Barrier);
    let refers = |param: &ParamDef| matches!(param.ty, Ty::Reference { .. });
    if params.iter().any(waits) && params.iter().any(refers) {
        report.error_help(
            Code::Implementation,
            &item.sig.ident,
            "a function of an `impl` block with a reference and a tile",
            "take `self` by value, or write an `#[amp_fn]`: others may change the place at a barrier",
        );
    }
}

/// The trait of a binary operator and its function.
fn operator_trait(op: BinaryOp, assigns: bool) -> (&'static str, &'static str) {
    match (op, assigns) {
        (BinaryOp::Add, false) => ("Add", "add"),
        (BinaryOp::Sub, false) => ("Sub", "sub"),
        (BinaryOp::Mul, false) => ("Mul", "mul"),
        (BinaryOp::Div, false) => ("Div", "div"),
        (BinaryOp::Rem, false) => ("Rem", "rem"),
        (BinaryOp::BitAnd, false) => ("BitAnd", "bitand"),
        (BinaryOp::BitOr, false) => ("BitOr", "bitor"),
        (BinaryOp::BitXor, false) => ("BitXor", "bitxor"),
        (BinaryOp::Shl, false) => ("Shl", "shl"),
        (BinaryOp::Shr, false) => ("Shr", "shr"),
        (BinaryOp::Add, true) => ("AddAssign", "add_assign"),
        (BinaryOp::Sub, true) => ("SubAssign", "sub_assign"),
        (BinaryOp::Mul, true) => ("MulAssign", "mul_assign"),
        (BinaryOp::Div, true) => ("DivAssign", "div_assign"),
        (BinaryOp::Rem, true) => ("RemAssign", "rem_assign"),
        (BinaryOp::BitAnd, true) => ("BitAndAssign", "bitand_assign"),
        (BinaryOp::BitOr, true) => ("BitOrAssign", "bitor_assign"),
        (BinaryOp::BitXor, true) => ("BitXorAssign", "bitxor_assign"),
        (BinaryOp::Shl, true) => ("ShlAssign", "shl_assign"),
        (BinaryOp::Shr, true) => ("ShrAssign", "shr_assign"),
        (BinaryOp::Eq, _) => ("PartialEq", "eq"),
        (BinaryOp::Ne, _) => ("PartialEq", "ne"),
        (BinaryOp::Lt, _) => ("PartialOrd", "lt"),
        (BinaryOp::Le, _) => ("PartialOrd", "le"),
        (BinaryOp::Gt, _) => ("PartialOrd", "gt"),
        (BinaryOp::Ge, _) => ("PartialOrd", "ge"),
    }
}

impl FnCx<'_> {
    /// The type that a path names in this function.
    fn named_type(&self, path: &str) -> Option<Ty> {
        match self.names.get(path) {
            Some(Meaning::Struct(index)) => Some(Ty::Struct(index)),
            Some(Meaning::Enum(index)) => Some(Ty::Enum(index)),
            Some(_) => None,
            None => scalar(path).map(Ty::Scalar),
        }
    }

    /// The type of a constant whose path tells it: `Vec2::DIMENSIONS`.
    pub fn constant_of_type(&self, path: &Path) -> Option<Ty> {
        let text = path_key(path);
        let (owner, name) = text.rsplit_once("::")?;
        let owner = self.named_type(owner)?;
        let consts = &self.program.type_consts;
        let found = consts
            .iter()
            .find(|constant| constant.owner == owner && constant.name == name)?;
        Some(found.ty.clone())
    }

    /// Type of `Vec2::ZERO`, a constant that is computed where it is named.
    pub fn computed_constant(&mut self, node: usize, path: &Path) -> Option<Ty> {
        let text = path_key(path);
        let (owner, name) = text.rsplit_once("::")?;
        let owner = self.named_type(owner)?;
        let mut methods = self.program.methods.iter();
        let function = methods
            .find(|method| method.is_constant && method.owner == owner && method.name == name)?
            .function;
        self.calls(node, function, path.span());
        Some(self.program.functions[function].result.clone())
    }

    /// Whether a type has a member of this name.
    fn has_member(&self, owner: &Ty, name: &str) -> bool {
        let mut methods = self.program.methods.iter();
        methods.any(|method| method.owner == *owner && method.name == name && !method.is_constant)
    }

    /// The member of a type with this name: one of the type itself before those of traits,
    /// of which a trait may give several, for other arguments behind the `skipped` first.
    fn member(&self, owner: &Ty, name: &str, skipped: usize, found: &[Ty]) -> Option<&Method> {
        let fits = |method: &&Method| {
            let params = &self.program.functions[method.function].params;
            let params = params.get(skipped..).unwrap_or_default();
            params.len() == found.len()
                && params
                    .iter()
                    .zip(found)
                    .all(|(param, found)| self.could_be(found, &param.ty))
        };
        let methods = self.program.methods.iter();
        let known: Vec<&Method> = methods
            .filter(|method| method.owner == *owner && method.name == name)
            .collect();
        let mut inherent = known.iter().filter(|method| method.of_trait.is_none());
        let chosen = inherent.next();
        let chosen = chosen.or_else(|| known.iter().find(|method| fits(method)));
        chosen.or(known.first()).copied()
    }

    /// Type of `Vec2::new(..)`, `Vec2::length(&v)` or `Shape::area(&v)`, if the path leads
    /// to a type or trait that may have functions of a module.
    pub fn call_of_member(&mut self, expr: &Expr, call: &ExprCall, path: &Path) -> Option<Ty> {
        let text = path_key(path);
        let (owner, name) = text.rsplit_once("::")?;
        let of_trait = match self.names.get(owner) {
            Some(Meaning::Trait(index)) => Some(self.program.traits[index].clone()),
            _ => None,
        };
        let ty = self.named_type(owner);
        let is_user = matches!(ty, Some(Ty::Struct(_) | Ty::Enum(_)));
        let is_known = ty.as_ref().is_some_and(|ty| self.has_member(ty, name));
        if of_trait.is_none() && !is_known && !is_user {
            return None;
        }
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let found: Vec<Ty> = arguments.iter().map(|part| self.argument(part)).collect();
        let known = ty.as_ref().and_then(|ty| self.member(ty, name, 0, &found));
        let known = known.map(|method| method.function);
        let function = match (known, &of_trait, &ty) {
            (Some(function), ..) => Some(function),
            (None, Some(of_trait), _) => {
                let first = found.first().map(|first| self.unifier.deep(first));
                self.function_of_trait(path, of_trait, name, first.as_ref())
            }
            (None, None, Some(ty)) => {
                let message = format!("{} has no function `{name}` in kernels", self.show(ty));
                let help = self.members_help(ty, name);
                self.report
                    .error_help(Code::UnknownMember, path, message, help);
                None
            }
            (None, None, None) => None,
        };
        let Some(function) = function else {
            found.iter().for_each(|found| self.unifier.poison(found));
            return Some(Ty::Error);
        };
        self.pass(function, 0, &arguments, &found, &*call.func);
        self.calls(key(expr), function, call.func.span());
        Some(self.program.functions[function].result.clone())
    }

    fn function_of_trait(
        &mut self,
        path: &Path,
        of_trait: &str,
        name: &str,
        first: Option<&Ty>,
    ) -> Option<usize> {
        if first == Some(&Ty::Error) {
            return None;
        }
        let mut methods = self.program.methods.iter();
        let found = methods.find(|method| {
            method.of_trait.as_deref() == Some(of_trait)
                && method.name == name
                && method.has_receiver
                && first.is_some_and(|first| method.owner == *first.target())
        });
        if let Some(method) = found {
            return Some(method.function);
        }
        let message = match first {
            Some(first) => format!(
                "{} has no `{of_trait}::{name}` in kernels",
                self.show(first.target())
            ),
            None => format!("nothing says whose `{of_trait}::{name}` it is"),
        };
        self.report.error_help(
            Code::UnknownMember,
            path,
            message,
            "implement the trait for the type of the first argument, in an `#[amp_module]`",
        );
        None
    }

    /// What to write instead of a member that is not there.
    pub fn members_help(&self, owner: &Ty, name: &str) -> String {
        let methods = self.program.methods.iter();
        let names = methods
            .filter(|method| method.owner == *owner)
            .map(|method| method.name.as_str());
        suggest(name, names).unwrap_or_else(|| {
            "put it with its `impl` into an `#[amp_module]`, or write an `#[amp_fn]`".to_owned()
        })
    }

    /// Type of `receiver.method(..)`, if a module gives the receiver this method.
    pub fn method_of_module(
        &mut self,
        expr: &Expr,
        call: &ExprMethodCall,
        receiver: &Ty,
        name: &str,
    ) -> Option<Ty> {
        if !self.has_member(receiver, name) {
            return None;
        }
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let found: Vec<Ty> = arguments.iter().map(|part| self.argument(part)).collect();
        let method = self.member(receiver, name, 1, &found)?;
        let (function, has_receiver) = (method.function, method.has_receiver);
        if !has_receiver {
            let message = format!("`{name}` is called on the type, not on a value");
            let help = format!(
                "write `{}::{name}(..)`",
                self.show(receiver).replace('`', "")
            );
            self.report
                .error_help(Code::UnknownMember, &call.method, message, help);
            found.iter().for_each(|found| self.unifier.poison(found));
            return Some(Ty::Error);
        }
        let params = &self.program.functions[function].params;
        if let Some(Ty::Reference { mutable: true, .. }) = params.first().map(|param| &param.ty) {
            self.writable(&call.receiver);
        }
        self.pass(function, 1, &arguments, &found, &call.method);
        self.calls(key(expr), function, call.method.span());
        Some(self.program.functions[function].result.clone())
    }

    /// Whether an operator on these types is the user's, rather than the language's.
    pub fn is_of_module(&self, op: BinaryOp, assigns: bool, left: &Ty, right: &Ty) -> bool {
        let (of_trait, _) = operator_trait(op, assigns);
        [left, right].into_iter().any(|side| {
            let side = self.unifier.shallow(side);
            match side {
                Ty::Struct(_) => true,
                Ty::Enum(_) => self.program.methods.iter().any(|method| {
                    method.of_trait.as_deref() == Some(of_trait) && method.owner == side
                }),
                _ => false,
            }
        })
    }

    /// Type of a binary operator that [`FnCx::is_of_module`].
    pub fn own_operation(
        &mut self,
        op: BinaryOp,
        assigns: bool,
        binary: &ExprBinary,
        left: &Ty,
        right: &Ty,
    ) -> Ty {
        let (l, r) = (self.unifier.shallow(left), self.unifier.shallow(right));
        let result = match op.is_comparison() {
            true => Ty::BOOL,
            false => Ty::Error,
        };
        if l == Ty::Error || r == Ty::Error {
            return result;
        }
        let is_equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        if is_equality
            && let Ty::Struct(index) = l
            && self.program.structs[index].is_compared
        {
            self.expect(&r, &l, &*binary.right);
            self.typed.by_parts.insert(key(binary));
            return Ty::BOOL;
        }
        let span = binary.op.span();
        let Some(function) = self.operator_of_module(op, assigns, &l, &r, span) else {
            self.unifier.poison(&l);
            self.unifier.poison(&r);
            return result;
        };
        self.own_call(
            key(binary),
            function,
            &[(&l, &binary.left), (&r, &binary.right)],
            span,
        )
    }

    /// Type of `-x` or `!x`, if `x` is of a user's type that has it.
    pub fn own_unary(&mut self, unary: &ExprUnary, operand: &Ty) -> Option<Ty> {
        let operand = self.unifier.shallow(operand);
        if !matches!(operand, Ty::Struct(_) | Ty::Enum(_)) {
            return None;
        }
        let (of_trait, name) = match unary.op {
            UnOp::Neg(_) => ("Neg", "neg"),
            _ => ("Not", "not"),
        };
        let mut methods = self.program.methods.iter();
        let found = methods.find(|method| {
            method.of_trait.as_deref() == Some(of_trait)
                && method.name == name
                && method.owner == operand
        });
        let function = found?.function;
        let span = unary.op.span();
        Some(self.own_call(key(unary), function, &[(&operand, &unary.expr)], span))
    }

    /// The call that an operator is.
    fn own_call(
        &mut self,
        node: usize,
        function: usize,
        operands: &[(&Ty, &Expr)],
        span: Span,
    ) -> Ty {
        let params = self.program.functions[function].params.clone();
        for ((found, operand), param) in operands.iter().zip(&params) {
            self.expect(found, param.ty.target(), *operand);
        }
        self.calls(node, function, span);
        self.program.functions[function].result.clone()
    }

    /// The function of `left op right`, where one side is of a user's type.
    pub fn operator_of_module(
        &mut self,
        op: BinaryOp,
        assigns: bool,
        left: &Ty,
        right: &Ty,
        span: Span,
    ) -> Option<usize> {
        let (of_trait, name) = operator_trait(op, assigns);
        let methods = &self.program.methods;
        let has = |name: &str| {
            let mut methods = methods.iter();
            methods.any(|method| method.name == name && method.owner == *left)
        };
        // What is not equal is what `eq` says it is not.
        let name = match name {
            "ne" if !has("ne") => "eq",
            name => name,
        };
        let candidates: Vec<usize> = methods
            .iter()
            .filter(|method| method.of_trait.as_deref() == Some(of_trait) && method.name == name)
            .filter(|method| self.could_be(left, &method.owner))
            .map(|method| method.function)
            .filter(|function| {
                let params = &self.program.functions[*function].params;
                params
                    .get(1)
                    .is_some_and(|param| self.could_be(right, param.ty.target()))
            })
            .collect();
        let symbol = format!("{}{}", op.symbol(), if assigns { "=" } else { "" });
        match &*candidates {
            [function] => Some(*function),
            [] => {
                let message = format!(
                    "`{symbol}` does not combine {} with {}",
                    self.show(left),
                    self.show(right)
                );
                let help = match op {
                    BinaryOp::Eq | BinaryOp::Ne => "derive it, `#[derive(PartialEq)]`, or \
                         implement it in the `#[amp_module]` of the type"
                        .to_owned(),
                    _ if op.is_comparison() => "compare its components".to_owned(),
                    _ => format!(
                        "write an `impl {of_trait}` in the `#[amp_module]` of the type, or apply it \
                         to the components"
                    ),
                };
                self.report.error_help(Code::Operator, span, message, help);
                None
            }
            _ => {
                let message = format!("`{symbol}` has several meanings here");
                let help = "give the operands types where they are declared";
                self.report
                    .error_help(Code::UnknownType, span, message, help);
                None
            }
        }
    }

    fn could_be(&self, found: &Ty, wanted: &Ty) -> bool {
        match self.unifier.shallow(found) {
            Ty::Error | Ty::Never => true,
            Ty::Var(var) => match (self.unifier.kind(var), wanted) {
                (Kind::Any, _) => true,
                (Kind::Int, Ty::Scalar(scalar)) => scalar.is_integer(),
                (Kind::Float, Ty::Scalar(scalar)) => scalar.is_float(),
                _ => false,
            },
            found => found.target() == wanted.target(),
        }
    }
}

//! What the text of constants tells: numbers, and types of which the lengths are numbers.
//!
//! rustc proves what is told here: the host version declares a constant of the type again, and
//! asserts that a length is the number.

use proc_macro2::Literal;
use quote::ToTokens;
use syn::{BinOp, Expr, ExprLit, ItemConst, Lit, Path, Type, parse_quote};

use super::{
    File, Found,
    type_names::{TypeNames, is_scalar},
};

/// A constant of a module, as text: tokens end with the macro that has read them.
pub struct Constant {
    pub(super) ty: String,
    pub(super) value: String,
    /// Whether it is the only one of its name: others are there under other conditions.
    pub(super) is_sure: bool,
    /// Whether it is an `#[amp_const]`.
    pub(super) is_marked: bool,
}

impl Constant {
    fn ty(&self) -> Option<Type> {
        syn::parse_str(&self.ty).ok()
    }

    fn value(&self) -> Option<Expr> {
        syn::parse_str(&self.value).ok()
    }
}

/// How many constants may name each other.
const DEEPEST: u32 = 16;

impl File {
    /// The number that an expression of a module is, as far as its text tells.
    pub fn number(&self, at: usize, expr: &Expr) -> Option<u64> {
        self.number_within(at, expr, DEEPEST)
    }

    fn number_within(&self, at: usize, expr: &Expr, depth: u32) -> Option<u64> {
        let depth = depth.checked_sub(1)?;
        match expr {
            Expr::Lit(ExprLit {
                lit: Lit::Int(int), ..
            }) => int.base10_parse().ok(),
            Expr::Paren(paren) => self.number_within(at, &paren.expr, depth),
            Expr::Group(group) => self.number_within(at, &group.expr, depth),
            Expr::Block(block) => match &*block.block.stmts {
                [syn::Stmt::Expr(value, None)] => self.number_within(at, value, depth),
                _ => None,
            },
            Expr::Path(path) if path.qself.is_none() => match self.find(at, &path.path) {
                Found::Constant(file, home, constant) if constant.is_sure => {
                    file.number_within(home, &constant.value()?, depth)
                }
                _ => None,
            },
            Expr::MethodCall(call) if call.method == "len" && call.args.is_empty() => {
                self.elements_within(at, &call.receiver, depth)
            }
            Expr::Binary(binary) => {
                let left = self.number_within(at, &binary.left, depth)?;
                let right = self.number_within(at, &binary.right, depth)?;
                match binary.op {
                    BinOp::Add(_) => left.checked_add(right),
                    BinOp::Sub(_) => left.checked_sub(right),
                    BinOp::Mul(_) => left.checked_mul(right),
                    BinOp::Div(_) => left.checked_div(right),
                    BinOp::Rem(_) => left.checked_rem(right),
                    BinOp::Shl(_) => left.checked_shl(right.try_into().ok()?),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// How many elements an array or slice has, as far as its text tells.
    fn elements_within(&self, at: usize, expr: &Expr, depth: u32) -> Option<u64> {
        let path = match expr {
            Expr::Path(path) => path,
            Expr::Reference(reference) => return self.elements_within(at, &reference.expr, depth),
            _ => return elements(expr, &|length| self.number_within(at, length, depth)),
        };
        match self.find(at, &path.path) {
            Found::Constant(file, home, constant) if constant.is_sure => {
                let depth = depth.checked_sub(1)?;
                match referred(&constant.ty()?) {
                    Type::Array(array) => file.number_within(home, &array.len, depth),
                    _ => file.elements_within(home, &constant.value()?, depth),
                }
            }
            _ => None,
        }
    }

    /// The module that declares a marked constant, if no other one has the same.
    fn home_of(
        &self,
        ItemConst {
            ident, ty, expr, ..
        }: &ItemConst,
    ) -> Option<usize> {
        let (name, ty, value) = (ident.to_string(), plain(ty), plain(expr));
        let mut homes = (0..self.modules.len()).filter(|at| {
            let constant = self.modules[*at].constants.get(&name);
            let is_it = |it: &Constant| {
                it.is_marked && without_spaces(&it.ty) == ty && without_spaces(&it.value) == value
            };
            constant.is_some_and(is_it)
        });
        let home = homes.next()?;
        homes.next().is_none().then_some(home)
    }

    /// The module that declares a constant of this name, if only one does.
    pub fn only_home_of(&self, name: &str) -> Option<usize> {
        let declares = |at: &usize| self.modules[*at].constants.contains_key(name);
        let mut homes = (0..self.modules.len()).filter(declares);
        let home = homes.next()?;
        homes.next().is_none().then_some(home)
    }

    /// The type of a marked constant, as its own module can name it, with numbers for its lengths, if it is no
    /// scalar, and the number that it is, if it is one; as far as the text tells.
    pub fn exported(&self, constant: &ItemConst) -> (Option<Type>, Option<u64>) {
        let Some(home) = self.home_of(constant) else {
            return (None, None);
        };
        let name = &constant.ident;
        let table = self.table(home, &name.clone().into());
        let ty = table.map(|Table { ty, is_referred }| match is_referred {
            true => parse_quote!(&#ty),
            false => ty,
        });
        (ty, self.number(home, &parse_quote!(#name)))
    }

    /// The type of a constant that is no scalar, as a module can name it, if the text tells; of a
    /// reference, that of what it refers to.
    pub fn table(&self, at: usize, path: &Path) -> Option<Table> {
        let Found::Constant(file, home, constant) = self.find(at, path) else {
            return None;
        };
        let ty = constant.ty()?;
        let is_scalar = |ty: &Type| match ty {
            Type::Path(path) => path.path.get_ident().is_some_and(is_scalar),
            _ => false,
        };
        if !constant.is_sure || is_scalar(&ty) {
            return None;
        }
        let target = referred(&ty);
        let is_referred = !std::ptr::eq(target, &ty);
        let target = match target {
            Type::Slice(slice) => {
                let length = file.elements_within(home, &constant.value()?, DEEPEST)?;
                let (element, length) = (&slice.elem, Literal::u64_unsuffixed(length));
                parse_quote!([#element; #length])
            }
            target => target.clone(),
        };
        let names = TypeNames::new(file, home, (self, at), path);
        Some(Table {
            is_referred,
            ty: names.written_out(&target)?,
        })
    }
}

/// The text of tokens, which rustc and `syn` space in different ways.
fn plain(tokens: &impl ToTokens) -> String {
    without_spaces(&tokens.to_token_stream().to_string())
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The type of a constant that is no scalar.
pub struct Table {
    pub ty: Type,
    /// Whether the constant is a reference to a value of the type.
    pub is_referred: bool,
}

/// What a reference refers to; any other type itself, and that of a text, which kernels do not have.
fn referred(ty: &Type) -> &Type {
    let is_text = |ty: &Type| matches!(ty, Type::Path(path) if path.path.is_ident("str"));
    match ty {
        Type::Reference(reference) if !is_text(&reference.elem) => &reference.elem,
        ty => ty,
    }
}

/// How many elements an array has that is written out, or a reference to it.
pub fn elements(expr: &Expr, number: &dyn Fn(&Expr) -> Option<u64>) -> Option<u64> {
    match expr {
        Expr::Reference(reference) => elements(&reference.expr, number),
        Expr::Paren(paren) => elements(&paren.expr, number),
        Expr::Group(group) => elements(&group.expr, number),
        Expr::Array(array) => Some(array.elems.len() as u64),
        Expr::Repeat(repeat) => match &*repeat.len {
            Expr::Lit(ExprLit {
                lit: Lit::Int(int), ..
            }) => int.base10_parse().ok(),
            length => number(length),
        },
        Expr::Lit(ExprLit {
            lit: Lit::ByteStr(bytes),
            ..
        }) => Some(bytes.value().len() as u64),
        _ => None,
    }
}

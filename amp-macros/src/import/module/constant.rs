//! What the text of constants tells: numbers, and types of which the lengths are numbers.
//!
//! rustc proves what is told here: the host version declares a constant of the type again, and
//! asserts that a length is the number.

use syn::{BinOp, Expr, ExprLit, Ident, Lit, Path, Type};

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
                let Expr::Path(path) = &*call.receiver else {
                    return None;
                };
                match self.find(at, &path.path) {
                    Found::Constant(file, home, constant) if constant.is_sure => {
                        let Type::Array(array) = constant.ty()? else {
                            return None;
                        };
                        file.number_within(home, &array.len, depth)
                    }
                    _ => None,
                }
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

    /// The module that declares a constant of this name, if only one does.
    pub fn only_home_of(&self, name: &Ident) -> Option<usize> {
        let name = name.to_string();
        let declares = |at: &usize| self.modules[*at].constants.contains_key(&name);
        let mut homes = (0..self.modules.len()).filter(declares);
        let home = homes.next()?;
        homes.next().is_none().then_some(home)
    }

    /// The type of a constant that is no scalar, as a module can name it, if the text tells.
    pub fn type_of(&self, at: usize, path: &Path) -> Option<Type> {
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
        TypeNames::new(file, home, (self, at), path).written_out(&ty)
    }
}

//! What the text of constants tells: numbers, and types of which the lengths are numbers.
//!
//! rustc proves what is told here: the host version declares a constant of the type again, and
//! asserts that a length is the number.

use amp_spirv::tree::Scalar;
use proc_macro2::Literal;
use syn::{
    BinOp, Expr, ExprLit, GenericArgument, Ident, Lit, Path, PathArguments, Type, parse_quote,
};

use super::{File, Found};
use crate::language::glam;

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
        let names = TypeNames {
            file,
            home,
            reader: (self, at),
            path,
        };
        names.written_out(&ty)
    }

    /// The path that an import of a module stands for.
    fn imported(&self, at: usize, path: &Path) -> Option<Path> {
        let mut segments = path.segments.iter();
        let meant = self.modules[at]
            .imported
            .get(&segments.next()?.ident.to_string())?;
        let rest = segments.map(|segment| segment.ident.to_string());
        let names: Vec<String> = meant.iter().cloned().chain(rest).collect();
        syn::parse_str(&names.join("::")).ok()
    }
}

/// A constant of the module `home` of a file, which the module `reader` names by a path.
struct TypeNames<'a> {
    file: &'a File,
    home: usize,
    reader: (&'a File, usize),
    path: &'a Path,
}

impl TypeNames<'_> {
    /// A type, with numbers for its lengths and paths of the reader for its structs and enums.
    fn written_out(&self, ty: &Type) -> Option<Type> {
        Some(match ty {
            Type::Paren(paren) => self.written_out(&paren.elem)?,
            Type::Group(group) => self.written_out(&group.elem)?,
            Type::Array(array) => {
                let element = self.written_out(&array.elem)?;
                let length = self.file.number(self.home, &array.len)?;
                let length = Literal::u64_unsuffixed(length);
                parse_quote!([#element; #length])
            }
            Type::Tuple(tuple) => {
                let parts = tuple.elems.iter();
                let parts: Vec<Type> = parts
                    .map(|part| self.written_out(part))
                    .collect::<Option<_>>()?;
                parse_quote!((#(#parts,)*))
            }
            Type::Path(path) if path.qself.is_none() => {
                let name = path.path.get_ident();
                if name
                    .is_some_and(|name| is_scalar(name) || glam::named(&name.to_string()).is_some())
                {
                    return Some(ty.clone());
                }
                let mut path = path.path.clone();
                let last = path.segments.last_mut()?;
                let arguments = std::mem::take(&mut last.arguments);
                let mut named = self.named(&path)?;
                named.segments.last_mut()?.arguments = self.arguments(arguments)?;
                parse_quote!(#named)
            }
            _ => return None,
        })
    }

    fn arguments(&self, arguments: PathArguments) -> Option<PathArguments> {
        let PathArguments::AngleBracketed(mut arguments) = arguments else {
            return Some(arguments);
        };
        for argument in &mut arguments.args {
            match argument {
                GenericArgument::Type(ty) => *ty = self.written_out(ty)?,
                GenericArgument::Const(Expr::Lit(_)) => {}
                _ => return None,
            }
        }
        Some(PathArguments::AngleBracketed(arguments))
    }

    /// A path by which the reader may name a struct or enum: the one at the constant, or the same
    /// beside the constant. rustc proves that it leads to the type.
    fn named(&self, ty: &Path) -> Option<Path> {
        let (reader, at) = self.reader;
        let beside = |path: &Path| {
            let mut beside = path.clone();
            beside.segments.pop();
            // Of a constant of a type, beside that.
            beside.segments.pop_punct();
            if matches!(reader.find(at, &beside), Found::Struct(_) | Found::Enum(_)) {
                beside.segments.pop();
                beside.segments.pop_punct();
            }
            beside.segments.extend(ty.segments.iter().cloned());
            beside
        };
        let imported = reader.imported(at, self.path);
        let candidates = [
            Some(ty.clone()),
            Some(beside(self.path)),
            imported.as_ref().map(beside),
        ];
        let is_known = |path: &Path| {
            let found = reader.find(at, path);
            matches!(found, Found::Struct(true) | Found::Enum(true))
        };
        candidates.into_iter().flatten().find(is_known)
    }
}

fn is_scalar(name: &Ident) -> bool {
    Scalar::from_name(&name.to_string()).is_some()
}

//! What the text of constants tells: numbers, and types of which the lengths are numbers.
//!
//! rustc proves what is told here: the host version declares a constant of the type again, and
//! asserts that a length is the number.

use proc_macro2::Literal;
use quote::ToTokens;
use syn::{Expr, ItemConst, Path, Type, parse_quote};

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
    pub(super) fn ty(&self) -> Option<Type> {
        syn::parse_str(&self.ty).ok()
    }

    pub(super) fn value(&self) -> Option<Expr> {
        syn::parse_str(&self.value).ok()
    }
}

impl File {
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
        let table = table.filter(|table| !table.is_number);
        let ty = table.map(
            |Table {
                 ty, is_referred, ..
             }| match is_referred {
                true => parse_quote!(&#ty),
                false => ty,
            },
        );
        (ty, self.number(home, &parse_quote!(#name)))
    }

    /// The type of a constant, as a module can name it, if the text tells; of a reference, that of what
    /// it refers to.
    pub fn table(&self, at: usize, path: &Path) -> Option<Table> {
        let Found::Constant(file, home, constant) = self.find(at, path) else {
            return self.standard_constant(at, path);
        };
        let ty = constant.ty()?;
        if !constant.is_sure {
            return None;
        }
        let is_scalar = match &ty {
            Type::Path(path) => path.path.get_ident().is_some_and(is_scalar),
            _ => false,
        };
        let target = referred(&ty);
        let is_referred = !std::ptr::eq(target, &ty);
        let target = match target {
            Type::Slice(slice) => {
                let length = file.elements(home, &constant.value()?)?;
                let (element, length) = (&slice.elem, Literal::u64_unsuffixed(length));
                parse_quote!([#element; #length])
            }
            target => target.clone(),
        };
        let names = TypeNames::new(file, home, (self, at), path);
        Some(Table {
            is_referred,
            is_number: is_scalar,
            ty: names.written_out(&target)?,
        })
    }
}

impl File {
    /// The type of a constant that a module imports from `std::f32::consts` or `std::f64::consts`.
    fn standard_constant(&self, at: usize, path: &Path) -> Option<Table> {
        let name = path.get_ident()?.to_string();
        let module = &self.modules[at];
        let of_module = |path: &[String]| match path {
            [krate, ty, module] if STANDARD.contains(&&**krate) && module == "consts" => {
                FLOATS.iter().find(|float| *float == ty)
            }
            _ => None,
        };
        let imported = module.imported.get(&name);
        let imported = imported.and_then(|path| path.split_last());
        let ty = match imported {
            Some((_, module)) => of_module(module)?,
            None if CONSTANTS.contains(&&*name) => {
                module.globs.iter().find_map(|glob| of_module(glob))?
            }
            None => return None,
        };
        Some(Table {
            ty: syn::parse_str(ty).ok()?,
            is_number: true,
            is_referred: false,
        })
    }
}

const STANDARD: &[&str] = &["std", "core"];
const FLOATS: &[&str] = &["f32", "f64"];

/// The constants of `std::f32::consts`.
const CONSTANTS: &[&str] = &[
    "E",
    "FRAC_1_PI",
    "FRAC_1_SQRT_2",
    "FRAC_2_PI",
    "FRAC_2_SQRT_PI",
    "FRAC_PI_2",
    "FRAC_PI_3",
    "FRAC_PI_4",
    "FRAC_PI_6",
    "FRAC_PI_8",
    "LN_10",
    "LN_2",
    "LOG10_2",
    "LOG10_E",
    "LOG2_10",
    "LOG2_E",
    "PI",
    "SQRT_2",
    "TAU",
];

/// The text of tokens, which rustc and `syn` space in different ways.
fn plain(tokens: &impl ToTokens) -> String {
    without_spaces(&tokens.to_token_stream().to_string())
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The type of a constant.
pub struct Table {
    pub ty: Type,
    /// Whether it is that of a number, which few places need: others tell it themselves.
    pub is_number: bool,
    /// Whether the constant is a reference to a value of the type.
    pub is_referred: bool,
}

/// What a reference refers to; any other type itself, and that of a text, which kernels do not have.
pub(super) fn referred(ty: &Type) -> &Type {
    let is_text = |ty: &Type| matches!(ty, Type::Path(path) if path.path.is_ident("str"));
    match ty {
        Type::Reference(reference) if !is_text(&reference.elem) => &reference.elem,
        ty => ty,
    }
}

//! Constants of arrays, tuples, structs and enums in a function: their types, which its file tells, and
//! values for those of references.
//!
//! A macro does not know the type of a constant that is declared elsewhere. So the body begins with
//! a constant of its own for each whose type the file tells, which rustc proves. Of a reference it is
//! what that refers to, `TAPS: &[f32]` for one:
//!
//! ```text
//!                      const __AMP_TABLE_CX: [i32; 9] = CX;
//!                      const __AMP_TABLE_TAPS: [f32; 3] = table(TAPS);
//! b[i] = CX[j];        b[i] = __AMP_TABLE_CX[j];
//! sum(TAPS)            sum(&__AMP_TABLE_TAPS)
//! ```
//!
//! A constant of the body itself, `const TAPS: &[f32] = &[..];`, becomes what it refers to, too.

use std::{cell::OnceCell, collections::HashSet};

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};
use syn::{
    BinOp, Block, Expr, ExprBinary, ExprMethodCall, ExprPath, ExprReference, Generics, Ident, Item,
    ItemConst, Local, Pat, Path, Stmt, Type, parse_quote_spanned, spanned::Spanned,
};

use super::module::{File, Table, elements};
use crate::{
    attribute::TaskKind,
    language::{
        name::{is_type_name, path_key},
        source::replaced,
    },
    visit::{self, Visit, VisitMut},
};

/// What the names of these constants begin with.
pub const PREFIX: &str = "__AMP_TABLE_";

/// Declares the constants of a body of a function with these generic parameters, which stands in
/// the module of an item of this name and kind; `owner` is the type whose function it is. What is
/// declared already is taken as it is.
pub fn declare(
    body: &mut Block,
    generics: &Generics,
    owner: Option<&Path>,
    (anchor, kind): (&Ident, TaskKind),
) {
    let home = OnceCell::new();
    declare_by(body, generics, &|path| {
        let home = home.get_or_init(|| File::around(anchor, kind));
        let meant = match owner {
            Some(owner) if path.segments[0].ident == "Self" => {
                let mut meant = owner.clone();
                meant.segments.extend(path.segments.iter().skip(1).cloned());
                meant
            }
            _ => path.clone(),
        };
        let table = match home {
            Some((file, home)) => file.table(*home, &meant),
            None => only_one(&meant),
        };
        Some((meant, table?))
    });
}

/// The parameters of a block and those of a function in it.
pub fn within(block: &Generics, function: &Generics) -> Generics {
    let mut generics = block.clone();
    generics.params.extend(function.params.iter().cloned());
    generics
}

/// Declares those constants of a body of which `known` tells the types, and the paths to them.
pub fn declare_by(
    body: &mut Block,
    generics: &Generics,
    known: &dyn Fn(&Path) -> Option<(Path, Table)>,
) {
    let mut used = Used::default();
    used.visit_block(body);
    if used.paths.is_empty() && !used.has_references {
        return;
    }
    let is_parameter = |path: &Path| {
        let mut parameters = generics.const_params();
        parameters.any(|parameter| path.is_ident(&parameter.ident))
    };
    let mut tables = Tables::default();
    let mut declarations: Vec<Stmt> = Vec::new();
    for path in &used.paths {
        let key = path_key(path);
        let is_known = tables.known.iter().any(|(known, ..)| *known == key);
        if is_known || is_parameter(path) {
            continue;
        }
        let Some((meant, table)) = known(path) else {
            continue;
        };
        let Table {
            ty,
            is_referred,
            is_number,
        } = table;
        if is_number && !used.numbers.contains(&key) {
            continue;
        }
        let name = format_ident!(
            "{PREFIX}{}",
            key.replace("::", "_").to_uppercase(),
            span = path.span()
        );
        let mut declared = own(body).map(|constant| &constant.ident);
        if declared.any(|declared| *declared == name) {
            tables.known.push((key, name, is_referred));
            continue;
        }
        let value = match is_referred {
            true => referred(&ty, &meant),
            false => quote_spanned!(path.span()=> #meant),
        };
        let ty = replaced(ty.to_token_stream(), path.span(), &|_| None);
        declarations.push(parse_quote_spanned!(path.span()=> const #name: #ty = #value;));
        tables.known.push((key, name, is_referred));
    }
    tables.visit_block_mut(body);
    body.stmts.splice(..0, declarations);
}

/// The paths in a body of what seems to be exported: constants whose types the file does not tell, and the
/// types of which there are constants. The function stands in the module of the item `anchor`.
pub fn exported(body: &Block, (anchor, kind): (&Ident, TaskKind)) -> Vec<String> {
    let mut used = Used::default();
    used.visit_block(body);
    let Some(file) = File::of(anchor.span()) else {
        return Vec::new();
    };
    let home = file.home(anchor, kind).unwrap_or_default();
    let exported = used.paths.iter().map(|path| {
        let mut path = path.clone();
        let owner = path.segments.iter().rev().nth(1);
        if owner.is_some_and(|owner| is_type_name(&owner.ident.to_string())) {
            path.segments.pop();
            path.segments.pop_punct();
        }
        path
    });
    let exported = exported.filter(|path| file.is_exported(home, path));
    exported.map(|path| path_key(&path)).collect()
}

/// What a reference refers to, in a constant.
pub fn referred(ty: &Type, reference: &(impl ToTokens + Spanned)) -> TokenStream {
    match ty {
        // It may be the reference to a slice.
        Type::Array(_) => {
            quote_spanned!(reference.span()=> ::amp::__private::constant::table(#reference))
        }
        _ => quote_spanned!(reference.span()=> *#reference),
    }
}

fn is_table(item: &Item) -> bool {
    matches!(item, Item::Const(constant) if constant.ident.to_string().starts_with(PREFIX))
}

/// The type of a constant that a function names whose module is not known, as when a macro makes
/// it: that of the constant which the file itself calls so, or of the only one of this name in it.
fn only_one(path: &Path) -> Option<Table> {
    let file = File::of(path.segments.first()?.ident.span())?;
    let of_only_one = || file.table(file.only_home_of(&path.get_ident()?.to_string())?, path);
    file.table(0, path).or_else(of_only_one)
}

/// The constants that a block declares itself.
fn own(block: &Block) -> impl Iterator<Item = &ItemConst> {
    block.stmts.iter().filter_map(|statement| match statement {
        Stmt::Item(Item::Const(constant)) => Some(constant),
        _ => None,
    })
}

/// A constant of a body that is a reference, as what that refers to.
fn own_referred(constant: &ItemConst) -> Option<(Type, TokenStream)> {
    let Type::Reference(reference) = &*constant.ty else {
        return None;
    };
    let ty = match &*reference.elem {
        Type::Slice(slice) => {
            let length = elements(&constant.expr)?;
            let (element, length) = (&slice.elem, Literal::u64_unsuffixed(length));
            parse_quote_spanned!(slice.span()=> [#element; #length])
        }
        ty => ty.clone(),
    };
    let value = referred(&ty, &constant.expr);
    Some((ty, value))
}

/// The paths in a body that may be constants from elsewhere.
#[derive(Default)]
struct Used {
    paths: Vec<Path>,
    /// Those that stand where the type of a number must be known, too: in receivers of methods, in amounts of
    /// shifts, and where a `let` has it.
    numbers: HashSet<String>,
    /// Whether that is so here.
    needs_numbers: bool,
    hidden: Vec<Ident>,
    /// Whether the body declares constants of references.
    has_references: bool,
}

impl<'a> Visit<'a> for Used {
    fn visit_expr_path(&mut self, expr: &'a ExprPath) {
        let last = expr.path.segments.last();
        let is_hidden = expr
            .path
            .get_ident()
            .is_some_and(|it| self.hidden.contains(it));
        let is_constant = last.is_some_and(|it| is_type_name(&it.ident.to_string()));
        if expr.qself.is_none() && is_constant && !is_hidden {
            if self.needs_numbers {
                self.numbers.insert(path_key(&expr.path));
            }
            self.paths.push(expr.path.clone());
        }
    }

    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        let outside = std::mem::replace(&mut self.needs_numbers, true);
        self.visit_expr(&call.receiver);
        self.needs_numbers = outside;
        call.args
            .iter()
            .for_each(|argument| self.visit_expr(argument));
    }

    fn visit_expr_binary(&mut self, binary: &'a ExprBinary) {
        self.visit_expr(&binary.left);
        let shifts = matches!(
            binary.op,
            BinOp::Shl(_) | BinOp::Shr(_) | BinOp::ShlAssign(_) | BinOp::ShrAssign(_)
        );
        let outside = self.needs_numbers;
        self.needs_numbers |= shifts;
        self.visit_expr(&binary.right);
        self.needs_numbers = outside;
    }

    fn visit_local(&mut self, local: &'a Local) {
        let init = local.init.as_ref();
        let tells_type = matches!(local.pat, Pat::Ident(_))
            && init.is_some_and(|init| is_of_constants(&init.expr));
        let outside = std::mem::replace(&mut self.needs_numbers, tells_type);
        visit::visit_local(self, local);
        self.needs_numbers = outside;
    }

    fn visit_item(&mut self, item: &'a Item) {
        if !is_table(item) {
            let outside = self.hidden.len();
            self.hidden.extend(parameters(item));
            visit::visit_item(self, item);
            self.hidden.truncate(outside);
        }
    }

    fn visit_block(&mut self, block: &'a Block) {
        let outside = self.hidden.len();
        for constant in own(block) {
            self.hidden.push(constant.ident.clone());
            self.has_references |= matches!(*constant.ty, Type::Reference(_));
        }
        visit::visit_block(self, block);
        self.hidden.truncate(outside);
    }
}

/// The const parameters of a function in a body, which hide constants of their names.
fn parameters(item: &Item) -> Vec<Ident> {
    let Item::Fn(function) = item else {
        return Vec::new();
    };
    let parameters = function.sig.generics.const_params();
    parameters
        .map(|parameter| parameter.ident.clone())
        .collect()
}

/// Whether an expression has no variables.
fn is_of_constants(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => {
            let last = path.path.segments.last();
            last.is_some_and(|last| is_type_name(&last.ident.to_string()))
        }
        Expr::Lit(_) => true,
        Expr::Paren(paren) => is_of_constants(&paren.expr),
        Expr::Unary(unary) => is_of_constants(&unary.expr),
        Expr::Binary(binary) => is_of_constants(&binary.left) && is_of_constants(&binary.right),
        _ => false,
    }
}

/// Names the constants of the body instead of those that they repeat.
#[derive(Default)]
struct Tables {
    /// By their paths, and whether these are references.
    known: Vec<(String, Ident, bool)>,
    /// The constants of the blocks around, and whether they are what references refer to.
    own: Vec<(Ident, bool)>,
}

impl Tables {
    /// What a path is to be: the name of a constant, and whether the path is a reference to it.
    fn meant(&self, path: &Path) -> Option<(Ident, bool)> {
        let mut own = self.own.iter().rev();
        if let Some((name, is_referred)) = own.find(|(name, _)| path.is_ident(name)) {
            return is_referred.then(|| (name.clone(), true));
        }
        let key = path_key(path);
        let mut known = self.known.iter();
        let (_, name, is_referred) = known.find(|(known, ..)| *known == key)?;
        Some((name.clone(), *is_referred))
    }

    /// Whether an expression is a reference to a constant of these.
    fn is_reference(&self, expr: &Expr) -> bool {
        let Expr::Reference(ExprReference { expr, .. }) = expr else {
            return false;
        };
        let Expr::Path(ExprPath { path, .. }) = &**expr else {
            return false;
        };
        let mut names = self.known.iter().map(|(_, name, _)| name);
        let is_own = |(name, is_referred): &(Ident, bool)| *is_referred && path.is_ident(name);
        names.any(|name| path.is_ident(name)) || self.own.iter().any(is_own)
    }
}

impl VisitMut for Tables {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Path(ExprPath {
            qself: None, path, ..
        }) = expr
        {
            if let Some((mut name, is_referred)) = self.meant(path) {
                let span = path.span();
                name.set_span(span);
                *expr = match is_referred {
                    true => parse_quote_spanned!(span=> &#name),
                    false => parse_quote_spanned!(span=> #name),
                };
            }
            return;
        }
        visit::visit_expr_mut(self, expr);
        // Rust looks behind the reference there.
        let place = match expr {
            Expr::Index(index) => &mut index.expr,
            Expr::Field(field) => &mut field.base,
            Expr::MethodCall(call) => {
                if call.method == "into_iter" && self.is_reference(&call.receiver) {
                    call.method = Ident::new("iter", call.method.span());
                }
                &mut call.receiver
            }
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                if self.is_reference(&unary.expr)
                    && let Expr::Reference(reference) = &*unary.expr
                {
                    *expr = (*reference.expr).clone();
                }
                return;
            }
            _ => return,
        };
        if self.is_reference(place)
            && let Expr::Reference(reference) = &**place
        {
            *place = reference.expr.clone();
        }
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        if !is_table(item) {
            let outside = self.own.len();
            let hidden = parameters(item).into_iter().map(|name| (name, false));
            self.own.extend(hidden);
            visit::visit_item_mut(self, item);
            self.own.truncate(outside);
        }
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        let outside = self.own.len();
        for statement in &mut block.stmts {
            if let Stmt::Item(Item::Const(constant)) = statement {
                let referred = own_referred(constant);
                self.own.push((constant.ident.clone(), referred.is_some()));
                if let Some((ty, value)) = referred {
                    *constant.ty = ty;
                    *constant.expr = Expr::Verbatim(value);
                }
            }
        }
        visit::visit_block_mut(self, block);
        self.own.truncate(outside);
    }
}

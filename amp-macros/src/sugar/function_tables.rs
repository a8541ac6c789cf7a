//! Tables of functions, of a body or of an `#[amp_module]`: their numbers, and a `match` where one is called.
//!
//! ```text
//! const OPS: [fn(f32) -> f32; 2] = [f32::sqrt, f32::abs];
//! let f = OPS[k];               let f = [0, 1][k]; let f = |x: f32| -> f32 { match f { 0 => f32::sqrt(x), _ => .. } };
//! OPS[k](x)                     { let f = [0, 1][k]; let f = ..; f(x) }
//! for f in OPS { f(x) }         for f in [0, 1] { let f = ..; f(x) }
//! OPS.iter().map(|f| f(x))      [0, 1].iter().map(|f| { let f = ..; f(x) })
//! ```
//!
//! The elements are written out where the table is declared. Left out are tables whose elements have other parts,
//! tables that are assigned, and elements that are kept otherwise.

use proc_macro2::{Ident, Literal, Span};
use syn::{
    Block, Expr, ExprPath, ImplItem, Item, Pat, PatIdent, Stmt, TraitItem, Type, TypeFnPtr,
    parse_quote, parse_quote_spanned, spanned::Spanned,
};

use super::function_pointers::called_by_number;
use crate::{
    iterate::{bare, refused},
    visit::{self, Visit, VisitMut},
};

/// Writes out the tables that the constants of a module are, and those of its functions.
pub fn of_module(members: &mut [Item], outside: &mut [Item]) {
    let mut tables = Tables(Vec::new());
    for item in members.iter_mut().chain(outside) {
        if let Item::Const(constant) = item
            && let Some(table) = Table::new(&constant.ident, &constant.ty, &constant.expr)
        {
            constant.attrs.push(parse_quote!(#[allow(dead_code)]));
            tables.0.push(table);
        }
    }
    for member in members {
        match member {
            Item::Fn(function) => tables.visit_block_mut(&mut function.block),
            Item::Impl(block) => block.items.iter_mut().for_each(|part| {
                if let ImplItem::Fn(function) = part {
                    tables.visit_block_mut(&mut function.block);
                }
            }),
            Item::Trait(item) => item.items.iter_mut().for_each(|part| {
                if let TraitItem::Fn(function) = part
                    && let Some(body) = &mut function.default
                {
                    tables.visit_block_mut(body);
                }
            }),
            _ => {}
        }
    }
}

/// Writes out the tables of a body.
pub fn of_body(body: &mut Block) {
    Tables(Vec::new()).visit_block_mut(body);
}

/// A table by its name.
struct Table {
    name: Ident,
    pointer: TypeFnPtr,
    functions: Vec<Expr>,
    /// How many the type says that there are.
    length: Option<Expr>,
}

impl Table {
    fn new(name: &Ident, ty: &Type, value: &Expr) -> Option<Self> {
        let (ty, value) = match (ty, bare(value)) {
            (Type::Reference(of), Expr::Reference(value)) => (&*of.elem, bare(&value.expr)),
            known => known,
        };
        let (element, length) = match ty {
            Type::Array(array) => (&array.elem, Some(array.len.clone())),
            Type::Slice(slice) => (&slice.elem, None),
            _ => return None,
        };
        let (Type::FnPtr(pointer), Expr::Array(array)) = (&**element, value) else {
            return None;
        };
        Some(Self {
            name: name.clone(),
            pointer: pointer.clone(),
            functions: array.elems.iter().cloned().collect(),
            length,
        })
    }

    /// The table that a statement declares.
    fn declared(statement: &Stmt) -> Option<Self> {
        match statement {
            Stmt::Item(Item::Const(constant)) => {
                Self::new(&constant.ident, &constant.ty, &constant.expr)
            }
            Stmt::Local(local) => match (&local.pat, &local.init) {
                (Pat::Type(typed), Some(init)) => match &*typed.pat {
                    Pat::Ident(name) => Self::new(&name.ident, &typed.ty, &init.expr),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// The numbers of its functions.
    fn numbers(&self, span: Span) -> Expr {
        let numbers = (0..self.functions.len()).map(|number| Literal::u32_suffixed(number as u32));
        parse_quote_spanned!(span=> [#(#numbers),*])
    }

    /// What has rustc prove that there are as many functions as the type says.
    fn counted(&self) -> Option<Stmt> {
        let (length, count) = (self.length.as_ref()?, self.functions.len());
        Some(parse_quote_spanned!(length.span()=> const _: [(); #length] = [(); #count];))
    }

    /// Has a name for a number be one for its function.
    fn named(&self, name: &Ident) -> Stmt {
        let (span, number) = (name.span(), parse_quote_spanned!(name.span()=> #name));
        let function = called_by_number(&number, self.functions.clone(), &self.pointer, span);
        parse_quote_spanned!(span=> let #name = #function;)
    }

    /// Has those names of patterns be functions that a body calls.
    fn in_body<'p>(&self, patterns: impl Iterator<Item = &'p Pat>, body: &mut Expr) {
        let mut names = Names::default();
        patterns.for_each(|pattern| names.visit_pat(pattern));
        names.0.retain(|name| calls(body, name));
        let functions: Vec<Stmt> = names.0.iter().map(|name| self.named(name)).collect();
        if !functions.is_empty() {
            *body = parse_quote_spanned!(body.span()=> { #(#functions)* #body });
        }
    }
}

struct Tables(Vec<Table>);

impl Tables {
    /// The table that a path is, or what iterates over one.
    fn within(&self, expr: &Expr) -> Option<&Table> {
        match bare(expr) {
            Expr::Path(ExprPath {
                qself: None, path, ..
            }) => {
                let mut tables = self.0.iter().rev();
                tables.find(|table| path.is_ident(&table.name))
            }
            Expr::Reference(reference) => self.within(&reference.expr),
            Expr::MethodCall(call) => self.within(&call.receiver),
            _ => None,
        }
    }

    /// Has a table that is visited, or indexed, be its numbers.
    fn number(&self, expr: &mut Expr) {
        let numbers = match bare(expr) {
            Expr::Path(_) => self.within(expr).map(|table| table.numbers(expr.span())),
            _ => None,
        };
        match expr {
            expr if let Some(numbers) = numbers => *expr = numbers,
            Expr::Paren(paren) => self.number(&mut paren.expr),
            Expr::Reference(reference) => self.number(&mut reference.expr),
            Expr::Index(index) => self.number(&mut index.expr),
            _ => {}
        }
    }

    /// The table that an expression is an element of.
    fn element(&self, expr: &Expr) -> Option<&Table> {
        match bare(expr) {
            Expr::Index(index) if matches!(bare(&index.expr), Expr::Path(_)) => {
                self.within(&index.expr)
            }
            _ => None,
        }
    }
}

impl VisitMut for Tables {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let outside = self.0.len();
        for statement in std::mem::take(&mut block.stmts) {
            if let Some(table) = Table::declared(&statement) {
                block.stmts.extend(table.counted());
                self.0.push(table);
                continue;
            }
            // `let f = OPS[k];`
            let mut statement = statement;
            let mut named = None;
            if let Stmt::Local(local) = &mut statement
                && let (Pat::Ident(name), Some(init)) = (&local.pat, &mut local.init)
                && let Some(table) = self.element(&init.expr)
            {
                named = Some(table.named(&name.ident));
                self.number(&mut init.expr);
            }
            block.stmts.push(statement);
            block.stmts.extend(named);
        }
        visit::visit_block_mut(self, block);
        self.0.truncate(outside);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Call(call) if let Some(table) = self.element(&call.func) => {
                let span = call.func.span();
                let name = Ident::new("__amp_of_table", span.resolved_at(Span::mixed_site()));
                let named = table.named(&name);
                let function = Box::new(parse_quote_spanned!(span=> #name));
                let mut number = std::mem::replace(&mut call.func, function);
                self.number(&mut number);
                *expr = parse_quote_spanned!(span=> { let #name = #number; #named #call });
            }
            Expr::ForLoop(round) if let Some(table) = self.within(&round.expr) => {
                let body = &round.body;
                let mut inner: Expr = parse_quote_spanned!(body.span()=> #body);
                table.in_body(std::iter::once(&*round.pat), &mut inner);
                if let Expr::Block(inner) = inner {
                    round.body = inner.block;
                }
                self.number(&mut round.expr);
            }
            Expr::MethodCall(call) if let Some(table) = self.within(&call.receiver) => {
                for argument in &mut call.args {
                    if let Expr::Closure(closure) = argument {
                        table.in_body(closure.inputs.iter(), &mut closure.body);
                    }
                }
                self.number(&mut call.receiver);
            }
            Expr::Path(_) if self.within(expr).is_some() => {
                *expr = refused(
                    expr.span(),
                    "a table of functions as a value",
                    "call its elements, `OPS[k](x)`, name one, `let f = OPS[k];`, or visit them: `for f in OPS`",
                );
            }
            _ => {}
        }
        visit::visit_expr_mut(self, expr);
    }
}

/// The names in patterns.
#[derive(Default)]
struct Names(Vec<Ident>);

impl Visit<'_> for Names {
    fn visit_pat_ident(&mut self, name: &PatIdent) {
        self.0.push(name.ident.clone());
    }
}

/// Whether an expression calls a name.
fn calls(expr: &Expr, name: &Ident) -> bool {
    struct Called<'a>(&'a Ident, bool);
    impl Visit<'_> for Called<'_> {
        fn visit_expr(&mut self, expr: &Expr) {
            if let Expr::Call(call) = expr
                && let Expr::Path(function) = bare(&call.func)
            {
                self.1 |= function.path.is_ident(self.0);
            }
            visit::visit_expr(self, expr);
        }
    }
    let mut called = Called(name, false);
    called.visit_expr(expr);
    called.1
}

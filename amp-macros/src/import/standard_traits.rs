//! Functions of std's traits that are named by the trait, as what kernels have in their place.
//!
//! ```text
//! Add::add(a, b)             a + b                        Ord::cmp(&a, &b)          a.cmp(&b)
//! <u32 as From<u8>>::from(x) u32::from(x as it is a u8)   fold(0, Add::add)         fold(0, |a, b| a + b)
//! ```
//!
//! The file tells that a path is that of the trait, or the prelude, if nothing else is known to have the
//! name; rustc proves it, beside the item. Left out are other names that a body or a macro imports, or a glob of
//! anything but the trait's module.

use std::{collections::HashSet, rc::Rc};

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{
    Expr, ExprCall, ExprPath, GenericArgument, Item, Path, PathArguments, Type,
    parse_quote_spanned, punctuated::Punctuated, spanned::Spanned,
};

use super::module::{File, Found};
use crate::{
    attribute::TaskKind,
    language::name::{path_key, qualifying_trait},
    visit::{self, VisitMut},
};

/// What a function of a trait is in a kernel.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// An operator between two values.
    Binary(&'static str),
    /// An operator before a value.
    Unary(&'static str),
    /// An operator that changes its left side.
    Assign(&'static str),
    /// A comparison of two references.
    Comparison(&'static str),
    /// A method of a value.
    Method,
    /// A method of what a reference refers to.
    MethodOfReferred,
    /// A conversion into the type that has the trait.
    From,
    /// A conversion into the trait's argument.
    Into,
    /// A function of the type without parameters.
    Function,
}

/// Functions of a trait. Without any, all are methods of values.
type Functions = &'static [(&'static str, Form)];

/// The traits, their modules and functions.
const TRAITS: &[(&str, &str, Functions)] = &[
    ("Add", "ops", &[("add", Form::Binary("+"))]),
    ("Sub", "ops", &[("sub", Form::Binary("-"))]),
    ("Mul", "ops", &[("mul", Form::Binary("*"))]),
    ("Div", "ops", &[("div", Form::Binary("/"))]),
    ("Rem", "ops", &[("rem", Form::Binary("%"))]),
    ("BitAnd", "ops", &[("bitand", Form::Binary("&"))]),
    ("BitOr", "ops", &[("bitor", Form::Binary("|"))]),
    ("BitXor", "ops", &[("bitxor", Form::Binary("^"))]),
    ("Shl", "ops", &[("shl", Form::Binary("<<"))]),
    ("Shr", "ops", &[("shr", Form::Binary(">>"))]),
    ("AddAssign", "ops", &[("add_assign", Form::Assign("+="))]),
    ("SubAssign", "ops", &[("sub_assign", Form::Assign("-="))]),
    ("MulAssign", "ops", &[("mul_assign", Form::Assign("*="))]),
    ("DivAssign", "ops", &[("div_assign", Form::Assign("/="))]),
    ("RemAssign", "ops", &[("rem_assign", Form::Assign("%="))]),
    ("Neg", "ops", &[("neg", Form::Unary("-"))]),
    ("Not", "ops", &[("not", Form::Unary("!"))]),
    (
        "PartialEq",
        "cmp",
        &[
            ("eq", Form::Comparison("==")),
            ("ne", Form::Comparison("!=")),
        ],
    ),
    (
        "PartialOrd",
        "cmp",
        &[
            ("partial_cmp", Form::MethodOfReferred),
            ("lt", Form::Comparison("<")),
            ("le", Form::Comparison("<=")),
            ("gt", Form::Comparison(">")),
            ("ge", Form::Comparison(">=")),
        ],
    ),
    (
        "Ord",
        "cmp",
        &[
            ("cmp", Form::MethodOfReferred),
            ("max", Form::Method),
            ("min", Form::Method),
            ("clamp", Form::Method),
        ],
    ),
    ("Clone", "clone", &[("clone", Form::MethodOfReferred)]),
    ("Default", "default", &[("default", Form::Function)]),
    ("From", "convert", &[("from", Form::From)]),
    ("TryFrom", "convert", &[("try_from", Form::From)]),
    ("Into", "convert", &[("into", Form::Into)]),
    ("TryInto", "convert", &[("try_into", Form::Method)]),
    ("Iterator", "iter", &[]),
];

/// Traits that need no import.
fn is_in_prelude(module: &str) -> bool {
    module != "ops"
}

/// Writes out the calls in an item, which stands in the module of the item `anchor` of this kind, and
/// gives what has rustc prove them, beside it.
pub fn settle(item: &mut Item, anchor: &Ident, kind: TaskKind) -> TokenStream {
    let mut calls = Calls {
        home: File::around(anchor, kind),
        proven: HashSet::new(),
        proofs: TokenStream::new(),
    };
    calls.visit_item_mut(item);
    calls.proofs
}

struct Calls {
    /// The file and the module in it, unless a macro has made the item.
    home: Option<(Rc<File>, usize)>,
    proven: HashSet<String>,
    proofs: TokenStream,
}

/// A function of a trait as a path names it.
struct Named {
    form: Form,
    name: Ident,
    /// The arguments behind the function's name.
    arguments: PathArguments,
    /// The type that has the trait, and the trait's argument, where they are said.
    owner: Option<Type>,
    argument: Option<Type>,
}

impl Calls {
    fn named(&mut self, function: &ExprPath) -> Option<Named> {
        let last = function.path.segments.last()?.clone();
        let mut of_trait = match &function.qself {
            Some(of) if of.as_token.is_some() => qualifying_trait(of, &function.path),
            Some(_) => return None,
            None => {
                let mut path = function.path.clone();
                path.segments.pop();
                path.segments.pop_punct();
                path
            }
        };
        let segment = of_trait.segments.last_mut()?;
        let of_segment = std::mem::replace(&mut segment.arguments, PathArguments::None);
        let (name, module, functions) = TRAITS.iter().find(|row| segment.ident == row.0)?;
        let form = match functions {
            [] => Form::Method,
            functions => functions.iter().find(|row| last.ident == row.0)?.1,
        };
        if !self.is_standard(&of_trait, module) {
            return None;
        }
        let argument = match of_segment {
            PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
                Some(GenericArgument::Type(ty)) => Some(ty.clone()),
                _ => None,
            },
            _ => None,
        };
        self.prove(&of_trait, (name, module), functions);
        Some(Named {
            form,
            name: last.ident,
            arguments: last.arguments,
            owner: function.qself.as_ref().map(|of| (*of.ty).clone()),
            argument,
        })
    }

    fn is_standard(&self, of_trait: &Path, module: &str) -> bool {
        let is_in_prelude = is_in_prelude(module) && of_trait.get_ident().is_some();
        let Some((file, home)) = &self.home else {
            return is_in_prelude;
        };
        match file.find(*home, of_trait) {
            Found::Standard => true,
            Found::Unknown if of_trait.get_ident().is_some() && file.has_all_of(*home, module) => {
                true
            }
            Found::Absent(_) | Found::Unknown => is_in_prelude,
            _ => false,
        }
    }

    /// Has rustc prove that a path is that of the trait.
    fn prove(&mut self, path: &Path, (name, module): (&str, &str), functions: Functions) {
        if !self.proven.insert(path_key(path)) {
            return;
        }
        let takes_argument = functions.iter().any(|(_, form)| {
            !matches!(form, Form::Unary(_) | Form::Method | Form::Function)
                && !matches!(name, "Ord" | "Clone")
        });
        let other = (takes_argument || name == "TryInto").then(|| quote!(<__AmpOther>));
        let span = path.span();
        let (name, module) = (Ident::new(name, span), Ident::new(module, span));
        self.proofs.extend(quote_spanned! {span=>
            const _: () = {
                fn is<__AmpOther, __AmpSelf: ::core::#module::#name #other>() {}
                #[allow(dead_code)]
                fn implied<__AmpOther, __AmpSelf: #path #other>() {
                    is::<__AmpOther, __AmpSelf>();
                }
            };
        });
    }

    /// What a call is in a kernel.
    fn called(&mut self, call: &ExprCall) -> Option<Expr> {
        let Expr::Path(function) = &*call.func else {
            return None;
        };
        let named = self.named(function)?;
        named.called(call.args.iter().cloned().collect(), call.span())
    }

    /// A closure for a function that is named where a value stands.
    fn closure(&mut self, function: &ExprPath) -> Option<Expr> {
        let named = self.named(function)?;
        let count = match (named.form, &*named.name.to_string()) {
            (Form::Binary(_), _) | (Form::Method, "max" | "min") => 2,
            (Form::Unary(_) | Form::From | Form::Into, _) => 1,
            _ => return None,
        };
        let span = function.span().resolved_at(Span::mixed_site());
        let names = (0..count).map(|k| format_ident!("__amp_argument_{k}", span = span));
        let names: Vec<Ident> = names.collect();
        let arguments = names
            .iter()
            .map(|name| parse_quote_spanned!(span=> #name))
            .collect();
        let value = named.called(arguments, span)?;
        Some(parse_quote_spanned!(span=> |#(#names),*| #value))
    }
}

impl Named {
    fn called(&self, mut arguments: Vec<Expr>, span: Span) -> Option<Expr> {
        let (name, turbofish) = (&self.name, &self.arguments);
        if self.form == Form::Function {
            let owner = self.owner.as_ref().filter(|_| arguments.is_empty())?;
            return Some(parse_quote_spanned!(span=> <#owner>::#name()));
        }
        if arguments.is_empty() {
            return None;
        }
        let token = |text: &str| -> Option<TokenStream> {
            let tokens: TokenStream = text.parse().ok()?;
            let spanned = tokens.into_iter().map(|mut token| {
                token.set_span(span);
                token
            });
            Some(spanned.collect())
        };
        let is_referred = matches!(self.form, Form::Comparison(_) | Form::MethodOfReferred);
        let mut lets = TokenStream::new();
        if is_referred {
            // Of which type they are is said by what they refer to.
            if self.owner.is_some() && !arguments.iter().all(is_place) {
                return None;
            }
            arguments[0] = referred(&arguments[0], span);
        } else {
            let by_position = match self.form {
                Form::From => [self.argument.as_ref(), None],
                Form::Into | Form::Method | Form::Unary(_) => [self.owner.as_ref(), None],
                Form::Assign(_) => [None, self.argument.as_ref().or(self.owner.as_ref())],
                _ => [
                    self.owner.as_ref(),
                    self.argument.as_ref().or(self.owner.as_ref()),
                ],
            };
            let hygienic = span.resolved_at(Span::mixed_site());
            for (k, ty) in by_position.iter().enumerate() {
                if let (Some(ty), Some(argument)) = (ty, arguments.get_mut(k)) {
                    let name = format_ident!("__amp_operand_{k}", span = hygienic);
                    lets.extend(quote_spanned!(span=> let #name: #ty = #argument;));
                    *argument = parse_quote_spanned!(span=> #name);
                }
            }
        }
        let value: Expr = match (self.form, &*arguments) {
            (Form::Binary(operator), [left, right]) => {
                let operator = token(operator)?;
                parse_quote_spanned!(span=> (#left #operator #right))
            }
            (Form::Comparison(operator), [left, right]) => {
                let (operator, right) = (token(operator)?, referred(right, span));
                parse_quote_spanned!(span=> (#left #operator #right))
            }
            (Form::Assign(operator), [left, right]) => {
                let (operator, left) = (token(operator)?, referred(left, span));
                parse_quote_spanned!(span=> (#left #operator #right))
            }
            (Form::Unary(operator), [value]) => {
                let operator = token(operator)?;
                parse_quote_spanned!(span=> (#operator #value))
            }
            (Form::From, [value]) => match &self.owner {
                Some(owner) => parse_quote_spanned!(span=> <#owner>::#name(#value)),
                None => {
                    let into = match name == "from" {
                        true => "into",
                        false => "try_into",
                    };
                    let into = Ident::new(into, name.span());
                    parse_quote_spanned!(span=> (#value).#into())
                }
            },
            (Form::Into, [value]) => match &self.argument {
                Some(ty) => parse_quote_spanned!(span=> <#ty>::from(#value)),
                None => parse_quote_spanned!(span=> (#value).#name()),
            },
            (Form::Method | Form::MethodOfReferred, [receiver, rest @ ..]) => {
                let rest: Punctuated<&Expr, syn::Token![,]> = rest.iter().collect();
                let call = match turbofish.is_empty() {
                    true => quote_spanned!(name.span()=> #name),
                    false => quote_spanned!(name.span()=> #name #turbofish),
                };
                parse_quote_spanned!(span=> (#receiver).#call(#rest))
            }
            _ => return None,
        };
        Some(match lets.is_empty() {
            true => value,
            false => parse_quote_spanned!(span=> ({ #lets #value })),
        })
    }
}

/// What a reference that is written refers to.
fn referred(expr: &Expr, span: Span) -> Expr {
    match expr {
        Expr::Reference(reference) => {
            let place = &reference.expr;
            parse_quote_spanned!(span=> (#place))
        }
        other => parse_quote_spanned!(span=> (*#other)),
    }
}

/// Whether what an expression refers to has a type without being told.
fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Reference(reference) => is_place(&reference.expr),
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::Unary(unary) => is_place(&unary.expr),
        _ => false,
    }
}

impl VisitMut for Calls {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let written = match &mut *expr {
            Expr::Call(call) => {
                for argument in &mut call.args {
                    self.visit_expr_mut(argument);
                }
                match &*call.func {
                    Expr::Path(_) => self.called(call),
                    _ => {
                        self.visit_expr_mut(&mut call.func);
                        None
                    }
                }
            }
            Expr::Path(function) => self.closure(function),
            _ => {
                visit::visit_expr_mut(self, expr);
                None
            }
        };
        if let Some(written) = written {
            *expr = written;
        }
    }
}

//! What the fragments of a pattern take: `$x:expr`, `$x:ident` and the others.

use proc_macro2::{Punct, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Block, Expr, Ident, Item, Lifetime, Lit, Meta, Pat, Path, Token, Type, Visibility,
    ext::IdentExt,
    parse::{Parse, ParseStream},
};

type Taken = syn::Result<TokenStream>;
type Take = fn(ParseStream) -> Taken;

/// The fragments by their names.
const FRAGMENTS: &[(&str, Take)] = &[
    ("block", whole::<Block>),
    ("expr", expression),
    ("expr_2021", expression),
    ("ident", identifier),
    ("item", whole::<Item>),
    ("lifetime", whole::<Lifetime>),
    ("literal", literal),
    ("meta", whole::<Meta>),
    ("pat", |input| tokens(input.call(Pat::parse_multi)?)),
    ("pat_param", |input| tokens(input.call(Pat::parse_single)?)),
    ("path", whole::<Path>),
    ("stmt", statement),
    ("tt", tree),
    ("ty", whole::<Type>),
    ("vis", whole::<Visibility>),
];

/// Takes the fragment of this name from the input.
pub fn take(name: &str, input: ParseStream) -> Taken {
    let known = FRAGMENTS.iter().find(|(known, _)| *known == name);
    let (_, parse) = known.ok_or_else(|| input.error("no fragment has this name"))?;
    parse(input)
}

fn tokens(syntax: impl ToTokens) -> Taken {
    Ok(syntax.into_token_stream())
}

fn whole<T: Parse + ToTokens>(input: ParseStream) -> Taken {
    tokens(input.parse::<T>()?)
}

/// An expression, in parentheses where it could come apart: `$a * 2` of `1 + x`.
fn expression(input: ParseStream) -> Taken {
    let expression: Expr = input.parse()?;
    Ok(match expression {
        Expr::Array(_)
        | Expr::Block(_)
        | Expr::Call(_)
        | Expr::Field(_)
        | Expr::Index(_)
        | Expr::Lit(_)
        | Expr::Macro(_)
        | Expr::MethodCall(_)
        | Expr::Paren(_)
        | Expr::Path(_)
        | Expr::Tuple(_) => expression.into_token_stream(),
        _ => quote!((#expression)),
    })
}

/// A name or a keyword, which `_` is not.
fn identifier(input: ParseStream) -> Taken {
    match input.peek(Token![_]) {
        true => Err(input.error("`_` is no name")),
        false => tokens(input.call(Ident::parse_any)?),
    }
}

fn literal(input: ParseStream) -> Taken {
    let minus = input.parse::<Option<Token![-]>>()?;
    let literal = input.parse::<Lit>()?;
    let mut taken = minus.into_token_stream();
    literal.to_tokens(&mut taken);
    Ok(taken)
}

/// A statement without its semicolon.
fn statement(input: ParseStream) -> Taken {
    if !input.peek(Token![let]) {
        return whole::<Expr>(input);
    }
    let mut taken = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![;]) {
        taken.extend([input.parse::<TokenTree>()?]);
    }
    Ok(taken)
}

/// The operators of more than one character, longest first.
const OPERATORS: &[&str] = &[
    "<<=", ">>=", "...", "..=", "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=",
    "*=", "/=", "%=", "^=", "&=", "|=", "<<", ">>", "..",
];

/// One token or group, where an operator and a lifetime are one token.
fn tree(input: ParseStream) -> Taken {
    if input.peek(Lifetime) {
        return whole::<Lifetime>(input);
    }
    for operator in OPERATORS {
        let ahead = input.fork();
        if let Ok(taken) = punctuation(operator, &ahead) {
            punctuation(operator, input)?;
            return Ok(taken);
        }
    }
    tokens(input.parse::<TokenTree>()?)
}

fn punctuation(operator: &str, input: ParseStream) -> Taken {
    let mut taken = TokenStream::new();
    let mut wanted = operator.chars().peekable();
    while let Some(letter) = wanted.next() {
        let punct: Punct = input.parse()?;
        let is_joint = punct.spacing() == Spacing::Joint;
        if punct.as_char() != letter || (wanted.peek().is_some() && !is_joint) {
            return Err(input.error("another operator"));
        }
        taken.extend([TokenTree::Punct(punct)]);
    }
    Ok(taken)
}

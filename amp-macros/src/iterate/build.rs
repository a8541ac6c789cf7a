//! Nodes of syntax, made without tokens: what they hold may be long, and is not read again.

use proc_macro2::{Ident, Span};
use syn::{
    Arm, BinOp, Block, Expr, ExprBinary, ExprBlock, ExprForLoop, ExprIf, ExprMatch, ExprWhile,
    Label, Lifetime, LitBool, Pat, ReturnType, Stmt, Token, parse_quote_spanned, token,
};

/// Statements, and a value behind them.
pub fn block(stmts: Vec<Stmt>, value: Option<Expr>, span: Span) -> Block {
    let mut stmts = stmts;
    stmts.extend(value.map(|value| Stmt::Expr(value, None)));
    Block {
        brace_token: token::Brace(span),
        stmts,
    }
}

/// A block as an expression; one that is no more than a value is that value.
pub fn within(stmts: Vec<Stmt>, value: Expr, span: Span) -> Expr {
    match stmts.is_empty() {
        true => value,
        false => of_block(block(stmts, Some(value), span), None),
    }
}

/// A block that may have a label.
pub fn of_block(block: Block, label: Option<Lifetime>) -> Expr {
    Expr::Block(ExprBlock {
        attrs: Vec::new(),
        label: label.map(labelled),
        block,
    })
}

fn labelled(name: Lifetime) -> Label {
    let colon_token = Token![:](name.ident.span());
    Label { name, colon_token }
}

/// `one && other`, whatever the operators within them are.
pub fn both(one: Expr, other: Expr, span: Span) -> Expr {
    Expr::Binary(ExprBinary {
        attrs: Vec::new(),
        left: Box::new(one),
        op: BinOp::And(Token![&&](span)),
        right: Box::new(other),
    })
}

/// An expression as a statement.
pub fn statement(expr: Expr, span: Span) -> Stmt {
    Stmt::Expr(expr, Some(Token![;](span)))
}

/// An expression as a block.
pub fn as_block(expr: Expr, span: Span) -> Block {
    match expr {
        Expr::Block(ExprBlock {
            label: None, block, ..
        }) => block,
        expr => block(Vec::new(), Some(expr), span),
    }
}

/// `if condition { then } else { otherwise }`
pub fn choose(condition: Expr, then: Expr, otherwise: Option<Expr>, span: Span) -> Expr {
    let otherwise = otherwise.map(|otherwise| {
        let otherwise = of_block(as_block(otherwise, span), None);
        (Token![else](span), Box::new(otherwise))
    });
    Expr::If(ExprIf {
        attrs: Vec::new(),
        if_token: Token![if](span),
        cond: Box::new(condition),
        then_branch: as_block(then, span),
        else_branch: otherwise,
    })
}

/// `match value { pattern => body, .. }`
pub fn choice(value: Expr, arms: Vec<(Pat, Expr)>, span: Span) -> Expr {
    let arms = arms.into_iter().map(|(pat, body)| Arm {
        attrs: Vec::new(),
        pat,
        fat_arrow_token: Token![=>](span),
        body: Box::new(of_block(as_block(body, span), None)),
        comma: None,
    });
    Expr::Match(ExprMatch {
        attrs: Vec::new(),
        match_token: Token![match](span),
        expr: Box::new(value),
        brace_token: token::Brace(span),
        arms: arms.collect(),
    })
}

/// The loop that a chain runs in: its attributes and its label are the user's.
#[derive(Clone, Default)]
pub struct Marks {
    pub attrs: Vec<syn::Attribute>,
    pub label: Option<Label>,
}

/// `for pattern in range { body }`
pub fn counted(marks: &Marks, name: &Ident, range: Expr, body: Block, span: Span) -> Expr {
    Expr::ForLoop(ExprForLoop {
        attrs: marks.attrs.clone(),
        label: marks.label.clone(),
        for_token: Token![for](span),
        pat: Box::new(parse_quote_spanned!(span=> #name)),
        in_token: Token![in](span),
        expr: Box::new(range),
        body,
    })
}

/// `while true { body }`: as behind the `for` that it stands for, and not behind a `loop`, rustc takes code for
/// reachable.
pub fn endless(marks: &Marks, body: Block, span: Span) -> Expr {
    let always = LitBool::new(true, span.resolved_at(Span::mixed_site()));
    Expr::While(ExprWhile {
        attrs: marks.attrs.clone(),
        label: marks.label.clone(),
        while_token: Token![while](span),
        cond: parse_quote_spanned!(span=> #always),
        body,
    })
}

/// The value of a body that `return` and `?` leave, by a closure, which may write variables.
pub fn called(name: &Ident, output: &ReturnType, body: &Expr, span: Span) -> Expr {
    parse_quote_spanned!(span=> {
        #[allow(unused_mut)]
        let mut #name = || #output #body;
        #name()
    })
}

/// The statements before a block's value, and the value.
pub fn split(expr: Expr) -> (Vec<Stmt>, Expr) {
    match expr {
        Expr::Block(mut block) if block.label.is_none() => match block.block.stmts.pop() {
            Some(Stmt::Expr(last, None)) => {
                let mut statements = block.block.stmts;
                let (more, last) = split(last);
                statements.extend(more);
                (statements, last)
            }
            last => {
                block.block.stmts.extend(last);
                (Vec::new(), Expr::Block(block))
            }
        },
        other => (Vec::new(), other),
    }
}

//! Functions, statements and control flow.

use super::Parser;
use crate::tree::rules::{self, Scope};
use crate::tree::text::read::{Result, Token, Tokens};
use crate::tree::text::{ends_in_brace, is_reserved, labelled_type, loop_type};
use crate::tree::{
    Adapter, Block, Expr, ExprKind, ForRange, Function, LabelId, Local, LocalId, Loop, LoopKind,
    Span, Statement, Type,
};
use rustc_hash::FxHashMap as HashMap;

/// The function that is being read.
pub(super) struct Reader<'p> {
    pub parser: &'p mut Parser,
    locals: Vec<Local>,
    names: HashMap<String, LocalId>,
}

impl Parser {
    pub(super) fn function(&mut self) -> Result<()> {
        let span = self.span();
        let name = self.tokens.name();
        self.tokens.item('#', self.module.functions.len())?;
        let mut reader = Reader {
            parser: self,
            locals: Vec::new(),
            names: HashMap::default(),
        };
        reader.params()?;
        let params = reader.locals.len() as u32;
        let result = match reader.tokens().takes_operator("->") {
            true => reader.tokens().ty()?,
            false => Type::Unit,
        };
        let fast_math = reader.tokens().takes_word("fast_math");
        let body = reader.block()?;
        let locals = reader.locals;
        self.module.functions.push(Function {
            name,
            params,
            locals,
            result,
            body,
            fast_math,
            span,
        });
        Ok(())
    }
}

impl Reader<'_> {
    pub(super) fn tokens(&mut self) -> &mut Tokens {
        &mut self.parser.tokens
    }

    /// What the expressions of this function can name.
    pub(super) fn scope(&self) -> Scope<'_> {
        let module = &self.parser.module;
        Scope {
            layout: module.layout(),
            consts: &module.consts,
            tile_statics: &module.tile_statics,
            functions: &module.functions,
            locals: &self.locals,
        }
    }

    pub(super) fn local_ty(&self, local: LocalId) -> &Type {
        &self.locals[local.0 as usize].ty
    }

    fn params(&mut self) -> Result<()> {
        self.tokens().sign('(')?;
        while !self.tokens().takes_sign(')') {
            let span = self.parser.span();
            let Some(name) = self.name() else {
                return self.tokens().error("expected a parameter");
            };
            self.tokens().sign(':')?;
            let ty = self.tokens().ty()?;
            self.declare(name, ty, span)?;
            if !self.tokens().takes_sign(',') {
                self.tokens().sign(')')?;
                break;
            }
        }
        Ok(())
    }

    /// The name of a variable, if one is next: a word that means nothing else, one in angle
    /// brackets, or a text, and a number behind `$`.
    pub(super) fn name(&mut self) -> Option<String> {
        let tokens = self.tokens();
        let numbered = matches!(tokens.peek_at(1), Some(Token::Id('$', _)));
        let mut name = match tokens.peek()?.clone() {
            Token::Word(word) if numbered || !is_reserved(&word) => tokens.takes_any_word()?,
            Token::Text(_) => tokens.name(),
            Token::Id('$', _) => String::new(),
            Token::Sign('<') => {
                let (Some(Token::Word(word)), Some(Token::Sign('>'))) =
                    (tokens.peek_at(1), tokens.peek_at(2))
                else {
                    return None;
                };
                let name = format!("<{word}>");
                tokens.skip(3);
                name
            }
            _ => return None,
        };
        if let Some(number) = tokens.takes_id('$') {
            name += &format!("${number}");
        }
        Some(name)
    }

    /// The variable of this name, if it is declared.
    pub(super) fn named(&self, name: &str) -> Option<LocalId> {
        self.names.get(name).copied()
    }

    pub(super) fn variable(&mut self, name: &str) -> Result<LocalId> {
        match self.named(name) {
            Some(local) => Ok(local),
            None => self.tokens().error(format!("`{name}` is not declared")),
        }
    }

    /// The variable of this name, which may be declared before.
    fn declare(&mut self, name: String, ty: Type, span: Span) -> Result<LocalId> {
        if let Some(local) = self.named(&name) {
            return match *self.local_ty(local) == ty {
                true => Ok(local),
                false => self.tokens().error(format!("`{name}` has another type")),
            };
        }
        let local = LocalId(self.locals.len() as u32);
        let (own, _) = name.split_once('$').unwrap_or((&name, ""));
        self.locals.push(Local {
            name: own.to_owned(),
            ty,
            span,
        });
        self.names.insert(name, local);
        Ok(local)
    }

    pub(super) fn block(&mut self) -> Result<Block> {
        let span = self.parser.span();
        self.tokens().sign('{')?;
        let mut block = Block {
            statements: Vec::new(),
            value: None,
            ty: Type::Unit,
            span,
        };
        while !self.tokens().takes_sign('}') {
            let statement = match self.tokens().takes_word("let") {
                true => self.declaration()?,
                false => Statement::Expr(self.expr()?),
            };
            let is_closed = match &statement {
                Statement::Let { .. } => false,
                Statement::Expr(value) => ends_in_brace(&value.kind),
            };
            let goes_on = is_closed && self.tokens().peek() != Some(&Token::Sign('}'));
            if self.tokens().takes_sign(';') || goes_on {
                block.statements.push(statement);
                continue;
            }
            match statement {
                Statement::Expr(value) => block.value = Some(Box::new(value)),
                Statement::Let { .. } => return self.tokens().error("expected `;`"),
            }
            self.tokens().sign('}')?;
            break;
        }
        block.ty = rules::block(&block);
        Ok(block)
    }

    /// What comes behind `let`. The type may be left out where there is a value.
    fn declaration(&mut self) -> Result<Statement> {
        let span = self.parser.span();
        let Some(name) = self.name() else {
            return self.tokens().error("expected a name");
        };
        let stated = match self.tokens().takes_sign(':') {
            true => Some(self.tokens().ty()?),
            false => None,
        };
        let value = match self.tokens().takes_operator("=") {
            true => Some(self.expr()?),
            false => None,
        };
        let Some(ty) = stated.or(value.as_ref().map(|it| it.ty.clone())) else {
            return self.tokens().error(format!("`{name}` has no type"));
        };
        let local = self.declare(name, ty, span)?;
        Ok(Statement::Let { local, value })
    }

    /// What comes behind the label of a loop or block.
    pub(super) fn labelled(&mut self, label: u32, span: Span) -> Result<Expr> {
        self.tokens().sign(':')?;
        let label = LabelId(label);
        let unroll = self.tokens().takes_word("unroll");
        let kind = if self.tokens().takes_word("loop") {
            LoopKind::Infinite
        } else if self.tokens().takes_word("while") {
            LoopKind::While(self.expr()?)
        } else if self.tokens().takes_word("for") {
            LoopKind::For(self.range()?)
        } else {
            let stated = self.stated()?;
            let body = self.block()?;
            let ty = stated.unwrap_or_else(|| labelled_type(label, &body));
            let kind = ExprKind::LabelledBlock(label, Box::new(body));
            return Ok(Expr { kind, ty, span });
        };
        let stated = self.stated()?;
        let body = self.block()?;
        let looping = Loop {
            label,
            kind,
            unroll,
            body,
        };
        let ty = stated.unwrap_or_else(|| loop_type(&looping));
        let kind = ExprKind::Loop(Box::new(looping));
        Ok(Expr { kind, ty, span })
    }

    /// `-> type`, if it is next.
    fn stated(&mut self) -> Result<Option<Type>> {
        match self.tokens().takes_operator("->") {
            true => Ok(Some(self.tokens().ty()?)),
            false => Ok(None),
        }
    }

    /// What comes behind `for`.
    fn range(&mut self) -> Result<ForRange> {
        let span = self.parser.span();
        let Some(name) = self.name() else {
            return self.tokens().error("expected a name");
        };
        self.tokens().keyword("in")?;
        self.tokens().sign('(')?;
        let start = self.expr()?;
        self.tokens().sign('.')?;
        self.tokens().sign('.')?;
        let inclusive = self.tokens().takes_sign('=');
        let end = self.expr()?;
        self.tokens().sign(')')?;
        let mut adapters = Vec::new();
        while self.tokens().takes_sign('.') {
            adapters.push(match self.tokens().word()?.as_str() {
                "rev" => {
                    self.tokens().sign('(')?;
                    self.tokens().sign(')')?;
                    Adapter::Rev
                }
                "step_by" => {
                    self.tokens().sign('(')?;
                    let step = self.expr()?;
                    self.tokens().sign(')')?;
                    Adapter::StepBy(step)
                }
                other => return self.tokens().error(format!("ranges have no `{other}`")),
            });
        }
        let local = self.declare(name, start.ty.clone(), span)?;
        Ok(ForRange {
            local,
            start,
            end,
            inclusive,
            adapters,
        })
    }
}

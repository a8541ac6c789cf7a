//! Expressions.

use super::function::Reader;
use super::place::Named;
use crate::tree::rules::choice;
use crate::tree::text::read::{
    ATOMICS, BINARY, FENCES, MATH, MESSAGES, Result, SUBGROUP, Token, hex_bits, literal_bits, named,
};
use crate::tree::{
    Atomic, BinaryOp, Block, ConstId, Expr, ExprKind, FunctionId, LabelId, LazyOp, Literal, MathOp,
    Message, Place, Scalar, Span, StructId, Type, UnaryOp,
};

impl Reader<'_> {
    /// An expression whose type follows from its parts, or is stated where it does not.
    pub(super) fn typed(&self, kind: ExprKind, stated: Type, span: Span) -> Expr {
        // What is wrong is told by the verifier.
        let ty = self.scope().expr(&kind, &stated).unwrap_or(stated);
        Expr { kind, ty, span }
    }

    /// Expressions between two signs, with commas between them.
    pub(super) fn operands(&mut self, open: char, close: char) -> Result<Vec<Expr>> {
        self.tokens().sign(open)?;
        self.rest(close)
    }

    fn rest(&mut self, close: char) -> Result<Vec<Expr>> {
        let mut operands = Vec::new();
        while !self.tokens().takes_sign(close) {
            operands.push(self.expr()?);
            if !self.tokens().takes_sign(',') {
                self.tokens().sign(close)?;
                break;
            }
        }
        Ok(operands)
    }

    pub(super) fn expr(&mut self) -> Result<Expr> {
        let span = self.parser.span();
        let mut expr = self.first(span)?;
        loop {
            if let Some(field) = self.tokens().takes_field() {
                let kind = ExprKind::Field(Box::new(expr), field);
                expr = self.typed(kind, Type::Never, span);
                continue;
            }
            let (made, goes_on) = self.derived(expr, span)?;
            if !goes_on {
                return Ok(made);
            }
            expr = made;
        }
    }

    fn first(&mut self, span: Span) -> Result<Expr> {
        let unary = [('-', UnaryOp::Neg), ('!', UnaryOp::Not)];
        for (sign, op) in unary {
            if self.tokens().takes_sign(sign) {
                let operand = self.expr()?;
                let ty = operand.ty.clone();
                return Ok(self.typed(ExprKind::Unary(op, Box::new(operand)), ty, span));
            }
        }
        if self.tokens().takes_sign('&') {
            let mut view = self.expr()?;
            if let Type::View(ty) = &mut view.ty {
                ty.mutable = false;
            }
            return Ok(view);
        }
        match self.tokens().peek() {
            Some(Token::Number(_)) => return self.number(span),
            Some(Token::Sign('(')) => return self.parentheses(span),
            Some(Token::Sign('[')) => return self.array(span),
            Some(Token::Sign('{')) => {
                let block = self.block()?;
                let ty = block.ty.clone();
                return Ok(self.typed(ExprKind::Block(Box::new(block)), ty, span));
            }
            Some(Token::Id('\'', label)) => {
                let label = *label;
                self.tokens().skip(1);
                return self.labelled(label, span);
            }
            _ => {}
        }
        match self.place_or_view()? {
            Some(Named::Place(place)) => self.behind_place(place, span),
            Some(Named::View(view)) => self.of_view(view, span),
            None => self.keyword(span),
        }
    }

    /// An assignment to a place, or what it holds.
    fn behind_place(&mut self, place: Place, span: Span) -> Result<Expr> {
        if self.tokens().takes_operator("=") {
            let value = Box::new(self.expr()?);
            let kind = ExprKind::Assign(Box::new(place), value);
            return Ok(self.typed(kind, Type::Unit, span));
        }
        for op in BINARY.iter().filter(|op| !op.is_comparison()) {
            if self.tokens().takes_operator(&format!("{}=", op.symbol())) {
                let value = Box::new(self.expr()?);
                let kind = ExprKind::AssignOp(*op, Box::new(place), value);
                return Ok(self.typed(kind, Type::Unit, span));
            }
        }
        let ty = place.ty.clone();
        Ok(self.typed(ExprKind::Load(place), ty, span))
    }

    /// A number with its type behind it.
    fn number(&mut self, span: Span) -> Result<Expr> {
        let text = self.tokens().number_text()?;
        let parts = Scalar::ALL.into_iter().find_map(|scalar| {
            let number = text.strip_suffix(scalar.name())?;
            Some((scalar, literal_bits(scalar, number)?))
        });
        match parts {
            Some((scalar, bits)) => self.literal(Literal::new(scalar, bits), span),
            None => self
                .tokens()
                .error(format!("`{text}` is no number with its type")),
        }
    }

    fn literal(&mut self, literal: Literal, span: Span) -> Result<Expr> {
        Ok(self.typed(ExprKind::Literal(literal), Type::Unit, span))
    }

    /// `()`, an operator with its operands, a cast, a tuple, or what stands in parentheses.
    fn parentheses(&mut self, span: Span) -> Result<Expr> {
        self.tokens().sign('(')?;
        if self.tokens().takes_sign(')') {
            return Ok(self.typed(ExprKind::Unit, Type::Unit, span));
        }
        let first = self.expr()?;
        if self.tokens().takes_sign(')') {
            return Ok(first);
        }
        if self.tokens().takes_sign(',') {
            let mut parts = vec![first];
            parts.extend(self.rest(')')?);
            let ty = Type::Tuple(parts.iter().map(|it| it.ty.clone()).collect());
            return Ok(self.typed(ExprKind::Construct(parts), ty, span));
        }
        if self.tokens().takes_word("as") {
            let ty = self.tokens().ty()?;
            self.tokens().sign(')')?;
            return Ok(self.typed(ExprKind::Cast(Box::new(first)), ty, span));
        }
        let lazy = [("&&", LazyOp::And), ("||", LazyOp::Or)];
        let lazy = lazy
            .into_iter()
            .find(|(sign, _)| self.tokens().takes_operator(sign));
        if let Some((_, op)) = lazy {
            let (left, right) = (Box::new(first), Box::new(self.expr()?));
            self.tokens().sign(')')?;
            return Ok(self.typed(ExprKind::Lazy(op, left, right), Type::BOOL, span));
        }
        let op: Option<&BinaryOp> = BINARY
            .iter()
            .find(|op| self.tokens().takes_operator(op.symbol()));
        let Some(op) = op else {
            return self.tokens().error("expected an operator behind this");
        };
        let ty = match first.ty.clone() {
            _ if op.is_comparison() => Type::BOOL,
            ty => ty,
        };
        let (left, right) = (Box::new(first), Box::new(self.expr()?));
        self.tokens().sign(')')?;
        Ok(self.typed(ExprKind::Binary(*op, left, right), ty, span))
    }

    /// `[a, b]` or `[a; length]`
    fn array(&mut self, span: Span) -> Result<Expr> {
        self.tokens().sign('[')?;
        let first = self.expr()?;
        let element = Box::new(first.ty.clone());
        if self.tokens().takes_sign(';') {
            let len = self.tokens().len()?;
            self.tokens().sign(']')?;
            let ty = Type::Array(element, len);
            return Ok(self.typed(ExprKind::Repeat(Box::new(first)), ty, span));
        }
        let mut parts = vec![first];
        if self.tokens().takes_sign(',') {
            parts.extend(self.rest(']')?);
        } else {
            self.tokens().sign(']')?;
        }
        let len = crate::tree::Len::Literal(parts.len() as u32);
        let ty = Type::Array(element, len);
        Ok(self.typed(ExprKind::Construct(parts), ty, span))
    }

    fn construct(&mut self, ty: Type, span: Span) -> Result<Expr> {
        let parts = self.operands('(', ')')?;
        Ok(self.typed(ExprKind::Construct(parts), ty, span))
    }

    /// What begins with a word that is no variable, or with a number of the module.
    fn keyword(&mut self, span: Span) -> Result<Expr> {
        if let Some(Token::Sign('<')) = self.tokens().peek() {
            let ty = self.tokens().ty()?;
            return self.construct(ty, span);
        }
        if let Some((tokens, id)) = self.tokens().named_id('#') {
            self.tokens().skip(tokens);
            return match self.tokens().peek() {
                Some(Token::Sign('(')) => self.construct(Type::Struct(StructId(id)), span),
                _ => Ok(self.typed(ExprKind::Const(ConstId(id)), Type::Unit, span)),
            };
        }
        if let Some(Token::Word(word)) = self.tokens().peek()
            && matches!(word.as_str(), "Index" | "Extent")
        {
            let ty = self.tokens().ty()?;
            return self.construct(ty, span);
        }
        let word = self.tokens().word()?;
        let (kind, ty) = match word.as_str() {
            "true" => return self.literal(Literal::Bool(true), span),
            "false" => return self.literal(Literal::Bool(false), span),
            "zero" => (ExprKind::Zero, self.type_argument()?),
            "new" => {
                let ty = self.tokens().ty()?;
                return self.construct(ty, span);
            }
            "call" => {
                let _ = self.tokens().name();
                let callee = FunctionId(self.tokens().id('#')?);
                let arguments = self.operands('(', ')')?;
                (ExprKind::Call(callee, arguments), Type::Unit)
            }
            "if" => self.choice()?,
            "break" => {
                let label = LabelId(self.tokens().id('\'')?);
                (ExprKind::Break(label, self.passed()?), Type::Never)
            }
            "continue" => {
                let label = LabelId(self.tokens().id('\'')?);
                (ExprKind::Continue(label), Type::Never)
            }
            "return" => (ExprKind::Return(self.passed()?), Type::Never),
            "panic" => (ExprKind::Panic, Type::Never),
            "barrier" => (ExprKind::Barrier(self.fence()?), Type::Unit),
            "fence" => (ExprKind::Fence(self.fence()?), Type::Unit),
            "device_fence" => (ExprKind::DeviceFence, Type::Unit),
            "atomic" => self.atomic()?,
            "subgroup" => {
                let op = self.entry(SUBGROUP)?;
                let operands = self.operands('(', ')')?;
                let ty = operands.first().map_or(Type::Unit, |it| it.ty.clone());
                (ExprKind::Subgroup(op, operands), ty)
            }
            _ if let Some(scalar) = Scalar::from_name(&word) => {
                self.tokens().sign('(')?;
                let text = self.tokens().number_text()?;
                self.tokens().sign(')')?;
                return match hex_bits(&text) {
                    Some(bits) => self.literal(Literal::new(scalar, bits), span),
                    None => self.tokens().error(format!("`{text}` are no bits")),
                };
            }
            _ if let Some(kind) = named(MESSAGES, &word) => {
                self.tokens().sign('(')?;
                let format = self.tokens().text()?;
                let operands = match self.tokens().takes_sign(',') {
                    true => self.rest(')')?,
                    false => {
                        self.tokens().sign(')')?;
                        Vec::new()
                    }
                };
                let message = Message {
                    kind,
                    format,
                    operands,
                };
                (ExprKind::Message(message), Type::Unit)
            }
            _ if let Some(op) = named(MATH, &word) => self.math(op)?,
            _ => {
                let message = format!("`{word}` starts no expression, and is not declared");
                return self.tokens().error(message);
            }
        };
        Ok(self.typed(kind, ty, span))
    }

    /// `<type>`
    fn type_argument(&mut self) -> Result<Type> {
        self.tokens().sign('<')?;
        let ty = self.tokens().ty()?;
        self.tokens().sign('>')?;
        Ok(ty)
    }

    fn math(&mut self, op: MathOp) -> Result<(ExprKind, Type)> {
        let stated = match op {
            MathOp::FromBits => Some(self.type_argument()?),
            _ => None,
        };
        let operands = self.operands('(', ')')?;
        let ty = stated.or(operands.last().map(|it| it.ty.clone()));
        Ok((ExprKind::Math(op, operands), ty.unwrap_or(Type::Unit)))
    }

    /// What comes behind `if`.
    fn choice(&mut self) -> Result<(ExprKind, Type)> {
        let condition = Box::new(self.expr()?);
        let yes = self.block()?;
        let no = match self.tokens().takes_word("else") {
            true => self.block()?,
            false => Block {
                statements: Vec::new(),
                value: None,
                ty: Type::Unit,
                span: yes.span,
            },
        };
        let ty = choice(&yes.ty, &no.ty);
        Ok((ExprKind::If(condition, Box::new(yes), Box::new(no)), ty))
    }

    /// The value of a jump, if it has one.
    fn passed(&mut self) -> Result<Option<Box<Expr>>> {
        let has_none = match self.tokens().peek() {
            Some(Token::Sign(sign)) => matches!(sign, ';' | '}' | ')' | ']' | ','),
            Some(_) => false,
            None => true,
        };
        match has_none {
            true => Ok(None),
            false => Ok(Some(Box::new(self.expr()?))),
        }
    }

    fn entry<T: Copy + std::fmt::Debug>(&mut self, table: &[T]) -> Result<T> {
        let name = self.tokens().word()?;
        match named(table, &name) {
            Some(found) => Ok(found),
            None => self.tokens().error(format!("`{name}` does not exist")),
        }
    }

    /// `(fence)`
    fn fence(&mut self) -> Result<crate::tree::MemoryFence> {
        self.tokens().sign('(')?;
        let fence = self.entry(FENCES)?;
        self.tokens().sign(')')?;
        Ok(fence)
    }

    fn atomic(&mut self) -> Result<(ExprKind, Type)> {
        let op = self.entry(ATOMICS)?;
        self.tokens().sign('(')?;
        let place = self.place()?;
        let operands = match self.tokens().takes_sign(',') {
            true => self.rest(')')?,
            false => {
                self.tokens().sign(')')?;
                Vec::new()
            }
        };
        let ty = place.ty.clone();
        let atomic = Atomic {
            op,
            place,
            operands,
        };
        Ok((ExprKind::Atomic(Box::new(atomic)), ty))
    }
}

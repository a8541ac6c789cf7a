//! Values of constant expressions, as far as the text of files tells: integers, booleans, lists of them,
//! and what the `const fn`s of the crate compute.
//!
//! Types are not looked at, as rustc proves each number that is used: an expression that overflows its type is
//! rejected by rustc itself. What depends on a type, such as wrapping arithmetic, has no value here.

#[cfg(test)]
mod tests;
mod value;

use syn::{
    BinOp, Block, Expr, ExprCall, ExprIf, ExprLit, ExprMatch, ExprMethodCall, FnArg, Lit, Local,
    Member, Pat, Path, RangeLimits, Stmt, Type,
};

use self::value::Value;
use super::{File, Found, constant::referred};

/// How deep expressions, and the constants and functions that they name, may be nested.
const DEEPEST: u32 = 128;

/// How many expressions and copied elements a value may take.
const STEPS: usize = 50_000;

/// Why an expression has no value.
enum Exit {
    Unknown,
    Break,
    Continue,
    Return(Value),
}

type Evaluated<T = Value> = Result<T, Exit>;

impl File {
    /// The number that an expression of a module is, as far as the text tells.
    pub fn number(&self, at: usize, expr: &Expr) -> Option<u64> {
        let mut steps = STEPS;
        let mut scope = Scope::new(self, at, DEEPEST, &mut steps);
        scope.number(expr).ok()?.try_into().ok()
    }

    /// How many elements an array or slice of a module has, as far as the text tells.
    pub(super) fn elements(&self, at: usize, expr: &Expr) -> Option<u64> {
        let mut steps = STEPS;
        let mut scope = Scope::new(self, at, DEEPEST, &mut steps);
        scope.elements(expr).ok()?.try_into().ok()
    }
}

/// How many elements an array has that is written out, or a reference to it.
pub fn elements(expr: &Expr) -> Option<u64> {
    match expr {
        Expr::Reference(reference) => elements(&reference.expr),
        Expr::Paren(paren) => elements(&paren.expr),
        Expr::Group(group) => elements(&group.expr),
        Expr::Array(array) => Some(array.elems.len() as u64),
        Expr::Repeat(repeat) => match &*repeat.len {
            Expr::Lit(ExprLit {
                lit: Lit::Int(int), ..
            }) => int.base10_parse().ok(),
            _ => None,
        },
        Expr::Lit(ExprLit {
            lit: Lit::ByteStr(bytes),
            ..
        }) => Some(bytes.value().len() as u64),
        _ => None,
    }
}

/// A body or a constant that is evaluated.
struct Scope<'a, 's> {
    file: &'a File,
    at: usize,
    /// The variables that can be named, the last of a name first.
    locals: Vec<(String, Value)>,
    depth: u32,
    steps: &'s mut usize,
}

impl<'a, 's> Scope<'a, 's> {
    fn new(file: &'a File, at: usize, depth: u32, steps: &'s mut usize) -> Self {
        Self {
            file,
            at,
            locals: Vec::new(),
            depth,
            steps,
        }
    }

    /// The scope of what this one names in a module of a file.
    fn enter(&mut self, file: &'a File, at: usize) -> Scope<'a, '_> {
        Scope::new(file, at, self.depth, self.steps)
    }

    fn number(&mut self, expr: &Expr) -> Evaluated<i128> {
        match self.value(expr)? {
            Value::Number(number) => Ok(number),
            _ => Err(Exit::Unknown),
        }
    }

    fn truth(&mut self, expr: &Expr) -> Evaluated<bool> {
        match self.value(expr)? {
            Value::Truth(truth) => Ok(truth),
            _ => Err(Exit::Unknown),
        }
    }

    fn list<'e>(&mut self, parts: impl IntoIterator<Item = &'e Expr>) -> Evaluated {
        let parts = parts.into_iter().map(|part| self.value(part));
        Ok(Value::List(parts.collect::<Evaluated<_>>()?))
    }

    fn spend(&mut self, steps: usize) -> Evaluated<()> {
        *self.steps = known(self.steps.checked_sub(steps))?;
        Ok(())
    }

    fn value(&mut self, expr: &Expr) -> Evaluated {
        self.spend(1)?;
        self.depth = known(self.depth.checked_sub(1))?;
        let value = self.evaluated(expr);
        self.depth += 1;
        value
    }

    fn evaluated(&mut self, expr: &Expr) -> Evaluated {
        match expr {
            Expr::Lit(literal) => known(Value::of_literal(&literal.lit)),
            Expr::Paren(paren) => self.value(&paren.expr),
            Expr::Group(group) => self.value(&group.expr),
            Expr::Reference(reference) if reference.mutability.is_none() => {
                self.value(&reference.expr)
            }
            Expr::Const(block) => self.block(&block.block),
            Expr::Block(block) if block.label.is_none() => self.block(&block.block),
            Expr::Path(path) if path.qself.is_none() => self.named(&path.path),
            Expr::Array(array) => self.list(&array.elems),
            Expr::Tuple(tuple) => self.list(&tuple.elems),
            Expr::Repeat(repeat) => {
                let length = known(self.number(&repeat.len)?.try_into().ok())?;
                let part = self.value(&repeat.expr)?;
                self.spend(part.size().saturating_mul(length))?;
                Ok(Value::List(vec![part; length]))
            }
            Expr::Index(index) => {
                let position = self.number(&index.index)?;
                let list = match self.place(&index.expr) {
                    Ok(list) => list,
                    Err(_) => &mut self.value(&index.expr)?,
                };
                known(list.part_mut(position).cloned())
            }
            Expr::Field(field) => match &field.member {
                Member::Unnamed(member) => {
                    let mut value = self.value(&field.base)?;
                    known(value.part_mut(member.index.into()).cloned())
                }
                Member::Named(_) => Err(Exit::Unknown),
            },
            Expr::Cast(cast) => known(self.value(&cast.expr)?.converted(&cast.ty)),
            Expr::Unary(unary) => known(self.value(&unary.expr)?.unary(unary.op)),
            Expr::Binary(binary) => self.binary(&binary.left, binary.op, &binary.right),
            Expr::Assign(assign) => {
                let value = self.value(&assign.right)?;
                *self.place(&assign.left)? = value;
                Ok(Value::UNIT)
            }
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method(call),
            Expr::If(branch) => self.branch(branch),
            Expr::Match(matched) => self.matched(matched),
            Expr::While(repeated) if repeated.label.is_none() => {
                while self.truth(&repeated.cond)? {
                    if self.is_left(&repeated.body)? {
                        break;
                    }
                }
                Ok(Value::UNIT)
            }
            Expr::Loop(repeated) if repeated.label.is_none() => {
                while !self.is_left(&repeated.body)? {}
                Ok(Value::UNIT)
            }
            Expr::Break(exit) if exit.label.is_none() && exit.expr.is_none() => Err(Exit::Break),
            Expr::Continue(exit) if exit.label.is_none() => Err(Exit::Continue),
            Expr::Return(exit) => {
                let value = exit.expr.as_ref().ok_or(Exit::Unknown)?;
                Err(Exit::Return(self.value(value)?))
            }
            _ => Err(Exit::Unknown),
        }
    }

    fn block(&mut self, block: &Block) -> Evaluated {
        let outer = self.locals.len();
        let mut value = Ok(Value::UNIT);
        for statement in &block.stmts {
            value = match statement {
                Stmt::Expr(expr, _) => self.value(expr),
                Stmt::Local(local) => self.declare(local),
                // rustc says when it fails.
                Stmt::Macro(checked) if is_assertion(&checked.mac.path) => Ok(Value::UNIT),
                Stmt::Item(_) | Stmt::Macro(_) => Err(Exit::Unknown),
            };
            if value.is_err() {
                break;
            }
        }
        self.locals.truncate(outer);
        value
    }

    /// Executes the body of a loop; whether it leaves the loop.
    fn is_left(&mut self, body: &Block) -> Evaluated<bool> {
        self.spend(1)?;
        match self.block(body) {
            Ok(_) | Err(Exit::Continue) => Ok(false),
            Err(Exit::Break) => Ok(true),
            Err(exit) => Err(exit),
        }
    }

    fn declare(&mut self, local: &Local) -> Evaluated {
        let init = local.init.as_ref().ok_or(Exit::Unknown)?;
        let value = self.value(&init.expr)?;
        match self.binds(&local.pat, &value)? {
            true => Ok(Value::UNIT),
            false => Err(Exit::Unknown),
        }
    }

    /// Whether a pattern matches a value; its names are declared.
    fn binds(&mut self, pattern: &Pat, value: &Value) -> Evaluated<bool> {
        match (pattern, value) {
            (Pat::Wild(_), _) => Ok(true),
            (Pat::Paren(pattern), _) => self.binds(&pattern.pat, value),
            (Pat::Type(pattern), _) => self.binds(&pattern.pat, value),
            (Pat::Ident(name), _) if name.by_ref.is_none() => {
                let text = name.ident.to_string();
                // A constant, or else a variable.
                if text.chars().all(|letter| !letter.is_lowercase()) {
                    return Ok(self.named(&name.ident.clone().into())? == *value);
                }
                if let Some((_, pattern)) = &name.subpat
                    && !self.binds(pattern, value)?
                {
                    return Ok(false);
                }
                self.locals.push((text, value.clone()));
                Ok(true)
            }
            (Pat::Path(path), _) if path.qself.is_none() => Ok(self.named(&path.path)? == *value),
            (Pat::Lit(literal), _) => Ok(Value::of_literal(&literal.lit).as_ref() == Some(value)),
            (Pat::Range(range), Value::Number(number)) => {
                let above = match &range.start {
                    Some(start) => self.number(start)? <= *number,
                    None => true,
                };
                let below = match (&range.end, range.limits) {
                    (Some(end), RangeLimits::HalfOpen(_)) => *number < self.number(end)?,
                    (Some(end), RangeLimits::Closed(_)) => *number <= self.number(end)?,
                    (None, _) => true,
                };
                Ok(above && below)
            }
            (Pat::Guard(guarded), _) => {
                Ok(self.binds(&guarded.pat, value)? && self.truth(&guarded.guard)?)
            }
            (Pat::Or(alternatives), _) => {
                for alternative in &alternatives.cases {
                    if self.binds(alternative, value)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            (Pat::Tuple(tuple), Value::List(parts)) if tuple.elems.len() == parts.len() => {
                for (pattern, part) in tuple.elems.iter().zip(parts) {
                    if !self.binds(pattern, part)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => Err(Exit::Unknown),
        }
    }

    fn branch(&mut self, branch: &ExprIf) -> Evaluated {
        match (self.truth(&branch.cond)?, &branch.else_branch) {
            (true, _) => self.block(&branch.then_branch),
            (false, Some((_, otherwise))) => self.value(otherwise),
            (false, None) => Ok(Value::UNIT),
        }
    }

    fn matched(&mut self, matched: &ExprMatch) -> Evaluated {
        let value = self.value(&matched.expr)?;
        let outer = self.locals.len();
        for arm in &matched.arms {
            let applies = self.binds(&arm.pat, &value)?;
            let value = applies.then(|| self.value(&arm.body));
            self.locals.truncate(outer);
            if let Some(value) = value {
                return value;
            }
        }
        Err(Exit::Unknown)
    }

    /// The variable, or the part of one, that is assigned.
    fn place(&mut self, expr: &Expr) -> Evaluated<&mut Value> {
        match expr {
            Expr::Paren(paren) => self.place(&paren.expr),
            Expr::Path(path) => {
                let name = path.path.get_ident().ok_or(Exit::Unknown)?;
                let mut locals = self.locals.iter_mut().rev();
                let local = locals.find(|(local, _)| name == local);
                Ok(&mut local.ok_or(Exit::Unknown)?.1)
            }
            Expr::Index(index) => {
                let position = self.number(&index.index)?;
                known(self.place(&index.expr)?.part_mut(position))
            }
            _ => Err(Exit::Unknown),
        }
    }

    /// The value of a variable or a constant.
    fn named(&mut self, path: &Path) -> Evaluated {
        let local = path.get_ident().and_then(|name| {
            let mut locals = self.locals.iter().rev();
            locals.find(|(local, _)| name == local)
        });
        if let Some((_, value)) = local {
            let value = value.clone();
            self.spend(value.size())?;
            return Ok(value);
        }
        match self.file.find(self.at, path) {
            Found::Constant(file, home, constant) if constant.is_sure => {
                let value = constant.value().ok_or(Exit::Unknown)?;
                self.enter(file, home).value(&value)
            }
            _ => known(Value::of_limit(path)),
        }
    }

    fn binary(&mut self, left: &Expr, operator: BinOp, right: &Expr) -> Evaluated {
        match operator {
            BinOp::And(_) => return Ok(Value::Truth(self.truth(left)? && self.truth(right)?)),
            BinOp::Or(_) => return Ok(Value::Truth(self.truth(left)? || self.truth(right)?)),
            _ => {}
        }
        let right = self.value(right)?;
        if let BinOp::AddAssign(_)
        | BinOp::SubAssign(_)
        | BinOp::MulAssign(_)
        | BinOp::DivAssign(_)
        | BinOp::RemAssign(_)
        | BinOp::BitAndAssign(_)
        | BinOp::BitOrAssign(_)
        | BinOp::BitXorAssign(_)
        | BinOp::ShlAssign(_)
        | BinOp::ShrAssign(_) = operator
        {
            let place = self.place(left)?;
            *place = known(place.binary(operator, &right))?;
            return Ok(Value::UNIT);
        }
        known(self.value(left)?.binary(operator, &right))
    }

    fn call(&mut self, call: &ExprCall) -> Evaluated {
        let Expr::Path(callee) = &*call.func else {
            return Err(Exit::Unknown);
        };
        let (file, home, function) = match self.file.find(self.at, &callee.path) {
            Found::Function(file, home, function) if function.is_const => (file, home, function),
            _ => return Err(Exit::Unknown),
        };
        let arguments = call.args.iter().map(|argument| self.value(argument));
        let arguments = arguments.collect::<Evaluated<Vec<_>>>()?;
        let function = known(function.item())?;
        if !function.sig.generics.params.is_empty() {
            return Err(Exit::Unknown);
        }
        let mut scope = self.enter(file, home);
        for (input, argument) in function.sig.inputs.iter().zip(&arguments) {
            match input {
                FnArg::Typed(input) if scope.binds(&input.pat, argument)? => {}
                _ => return Err(Exit::Unknown),
            }
        }
        match scope.block(&function.block) {
            Err(Exit::Return(value)) => Ok(value),
            result => result,
        }
    }

    fn method(&mut self, call: &ExprMethodCall) -> Evaluated {
        let name = call.method.to_string();
        if name == "len" && call.args.is_empty() {
            let list = match self.place(&call.receiver) {
                Ok(list) => list.elements(),
                Err(_) => self
                    .value(&call.receiver)
                    .ok()
                    .and_then(|list| list.elements()),
            };
            let elements = list.map_or_else(|| self.elements(&call.receiver), Ok);
            return elements.map(Value::Number);
        }
        let receiver = self.value(&call.receiver)?;
        let arguments = call.args.iter().map(|argument| self.value(argument));
        let arguments = arguments.collect::<Evaluated<Vec<_>>>()?;
        known(receiver.method(&name, &arguments))
    }

    /// How many elements an array or slice has, whatever they are.
    fn elements(&mut self, expr: &Expr) -> Evaluated<i128> {
        self.depth = known(self.depth.checked_sub(1))?;
        let elements = match expr {
            Expr::Reference(reference) => self.elements(&reference.expr),
            Expr::Repeat(repeat) => self.number(&repeat.len),
            Expr::Path(path) => match self.file.find(self.at, &path.path) {
                Found::Constant(file, home, constant) if constant.is_sure => {
                    let ty = known(constant.ty())?;
                    let mut scope = self.enter(file, home);
                    match referred(&ty) {
                        Type::Array(array) => scope.number(&array.len),
                        _ => scope.elements(&known(constant.value())?),
                    }
                }
                _ => Err(Exit::Unknown),
            },
            _ => known(elements(expr)).map(i128::from),
        };
        self.depth += 1;
        elements
    }
}

/// What is known of an expression, or that it is not.
fn known<T>(value: Option<T>) -> Evaluated<T> {
    value.ok_or(Exit::Unknown)
}

fn is_assertion(path: &Path) -> bool {
    const ASSERTIONS: &[&str] = &["assert", "debug_assert"];
    ASSERTIONS.iter().any(|name| path.is_ident(name))
}

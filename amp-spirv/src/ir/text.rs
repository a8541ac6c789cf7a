//! The text form of the IR, for tests and for people.
//!
//! It reads like Rust with every type written out: one statement a line, variables as
//! `name#id` since two may share a name, views and tile_static variables likewise.
//! Spans are left out. Nothing parses it.

use std::fmt::{self, Display, Formatter, Write};

use super::{
    Adapter, Block, Domain, Expr, ExprKind, ForRange, Function, IndexWidth, LazyOp, Len, Literal,
    LocalId, Loop, LoopKind, Module, Place, Projection, Root, Scalar, Statement, Type, UnaryOp,
    ViewStep,
};

impl Module {
    /// The module as text.
    pub fn to_text(&self) -> String {
        self.to_string()
    }

    /// A type as it is written in Rust.
    pub fn type_text(&self, ty: &Type) -> String {
        let list = |types: &[Type]| {
            let texts: Vec<String> = types.iter().map(|ty| self.type_text(ty)).collect();
            texts.join(", ")
        };
        match ty {
            Type::Unit => "()".into(),
            Type::Never => "!".into(),
            Type::Scalar(scalar) => scalar.name().into(),
            Type::Vector(scalar, components) => format!("<{}; {components}>", scalar.name()),
            Type::Tuple(parts) if parts.len() == 1 => format!("({},)", list(parts)),
            Type::Tuple(parts) => format!("({})", list(parts)),
            Type::Array(element, len) => {
                format!("[{}; {}]", self.type_text(element), self.len_text(*len))
            }
            Type::Struct(id) => self.structs[id.0 as usize].name.clone(),
            Type::Index(rank) => format!("Index<{rank}>"),
            Type::Extent(rank) => format!("Extent<{rank}>"),
            Type::TiledIndex(rank) => format!("TiledIndex<{rank}>"),
            Type::View(view) => {
                let name = if view.mutable {
                    "&mut ArrayViewMut"
                } else {
                    "&ArrayView"
                };
                format!("{name}<{}, {}>", self.type_text(&view.element), view.rank)
            }
        }
    }

    fn len_text(&self, len: Len) -> String {
        match len {
            Len::Literal(len) => len.to_string(),
            Len::Const(id) => self.consts[id.0 as usize].name.clone(),
        }
    }
}

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.domain {
            Domain::Range { rank } => writeln!(f, "kernel {} over Index<{rank}>", self.name)?,
            Domain::Tiled { tile } => {
                let tile: Vec<String> = tile.iter().map(|len| self.len_text(*len)).collect();
                writeln!(f, "kernel {} over tiles of {}", self.name, tile.join(" x "))?;
            }
        }
        if self.index == IndexWidth::Bits64 {
            writeln!(f, "indices of 64 bits")?;
        }
        for item in &self.structs {
            writeln!(f, "struct {} {{", item.name)?;
            for field in &item.fields {
                writeln!(f, "    {}: {},", field.name, self.type_text(&field.ty))?;
            }
            writeln!(f, "}}")?;
        }
        for item in &self.consts {
            writeln!(f, "const {}: {}", item.name, item.ty.name())?;
        }
        for (id, item) in self.tile_statics.iter().enumerate() {
            writeln!(
                f,
                "tile_static {}#{id}: {}",
                item.name,
                self.type_text(&item.ty)
            )?;
        }
        for function in &self.functions {
            let mut writer = Writer {
                module: self,
                function,
                depth: 0,
                out: String::new(),
            };
            writer.function()?;
            f.write_str(&writer.out)?;
        }
        Ok(())
    }
}

/// One function on its way to text.
struct Writer<'m> {
    module: &'m Module,
    function: &'m Function,
    depth: usize,
    out: String,
}

impl Writer<'_> {
    fn function(&mut self) -> fmt::Result {
        let function = self.function;
        let (module, params) = (self.module, function.params as usize);
        let params: Vec<String> = (0..params)
            .map(|id| {
                let ty = module.type_text(&function.locals[id].ty);
                format!("{}: {ty}", self.local(LocalId(id as u32)))
            })
            .collect();
        write!(self.out, "fn {}({})", function.name, params.join(", "))?;
        if function.result != Type::Unit {
            write!(self.out, " -> {}", module.type_text(&function.result))?;
        }
        self.out.push(' ');
        self.block(&function.body)?;
        self.out.push('\n');
        Ok(())
    }

    fn local(&self, id: LocalId) -> String {
        format!("{}#{}", self.function.local(id).name, id.0)
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.depth {
            self.out.push_str("    ");
        }
    }

    fn block(&mut self, block: &Block) -> fmt::Result {
        if block.statements.is_empty() && block.value.is_none() {
            self.out.push_str("{}");
            return Ok(());
        }
        self.out.push('{');
        self.depth += 1;
        for statement in &block.statements {
            self.new_line();
            match statement {
                Statement::Let { local, value } => {
                    let ty = self.module.type_text(&self.function.local(*local).ty);
                    let name = self.local(*local);
                    write!(self.out, "let {name}: {ty}")?;
                    if let Some(value) = value {
                        self.out.push_str(" = ");
                        self.expr(value)?;
                    }
                }
                Statement::Expr(expr) => self.expr(expr)?,
            }
            self.out.push(';');
        }
        if let Some(value) = &block.value {
            self.new_line();
            self.expr(value)?;
        }
        self.depth -= 1;
        self.new_line();
        self.out.push('}');
        Ok(())
    }

    fn list(&mut self, exprs: &[Expr]) -> fmt::Result {
        for (position, expr) in exprs.iter().enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            self.expr(expr)?;
        }
        Ok(())
    }

    fn place(&mut self, place: &Place) -> fmt::Result {
        match &place.root {
            Root::Local(id) => self.out += &self.local(*id),
            Root::TileStatic(id) => {
                let name = &self.module.tile_statics[id.0 as usize].name;
                write!(self.out, "{name}#{}", id.0)?;
            }
            Root::Element { view, index } => {
                self.out += &self.local(*view);
                self.out.push('[');
                self.expr(index)?;
                self.out.push(']');
            }
        }
        for projection in &place.projections {
            match projection {
                Projection::Field(field) => write!(self.out, ".{field}")?,
                Projection::Index(index) => {
                    self.out.push('[');
                    self.expr(index)?;
                    self.out.push(']');
                }
            }
        }
        Ok(())
    }

    fn expr(&mut self, expr: &Expr) -> fmt::Result {
        match &expr.kind {
            ExprKind::Literal(literal) => self.literal(*literal),
            ExprKind::Const(id) => {
                self.out.push_str(&self.module.consts[id.0 as usize].name);
                Ok(())
            }
            ExprKind::Unit => self.out.write_str("()"),
            ExprKind::Zero => self.out.write_str("zero"),
            ExprKind::Load(place) => self.place(place),
            ExprKind::Unary(op, operand) => {
                self.out.push(match op {
                    UnaryOp::Neg => '-',
                    UnaryOp::Not => '!',
                });
                self.expr(operand)
            }
            ExprKind::Binary(op, left, right) => self.infix(left, op.symbol(), right),
            ExprKind::Lazy(LazyOp::And, left, right) => self.infix(left, "&&", right),
            ExprKind::Lazy(LazyOp::Or, left, right) => self.infix(left, "||", right),
            ExprKind::Cast(operand) => {
                self.out.push('(');
                self.expr(operand)?;
                write!(self.out, " as {})", self.module.type_text(&expr.ty))
            }
            ExprKind::Math(op, operands) => self.called(&format!("{op:?}"), operands),
            ExprKind::Construct(parts) => {
                let name = self.module.type_text(&expr.ty);
                self.called(&name, parts)
            }
            ExprKind::Repeat(element) => {
                self.out.push('[');
                self.expr(element)?;
                let len = match &expr.ty {
                    Type::Array(_, len) => self.module.len_text(*len),
                    other => self.module.type_text(other),
                };
                write!(self.out, "; {len}]")
            }
            ExprKind::Field(value, field) => {
                self.expr(value)?;
                write!(self.out, ".{field}")
            }
            ExprKind::ViewExtent(view) => {
                let view = self.local(*view);
                write!(self.out, "{view}.extent()")
            }
            ExprKind::View(view) => {
                self.out += &self.local(*view);
                Ok(())
            }
            ExprKind::Derive(derivation) => {
                self.expr(&derivation.of)?;
                let name = match &derivation.step {
                    ViewStep::Section { .. } => "section",
                    ViewStep::Row(_) => "row",
                    ViewStep::Shape(_) => "view_as",
                    ViewStep::Elements => "reinterpret",
                };
                write!(self.out, ".{name}(")?;
                for (position, operand) in derivation.operands().into_iter().enumerate() {
                    self.out.push_str(if position == 0 { "" } else { ", " });
                    self.expr(operand)?;
                }
                self.out.push(')');
                Ok(())
            }
            ExprKind::Call(callee, args) => {
                let name = &self.module.function(*callee).name;
                self.called(name, args)
            }
            ExprKind::Assign(place, value) => {
                self.place(place)?;
                self.out.push_str(" = ");
                self.expr(value)
            }
            ExprKind::AssignOp(op, place, value) => {
                self.place(place)?;
                write!(self.out, " {}= ", op.symbol())?;
                self.expr(value)
            }
            ExprKind::If(condition, yes, no) => {
                self.out.push_str("if ");
                self.expr(condition)?;
                self.out.push(' ');
                self.block(yes)?;
                if !no.statements.is_empty() || no.value.is_some() {
                    self.out.push_str(" else ");
                    self.block(no)?;
                }
                Ok(())
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::LabelledBlock(label, block) => {
                write!(self.out, "'{}: ", label.0)?;
                self.block(block)
            }
            ExprKind::Loop(body) => self.loop_(body),
            ExprKind::Break(label, value) => {
                write!(self.out, "break '{}", label.0)?;
                self.result(value.as_deref())
            }
            ExprKind::Continue(label) => write!(self.out, "continue '{}", label.0),
            ExprKind::Return(value) => {
                self.out.push_str("return");
                self.result(value.as_deref())
            }
            ExprKind::Message(message) => {
                write!(self.out, "{:?}({:?}", message.kind, message.format)?;
                for operand in &message.operands {
                    self.out.push_str(", ");
                    self.expr(operand)?;
                }
                self.out.push(')');
                Ok(())
            }
            ExprKind::Panic => self.out.write_str("panic"),
            ExprKind::Barrier(fence) => write!(self.out, "barrier({fence:?})"),
            ExprKind::Fence(fence) => write!(self.out, "fence({fence:?})"),
            ExprKind::Subgroup(op, operands) => self.called(&format!("subgroup {op:?}"), operands),
            ExprKind::DeviceFence => write!(self.out, "device_fence()"),
            ExprKind::Atomic(atomic) => {
                write!(self.out, "atomic {:?}(", atomic.op)?;
                self.place(&atomic.place)?;
                for operand in &atomic.operands {
                    self.out.push_str(", ");
                    self.expr(operand)?;
                }
                self.out.push(')');
                Ok(())
            }
        }
    }

    fn result(&mut self, value: Option<&Expr>) -> fmt::Result {
        match value {
            Some(value) => {
                self.out.push(' ');
                self.expr(value)
            }
            None => Ok(()),
        }
    }

    fn infix(&mut self, left: &Expr, symbol: &str, right: &Expr) -> fmt::Result {
        self.out.push('(');
        self.expr(left)?;
        write!(self.out, " {symbol} ")?;
        self.expr(right)?;
        self.out.push(')');
        Ok(())
    }

    fn called(&mut self, name: &str, args: &[Expr]) -> fmt::Result {
        write!(self.out, "{name}(")?;
        self.list(args)?;
        self.out.push(')');
        Ok(())
    }

    fn loop_(&mut self, body: &Loop) -> fmt::Result {
        write!(self.out, "'{}: ", body.label.0)?;
        match &body.kind {
            LoopKind::Infinite => self.out.push_str("loop "),
            LoopKind::While(condition) => {
                self.out.push_str("while ");
                self.expr(condition)?;
                self.out.push(' ');
            }
            LoopKind::For(range) => self.range(range)?,
        }
        self.block(&body.body)
    }

    fn range(&mut self, range: &ForRange) -> fmt::Result {
        let local = self.local(range.local);
        write!(self.out, "for {local} in (")?;
        self.expr(&range.start)?;
        self.out
            .push_str(if range.inclusive { "..=" } else { ".." });
        self.expr(&range.end)?;
        self.out.push(')');
        for adapter in &range.adapters {
            match adapter {
                Adapter::Rev => self.out.push_str(".rev()"),
                Adapter::StepBy(step) => {
                    self.out.push_str(".step_by(");
                    self.expr(step)?;
                    self.out.push(')');
                }
            }
        }
        self.out.push(' ');
        Ok(())
    }

    fn literal(&mut self, literal: Literal) -> fmt::Result {
        match literal {
            Literal::Bool(value) => write!(self.out, "{value}"),
            Literal::I32(value) => write!(self.out, "{value}_i32"),
            Literal::U32(value) => write!(self.out, "{value}_u32"),
            Literal::F32(bits) => write!(self.out, "{:?}_f32", f32::from_bits(bits)),
            Literal::Usize(value) => write!(self.out, "{value}_usize"),
            Literal::Other(Scalar::F64, bits) => {
                write!(self.out, "{:?}_f64", f64::from_bits(bits))
            }
            Literal::Other(scalar, bits) => match literal.integer() {
                Some(value) => write!(self.out, "{value}_{}", scalar.name()),
                None => write!(self.out, "{}::from_bits({bits:#x})", scalar.name()),
            },
        }
    }
}

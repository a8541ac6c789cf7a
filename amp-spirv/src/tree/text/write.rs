//! The text form of the tree, which [`parse`](crate::tree::parse()) reads back.
//!
//! It reads like Rust with every type known. Left out are places in the source, and variables
//! that nothing declares:
//!
//! ```text
//! kernel mat_mul over tiles of 4 x #0
//! const TS#0: usize
//! tile_static part@0: [f32; 4]
//! fn half#0(x: f32) -> f32 fast_math {
//!     (x / 2.0f32)
//! }
//! fn mat_mul#1(t: TiledIndex<2>, a: &mut ArrayViewMut<f32, 2>) {
//!     let row: usize = t.local[0usize];
//!     part@0[row] = (a[t.global] + a[row, 0usize]);
//!     '0: for i in (0usize..TS#0).step_by(2usize) {
//!         if (i == row) {
//!             break '0;
//!         }
//!         barrier(TileStatic);
//!     }
//!     barrier(All);
//!     a[t.global] = call half#0(part@0[row]);
//! }
//! ```
//!
//! `'` are labels, `@` variables of the tile, `#` everything else of the module that has a
//! number; a name before one of these is for people. Of variables with the same name all but the
//! first have a number behind `$`. A statement that ends in a brace needs no `;`, unless it is the
//! last one of its block: without it, it is the block's value.

use std::fmt::{self, Display, Formatter};

use super::{
    Named, TILED, ends_in_brace, labelled_type, len_text, loop_type, names, prefix, type_text,
    typed_literal, write_head,
};
use crate::tree::{
    Adapter, Block, Derivation, Expr, ExprKind, ForRange, Function, LazyOp, LocalId, Loop,
    LoopKind, MathOp, Module, Place, Projection, Root, Statement, Type, UnaryOp, ViewStep,
};

impl Module {
    /// The module as text.
    pub fn to_text(&self) -> String {
        self.to_string()
    }

    /// A type as the text form writes it.
    pub fn type_text(&self, ty: &Type) -> String {
        type_text(&self.structs, ty)
    }
}

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (structs, consts) = (&self.structs, &self.consts);
        write_head(
            f,
            &self.name,
            &self.domain,
            &self.options,
            self.index,
            structs,
            consts,
        )?;
        for (id, item) in self.tile_statics.iter().enumerate() {
            let (name, ty) = (Named(&item.name), self.type_text(&item.ty));
            writeln!(f, "tile_static {name}@{id}: {ty}")?;
        }
        for (id, function) in self.functions.iter().enumerate() {
            let mut writer = Writer {
                module: self,
                function,
                names: names(function),
                depth: 0,
                out: String::new(),
            };
            writer.function(id);
            f.write_str(&writer.out)?;
        }
        Ok(())
    }
}

/// One function on its way to text.
struct Writer<'m> {
    module: &'m Module,
    function: &'m Function,
    names: Vec<String>,
    depth: usize,
    out: String,
}

impl Writer<'_> {
    fn put(&mut self, text: &str) {
        self.out += text;
    }

    fn function(&mut self, id: usize) {
        let function = self.function;
        let params: Vec<String> = (0..function.params)
            .map(|id| {
                format!(
                    "{}: {}",
                    self.local(LocalId(id)),
                    self.local_ty(LocalId(id))
                )
            })
            .collect();
        self.out += &format!("fn {}#{id}({})", Named(&function.name), params.join(", "));
        if function.result != Type::Unit {
            self.out += &format!(" -> {}", self.module.type_text(&function.result));
        }
        self.put(if function.fast_math {
            " fast_math "
        } else {
            " "
        });
        self.block(&function.body);
        self.out.push('\n');
    }

    fn local(&self, id: LocalId) -> String {
        let name = self.names.get(id.0 as usize);
        name.map_or_else(|| format!("undefined${}", id.0), String::clone)
    }

    fn local_ty(&self, id: LocalId) -> String {
        let local = self.function.locals.get(id.0 as usize);
        local.map_or_else(|| "()".to_owned(), |it| self.module.type_text(&it.ty))
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.depth {
            self.out.push_str("    ");
        }
    }

    fn block(&mut self, block: &Block) {
        if block.statements.is_empty() && block.value.is_none() {
            return self.put("{}");
        }
        self.out.push('{');
        self.depth += 1;
        for (position, statement) in block.statements.iter().enumerate() {
            self.new_line();
            match statement {
                Statement::Let { local, value } => {
                    let (name, ty) = (self.local(*local), self.local_ty(*local));
                    self.out += &format!("let {name}: {ty}");
                    if let Some(value) = value {
                        self.put(" = ");
                        self.expr(value);
                    }
                }
                Statement::Expr(expr) => self.expr(expr),
            }
            let is_last = position + 1 == block.statements.len() && block.value.is_none();
            let is_closed = match statement {
                Statement::Let { .. } => false,
                Statement::Expr(expr) => ends_in_brace(&expr.kind),
            };
            self.put(if is_closed && !is_last { "" } else { ";" });
        }
        if let Some(value) = &block.value {
            self.new_line();
            self.expr(value);
        }
        self.depth -= 1;
        self.new_line();
        self.out.push('}');
    }

    fn list<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        for (position, expr) in exprs.into_iter().enumerate() {
            self.put(if position > 0 { ", " } else { "" });
            self.expr(expr);
        }
    }

    fn called<'e>(&mut self, name: &str, operands: impl IntoIterator<Item = &'e Expr>) {
        self.put(name);
        self.out.push('(');
        self.list(operands);
        self.out.push(')');
    }

    fn place(&mut self, place: &Place) {
        let mut tiled = false;
        match &place.root {
            Root::Local(id) => {
                self.out += &self.local(*id);
                let local = self.function.locals.get(id.0 as usize);
                tiled = local.is_some_and(|it| matches!(it.ty, Type::TiledIndex(_)));
            }
            Root::TileStatic(id) => {
                let item = self.module.tile_statics.get(id.0 as usize);
                let name = item.map_or("", |item| prefix(&item.name));
                self.out += &format!("{name}@{}", id.0);
            }
            Root::Element { view, index } => {
                self.out += &self.local(*view);
                self.out.push('[');
                match &index.kind {
                    // One part that does not end is told from a whole index by its type.
                    ExprKind::Construct(parts)
                        if parts.first().is_some_and(|it| it.ty != Type::Never) =>
                    {
                        self.list(parts);
                    }
                    _ => self.expr(index),
                }
                self.out.push(']');
            }
        }
        for projection in &place.projections {
            match projection {
                Projection::Field(field) => {
                    let name = TILED.get(*field as usize).filter(|_| tiled);
                    self.out += &match name {
                        Some((_, name)) => format!(".{name}"),
                        None => format!(".{field}"),
                    };
                }
                Projection::Index(index) => {
                    self.out.push('[');
                    self.expr(index);
                    self.out.push(']');
                }
            }
            tiled = false;
        }
    }

    /// An operand of an operator: in parentheses if it would take what follows for its own.
    fn operand(&mut self, expr: &Expr) {
        let is_open = matches!(
            expr.kind,
            ExprKind::Assign(..)
                | ExprKind::AssignOp(..)
                | ExprKind::Break(..)
                | ExprKind::Continue(_)
                | ExprKind::Return(_)
        );
        self.enclosed(expr, is_open);
    }

    fn enclosed(&mut self, expr: &Expr, parentheses: bool) {
        self.put(if parentheses { "(" } else { "" });
        self.expr(expr);
        self.put(if parentheses { ")" } else { "" });
    }

    fn expr(&mut self, expr: &Expr) {
        self.put(if self.is_lent(expr) { "&" } else { "" });
        match &expr.kind {
            ExprKind::Literal(literal) => self.out += &typed_literal(*literal),
            ExprKind::Const(id) => {
                let item = self.module.consts.get(id.0 as usize);
                let name = item.map_or("", |item| prefix(&item.name));
                self.out += &format!("{name}#{}", id.0);
            }
            ExprKind::Unit => self.put("()"),
            ExprKind::Zero => self.out += &format!("zero<{}>", self.module.type_text(&expr.ty)),
            ExprKind::Load(place) => self.place(place),
            ExprKind::Unary(op, operand) => {
                self.put(match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::Not => "!",
                });
                match (op, &operand.kind) {
                    // A literal has its sign with it.
                    (UnaryOp::Neg, ExprKind::Literal(_)) => self.enclosed(operand, true),
                    _ => self.operand(operand),
                }
            }
            ExprKind::Binary(op, left, right) => self.infix(left, op.symbol(), right),
            ExprKind::Lazy(LazyOp::And, left, right) => self.infix(left, "&&", right),
            ExprKind::Lazy(LazyOp::Or, left, right) => self.infix(left, "||", right),
            ExprKind::Cast(operand) => {
                self.out.push('(');
                self.operand(operand);
                self.out += &format!(" as {})", self.module.type_text(&expr.ty));
            }
            ExprKind::Math(op, operands) => {
                let of = match op {
                    MathOp::FromBits => format!("<{}>", self.module.type_text(&expr.ty)),
                    _ => String::new(),
                };
                self.called(&format!("{op:?}{of}"), operands);
            }
            ExprKind::Construct(parts) => self.construct(&expr.ty, parts),
            ExprKind::Repeat(element) => {
                let Type::Array(_, len) = &expr.ty else {
                    return self.called("repeat", [&**element]);
                };
                self.out.push('[');
                self.expr(element);
                self.out += &format!("; {}]", len_text(*len));
            }
            ExprKind::Field(value, field) => {
                let is_closed = matches!(
                    value.kind,
                    ExprKind::ViewExtent(_)
                        | ExprKind::Call(..)
                        | ExprKind::Field(..)
                        | ExprKind::Binary(..)
                );
                self.enclosed(value, !is_closed);
                self.out += &format!(".{field}");
            }
            ExprKind::ViewExtent(view) => self.out += &format!("{}.extent()", self.local(*view)),
            ExprKind::View(view) => self.out += &self.local(*view),
            ExprKind::Derive(derivation) => self.derivation(derivation, &expr.ty),
            ExprKind::Call(callee, arguments) => {
                let function = self.module.functions.get(callee.0 as usize);
                let name = function.map_or("", |it| prefix(&it.name));
                self.called(&format!("call {name}#{}", callee.0), arguments);
            }
            ExprKind::Assign(place, value) => {
                self.place(place);
                self.put(" = ");
                self.expr(value);
            }
            ExprKind::AssignOp(op, place, value) => {
                self.place(place);
                self.out += &format!(" {}= ", op.symbol());
                self.expr(value);
            }
            ExprKind::If(condition, yes, no) => {
                self.put("if ");
                self.operand(condition);
                self.out.push(' ');
                self.block(yes);
                if !no.statements.is_empty() || no.value.is_some() {
                    self.put(" else ");
                    self.block(no);
                }
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::LabelledBlock(label, block) => {
                self.out += &format!("'{}: ", label.0);
                self.stated(&expr.ty, &labelled_type(*label, block));
                self.block(block);
            }
            ExprKind::Loop(looping) => self.looping(looping, &expr.ty),
            ExprKind::Break(label, value) => {
                self.out += &format!("break '{}", label.0);
                self.result(value.as_deref());
            }
            ExprKind::Continue(label) => self.out += &format!("continue '{}", label.0),
            ExprKind::Return(value) => {
                self.put("return");
                self.result(value.as_deref());
            }
            ExprKind::Message(message) => {
                self.out += &format!("{:?}({:?}", message.kind, message.format);
                self.put(if message.operands.is_empty() {
                    ""
                } else {
                    ", "
                });
                self.list(&message.operands);
                self.out.push(')');
            }
            ExprKind::Panic => self.put("panic"),
            ExprKind::Barrier(fence) => self.out += &format!("barrier({fence:?})"),
            ExprKind::Fence(fence) => self.out += &format!("fence({fence:?})"),
            ExprKind::Subgroup(op, operands) => self.called(&format!("subgroup {op:?}"), operands),
            ExprKind::DeviceFence => self.put("device_fence"),
            ExprKind::Atomic(atomic) => {
                self.out += &format!("atomic {:?}(", atomic.op);
                self.place(&atomic.place);
                self.put(if atomic.operands.is_empty() { "" } else { ", " });
                self.list(&atomic.operands);
                self.out.push(')');
            }
        }
    }

    /// Tuples and arrays are known by their parts; the others by their names.
    fn construct(&mut self, ty: &Type, parts: &[Expr]) {
        let layout = self.module.layout();
        let tells = !parts.is_empty()
            && layout.parts(ty).is_some_and(|types| {
                types.len() == parts.len() && types.iter().zip(parts).all(|(ty, it)| *ty == it.ty)
            });
        match ty {
            Type::Tuple(_) if tells => {
                self.out.push('(');
                self.list(parts);
                self.put(if parts.len() == 1 { ",)" } else { ")" });
            }
            Type::Array(..) if tells => {
                self.out.push('[');
                self.list(parts);
                self.out.push(']');
            }
            Type::Index(_) | Type::Extent(_) | Type::Struct(_) | Type::Vector(..) => {
                self.called(&self.module.type_text(ty), parts);
            }
            _ => self.called(&format!("new {}", self.module.type_text(ty)), parts),
        }
    }

    /// Whether a mutable view is used as a read-only one, which `&` before it says.
    fn is_lent(&self, view: &Expr) -> bool {
        let is_mutable = |ty: &Type| matches!(ty, Type::View(view) if view.mutable);
        let of = match &view.kind {
            ExprKind::Derive(derivation) => Some(&derivation.of.ty),
            ExprKind::View(local) => {
                let local = self.function.locals.get(local.0 as usize);
                local.map(|it| &it.ty)
            }
            _ => None,
        };
        of.is_some_and(is_mutable) && !is_mutable(&view.ty)
    }

    fn derivation(&mut self, derivation: &Derivation, ty: &Type) {
        let of = &derivation.of;
        self.enclosed(of, self.is_lent(of));
        let name = match &derivation.step {
            ViewStep::Section { .. } => ".section".to_owned(),
            ViewStep::Row(_) => ".row".to_owned(),
            ViewStep::Shape(_) => ".view_as".to_owned(),
            ViewStep::Elements => match ty {
                Type::View(view) => {
                    format!(".reinterpret<{}>", self.module.type_text(&view.element))
                }
                _ => ".reinterpret".to_owned(),
            },
        };
        self.called(&name, derivation.operands());
    }

    fn result(&mut self, value: Option<&Expr>) {
        if let Some(value) = value {
            self.out.push(' ');
            self.expr(value);
        }
    }

    /// The type of a loop or labelled block, where it is not the expected one.
    fn stated(&mut self, ty: &Type, expected: &Type) {
        if ty != expected {
            self.out += &format!("-> {} ", self.module.type_text(ty));
        }
    }

    fn infix(&mut self, left: &Expr, symbol: &str, right: &Expr) {
        self.out.push('(');
        self.operand(left);
        self.out += &format!(" {symbol} ");
        self.operand(right);
        self.out.push(')');
    }

    fn looping(&mut self, of: &Loop, ty: &Type) {
        self.out += &format!("'{}: ", of.label.0);
        if of.unroll {
            self.put("unroll ");
        }
        match &of.kind {
            LoopKind::Infinite => self.put("loop "),
            LoopKind::While(condition) => {
                self.put("while ");
                self.operand(condition);
                self.out.push(' ');
            }
            LoopKind::For(range) => self.range(range),
        }
        self.stated(ty, &loop_type(of));
        self.block(&of.body);
    }

    fn range(&mut self, range: &ForRange) {
        self.out += &format!("for {} in (", self.local(range.local));
        self.operand(&range.start);
        self.put(if range.inclusive { "..=" } else { ".." });
        self.operand(&range.end);
        self.out.push(')');
        for adapter in &range.adapters {
            match adapter {
                Adapter::Rev => self.put(".rev()"),
                Adapter::StepBy(step) => self.called(".step_by", [step]),
            }
        }
        self.out.push(' ');
    }
}

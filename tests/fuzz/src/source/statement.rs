//! Blocks and statements as Rust.

use amp_spirv::tree::*;

use super::print::Printer;

impl Printer<'_> {
    /// A block with its braces.
    pub fn block(&mut self, block: &Block) -> String {
        let mut text = String::from("{\n");
        for statement in &block.statements {
            match statement {
                Statement::Let {
                    local,
                    value: Some(value),
                } => {
                    let ty = self.function.local(*local).ty.clone();
                    let name = self.name(*local);
                    // The forms name it.
                    self.is_plain = self.function.local(*local).name == "me";
                    text += &self.let_(&name, &ty, value);
                    self.is_plain = false;
                }
                Statement::Let { local, value: None } => {
                    self.deferred.insert(*local);
                    let ty = self.ty(&self.function.local(*local).ty);
                    text += &format!("let {}: {ty};", self.name(*local));
                }
                Statement::Expr(expr) => {
                    text += &self.bare(expr);
                    text.push(';');
                }
            }
            text.push('\n');
        }
        if let Some(value) = &block.value {
            text += &self.expr(value);
            text.push('\n');
        }
        text.push('}');
        text
    }

    /// An expression as it stands as a statement.
    pub fn bare(&mut self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Assign(place, value) => {
                if let Some(text) = self.of_store(None, place, value) {
                    return text;
                }
                if let Some(text) = self.by_reference(None, place, value) {
                    return text;
                }
                let value = self.expr(value);
                format!("{} = {value}", self.place(place))
            }
            ExprKind::AssignOp(op, place, value) => {
                if let Some(text) = self.of_store(Some(*op), place, value) {
                    return text;
                }
                if let Some(text) = self.by_reference(Some(*op), place, value) {
                    return text;
                }
                let value = self.expr(value);
                format!("{} {}= {value}", self.place(place), op.symbol())
            }
            ExprKind::If(condition, yes, no) => self.choice(condition, yes, no),
            ExprKind::Block(block) => self.block(block),
            ExprKind::LabelledBlock(label, block) => {
                format!("'l{}: {}", label.0, self.block(block))
            }
            ExprKind::Loop(looped) => self.looped(looped),
            ExprKind::Break(label, value) => self.jump(&format!("break 'l{}", label.0), value),
            ExprKind::Continue(label) => format!("continue 'l{}", label.0),
            ExprKind::Return(value) => self.jump("return", value),
            // The generator makes faults without operands.
            ExprKind::Message(message) => format!("assert!(false, {:?})", message.format),
            ExprKind::Panic => "panic!()".into(),
            ExprKind::Barrier(fence) => {
                let method = match fence {
                    MemoryFence::All => "wait",
                    MemoryFence::Global => "wait_with_global_memory_fence",
                    MemoryFence::TileStatic => "wait_with_tile_static_memory_fence",
                };
                format!("idx.barrier.{method}()")
            }
            _ => self.expr(expr),
        }
    }

    fn jump(&mut self, word: &str, value: &Option<Box<Expr>>) -> String {
        match value {
            Some(value) => format!("{word} {}", self.expr(value)),
            None => word.into(),
        }
    }

    fn looped(&mut self, looped: &Loop) -> String {
        let mut before = String::new();
        let head = match &looped.kind {
            LoopKind::Infinite => "loop".into(),
            LoopKind::While(condition) => format!("while {}", self.expr(condition)),
            LoopKind::For(range) => {
                let mut text = match self.numbers(range) {
                    Some(numbers) => numbers,
                    None => {
                        let (start, end) = (self.expr(&range.start), self.expr(&range.end));
                        let dots = if range.inclusive { "..=" } else { ".." };
                        let text = format!("({start}{dots}{end})");
                        match self.range_variable() {
                            Some(name) => {
                                before = format!("let {name} = {text};\n");
                                format!("{name}.clone()")
                            }
                            None => text,
                        }
                    }
                };
                let is_range = text.ends_with([')']);
                for adapter in &range.adapters {
                    match adapter {
                        Adapter::Rev => text += ".rev()",
                        Adapter::StepBy(step) => {
                            text += &format!(".step_by({})", self.expr(step));
                        }
                    }
                }
                if is_range {
                    text += &self.of_range();
                }
                format!("for {} in {text}", self.name(range.local))
            }
        };
        let text = format!("'l{}: {head} {}", looped.label.0, self.block(&looped.body));
        match before.is_empty() {
            true => text,
            false => format!("{{ {before}{text} }}"),
        }
    }
}

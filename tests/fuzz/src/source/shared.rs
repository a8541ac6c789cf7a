//! Views, and what threads do together, as Rust.

use amp_spirv::tree::*;

use super::print::Printer;

impl Printer<'_> {
    /// `view.section(origin, extent)` and the like.
    pub fn derived(&mut self, derivation: &Derivation, ty: &Type) -> String {
        let of = match &derivation.of.kind {
            ExprKind::View(view) => self.name(*view),
            _ => self.expr(&derivation.of),
        };
        match &derivation.step {
            ViewStep::Section { origin, extent } => {
                let origin = self.position(origin, "Index");
                let extent = self.position(extent, "Extent");
                format!("{of}.section({origin}, {extent})")
            }
            ViewStep::Row(row) => format!("{of}.row({})", self.expr(row)),
            ViewStep::Shape(extent) => {
                let extent = self.position(extent, "Extent");
                format!("{of}.view_as({extent})")
            }
            ViewStep::Elements => {
                let Type::View(view) = ty else {
                    panic!("a view is made");
                };
                format!("{of}.reinterpret::<{}>()", self.ty(&view.element))
            }
        }
    }

    fn position(&mut self, position: &Expr, name: &str) -> String {
        let ExprKind::Construct(parts) = &position.kind else {
            panic!("a position is written out");
        };
        let parts: Vec<String> = parts.iter().map(|part| self.expr(part)).collect();
        let list = parts.join(", ");
        match self.rng.u8(0..3) {
            0 if parts.len() == 1 => list,
            1 => format!("[{list}]"),
            _ => format!("{name}::new([{list}])"),
        }
    }

    /// `&view`, as an argument.
    pub fn borrowed(&mut self, view: LocalId) -> String {
        let name = self.name(view);
        match view.0 < self.function.params {
            true => name,
            false => format!("&{name}"),
        }
    }

    /// `atomic_fetch_add(&mut place, value)`
    pub fn atomic(&mut self, atomic: &Atomic) -> String {
        let name = match atomic.op {
            AtomicOp::Add => "add",
            AtomicOp::Sub => "sub",
            AtomicOp::Min => "min",
            AtomicOp::Max => "max",
            AtomicOp::And => "and",
            AtomicOp::Or => "or",
            AtomicOp::Xor => "xor",
            other => panic!("the generator makes no {other:?}"),
        };
        let place = self.place(&atomic.place);
        let value = self.expr(&atomic.operands[0]);
        format!("atomic_fetch_{name}(&mut {place}, {value})")
    }

    /// `subgroup::reduce_add(value)`
    pub fn subgroup(&mut self, op: SubgroupOp, operands: &[Expr]) -> String {
        let name = match op {
            SubgroupOp::Size => "size",
            SubgroupOp::Index => "index",
            SubgroupOp::Elect => "elect",
            SubgroupOp::Barrier => "barrier",
            SubgroupOp::All => "all",
            SubgroupOp::Any => "any",
            SubgroupOp::Ballot => "ballot",
            SubgroupOp::Shuffle => "shuffle",
            SubgroupOp::ShuffleXor => "shuffle_xor",
            SubgroupOp::Add => "reduce_add",
            SubgroupOp::Min => "reduce_min",
            SubgroupOp::Max => "reduce_max",
            SubgroupOp::InclusiveAdd => "inclusive_add",
            SubgroupOp::ExclusiveAdd => "exclusive_add",
        };
        let operands: Vec<String> = operands.iter().map(|it| self.expr(it)).collect();
        format!("subgroup::{name}({})", operands.join(", "))
    }
}

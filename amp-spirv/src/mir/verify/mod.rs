//! Whether a module keeps the rules of the form.
//!
//! Every pass hands on a module that does, so what comes after it can take them for granted.
//! Checked are the shape (every region and instruction in one place, definitions before uses,
//! ends with the right values), the operands and results of each operation (`rules`,
//! `numbers`), and that every access runs under the check of its index (`guards`).
//!
//! What it leaves out: whether a computed guard is the right one for a division, and whether
//! barriers are where all threads of a tile come by. The checks of the tree prove the second.

mod guards;
mod numbers;
mod rules;
#[cfg(test)]
mod tests;

use super::names::{Names, op_name};
use super::{
    Base, Def, End, Function, Inst, InstId, Module, Op, Param, Region, RegionId, SlotId, Ty, Value,
};
use crate::tree::Type;

/// Checks a module.
///
/// # Errors
///
/// With what is wrong, in the order of the text.
///
/// ```
/// let text = "kernel k over Index<1>\n\nfn k#0(%0: Index<1>) {\n    return %0\n}\n";
/// let module = amp_spirv::mir::parse(text).unwrap();
/// let errors = amp_spirv::mir::verify(&module).unwrap_err();
/// assert_eq!(errors, ["k: return: passes (Index<1>) to what takes ()"]);
/// ```
pub fn verify(module: &Module) -> Result<(), Vec<String>> {
    let mut errors = Vec::new();
    for (number, function) in module.functions.iter().enumerate() {
        let mut verifier = Verifier {
            module,
            function,
            number,
            names: Names::of(function),
            visible: vec![false; function.values.len()],
            defined: vec![false; function.values.len()],
            listed: vec![false; function.insts.len()],
            entered: vec![false; function.regions.len()],
            around: Vec::new(),
            holding: Vec::new(),
            errors: &mut errors,
        };
        verifier.signature();
        verifier.region(function.body, None);
    }
    if module.functions.is_empty() {
        errors.push("there is no kernel".to_owned());
    }
    match errors.is_empty() {
        true => Ok(()),
        false => Err(errors),
    }
}

/// What is wrong with one instruction, signature or end.
type Check = Result<(), String>;

struct Verifier<'m> {
    module: &'m Module,
    function: &'m Function,
    number: usize,
    names: Names,
    /// Values that can be used here.
    visible: Vec<bool>,
    /// Values that have been defined anywhere before.
    defined: Vec<bool>,
    /// Instructions that have been met.
    listed: Vec<bool>,
    /// Regions that have been met.
    entered: Vec<bool>,
    /// The instructions around this place.
    around: Vec<InstId>,
    /// The conditions of those that are an `if` in whose first region this place is.
    holding: Vec<Value>,
    errors: &'m mut Vec<String>,
}

impl<'m> Verifier<'m> {
    fn error(&mut self, at: &str, message: String) {
        let function = &self.function.name;
        self.errors.push(format!("{function}: {at}: {message}"));
    }

    fn report(&mut self, at: &str, check: Check) {
        if let Err(message) = check {
            self.error(at, message);
        }
    }

    fn ty(&self, ty: Ty) -> &'m Type {
        &self.module.types[ty]
    }

    fn value_ty(&self, value: Value) -> &'m Type {
        self.ty(self.function.ty(value))
    }

    fn is_bulk(&self, ty: &Type) -> bool {
        self.module.layout().is_bulk(ty)
    }

    /// Types in parentheses, as messages write them.
    fn types_text(&self, types: &[Type]) -> String {
        let texts: Vec<String> = types.iter().map(|ty| self.module.type_text(ty)).collect();
        format!("({})", texts.join(", "))
    }

    fn types_of(&self, values: &[Value]) -> Vec<Type> {
        let types = values.iter().map(|value| self.value_ty(*value).clone());
        types.collect()
    }

    fn signature(&mut self) {
        let function = self.function;
        for (position, param) in (0..).zip(&function.params) {
            match *param {
                Param::Value(value) => self.define("parameters", value, Def::Param(position)),
                Param::Slot(slot) => {
                    let check = self.bulk_slot(slot, None);
                    self.report("parameters", check);
                }
            }
        }
        let result = self.ty(function.result);
        let check = match (function.result_slot, self.is_bulk(result)) {
            (Some(slot), true) => self.bulk_slot(slot, Some(result)),
            (None, false) => Ok(()),
            (_, true) => Err("a bulk result has a slot".to_owned()),
            (_, false) => Err("only a bulk result has a slot".to_owned()),
        };
        self.report("result", check);
        let wide = usize::from(self.module.lanes > 1);
        if self.number + 1 + wide >= self.module.functions.len() {
            let check = self.kernel_signature();
            self.report("parameters", check);
        }
    }

    fn kernel_signature(&self) -> Check {
        let function = self.function;
        let rank = self.module.domain.rank();
        let index = match self.module.domain {
            crate::tree::Domain::Range { .. } => Type::Index(rank),
            crate::tree::Domain::Tiled { .. } => Type::TiledIndex(rank),
        };
        let first = function.params.first().map(|it| function.param_ty(*it));
        if first.map(|ty| self.ty(ty)) != Some(&index) {
            let index = self.module.type_text(&index);
            return Err(format!("the first of a kernel is its {index}"));
        }
        match self.ty(function.result) {
            Type::Unit | Type::Never => Ok(()),
            _ => Err("a kernel has no result".to_owned()),
        }
    }

    /// Whether a slot can hold a parameter or result.
    fn bulk_slot(&self, slot: SlotId, wanted: Option<&Type>) -> Check {
        let Some(info) = self.function.slots.get(slot.0 as usize) else {
            return Err(format!("there is no slot ${}", slot.0));
        };
        let ty = self.ty(info.ty);
        match self.is_bulk(ty) && wanted.is_none_or(|wanted| wanted == ty) {
            true => Ok(()),
            false => Err(format!("${} has the wrong type", slot.0)),
        }
    }

    fn define(&mut self, at: &str, value: Value, def: Def) {
        let text = self.names.value(value);
        let Some(info) = self.function.values.get(value.0 as usize) else {
            return self.error(at, format!("{text} does not exist"));
        };
        if std::mem::replace(&mut self.defined[value.0 as usize], true) {
            return self.error(at, format!("{text} is defined twice"));
        }
        if info.def != def {
            self.error(at, format!("{text} does not know its definition"));
        }
        let ty = self.ty(info.ty);
        if self.is_bulk(ty) || *ty == Type::Never {
            let ty = self.module.type_text(ty);
            self.error(at, format!("{text} is no value: it is a {ty}"));
        }
        self.visible[value.0 as usize] = true;
    }

    /// Whether a value is defined before this place.
    fn can_use(&self, value: Value) -> Check {
        match self.visible.get(value.0 as usize) {
            Some(true) => Ok(()),
            _ => Err(format!("{} is not defined here", self.names.value(value))),
        }
    }

    fn region(&mut self, id: RegionId, owner: Option<InstId>) {
        let at = owner.map_or("body".to_owned(), |owner| self.text(owner));
        let function = self.function;
        let Some(region) = function.regions.get(id.0 as usize) else {
            return self.error(&at, "a region does not exist".to_owned());
        };
        if std::mem::replace(&mut self.entered[id.0 as usize], true) {
            return self.error(&at, "a region is in two places".to_owned());
        }
        for (position, param) in (0..).zip(&region.params) {
            self.define(&at, *param, Def::Region(id, position));
        }
        let mut ended = false;
        for &inst in &region.insts {
            if ended {
                let at = self.text(inst);
                self.error(&at, "nothing can come here".to_owned());
            }
            ended |= self.inst(inst);
        }
        let at = match &region.end {
            End::Yield(_) => "yield",
            End::Break(..) => "break",
            End::Continue(..) => "continue",
            End::Return(_) => "return",
            End::Unreachable => "unreachable",
        };
        let check = self.end(region, owner, ended);
        self.report(at, check);
        let own = region
            .insts
            .iter()
            .filter_map(|id| function.insts.get(id.0 as usize));
        let own = own.flat_map(|inst| &inst.results).chain(&region.params);
        for value in own {
            if let Some(visible) = self.visible.get_mut(value.0 as usize) {
                *visible = false;
            }
        }
    }

    /// An instruction as messages name it.
    fn text(&self, id: InstId) -> String {
        let Some(inst) = self.function.insts.get(id.0 as usize) else {
            return format!("instruction {}", id.0);
        };
        let name = op_name(&inst.op);
        match inst.results.is_empty() {
            true => name,
            false => format!("{} = {name}", self.names.values(&inst.results)),
        }
    }

    /// Checks an instruction; whether control never gets past it.
    fn inst(&mut self, id: InstId) -> bool {
        let at = self.text(id);
        let function = self.function;
        let Some(inst) = function.insts.get(id.0 as usize) else {
            self.error(&at, "does not exist".to_owned());
            return false;
        };
        if std::mem::replace(&mut self.listed[id.0 as usize], true) {
            self.error(&at, "is in two places".to_owned());
            return false;
        }
        let used = inst.args.iter().chain(&inst.guard);
        let checks: Vec<Check> = used.map(|value| self.can_use(*value)).collect();
        let unusable = checks.iter().any(Result::is_err);
        for check in checks {
            self.report(&at, check);
        }
        if !unusable {
            let check = self.regions_of(inst);
            let check = check.and_then(|()| self.rule(inst));
            let check = check.and_then(|()| self.guarded(inst));
            let check = check.and_then(|()| self.writes(inst));
            self.report(&at, check);
        }
        self.around.push(id);
        for (number, &region) in inst.regions.iter().enumerate() {
            let holding = self.holding.len();
            if inst.op == Op::If && number == 0 {
                self.holding.extend(&inst.args);
            }
            self.region(region, Some(id));
            self.holding.truncate(holding);
        }
        self.around.pop();
        for (position, result) in (0..).zip(&inst.results) {
            self.define(&at, *result, Def::Inst(id, position));
        }
        !function.completes(id)
    }

    /// How many regions an operation owns.
    fn regions_of(&self, inst: &Inst) -> Check {
        let wanted = match inst.op {
            Op::If => 2,
            Op::Block | Op::Loop | Op::For | Op::ForInclusive => 1,
            _ => 0,
        };
        match inst.regions.len() == wanted {
            true => Ok(()),
            false => Err(format!("has {} regions, not {wanted}", inst.regions.len())),
        }
    }

    /// What a parameter in a slot or a read-only view has does not change.
    fn writes(&self, inst: &Inst) -> Check {
        let written = match &inst.op {
            Op::Store(access) | Op::StoreRun(access) | Op::Clear(access) | Op::Copy(access, _) => {
                access
            }
            Op::Atomic(op, access) if op.writes() => access,
            _ => return Ok(()),
        };
        match written.base {
            Base::Slot(slot) if self.function.params.contains(&Param::Slot(slot)) => {
                Err(format!("writes the parameter ${}", slot.0))
            }
            Base::Element(_) | Base::Position => match self.value_ty(inst.args[0]) {
                Type::View(view) if !view.mutable => Err("writes a read-only view".to_owned()),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn end(&self, region: &Region, owner: Option<InstId>, ended: bool) -> Check {
        let values = region.end.values();
        for value in values {
            self.can_use(*value)?;
        }
        if ended != (region.end == End::Unreachable) {
            return Err(match ended {
                true => "nothing can come here".to_owned(),
                false => "control comes here".to_owned(),
            });
        }
        let taken = match &region.end {
            End::Unreachable => return Ok(()),
            End::Return(_) => match self.ty(self.function.result) {
                // What panics comes back.
                Type::Unit | Type::Never => Vec::new(),
                _ if self.function.result_slot.is_some() => Vec::new(),
                result => vec![result.clone()],
            },
            End::Yield(_) => match owner {
                None => return Err("a function ends with its result".to_owned()),
                Some(owner) => self.taken_by_yield(owner),
            },
            End::Break(target, _) => match self.target(*target)?.op {
                Op::Block | Op::Loop | Op::For | Op::ForInclusive => {
                    self.types_of(&self.function.inst(*target).results)
                }
                _ => return Err("only loops and blocks are left by it".to_owned()),
            },
            End::Continue(target, _) => match self.target(*target)?.op {
                Op::Loop | Op::For | Op::ForInclusive => self.taken_by_yield(*target),
                _ => return Err("only loops go on by it".to_owned()),
            },
        };
        let passed = self.types_of(values);
        match passed == taken {
            true => Ok(()),
            false => Err(format!(
                "passes {} to what takes {}",
                self.types_text(&passed),
                self.types_text(&taken)
            )),
        }
    }

    fn target(&self, target: InstId) -> Result<&'m Inst, String> {
        match self.around.contains(&target) {
            true => Ok(self.function.inst(target)),
            false => Err("what it names is not around it".to_owned()),
        }
    }

    /// The types of what the end of a region of `owner` passes on.
    fn taken_by_yield(&self, owner: InstId) -> Vec<Type> {
        let inst = self.function.inst(owner);
        let params = inst.regions.first().map(|it| self.function.region(*it));
        match (&inst.op, params) {
            (Op::Loop, Some(region)) => self.types_of(&region.params),
            _ => self.types_of(&inst.results),
        }
    }
}

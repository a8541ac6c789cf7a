//! The text form of a module, which [`parse`](super::parse) reads back.
//!
//! One instruction a line, regions in braces, and nothing left out but the numbering of the
//! arenas and what they hold that is not used:
//!
//! ```text
//! kernel scale over Index<1>
//! file "src/main.rs"
//! site #0: OutOfBounds !0:5:9
//!
//! fn scale#0(at%0: Index<1>, x%1: &mut ArrayViewMut<f32, 1>) !0:4:4 {
//!     slot sums$0: [f32; 64]
//!     %2: usize = extract 0 %0
//!     %3: bool = in_bounds view 1 %1, %2
//!     note_fault #0 %3, %2, %2 !0:5:9
//!     %4: f32 = load %1[%2] if %3
//!     '0: loop %4 as %5: f32 {
//!         %6: bool = lt %5, %4
//!         if %6 {
//!             yield
//!         } else {
//!             break '0
//!         }
//!         yield %5
//!     }
//!     return
//! }
//! ```
//!
//! `%` are values, `$` slots, `@` variables of the tile, `'` labels, `#` everything else that
//! has a number; a name before one of these is for people. `!` is file, line and column.

use std::fmt::{self, Display, Formatter, Write};

use super::names::{Names, op_name};
use super::{
    Access, Base, Bound, End, Function, Inst, Module, Op, Param, Proof, RegionId, Site, Step, Ty,
};
use crate::artifact::FaultKind;
use crate::proof::Proofs;
use crate::tree::text::{
    Named, factors_text, len_text, literal_text, prefix, type_text, write_head,
};
use crate::tree::{Location, Span, Type};

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (domain, options, index) = (&self.domain, &self.options, self.index);
        let (structs, consts) = (&self.structs, &self.consts);
        write_head(f, &self.name, domain, options, index, structs, consts)?;
        for file in &self.files {
            writeln!(f, "file {file:?}")?;
        }
        for (id, item) in self.tile_statics.iter().enumerate() {
            let (name, ty) = (Named(&item.name), self.type_text(&item.ty));
            writeln!(f, "tile_static {name}@{id}: {ty}{}", self.span(item.span))?;
        }
        for (id, Site { kind, lane, span }) in self.sites.iter().enumerate() {
            let kind = match kind {
                FaultKind::Message(message) => format!("Message {message}"),
                kind => format!("{kind:?}"),
            };
            let lane = match lane {
                0 => String::new(),
                lane => format!(" lane {lane}"),
            };
            writeln!(f, "site #{id}: {kind}{lane}{}", self.span(*span))?;
        }
        for (id, item) in self.messages.iter().enumerate() {
            writeln!(f, "message #{id}: {:?} {:?}", item.kind, item.format)?;
        }
        if self.proofs != Proofs::default() {
            let hex = |bytes: &[u8]| -> String {
                bytes.iter().map(|byte| format!("{byte:02x}")).collect()
            };
            let Proofs { nodes, checks } = &self.proofs;
            writeln!(f, "proofs {:?} {:?}", hex(nodes), hex(checks))?;
        }
        if self.lanes > 1 {
            writeln!(f, "lanes {}", self.lanes)?;
        }
        if !self.merged.is_empty() {
            writeln!(f, "merged {}", factors_text(&self.merged))?;
        }
        for (id, function) in self.functions.iter().enumerate() {
            f.write_char('\n')?;
            f.write_str(&self.function_text(id, function))?;
        }
        Ok(())
    }
}

impl Module {
    /// A type as the text form writes it.
    pub fn type_text(&self, ty: &Type) -> String {
        type_text(&self.structs, ty)
    }

    /// The text of the function of this number.
    pub fn function_text(&self, id: usize, function: &Function) -> String {
        let mut writer = Writer {
            module: self,
            function,
            names: Names::of(function),
            depth: 1,
            out: String::new(),
        };
        writer.function(id);
        writer.out
    }

    /// A place in the source, with a space before it; nothing for a place that is not known.
    fn span(&self, span: Span) -> String {
        match self.locations.get(span.0 as usize) {
            None | Some(Location { line: 0, .. }) => String::new(),
            Some(Location { file, line, column }) => format!(" !{file}:{line}:{column}"),
        }
    }
}

/// One function on its way to text.
struct Writer<'m> {
    module: &'m Module,
    function: &'m Function,
    names: Names,
    depth: usize,
    out: String,
}

impl Writer<'_> {
    fn ty(&self, ty: Ty) -> String {
        self.module.type_text(&self.module.types[ty])
    }

    /// Values with their types, where they are defined.
    fn definitions(&self, values: &[super::Value]) -> String {
        let define = |value: &super::Value| {
            let ty = self.ty(self.function.ty(*value));
            format!("{}: {ty}", self.names.value(*value))
        };
        let texts: Vec<String> = values.iter().map(define).collect();
        texts.join(", ")
    }

    fn function(&mut self, id: usize) {
        let (module, function) = (self.module, self.function);
        let params: Vec<String> = function
            .params
            .iter()
            .enumerate()
            .map(|(position, param)| {
                let name = function.names.get(position).map_or("", String::as_str);
                let param = match param {
                    Param::Value(value) => self.definitions(&[*value]),
                    Param::Slot(slot) => format!("${}", slot.0),
                };
                format!("{}{param}", Named(name))
            })
            .collect();
        let name = Named(&function.name);
        self.out += &format!("fn {name}#{id}({})", params.join(", "));
        if module.types[function.result] != Type::Unit {
            self.out += &format!(" -> {}", self.ty(function.result));
        }
        if let Some(slot) = function.result_slot {
            self.out += &format!(" in ${}", slot.0);
        }
        if function.fast_math {
            self.out += " fast_math";
        }
        self.out += &module.span(function.span);
        self.out += " {\n";
        for (id, slot) in function.slots.iter().enumerate() {
            let text = format!("slot {}${id}: {}", Named(&slot.name), self.ty(slot.ty));
            self.line(&text);
        }
        self.region(function.body);
        self.out += "}\n";
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out += "    ";
        }
        self.out += text;
        self.out.push('\n');
    }

    fn region(&mut self, region: RegionId) {
        let function = self.function;
        let region = function.region(region);
        for &id in &region.insts {
            self.inst(id, function.inst(id));
        }
        let end = match &region.end {
            End::Yield(_) => "yield".to_owned(),
            End::Break(target, _) => format!("break {}", self.target(*target)),
            End::Continue(target, _) => format!("continue {}", self.target(*target)),
            End::Return(_) => "return".to_owned(),
            End::Unreachable => "unreachable".to_owned(),
        };
        let values = self.names.values(region.end.values());
        self.line(&spaced(&end, &values));
    }

    fn target(&self, target: super::InstId) -> String {
        let label = self.names.label(target);
        label.unwrap_or_else(|| "'undefined".to_owned())
    }

    fn inst(&mut self, id: super::InstId, inst: &Inst) {
        let mut text = String::new();
        if !inst.results.is_empty() {
            text += &format!("{} = ", self.definitions(&inst.results));
        }
        if let Some(label) = self.names.label(id) {
            text += &format!("{label}: ");
        }
        if inst.unroll {
            text += "unroll ";
        }
        text += &op_name(&inst.op);
        for part in [self.attributes(&inst.op), self.operands(inst)] {
            text = spaced(&text, &part);
        }
        if !inst.slots.is_empty() {
            let slots: Vec<String> = inst.slots.iter().map(|slot| self.slot(*slot)).collect();
            text += &format!(" with {}", slots.join(", "));
        }
        if let Some(guard) = inst.guard {
            text += &format!(" if {}", self.names.value(guard));
        }
        let span = self.module.span(inst.span);
        let Some((first, others)) = inst.regions.split_first() else {
            self.line(&(text + &span));
            return;
        };
        self.line(&format!("{text}{span}{} {{", self.taken(*first)));
        self.inside(*first);
        for &other in others {
            let head = format!("}} else{} {{", self.taken(other));
            self.line(&head);
            self.inside(other);
        }
        self.line("}");
    }

    fn inside(&mut self, region: RegionId) {
        self.depth += 1;
        self.region(region);
        self.depth -= 1;
    }

    /// The parameters of a region.
    fn taken(&self, region: RegionId) -> String {
        let params = &self.function.region(region).params;
        match params.is_empty() {
            true => String::new(),
            false => format!(" as {}", self.definitions(params)),
        }
    }

    /// What an operation is besides its operands.
    fn attributes(&self, op: &Op) -> String {
        match op {
            Op::Literal(literal) => {
                literal_text(*literal).unwrap_or_else(|| format!("bits {:#x}", literal.bits()))
            }
            Op::Const(id) => {
                let item = self.module.consts.get(id.0 as usize);
                format!("{}#{}", item.map_or("", |item| prefix(&item.name)), id.0)
            }
            Op::Extract(number)
            | Op::Insert(number)
            | Op::ViewExtent(number)
            | Op::Proven(number) => number.to_string(),
            Op::Math(op) => format!("{op:?}"),
            Op::Hide(hidden) => format!("{hidden:?}"),
            Op::InBounds(bound, proof) => {
                let bound = match bound {
                    Bound::View(rank) => format!("view {rank}"),
                    Bound::Len(len) => format!("len {}", len_text(*len)),
                    Bound::Section(rank) => format!("section {rank}"),
                    Bound::Row => "row".to_owned(),
                    Bound::Shape(rank) => format!("shape {rank}"),
                    Bound::Elements(parts) => format!("elements {parts}"),
                };
                match proof {
                    Proof::None => bound,
                    Proof::Unproven(why) => format!("{bound} unproven {why:?}"),
                    Proof::Range => format!("{bound} range"),
                    Proof::InRange => format!("{bound} in_range"),
                    Proof::Always => format!("{bound} always"),
                    Proof::Launch(group) => format!("{bound} launch {group}"),
                }
            }
            Op::Atomic(op, _) => format!("{op:?}"),
            Op::NoteFault(site) | Op::NoteCut(site) => format!("#{}", site.0),
            Op::Fault(sites) => {
                let sites: Vec<String> = sites.iter().map(|it| format!("#{}", it.0)).collect();
                sites.join(" ")
            }
            Op::Message(message, site) => format!("#{} at #{}", message.0, site.0),
            Op::Barrier(fence, ordered) if *ordered == fence.orders() => format!("{fence:?}"),
            Op::Barrier(fence, ordered) => {
                let parts = [(ordered.views, " views"), (ordered.tile, " tile")];
                let parts = parts.iter().filter(|(is_ordered, _)| *is_ordered);
                let parts: String = parts.map(|(_, part)| *part).collect();
                let parts = if parts.is_empty() { " nothing" } else { &parts };
                format!("{fence:?} orders{parts}")
            }
            Op::Fence(fence) => format!("{fence:?}"),
            Op::Subgroup(op) => format!("{op:?}"),
            Op::Call(callee) => {
                let callee_fn = self.module.functions.get(callee.0 as usize);
                let name = callee_fn.map_or("", |callee| prefix(&callee.name));
                format!("{name}#{}", callee.0)
            }
            _ => String::new(),
        }
    }

    fn operands(&self, inst: &Inst) -> String {
        let (places, mut rest) = (inst.op.accesses(), inst.args.as_slice());
        let mut texts = Vec::new();
        for place in places {
            let (own, others) = rest.split_at(place.operands().min(rest.len()));
            texts.push(self.place(place, own));
            rest = others;
        }
        texts.extend(rest.iter().map(|value| self.names.value(*value)));
        texts.join(", ")
    }

    fn slot(&self, slot: super::SlotId) -> String {
        let known = self.function.slots.get(slot.0 as usize);
        format!("{}${}", known.map_or("", |it| prefix(&it.name)), slot.0)
    }

    fn place(&self, place: &Access, operands: &[super::Value]) -> String {
        let mut operands = operands.iter().map(|value| self.names.value(*value));
        // A broken module has too few.
        let mut next = || operands.next().unwrap_or_else(|| "%missing".to_owned());
        let mut text = match place.base {
            Base::Slot(slot) => self.slot(slot),
            Base::TileStatic(id) => {
                let item = self.module.tile_statics.get(id.0 as usize);
                format!("{}@{}", item.map_or("", |item| prefix(&item.name)), id.0)
            }
            Base::Position => format!("{}[at {}]", next(), next()),
            Base::Element(rank) => {
                let view = next();
                let index: Vec<String> = (0..rank).map(|_| next()).collect();
                format!("{view}[{}]", index.join(", "))
            }
        };
        for step in &place.path {
            text += &match step {
                Step::Field(field) => format!(".{field}"),
                Step::Index => format!("[{}]", next()),
            };
        }
        if place.is_private {
            text += " private";
        }
        text
    }
}

fn spaced(head: &str, tail: &str) -> String {
    match tail {
        "" => head.to_owned(),
        tail => format!("{head} {tail}"),
    }
}

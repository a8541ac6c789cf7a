//! Functions, instructions and regions.

use super::Parser;
use crate::mir::names::operator;
use crate::mir::{
    Access, Base, Bound, Def, End, Function, Hidden, Inst, InstId, MessageId, Op, Param, Proof,
    RegionId, SiteId, SlotId, Step, Value,
};
use crate::remark::Unproven;
use crate::tree::text::read::{
    ATOMICS, BINARY, FENCES, MATH, ParseError, Result, SUBGROUP, Token, UNARY, hex_bits,
    literal_bits, named,
};
use crate::tree::{
    BinaryOp, ConstId, FunctionId, Literal, MemoryFence, SharedMemory, TileStaticId, Type, UnaryOp,
};
use rustc_hash::FxHashMap as HashMap;

/// The function that is being read.
struct Reader<'p> {
    parser: &'p mut Parser,
    function: Function,
    /// Values by their number in text, and the line of the first use of those not yet defined.
    values: HashMap<u32, (Value, Option<u32>)>,
    labels: HashMap<u32, InstId>,
}

/// The definition of a value that has been used, but not defined yet.
const PENDING: Def = Def::Param(u32::MAX);

impl Parser {
    pub fn function(&mut self) -> Result<()> {
        let name = self.tokens.name();
        self.tokens.item('#', self.module.functions.len())?;
        let unit = self.module.types.intern(&Type::Unit);
        let mut function = Function {
            name,
            params: Vec::new(),
            names: Vec::new(),
            result: unit,
            result_slot: None,
            slots: Vec::new(),
            values: Vec::new(),
            insts: Vec::new(),
            regions: Vec::new(),
            body: RegionId(0),
            fast_math: false,
            span: crate::tree::Span(0),
        };
        function.body = function.new_region();
        let mut reader = Reader {
            parser: self,
            function,
            values: HashMap::default(),
            labels: HashMap::default(),
        };
        reader.head()?;
        let body = reader.function.body;
        reader.region(body)?;
        let pending = reader.values.iter().filter_map(|(number, (_, first))| {
            let line = (*first)?;
            let message = format!("%{number} is not defined");
            Some(ParseError { line, message })
        });
        if let Some(error) = pending.min_by_key(|error| error.line) {
            return Err(error);
        }
        let function = reader.function;
        self.module.functions.push(function);
        Ok(())
    }
}

impl Reader<'_> {
    fn head(&mut self) -> Result<()> {
        self.parser.tokens.sign('(')?;
        while !self.parser.tokens.takes_sign(')') {
            let position = self.function.params.len() as u32;
            let name = self.parser.tokens.name();
            self.function.names.push(name);
            let param = match self.parser.tokens.takes_id('$') {
                Some(slot) => Param::Slot(SlotId(slot)),
                None => Param::Value(self.definition(Def::Param(position))?),
            };
            self.function.params.push(param);
            if !self.parser.tokens.takes_sign(',') {
                self.parser.tokens.sign(')')?;
                break;
            }
        }
        if self.parser.tokens.takes_sign('-') {
            self.parser.tokens.sign('>')?;
            let ty = self.parser.tokens.ty()?;
            self.function.result = self.parser.module.types.intern(&ty);
        }
        if self.parser.tokens.takes_word("in") {
            self.function.result_slot = Some(SlotId(self.parser.tokens.id('$')?));
        }
        self.function.fast_math = self.parser.tokens.takes_word("fast_math");
        self.function.span = self.parser.span()?;
        self.parser.tokens.sign('{')?;
        while self.parser.tokens.takes_word("slot") {
            let name = self.parser.tokens.name();
            self.parser.tokens.item('$', self.function.slots.len())?;
            self.parser.tokens.sign(':')?;
            let ty = self.parser.tokens.ty()?;
            let ty = self.parser.module.types.intern(&ty);
            self.function.new_slot(&name, ty);
        }
        Ok(())
    }

    /// `%1: type`
    fn definition(&mut self, def: Def) -> Result<Value> {
        let number = self.parser.tokens.id('%')?;
        self.parser.tokens.sign(':')?;
        let ty = self.parser.tokens.ty()?;
        let ty = self.parser.module.types.intern(&ty);
        match self.values.get_mut(&number) {
            Some((value, pending @ Some(_))) => {
                let info = &mut self.function.values[value.0 as usize];
                (info.ty, info.def) = (ty, def);
                *pending = None;
                Ok(*value)
            }
            Some(_) => {
                let message = format!("%{number} is defined twice");
                self.parser.tokens.error(message)
            }
            None => {
                let value = self.function.new_value(ty, def);
                self.values.insert(number, (value, None));
                Ok(value)
            }
        }
    }

    /// `%1: type, ..`
    fn definitions(&mut self, def: impl Fn(u32) -> Def) -> Result<Vec<Value>> {
        let mut values = vec![self.definition(def(0))?];
        while self.parser.tokens.takes_sign(',') {
            let position = values.len() as u32;
            values.push(self.definition(def(position))?);
        }
        Ok(values)
    }

    fn value(&mut self) -> Result<Value> {
        let line = self.parser.tokens.line();
        let number = self.parser.tokens.id('%')?;
        let (function, types) = (&mut self.function, &mut self.parser.module.types);
        let (value, _) = self.values.entry(number).or_insert_with(|| {
            let value = function.new_value(types.intern(&Type::Unit), PENDING);
            (value, Some(line))
        });
        Ok(*value)
    }

    /// Values up to the end of the line or to another word.
    fn values(&mut self) -> Result<Vec<Value>> {
        let mut values = Vec::new();
        if self.next_is_value() {
            values.push(self.value()?);
            while self.parser.tokens.takes_sign(',') {
                values.push(self.value()?);
            }
        }
        Ok(values)
    }

    fn next_is_value(&self) -> bool {
        let tokens = &self.parser.tokens;
        tokens.in_line() && matches!(tokens.peek(), Some(Token::Id('%', _)))
    }

    /// The instructions and the end of a region, with the brace after it.
    fn region(&mut self, region: RegionId) -> Result<()> {
        loop {
            let tokens = &mut self.parser.tokens;
            let end = if tokens.takes_word("yield") {
                End::Yield(self.values()?)
            } else if tokens.takes_word("break") {
                End::Break(self.target()?, self.values()?)
            } else if tokens.takes_word("continue") {
                End::Continue(self.target()?, self.values()?)
            } else if tokens.takes_word("return") {
                let value = self.next_is_value().then(|| self.value());
                End::Return(value.transpose()?)
            } else if tokens.takes_word("unreachable") {
                End::Unreachable
            } else {
                let id = self.inst()?;
                self.function.regions[region.0 as usize].insts.push(id);
                continue;
            };
            self.function.regions[region.0 as usize].end = end;
            return self.parser.tokens.sign('}');
        }
    }

    fn target(&mut self) -> Result<InstId> {
        let label = self.parser.tokens.id('\'')?;
        match self.labels.get(&label) {
            Some(target) => Ok(*target),
            None => {
                let message = format!("there is no label '{label} before this");
                self.parser.tokens.error(message)
            }
        }
    }

    fn inst(&mut self) -> Result<InstId> {
        let id = InstId(self.function.insts.len() as u32);
        let results = match self.parser.tokens.peek() {
            Some(Token::Id('%', _)) => {
                let results = self.definitions(|position| Def::Inst(id, position))?;
                self.parser.tokens.sign('=')?;
                results
            }
            _ => Vec::new(),
        };
        if let Some(label) = self.parser.tokens.takes_id('\'') {
            self.parser.tokens.sign(':')?;
            if self.labels.insert(label, id).is_some() {
                let message = format!("there are two labels '{label}");
                return self.parser.tokens.error(message);
            }
        }
        let unroll = self.parser.tokens.takes_word("unroll");
        let name = self.parser.tokens.word()?;
        let (op, mut args) = self.op(&name, &results)?;
        args.extend(self.values()?);
        let mut slots = Vec::new();
        if self.parser.tokens.in_line() && self.parser.tokens.takes_word("with") {
            slots.push(self.slot()?);
            while self.parser.tokens.takes_sign(',') {
                slots.push(self.slot()?);
            }
        }
        let guarded = self.parser.tokens.in_line() && self.parser.tokens.takes_word("if");
        let guard = guarded.then(|| self.value()).transpose()?;
        let span = self.parser.span()?;
        self.function.insts.push(Inst {
            op,
            args,
            slots,
            guard,
            unroll,
            regions: Vec::new(),
            results,
            span,
        });
        let opens = |it: &Self| {
            let tokens = &it.parser.tokens;
            let next = tokens.peek();
            let is_word = |word| matches!(next, Some(Token::Word(it)) if it == word);
            tokens.in_line() && (is_word("as") || next == Some(&Token::Sign('{')))
        };
        let mut more = opens(self);
        while more {
            let region = self.function.new_region();
            self.function.insts[id.0 as usize].regions.push(region);
            if self.parser.tokens.takes_word("as") {
                let params = self.definitions(|position| Def::Region(region, position))?;
                self.function.regions[region.0 as usize].params = params;
            }
            self.parser.tokens.sign('{')?;
            self.region(region)?;
            more = self.parser.tokens.in_line() && self.parser.tokens.takes_word("else");
        }
        Ok(id)
    }

    fn slot(&mut self) -> Result<SlotId> {
        let _ = self.parser.tokens.name();
        Ok(SlotId(self.parser.tokens.id('$')?))
    }

    /// An operation with its attributes, and the operands of its accesses.
    fn op(&mut self, name: &str, results: &[Value]) -> Result<(Op, Vec<Value>)> {
        let tokens = &mut self.parser.tokens;
        let mut args = Vec::new();
        let op = match name {
            "literal" => Op::Literal(self.literal(results)?),
            "const" => {
                let _ = tokens.name();
                Op::Const(ConstId(tokens.id('#')?))
            }
            "zero" => Op::Zero,
            "construct" => Op::Construct,
            "extract" => Op::Extract(tokens.number()?),
            "insert" => Op::Insert(tokens.number()?),
            "cast" => Op::Cast,
            "math" => Op::Math(self.named(MATH)?),
            "hide" => Op::Hide(self.named(&Hidden::ALL)?),
            "extent" => Op::ViewExtent(tokens.number()?),
            "position" => Op::Position,
            "proven" => Op::Proven(tokens.number()?),
            "in_bounds" => self.in_bounds()?,
            "section" => Op::Section,
            "row" => Op::Row,
            "shape" => Op::Shape,
            "elements" => Op::Elements,
            "load" => Op::Load(self.access(&mut args)?),
            "load_run" => Op::LoadRun(self.access(&mut args)?),
            "store" | "store_run" => {
                let access = self.access(&mut args)?;
                self.parser.tokens.sign(',')?;
                match name {
                    "store" => Op::Store(access),
                    _ => Op::StoreRun(access),
                }
            }
            "copy" => {
                let to = self.access(&mut args)?;
                self.parser.tokens.sign(',')?;
                Op::Copy(to, self.access(&mut args)?)
            }
            "clear" => Op::Clear(self.access(&mut args)?),
            "atomic" => {
                let op = self.named(ATOMICS)?;
                let access = self.access(&mut args)?;
                self.parser.tokens.takes_sign(',');
                Op::Atomic(op, access)
            }
            "note_fault" => Op::NoteFault(SiteId(tokens.id('#')?)),
            "fault" => {
                let mut sites = vec![SiteId(tokens.id('#')?)];
                while let Some(site) = tokens.takes_id('#') {
                    sites.push(SiteId(site));
                }
                Op::Fault(sites)
            }
            "note_cut" => Op::NoteCut(SiteId(tokens.id('#')?)),
            "unchecked" => Op::Unchecked,
            "message" => {
                let message = MessageId(tokens.id('#')?);
                self.parser.tokens.keyword("at")?;
                Op::Message(message, SiteId(self.parser.tokens.id('#')?))
            }
            "barrier" => self.barrier()?,
            "fence" => Op::Fence(self.named(FENCES)?),
            "device_fence" => Op::DeviceFence,
            "subgroup" => Op::Subgroup(self.named(SUBGROUP)?),
            "call" => {
                let _ = tokens.name();
                Op::Call(FunctionId(tokens.id('#')?))
            }
            "if" => Op::If,
            "block" => Op::Block,
            "loop" => Op::Loop,
            "while" => Op::While,
            "for" => Op::For,
            "for_inclusive" => Op::ForInclusive,
            _ => return Ok((self.operator(name)?, args)),
        };
        Ok((op, args))
    }

    fn operator(&mut self, name: &str) -> Result<Op> {
        let unary = UNARY.iter().find(|op: &&UnaryOp| operator(op) == name);
        let binary = BINARY.iter().find(|op: &&BinaryOp| operator(op) == name);
        match (unary, binary) {
            (Some(op), _) => Ok(Op::Unary(*op)),
            (_, Some(op)) => Ok(Op::Binary(*op)),
            _ => self
                .parser
                .tokens
                .error(format!("`{name}` is no operation")),
        }
    }

    fn named<T: Copy + std::fmt::Debug>(&mut self, table: &[T]) -> Result<T> {
        let name = self.parser.tokens.word()?;
        match named(table, &name) {
            Some(found) => Ok(found),
            None => self.parser.tokens.error(format!("`{name}` does not exist")),
        }
    }

    fn barrier(&mut self) -> Result<Op> {
        let fence: MemoryFence = self.named(FENCES)?;
        let tokens = &mut self.parser.tokens;
        if !tokens.takes_word("orders") {
            return Ok(Op::Barrier(fence, fence.orders()));
        }
        let ordered = SharedMemory {
            views: tokens.takes_word("views"),
            tile: tokens.takes_word("tile"),
        };
        if !ordered.views && !ordered.tile {
            self.parser.tokens.keyword("nothing")?;
        }
        Ok(Op::Barrier(fence, ordered))
    }

    fn in_bounds(&mut self) -> Result<Op> {
        let tokens = &mut self.parser.tokens;
        let bound = match tokens.word()?.as_str() {
            "view" => Bound::View(tokens.number()?),
            "len" => Bound::Len(self.parser.tokens.len()?),
            "section" => Bound::Section(tokens.number()?),
            "row" => Bound::Row,
            "shape" => Bound::Shape(tokens.number()?),
            "elements" => Bound::Elements(tokens.number()?),
            other => return self.parser.tokens.error(format!("`{other}` is no bound")),
        };
        let tokens = &mut self.parser.tokens;
        let proof = if tokens.takes_word("always") {
            Proof::Always
        } else if tokens.takes_word("range") {
            Proof::Range
        } else if tokens.takes_word("in_range") {
            Proof::InRange
        } else if tokens.takes_word("launch") {
            Proof::Launch(tokens.number()?)
        } else if tokens.takes_word("unproven") {
            Proof::Unproven(self.named(&Unproven::ALL)?)
        } else {
            Proof::None
        };
        Ok(Op::InBounds(bound, proof))
    }

    /// A place; its operands are added to `args`.
    fn access(&mut self, args: &mut Vec<Value>) -> Result<Access> {
        let _ = self.parser.tokens.name();
        let tokens = &mut self.parser.tokens;
        let base = if let Some(slot) = tokens.takes_id('$') {
            Base::Slot(SlotId(slot))
        } else if let Some(id) = tokens.takes_id('@') {
            Base::TileStatic(TileStaticId(id))
        } else {
            args.push(self.value()?);
            self.parser.tokens.sign('[')?;
            let (before, is_position) = (args.len(), self.parser.tokens.takes_word("at"));
            args.push(self.value()?);
            while !is_position && self.parser.tokens.takes_sign(',') {
                args.push(self.value()?);
            }
            self.parser.tokens.sign(']')?;
            match is_position {
                true => Base::Position,
                false => Base::Element((args.len() - before) as u32),
            }
        };
        let mut path = Vec::new();
        loop {
            if let Some(field) = self.parser.tokens.takes_field() {
                path.push(Step::Field(field));
            } else if self.parser.tokens.takes_sign('[') {
                args.push(self.value()?);
                self.parser.tokens.sign(']')?;
                path.push(Step::Index);
            } else {
                return Ok(Access {
                    base,
                    path,
                    is_private: self.parser.tokens.takes_word("private"),
                });
            }
        }
    }

    /// A literal of the type of the one result.
    fn literal(&mut self, results: &[Value]) -> Result<Literal> {
        let scalar = match results {
            [result] => self.parser.module.types[self.function.ty(*result)].scalar(),
            _ => None,
        };
        let Some(scalar) = scalar else {
            return self
                .parser
                .tokens
                .error("a literal has one scalar as its result");
        };
        let tokens = &mut self.parser.tokens;
        if tokens.takes_word("true") {
            return Ok(Literal::new(scalar, 1));
        }
        if tokens.takes_word("false") {
            return Ok(Literal::new(scalar, 0));
        }
        let is_bits = tokens.takes_word("bits");
        let text = tokens.number_text()?;
        let bits = match is_bits {
            true => hex_bits(&text),
            false => literal_bits(scalar, &text),
        };
        match bits {
            Some(bits) => Ok(Literal::new(scalar, bits)),
            None => self
                .parser
                .tokens
                .error(format!("`{text}` is no {}", scalar.name())),
        }
    }
}

//! The [graph](crate::proof) of a value over what the host knows: its definitions, and the
//! conditions around the current point.
//!
//! Leaves out what is computed from data.

mod loops;

use crate::mir::{Def, End, Function, Inst, Module, Op, Value};
use crate::proof::{Int, Node, Operation};
use crate::remark::Unproven;
use crate::tree::{BinaryOp, Domain, MathOp, Scalar, TiledField, Type, UnaryOp};
use rustc_hash::FxHashMap as HashMap;

/// Definitions that are followed for one value.
const BUDGET: u32 = 200;

/// What is known of a value in a region.
#[derive(Clone, Copy)]
pub(super) enum Fact {
    Below(Value),
    AtMost(Value),
    AtLeast(Value),
    Above(Value),
}

/// The graphs of a function's values.
pub(super) struct Graph<'m> {
    pub(super) module: &'m Module,
    pub(super) function: &'m Function,
    /// Each after those that it is computed from.
    pub(super) nodes: Vec<Node>,
    numbers: HashMap<Node, u32>,
    /// What conditions around the current point say.
    pub(super) facts: Vec<(Value, Fact)>,
    /// Nodes of what loops carry.
    carried: HashMap<Value, u32>,
    /// Definitions that may still be followed.
    budget: u32,
}

impl<'m> Graph<'m> {
    pub(super) fn of(module: &'m Module, function: &'m Function) -> Self {
        Self {
            module,
            function,
            nodes: Vec::new(),
            numbers: HashMap::default(),
            facts: Vec::new(),
            carried: HashMap::default(),
            budget: 0,
        }
    }

    /// Adds what a condition says where it holds, or where it does not.
    pub(super) fn assume(&mut self, condition: Value, holds: bool) {
        let Some(inst) = self.function.def_inst(condition) else {
            return;
        };
        match (&inst.op, holds) {
            (Op::Unary(UnaryOp::Not), _) => self.assume(inst.args[0], !holds),
            (Op::Binary(BinaryOp::BitAnd), true) | (Op::Binary(BinaryOp::BitOr), false) => {
                self.assume(inst.args[0], holds);
                self.assume(inst.args[1], holds);
            }
            (Op::Binary(op), _) => {
                let (a, b) = (inst.args[0], inst.args[1]);
                let op = match (op, holds) {
                    (op, true) => *op,
                    (BinaryOp::Lt, false) => BinaryOp::Ge,
                    (BinaryOp::Le, false) => BinaryOp::Gt,
                    (BinaryOp::Gt, false) => BinaryOp::Le,
                    (BinaryOp::Ge, false) => BinaryOp::Lt,
                    (BinaryOp::Ne, false) => BinaryOp::Eq,
                    (BinaryOp::Eq, false) => BinaryOp::Ne,
                    _ => return,
                };
                let is_zero = |it| self.is_literal(it, 0) && self.is_unsigned(it);
                let facts = match op {
                    BinaryOp::Ne if is_zero(b) => [(a, Fact::Above(b)), (b, Fact::Below(a))],
                    BinaryOp::Ne if is_zero(a) => [(b, Fact::Above(a)), (a, Fact::Below(b))],
                    BinaryOp::Lt => [(a, Fact::Below(b)), (b, Fact::Above(a))],
                    BinaryOp::Le => [(a, Fact::AtMost(b)), (b, Fact::AtLeast(a))],
                    BinaryOp::Gt => [(a, Fact::Above(b)), (b, Fact::Below(a))],
                    BinaryOp::Ge => [(a, Fact::AtLeast(b)), (b, Fact::AtMost(a))],
                    BinaryOp::Eq => [(a, Fact::AtMost(b)), (a, Fact::AtLeast(b))],
                    _ => return,
                };
                let is_integer = self.int(a).is_some();
                self.facts.extend(facts.into_iter().filter(|_| is_integer));
            }
            // `a && b` and `a || b` with a right side that is not always computed.
            (Op::If, _) => {
                let Def::Inst(_, position) = self.function.def(condition) else {
                    return;
                };
                let ways = [0, 1].map(|way| self.yielded(inst, way, position));
                match (ways, holds) {
                    ([Some(more), Some(decided)], true) if self.is_literal(decided, 0) => {
                        self.assume(inst.args[0], true);
                        self.assume(more, true);
                    }
                    ([Some(decided), Some(more)], false) if self.is_literal(decided, 1) => {
                        self.assume(inst.args[0], false);
                        self.assume(more, false);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// The value of a way of an `if` for one of its results.
    fn yielded(&self, inst: &Inst, way: usize, position: u32) -> Option<Value> {
        match &self.function.region(*inst.regions.get(way)?).end {
            End::Yield(values) => values.get(position as usize).copied(),
            _ => None,
        }
    }

    fn is_literal(&self, value: Value, bits: u64) -> bool {
        let inst = self.function.def_inst(value);
        matches!(inst.map(|it| &it.op), Some(Op::Literal(literal)) if literal.bits() == bits)
    }

    fn is_unsigned(&self, value: Value) -> bool {
        self.int(value).is_some_and(|int| !int.signed)
    }

    /// The graph of a value, as it is at the current point.
    pub(super) fn value(&mut self, value: Value) -> u32 {
        self.budget = BUDGET;
        self.follow(value)
    }

    fn follow(&mut self, value: Value) -> u32 {
        let Some(int) = self.int(value) else {
            return self.node(Node::Any(Int::U32, Unproven::Unbounded));
        };
        if self.budget == 0 {
            return self.node(Node::Any(int, Unproven::Long));
        }
        self.budget -= 1;
        let mut node = self.defined(value, int);
        for at in 0..self.facts.len() {
            let (of, fact) = self.facts[at];
            if of != value {
                continue;
            }
            let (limit, adds_one) = match fact {
                Fact::Below(limit) | Fact::AtLeast(limit) => (limit, false),
                Fact::AtMost(limit) | Fact::Above(limit) => (limit, true),
            };
            // Without this fact, which would lead back here.
            let facts = std::mem::take(&mut self.facts);
            let mut limit = self.follow(limit);
            self.facts = facts;
            if adds_one {
                let one = self.node(Node::Constant(1));
                limit = self.node(Node::Binary(Operation::Add, limit, one, int));
            }
            node = self.node(match fact {
                Fact::Below(_) | Fact::AtMost(_) => Node::Below(node, limit),
                Fact::AtLeast(_) | Fact::Above(_) => Node::AtLeast(node, limit),
            });
        }
        node
    }

    /// The graph of a value by its definition.
    fn defined(&mut self, value: Value, int: Int) -> u32 {
        let node = match self.function.def(value) {
            Def::Param(position) => match position.checked_sub(1) {
                Some(param) => Node::Argument(param, 0, int),
                None => Node::Any(int, Unproven::Unbounded),
            },
            Def::Region(region, position) => return self.carried(region, position, int),
            Def::Inst(id, position) => {
                let inst = self.function.inst(id);
                return self.computed(inst, position, int);
            }
        };
        self.node(node)
    }

    fn computed(&mut self, inst: &Inst, position: u32, int: Int) -> u32 {
        let any = Node::Any(int, self.why(inst));
        let node = match &inst.op {
            Op::Literal(literal) => match literal.integer().and_then(|it| i64::try_from(it).ok()) {
                Some(value) => Node::Constant(value),
                None => any,
            },
            Op::Zero => Node::Constant(0),
            Op::Const(id) => return self.constant(id.0),
            Op::Extract(field) => return self.part(inst.args[0], &[*field], int),
            Op::ViewExtent(dimension) => {
                // Of a section only where there is one, which nothing here ensures.
                match self.function.def(inst.args[0]) {
                    Def::Param(param) => match param.checked_sub(1) {
                        Some(param) => Node::Extent(param, *dimension),
                        None => any,
                    },
                    _ => any,
                }
            }
            Op::Cast => match self.int(inst.args[0]) {
                Some(_) => {
                    let from = self.follow(inst.args[0]);
                    Node::Cast(from, int)
                }
                None => any,
            },
            Op::Binary(op) => match operation(*op) {
                Some(operation) => return self.binary(operation, inst, int),
                None => any,
            },
            Op::Math(MathOp::Min) => return self.binary(Operation::Min, inst, int),
            Op::Math(MathOp::Max) => return self.binary(Operation::Max, inst, int),
            Op::Math(MathOp::Clamp) => {
                let [value, low, high] =
                    [0, 1, 2].map(|at| inst.args[at]).map(|it| self.follow(it));
                let raised = self.node(Node::Binary(Operation::Max, value, low, int));
                Node::Binary(Operation::Min, raised, high, int)
            }
            Op::Math(MathOp::Select) => {
                let condition = self.condition(inst.args[0]);
                let [a, b] = [1, 2].map(|at| inst.args[at]).map(|it| self.follow(it));
                Node::Choice(condition, a, b)
            }
            Op::If => match [0, 1].map(|way| self.yielded(inst, way, position)) {
                [Some(a), Some(b)] => {
                    let condition = self.condition(inst.args[0]);
                    let (a, b) = (self.follow(a), self.follow(b));
                    Node::Choice(condition, a, b)
                }
                _ => any,
            },
            _ => any,
        };
        // A fault yields zero.
        let node = match (inst.guard, node) {
            (Some(_), Node::Any(..)) | (None, _) => node,
            (Some(_), node) => {
                let unknown = self.node(Node::Any(Int::BOOL, Unproven::Unbounded));
                let (value, zero) = (self.node(node), self.node(Node::Constant(0)));
                Node::Choice(unknown, value, zero)
            }
        };
        self.node(node)
    }

    /// The graph of a comparison of integers; of any other `bool` nothing is known.
    fn condition(&mut self, condition: Value) -> u32 {
        let unknown = Node::Any(Int::BOOL, Unproven::Unbounded);
        let Some(inst) = self.function.def_inst(condition) else {
            return self.node(unknown);
        };
        let (operation, swaps, negates) = match inst.op {
            Op::Binary(BinaryOp::Eq) => (Operation::Equal, false, false),
            Op::Binary(BinaryOp::Ne) => (Operation::Equal, false, true),
            Op::Binary(BinaryOp::Lt) => (Operation::Less, false, false),
            Op::Binary(BinaryOp::Ge) => (Operation::Less, false, true),
            Op::Binary(BinaryOp::Gt) => (Operation::Less, true, false),
            Op::Binary(BinaryOp::Le) => (Operation::Less, true, true),
            _ => return self.node(unknown),
        };
        if self.int(inst.args[0]).is_none() {
            return self.node(unknown);
        }
        let [mut a, mut b] = [0, 1].map(|at| self.follow(inst.args[at]));
        if swaps {
            (a, b) = (b, a);
        }
        let holds = self.node(Node::Binary(operation, a, b, Int::BOOL));
        if !negates {
            return holds;
        }
        let zero = self.node(Node::Constant(0));
        self.node(Node::Binary(Operation::Equal, holds, zero, Int::BOOL))
    }

    fn binary(&mut self, operation: Operation, inst: &Inst, int: Int) -> u32 {
        let (a, b) = (self.follow(inst.args[0]), self.follow(inst.args[1]));
        // A division that faults yields zero, and so does the graph's where it divides by zero.
        let node = self.node(Node::Binary(operation, a, b, int));
        match operation {
            // It does not wrap, which the intervals of both need not show.
            Operation::Sub if !int.signed && self.is_at_least(inst.args[0], inst.args[1]) => {
                self.node(Node::Binary(Operation::Min, node, a, int))
            }
            _ => node,
        }
    }

    /// Whether conditions say that a value is no less than another.
    fn is_at_least(&self, value: Value, least: Value) -> bool {
        self.facts.iter().any(|(of, fact)| {
            *of == value && matches!(fact, Fact::AtLeast(it) | Fact::Above(it) if *it == least)
        })
    }

    /// A part of a value, by the way to it from the inside out.
    fn part(&mut self, whole: Value, path: &[u32], int: Int) -> u32 {
        if let Def::Param(0) = self.function.def(whole) {
            let node = position(&self.module.domain, path);
            return self.node(node.unwrap_or(Node::Any(int, Unproven::Unbounded)));
        }
        let Some(inst) = self.function.def_inst(whole) else {
            let why = match self.function.def(whole) {
                Def::Region(..) => Unproven::Carried,
                _ => Unproven::Unbounded,
            };
            return self.node(Node::Any(int, why));
        };
        let any = self.node(Node::Any(int, self.why(inst)));
        match (&inst.op, path) {
            (Op::Construct, [.., field]) => {
                let Some(&part) = inst.args.get(*field as usize) else {
                    return any;
                };
                match path {
                    [_] => self.follow(part),
                    [inner @ .., _] => self.part(part, inner, int),
                    [] => any,
                }
            }
            (Op::Extract(outer), _) => {
                let path = [path, &[*outer]].concat();
                self.part(inst.args[0], &path, int)
            }
            (Op::Insert(field), [.., wanted]) if field != wanted => {
                self.part(inst.args[0], path, int)
            }
            (Op::Insert(_), [_]) => self.follow(inst.args[1]),
            _ => any,
        }
    }

    /// A user's constant.
    pub(super) fn constant(&mut self, number: u32) -> u32 {
        let scalar = self.module.consts[number as usize].ty;
        let node = match int(scalar) {
            Some(int) => Node::User(number, int),
            None => Node::Any(Int::U32, Unproven::Unbounded),
        };
        self.node(node)
    }

    /// Why no more is known of what an instruction computes than its type.
    fn why(&self, inst: &Inst) -> Unproven {
        match inst.op {
            Op::Load(_) | Op::Atomic(..) => Unproven::Data,
            Op::Cast => Unproven::Float,
            Op::Loop | Op::For | Op::ForInclusive => Unproven::Carried,
            Op::Call(_) => Unproven::Call,
            _ => Unproven::Unbounded,
        }
    }

    /// Whether the greatest value is less than that of the type, as far as the host's launches
    /// can make it so; why not if not.
    pub(super) fn bounded(&self, node: u32) -> Result<(), Unproven> {
        let both = |a: u32, b: u32| self.bounded(a).and_then(|()| self.bounded(b));
        let either = |a: u32, b: u32| self.bounded(a).or_else(|why| self.bounded(b).or(Err(why)));
        match self.nodes[node as usize] {
            Node::Any(int, _) if int.bits < 32 => Ok(()),
            Node::Any(_, why) => Err(why),
            Node::Binary(Operation::Rem, _, b, _) => self.bounded(b),
            Node::Binary(Operation::Sub, a, ..) => self.bounded(a),
            Node::Binary(Operation::Add | Operation::Mul | Operation::Shl, a, b, _)
                if self.grows(a) || self.grows(b) =>
            {
                Err(Unproven::Carried)
            }
            Node::Binary(Operation::And | Operation::Min, a, b, _) => either(a, b),
            Node::Binary(Operation::Div | Operation::Shr, a, ..) | Node::Cast(a, _) => {
                self.bounded(a)
            }
            Node::Binary(Operation::Equal | Operation::Less, ..) => Ok(()),
            Node::Binary(_, a, b, _) | Node::Choice(_, a, b) => both(a, b),
            Node::Counter { start, end, .. } => both(start, end),
            Node::Below(a, limit) => either(a, limit),
            Node::AtLeast(a, _) => self.bounded(a),
            Node::Round(first, ..) => self.bounded(first),
            Node::Carried(_, next) => self.bounded(next),
            _ => Ok(()),
        }
    }

    /// Whether a sum with this value is more in each round of a loop.
    fn grows(&self, node: u32) -> bool {
        match self.nodes[node as usize] {
            Node::Round(..) => true,
            Node::Binary(Operation::Rem | Operation::And | Operation::Min, ..) => false,
            Node::Binary(_, a, b, _) => self.grows(a) || self.grows(b),
            Node::Choice(_, a, b) => self.grows(a) || self.grows(b),
            Node::Cast(a, _) | Node::Below(a, _) | Node::AtLeast(a, _) => self.grows(a),
            _ => false,
        }
    }

    pub(super) fn int(&self, value: Value) -> Option<Int> {
        match &self.module.types[self.function.ty(value)] {
            Type::Scalar(scalar) => int(*scalar),
            _ => None,
        }
    }

    /// The type of indices.
    pub(super) fn index(&self) -> Int {
        Int {
            bits: self.module.index.bits() as u8,
            signed: false,
        }
    }

    pub(super) fn node(&mut self, node: Node) -> u32 {
        if let Some(number) = self.numbers.get(&node) {
            return *number;
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(node);
        self.numbers.insert(node, number);
        number
    }
}

fn int(scalar: Scalar) -> Option<Int> {
    scalar.is_integer().then(|| Int {
        bits: scalar.bits() as u8,
        signed: scalar.is_signed(),
    })
}

fn operation(op: BinaryOp) -> Option<Operation> {
    Some(match op {
        BinaryOp::Add => Operation::Add,
        BinaryOp::Sub => Operation::Sub,
        BinaryOp::Mul => Operation::Mul,
        BinaryOp::Div => Operation::Div,
        BinaryOp::Rem => Operation::Rem,
        BinaryOp::BitAnd => Operation::And,
        BinaryOp::BitOr => Operation::Or,
        BinaryOp::BitXor => Operation::Xor,
        BinaryOp::Shl => Operation::Shl,
        BinaryOp::Shr => Operation::Shr,
        _ => return None,
    })
}

/// A component of the kernel's index, by the way to it from the inside out.
fn position(domain: &Domain, path: &[u32]) -> Option<Node> {
    Some(match (domain, path) {
        (Domain::Range { .. }, [k]) => Node::Global(*k),
        (Domain::Tiled { .. }, [k, field]) => match TiledField::of(*field)? {
            TiledField::Global => Node::Global(*k),
            TiledField::Local => Node::Local(*k),
            TiledField::Tile => Node::Tile(*k),
            TiledField::TileOrigin => Node::Origin(*k),
        },
        _ => return None,
    })
}

//! One thread, expression by expression.

use std::sync::PoisonError;

use amp_spirv::tree::*;
use amp_spirv::value::{self, NoResult, number};
use amp_spirv::value::{Value, View, subgroup};

use super::{Arrays, Refusal, Tile};

/// Why control does not go on to the next expression.
pub enum Jump {
    Break(LabelId, Value),
    Continue(LabelId),
    Return(Value),
    Refused(Refusal),
}

pub type Flow<T = Value> = Result<T, Jump>;

/// A thread of the kernel.
pub struct Thread<'a> {
    module: &'a Module,
    constants: &'a [u64],
    arrays: &'a Arrays,
    pub tile: &'a Tile,
    steps: u32,
    /// Where it first faulted.
    pub fault: Option<Span>,
    /// Variables of the running function.
    locals: Vec<Option<Value>>,
    function: &'a Function,
}

/// A place that has been found.
pub struct Found {
    base: Base,
    path: Vec<usize>,
}

enum Base {
    Local(usize),
    TileStatic(usize),
    Element(Box<View>, usize),
}

impl<'a> Thread<'a> {
    pub fn new(
        module: &'a Module,
        constants: &'a [u64],
        arrays: &'a Arrays,
        tile: &'a Tile,
        steps: u32,
    ) -> Self {
        Self {
            module,
            constants,
            arrays,
            tile,
            steps,
            fault: None,
            locals: Vec::new(),
            function: module.kernel(),
        }
    }

    /// Runs the kernel.
    pub fn kernel(&mut self, arguments: Vec<Value>) -> Result<(), Refusal> {
        match self.call(self.module.kernel(), arguments) {
            Err(Jump::Refused(refusal)) => Err(refusal),
            _ => Ok(()),
        }
    }

    fn call(&mut self, function: &'a Function, arguments: Vec<Value>) -> Flow {
        let mut locals: Vec<Option<Value>> = arguments.into_iter().map(Some).collect();
        locals.resize(function.locals.len(), None);
        let outer = std::mem::replace(&mut self.locals, locals);
        let caller = std::mem::replace(&mut self.function, function);
        let result = self.block(&function.body);
        self.locals = outer;
        self.function = caller;
        match result {
            Err(Jump::Return(value)) => Ok(value),
            other => other,
        }
    }

    pub fn zero(&self, ty: &Type) -> Value {
        Value::zero(&self.module.structs, self.constants, ty)
    }

    pub fn faulted(&mut self, span: Span) {
        self.fault.get_or_insert(span);
    }

    /// A result, or what a fault gives in its place.
    fn or_fault(&mut self, result: value::Result, span: Span) -> Value {
        result.unwrap_or_else(|NoResult(value)| {
            self.faulted(span);
            value
        })
    }

    fn block(&mut self, block: &'a Block) -> Flow {
        for statement in &block.statements {
            match statement {
                Statement::Let { local, value } => {
                    let value = match value {
                        Some(value) => Some(self.expr(value)?),
                        None => None,
                    };
                    self.locals[local.0 as usize] = value;
                }
                Statement::Expr(expr) => {
                    self.expr(expr)?;
                }
            }
        }
        match &block.value {
            Some(value) => self.expr(value),
            None => Ok(Value::Unit),
        }
    }

    pub fn all(&mut self, exprs: &'a [Expr]) -> Flow<Vec<Value>> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    pub fn expr(&mut self, expr: &'a Expr) -> Flow {
        let Some(steps) = self.steps.checked_sub(1) else {
            return Err(Jump::Refused(Refusal::TooLong));
        };
        self.steps = steps;
        Ok(match &expr.kind {
            ExprKind::Literal(literal) => number::of_bits(literal.scalar(), literal.bits()),
            ExprKind::Const(id) => {
                let id = id.0 as usize;
                number::of_bits(self.module.consts[id].ty, self.constants[id])
            }
            ExprKind::Unit => Value::Unit,
            ExprKind::Load(place) => match self.find(place)? {
                Some(found) => self.read(&found)?,
                None => self.zero(&place.ty),
            },
            ExprKind::Unary(op, operand) => {
                let value = self.expr(operand)?;
                number::unary(*op, &expr.ty, &value)
            }
            ExprKind::Binary(op, left, right) => {
                let a = self.expr(left)?;
                let b = self.expr(right)?;
                let result = number::binary(*op, &left.ty, &a, &b);
                self.or_fault(result, expr.span)
            }
            ExprKind::Lazy(op, left, right) => {
                let left = self.expr(left)?.as_bool();
                if left == (*op == LazyOp::Or) {
                    Value::Bool(left)
                } else {
                    self.expr(right)?
                }
            }
            ExprKind::Cast(operand) => {
                let value = self.expr(operand)?;
                number::cast(&value, &expr.ty)
            }
            ExprKind::Math(op, operands) => {
                let values = self.all(operands)?;
                let result = number::math(*op, &operands[0].ty, &expr.ty, &values);
                self.or_fault(result, expr.span)
            }
            ExprKind::Construct(parts) => Value::Parts(self.all(parts)?),
            ExprKind::Repeat(element) => {
                let element = self.expr(element)?;
                let Value::Parts(parts) = self.zero(&expr.ty) else {
                    panic!("an array has parts");
                };
                Value::Parts(vec![element; parts.len()])
            }
            ExprKind::Field(value, field) => self.expr(value)?.part(&[*field as usize]).clone(),
            ExprKind::ViewExtent(view) => {
                let view = self.view(*view)?;
                Value::index(&view.extent)
            }
            ExprKind::View(view) => Value::View(Box::new(self.view(*view)?.clone())),
            ExprKind::Derive(derivation) => self.derived(expr, derivation)?,
            ExprKind::Call(callee, arguments) => {
                let arguments = self.all(arguments)?;
                self.call(self.module.function(*callee), arguments)?
            }
            ExprKind::Assign(place, value) => {
                let value = self.expr(value)?;
                if let Some(found) = self.find(place)? {
                    self.write(&found, value);
                }
                Value::Unit
            }
            ExprKind::AssignOp(op, place, value) => {
                let value = self.expr(value)?;
                if let Some(found) = self.find(place)? {
                    let old = self.read(&found)?;
                    let result = number::binary(*op, &place.ty, &old, &value);
                    let new = self.or_fault(result, expr.span);
                    self.write(&found, new);
                }
                Value::Unit
            }
            ExprKind::If(condition, yes, no) => match self.expr(condition)?.as_bool() {
                true => self.block(yes)?,
                false => self.block(no)?,
            },
            ExprKind::Block(block) => self.block(block)?,
            ExprKind::LabelledBlock(label, block) => match self.block(block) {
                Err(Jump::Break(to, value)) if to == *label => value,
                other => other?,
            },
            ExprKind::Loop(body) => self.loop_(body)?,
            ExprKind::Break(label, value) => {
                let value = self.maybe(value.as_deref())?;
                return Err(Jump::Break(*label, value));
            }
            ExprKind::Continue(label) => return Err(Jump::Continue(*label)),
            ExprKind::Return(value) => {
                let value = self.maybe(value.as_deref())?;
                return Err(Jump::Return(value));
            }
            ExprKind::Message(message) => {
                for operand in &message.operands {
                    self.expr(operand)?;
                }
                self.faulted(expr.span);
                Value::Unit
            }
            ExprKind::Panic => {
                self.faulted(expr.span);
                return Err(Jump::Return(self.zero(&self.function.result)));
            }
            ExprKind::Barrier(_) => {
                if !self.tile.gate.wait() {
                    return Err(Jump::Refused(Refusal::TooLong));
                }
                Value::Unit
            }
            ExprKind::Fence(_) => Value::Unit,
            ExprKind::Zero => self.zero(&expr.ty),
            ExprKind::Atomic(atomic) => self.atomic(atomic)?,
            ExprKind::Subgroup(op, operands) => {
                let operands = self.all(operands)?;
                let zero = self.zero(&expr.ty);
                subgroup(*op, &operands, zero)
            }
            other => panic!("the generator makes no {other:?}"),
        })
    }

    fn maybe(&mut self, value: Option<&'a Expr>) -> Flow {
        match value {
            Some(value) => self.expr(value),
            None => Ok(Value::Unit),
        }
    }

    fn loop_(&mut self, looped: &'a Loop) -> Flow {
        let mut range = match &looped.kind {
            LoopKind::For(range) => Some((range, self.range(range)?)),
            _ => None,
        };
        loop {
            match &looped.kind {
                LoopKind::Infinite => {}
                LoopKind::While(condition) => {
                    if !self.expr(condition)?.as_bool() {
                        return Ok(Value::Unit);
                    }
                }
                LoopKind::For(_) => {
                    let (range, numbers) = range.as_mut().expect("made above");
                    let Some(number) = numbers.next() else {
                        return Ok(Value::Unit);
                    };
                    self.locals[range.local.0 as usize] = Some(Value::Int(number));
                }
            }
            match self.block(&looped.body) {
                Ok(_) => {}
                Err(Jump::Continue(to)) if to == looped.label => {}
                Err(Jump::Break(to, value)) if to == looped.label => return Ok(value),
                Err(other) => return Err(other),
            }
        }
    }

    /// The numbers of a range, which may be billions of which few are taken.
    fn range(&mut self, range: &'a ForRange) -> Flow<Box<dyn Iterator<Item = i128>>> {
        let start = self.expr(&range.start)?.as_int();
        let end = self.expr(&range.end)?.as_int() + i128::from(range.inclusive);
        let (mut first, mut count, mut stride) = (start, (end - start).max(0), 1);
        for adapter in &range.adapters {
            match adapter {
                Adapter::Rev => {
                    first += (count - 1) * stride;
                    stride = -stride;
                }
                Adapter::StepBy(step) => {
                    let width = self.expr(step)?.as_int();
                    if width == 0 {
                        self.faulted(step.span);
                        count = count.min(1);
                    } else {
                        count = (count + width - 1) / width;
                        stride *= width;
                    }
                }
            }
        }
        Ok(Box::new((0..count).map(move |k| first + k * stride)))
    }

    fn view(&self, local: LocalId) -> Flow<&View> {
        match &self.locals[local.0 as usize] {
            Some(Value::View(view)) => Ok(view),
            _ => Err(Jump::Refused(Refusal::Uninitialised)),
        }
    }

    /// Where a place lies, unless it is out of bounds.
    pub fn find(&mut self, place: &'a Place) -> Flow<Option<Found>> {
        let mut inside = true;
        let mut ty = match &place.root {
            Root::Local(local) => self.function.local(*local).ty.clone(),
            Root::TileStatic(id) => self.module.tile_statics[id.0 as usize].ty.clone(),
            Root::Element { view, .. } => match &self.function.local(*view).ty {
                Type::View(view) => (*view.element).clone(),
                other => panic!("{other:?} is no view"),
            },
        };
        let base = match &place.root {
            Root::Local(local) => Base::Local(local.0 as usize),
            Root::TileStatic(id) => Base::TileStatic(id.0 as usize),
            Root::Element { view, index } => {
                let index = self.expr(index)?;
                let index: Vec<u64> = index.parts().iter().map(Value::as_size).collect();
                let view = self.view(*view)?;
                let position = view.position(&index);
                inside = position.is_some();
                Base::Element(Box::new(view.clone()), position.unwrap_or(0))
            }
        };
        let mut path = Vec::new();
        for projection in &place.projections {
            let step = match projection {
                Projection::Field(field) => *field as usize,
                Projection::Index(index) => {
                    let step = self.expr(index)?.as_size() as usize;
                    inside &= step < self.zero(&ty).parts().len();
                    step
                }
            };
            path.push(step);
            ty = match (ty, projection) {
                (Type::Tuple(parts), _) => parts[step].clone(),
                (Type::Struct(id), _) => self.module.structs[id.0 as usize].fields[step].ty.clone(),
                (Type::TiledIndex(rank), _) => Type::Index(rank),
                (Type::Array(element, _), _) => *element,
                (Type::Vector(scalar, _), _) => Type::Scalar(scalar),
                _ => self.module.index.ty().clone(),
            };
        }
        if !inside {
            self.faulted(place.span);
        }
        Ok(inside.then_some(Found { base, path }))
    }

    pub fn read(&mut self, found: &Found) -> Flow {
        let whole = match &found.base {
            Base::Local(local) => self.locals[*local].clone(),
            Base::TileStatic(id) => {
                let statics = self.tile.statics.lock();
                statics.unwrap_or_else(PoisonError::into_inner)[*id].clone()
            }
            Base::Element(view, position) => {
                let arrays = self.arrays.lock().unwrap_or_else(PoisonError::into_inner);
                let array = arrays[view.array].as_ref();
                array.map(|it| view.taken(it.elements[*position].clone()))
            }
        };
        match whole {
            Some(whole) => Ok(whole.part(&found.path).clone()),
            None => Err(Jump::Refused(Refusal::Uninitialised)),
        }
    }

    pub fn write(&mut self, found: &Found, value: Value) {
        match &found.base {
            &Base::Local(local) if found.path.is_empty() => self.locals[local] = Some(value),
            &Base::Local(local) => {
                let zero = self.zero(&self.function.locals[local].ty);
                let whole = self.locals[local].get_or_insert(zero);
                *whole.part_mut(&found.path) = value;
            }
            &Base::TileStatic(id) => {
                let zero = self.zero(&self.module.tile_statics[id].ty);
                let mut statics = self
                    .tile
                    .statics
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                *statics[id].get_or_insert(zero).part_mut(&found.path) = value;
            }
            Base::Element(view, position) => {
                let mut arrays = self.arrays.lock().unwrap_or_else(PoisonError::into_inner);
                let array = arrays[view.array].as_mut().expect("a view has an array");
                *array.elements[*position].part_mut(&found.path) = value;
            }
        }
    }
}

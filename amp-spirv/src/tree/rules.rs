//! The type of each expression, from those of its parts and of what it names.

use super::{
    Atomic, AtomicOp, Block, Const, Derivation, Expr, ExprKind, Function, Len, Local, LocalId,
    MemoryLayout, Place, Projection, Root, Scalar, Statement, TileStatic, Type, View, ViewStep,
    typing,
};
use typing::Typed;

/// What the expressions of a function can name.
#[derive(Clone, Copy)]
pub(super) struct Scope<'m> {
    /// How the module's values lie in memory, which tells their parts.
    pub layout: MemoryLayout<'m>,
    pub consts: &'m [Const],
    pub tile_statics: &'m [TileStatic],
    /// Those that the function can call.
    pub functions: &'m [Function],
    pub locals: &'m [Local],
}

/// Whether a value can stand where a type is wanted.
pub(super) fn fits(found: &Type, wanted: &Type) -> bool {
    found == wanted || *found == Type::Never
}

/// The type that a block has.
pub(super) fn block(block: &Block) -> Type {
    let is_end = |statement: &Statement| match statement {
        Statement::Let { value, .. } => value.as_ref().is_some_and(|it| it.ty == Type::Never),
        Statement::Expr(value) => value.ty == Type::Never,
    };
    match &block.value {
        Some(value) => value.ty.clone(),
        None if block.statements.iter().any(is_end) => Type::Never,
        None => Type::Unit,
    }
}

/// The type of an `if` with such sides.
pub(super) fn choice(yes: &Type, no: &Type) -> Type {
    match yes {
        Type::Never => no.clone(),
        yes => yes.clone(),
    }
}

fn wanted(found: &Type, wanted: &Type, what: &str) -> Result<(), String> {
    match fits(found, wanted) {
        true => Ok(()),
        false => Err(format!("{what} has the wrong type")),
    }
}

impl<'m> Scope<'m> {
    /// The type that an expression has; what it is said to be decides where its parts do not.
    pub fn expr(&self, kind: &ExprKind, stated: &Type) -> Typed {
        let never = |operands: &[&Expr]| operands.iter().any(|it| it.ty == Type::Never);
        Ok(match kind {
            ExprKind::Literal(literal) => Type::Scalar(literal.scalar()),
            ExprKind::Const(id) => match self.consts.get(id.0 as usize) {
                Some(item) => Type::Scalar(item.ty),
                None => return Err(format!("there is no constant #{}", id.0)),
            },
            ExprKind::Unit | ExprKind::Barrier(_) | ExprKind::Fence(_) | ExprKind::DeviceFence => {
                Type::Unit
            }
            ExprKind::Zero => match stated {
                Type::Never | Type::View(_) | Type::TiledIndex(_) => {
                    return Err("no such value is zero".to_owned());
                }
                ty => ty.clone(),
            },
            ExprKind::Load(place) => match self.place(place)? {
                Type::View(_) => return Err("loads a view".to_owned()),
                ty => ty,
            },
            ExprKind::Unary(_, operand) | ExprKind::Cast(operand) | ExprKind::Field(operand, _)
                if never(&[operand]) =>
            {
                stated.clone()
            }
            ExprKind::Binary(_, left, right) if never(&[left, right]) => stated.clone(),
            ExprKind::Math(_, operands) | ExprKind::Subgroup(_, operands)
                if operands.iter().any(|it| it.ty == Type::Never) =>
            {
                stated.clone()
            }
            ExprKind::Unary(op, operand) => typing::unary(*op, &operand.ty)?,
            ExprKind::Binary(op, left, right) => typing::binary(*op, &left.ty, &right.ty)?,
            ExprKind::Lazy(_, left, right) => {
                wanted(&left.ty, &Type::BOOL, "an operand")?;
                wanted(&right.ty, &Type::BOOL, "an operand")?;
                Type::BOOL
            }
            ExprKind::Cast(operand) => typing::cast(&operand.ty, stated)?,
            ExprKind::Math(op, operands) => typing::math(*op, &types(operands), stated)?,
            ExprKind::Subgroup(op, operands) => {
                typing::subgroup(*op, &types(operands), self.layout.index.ty())?
            }
            ExprKind::Construct(parts) => {
                let Some(types) = self.layout.parts(stated) else {
                    return Err("is no value of known parts".to_owned());
                };
                if types.len() != parts.len() {
                    return Err(format!("has {} parts, not {}", parts.len(), types.len()));
                }
                for (part, ty) in parts.iter().zip(&types) {
                    wanted(&part.ty, ty, "a part")?;
                }
                stated.clone()
            }
            ExprKind::Repeat(element) => match stated {
                Type::Array(ty, _) => {
                    wanted(&element.ty, ty, "the element")?;
                    stated.clone()
                }
                _ => return Err("repeats what is no element".to_owned()),
            },
            ExprKind::Field(operand, part) => self.part(&operand.ty, *part)?,
            ExprKind::ViewExtent(view) => Type::Extent(self.view(*view)?.rank),
            ExprKind::View(view) => lent(self.view(*view)?.clone(), stated),
            ExprKind::Derive(derivation) => self.derived(derivation, stated)?,
            ExprKind::Call(id, arguments) => {
                let Some(callee) = self.functions.get(id.0 as usize) else {
                    return Err("calls what does not come before it".to_owned());
                };
                if arguments.len() != callee.params as usize {
                    return Err(format!(
                        "passes {} arguments, not {}",
                        arguments.len(),
                        callee.params
                    ));
                }
                for (argument, param) in arguments.iter().zip(&callee.locals) {
                    if !passes(&argument.ty, &param.ty) {
                        return Err(format!("passes the wrong `{}`", param.name));
                    }
                }
                callee.result.clone()
            }
            ExprKind::Assign(place, value) => {
                let ty = self.assigned(place)?;
                wanted(&value.ty, &ty, "the value")?;
                Type::Unit
            }
            ExprKind::AssignOp(op, place, value) => {
                let ty = self.assigned(place)?;
                if value.ty != Type::Never && typing::binary(*op, &ty, &value.ty)? != ty {
                    return Err("the result does not fit".to_owned());
                }
                Type::Unit
            }
            ExprKind::If(condition, yes, no) => {
                wanted(&condition.ty, &Type::BOOL, "the condition")?;
                let ty = choice(&yes.ty, &no.ty);
                wanted(&no.ty, &ty, "the other side")?;
                ty
            }
            ExprKind::Block(block) => block.ty.clone(),
            ExprKind::LabelledBlock(..) | ExprKind::Loop(_) => stated.clone(),
            ExprKind::Break(..) | ExprKind::Continue(_) | ExprKind::Return(_) | ExprKind::Panic => {
                Type::Never
            }
            ExprKind::Message(message) => {
                if !message.operands.iter().all(|it| can_be_said(&it.ty)) {
                    return Err("says what cannot be said".to_owned());
                }
                Type::Unit
            }
            ExprKind::Atomic(atomic) => self.atomic(atomic)?,
        })
    }

    /// The type of what a place holds.
    pub fn place(&self, place: &Place) -> Typed {
        let mut ty = match &place.root {
            Root::Local(id) => match self.locals.get(id.0 as usize) {
                Some(local) => local.ty.clone(),
                None => return Err(format!("there is no variable {}", id.0)),
            },
            Root::TileStatic(id) => match self.tile_statics.get(id.0 as usize) {
                Some(variable) => variable.ty.clone(),
                None => return Err(format!("there is no variable @{}", id.0)),
            },
            Root::Element { view, index } => {
                let view = self.view(*view)?;
                wanted(&index.ty, &Type::Index(view.rank), "the index")?;
                Type::clone(&view.element)
            }
        };
        for projection in &place.projections {
            ty = match projection {
                Projection::Field(part) => self.part(&ty, *part)?,
                Projection::Index(index) => {
                    wanted(&index.ty, self.layout.index.ty(), "the index")?;
                    match self.layout.elements(&ty) {
                        Some((_, element)) => element.clone(),
                        None => return Err("is no value that has elements".to_owned()),
                    }
                }
            };
        }
        Ok(ty)
    }

    fn part(&self, ty: &Type, part: u32) -> Typed {
        let found = self.layout.part(ty, part).cloned();
        found.ok_or_else(|| format!("there is no part {part}"))
    }

    fn view(&self, local: LocalId) -> Result<&'m View, String> {
        match self.locals.get(local.0 as usize).map(|it| &it.ty) {
            Some(Type::View(view)) => Ok(view),
            _ => Err("names no view".to_owned()),
        }
    }

    /// The type of a place that is assigned.
    fn assigned(&self, place: &Place) -> Typed {
        match place.root {
            Root::Element { view, .. } if !self.view(view)?.mutable => {
                Err("writes a read-only view".to_owned())
            }
            Root::Local(_) | Root::TileStatic(_) | Root::Element { .. } => {
                match self.place(place)? {
                    Type::View(_) => Err("assigns a view".to_owned()),
                    ty => Ok(ty),
                }
            }
        }
    }

    fn derived(&self, derivation: &Derivation, stated: &Type) -> Typed {
        let Type::View(of) = &derivation.of.ty else {
            return Err("is made from no view".to_owned());
        };
        let index =
            |operand: &Expr, rank: u32| wanted(&operand.ty, &Type::Index(rank), "an operand");
        let mut made = of.clone();
        match &derivation.step {
            ViewStep::Section { origin, extent } => {
                index(origin, of.rank)?;
                index(extent, of.rank)?;
            }
            ViewStep::Row(_) if of.rank < 2 => return Err("the view has no rows".to_owned()),
            ViewStep::Row(row) => {
                wanted(&row.ty, self.layout.index.ty(), "an operand")?;
                made.rank -= 1;
            }
            ViewStep::Shape(_) | ViewStep::Elements if of.rank != 1 => {
                return Err("the view has more than one dimension".to_owned());
            }
            ViewStep::Shape(shape) => match shape.ty {
                Type::Index(rank) => made.rank = rank,
                _ => return Err("an operand has the wrong type".to_owned()),
            },
            ViewStep::Elements => match stated {
                Type::View(stated) => made.element.clone_from(&stated.element),
                _ => return Err("makes no view".to_owned()),
            },
        }
        Ok(lent(made, stated))
    }

    fn atomic(&self, atomic: &Atomic) -> Typed {
        let ty = match atomic.op.writes() {
            true => self.assigned(&atomic.place)?,
            false => self.place(&atomic.place)?,
        };
        let is_number = match ty.scalar() {
            Some(Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64) => true,
            Some(Scalar::F32 | Scalar::F64) => matches!(
                atomic.op,
                AtomicOp::Load
                    | AtomicOp::Store
                    | AtomicOp::Exchange
                    | AtomicOp::CompareExchange
                    | AtomicOp::Add
                    | AtomicOp::Sub
            ),
            _ => false,
        };
        if !is_number {
            return Err("is no place for this".to_owned());
        }
        let count = match atomic.op {
            AtomicOp::Load => 0,
            AtomicOp::CompareExchange => 2,
            _ => 1,
        };
        if atomic.operands.len() != count {
            return Err(format!(
                "has {} operands, not {count}",
                atomic.operands.len()
            ));
        }
        for operand in &atomic.operands {
            wanted(&operand.ty, &ty, "an operand")?;
        }
        Ok(match atomic.op {
            AtomicOp::Store => Type::Unit,
            _ => ty,
        })
    }
}

/// The type of a view that is used as it is or, if that is stated, as a read-only one.
fn lent(mut view: View, stated: &Type) -> Type {
    if let Type::View(stated) = stated {
        view.mutable &= stated.mutable;
    }
    Type::View(view)
}

fn types(operands: &[Expr]) -> Vec<Type> {
    operands.iter().map(|it| it.ty.clone()).collect()
}

/// Whether an argument fits a parameter: a mutable view can be read.
fn passes(found: &Type, wanted: &Type) -> bool {
    match (found, wanted) {
        (Type::View(found), Type::View(wanted)) => {
            let as_wanted = View {
                mutable: wanted.mutable,
                ..found.clone()
            };
            as_wanted == *wanted && (found.mutable || !wanted.mutable)
        }
        _ => fits(found, wanted),
    }
}

/// Whether a message can have an operand of this type.
fn can_be_said(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) | Type::Index(_) | Type::Extent(_) | Type::Never => true,
        Type::Tuple(parts) => parts.iter().all(can_be_said),
        Type::Array(element, Len::Literal(_)) => can_be_said(element),
        _ => false,
    }
}

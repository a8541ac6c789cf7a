//! [`Plan`]: what a group's threads do together, and the regions in between.

use std::collections::HashSet;

use amp_spirv::tree::LocalId;
use syn::{Block, Expr, ExprForLoop, ExprIf, Pat, Stmt};

use super::{
    jumps::Jumps,
    region::{Hoisted, Region, Scan},
    shape::{Shape, Shapes},
    strided::Strided,
};
use crate::infer::{BinaryKind, Callee};
use crate::visit::Visit;

/// A part of a block that all threads of a group come to.
pub(super) enum Piece {
    /// A statement that runs once.
    Together(usize),
    /// A `let` that each region repeats.
    Derived(usize),
    /// A barrier.
    Barrier,
    /// Statements that run for one thread after the other.
    Apart(Box<Region>),
    Branch(usize, Branch),
    Loop(usize, Vec<Piece>),
    /// A [strided](super::strided) loop.
    Strided(usize, Vec<Piece>),
    Block(usize, Vec<Piece>),
}

/// An `if` whose condition is the same in all threads.
pub(super) struct Branch {
    pub(super) then: Vec<Piece>,
    pub(super) otherwise: Otherwise,
}

pub(super) enum Otherwise {
    Nothing,
    Block(Vec<Piece>),
    If(Box<Branch>),
}

/// Why there is no plan.
#[derive(Debug)]
pub(super) enum Refusal {
    /// A region assigns to what was taken to be the same in all threads.
    Apart(LocalId),
    /// The kernel cannot be cut.
    Uncut,
}

type Planned<T> = Result<T, Refusal>;

/// What makes a plan.
pub(super) struct Planner<'a> {
    pub(super) shapes: &'a Shapes<'a>,
    /// How many regions there are.
    regions: usize,
    /// Whether a loop was found that is worth it.
    pub(super) has_loops: bool,
    /// The variables that each region computes anew.
    pub(super) derived: HashSet<LocalId>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(shapes: &'a Shapes<'a>) -> Self {
        Self {
            shapes,
            regions: 0,
            has_loops: false,
            derived: HashSet::new(),
        }
    }

    /// The pieces of the body of a kernel.
    pub(super) fn body(&mut self, body: &Block) -> Planned<Vec<Piece>> {
        self.block(&body.stmts, true)
    }

    fn block(&mut self, stmts: &[Stmt], is_body: bool) -> Planned<Vec<Piece>> {
        let mut pieces = Vec::new();
        let mut open: Option<Region> = None;
        for (at, stmt) in stmts.iter().enumerate() {
            let leaves = self.jumps(stmt).returns;
            let piece = match leaves {
                false => self.together(at, stmt)?,
                true => self.returned(at, stmt),
            };
            if let Some(piece) = piece {
                match (&piece, &mut open) {
                    (Piece::Derived(_), Some(open)) if !self.shapes.is_mixed(stmt) => {
                        open.statements.end = at + 1;
                        open.derived.insert(at);
                    }
                    _ => {
                        pieces.extend(open.take().map(|region| Piece::Apart(Box::new(region))));
                        pieces.push(piece);
                    }
                }
                continue;
            }
            if leaves {
                // What follows belongs to the region: the threads that are left run it alone.
                if !is_body || stmts[at..].iter().any(|stmt| self.meets(stmt)) {
                    return Err(Refusal::Uncut);
                }
                let mut region = open.take().unwrap_or_else(|| self.region(at));
                for stmt in &stmts[at..] {
                    self.apart(stmt)?;
                    region.add(self.shapes, stmt);
                }
                region.statements.end = stmts.len();
                (region.acts, region.enters) = (true, true);
                region.returns = true;
                pieces.push(Piece::Apart(Box::new(region)));
                return Ok(pieces);
            }
            self.apart(stmt)?;
            let mut scan = Scan::of(self.shapes, stmt);
            if let Some(region) = &open
                && !region.takes(&scan)
            {
                pieces.extend(open.take().map(|region| Piece::Apart(Box::new(region))));
            }
            let mut region = open.take().unwrap_or_else(|| self.region(at));
            region.statements.end = at + 1;
            region.acts |= scan.acts;
            region.enters |= scan.enters;
            region.hoisted.append(&mut scan.hoisted);
            region.add(self.shapes, stmt);
            region.stored = scan.stored;
            match region.stored {
                Some(_) => pieces.push(Piece::Apart(Box::new(region))),
                None => open = Some(region),
            }
        }
        pieces.extend(open.take().map(|region| Piece::Apart(Box::new(region))));
        Ok(pieces)
    }

    /// The piece that a statement is by which all threads return.
    fn returned(&mut self, at: usize, stmt: &Stmt) -> Option<Piece> {
        match stmt {
            Stmt::Expr(Expr::Return(_), _) => Some(Piece::Together(at)),
            Stmt::Expr(Expr::If(branch), _)
                if self.shapes.shape(&branch.cond) == Shape::Uniform =>
            {
                Some(Piece::Branch(at, self.branch(branch).ok()?))
            }
            _ => None,
        }
    }

    fn region(&mut self, at: usize) -> Region {
        self.regions += 1;
        Region::new(self.regions, at..at)
    }

    /// The piece that a statement is if the threads run it together, or if each region repeats it.
    fn together(&mut self, at: usize, stmt: &Stmt) -> Planned<Option<Piece>> {
        Ok(match stmt {
            Stmt::Item(_) => Some(Piece::Together(at)),
            Stmt::Local(local) => {
                let typed = &self.shapes.function.typed;
                if typed.of(local).tile_static.is_some() || is_tile_static(local) {
                    return Ok(Some(Piece::Together(at)));
                }
                let declared = self.shapes.declared(&local.pat);
                let is_uniform = |local: &LocalId| self.shapes.of_local(*local) == Shape::Uniform;
                let value = local
                    .init
                    .as_ref()
                    .map(|init| self.shapes.shape(&init.expr));
                let diverges = matches!(&local.init, Some(init) if init.diverge.is_some());
                if !diverges
                    && declared.iter().all(is_uniform)
                    && value.is_none_or(|value| value == Shape::Uniform)
                {
                    Some(Piece::Together(at))
                } else if self.shapes.is_derived(local) && self.reads_derived(stmt) {
                    self.derived.extend(declared);
                    Some(Piece::Derived(at))
                } else {
                    None
                }
            }
            Stmt::Expr(expr, _) => self.expression(at, expr)?,
            Stmt::Macro(_) => None,
        })
    }

    /// Whether a statement reads only what each region computes anew, and what is the same everywhere.
    fn reads_derived(&self, stmt: &Stmt) -> bool {
        let read = self.shapes.read(|read| read.visit_stmt(stmt));
        read.iter().all(|local| {
            self.derived.contains(local) || self.shapes.of_local(*local) == Shape::Uniform
        })
    }

    fn expression(&mut self, at: usize, expr: &Expr) -> Planned<Option<Piece>> {
        let shapes = self.shapes;
        let typed = &shapes.function.typed;
        Ok(match expr {
            Expr::MethodCall(_) | Expr::Call(_) => match typed.of(expr).callee {
                Some(Callee::Barrier(_)) => Some(Piece::Barrier),
                Some(Callee::Fence(_) | Callee::DeviceFence) => Some(Piece::Together(at)),
                _ => None,
            },
            Expr::Assign(assign) if self.is_uniform(&assign.left) => Some(Piece::Together(at)),
            Expr::Binary(binary)
                if matches!(BinaryKind::of(&binary.op), BinaryKind::Assign(_))
                    && self.is_uniform(&binary.left) =>
            {
                Some(Piece::Together(at))
            }
            Expr::Break(_) | Expr::Continue(_) => Some(Piece::Together(at)),
            Expr::If(branch) if shapes.shape(&branch.cond) == Shape::Uniform => {
                match self.branch(branch) {
                    Err(refusal) if self.must_be_together(expr) => return Err(refusal),
                    Ok(branch) if self.must_be_together(expr) || branch.is_vector() => {
                        Some(Piece::Branch(at, branch))
                    }
                    _ => None,
                }
            }
            Expr::Block(block) if self.must_be_together(expr) => {
                Some(Piece::Block(at, self.block(&block.block.stmts, false)?))
            }
            Expr::ForLoop(round) if self.is_strided(expr, round) => self.strided(at, round)?,
            Expr::ForLoop(round) => {
                let each = typed.of(expr).each.is_some();
                let control = match each {
                    true => Shape::Varying,
                    false => shapes.range(&round.expr),
                };
                self.round(at, expr, &round.body, control)?
            }
            Expr::While(round) => self.round(at, expr, &round.body, shapes.shape(&round.cond))?,
            Expr::Loop(round) => self.round(at, expr, &round.body, Shape::Uniform)?,
            _ => None,
        })
    }

    /// A loop: its rounds are the threads' together if they have to be, or if that makes vector
    /// instructions of them.
    fn round(
        &mut self,
        at: usize,
        expr: &Expr,
        body: &Block,
        control: Shape,
    ) -> Planned<Option<Piece>> {
        let must = self.must_be_together(expr);
        let leaves = self.shapes.leaves(self.shapes.function.typed.id(expr));
        if control != Shape::Uniform || leaves != Shape::Uniform {
            return Ok(None);
        }
        let before = self.has_loops;
        let pieces = match self.block(&body.stmts, false) {
            Ok(pieces) => pieces,
            Err(refusal) if must => return Err(refusal),
            Err(_) => return Ok(None),
        };
        if must
            || pieces
                .iter()
                .all(|piece| piece.is_vector() || piece.is_stream())
        {
            self.has_loops |= !pieces.is_empty();
            return Ok(Some(Piece::Loop(at, pieces)));
        }
        self.has_loops = before;
        Ok(None)
    }

    fn is_strided(&self, expr: &Expr, round: &ExprForLoop) -> bool {
        let declared = self.shapes.declared(&round.pat);
        let leaves = self.shapes.leaves(self.shapes.function.typed.id(expr));
        leaves == Shape::Uniform
            && matches!(*round.pat, Pat::Ident(_))
            && !declared
                .iter()
                .any(|local| self.shapes.assigned.contains(local))
            && Strided::of(self.shapes, &round.expr).is_some()
            && !self.must_be_together(expr)
    }

    /// A strided loop, if each row can go through it alone.
    fn strided(&mut self, at: usize, round: &ExprForLoop) -> Planned<Option<Piece>> {
        let Ok(pieces) = self.block(&round.body.stmts, false) else {
            return Ok(None);
        };
        let is_plain = |piece: &Piece| matches!(piece, Piece::Apart(region) if !region.acts);
        if !pieces.iter().all(is_plain) {
            return Ok(None);
        }
        self.derived.extend(self.shapes.declared(&round.pat));
        self.has_loops |= !pieces.is_empty();
        Ok(Some(Piece::Strided(at, pieces)))
    }

    fn branch(&mut self, branch: &ExprIf) -> Planned<Branch> {
        let then = self.block(&branch.then_branch.stmts, false)?;
        let otherwise = match &branch.else_branch {
            None => Otherwise::Nothing,
            Some((_, otherwise)) => match &**otherwise {
                Expr::Block(block) => Otherwise::Block(self.block(&block.block.stmts, false)?),
                Expr::If(next) if self.shapes.shape(&next.cond) == Shape::Uniform => {
                    Otherwise::If(Box::new(self.branch(next)?))
                }
                _ => return Err(Refusal::Uncut),
            },
        };
        Ok(Branch { then, otherwise })
    }

    fn is_uniform(&self, place: &Expr) -> bool {
        let variable = self.shapes.variable(place);
        variable.is_some_and(|variable| self.shapes.of_local(variable) == Shape::Uniform)
    }

    /// Whether a statement has a barrier in it, or assigns to a variable of its surroundings that is
    /// the same in all threads, or jumps out of itself.
    fn must_be_together(&self, expr: &Expr) -> bool {
        let jumps = Jumps::of(self.shapes, |jumps| jumps.visit_expr(expr));
        jumps.meets || jumps.leaves || !jumps.uniform().is_empty()
    }

    fn meets(&self, stmt: &Stmt) -> bool {
        self.jumps(stmt).meets
    }

    fn jumps(&self, stmt: &Stmt) -> Jumps<'_, 'a> {
        Jumps::of(self.shapes, |jumps| jumps.visit_stmt(stmt))
    }

    /// Whether a statement can be a part of a region.
    fn apart(&self, stmt: &Stmt) -> Planned<()> {
        let jumps = self.jumps(stmt);
        if jumps.meets || jumps.leaves || jumps.has_closures {
            return Err(Refusal::Uncut);
        }
        let mut uniform = jumps.uniform();
        if let Stmt::Local(local) = stmt {
            uniform.extend(self.shapes.declared(&local.pat));
            uniform.retain(|local| self.shapes.of_local(*local) == Shape::Uniform);
        }
        match uniform.first() {
            Some(local) => Err(Refusal::Apart(*local)),
            None => Ok(()),
        }
    }
}

impl Piece {
    /// Whether its regions can be compiled to vector instructions.
    pub(super) fn is_vector(&self) -> bool {
        let all = |pieces: &[Piece]| pieces.iter().all(Piece::is_vector);
        match self {
            Piece::Together(_) | Piece::Derived(_) | Piece::Barrier => true,
            Piece::Apart(region) => !region.acts,
            Piece::Branch(_, branch) => branch.is_vector(),
            Piece::Loop(_, pieces) | Piece::Strided(_, pieces) | Piece::Block(_, pieces) => {
                all(pieces)
            }
        }
    }

    /// Whether its threads read elements that lie one behind the other, and keep nothing: then each round reads
    /// memory in order, which thread by thread it does not.
    fn is_stream(&self) -> bool {
        let Piece::Apart(region) = self else {
            return false;
        };
        let mut hoisted = region.hoisted.iter();
        hoisted.any(|(_, hoisted)| *hoisted == Hoisted::Elements)
            && !region.returns
            && region.assigned.is_subset(&region.declared)
    }

    /// Whether each row can go through it alone.
    pub(super) fn is_of_row(&self) -> bool {
        match self {
            Piece::Derived(_) => true,
            Piece::Apart(region) => !region.acts,
            Piece::Loop(_, pieces) | Piece::Strided(_, pieces) => {
                pieces.iter().all(Piece::is_of_row)
            }
            _ => false,
        }
    }
}

impl Branch {
    fn is_vector(&self) -> bool {
        let otherwise = match &self.otherwise {
            Otherwise::Nothing => true,
            Otherwise::Block(pieces) => pieces.iter().all(Piece::is_vector),
            Otherwise::If(branch) => branch.is_vector(),
        };
        otherwise && self.then.iter().all(Piece::is_vector)
    }
}

fn is_tile_static(local: &syn::Local) -> bool {
    let mut attributes = local.attrs.iter();
    attributes.any(|attribute| attribute.path().is_ident("tile_static"))
}

/// All regions of pieces.
pub(super) fn regions<'p>(pieces: &'p [Piece], found: &mut Vec<&'p Region>) {
    for piece in pieces {
        match piece {
            Piece::Apart(region) => found.push(region),
            Piece::Loop(_, pieces) | Piece::Strided(_, pieces) | Piece::Block(_, pieces) => {
                regions(pieces, found)
            }
            Piece::Branch(_, branch) => of_branch(branch, found),
            Piece::Together(_) | Piece::Derived(_) | Piece::Barrier => {}
        }
    }
}

fn of_branch<'p>(branch: &'p Branch, found: &mut Vec<&'p Region>) {
    regions(&branch.then, found);
    match &branch.otherwise {
        Otherwise::Nothing => {}
        Otherwise::Block(pieces) => regions(pieces, found),
        Otherwise::If(next) => of_branch(next, found),
    }
}

//! From typed syntax to the compiler core's tree.
//!
//! Works on a [`Program`] that inference found nothing wrong with: every table is complete, so
//! lowering cannot fail. Patterns become variables and projections, methods become operations,
//! helpers with references become part of their callers, arithmetic of indices becomes arithmetic
//! of their components.

mod apart;
mod assignment;
mod atomic;
mod block;
mod bundle;
mod case;
mod closure;
mod comparison;
mod each;
mod element;
mod expr;
mod forms;
mod frame;
mod generic;
mod guard;
mod inline;
mod iterator;
mod kept_slice;
mod lending;
mod literal;
mod matching;
mod member;
mod message;
mod operation;
mod place;
mod slice;
mod vector;
mod view;
mod whole;

use std::collections::{HashMap, HashSet};

use amp_spirv::tree;

pub use self::inline::is_inlined;

use self::{frame::Frame, kept_slice::KeptSlices, lending::Chosen};
use crate::{
    infer::{Applied, FunctionDef, Len, Program, Ty, name},
    report::{Locate, Spans},
};

/// A program as the compiler core sees it.
pub struct Lowered {
    /// The module, without its source positions, which [`Spans`] still holds.
    pub module: tree::Module,
    /// Indices into [`Program::consts`] by [`tree::ConstId`].
    pub consts: Vec<usize>,
    /// Those of them that are lengths of arrays, or extents of the tile.
    pub lengths: HashSet<usize>,
    /// A call of which there would be too many copies: the module is not whole.
    pub too_large: Option<tree::Span>,
    /// A slice that is kept, of a copy which may be another one later: the module is not whole.
    pub copied: Option<tree::Span>,
}

/// Lowers a program whose last function is a kernel.
pub fn lower(program: &Program, domain: tree::Domain, spans: &mut Spans) -> Lowered {
    let mut consts = Consts {
        program,
        ids: HashMap::new(),
        used: Vec::new(),
        structs: Vec::new(),
        applied: Vec::new(),
        lengths: HashSet::new(),
    };
    for (index, structure) in program.structs.iter().enumerate() {
        // What has views in it is taken apart.
        if structure.parameters.is_empty() && !structure.is_bundle {
            consts.structure(index, &Applied::default());
        }
    }
    let mut tile_statics = Vec::new();
    let mut first_tile_statics = Vec::new();
    for function in &program.functions {
        first_tile_statics.push(tile_statics.len() as u32);
        if is_template(function) {
            continue;
        }
        for variable in &function.typed.tile_statics {
            tile_statics.push(tree::TileStatic {
                name: variable.name.clone(),
                ty: consts.ty(&variable.ty),
                span: spans.add(variable.span),
            });
        }
    }
    let mut functions = Vec::new();
    let mut growth = Growth::default();
    let mut ids = HashMap::new();
    for (index, function) in program.functions.iter().enumerate() {
        let is_kernel = index + 1 == program.functions.len();
        if is_template(function) || !is_kernel && inline::is_inlined(program, function) {
            continue;
        }
        ids.insert(index, tree::FunctionId(functions.len() as u32));
        let params = bundle::params(program, function);
        let frame = Frame::own(function, params, first_tile_statics[index]);
        let mut cx = FnLower {
            program,
            frame,
            tile_statics: &first_tile_statics,
            ids: &ids,
            growth: &mut growth,
            next_label: function.typed.labels_used,
            consts: &mut consts,
            spans,
            locals: Vec::new(),
            pending: Vec::new(),
            chosen: HashMap::new(),
            side_by_side: HashMap::new(),
            held: HashSet::new(),
            deferred: HashMap::new(),
            kept_slices: KeptSlices::default(),
            copies: HashSet::new(),
        };
        functions.push(cx.function(program.is_fast(index)));
    }
    let domain = match domain {
        tree::Domain::Tiled { tile } => tree::Domain::Tiled {
            tile: tile.into_iter().map(|dim| consts.dimension(dim)).collect(),
        },
        range => range,
    };
    let kernel = program.functions.last();
    let index = kernel.and_then(|kernel| kernel.item.sig.inputs.first());
    let domain_span = spans.add_place(match index {
        Some(syn::FnArg::Typed(index)) => index.ty.locate(),
        _ => proc_macro2::Span::call_site().locate(),
    });
    let mut module = tree::Module {
        name: kernel.map_or_else(String::new, |kernel| kernel.item.sig.ident.to_string()),
        domain,
        domain_span,
        options: program.arguments.options(spans),
        index: tree::IndexWidth::Bits32,
        structs: consts.structs,
        consts: consts
            .used
            .iter()
            .map(|&index| tree::Const {
                name: program.consts[index].text.clone(),
                ty: program
                    .scalar(&program.consts[index].ty)
                    .unwrap_or(tree::Scalar::Usize),
            })
            .collect(),
        tile_statics,
        functions,
        files: Vec::new(),
        locations: Vec::new(),
    };
    if program.index == tree::IndexWidth::Bits64 {
        module.widen_index();
    }
    Lowered {
        module,
        consts: consts.used,
        lengths: consts.lengths,
        too_large: growth.stopped,
        copied: growth.copied,
    }
}

/// Whether a function is in the program for its host version alone: a generic one in a body, of
/// which instances are called.
fn is_template(function: &FunctionDef) -> bool {
    !function.parameters.is_empty()
}

/// More bodies than any kernel needs where they are called.
pub const MOST_BODIES: u32 = 10_000;

/// How many bodies have been put where they are called: each of them may hold calls of the
/// next, so that their number doubles with each.
#[derive(Default)]
struct Growth {
    bodies: u32,
    stopped: Option<tree::Span>,
    copied: Option<tree::Span>,
}

impl Growth {
    /// Counts a body; false if it is one too many.
    fn admits(&mut self, call: tree::Span) -> bool {
        self.bodies += 1;
        if self.bodies > MOST_BODIES {
            self.stopped.get_or_insert(call);
        }
        self.stopped.is_none()
    }
}

/// Numbers the constants that the module really uses.
struct Consts<'a> {
    program: &'a Program,
    ids: HashMap<usize, tree::ConstId>,
    used: Vec<usize>,
    /// The structs, each before those that contain it.
    structs: Vec<tree::Struct>,
    /// Which struct of the program each of them is, and what it is applied to.
    applied: Vec<(usize, Applied)>,
    lengths: HashSet<usize>,
}

impl Consts<'_> {
    fn id(&mut self, index: usize) -> tree::ConstId {
        let index = match self.program.canonical(Len::Const(index)) {
            Len::Const(index) => index,
            Len::Literal(_) => index,
        };
        *self.ids.entry(index).or_insert_with(|| {
            self.used.push(index);
            tree::ConstId(self.used.len() as u32 - 1)
        })
    }

    fn len(&mut self, len: Len) -> tree::Len {
        match self.program.canonical(len) {
            Len::Literal(number) => tree::Len::Literal(number),
            Len::Const(index) => {
                self.lengths.insert(index);
                tree::Len::Const(self.id(index))
            }
        }
    }

    /// The extent of a tile, given by the constant's place in the program.
    fn dimension(&mut self, dim: tree::Len) -> tree::Len {
        match dim {
            tree::Len::Const(tree::ConstId(index)) => self.len(Len::Const(index as usize)),
            literal => literal,
        }
    }

    /// A struct, applied to types and lengths that are all known.
    fn structure(&mut self, index: usize, applied: &Applied) -> tree::Type {
        let ty = Ty::Struct(index, applied.clone());
        let Ty::Struct(index, applied) = self.program.canonical_ty(&ty) else {
            unreachable!("a struct is a struct, whatever it is applied to")
        };
        let known = (index, applied);
        let position = self.applied.iter().position(|other| *other == known);
        let position = position.unwrap_or_else(|| {
            let fields = self.program.fields(index, &known.1).into_iter();
            let fields = fields
                .map(|(name, ty)| tree::Field {
                    ty: self.ty(&ty),
                    name,
                })
                .collect();
            self.structs.push(tree::Struct {
                name: name(self.program, &ty),
                fields,
            });
            self.applied.push(known);
            self.structs.len() - 1
        });
        tree::Type::Struct(tree::StructId(position as u32))
    }

    fn ty(&mut self, ty: &Ty) -> tree::Type {
        match ty {
            Ty::Unit
            | Ty::Bundle(_)
            | Ty::Error
            | Ty::Var(_)
            | Ty::Barrier
            | Ty::Closure(_)
            | Ty::Param(_)
            | Ty::Slice(_)
            | Ty::Reference { .. } => tree::Type::Unit,
            Ty::Never => tree::Type::Never,
            Ty::Scalar(scalar) => tree::Type::Scalar(*scalar),
            Ty::Tuple(parts) => tree::Type::Tuple(parts.iter().map(|part| self.ty(part)).collect()),
            Ty::Vector(scalar, count) => tree::Type::Vector(*scalar, *count),
            Ty::Matrix(count) => {
                let column = tree::Type::Vector(tree::Scalar::F32, *count);
                tree::Type::Array(Box::new(column), tree::Len::Literal(*count))
            }
            Ty::Array(element, len) => {
                tree::Type::Array(Box::new(self.ty(element)), self.len(*len))
            }
            Ty::Enum(index) => tree::Type::Scalar(self.program.enums[*index].repr),
            kept if let Some(target) = self.program.kept(kept) => self.ty(target),
            Ty::Struct(index, applied) => self.structure(*index, applied),
            Ty::Index(rank) => tree::Type::Index(*rank),
            Ty::Extent(rank) => tree::Type::Extent(*rank),
            Ty::Tiled(dims) => tree::Type::TiledIndex(dims.len() as u32),
            Ty::View(view) => tree::Type::View(tree::View {
                element: Box::new(self.ty(&view.element)),
                rank: view.rank,
                mutable: view.mutable,
            }),
        }
    }
}

/// One function under way.
struct FnLower<'a, 'p> {
    program: &'p Program,
    frame: Frame<'p>,
    /// The first tile_static variable of each function of the program.
    tile_statics: &'a [u32],
    /// Functions of the module by function of the program.
    ids: &'a HashMap<usize, tree::FunctionId>,
    growth: &'a mut Growth,
    next_label: u32,
    consts: &'a mut Consts<'p>,
    spans: &'a mut Spans,
    locals: Vec<tree::Local>,
    /// What has to be done before the expression at hand, to find a place in it.
    pending: Vec<tree::Statement>,
    /// The variables that are copies of places which were chosen.
    chosen: HashMap<tree::LocalId, Chosen>,
    /// The places that patterns take apart side by side, by a variable that stands for their tuple and is
    /// not used.
    side_by_side: HashMap<tree::LocalId, Vec<tree::Place>>,
    /// The variables that hold what references refer to which are assigned.
    held: HashSet<tree::LocalId>,
    /// The bounds of slices that are declared without a value, by variable.
    deferred: HashMap<tree::LocalId, [tree::LocalId; 2]>,
    /// The slices that are values.
    kept_slices: KeptSlices,
    /// The variables that are copies of what a reference refers to, which may be another one later.
    copies: HashSet<tree::LocalId>,
}

impl FnLower<'_, '_> {
    fn function(&mut self, fast_math: bool) -> tree::Function {
        let function = self.frame.function;
        self.declare_params();
        let params = self.locals.len() as u32;
        for local in &function.typed.locals[function.params.len()..] {
            let local = tree::Local {
                name: local.name.clone(),
                ty: self.consts.ty(&local.ty),
                span: self.spans.add(local.span),
            };
            self.locals.push(local);
        }
        let result = self.consts.ty(&function.result);
        let span = self.spans.add(function.item.sig.ident.span());
        let mut body = self.block(&function.item.block);
        self.resolve_kept_slices(&mut body, params);
        tree::Function {
            name: function.item.sig.ident.to_string(),
            params,
            locals: std::mem::take(&mut self.locals),
            result,
            body,
            fast_math,
            span,
        }
    }

    /// A new variable that the user did not write.
    fn temporary(&mut self, name: &str, ty: tree::Type, span: tree::Span) -> tree::LocalId {
        self.locals.push(tree::Local {
            name: format!("<{name}>"),
            ty,
            span,
        });
        tree::LocalId(self.locals.len() as u32 - 1)
    }

    fn span(&mut self, place: impl Locate) -> tree::Span {
        self.spans.add_place(place)
    }
}

/// `local`, as a place.
fn local_place(local: tree::LocalId, ty: tree::Type, span: tree::Span) -> tree::Place {
    tree::Place {
        root: tree::Root::Local(local),
        projections: Vec::new(),
        ty,
        span,
    }
}

/// The value that a place holds.
fn load(place: tree::Place) -> tree::Expr {
    tree::Expr {
        ty: place.ty.clone(),
        span: place.span,
        kind: tree::ExprKind::Load(place),
    }
}

/// `left op right`, where the right side may not be evaluated.
fn lazy(op: tree::LazyOp, left: tree::Expr, right: tree::Expr) -> tree::Expr {
    let span = left.span;
    tree::Expr {
        kind: tree::ExprKind::Lazy(op, Box::new(left), Box::new(right)),
        ty: tree::Type::BOOL,
        span,
    }
}

/// The `usize` literal `value`.
fn usize_literal(value: u32, span: tree::Span) -> tree::Expr {
    tree::Expr {
        kind: tree::ExprKind::Literal(tree::Literal::Usize(value)),
        ty: tree::Type::USIZE,
        span,
    }
}

/// Statements and then a value, as an expression.
fn sequence(statements: Vec<tree::Statement>, value: tree::Expr) -> tree::Expr {
    if statements.is_empty() {
        return value;
    }
    let (ty, span) = (value.ty.clone(), value.span);
    let mut statements = statements;
    let value = match ty {
        tree::Type::Unit | tree::Type::Never => {
            statements.push(tree::Statement::Expr(value));
            None
        }
        _ => Some(Box::new(value)),
    };
    tree::Expr {
        kind: tree::ExprKind::Block(Box::new(tree::Block {
            statements,
            value,
            ty: ty.clone(),
            span,
        })),
        ty,
        span,
    }
}

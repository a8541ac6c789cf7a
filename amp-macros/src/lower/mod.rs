//! From typed syntax to the compiler core's IR.
//!
//! Works on a [`Program`] that inference found nothing wrong with: every table is
//! complete, so lowering cannot fail. Patterns become variables and projections,
//! methods become operations, arithmetic of indices becomes arithmetic of their
//! components.

mod atomic;
mod block;
mod element;
mod expr;
mod matching;
mod operation;
mod place;

use std::collections::HashMap;

use amp_spirv::ir;

use crate::{
    infer::{FunctionDef, Len, Program, Ty},
    report::{Locate, Spans},
};

/// A program as the compiler core sees it.
pub struct Lowered {
    /// The module, without its source positions, which [`Spans`] still holds.
    pub module: ir::Module,
    /// Indices into [`Program::consts`] by [`ir::ConstId`].
    pub consts: Vec<usize>,
}

/// Lowers a program whose last function is a kernel.
pub fn lower(program: &Program, domain: ir::Domain, spans: &mut Spans) -> Lowered {
    let mut consts = Consts {
        program,
        ids: HashMap::new(),
        used: Vec::new(),
    };
    let structs = program
        .structs
        .iter()
        .map(|structure| ir::Struct {
            name: structure.name.clone(),
            fields: structure
                .fields
                .iter()
                .map(|(name, ty)| ir::Field {
                    name: name.clone(),
                    ty: consts.ty(ty),
                })
                .collect(),
        })
        .collect();
    let mut tile_statics = Vec::new();
    let mut functions = Vec::new();
    for function in &program.functions {
        let first_tile_static = tile_statics.len() as u32;
        for variable in &function.typed.tile_statics {
            tile_statics.push(ir::TileStatic {
                name: variable.name.clone(),
                ty: consts.ty(&variable.ty),
                span: spans.add(variable.span),
            });
        }
        functions.push(lower_function(
            function,
            first_tile_static,
            &mut consts,
            spans,
        ));
    }
    let domain = match domain {
        ir::Domain::Tiled { tile } => ir::Domain::Tiled {
            tile: tile.into_iter().map(|dim| consts.dimension(dim)).collect(),
        },
        range => range,
    };
    let kernel = program.functions.last();
    Lowered {
        module: ir::Module {
            name: kernel.map_or_else(String::new, |kernel| kernel.item.sig.ident.to_string()),
            domain,
            fast_math: false,
            structs,
            consts: consts
                .used
                .iter()
                .map(|&index| ir::Const {
                    name: program.consts[index].text.clone(),
                    ty: program
                        .scalar(&program.consts[index].ty)
                        .unwrap_or(ir::Scalar::Usize),
                })
                .collect(),
            tile_statics,
            functions,
            files: Vec::new(),
            locations: Vec::new(),
        },
        consts: consts.used,
    }
}

fn lower_function(
    function: &FunctionDef,
    first_tile_static: u32,
    consts: &mut Consts,
    spans: &mut Spans,
) -> ir::Function {
    let locals = function
        .typed
        .locals
        .iter()
        .map(|local| ir::Local {
            name: local.name.clone(),
            ty: consts.ty(&local.ty),
            span: spans.add(local.span),
        })
        .collect();
    let result = consts.ty(&function.result);
    let span = spans.add(function.item.sig.ident.span());
    let mut cx = FnLower {
        function,
        first_tile_static,
        consts,
        spans,
        locals,
    };
    let body = cx.block(&function.item.block);
    ir::Function {
        name: function.item.sig.ident.to_string(),
        params: function.params.len() as u32,
        locals: cx.locals,
        result,
        body,
        span,
    }
}

/// Numbers the constants that the module really uses.
struct Consts<'a> {
    program: &'a Program,
    ids: HashMap<usize, ir::ConstId>,
    used: Vec<usize>,
}

impl Consts<'_> {
    fn id(&mut self, index: usize) -> ir::ConstId {
        let index = match self.program.canonical(Len::Const(index)) {
            Len::Const(index) => index,
            Len::Literal(_) => index,
        };
        *self.ids.entry(index).or_insert_with(|| {
            self.used.push(index);
            ir::ConstId(self.used.len() as u32 - 1)
        })
    }

    fn len(&mut self, len: Len) -> ir::Len {
        match self.program.canonical(len) {
            Len::Literal(number) => ir::Len::Literal(number),
            Len::Const(index) => ir::Len::Const(self.id(index)),
        }
    }

    /// The extent of a tile, given by the constant's place in the program.
    fn dimension(&mut self, dim: ir::Len) -> ir::Len {
        match dim {
            ir::Len::Const(ir::ConstId(index)) => self.len(Len::Const(index as usize)),
            literal => literal,
        }
    }

    fn ty(&mut self, ty: &Ty) -> ir::Type {
        match ty {
            Ty::Unit | Ty::Error | Ty::Var(_) | Ty::Barrier => ir::Type::Unit,
            Ty::Never => ir::Type::Never,
            Ty::Scalar(scalar) => ir::Type::Scalar(*scalar),
            Ty::Tuple(parts) => ir::Type::Tuple(parts.iter().map(|part| self.ty(part)).collect()),
            Ty::Array(element, len) => ir::Type::Array(Box::new(self.ty(element)), self.len(*len)),
            Ty::Enum(index) => ir::Type::Scalar(self.program.enums[*index].repr),
            Ty::Struct(index) => ir::Type::Struct(ir::StructId(*index as u32)),
            Ty::Index(rank) => ir::Type::Index(*rank),
            Ty::Extent(rank) => ir::Type::Extent(*rank),
            Ty::Tiled(dims) => ir::Type::TiledIndex(dims.len() as u32),
            Ty::View(view) => ir::Type::View(ir::View {
                element: Box::new(self.ty(&view.element)),
                rank: view.rank,
                mutable: view.mutable,
            }),
        }
    }
}

/// One function under way.
struct FnLower<'a, 'p> {
    function: &'a FunctionDef,
    first_tile_static: u32,
    consts: &'a mut Consts<'p>,
    spans: &'a mut Spans,
    locals: Vec<ir::Local>,
}

impl FnLower<'_, '_> {
    /// A new variable that the user did not write.
    fn temporary(&mut self, name: &str, ty: ir::Type, span: ir::Span) -> ir::LocalId {
        self.locals.push(ir::Local {
            name: format!("<{name}>"),
            ty,
            span,
        });
        ir::LocalId(self.locals.len() as u32 - 1)
    }

    fn span(&mut self, place: impl Locate) -> ir::Span {
        self.spans.add_place(place)
    }
}

/// `local`, as a place.
fn local_place(local: ir::LocalId, ty: ir::Type, span: ir::Span) -> ir::Place {
    ir::Place {
        root: ir::Root::Local(local),
        projections: Vec::new(),
        ty,
        span,
    }
}

/// The value that a place holds.
fn load(place: ir::Place) -> ir::Expr {
    ir::Expr {
        ty: place.ty.clone(),
        span: place.span,
        kind: ir::ExprKind::Load(place),
    }
}

/// The `usize` literal `value`.
fn usize_literal(value: u32, span: ir::Span) -> ir::Expr {
    ir::Expr {
        kind: ir::ExprKind::Literal(ir::Literal::Usize(value)),
        ty: ir::Type::USIZE,
        span,
    }
}

/// Statements and then a value, as an expression.
fn sequence(statements: Vec<ir::Statement>, value: ir::Expr) -> ir::Expr {
    if statements.is_empty() {
        return value;
    }
    let (ty, span) = (value.ty.clone(), value.span);
    ir::Expr {
        kind: ir::ExprKind::Block(Box::new(ir::Block {
            statements,
            value: Some(Box::new(value)),
            ty: ty.clone(),
            span,
        })),
        ty,
        span,
    }
}

//! The tree: what a checked `restrict(amp)` function means.
//!
//! # Shape
//!
//! A [`Module`] is one kernel and everything it calls. It is a *tree*, as Rust is:
//! blocks have values, `if` and `loop` are expressions, and control flow is always
//! structured. Every type is known; every node carries a [`Span`].
//!
//! # Rules that the front end keeps
//!
//! [`verify()`] checks them, for all kernels of the tests, the examples and the documents.
//!
//! * `functions` is in callee-before-caller order, the kernel is the last one, and
//!   no function calls itself, directly or through others.
//! * A [`Local`] belongs to one function. A parameter is a local that the call
//!   initialises. Every other local is declared, by a `Let` or as the variable of a `for`,
//!   on each way to where it is used. What a block declares can be used behind it, since the
//!   names that the guard of a pattern declares are used behind the guard; what a loop or
//!   labelled block declares cannot.
//! * A local of [`Type::View`] is never assigned: it is a parameter, or it
//!   is declared by a `Let` with an [`ExprKind::Derive`], every time from the same view.
//!   An access declares a view that has no name of its own in its index.
//! * An expression of [`Type::View`] is an [`ExprKind::View`] or an [`ExprKind::Derive`];
//!   it is the value of a `Let`, a statement, an argument of a call, or what another is
//!   derived from. It may be read-only where what it names or is derived from is mutable.
//! * Both operands of a [`ExprKind::Binary`] have the same type, shifts excepted;
//!   for them the type of the result is the type of the left operand.
//! * On operands of [`Type::Vector`], unary, binary, math and cast expressions work
//!   component by component. A scalar among the operands stands for each component, and
//!   a comparison makes a vector of `bool`.
//! * The index of a view access has type [`Type::Index`] of the view's rank; the
//!   index of an array projection has type `usize` ([`IndexWidth::scalar`]).
//! * `Break`, `Continue`, `Return` and `Panic` have type [`Type::Never`], and so has a
//!   block without a value one of whose statements has it, or an `if` both of whose sides
//!   have it. A `Never` expression may stand where any type is wanted.
//! * A loop or labelled block has a label of its own in its function. Only a `loop` and a
//!   labelled block have values.
//! * Operands are evaluated left to right. In [`ExprKind::Assign`] the value is
//!   evaluated before the place; in [`ExprKind::AssignOp`] too.
//!
//! Expressions have no ids: what the checks find out about one they use while they walk over
//! it, and facts that outlive a walk are about variables, labels and functions, which have.
//!
//! # What it leaves out
//!
//! Type inference, name resolution and patterns are over when the tree is built. What
//! an operation does on a fault (out of bounds, division by zero) is not spelled
//! out in the tree: the emitter adds the check to each operation that can fault. Only
//! the faults that the user states are nodes: `assert!` is an `if` around an
//! [`ExprKind::Message`], `panic!` a message and then [`ExprKind::Panic`].

pub mod edit;
mod expr;
mod index;
mod layout;
mod message;
#[cfg(feature = "testing")]
mod parse;
mod place;
#[cfg(feature = "testing")]
mod rules;
mod scalar;
pub(crate) mod text;
mod types;
#[cfg(feature = "testing")]
pub(crate) mod typing;
#[cfg(feature = "testing")]
mod verify;
mod view;
pub(crate) mod visit;

pub use edit::{Edit, edit};
pub use expr::*;
pub use index::IndexWidth;
pub use layout::{Layout, MemoryLayout, multiple_of};
#[cfg(feature = "testing")]
pub use parse::{ParseError, parse};
pub use scalar::*;
pub use types::*;
#[cfg(feature = "testing")]
pub use verify::verify;
pub use view::*;

/// A place in the user's source: an index into [`Module::locations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span(pub u32);

/// File, line and column behind a [`Span`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// Index into [`Module::files`].
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// One kernel with all that it needs.
#[derive(Clone, Debug)]
pub struct Module {
    /// The kernel's Rust name.
    pub name: String,
    /// What the kernel runs over.
    pub domain: Domain,
    /// Where that is written: the type of the kernel's index.
    pub domain_span: Span,
    /// What it asks of the compiler.
    pub options: Options,
    /// How wide its indices are. If it is 64 bits, nothing in the module has the type `usize`
    /// or `isize`; [`Module::widen_index`] makes it so.
    pub index: IndexWidth,
    /// User structs, each before those that contain it.
    pub structs: Vec<Struct>,
    /// Constants that the host computes and hands over as specialization constants.
    pub consts: Vec<Const>,
    /// Variables shared by the threads of a tile.
    pub tile_statics: Vec<TileStatic>,
    /// Callees before callers; the kernel last.
    pub functions: Vec<Function>,
    /// Source files by [`Location::file`].
    pub files: Vec<String>,
    /// Source positions by [`Span`].
    pub locations: Vec<Location>,
}

impl Module {
    /// The kernel itself.
    ///
    /// # Panics
    ///
    /// If the module has no function, which no front end builds.
    pub fn kernel(&self) -> &Function {
        self.functions
            .last()
            .expect("a module ends with its kernel")
    }

    /// The function behind an id.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The source position behind a span.
    pub fn location(&self, span: Span) -> &Location {
        &self.locations[span.0 as usize]
    }
}

/// The compute domain that a kernel is written for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// `Index<rank>`: one thread for each point; the run time chooses workgroups.
    Range {
        /// Number of dimensions, at least 1.
        rank: u32,
    },
    /// `TiledIndex<rank, ..>`: workgroups are tiles.
    Tiled {
        /// Extents of a tile, most significant first; one to three of them.
        tile: Vec<Len>,
    },
}

impl Domain {
    /// Number of dimensions.
    pub fn rank(&self) -> u32 {
        match self {
            Domain::Range { rank } => *rank,
            Domain::Tiled { tile } => tile.len() as u32,
        }
    }
}

/// What a kernel asks of the compiler with the arguments of its attribute. The tree and MIR share
/// it, so that an option needs no code between the front end and the pass that follows it.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which threads of a tile each thread of a device runs.
    pub coarsening: Option<Coarsening>,
}

/// How many threads of a tile one thread of a device runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coarsening {
    /// In each dimension, most significant first.
    pub factors: Vec<u32>,
    /// Where that is written.
    pub span: Span,
}

impl Options {
    /// How many threads of a tile one thread runs in each dimension; none if each runs itself.
    pub fn factors(&self) -> &[u32] {
        self.coarsening.as_ref().map_or(&[], |it| &it.factors)
    }

    /// Writes the options that differ from the default, a line each.
    fn write(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // All fields, so that none is left out of the text.
        let Self { coarsening } = self;
        if let Some(Coarsening { factors, .. }) = coarsening {
            writeln!(f, "coarsen {}", text::factors_text(factors))?;
        }
        Ok(())
    }

    /// Reads one of the lines that [`Options::write`] writes, if the next is one.
    #[cfg(feature = "testing")]
    fn read(&mut self, tokens: &mut text::read::Tokens) -> text::read::Result<bool> {
        if !tokens.takes_word("coarsen") {
            return Ok(false);
        }
        self.coarsening = Some(Coarsening {
            factors: tokens.factors()?,
            span: Span(0),
        });
        Ok(true)
    }
}

/// A user's `#[amp_struct]`.
#[derive(Clone, Debug)]
pub struct Struct {
    /// Rust name.
    pub name: String,
    /// Fields in declaration order, laid out as `repr(C)`.
    pub fields: Vec<Field>,
}

/// One field of a [`Struct`].
#[derive(Clone, Debug)]
pub struct Field {
    /// Rust name.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// A value that rustc computes on the host: a `const`, an associated const, a const
/// generic, or the length expression of an array.
#[derive(Clone, Debug)]
pub struct Const {
    /// The Rust expression, for people.
    pub name: String,
    /// Its type.
    pub ty: Scalar,
}

/// A `#[tile_static]` variable.
#[derive(Clone, Debug)]
pub struct TileStatic {
    /// Rust name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Where it is declared.
    pub span: Span,
}

/// A kernel or a helper.
#[derive(Clone, Debug)]
pub struct Function {
    /// Rust name.
    pub name: String,
    /// The first `params` locals are the parameters. A kernel's first parameter is
    /// its index.
    pub params: u32,
    /// All variables, parameters first.
    pub locals: Vec<Local>,
    /// Type of the result.
    pub result: Type,
    /// What it does.
    pub body: Block,
    /// Whether its results need be no more exact than the device's own instructions.
    pub fast_math: bool,
    /// The function's name in the source.
    pub span: Span,
}

impl Function {
    /// The variable behind an id.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }
}

/// A variable of a function: a slot that can be read and assigned.
#[derive(Clone, Debug)]
pub struct Local {
    /// Rust name, or a name in angle brackets for one that the front end made.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Where it is declared.
    pub span: Span,
}

/// Index into [`Module::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FunctionId(pub u32);
/// Index into [`Function::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);
/// Index into [`Module::structs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StructId(pub u32);
/// Index into [`Module::consts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstId(pub u32);
/// Index into [`Module::tile_statics`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TileStaticId(pub u32);
/// Identifies a loop or labelled block within its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LabelId(pub u32);

//! Compile-time errors as data: a code, a message, a place, the causes, and what to
//! write instead.
//!
//! [`Code`] is the one list of codes. Each has a test of its message in `tests/ui`
//! and an entry in `docs/errors.md`. How a diagnostic is shown is the business of the
//! macros, which own the real spans.

use std::fmt;

use crate::tree::Span;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $number:literal,)*) => {
        /// The code of a compile-time error, stable across versions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Code { $($(#[$doc])* $name = $number,)* }

        impl Code {
            /// Every code, in order.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];
        }
    };
}

codes! {
    /// A construct that kernels do not have.
    UnsupportedSyntax = 1,
    /// A type that kernels do not have.
    UnsupportedType = 2,
    /// A call of something that is no `#[amp_fn]`.
    NotCallable = 3,
    /// A function that calls itself, directly or through others.
    Recursion = 4,
    /// A kernel or helper whose signature is not one.
    Signature = 5,
    /// A `#[tile_static]` variable that is misdeclared or misplaced.
    TileStatic = 6,
    /// A barrier that not all threads of a tile reach together.
    DivergentBarrier = 7,
    /// A tile with too many threads.
    TileTooLarge = 8,
    /// Two types that should be one.
    TypeMismatch = 9,
    /// A type that nothing determines.
    UnknownType = 10,
    /// A literal that its type cannot hold.
    LiteralRange = 11,
    /// A name that is not in scope.
    UnknownName = 12,
    /// A method or field that the type does not have in kernels.
    UnknownMember = 13,
    /// A pattern that kernels do not have.
    UnsupportedPattern = 14,
    /// A name that a macro of the standard library has, or a type that needs no import.
    ReservedName = 15,
    /// An argument of an attribute that it does not know.
    AttributeArgument = 16,
    /// An operator applied to types that do not have it.
    Operator = 17,
    /// A wrong number of arguments, indices or components.
    Arity = 18,
    /// An assignment to something that is no place or cannot be written.
    NotAssignable = 19,
    /// A struct that cannot be an `#[amp_struct]`.
    StructField = 20,
    /// A `break` or `continue` with nothing to leave.
    StrayJump = 21,
    /// A view used other than by indexing, `extent`, `row` or a call.
    ViewValue = 22,
    /// An index that is known to be outside of what it indexes.
    ConstantOutOfBounds = 23,
    /// A `#[tile_static]` variable that is read before anything is written to it.
    UninitialisedTileStatic = 24,
    /// Two threads of a tile that use the same memory at the same time.
    Race = 25,
    /// An enum that cannot be an `#[amp_enum]`, or cannot be where it is used.
    Enumeration = 26,
    /// An atomic operation on what is no number that several threads share.
    AtomicPlace = 27,
    /// An operation of a subgroup whose threads do not come to it together.
    Subgroup = 28,
    /// An `impl` block or another item that an `#[amp_module]` cannot have.
    Implementation = 29,
    /// A format string or an argument of one that kernels do not have.
    Format = 30,
    /// Local arrays that are too large for the memory of a thread.
    LocalArrays = 31,
    /// Threads of a tile that cannot be merged.
    Coarsening = 32,
    /// A reference where no reference can be, or of the wrong kind.
    Reference = 40,
    /// A closure where no closure can be.
    Closure = 41,
    /// Type parameters that nothing determines, or too many instances.
    Generic = 42,
    /// A name that means one item in Rust and another in a kernel.
    Resolution = 43,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AMP{:04}", *self as u16)
    }
}

/// One compile-time error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind of error.
    pub code: Code,
    /// What was wanted and what was found, in one sentence without a full stop.
    pub message: String,
    /// Where.
    pub span: Span,
    /// Other places that explain it, each with what it contributes.
    pub labels: Vec<(Span, String)>,
    /// What to write instead.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error with no labels and no help.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            span,
            labels: Vec::new(),
            help: None,
        }
    }

    /// Adds a place that explains the error.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }

    /// Says what to write instead.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}

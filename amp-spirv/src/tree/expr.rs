//! Expressions, places, statements and blocks.

use std::ops::BitOrAssign;

pub use crate::artifact::MessageKind;

use super::{ConstId, Derivation, FunctionId, LabelId, Literal, LocalId, Span, TileStaticId, Type};

/// Statements with an optional value at the end.
#[derive(Clone, Debug)]
pub struct Block {
    /// In order.
    pub statements: Vec<Statement>,
    /// The block's value; without it the block is `()`, or `!` if it does not end.
    pub value: Option<Box<Expr>>,
    /// Type of the block.
    pub ty: Type,
    /// The block in the source.
    pub span: Span,
}

/// One step of a block.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `let x = e;`, or `let x;` which leaves the slot undefined.
    Let {
        /// The slot.
        local: LocalId,
        /// Its first value.
        value: Option<Expr>,
    },
    /// `e;`
    Expr(Expr),
}

/// An expression: what it computes, its type, where it stands.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Type of the value.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// What an expression computes.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal.
    Literal(Literal),
    /// A specialization constant.
    Const(ConstId),
    /// `()`.
    Unit,
    /// The value of the expression's type that is all zeroes.
    Zero,
    /// The value that a place holds.
    Load(Place),
    /// `-x`, `!x`.
    Unary(UnaryOp, Box<Expr>),
    /// `a + b` and the like, comparisons included; `&` and `|` on `bool` too.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a && b`, `a || b`: the right side only if the left does not decide.
    Lazy(LazyOp, Box<Expr>, Box<Expr>),
    /// `x as T` where `T` is the type of this expression; both are scalars.
    Cast(Box<Expr>),
    /// A numeric method or function.
    Math(MathOp, Vec<Expr>),
    /// A tuple, struct, array of literal length, vector, `Index` or `Extent` from its parts.
    Construct(Vec<Expr>),
    /// `[x; N]`.
    Repeat(Box<Expr>),
    /// Component of a value that is no place: `f().0`. An array has them too.
    Field(Box<Expr>, u32),
    /// `v.extent()`, of type `Extent<N>`; the local is a view.
    ViewExtent(LocalId),
    /// A view by its name; the local is a view.
    View(LocalId),
    /// A view made from a view.
    Derive(Box<Derivation>),
    /// A call. Views are passed as [`ExprKind::View`] or [`ExprKind::Derive`].
    Call(FunctionId, Vec<Expr>),
    /// `place = value`.
    Assign(Box<Place>, Box<Expr>),
    /// `place op= value`.
    AssignOp(BinaryOp, Box<Place>, Box<Expr>),
    /// `if c { .. } else { .. }`; without `else` the second block is empty.
    If(Box<Expr>, Box<Block>, Box<Block>),
    /// `{ .. }`
    Block(Box<Block>),
    /// `'label: { .. break 'label value .. }`
    LabelledBlock(LabelId, Box<Block>),
    /// `loop`, `while`, `for`.
    Loop(Box<Loop>),
    /// `break 'label value`; the value is absent for `()`.
    Break(LabelId, Option<Box<Expr>>),
    /// `continue 'label`.
    Continue(LabelId),
    /// `return value`; the value is absent for `()`.
    Return(Option<Box<Expr>>),
    /// A fault in the user's words, or a print; goes on. Of type `()`.
    Message(Message),
    /// What `panic!()` does after its message: the function returns zero. Of type
    /// [`Type::Never`].
    Panic,
    /// `t_idx.barrier.wait()` and its flavours.
    Barrier(MemoryFence),
    /// `all_memory_fence(&t_idx.barrier)` and its flavours.
    Fence(MemoryFence),
    /// `device_memory_fence()`
    DeviceFence,
    /// `atomic_fetch_add(&mut place, value)` and the like.
    Atomic(Box<Atomic>),
    /// `subgroup::reduce_add(x)` and the like, of the operands that the operation takes.
    Subgroup(SubgroupOp, Vec<Expr>),
}

/// An access that no other thread can come between.
#[derive(Clone, Debug)]
pub struct Atomic {
    /// What is done.
    pub op: AtomicOp,
    /// An `i32`, `u32`, `i64` or `u64` in a tile_static variable or in an element of a mutable
    /// view, or an `f32` or `f64` to load, store, exchange, compare, add and subtract. Its
    /// indices are evaluated before the operands.
    pub place: Place,
    /// As many as the operation takes, of the place's type.
    pub operands: Vec<Expr>,
}

/// What an [`Atomic`] does. Its value is what the place held before, except that a store
/// has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum AtomicOp {
    Load,
    Store,
    Exchange,
    /// Operands: the new value, and the old one that it is to replace. Floats are compared by
    /// their bits.
    CompareExchange,
    Add,
    Sub,
    Min,
    Max,
    And,
    Or,
    Xor,
}

impl AtomicOp {
    /// Whether it looks at what the place holds.
    pub fn reads(self) -> bool {
        self != AtomicOp::Store
    }

    /// Whether it may change what the place holds.
    pub fn writes(self) -> bool {
        self != AtomicOp::Load
    }
}

/// What the threads of a subgroup do together. All threads of a tile do it at the same
/// time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubgroupOp {
    /// The number of lanes, a `usize`; the last subgroup of a tile may lack some.
    Size,
    /// The number of the thread's lane, a `usize`.
    Index,
    /// True in one thread.
    Elect,
    /// Nothing: its threads wait for each other, and see each other's writes.
    Barrier,
    /// Whether the operand, a `bool`, is true in all threads.
    All,
    /// Whether it is in any.
    Any,
    /// In which lanes it is: `[u32; 4]`.
    Ballot,
    /// What the first operand is in the lane that the second, a `usize`, names; zero if
    /// there is no such lane.
    Shuffle,
    /// The same, of the lane whose number is the thread's own with the second operand's
    /// bits flipped.
    ShuffleXor,
    /// The sum of the operand in all threads.
    Add,
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// The sum of the operand in this lane and those before it.
    InclusiveAdd,
    /// The sum of the operand in the lanes before this one.
    ExclusiveAdd,
}

/// Something that a kernel says: its operands travel, the host writes the text.
#[derive(Clone, Debug)]
pub struct Message {
    /// Where it goes.
    pub kind: MessageKind,
    /// The format string, whose arguments are all named by number.
    pub format: String,
    /// The arguments: scalars, `Index`, `Extent`, tuples and arrays of literal length of
    /// such, [`MESSAGE_WORDS`](crate::artifact::MESSAGE_WORDS) words in all.
    pub operands: Vec<Expr>,
}

/// Which memory a barrier or fence orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryFence {
    /// `wait`, `wait_with_all_memory_fence`, `all_memory_fence`.
    All,
    /// `wait_with_global_memory_fence`, `global_memory_fence`.
    Global,
    /// `wait_with_tile_static_memory_fence`, `tile_static_memory_fence`.
    TileStatic,
}

/// Classes of memory that threads share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SharedMemory {
    /// Elements of views.
    pub views: bool,
    /// tile_static variables.
    pub tile: bool,
}

impl BitOrAssign for SharedMemory {
    fn bitor_assign(&mut self, more: Self) {
        self.views |= more.views;
        self.tile |= more.tile;
    }
}

impl MemoryFence {
    /// The memory that it orders.
    pub fn orders(self) -> SharedMemory {
        let (views, tile) = match self {
            MemoryFence::All => (true, true),
            MemoryFence::Global => (true, false),
            MemoryFence::TileStatic => (false, true),
        };
        SharedMemory { views, tile }
    }
}

/// Something that holds a value and can be assigned.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where it starts.
    pub root: Root,
    /// How it goes on, outermost first.
    pub projections: Vec<Projection>,
    /// Type of the value it holds.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// Where a place starts.
#[derive(Clone, Debug)]
pub enum Root {
    /// A variable.
    Local(LocalId),
    /// A tile_static variable.
    TileStatic(TileStaticId),
    /// An element of a view.
    Element {
        /// A local of view type.
        view: LocalId,
        /// Of type `Index` of the view's rank.
        index: Box<Expr>,
    },
}

/// One step into a place.
#[derive(Clone, Debug)]
pub enum Projection {
    /// Field of a struct, component of a tuple or vector, field of a `TiledIndex`
    /// ([`super::TiledField`]).
    Field(u32),
    /// Element of an array, component of a vector, `Index` or `Extent`; of type `usize`.
    Index(Box<Expr>),
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Target of `break` and `continue`.
    pub label: LabelId,
    /// How it goes round.
    pub kind: LoopKind,
    /// Whether the device's compiler is asked to unroll it: `#[unroll]`.
    pub unroll: bool,
    /// What it does.
    pub body: Block,
}

/// How a loop goes round.
#[derive(Clone, Debug)]
pub enum LoopKind {
    /// `loop`: ends by `break` or `return` only.
    Infinite,
    /// `while c`.
    While(Expr),
    /// `for x in range`.
    For(ForRange),
}

/// An integer range with its adapters. The parts are evaluated once, in order.
#[derive(Clone, Debug)]
pub struct ForRange {
    /// Receives each value afresh; assigning it does not change the iteration.
    pub local: LocalId,
    /// `a` of `a..b`.
    pub start: Expr,
    /// `b` of `a..b`.
    pub end: Expr,
    /// `a..=b`.
    pub inclusive: bool,
    /// `.rev()` and `.step_by(n)`, first applied first.
    pub adapters: Vec<Adapter>,
}

/// What is done to a range.
#[derive(Clone, Debug)]
pub enum Adapter {
    /// `.rev()`
    Rev,
    /// `.step_by(n)`, `n` of type `usize`; a step of zero is a fault.
    StepBy(Expr),
}

/// A unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`, wrapping for integers.
    Neg,
    /// `!`, logical for `bool` and bitwise for integers.
    Not,
}

/// A binary operator. Integer arithmetic wraps; division by zero (and `MIN / -1`)
/// is a fault whose result is zero; a shift masks its count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl BinaryOp {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
        }
    }

    /// Whether its result is a `bool` whatever its operands are.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
        )
    }
}

/// A logical operator that may skip its right side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LazyOp {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// A numeric method or function; the operands are the receiver and then the
/// arguments of the Rust method of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum MathOp {
    /// Of `bool`, and two values of one type: the second if it holds, else the third.
    Select,
    // Integers and floats. For floats `min` and `max` return the operand that is
    // not NaN; `clamp` faults unless min <= max.
    Min,
    Max,
    Clamp,
    Abs,
    Signum,
    // Integers.
    CountOnes,
    CountZeros,
    LeadingZeros,
    TrailingZeros,
    LeadingOnes,
    TrailingOnes,
    ReverseBits,
    SwapBytes,
    RotateLeft,
    RotateRight,
    UnsignedAbs,
    AbsDiff,
    IntPow,
    IsPowerOfTwo,
    RemEuclid,
    DivEuclid,
    DivCeil,
    // Floats, exact.
    Sqrt,
    MulAdd,
    Floor,
    Ceil,
    Trunc,
    Round,
    RoundTiesEven,
    Fract,
    Copysign,
    ToBits,
    FromBits,
    IsNan,
    IsInfinite,
    IsFinite,
    IsSignNegative,
    IsSignPositive,
    // Floats, to the device's precision.
    Recip,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Exp,
    Exp2,
    Ln,
    Log2,
    Log10,
    Log,
    Powf,
    Powi,
    Hypot,
    Cbrt,
    ToDegrees,
    ToRadians,
}

//! What the compiler hands to the run time: the words of a kernel and what the host
//! must know to launch them.
//!
//! # The argument block
//!
//! A launch passes one block of bytes, in push constants if it has at most
//! [`PUSH_CONSTANT_BYTES`] bytes, else in a buffer whose address is then the only
//! push constant ([`Artifact::spilled`]). The block holds, in this order, each at
//! the next multiple of its alignment:
//!
//! | what | bytes | alignment |
//! |---|---|---|
//! | address of the launch's fault slot ([`FAULT_SLOT_BYTES`] bytes) | 8 | 8 |
//! | over `Index`: number of workgroups (used only when [`SPEC_LINEAR`] is on) | W | W |
//! | tiled, or if W is 8: number of the launch's first workgroup (likewise) | W | W |
//! | over `Index`: extent of the domain, most significant first | W N | W |
//! | tiled: tiles of each dimension but the most significant (likewise) | W (N - 1) | W |
//! | each parameter after the index, by [`Param`] | | |
//!
//! W are the bytes of [`Artifact::index`], 4 or 8. A view is the 8-byte address of its first
//! element (alignment 8), `N` extents and `N - 1` strides (in elements, most significant
//! first; the last dimension is always contiguous), each of W bytes. A value is its bytes in
//! scalar layout at a multiple of its alignment and of 4, a `bool` being a `u32` of 0 or 1,
//! a `usize` and an `isize` W bytes; a tuple is laid out as a struct of its components in
//! order.
//!
//! # Specialization constants
//!
//! [`SPEC_SIZE_X`] to [`SPEC_SIZE_Z`] are the workgroup's size (for a tiled kernel
//! the tile's, least significant dimension in x, divided by [`Artifact::merged`]), [`SPEC_CHECKED`] switches the
//! checks for faults, [`SPEC_LINEAR`] the way a kernel finds its point or tile,
//! [`SPEC_FLOAT_FAULTS`] chooses what floats are computed with in software,
//! [`SPEC_FOLDS_ZEROES`] keeps from the driver what it knows too much about, [`SPEC_FAR`]
//! (where indices have 64 bits) has addresses computed with 64 bits throughout,
//! [`SPEC_FOLDS_BITS`] hides integers from the driver, [`SPEC_CUTS_LOOPS`] finds loops that it
//! ends, [`SPEC_PROVEN`] switches off the checks that the host has made for the whole launch,
//! [`SPEC_WIDE`] runs several indices in a thread, and from [`SPEC_USER`] on stand the
//! user's constants, each of four bytes, or eight ([`Artifact::constant_bytes`]). Integers
//! narrower than that are extended, a `bool` is 0 or 1, and an `f16` or `bf16` is the `f32` of
//! the same value.
//!
//! # From workgroup to index
//!
//! Tiled: component `k` of `local` is `LocalInvocationId[N - 1 - k]`, of `tile`
//! `WorkgroupId[N - 1 - k]`. With [`SPEC_LINEAR`] on, for domains with more tiles in a dimension
//! than a grid has workgroups, a launch has no more workgroups than there are tiles, the number
//! `WorkgroupId.y * NumWorkgroups.x + WorkgroupId.x` is added to that of the launch's first
//! workgroup, and the sum is decoded row-major by the block's tiles.
//!
//! That is so for the first of the threads of a tile that a thread runs. The others are
//! as far from it in dimension `k` as multiples of the tile's extent divided by
//! [`Artifact::merged`]; they are numbered row-major.
//!
//! Over `Index`, with [`SPEC_LINEAR`] off: x is the
//! last component, y the one before it, z all others flattened; threads outside the
//! extent do nothing. With it on: workgroup
//! `WorkgroupId.y * NumWorkgroups.x + WorkgroupId.x` of the block's number of
//! workgroups (others do nothing) starts at that times the workgroup's size in x, and
//! the flat position is decoded row-major. Where W is 8 a domain can take several launches:
//! the block's first workgroup is added to the number, and the block's number of workgroups
//! counts from the first launch on.
//!
//! With [`SPEC_WIDE`] on, rows of `length` points have only `length / L + length % L` threads,
//! where `L` is [`Wide::lanes`]: the first `length / L` run `L` neighbouring points each, the
//! others one each.
//!
//! # The fault slot
//!
//! [`FAULT_SLOT_BYTES`] as `u32`, zeroed by the host before the launch. The first thread
//! that faults sets word 0 from 0 to 1 (atomically) and then fills: 1 the index of the
//! [`FaultSite`]; 2 to 4 `WorkgroupId`; 5 to 7 `LocalInvocationId`; from
//! [`FAULT_OPERANDS`] on the operands by [`FaultKind`], each of as many words as an index
//! has, the lower first. A kernel that prints finds the
//! address of the launch's print buffer at byte [`FAULT_SLOT_PRINTS`].
//!
//! # Operands of messages
//!
//! A [`Message`] travels as the words of its operands, at most [`MESSAGE_WORDS`]: a scalar is one
//! word or, if it has 64 bits, two, the lower first (its bits, a `bool` being 0 or 1), anything
//! else its components in order. The macros give the run time a function for each message that
//! turns the words into text.
//!
//! # The print buffer
//!
//! Word 0 counts the prints of a launch, from 0. From byte [`PRINT_HEADER_BYTES`] on
//! there is a record of [`Artifact::print_words`] words for each of the first
//! [`PRINT_RECORDS`]: 0 the index of the message, and for a thread that runs several as many
//! times the number of messages more as the one that prints comes after the first; 1 to 3 `WorkgroupId`; 4 to 6
//! `LocalInvocationId`; from [`PRINT_OPERANDS`] on the operands. Records of one thread
//! are in the order of its prints.

mod embedded;
mod proven;

use std::borrow::Cow;

pub use self::embedded::Embedded;
use crate::proof::Proofs;
use crate::remark::Remarks;

/// An argument block up to this size travels in push constants.
pub const PUSH_CONSTANT_BYTES: u32 = 128;
/// Size of a launch's fault slot.
pub const FAULT_SLOT_BYTES: u32 = 128;
/// The word of a fault slot at which operands start.
pub const FAULT_OPERANDS: u32 = 8;
/// The byte of a fault slot at which the address of the print buffer stands.
pub const FAULT_SLOT_PRINTS: u32 = FAULT_SLOT_BYTES - 8;
/// The most words that the operands of a message have.
pub const MESSAGE_WORDS: u32 = FAULT_SLOT_PRINTS / 4 - FAULT_OPERANDS;
/// Prints of a launch that are kept; what comes after them is only counted.
pub const PRINT_RECORDS: u32 = 1 << 14;
/// Where the records of a print buffer start.
pub const PRINT_HEADER_BYTES: u32 = 8;
/// The word of a record at which operands start.
pub const PRINT_OPERANDS: u32 = 7;

/// The most bytes that the local arrays of a thread take. The compiler of lavapipe
/// overflows its stack at an array of 256 KiB; a GPU may have room for less, which only its driver
/// finds out.
pub const MAX_ARRAY_BYTES: u64 = 128 << 10;

/// Specialization constant: workgroup size in x.
pub const SPEC_SIZE_X: u32 = 0;
/// Specialization constant: workgroup size in y.
pub const SPEC_SIZE_Y: u32 = 1;
/// Specialization constant: workgroup size in z.
pub const SPEC_SIZE_Z: u32 = 2;
/// Specialization constant: whether faults are checked for (boolean).
pub const SPEC_CHECKED: u32 = 3;
/// Specialization constant: whether workgroups are numbered linearly (boolean).
pub const SPEC_LINEAR: u32 = 4;
/// Specialization constant: the [`FloatFaults`] of the device.
pub const SPEC_FLOAT_FAULTS: u32 = 5;
/// Specialization constant: whether the driver folds zeroes wrongly (boolean).
pub const SPEC_FOLDS_ZEROES: u32 = 6;
/// Specialization constant: whether elements of views may end more than 4 GiB after the start
/// of their view (boolean).
pub const SPEC_FAR: u32 = 7;
/// Specialization constant: whether the driver folds integers of few known bits, and parts of
/// them, wrongly (boolean).
pub const SPEC_FOLDS_BITS: u32 = 8;
/// Specialization constant: whether the driver ends loops before they end themselves (boolean).
pub const SPEC_CUTS_LOOPS: u32 = 9;
/// Specialization constant: the groups of checks that hold in the launches of the pipeline, as
/// bits ([`Artifact::proven`]).
pub const SPEC_PROVEN: u32 = 10;
/// Specialization constant: whether the first threads of a row run several indices (boolean; see
/// [`Wide`]).
pub const SPEC_WIDE: u32 = 11;
/// Specialization constant: the user's first one.
pub const SPEC_USER: u32 = 16;

/// How wide a `usize` and an `isize` are on a device, and with them indices and extents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IndexWidth {
    /// 32 bits.
    #[default]
    Bits32,
    /// 64 bits: `#[amp_kernel(index = 64)]`.
    Bits64,
}

impl IndexWidth {
    /// How many bits that are.
    pub const fn bits(self) -> u32 {
        match self {
            IndexWidth::Bits32 => 32,
            IndexWidth::Bits64 => 64,
        }
    }

    /// How many bytes.
    pub const fn bytes(self) -> u32 {
        self.bits() / 8
    }

    /// How many words of 32 bits.
    pub const fn words(self) -> u32 {
        self.bits() / 32
    }
}

/// A compiled kernel. The macros place one in a `static` for each kernel, [embedded](Embedded).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Artifact {
    /// The kernel's Rust name, also the name of the SPIR-V entry point.
    pub name: Cow<'static, str>,
    /// SPIR-V 1.5, little-endian words.
    pub spirv: Cow<'static, [u8]>,
    /// Number of dimensions of the domain.
    pub rank: u32,
    /// Whether the kernel takes a `TiledIndex`.
    pub tiled: bool,
    /// How wide its indices are.
    pub index: IndexWidth,
    /// The faults that anything depends on, by [`SPEC_FLOAT_FAULTS`].
    pub float_faults: FloatFaults,
    /// Whether any thread can reach a barrier or an operation of its subgroup.
    pub has_barrier: bool,
    /// Whether the host version runs threads in lockstep; set by what writes the host version.
    pub in_lockstep: bool,
    /// Whether threads access no elements but those at their own index, and fault only where
    /// these are out of bounds.
    pub pointwise: bool,
    /// What the compiler did, for people.
    pub remarks: Remarks,
    /// The functions whose calls it all inlined.
    pub inlined: Cow<'static, [Cow<'static, str>]>,
    /// Parameters after the index, in order.
    pub params: Cow<'static, [Param]>,
    /// Size of the argument block.
    pub block_bytes: u32,
    /// Whether the block is reached through its address.
    pub spilled: bool,
    /// Bytes of each of the user's constants.
    pub constant_bytes: Cow<'static, [u32]>,
    /// What not every device has and this kernel needs.
    pub features: Cow<'static, [Feature]>,
    /// Source files by [`FaultSite::file`].
    pub files: Cow<'static, [Cow<'static, str>]>,
    /// Where and how the kernel can fault.
    pub faults: Cow<'static, [FaultSite]>,
    /// What asserts, panics and prints say, by [`FaultKind::Message`].
    pub messages: Cow<'static, [Message]>,
    /// Words of a record of the print buffer; 0 if the kernel prints nothing.
    pub print_words: u32,
    /// Checks that the host makes for each launch.
    pub proofs: Proofs,
    /// The wide kernel.
    pub wide: Wide,
    /// How many threads of a tile each thread runs in every dimension, most significant first;
    /// none if it runs one.
    pub merged: Cow<'static, [u32]>,
}

/// A second version of a kernel, whose threads run several neighbouring indices of the last
/// dimension. It checks no index, so it is for launches that all checks are
/// [proven](Proofs::groups) for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wide {
    /// How many indices; 0 if there is no such version.
    pub lanes: u32,
    /// The views, counted among the views of the kernel, of which it accesses so many neighbouring
    /// elements at once. Their first element and their rows start at multiples of that.
    pub views: Cow<'static, [u32]>,
}

/// What an assert, a panic or a print says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Where it goes.
    pub kind: MessageKind,
    /// The format string, whose arguments are all named by number: `"{0} of {1:?}"`.
    pub format: Cow<'static, str>,
}

/// Where a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MessageKind {
    /// It is the text of a fault.
    Fault,
    /// `print!`, `println!`: to standard output.
    Stdout,
    /// `eprint!`, `eprintln!`: to standard error.
    Stderr,
}

/// Where a device's arithmetic of floats differs from Rust's: a set of bits, the value of
/// [`SPEC_FLOAT_FAULTS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FloatFaults(pub u32);

impl FloatFaults {
    /// Comparisons, and conversions to `f64`, take denormals for zero.
    pub const COMPARISONS: Self = Self(1);
    /// The fused multiply-add takes denormals for zero.
    pub const FLUSHED_FMA: Self = Self(2);
    /// The fused multiply-add rounds the product, and so does that of `f64`.
    pub const SPLIT_FMA: Self = Self(4);
    /// Square roots are not correctly rounded.
    pub const SQRT: Self = Self(8);
    /// Quotients are not correctly rounded.
    pub const DIVISION: Self = Self(16);
    /// A denormal whose sign bit an integer operation flips becomes zero.
    pub const SIGN_BITS: Self = Self(32);
    /// Conversions between `f32` and `f16` do not round to nearest, or take denormals for zero.
    pub const HALVES: Self = Self(64);
    /// All of these, which are tried at once.
    pub const ARITHMETIC: Self = Self(127);
    /// There is no atomic addition to an `f32` in a view, or it does not round to nearest. What it
    /// makes of denormals does not matter.
    pub const ATOMIC_ADD: Self = Self(128);
    /// The same of `f64`.
    pub const ATOMIC_ADD_64: Self = Self(256);
    /// Where square roots have to be corrected by one step of Newton's method: that step leaves some
    /// that are not correctly rounded.
    pub const SQRT_STEP: Self = Self(512);

    /// Whether any of some faults is among these.
    pub const fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }
}

/// Something that a kernel can need and a device can lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// Integers of 8 bits.
    Int8,
    /// Integers of 16 bits.
    Int16,
    /// Integers of 64 bits.
    Int64,
    /// Floats of 64 bits.
    Float64,
    /// Arrays of 8-bit integers.
    Storage8,
    /// Arrays of 16-bit integers and floats.
    Storage16,
    /// Atomic operations of 64 bits on elements of views.
    Atomics64,
    /// Atomic operations of 64 bits on tile_static variables.
    TileAtomics64,
}

impl Feature {
    /// All of them.
    pub const ALL: [Feature; 8] = [
        Feature::Int8,
        Feature::Int16,
        Feature::Int64,
        Feature::Float64,
        Feature::Storage8,
        Feature::Storage16,
        Feature::Atomics64,
        Feature::TileAtomics64,
    ];

    /// Its name in Vulkan.
    pub fn name(self) -> &'static str {
        match self {
            Feature::Int8 => "shaderInt8",
            Feature::Int16 => "shaderInt16",
            Feature::Int64 => "shaderInt64",
            Feature::Float64 => "shaderFloat64",
            Feature::Storage8 => "storageBuffer8BitAccess",
            Feature::Storage16 => "storageBuffer16BitAccess",
            Feature::Atomics64 => "shaderBufferInt64Atomics",
            Feature::TileAtomics64 => "shaderSharedInt64Atomics",
        }
    }

    /// The types of the kernel language that need it.
    pub fn types(self) -> &'static str {
        match self {
            Feature::Int64 => "i64, u64, f64 and indices of 64 bits",
            Feature::Float64 => "f64",
            Feature::Int8 | Feature::Storage8 => "arrays of i8 and u8",
            Feature::Int16 | Feature::Storage16 => "arrays of i16, u16, f16 and bf16",
            Feature::Atomics64 => "atomic operations on i64, u64 and f64 in views",
            Feature::TileAtomics64 => "atomic operations on tile_static i64, u64 and f64",
        }
    }
}

/// One parameter of a kernel, as the argument block holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Rust name.
    pub name: Cow<'static, str>,
    /// Byte offset in the block.
    pub offset: u32,
    /// What it is.
    pub kind: ParamKind,
}

/// What a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// A view: address, extents, strides.
    View {
        /// Number of dimensions.
        rank: u32,
        /// Bytes of one element.
        element_bytes: u32,
        /// Whether the kernel reads elements.
        reads: bool,
        /// Whether the kernel writes elements.
        writes: bool,
    },
    /// A value of this many bytes.
    Value {
        /// Size in bytes.
        bytes: u32,
    },
}

/// An operation that can fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FaultSite {
    /// What goes wrong there.
    pub kind: FaultKind,
    /// For which of the indices of a thread, counted from its first; row-major, if it runs several
    /// threads of a tile.
    pub lane: u32,
    /// Index into [`Artifact::files`].
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// What can go wrong in a kernel, and what the two operands in the fault slot say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// Element of a view: the index in the first dimension that is out of bounds,
    /// and the extent there.
    OutOfBounds,
    /// A section that does not lie within its view: its origin and its extent in the
    /// first dimension where that is so.
    Section,
    /// `view_as` with more elements than its view has: how many it has, 0.
    Shape,
    /// `reinterpret` of a view whose bytes do not divide evenly: the number of its
    /// elements, and what that should be a multiple of.
    Elements,
    /// Element of a local or tile_static array: the index, the length.
    ArrayOutOfBounds,
    /// Integer division or remainder by zero: the dividend, 0.
    DivisionByZero,
    /// `MIN / -1`: the dividend, the divisor.
    DivisionOverflow,
    /// `step_by(0)`: 0, 0.
    ZeroStep,
    /// A loop that the driver ended before it ended itself, or that has such a loop within it:
    /// 0, 0. If it may have been any loop of the kernel: 1, 0.
    LoopCut,
    /// `clamp` with min > max or a NaN bound: the bits of min and max.
    EmptyClamp,
    /// A failed `assert!`, or a `panic!`, with its index in [`Artifact::messages`]: the
    /// words of the message's operands.
    Message(u32),
}

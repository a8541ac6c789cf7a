//! Proofs that a name means in Rust what it means in a kernel.
//!
//! A kernel sees a helper by the macro that has the helper's name, and a built-in function or type
//! by the name alone; rustc resolves the name on its own. What the macros write compiles only
//! if both come to the same item.
//!
//! A function has a type of its own, so that types tell functions apart too. An exported item is
//! found by its id, [`Defined`], wherever it stands and whoever can name it: each id has one
//! implementation, so that rustc infers the parameter. Behind it there is a type whose functions
//! return a [`Claim`] as `impl Sized`, which lets no one see the item, but lets its auto traits
//! through: the claim is `Unpin` exactly if its two types are one.

use std::marker::PhantomData;

use bytemuck::NoUninit;

/// The id of an exported item, unique across crates.
#[derive(Debug)]
pub struct Id<const ID: u64>;

/// What an exported item is known by, without its path. `L` is local to where it is defined, so
/// that any crate can implement this.
pub trait Defined<L> {
    /// Has the functions that prove.
    type Item;
}

/// The type that is exported with an id, whoever can name it. `T` is this type itself, so that
/// any crate can implement this, and one that is private; `A` are the arguments of its parameters.
pub trait TypeOf<T, A> {
    /// The type.
    type Type;
}

/// What compiles if a kernel and Rust take a name for the same item.
#[diagnostic::on_unimplemented(
    message = "[AMP0043] in Rust this name is `{Self}`, in a kernel it would be `{Other}`",
    label = "Rust and the kernel disagree about this name",
    note = "kernels find helpers and types by macros of their names, which a glob import brings \
            along, and built-in ones by the names alone; an explicit import, or an item of a macro, \
            may hide the one and not the other",
    note = "rename the item, or import it under another name: `use shapes::cbrt as my_cbrt;`"
)]
pub trait Same<Other> {}

impl<T> Same<T> for T {}

/// The claim that `Rust`, which a name means to rustc, is `Kernel`, whose tokens kernels have.
#[derive(Debug)]
pub struct Claim<Rust, Kernel>(PhantomData<fn() -> (Rust, Kernel)>);

impl<Rust: Same<Kernel>, Kernel> Unpin for Claim<Rust, Kernel> {}

impl<Rust, Kernel> Claim<Rust, Kernel> {
    /// Of a type.
    #[inline(always)]
    pub const fn of_type() -> Self {
        Self(PhantomData)
    }

    /// Of a function.
    #[inline(always)]
    pub const fn of(_: Kernel) -> Self
    where
        Kernel: Copy,
    {
        Self(PhantomData)
    }
}

/// What stands in the stead of what comes along with a kernel's trait.
#[derive(Debug)]
pub struct NoTrait;

impl NoTrait {
    /// Says nothing.
    pub const fn implied<T: ?Sized>(self, _: PhantomData<T>) {}
}

/// The claim that what an import brings along with a block's trait is that of the kernel's trait.
#[derive(Debug)]
pub struct OfTrait<Rust, Kernel>(PhantomData<fn() -> (Rust, Kernel)>);

impl<Rust: IsTrait<Kernel>, Kernel> Unpin for OfTrait<Rust, Kernel> {}

impl<Rust, Kernel> OfTrait<Rust, Kernel> {
    /// Of what the function beside the trait returns.
    #[inline(always)]
    pub const fn of(_: fn() -> Rust) -> Self {
        Self(PhantomData)
    }
}

/// What compiles if a kernel and Rust take the trait of a block for the same.
#[diagnostic::on_unimplemented(
    message = "[AMP0043] a kernel would take an `impl` block of another trait of the same name",
    label = "Rust and the kernel disagree about a trait that is named here",
    note = "where a type has methods of two traits of one name, kernels tell these apart by what \
            the module of the `impl` block says: rename one of the traits"
)]
pub trait IsTrait<Item> {}

/// What a method returns that Rust finds before all methods that a kernel could mean otherwise.
#[derive(Debug)]
pub struct MethodOfAKernel;

/// Compiles if the types are one.
pub const fn same_type<Rust: Same<Kernel>, Kernel>() {}

/// The claim that the functions are one.
pub const fn same_function<Rust: Copy, Kernel: Copy>(_: Rust, _: Kernel) -> Claim<Rust, Kernel> {
    Claim(PhantomData)
}

/// Whether two constants have the same bytes.
pub const fn same_value<T: NoUninit>(one: &T, other: &T) -> bool {
    let one: &[u8] = bytemuck::must_cast_slice(std::slice::from_ref(one));
    let other: &[u8] = bytemuck::must_cast_slice(std::slice::from_ref(other));
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Compiles if a bound by the user's `Scalar` is one by amp's.
pub const fn is_scalar<T: crate::Scalar>() {}

/// Compiles if a claim is true, which is never computed.
pub const fn holds<C: Unpin>(_: impl FnOnce() -> C + Copy) {}

/// The function, if the claim about it is true, which is never computed.
#[inline(always)]
pub const fn proven<F: Copy, C: Unpin>(function: F, _: impl FnOnce(F) -> C + Copy) -> F {
    function
}

/// What tells the generic parameters of a function to what stands in its stead, if the claim
/// about the function is true, which is never computed.
#[inline(always)]
pub const fn witness<F: Copy, G, C: Unpin>(
    _: F,
    _: impl FnOnce(F, PhantomData<G>) -> C + Copy,
) -> PhantomData<G> {
    PhantomData
}

/// Const parameters as types, and constant slices as arrays.
#[allow(non_camel_case_types, missing_docs, missing_debug_implementations)]
pub mod constant {
    use core::primitive as p;

    pub struct bool<const C: p::bool>;
    pub struct i8<const C: p::i8>;
    pub struct i16<const C: p::i16>;
    pub struct i32<const C: p::i32>;
    pub struct i64<const C: p::i64>;
    pub struct isize<const C: p::isize>;
    pub struct u8<const C: p::u8>;
    pub struct u16<const C: p::u16>;
    pub struct u32<const C: p::u32>;
    pub struct u64<const C: p::u64>;
    pub struct usize<const C: p::usize>;

    /// The array that a constant slice is, whose length a macro has read.
    ///
    /// # Panics
    ///
    /// If the slice has another length.
    pub const fn table<T: Copy, const N: p::usize>(slice: &[T]) -> [T; N] {
        match slice.first_chunk() {
            Some(array) if slice.len() == N => *array,
            _ => panic!("[AMP0043] Rust and the kernel disagree about the length of this constant"),
        }
    }
}

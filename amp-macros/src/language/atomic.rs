//! The atomic functions: `atomic_fetch_add(&mut place, value)` and the like.

use amp_spirv::tree::AtomicOp;

/// A function that does something atomically.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomicFunction {
    /// Its name, the same for the user and for the host version.
    pub name: &'static str,
    /// What it does.
    pub op: AtomicOp,
    /// What it takes after the place.
    pub takes: Takes,
}

/// What an atomic function takes after the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// Nothing: the operand is 1.
    One,
    /// A value.
    Value,
    /// `&mut expected` and a value.
    Expected,
}

const FUNCTIONS: &[AtomicFunction] = {
    const fn function(name: &'static str, op: AtomicOp, takes: Takes) -> AtomicFunction {
        AtomicFunction { name, op, takes }
    }
    &[
        function("atomic_load", AtomicOp::Load, Takes::Nothing),
        function("atomic_store", AtomicOp::Store, Takes::Value),
        function("atomic_exchange", AtomicOp::Exchange, Takes::Value),
        function(
            "atomic_compare_exchange",
            AtomicOp::CompareExchange,
            Takes::Expected,
        ),
        function("atomic_fetch_add", AtomicOp::Add, Takes::Value),
        function("atomic_fetch_sub", AtomicOp::Sub, Takes::Value),
        function("atomic_fetch_min", AtomicOp::Min, Takes::Value),
        function("atomic_fetch_max", AtomicOp::Max, Takes::Value),
        function("atomic_fetch_and", AtomicOp::And, Takes::Value),
        function("atomic_fetch_or", AtomicOp::Or, Takes::Value),
        function("atomic_fetch_xor", AtomicOp::Xor, Takes::Value),
        function("atomic_fetch_inc", AtomicOp::Add, Takes::One),
        function("atomic_fetch_dec", AtomicOp::Sub, Takes::One),
    ]
};

impl AtomicFunction {
    /// The function of this name.
    pub fn named(name: &str) -> Option<Self> {
        FUNCTIONS
            .iter()
            .find(|function| function.name == name)
            .copied()
    }

    /// The names of all of them.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FUNCTIONS.iter().map(|function| function.name)
    }

    /// Whether floats have this operation.
    pub fn works_on_floats(self) -> bool {
        use AtomicOp::{Add, CompareExchange, Exchange, Load, Store, Sub};
        matches!(
            (self.op, self.takes),
            (Load | Store | Exchange | CompareExchange, _) | (Add | Sub, Takes::Value)
        )
    }

    /// How it is called.
    pub fn usage(self) -> String {
        let rest = match self.takes {
            Takes::Nothing | Takes::One => "",
            Takes::Value => ", value",
            Takes::Expected => ", &mut expected, value",
        };
        format!("write `{}(&mut a[i]{rest})`", self.name)
    }
}

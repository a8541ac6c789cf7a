//! The memory that a thread needs: on a device for its arrays, on the CPU for its stack.
//!
//! Both are sums over the deepest chain of calls, on the safe side: what a function has counts
//! as if all of it were live when the function calls another. rustc alone knows lengths that are
//! constants, so the deepest chain is found for each product of them by itself.

use std::collections::BTreeMap;

use crate::tree::{
    ConstId, Expr, ExprKind, Function, Len, Module, Place, Root, Scalar, Span, Type,
    visit::{self, Node},
};

/// What a function takes on the CPU's stack besides its variables and values.
const FRAME_BYTES: u64 = 512;
/// What a variable or value takes there at least.
const SLOT_BYTES: u64 = 32;
/// What a view takes there.
const VIEW_BYTES: u64 = 256;
/// Bytes of a `usize` on the CPU.
const HOST_WORD: u64 = 8;
/// Bytes of a `usize` on a device, if it is one there.
const DEVICE_WORD: u64 = 4;
/// How many copies of a variable or value there are at most. Without optimisation, rustc keeps
/// one for each time that it is moved, in the function and in those of the standard library that
/// it is moved through.
const COPIES: u64 = 4;
/// How many times as much the element of a view takes while it is read or written: the CPU
/// accelerator does that with the element as a whole.
const ELEMENT_COPIES: u64 = 4;

/// A number of bytes, which may depend on constants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes {
    /// What is known.
    pub known: u64,
    /// What is to be added: factors of products of constants.
    pub products: BTreeMap<Vec<ConstId>, u64>,
}

impl Bytes {
    fn known(bytes: u64) -> Self {
        Self {
            known: bytes,
            products: BTreeMap::new(),
        }
    }

    fn add(&mut self, other: &Self) {
        self.merge(other, u64::saturating_add);
    }

    /// Raises it to no less than the other, whatever the constants are.
    fn raise_to(&mut self, other: &Self) {
        self.merge(other, u64::max);
    }

    fn merge(&mut self, other: &Self, with: impl Fn(u64, u64) -> u64) {
        self.known = with(self.known, other.known);
        for (constants, factor) in &other.products {
            let own = self.products.entry(constants.clone()).or_default();
            *own = with(*own, *factor);
        }
    }

    fn scaled(mut self, by: u64) -> Self {
        self.known = self.known.saturating_mul(by);
        for factor in self.products.values_mut() {
            *factor = factor.saturating_mul(by);
        }
        self
    }

    fn times(self, len: Len) -> Self {
        match len {
            Len::Literal(number) => self.scaled(number.into()),
            Len::Const(id) => {
                let known = (Vec::new(), self.known);
                let products = std::iter::once(known).chain(self.products);
                let longer = |(mut constants, factor): (Vec<ConstId>, u64)| {
                    constants.push(id);
                    constants.sort_unstable();
                    (constants, factor)
                };
                Self {
                    known: 0,
                    products: products
                        .filter(|(_, factor)| *factor > 0)
                        .map(longer)
                        .collect(),
                }
            }
        }
    }
}

/// What a thread needs of a function, with the deepest of its calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// For its arrays and what holds them, if they are [bulk](Module::is_bulk): variables,
    /// parameters, and results that do not become the value of a variable at once.
    pub arrays: Bytes,
    /// For the stack on the CPU, however the kernel is compiled.
    pub stack: Bytes,
    /// The largest variable among its arrays, if its length is known.
    pub largest: Option<Largest>,
}

/// A variable that takes much memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Largest {
    /// How much.
    pub bytes: u64,
    /// What it is called.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
}

impl Memory {
    /// What the kernel of a module needs.
    pub fn of(module: &Module) -> Self {
        let mut functions: Vec<Memory> = Vec::with_capacity(module.functions.len());
        for function in &module.functions {
            functions.push(needs(module, function, &functions));
        }
        let mut kernel = functions.pop().unwrap_or_default();
        // Threads that a device merges have arrays each.
        let merged = module.options.factors().iter();
        let merged = merged.fold(1_u64, |all, it| all.saturating_mul((*it).into()));
        kernel.arrays = kernel.arrays.scaled(merged);
        kernel
    }

    fn add(&mut self, other: &Self) {
        self.arrays.add(&other.arrays);
        self.stack.add(&other.stack);
        self.raise_largest(other.largest.as_ref());
    }

    fn raise_to(&mut self, other: &Self) {
        self.arrays.raise_to(&other.arrays);
        self.stack.raise_to(&other.stack);
        self.raise_largest(other.largest.as_ref());
    }

    fn raise_largest(&mut self, other: Option<&Largest>) {
        let bytes = |largest: Option<&Largest>| largest.map_or(0, |it| it.bytes);
        if bytes(other) > bytes(self.largest.as_ref()) {
            self.largest = other.cloned();
        }
    }
}

fn needs(module: &Module, function: &Function, functions: &[Memory]) -> Memory {
    let mut own = Memory {
        stack: Bytes::known(FRAME_BYTES),
        ..Memory::default()
    };
    for local in &function.locals {
        own.stack.add(&slot(module, &local.ty));
        if module.is_bulk(&local.ty) {
            let bytes = bytes(module, &local.ty, DEVICE_WORD);
            own.raise_largest(Some(&Largest {
                bytes: bytes.known,
                name: local.name.clone(),
                span: local.span,
            }));
            own.arrays.add(&bytes);
        }
    }
    let mut deepest = Memory::default();
    let makes_bulk = |expr: &Expr| makes_value(expr) && module.is_bulk(&expr.ty);
    let mut made: Vec<&Type> = Vec::new();
    visit::block(&function.body, &mut |node| match node {
        Node::Expr(expr) => {
            own.stack.add(&slot(module, &expr.ty));
            match &expr.kind {
                ExprKind::Call(callee, _) => deepest.raise_to(&functions[callee.0 as usize]),
                ExprKind::Load(place) => own.stack.add(&element(module, function, place)),
                ExprKind::Assign(place, _) | ExprKind::AssignOp(_, place, _) => {
                    own.stack.add(&element(module, function, place));
                }
                _ => {}
            }
        }
        Node::Done(expr) => made.extend(makes_bulk(expr).then_some(&expr.ty)),
        // What becomes the value of a variable is in that from the start; it was done last.
        Node::Let(_, Some(value)) if makes_bulk(value) => drop(made.pop()),
        Node::Let(..) => {}
    });
    for ty in made {
        own.arrays.add(&bytes(module, ty, DEVICE_WORD));
    }
    own.add(&deepest);
    own
}

/// Whether an expression is a value that was not there before.
fn makes_value(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Call(..) | ExprKind::Construct(_) | ExprKind::Repeat(_) | ExprKind::Zero
    )
}

/// What the element that a place is in takes on the CPU's stack.
fn element(module: &Module, function: &Function, place: &Place) -> Bytes {
    match &place.root {
        Root::Element { view, .. } => match &function.local(*view).ty {
            Type::View(view) => slot(module, &view.element).scaled(ELEMENT_COPIES),
            _ => Bytes::default(),
        },
        Root::Local(_) | Root::TileStatic(_) => Bytes::default(),
    }
}

/// What a variable or value takes on the CPU's stack.
fn slot(module: &Module, ty: &Type) -> Bytes {
    if !matches!(ty, Type::Array(..) | Type::Struct(_) | Type::Tuple(_)) {
        return Bytes::known(match ty {
            Type::View(_) => VIEW_BYTES,
            _ => bytes(module, ty, HOST_WORD).known.max(SLOT_BYTES),
        });
    }
    let mut slot = bytes(module, ty, HOST_WORD).scaled(COPIES);
    slot.known = slot.known.saturating_add(SLOT_BYTES);
    slot
}

/// The bytes of a value, where a scalar is a register of a device and a `usize` has `word` bytes.
fn bytes(module: &Module, ty: &Type, word: u64) -> Bytes {
    let sum = |parts: &mut dyn Iterator<Item = &Type>| {
        let mut sum = Bytes::default();
        parts.for_each(|part| sum.add(&bytes(module, part, word)));
        sum
    };
    let scalars = |scalar: Scalar, count: u32| {
        let bytes = match scalar {
            Scalar::Usize | Scalar::Isize => word,
            _ => u64::from(scalar.bits().max(32) / 8),
        };
        Bytes::known(bytes * u64::from(count))
    };
    match ty {
        Type::Scalar(scalar) => scalars(*scalar, 1),
        Type::Vector(scalar, count) => scalars(*scalar, *count),
        Type::Index(rank) | Type::Extent(rank) => scalars(Scalar::Usize, *rank),
        Type::TiledIndex(rank) => scalars(Scalar::Usize, 4 * rank),
        Type::Tuple(parts) => sum(&mut parts.iter()),
        Type::Struct(id) => {
            let fields = &module.structs[id.0 as usize].fields;
            sum(&mut fields.iter().map(|field| &field.ty))
        }
        Type::Array(element, len) => bytes(module, element, word).times(*len),
        Type::Unit | Type::Never | Type::View(_) => Bytes::default(),
    }
}

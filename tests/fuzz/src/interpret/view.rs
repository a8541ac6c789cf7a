//! Views: the elements of an array, or of some of it.

use amp_spirv::ir::{Derivation, Expr, Scalar, Type, View as ViewTy, ViewStep};

use super::Array;
use super::number;
use super::thread::{Flow, Thread};
use super::value::Value;

/// A view of an array.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Number of the array.
    pub array: usize,
    /// Position of the first element.
    offset: usize,
    pub extent: Vec<u64>,
    strides: Vec<u64>,
    /// Scalars that are read as others, of the same width.
    taken_as: Option<(Scalar, Scalar)>,
}

impl View {
    /// All of an array.
    pub fn whole(number: usize, array: &Array) -> Self {
        let extent: Vec<u64> = array.extent.iter().map(|&n| n.into()).collect();
        Self {
            array: number,
            offset: 0,
            strides: strides(&extent),
            extent,
            taken_as: None,
        }
    }

    /// Where an element is in the array, if the view has it.
    pub fn position(&self, index: &[u64]) -> Option<usize> {
        let inside = index.iter().zip(&self.extent).all(|(at, end)| at < end);
        inside.then(|| self.linear(index))
    }

    fn linear(&self, index: &[u64]) -> usize {
        let steps = index.iter().zip(&self.strides);
        self.offset + steps.map(|(a, b)| *a as usize * *b as usize).sum::<usize>()
    }

    /// An element as this view has it.
    pub fn taken(&self, element: Value) -> Value {
        match self.taken_as {
            Some((from, to)) => number::of_bits(to, number::to_bits(from, &element)),
            None => element,
        }
    }

    fn emptied(mut self) -> Self {
        self.extent.fill(0);
        self
    }
}

/// Row-major: the last component steps by one.
fn strides(extent: &[u64]) -> Vec<u64> {
    let mut strides = vec![1; extent.len()];
    for k in (1..extent.len()).rev() {
        strides[k - 1] = strides[k] * extent[k];
    }
    strides
}

impl<'a> Thread<'a> {
    /// A view made from a view; an empty one if it cannot be made.
    pub fn derived(&mut self, expr: &'a Expr, derivation: &'a Derivation) -> Flow {
        let mut view = match self.expr(&derivation.of)? {
            Value::View(view) => *view,
            other => panic!("{other:?} is no view"),
        };
        let mut numbers = Vec::new();
        for operand in derivation.operands() {
            numbers.push(match self.expr(operand)? {
                Value::Parts(parts) => parts.iter().map(Value::as_size).collect(),
                one => vec![one.as_size()],
            });
        }
        let made = match (&derivation.step, &*numbers) {
            (ViewStep::Section { .. }, [origin, extent]) => {
                let bounds = origin.iter().zip(extent).zip(&view.extent);
                let fits = bounds.fold(true, |fits, ((&origin, &extent), &whole)| {
                    fits && origin.checked_add(extent).is_some_and(|end| end <= whole)
                });
                view.extent = extent.clone();
                fits.then(|| view.offset = view.linear(origin))
            }
            (ViewStep::Row(_), [row]) => {
                let fits = row[0] < view.extent[0];
                let stride = view.strides.remove(0);
                view.extent.remove(0);
                fits.then(|| view.offset += (row[0] * stride) as usize)
            }
            (ViewStep::Shape(_), [extent]) => {
                let size = view.extent[0];
                let product = extent.iter().try_fold(1_u64, |product, &length| {
                    product.checked_mul(length).filter(|it| *it <= size)
                });
                view.strides = match product {
                    Some(_) => strides(extent),
                    None => vec![1; extent.len()],
                };
                view.extent = extent.clone();
                product.map(drop)
            }
            _ => {
                view.taken_as = elements(&derivation.of.ty).zip(elements(&expr.ty));
                Some(())
            }
        };
        if made.is_none() {
            self.faulted(expr.span);
            view = view.emptied();
        }
        Ok(Value::View(Box::new(view)))
    }
}

fn elements(ty: &Type) -> Option<Scalar> {
    match ty {
        Type::View(ViewTy { element, .. }) => element.scalar(),
        _ => None,
    }
}

//! The abstract value of a variable or expression: for each part that is tracked apart,
//! what it varies along among the threads of a tile.
//!
//! A leaf is uniform or varies for a [`Why`], which says along what; a join varies along what
//! either does, and keeps the first reason. Tuples, structs, `Index`, `Extent` and `TiledIndex`
//! may be split into [`Value::Parts`], and so may views, by [`ViewPart`]; a leaf in their place
//! speaks for all parts alike, so splitting is never needed, only more exact. Arrays are one leaf,
//! whatever their elements.

use super::cause::{Cause, Why};
use crate::analysis::varies::Varies;

/// What is known of a value.
#[derive(Clone, Debug)]
pub(super) enum Value<'m> {
    /// Uniform (`None`) or varying as a whole.
    Leaf(Option<Why<'m>>),
    /// The parts one by one.
    Parts(Vec<Value<'m>>),
}

/// The parts of a view.
#[derive(Clone, Copy)]
pub(super) enum ViewPart {
    /// What is read from it at an index that is uniform.
    Elements,
    Extent,
}

impl<'m> Value<'m> {
    /// The same in all threads of a tile.
    pub(super) const UNIFORM: Self = Value::Leaf(None);

    /// Different between threads.
    pub(super) fn varying(why: Why<'m>) -> Self {
        Value::Leaf(Some(why))
    }

    /// The reason for the first part that varies, with what all parts vary along.
    pub(super) fn why(&self) -> Option<Why<'m>> {
        match self {
            Value::Leaf(why) => why.clone(),
            Value::Parts(parts) => Cause::all(parts.iter().filter_map(Value::why)),
        }
    }

    fn is_uniform(&self) -> bool {
        self.why().is_none()
    }

    /// One leaf for the whole value.
    pub(super) fn flat(&self) -> Self {
        Value::Leaf(self.why())
    }

    /// Component `index`.
    pub(super) fn part(&self, index: usize) -> Self {
        match self {
            Value::Leaf(_) => self.clone(),
            Value::Parts(parts) => parts.get(index).cloned().unwrap_or(Value::UNIFORM),
        }
    }

    /// Component `index` of `count`, to be changed on its own.
    pub(super) fn part_mut(&mut self, index: usize, count: usize) -> Option<&mut Self> {
        if let Value::Leaf(_) = self {
            *self = Value::Parts(vec![self.clone(); count]);
        }
        match self {
            Value::Parts(parts) => parts.get_mut(index),
            Value::Leaf(_) => None,
        }
    }

    /// The least value above both; whether more varies than before.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        match (&mut *self, other) {
            (_, Value::Leaf(None)) => false,
            (Value::Parts(parts), Value::Parts(others)) if parts.len() == others.len() => parts
                .iter_mut()
                .zip(others)
                .fold(false, |changed, (part, other)| part.join(other) | changed),
            (Value::Leaf(None), other) => {
                *self = other.clone();
                !self.is_uniform()
            }
            (_, other) => other.why().is_some_and(|why| self.vary(&why)),
        }
    }

    /// Makes every part vary along what the reason says; whether there was one that did not.
    pub(super) fn vary(&mut self, why: &Why<'m>) -> bool {
        match self {
            Value::Leaf(Some(known)) if known.varies.includes(why.varies) => false,
            Value::Leaf(Some(known)) => {
                *known = known.and(why.varies);
                true
            }
            Value::Leaf(leaf) => {
                *leaf = Some(why.clone());
                true
            }
            Value::Parts(parts) => parts
                .iter_mut()
                .fold(false, |changed, part| part.vary(why) | changed),
        }
    }

    /// The value with its reasons rewritten; `rewrite` also gets the number of the leaf.
    pub(super) fn map(&self, rewrite: &mut dyn FnMut(usize, &Why<'m>) -> Why<'m>) -> Self {
        self.map_from(&mut 0, rewrite)
    }

    fn map_from(
        &self,
        next: &mut usize,
        rewrite: &mut dyn FnMut(usize, &Why<'m>) -> Why<'m>,
    ) -> Self {
        match self {
            Value::Leaf(why) => {
                let leaf = *next;
                *next += 1;
                Value::Leaf(why.as_ref().map(|why| rewrite(leaf, why)))
            }
            Value::Parts(parts) => Value::Parts(
                parts
                    .iter()
                    .map(|part| part.map_from(next, rewrite))
                    .collect(),
            ),
        }
    }

    /// The reason of leaf `number`, counted as by [`Value::map`].
    pub(super) fn leaf(&self, number: usize) -> Option<Why<'m>> {
        let mut found = None;
        self.map(&mut |leaf, why| {
            if leaf == number {
                found = Some(why.clone());
            }
            why.clone()
        });
        found
    }

    /// What of the value matters to a callee, as a key.
    pub(super) fn mask(&self) -> Mask {
        match self {
            Value::Leaf(why) => Mask::Leaf(why.as_ref().map_or(Varies::UNIFORM, |why| why.varies)),
            Value::Parts(parts) => Mask::Parts(parts.iter().map(Value::mask).collect()),
        }
    }
}

/// A [`Value`] without the reasons.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mask {
    /// What it varies along.
    Leaf(Varies),
    /// The parts one by one.
    Parts(Vec<Mask>),
}

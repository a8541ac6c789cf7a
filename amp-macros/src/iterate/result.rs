//! What the signatures say that functions return of iterators, closures and ranges.

use std::rc::Rc;

use proc_macro2::Ident;
use syn::{Block, FnArg, Generics, ReturnType, Signature, Type};

use super::{
    body::Body,
    signatures::{is_range, parts},
};
use crate::language::returned;

/// What a function returns, and how many arguments it is called with.
#[derive(Clone)]
pub struct Returned {
    pub given: usize,
    pub what: What,
    /// What it does before it returns an iterator, if that can be written where it is called.
    pub unfolded: Option<Rc<Body>>,
}

#[derive(Clone)]
pub enum What {
    /// The parts of an item: for each that is a reference, whether it is one to write.
    Iterator(Vec<Option<bool>>),
    /// How many parameters the closure has.
    Closure(usize),
    Range,
    /// A tuple: which of its parts are ranges.
    Tuple(Vec<bool>),
}

impl Returned {
    /// What a signature says.
    pub fn of(signature: &Signature) -> Option<Self> {
        let added = signature.inputs.iter().filter_map(|input| {
            let FnArg::Typed(typed) = input else {
                return None;
            };
            let name = returned::name_of(input).filter(|name| !returned::is_taken(name))?;
            Some((name, &*typed.ty))
        });
        let added: Vec<(&Ident, &Type)> = added.collect();
        let what = match (&*added, &signature.output) {
            ([], ReturnType::Type(_, ty)) => What::of_type(ty)?,
            ([], ReturnType::Default) => return None,
            ([(name, ty)], _) if *name == returned::EACH => {
                What::Iterator(parts(ty, signature).unwrap_or_default())
            }
            (all, _) => What::Closure(all.len()),
        };
        Some(Self {
            given: signature.inputs.len() - added.len(),
            what,
            unfolded: None,
        })
    }

    /// The same of a function with this body, in a block with these parameters.
    pub fn with_body(signature: &Signature, body: &Block, block: &Generics) -> Option<Self> {
        let mut returned = Self::of(signature)?;
        if let What::Iterator(_) = returned.what {
            returned.unfolded = Body::of(signature, body, block).map(Rc::new);
        }
        Some(returned)
    }
}

impl What {
    /// What a type is, if it is that of a range, or has one in it as the part of a tuple.
    fn of_type(ty: &Type) -> Option<Self> {
        match ty {
            Type::Tuple(tuple) => {
                let parts: Vec<bool> = tuple.elems.iter().map(is_range).collect();
                parts.contains(&true).then_some(Self::Tuple(parts))
            }
            ty => is_range(ty).then_some(Self::Range),
        }
    }
}

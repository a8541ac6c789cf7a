//! Exported constants: how they are checked, and when a function asks for them.

use quote::format_ident;
use syn::{ItemConst, ItemFn, Type, parse_quote_spanned};

use super::program::Program;
use crate::import::{Task, tables};

/// A helper that uses a constant of this name and type, as those of other crates do: what is wrong with it
/// is wrong with the constant.
pub(super) fn user_of(ItemConst { ident, ty, .. }: &ItemConst) -> ItemFn {
    let (ty, reference) = match &**ty {
        Type::Reference(reference) => (&*reference.elem, Some(reference.and_token)),
        ty => (ty, None),
    };
    let constant = format_ident!("{}{ident}", tables::PREFIX, span = ident.span());
    parse_quote_spanned! {ident.span()=>
        fn #ident() {
            const #constant: #ty = #ident;
            let value = #reference #constant;
        }
    }
}

/// Wants the exported constants that the program's own function may name, which cannot be compiled without
/// more, unless they have been asked for.
pub(super) fn want(program: &mut Program, task: &Task) {
    let Some(own) = program.functions.last() else {
        return;
    };
    let anchor = (&own.item.sig.ident, task.item.kind());
    let exported = tables::exported(&own.item.block, anchor).into_iter();
    let names = &task.closure.names;
    let new = exported.filter(|path| names.iter().all(|(known, _)| known != path));
    program.wanted.extend(new);
}

//! Types as messages show them.

use super::{
    program::Program,
    ty::{Kind, Len, Ty, Unifier},
};
use crate::language::glam::Glam;

/// A type as a message shows it, in backquotes where it is a name.
pub fn show(program: &Program, ty: &Ty, unifier: Option<&Unifier>) -> String {
    match ty {
        Ty::Var(var) => match unifier.map(|unifier| unifier.kind(*var)) {
            Some(Kind::Int) => "an integer".into(),
            Some(Kind::Float) => "a float".into(),
            _ => "an unknown type".into(),
        },
        Ty::Error => "an unknown type".into(),
        Ty::Unit => "`()`".into(),
        Ty::Never => "`!`".into(),
        Ty::Closure(_) => "a closure".into(),
        other => format!("`{}`", name(program, other)),
    }
}

/// A type as a message shows it, bare.
pub fn name(program: &Program, ty: &Ty) -> String {
    let length = |len: &Len| match len {
        Len::Literal(number) => number.to_string(),
        Len::Const(index) => program.consts[*index].text.clone(),
    };
    match ty {
        Ty::Scalar(scalar) => scalar.name().into(),
        Ty::Tuple(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| name(program, part)).collect();
            match &*parts {
                [one] => format!("({one},)"),
                many => format!("({})", many.join(", ")),
            }
        }
        Ty::Array(element, len) => format!("[{}; {}]", name(program, element), length(len)),
        Ty::Vector(..) | Ty::Matrix(_) => ty.glam().map(Glam::name).unwrap_or_default(),
        kept if let Some(target) = program.kept(kept) => format!("&{}", name(program, target)),
        kept if let Some(element) = program.kept_slice(kept) => {
            format!("&[{}]", name(program, element))
        }
        Ty::Struct(index, applied) => {
            let types = applied.types.iter().map(|ty| name(program, ty));
            let arguments: Vec<_> = types.chain(applied.lengths.iter().map(length)).collect();
            let name = &program.structs[*index].name;
            match arguments.is_empty() {
                true => name.clone(),
                false => format!("{name}<{}>", arguments.join(", ")),
            }
        }
        Ty::Bundle(index) => program.structs[*index].name.clone(),
        Ty::Enum(index) => program.enums[*index].name.clone(),
        Ty::Index(rank) => format!("Index<{rank}>"),
        Ty::Extent(rank) => format!("Extent<{rank}>"),
        Ty::Tiled(dims) => {
            let dims: Vec<_> = dims.iter().map(length).collect();
            format!("TiledIndex<{}, {}>", dims.len(), dims.join(", "))
        }
        Ty::Barrier => "TileBarrier".into(),
        Ty::View(view) => format!(
            "{}<{}, {}>",
            if view.mutable {
                "&mut ArrayViewMut"
            } else {
                "&ArrayView"
            },
            name(program, &view.element),
            view.rank
        ),
        Ty::Closure(_) => "a closure".into(),
        Ty::Param(index) => program.type_params[*index].shown.clone(),
        Ty::Slice(element) => format!("[{}]", name(program, element)),
        Ty::Reference { mutable, target } => {
            let sign = if *mutable { "&mut " } else { "&" };
            format!("{sign}{}", name(program, target))
        }
        Ty::Unit => "()".into(),
        Ty::Never => "!".into(),
        Ty::Var(_) | Ty::Error => "_".into(),
    }
}

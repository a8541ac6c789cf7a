//! The memory of a thread: its local arrays, over the deepest chain of calls, take at most
//! [`MAX_ARRAY_BYTES`].
//!
//! Arrays whose lengths are constants are counted where rustc knows these.

use crate::{
    artifact::MAX_ARRAY_BYTES,
    diagnostic::{Code, Diagnostic},
    memory::Memory,
    tree::Module,
};

/// Checks what is known of the kernel's arrays.
pub(super) fn check(module: &Module) -> Option<Diagnostic> {
    let Memory {
        arrays, largest, ..
    } = Memory::of(module);
    if arrays.known <= MAX_ARRAY_BYTES {
        return None;
    }
    let least = match arrays.products.is_empty() {
        true => "",
        false => "at least ",
    };
    let bytes = arrays.known;
    let message = format!(
        "the local arrays of this kernel take {least}{bytes} bytes, but a thread has room for \
         {MAX_ARRAY_BYTES}"
    );
    let kernel = module.kernel().span;
    let diagnostic = match largest {
        Some(largest) => Diagnostic::new(Code::LocalArrays, largest.span, message).label(
            largest.span,
            format!("`{}` takes {} bytes", largest.name, largest.bytes),
        ),
        None => Diagnostic::new(Code::LocalArrays, kernel, message),
    };
    let counted = "the variables, parameters and results of this kernel and of its deepest chain of \
                   calls are counted";
    Some(diagnostic.label(kernel, counted).help(
        "use a smaller array, an element of a view for each thread, or a `#[tile_static]` array \
         for all threads of a tile",
    ))
}

#[cfg(test)]
mod tests {
    use super::super::build;
    use super::*;
    use crate::tree::{Const, ConstId, Len, Scalar, Type};

    /// A kernel with a variable that is an array of these lengths.
    fn message(lengths: &[Len]) -> Option<String> {
        let mut module = build::kernel([]);
        module.consts.push(Const {
            name: "N".into(),
            ty: Scalar::Usize,
        });
        let array = |ty, &len: &Len| Type::Array(Box::new(ty), len);
        let kernel = module.functions.last_mut().unwrap();
        kernel.locals[build::ARRAY.0 as usize].ty = lengths.iter().fold(Type::F32, array);
        check(&module).map(|diagnostic| diagnostic.message)
    }

    #[test]
    fn the_limit_itself_fits() {
        assert_eq!(message(&[Len::Literal(32_768)]), None);
        assert_eq!(
            message(&[Len::Literal(32_769)]).unwrap(),
            "the local arrays of this kernel take 131076 bytes, but a thread has room for 131072"
        );
        let huge = message(&[Len::Literal(u32::MAX); 5]).unwrap();
        assert!(huge.contains(&u64::MAX.to_string()), "{huge}");
    }

    #[test]
    fn lengths_that_are_constants_are_left_to_rustc() {
        let lengths = [Len::Literal(u32::MAX), Len::Const(ConstId(0))];
        assert_eq!(message(&lengths), None);
    }
}

//! The operators that types of kernels implement: which make iterators.

use syn::{BinOp, ImplItem, ItemImpl, Type};

use super::signatures::type_name;

/// Each by its trait, the type that implements it, and the type of the result.
#[derive(Default)]
pub struct Operators(Vec<(String, String, String)>);

impl Operators {
    /// Adds that of a block, if it is one's.
    pub fn add(&mut self, block: &ItemImpl) {
        let of_trait = block
            .trait_
            .as_ref()
            .and_then(|(path, _)| path.segments.last());
        let (Some(of_trait), Some(own)) = (of_trait, operand(&block.self_ty)) else {
            return;
        };
        for part in &block.items {
            if let ImplItem::Type(result) = part
                && result.ident == "Output"
                && let Some(result) = type_name(&result.ty)
            {
                let result = if result == "Self" {
                    own.clone()
                } else {
                    result
                };
                self.0
                    .push((of_trait.ident.to_string(), own.clone(), result));
            }
        }
    }

    /// Whether the operator of a trait makes only such types of them, and there is one.
    pub fn make_only(&self, of_trait: &str, is_such: &dyn Fn(&str) -> bool) -> bool {
        let of_such = self
            .0
            .iter()
            .filter(|(known, own, _)| known == of_trait && is_such(own));
        let mut results = of_such.map(|(.., result)| is_such(result)).peekable();
        results.peek().is_some() && results.all(|is_such| is_such)
    }
}

/// The name of the type of an operand, or of what that refers to.
fn operand(ty: &Type) -> Option<String> {
    match ty {
        Type::Reference(reference) => operand(&reference.elem),
        ty => type_name(ty),
    }
}

/// The trait of an operator that makes a value.
pub fn trait_of(operator: &BinOp) -> Option<&'static str> {
    Some(match operator {
        BinOp::Add(_) => "Add",
        BinOp::Sub(_) => "Sub",
        BinOp::Mul(_) => "Mul",
        BinOp::Div(_) => "Div",
        BinOp::Rem(_) => "Rem",
        BinOp::BitAnd(_) => "BitAnd",
        BinOp::BitOr(_) => "BitOr",
        BinOp::BitXor(_) => "BitXor",
        BinOp::Shl(_) => "Shl",
        BinOp::Shr(_) => "Shr",
        _ => return None,
    })
}

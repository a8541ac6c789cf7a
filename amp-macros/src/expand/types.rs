//! Inferred types as Rust writes them.

use amp_spirv::{diagnostic::Code, tree::Scalar};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use syn::Path;

use crate::{
    import::number,
    infer::{FunctionDef, Len, Meaning, OfTrait, Program, Ty, unbounded},
    language::name::{standard_case as standard_case_of, standard_path},
    report::Report,
};

/// A scalar by a path that nothing can shadow.
pub fn scalar(scalar: Scalar) -> TokenStream {
    let name = Ident::new(scalar.name(), Span::call_site());
    match scalar.is_half() {
        true => quote!(::amp::__private::half::#name),
        false => quote!(::core::primitive::#name),
    }
}

/// A vector or matrix by a path that nothing can shadow.
pub fn glam(ty: &Ty) -> Option<TokenStream> {
    let name = Ident::new(&ty.glam()?.name(), Span::call_site());
    Some(quote!(::amp::__private::glam::#name))
}

/// The type as it can be written inside `function`, or `None` if it has a part that
/// the function has no name for.
pub fn written(program: &Program, function: &FunctionDef, ty: &Ty) -> Option<TokenStream> {
    Some(match ty {
        Ty::Unit => quote!(()),
        Ty::Scalar(kind) => scalar(*kind),
        Ty::Tuple(parts) => {
            let parts = parts
                .iter()
                .map(|part| written(program, function, part))
                .collect::<Option<Vec<_>>>()?;
            quote!((#(#parts,)*))
        }
        Ty::Array(element, len) => {
            let element = written(program, function, element)?;
            let length = length(program, function, *len)?;
            quote!([#element; #length])
        }
        Ty::Vector(..) | Ty::Matrix(_) => glam(ty)?,
        kept if let Some(target) = program.kept(kept) => {
            let target = written(program, function, target)?;
            quote!(::amp::__private::host_version::Kept<'_, #target>)
        }
        kept if let Some(element) = program.kept_slice(kept) => {
            let element = written(program, function, element)?;
            quote!(&[#element])
        }
        Ty::Struct(_, applied) if let Some(path) = of_core(program, ty) => {
            let types = applied
                .types
                .iter()
                .map(|ty| written(program, function, ty));
            let types = types.collect::<Option<Vec<_>>>()?;
            quote!(#path<#(#types),*>)
        }
        Ty::Struct(index, applied) => {
            let path = function.names.path_of(Meaning::Struct(*index));
            let path = path.and_then(|path| syn::parse_str::<Path>(path).ok());
            let mut types = applied.types.iter();
            let mut lengths = applied.lengths.iter();
            let arguments = program.structs[*index].parameters.in_order(|is_const| {
                if !is_const {
                    return written(program, function, types.next()?);
                }
                let length = length(program, function, *lengths.next()?)?;
                Some(match path {
                    Some(_) => length,
                    None => quote!(::amp::__private::constant::usize<#length>),
                })
            })?;
            match path {
                Some(path) if applied.is_empty() => quote!(#path),
                Some(path) => quote!(#path<#(#arguments),*>),
                None => by_id(&program.structs[*index].id, &arguments),
            }
        }
        Ty::Enum(_) if let Some(path) = of_core(program, ty) => path,
        Ty::Enum(index) => {
            let path = function.names.path_of(Meaning::Enum(*index));
            match path.and_then(|path| syn::parse_str::<Path>(path).ok()) {
                Some(path) => quote!(#path),
                None => by_id(&program.enums[*index].id, &[]),
            }
        }
        Ty::Param(index) => parameter(program, function, *index)?,
        Ty::Index(rank) => {
            let rank = Literal::u32_unsuffixed(*rank);
            quote!(::amp::Index<#rank>)
        }
        Ty::Extent(rank) => {
            let rank = Literal::u32_unsuffixed(*rank);
            quote!(::amp::Extent<#rank>)
        }
        Ty::Slice(element) => {
            let element = written(program, function, element)?;
            quote!([#element])
        }
        Ty::View(view) => {
            let name = if view.mutable {
                "ArrayViewMut"
            } else {
                "ArrayView"
            };
            let name = Ident::new(name, Span::call_site());
            let element = written(program, function, &view.element)?;
            let rank = Literal::u32_unsuffixed(view.rank);
            quote!(::amp::__private::cpu::#name<'_, #element, #rank>)
        }
        Ty::Tiled(_)
        | Ty::Bundle(_)
        | Ty::Never
        | Ty::Error
        | Ty::Var(_)
        | Ty::Barrier
        | Ty::Closure(_)
        | Ty::Reference { .. } => {
            return None;
        }
    })
}

/// A type parameter, or the associated type of one that it is.
fn parameter(program: &Program, function: &FunctionDef, index: usize) -> Option<TokenStream> {
    let parameter = &program.type_params[index];
    let name = &parameter.ident;
    let Some(projection) = &parameter.projection else {
        return Some(quote!(#name));
    };
    let of = self::parameter(program, function, projection.of)?;
    Some(match &projection.of_trait {
        OfTrait::Module(index) => {
            let path = function.names.path_of(Meaning::Trait(*index));
            match path.and_then(|path| syn::parse_str::<Path>(path).ok()) {
                Some(path) => quote!(<#of as #path>::#name),
                None => quote!(<#of>::#name),
            }
        }
        OfTrait::Operator(of_trait, other) => {
            let of_trait = Ident::new(of_trait, Span::call_site());
            let other = match other {
                Some(other) => Some(written(program, function, other)?),
                None => None,
            };
            let other = other.iter();
            quote!(<#of as ::core::ops::#of_trait #(<#other>)*>::#name)
        }
    })
}

/// The user's own type for what the host version may have another for: views, and structs with
/// views.
pub fn of_host(program: &Program, function: &FunctionDef, ty: &Ty) -> Option<TokenStream> {
    Some(match ty {
        Ty::View(view) => {
            let name = match view.mutable {
                true => quote!(ArrayViewMut),
                false => quote!(ArrayView),
            };
            let element = written(program, function, &view.element)?;
            let rank = Literal::u32_unsuffixed(view.rank);
            quote!(::amp::#name<'_, #element, #rank>)
        }
        Ty::Bundle(index) => {
            let path = function.names.path_of(Meaning::Struct(*index));
            match path.and_then(|path| syn::parse_str::<Path>(path).ok()) {
                Some(path) => quote!(#path<'_>),
                None => by_id(&program.structs[*index].id, &[]),
            }
        }
        Ty::Barrier => quote!(::amp::TileBarrier),
        Ty::Reference { mutable, target } => {
            let target = of_host(program, function, target)?;
            match mutable {
                true => quote!(&mut #target),
                false => quote!(&#target),
            }
        }
        // Any function that is called like that.
        Ty::Closure(index) => {
            let closure = &program.closures[*index];
            let params = closure.params.iter();
            let params: Vec<_> = params
                .map(|ty| of_host(program, function, ty))
                .collect::<Option<_>>()?;
            let result = of_host(program, function, &closure.result)?;
            quote!(fn(#(#params),*) -> #result)
        }
        ty => written(program, function, ty)?,
    })
}

/// A type that no path of the function leads to.
pub fn by_id(id: &str, arguments: &[TokenStream]) -> TokenStream {
    let id = number(id);
    quote! {
        <::amp::__private::Id<#id> as ::amp::__private::TypeOf<_, (#(#arguments,)*)>>::Type
    }
}

/// A length as it can be written inside `function`.
pub(super) fn length(program: &Program, function: &FunctionDef, len: Len) -> Option<TokenStream> {
    let len = program.canonical_if_open(len);
    let mut equal = program.lengths_equal_to(len).into_iter();
    equal.find_map(|len| match len {
        Len::Literal(number) => {
            let number = Literal::u32_unsuffixed(number);
            Some(quote!(#number))
        }
        Len::Const(index) => {
            let constant = &program.consts[index];
            // A length written in another function may mean nothing here.
            let owner = program.functions.get(constant.owner)?;
            let expr = &constant.expr;
            std::ptr::eq(owner, function).then(|| quote!({ #expr }))
        }
    })
}

/// A type of the standard library by a path that nothing can shadow.
fn of_core(program: &Program, ty: &Ty) -> Option<TokenStream> {
    standard_path(program.core_name(ty)?, Span::call_site())
}

/// A case of the standard library's by a path that nothing can shadow.
pub fn standard_case(name: &str, span: Span) -> TokenStream {
    let of = standard_case_of(name).and_then(|of| standard_path(of, span));
    let name = Ident::new(name, span);
    quote!(#of::#name)
}

/// What a fault leaves of this type.
pub fn zero_of(program: &Program, ty: &Ty) -> TokenStream {
    Zero {
        program,
        is_end: false,
    }
    .of(ty)
}

/// What a fault leaves of this type, if it has an `Option` or `Result` in it: of these, zero is the
/// first case.
pub fn zero(program: &Program, ty: &Ty) -> Option<TokenStream> {
    Zero {
        program,
        is_end: false,
    }
    .named(ty)
}

/// What a panic leaves of the result of a function, if `Zeroable` does not tell it. That zeroes are a value of what
/// type parameters stand for, inference requires of the instances.
pub fn end(program: &Program, ty: &Ty) -> Option<TokenStream> {
    Zero {
        program,
        is_end: true,
    }
    .named(ty)
}

/// What zeroes of a type are in Rust.
struct Zero<'a> {
    program: &'a Program,
    is_end: bool,
}

impl Zero<'_> {
    fn of(&self, ty: &Ty) -> TokenStream {
        self.named(ty)
            .unwrap_or_else(|| quote!(::amp::__private::bytemuck::Zeroable::zeroed()))
    }

    fn named(&self, ty: &Ty) -> Option<TokenStream> {
        let program = self.program;
        let is_unbounded = |ty| self.is_end && unbounded(program, ty).is_some();
        match ty {
            Ty::Param(_) if is_unbounded(ty) => {
                Some(quote!(::amp::__private::host_version::bounded::zeroes()))
            }
            Ty::Enum(_) if program.standard_name(ty) == Some("Ordering") => {
                Some(quote!(::core::cmp::Ordering::Equal))
            }
            Ty::Reference { mutable, target } if matches!(**target, Ty::Slice(_)) => {
                Some(match mutable {
                    true => quote!(&mut []),
                    false => quote!(&[]),
                })
            }
            Ty::Reference { mutable, target } => {
                let module = is_unbounded(target).then(|| quote!(bounded::));
                Some(match mutable {
                    true => quote!(::amp::__private::host_version::#module nowhere_mut()),
                    false => quote!(::amp::__private::host_version::#module nowhere()),
                })
            }
            kept if program.kept_slice(kept).is_some() => Some(quote!(&[])),
            Ty::Struct(..) if program.core_name(ty).is_none() => {
                match program.without_zero(ty).is_some() {
                    true => Some(quote!(
                        ::amp::__private::host_version::bounded::Fallback::fallback()
                    )),
                    false => is_unbounded(ty)
                        .then(|| quote!(::amp::__private::host_version::bounded::zeroes())),
                }
            }
            Ty::Struct(_, applied) => Some(match program.standard_name(ty)? {
                "Option" => standard_case("None", Span::call_site()),
                "Range" => {
                    let zero = self.of(&applied.types[0]);
                    quote!(#zero..#zero)
                }
                _ => {
                    let (ok, value) = (
                        standard_case("Ok", Span::call_site()),
                        self.of(&applied.types[0]),
                    );
                    quote!(#ok(#value))
                }
            }),
            Ty::Tuple(parts) if parts.iter().any(|part| self.named(part).is_some()) => {
                let parts = parts.iter().map(|part| self.of(part));
                Some(quote!((#(#parts,)*)))
            }
            Ty::Array(element, _) => {
                let zero = self.named(element)?;
                Some(quote!(::core::array::from_fn(|_| #zero)))
            }
            _ => None,
        }
    }
}

/// Refuses a call of which nothing can be proven.
pub(super) fn unknown_length(span: Span) -> TokenStream {
    let mut report = Report::default();
    report.error_help(
        Code::UnknownType,
        span,
        "a length here is a constant that another function names",
        "say it in this function, where the value is kept: `let x: [u32; N] = ..`",
    );
    report.to_tokens()
}

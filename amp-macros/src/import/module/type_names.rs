//! Types that one module declares, written as another may name them.
//!
//! What is left out has no name: types of files that cannot be read, trait objects, functions. rustc
//! proves that the names lead to the types.

use amp_spirv::tree::Scalar;
use proc_macro2::Literal;
use syn::{
    Expr, GenericArgument, Generics, Ident, Path, PathArguments, Type, TypePath, TypeReference,
    TypeSlice, parse_quote,
};

use super::{Enum, File, Found};
use crate::language::{core::TYPE_NAMES, glam, name::is_built_in_type};

/// How many aliases may stand for each other.
const DEEPEST: u32 = 16;

/// The types in the declaration of an item of the module `home` of a file, which the module `reader`
/// names by a path.
pub struct TypeNames<'a> {
    file: &'a File,
    home: usize,
    reader: (&'a File, usize),
    path: &'a Path,
    /// The parameters of the item, which have no other names.
    parameters: Vec<Ident>,
    depth: u32,
}

impl<'a> TypeNames<'a> {
    pub fn new(file: &'a File, home: usize, reader: (&'a File, usize), path: &'a Path) -> Self {
        Self {
            file,
            home,
            reader,
            path,
            parameters: Vec::new(),
            depth: DEEPEST,
        }
    }

    /// The same for an item with parameters.
    pub fn with(mut self, generics: &Generics) -> Self {
        let types = generics.type_params().map(|it| &it.ident);
        let lengths = generics.const_params().map(|it| &it.ident);
        self.parameters = types.chain(lengths).cloned().collect();
        self
    }

    /// A type, with numbers for its lengths and paths of the reader for its structs and enums.
    pub fn written_out(&self, ty: &Type) -> Option<Type> {
        Some(match ty {
            Type::Paren(paren) => self.written_out(&paren.elem)?,
            Type::Group(group) => self.written_out(&group.elem)?,
            Type::Array(array) => {
                let element = self.written_out(&array.elem)?;
                let length = self.length(&array.len)?;
                parse_quote!([#element; #length])
            }
            Type::Tuple(tuple) => {
                let parts = tuple.elems.iter();
                let parts: Vec<Type> = parts
                    .map(|part| self.written_out(part))
                    .collect::<Option<_>>()?;
                parse_quote!((#(#parts,)*))
            }
            Type::Reference(reference) => {
                let elem = Box::new(self.written_out(&reference.elem)?);
                Type::Reference(TypeReference {
                    elem,
                    ..reference.clone()
                })
            }
            Type::Slice(slice) => {
                let elem = Box::new(self.written_out(&slice.elem)?);
                Type::Slice(TypeSlice {
                    elem,
                    ..slice.clone()
                })
            }
            Type::Path(TypePath {
                qself: None, path, ..
            }) => self.path(path)?,
            _ => return None,
        })
    }

    fn is_parameter(&self, path: &Path) -> bool {
        self.parameters
            .iter()
            .any(|parameter| path.is_ident(parameter))
    }

    fn length(&self, length: &Expr) -> Option<Expr> {
        if let Expr::Path(path) = length
            && self.is_parameter(&path.path)
        {
            return Some(length.clone());
        }
        let number = self.file.number(self.home, length)?;
        let number = Literal::u64_unsuffixed(number);
        Some(parse_quote!(#number))
    }

    fn path(&self, path: &Path) -> Option<Type> {
        if self.is_parameter(path) {
            return Some(parse_quote!(#path));
        }
        let mut path = path.clone();
        let last = path.segments.last_mut()?;
        let name = last.ident.to_string();
        let arguments = std::mem::take(&mut last.arguments);
        let is_known =
            is_scalar(&last.ident) || glam::named(&name).is_some() || TYPE_NAMES.contains(&&*name);
        let mut named = match self.file.find(self.home, &path) {
            Found::Alias(file, home, alias) if arguments.is_none() => {
                let names = TypeNames {
                    depth: self.depth.checked_sub(1)?,
                    ..TypeNames::new(file, home, self.reader, self.path)
                };
                return alias.plain(&names);
            }
            Found::Struct(_) | Found::Enum(_) => self.named(&path)?,
            _ if is_known || is_built_in_type(&name) => path,
            _ => self.named(&path)?,
        };
        named.segments.last_mut()?.arguments = self.arguments(arguments)?;
        Some(parse_quote!(#named))
    }

    fn arguments(&self, arguments: PathArguments) -> Option<PathArguments> {
        let PathArguments::AngleBracketed(mut arguments) = arguments else {
            return Some(arguments);
        };
        for argument in &mut arguments.args {
            match argument {
                GenericArgument::Lifetime(_) | GenericArgument::Const(Expr::Lit(_)) => {}
                // A name may be that of a constant.
                GenericArgument::Type(ty) => match self.written_out(ty) {
                    Some(written) => *ty = written,
                    None => {
                        *argument = GenericArgument::Const(self.length(&parse_quote!(#ty))?);
                    }
                },
                _ => return None,
            }
        }
        Some(PathArguments::AngleBracketed(arguments))
    }

    /// A path by which the reader may name a struct or enum: the one at the declaration, or the same
    /// beside the item that is declared.
    fn named(&self, ty: &Path) -> Option<Path> {
        let (reader, at) = self.reader;
        let beside = |path: &Path| {
            let mut beside = path.clone();
            beside.segments.pop();
            beside.segments.pop_punct();
            // Of a constant of a type, beside that.
            if let Found::Struct(_) | Found::Enum(_) = reader.find(at, &beside) {
                beside.segments.pop();
                beside.segments.pop_punct();
            }
            beside.segments.extend(ty.segments.iter().cloned());
            beside
        };
        let imported = reader.imported(at, self.path);
        let candidates = [
            Some(ty.clone()),
            Some(beside(self.path)),
            imported.as_ref().map(beside),
        ];
        let is_known = |path: &Path| {
            let found = reader.find(at, path);
            matches!(
                found,
                Found::Struct(true) | Found::Enum(Enum { marked: true, .. })
            )
        };
        candidates.into_iter().flatten().find(is_known)
    }
}

impl File {
    /// The path that an import of a module stands for.
    fn imported(&self, at: usize, path: &Path) -> Option<Path> {
        let mut segments = path.segments.iter();
        let first = segments.next()?.ident.to_string();
        let meant = self.modules[at].imported.get(&first)?;
        let rest = segments.map(|segment| segment.ident.to_string());
        let names: Vec<String> = meant.iter().cloned().chain(rest).collect();
        syn::parse_str(&names.join("::")).ok()
    }
}

/// Whether a type of this name is a number or `bool`.
pub fn is_scalar(name: &Ident) -> bool {
    Scalar::from_name(&name.to_string()).is_some()
}

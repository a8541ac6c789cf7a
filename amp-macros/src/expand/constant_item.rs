//! `#[amp_const]`: a constant whose type kernels of other crates know.
//!
//! The constant stands there as it is written. Beside it are a proof of the type that is exported, in
//! which lengths are numbers and aliases are written out, and a module of its name with the names of
//! that type's parts, which may mean nothing where the constant is used:
//!
//! ```text
//! pub const CORNERS: [Point; SIDES] = ..;
//! const _: [Point; 4] = CORNERS;
//! pub mod CORNERS { pub type Point = ..; }
//! ```

use amp_spirv::diagnostic::Code;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{
    Expr, GenericArgument, Item, ItemConst, Path, PathArguments, Type, TypePath, parse_quote,
    parse_quote_spanned, spanned::Spanned,
};

use super::{proceed, task};
use crate::{
    attribute::{self, Arguments, TaskKind},
    import::{self, EntryKind, File, Task, export, lengths, siblings, tables},
    infer,
    language::{
        name::{is_optional_type, path_key},
        source::replaced,
    },
    report::Report,
    visit::{self, Visit, VisitMut},
};

/// Begins the compilation of a constant.
pub(super) fn start(item: &ItemConst, arguments: Arguments, mut report: Report) -> TokenStream {
    let kind = TaskKind::Constant;
    let mut item = item.clone();
    attribute::alone(Some(kind), &mut item.attrs, &mut report);
    let file = File::of(item.ident.span());
    let name = item.ident.to_string();
    let is_of_block = |file: &File| file.has_method(&name) && file.only_home_of(&name).is_none();
    if file.as_deref().is_some_and(is_of_block) {
        report.error_help(
            Code::Signature,
            &item.ident,
            "`#[amp_const]` is for constants of modules, and this is one of a type",
            "write `#[amp_fn]` before the `impl` block: kernels then know its constants, too",
        );
        let errors = report.to_tokens();
        return quote!(#errors #item);
    }
    let (told, number) = file.map_or((None, None), |file| file.exported(&item));
    let (mut exported, proofs) = exported(&item, told, &mut report);
    if let (Item::Const(exported), Some(number)) = (&mut exported, number) {
        let number = Literal::u64_unsuffixed(number);
        *exported.expr = parse_quote!(#number);
    }
    let paths = import::collect(&exported, &arguments).needed;
    let missing = import::without_foreign(&exported, kind, paths);
    siblings::check(&exported, kind, &missing, &mut report);
    let task = task(kind, arguments, exported, missing);
    let expansion = match report.is_clean() {
        true => proceed(&task),
        false => super::stub(&task),
    };
    let errors = report.to_tokens();
    quote!(#errors #item #proofs #expansion)
}

/// The constant with the type that is exported: the one that the file tells, or else the one that is
/// written, with numbers for lengths; and what proves these.
fn exported(item: &ItemConst, told: Option<Type>, report: &mut Report) -> (Item, TokenStream) {
    let (name, span) = (&item.ident, item.ty.span());
    let ty = match told {
        Some(told) => {
            let told = replaced(told.to_token_stream(), span, &|_| None);
            parse_quote_spanned!(span=> #told)
        }
        None => (*item.ty).clone(),
    };
    let mut exported = Item::Const(ItemConst {
        attrs: Vec::new(),
        ty: Box::new(ty),
        expr: parse_quote!(#name),
        ..item.clone()
    });
    let proofs = lengths::settle(&mut exported, &item.ident, TaskKind::Constant);
    let mut unknown = UnknownLengths(false);
    unknown.visit_item(&exported);
    if unknown.0 {
        report.error_help(
            Code::UnsupportedType,
            &item.ty,
            "only rustc knows how many elements this constant has",
            "write the number, or a constant of the crate; of a slice, write the elements out: `&[1.0, 2.0]`",
        );
    }
    (exported, proofs)
}

/// Whether a type has lengths that are no numbers.
struct UnknownLengths(bool);

impl Visit<'_> for UnknownLengths {
    fn visit_type(&mut self, ty: &Type) {
        self.0 |= match ty {
            Type::Slice(_) => true,
            Type::Array(array) => !matches!(array.len, Expr::Lit(_)),
            _ => false,
        };
        visit::visit_type(self, ty);
    }
}

/// What stands beside a constant all of whose type's parts have arrived.
pub(super) fn expand(task: &Task, item: &ItemConst) -> TokenStream {
    let mut report = Report::default();
    let program = infer::build(task, &mut report);
    let broken = program.broken || !report.is_clean();
    let export = export_of(task, item, broken);
    if broken {
        let errors = report.to_tokens();
        return quote!(#errors #export);
    }
    let name = &item.ident;
    let (ty, value) = match &*item.ty {
        Type::Reference(reference) => (&reference.elem, tables::referred(&reference.elem, name)),
        _ => (&item.ty, name.to_token_stream()),
    };
    let parts = parts(item);
    let number = number_of(item);
    let number = number.map(|number| {
        quote!(
            const _: () = ::core::assert!(#name == #number);
        )
    });
    quote!(const _: #ty = #value; #number #parts #export)
}

/// What stands beside a constant that cannot be exported.
pub(super) fn stub(task: &Task, item: &ItemConst) -> TokenStream {
    export_of(task, item, true)
}

fn export_of(task: &Task, item: &ItemConst, broken: bool) -> TokenStream {
    let (ty, number) = (&item.ty, number_of(item));
    let number = number.map(|number| quote!(= #number));
    let own = task.entry(EntryKind::Constant, broken, quote!(#ty #number));
    export(&item.ident, &item.vis, own, &task.closure)
}

/// The number that an exported constant is, if it is known.
fn number_of(item: &ItemConst) -> Option<&Expr> {
    Some(&*item.expr).filter(|value| matches!(value, Expr::Lit(_)))
}

/// The module with the names of the parts of a constant's type.
fn parts(item: &ItemConst) -> TokenStream {
    let mut parts = Parts::default();
    parts.visit_type_mut(&mut item.ty.clone());
    if parts.named.is_empty() {
        return TokenStream::new();
    }
    let (vis, name) = (&item.vis, &item.ident);
    let (mut own, mut public) = (TokenStream::new(), TokenStream::new());
    for (number, Part { path, name }) in parts.named.iter().enumerate() {
        let hidden = format_ident!("T{number}");
        let (parameters, arguments) = generic(path);
        let path = from_below(path);
        own.extend(quote!(pub type #hidden #parameters = #path #arguments;));
        public.extend(quote!(pub type #name #parameters = parts::#hidden #arguments;));
    }
    quote! {
        #[doc(hidden)]
        #[allow(non_snake_case)]
        #vis mod #name {
            mod parts {
                #[allow(unused_imports)]
                use super::super::*;
                #own
            }
            #public
        }
    }
}

/// The parameters of an alias for what a path is applied to, and these as its arguments.
fn generic(path: &Path) -> (TokenStream, TokenStream) {
    let Some(PathArguments::AngleBracketed(written)) =
        path.segments.last().map(|last| &last.arguments)
    else {
        return Default::default();
    };
    let names = (0..written.args.len()).map(|k| format_ident!("P{k}"));
    let names: Vec<Ident> = names.collect();
    let parameters = names.iter().zip(&written.args);
    let parameters = parameters.map(|(name, argument)| match argument {
        GenericArgument::Const(_) => quote!(const #name: ::core::primitive::usize),
        _ => quote!(#name),
    });
    (quote!(<#(#parameters),*>), quote!(<#(#names),*>))
}

/// A path without its arguments, as two modules below name it, which import all that the module has.
fn from_below(path: &Path) -> Path {
    let mut path = path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.arguments = PathArguments::None;
    }
    match path.segments.first().map(|first| first.ident.to_string()) {
        Some(first) if first == "self" || first == "super" => parse_quote!(super::super::#path),
        _ => path,
    }
}

/// A struct or enum in the type of a constant.
pub(super) struct Part {
    /// Its path, as it is written there.
    pub path: Path,
    /// Its name in the constant's module.
    pub name: Ident,
}

/// Finds the structs and enums in the type of a constant, in order.
#[derive(Default)]
pub(super) struct Parts {
    /// The path of the constant, through which they are to be named.
    pub constant: Option<Path>,
    /// What has been found.
    pub named: Vec<Part>,
}

impl Parts {
    fn name_of(&mut self, path: &Path) -> Option<Ident> {
        let last = &path.segments.last()?.ident;
        let mut known = self.named.iter();
        if let Some(known) = known.find(|known| path_key(&known.path) == path_key(path)) {
            return Some(known.name.clone());
        }
        let is_taken = self.named.iter().any(|known| known.name == *last);
        let name = match is_taken {
            true => format_ident!("{last}{}", self.named.len()),
            false => last.clone(),
        };
        self.named.push(Part {
            path: path.clone(),
            name: name.clone(),
        });
        Some(name)
    }
}

impl VisitMut for Parts {
    fn visit_type_path_mut(&mut self, ty: &mut TypePath) {
        let last = ty.path.segments.last().map(|last| last.ident.to_string());
        let is_everywhere =
            |name: String| infer::scalar(&name).is_some() || is_optional_type(&name);
        if ty.qself.is_none()
            && !last.is_none_or(is_everywhere)
            && let Some(name) = self.name_of(&ty.path)
            && let Some(constant) = &self.constant
            && let Some(last) = ty.path.segments.last()
        {
            let mut path = constant.clone();
            path.segments.push(name.into());
            if let Some(own) = path.segments.last_mut() {
                own.arguments = last.arguments.clone();
            }
            ty.path = path;
        }
        visit::visit_type_path_mut(self, ty);
    }
}

//! The arguments of the attributes: `#[amp_kernel(fast_math, index = 64, coarsen(4, 4), T = f32 | f64, instances = Scale)]`.
//!
//! [`Arguments::read`] is where an argument becomes known and where one that is unknown,
//! said twice or without its value is refused. What an argument does is the business of
//! the code that asks for it.

use amp_spirv::{
    diagnostic::Code,
    tree::{Coarsening, IndexWidth, Options},
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::format_ident;
use syn::{
    Attribute, Item, ItemEnum, ItemFn, Lit, Meta, Token, Type,
    ext::IdentExt,
    parenthesized,
    parse::{ParseStream, Parser},
    parse_quote,
    punctuated::Punctuated,
    token::Paren,
};

use crate::{
    ends::chooses,
    language::name::is_type_name,
    report::{Report, Spans},
    suggest::suggest_or,
};

/// Whether attributes ask for a loop to be unrolled.
pub fn is_unrolled(attributes: &[Attribute]) -> bool {
    attributes.iter().any(is_unroll)
}

/// Whether an attribute is `#[unroll]`.
pub fn is_unroll(attribute: &Attribute) -> bool {
    matches!(&attribute.meta, Meta::Path(path) if path.is_ident("unroll"))
}

/// The choice of a place that a `let` makes one branch of, as `sugar::chosen` writes it: those of one choice
/// have one type.
pub fn choice_of(attribute: &Attribute) -> Option<String> {
    let list = attribute.meta.require_list().ok()?;
    list.path.is_ident(CHOICE).then(|| list.tokens.to_string())
}

/// The attribute of such a `let`.
pub const CHOICE: &str = "__amp_choice";

/// An argument of an attribute, but for the types of a type parameter.
#[derive(Clone, Copy)]
enum Argument {
    FastMath,
    Index,
    Coarsen,
    Instances,
    Element,
    Exact,
    ByType,
}

const KERNEL: &[TaskKind] = &[TaskKind::Kernel];
const HELPER: &[TaskKind] = &[TaskKind::Function];
const BOTH: &[TaskKind] = &[TaskKind::Kernel, TaskKind::Function];

/// The arguments: their names, how they are written, and the attributes that take them.
const ARGUMENTS: &[(Argument, &str, &str, &[TaskKind])] = &[
    (Argument::FastMath, "fast_math", "fast_math", BOTH),
    (Argument::Index, "index", "index = 64", BOTH),
    (Argument::Coarsen, "coarsen", "coarsen(4, 4)", KERNEL),
    (
        Argument::Instances,
        "instances",
        "instances = Scale",
        KERNEL,
    ),
    (
        Argument::Element,
        "element",
        "element = Stored",
        &[TaskKind::Enum],
    ),
];

/// Those that only functions of the library have.
const OF_LIBRARY: &[(Argument, &str, &str, &[TaskKind])] = &[
    (Argument::Exact, "exact", "exact", HELPER),
    (Argument::ByType, "by_type", "by_type", HELPER),
];

/// The argument of this name.
fn argument(kind: TaskKind, name: &str) -> Option<Argument> {
    let library = if is_library() { OF_LIBRARY } else { &[] };
    let mut rows = ARGUMENTS.iter().chain(library);
    let row = rows.find(|(_, known, _, kinds)| *known == name && kinds.contains(&kind));
    row.map(|(argument, ..)| *argument)
}

/// The names of an attribute's arguments that anyone may write, and how they are written.
fn shown(kind: TaskKind) -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = ARGUMENTS.iter();
    let rows = rows.filter(move |(.., kinds)| kinds.contains(&kind));
    rows.map(|(_, name, written, _)| (*name, *written))
}

/// What stands in the parentheses of an attribute.
#[derive(Clone, Default)]
pub struct Arguments {
    /// As they are written.
    pub tokens: TokenStream,
    /// `fast_math`: results need be no more exact than the device's own instructions.
    pub fast_math: Option<Ident>,
    /// `exact`: a function of the library that is exact in kernels with `fast_math` too.
    pub exact: bool,
    /// `by_type`: a function of the library that is another one for `f32` and for `f64`.
    pub by_type: bool,
    /// `index = 64`: how many bits a `usize` has on a device.
    pub index: Option<IndexWidth>,
    /// `coarsen(4, 4)`: how many threads of a tile one thread of a device runs in each dimension.
    pub coarsening: Option<(Span, Vec<u32>)>,
    /// `element = Stored`: the struct for arrays that an enum has.
    pub element: Option<Ident>,
    /// `T = f32 | f64`: the types that a type parameter stands for.
    pub instances: Vec<(Ident, Vec<Type>)>,
    /// `instances = Scale`: the trait of the types that are listed.
    pub named: Option<Ident>,
}

impl Arguments {
    /// Reads the arguments of an attribute, of which those of structs and modules have none.
    pub fn read(kind: TaskKind, tokens: &TokenStream, report: &mut Report) -> Self {
        let mut arguments = Self {
            tokens: tokens.clone(),
            ..Self::default()
        };
        let parse = |input: ParseStream| {
            while !input.is_empty() {
                arguments.one(kind, input, report)?;
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        };
        if let Err(error) = parse.parse2(tokens.clone()) {
            report.error_help(
                Code::AttributeArgument,
                error.span(),
                format!("in the arguments of `#[{}]`: {error}", kind.attribute()),
                known(kind),
            );
        }
        arguments
    }

    /// Those of the attribute of ours that stands on a function. What is wrong with them is said where the
    /// function is compiled.
    pub fn of(item: &Item) -> Self {
        let Item::Fn(function) = item else {
            return Self::default();
        };
        let (kind, name) = match has_attribute(&function.attrs, "amp_kernel") {
            true => (TaskKind::Kernel, "amp_kernel"),
            false => (TaskKind::Function, "amp_fn"),
        };
        let mut elsewhere = Report::default();
        Self::read(kind, &arguments_of(&function.attrs, name), &mut elsewhere)
    }

    /// What a kernel asks of the compiler.
    pub fn options(&self, spans: &mut Spans) -> Options {
        let coarsening = self.coarsening.as_ref();
        Options {
            coarsening: coarsening.map(|(span, factors)| Coarsening {
                factors: factors.clone(),
                span: spans.add(*span),
            }),
        }
    }

    fn one(&mut self, kind: TaskKind, input: ParseStream, report: &mut Report) -> syn::Result<()> {
        let name = input.call(Ident::parse_any)?;
        let text = name.to_string();
        let is_new = match argument(kind, &text) {
            Some(Argument::FastMath) => self.fast_math.replace(name.clone()).is_none(),
            Some(Argument::Exact) => !std::mem::replace(&mut self.exact, true),
            Some(Argument::ByType) => !std::mem::replace(&mut self.by_type, true),
            Some(Argument::Index) => {
                let width = index_width(&name, input)?;
                self.index.replace(width).is_none()
            }
            Some(Argument::Coarsen) => {
                let factors = factors(&name, input)?;
                self.coarsening.replace((name.span(), factors)).is_none()
            }
            Some(Argument::Instances) => self.named.replace(trait_name(&name, input)?).is_none(),
            Some(Argument::Element) => {
                input.parse::<Token![=]>()?;
                self.element.replace(input.parse()?).is_none()
            }
            None if kind == TaskKind::Kernel && is_type_name(&text) && input.peek(Token![=]) => {
                input.parse::<Token![=]>()?;
                let mut types = vec![input.call(Type::without_plus)?];
                while input.parse::<Option<Token![|]>>()?.is_some() {
                    types.push(input.call(Type::without_plus)?);
                }
                let is_new = self.instances.iter().all(|(known, _)| *known != name);
                self.instances.push((name.clone(), types));
                is_new
            }
            None => {
                while !input.is_empty() && !input.peek(Token![,]) {
                    input.parse::<proc_macro2::TokenTree>()?;
                }
                report.error_help(
                    Code::AttributeArgument,
                    &name,
                    format!(
                        "`#[{}]` does not know the argument `{name}`",
                        kind.attribute()
                    ),
                    suggest_or(&text, shown(kind).map(|(name, _)| name), known(kind)),
                );
                true
            }
        };
        if !is_new {
            report.error_help(
                Code::AttributeArgument,
                &name,
                format!("the argument `{name}` stands here twice"),
                "say it once",
            );
        }
        Ok(())
    }
}

/// Refuses an item with more than one of our attributes, and takes all but the first off;
/// `own` is one that has been taken off already.
pub fn alone(mut own: Option<TaskKind>, attributes: &mut Vec<Attribute>, report: &mut Report) {
    attributes.retain(|attribute| {
        let last = attribute.path().segments.last();
        let Some(name) = last.map(|last| last.ident.to_string()) else {
            return true;
        };
        let Some(other) = TaskKind::ALL
            .into_iter()
            .find(|kind| kind.attribute() == name)
        else {
            return true;
        };
        let Some(kind) = own else {
            own = Some(other);
            return true;
        };
        let (message, help) = match other == kind {
            true => (
                format!("`#[{name}]` stands here twice"),
                "leave one of them out",
            ),
            false => (
                format!("`#[{}]` and `#[{name}]` on one item", kind.attribute()),
                "keep one: a kernel is launched by the host, a helper is called by kernels",
            ),
        };
        report.error_help(Code::AttributeArgument, attribute, message, help);
        false
    });
}

/// `= 32` or `= 64`
fn index_width(name: &Ident, input: ParseStream) -> syn::Result<IndexWidth> {
    let wanted = "an index has 32 or 64 bits: `index = 64`";
    if !input.peek(Token![=]) {
        return Err(syn::Error::new(name.span(), wanted));
    }
    input.parse::<Token![=]>()?;
    let bits: Lit = input.parse()?;
    match &bits {
        Lit::Int(bits) if bits.token().to_string() == "32" => Ok(IndexWidth::Bits32),
        Lit::Int(bits) if bits.token().to_string() == "64" => Ok(IndexWidth::Bits64),
        _ => Err(syn::Error::new(bits.span(), wanted)),
    }
}

/// `(4, 4)`
fn factors(name: &Ident, input: ParseStream) -> syn::Result<Vec<u32>> {
    let wanted = "`coarsen` has a number for each dimension of the tile: `coarsen(4, 4)`";
    if !input.peek(Paren) {
        return Err(syn::Error::new(name.span(), wanted));
    }
    let numbers;
    parenthesized!(numbers in input);
    let factors = Punctuated::<Lit, Token![,]>::parse_terminated(&numbers)
        .map_err(|error| syn::Error::new(error.span(), wanted))?;
    let factor = |factor: &Lit| match factor {
        Lit::Int(number) => number.base10_parse(),
        _ => Err(syn::Error::new(factor.span(), wanted)),
    };
    match factors.is_empty() {
        true => Err(syn::Error::new(name.span(), wanted)),
        false => factors.iter().map(factor).collect(),
    }
}

/// `= Scale`
fn trait_name(name: &Ident, input: ParseStream) -> syn::Result<Ident> {
    let wanted = "`instances` has the name of a trait, which it declares: `instances = Scale`";
    if !input.peek(Token![=]) {
        return Err(syn::Error::new(name.span(), wanted));
    }
    input.parse::<Token![=]>()?;
    let declared: Ident = input
        .parse()
        .map_err(|error| syn::Error::new(error.span(), wanted))?;
    match input.is_empty() || input.peek(Token![,]) {
        true => Ok(declared),
        false => Err(syn::Error::new(declared.span(), wanted)),
    }
}

/// What marks the struct by which arrays hold an enum: its default are zeroes.
pub const ELEMENT: &str = "amp_element";

/// What marks a struct that is refused for its padding, which its uses need not say again.
pub const PADDED: &str = "amp_padded";

/// What tells the traits that a type of a module has by blocks of the host, so that it does not derive them.
pub const IMPLEMENTED: &str = "amp_implemented";

/// What marks a function of a module whose references are Rust's own in the host version.
pub const OWN_REFERENCES: &str = "amp_own_references";

/// What marks a function that returns one of several slices.
pub const CHOOSES: &str = "amp_chooses";

/// The name of the struct by which arrays hold an enum, if its attribute gives it one. What is wrong with the
/// attribute is said elsewhere.
pub fn element_of(item: &ItemEnum) -> Option<Ident> {
    let tokens = arguments_of(&item.attrs, "amp_enum");
    let mut elsewhere = Report::default();
    let arguments = Arguments::read(TaskKind::Enum, &tokens, &mut elsewhere);
    arguments.element.filter(|_| elsewhere.is_clean())
}

/// What marks an exported helper as one with `fast_math` or without it in any kernel, for
/// indices of 64 bits, or chosen by type, for the kernels that call it; and those that a module has given it.
pub fn marks(arguments: &Arguments, item: &ItemFn) -> Vec<Attribute> {
    let of_module = item.attrs.iter().filter(|it| is_one(it, &[OWN_REFERENCES]));
    let mut marks: Vec<Attribute> = of_module.cloned().collect();
    if chooses(item) {
        let mark = format_ident!("{CHOOSES}");
        marks.push(parse_quote!(#[#mark]));
    }
    if arguments.fast_math.is_some() {
        marks.push(parse_quote!(#[fast_math]));
    }
    if arguments.exact {
        marks.push(parse_quote!(#[exact]));
    }
    if arguments.index == Some(IndexWidth::Bits64) {
        marks.push(parse_quote!(#[index_64]));
    }
    if arguments.by_type {
        marks.push(parse_quote!(#[by_type]));
    }
    marks
}

/// Whether a helper has the mark of `fast_math`.
pub fn has_fast_math(function: &ItemFn) -> bool {
    is_marked(function, "fast_math")
}

/// Whether a helper has the mark of one that is exact in any kernel.
pub fn is_exact(function: &ItemFn) -> bool {
    is_marked(function, "exact")
}

/// Whether a helper has the mark of indices of 64 bits.
pub fn has_wide_index(function: &ItemFn) -> bool {
    is_marked(function, "index_64")
}

fn is_marked(function: &ItemFn, mark: &str) -> bool {
    let mut attributes = function.attrs.iter();
    attributes.any(|attribute| attribute.path().is_ident(mark))
}

/// Whether a helper has the mark of one that is chosen by type.
pub fn is_by_type(function: &ItemFn) -> bool {
    is_marked(function, "by_type")
}

/// Whether it is a crate with functions of the library that is compiled.
fn is_library() -> bool {
    std::env::var("CARGO_CRATE_NAME").is_ok_and(|name| matches!(&*name, "amp" | "amp_math"))
}

/// What an attribute takes, as help.
fn known(kind: TaskKind) -> String {
    let name = kind.attribute();
    let written: Vec<String> = shown(kind).map(|(_, it)| format!("`{it}`")).collect();
    match kind {
        TaskKind::Kernel => format!(
            "it takes {} and, for a type parameter, `T = f32 | i32`: `#[{name}(fast_math, index = 64)]`",
            written.join(", ")
        ),
        TaskKind::Function => {
            format!("it takes {}: `#[{name}(fast_math)]`", written.join(" and "))
        }
        TaskKind::Enum => format!(
            "it takes {}: `#[{name}({})]`",
            written.join(", "),
            shown(kind).map(|(_, it)| it).collect::<String>()
        ),
        _ => format!("write `#[{name}]`"),
    }
}

/// Which attribute started the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskKind {
    /// `#[amp_kernel]`
    Kernel,
    /// `#[amp_fn]`
    Function,
    /// `#[amp_struct]`
    Struct,
    /// `#[amp_enum]`
    Enum,
    /// `#[amp_const]`
    Constant,
    /// `#[amp_module]`
    Module,
}

impl TaskKind {
    /// All of them.
    pub const ALL: [TaskKind; 6] = [
        TaskKind::Kernel,
        TaskKind::Function,
        TaskKind::Struct,
        TaskKind::Enum,
        TaskKind::Constant,
        TaskKind::Module,
    ];

    /// The attribute's name.
    pub fn attribute(self) -> &'static str {
        match self {
            TaskKind::Kernel => "amp_kernel",
            TaskKind::Function => "amp_fn",
            TaskKind::Struct => "amp_struct",
            TaskKind::Enum => "amp_enum",
            TaskKind::Constant => "amp_const",
            TaskKind::Module => "amp_module",
        }
    }
}

/// Whether one of the attributes has this name.
pub fn has_attribute(attributes: &[Attribute], name: &str) -> bool {
    find_attribute(attributes, name).is_some()
}

/// The attribute of this name, by whatever path.
pub fn find_attribute<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a Attribute> {
    attributes
        .iter()
        .find(|attribute| is_one(attribute, &[name]))
}

/// What stands in the parentheses of the attribute of this name.
pub fn arguments_of(attributes: &[Attribute], name: &str) -> TokenStream {
    match find_attribute(attributes, name).map(|attribute| &attribute.meta) {
        Some(Meta::List(list)) => list.tokens.clone(),
        _ => TokenStream::new(),
    }
}

/// Whether an attribute has one of these names, by whatever path.
pub fn is_one(attribute: &Attribute, names: &[&str]) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|last| names.iter().any(|name| last.ident == name))
}

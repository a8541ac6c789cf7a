//! `Option` and `Result`: enums with fields whose source the compiler brings along; and methods of
//! arrays, which come with it.
//!
//! To inference and `lower` they are generic enums like those of the program, and their methods
//! generic functions. The host version has the standard library's, which `expand` proves its names
//! to mean. A program without them does not read the source.

mod propagated;
#[cfg(test)]
#[allow(dead_code, missing_docs, clippy::all, clippy::pedantic)]
mod source;
mod unwrapped;

use std::{collections::HashMap, rc::Rc};

use amp_spirv::tree::Scalar;
use syn::{Item, ItemImpl};

use super::{
    case, implementation,
    names::{Meaning, Names},
    parameter,
    program::{FunctionDef, Program, Standard},
    signature,
    ty::Ty,
    typed::Typed,
};
use crate::{
    attribute::TaskKind,
    import::implementation as blocks,
    language::method::{METHODS_OF_ARRAYS, METHODS_OF_BOOL},
    report::Report,
    suggest::suggest_or,
};

/// The id of what is declared here.
const ID: &str = "core";

fn read(program: &mut Program) -> Option<Standard> {
    let mut file = syn::parse_str::<syn::File>(include_str!("source.rs")).ok()?;
    let of_arrays = syn::parse_str::<syn::File>(include_str!("array.rs")).ok()?;
    file.items.extend(of_arrays.items);
    blocks::complete(&mut file.items);
    // What may be wrong with it is wrong where it is called.
    let mut elsewhere = Report::default();
    let mut enums = Vec::new();
    let mut blocks = Vec::new();
    for item in file.items {
        match item {
            Item::Enum(item) => {
                let names = Names::default();
                enums.push(case::read(program, ID, &item, &names, &mut elsewhere));
            }
            Item::Impl(block) => blocks.push(block),
            _ => {}
        }
    }
    let &[option, result] = &*enums else {
        return None;
    };
    let names = [("Option", option), ("Result", result)];
    let names = names.map(|(name, index)| (name.to_owned(), Meaning::Struct(index)));
    Some(Standard {
        option,
        result,
        blocks,
        declared: Vec::new(),
        names: Names::of(HashMap::from(names)),
    })
}

impl Program {
    /// The enum of this name.
    pub fn standard(&mut self, name: &str) -> Option<usize> {
        if self.standard.is_none() {
            self.standard = read(self);
        }
        let standard = self.standard.as_ref()?;
        Some(match name {
            "Option" => standard.option,
            _ => standard.result,
        })
    }

    /// The name of the enum that a type is, if it is one of these.
    pub fn standard_name(&self, ty: &Ty) -> Option<&'static str> {
        let (Ty::Struct(index, _), Some(standard)) = (ty, &self.standard) else {
            return None;
        };
        let of = [(standard.option, "Option"), (standard.result, "Result")];
        let found = of.into_iter().find(|(known, _)| known == index);
        found.map(|(_, name)| name)
    }

    /// Whether a function is one of these enums'.
    pub fn is_standard(&self, function: usize) -> bool {
        self.functions[function].entry == ID
    }

    /// What to write instead of a method that these enums have not in kernels.
    pub fn standard_help(&self, name: &str) -> String {
        let functions = self.standard.iter().flat_map(|known| &known.blocks);
        let functions = functions.flat_map(blocks::functions);
        let names: Vec<String> = functions.map(|it| it.sig.ident.to_string()).collect();
        match name {
            "as_ref" | "as_mut" | "as_deref" | "copied" | "cloned" => {
                "its value is copied, and no reference is kept: leave it out, or `match` the place"
                    .to_owned()
            }
            "insert" | "get_or_insert" | "get_or_insert_with" => {
                "it returns a reference: assign, `x = Some(value)`, and `match` the place"
                    .to_owned()
            }
            _ => suggest_or(
                name,
                names.iter().map(|name| &**name),
                "`match` the value, or write it as an `#[amp_fn]`",
            ),
        }
    }

    /// Declares the functions of this name that these enums have, if a type is one of them, and
    /// those by which a `bool` makes one, and those of arrays.
    pub fn declare_standard(&mut self, ty: &Ty, name: &str) {
        match ty {
            Ty::Scalar(Scalar::Bool) if METHODS_OF_BOOL.contains(&name) => {
                self.standard("Option");
            }
            Ty::Array(..) if METHODS_OF_ARRAYS.contains(&name) => {
                self.standard("Option");
            }
            _ if self.standard_name(ty).is_none() => return,
            _ => {}
        }
        let Some(mut standard) = self.standard.take() else {
            return;
        };
        if !standard.declared.iter().any(|known| known == name) {
            standard.declared.push(name.to_owned());
            for block in &standard.blocks {
                for function in blocks::functions(block) {
                    if function.sig.ident == name {
                        self.declare_function(block, function, &standard.names);
                    }
                }
            }
        }
        self.standard = Some(standard);
    }

    fn declare_function(&mut self, block: &ItemImpl, item: syn::ItemFn, names: &Names) {
        let mut elsewhere = Report::default();
        let index = self.functions.len();
        let (mut parameters, arguments) = parameter::declare(self, &item.sig.generics, index);
        parameters.of_block = block.generics.params.len();
        let kind = TaskKind::Function;
        let (params, result) =
            signature::function(self, &item, names, kind, &arguments, &mut elsewhere);
        signature::closures(self, &item, names, &parameters, &arguments, &mut elsewhere);
        implementation::function(self, block, (&item, index), ID, names, &arguments);
        self.functions.push(FunctionDef {
            id: format!("{ID}::{}", item.sig.ident),
            entry: ID.to_owned(),
            names: names.clone(),
            item: Rc::new(item),
            body: None,
            params,
            result,
            is_member: true,
            typed: Typed::default(),
            within: None,
            parameters,
            arguments,
            template: None,
            outlined: None,
        });
    }
}

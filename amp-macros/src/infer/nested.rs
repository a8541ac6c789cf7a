//! Functions in bodies: helpers that only their block sees, and that see none of its
//! variables, as in Rust.
//!
//! They are functions of the program like others. Their constants count as those of the
//! item around them, where rustc computes them.

use std::rc::Rc;

use amp_spirv::diagnostic::Code;
use syn::{Attribute, Block, Item, ItemFn, Stmt};

use super::{
    context::FnCx, function::infer, generic, kept_slice, names::Meaning, parameter,
    program::FunctionDef, signature, ty::Ty, typed::Typed,
};
use crate::attribute::TaskKind;

impl FnCx<'_> {
    /// Declares the functions of a block, which see each other.
    pub fn nested_functions(&mut self, block: &Block) {
        let mut declared = Vec::new();
        for statement in &block.stmts {
            if let Stmt::Item(Item::Fn(item)) = statement {
                let index = self.declare_nested(item);
                declared.push((index, item));
            }
        }
        for (index, item) in declared {
            let mut names = self.names.clone();
            names.hide(&item.sig.generics);
            self.program.functions[index].names = names;
            let typed = infer(self.program, index, TaskKind::Function, self.report);
            self.program.functions[index].typed = typed;
            self.adopt_constants(index);
            self.typed.note(item).nested = Some(index);
            self.typed.callees.push((index, item.sig.ident.span()));
        }
    }

    fn declare_nested(&mut self, item: &ItemFn) -> usize {
        for attribute in &item.attrs {
            self.function_attribute(attribute);
        }
        let owner = self.program.functions.len();
        let (parameters, arguments) =
            parameter::declare(self.program, &item.sig.generics, owner, &self.names);
        let mut item = item.clone();
        item.attrs.clear();
        let mut names = self.names.clone();
        names.hide(&item.sig.generics);
        signature::closures(
            self.program,
            &item,
            &names,
            &parameters,
            &arguments,
            self.report,
        );
        let (params, result) = signature::function(
            self.program,
            &item,
            &names,
            TaskKind::Function,
            &arguments,
            self.report,
        );
        let name = item.sig.ident.to_string();
        self.program.functions.push(FunctionDef {
            id: String::new(),
            entry: String::new(),
            names,
            is_const: item.sig.constness.is_some(),
            item: Rc::new(item),
            body: None,
            is_member: kept_slice::lends(self.program, &params, &result)
                || generic::has_own_references(self.program, &params),
            params,
            result,
            typed: Typed::default(),
            within: Some(self.owner),
            parameters,
            arguments,
            template: None,
            outlined: None,
        });
        let index = self.program.functions.len() - 1;
        self.names.declare(&name, Meaning::Function(index));
        index
    }

    fn function_attribute(&mut self, attribute: &Attribute) {
        let ours = ["amp_fn", "amp_kernel"];
        let last = attribute.path().segments.last();
        if last.is_some_and(|segment| ours.iter().any(|name| segment.ident == name)) {
            self.report.error_help(
                Code::UnsupportedSyntax,
                attribute,
                "an attribute of amp on a function in a body",
                "leave it out: a kernel sees the functions in its body",
            );
        } else {
            self.attribute(attribute);
        }
    }

    /// Makes the constants of a nested function this function's own.
    fn adopt_constants(&mut self, nested: usize) {
        // What its const parameters stand for, its callers know.
        let parameters = &self.program.functions[nested].parameters.consts;
        for (index, constant) in self.program.consts.iter_mut().enumerate() {
            if constant.owner == nested && !parameters.contains(&index) {
                constant.owner = self.owner;
                // Named only under `as`, and so never asked for by itself.
                if matches!(constant.ty, Ty::Var(_)) {
                    constant.ty = Ty::Error;
                }
            }
        }
    }
}

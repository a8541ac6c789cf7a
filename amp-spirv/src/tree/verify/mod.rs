//! Whether a module keeps the rules of the tree.
//!
//! Checked are what the module is made of (here), the type of each expression (`rules`), and
//! where variables and labels can be used (`body`). What the model demands of a kernel is left to
//! the [checks](crate::check): those are mistakes of users, these of a front end.

mod body;
#[cfg(test)]
mod tests;

use super::rules::{Scope, fits};
use super::{Domain, Function, Len, Module, Scalar, Span, Type};

/// Checks a module.
///
/// # Errors
///
/// With what is wrong, in the order of the text.
///
/// ```
/// use amp_spirv::tree;
/// let text = "kernel k over Index<1>\nfn k#0(i: Index<1>) {\n    let x: u32 = 1i32;\n}\n";
/// let module = tree::parse(text).unwrap();
/// assert_eq!(tree::verify(&module).unwrap_err(), ["k at 3:18: `x` gets a i32"]);
/// ```
pub fn verify(module: &Module) -> Result<(), Vec<String>> {
    let mut errors = Vec::new();
    if let Err(message) = items(module) {
        errors.push(message);
    }
    for (number, function) in module.functions.iter().enumerate() {
        let mut verifier = Verifier::of(module, number);
        if let Err(message) = signature(module, function) {
            verifier.error(function.span, message);
        }
        verifier.body();
        errors.append(&mut verifier.errors);
    }
    if let Some(kernel) = module.functions.last() {
        errors.extend(kernel_signature(module, kernel).err());
    } else {
        errors.push("there is no kernel".to_owned());
    }
    match errors.is_empty() {
        true => Ok(()),
        false => Err(errors),
    }
}

/// What is wrong with one thing.
type Check = Result<(), String>;

fn items(module: &Module) -> Check {
    match &module.domain {
        Domain::Range { rank } if *rank == 0 => return Err("the domain has no rank".to_owned()),
        Domain::Range { .. } => {}
        Domain::Tiled { tile } => {
            if !(1..=3).contains(&tile.len()) {
                return Err("a tile has one to three dimensions".to_owned());
            }
            tile.iter().try_for_each(|len| length(module, *len))?;
        }
    }
    for (number, item) in module.structs.iter().enumerate() {
        let mut fields = item.fields.iter();
        let checked = fields.try_for_each(|it| value(module, &it.ty, number));
        checked.map_err(|message| format!("struct {}: {message}", item.name))?;
    }
    for item in &module.consts {
        scalar(module, item.ty).map_err(|message| format!("const {}: {message}", item.name))?;
    }
    for item in &module.tile_statics {
        let checked = value(module, &item.ty, module.structs.len());
        checked.map_err(|message| format!("tile_static {}: {message}", item.name))?;
    }
    Ok(())
}

/// Whether a length is one.
fn length(module: &Module, len: Len) -> Check {
    let Len::Const(id) = len else { return Ok(()) };
    match module.consts.get(id.0 as usize) {
        Some(item) if item.ty == module.index.scalar() => Ok(()),
        Some(item) => Err(format!("the length {} is no `usize`", item.name)),
        None => Err(format!("there is no constant #{}", id.0)),
    }
}

fn scalar(module: &Module, scalar: Scalar) -> Check {
    match module.index.settled(scalar) == scalar {
        true => Ok(()),
        false => Err(format!(
            "there is no {} where indices have 64 bits",
            scalar.name()
        )),
    }
}

/// Whether there is such a type, of anything but views, if there are so many structs.
fn value(module: &Module, ty: &Type, structs: usize) -> Check {
    match ty {
        Type::Unit | Type::Never => Ok(()),
        Type::Scalar(of) => scalar(module, *of),
        Type::Vector(of, components) => match (2..=4).contains(components) {
            true => scalar(module, *of),
            false => Err(format!("there are no vectors of {components}")),
        },
        Type::Tuple(parts) => parts.iter().try_for_each(|it| value(module, it, structs)),
        Type::Array(element, len) => {
            length(module, *len)?;
            value(module, element, structs)
        }
        Type::Struct(id) => match (id.0 as usize) < structs {
            true => Ok(()),
            false => Err(format!("there is no struct #{} before this", id.0)),
        },
        Type::Index(rank) | Type::Extent(rank) | Type::TiledIndex(rank) => match rank {
            0 => Err("a rank is at least 1".to_owned()),
            _ => Ok(()),
        },
        Type::View(_) => Err("a view is no part of anything".to_owned()),
    }
}

/// Whether there is such a type.
fn known(module: &Module, ty: &Type) -> Check {
    match ty {
        Type::View(view) => {
            if view.rank == 0 {
                return Err("a rank is at least 1".to_owned());
            }
            value(module, &view.element, module.structs.len())?;
            match is_element(module, &view.element) {
                true => Ok(()),
                false => Err(format!(
                    "a {} is no element",
                    module.type_text(&view.element)
                )),
            }
        }
        ty => value(module, ty, module.structs.len()),
    }
}

/// Whether views can have such elements; the type is known to exist.
fn is_element(module: &Module, ty: &Type) -> bool {
    match ty {
        Type::Scalar(scalar) | Type::Vector(scalar, _) => {
            // Where indices are wide, an `u64` may have been a `usize`.
            scalar.is_element()
        }
        Type::Array(element, _) => is_element(module, element),
        Type::Struct(id) => {
            let fields = &module.structs[id.0 as usize].fields;
            fields.iter().all(|field| is_element(module, &field.ty))
        }
        _ => false,
    }
}

fn signature(module: &Module, function: &Function) -> Check {
    if function.params as usize > function.locals.len() {
        return Err("has parameters that are no variables".to_owned());
    }
    for local in &function.locals {
        known(module, &local.ty).map_err(|message| format!("`{}`: {message}", local.name))?;
    }
    value(module, &function.result, module.structs.len())?;
    match fits(&function.body.ty, &function.result) {
        true => Ok(()),
        false => Err("its body has another type than its result".to_owned()),
    }
}

fn kernel_signature(module: &Module, kernel: &Function) -> Check {
    let rank = module.domain.rank();
    let index = match module.domain {
        Domain::Range { .. } => Type::Index(rank),
        Domain::Tiled { .. } => Type::TiledIndex(rank),
    };
    let first = kernel.locals.first().filter(|_| kernel.params > 0);
    if first.map(|it| &it.ty) != Some(&index) {
        let index = module.type_text(&index);
        return Err(format!("the first parameter of a kernel is its {index}"));
    }
    match kernel.result {
        Type::Unit | Type::Never => Ok(()),
        _ => Err("a kernel has no result".to_owned()),
    }
}

/// One function on its way through the verifier.
struct Verifier<'m> {
    module: &'m Module,
    function: &'m Function,
    scope: Scope<'m>,
    /// The variables that are declared on every way to here.
    declared: Vec<bool>,
    /// What can be left here.
    labels: Vec<body::Target<'m>>,
    errors: Vec<String>,
}

impl<'m> Verifier<'m> {
    fn of(module: &'m Module, number: usize) -> Self {
        let function = &module.functions[number];
        let mut declared = vec![false; function.locals.len()];
        let params = declared.iter_mut().take(function.params as usize);
        params.for_each(|it| *it = true);
        Verifier {
            module,
            function,
            scope: Scope {
                layout: module.layout(),
                consts: &module.consts,
                tile_statics: &module.tile_statics,
                functions: &module.functions[..number],
                locals: &function.locals,
            },
            declared,
            labels: Vec::new(),
            errors: Vec::new(),
        }
    }

    fn error(&mut self, span: Span, message: String) {
        let name = &self.function.name;
        self.errors
            .push(match self.module.locations.get(span.0 as usize) {
                Some(at) => format!("{name} at {}:{}: {message}", at.line, at.column),
                None => format!("{name}: {message}"),
            });
    }

    fn report(&mut self, span: Span, check: Check) {
        if let Err(message) = check {
            self.error(span, message);
        }
    }

    fn text(&self, ty: &Type) -> String {
        self.module.type_text(ty)
    }
}

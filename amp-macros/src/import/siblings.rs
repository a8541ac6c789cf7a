//! Errors about the names of an item that rustc could not explain.
//!
//! A helper that is no `#[amp_fn]` has no macro to import, and a cycle of helpers
//! waits for itself: rustc would only say that it cannot find or resolve a macro. So
//! before anything is imported the source file is read ([`super::module`]), and what it
//! says for certain is reported. It also tells a user's own `atomic_fetch_add` from the built-in
//! one; whatever it says, rustc proves that it is right.

use amp_spirv::diagnostic::Code;
use syn::{ExprPath, Ident, Item, ItemFn, Path};

use super::{
    member::ident_of,
    module::{Enum, File, Found, cycle},
    paths::{Paths, collect},
};
use crate::{
    attribute::{Arguments, TaskKind},
    language::name::{
        built_in_functions, built_in_types, is_prelude_trait, is_trait_of_amp, is_type_name,
        local_key, path_key,
    },
    report::Report,
    suggest::suggest_or,
    visit::{self, Visit},
};

/// The paths that an item needs.
pub fn needed(item: &Item, kind: TaskKind, arguments: &Arguments) -> Vec<Path> {
    let Paths {
        mut needed,
        built_ins,
        owners,
    } = collect(item, arguments);
    if let Some(name) = ident_of(item) {
        needed.extend(own_doubtful((name, kind), built_ins, owners));
    }
    needed
}

/// The paths by the names of built-in functions and types that mean items of the file, and those of
/// its types of which an item names only what is written as constants are; the item stands in the module of the
/// one with a name.
pub fn own_doubtful(
    (name, kind): (&Ident, TaskKind),
    built_ins: Vec<Path>,
    owners: Vec<Path>,
) -> Vec<Path> {
    if built_ins.is_empty() && owners.is_empty() {
        return Vec::new();
    }
    let Some(file) = File::of(name.span()) else {
        return Vec::new();
    };
    let Some(home) = file.home(name, kind) else {
        return Vec::new();
    };
    // What has no mark is no trait of kernels.
    let is_of_amp = |path: &Path| {
        let last = path.segments.last();
        last.is_some_and(|last| is_trait_of_amp(&last.ident.to_string()))
    };
    let is_own = |path: &Path| {
        matches!(
            file.find(home, path),
            Found::Function(..)
                | Found::Struct(_)
                | Found::Enum(_)
                | Found::Constant(..)
                | Found::Alias(..)
                | Found::Trait
        ) || matches!(file.find(home, path), Found::Other(_)) && !is_of_amp(path)
    };
    let is_type = |path: &Path| {
        let found = file.find(home, path);
        matches!(
            found,
            Found::Enum(Enum { marked: true, .. }) | Found::Struct(true) | Found::Trait
        )
    };
    let built_ins = built_ins.into_iter().filter(is_own);
    built_ins
        .chain(owners.into_iter().filter(is_type))
        .collect()
}

/// Whether a function stands in an `impl` block or a trait. A macro cannot see where its item
/// stands, so that the file tells, unless the item has `self`.
pub fn is_associated(ItemFn { sig, .. }: &ItemFn) -> bool {
    sig.receiver().is_some() || File::of(sig.ident.span()).is_some_and(|file| file.has_helper(sig))
}

/// Whether no kernel of this name stands but in an `impl` block, as far as the file tells.
pub fn is_kernel_of_block(name: &Ident) -> bool {
    let text = name.to_string();
    File::of(name.span()).is_some_and(|file| file.has_method(&text) && !file.declares(&text))
}

/// Reports recursion, and names that the file declares without the attribute.
pub fn check(item: &Item, kind: TaskKind, missing: &[Path], report: &mut Report) {
    let ident = match item {
        Item::Fn(function) => &function.sig.ident,
        Item::Struct(structure) => &structure.ident,
        Item::Enum(item) => &item.ident,
        Item::Const(item) => &item.ident,
        _ => return,
    };
    let name = ident.to_string();
    if let Some(call) = missing.iter().find(|path| local_key(path) == name) {
        let (message, help) = match kind {
            TaskKind::Struct => (
                format!("the struct `{name}` contains itself"),
                "keep the position of the other one in a view, as a u32",
            ),
            _ => (
                format!("`{name}` calls itself; kernels have no recursion"),
                "write it as a loop",
            ),
        };
        report.error_help(Code::Recursion, call, message, help);
        return;
    }
    let nested = nested_types(item);
    let is_nested = |path: &Path| {
        let first = path.segments.first();
        first.is_some_and(|first| nested.contains(&&first.ident))
    };
    let constants = constants(item);
    if missing.is_empty() && constants.is_empty() {
        return;
    }
    let Some((file, home)) = File::around(ident, kind) else {
        return;
    };
    for path in missing {
        if !is_nested(path) {
            check_path(&file, home, &name, path, report);
            continue;
        }
        report.error_help(
            Code::UnsupportedType,
            path,
            format!("the type `{}` is declared in the body", path_key(path)),
            "move it out of the function; in an `#[amp_module]` it may stand there if nothing else of the module \
             mentions its name, nor it another item of the body",
        );
    }
    check_statics(&file, home, &constants, report);
}

fn check_statics(file: &File, home: usize, constants: &[&Path], report: &mut Report) {
    for path in constants {
        if let Found::Other("a static") = file.find(home, path) {
            report.error_help(
                Code::UnknownName,
                path,
                format!("`{}` is a static, which kernels do not see", path_key(path)),
                "make it a `const`, or pass the value as a parameter",
            );
        }
    }
}

/// Reports what a block or a trait `item` beside the annotated item `anchor` names of the standard library, and
/// statics.
pub fn check_beside(
    item: &Item,
    (anchor, kind): (&Ident, TaskKind),
    missing: &[Path],
    report: &mut Report,
) {
    let (name, constants) = (anchor.to_string(), constants(item));
    if missing.is_empty() && constants.is_empty() {
        return;
    }
    let Some((file, home)) = File::around(anchor, kind) else {
        return;
    };
    check_statics(&file, home, &constants, report);
    for path in missing {
        if let Found::Standard = found(&file, home, path) {
            check_path(&file, home, &name, path, report);
        }
    }
}

/// What a path means; what cannot be told is of the standard library if it has the name of a trait that needs no
/// import, or of `drop`.
fn found<'a>(file: &'a File, home: usize, path: &Path) -> Found<'a> {
    let is_alone = path.leading_colon.is_none() && path.segments.len() == 1;
    let is_in_prelude = is_alone && (path.is_ident("drop") || is_prelude_trait(&path_key(path)));
    match file.find(home, path) {
        Found::Absent(_) | Found::Unknown if is_in_prelude => Found::Standard,
        found => found,
    }
}

/// Reports one path of a call or a type, if it is certain that it cannot be imported.
fn check_path(file: &File, home: usize, name: &str, path: &Path, report: &mut Report) {
    let shown = path_key(path);
    let last = path
        .segments
        .last()
        .map(|s| s.ident.to_string())
        .unwrap_or_default();
    let built_in: Vec<&str> = built_in_functions().collect();
    let (code, message, help) = match found(file, home, path) {
        Found::Function(_, _, function) if !function.marked => (
            Code::NotCallable,
            format!("`{shown}` is not an `#[amp_fn]`, so a kernel cannot call it"),
            format!("mark it: `#[amp_fn] fn {last}(..)`"),
        ),
        Found::Function(..) if local_key(path) == last => {
            let Some(way) = cycle(file, home, name, &last) else {
                return;
            };
            (
                Code::Recursion,
                format!(
                    "`{name}` calls itself through {}; kernels have no recursion",
                    way.join(" and ")
                ),
                "write it as a loop".to_owned(),
            )
        }
        Found::Struct(false) => (
            Code::UnsupportedType,
            format!("`{shown}` is not an `#[amp_struct]`, so a kernel cannot use it"),
            format!("mark it: `#[amp_struct] struct {last} {{ .. }}`"),
        ),
        Found::Enum(Enum { marked: false, .. }) => (
            Code::UnsupportedType,
            format!("`{shown}` is not an `#[amp_enum]`, so a kernel cannot use it"),
            format!("mark it: `#[amp_enum] enum {last} {{ .. }}`"),
        ),
        Found::Constant(..) => (
            Code::UnsupportedType,
            format!("`{shown}` is a constant, which kernels do not have here"),
            "use an `#[amp_struct]` or an `#[amp_fn]`".to_owned(),
        ),
        Found::Alias(..) => (
            Code::UnsupportedType,
            format!("what the type alias `{shown}` stands for cannot be told here"),
            "write the type that it stands for".to_owned(),
        ),
        Found::Other(what) => (
            Code::UnsupportedType,
            format!("`{shown}` is {what}, which kernels do not have"),
            match what {
                "a trait" => "write `#[amp_fn]` before it and its `impl` blocks",
                _ => "use an `#[amp_struct]` or an `#[amp_fn]`",
            }
            .to_owned(),
        ),
        Found::Standard if is_prelude_trait(&last) => (
            Code::UnsupportedType,
            format!("`{shown}` is a trait of the standard library that no bound names here"),
            match last.ends_with("Iterator") {
                true => "no type of kernels holds an iterator; a function takes one for one parameter, \
                         `items: impl Iterator<Item = u32>`, or a closure that gives the items",
                false => "bound the parameter by an `#[amp_fn] trait`",
            }
            .to_owned(),
        ),
        Found::Standard if is_type_name(&last) => (
            Code::UnsupportedType,
            format!("`{shown}` is a type of the standard library, which kernels do not have"),
            "use numbers, arrays and `#[amp_struct]`s".to_owned(),
        ),
        Found::Standard if last == "drop" => (
            Code::NotCallable,
            format!("`{shown}` in a kernel, whose values have nothing to do at their end"),
            "leave it out, or write `let _ = x;`".to_owned(),
        ),
        Found::Standard => (
            Code::NotCallable,
            format!("`{shown}` is a function of the standard library, so a kernel cannot call it"),
            "use a numeric method, write an `#[amp_fn]`, or name what kernels have by its own name: \
             `std::mem::swap`"
                .to_owned(),
        ),
        Found::Absent(names) if is_type_name(&last) => (
            Code::UnsupportedType,
            format!("there is no `#[amp_struct]` called `{shown}` here"),
            suggest_or(
                &last,
                names.types().chain(built_in_types()),
                "declare it, or import it with `use`",
            ),
        ),
        Found::Absent(names) => (
            Code::NotCallable,
            format!("there is no `#[amp_fn]` called `{shown}` here"),
            suggest_or(
                &last,
                names.functions().chain(built_in),
                "write it, or import it with `use`",
            ),
        ),
        _ => return,
    };
    report.error_help(code, path, message, help);
}

/// Whether a path means a function in the module of the function `own`, as far as its file tells.
pub fn names_function(own: &Ident, path: &Path) -> bool {
    let Some(file) = File::of(own.span()) else {
        return false;
    };
    let home = file.home(own, TaskKind::Function);
    home.is_some_and(|home| matches!(file.find(home, path), Found::Function(..)))
}

/// Whether a path means a constant in the module of the function `own`, where its file tells.
pub fn names_constant(own: &Ident, path: &Path) -> Option<bool> {
    let file = File::of(own.span())?;
    let home = file.home(own, TaskKind::Function)?;
    match file.find(home, path) {
        Found::Constant(..) => Some(true),
        Found::Absent(_) | Found::Function(..) => Some(false),
        _ => None,
    }
}

/// The names of the types that a function declares in its body.
fn nested_types(item: &Item) -> Vec<&Ident> {
    struct Nested<'a>(Vec<&'a Ident>);
    impl<'a> Visit<'a> for Nested<'a> {
        fn visit_item(&mut self, item: &'a Item) {
            match item {
                Item::Struct(item) => self.0.push(&item.ident),
                Item::Enum(item) => self.0.push(&item.ident),
                _ => {}
            }
            visit::visit_item(self, item);
        }
    }
    let mut nested = Nested(Vec::new());
    if let Item::Fn(function) = item {
        nested.visit_block(&function.block);
    }
    nested.0
}

/// Paths in a function that are written as constants are.
fn constants(item: &Item) -> Vec<&Path> {
    struct Constants<'a>(Vec<&'a Path>);
    impl<'a> Visit<'a> for Constants<'a> {
        fn visit_expr_path(&mut self, expr: &'a ExprPath) {
            let last = expr.path.segments.last();
            if last.is_some_and(|s| is_type_name(&s.ident.to_string())) {
                self.0.push(&expr.path);
            }
            visit::visit_expr_path(self, expr);
        }
    }
    let mut constants = Constants(Vec::new());
    match item {
        Item::Fn(function) => constants.visit_block(&function.block),
        Item::Impl(_) | Item::Trait(_) => constants.visit_item(item),
        _ => {}
    }
    constants.0
}

//! Functions of a module that call each other in a circle, which kernels cannot.

use std::collections::HashSet;

use super::{
    File,
    declared::{Function, Module},
};

/// The names of functions of a module that lead from `start` back to `name`.
pub fn cycle(file: &File, at: usize, name: &str, start: &str) -> Option<Vec<String>> {
    fn walk<'a>(
        module: &'a Module,
        name: &str,
        function: &'a str,
        calls: &impl Fn(&'a Function) -> &'a [String],
        way: &mut Vec<&'a str>,
        seen: &mut HashSet<&'a str>,
    ) -> bool {
        if module.imported.contains_key(function) || !seen.insert(function) {
            return false;
        }
        let found = module.functions.get(function);
        let Some(found) = found.filter(|found| found.marked) else {
            return false;
        };
        way.push(function);
        let called = calls(found);
        if called.iter().any(|called| called == name)
            || called
                .iter()
                .any(|called| walk(module, name, called, calls, way, seen))
        {
            return true;
        }
        way.pop();
        false
    }
    let module = &file.modules[at];
    let (start, _) = module.functions.get_key_value(start)?;
    let mut way = Vec::new();
    // Few functions are in a cycle even by what may be calls.
    let is_possible = walk(
        module,
        name,
        start,
        &Function::words,
        &mut way,
        &mut HashSet::new(),
    );
    way.clear();
    (is_possible
        && walk(
            module,
            name,
            start,
            &Function::calls,
            &mut way,
            &mut HashSet::new(),
        ))
    .then(|| way.iter().map(|name| format!("`{name}`")).collect())
}

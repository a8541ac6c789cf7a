//! What seems to be exported: constants whose types the files of the crate do not tell, and types.
//!
//! rustc refuses the call of a macro that is not there, so that an item asks only for what has one as far
//! as can be seen. What another crate re-exports is left out.

use syn::Path;

use super::{File, metadata};

impl File {
    /// Whether a path of the module `at` seems to lead to something that is exported: that another crate
    /// exports, or that this one marks, where a macro may do so.
    pub fn is_exported(&self, at: usize, path: &Path) -> bool {
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        match path.leading_colon {
            Some(_) => is_exported_elsewhere(&names),
            None => self.exports(at, &names, 0),
        }
    }

    fn exports(&self, at: usize, names: &[String], depth: usize) -> bool {
        let Some((first, rest)) = names.split_first().filter(|_| depth < 8) else {
            return false;
        };
        let module = &self.modules[at];
        let go_on =
            |path: &[String], rest: &[String]| self.exports(at, &[path, rest].concat(), depth + 1);
        if let Some(path) = module.imported.get(first)
            && path.as_slice() != std::slice::from_ref(first)
        {
            return go_on(path, rest);
        }
        let file = match module.files.get(first) {
            Some(file) => file.read(),
            None if first == "crate" => self.root(),
            None => {
                return match (self.step(at, first), module.constants.get(first)) {
                    (Some(next), _) => self.exports(next, rest, depth + 1),
                    (None, _) if !rest.is_empty() => is_exported_elsewhere(names),
                    (None, Some(constant)) => constant.is_marked,
                    (None, None) => {
                        let mut globs = module.globs.iter();
                        self.marks_by_macro() || globs.any(|glob| go_on(glob, names))
                    }
                };
            }
        };
        file.is_some_and(|file| file.exports(0, rest, depth + 1))
    }

    /// Whether a macro of the file marks constants.
    fn marks_by_macro(&self) -> bool {
        let mut texts = self.macros.values().flatten();
        texts.any(|text| text.contains("amp_const"))
    }
}

/// Whether another crate exports something by the last of these names, the first of which is the crate's.
fn is_exported_elsewhere(names: &[String]) -> bool {
    let [krate, .., name] = names else {
        return false;
    };
    metadata::exports(krate, name)
}

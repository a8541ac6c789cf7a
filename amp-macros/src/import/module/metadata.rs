//! What another crate exports to kernels, as far as the file tells that rustc has made of it.
//!
//! rustc refuses the call of a macro that is not there, and a macro cannot ask whether another one is. But
//! the file of a crate has the names of its macros in it, and those of exported items have ids
//! (`import::entry`). What is found here decides only whether a constant whose type nothing tells is asked
//! for; where nothing is found, it is refused.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    path::PathBuf,
    rc::Rc,
};

use crate::invocation;

/// What the names of the macros begin with that export items.
const PREFIX: &[u8] = b"__amp_";

/// The length of the number in an id.
const DIGITS: usize = 16;

thread_local! {
    static EXPORTED: RefCell<HashMap<PathBuf, Rc<HashSet<String>>>> = RefCell::default();
}

/// Whether a crate that is known by the name `krate` exports an item of a name.
pub fn exports(krate: &str, name: &str) -> bool {
    let Some(path) = invocation::file_of(krate) else {
        return false;
    };
    let known = EXPORTED.with_borrow(|exported| exported.get(path).cloned());
    let exported = known.unwrap_or_else(|| {
        let exported =
            Rc::new(std::fs::read(path).map_or_else(|_| HashSet::new(), |file| names(&file)));
        EXPORTED.with_borrow_mut(|known| known.insert(path.to_owned(), exported.clone()));
        exported
    });
    exported.contains(name)
}

/// The names of the items whose ids stand in a file: `WEIGHTS` of `__amp_filters_0123456789abcdef_WEIGHTS`.
fn names(file: &[u8]) -> HashSet<String> {
    let starts = file.windows(PREFIX.len()).enumerate();
    let starts = starts.filter(|(_, start)| *start == PREFIX);
    let names = starts.filter_map(|(at, _)| {
        let id = &file[at + PREFIX.len()..];
        let is_letter = |letter: &u8| letter.is_ascii_alphanumeric() || *letter == b'_';
        let end = id.iter().position(|letter| !is_letter(letter));
        let id = std::str::from_utf8(&id[..end.unwrap_or(id.len())]).ok()?;
        let number = |(at, _)| {
            let digits = id.get(at + 1..at + 1 + DIGITS)?;
            let name = id.get(at + 1 + DIGITS..)?.strip_prefix('_')?;
            let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            is_number.then_some(name)
        };
        id.match_indices('_').find_map(number)
    });
    names.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn names_of_exported_items() {
        let file =
            b"\0\x07__amp_my_filters_0123456789abcdef_MY_WEIGHTS\xc1__amp_gather __amp_f_0123_X\0";
        assert_eq!(names(file), ["MY_WEIGHTS".to_owned()].into());
        assert!(names(b"__amp_a_0123456789abcdef_").contains(""));
        assert!(names(b"__amp").is_empty());
    }
}

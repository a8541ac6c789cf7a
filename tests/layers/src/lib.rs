//! The order of a crate's files, for the tests that keep it: which module uses which other, and where
//! the files of a folder, each with its children, use each other in circles.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What modules of tests are called.
const TESTS: &[&str] = &["fuzz", "mock", "tests"];

/// Fails if a folder of a crate has files in circles.
pub fn check_circles(manifest: &str) {
    let found = circles(Modules::of(manifest).arrows());
    assert!(found.is_empty(), "files in circles: {found:#?}");
}

/// From which module to which.
pub type Arrows = BTreeSet<(String, String)>;

/// The circles among the children of each module, where what belongs to a child counts as the child.
pub fn circles(arrows: Arrows) -> Vec<(String, BTreeSet<String>)> {
    let mut folders = BTreeMap::<_, Arrows>::new();
    for (from, to) in &arrows {
        let [mut from, mut to] = [from, to].map(|module| module.split("::"));
        let mut folder = String::new();
        while let (Some(one), Some(other)) = (from.next(), to.next()) {
            if one != other {
                let arrow = (one.to_owned(), other.to_owned());
                folders.entry(folder).or_default().insert(arrow);
                break;
            }
            folder = join(&folder, one);
        }
    }
    for arrows in folders.values_mut() {
        // A file that nothing uses is in no circle, and no file that uses nothing.
        loop {
            let (from, to): (BTreeSet<_>, BTreeSet<_>) = arrows.iter().cloned().unzip();
            let before = arrows.len();
            arrows.retain(|(user, used)| to.contains(user) && from.contains(used));
            if arrows.len() == before {
                break;
            }
        }
    }
    let circles = folders.into_iter().map(|(folder, arrows)| {
        let files = arrows.into_iter().map(|(user, _)| user);
        (folder, files.collect::<BTreeSet<_>>())
    });
    circles.filter(|(_, files)| !files.is_empty()).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => files(&path),
            false => vec![path],
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// What a file without its comments, literals of text, and tests, which stand at its end, has.
fn code(text: &str) -> String {
    let text = text.split("mod tests {").next();
    let lines = text.unwrap_or_default().lines();
    let lines = lines.map(|line| line.split("//").next().unwrap_or_default());
    lines
        .flat_map(|line| line.split('"').step_by(2).chain(["\n"]))
        .collect()
}

/// The modules of a crate that are no tests, by their paths.
pub struct Modules(BTreeMap<String, Module>);

/// What a module names.
struct Module {
    /// The paths behind the names that it imports.
    imports: BTreeMap<String, String>,
    paths: BTreeSet<String>,
}

impl Modules {
    /// Those of the crate in a folder.
    pub fn of(folder: &str) -> Self {
        let source = Path::new(folder).join("src");
        let files = files(&source).into_iter().map(|file| {
            let name = file.strip_prefix(&source).unwrap().with_extension("");
            let parts = name.iter().map(|part| part.to_str().unwrap());
            let module: Vec<_> = parts
                .filter(|part| !["mod", "lib"].contains(part))
                .collect();
            (module.join("::"), fs::read_to_string(&file).unwrap())
        });
        Self::new(files.filter(|(module, _)| !is_test(module)))
    }

    fn new(files: impl IntoIterator<Item = (impl Into<String>, impl AsRef<str>)>) -> Self {
        let mut modules = BTreeMap::new();
        for (module, text) in files {
            Module::read(module.into(), &code(text.as_ref()), &mut modules);
        }
        Self(modules)
    }

    /// Which module names what of which other.
    pub fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        for (from, module) in self.0.iter().filter(|(from, _)| !from.is_empty()) {
            let paths = module.paths.iter().filter(|path| !is_test(path));
            let used = paths.filter_map(|path| self.find(from, path));
            let used = used.filter(|used| !used.is_empty() && used != from);
            arrows.extend(used.map(|used| (from.clone(), used)));
        }
        arrows
    }

    /// The module in which what a path means is written, if that is of this crate.
    fn find(&self, module: &str, path: &str) -> Option<String> {
        let (head, rest) = path.split_once("::").unwrap_or((path, ""));
        let within = match head {
            "crate" => String::new(),
            "self" => module.to_owned(),
            "super" => module.rsplit_once("::").map_or("", |(it, _)| it).to_owned(),
            _ if self.0.contains_key(&join(module, head)) => join(module, head),
            _ => {
                let import = self.0[module].imports.get(head)?;
                let own = import.split("::").next() == Some(head);
                return (!own).then(|| self.find(module, &join(import, rest)))?;
            }
        };
        let found = match rest {
            "" => None,
            rest => self.find(&within, rest),
        };
        Some(found.unwrap_or(within))
    }
}

impl Module {
    /// Reads a module with those that are written in it.
    fn read(module: String, code: &str, modules: &mut BTreeMap<String, Self>) {
        let (mut imports, mut paths) = (BTreeMap::new(), BTreeSet::new());
        let mut rest = code;
        while let Some(at) = rest.find(|it: char| it.is_alphabetic() || it == '_') {
            let before = rest[..at].chars().next_back();
            rest = &rest[at..];
            let name = rest.split(|it| !is_part(it)).next().unwrap_or_default();
            let after = rest[name.len()..].trim_start();
            match (name, before) {
                ("use", _) => {
                    rest = expand("", after, &mut |path, known| {
                        imports.insert(known.to_owned(), path.clone());
                        paths.insert(path);
                    });
                }
                ("mod", _) => {
                    let (name, body) = after.split_at(after.find(|it| !is_part(it)).unwrap_or(0));
                    rest = body;
                    if let Some(body) = body.trim_start().strip_prefix('{') {
                        let end = end_of_block(body);
                        Self::read(join(&module, name), &body[..end], modules);
                        rest = &body[end..];
                    }
                }
                // Who may name something is no use of it.
                ("in", Some('(')) => rest = after.trim_start_matches(|it| is_part(it) || it == ':'),
                // A macro's paths are those of who calls it.
                (_, Some('$')) => rest = rest.split_at(name.len()).1.trim_start_matches("::"),
                _ if after.starts_with("::") => {
                    rest = expand("", rest, &mut |path, _| _ = paths.insert(path));
                }
                _ => rest = &rest[name.len()..],
            }
        }
        modules.insert(module, Self { imports, paths });
    }
}

/// How long a block is, of which the brace that opens it has been read.
fn end_of_block(code: &str) -> usize {
    let mut depth = 1;
    let end = code.find(|it| {
        depth += i32::from(it == '{') - i32::from(it == '}');
        depth == 0
    });
    end.unwrap_or(code.len())
}

/// Whether a path is one of tests.
fn is_test(path: &str) -> bool {
    path.split("::").any(|it| TESTS.contains(&it))
}

fn is_part(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn join(path: &str, rest: &str) -> String {
    match (path, rest) {
        (path, "") => path.to_owned(),
        ("", rest) => rest.to_owned(),
        (path, rest) => format!("{path}::{rest}"),
    }
}

/// Finds the paths of a tree as `use` has it, which a text begins with, and what each is known as.
/// Returns the rest.
fn expand<'t>(prefix: &str, text: &'t str, found: &mut impl FnMut(String, &str)) -> &'t str {
    let text = text.trim_start();
    let end = text.find(|it| !is_part(it)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let path = match (prefix, name) {
        ("", name) => name.to_owned(),
        (prefix, "self") => prefix.to_owned(),
        (prefix, name) => join(prefix, name),
    };
    if let Some(rest) = rest.strip_prefix("::") {
        return expand(&path, rest, found);
    }
    if let Some(mut group) = rest.strip_prefix('{') {
        loop {
            group = group.trim_start_matches(|it: char| it.is_whitespace() || it == ',');
            if group.is_empty() || group.starts_with('}') {
                return group.strip_prefix('}').unwrap_or_default();
            }
            group = expand(&path, group, found);
            // What follows a path in a group is a comma or the end, or `*`.
            group = &group[group.find([',', '}']).unwrap_or(group.len())..];
        }
    }
    let alias = rest.strip_prefix(" as ").map(|alias| {
        let end = alias.find(|it| !is_part(it)).unwrap_or(alias.len());
        &alias[..end]
    });
    let known = path.rsplit("::").next().unwrap_or_default().to_owned();
    found(path, alias.unwrap_or(&known));
    rest
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Modules, circles};

    #[test]
    fn arrows_are_found_wherever_they_stand() {
        let modules = Modules::new([
            ("", "pub use a::{b::{B as Better}, c};\npub mod a;"),
            ("a", "pub use c::f;"),
            (
                "a::b",
                "use super::{c as other, f};\nfn g() { super::super::d::h() }",
            ),
            (
                "a::c",
                "// crate::e\nfn f() -> crate::d::D { \"crate::e\" }",
            ),
            ("d", "use crate::Better;\nfn h() { Better::new() }"),
            (
                "e",
                "use crate::a;\nfn i() { a::c::f() }\n#[cfg(test)]\nmod tests { use crate::d; }",
            ),
            (
                "f",
                "mod own { use super::{B, super::d};\npub(in crate::a) fn j() { {} } }\nstruct B;\nfn k(_: crate::e::E) { super::mock::l() }",
            ),
            ("g", "fn l(_: crate::f::B) {}"),
        ]);
        let arrows = modules.arrows();
        let arrows: Vec<_> = arrows.iter().map(|(from, to)| (&**from, &**to)).collect();
        let expected = [
            ("a", "a::c"),
            ("a::b", "a::c"),
            ("a::b", "d"),
            ("a::c", "d"),
            ("d", "a::b"),
            ("e", "a"),
            ("e", "a::c"),
            ("f", "e"),
            ("f::own", "d"),
            ("f::own", "f"),
            ("g", "f"),
        ];
        assert_eq!(arrows, expected);
        let circle = BTreeSet::from(["a".to_owned(), "d".to_owned()]);
        assert_eq!(circles(modules.arrows()), [(String::new(), circle)]);
    }
}

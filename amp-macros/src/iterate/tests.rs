//! The documented lists are those that there are.

use std::{fs, path::Path};

use super::{ADAPTERS, ends, separated, sources};

#[test]
fn documents_list_every_method() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/language.md");
    let page = fs::read_to_string(page).expect("it can be read");
    let row = |name: &str| -> Vec<&str> {
        let start = format!("| {name} | ");
        let row = page.lines().find_map(|line| line.strip_prefix(&start));
        row.expect("there is a row")
            .split('`')
            .skip(1)
            .step_by(2)
            .collect()
    };
    assert_eq!(row("adapters"), ADAPTERS);
    let ends: Vec<&str> = ends::names().collect();
    assert_eq!(row("ends"), ends);
    let known = row("sources");
    let there = [sources::METHODS, separated::METHODS, sources::FUNCTIONS];
    let there = there.into_iter().flatten();
    // Those of chunks that are written to need slices that are.
    let there = there.filter(|name| !name.ends_with("_mut") || **name == "iter_mut");
    for name in there {
        assert!(known.contains(name), "{name} is not listed");
    }
}

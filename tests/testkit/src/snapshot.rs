//! Files with what is expected, which a test can write again.

use std::fs;
use std::path::Path;

use similar::TextDiff;

/// Requires that a text is that of a file, or writes it there if the environment says `BLESS=1`.
///
/// # Panics
///
/// If it is another, or the file cannot be read or written.
#[track_caller]
pub fn assert_file(file: impl AsRef<Path>, found: &str) {
    let file = file.as_ref();
    if blessed(file, found.as_bytes()) {
        return;
    }
    let expected = fs::read_to_string(file).unwrap_or_default();
    assert!(
        found == expected,
        "{} differs from what is found (+); BLESS=1 writes that there\n{}",
        file.display(),
        TextDiff::from_lines(&*expected, found).unified_diff(),
    );
}

/// [`assert_file`] for a file that is no text.
///
/// # Panics
///
/// As [`assert_file`].
#[track_caller]
pub fn assert_binary_file(file: impl AsRef<Path>, found: &[u8]) {
    let file = file.as_ref();
    assert!(
        blessed(file, found) || fs::read(file).is_ok_and(|expected| expected == found),
        "{} differs; BLESS=1 writes there what is found",
        file.display(),
    );
}

/// Writes a file if the environment asks for that.
fn blessed(file: &Path, found: &[u8]) -> bool {
    let asked = super::is_set("BLESS");
    if asked {
        fs::write(file, found).expect("the file can be written");
    }
    asked
}

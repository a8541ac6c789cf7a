//! How far rustc optimises the crate that a kernel is in.
//!
//! No macro is told, but it runs in rustc's process, whose options it can read. Where they are not found, the crate
//! counts as not optimised. Only the speed of the CPU accelerator depends on it, never a result.

use std::{env, sync::LazyLock};

/// Whether rustc makes vector instructions of loops: from `opt-level = 2` on.
pub fn is_on() -> bool {
    static IS_ON: LazyLock<bool> = LazyLock::new(|| {
        let options = env::args_os().filter_map(|option| option.into_string().ok());
        makes_vectors(options)
    });
    *IS_ON
}

fn makes_vectors(mut options: impl Iterator<Item = String>) -> bool {
    let mut is_on = false;
    while let Some(option) = options.next() {
        let codegen = match option.as_str() {
            "-O" => Some("opt-level=3".to_owned()),
            "-C" | "--codegen" => options.next(),
            option => ["-C", "--codegen="]
                .iter()
                .find_map(|prefix| option.strip_prefix(prefix))
                .map(str::to_owned),
        };
        // The last one counts.
        if let Some(level) = codegen
            .as_deref()
            .and_then(|it| it.strip_prefix("opt-level="))
        {
            is_on = !matches!(level, "0" | "1");
        }
    }
    is_on
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_on(options: &str) -> bool {
        makes_vectors(options.split(' ').map(str::to_owned))
    }

    #[test]
    fn a_crate_is_not_optimised_unless_an_option_says_so() {
        assert!(!is_on(
            "rustc --crate-name scale src/main.rs -C debuginfo=2"
        ));
        assert!(!is_on("rustc src/main.rs -C opt-level=1"));
        assert!(!is_on("rustc src/main.rs -O -Copt-level=0"));
        for options in [
            "-O",
            "-C opt-level=3",
            "-Copt-level=2",
            "--codegen opt-level=s",
            "--codegen=opt-level=3",
        ] {
            assert!(is_on(&format!("rustc {options} src/main.rs")), "{options}");
        }
    }
}

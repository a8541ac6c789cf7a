//! Tells the benchmarks which commit they are built from, because where they run there may be no
//! repository.

use std::process::Command;

/// What git prints, if there is git and a repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn main() {
    let commit = git(&["rev-parse", "--short=10", "HEAD"]);
    println!(
        "cargo:rustc-env=AMP_COMMIT={}",
        commit.as_deref().unwrap_or("unknown")
    );
    // It grows with each commit, and with each change of the branch.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]);
    println!(
        "cargo:rerun-if-changed={}",
        log.as_deref().unwrap_or("build.rs")
    );
}

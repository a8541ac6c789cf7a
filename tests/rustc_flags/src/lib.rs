//! Tells a test which dependencies it is linked with.
//!
//! Only cargo knows them, and passes their paths to rustc. A procedural macro runs in the process
//! of rustc, so it can read them there. Cargo compiles the test again whenever one of them changes.

use std::env;

use proc_macro::TokenStream;

/// The path of rustc and the arguments that name the target and the dependencies of the crate
/// that is being compiled, as a slice of strings.
#[proc_macro]
pub fn rustc_flags(_: TokenStream) -> TokenStream {
    let rustc = env::current_exe().expect("a process has a path");
    let mut strings = vec![rustc.display().to_string()];
    let mut arguments = env::args();
    while let Some(argument) = arguments.next() {
        if matches!(&*argument, "--extern" | "-L" | "--target") {
            strings.push(argument);
            strings.extend(arguments.next());
        }
    }
    let slice = format!("&{strings:?}");
    slice.parse().expect("debug text of strings is Rust")
}

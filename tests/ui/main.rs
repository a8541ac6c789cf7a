//! What a user sees who writes something wrong, and what must not be refused.
//!
//! One file for each code of `amp_spirv::diagnostic::Code` with as many wrong kernels as
//! the code has messages, files for what rustc says about calls of kernels and programs
//! in `pass/` that must compile. `TRYBUILD=overwrite` writes what is seen now; read the
//! difference as a user would.

#[test]
fn messages() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*_*.rs");
    cases.pass("ui/pass/*.rs");
}

//! What a user sees who writes something wrong, and what must not be refused.
//!
//! One program for each code of `amp_spirv::diagnostic::Code` with as many wrong kernels as
//! the code has messages, and programs for what rustc says about calls of kernels, each with its
//! messages beside it; and programs in `pass/`, which must compile and run. Each program is a
//! test. `BLESS=1` writes the messages that are found; read the difference as a user would.
//!
//! The programs are compiled by the rustc that compiled this test, with the very dependencies
//! that it is linked with, so no dependency is compiled a second time.

mod messages;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// rustc, and where it finds what this test is linked with.
const RUSTC: &[&str] = rustc_flags::rustc_flags!();

const TESTS: &str = env!("CARGO_MANIFEST_DIR");

fn workspace() -> &'static Path {
    Path::new(TESTS).parent().unwrap()
}

/// Compiles a program of this folder. As cargo does, it runs rustc in the workspace: messages
/// quote sources of amp by their paths within it.
fn compile(program: &str, out: &TempDir) -> Output {
    Command::new(RUSTC[0])
        .current_dir(workspace())
        .env("CARGO_CRATE_NAME", Path::new(program).file_stem().unwrap())
        .args(&RUSTC[1..])
        .args(["--edition=2024", "--verbose", "--diagnostic-width=140"])
        .arg("-Adead_code")
        .arg("--out-dir")
        .arg(out.path())
        .arg(Path::new("tests/ui").join(program))
        .output()
        .unwrap()
}

/// A folder for what is compiled, removed at the end.
fn output_folder() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

fn is_refused(name: &str) {
    let program = format!("{name}.rs");
    let output = compile(&program, &output_folder());
    assert!(!output.status.success(), "{program} compiles");
    let found = String::from_utf8(output.stderr).unwrap();
    let found = messages::normalised(&found, &program, workspace());
    let file = Path::new(TESTS).join("ui").join(program);
    testkit::assert_file(file.with_extension("stderr"), &found);
}

fn runs(name: &str) {
    let out = output_folder();
    let output = compile(&format!("pass/{name}.rs"), &out);
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
    let output = Command::new(out.path().join(name)).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// Requires that no program of a folder is left out.
fn assert_listed(folder: &str, listed: &[&str]) {
    const OF_THIS_TEST: [&str; 3] = ["main", "messages", "hosts"];
    let files = fs::read_dir(Path::new(TESTS).join(folder)).unwrap();
    let mut names = files.filter_map(|file| {
        let file = file.unwrap().file_name().into_string().unwrap();
        Some(file.strip_suffix(".rs")?.to_owned())
    });
    let left_out =
        names.find(|name| !listed.contains(&&**name) && !OF_THIS_TEST.contains(&&**name));
    assert_eq!(left_out, None, "add it to the list below");
}

/// Tests that do something with each program of a folder, by name.
macro_rules! programs {
    ($test:ident in $module:ident, $folder:literal: $($name:ident)*) => {
        mod $module {
            use super::*;

            $(
                #[test]
                #[allow(non_snake_case)]
                fn $name() {
                    $test(stringify!($name));
                }
            )*

            #[test]
            fn all_are_listed() {
                assert_listed($folder, &[$(stringify!($name)),*]);
            }
        }
    };
}

programs! { is_refused in refused, "ui":
    AMP0001_attributes
    AMP0001_collect
    AMP0001_function_tables
    AMP0001_iterators
    AMP0001_kept_iterators
    AMP0001_own_iterators
    AMP0001_own_sources
    AMP0001_range_values
    AMP0001_returned_iterators
    AMP0001_macros
    AMP0001_slice_items
    AMP0001_taken_iterators
    AMP0001_too_deep
    AMP0001_unsupported_syntax
    AMP0002_returned_iterators
    AMP0002_slice_constants
    AMP0002_standard_names
    AMP0002_unsupported_type
    AMP0002_vectors
    AMP0003_not_callable
    AMP0003_other_file
    AMP0004_recursion
    AMP0005_kernel_expression
    AMP0005_returned_views
    AMP0005_signature
    AMP0005_structs_with_views
    AMP0006_tile_static
    AMP0007_divergent_barrier
    AMP0008_constant_tiles
    AMP0008_generic_tiles
    AMP0008_tile_too_large
    AMP0009_read_by_reference
    AMP0009_several
    AMP0009_type_mismatch
    AMP0010_lengths_of_calls
    AMP0010_struct_constants
    AMP0010_trait_arguments
    AMP0010_unknown_type
    AMP0011_constants
    AMP0011_literal_range
    AMP0012_close_names
    AMP0012_unknown_name
    AMP0013_array_methods
    AMP0013_conversions
    AMP0013_macro_items
    AMP0013_options
    AMP0013_own_sums
    AMP0013_supplied
    AMP0013_unknown_member
    AMP0013_vectors
    AMP0014_unsupported_pattern
    AMP0015_reserved_name
    AMP0016_attribute_argument
    AMP0017_operator
    AMP0017_variants
    AMP0017_vectors
    AMP0017_wrapping
    AMP0018_arity
    AMP0018_vectors
    AMP0019_not_assignable
    AMP0019_structs_with_views
    AMP0020_padding
    AMP0020_struct_field
    AMP0020_structs_with_views
    AMP0021_stray_jump
    AMP0022_returned_views
    AMP0022_structs_with_views
    AMP0022_view_value
    AMP0023_constant_out_of_bounds
    AMP0023_vectors
    AMP0024_uninitialised_tile_static
    AMP0025_race
    AMP0026_elements
    AMP0026_enumeration
    AMP0026_fields
    AMP0026_options
    AMP0027_atomic_place
    AMP0028_subgroup
    AMP0029_implementation
    AMP0030_format
    AMP0031_constant_lengths
    AMP0031_generic_lengths
    AMP0031_local_arrays
    AMP0032_coarsening
    AMP0040_assigned_references
    AMP0040_assigned_slices
    AMP0040_kept_slices
    AMP0040_optional_references
    AMP0040_reference
    AMP0040_slices
    AMP0041_closure
    AMP0042_generic_panics
    AMP0042_associated_types
    AMP0042_bounds
    AMP0042_generic
    AMP0042_listed_types
    AMP0042_order
    AMP0043_derives
    AMP0043_hidden_members
    AMP0043_hidden_methods
    AMP0043_methods
    AMP0043_resolution
    AMP0043_slices
    AMP0043_traits
    atomic_mismatches
    bad_instantiations
    call_mismatches
    chosen_places
    conformance_host_rows
    conformance_rows
    const_functions
    copy_ranks
    core_functions
    exported_constants
    follow_on_errors
    foreign_vectors
    generic_launches
    generic_type_mismatches
    matched_numbers
    method_arguments
    imported_cases
    imports_of_refused_kernels
    included_file
    kept_iterators
    kernel_instances
    orderings
    not_exhaustive
    private_constant
    reference_borrows
    repeated_attributes
    returned_references
    returned_views
    standard_traits
    structs_with_views
    subgroup_mismatches
    syntax_errors
    taken_names_of_instances
    tile_static_outside
    trait_bound_mismatches
    unassigned_local
    unknown_constant
    view_borrows
    view_methods
}

programs! { runs in accepted, "ui/pass":
    atomics
    enum_named_by_its_cases
    index_width
    inference
    methods
    names
    no_warnings
    returned_views
    sections
    structs_with_views
    subgroups
    vectors
}

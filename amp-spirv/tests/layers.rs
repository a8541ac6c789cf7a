//! The order of the files: those of a folder, each with its children, use each other without circles.

#[test]
fn files_make_no_circles() {
    layers::check_circles(env!("CARGO_MANIFEST_DIR"));
}

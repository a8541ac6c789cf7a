//! Views made from views.

use amp_spirv::artifact::ParamKind;
use amp_spirv::tree::Module;

use crate::check::valid;
use crate::fences::{ordering, tiled};

const PART: &str = "let part = c.section(Index<1>(2usize), Index<1>(4usize));";

fn kernel(helpers: &str, body: &str) -> Module {
    tiled(helpers, &format!("{PART}\n{body}"))
}

/// Whether elements of each view of the kernel are read, and whether they are written.
fn uses(module: &Module) -> Vec<(bool, bool)> {
    let artifact = valid(module);
    let params = artifact.params.iter();
    params
        .filter_map(|param| match param.kind {
            ParamKind::View { reads, writes, .. } => Some((reads, writes)),
            ParamKind::Value { .. } => None,
        })
        .collect()
}

#[test]
fn what_happens_to_a_section_happens_to_its_parameter() {
    let write = kernel("", "part[1usize] = 1u32;");
    assert_eq!(uses(&write), [(false, false), (false, true)]);
    let through_a_helper = kernel(
        "fn fill#0(out: &mut ArrayViewMut<u32, 1>) { out[0usize] = 1u32; }",
        "call fill#0(part.section(Index<1>(1usize), Index<1>(4usize)));",
    );
    assert_eq!(uses(&through_a_helper), [(false, false), (false, true)]);
}

#[test]
fn barriers_order_sections_of_what_is_written() {
    let module = kernel(
        "",
        "barrier(All);
         part[1usize] = 1u32;
         barrier(All);
         x = a[1usize];
         barrier(All);
         x = c[1usize];
         barrier(All);",
    );
    assert_eq!(ordering(&module), [false, true, true, false]);
}

//! Every shape that control can take.

use amp_spirv::artifact::ParamKind;
use amp_spirv::tree::Module;

use crate::check::{count, listing, loops, read, valid};

/// A kernel that writes what `body` leaves in `n` (a `u32` that starts as the thread's
/// index), behind helpers.
pub fn scaffold(helpers: &str, body: &str) -> Module {
    let number = helpers.matches("fn ").count();
    read(&format!(
        "kernel k over Index<1>
{helpers}
fn k#{number}(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {{
    let n = (idx[0usize] as u32);
    {body}
    out[idx] = n;
}}"
    ))
}

fn kernel(body: &str) -> Module {
    scaffold("", body)
}

#[test]
fn if_as_value_is_a_phi() {
    let module = kernel("n = if (n == 3u32) { n += 1u32; 10u32 } else { 20u32 };");
    if let Some(text) = listing(&module) {
        assert!(count(&text, "OpPhi") >= 1);
    }
}

#[test]
fn if_with_a_branch_that_leaves_needs_no_phi() {
    valid(&kernel("n = if (n == 3u32) { return; } else { 20u32 };"));
}

#[test]
fn nothing_follows_an_if_that_never_completes() {
    valid(&kernel(
        "if (n == 3u32) { return; } else { return; } n += 1u32;",
    ));
}

#[test]
fn else_if_chains_with_values() {
    valid(&kernel(
        "n = if (n == 1u32) { 1u32 } else { if (n == 2u32) { 2u32 } else { 3u32 } };",
    ));
}

#[test]
fn lazy_operators_branch_only_around_what_costs() {
    let module = kernel(
        "if (((n == 1u32) && (n == 2u32)) || (out[idx] == 4u32)) { n += 1u32; }
         if (((n == 1u32) && (n == 2u32)) && ((8u32 / n) == 4u32)) { n += 1u32; }",
    );
    if let Some(text) = listing(&module) {
        assert!(text.contains("OpLogicalAnd"));
    }
}

#[test]
fn lazy_operator_whose_right_side_leaves() {
    valid(&kernel("let flag = ((n == 1u32) || (return)); n += 1u32;"));
}

#[test]
fn while_with_break_and_continue() {
    valid(&kernel(
        "'0: while (n < 100u32) {
            n += 1u32;
            if (n == 50u32) { break '0; }
            if (n == 20u32) { continue '0; }
            n += 2u32;
        }",
    ));
}

#[test]
fn break_with_a_value() {
    valid(&kernel(
        "n = '0: loop -> u32 {
            n += 1u32;
            if (n == 7u32) { break '0 70u32; }
            if (n == 9u32) { break '0 n; }
        };",
    ));
}

#[test]
fn endless_loop_without_break_ends_the_function() {
    valid(&kernel(
        "'0: loop { n += 1u32; if (n == 5u32) { return; } } n += 1u32;",
    ));
}

#[test]
fn loop_that_leaves_at_once() {
    valid(&kernel("'0: loop { n += 1u32; break '0; }"));
}

#[test]
fn labelled_jumps_out_of_nested_loops() {
    let module = kernel(
        "'0: for i in (0u32..4u32) {
            '1: for j in (0u32..4u32) {
                '2: for k in (0u32..4u32) {
                    if (n == 11u32) { break '0; }
                    if (n == 12u32) { continue '0; }
                    if (n == 13u32) { break '1; }
                    if (n == 14u32) { continue '1; }
                    if (n == 15u32) { break '2; }
                    if (n == 16u32) { continue '2; }
                    if (n == 17u32) { return; }
                    n += 1u32;
                }
                n += 3u32;
            }
            n += 5u32;
        }",
    );
    assert_eq!(loops(&valid(&module)), 3);
    if let Some(text) = listing(&module) {
        // One test for each jump that leaves a loop on its way further out.
        assert!(text.contains("OpName %escape \"escape\""));
    }
}

#[test]
fn labelled_blocks() {
    valid(&kernel(
        "'0: for i in (0u32..4u32) {
            n = '1: {
                n = '2: {
                    if (n == 1u32) { break '2 5u32; }
                    if (n == 2u32) { break '1 6u32; }
                    if (n == 3u32) { continue '0; }
                    if (n == 4u32) { break '0; }
                    n
                };
                9u32
            };
            n += 1u32;
        }",
    ));
}

#[test]
fn labelled_block_that_only_breaks() {
    valid(&kernel("n = '0: -> u32 { break '0 3u32; };"));
}

#[test]
fn early_return_from_nested_loops_of_a_helper() {
    let find = "
fn find#0(x: u32) -> u32 {
    '0: for i in (0u32..10u32) {
        '1: for j in (0u32..10u32) {
            if ((i * j) == x) { return i; }
        }
    }
    99u32
}";
    valid(&scaffold(find, "n = call find#0(n);"));
}

#[test]
fn helpers_take_and_give_nothing_views_and_values() {
    let module = read(
        "kernel views over Index<1>
fn nothing#0(nothing: ()) {
    let ignored = nothing;
}
fn reads#1(source: &ArrayView<u32, 2>, scale: u32) -> u32 {
    (source[1usize, 2usize] * scale)
}
fn views#2(idx: Index<1>, a: &ArrayView<u32, 2>, b: &mut ArrayViewMut<u32, 2>) {
    call nothing#0(());
    b[0usize, 0usize] = (call reads#1(a, 2u32) + call reads#1(b, 3u32));
}",
    );
    let artifact = valid(&module);
    let uses: Vec<(bool, bool)> = artifact
        .params
        .iter()
        .map(|param| match param.kind {
            ParamKind::View { reads, writes, .. } => (reads, writes),
            ParamKind::Value { .. } => (false, false),
        })
        .collect();
    assert_eq!(uses, [(true, false), (true, true)]);
}

//! Loops, their jumps and the indices in them.

use amp_spirv::artifact::FaultKind;
use amp_spirv::tree::Module;

use crate::check::{faults, instructions, loops, read, valid};

/// A kernel of `body`, with the store of its result, which can fault, at the end.
fn kernel(body: &str) -> Module {
    read(&format!(
        "kernel k over Index<1>
const N#0: usize
fn k#0(idx: Index<1>, a: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>, n: usize) {{
    let table: [u32; #0] = [0u32; #0];
    let sum = 0u32;
    {body}
    out[idx] = sum;
}}"
    ))
}

/// The same of `for i in 0..n`.
fn rounds(body: &str) -> Module {
    kernel(&format!("'0: for i in (0usize..n) {{ {body} }}"))
}

/// Loops that set a table whose length only the run time knows to zero.
const FILLING: usize = 1;

/// Number of loops that are written, and of places that can fault in them.
fn shape(module: &Module) -> (usize, usize) {
    let artifact = valid(module);
    (loops(&artifact) - FILLING, faults(&artifact).len() - 1)
}

#[test]
fn loop_variable_that_is_assigned_proves_nothing() {
    let module = rounds("sum += a[i]; i = (i + 1usize);");
    assert_eq!(shape(&module), (1, 1));
}

#[test]
fn variable_may_get_its_first_value_in_a_loop() {
    let module = kernel("let j: usize; '0: for i in (0usize..n) { j = 3usize; sum += a[j]; }");
    assert_eq!(shape(&module), (1, 1));
}

#[test]
fn indices_of_arrays_are_checked_unless_a_fact_bounds_them() {
    let until = |end| {
        let body = format!("'0: for i in (0usize..{end}) {{ sum += table[i]; }}");
        shape(&kernel(&body))
    };
    assert_eq!(until("n"), (1, 1));
    assert_eq!(until("N#0"), (1, 0));
}

#[test]
fn parts_of_an_index_fault_before_it() {
    let module = rounds("sum += a[((table[2usize] as usize) + i)];");
    let (element, part) = (FaultKind::OutOfBounds, FaultKind::ArrayOutOfBounds);
    assert_eq!(faults(&valid(&module)), [part, element, element]);
}

#[test]
fn masks_bound_indices_of_arrays() {
    let with = |mask: &str| {
        let chain: String = (0..60)
            .map(|k| format!("let x{} = (x{k} & x{k});\n", k + 1))
            .collect();
        let body = format!("let small: [u32; 4] = [0u32; 4]; let x0 = n; {chain}");
        shape(&kernel(&format!("{body} sum += small[{mask}];")))
    };
    assert_eq!(with("(x60 & 3usize)"), (0, 0));
    assert_eq!(with("(3usize & x60)"), (0, 0));
    assert_eq!(with("(x60 & 4usize)"), (0, 1));
    assert_eq!(with("x60"), (0, 1));
}

#[test]
fn jumps_leave_several_constructs() {
    let jumps = [
        "break '3",
        "continue '3",
        "break '2",
        "continue '2",
        "break '1",
        "break '0",
        "return",
    ];
    for jump in jumps {
        let module = kernel(&format!(
            "'0: loop {{
                '1: {{
                    '2: for k in (0usize..4usize) {{
                        '3: for i in (0usize..n) {{
                            if (i == 3usize) {{ {jump}; }}
                            if (i == 3usize) {{ break '2; }}
                            sum += a[i];
                        }}
                        sum += 1u32;
                    }}
                    sum += 2u32;
                }}
                sum += 3u32;
                break '0;
            }}"
        ));
        assert_eq!(shape(&module).1, 1);
    }
}

#[test]
fn a_round_may_leave_for_good() {
    assert_eq!(shape(&rounds("sum += a[i]; return;")), (1, 1));
}

#[test]
fn an_element_that_is_changed_is_checked_once() {
    let branches = |body| instructions(&valid(&kernel(body)), "BranchConditional").len();
    assert_eq!(branches("out[idx] += 1u32;"), branches("") + 1);
}

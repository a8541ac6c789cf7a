//! Kernels as text, and what their values vary along.

use super::*;
use crate::analysis::tests::kernel;
use crate::mir::parse;

const ROWS: Varies = Varies::along(0);
const COLUMNS: Varies = Varies::along(1);

fn both() -> Varies {
    ROWS | COLUMNS
}

/// What the values of the kernel's instructions and regions vary along, in order.
fn values(module: &Module) -> Vec<Varies> {
    let facts = Uniformity::of(module).pop().unwrap();
    let params = module.kernel().params.len();
    facts.values[params..].to_vec()
}

/// Those of a body that starts with `%8`, the row, and `%9`, the column.
fn varies(body: &str) -> Vec<Varies> {
    let module = kernel(&positions(body));
    values(&module)[3..].to_vec()
}

fn positions(body: &str) -> String {
    format!(
        "%10: Index<2> = extract 1 %0
         %8: usize = extract 0 %10
         %9: usize = extract 1 %10
         {body}"
    )
}

#[test]
fn a_result_varies_along_the_dimensions_of_its_operands() {
    let found = varies(
        "%11: usize = add %8, %3
         %12: usize = add %8, %9
         %13: u32 = load %1[%3, %9]
         %14: u32 = load shared@0[%8]
         %15: u32 = load %2[%3, %4]
         %16: Index<2> = extract 2 %0
         %17: usize = extract 0 %16
         %18: Index<2> = extract 0 %0",
    );
    let none = Varies::UNIFORM;
    assert_eq!(
        found,
        [ROWS, both(), COLUMNS, ROWS, none, none, none, both()]
    );
}

#[test]
fn results_that_other_threads_affect_vary_in_all_dimensions() {
    let body = "%11: u32 = atomic Add shared@0[%3], %5
                %12: bool = subgroup Elect
                %13: usize = subgroup Size
                %14: u32 = load shared@0[%3]
                %15: u32 = load %2[%3, %4]
                %16: u32 = load %1[%3, %4]";
    let (any, none) = (Varies::ANY, Varies::UNIFORM);
    assert_eq!(varies(body), [any, any, none, none, none, none]);
    let fence = |which: &str| varies(&format!("{body}\n{which}"))[3..].to_vec();
    assert_eq!(fence("fence TileStatic"), [any, none, none]);
    assert_eq!(fence("device_fence"), [none, any, none]);
}

#[test]
fn the_result_of_an_if_varies_along_its_condition() {
    let choice = |otherwise: &str| {
        varies(&format!(
            "%11: bool = lt %8, %3
             %12: u32 = '0: block {{
                 %13: u32 = if %11 {{
                     yield %5
                 }} else {{
                     {otherwise}
                 }}
                 yield %13
             }}"
        ))
    };
    assert_eq!(choice("yield %5")[1..], [ROWS, ROWS]);
    // In the block only those are left that have taken one way.
    let broken = choice("break '0 %5");
    assert_eq!(broken[1..], [ROWS, Varies::UNIFORM]);
}

#[test]
fn the_result_of_a_loop_varies_along_its_exit_conditions() {
    let found = varies(
        "%11: usize = '0: loop %3 as %12: usize {
             %13: bool = lt %12, %9
             if %13 {
                 yield
             } else {
                 break '0 %12
             }
             %14: usize = add %12, %4
             yield %14
         }",
    );
    let none = Varies::UNIFORM;
    // What the loop carries is the same for all who are still there.
    assert_eq!(found, [COLUMNS, none, COLUMNS, none]);
}

#[test]
fn a_counter_does_not_vary_along_its_end() {
    let module = kernel(&positions(
        "%11: u32 = for %3, %9, %4, %5 as %12: usize, %13: u32 {
             %14: u32 = add %13, %13
             store shared@0[%12], %14
             yield %14
         }",
    ));
    let facts = Uniformity::of(&module).pop().unwrap();
    let function = module.kernel();
    let looping = function.inst(function.region(function.body).insts[3]);
    let body = function.region(looping.regions[0]);
    assert_eq!(facts.value(looping.results[0]), COLUMNS);
    assert!(body.params.iter().all(|it| facts.value(*it).is_uniform()));
    assert!(body.insts.iter().all(|it| facts.execution(*it) == COLUMNS));
}

#[test]
fn a_round_that_some_skip_makes_what_they_carry_vary() {
    let found = varies(
        "%11: bool = lt %8, %3
         %12: u32 = for %3, %4, %4, %5 as %13: usize, %14: u32 {
             if %11 {
                 yield
             } else {
                 continue '0 %14
             }
             %15: u32 = add %14, %14
             yield %15
         }"
        .replace("for", "'0: for")
        .as_str(),
    );
    let varying = found.iter().filter(|it| **it == ROWS).count();
    assert_eq!(varying, 4, "all but the counter: {found:?}");
}

#[test]
fn code_behind_a_jump_of_some_is_executed_by_the_others() {
    let module = kernel(&positions(
        "%11: bool = lt %8, %3
         '0: block {
             %12: u32 = add %5, %5
             if %11 {
                 break '0
             } else {
                 yield
             }
             %13: u32 = add %5, %5
             yield
         }
         %14: u32 = add %5, %5",
    ));
    let facts = Uniformity::of(&module).pop().unwrap();
    let function = module.kernel();
    let mut found = Vec::new();
    function.walk(function.body, &mut |id, inst| {
        if inst.results.len() == 1 && inst.args.first() == inst.args.get(1) {
            found.push(facts.execution(id));
        }
    });
    assert_eq!(found, [Varies::UNIFORM, ROWS, Varies::UNIFORM]);
}

#[test]
fn slots_vary_along_what_is_stored_and_who_stores() {
    let load = |store: &str| {
        let body = positions(&format!(
            "%11: bool = lt %9, %3
             {store}
             %12: u32 = load a$0[%4]"
        ));
        let module = kernel(&format!("slot a$0: [u32; 64] {body}"));
        values(&module).pop().unwrap()
    };
    assert_eq!(load("store a$0[%3], %5"), Varies::UNIFORM);
    assert_eq!(load("store a$0[%8], %5"), ROWS);
    let guarded = "if %11 { store a$0[%8], %5 yield } else { yield }";
    assert_eq!(load(guarded), both());
}

#[test]
fn calls_vary_along_what_they_are_given() {
    let text = "kernel k over tiles of 16 x 16
fn lane#0() -> usize {
    %0: usize = subgroup Index
    return %0
}
fn twice#1(%0: usize) -> usize {
    %1: usize = add %0, %0
    return %1
}
fn k#2(%0: TiledIndex<2>, %1: usize) {
    %2: Index<2> = extract 1 %0
    %3: usize = extract 1 %2
    %4: usize = call twice#1 %3
    %5: usize = call twice#1 %1
    %6: usize = call lane#0
    return
}
";
    let found = values(&parse(text).unwrap());
    assert_eq!(found[2..], [COLUMNS, Varies::UNIFORM, Varies::ANY]);
}

#[test]
fn without_tiles_the_dimensions_are_those_of_the_domain() {
    let text = "kernel k over Index<2>
fn k#0(%0: Index<2>, %1: usize) {
    %2: usize = extract 1 %0
    %3: usize = add %2, %1
    %4: Index<2> = insert 0 %0, %1
    return
}
";
    assert_eq!(values(&parse(text).unwrap()), [COLUMNS, COLUMNS, both()]);
}

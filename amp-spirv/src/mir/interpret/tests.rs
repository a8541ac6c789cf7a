//! What texts do.

use super::*;
use crate::mir::{parse, verify};

/// Runs a kernel over 8 threads on an array of `u32`, in tiles of 4 if it is tiled.
fn run_on(text: &str, elements: &[u32]) -> (Vec<u32>, Result<Vec<Fault>, Refusal>) {
    let module = parse(text).unwrap_or_else(|error| panic!("{error}"));
    verify(&module).unwrap_or_else(|errors| panic!("{}", errors.join("\n")));
    let launch = Launch {
        tile: matches!(module.domain, Domain::Tiled { .. }).then_some(&[4]),
        module: &module,
        constants: &[],
        extent: &[8],
        arguments: vec![Argument::Array(0)],
        steps: 1000,
        wide: false,
    };
    let mut arrays = [Array {
        extent: vec![elements.len() as u32],
        elements: elements.iter().map(|it| Value::Int((*it).into())).collect(),
    }];
    let faults = run(&launch, &mut arrays);
    let left = arrays[0].elements.iter().map(|it| it.as_int() as u32);
    (left.collect(), faults)
}

#[test]
fn an_access_that_is_out_of_bounds_is_noted_and_does_nothing() {
    let (left, faults) = run_on(
        "kernel k over Index<1>
        site #0: OutOfBounds
        fn k#0(%0: Index<1>, %1: &mut ArrayViewMut<u32, 1>) {
            %2: usize = extract 0 %0
            %3: bool = in_bounds view 1 %1, %2
            %4: usize = extent 0 %1
            note_fault #0 %3, %2, %4
            %5: u32 = load %1[%2] if %3
            %6: u32 = literal 10
            %7: u32 = mul %5, %6
            store %1[%2], %7 if %3
            return
        }",
        &[1, 2, 3, 4, 5, 6],
    );
    assert_eq!(left, [10, 20, 30, 40, 50, 60]);
    let fault = |at: u32| Fault {
        thread: vec![at],
        site: SiteId(0),
        operands: vec![Value::Int(at.into()), Value::Int(6)],
    };
    assert_eq!(faults, Ok(vec![fault(6), fault(7)]));
}

#[test]
fn threads_of_a_tile_wait_for_each_other() {
    let (left, faults) = run_on(
        "kernel k over tiles of 4
        tile_static t@0: [u32; 4]
        fn k#0(%0: TiledIndex<1>, %1: &mut ArrayViewMut<u32, 1>) {
            %2: Index<1> = extract 0 %0
            %3: usize = extract 0 %2
            %4: Index<1> = extract 1 %0
            %5: usize = extract 0 %4
            %6: bool = in_bounds view 1 %1, %3
            %7: u32 = load %1[%3] if %6
            %8: bool = in_bounds len 4 %5
            store @0[%5], %7 if %8
            barrier TileStatic
            %9: usize = literal 3
            %10: usize = sub %9, %5
            %11: bool = in_bounds len 4 %10
            %12: u32 = load @0[%10] if %11
            store %1[%3], %12 if %6
            return
        }",
        &[1, 2, 3, 4, 5, 6, 7, 8],
    );
    assert_eq!(
        (left, faults),
        (vec![4, 3, 2, 1, 8, 7, 6, 5], Ok(Vec::new()))
    );
}

#[test]
fn loops_carry_values_and_are_left() {
    let (left, _) = run_on(
        "kernel k over Index<1>
        fn k#0(%0: Index<1>, %1: &mut ArrayViewMut<u32, 1>) {
            %2: usize = extract 0 %0
            %3: u32 = literal 0
            %4: u32 = literal 10
            %5: u32 = literal 1
            %6: u32 = cast %2
            %7: u32 = for %3, %6, %5, %3 as %8: u32, %9: u32 {
                %10: u32 = add %9, %8
                yield %10
            }
            %11: u32 = '0: loop %7 as %12: u32 {
                %13: bool = gt %12, %4
                if %13 {
                    break '0 %12
                } else {
                    yield
                }
                %14: u32 = add %12, %4
                yield %14
            }
            %15: bool = in_bounds view 1 %1, %2
            store %1[%2], %11 if %15
            return
        }",
        &[0; 5],
    );
    assert_eq!(left, [20, 20, 11, 13, 16]);
}

#[test]
fn a_counter_stops_at_the_greatest_value() {
    let (left, _) = run_on(
        "kernel k over Index<1>
        fn k#0(%0: Index<1>, %1: &mut ArrayViewMut<u32, 1>) {
            %2: usize = extract 0 %0
            %3: u8 = literal 253
            %4: u8 = literal 255
            %5: u8 = literal 1
            %6: u32 = literal 0
            %7: u32 = literal 1
            %8: u32 = for_inclusive %3, %4, %5, %6 as %9: u8, %10: u32 {
                %11: u32 = add %10, %7
                yield %11
            }
            %12: bool = in_bounds view 1 %1, %2
            store %1[%2], %8 if %12
            return
        }",
        &[0],
    );
    assert_eq!(left, [3]);
}

#[test]
fn a_copy_without_its_guard_clears_whole_slots_alone() {
    let (left, _) = run_on(
        "kernel k over Index<1>
        fn k#0(%0: Index<1>, %1: &mut ArrayViewMut<u32, 1>) {
            slot row$0: [u32; 40]
            slot rows$1: [[u32; 40]; 2]
            %2: usize = extract 0 %0
            %3: usize = literal 0
            %4: u32 = literal 1
            %5: bool = in_bounds len 40 always %3
            %6: bool = in_bounds len 2 %2
            %7: bool = in_bounds len 2 always %3
            %8: bool = bitand %5, %7
            clear $0
            store $0[%3], %4 if %5
            clear $1
            copy $1[%2], $0 if %6
            copy $0, $1[%2] if %6
            %9: u32 = load $0[%3] if %5
            %10: u32 = load $1[%3][%3] if %8
            %11: u32 = add %9, %10
            %12: bool = in_bounds view 1 %1, %2
            store %1[%2], %11 if %12
            return
        }",
        &[9; 3],
    );
    assert_eq!(left, [2, 1, 0]);
}

#[test]
fn modules_that_break_the_rules_have_no_result() {
    let body = |body: &str| {
        let text = format!(
            "kernel k over Index<1>
            fn k#0(%0: Index<1>, %1: &mut ArrayViewMut<u32, 1>) {{
            slot x$0: u32
            %2: usize = extract 0 %0
            {body}
            }}"
        );
        run_on(&text, &[0]).1
    };
    let divides = "%3: usize = literal 0\n%4: bool = literal true\n\
        %5: usize = div %2, %3 if %4\nreturn";
    let why = "an operation without a result is not guarded";
    assert_eq!(body(divides), Err(Refusal::Broken(why.to_owned())));
    let proven = "%3: bool = in_bounds view 1 always %1, %2\nreturn";
    let why = "a check that always holds does not";
    assert_eq!(body(proven), Err(Refusal::Broken(why.to_owned())));
    assert_eq!(
        body("%3: u32 = load $0\nreturn"),
        Err(Refusal::Uninitialised)
    );
    assert_eq!(body("loop {\nyield\n}\nunreachable"), Err(Refusal::TooLong));
}

use crate::opt::tests::after;

#[track_caller]
fn hidden(before: &str) -> String {
    after(before, |module, _| super::run(module))
}

#[track_caller]
fn becomes(params: &str, before: &str, expected: &str) {
    let text =
        |body| format!("kernel k over Index<1>\n\nfn k#0({params}) {{\n{body}    return\n}}\n");
    assert_eq!(hidden(&text(before)), text(expected));
}

#[test]
fn constant_floats_are_hidden() {
    becomes(
        "%0: Index<1>, %1: f32",
        "    %2: f32 = literal 0.0
    %3: f32 = mul %1, %2
    %4: (f32, u32) = zero
    %5: u32 = literal 0
    %6: usize = extract 0 %0
    %7: f64 = cast %6
",
        "    %2: f32 = literal 0.0
    %3: f32 = hide Value %2
    %4: f32 = mul %1, %3
    %5: (f32, u32) = zero
    %6: (f32, u32) = hide Value %5
    %7: u32 = literal 0
    %8: usize = extract 0 %0
    %9: f64 = cast %8
    %10: f64 = hide Value %9
",
    );
}

#[test]
fn indices_of_loaded_parts_are_hidden() {
    becomes(
        "%0: Index<1>, %1: bool",
        "    slot links$0: [(u32, u32); 8]
    %2: u32 = literal 0
    %3: u32 = literal 1
    %4: u32 = for %2, %3, %3, %2 as %5: u32, %6: u32 {
        %7: usize = cast %6
        %8: (u32, u32) = load links$0[%7]
        %9: u32 = load links$0[%7].1
        %10: u32 = extract 0 %8
        %11: (u32, u32) = load links$0[%2]
        yield %10
    }
",
        "    slot links$0: [(u32, u32); 8]
    %2: u32 = literal 0
    %3: u32 = literal 1
    %4: u32 = for %2, %3, %3, %2 as %5: u32, %6: u32 {
        %7: usize = cast %6
        %8: usize = hide Value %7
        %9: (u32, u32) = load links$0[%8]
        %10: u32 = load links$0[%7].1
        %11: u32 = extract 0 %9
        %12: (u32, u32) = load links$0[%2]
        yield %11
    }
",
    );
}

#[test]
fn fast_floats_are_not_hidden() {
    let before = "kernel k over Index<1>\n
fn k#0(%0: Index<1>, %1: f32) fast_math {
    %2: f32 = literal 0.0
    %3: f32 = mul %1, %2
    %4: u32 = math ToBits %3
    return
}
";
    assert_eq!(hidden(before), before);
}

#[test]
fn counts_and_masks_of_64_bits_are_hidden() {
    becomes(
        "%0: Index<1>, %1: u32, %2: i64",
        "    %3: i64 = shl %2, %1
    %4: i64 = cast %1
    %5: u32 = literal 1
    %6: u32 = bitand %5, %1
    %7: u32 = shl %6, %1
    %8: i64 = literal 3
    %9: i64 = bitand %2, %8
    %10: u32 = literal 3
    %11: u32 = bitand %1, %10
",
        "    %3: u32 = hide Value %1
    %4: i64 = shl %2, %3
    %5: i64 = cast %1
    %6: i64 = hide Value %5
    %7: u32 = literal 1
    %8: u32 = hide Bits %7
    %9: u32 = bitand %8, %1
    %10: u32 = shl %9, %1
    %11: i64 = literal 3
    %12: i64 = hide Bits %11
    %13: i64 = bitand %2, %12
    %14: u32 = literal 3
    %15: u32 = bitand %1, %14
",
    );
}

#[test]
fn words_are_hidden_before_their_bytes_change_places() {
    becomes(
        "%0: Index<1>, %1: u32, %2: u16",
        "    %3: u32 = math SwapBytes %1
    %4: u16 = math SwapBytes %2
",
        "    %3: u32 = hide Bits %1
    %4: u32 = math SwapBytes %3
    %5: u16 = math SwapBytes %2
",
    );
}

#[test]
fn narrow_numbers_are_hidden_before_their_bits_are_counted() {
    becomes(
        "%0: Index<1>, %1: u8, %2: u32",
        "    %3: u32 = math CountOnes %1
    %4: u32 = math CountOnes %2
    %5: bool = math IsPowerOfTwo %1
",
        "    %3: u8 = hide Bits %1
    %4: u32 = math CountOnes %3
    %5: u32 = math CountOnes %2
    %6: u8 = hide Bits %1
    %7: bool = math IsPowerOfTwo %6
",
    );
}

#[test]
fn remainders_and_conversions_of_64_bits_are_hidden() {
    becomes(
        "%0: Index<1>, %1: u64, %2: f32, %3: u32",
        "    %4: u64 = literal 6
    %5: u64 = rem %1, %4
    %6: u64 = cast %2
    %7: i64 = cast %2
    %8: u32 = literal 6
    %9: u32 = rem %3, %8
",
        "    %4: u64 = literal 6
    %5: u64 = rem %1, %4
    %6: u64 = hide Bits %5
    %7: u64 = cast %2
    %8: u64 = hide Bits %7
    %9: i64 = cast %2
    %10: u32 = literal 6
    %11: u32 = rem %3, %10
",
    );
}

#[test]
fn literals_in_sums_that_are_ored_are_hidden() {
    becomes(
        "%0: Index<1>, %1: u64",
        "    %2: u64 = literal 9
    %3: u64 = add %2, %1
    %4: u64 = bitor %3, %1
    %5: u64 = add %4, %2
",
        "    %2: u64 = literal 9
    %3: u64 = hide Bits %2
    %4: u64 = add %3, %1
    %5: u64 = bitor %4, %1
    %6: u64 = add %5, %2
",
    );
}

#[test]
fn shuffled_numbers_are_hidden() {
    becomes(
        "%0: Index<1>, %1: f32, %2: usize",
        "    %3: f32 = subgroup Shuffle %1, %2
    %4: f32 = subgroup Add %3
",
        "    %3: f32 = hide Bits %1
    %4: f32 = subgroup Shuffle %3, %2
    %5: f32 = subgroup Add %4
",
    );
}

#[test]
fn bits_of_floats_are_hidden() {
    becomes(
        "%0: Index<1>, %1: f32",
        "    %2: u32 = math ToBits %1
    %3: f32 = math FromBits %2
    %4: f32 = math Copysign %1, %3
",
        "    %2: u32 = math ToBits %1
    %3: u32 = hide Float %2
    %4: u32 = hide Float %3
    %5: f32 = math FromBits %4
    %6: f32 = hide Value %5
    %7: f32 = hide Float %6
    %8: f32 = math Copysign %1, %7
",
    );
}

#[test]
fn sums_compared_with_their_parts_are_hidden() {
    becomes(
        "%0: Index<1>, %1: u64, %2: u64, %3: u32",
        "    %4: u64 = add %1, %2
    %5: bool = lt %4, %1
    %6: bool = lt %2, %4
    %7: u64 = literal 9
    %8: bool = lt %4, %7
    %9: u32 = add %3, %3
    %10: bool = lt %9, %3
",
        "    %4: u64 = add %1, %2
    %5: u64 = hide Bits %4
    %6: bool = lt %5, %1
    %7: u64 = hide Bits %4
    %8: bool = lt %2, %7
    %9: u64 = literal 9
    %10: bool = lt %4, %9
    %11: u32 = add %3, %3
    %12: bool = lt %11, %3
",
    );
}

/// Only integers have a carry, and only they are hidden by a shift.
#[test]
fn sums_of_doubles_are_not_hidden() {
    let body = "    %3: f64 = sub %1, %2
    %4: bool = lt %3, %1
";
    becomes("%0: Index<1>, %1: f64, %2: f64", body, body);
}

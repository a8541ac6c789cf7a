use syn::parse_str;

use crate::import::File;

const FILE: &str = "
    const SIZES: [usize; 3] = [2, 3, 4];
    const PAIR: (usize, [u8; 2]) = (7, *b\"ab\");
    mod inner { pub const N: usize = super::sum(&super::SIZES); }
    const fn sum(all: &[usize]) -> usize {
        let (mut sum, mut i) = (0, 0);
        while i < all.len() { sum += all[i]; i += 1; }
        sum
    }
    const fn gcd(a: u32, b: u32) -> u32 { if b == 0 { a } else { gcd(b, a % b) } }
    const fn squares() -> [i32; 5] {
        let mut all = [0; 5];
        let mut i = 0;
        loop {
            if i == 5 { break; }
            i += 1;
            if i == 2 { continue; }
            all[i - 1] = (i * i) as i32;
        }
        all
    }
    const fn named(n: usize) -> usize {
        assert!(n < 9);
        match n { 0 | 1 => 10, 2..=4 if n % 2 == 0 => 20, big @ 5.. => big, _ => return 30 }
    }
    const fn of_type<const N: usize>() -> usize { N }
    const N: usize = 3;
    const fn forever() -> usize { loop {} }
    const fn endless(n: usize) -> usize { endless(n + 1) }
    const A: usize = B;
    const B: usize = A;
    const C: [u8; C.len()] = [0; C.len()];
    const D: &[u8] = E;
    const E: &[u8] = D;
    #[cfg(a)] const fn twin() -> usize { 1 }
    #[cfg(b)] const fn twin() -> usize { 2 }
";

#[test]
fn numbers_are_what_rustc_computes() {
    let file = File::of_text("lib.rs".into(), FILE.to_owned()).expect("this is a file");
    let number = |text: &str| file.number(0, &parse_str(text).expect("an expression"));
    for (text, expected) in [
        ("sum(&SIZES) * 2", 18),
        ("inner::N", 9),
        ("gcd(84, 36) as usize", 12),
        ("squares()[4] as usize", 25),
        ("squares()[1] as usize", 0),
        ("named(0)", 10),
        ("named(2)", 20),
        ("named(3)", 30),
        ("named(7)", 7),
        ("PAIR.0 + PAIR.1[1] as usize", 105),
        ("PAIR.1.len()", 2),
        ("-7 / 2 + 3", 0),
        ("-1 as u8", 255),
        ("(300 as u8) as usize", 44),
        ("{ let mut x = 1; x <<= 4; x |= 1; x }", 17),
        ("5_usize.next_power_of_two().pow(2)", 64),
        ("17_usize.div_ceil(4) + 10_usize.next_multiple_of(4)", 17),
        ("10_u32.ilog2() as usize + 50_usize.isqrt()", 10),
        ("u32::BITS as usize + i8::MAX as usize", 159),
        ("!(1 > 2) as usize", 1),
        ("[[0; 3]; 4].len()", 4),
        ("[0; sum(&SIZES)].len()", 9),
    ] {
        assert_eq!(number(text), Some(expected), "{text}");
    }
    for text in [
        "of_type::<3>()",
        "forever()",
        "endless(0)",
        "A",
        "C.len()",
        "D.len()",
        "twin()",
        "1 - 2",
        "SIZES[3]",
        "named(1) / 0",
        "[[0; 100_000]; 100_000].len() + [[0; 1 << 20]; 1 << 20][0][0]",
        "u64::MAX * 2",
        "1.5 as usize",
        "unknown(1)",
    ] {
        assert_eq!(number(text), None, "{text}");
    }
}

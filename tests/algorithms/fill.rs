use amp::algorithms::fill;
use amp::prelude::*;
use testkit::accelerators;

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Cell {
    a: u8,
    b: [u8; 2],
}

fn filled<T: amp::Element + PartialEq + std::fmt::Debug>(before: T, value: T) {
    for accelerator in accelerators() {
        let view = accelerator.default_view().unwrap();
        for n in [1, 3, 1000, 70_001] {
            let mut array = Array::builder(n)
                .on(&view)
                .data(&vec![before; n])
                .build()
                .unwrap();
            let part = n / 3..n / 3 + n.div_ceil(2);
            fill(
                &mut array.section_mut(part.start, part.len()).unwrap(),
                value,
            )
            .unwrap();
            let mut expected = vec![before; n];
            expected[part].fill(value);
            assert!(array.to_vec().unwrap() == expected, "{accelerator}, {n}");
            fill(&mut array, value).unwrap();
            assert!(
                array.to_vec().unwrap() == vec![value; n],
                "{accelerator}, {n}"
            );
        }
    }
}

#[test]
fn elements_of_every_size() {
    filled(1_i8, -3);
    filled(1_u16, 300);
    filled(0.5_f32, f32::NEG_INFINITY);
    filled(1_u64, 1 << 40);
    filled(1.0_f64, 2.5);
    filled(Cell { a: 1, b: [2, 3] }, Cell { a: 4, b: [5, 6] });
}

#[test]
fn slices() {
    let mut numbers = [1, 2, 3];
    let mut view = ArrayViewMut::new(3, &mut numbers).unwrap();
    fill(&mut view, 7_i64).unwrap();
    drop(view);
    assert_eq!(numbers, [7, 7, 7]);
}

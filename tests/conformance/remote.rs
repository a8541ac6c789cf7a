//! Rows 119 to 125: accelerators and the host take turns on parts of one body of data. Where a row
//! wants two accelerators it gets every two that there are, and two views of each.

use amp::prelude::*;
use testkit::{everywhere, launch};

use crate::on_pairs;

#[amp_kernel]
fn put(idx: Index<1>, a: &mut ArrayViewMut<i32, 1>, at: usize, value: i32) {
    a[idx + at] = value;
}

#[amp_kernel]
fn add(idx: Index<1>, a: &mut ArrayViewMut<i32, 1>, value: i32) {
    a[idx] += value;
}

#[test]
fn row_119_parts_of_an_array_are_seen_by_all_its_views() {
    everywhere(|view| {
        let mut array: Array<i32, 1> = Array::builder(100).on(view).build().unwrap();
        let mut a = array.view_mut();
        launch(view, 1, put(&mut a.section(15, 85).unwrap(), 10, 17)).unwrap();
        assert_eq!(a.as_view().section(20, 10).unwrap()[5], 17, "{view}");
        drop(a);
        assert_eq!(
            array.section(25, 1).unwrap().to_vec().unwrap(),
            [17],
            "{view}"
        );
    });
}

#[test]
fn row_121_the_host_works_on_what_a_kernel_wrote_of_a_section() {
    everywhere(|view| {
        let mut data = vec![0; 100];
        let mut av = ArrayViewMut::new(100, &mut data).unwrap();
        launch(view, 1, put(&mut av.section(0, 15).unwrap(), 10, 17)).unwrap();
        let mut local = av.section(10, 10).unwrap();
        local[3] = local[0];
        local[0] = 13;
        drop(local);
        assert_eq!((av[10], av[13]), (13, 17), "{view}");
        drop(av);
        assert_eq!((data[10], data[13], data[14]), (13, 17, 0), "{view}");
    });
}

#[amp_kernel]
fn put_both(_idx: Index<1>, a: &mut ArrayViewMut<i32, 2>, first: i32, second: i32) {
    a[[0, 0]] = first;
    a[[1, 1]] = second;
}

#[amp_kernel]
fn put_and_copy(_idx: Index<1>, a: &mut ArrayViewMut<i32, 2>, first: i32) {
    a[[0, 0]] = first;
    a[[1, 1]] = a[[2, 2]];
}

#[amp_kernel]
fn fill(idx: Index<2>, a: &mut ArrayViewMut<i32, 2>, value: i32) {
    a[idx] = value;
}

const NEAR: [usize; 2] = [0, 0];
const FAR: [usize; 2] = [20, 20];
const PART: [usize; 2] = [5, 5];

/// Requires values of a 25×25 matrix, and zeroes everywhere else.
fn expect(data: &[i32], values: &[([usize; 2], i32)], whom: &str) {
    let mut expected = [0; 625];
    for &([i, j], value) in values {
        expected[25 * i + j] = value;
    }
    assert_eq!(data, expected, "{whom}");
}

#[test]
fn row_123_two_accelerators_write_two_sections() {
    on_pairs(|first, second| {
        let mut data = [0; 625];
        let mut av = ArrayViewMut::new([25, 25], &mut data).unwrap();
        let mut near = av.section(NEAR, PART).unwrap();
        launch(first, 1, put_both(&mut near, 13, 12)).unwrap();
        drop(near);
        let mut far = av.section(FAR, PART).unwrap();
        launch(second, 1, put_both(&mut far, 14, 15)).unwrap();
        drop(far);
        assert_eq!((av[[0, 0]], av[[1, 1]]), (13, 12), "{first}, {second}");
        assert_eq!((av[[20, 20]], av[[21, 21]]), (14, 15), "{first}, {second}");
        drop(av);
        let values = [([0, 0], 13), ([1, 1], 12), ([20, 20], 14), ([21, 21], 15)];
        expect(&data, &values, &format!("{first}, {second}"));
    });
}

#[test]
fn row_123_the_host_writes_between_two_accelerators() {
    on_pairs(|first, second| {
        let mut data = [0; 625];
        let mut av = ArrayViewMut::new([25, 25], &mut data).unwrap();
        let mut near = av.section(NEAR, PART).unwrap();
        launch(first, 1, put_both(&mut near, 13, 12)).unwrap();
        drop(near);
        av[[22, 22]] = av[[0, 0]];
        let mut far = av.section(FAR, PART).unwrap();
        launch(second, 1, put_and_copy(&mut far, 14)).unwrap();
        drop(far);
        assert_eq!((av[[0, 0]], av[[1, 1]]), (13, 12), "{first}, {second}");
        let far = (av[[20, 20]], av[[21, 21]], av[[22, 22]]);
        assert_eq!(far, (14, 13, 13), "{first}, {second}");
        drop(av);
        let values = [
            ([0, 0], 13),
            ([1, 1], 12),
            ([20, 20], 14),
            ([21, 21], 13),
            ([22, 22], 13),
        ];
        expect(&data, &values, &format!("{first}, {second}"));
    });
}

#[test]
fn row_123_accelerators_and_the_host_take_turns_for_30_rounds() {
    on_pairs(|first, second| {
        let mut data = [0; 625];
        let mut av = ArrayViewMut::new([25, 25], &mut data).unwrap();
        for _ in 0..30 {
            let mut part = av.section_mut([3, 3], PART).unwrap();
            launch(first, PART, fill(&mut part, 14)).unwrap();
            av.section([4, 4], [3, 3]).unwrap()[[0, 0]] = 15;
            let mut part = av.section([4, 4], PART).unwrap();
            launch(second, PART, fill(&mut part, 16)).unwrap();
        }
        assert_eq!((av[[4, 4]], av[[3, 3]]), (16, 14), "{first}, {second}");
        drop(av);
        let within = |from: usize, i: usize| (from..from + 5).contains(&i);
        let value = |i, j| match (within(4, i) && within(4, j), within(3, i) && within(3, j)) {
            (true, _) => 16,
            (false, true) => 14,
            (false, false) => 0,
        };
        let places = (0..625).map(|at| [at / 25, at % 25]);
        let values: Vec<_> = places.map(|[i, j]| ([i, j], value(i, j))).collect();
        expect(&data, &values, &format!("{first}, {second}"));
    });
}

#[test]
fn row_125_overlapping_parts_see_each_other() {
    on_pairs(|first, second| {
        let data = vec![1; 99];
        let mut array = Array::builder(99).on(first).data(&data).build().unwrap();
        let mut av = array.view_mut();
        launch(second, 66, add(&mut av.section(0, 66).unwrap(), 1)).unwrap();
        // Rust has one name at a time for what is written: one kernel after the other.
        launch(second, 66, add(&mut av.section(0, 66).unwrap(), 1)).unwrap();
        launch(first, 66, add(&mut av.section(33, 66).unwrap(), 1)).unwrap();
        drop(av);
        launch(first, 99, add(&mut array, 1)).unwrap();
        let thirds = array.to_vec().unwrap();
        let expected = [[4; 33], [5; 33], [3; 33]].concat();
        assert_eq!(thirds, expected, "{first}, {second}");
    });
}

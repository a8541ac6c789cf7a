//! The ways to name an element.

use std::sync::Mutex;

use super::*;
use crate::types::index::{Extent, Index};

#[test]
fn every_kind_of_index_names_the_same_element() {
    let mut data: Vec<u32> = (0..24).collect();
    let memory = LaunchMemory::new(vec![view(&[2, 3, 4], &mut data)]);
    let views = memory.views();
    let a = views.readable::<u32, 3>(0);
    assert_eq!(a.extent(), Extent::new([2, 3, 4]));
    assert_eq!(a.place([1, 2, 3]).load(), 23);
    assert_eq!(a.place(Index::new([1, 0, 2])).load(), 14);
    assert_eq!(a.row(1).row(2).place(3).load(), 23);
    assert_eq!(a.row(1).extent(), Extent::new([3, 4]));
}

#[test]
fn rows_can_be_written() {
    let mut data = vec![0u32; 6];
    let memory = LaunchMemory::new(vec![view(&[2, 3], &mut data)]);
    let views = memory.views();
    let mut a = views.writable::<u32, 2>(0);
    a.row(1).place_mut(2).store(8);
    assert_eq!(a.place([1, 2]).load(), 8);
    assert_eq!(data, [0, 0, 0, 0, 0, 8]);
}

#[test]
fn strides_skip_what_a_section_leaves_out() {
    let mut data: Vec<u32> = (0..12).collect();
    // SAFETY: 2 rows of 3 elements, 4 apart, lie within the 12; nothing else uses them.
    let section = unsafe {
        let element = ElementType::of::<u32>();
        RawView::new(
            data.as_mut_ptr().cast(),
            element,
            vec![2, 3],
            vec![4, 1],
            false,
        )
    };
    let memory = LaunchMemory::new(vec![section]);
    let views = memory.views();
    let a = views.readable::<u32, 2>(0);
    let found = (a.place([0, 2]).load(), a.place([1, 0]).load());
    assert_eq!((found, a.row(1).place(2).load()), ((2, 4), 6));
}

#[test]
fn a_row_that_is_not_there_is_a_fault_and_empty() {
    let mut data = vec![1u32; 6];
    let views = vec![view(&[2, 3], &mut data)];
    let seen = Mutex::new(None);
    let kernel = |_: Index<1>, views: Views<'_>| {
        let row = views.readable::<u32, 2>(0).row(2);
        *seen.lock().unwrap() = Some((row.extent(), row.place(0).load()));
        views.writable::<u32, 2>(0).row(5).place_mut(0).store(7);
    };
    let fault = fault(launch(&[1], views, false, kernel));
    assert_eq!(
        fault.message,
        "index out of bounds: the extent is 2 but the index is 2"
    );
    assert_eq!(seen.into_inner().unwrap(), Some((Extent::new([0]), 0)));
    assert_eq!(data, [1; 6]);
}

/// A slot of one kernel's binding, used by the host version of another.
#[test]
#[should_panic = "bound to elements of another type"]
fn elements_of_another_type_are_refused() {
    let mut data = vec![0u8; 3];
    let memory = LaunchMemory::new(vec![view(&[3], &mut data)]);
    let views = memory.views();
    views.readable::<u64, 1>(0);
}

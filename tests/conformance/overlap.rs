//! Rows 131 and 133: parts that overlap, of every rank, of several ranks, of several elements.

use amp::AcceleratorView;
use amp::prelude::*;
use testkit::numbers::random;
use testkit::{everywhere, launch};

/// A kernel fills `remote` with random numbers, the host reads an element of `local`: where they
/// overlap the host sees the kernel's numbers, elsewhere what was there. The slice is lent to the
/// view meanwhile; what its storage has become shows when the view is gone.
fn overlap<const N: usize>(
    whole: [usize; N],
    remote: ([usize; N], [usize; N]),
    local: ([usize; N], [usize; N]),
    fill: impl Fn(
        &AcceleratorView,
        &ArrayView<'_, i32, N>,
        &mut ArrayViewMut<'_, i32, N>,
    ) -> amp::Result<()>,
) {
    let size = whole.iter().product();
    let numbers = random(131).map(|word| word as i32 | 8);
    let numbers: Vec<i32> = numbers.take(remote.1.iter().product()).collect();
    let within = |(origin, extent): ([usize; N], [usize; N]), at: [usize; N]| {
        (0..N).all(|k| (origin[k]..origin[k] + extent[k]).contains(&at[k]))
    };
    everywhere(|view| {
        let mut data = vec![7; size];
        let mut av = ArrayViewMut::new(whole, &mut data).unwrap();
        let input = ArrayView::new(remote.1, &numbers).unwrap();
        let mut target = av.section(remote.0, remote.1).unwrap();
        fill(view, &input, &mut target).unwrap();
        drop(target);
        let local_view = av.as_view().section(local.0, local.1).unwrap();
        let expected = |at: [usize; N]| match within(remote, at) {
            true => numbers[(0..N).fold(0, |sum, k| sum * remote.1[k] + at[k] - remote.0[k])],
            false => 7,
        };
        assert_eq!(local_view[[0; N]], expected(local.0), "{view}");
        let indices = |extent: [usize; N]| {
            (0..extent.iter().product()).map(move |mut at: usize| {
                let mut index = [0; N];
                for k in (0..N).rev() {
                    index[k] = at % extent[k];
                    at /= extent[k];
                }
                index
            })
        };
        for (index, found) in indices(local.1).zip(local_view.to_vec().unwrap()) {
            let at = std::array::from_fn(|k| index[k] + local.0[k]);
            assert_eq!(found, expected(at), "{view} at {at:?}");
        }
        drop(av);
        for (at, found) in indices(whole).zip(data) {
            assert_eq!(found, expected(at), "{view}, storage at {at:?}");
        }
    });
}

macro_rules! fills {
    ($($name:ident: $rank:literal;)*) => {$(
        #[amp_kernel]
        fn $name(
            idx: Index<$rank>,
            numbers: &ArrayView<i32, $rank>,
            a: &mut ArrayViewMut<i32, $rank>,
        ) {
            a[idx] = numbers[idx];
        }
    )*};
}
fills! {
    fill_1: 1;
    fill_2: 2;
    fill_3: 3;
    fill_4: 4;
    fill_5: 5;
}

#[test]
fn row_131_overlaps_of_sections_of_every_rank() {
    for (local, length) in [(0, 10), (5, 10), (10, 10), (20, 10), (30, 10), (0, 40)] {
        overlap(
            [40],
            ([10], [20]),
            ([local], [length]),
            |view, numbers, a| launch(view, a.extent(), fill_1(numbers, a)),
        );
    }
    let remote = ([2, 3], [4, 5]);
    for local in [
        ([0, 0], [2, 3]),
        ([1, 2], [3, 3]),
        ([3, 4], [2, 2]),
        ([2, 8], [4, 2]),
        ([0, 4], [8, 1]),
    ] {
        overlap([8, 10], remote, local, |view, numbers, a| {
            launch(view, a.extent(), fill_2(numbers, a))
        });
    }
    for local in [
        ([0, 0, 0], [3, 2, 5]),
        ([2, 2, 2], [2, 2, 2]),
        ([1, 0, 4], [1, 4, 1]),
    ] {
        overlap(
            [4, 4, 5],
            ([1, 2, 1], [2, 2, 3]),
            local,
            |view, numbers, a| launch(view, a.extent(), fill_3(numbers, a)),
        );
    }
    overlap(
        [3; 4],
        ([1; 4], [2; 4]),
        ([0, 1, 2, 0], [3, 2, 1, 3]),
        |view, numbers, a| launch(view, a.extent(), fill_4(numbers, a)),
    );
    for local in [
        ([0; 5], [2, 3, 3, 3, 3]),
        ([2, 2, 0, 0, 2], [1, 1, 3, 1, 1]),
    ] {
        overlap(
            [3; 5],
            ([2, 0, 1, 0, 2], [1, 3, 2, 3, 1]),
            local,
            |view, numbers, a| launch(view, a.extent(), fill_5(numbers, a)),
        );
    }
}

/// Parts of different ranks over one body of data.
#[test]
fn row_131_overlaps_of_different_ranks() {
    everywhere(|view| {
        let mut data = vec![0; 120];
        let mut av = ArrayViewMut::new(120, &mut data).unwrap();
        let mut space = av.view_as_mut([4, 5, 6]).unwrap();
        let mut part = space.section_mut([1, 1, 2], [2, 3, 2]).unwrap();
        let nines = [9; 12];
        let nines = ArrayView::new([2, 3, 2], &nines).unwrap();
        launch(view, part.extent(), fill_3(&nines, &mut part)).unwrap();
        let plane = av.as_view().view_as([20, 6]).unwrap();
        assert_eq!(
            plane.row(6).unwrap().to_vec().unwrap(),
            [0, 0, 9, 9, 0, 0],
            "{view}"
        );
        assert_eq!((av[29], av[30], av[32]), (0, 0, 0), "{view}");
        assert_eq!((av[38], av[39], av[40]), (9, 9, 0), "{view}");
        // A projection of a projection.
        let mut space = av.view_as([4, 5, 6]).unwrap();
        space.row(3).unwrap().row(4).unwrap()[5] = 4;
        drop(space);
        assert_eq!(av[119], 4, "{view}");
    });
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Two {
    a: i32,
    b: i32,
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Three {
    a: i32,
    b: i32,
    c: i32,
}

#[amp_kernel]
fn put_three(idx: Index<3>, a: &mut ArrayViewMut<Three, 3>) {
    a[idx] = Three { a: 1, b: 2, c: 3 };
}

#[test]
fn row_133_overlap_is_by_bytes_whatever_the_elements() {
    everywhere(|view| {
        for at in [1, 2, 3] {
            let mut storage = vec![5; 100];
            let mut av = ArrayViewMut::new(100, &mut storage).unwrap();
            let mut words = av
                .section(0, 54)
                .unwrap()
                .into_reinterpret::<Three>()
                .unwrap();
            let mut a = words.view_as([2, 2, 3]).unwrap();
            launch(view, [1, 1, 1], put_three(&mut a)).unwrap();
            drop(a);
            drop(words);
            let b = av.as_view().section(at, 8).unwrap();
            let b = b.reinterpret::<Two>().unwrap().view_as([2, 2]).unwrap();
            let of = |i: usize| [1, 2, 3, 5, 5][i];
            assert_eq!(
                b[[0, 0]],
                Two {
                    a: of(at),
                    b: of(at + 1)
                },
                "{view}"
            );
            drop(av);
            assert_eq!(storage[..4], [1, 2, 3, 5], "{view}");
        }
    });
}

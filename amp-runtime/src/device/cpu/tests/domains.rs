//! Every thread of a domain runs once, with its own index.

use super::*;
use crate::types::index::{Index, TiledIndex};

/// Runs an untiled kernel that counts the visits of each point.
fn visits<const N: usize>(extent: [usize; N]) -> Vec<u32> {
    let mut counts = vec![0u32; extent.iter().product()];
    let views = vec![view(&extent, &mut counts)];
    let result = launch(&extent, views, false, |idx: Index<N>, views| {
        let mut counts = views.writable::<u32, N>(0);
        let place = counts.place_mut(idx);
        place.store(place.load() + 1);
    });
    assert_eq!(result, Ok(()));
    counts
}

#[test]
fn each_point_is_visited_once() {
    assert!(visits([1]).iter().all(|&count| count == 1));
    assert!(visits([100_003]).iter().all(|&count| count == 1));
    assert!(visits([3, 1001]).iter().all(|&count| count == 1));
    assert!(visits([1001, 3]).iter().all(|&count| count == 1));
    assert!(visits([17, 1, 31]).iter().all(|&count| count == 1));
    assert!(visits([2, 3, 4, 5, 6, 7]).iter().all(|&count| count == 1));
}

#[test]
fn an_empty_domain_runs_nothing() {
    let nothing = |_: Index<2>, _: Views<'_>| panic!("there is no thread");
    assert_eq!(launch(&[4, 0], vec![], false, nothing), Ok(()));
}

#[test]
fn a_domain_beyond_usize_is_refused() {
    let nothing = |_: Index<2>, _: Views<'_>| {};
    let result = launch(&[usize::MAX, 2], vec![], false, nothing);
    assert!(matches!(result, Err(Error::InvalidComputeDomain(_))));
}

/// Tiles with (`has_barrier`) and without turns see the same indices.
fn tiled_indices(has_barrier: bool) {
    let extent = [8, 12];
    let mut seen = vec![0u32; 96];
    let views = vec![view(&extent, &mut seen)];
    let host_version = |t_idx: TiledIndex<2, 4, 3>, views: Views<'_>| {
        let mut seen = views.writable::<u32, 2>(0);
        assert_eq!(t_idx.tile_origin + t_idx.local, t_idx.global);
        assert_eq!(
            t_idx.tile,
            [t_idx.global[0] / 4, t_idx.global[1] / 3].into()
        );
        assert_eq!(
            t_idx.local,
            [t_idx.global[0] % 4, t_idx.global[1] % 3].into()
        );
        let place = seen.place_mut(t_idx);
        let number = (100 * t_idx.global[0] + t_idx.global[1]) as u32;
        place.store(place.load() + number);
    };
    assert_eq!(launch(&extent, views, has_barrier, host_version), Ok(()));
    for (position, &value) in seen.iter().enumerate() {
        assert_eq!(value as usize, 100 * (position / 12) + position % 12);
    }
}

#[test]
fn tiled_indices_in_loops() {
    tiled_indices(false);
}

#[test]
fn tiled_indices_in_turns() {
    tiled_indices(true);
}

#[test]
fn three_dimensional_tiles() {
    let extent = [4, 6, 8];
    let mut seen = vec![0u32; 192];
    let views = vec![view(&extent, &mut seen)];
    let host_version = |t_idx: TiledIndex<3, 2, 3, 4>, views: Views<'_>| {
        let mut counts = views.writable::<u32, 3>(0);
        let place = counts.place_mut(t_idx.global);
        place.store(place.load() + 1);
    };
    assert_eq!(launch(&extent, views, false, host_version), Ok(()));
    assert!(seen.iter().all(|&count| count == 1));
}

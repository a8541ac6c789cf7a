//! Rows 85 to 91 and program P12: accelerators and their views.

use amp::prelude::*;
use amp::{Accelerator, QueuingMode};
use testkit::{accelerators, becomes, launch};

#[test]
fn row_085_the_default_accelerator_is_one() {
    let first = Accelerator::default().unwrap();
    let second = Accelerator::default().unwrap();
    assert_eq!(first, second);
    assert_eq!(first.device_path(), second.device_path());
    let by_path = Accelerator::by_path(first.device_path()).unwrap();
    assert_eq!(by_path, first);
    assert_eq!(by_path.device_path(), first.device_path());
    assert!(Accelerator::all().contains(&first));
}

#[test]
#[allow(clippy::redundant_clone)]
fn row_087_accelerators_are_compared_by_identity() {
    for accelerator in accelerators() {
        let copy = accelerator.clone();
        let again = copy.clone();
        assert_eq!(accelerator, again);
        assert_eq!(
            Accelerator::by_path(accelerator.device_path()).unwrap(),
            accelerator
        );
    }
    let all = accelerators();
    for (i, first) in all.iter().enumerate() {
        for second in &all[i + 1..] {
            assert_ne!(first, second);
        }
    }
}

#[test]
fn row_089_queuing_modes_are_as_asked() {
    for accelerator in accelerators() {
        let default = accelerator.default_view().unwrap();
        assert_eq!(default.queuing_mode(), QueuingMode::Automatic);
        for mode in [QueuingMode::Immediate, QueuingMode::Automatic] {
            let view = accelerator.create_view(mode).unwrap();
            assert_eq!(view.queuing_mode(), mode);
            assert_eq!(view.accelerator(), accelerator);
        }
    }
}

macro_rules! increment {
    ($plain:ident, $tiled:ident, $rank:literal, [$($eight:literal),+]) => {
        #[amp_kernel]
        fn $plain(idx: Index<$rank>, a: &mut ArrayViewMut<i32, $rank>) {
            a[idx] += 1;
        }

        #[amp_kernel]
        fn $tiled(t_idx: TiledIndex<$rank, $($eight),+>, a: &mut ArrayViewMut<i32, $rank>) {
            a[t_idx.global] += 1;
        }
    };
}

increment!(plain_1, tiled_1, 1, [8]);
increment!(plain_2, tiled_2, 2, [8, 8]);
increment!(plain_3, tiled_3, 3, [8, 8, 8]);

macro_rules! row_091 {
    ($test:ident, $plain:ident, $tiled:ident, $extent:expr, <$($eight:literal),+>) => {
        #[test]
        fn $test() {
            let size: usize = $extent.iter().product();
            let before: Vec<i32> = (0..size as i32).collect();
            let after: Vec<i32> = before.iter().map(|i| i + 1).collect();
            for mode in [QueuingMode::Automatic, QueuingMode::Immediate] {
                becomes($extent, &before, &after, |view, a| {
                    let view = view.accelerator().create_view(mode)?;
                    launch(&view, a.extent(), $plain(a))
                });
                becomes($extent, &before, &after, |view, a| {
                    let view = view.accelerator().create_view(mode)?;
                    launch(&view, a.extent().tile::<$($eight),+>(), $tiled(a))
                });
            }
        }
    };
}

row_091!(row_091_an_explicit_view_rank_1, plain_1, tiled_1, [64], <8>);
row_091!(row_091_an_explicit_view_rank_2, plain_2, tiled_2, [64, 64], <8, 8>);
row_091!(row_091_an_explicit_view_rank_3, plain_3, tiled_3, [64, 64, 64], <8, 8, 8>);

#[test]
fn program_12_every_accelerator_describes_itself() {
    let all = Accelerator::all();
    let cpu = Accelerator::cpu();
    assert!(all.contains(&cpu));
    assert!(cpu.is_emulated());
    for accelerator in all {
        assert!(!accelerator.description().is_empty());
        assert!(!accelerator.device_path().is_empty());
        assert!(!accelerator.has_display() || accelerator != cpu);
    }
}

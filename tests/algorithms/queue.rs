//! The memory of algorithms in graphs.

use amp::algorithms::{
    Add, Workspace, argsort_on, inclusive_scan_on, predicate, reduce_into, select_on, sort_on,
};
use amp::prelude::*;

use crate::data::{Part, mild, places, random};

/// Algorithms of different elements and lengths take the same memory in each replay.
#[test]
fn replays_allocate_nothing() {
    for (accelerator, _) in places() {
        let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
        let (floats, words): (Vec<f64>, Vec<u32>) = (mild(1, 9000), random(2, 3000));
        let bytes: Vec<u8> = random(3, 5000);
        let captures = (
            (Part::new(&view, &floats), Part::new(&view, &floats)),
            (Part::new(&view, &words), Part::new(&view, &words)),
            (Part::new(&view, &bytes), Part::new(&view, &[0; 5000])),
            Part::new(&view, &[0]),
            Workspace::default(),
        );
        let graph = view.record_with(captures, |recording, captures| {
            let ((floats, sums), (words, chosen), (bytes, order), count, workspace) = captures;
            let queue = &mut workspace.within(recording);
            reduce_into(queue, &words.view(), &mut count.view_mut(), Add)?;
            inclusive_scan_on(queue, &floats.view(), &mut sums.view_mut(), Add)?;
            let (mut chosen, mut count) = (chosen.view_mut(), count.view_mut());
            let odd = predicate!(|x: u32| x % 2 == 1);
            select_on(queue, &words.view(), &mut chosen, &mut count, odd)?;
            argsort_on(queue, &bytes.view(), &mut order.view_mut())?;
            sort_on(queue, &mut floats.view_mut())
        });
        let mut graph = graph.unwrap();
        let mut replay = || {
            graph.replay().unwrap();
            graph.captures().3.to_vec()[0]
        };
        let chosen = words.iter().filter(|x| *x % 2 == 1).count();
        for _ in 0..2 {
            assert_eq!(replay() as usize, chosen, "{accelerator}");
        }
        // What the host allocates is reported for all tests together.
        if accelerator.device_path() != "cpu" {
            view.trim().unwrap();
            // What reading the count takes stays in the pool, and so would memory that a replay takes.
            replay();
            let before = view.memory();
            for _ in 0..3 {
                replay();
                let after = view.memory();
                assert_eq!(after.in_use(), before.in_use(), "{after}");
                assert_eq!(after.pooled(), before.pooled(), "{after}");
            }
        }
    }
}

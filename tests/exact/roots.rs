//! The square roots of all numbers from one to four, which those of all others are but for a power
//! of two: software for them must not depend on how a device rounds a first guess.

use amp::prelude::*;

#[amp_kernel]
fn roots(idx: Index<1>, first: u32, of: &mut ArrayViewMut<u32, 1>) {
    of[idx] = f32::from_bits(first + idx[0] as u32).sqrt().to_bits();
}

#[test]
fn roots_of_all_numbers_from_one_to_four_are_exact() -> amp::Result<()> {
    let [first, end] = [1.0_f32, 4.0].map(f32::to_bits);
    for view in testkit::views() {
        let mut found = Array::<u32, 1>::builder((end - first) as usize)
            .on(&view)
            .build()?;
        view.parallel_for_each(found.extent(), roots(first, &mut found))?;
        for (bits, root) in (first..end).zip(found.to_vec()?) {
            let x = f32::from_bits(bits);
            assert_eq!(root, x.sqrt().to_bits(), "the root of {x:e} on {view:?}");
        }
    }
    testkit::assert_silent();
    Ok(())
}

//! Calls of kernels with the wrong arguments, and launches over the wrong domains: the
//! words are rustc's, the names must lead to the mistake.

use amp::prelude::*;

#[amp_kernel]
fn scale(idx: Index<1>, a: &ArrayView<f32, 1>, c: &mut ArrayViewMut<f32, 1>, s: f32) {
    c[idx] = a[idx] * s;
}

#[amp_kernel]
fn tiled(t_idx: TiledIndex<2, 16, 16>, c: &mut ArrayViewMut<u32, 2>) {
    c[t_idx.global] = 1;
}

fn arguments() -> amp::Result<()> {
    let data = [1.0_f32; 4];
    let mut result = [0.0_f32; 4];
    let mut matrix = [0.0_f32; 4];
    let a = ArrayView::new(4, &data)?;
    let mut c = ArrayViewMut::new(4, &mut result)?;
    let mut square = ArrayViewMut::new([2, 2], &mut matrix)?;
    let integers = Array::<i32, 1>::zeroed(4)?;
    parallel_for_each(4, scale(&a, &a, 2.0))?;
    parallel_for_each(4, scale(&a, &c, 2.0))?;
    parallel_for_each(4, scale(a, &mut c, 2.0))?;
    parallel_for_each(4, scale(&a, &mut square, 2.0))?;
    parallel_for_each(4, scale(&integers, &mut c, 2.0))?;
    parallel_for_each(4, scale(&a, &mut c, 2))?;
    parallel_for_each(4, scale(&a, &mut c))?;
    parallel_for_each(4, scale(&data, &mut c, 2.0))?;
    Ok(())
}

fn domains() -> amp::Result<()> {
    let data = [1.0_f32; 4];
    let mut result = [0.0_f32; 4];
    let mut counts = [0_u32; 256];
    let a = ArrayView::new(4, &data)?;
    let mut c = ArrayViewMut::new(4, &mut result)?;
    let mut d = ArrayViewMut::new([16, 16], &mut counts)?;
    parallel_for_each([2, 2], scale(&a, &mut c, 2.0))?;
    parallel_for_each(Extent::from([2, 2]), scale(&a, &mut c, 2.0))?;
    parallel_for_each(d.extent(), tiled(&mut d))?;
    parallel_for_each(d.extent().tile::<8, 16>(), tiled(&mut d))?;
    parallel_for_each(Extent::from(16).tile::<16>(), tiled(&mut d))?;
    parallel_for_each(4, scale)?;
    Ok(())
}

/// Rows 43, 45, 47 and 51 of the conformance list.
fn containers() -> amp::Result<()> {
    let _ = Array::<bool, 1>::zeroed(4)?;
    let _ = Array::<u128, 1>::zeroed(4)?;
    let _ = Array::<(f32, f32), 1>::zeroed(4)?;
    let _ = AcceleratorView::default();
    let _ = Index::<2>::new([1, 2, 3]);
    let _ = Index::<3>::new([1, 2]);
    let _ = Extent::from([4, 4]).tile::<4>();
    Ok(())
}

fn main() {}

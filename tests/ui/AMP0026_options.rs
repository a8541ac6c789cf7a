//! `Option`, `Result` and `?` where kernels use them in a wrong way.

use amp::prelude::*;

#[amp_fn]
fn half(x: u32) -> Option<u32> {
    if x % 2 == 0 { Some(x / 2) } else { None }
}

#[amp_fn]
fn no_option(x: u32) -> u32 {
    half(x)?
}

#[amp_fn]
fn other_error(x: u32) -> Result<u32, f32> {
    let y = half(x).ok_or(1_u32)?;
    let z = half(x)?;
    let w = x?;
    Ok(y)
}

#[amp_fn]
fn no_zero(t_idx: TiledIndex<1, 4>, text: u32) {
    #[tile_static]
    let mut shared: [Option<u32>; 4];
    let options = [half(1), half(2)];
    let chosen = options[t_idx.local[0] % 2];
}

#[amp_kernel]
fn elements(idx: Index<1>, a: &ArrayView<Option<u32>, 1>, c: &mut ArrayViewMut<u32, 1>) {}

#[amp_kernel]
fn methods(idx: Index<1>, mut o: Option<u32>, c: &mut ArrayViewMut<u32, 1>) {
    let a = o.as_ref();
    let b = o.insert(3);
    let d = o.unwrap_or_els(|| 3);
    let e = o.map(half);
    let f = o.unwrap(1);
    let text = 5;
    let g = o.expect(text);
    let h: Option<f32> = o;
    let i: Option = o;
    let j: Result<u32> = Ok(1);
    let k = Option::from(1);
    c[idx] = half(4)?;
}

#[amp_kernel]
fn open(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let nothing = None;
    c[idx] = None.is_some() as u32;
}

fn main() {}

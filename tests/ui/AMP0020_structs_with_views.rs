use amp::prelude::*;

#[amp_struct]
struct Arrays<'a> {
    own: Array<f32, 1>,
    view: ArrayView<'a, f32, 1>,
}

#[amp_struct]
struct References<'a> {
    view: &'a ArrayView<'a, f32, 1>,
    written: &'a mut ArrayViewMut<'a, f32, 1>,
}

#[amp_struct]
struct Bare {
    view: ArrayView<f32, 1>,
}

#[amp_struct]
struct Two<'a, 'b> {
    a: ArrayView<'a, f32, 1>,
    b: ArrayView<'b, f32, 1>,
}

#[amp_struct]
struct Generic<'a, T> {
    a: ArrayView<'a, f32, 1>,
    b: T,
}

#[amp_struct]
struct Bounded<'a>
where
    'a: 'static,
{
    a: ArrayView<'a, f32, 1>,
}

#[amp_struct]
struct Others<'a> {
    a: ArrayView<'a, f32, 1>,
    position: TiledIndex<1, 4>,
    nothing: (),
    text: String,
}

#[amp_struct]
struct Elements<'a> {
    a: ArrayView<'a, bool, 1>,
    b: ArrayView<'a, f32, 0>,
    c: ArrayView<'a>,
}

#[amp_struct]
struct Plain<'a> {
    a: f32,
}

fn main() {}

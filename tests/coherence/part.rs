//! Random parts of a view.

use amp::Element;
use amp::prelude::*;

use crate::model::Place;
use crate::step::Steps;

/// A view made from the whole of a sequence's data.
pub enum Part<'a> {
    Bytes(ArrayViewMut<'a, u8, 1>),
    Bytes2(ArrayViewMut<'a, u8, 2>),
    Words(ArrayViewMut<'a, u32, 1>),
    Words2(ArrayViewMut<'a, u32, 2>),
    Words3(ArrayViewMut<'a, u32, 3>),
    Words4(ArrayViewMut<'a, u32, 4>),
    Words5(ArrayViewMut<'a, u32, 5>),
    Longs(ArrayViewMut<'a, u64, 1>),
    Longs2(ArrayViewMut<'a, u64, 2>),
}

/// A part and where it is.
pub struct Placed<'a>(Part<'a>, Place);

impl<'a> Part<'a> {
    pub fn of(view: ArrayViewMut<'a, u32, 1>, place: Place) -> Placed<'a> {
        Placed(Part::Words(view), place)
    }
}

/// A random extent of at most `elements`.
fn shape<const N: usize>(steps: &mut Steps<'_>, mut elements: usize) -> [usize; N] {
    std::array::from_fn(|k| {
        let most = if k + 1 == N {
            elements
        } else {
            elements.min(9)
        };
        let length = steps.rng.usize(1..=most);
        elements /= length;
        length
    })
}

/// A random section.
fn section<'a, T: Element, const N: usize>(
    view: ArrayViewMut<'a, T, N>,
    place: &mut Place,
    steps: &mut Steps<'_>,
) -> amp::Result<ArrayViewMut<'a, T, N>> {
    let whole = view.extent();
    let extent: [usize; N] = std::array::from_fn(|k| steps.rng.usize(1..=whole[k]));
    let origin: [usize; N] = std::array::from_fn(|k| steps.rng.usize(..=whole[k] - extent[k]));
    steps.log.push(format!("  section {origin:?} {extent:?}"));
    *place = place.section(&origin, &extent);
    view.into_section(origin, extent)
}

/// A random half.
fn half<'a, T: Element, const N: usize>(
    view: ArrayViewMut<'a, T, N>,
    place: &mut Place,
    steps: &mut Steps<'_>,
) -> amp::Result<ArrayViewMut<'a, T, N>> {
    let (dimension, mut extent) = (steps.rng.usize(..N), view.extent().to_array());
    let length = extent[dimension];
    if length == 1 {
        return Ok(view);
    }
    let (at, first) = (steps.rng.usize(1..length), steps.rng.bool());
    steps.log.push(format!("  split {dimension} {at} {first}"));
    let mut origin = [0; N];
    (origin[dimension], extent[dimension]) = if first { (0, at) } else { (at, length - at) };
    *place = place.section(&origin, &extent);
    let (one, other) = view.into_split_at(dimension, at)?;
    Ok(if first { one } else { other })
}

/// A random row.
macro_rules! row {
    ($view:ident, $place:ident, $steps:ident) => {{
        let row = $steps.rng.usize(..$view.extent()[0]);
        $steps.log.push(format!("  row {row}"));
        *$place = $place.row(row);
        $view.into_row(row)?
    }};
}

/// A random shape of rank `N`.
fn reshaped<'a, T: Element, const N: usize>(
    view: ArrayViewMut<'a, T, 1>,
    place: &mut Place,
    steps: &mut Steps<'_>,
) -> amp::Result<ArrayViewMut<'a, T, N>> {
    let extent: [usize; N] = shape(steps, view.extent().size());
    steps.log.push(format!("  view as {extent:?}"));
    *place = place.view_as(&extent);
    view.into_view_as(extent)
}

/// Other elements, if the bytes are such.
fn reinterpreted<'a, T: Element, U: Element>(
    view: ArrayViewMut<'a, T, 1>,
    place: &mut Place,
    steps: &mut Steps<'_>,
) -> Result<ArrayViewMut<'a, U, 1>, ArrayViewMut<'a, T, 1>> {
    let (from, to) = (size_of::<T>(), size_of::<U>());
    let fits = (place.starts.len() * from).is_multiple_of(to)
        && place.starts[0].is_multiple_of(align_of::<U>());
    if !fits {
        let refused = view.as_view().reinterpret::<U>();
        assert!(refused.is_err(), "{refused:?} of {place:?}");
        return Err(view);
    }
    steps.log.push(format!("  reinterpret {from} {to}"));
    *place = place.reinterpret(from, to);
    Ok(view
        .into_reinterpret()
        .expect("the bytes are such elements"))
}

impl<'a> Placed<'a> {
    /// Derives another part, a few times.
    pub fn derive(self, steps: &mut Steps<'_>) -> amp::Result<(Part<'a>, Place)> {
        let Self(mut part, mut place) = self;
        for _ in 0..steps.rng.usize(..5) {
            part = once(part, &mut place, steps)?;
        }
        Ok((part, place))
    }
}

/// One derivation.
fn once<'a>(part: Part<'a>, place: &mut Place, steps: &mut Steps<'_>) -> amp::Result<Part<'a>> {
    use Part::{Bytes, Bytes2, Longs, Longs2, Words, Words2, Words3, Words4, Words5};
    macro_rules! narrowed {
        ($part:ident, $view:ident) => {
            $part(match steps.rng.bool() {
                true => section($view, place, steps)?,
                false => half($view, place, steps)?,
            })
        };
    }
    let other = steps.rng.u8(..7);
    Ok(match (part, other) {
        (Bytes(view), 0) => Bytes2(reshaped(view, place, steps)?),
        (Bytes(view), 1) => reinterpreted(view, place, steps).map_or_else(Bytes, Words),
        (Bytes(view), 2) => reinterpreted(view, place, steps).map_or_else(Bytes, Longs),
        (Words(view), 0) => Words2(reshaped(view, place, steps)?),
        (Words(view), 1) => Words3(reshaped(view, place, steps)?),
        (Words(view), 2) => reinterpreted(view, place, steps).map_or_else(Words, Bytes),
        (Words(view), 3) => reinterpreted(view, place, steps).map_or_else(Words, Longs),
        (Words(view), 4) => Words4(reshaped(view, place, steps)?),
        (Words(view), 5) => Words5(reshaped(view, place, steps)?),
        (Longs(view), 0) => Longs2(reshaped(view, place, steps)?),
        (Longs(view), 1) => reinterpreted(view, place, steps).map_or_else(Longs, Words),
        (Longs(view), 2) => reinterpreted(view, place, steps).map_or_else(Longs, Bytes),
        (Bytes2(view), 0 | 1) => Bytes(row!(view, place, steps)),
        (Words2(view), 0 | 1) => Words(row!(view, place, steps)),
        (Words3(view), 0 | 1) => Words2(row!(view, place, steps)),
        (Words4(view), 0 | 1) => Words3(row!(view, place, steps)),
        (Words5(view), 0 | 1) => Words4(row!(view, place, steps)),
        (Longs2(view), 0 | 1) => Longs(row!(view, place, steps)),
        (Bytes(view), _) => narrowed!(Bytes, view),
        (Bytes2(view), _) => narrowed!(Bytes2, view),
        (Words(view), _) => narrowed!(Words, view),
        (Words2(view), _) => narrowed!(Words2, view),
        (Words3(view), _) => narrowed!(Words3, view),
        (Words4(view), _) => narrowed!(Words4, view),
        (Words5(view), _) => narrowed!(Words5, view),
        (Longs(view), _) => narrowed!(Longs, view),
        (Longs2(view), _) => narrowed!(Longs2, view),
    })
}

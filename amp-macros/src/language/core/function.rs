//! Functions of `std::mem`, `std::cmp`, and `std::array`.

pub fn swap<T: Copy>(x: &mut T, y: &mut T) {
    let old = *x;
    *x = *y;
    *y = old;
}

pub fn replace<T: Copy>(dest: &mut T, src: T) -> T {
    let old = *dest;
    *dest = src;
    old
}

pub fn take<T: Copy + Default>(dest: &mut T) -> T {
    let old = *dest;
    *dest = T::default();
    old
}

pub fn min<T: Copy + Ord>(a: T, b: T) -> T {
    a.min(b)
}

pub fn max<T: Copy + Ord>(a: T, b: T) -> T {
    a.max(b)
}

pub fn from_fn<T: Copy, const N: usize, F: FnMut(usize) -> T>(f: F) -> [T; N] {
    let mut made = [f(0); N];
    for i in 1..N {
        made[i] = f(i);
    }
    made
}

//! Generic functions that launch kernels with type parameters, and that say too little of the types.

use amp::prelude::*;

mod kernels {
    use amp::prelude::*;

    #[amp_kernel(T = f32 | i32)]
    pub fn without_a_name<T: Scalar>(idx: Index<1>, by: T, x: &mut ArrayViewMut<T, 1>) {
        x[idx] *= by;
    }

    #[amp_kernel(T = f32 | i32, U = f32 | u32)]
    pub fn two_without_a_name<T: Scalar, U: Scalar>(idx: Index<1>, by: T, x: &mut ArrayViewMut<U, 1>) {
        x[idx] *= U::from_i32(by.to_i32());
    }

    #[amp_kernel(T = f32 | i32, instances = Scale)]
    pub fn scale<T: Scalar>(idx: Index<1>, by: T, x: &mut ArrayViewMut<T, 1>) {
        x[idx] *= by;
    }

    #[amp_kernel(T = f32 | i32, U = f32 | u32, instances = Convert)]
    pub fn convert<T: Scalar, U: Scalar>(idx: Index<1>, by: T, x: &mut ArrayViewMut<U, 1>) {
        x[idx] *= U::from_i32(by.to_i32());
    }

    /// It is not compiled, and those who launch it hear nothing of it.
    #[amp_kernel(T = f32 | bool, instances = Refused)]
    pub fn refused<T: Scalar>(idx: Index<1>, x: &mut ArrayViewMut<T, 1>) {
        x[idx] = T::ONE;
    }
}

fn nothing_named<T: Scalar>(by: T, x: &mut ArrayViewMut<T, 1>) -> amp::Result<()> {
    parallel_for_each(x.extent(), kernels::without_a_name(by, x))
}

fn nothing_named_of_two<T: Scalar, U: Scalar>(by: T, x: &mut ArrayViewMut<U, 1>) -> amp::Result<()> {
    parallel_for_each(x.extent(), kernels::two_without_a_name(by, x))
}

fn no_bound<T: Scalar>(by: T, x: &mut ArrayViewMut<T, 1>) -> amp::Result<()> {
    parallel_for_each(x.extent(), kernels::scale(by, x))
}

fn no_bound_of_two<T: Scalar, U: Scalar>(by: T, x: &mut ArrayViewMut<U, 1>) -> amp::Result<()> {
    parallel_for_each(x.extent(), kernels::convert(by, x))
}

fn scaled<T: kernels::Scale>(by: T, x: &mut ArrayViewMut<T, 1>) -> amp::Result<()> {
    parallel_for_each(x.extent(), kernels::scale(by, x))
}

fn converted<T: kernels::Convert<U>, U: Scalar>(by: T, x: &mut ArrayViewMut<U, 1>) -> amp::Result<()> {
    parallel_for_each(x.extent(), kernels::convert(by, x))
}

fn of_the_refused<T: kernels::Refused>(x: &mut ArrayViewMut<T, 1>) -> amp::Result<()> {
    parallel_for_each(x.extent(), kernels::refused(x))
}

fn main() {
    scaled(2_u32, &mut ArrayViewMut::uninit(2).unwrap()).unwrap();
    converted(2, &mut ArrayViewMut::<u64, 1>::uninit(2).unwrap()).unwrap();
    let mut x = ArrayViewMut::uninit(2).unwrap();
    parallel_for_each(2, kernels::scale(2_u32, &mut x)).unwrap();
}

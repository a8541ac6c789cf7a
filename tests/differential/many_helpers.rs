//! More helpers than rustc lets macros nest: a kernel's own, those of a module and of blocks,
//! functions of the library that inference asks for, and helpers that call each other in a row.

use amp::prelude::*;
use testkit::{becomes, launch};

/// Helpers by name, and some kernels that call all of them.
macro_rules! helpers {
    ($($name:ident)*) => {
        $(#[amp_fn]
        fn $name(x: u32) -> u32 {
            x.rotate_left(5) ^ 0x9e37
        })*

        fn on_host(mut x: u32) -> u32 {
            $(x = $name(x);)*
            x
        }

        #[amp_kernel]
        fn all(i: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
            $(x[i] = $name(x[i]);)*
        }

        #[amp_fn]
        fn all_in_one(mut x: u32) -> u32 {
            $(x = $name(x);)*
            x
        }

        #[amp_kernel]
        fn through_one(i: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
            x[i] = all_in_one(x[i]);
        }

        #[amp_module]
        mod of_module {
            use super::{$($name),*};
            use amp::prelude::*;

            #[amp_kernel]
            pub fn all(i: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
                $(x[i] = $name(x[i]);)*
            }
        }

        fn in_a_block(view: &AcceleratorView, x: &mut ArrayViewMut<u32, 1>) -> amp::Result<()> {
            #[amp_fn]
            fn first(x: u32) -> u32 {
                !x
            }

            #[amp_kernel]
            fn all(i: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
                x[i] = first(x[i]);
                $(x[i] = $name(x[i]);)*
            }

            launch(view, 3, all(x))
        }

        fn in_an_expression(view: &AcceleratorView, x: &mut ArrayViewMut<u32, 1>) -> amp::Result<()> {
            launch(
                view,
                3,
                amp::kernel!(|i: Index<1>| [x: &mut ArrayViewMut<u32, 1>] {
                    $(x[i] = $name(x[i]);)*
                }),
            )
        }

        /// What the library has is asked for when all of these are there.
        #[amp_kernel]
        fn with_the_library(i: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
            $(x[i] = $name(x[i]);)*
            let angle = f64::from(x[i] % 100);
            let (sin, cos) = angle.sin_cos();
            x[i] ^= ((sin * sin + cos * cos + angle.ln_1p().exp_m1()) * 1000.0 + 0.5) as u32;
        }
    };
}

helpers! {
        h0 h1 h2 h3 h4 h5 h6 h7 h8 h9 h10 h11 h12 h13 h14 h15 h16 h17 h18 h19 h20 h21 h22 h23
        h24 h25 h26 h27 h28 h29 h30 h31 h32 h33 h34 h35 h36 h37 h38 h39 h40 h41 h42 h43 h44 h45
        h46 h47 h48 h49 h50 h51 h52 h53 h54 h55 h56 h57 h58 h59 h60 h61 h62 h63 h64 h65 h66 h67
        h68 h69 h70 h71 h72 h73 h74 h75 h76 h77 h78 h79 h80 h81 h82 h83 h84 h85 h86 h87 h88 h89
        h90 h91 h92 h93 h94 h95 h96 h97 h98 h99 h100 h101 h102 h103 h104 h105 h106 h107 h108
        h109 h110 h111 h112 h113 h114 h115 h116 h117 h118 h119 h120 h121 h122 h123 h124 h125
        h126 h127 h128 h129
}

const START: [u32; 3] = [0, 1, 0xdead_beef];

#[test]
fn more_helpers_than_macros_nest() {
    let expected = START.map(on_host);
    becomes([3], &START, &expected, |v, x| launch(v, 3, all(x)));
    becomes([3], &START, &expected, |v, x| launch(v, 3, through_one(x)));
    becomes([3], &START, &expected, |v, x| {
        launch(v, 3, of_module::all(x))
    });
    becomes([3], &START, &expected, in_an_expression);
    let inverted = START.map(|x| on_host(!x));
    becomes([3], &START, &inverted, in_a_block);
}

#[test]
fn the_library_after_more_helpers_than_macros_nest() {
    let expected = START.map(|x| {
        let x = on_host(x);
        x ^ ((1.0 + f64::from(x % 100)) * 1000.0 + 0.5) as u32
    });
    becomes([3], &START, &expected, |v, x| {
        launch(v, 3, with_the_library(x))
    });
}

/// Helpers each of which calls the one before it.
macro_rules! row {
    ($first:ident $($next:ident - $before:ident)*) => {
        #[amp_fn]
        fn $first(x: u32) -> u32 {
            x ^ STEP
        }

        $(#[amp_fn]
        fn $next(x: u32) -> u32 {
            $before(x).wrapping_mul(STEP).rotate_left(1)
        })*
    };
}

const STEP: u32 = 0x0101_0107;

row! {
    c0
        c1-c0 c2-c1 c3-c2 c4-c3 c5-c4 c6-c5 c7-c6 c8-c7 c9-c8 c10-c9 c11-c10 c12-c11 c13-c12
        c14-c13 c15-c14 c16-c15 c17-c16 c18-c17 c19-c18 c20-c19 c21-c20 c22-c21 c23-c22 c24-c23
        c25-c24 c26-c25 c27-c26 c28-c27 c29-c28 c30-c29 c31-c30 c32-c31 c33-c32 c34-c33 c35-c34
        c36-c35 c37-c36 c38-c37 c39-c38 c40-c39 c41-c40 c42-c41 c43-c42 c44-c43 c45-c44 c46-c45
        c47-c46 c48-c47 c49-c48 c50-c49 c51-c50 c52-c51 c53-c52 c54-c53 c55-c54 c56-c55 c57-c56
        c58-c57 c59-c58 c60-c59 c61-c60 c62-c61 c63-c62 c64-c63 c65-c64 c66-c65 c67-c66 c68-c67
        c69-c68 c70-c69 c71-c70 c72-c71 c73-c72 c74-c73 c75-c74 c76-c75 c77-c76 c78-c77 c79-c78
        c80-c79 c81-c80 c82-c81 c83-c82 c84-c83 c85-c84 c86-c85 c87-c86 c88-c87 c89-c88 c90-c89
        c91-c90 c92-c91 c93-c92 c94-c93 c95-c94 c96-c95 c97-c96 c98-c97 c99-c98 c100-c99
        c101-c100 c102-c101 c103-c102 c104-c103 c105-c104 c106-c105 c107-c106 c108-c107
        c109-c108 c110-c109 c111-c110 c112-c111 c113-c112 c114-c113 c115-c114 c116-c115
        c117-c116 c118-c117 c119-c118
}

#[amp_kernel]
fn end_of_row(i: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
    x[i] = c119(x[i]);
}

#[test]
fn helpers_in_a_row() {
    becomes([3], &START, &START.map(c119), |v, x| {
        launch(v, 3, end_of_row(x))
    });
}

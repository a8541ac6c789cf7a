//! A constant whose fields the kernel cannot see.

use amp::prelude::*;

mod hidden {
    use amp::prelude::*;

    #[amp_struct]
    pub struct Secret {
        x: f32,
    }

    pub const SECRET: Secret = Secret { x: 1.0 };
}

#[amp_fn]
fn secret(x: f32) -> f32 {
    let secret = hidden::SECRET;
    x
}

fn main() {}

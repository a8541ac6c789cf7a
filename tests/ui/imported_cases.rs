//! Names that are not the cases that imports bring.

use amp::prelude::*;

#[amp_enum]
#[derive(PartialEq)]
enum Turn {
    Left,
    Right(u32),
}

#[amp_enum]
#[derive(PartialEq)]
enum Side {
    Left,
    Top,
}

mod both {
    use super::*;
    use Side::*;
    use Turn::*;

    #[amp_fn]
    fn of_two_enums(x: u32) -> Turn {
        if x > 1 { Left } else { Right(x) }
    }
}

mod unknown {
    use super::*;
    use Turn::{Back, Right};

    #[amp_fn]
    fn of_no_enum(x: u32) -> Turn {
        if x > 1 { Back } else { Right(x) }
    }
}

#[amp_fn]
fn of_a_body(x: u32) -> Turn {
    use Turn::*;
    if x > 1 { Top } else { Right(x) }
}

#[amp_fn]
fn fields(x: u32) -> Turn {
    use Turn::*;
    if x > 1 { Left(x) } else { Right }
}

fn main() {}

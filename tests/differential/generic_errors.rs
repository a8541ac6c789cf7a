//! `?` in functions whose error is a type parameter that a bound makes of others.

use amp::prelude::*;
use testkit::twice;

#[amp_enum]
enum Outside {
    Low(u32),
    High,
}

#[amp_struct]
struct Wide {
    code: u32,
}

#[amp_fn]
impl From<Outside> for Wide {
    fn from(range: Outside) -> Self {
        Self {
            code: match range {
                Outside::Low(x) => x + 10,
                Outside::High => 99,
            },
        }
    }
}

#[amp_fn]
impl From<u8> for Wide {
    fn from(code: u8) -> Self {
        Self {
            code: u32::from(code) + 1000,
        }
    }
}

#[amp_fn]
fn within(x: u32) -> Result<u32, Outside> {
    match x {
        0 | 1 => Err(Outside::Low(x)),
        9.. => Err(Outside::High),
        x => Ok(x),
    }
}

#[amp_fn]
fn sum_within<E>(x: &[u32]) -> Result<u32, E>
where
    E: From<Outside> + From<u8>,
{
    let mut sum = 0;
    for x in x {
        sum += within(*x)?;
        if sum > 20 {
            Err(7_u8)?;
        }
    }
    Ok(sum)
}

#[amp_fn]
fn next_within<E: From<Outside>>(x: u32) -> Result<u32, E> {
    let x = within(x)?;
    Ok(within(x + 1)? * 2)
}

#[amp_fn]
fn limited<E: From<u32>>(x: u32) -> Result<u32, E> {
    if x > 3 {
        Err(x)?;
    }
    Ok(x)
}

twice! {
    errors_of_type_parameters(x: u32) -> u32 = ((0..1000).collect(),);
    {
        let digits = [x % 10, x / 10 % 10, x / 100];
        let sum = match sum_within::<Wide>(&digits) {
            Ok(x) => x,
            Err(e) => e.code,
        };
        let next = match next_within::<Outside>(digits[1]) {
            Ok(x) => x,
            Err(Outside::Low(x)) => x + 30,
            Err(Outside::High) => 50,
        };
        let wide = next_within::<Wide>(digits[2]).map_or_else(|e| e.code, |x| x);
        let least = match (limited::<u64>(digits[0]), limited::<u32>(digits[1])) {
            (Ok(x), Ok(y)) => x + y,
            (Err(x), Ok(y)) => x as u32 * 10 + y,
            (_, Err(y)) => y * 100,
        };
        sum + 31 * next + 961 * wide + 7 * least
    }
}

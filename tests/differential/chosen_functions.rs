//! Functions and closures that an `if` or a `match` chooses as a pointer, and aliases of types with defaults.

use amp::prelude::*;

device_and_host! {
    type Result<T, E = u8> = std::result::Result<T, E>;
    type Grid<T = u32, const N: usize = 3> = [[T; N]; N];

    #[derive(Clone, Copy)]
    pub enum Ease {
        Linear,
        Root,
        Twice(f32),
        Opposite,
    }

    fn twice(x: f32) -> f32 {
        2.0 * x
    }

    impl Ease {
        pub fn at(self, t: f32) -> f32 {
            let f: fn(f32) -> f32 = match self {
                Ease::Linear => |t| t,
                Ease::Root => f32::sqrt,
                Ease::Twice(x) if x > 2.0 => twice,
                Ease::Twice(_) => return 1.0,
                _ => {
                    |x: f32| {
                        let y = x * x;
                        -y
                    }
                }
            };
            f(t) + f(2.0)
        }
    }

    fn apply(f: fn(u32, u32) -> u32, n: u32) -> u32 {
        f(n, 3)
    }

    /// The choice is made once, whatever changes later.
    pub fn pairs(mut x: u32) -> u32 {
        let f: fn(u32, u32) -> u32 = if x > 30 {
            u32::max
        } else if x % 3 == 0 {
            u32::wrapping_add
        } else {
            |a, b| a * 10 + b
        };
        x += 31;
        apply(f, x) + f(x, 50)
    }

    fn small(x: u32) -> Result<u32> {
        if x < 20 { Ok(x) } else { Err(x as u8) }
    }

    pub fn results(x: u32) -> Result<u32, u16> {
        let y: Result<u32> = small(x);
        let grid: Grid = [[x; 3]; 3];
        let bytes: Grid<u8, 2> = [[1, 2], [3, 4]];
        let z = y.map_err(|e| e as u16 + 1)?;
        Ok(z + grid[1][2] + bytes[1][x as usize % 2] as u32)
    }

    pub fn all(x: u32) -> u32 {
        let t = x as f32 * 0.5;
        let ease = match x % 5 {
            0 => Ease::Linear,
            1 => Ease::Root,
            2 => Ease::Twice(t),
            _ => Ease::Opposite,
        };
        ease.at(t).to_bits() ^ pairs(x) ^ results(x).map_or_else(|e| e as u32 * 1000, |y| y << 8)
    }
}

all_agree!(chosen_functions_are_called: u32, 45);

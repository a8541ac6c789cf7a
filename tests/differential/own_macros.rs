//! Macros of the user's own in kernels: each kernel against the same code as plain Rust, where rustc expands
//! the macros.

mod named;

use amp::prelude::*;
use named::thirds;
use testkit::{becomes, gives, input, launch, twice};

const NUMBERS: [u32; 8] = [0, 1, 2, 3, 7, 100, 65_537, u32::MAX];

fn all() -> (Vec<u32>, Vec<u32>) {
    (NUMBERS.repeat(8), NUMBERS.map(|x| [x; 8]).concat())
}

#[amp_struct]
#[derive(Clone, Copy, Default, PartialEq)]
struct Pair {
    one: u32,
    other: u32,
}

#[amp_fn]
fn half(x: u32) -> u32 {
    x / 2
}

macro_rules! twofold {
    ($x:expr) => {
        $x.wrapping_mul(2)
    };
}

macro_rules! plus {
    ($a:expr, $b:expr $(,)?) => {
        u32::wrapping_add($a, $b)
    };
}

twice! {
    values(x: u32, y: u32) -> u32 = all();
    {
        let doubled = twofold!(x ^ y);
        let sum = plus!(twofold!(x), plus!(y, 1),);
        let halved = plus![half(x), twofold! { half(y) }];
        doubled ^ sum.rotate_left(3) ^ if twofold!(x) > y { halved } else { !halved }
    }
}

macro_rules! exchange {
    ($a:expr, $b:expr) => {
        let t = $a;
        $a = $b;
        $b = t;
    };
}

macro_rules! total {
    ($total:ident = $($x:expr),* $(,)?) => {
        let mut $total = 0_u32;
        $($total = $total.wrapping_add($x);)*
    };
}

macro_rules! scaled {
    ($x:ident) => {{
        let y = 3;
        let Pair { one, other } = Pair { one: $x, other: y };
        one.wrapping_mul(other)
    }};
}

twice! {
    variables(x: u32, y: u32) -> u32 = all();
    {
        let (mut t, mut u) = (x, y);
        exchange!(t, u);
        total!(sum = t, scaled!(y), u >> 1);
        total! { other = }
        let one = scaled!(x);
        t ^ sum.rotate_left(5) ^ u.wrapping_mul(7) ^ other ^ one
    }
}

macro_rules! largest {
    ($x:expr) => { $x };
    ($x:expr, $($rest:expr),+) => {{
        let rest = largest!($($rest),+);
        if $x > rest { $x } else { rest }
    }};
}

macro_rules! count {
    () => { 0 };
    ($first:tt $($rest:tt)*) => { 1 + count!($($rest)*) };
}

macro_rules! compared {
    ($a:tt $operator:tt $b:tt) => {
        $a $operator $b
    };
}

macro_rules! table {
    ($($($x:literal),+);+ => $T:ty) => {
        [$([$($x as $T),+]),+]
    };
}

twice! {
    repetitions(x: u32, y: u32) -> u32 = all();
    {
        let rest = x % 5;
        let most = largest!(x, rest, y, half(y));
        let n: u32 = count!(a (b c) 'd <= 1.5);
        let order = u32::from(compared!(x <= y)) + 2 * u32::from(compared!(x == y)) + 4 * u32::from(compared!(rest << 1));
        let rows = table!(1, -2, 3; 4, 5, 6 => i32);
        most.wrapping_add(n) ^ order ^ (rows[1][(y % 3) as usize] - rows[0][1]) as u32
    }
}

macro_rules! skip_if {
    ($condition:expr) => {
        if $condition {
            continue;
        }
    };
}

macro_rules! first_above {
    ($limit:expr, $range:expr) => {
        'search: {
            for i in $range {
                if i > $limit {
                    break 'search i;
                }
            }
            99
        }
    };
}

macro_rules! each {
    ($i:ident in $range:expr => $body:block) => {
        for $i in $range $body
    };
}

macro_rules! matched {
    ($x:expr; $($pattern:pat => $value:expr),+) => {
        match $x { $($pattern => $value),+ }
    };
}

twice! {
    control(x: u32, y: u32) -> u32 = all();
    {
        let mut sum = 0_u32;
        each!(i in 0..6 => {
            skip_if!(i == x % 6);
            sum = sum.wrapping_add(i.wrapping_mul(y));
        });
        let found = 'search: {
            if first_above!(x % 4, 0..3) == 99 {
                break 'search 1;
            }
            2
        };
        let kind = matched!(x; 0 | 1 => 7_u32, 2..=7 => 8, _ => y);
        let small = matches!(twofold!(x), y if twofold!(y) < 9);
        let above = matches!({ assert!(half(x) <= x, "{}", twofold!(x)); Some(x) }, Some(y @ 3..) if y > half(9));
        sum ^ found ^ kind.rotate_left(9) ^ small as u32 * 5 ^ above as u32 * 11
    }
}

twice! {
    defined_here(x: u32, y: u32) -> u32 = all();
    {
        macro_rules! step {
            ($x:expr) => { $x.wrapping_add(1) };
        }
        let first = step!(x);
        let inner = {
            macro_rules! step {
                ($x:expr) => { $x.wrapping_add(y) };
            }
            step!(step!(x))
        };
        let wrapped = |x: u32| step!(x);
        first ^ inner.rotate_left(7) ^ wrapped(y)
    }
}

macro_rules! field {
    ($pair:ident . $name:ident) => {
        $pair.$name
    };
    (new $($name:ident: $value:expr),*) => {
        Pair { $($name: $value,)* ..Pair::default() }
    };
}

macro_rules! named_or_not {
    ($x:ident) => {
        $x
    };
    (_) => {
        17
    };
}

macro_rules! converted {
    ($x:expr => $T:ty) => {
        <$T>::from($x)
    };
}

twice! {
    fields(x: u32, y: u32) -> u32 = all();
    {
        let mut pair = field!(new one: x);
        field!(pair.other) = y;
        let wide = converted!(pair.one => u64) + converted!(y % 7 == 3 => u64);
        assert!(compared!(wide < 9_000_000_000), "{}", twofold!(x));
        (wide >> 1) as u32 ^ field!(pair.other) ^ named_or_not!(y) ^ named_or_not!(_)
    }
}

twice! {
    of_other_files(x: u32, y: u32) -> u32 = all();
    {
        let sum: u32 = thirds!(x, y, seventh!(x));
        sum ^ seventh!(sum + 1)
    }
}

macro_rules! both {
    ($($items:tt)*) => {
        #[amp_module]
        mod device { $($items)* }

        mod host { $($items)* }
    };
}

both! {
    macro_rules! mix {
        ($a:expr, $b:expr) => { ($a ^ $b.rotate_left(5)).wrapping_mul(LOT) };
    }

    const LOT: u32 = 0x9e37_79b9;

    pub struct State(pub u32);

    impl State {
        pub fn next(&mut self) -> u32 {
            self.0 = mix!(self.0, 17_u32);
            self.0
        }
    }

    pub fn mixed(x: u32) -> u32 {
        let mut state = State(x);
        mix!(state.next(), state.next())
    }
}

#[amp_kernel]
fn mixes(idx: Index<1>, x: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = device::mixed(x[idx]);
}

#[test]
fn a_module_has_its_own() {
    gives(&NUMBERS.map(host::mixed), |view, out| {
        let x = input(&NUMBERS);
        launch(view, NUMBERS.len(), mixes(&x, out))
    });
}

#[allow(unused_macros)]
macro_rules! store {
    ($view:ident[$i:expr] $(+ $offset:literal)? = $value:expr) => {
        $view[$i $(+ $offset)?] = $value
    };
}

#[allow(unused_macros)]
macro_rules! tile_of {
    ($name:ident: $n:literal) => {
        #[tile_static]
        let mut $name: [u32; $n];
    };
}

#[allow(unused_macros)]
macro_rules! synchronise {
    ($t:ident) => {
        $t.barrier.wait()
    };
}

#[amp_kernel]
fn reversed(t: TiledIndex<1, 4>, x: &mut ArrayViewMut<u32, 1>) {
    tile_of!(tile: 4);
    let own = t.local[0];
    store!(tile[own] = x[t.global]);
    synchronise!(t);
    store!(x[t.global] = tile[3 - own]);
    if own == 1 {
        store!(x[4 * t.tile[0] + 1] = 9);
    }
}

#[test]
fn views_and_tile_memory() {
    becomes([4], &[1_u32, 2, 3, 4], &[4, 9, 2, 1], |view, x| {
        launch(view, Extent::new([4]).tile::<4>(), reversed(x))
    });
}

//! Scalars of all widths in views, structs, tuples, arrays, tile_static and arguments.

use amp::prelude::*;
use glam::{DVec2, Vec4};
use half::{bf16, f16};
use testkit::{becomes, gives, input, launch, same_by_eq};

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Mixed {
    wide: i64,
    double: f64,
    word: u32,
    short: i16,
    byte: u8,
    bytes: [i8; 5],
    half: f16,
    brain: bf16,
    shorts: [u16; 4],
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Bytes {
    a: u8,
    b: i8,
    c: u8,
}

same_by_eq!(Mixed, Bytes);

fn mixed(k: i64) -> Mixed {
    Mixed {
        wide: k * 0x0123_4567_89ab - 5,
        double: k as f64 / 3.0,
        word: (k as u32).wrapping_mul(77),
        short: (k * 1000) as i16,
        byte: (k * 50) as u8,
        bytes: [0, 1, 2, 3, 4].map(|j| (k * 30 - j * 17) as i8),
        half: f16::from_f32(k as f32 * 0.3),
        brain: bf16::from_f32(k as f32 * 0.7),
        shorts: [k as u16, !k as u16, 3, 4],
    }
}

fn changed(mut x: Mixed, byte: u8) -> Mixed {
    x.wide += i64::from(x.short);
    x.double *= f64::from(x.word);
    x.short -= i16::from(x.byte);
    x.byte = x.byte.wrapping_add(byte);
    x.bytes[3] = x.bytes[1].wrapping_add(x.bytes[4]);
    x.half += f16::from_f32(0.5);
    x.brain = bf16::from_f32(x.half.to_f32());
    x.shorts.swap(0, 1);
    x
}

#[amp_kernel]
fn change(idx: Index<1>, all: &mut ArrayViewMut<Mixed, 1>, byte: u8) {
    let i = idx[0];
    all[i].wide += all[i].short as i64;
    all[i].double *= all[i].word as f64;
    let mut x = all[i];
    x.short -= x.byte as i16;
    x.byte += byte;
    x.bytes[3] = x.bytes[1] + x.bytes[4];
    x.half += f16::from_f32(0.5);
    x.brain = bf16::from_f32(x.half.to_f32());
    all[i] = x;
    all[i].shorts = [x.shorts[1], x.shorts[0], x.shorts[2], x.shorts[3]];
}

#[test]
fn structs_of_all_widths() {
    let before: Vec<Mixed> = (-20..20).map(mixed).collect();
    let after: Vec<Mixed> = before.iter().map(|&x| changed(x, 200)).collect();
    becomes([40], &before, &after, |view, out| {
        launch(view, 40, change(out, 200))
    });
}

#[amp_kernel]
fn rotate_bytes(idx: Index<1>, all: &mut ArrayViewMut<Bytes, 1>) {
    let x = all[idx];
    all[idx] = Bytes {
        a: x.c,
        b: x.a as i8,
        c: x.b as u8,
    };
}

#[test]
fn structs_of_bytes_lie_side_by_side() {
    let before: Vec<Bytes> = (0..50)
        .map(|k| Bytes {
            a: k,
            b: -(k as i8),
            c: 255 - k,
        })
        .collect();
    let after: Vec<Bytes> = before
        .iter()
        .map(|x| Bytes {
            a: x.c,
            b: x.a as i8,
            c: x.b as u8,
        })
        .collect();
    becomes([50], &before, &after, |view, out| {
        launch(view, 50, rotate_bytes(out))
    });
}

#[amp_kernel]
#[allow(clippy::too_many_arguments)]
fn arguments(
    idx: Index<1>,
    a: u8,
    b: i16,
    c: i64,
    d: f64,
    e: (i8, u64, bool, (u16, u8)),
    f: [u8; 3],
    g: Mixed,
    h: f16,
    i: bf16,
    j: isize,
    out: &mut ArrayViewMut<f64, 1>,
) {
    if idx[0] == 0 {
        out[0] = a as f64;
        out[1] = b as f64;
        out[2] = c as f64;
        out[3] = d;
        out[4] = e.0 as f64;
        out[5] = e.1 as f64;
        out[6] = e.2 as u8 as f64;
        out[7] = e.3.0 as f64 + e.3.1 as f64 / 256.0;
        out[8] = f[0] as f64 + f[1] as f64 * 256.0 + f[2] as f64 * 65536.0;
        out[9] = g.wide as f64 + g.double;
        out[10] = g.word as f64 + g.short as f64;
        out[11] = g.byte as f64 + g.bytes[4] as f64 * 256.0;
        out[12] = g.half.to_f64() + g.brain.to_f64() + g.shorts[1] as f64;
        out[13] = h.to_f64();
        out[14] = i.to_f64();
        out[15] = j as f64;
    }
}

#[test]
fn arguments_of_all_widths() {
    let g = mixed(-7);
    let (h, i) = (f16::from_bits(3), bf16::from_f32(-1e30));
    let expected = [
        200.0,
        -300.0,
        (1_i64 << 40) as f64,
        0.1,
        -100.0,
        1e19 as u64 as f64,
        1.0,
        60_000.0 + 7.0 / 256.0,
        1.0 + 2.0 * 256.0 + 255.0 * 65536.0,
        g.wide as f64 + g.double,
        f64::from(g.word) + f64::from(g.short),
        f64::from(g.byte) + f64::from(g.bytes[4]) * 256.0,
        g.half.to_f64() + g.brain.to_f64() + f64::from(g.shorts[1]),
        h.to_f64(),
        i.to_f64(),
        -12.0,
    ];
    gives(&expected, |view, out| {
        let tuple = (-100, 1e19 as u64, true, (60_000, 7));
        let kernel = arguments(
            200,
            -300,
            1 << 40,
            0.1,
            tuple,
            [1, 2, 255],
            g,
            h,
            i,
            -12,
            out,
        );
        launch(view, 16, kernel)
    });
}

#[amp_struct]
struct Placed {
    at: Vec4,
    size: Vec4,
}

/// Vectors stand at multiples of their components, whatever the host aligns them to.
#[amp_kernel]
fn vectors_in_tuples(
    idx: Index<1>,
    a: (u32, DVec2, u8),
    b: (u8, Placed),
    out: &mut ArrayViewMut<f64, 1>,
) {
    if idx[0] == 0 {
        out[0] = a.0 as f64;
        out[1] = a.1.y;
        out[2] = a.2 as f64;
        out[3] = b.0 as f64 + b.1.at.x as f64 + b.1.size.w as f64;
    }
}

#[test]
fn vectors_among_narrower_arguments() {
    let placed = Placed {
        at: Vec4::new(0.5, 2.0, 3.0, 4.0),
        size: Vec4::new(5.0, 6.0, 7.0, 8.0),
    };
    gives(&[7.0, 0.25, 9.0, 211.5], |view, out| {
        let kernel = vectors_in_tuples((7, DVec2::new(1.0, 0.25), 9), (203, placed), out);
        launch(view, 4, kernel)
    });
}

/// Few enough for push constants.
#[amp_kernel]
fn small_arguments(idx: Index<1>, a: u8, b: (i16, i8), c: i64, out: &mut ArrayViewMut<i64, 1>) {
    out[idx] = a as i64 + b.0 as i64 * 1000 + b.1 as i64 * 1_000_000_000 + c;
}

#[test]
fn arguments_in_push_constants() {
    let expected = [255 - 30_000_000 - 128_000_000_000 + (1_i64 << 50); 4];
    gives(&expected, |view, out| {
        launch(view, 4, small_arguments(255, (-30_000, -128), 1 << 50, out))
    });
}

#[amp_kernel]
fn reverse_in_tiles(
    t_idx: TiledIndex<1, 16>,
    bytes: &ArrayView<u8, 1>,
    halves: &ArrayView<f16, 1>,
    out: &mut ArrayViewMut<f64, 1>,
) {
    #[tile_static]
    let mut kept: [(u8, i64, f16); 16];
    #[tile_static]
    let mut sums: [f64; 16];
    let (i, j) = (t_idx.global[0], t_idx.local[0]);
    kept[j] = (bytes[i], bytes[i] as i64 - 1_000_000_000_000, halves[i]);
    sums[j] = 0.25;
    t_idx.barrier.wait();
    let (byte, wide, half) = kept[15 - j];
    let small: [i8; 4] = [byte as i8, -1, 2, 3];
    let mut total = 0_i8;
    for k in 0..4 {
        total += small[k];
    }
    out[i] = sums[j] + wide as f64 + half.to_f64() + total as f64;
}

#[test]
fn tile_static_and_local_arrays() {
    let bytes: Vec<u8> = (0..64).map(|k| (k * 37) as u8).collect();
    let halves: Vec<f16> = (0..64).map(|k| f16::from_f32(k as f32 * 0.01)).collect();
    let expected: Vec<f64> = (0..64)
        .map(|i| {
            let other = i / 16 * 16 + 15 - i % 16;
            let byte = bytes[other];
            let total = (byte as i8).wrapping_add(4);
            0.25 + (i64::from(byte) - 1_000_000_000_000) as f64
                + halves[other].to_f64()
                + f64::from(total)
        })
        .collect();
    gives(&expected, |view, out| {
        let (bytes, halves) = (input(&bytes), input(&halves));
        let kernel = reverse_in_tiles(&bytes, &halves, out);
        launch(view, amp::Extent::new([64]).tile::<16>(), kernel)
    });
}

//! Program P4: the cartoonizer of the book "C++ AMP". Colours are drawn towards those of their
//! neighbours that are alike, and edges are darkened; once a pixel a thread, once through
//! tile memory with a margin around the tile.

use amp::prelude::*;
use testkit::numbers::random;
use testkit::{everywhere, launch};

/// Neighbours on each side.
const HALF: usize = 3;
const TILE: usize = 16;
const SIDE: usize = TILE + 2 * HALF;
const STEEPNESS: f32 = -0.5 / (0.025 * 0.025);

#[amp_fn]
fn unpack(pixel: u32) -> [f32; 3] {
    [
        (pixel >> 16 & 255) as f32 / 255.0,
        (pixel >> 8 & 255) as f32 / 255.0,
        (pixel & 255) as f32 / 255.0,
    ]
}

#[amp_fn]
fn pack(color: [f32; 3]) -> u32 {
    let mut pixel = 255;
    for part in color {
        pixel = pixel << 8 | (part.clamp(0.0, 1.0) * 255.0) as u32;
    }
    pixel
}

/// How alike two colours are.
#[amp_fn]
fn likeness(a: [f32; 3], b: [f32; 3]) -> f32 {
    let weights = [0.299, 0.114, 0.587];
    let mut distance = 0.0;
    for i in 0..3 {
        distance += weights[i] * (a[i] - b[i]) * (a[i] - b[i]);
    }
    (STEEPNESS * distance).exp()
}

/// Adds a neighbour to the sums of colours and weights.
#[amp_fn]
fn gather(own: [f32; 3], pixel: u32, sum: &mut [f32; 3], weights: &mut f32) {
    let color = unpack(pixel);
    let weight = likeness(own, color);
    for i in 0..3 {
        sum[i] += weight * color[i];
    }
    *weights += weight;
}

#[amp_fn]
fn mean(sum: [f32; 3], weights: f32) -> u32 {
    pack([sum[0] / weights, sum[1] / weights, sum[2] / weights])
}

/// Over the image without its margin.
#[amp_kernel]
fn simplify(idx: Index<2>, image: &ArrayView<u32, 2>, out: &mut ArrayViewMut<u32, 2>) {
    let at = idx + HALF;
    let own = unpack(image[at]);
    let mut sum = [0.0; 3];
    let mut weights = 0.0;
    for i in 0..=2 * HALF {
        for j in 0..=2 * HALF {
            gather(own, image[idx + [i, j]], &mut sum, &mut weights);
        }
    }
    out[at] = mean(sum, weights);
}

/// Over the padded image. Each thread fetches pixels of the tile and its margin until all
/// are there, those beyond the image from its edge.
#[amp_kernel]
fn simplify_tiles(
    t_idx: TiledIndex<2, TILE, TILE>,
    image: &ArrayView<u32, 2>,
    out: &mut ArrayViewMut<u32, 2>,
) {
    #[tile_static]
    let mut pixels: [[u32; SIDE]; SIDE];
    let (rows, columns) = (image.extent()[0], image.extent()[1]);
    let (row, column) = (t_idx.local[0], t_idx.local[1]);
    for i in (row..SIDE).step_by(TILE) {
        for j in (column..SIDE).step_by(TILE) {
            let y = (t_idx.tile_origin[0] + i).max(HALF) - HALF;
            let x = (t_idx.tile_origin[1] + j).max(HALF) - HALF;
            pixels[i][j] = image[[y.min(rows - 1), x.min(columns - 1)]];
        }
    }
    t_idx.barrier.wait_with_tile_static_memory_fence();
    let own = unpack(pixels[row + HALF][column + HALF]);
    let mut sum = [0.0; 3];
    let mut weights = 0.0;
    for i in 0..=2 * HALF {
        for j in 0..=2 * HALF {
            gather(own, pixels[row + i][column + j], &mut sum, &mut weights);
        }
    }
    if out.extent().contains(t_idx.global) {
        out[t_idx] = mean(sum, weights);
    }
}

#[amp_fn]
fn luminance(pixel: u32) -> f32 {
    let [red, green, blue] = unpack(pixel);
    0.299 * red + 0.587 * green + 0.114 * blue
}

/// Sobel's operator on the image, and what it finds blended to black in the other one.
#[amp_kernel]
fn draw_edges(idx: Index<2>, image: &ArrayView<u32, 2>, out: &mut ArrayViewMut<u32, 2>) {
    let weights = [1.0, 2.0, 1.0];
    let (mut across, mut down) = (0.0, 0.0);
    for k in 0..3 {
        across += weights[k] * (luminance(image[idx + [k, 2]]) - luminance(image[idx + [k, 0]]));
        down += weights[k] * (luminance(image[idx + [2, k]]) - luminance(image[idx + [0, k]]));
    }
    let edge = (across * across + down * down).sqrt();
    let shade = 1.0 - direct3d::smoothstep(0.1, 0.6, edge);
    let [red, green, blue] = unpack(out[idx + 1]);
    out[idx + 1] = pack([red * shade, green * shade, blue * shade]);
}

const ROWS: usize = 45;
const COLUMNS: usize = 61;

/// Fields of colours that vary a little.
fn image() -> Vec<u32> {
    let noise = random(4).map(|word| word & 0x07_07_07);
    let field = |at: usize| {
        [0x20_80_40, 0x60_60_e0, 0xc0_20_20][(at / COLUMNS / 9 + at % COLUMNS / 13) % 3]
    };
    (0..ROWS * COLUMNS)
        .zip(noise)
        .map(|(at, noise)| 0xff00_0000 + field(at) + noise)
        .collect()
}

fn parts(pixel: u32) -> [f64; 3] {
    [pixel >> 16, pixel >> 8, pixel].map(|part| f64::from(part & 255) / 255.0)
}

fn packed(color: [f64; 3]) -> u32 {
    let parts = color.map(|part| (part.clamp(0.0, 1.0) * 255.0) as u32);
    0xff00_0000 | parts[0] << 16 | parts[1] << 8 | parts[2]
}

/// The result for a pixel whose neighbours are all in the image.
fn simplified(image: &[u32], row: usize, column: usize) -> u32 {
    let at = |i: usize, j: usize| parts(image[i * COLUMNS + j]);
    let own = at(row, column);
    let (mut sum, mut weights) = ([0.0; 3], 0.0);
    for i in row - HALF..=row + HALF {
        for j in column - HALF..=column + HALF {
            let color = at(i, j);
            let squares = [0.299, 0.114, 0.587];
            let distance: f64 = (0..3)
                .map(|k| squares[k] * (own[k] - color[k]).powi(2))
                .sum();
            let weight = (f64::from(STEEPNESS) * distance).exp();
            (0..3).for_each(|k| sum[k] += weight * color[k]);
            weights += weight;
        }
    }
    packed(sum.map(|part| part / weights))
}

fn edged(image: &[u32], pixel: u32, row: usize, column: usize) -> u32 {
    let light = |i: usize, j: usize| {
        let [red, green, blue] = parts(image[i * COLUMNS + j]);
        0.299 * red + 0.587 * green + 0.114 * blue
    };
    let (mut across, mut down) = (0.0, 0.0);
    for (k, weight) in [1.0, 2.0, 1.0].into_iter().enumerate() {
        across += weight * (light(row + k - 1, column + 1) - light(row + k - 1, column - 1));
        down += weight * (light(row + 1, column + k - 1) - light(row - 1, column + k - 1));
    }
    let t = ((across.hypot(down) - 0.1) / 0.5).clamp(0.0, 1.0);
    packed(parts(pixel).map(|part| part * (1.0 - t * t * (3.0 - 2.0 * t))))
}

/// Requires that all pixels with all their neighbours are as the host finds them, a step of
/// each colour apart at most.
fn assert_alike(found: &[u32], expected: impl Fn(usize, usize) -> u32, what: &str) {
    for row in HALF..ROWS - HALF {
        for column in HALF..COLUMNS - HALF {
            let (found, expected) = (found[row * COLUMNS + column], expected(row, column));
            let apart = |shift: u32| (found >> shift & 255).abs_diff(expected >> shift & 255);
            assert!(
                [0, 8, 16, 24].into_iter().all(|shift| apart(shift) <= 1),
                "{what}: {found:08x} for {expected:08x} at ({row}, {column})"
            );
        }
    }
}

#[test]
fn program_04_cartoonizer() {
    let image = image();
    everywhere(|view| {
        let input = ArrayView::new([ROWS, COLUMNS], &image).expect("not empty");
        let mut simple = image.clone();
        let mut out = ArrayViewMut::new([ROWS, COLUMNS], &mut simple).expect("not empty");
        let inner = [ROWS - 2 * HALF, COLUMNS - 2 * HALF];
        launch(view, inner, simplify(&input, &mut out)).expect("a valid launch");
        out.synchronize().expect("no fault");
        drop(out);
        assert_alike(
            &simple,
            |row, column| simplified(&image, row, column),
            "simple",
        );

        let mut tiled = image.clone();
        let mut out = ArrayViewMut::new([ROWS, COLUMNS], &mut tiled).expect("not empty");
        let domain = out.extent().tile::<TILE, TILE>().pad();
        launch(view, domain, simplify_tiles(&input, &mut out)).expect("a valid launch");
        out.synchronize().expect("no fault");
        let inner = [ROWS - 2, COLUMNS - 2];
        let before = out.to_vec().expect("no fault");
        launch(view, inner, draw_edges(&input, &mut out)).expect("a valid launch");
        out.synchronize().expect("no fault");
        drop(out);
        assert_alike(
            &before,
            |row, column| simple[row * COLUMNS + column],
            "tiled",
        );
        let expected = |row, column| edged(&image, before[row * COLUMNS + column], row, column);
        assert_alike(&tiled, expected, "edges");
    });
}

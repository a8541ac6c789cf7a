//! `#[tile_static]` where there is no kernel code: rustc does not know it.

fn host() {
    #[tile_static]
    let mut shared: f32;
}

#[tile_static]
fn item() {}

struct Tile {
    #[tile_static]
    field: f32,
}

fn main() {}

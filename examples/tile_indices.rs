//! Prints the indices that each thread of a tiled launch has: its tile, its position in the
//! whole matrix and its position in the tile. Neighbouring tiles differ in color.
//!
//! The elements are structs: `#[amp_struct]` gives a struct the same layout everywhere.

use std::io::IsTerminal;
use std::process::ExitCode;

use amp::prelude::*;

/// Rows of the matrix.
pub const ROWS: usize = 8;
/// Columns of the matrix.
pub const COLUMNS: usize = 9;

/// An element of the matrix, and the thread that wrote it.
#[amp_struct]
#[derive(Debug, Default, PartialEq)]
pub struct Description {
    /// The element's number.
    pub value: u32,
    /// Row and column of the tile.
    pub tile: [u32; 2],
    /// Row and column in the whole matrix.
    pub global: [u32; 2],
    /// Row and column in the tile.
    pub local: [u32; 2],
}

#[amp_kernel]
fn describe(t_idx: TiledIndex<2, 2, 3>, descriptions: &mut ArrayViewMut<Description, 2>) {
    descriptions[t_idx].tile = [t_idx.tile[0] as u32, t_idx.tile[1] as u32];
    descriptions[t_idx].global = [t_idx.global[0] as u32, t_idx.global[1] as u32];
    descriptions[t_idx].local = [t_idx.local[0] as u32, t_idx.local[1] as u32];
}

/// The descriptions of a matrix, row by row. The host numbers the elements; the rest is
/// computed on `view`.
pub fn tile_indices(view: &AcceleratorView) -> amp::Result<Vec<Description>> {
    let mut matrix = [Description::default(); ROWS * COLUMNS];
    for (value, description) in (0..).zip(&mut matrix) {
        description.value = value;
    }
    let mut descriptions = ArrayViewMut::new([ROWS, COLUMNS], &mut matrix)?;
    let domain = descriptions.extent().tile::<2, 3>();
    view.parallel_for_each(domain, describe(&mut descriptions))?;
    descriptions.to_vec()
}

/// The text in the color of the element's tile: red or blue, as on a checkerboard.
fn paint(description: &Description, text: &str) -> String {
    let [row, column] = description.tile;
    let colour = if row % 2 == column % 2 { 31 } else { 34 };
    format!("\x1b[{colour}m{text}\x1b[0m")
}

fn print_row(row: &[Description], coloured: bool) {
    let print_line = |text: fn(&Description) -> String| {
        let cells: Vec<String> = row
            .iter()
            .map(|description| match text(description) {
                text if coloured => paint(description, &text),
                text => text,
            })
            .collect();
        println!("{}", cells.join("   "));
    };
    print_line(|d| format!("Value: {:6}", d.value));
    print_line(|d| format!("Tile:   ({},{})", d.tile[0], d.tile[1]));
    print_line(|d| format!("Global: ({},{})", d.global[0], d.global[1]));
    print_line(|d| format!("Local:  ({},{})", d.local[0], d.local[1]));
    println!();
}

fn run() -> amp::Result<()> {
    let view = Accelerator::default()?.default_view()?;
    let coloured = std::io::stdout().is_terminal();
    for row in tile_indices(&view)?.chunks(COLUMNS) {
        print_row(row, coloured);
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

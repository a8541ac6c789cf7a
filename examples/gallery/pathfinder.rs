//! Finds the cheapest way through a grid, from any place in the first row to any in the last
//! (Rodinia's pathfinder): each step leads down, or down and to one side.
//!
//! `cargo run --release --example pathfinder -- 1000 100000`

use amp::prelude::*;

mod support;

#[amp_kernel]
fn descend(
    idx: Index<1>,
    costs: &ArrayView<u32, 1>,
    above: &ArrayView<u32, 1>,
    here: &mut ArrayViewMut<u32, 1>,
) {
    let (left, right) = (
        idx[0].saturating_sub(1),
        (idx[0] + 1).min(above.extent()[0] - 1),
    );
    let cheapest = (left..=right).map(|j| above[j]).min().unwrap();
    here[idx] = costs[idx] + cheapest;
}

fn cheapest_ways(rows: usize, columns: usize, costs: &[u32]) -> amp::Result<Vec<u32>> {
    let costs = Array::new([rows, columns], costs)?;
    let mut above = Array::zeroed(columns)?;
    let mut here = Array::zeroed(columns)?;
    for i in 0..rows {
        parallel_for_each(columns, descend(&costs.row(i)?, &above, &mut here))?;
        std::mem::swap(&mut above, &mut here);
    }
    above.to_vec()
}

fn on_host(columns: usize, costs: &[u32]) -> Vec<u32> {
    costs
        .chunks(columns)
        .fold(vec![0; columns], |above, costs| {
            let cheapest = |j: usize| {
                above[j.saturating_sub(1)..(j + 2).min(columns)]
                    .iter()
                    .min()
            };
            costs
                .iter()
                .enumerate()
                .map(|(j, cost)| cost + cheapest(j).unwrap())
                .collect()
        })
}

fn main() -> amp::Result<()> {
    let (rows, columns) = (support::argument(1, 20), support::argument(2, 500));
    let costs: Vec<u32> = support::random()
        .map(|x| x % 10)
        .take(rows * columns)
        .collect();
    let ways = cheapest_ways(rows, columns, &costs)?;
    assert!(ways == on_host(columns, &costs), "differs from the host");
    let least = ways.iter().min().expect("there are columns");
    println!("pathfinder: the cheapest way through {rows} rows of {columns} costs {least}");
    Ok(())
}

//! Ranks the pages of a network by the links to them (Brin and Page 1998).
//!
//! `cargo run --release --features algorithms --example page_rank -- 1000000`

use amp::algorithms::max_element;
use amp::prelude::*;

mod support;

const DAMPING: f32 = 0.85;

/// The links of a network by their target: those to page `n` come from
/// `sources[starts[n]..starts[n + 1]]`.
struct Network {
    starts: Vec<u32>,
    sources: Vec<u32>,
    /// The number of links from each page.
    links: Vec<u32>,
}

impl Network {
    /// Each page links to three others, more often to the first.
    fn random(pages: usize) -> Self {
        let mut random =
            support::random().map(|x| ((u64::from(x) * u64::from(x)) >> 32) as usize % pages);
        let mut to: Vec<Vec<u32>> = vec![Vec::new(); pages];
        for page in 0..3 * pages {
            to[random.next().unwrap_or_default()].push((page % pages) as u32);
        }
        let starts = to.iter().scan(0, |sum, sources| {
            *sum += sources.len() as u32;
            Some(*sum)
        });
        Self {
            starts: std::iter::once(0).chain(starts).collect(),
            sources: to.concat(),
            links: vec![3; pages],
        }
    }
}

#[amp_kernel]
fn share(
    idx: Index<1>,
    ranks: &ArrayView<f32, 1>,
    links: &ArrayView<u32, 1>,
    shares: &mut ArrayViewMut<f32, 1>,
) {
    shares[idx] = ranks[idx] / links[idx] as f32;
}

#[amp_kernel]
fn collect(
    idx: Index<1>,
    starts: &ArrayView<u32, 1>,
    sources: &ArrayView<u32, 1>,
    shares: &ArrayView<f32, 1>,
    ranks: &mut ArrayViewMut<f32, 1>,
) {
    let (start, end) = (starts[idx] as usize, starts[idx + 1] as usize);
    let sum: f32 = (start..end)
        .map(|link| shares[sources[link] as usize])
        .sum();
    ranks[idx] = (1.0 - DAMPING) / shares.extent()[0] as f32 + DAMPING * sum;
}

fn rank(network: &Network, rounds: usize) -> amp::Result<Array<f32, 1>> {
    let pages = network.links.len();
    let starts = ArrayView::from(&network.starts);
    let sources = ArrayView::from(&network.sources);
    let links = ArrayView::from(&network.links);
    let mut ranks = Array::new(pages, &vec![1.0 / pages as f32; pages])?;
    let mut shares = Array::zeroed(pages)?;
    for _ in 0..rounds {
        parallel_for_each(pages, share(&ranks, &links, &mut shares))?;
        parallel_for_each(pages, collect(&starts, &sources, &shares, &mut ranks))?;
    }
    Ok(ranks)
}

fn on_host(network: &Network, rounds: usize) -> Vec<f32> {
    let pages = network.links.len();
    let mut ranks = vec![1.0 / pages as f32; pages];
    for _ in 0..rounds {
        let share = |(rank, links): (&f32, &u32)| rank / *links as f32;
        let shares: Vec<f32> = ranks.iter().zip(&network.links).map(share).collect();
        let rank = |ends: &[u32]| {
            let sources = &network.sources[ends[0] as usize..ends[1] as usize];
            let sum: f32 = sources.iter().map(|&source| shares[source as usize]).sum();
            (1.0 - DAMPING) / pages as f32 + DAMPING * sum
        };
        ranks = network.starts.windows(2).map(rank).collect();
    }
    ranks
}

fn main() -> amp::Result<()> {
    let (pages, rounds) = (support::argument(1, 2000), support::argument(2, 20));
    let network = Network::random(pages);
    let ranks = rank(&network, rounds)?;
    let (best, highest) = max_element(&ranks)?;
    let ranks = ranks.to_vec()?;
    assert!(ranks == on_host(&network, rounds), "differs from the host");
    println!("page_rank: of {pages} pages, {best} has the highest rank, {highest:.6}");
    Ok(())
}

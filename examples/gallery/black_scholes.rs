//! Prices of options (Black and Scholes 1973).
//!
//! `cargo run --release --example black_scholes -- 4000000`

use amp::prelude::*;

mod support;

const RATE: f32 = 0.02;
const VOLATILITY: f32 = 0.3;

/// The right to buy or to sell a stock at a price, some years from now.
#[amp_struct]
#[derive(Debug)]
struct Contract {
    stock: f32,
    strike: f32,
    years: f32,
}

#[amp_struct]
#[derive(Debug)]
struct Prices {
    call: f32,
    put: f32,
}

/// The normal distribution (Abramowitz and Stegun 26.2.17).
#[amp_fn]
fn normal(d: f32) -> f32 {
    const FACTORS: [f32; 5] = [
        0.319_381_53,
        -0.356_563_78,
        1.781_477_9,
        -1.821_255_9,
        1.330_274_5,
    ];
    let k = 1.0 / (1.0 + 0.231_641_9 * d.abs());
    let sum = FACTORS
        .iter()
        .rev()
        .fold(0.0, |sum, factor| k * (factor + sum));
    let tail = 0.398_942_3 * (-0.5 * d * d).exp() * sum;
    if d > 0.0 { 1.0 - tail } else { tail }
}

#[amp_fn]
impl Contract {
    fn prices(&self) -> Prices {
        let Self {
            stock,
            strike,
            years,
        } = *self;
        let deviation = VOLATILITY * years.sqrt();
        let growth = (RATE + 0.5 * VOLATILITY * VOLATILITY) * years;
        let d1 = ((stock / strike).ln() + growth) / deviation;
        let (bought, sold) = (normal(d1), normal(d1 - deviation));
        let discounted = strike * (-RATE * years).exp();
        Prices {
            call: stock * bought - discounted * sold,
            put: discounted * (1.0 - sold) - stock * (1.0 - bought),
        }
    }
}

#[amp_kernel]
fn price(idx: Index<1>, contracts: &ArrayView<Contract, 1>, prices: &mut ArrayViewMut<Prices, 1>) {
    prices[idx] = contracts[idx].prices();
}

/// The same in double precision.
fn on_host(contract: &Contract) -> [f64; 2] {
    let (rate, volatility) = (0.02, 0.3);
    let [stock, strike, years] = [contract.stock, contract.strike, contract.years].map(f64::from);
    let normal = |d: f64| {
        let k = 1.0 / (1.0 + 0.231_641_9 * d.abs());
        let factors = [
            0.319381530,
            -0.356563782,
            1.781477937,
            -1.821255978,
            1.330274429,
        ];
        let sum = factors
            .iter()
            .rev()
            .fold(0.0, |sum, factor| k * (factor + sum));
        let tail = 0.39894228040 * (-0.5 * d * d).exp() * sum;
        if d > 0.0 { 1.0 - tail } else { tail }
    };
    let deviation = volatility * f64::sqrt(years);
    let d1 = ((stock / strike).ln() + (rate + volatility * volatility / 2.0) * years) / deviation;
    let (bought, sold) = (normal(d1), normal(d1 - deviation));
    let discounted = strike * (-rate * years).exp();
    let put = discounted * (1.0 - sold) - stock * (1.0 - bought);
    [stock * bought - discounted * sold, put]
}

fn main() -> amp::Result<()> {
    let count = support::argument(1, 10_000);
    let random: Vec<f32> = support::random_floats().take(3 * count).collect();
    let contract = |x: &[f32]| Contract {
        stock: 5.0 + 25.0 * x[0],
        strike: 1.0 + 99.0 * x[1],
        years: 0.25 + 9.75 * x[2],
    };
    let contracts: Vec<Contract> = random.chunks(3).map(contract).collect();

    let mut prices = ArrayViewMut::uninit(count)?;
    parallel_for_each(count, price(&ArrayView::from(&contracts), &mut prices))?;
    let prices = prices.to_vec()?;

    let differences = prices.iter().zip(&contracts).map(|(prices, contract)| {
        let [call, put] = on_host(contract);
        (f64::from(prices.call) - call)
            .abs()
            .max((f64::from(prices.put) - put).abs())
    });
    let largest = differences.fold(0.0, f64::max);
    assert!(largest < 1e-4, "differs from the host by {largest}");
    println!(
        "black_scholes: {count} options, {:?} costs {:.2?}",
        contracts[0], prices[0]
    );
    Ok(())
}

//! Trains a network with one hidden layer to tell two spirals apart.
//!
//! `cargo run --release --example neural_network -- 5000`

use amp::prelude::*;

mod support;

const HIDDEN: usize = 32;
/// Weights of a hidden neuron: for the two inputs, for a constant one, and of its output.
const WEIGHTS: usize = 4;
const RATE: f32 = 0.05;

#[amp_struct]
#[derive(Debug, Default)]
struct Sample {
    x: [f32; 2],
    label: f32,
}

/// What a neuron gets, and what it makes of it.
#[amp_fn]
fn activation(weights: &ArrayView<f32, 1>, x: [f32; 2]) -> f32 {
    (weights[0] * x[0] + weights[1] * x[1] + weights[2]).max(0.0)
}

#[amp_fn]
fn output(network: &ArrayView<f32, 2>, x: [f32; 2]) -> f32 {
    (0..HIDDEN)
        .map(|n| network[[n, 3]] * activation(&network.row(n), x))
        .sum()
}

/// How far the network is off for each sample.
#[amp_kernel]
fn forward(
    idx: Index<1>,
    samples: &ArrayView<Sample, 1>,
    network: &ArrayView<f32, 2>,
    errors: &mut ArrayViewMut<f32, 1>,
) {
    let Sample { x, label } = samples[idx];
    errors[idx] = output(network, x) - label;
}

/// One neuron follows the gradient of the squared error.
#[amp_kernel]
fn learn(
    idx: Index<1>,
    samples: &ArrayView<Sample, 1>,
    errors: &ArrayView<f32, 1>,
    network: &mut ArrayViewMut<f32, 2>,
) {
    let mut neuron = network.row(idx[0]);
    let mut gradient = [0.0; WEIGHTS];
    for (sample, error) in samples.iter().zip(errors) {
        let active = activation(&neuron, sample.x);
        gradient[3] += error * active;
        if active > 0.0 {
            let inputs = [sample.x[0], sample.x[1], 1.0];
            for (g, input) in gradient.iter_mut().zip(inputs) {
                *g += error * neuron[3] * input;
            }
        }
    }
    let rate = RATE / samples.extent()[0] as f32;
    for (weight, g) in neuron.iter_mut().zip(gradient) {
        *weight -= rate * g;
    }
}

fn train(rounds: usize, samples: &[Sample], network: &mut [f32]) -> amp::Result<()> {
    let samples = ArrayView::from(samples);
    let mut network = ArrayViewMut::new([HIDDEN, WEIGHTS], network)?;
    let mut errors = ArrayViewMut::uninit(samples.extent())?;
    for _ in 0..rounds {
        parallel_for_each(samples.extent(), forward(&samples, &network, &mut errors))?;
        parallel_for_each(HIDDEN, learn(&samples, &errors, &mut network))?;
    }
    network.synchronize()
}

fn on_host(rounds: usize, samples: &[Sample], network: &mut [f32]) {
    let active = |w: &[f32], x: [f32; 2]| (w[0] * x[0] + w[1] * x[1] + w[2]).max(0.0);
    for _ in 0..rounds {
        let error = |sample: &Sample| {
            let neurons = network.chunks(WEIGHTS);
            neurons.map(|w| w[3] * active(w, sample.x)).sum::<f32>() - sample.label
        };
        let errors: Vec<f32> = samples.iter().map(error).collect();
        for w in network.chunks_mut(WEIGHTS) {
            let mut gradient = [0.0; WEIGHTS];
            for (sample, error) in samples.iter().zip(&errors) {
                let active = active(w, sample.x);
                gradient[3] += error * active;
                if active > 0.0 {
                    for (k, input) in [sample.x[0], sample.x[1], 1.0].into_iter().enumerate() {
                        gradient[k] += error * w[3] * input;
                    }
                }
            }
            let rate = RATE / samples.len() as f32;
            w.iter_mut()
                .zip(gradient)
                .for_each(|(weight, g)| *weight -= rate * g);
        }
    }
}

fn main() -> amp::Result<()> {
    let (rounds, count) = (support::argument(1, 20), support::argument(2, 200));
    let spiral = |n: usize| {
        let label = if n.is_multiple_of(2) { 1.0 } else { -1.0 };
        let t = n as f32 / count as f32;
        let (sin, cos) = (5.0 * t).sin_cos();
        Sample {
            x: [label * t * cos, label * t * sin],
            label,
        }
    };
    let samples: Vec<Sample> = (0..count).map(spiral).collect();
    let mut network: Vec<f32> = support::random_floats()
        .map(|x| 2.0 * x - 1.0)
        .take(HIDDEN * WEIGHTS)
        .collect();
    let mut expected = network.clone();
    train(rounds, &samples, &mut network)?;
    on_host(rounds, &samples, &mut expected);
    assert!(network == expected, "differs from the host");
    let score = |sample: &&Sample| {
        let active = |w: &[f32]| (w[0] * sample.x[0] + w[1] * sample.x[1] + w[2]).max(0.0);
        let output: f32 = network.chunks(WEIGHTS).map(|w| w[3] * active(w)).sum();
        output * sample.label > 0.0
    };
    let right = samples.iter().filter(score).count();
    println!("neural_network: after {rounds} rounds {right} of {count} points are told apart");
    Ok(())
}

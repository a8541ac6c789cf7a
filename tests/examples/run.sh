#!/usr/bin/env bash
# Runs every example as a program and looks for what it has to say when all is right:
# `tests/examples/run.sh target/debug/examples`. AMP_ACCELERATOR says where.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
ran=()

run() {
    ran+=("$1")
    echo "$*"
    said=$("$folder/$@") || wrong "ends with $?"
}

says() {
    [[ $said == *"$1"* ]] || wrong "does not say \"$1\""
}

wrong() {
    echo "the example ${ran[-1]} $1, but: $said" >&2
    exit 1
}

run add_arrays
says $'7\n9\n11\n13\n15'

run array_times_ten
says $'0\n10\n20\n30\n40'

run futures
says '8000000 numbers in 16 parts'
says $'1 becomes 932611783\n8000000 becomes 3356675139'

run histogram
says "'t': $(tr -cd t <examples/histogram.rs | wc -c)"

# The last digits are a device's own.
run log10
says 'log10(60) = 1.77815'
says 'log10(600) = 2.77815'

# Ends with an error if products differ.
run matmul 64 64 64
says '= simple kernel'

run nbody
says 'after 4 s the mean distance from the middle is 1.28'

run ndarray
says '[10, 5, 0, 8.544003'

run profile "$scratch/profile.json" "$scratch/profile.svg"
says 'the sum starts with [0.0466'
grep -q '"cat":"launch"' "$scratch/profile.json" || wrong 'writes no launch into its trace'
grep -q '</svg>' "$scratch/profile.svg" || wrong 'draws no picture of its trace'

run replay 20
says 'the results agree'

run scan
says $'last:  4500000\nall are right'

run shared_memory 64
says 'by sections that are copied: '
says 'in place: '
says 'the buoy rose to 0.5122'

run spheres "$scratch/spheres.png" 64
says '64 × 32 pixels'
[[ $(head -c 4 "$scratch/spheres.png" | tail -c 3) == PNG ]] || wrong 'writes no PNG file'

run tile_average
says $'3 3 8 8 3 3 \n3 3 8 8 3 3 \n5 5 2 2 4 4 \n5 5 2 2 4 4'

run tile_indices
says 'Global: (7,8)'
says 'Local:  (1,2)'

run tile_sampling
says $'tiles of 2 × 2:\n  4.5  6.5  8.5 10.5'
says $'tiles of 4 × 4:\n 13.5 17.5\n 45.5 49.5'

run weighted_average
says 'as on the host'

# Those of the gallery compare their results with the host's, and end with an error if they differ.
gallery() {
    run "$@"
    says "$1: "
}

draws() {
    gallery "$1" "$scratch/$1.png"
    [[ $(head -c 4 "$scratch/$1.png" | tail -c 3) == PNG ]] || wrong 'writes no PNG file'
}

gallery black_scholes
gallery conjugate_gradient
gallery floyd_warshall
gallery hotspot
draws image_filters
gallery lattice_boltzmann
gallery lu
draws mandelbrot
gallery needleman_wunsch
gallery neural_network
gallery page_rank
gallery pathfinder
draws ray_tracer
gallery sha256
gallery sorts

for source in examples/*.rs examples/*/main.rs examples/gallery/*.rs; do
    name=${source#examples/} name=${name%/main.rs} name=${name#gallery/} name=${name%.rs}
    [ "$name" != support ] || continue
    [[ " ${ran[*]} " == *" $name "* ]] || { echo "nothing runs the example $name" >&2; exit 1; }
done

#!/usr/bin/env bash
# Measures the same cases on wgpu, CubeCL, PyTorch and CuPy (where these two are installed), and prints
# them beside amp's. Options: --quick, and --json FILE for what the device benchmark writes.
set -euo pipefail
cd "$(dirname "$0")"
found=$PWD/target
mkdir -p "$found"

quick=()
for option in "$@"; do
    [ "$option" = --quick ] && quick=(--quick)
done

cargo run --release --quiet -- "${quick[@]}" --json "$found/rust.json"
beside=(--beside "$found/rust.json")
if python3 -c 'import numpy' 2>/dev/null; then
    python3 python.py "${quick[@]}" "$found/python.json"
    beside+=(--beside "$found/python.json")
fi
cd ..
cargo bench --quiet -p amp-benches --bench device -- "${beside[@]}" "$@"

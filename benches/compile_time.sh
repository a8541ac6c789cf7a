#!/usr/bin/env bash
# How long programs take to compile: a clean dev build of one with the README's kernel, and what
# 100 copies of that kernel add to `cargo check`.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export CARGO_TARGET_DIR=$scratch/target CARGO_TERM_COLOR=never
copies=100

mkdir "$scratch/src"
cat >"$scratch/Cargo.toml" <<END
[package]
name = "compile-time"
version = "0.0.0"
edition = "2024"

[dependencies]
amp-gpu = { path = "$root" }

[workspace]
END
cd "$scratch"

# The first program of the README.
sed -n '/^```rust$/,/^```$/{//d;p}' "$root/README.md" | sed '/^fn main()/q' >program
head -n -1 program >src/kernel.rs

# Milliseconds that a command takes.
time_of() {
    local start=$EPOCHREALTIME
    "$@"
    local end=$EPOCHREALTIME
    echo $(((${end/./} - ${start/./}) / 1000))
}

kernels() {
    echo '#![allow(dead_code)]'
    for n in $(seq "$1"); do
        echo "#[path = \"kernel.rs\"] pub mod kernel_$n;"
    done
    echo 'fn main() {}'
}

kernels 1 >src/main.rs
cargo fetch --quiet # what is downloaded does not count
# Cargo compiles packages of the registry, as users have amp, without incremental files.
clean=$(CARGO_INCREMENTAL=0 time_of cargo build --quiet)
echo "clean build of a program with one kernel: $clean ms"

cargo check --quiet
check() {
    kernels "$1" >src/main.rs
    time_of cargo check --quiet
}
one=$(check 1)
more=$(check $((copies + 1)))
echo "cargo check: $one ms with one kernel, $((more - one)) ms more with $copies more," \
    "$(((more - one) / copies)) ms each"

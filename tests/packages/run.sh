#!/usr/bin/env bash
# Makes the packages that are published, and builds and runs the first program of the README with them in
# place of the registry's. Cargo's own verification would compile each of them twice.
set -euo pipefail
root=$(realpath "$(dirname "$0")/../..")
CARGO_TARGET_DIR=$(realpath -m "${CARGO_TARGET_DIR:-$root/target}")
export CARGO_TARGET_DIR
published=(amp-algorithms amp-gpu amp-info amp-macros amp-math amp-runtime amp-spirv)

# In a new folder, because cargo keeps what it has unpacked of a registry by the registry's path.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$root"
cargo package "${published[@]/#/-p}" --allow-dirty --no-verify --quiet --target-dir "$folder"

mkdir -p "$folder/program/src"
cd "$folder"
{
    echo '[workspace]'
    echo 'resolver = "3"'
    echo 'members = ["program", "amp-info"]'
    echo '[patch.crates-io]'
    for package in "${published[@]}"; do
        tar -xzf package/"$package"-[0-9]*.crate
        mv "$package"-[0-9]* "$package"
        echo "$package.path = \"$package\""
    done
} >Cargo.toml
# The versions of others that have been tested.
cp "$root/Cargo.lock" .
cat >program/Cargo.toml <<END
[package]
name = "program"
version = "0.0.0"
edition = "2024"

[dependencies]
amp-gpu = { version = "0.1", features = ["algorithms", "glam", "half", "image", "ndarray"] }
END
awk '/^```rust$/ { on = 1; next } on && /^```$/ { exit } on' "$root/README.md" >program/src/main.rs

cargo build --workspace --quiet
"$CARGO_TARGET_DIR/debug/program"

# A program that does not ask for the algorithms builds nothing of them.
sed -i 's/"algorithms", //' program/Cargo.toml
tree=$(cargo tree --offline --package program)
grep -q amp-runtime <<<"$tree"
if grep amp-algorithms <<<"$tree"; then
    echo "amp-algorithms is built without its feature" >&2
    exit 1
fi

#!/bin/sh
# Compiles the GLSL kernels into the folder given, with and without `precise`: Rust's
# floats allow no contraction, so `precise` is the same program and the other a faster
# one with other results.
set -eu
here=$(dirname "$0")
out=${1:?usage: compile.sh FOLDER}
mkdir -p "$out"
for kernel in simple tiled blocked buffered; do
    glslc -O --target-env=vulkan1.2 -DPRECISE=precise "$here/$kernel.comp" -o "$out/$kernel.precise.spv"
    glslc -O --target-env=vulkan1.2 -DPRECISE= "$here/$kernel.comp" -o "$out/$kernel.contracted.spv"
done

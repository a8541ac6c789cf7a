#version 460
#define A FloatsIn
#define C Floats
#include "arguments.glsl"

// The sum of n floats, by each group of those that are its own.
shared float sums[THREADS];

void main() {
    float sum = 0.0;
    for (uint i = gl_GlobalInvocationID.x; i < n; i += blocks * THREADS) sum += a.at[i];
    sum = subgroupAdd(sum);
    if (subgroupElect()) sums[gl_SubgroupID] = sum;
    barrier();
    if (lane == 0) {
        for (uint k = 1; k < gl_NumSubgroups; k++) sum += sums[k];
        c.at[block] = sum;
    }
}

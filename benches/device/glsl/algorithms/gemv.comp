#version 460
#define A FloatsIn
#define B FloatsIn
#define C Floats
#include "arguments.glsl"

// The product of a matrix of n rows and p columns with a vector, a row for each subgroup.
void main() {
    for (uint row = block * gl_NumSubgroups + gl_SubgroupID; row < n; row += blocks * gl_NumSubgroups) {
        float sum = 0.0;
        for (uint i = gl_SubgroupInvocationID; i < p; i += gl_SubgroupSize) sum += a.at[row * p + i] * b.at[i];
        sum = subgroupAdd(sum);
        if (subgroupElect()) c.at[row] = sum;
    }
}

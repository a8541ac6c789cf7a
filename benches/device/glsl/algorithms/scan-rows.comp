#version 460
#define A FloatsIn
#define B FloatsIn
#define C Floats
#include "arguments.glsl"

// A scan of the rows of a matrix with p columns, each by a group.
#define T float
#define TOTALS c
#include "totals.glsl"

void main() {
    uint row = block * p;
    float carry = 0.0;
    for (uint start = 0; start < p; start += THREADS * EACH) {
        uint first = start + lane * EACH;
        float own[EACH];
        float sum = 0.0;
        [[unroll]] for (uint k = 0; k < EACH; k++) {
            own[k] = first + k < p ? a.at[row + first + k] : 0.0;
            sum += own[k];
        }
        float total;
        float before = carry + before_thread(sum, total);
        [[unroll]] for (uint k = 0; k < EACH; k++) {
            before += own[k];
            if (first + k < p) c.at[row + first + k] = before;
        }
        carry += total;
        barrier();
    }
}

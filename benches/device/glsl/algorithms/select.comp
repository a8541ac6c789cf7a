#version 460
#define A FloatsIn
#define C Floats
#include "arguments.glsl"

// The positive ones of n floats: 0 the counts of the blocks, 1 their scan, 2 the results.
#define T uint
#define TOTALS d
#include "totals.glsl"

void main() {
#if STEP == 1
    uint count = scan_totals(n);
    if (lane == 0) e.at[0] = count;
#else
    uint first = (block * THREADS + lane) * EACH;
    float own[EACH];
    uint count = 0;
    [[unroll]] for (uint k = 0; k < EACH; k++) {
        own[k] = first + k < n ? a.at[first + k] : 0.0;
        if (own[k] > 0.0) count++;
    }
    uint total;
    uint before = before_thread(count, total);
#if STEP == 0
    if (lane == 0) d.at[block] = total;
#else
    before += d.at[block];
    [[unroll]] for (uint k = 0; k < EACH; k++)
        if (own[k] > 0.0) c.at[before++] = own[k];
#endif
#endif
}

#define A FloatsIn
#define B FloatsIn
#define C Floats
#include "arguments.glsl"

// A scan of n floats, inclusive unless EXCLUSIVE is defined: 0 the totals of the blocks, 1 their scan, 2 the results.
#define T float
#define TOTALS c
#include "totals.glsl"

void main() {
#if STEP == 1
    scan_totals(n);
#else
    uint first = (block * THREADS + lane) * EACH;
    float own[EACH];
    float sum = 0.0;
    [[unroll]] for (uint k = 0; k < EACH; k++) {
        own[k] = first + k < n ? a.at[first + k] : 0.0;
        sum += own[k];
    }
    float total;
    float before = before_thread(sum, total);
#if STEP == 0
    if (lane == 0) c.at[block] = total;
#else
    before += b.at[block];
    [[unroll]] for (uint k = 0; k < EACH; k++) {
#ifdef EXCLUSIVE
        if (first + k < n) c.at[first + k] = before;
        before += own[k];
#else
        before += own[k];
        if (first + k < n) c.at[first + k] = before;
#endif
    }
#endif
#endif
}

#version 460
#define A FloatsIn
#if STEP == 4
#define B FloatsIn
#endif
#define C Floats
#include "arguments.glsl"

// A scan of segments of n floats: 0 clears their marks, 1 marks where n of them start, 2 the totals of the blocks and
// whether they have a mark, 3 the scan of these, 4 the results.
shared float sums[THREADS];
shared uint opens[THREADS];

// Replaces the sum of a thread, and whether it has a mark, by those of all threads up to it.
void scan_group(inout float sum, inout uint open) {
    sums[lane] = sum;
    opens[lane] = open;
    barrier();
    for (uint apart = 1; apart < THREADS; apart *= 2) {
        float other = lane >= apart ? sums[lane - apart] : 0.0;
        uint other_open = lane >= apart ? opens[lane - apart] : 0;
        barrier();
        if (open == 0) sum += other;
        open |= other_open;
        sums[lane] = sum;
        opens[lane] = open;
        barrier();
    }
}

void main() {
    uint first = (block * THREADS + lane) * EACH;
#if STEP == 0
    [[unroll]] for (uint k = 0; k < EACH; k++) {
        if (first + k < n) d.at[first + k] = 0;
    }
#elif STEP == 1
    uint i = block * THREADS + lane;
    if (i < n && b.at[i] < p) d.at[b.at[i]] = 1;
#elif STEP == 3
    float carry = 0.0;
    for (uint start = 0; start < n; start += THREADS) {
        uint i = start + lane;
        float sum = i < n ? c.at[i] : 0.0;
        uint open = i < n ? e.at[i] : 0;
        scan_group(sum, open);
        if (open == 0) sum += carry;
        if (i < n) c.at[i] = lane > 0 ? (opens[lane - 1] == 0 ? carry : 0.0) + sums[lane - 1] : carry;
        barrier();
        if (lane == THREADS - 1) sums[0] = sum;
        barrier();
        carry = sums[0];
        barrier();
    }
#else
    float own[EACH];
    uint marks[EACH];
    float sum = 0.0;
    uint open = 0;
    [[unroll]] for (uint k = 0; k < EACH; k++) {
        own[k] = first + k < n ? a.at[first + k] : 0.0;
        marks[k] = first + k < n ? d.at[first + k] : 0;
        sum = marks[k] != 0 ? own[k] : sum + own[k];
        open |= marks[k];
    }
    scan_group(sum, open);
#if STEP == 2
    if (lane == THREADS - 1) {
        c.at[block] = sum;
        e.at[block] = open;
    }
#else
    float before = b.at[block];
    if (lane > 0) before = opens[lane - 1] == 0 ? before + sums[lane - 1] : sums[lane - 1];
    [[unroll]] for (uint k = 0; k < EACH; k++) {
        before = marks[k] != 0 ? own[k] : before + own[k];
        if (first + k < n) c.at[first + k] = before;
    }
#endif
#endif
}

#include "arguments.glsl"

// A pass of a radix sort of n keys, with values if PAIRS is defined, by the digit from bit p on: 0 the digits
// of each block, 1 their scan, 2 the keys go where they belong.
#define T uint
#define TOTALS e
#include "totals.glsl"

const uint ROUNDS = 32;
shared uint bins[256];
shared uint flags[256][THREADS / 32];

void main() {
#if STEP == 1
    scan_totals(n);
#else
    uint first = block * ROUNDS * THREADS + lane;
#if STEP == 0
    bins[lane] = 0;
    barrier();
    for (uint round = 0; round < ROUNDS; round++) {
        uint i = first + round * THREADS;
        if (i < n) atomicAdd(bins[a.at[i] >> p & 255], 1);
    }
    barrier();
    e.at[lane * blocks + block] = bins[lane];
#else
    bins[lane] = e.at[lane * blocks + block];
    uint word = lane / 32;
    uint bit = 1u << (lane % 32);
    for (uint round = 0; round < ROUNDS; round++) {
        [[unroll]] for (uint k = 0; k < THREADS / 32; k++) flags[lane][k] = 0;
        barrier();
        uint i = first + round * THREADS;
        uint key = 0;
        uint digit = 0;
        if (i < n) {
            key = a.at[i];
            digit = key >> p & 255;
            atomicOr(flags[digit][word], bit);
        }
        barrier();
        uint before = 0;
        uint count = 0;
        if (i < n) {
            [[unroll]] for (uint k = 0; k < THREADS / 32; k++) {
                uint there = flags[digit][k];
                uint number = bitCount(there);
                count += number;
                before += k < word ? number : k == word ? bitCount(there & (bit - 1)) : 0;
            }
            uint target = bins[digit] + before;
            c.at[target] = key;
#ifdef PAIRS
            d.at[target] = b.at[i];
#endif
        }
        barrier();
        if (i < n && before == count - 1) bins[digit] += count;
    }
#endif
#endif
}

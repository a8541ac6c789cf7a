#version 460
#include "arguments.glsl"

// How often each byte is in n words: 0 clears the counts, 1 adds to them.
shared uint bins[256];

void main() {
#if STEP == 0
    c.at[lane] = 0;
#else
    bins[lane] = 0;
    barrier();
    for (uint i = gl_GlobalInvocationID.x; i < n; i += blocks * THREADS) {
        uint bytes = a.at[i];
        [[unroll]] for (uint k = 0; k < 4; k++) atomicAdd(bins[bytes >> (8 * k) & 255], 1);
    }
    barrier();
    atomicAdd(c.at[lane], bins[lane]);
#endif
}

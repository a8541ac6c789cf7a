#version 460
#define C Fours
#include "arguments.glsl"

// n times four floats of Philox 4x32-10 with the key p.
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= n) return;
    uvec4 counter = uvec4(i, 0, 0, 0);
    uvec2 key = uvec2(p, 0);
    [[unroll]] for (uint round = 0; round < 10; round++) {
        uint high_x, low_x, high_z, low_z;
        umulExtended(counter.x, 0xd2511f53u, high_x, low_x);
        umulExtended(counter.z, 0xcd9e8d57u, high_z, low_z);
        counter = uvec4(high_z ^ counter.y ^ key.x, low_z, high_x ^ counter.w ^ key.y, low_x);
        key += uvec2(0x9e3779b9u, 0xbb67ae85u);
    }
    c.at[i] = vec4(counter >> 8) / 16777216.0;
}

#version 460
#define A PairsIn
#define C Pairs
#include "arguments.glsl"

// A pass of Stockham's Fourier transform of n numbers, by which p of them have been transformed: of radix 2 (0)
// or 4 (1).
vec2 times(vec2 x, vec2 y) { return vec2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x); }

vec2 root(float turns) {
    float angle = -6.2831853 * turns;
    return vec2(cos(angle), sin(angle));
}

void main() {
    const uint RADIX = STEP == 0 ? 2 : 4;
    uint i = gl_GlobalInvocationID.x;
    uint apart = n / RADIX;
    if (i >= apart) return;
    uint place = i % p;
    uint target = (i - place) * RADIX + place;
    vec2 first = root(float(place) / float(RADIX * p));
#if STEP == 0
    vec2 x = a.at[i];
    vec2 y = times(a.at[i + apart], first);
    c.at[target] = x + y;
    c.at[target + p] = x - y;
#else
    vec2 second = times(first, first);
    vec2 w = a.at[i];
    vec2 x = times(a.at[i + apart], first);
    vec2 y = times(a.at[i + 2 * apart], second);
    vec2 z = times(a.at[i + 3 * apart], times(second, first));
    vec2 even = w + y;
    vec2 odd = x + z;
    vec2 less = w - y;
    vec2 turned = vec2(x.y - z.y, z.x - x.x);
    c.at[target] = even + odd;
    c.at[target + p] = less + turned;
    c.at[target + 2 * p] = even - odd;
    c.at[target + 3 * p] = less - turned;
#endif
}

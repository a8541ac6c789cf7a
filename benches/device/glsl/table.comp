#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Input { uint at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Output { uint at[]; };

layout(push_constant, scalar) uniform Arguments {
    layout(offset = 12) uint threads;
    layout(offset = 16) Input a;
    layout(offset = 24) uint length;
    layout(offset = 32) Output sums;
    layout(offset = 44) uint count;
};

void main() {
    uint state = gl_GlobalInvocationID.x;
    if (state >= threads) return;
    uint sum = 0;
    for (uint k = 0; k < count; k++) {
        state = state * 1664525 + 1013904223;
        sum += a.at[(state >> 8) % length];
    }
    sums.at[gl_GlobalInvocationID.x] = sum;
}

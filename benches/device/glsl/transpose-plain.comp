#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Input { float at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Output { float at[]; };

layout(push_constant, scalar) uniform Arguments {
    layout(offset = 12) uint rows;
    layout(offset = 16) uint columns;
    layout(offset = 24) Input a;
    layout(offset = 40) uint a_stride;
    layout(offset = 48) Output b;
    layout(offset = 64) uint b_stride;
};

void main() {
    uint y = gl_GlobalInvocationID.y;
    uint x = gl_GlobalInvocationID.x;
    if (y >= rows || x >= columns) return;
    b.at[x * b_stride + y] = a.at[y * a_stride + x];
}

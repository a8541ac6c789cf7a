#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require

// A thread has 16 bytes of each array.
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

layout(buffer_reference, scalar, buffer_reference_align = 16) readonly buffer Input { vec4 at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer Output { vec4 at[]; };

layout(push_constant, scalar) uniform Arguments {
    layout(offset = 12) uint rows;
    layout(offset = 16) uint columns;
    layout(offset = 24) Input a;
    layout(offset = 40) uint a_stride;
    layout(offset = 48) Input b;
    layout(offset = 64) uint b_stride;
    layout(offset = 72) Output c;
    layout(offset = 88) uint c_stride;
    layout(offset = 92) float s;
};

void main() {
    uint row = gl_GlobalInvocationID.y;
    uint column = gl_GlobalInvocationID.x;
    if (row >= rows || column >= columns) return;
    PRECISE vec4 product = s * b.at[row * b_stride / 4 + column];
    c.at[row * c_stride / 4 + column] = a.at[row * a_stride / 4 + column] + product;
}

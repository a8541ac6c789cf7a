#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Input { float at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Output { float at[]; };

layout(push_constant, scalar) uniform Arguments {
    layout(offset = 12) uint columns;
    layout(offset = 16) Input a;
    layout(offset = 24) uint rows;
    layout(offset = 32) uint a_stride;
    layout(offset = 40) Output sums;
};

void main() {
    uint column = gl_GlobalInvocationID.x;
    if (column >= columns) return;
    PRECISE float sum = 0.0;
    for (uint row = 0; row < rows; row++) sum += a.at[row * a_stride + column];
    sums.at[column] = sum;
}

#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

const uint TS = 16;

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Input { float at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Output { float at[]; };

layout(push_constant, scalar) uniform Arguments {
    layout(offset = 16) Input a;
    layout(offset = 32) uint a_stride;
    layout(offset = 40) Output b;
    layout(offset = 56) uint b_stride;
};

shared float block[TS][TS + 1];

void main() {
    uint row = gl_LocalInvocationID.y;
    uint column = gl_LocalInvocationID.x;
    block[row][column] = a.at[gl_GlobalInvocationID.y * a_stride + gl_GlobalInvocationID.x];
    barrier();
    uint to_row = gl_WorkGroupID.x * TS + row;
    uint to_column = gl_WorkGroupID.y * TS + column;
    b.at[to_row * b_stride + to_column] = block[column][row];
}

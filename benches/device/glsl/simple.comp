#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require

// The simple kernel of benches/device/products.rs, with the argument block that amp's kernels have.
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Input { float at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Output { float at[]; };

layout(push_constant, scalar) uniform Arguments {
    layout(offset = 12) uint rows;
    layout(offset = 16) uint columns;
    layout(offset = 24) Input a;
    layout(offset = 36) uint inner;
    layout(offset = 40) uint a_stride;
    layout(offset = 48) Input b;
    layout(offset = 64) uint b_stride;
    layout(offset = 72) Output c;
    layout(offset = 88) uint c_stride;
};

void main() {
    uint row = gl_GlobalInvocationID.y;
    uint column = gl_GlobalInvocationID.x;
    if (row >= rows || column >= columns) return;
    PRECISE float sum = 0.0;
    for (uint k = 0; k < inner; k++) {
        PRECISE float product = a.at[row * a_stride + k] * b.at[k * b_stride + column];
        sum += product;
    }
    c.at[row * c_stride + column] = sum;
}

#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require

// The tiled kernel of benches/device/products.rs, with the argument block that amp's kernels have.
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(constant_id = 16) const uint TS = 16;

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Input { float at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Output { float at[]; };

layout(push_constant, scalar) uniform Arguments {
    layout(offset = 16) Input a;
    layout(offset = 28) uint inner;
    layout(offset = 32) uint a_stride;
    layout(offset = 40) Input b;
    layout(offset = 56) uint b_stride;
    layout(offset = 64) Output c;
    layout(offset = 80) uint c_stride;
};

shared float loc_a[TS][TS];
shared float loc_b[TS][TS];

void main() {
    uint row = gl_LocalInvocationID.y;
    uint column = gl_LocalInvocationID.x;
    uint global_row = gl_GlobalInvocationID.y;
    uint global_column = gl_GlobalInvocationID.x;
    PRECISE float sum = 0.0;
    for (uint i = 0; i < inner; i += TS) {
        loc_a[row][column] = a.at[global_row * a_stride + column + i];
        loc_b[row][column] = b.at[(row + i) * b_stride + global_column];
        barrier();
        for (uint k = 0; k < TS; k++) {
            PRECISE float product = loc_a[row][k] * loc_b[k][column];
            sum += product;
        }
        barrier();
    }
    c.at[global_row * c_stride + global_column] = sum;
}

#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require

// The blocked kernel of benches/device/products.rs, with the argument block that amp's kernels have.
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(constant_id = 19) const uint TS = 16;

const uint BLOCK = 128;
const uint DEPTH = 16;
const uint OWN = 8;

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

shared float loc_a[DEPTH][BLOCK];
shared float loc_b[DEPTH][BLOCK];

void main() {
    uint row = gl_LocalInvocationID.y;
    uint col = gl_LocalInvocationID.x;
    uint first_row = gl_WorkGroupID.y * BLOCK;
    uint first_col = gl_WorkGroupID.x * BLOCK;
    PRECISE float sums[OWN][OWN];
    [[unroll]] for (uint y = 0; y < OWN; y++)
        [[unroll]] for (uint x = 0; x < OWN; x++) sums[y][x] = 0.0;
    for (uint i = 0; i < inner; i += DEPTH) {
        [[unroll]] for (uint part = 0; part < OWN; part++) {
            uint at = part * TS + row;
            loc_a[col][at] = a.at[(first_row + at) * a_stride + i + col];
            loc_b[row][part * TS + col] = b.at[(i + row) * b_stride + first_col + part * TS + col];
        }
        barrier();
        [[unroll]] for (uint k = 0; k < DEPTH; k++) {
            float from_a[OWN];
            float from_b[OWN];
            [[unroll]] for (uint part = 0; part < OWN; part++) {
                from_a[part] = loc_a[k][part * TS + row];
                from_b[part] = loc_b[k][part * TS + col];
            }
            [[unroll]] for (uint y = 0; y < OWN; y++)
                [[unroll]] for (uint x = 0; x < OWN; x++) {
                    PRECISE float product = from_a[y] * from_b[x];
                    sums[y][x] += product;
                }
        }
        barrier();
    }
    [[unroll]] for (uint y = 0; y < OWN; y++)
        [[unroll]] for (uint x = 0; x < OWN; x++)
            c.at[(first_row + y * TS + row) * c_stride + first_col + x * TS + col] = sums[y][x];
}

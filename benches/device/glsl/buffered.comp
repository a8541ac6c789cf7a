#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require

// The buffered kernel of benches/device/products.rs, with the argument block that amp's kernels have.
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(constant_id = 18) const uint TS = 16;

const uint DEPTH = 16;
const uint OWN = 8;

layout(buffer_reference, scalar, buffer_reference_align = 16) readonly buffer Input { vec4 at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer Output { vec4 at[]; };

layout(push_constant, scalar) uniform Arguments {
    layout(offset = 16) Input a;
    layout(offset = 28) uint inner;
    layout(offset = 32) uint a_stride;
    layout(offset = 40) Input b;
    layout(offset = 56) uint b_stride;
    layout(offset = 64) Output c;
    layout(offset = 80) uint c_stride;
};

shared vec4 loc_a[2][DEPTH][32];
shared vec4 loc_b[2][DEPTH][32];

void main() {
    uint row = gl_LocalInvocationID.y;
    uint col = gl_LocalInvocationID.x;
    uint first_row = gl_WorkGroupID.y * 128;
    uint first_col = gl_WorkGroupID.x * 32;
    uint thread = row * TS + col;
    uint a_row = thread / 4;
    uint a_col = thread % 4;
    uint b_row = thread / 32;
    uint b_col = thread % 32;
    PRECISE vec4 sums[OWN][2];
    [[unroll]] for (uint y = 0; y < OWN; y++)
        [[unroll]] for (uint x = 0; x < 2; x++) sums[y][x] = vec4(0.0);
    vec4 next_a[2];
    vec4 next_b[2];
    [[unroll]] for (uint part = 0; part < 2; part++) {
        next_a[part] = a.at[(first_row + part * 64 + a_row) * a_stride + a_col];
        next_b[part] = b.at[(part * 8 + b_row) * b_stride + first_col + b_col];
    }
    uint now = 0;
    [[unroll]] for (uint part = 0; part < 2; part++) {
        uint at = part * 64 + a_row;
        [[unroll]] for (uint k = 0; k < 4; k++) loc_a[now][a_col * 4 + k][at / 4][at % 4] = next_a[part][k];
        loc_b[now][part * 8 + b_row][b_col] = next_b[part];
    }
    barrier();
    for (uint i = 0; i < inner; i += 4) {
        bool more = i + 4 < inner;
        if (more) {
            [[unroll]] for (uint part = 0; part < 2; part++) {
                next_a[part] = a.at[(first_row + part * 64 + a_row) * a_stride + i + 4 + a_col];
                next_b[part] = b.at[((i + 4) * 4 + part * 8 + b_row) * b_stride + first_col + b_col];
            }
        }
        [[unroll]] for (uint k = 0; k < DEPTH; k++) {
            vec4 from_a[2];
            vec4 from_b[2];
            [[unroll]] for (uint part = 0; part < 2; part++) {
                from_a[part] = loc_a[now][k][part * TS + row];
                from_b[part] = loc_b[now][k][part * TS + col];
            }
            [[unroll]] for (uint y = 0; y < OWN; y++)
                [[unroll]] for (uint x = 0; x < 2; x++) {
                    PRECISE vec4 product = from_a[y / 4][y % 4] * from_b[x];
                    sums[y][x] += product;
                }
        }
        if (more) {
            now = 1 - now;
            [[unroll]] for (uint part = 0; part < 2; part++) {
                uint at = part * 64 + a_row;
                [[unroll]] for (uint k = 0; k < 4; k++) loc_a[now][a_col * 4 + k][at / 4][at % 4] = next_a[part][k];
                loc_b[now][part * 8 + b_row][b_col] = next_b[part];
            }
            barrier();
        }
    }
    [[unroll]] for (uint y = 0; y < OWN; y++)
        [[unroll]] for (uint x = 0; x < 2; x++)
            c.at[(first_row + y / 4 * 64 + row * 4 + y % 4) * c_stride + first_col + x * TS + col] = sums[y][x];
}

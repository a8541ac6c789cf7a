#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require

// The coarsened kernel of benches/device/products.rs, as it is merged by hand: every statement for
// all threads that are, with what is the same for several of them once.
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(constant_id = 16) const uint TS = 64;
const uint ROWS = 8;
const uint COLUMNS = 2;

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
    uint row[ROWS], column[COLUMNS];
    PRECISE float sum[ROWS][COLUMNS];
    [[unroll]] for (uint y = 0; y < ROWS; y++) {
        row[y] = gl_LocalInvocationID.y + y * (TS / ROWS);
        [[unroll]] for (uint x = 0; x < COLUMNS; x++) {
            sum[y][x] = 0.0;
        }
    }
    [[unroll]] for (uint x = 0; x < COLUMNS; x++) {
        column[x] = gl_LocalInvocationID.x + x * (TS / COLUMNS);
    }
    uint first_row = gl_WorkGroupID.y * TS;
    uint first_column = gl_WorkGroupID.x * TS;
    for (uint i = 0; i < inner; i += TS) {
        [[unroll]] for (uint y = 0; y < ROWS; y++) {
            [[unroll]] for (uint x = 0; x < COLUMNS; x++) {
                loc_a[row[y]][column[x]] = a.at[(first_row + row[y]) * a_stride + column[x] + i];
                loc_b[row[y]][column[x]] = b.at[(row[y] + i) * b_stride + first_column + column[x]];
            }
        }
        barrier();
        [[unroll]] for (uint k = 0; k < TS; k++) {
            float from_a[ROWS], from_b[COLUMNS];
            [[unroll]] for (uint y = 0; y < ROWS; y++) {
                from_a[y] = loc_a[row[y]][k];
            }
            [[unroll]] for (uint x = 0; x < COLUMNS; x++) {
                from_b[x] = loc_b[k][column[x]];
            }
            [[unroll]] for (uint y = 0; y < ROWS; y++) {
                [[unroll]] for (uint x = 0; x < COLUMNS; x++) {
                    PRECISE float product = from_a[y] * from_b[x];
                    sum[y][x] += product;
                }
            }
        }
        barrier();
    }
    [[unroll]] for (uint y = 0; y < ROWS; y++) {
        [[unroll]] for (uint x = 0; x < COLUMNS; x++) {
            c.at[(first_row + row[y]) * c_stride + first_column + column[x]] = sum[y][x];
        }
    }
}

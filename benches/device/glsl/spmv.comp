#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Indices { uint at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Input { float at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Output { float at[]; };

layout(push_constant, scalar) uniform Arguments {
    layout(offset = 12) uint rows;
    layout(offset = 16) Indices starts;
    layout(offset = 32) Indices columns;
    layout(offset = 48) Input values;
    layout(offset = 64) Input x;
    layout(offset = 80) Output y;
};

void main() {
    uint row = gl_GlobalInvocationID.x;
    if (row >= rows) return;
    PRECISE float sum = 0.0;
    uint end = starts.at[row + 1];
    for (uint k = starts.at[row]; k < end; k++) {
        PRECISE float product = values.at[k] * x.at[columns.at[k]];
        sum += product;
    }
    y.at[row] = sum;
}

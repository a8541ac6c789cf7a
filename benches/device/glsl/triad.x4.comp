#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require

// A thread has 16 bytes of each array.
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

layout(buffer_reference, scalar, buffer_reference_align = 16) readonly buffer Input { vec4 at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer Output { vec4 at[]; };

layout(push_constant, scalar) uniform Arguments {
    layout(offset = 12) uint length;
    layout(offset = 16) Input a;
    layout(offset = 32) Input b;
    layout(offset = 48) Output c;
    layout(offset = 60) float s;
};

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= length) return;
    PRECISE vec4 product = s * b.at[i];
    c.at[i] = a.at[i] + product;
}

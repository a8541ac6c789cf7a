#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require

// A thread has 16 bytes of each array.
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

layout(buffer_reference, scalar, buffer_reference_align = 16) readonly buffer Input { uvec4 at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer Output { uvec4 at[]; };

layout(push_constant, scalar) uniform Arguments {
    layout(offset = 12) uint length;
    layout(offset = 16) Input a;
    layout(offset = 32) Input b;
    layout(offset = 48) Output c;
    layout(offset = 60) uint s;
};

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= length) return;
    uvec4 a_bits = a.at[i];
    uvec4 b_bits = b.at[i];
    uvec4 c_bits;
    for (uint k = 0; k < 4; k++)
        c_bits[k] = packHalf2x16(unpackHalf2x16(a_bits[k]) + unpackHalf2x16(s).x * unpackHalf2x16(b_bits[k]));
    c.at[i] = c_bits;
}

#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_16bit_storage : require

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

layout(buffer_reference, scalar, buffer_reference_align = 2) readonly buffer Input { float16_t at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 2) buffer Output { float16_t at[]; };

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
    c.at[i] = float16_t(float(a.at[i]) + unpackHalf2x16(s).x * float(b.at[i]));
}

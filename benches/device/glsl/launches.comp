#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require

layout(local_size_x = 256) in;

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Numbers { uint at[]; };

layout(push_constant, scalar) uniform Arguments {
    Numbers x;
    uint length;
    uint summand;
};

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= length) return;
    x.at[i] = x.at[i] * 3 + summand;
}

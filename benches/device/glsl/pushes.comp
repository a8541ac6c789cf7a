#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_atomic_float : require

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Nodes { uint at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Input { float at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Output { float at[]; };

layout(push_constant, scalar) uniform Arguments {
    layout(offset = 12) uint edges;
    layout(offset = 16) Nodes to;
    layout(offset = 32) Input weights;
    layout(offset = 48) Output sums;
};

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= edges) return;
    atomicAdd(sums.at[to.at[i]], weights.at[i]);
}

#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

const uint CHAINS = 8;
const uint STEPS = 32;

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Output { float at[]; };

layout(push_constant, scalar) uniform Arguments {
    layout(offset = 12) uint length;
    layout(offset = 16) Output ends;
    layout(offset = 28) uint rounds;
    layout(offset = 32) float factor;
};

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= length) return;
    PRECISE float x[CHAINS];
    [[unroll]] for (uint chain = 0; chain < CHAINS; chain++) x[chain] = float(i % 64 + chain);
    for (uint round = 0; round < rounds; round++) {
        [[unroll]] for (uint step = 0; step < STEPS; step++)
            [[unroll]] for (uint chain = 0; chain < CHAINS; chain++) {
                PRECISE float product = x[chain] * factor;
                x[chain] = product + 1.0;
            }
    }
    float sum = 0.0;
    [[unroll]] for (uint chain = 0; chain < CHAINS; chain++) sum += x[chain];
    ends.at[i] = sum;
}

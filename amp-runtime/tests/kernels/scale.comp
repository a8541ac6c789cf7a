// fn main(idx: Index<1>, x: &mut ArrayViewMut<f32, 1>, s: f32): x[idx] *= s, and a fault
// at idx 300 if x is shorter than the domain.
#version 460
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(constant_id = 3) const bool CHECKED = true;
layout(constant_id = 4) const bool LINEAR = false;
layout(constant_id = 16) const uint BIAS = 0;
layout(buffer_reference, scalar) buffer Words { uint w[]; };
layout(buffer_reference, scalar) buffer Floats { float f[]; };
layout(push_constant, scalar) uniform Block {
    Words fault;
    uint workgroups;
    uint extent;
    Floats x;
    uint x_extent;
    float s;
};
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (LINEAR) {
        uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
        if (group >= workgroups) return;
        i = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    }
    if (i >= extent) return;
    if (CHECKED && i >= x_extent) {
        if (atomicCompSwap(fault.w[0], 0, 1) == 0) {
            fault.w[1] = 0;
            fault.w[2] = gl_WorkGroupID.x;
            fault.w[3] = gl_WorkGroupID.y;
            fault.w[4] = gl_WorkGroupID.z;
            fault.w[5] = gl_LocalInvocationID.x;
            fault.w[6] = gl_LocalInvocationID.y;
            fault.w[7] = gl_LocalInvocationID.z;
            fault.w[8] = i;
            fault.w[9] = x_extent;
            fault.w[10] = gl_NumWorkGroups.x;
            fault.w[11] = gl_NumWorkGroups.y;
            fault.w[12] = gl_NumWorkGroups.z;
        }
        return;
    }
    x.f[i] = x.f[i] * s + float(BIAS);
}

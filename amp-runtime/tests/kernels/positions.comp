// fn main(idx: Index<3>, out: &mut ArrayViewMut<u32, 3>): out[idx] = the flat position of
// idx plus one, added to what is there, so that a point visited twice shows.
#version 460
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(constant_id = 4) const bool LINEAR = false;
layout(buffer_reference, scalar) buffer Words { uint w[]; };
layout(push_constant, scalar) uniform Block {
    Words fault;
    uint workgroups;
    uint extent[3];
    Words result;
    uint result_extent[3];
    uint result_strides[2];
};
void main() {
    uvec3 i;
    if (LINEAR) {
        uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
        uint flat_ = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
        if (group >= workgroups || flat_ >= extent[0] * extent[1] * extent[2]) return;
        i = uvec3(flat_ / (extent[1] * extent[2]), flat_ / extent[2] % extent[1], flat_ % extent[2]);
    } else {
        i = gl_GlobalInvocationID.zyx;
        if (i.x >= extent[0] || i.y >= extent[1] || i.z >= extent[2]) return;
    }
    uint at = i.x * result_strides[0] + i.y * result_strides[1] + i.z;
    result.w[at] += at + 1;
}

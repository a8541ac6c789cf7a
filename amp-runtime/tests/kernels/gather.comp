// fn main(idx: Index<1>, table: [u32; 32], out: &mut ArrayViewMut<u32, 1>): the block has
// more than 128 bytes and comes by its address.
#version 460
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(buffer_reference, scalar) buffer Words { uint w[]; };
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Block {
    Words fault;
    uint workgroups;
    uint extent;
    uint table[32];
    Words result;
    uint result_extent;
};
layout(push_constant, scalar) uniform Push { Block block; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < block.extent) block.result.w[i] = block.table[i % 32] + i;
}

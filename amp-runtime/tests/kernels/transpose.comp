// fn main(t_idx: TiledIndex<2, TS, TS>, a: &ArrayView<i32, 2>, b: &mut ArrayViewMut<i32, 2>)
// through tile_static memory; TS is the user's first constant.
#version 460
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(constant_id = 16) const uint TS = 1;
layout(buffer_reference, scalar) buffer Ints { int i[]; };
layout(push_constant, scalar) uniform Block {
    Ints fault;
    uint workgroups;
    Ints a;
    uint a_extent[2];
    uint a_stride;
    Ints b;
    uint b_extent[2];
    uint b_stride;
};
shared int tile[TS * TS];
void main() {
    uvec2 local = gl_LocalInvocationID.yx, origin = gl_WorkGroupID.yx * TS;
    uvec2 global = origin + local;
    tile[local.y * TS + local.x] = a.i[global.x * a_stride + global.y];
    barrier();
    b.i[(origin.y + local.x) * b_stride + origin.x + local.y] = tile[local.x * TS + local.y];
}

#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

const uint TILE = 256;
const float SOFTENING = 1.0e-2;

layout(buffer_reference, scalar, buffer_reference_align = 16) readonly buffer Input { vec4 at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer Output { vec4 at[]; };

layout(push_constant, scalar) uniform Arguments {
    layout(offset = 16) Input bodies;
    layout(offset = 24) uint count;
    layout(offset = 32) Output accelerations;
};

shared vec4 others[TILE];

void main() {
    uint local = gl_LocalInvocationID.x;
    vec3 place = bodies.at[gl_GlobalInvocationID.x].xyz;
    PRECISE vec3 acceleration = vec3(0.0);
    for (uint first = 0; first < count; first += TILE) {
        others[local] = bodies.at[first + local];
        barrier();
        for (uint other = 0; other < TILE; other++) {
            vec4 body = others[other];
            vec3 way = body.xyz - place;
            float squared = dot(way, way) + SOFTENING;
            acceleration += way * (body.w / (squared * sqrt(squared)));
        }
        barrier();
    }
    accelerations.at[gl_GlobalInvocationID.x] = vec4(acceleration, 0.0);
}

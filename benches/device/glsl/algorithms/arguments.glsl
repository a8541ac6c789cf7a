// The argument block of the kernel `shader` of benches/device/shaders.rs. A shader chooses what its views have
// by A to E, before it includes this.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
const uint THREADS = 256;

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer WordsIn { uint at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer FloatsIn { float at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer PairsIn { vec2 at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Floats { float at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Pairs { vec2 at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer Fours { vec4 at[]; };

#ifndef A
#define A WordsIn
#endif
#ifndef B
#define B WordsIn
#endif
#ifndef C
#define C Words
#endif

layout(push_constant, scalar) uniform Arguments {
    layout(offset = 16) A a;
    layout(offset = 32) B b;
    layout(offset = 48) C c;
    layout(offset = 64) Words d;
    layout(offset = 80) Words e;
    layout(offset = 92) uint n;
    layout(offset = 96) uint p;
};

const uint EACH = 8;  // elements of a thread, in a block
uint lane = gl_LocalInvocationIndex;
uint block = gl_WorkGroupID.x;
uint blocks = gl_NumWorkGroups.x;

#version 460
#include "sort.glsl"

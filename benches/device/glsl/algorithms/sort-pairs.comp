#version 460
#define PAIRS
#include "sort.glsl"

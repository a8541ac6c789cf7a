#version 460
#define EXCLUSIVE
#include "scan.glsl"

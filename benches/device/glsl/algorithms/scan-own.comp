#version 460
#include "scan.glsl"

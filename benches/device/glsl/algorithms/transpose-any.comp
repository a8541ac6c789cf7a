#version 460
#define A FloatsIn
#define C Floats
#include "arguments.glsl"

// The transpose of a matrix of n rows and n columns, where n is a multiple of 16, in tiles of 16 × 16.
const uint TS = 16;
shared float elements[TS][TS + 1];

void main() {
    uint tiles = n / TS;
    uint first_row = block / tiles * TS, first_column = block % tiles * TS;
    uint row = lane / TS, column = lane % TS;
    elements[row][column] = a.at[(first_row + row) * n + first_column + column];
    barrier();
    c.at[(first_column + row) * n + first_row + column] = elements[column][row];
}

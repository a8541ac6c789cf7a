//! Rows of the conformance list: what a program of Microsoft's suite, of HCC's unit tests
//! or of the published samples does, and its exact result. Names carry the row's number;
//! what a row needs of later parts of the language or of the model is said at its test.

mod aliasing;
mod arithmetic;
mod arrays;
mod atomics;
mod book;
mod cartoonizer;
mod coherence;
mod containers;
mod control_flow;
mod copies;
mod devices;
mod domains;
mod doubles;
mod index_and_extent;
mod programs;
mod sections;
mod short_vectors;
mod tile_static;
mod user_types;

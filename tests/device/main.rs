//! The device and data model: accelerators, views, arrays and what moves between them,
//! through the public interface, on every accelerator.

mod arrays;
mod checked;
mod copies;
mod exits;
mod futures;
mod graph;
mod graph_errors;
mod images;
mod memory;
mod ndarray;
mod parts;
mod prepare;
mod profile;
mod replays;
mod reports;
mod slices;
mod spans;
mod threads;
mod unreported;
mod workers;

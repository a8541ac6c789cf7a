//! The device and data model: accelerators, views, arrays and what moves between them,
//! through the public interface, on every accelerator.

mod copies;
mod prepare;

//! Helpers and structs that kernels of another crate import.

//! Passes over [`mir`](crate::mir), one a file.

pub mod launch_checks;

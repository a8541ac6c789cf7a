//! Passes over [`mir`](crate::mir), one a file.

pub mod flatten;
pub mod inline;
pub mod launch_checks;

#[cfg(test)]
mod tests;

//! Faults and results of loops whose checks a device makes before the loop where it
//! can: whatever the range, what a thread leaves and the fault it reports are those of
//! a loop that checks every access.
//!
//! Each kernel stands beside a host function that does the same with [`host::Host`]. A
//! comment `//~ text` in a kernel says that the fault of that line is at `text`; `@ name`
//! behind it tells it from another.

mod arrays;
mod bodies;
mod data;
mod host;
mod ranges;

//! What the language has, as tables that all stages read: adding to one of them is a row.

pub mod method;

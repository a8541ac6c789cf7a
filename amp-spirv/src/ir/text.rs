//! The text form of the IR, for tests and for people.

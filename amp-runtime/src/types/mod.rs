//! What every layer speaks of: errors, elements, shapes, ranges of bytes, and the plain data that
//! devices report. Nothing here knows a device.

pub(crate) mod access;
pub(crate) mod block;
pub(crate) mod domain;
pub(crate) mod element;
pub(crate) mod error;
pub(crate) mod event;
pub(crate) mod index;
pub(crate) mod lengths;
pub(crate) mod memory;
pub(crate) mod message;
pub(crate) mod number;
pub(crate) mod part;
pub(crate) mod properties;
pub(crate) mod ranges;
pub(crate) mod rejected;
pub(crate) mod report;

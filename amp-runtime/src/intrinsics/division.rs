//! `/ %` of [`Index`] and [`Extent`] with `usize`. By zero they follow the twin's rule: a fault
//! inside a launch, Rust's panic on the host.

use std::ops;

use crate::device::cpu::twin;
use crate::types::index::arithmetic::scalar;
use crate::types::index::{Extent, Index};

scalar!(@ Index, Div div DivAssign div_assign twin::div);
scalar!(@ Index, Rem rem RemAssign rem_assign twin::rem);
scalar!(@ Extent, Div div DivAssign div_assign twin::div);
scalar!(@ Extent, Rem rem RemAssign rem_assign twin::rem);

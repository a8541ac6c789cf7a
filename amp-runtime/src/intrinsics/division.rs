//! `/ %` of [`Index`] and [`Extent`] with `usize`. By zero they follow the rule of kernels: a fault
//! inside a launch, Rust's panic on the host.

use std::ops;

use crate::device::cpu::division;
use crate::types::index::arithmetic::scalar;
use crate::types::index::{Extent, Index};

scalar!(@ Index, Div div DivAssign div_assign division::div);
scalar!(@ Index, Rem rem RemAssign rem_assign division::rem);
scalar!(@ Extent, Div div DivAssign div_assign division::div);
scalar!(@ Extent, Rem rem RemAssign rem_assign division::rem);

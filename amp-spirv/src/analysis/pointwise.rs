//! Whether a kernel is pointwise: its threads access no elements but those at their own index, and
//! fault only where these are out of bounds.
//!
//! So no two threads meet in memory, and where a row of the domain lies within the views, none of its
//! threads faults. The CPU accelerator runs such a row as a loop that needs neither checks nor atomics.
//!
//! The answer is for the source as it is written, so it is to be asked before a pass leaves accesses
//! out: the host version has them all. Leaves out tiled kernels, those with views of another rank, those
//! that make views from views, and those with calls that are not inlined.

use crate::mir::{Access, Base, Bound, Def, Function, Module, Op, Param, Value};
use crate::tree::{Domain, Type};

/// See the module's documentation.
pub fn is_pointwise(module: &Module) -> bool {
    let Domain::Range { rank } = module.domain else {
        return false;
    };
    let kernel = module.kernel();
    let mut own_checks = Vec::new();
    let mut pointwise = kernel.params.iter().all(|param| match param {
        Param::Value(value) => match &module.types[kernel.ty(*value)] {
            Type::View(view) => view.rank == rank,
            _ => true,
        },
        Param::Slot(_) => true,
    });
    kernel.walk(kernel.body, &mut |_, inst| {
        pointwise &= match &inst.op {
            Op::InBounds(Bound::View(_), _) => {
                if is_own(kernel, rank, &inst.args) {
                    own_checks.push(inst.results[0]);
                }
                true
            }
            Op::NoteFault(_) => own_checks.contains(&inst.args[0]),
            Op::Load(access) | Op::Store(access) => is_own_place(kernel, rank, access, &inst.args),
            Op::Copy(to, from) => [to, from].iter().all(|access| is_slot(access)),
            Op::Clear(access) => is_slot(access),
            Op::Literal(_)
            | Op::Const(_)
            | Op::Zero
            | Op::Construct
            | Op::Extract(_)
            | Op::Insert(_)
            | Op::Unary(_)
            | Op::Binary(_)
            | Op::Cast
            | Op::Math(_)
            | Op::ViewExtent(_)
            | Op::InBounds(..)
            | Op::If
            | Op::Block
            | Op::Loop
            | Op::While
            | Op::For
            | Op::ForInclusive => true,
            _ => false,
        };
    });
    pointwise
}

fn is_slot(access: &Access) -> bool {
    matches!(access.base, Base::Slot(_))
}

fn is_own_place(kernel: &Function, rank: u32, access: &Access, args: &[Value]) -> bool {
    match access.base {
        Base::Slot(_) => true,
        Base::Element(of_view) => is_own(kernel, rank, &args[..=of_view as usize]),
        Base::TileStatic(_) | Base::Position => false,
    }
}

/// Whether a view, which comes first, is a parameter and what follows is the thread's own index.
fn is_own(kernel: &Function, rank: u32, operands: &[Value]) -> bool {
    let Some((view, components)) = operands.split_first() else {
        return false;
    };
    matches!(kernel.def(*view), Def::Param(_))
        && components.len() == rank as usize
        && (0..rank).zip(components).all(|(dimension, component)| {
            kernel.def_inst(*component).is_some_and(|inst| {
                inst.op == Op::Extract(dimension) && kernel.def(inst.args[0]) == Def::Param(0)
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::parse;

    fn answer(body: &str) -> bool {
        let text = format!(
            "kernel k over Index<2>
             file \"\"
             site #0: OutOfBounds
             fn k#0(%0: Index<2>, %1: &ArrayView<u32, 2>, %2: &mut ArrayViewMut<u32, 2>,
                 %3: usize) {{
                 %4: usize = extract 0 %0
                 %5: usize = extract 1 %0
                 {body}
                 return
             }}"
        );
        is_pointwise(&parse(&text).unwrap())
    }

    #[test]
    fn own_elements_are_pointwise() {
        assert!(answer(
            "%6: bool = in_bounds view 2 %1, %4, %5
             %7: usize = extent 0 %1
             note_fault #0 %6, %4, %7
             %8: u32 = load %1[%4, %5] if %6
             %9: bool = in_bounds view 2 %2, %4, %5
             note_fault #0 %9, %4, %7
             store %2[%4, %5], %8 if %9"
        ));
    }

    #[test]
    fn other_elements_are_not() {
        assert!(!answer(
            "%6: bool = in_bounds view 2 %1, %5, %4
             %8: u32 = load %1[%5, %4] if %6"
        ));
        assert!(!answer(
            "%6: bool = in_bounds view 2 %2, %4, %3
             %7: u32 = literal 1
             store %2[%4, %3], %7 if %6"
        ));
    }

    #[test]
    fn other_faults_are_not() {
        assert!(!answer(
            "%6: usize = literal 0
             %7: bool = ne %3, %6
             note_fault #0 %7, %4, %6"
        ));
        assert!(!answer("device_fence"));
    }
}

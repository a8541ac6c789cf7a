//! All forms of `for`.

use amp_spirv::artifact::FaultKind;
use amp_spirv::ir::*;

use crate::check::{count, faults, listing, valid};
use crate::control_flow::scaffold;
use crate::ir::*;

/// `for x in range { n = n * 31 + x as u32 }`
pub fn sum_of(ty: Type, make: impl FnOnce(ForRange, &Var) -> ForRange) -> Module {
    scaffold("ranges", vec![], |f, n| {
        let x = f.var("x", ty.clone());
        let literal = |value: i32| match ty {
            Type::Scalar(Scalar::I32) => i32_(value),
            Type::Scalar(Scalar::Usize) => usize_(value as u32),
            _ => u32_(value as u32),
        };
        let plain = range(&x, literal(-3), literal(7));
        let scaled = bin(BinaryOp::Mul, n.get(), u32_(31));
        let value = cast(x.get(), Type::U32);
        vec![for_(
            0,
            make(plain, n),
            vec![n.set(bin(BinaryOp::Add, scaled, value))],
        )]
    })
}

fn adapters() -> Vec<Vec<Adapter>> {
    let step = |n| Adapter::StepBy(usize_(n));
    vec![
        vec![],
        vec![step(3)],
        vec![Adapter::Rev],
        vec![step(3), Adapter::Rev],
        vec![Adapter::Rev, step(3)],
        vec![step(2), step(3)],
        vec![Adapter::Rev, step(2), Adapter::Rev],
    ]
}

#[test]
fn every_range_of_every_type() {
    for ty in [Type::I32, Type::U32, Type::USIZE] {
        for inclusive in [false, true] {
            for adapters in adapters() {
                let artifact = valid(&sum_of(ty.clone(), |range, _| ForRange {
                    inclusive,
                    adapters: adapters.clone(),
                    ..range
                }));
                assert!(
                    faults(&artifact).len() == 1,
                    "a literal step cannot be zero"
                );
            }
        }
    }
}

#[test]
fn unknown_step_can_fault() {
    let artifact = valid(&sum_of(Type::U32, |mut range, n| {
        let step = cast(n.get(), Type::USIZE);
        range.adapters = vec![Adapter::Rev, Adapter::StepBy(step)];
        range
    }));
    assert_eq!(artifact.faults[0].kind, FaultKind::ZeroStep);
}

#[test]
fn plain_range_counts_with_one_comparison() {
    let Some(text) = listing(&sum_of(Type::U32, |range, _| range)) else {
        return;
    };
    // The range, the domain's two, the access.
    assert_eq!(count(&text, "OpULessThan"), 4);
}

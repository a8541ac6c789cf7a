//! What intervals prove of launches.

use super::*;
use crate::artifact::{Artifact, IndexWidth, Param, ParamKind};

/// A view of rank 1 and 2 and an `u32`, as a block holds them.
fn artifact(nodes: &[Node], checks: &[(u32, u32)]) -> Artifact {
    let view = |offset, rank| Param {
        name: "".into(),
        offset,
        kind: ParamKind::View {
            rank,
            element_bytes: 4,
            reads: true,
            writes: false,
        },
    };
    let value = Param {
        name: "".into(),
        offset: 40,
        kind: ParamKind::Value { bytes: 4 },
    };
    let checks: Vec<Check> = (0..)
        .zip(checks)
        .map(|(group, &(value, limit))| Check {
            group,
            value,
            limit,
        })
        .collect();
    Artifact {
        index: IndexWidth::Bits32,
        params: vec![view(0, 1), view(16, 2), value].into(),
        proofs: Proofs::new(nodes, &checks),
        ..Artifact::default()
    }
}

fn proven(nodes: &[Node], checks: &[(u32, u32)], domain: &[usize], tile: &[usize]) -> u32 {
    let mut block = [0; 44];
    for (offset, number) in [(8, 100_u32), (24, 64), (28, 48), (40, 3)] {
        block[offset..offset + 4].copy_from_slice(&number.to_le_bytes());
    }
    artifact(nodes, checks).proven(&Launch {
        domain,
        tile,
        constants: &[16],
        block: &block,
    })
}

fn add(a: u32, b: u32) -> Node {
    Node::Binary(Operation::Add, a, b, Int::U32)
}

#[test]
fn nodes_are_what_they_were_encoded_from() {
    let int = Int {
        bits: 64,
        signed: true,
    };
    let mut nodes = vec![
        Node::Any(int, Unproven::Carried),
        Node::Constant(-5),
        Node::User(7, Int::U32),
        Node::Argument(1, 8, int),
        Node::Extent(2, 1),
        Node::Global(1),
        Node::Local(2),
        Node::Tile(0),
        Node::Origin(1),
        Node::Cast(3, Int::U32),
        Node::Counter {
            start: 1,
            end: 2,
            step: 3,
        },
        Node::Choice(4, 5, 6),
        Node::Below(6, 7),
        Node::AtLeast(8, 9),
        Node::Round(10, 11, int),
        Node::Carried(12, 13),
    ];
    nodes.extend(Operation::ALL.map(|it| Node::Binary(it, 1, 2, int)));
    let proofs = Proofs::new(&nodes, &[]);
    let decoded: Vec<Node> = (0..).map_while(|number| proofs.node(number)).collect();
    assert_eq!(decoded, nodes);
}

#[test]
fn the_domain_is_compared_with_a_view() {
    let nodes = [Node::Global(0), Node::Extent(0, 0)];
    assert_eq!(proven(&nodes, &[(0, 1)], &[100], &[]), 1);
    assert_eq!(proven(&nodes, &[(0, 1)], &[101], &[]), 0);
}

#[test]
fn a_loop_over_tiles_ends_in_its_last_tile() {
    // for i in (0..48).step_by(16) { b[global[0], local[1] + i] }
    let nodes = [
        Node::Global(0),
        Node::Extent(1, 0),
        Node::Constant(0),
        Node::Extent(1, 1),
        Node::User(0, Int::U32),
        Node::Counter {
            start: 2,
            end: 3,
            step: 4,
        },
        Node::Local(1),
        add(6, 5),
    ];
    let checks = [(0, 1), (7, 3)];
    assert_eq!(proven(&nodes, &checks, &[64, 64], &[16, 16]), 0b11);
    assert_eq!(proven(&nodes, &checks, &[80, 64], &[16, 17]), 0);
}

#[test]
fn the_least_of_two_multiples_is_one() {
    // for i in (0..48).step_by(16) { if i.min(32) < 30 { a[i.min(32) + local] } }
    let nodes = [
        Node::Constant(0),
        Node::Extent(1, 1),
        Node::User(0, Int::U32),
        Node::Counter {
            start: 0,
            end: 1,
            step: 2,
        },
        Node::Constant(32),
        Node::Binary(Operation::Min, 3, 4, Int::U32),
        Node::Constant(30),
        Node::Below(5, 6),
        Node::Local(0),
        add(7, 8),
        Node::Constant(32),
    ];
    assert_eq!(proven(&nodes, &[(9, 10)], &[16], &[16]), 1);
    assert_eq!(proven(&nodes, &[(9, 10)], &[17], &[17]), 0);
}

#[test]
fn sums_that_may_overflow_prove_nothing() {
    let nodes = [
        Node::Constant(0xffff_ffff),
        Node::Local(0),
        add(0, 1),
        Node::Extent(0, 0),
        Node::Constant(1),
        Node::Binary(Operation::Sub, 1, 4, Int::U32),
        Node::Binary(Operation::Mul, 0, 0, Int::U32),
    ];
    let checks = [(2, 3), (5, 3), (6, 3)];
    assert_eq!(proven(&nodes, &checks, &[64], &[16]), 0);
}

#[test]
fn conditions_and_arguments_bound_values() {
    let nodes = [
        Node::Global(0),
        Node::Constant(1),
        add(0, 1),
        Node::Extent(0, 0),
        Node::Below(2, 3),
        Node::Any(Int::U32, Unproven::Data),
        Node::Argument(2, 0, Int::U32),
        Node::Binary(Operation::Rem, 5, 6, Int::U32),
        Node::AtLeast(0, 1),
        Node::Binary(Operation::Sub, 8, 1, Int::U32),
        Node::Binary(Operation::And, 5, 6, Int::U32),
    ];
    let checks = [(2, 3), (4, 3), (7, 6), (9, 3), (10, 6), (5, 3)];
    assert_eq!(proven(&nodes, &checks, &[100], &[]), 0b00_1110);
}

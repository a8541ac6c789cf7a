//! References that variables get later, and others than they had: `let r; if c { r = &a; } ..`, `best = &a[i];`.

use amp::prelude::*;
use testkit::{gives, input, launch, twice};

const SEEDS: u32 = 200;

fn seeds() -> Vec<u32> {
    (0..SEEDS)
        .map(|seed| seed.wrapping_mul(0x9e37_79b9))
        .collect()
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Node {
    key: u32,
    next: u32,
    pair: [u32; 2],
}

#[amp_fn]
impl Node {
    fn weight(&self) -> u32 {
        self.key ^ self.pair[0] << 3
    }

    /// The greater of two, by a reference that gets its value later.
    fn greater<'a>(&'a self, other: &'a Self) -> &'a Self {
        let found;
        if self.key < other.key {
            found = other;
        } else {
            found = self;
        }
        found
    }

    fn greatest_part(&self) -> &u32 {
        let mut greatest = &self.pair[0];
        for i in 1..2 {
            if self.pair[i] > *greatest {
                greatest = &self.pair[i];
            }
        }
        if *greatest < self.key {
            greatest = &self.key;
        }
        greatest
    }

    fn part(&self, c: bool) -> &u32 {
        let part: &u32;
        match c {
            true => part = &self.pair[0],
            false => {
                part = &self.pair[1];
            }
        }
        part
    }
}

#[amp_fn]
fn nodes_of(seed: u32) -> [Node; 8] {
    let mut x = seed | 1;
    std::array::from_fn(|_| {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        Node {
            key: x % 100,
            next: (x >> 8) % 8,
            pair: [x >> 3 & 0xff, x >> 11 & 0xff],
        }
    })
}

/// A parameter that is assigned.
#[amp_fn]
fn walked<'a>(mut node: &'a Node, nodes: &'a [Node], steps: u32) -> u32 {
    let mut hash = node.key;
    for _ in 0..steps {
        node = &nodes[node.next as usize];
        hash = hash.wrapping_mul(31) ^ node.weight();
    }
    hash
}

twice! {
    later(x: u32) -> u32 = (seeds(),);
    {
        let (a, b, c) = (x ^ 5, x >> 3, 7);
        let r;
        if x % 3 == 0 {
            r = &a;
        } else if x % 3 == 1 {
            let longer = b > a;
            r = if longer { &b } else { &c };
        } else {
            r = &c;
        }
        let s: &u32;
        match (x % 5, *r) {
            (0, _) => s = r,
            (1, n) if n > 7 => s = &b,
            _ => {
                let t;
                t = &a;
                s = t;
            }
        }
        let t;
        loop {
            if *s % 2 == 0 {
                t = s;
                break;
            }
            t = r;
            break;
        }
        r.wrapping_mul(7) ^ s.wrapping_mul(31) ^ t
    }
}

twice! {
    chosen_by_name(x: u32) -> u32 = (seeds(),);
    {
        let nodes = nodes_of(x);
        let (first, last) = (&nodes[0], &nodes[7]);
        let r = if first.key < last.key { last } else { &nodes[3] };
        let s = match x % 4 {
            0 => first,
            1 => return 3,
            2 => &nodes[x as usize % 8],
            _ => r,
        };
        let sum = if x % 7 == 0 { &(r.key + s.key) } else { &s.next };
        let &Node { key, pair: [a, _], .. } = if *sum > 50 { r } else { &nodes[1] };
        let (mut u, mut v) = (first, r);
        if x % 2 == 0 {
            u = if v.next > 4 { v } else { s };
            v = match u.next {
                0..4 => u,
                _ => &nodes[5],
            };
        }
        r.weight() ^ s.weight().wrapping_mul(3) ^ key << 9 ^ a << 13 ^ sum << 3 ^ u.key << 20 ^ v.key << 24
    }
}

twice! {
    the_best(x: u32) -> u32 = (seeds(),);
    {
        let nodes = nodes_of(x);
        let none = Node { key: 40, next: 0, pair: [9, 9] };
        let mut best = &none;
        for node in &nodes {
            if node.key > best.key {
                best = node;
            }
        }
        let mut least = &nodes[0];
        for (i, node) in nodes.iter().enumerate().skip(1) {
            if node.key < least.key || i == 5 && node.next == 3 {
                least = node;
            }
        }
        let mut second = &nodes[0].pair[0];
        for i in 1..8 {
            let part = &nodes[i].pair[i % 2];
            second = if part > second { part } else { second };
        }
        best.weight() ^ best.greatest_part() << 9 ^ least.weight().wrapping_mul(5) ^ second << 16
    }
}

twice! {
    lists(x: u32) -> u32 = (seeds(),);
    {
        let nodes = nodes_of(x);
        let mut node = &nodes[0];
        let mut seen = 0_u32;
        while seen >> node.next & 1 == 0 {
            seen |= 1 << node.next;
            node = &nodes[node.next as usize];
        }
        let (mut slow, mut fast) = (node, &nodes[node.next as usize]);
        let mut steps = 0;
        while slow != fast && steps < 20 {
            slow = &nodes[slow.next as usize];
            fast = &nodes[nodes[fast.next as usize].next as usize];
            steps += 1;
        }
        walked(slow, &nodes, x % 5) ^ seen << 8 ^ steps << 20 ^ node.key
    }
}

twice! {
    names_keep_what_they_had(x: u32) -> u32 = (seeds(),);
    {
        let nodes = nodes_of(x);
        let mut node = &nodes[1];
        let before = node;
        let part = &node.pair;
        let (first, second) = (&node.pair[0], &node.key);
        let mut hash = 0_u32;
        match &node.pair {
            [a, b] => {
                node = &nodes[2];
                hash ^= a ^ b << 8 ^ node.key;
            }
        }
        for x in &node.pair {
            node = &nodes[3];
            hash = hash.wrapping_mul(7) ^ x ^ node.key;
        }
        let next = |by: u32| nodes[node.next as usize].key + by;
        hash = hash.wrapping_mul(5) ^ next(3);
        let greater = before.greater(node);
        node = greater;
        let kept = node.part(x % 2 == 0);
        node = &nodes[x as usize % 8];
        hash ^ before.key << 4 ^ part[1] << 8 ^ first << 12 ^ second << 16 ^ node.weight() ^ kept << 20
    }
}

twice! {
    slices_get_theirs_later(x: u32) -> u32 = (seeds(),);
    {
        let nodes = nodes_of(x);
        let part;
        if x % 2 == 0 {
            part = &nodes[..3];
        } else {
            let start = x as usize % 5;
            part = &nodes[start..];
        }
        let mut rest: &[Node];
        match part.len() {
            3 => rest = part,
            n => rest = &part[n / 2..],
        }
        let other = if x % 3 == 0 { &nodes[1..5] } else { &nodes[4..] };
        let mut hash = 0_u32;
        while let Some((node, tail)) = rest.split_first() {
            hash = hash.wrapping_mul(31) ^ node.weight();
            rest = tail;
        }
        hash ^ part.len() as u32 ^ other[1].key << 24 ^ (other.len() as u32) << 16
    }
}

#[amp_kernel]
fn of_views(idx: Index<1>, nodes: &ArrayView<Node, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let none = Node {
        key: 30,
        next: 0,
        pair: [1, 2],
    };
    let start = idx[0];
    let mut best = &none;
    for node in nodes {
        if node.key > best.key && node.key < 90 {
            best = node;
        }
    }
    let mut node = &nodes[start];
    let before = node;
    while node.next != 0 && node.key != 0 {
        node = &nodes[start / 8 * 8 + node.next as usize];
        if node.key == before.key {
            break;
        }
    }
    let chosen = if node.key > 50 { node } else { best };
    let pair: &[u32; 2];
    match chosen.next {
        0..4 => pair = &chosen.pair,
        _ => pair = &nodes[0].pair,
    }
    out[idx] = chosen.weight() ^ before.weight() << 8 ^ pair[1] << 16;
}

fn expected(nodes: &[Node]) -> Vec<u32> {
    let none = Node {
        key: 30,
        next: 0,
        pair: [1, 2],
    };
    let of = |start: usize| {
        let mut best = &none;
        for node in nodes {
            if node.key > best.key && node.key < 90 {
                best = node;
            }
        }
        let mut node = &nodes[start];
        let before = node;
        while node.next != 0 && node.key != 0 {
            node = &nodes[start / 8 * 8 + node.next as usize];
            if node.key == before.key {
                break;
            }
        }
        let chosen = if node.key > 50 { node } else { best };
        let pair = match chosen.next {
            0..4 => &chosen.pair,
            _ => &nodes[0].pair,
        };
        chosen.weight() ^ before.weight() << 8 ^ pair[1] << 16
    };
    (0..nodes.len()).map(of).collect()
}

#[test]
fn references_to_elements_of_views() {
    // Lists in which each node leads to the next.
    let nodes: Vec<Node> = seeds()
        .into_iter()
        .flat_map(nodes_of)
        .enumerate()
        .map(|(at, node)| Node {
            next: (at as u32 + 1) % 8,
            ..node
        })
        .collect();
    gives(&expected(&nodes), |view, out| {
        launch(view, out.extent(), of_views(&input(&nodes), out))
    });
}

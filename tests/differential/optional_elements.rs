//! Arrays of types of which zeroes are no value: `Option`s, `Ordering`s, and one's own types with these
//! in them, indexed, written, visited and passed as slices.

use amp::prelude::*;
use testkit::{gives, gives_and_faults, input, launch};

device_and_host! {
    use std::cmp::Ordering;

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Slot {
        pub key: Option<u32>,
        pub uses: u32,
    }

    #[derive(Clone, Copy)]
    pub enum Step {
        Seek(Option<i32>, Ordering),
        Rest,
    }

    #[derive(Clone, Copy)]
    pub struct Entry<T> {
        pub value: Option<T>,
        pub rank: T,
    }

    #[derive(Clone, Copy)]
    pub struct Table {
        slots: [Slot; 4],
        clock: usize,
    }

    impl Table {
        pub fn new() -> Self {
            Self { slots: [Slot { key: None, uses: 0 }; 4], clock: 0 }
        }

        pub fn find(&mut self, key: u32) -> Option<usize> {
            let at = self.slots.iter().position(|slot| slot.key == Some(key))?;
            self.slots[at].uses += 1;
            Some(at)
        }

        pub fn insert(&mut self, key: u32) -> Option<u32> {
            if self.find(key).is_some() {
                return None;
            }
            let at = self.clock % self.slots.len();
            self.clock += 1;
            let old = self.slots[at].key.replace(key);
            self.slots[at].uses = 0;
            old
        }

        pub fn digest(&self) -> u32 {
            let mut digest = 0_u32;
            for slot in &self.slots {
                digest = digest.wrapping_mul(31).wrapping_add(slot.key.unwrap_or(7) + slot.uses);
            }
            digest
        }
    }

    pub fn put(slots: &mut [Option<u32>], x: u32) -> bool {
        let at = x as usize % slots.len();
        match &mut slots[at] {
            Some(n) if *n == x => {
                *n += 1;
                false
            }
            Some(_) => false,
            slot => {
                *slot = Some(x);
                true
            }
        }
    }

    pub fn held(slots: &[Option<u32>; 8], from: usize) -> usize {
        slots[from..].iter().filter(|slot| slot.is_some()).count()
    }

    pub fn hash(x: &[u32; 8]) -> u32 {
        let mut slots = [None; 8];
        let mut rows = [[None::<u32>; 2]; 2];
        let mut orders = [Ordering::Equal; 8];
        let mut table = Table::new();
        let mut hash = 0_u32;
        for i in 0..8 {
            hash = hash.wrapping_mul(3).wrapping_add(put(&mut slots, x[i]) as u32);
            rows[i % 2][x[i] as usize % 2] = Some(x[i]);
            orders[i] = x[i].cmp(&x[(i + 1) % 8]);
            hash = hash.wrapping_mul(5).wrapping_add(table.insert(x[i] % 6).unwrap_or(11));
        }
        slots.swap(0, x[0] as usize % 8);
        slots.rotate_left(3);
        for slot in slots {
            hash = hash.wrapping_mul(31).wrapping_add(slot.map_or(1, |x| x ^ 5));
        }
        for i in 0..8 {
            if let (Some(x), Ordering::Less) = (slots[i], orders[i]) {
                hash = hash.wrapping_add(x);
            }
        }
        let steps = [Step::Seek(rows[0][1].map(|x| x as i32), orders[2]), Step::Rest];
        hash = match steps[x[1] as usize % 2] {
            Step::Seek(Some(to), order) => hash.wrapping_add(to as u32 ^ order as u32),
            Step::Seek(None, _) => hash ^ 1,
            Step::Rest => hash ^ 2,
        };
        let mut entries = [Entry { value: None, rank: 1.5_f32 }; 3];
        entries[x[2] as usize % 3].value = Some(x[3] as f32);
        let best = entries.iter().filter_map(|entry| entry.value).fold(0.0, f32::max);
        hash ^ best.to_bits() ^ table.digest() ^ held(&slots, x[4] as usize % 9) as u32
    }
}

#[amp_kernel]
fn hashes(idx: Index<1>, x: &ArrayView<[u32; 8], 1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = device::hash(&x[idx]);
}

#[test]
fn elements_of_any_type_of_values() {
    let x: Vec<[u32; 8]> = (0..32)
        .map(|i| {
            std::array::from_fn(|k| {
                (i * 8 + k as u32).wrapping_mul(0x9E37_79B9) >> (8 + (i + k as u32) % 23)
            })
        })
        .collect();
    let expected: Vec<u32> = x.iter().map(host::hash).collect();
    let x = input(&x);
    gives(&expected, |view, out| {
        launch(view, out.extent(), hashes(&x, out))
    });
}

#[amp_kernel]
fn outside(idx: Index<1>, i: usize, out: &mut ArrayViewMut<u32, 1>) {
    let mut options = [Some(1_u32), Some(2)];
    let mut slots = [device::Slot {
        key: Some(3),
        uses: 4,
    }; 2];
    options[i] = Some(9);
    slots[i].uses += 5;
    slots[i].key = options[i];
    let (option, slot) = (options[i], slots[i]);
    let sum = option.unwrap_or(10) + slot.key.unwrap_or(20) + slot.uses;
    out[idx] =
        sum + 100 * (options[0].unwrap_or(0) + options[1].unwrap_or(0)) + 1000 * slots[0].uses;
}

#[test]
fn an_option_outside_of_an_array_is_none() {
    gives_and_faults(&[4330], |view, out| launch(view, 1, outside(2, out)));
}

//! A struct that borrows structs, and gives references to them.

use amp::prelude::*;

device_and_host! {
    pub struct Item { pub weight: u32, pub value: u32, pub tags: [u8; 3] }
    struct Picker<'a> { items: &'a [Item], order: [usize; 4] }
    impl<'a> Picker<'a> {
        fn new(items: &'a [Item]) -> Self {
            let mut order = [0, 1, 2, 3];
            order.sort_by_key(|&k| std::cmp::Reverse(items[k].value));
            Picker { items, order }
        }
        fn best(&self, limit: u32) -> Option<&'a Item> {
            self.order.iter().map(|&k| &self.items[k]).find(|item| item.weight <= limit)
        }
        fn total(&self) -> u32 { self.items.iter().map(|i| i.weight).sum() }
        fn tag(&self, k: usize) -> u8 { let item = &self.items[k % self.items.len()]; item.tags[k % 3] }
        fn each(&self, mut f: impl FnMut(usize, &Item)) { for (k, item) in self.items.iter().enumerate() { f(k, item); } }
    }
    pub fn all(i: u32) -> [u64; 4] {
        let a = i.wrapping_mul(2_654_435_761);
        let items = [Item { weight: a % 9, value: 3, tags: [1, 2, 3] }, Item { weight: 5, value: i, tags: [4, 5, 6] }, Item { weight: 2, value: 2, tags: [7, 8, 9] }, Item { weight: 1, value: 1, tags: *b"abc" }];
        let p = Picker::new(&items);
        let mut sum = 0u64;
        p.each(|k, item| sum += k as u64 * item.weight as u64 + item.tags[k % 3] as u64);
        let best = p.best(i % 6).map_or(0, |x| x.value as u64 * 10 + x.weight as u64);
        let half = Picker { items: &items[1..3], order: [1, 0, 1, 0] };
        let copy = half.order;
        [sum, best, p.total() as u64 * 10 + half.total() as u64, p.tag(i as usize) as u64 + half.tag(1) as u64 * 1000 + copy[0] as u64]
    }
}

all_agree!(items: [u64; 4], 60);

//! References that functions, parameters and `flat_map` yield, where an end of a chain finds one; against the same module as
//! plain Rust.

use amp::prelude::*;

device_and_host! {
    #[derive(Clone, Copy, PartialEq, PartialOrd)]
    struct Task {
        id: u32,
        deadline: u32,
    }
    fn pick<'t>(ready: impl Iterator<Item = &'t Task>, by: u32) -> Option<Task> {
        match by {
            0 => ready.min_by_key(|t| (t.deadline, t.id)).copied(),
            1 => ready.max_by_key(|t| t.deadline).copied(),
            2 => ready.last().copied(),
            3 => ready.max_by(|a, b| a.id.cmp(&b.id)).copied(),
            _ => ready.min_by(|a, b| a.deadline.cmp(&b.deadline)).copied(),
        }
    }
    fn late(tasks: &[Task]) -> impl Iterator<Item = &Task> {
        tasks.iter().filter(|t| t.deadline % 3 != 0)
    }
    fn numbered(tasks: &[Task]) -> impl Iterator<Item = (usize, &Task)> {
        tasks.iter().enumerate().filter(|(_, t)| t.deadline % 3 != 0)
    }
    fn largest<'a>(xs: impl IntoIterator<Item = &'a u8>) -> u8 {
        *xs.into_iter().max().unwrap_or(&7)
    }
    fn least<'a>(xs: impl Iterator<Item = &'a f32>) -> Option<f32> {
        xs.copied().reduce(f32::min)
    }
    fn sorted<'a>(xs: impl Iterator<Item = &'a u8>) -> bool {
        xs.is_sorted()
    }

    pub fn all(x: u32) -> [u32; 12] {
        let tasks = [
            Task { id: 1, deadline: x % 9 },
            Task { id: 2, deadline: (x * 5) % 7 },
            Task { id: 3, deadline: x / 3 },
            Task { id: 4, deadline: (x >> 3) % 5 },
        ];
        let rows = [(x * 77).to_le_bytes(), (x * 1313).to_le_bytes(), [3, 9, 200, x as u8]];
        let first = if let Some(task) = late(&tasks).next() { task.id } else { 0 };
        let last = late(&tasks).last().copied().map_or(9, |t| t.id);
        let latest = late(&tasks).max_by_key(|t| t.deadline).map_or(8, |t| t.id * 10 + t.deadline);
        let place = numbered(&tasks).min_by_key(|(i, t)| t.deadline + *i as u32).map_or(99, |(i, t)| i as u32 * 10 + t.id);
        let most = *rows.iter().flat_map(|row| row.iter()).max().unwrap();
        let (row, byte) = rows
            .iter()
            .enumerate()
            .flat_map(|(i, row)| row.iter().map(move |x| (i, x)))
            .max_by_key(|(i, x)| usize::from(**x) + i * 9)
            .map_or((9, 0), |(i, x)| (i, *x));
        let numbers = [x as f32, 7.5, 0.5 - x as f32];
        [
            pick(tasks.iter(), x % 5).map_or(0, |t| t.id),
            pick(late(&tasks), x % 4).map_or(0, |t| t.id),
            first,
            last + latest * 16,
            place,
            u32::from(most),
            row as u32 * 256 + u32::from(byte),
            u32::from(largest(&rows[1])),
            u32::from(largest(rows[0].iter().filter(|x| **x > 9))),
            least(numbers.iter()).map_or(0, f32::to_bits),
            u32::from(sorted(rows[1].iter())) + 2 * u32::from(late(&tasks).is_sorted_by_key(|t| t.deadline)),
            u32::from(rows.iter().flat_map(|r| r.iter()).last().copied().unwrap_or(0)) + u32::from(late(&tasks).nth(1).is_some()) * 256,
        ]
    }
}

all_agree!(found_and_copied: [u32; 12], 64);

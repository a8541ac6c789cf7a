//! A page for people.

use std::fmt::Display;

use amp::{Bytes, Rejected};

use crate::Entry;
use crate::choice::Choice;

/// What arrays can hold, and the features that take it.
const ELEMENTS: [(&str, &[&str]); 7] = [
    ("i8 u8", &["shaderInt8", "storageBuffer8BitAccess"]),
    ("i16 u16", &["shaderInt16", "storageBuffer16BitAccess"]),
    ("i32 u32", &[]),
    ("i64 u64", &["shaderInt64"]),
    ("f16 bf16", &["shaderInt16", "storageBuffer16BitAccess"]),
    ("f32", &[]),
    ("f64", &["shaderFloat64", "shaderInt64"]),
];

/// What atomic operations there are, and the features that they take.
const ATOMICS: [(&str, &[&str]); 3] = [
    ("32 bits", &[]),
    ("64 bits in views", &["shaderBufferInt64Atomics"]),
    ("64 bits in tile_static", &["shaderSharedInt64Atomics"]),
];

/// Everything, for people.
pub fn page(entries: &[Entry], rejected: &[Rejected], choice: &Choice) -> String {
    let mut page = format!("amp {}\n", env!("CARGO_PKG_VERSION"));
    for (number, entry) in entries.iter().enumerate() {
        let accelerator = &entry.accelerator;
        let is_default = choice.accelerator.as_ref() == Ok(accelerator);
        page += &format!(
            "\n{number}: {accelerator} [{}]{}\n",
            accelerator.device_path(),
            if is_default { ", the default" } else { "" }
        );
        for (name, value) in lines(entry) {
            page += &format!("   {name:<16} {value}\n");
        }
    }
    for rejected in rejected {
        page += &format!("\nno accelerator: {}\n", rejected.description);
        let (name, why) = match rejected.lacking.is_empty() {
            true => ("failed", rejected.error.to_string()),
            false => ("lacks", list(&rejected.lacking, ", ")),
        };
        page += &format!("   {name:<16} {why}\n");
    }
    page += &match &choice.accelerator {
        Ok(accelerator) => format!("\ndefault: {accelerator} ({})\n", choice.reason),
        Err(error) => format!("\ndefault: none ({error})\n"),
    };
    page
}

fn lines(entry: &Entry) -> Vec<(&'static str, String)> {
    let properties = &entry.properties;
    let accelerator = &entry.accelerator;
    let kind = match accelerator.supports_cpu_shared_memory() {
        true => format!("{}, works in the host's memory", properties.kind),
        false => format!("{}, has memory of its own", properties.kind),
    };
    let mut lines = vec![("kind", kind), ("driver", properties.driver.clone())];
    if let Some(version) = properties.vulkan {
        lines.push(("Vulkan", list(&version, ".")));
    }
    for heap in accelerator.memory().heaps() {
        lines.push(("memory", heap.to_string()));
    }
    lines.push(("elements", with(&ELEMENTS, &properties.features)));
    lines.push(("atomics", with(&ATOMICS, &properties.features)));
    lines.push(("features", list(&properties.features, ", ")));
    if !properties.lacking.is_empty() {
        lines.push(("lacks", list(&properties.lacking, ", ")));
    }
    let floats = &properties.floats;
    for (name, widths) in [
        ("keeps denormals", &floats.denormals),
        ("keeps ±0 ∞ NaN", &floats.signed_zeroes_infinities_nans),
        ("rounds to even", &floats.round_to_nearest),
    ] {
        lines.push((name, promised(widths)));
    }
    let software = match &entry.software_floats {
        Ok(operations) => list(operations, ", "),
        Err(error) => format!("unknown: {error}"),
    };
    lines.push(("in software", software));
    let subgroups = format!(
        "{} threads; {}",
        properties.subgroup_size,
        list(&properties.subgroup_operations, ", ")
    );
    lines.push(("subgroups", subgroups));
    let tile = format!(
        "at most {} threads, {}",
        properties.max_tile_threads,
        list(&properties.max_tile, "×")
    );
    lines.push(("tile", tile));
    let mut tiles = format!("in one grid at most {}", list(&properties.max_tiles, "×"));
    if properties.tiles_progress {
        tiles += ", may wait for others";
    }
    lines.push(("tiles", tiles));
    let tile_static = match properties.tile_static_bytes {
        Some(count) => format!("at most {}", Bytes(count.into())),
        None => "what the host has".into(),
    };
    lines.push(("tile_static", tile_static));
    lines.push(("queues", properties.queues.to_string()));
    let clock = match properties.tick_nanoseconds {
        Some(tick) => format!("{tick} ns a tick"),
        None => "none".into(),
    };
    lines.push(("clock", clock));
    if accelerator.is_debug() {
        lines.push(("validation", "on".into()));
    }
    lines
}

/// The items, or `none`.
fn list<T: Display>(items: &[T], between: &str) -> String {
    if items.is_empty() {
        return "none".into();
    }
    let items: Vec<String> = items.iter().map(T::to_string).collect();
    items.join(between)
}

/// What the features are enough for.
fn with(all: &[(&str, &[&str])], features: &[&str]) -> String {
    let there = all
        .iter()
        .filter(|(_, wanted)| wanted.iter().all(|feature| features.contains(feature)));
    let names: Vec<&str> = there.map(|(name, _)| *name).collect();
    names.join(", ")
}

fn promised(widths: &[u32]) -> String {
    match widths.is_empty() {
        true => "not promised".into(),
        false => {
            let names: Vec<String> = widths.iter().map(|width| format!("f{width}")).collect();
            format!("promised for {}", names.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use amp_spirv::tree::Scalar;

    use super::*;

    #[test]
    fn every_element_is_listed() {
        let listed = ELEMENTS.iter().flat_map(|(names, _)| names.split(' '));
        let mut listed: Vec<&str> = listed.collect();
        let elements = Scalar::ALL.into_iter().filter(|it| it.is_element());
        let mut elements: Vec<&str> = elements.map(Scalar::name).collect();
        listed.sort_unstable();
        elements.sort_unstable();
        assert_eq!(listed, elements);
    }

    #[test]
    fn an_empty_list_is_written_as_none() {
        assert_eq!(list::<u32>(&[], ", "), "none");
        assert_eq!(list(&[1, 2, 3], "×"), "1×2×3");
        assert_eq!(with(&ELEMENTS, &["shaderInt64"]), "i32 u32, i64 u64, f32");
        assert_eq!(promised(&[]), "not promised");
        assert_eq!(promised(&[32, 64]), "promised for f32, f64");
    }
}

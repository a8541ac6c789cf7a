//! What the program found, as a table or as JSON.

use std::time::Duration;

use amp::Accelerator;
use comfy_table::{CellAlignment, Table, presets::UTF8_FULL_CONDENSED};
use serde_json::{Value, json};

use super::measure::Times;
use super::options::Options;

/// One way to compute the product, measured and compared.
pub struct Entry {
    pub name: String,
    /// Rows of C that it computed.
    pub rows: usize,
    /// From matrices on the host to the result on the host; `None` for the CPU.
    pub with_transfers: Option<Duration>,
    /// The computation alone, without transfers.
    pub without_transfers: Duration,
    /// The comparison of its result; `None` for the reference.
    pub checks: Vec<Check>,
}

/// A comparison of two results.
pub struct Check {
    /// The reference, and how much of it was compared.
    pub with: String,
    /// The first element that differs.
    pub difference: Option<Difference>,
}

/// Row, column, the element found and the element expected.
pub type Difference = (usize, usize, f32, f32);

impl Check {
    fn text(&self) -> String {
        match self.difference {
            None => format!("= {}", self.with),
            Some((row, col, found, wanted)) => format!(
                "DIFFERS from {}: element ({row}, {col}) is {found}, not {wanted}",
                self.with
            ),
        }
    }
}

/// All results.
pub struct Report {
    pub entries: Vec<Entry>,
}

impl Report {
    /// Whether all results agree.
    pub fn is_verified(&self) -> bool {
        self.entries.iter().all(Entry::is_verified)
    }

    /// The results as a table, with an explanation.
    pub fn table(&self, options: &Options) -> String {
        let mut table = Table::new();
        table.load_style(UTF8_FULL_CONDENSED).set_header([
            "product",
            "with transfers",
            "without",
            "GFLOP/s",
            "speed-up",
            "verified",
        ]);
        for entry in &self.entries {
            table.add_row([
                match entry.rows {
                    rows if rows < options.sizes[0] => {
                        format!("{}, {rows} of {} rows", entry.name, options.sizes[0])
                    }
                    _ => entry.name.clone(),
                },
                entry.with_transfers.map_or("-".into(), milliseconds),
                milliseconds(entry.without_transfers),
                format!("{:.2}", entry.gflops(options)),
                self.speed_up(entry)
                    .map_or("-".into(), |x| format!("{x:.2}")),
                entry.verified(),
            ]);
        }
        for column in 1..5 {
            if let Some(column) = table.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let mut notes = "GFLOP/s are without transfers".to_owned();
        if let Some(serial) = self.serial() {
            notes += "; the speed-up over CPU serial is with them";
            if serial.rows < options.sizes[0] {
                notes += ", by time per row";
            }
        }
        format!("{table}\n{notes}.")
    }

    /// The results as JSON.
    pub fn json(&self, options: &Options, accelerator: &Accelerator) -> Value {
        let [m, n, w] = options.sizes;
        let entries: Vec<Value> = self
            .entries
            .iter()
            .map(|entry| {
                json!({
                    "product": entry.name,
                    "rows": entry.rows,
                    "seconds_with_transfers": entry.with_transfers.map(|time| time.as_secs_f64()),
                    "seconds_without_transfers": entry.without_transfers.as_secs_f64(),
                    "gflops": entry.gflops(options),
                    "speed_up": self.speed_up(entry),
                    "verified": entry.is_verified(),
                    "checks": entry.checks.iter().map(Check::text).collect::<Vec<_>>(),
                })
            })
            .collect();
        json!({
            "accelerator": accelerator.description(),
            "device_path": accelerator.device_path(),
            "m": m,
            "n": n,
            "w": w,
            "tile": options.tile,
            "checked": options.checked,
            "verified": self.is_verified(),
            "products": entries,
        })
    }

    /// GFLOP/s of each product, without transfers.
    pub fn rates(&self, options: &Options) -> Vec<(&str, f64)> {
        let entries = self.entries.iter();
        entries
            .map(|it| (it.name.as_str(), it.gflops(options)))
            .collect()
    }

    /// The speedup per row relative to the CPU, if that was measured.
    fn speed_up(&self, entry: &Entry) -> Option<f64> {
        Some(self.serial()?.time_of_row() / entry.time_of_row())
    }

    fn serial(&self) -> Option<&Entry> {
        self.entries
            .iter()
            .find(|entry| entry.with_transfers.is_none())
    }
}

impl Entry {
    /// Rows that the CPU computed.
    pub fn serial(rows: usize, time: Duration) -> Self {
        Self {
            name: "CPU serial".into(),
            rows,
            with_transfers: None,
            without_transfers: time,
            checks: Vec::new(),
        }
    }

    /// All rows, computed by a kernel and not yet compared.
    pub fn kernel(name: &str, rows: usize, times: Times) -> Self {
        Self {
            name: name.into(),
            rows,
            with_transfers: Some(times.with_transfers),
            without_transfers: times.without_transfers,
            checks: Vec::new(),
        }
    }

    fn is_verified(&self) -> bool {
        self.checks.iter().all(|check| check.difference.is_none())
    }

    fn verified(&self) -> String {
        if self.checks.is_empty() {
            return "reference".into();
        }
        let texts: Vec<String> = self.checks.iter().map(Check::text).collect();
        texts.join("\n")
    }

    fn time_of_row(&self) -> f64 {
        let time = self.with_transfers.unwrap_or(self.without_transfers);
        time.as_secs_f64() / self.rows as f64
    }

    /// Additions and multiplications per nanosecond.
    fn gflops(&self, options: &Options) -> f64 {
        let [_, n, w] = options.sizes;
        let operations = 2.0 * self.rows as f64 * n as f64 * w as f64;
        operations / self.without_transfers.as_secs_f64() / 1e9
    }
}

fn milliseconds(time: Duration) -> String {
    format!("{:.3} ms", time.as_secs_f64() * 1e3)
}

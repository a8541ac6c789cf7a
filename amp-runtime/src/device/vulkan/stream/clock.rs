//! The device's clock: timestamps among commands, and where they are on the host's axis of
//! time.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::Stream;
use super::batch::Recorder;
use super::queries::Queries;
use crate::types::error::Result;

/// Tries to read both clocks at the same time.
const TRIES: usize = 8;
/// How far apart two readings of both clocks are that tell how fast one is by the other;
/// over less time the driver's word is better.
const LONG: Duration = Duration::from_secs(1);

/// From one timestamp to another one, of which some bits are valid, in ticks; negative if it
/// was before.
fn ticks_between(from: u64, to: u64, bits: u32) -> i64 {
    // What is not valid is shifted out, and the sign comes in.
    let invalid = 64 - bits.clamp(1, 64);
    (to.wrapping_sub(from) << invalid) as i64 >> invalid
}

/// A measurement that runs.
pub(crate) struct Clock<'s> {
    stream: &'s Stream,
    queries: Option<Arc<Queries>>,
}

impl Drop for Clock<'_> {
    fn drop(&mut self) {
        self.stream.clocks.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Stream {
    /// Starts to measure. Launches from now on go out together when it stops, or on a
    /// flush or wait, so that the host's pace is not measured.
    pub(crate) fn start_clock(&self) -> Result<Clock<'_>> {
        self.clocks.fetch_add(1, Ordering::Relaxed);
        let mut clock = Clock {
            stream: self,
            queries: None,
        };
        if self.device.facts.tick.is_some() {
            let queries = Queries::new(&self.device, 2)?;
            self.lock()?.timestamp(&queries, true)?;
            clock.queries = Some(queries);
        }
        Ok(clock)
    }

    /// Stops to measure: the time since the start, or `None` if the device has no clock.
    pub(crate) fn stop_clock(&self, clock: Clock<'_>) -> Result<Option<Duration>> {
        if let Some(queries) = &clock.queries {
            self.lock()?.timestamp(queries, false)?;
        }
        self.wait()?;
        let facts = &self.device.facts;
        let (Some(queries), Some(tick)) = (&clock.queries, facts.tick) else {
            return Ok(None);
        };
        let [start, end] = queries.read(0)?;
        let ticks = ticks_between(start, end, facts.tick_bits).max(0);
        Ok(Some(Duration::from_nanos(
            (ticks as f64 * f64::from(tick)) as u64,
        )))
    }

    /// Reads the device's clock and the host's at about the same time; `None` if the device
    /// has no clock. Where it cannot be asked directly, a batch without work is stamped.
    pub(crate) fn anchor(&self) -> Result<Option<Anchor>> {
        if self.device.facts.tick.is_none() {
            return Ok(None);
        }
        let queries = match self.device.calibration {
            Some(_) => None,
            None => Some(Queries::new(&self.device, 2)?),
        };
        let mut best: Option<(Duration, Anchor)> = None;
        for _ in 0..TRIES {
            let start = Instant::now();
            let ticks = match (&self.device.calibration, &queries) {
                (Some(calibration), _) => calibration
                    .now()
                    .map_err(|result| self.device.error("reading its clock", result))?,
                (None, Some(queries)) => {
                    let mut recorder = self.lock()?;
                    recorder.timestamp(queries, true)?;
                    recorder.timestamp(queries, false)?;
                    drop(recorder);
                    self.wait()?;
                    queries.read(0)?[1]
                }
                (None, None) => return Ok(None),
            };
            let took = start.elapsed();
            if best.is_none_or(|(least, _)| took < least) {
                let at = start + took / 2;
                best = Some((took, Anchor { ticks, at }));
            }
        }
        Ok(best.map(|(_, anchor)| anchor))
    }

    /// The device's clock between two readings, `None` if it has no clock.
    pub(crate) fn clock(&self, first: Anchor, last: Anchor) -> Option<Axis> {
        let facts = &*self.device.facts;
        let promised = f64::from(facts.tick?);
        let passed = last.at.saturating_duration_since(first.at);
        let ticks = ticks_between(first.ticks, last.ticks, facts.tick_bits);
        let tick = match passed >= LONG && ticks > 0 {
            true => passed.as_nanos() as f64 / ticks as f64,
            false => promised,
        };
        Some(Axis { first, tick })
    }
}

impl Recorder {
    /// Records a timestamp when all before it is done; `first` also resets the queries.
    fn timestamp(&mut self, queries: &Arc<Queries>, first: bool) -> Result<()> {
        let batch = self.open()?;
        // SAFETY: the command buffer is being recorded, by this thread alone; the batch holds
        // the queries.
        unsafe {
            if first {
                queries.reset(batch.commands);
            }
            queries.stamp(batch.commands, u32::from(!first));
        }
        batch.queries.push(Arc::clone(queries));
        Ok(())
    }
}

/// What the device's clock and the host's said at the same time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchor {
    ticks: u64,
    at: Instant,
}

/// The device's clock on the host's axis of time.
pub(crate) struct Axis {
    first: Anchor,
    /// Nanoseconds of a tick, by the host's clock.
    tick: f64,
}

impl Axis {
    /// When timestamps were taken of which some bits are valid.
    pub(crate) fn times(&self, stamps: [u64; 2], bits: u32) -> [Instant; 2] {
        stamps.map(|stamp| {
            let ticks = ticks_between(self.first.ticks, stamp, bits);
            let passed = Duration::from_nanos((ticks.unsigned_abs() as f64 * self.tick) as u64);
            let at = self.first.at;
            match ticks < 0 {
                true => at.checked_sub(passed).unwrap_or(at),
                false => at + passed,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::search::adapters_with_clock;
    use super::*;

    #[test]
    fn only_valid_bits_count() {
        for adapter in adapters_with_clock(Some(2.0), 36) {
            let all = 1u64 << 36;
            assert_eq!(ticks_between(all - 5, 7, 36), 12);
            assert_eq!(ticks_between(7 | 3 << 40, all - 5, 36), -12);
            let stream = adapter.open().unwrap().stream(false).unwrap();
            let at = Instant::now();
            let anchor = |ticks, after| Anchor {
                ticks,
                at: at + Duration::from_nanos(after),
            };
            let short = stream.clock(anchor(all - 5, 0), anchor(95, 300)).unwrap();
            let times = short.times([5, 10], 36);
            assert_eq!(times, [20, 30].map(|n| at + Duration::from_nanos(n)));
            // Over a second it is found out how long a tick is.
            let end = anchor(1_000_000_000, 4_000_000_000);
            let long = stream.clock(anchor(0, 0), end).unwrap();
            assert_eq!(long.times([0, 10], 36)[1], at + Duration::from_nanos(40));
            assert!(long.times([all - 1, 0], 36)[0] < at);
        }
    }

    #[test]
    fn both_clocks_are_read_with_and_without_calibration() {
        for adapter in adapters_with_clock(Some(1.0), 64) {
            let device = adapter.open().unwrap();
            let Some(mut device) = Arc::into_inner(device) else {
                panic!("nothing else has it open");
            };
            for calibrated in [true, false] {
                if !calibrated {
                    device.calibration = None;
                }
                let shared = Arc::new(device);
                let stream = shared.stream(false).unwrap();
                let before = Instant::now();
                let first = stream.anchor().unwrap().unwrap();
                std::thread::sleep(Duration::from_millis(2));
                let last = stream.anchor().unwrap().unwrap();
                assert!(before <= first.at && last.at <= Instant::now());
                assert!(last.at - first.at >= Duration::from_millis(2));
                assert!(ticks_between(first.ticks, last.ticks, 64) > 0);
                drop(stream);
                device = Arc::into_inner(shared).unwrap();
            }
        }
    }
}

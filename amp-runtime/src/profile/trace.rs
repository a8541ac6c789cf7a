//! A profile as a trace in Chrome's format, which Perfetto and other viewers read.
//!
//! A viewer shows what overlaps in one lane wrongly, so what does goes to further lanes:
//! transfers that several threads make at a time, launches of several threads on the CPU
//! accelerator.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use super::{Event, Profile};
use crate::types::event::{Lane, LaneKind};

impl Profile {
    /// Writes the profile as a trace that <https://ui.perfetto.dev> and
    /// `chrome://tracing` show: one lane for each queue, for the transfers of each queue
    /// and for each thread of the host.
    ///
    /// ```
    /// use amp_runtime::Accelerator;
    ///
    /// let view = Accelerator::cpu().default_view()?;
    /// let ((), profile) = view.profile(|| Ok(()))?;
    /// let mut trace = Vec::new(); // or a `File`
    /// profile.write_chrome_trace(&mut trace).expect("a Vec takes everything");
    /// assert!(trace.starts_with(b"{"));
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_chrome_trace(&self, writer: impl Write) -> io::Result<()> {
        let mut out = io::BufWriter::new(writer);
        let lanes = lanes(self.events());
        out.write_all(b"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")?;
        let mut processes = Vec::<(LaneKind, &str, &str)>::new();
        let mut between = "\n";
        for (thread, (lane, row, events)) in lanes.iter().enumerate() {
            let thread = thread + 1;
            // Queues and their transfers are one group.
            let group = match lane.kind {
                LaneKind::Thread => LaneKind::Thread,
                _ => LaneKind::Queue,
            };
            let process = (group, &*lane.place, &*lane.device_path);
            let known = processes.iter().position(|it| *it == process);
            if known.is_none() {
                processes.push(process);
            }
            let process = 1 + known.unwrap_or(processes.len() - 1);
            if known.is_none() {
                let name = quoted(&group_name(lane, &lanes));
                write!(
                    out,
                    "{between}{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{process},\
                     \"args\":{{\"name\":{name}}}}}"
                )?;
                between = ",\n";
            }
            let name = quoted(&match row {
                0 => lane.name.clone(),
                _ => format!("{} ({})", lane.name, row + 1),
            });
            write!(
                out,
                "{between}{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{process},\
                 \"tid\":{thread},\"args\":{{\"name\":{name}}}}},\n\
                 {{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":{process},\
                 \"tid\":{thread},\"args\":{{\"sort_index\":{thread}}}}}"
            )?;
            for event in events {
                write_event(&mut out, event, process, thread)?;
            }
        }
        out.write_all(b"\n]}\n")?;
        out.flush()
    }
}

fn write_event(
    out: &mut impl Write,
    event: &Event,
    process: usize,
    thread: usize,
) -> io::Result<()> {
    let activity = &event.activity;
    let mut details = Vec::new();
    details.extend(
        activity
            .domain()
            .map(|it| format!("\"domain\":{}", quoted(&it))),
    );
    details.extend(activity.bytes().map(|it| format!("\"bytes\":{it}")));
    details.extend(
        activity
            .was_cached()
            .map(|it| format!("\"from_cache\":{it}")),
    );
    write!(
        out,
        ",\n{{\"ph\":\"X\",\"name\":{},\"cat\":\"{}\",\"pid\":{process},\"tid\":{thread},\
         \"ts\":{},\"dur\":{},\"args\":{{{}}}}}",
        quoted(&activity.name()),
        activity.category(),
        microseconds(event.start),
        microseconds(event.duration),
        details.join(",")
    )
}

/// The name of a lane's group: its place, and where several devices have that one its path too.
fn group_name(lane: &Lane, lanes: &[(&Lane, usize, Vec<&Event>)]) -> String {
    let is_host_version =
        |other: &Lane| other.place == lane.place && other.device_path != lane.device_path;
    match lanes.iter().any(|(other, ..)| is_host_version(other)) {
        true => format!("{} [{}]", lane.place, lane.device_path),
        false => lane.place.clone(),
    }
}

/// The lanes in order, with the events of each; where events of a lane overlap it has
/// several rows.
fn lanes(events: &[Event]) -> Vec<(&Lane, usize, Vec<&Event>)> {
    let mut lanes = BTreeMap::<(&Lane, usize), Vec<&Event>>::new();
    for event in events {
        let end = |event: &Event| event.start + event.duration;
        let is_free = |row: &Vec<&Event>| row.last().is_none_or(|last| end(last) <= event.start);
        let mut row = 0;
        while !is_free(lanes.entry((&event.lane, row)).or_default()) {
            row += 1;
        }
        lanes.entry((&event.lane, row)).or_default().push(event);
    }
    let lanes = lanes.into_iter();
    lanes
        .map(|((lane, row), events)| (lane, row, events))
        .collect()
}

/// With three decimals, which are nanoseconds.
fn microseconds(time: Duration) -> String {
    let nanoseconds = time.as_nanos();
    format!("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000)
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            control if control < ' ' => quoted += &format!("\\u{:04x}", control as u32),
            other => quoted.push(other),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::types::event::Activity;

    #[test]
    fn strings_are_quoted() {
        assert_eq!(quoted("a\"b\\c\n×"), r#""a\"b\\c\u000a×""#);
        assert_eq!(microseconds(Duration::from_nanos(1_000_042)), "1000.042");
    }

    #[test]
    fn overlapping_events_get_further_rows() {
        let lane = Lane {
            kind: LaneKind::Transfers,
            place: "a GPU".into(),
            device_path: "vulkan:1".into(),
            name: "view 1".into(),
        };
        let event = |start, duration| Event {
            lane: lane.clone(),
            activity: Activity::Wait,
            start: Duration::from_nanos(start),
            duration: Duration::from_nanos(duration),
        };
        let events = [(0, 10), (2, 4), (6, 1), (6, 8), (10, 1)].map(|(a, b)| event(a, b));
        let rows = lanes(&events);
        let starts = rows.iter().map(|(_, row, events)| {
            let starts = events.iter().map(|event| event.start.as_nanos());
            (*row, starts.collect::<Vec<_>>())
        });
        let starts: Vec<_> = starts.collect();
        assert_eq!(starts, [(0, vec![0, 10]), (1, vec![2, 6]), (2, vec![6])]);
    }

    /// What runs on two devices of one name, and on their host, is in three groups.
    #[test]
    fn equal_devices_have_groups_of_their_own() {
        let event = |kind, place: &str, device_path: &str, name: &str| Event {
            lane: Lane {
                kind,
                place: place.into(),
                device_path: device_path.into(),
                name: name.into(),
            },
            activity: Activity::Wait,
            start: Duration::ZERO,
            duration: Duration::from_nanos(5),
        };
        let of_a_gpu = |path, view| event(LaneKind::Queue, "a GPU", path, view);
        let groups = |events: Vec<Event>| {
            let profile = Profile {
                begin: Instant::now(),
                duration: Duration::from_nanos(9),
                events,
            };
            let mut trace = Vec::new();
            profile.write_chrome_trace(&mut trace).unwrap();
            let trace = String::from_utf8(trace).unwrap();
            let names = trace.lines().filter(|line| line.contains("process_name"));
            let names = names.map(|line| line.split('"').rev().nth(1).unwrap().to_owned());
            names.collect::<Vec<_>>()
        };
        let both = vec![
            of_a_gpu("vulkan:1", "view 1"),
            of_a_gpu("vulkan:2", "view 2"),
            of_a_gpu("vulkan:1", "view 3"),
            event(LaneKind::Thread, "host", "", "main"),
        ];
        let one = vec![of_a_gpu("vulkan:1", "view 1"), both[3].clone()];
        assert_eq!(
            groups(both),
            ["a GPU [vulkan:1]", "a GPU [vulkan:2]", "host"]
        );
        assert_eq!(groups(one), ["a GPU", "host"]);
    }
}

//! Draws a profile as SVG: time from left to right, a row for each lane.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use amp::profile::{Activity, Event, Lane, Profile};

const WIDTH: f64 = 1000.0;
/// The x coordinate of the start.
const LEFT: f64 = 230.0;
const ROW: f64 = 34.0;
const BAR: f64 = 24.0;
const TOP: f64 = 34.0;
/// Width of a character.
const LETTER: f64 = 6.7;

/// The profile as SVG.
pub fn svg(profile: &Profile) -> String {
    let mut lanes = BTreeMap::<&Lane, Vec<&Event>>::new();
    for event in profile.events() {
        lanes.entry(&event.lane).or_default().push(event);
    }
    let height = TOP + ROW * lanes.len() as f64 + 8.0;
    let scale = (WIDTH - LEFT - 10.0) / profile.duration().as_secs_f64();
    let place = |time: Duration| LEFT + scale * time.as_secs_f64();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"monospace\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for part in 0..=5 {
        let time = profile.duration() * part / 5;
        let x = place(time);
        let label = match part {
            0 => "0".into(),
            _ => format!("{time:.1?}"),
        };
        svg += &format!(
            "<path d=\"M{x:.1} {TOP}V{height}\" stroke=\"#dddddd\"/>\n\
             <text x=\"{x:.1}\" y=\"20\" text-anchor=\"{}\" fill=\"#555555\">{label}</text>\n",
            if part == 5 { "end" } else { "middle" },
        );
    }
    for (row, (lane, events)) in lanes.into_iter().enumerate() {
        let y = TOP + ROW * row as f64;
        let _ = writeln!(
            svg,
            "<text x=\"6\" y=\"{:.1}\" fill=\"#222222\">{}<title>{}</title></text>",
            y + BAR / 2.0 + 9.0,
            escaped(&lane.name),
            escaped(&lane.place),
        );
        for event in events {
            let (x, end) = (place(event.start), place(event.start + event.duration));
            let name = escaped(&event.activity.name());
            // What is too short to be seen is shown as a line.
            let width = (end - x).max(1.0);
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{BAR}\" \
                 fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.5\">\
                 <title>{name}: {:.1?}</title></rect>",
                y + 5.0,
                color(&event.activity),
                event.duration,
            );
            if width > LETTER * name.len() as f64 + 4.0 {
                let _ = writeln!(
                    svg,
                    "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" \
                     pointer-events=\"none\">{name}</text>",
                    x + width / 2.0,
                    y + BAR / 2.0 + 9.0,
                );
            }
        }
    }
    svg + "</svg>\n"
}

fn color(activity: &Activity) -> &'static str {
    match activity {
        Activity::Launch { .. } => "#7fb3e6",
        Activity::Transfer { .. } => "#8fd19e",
        Activity::Staging { .. } => "#c9e8b0",
        Activity::Wait => "#e0c9a6",
        _ => "#d9a6d9",
    }
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

//! Bar charts of rates, in text and as SVG.

use std::fmt::Write;

/// Characters of the longest bar.
const COLUMNS: usize = 48;

/// A bar in the terminal for each rate.
pub fn bars(rates: &[(&str, f64)]) -> String {
    let widest = rates.iter().map(|(name, _)| name.chars().count()).max();
    let (widest, greatest) = (widest.unwrap_or(0), greatest(rates));
    let line = |(name, rate): &(&str, f64)| {
        let eighths = (rate / greatest * (8 * COLUMNS) as f64).round() as usize;
        let mut bar = "█".repeat(eighths / 8);
        bar.extend(['▏', '▎', '▍', '▌', '▋', '▊', '▉'].get((eighths % 8).wrapping_sub(1)));
        format!("{name:widest$} {bar} {rate:.1} GFLOP/s")
    };
    rates.iter().map(line).collect::<Vec<_>>().join("\n")
}

const WIDTH: f64 = 760.0;
const LEFT: f64 = 220.0;
const ROW: f64 = 30.0;
const TOP: f64 = 36.0;

/// The same as a picture.
pub fn svg(title: &str, rates: &[(&str, f64)]) -> String {
    let height = TOP + ROW * rates.len() as f64 + 6.0;
    let scale = (WIDTH - LEFT - 110.0) / greatest(rates);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\" fill=\"#222222\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"8\" y=\"20\">{}</text>\n",
        escaped(title)
    );
    for (row, (name, rate)) in rates.iter().enumerate() {
        let y = TOP + ROW * row as f64;
        let (text, width) = (y + 16.0, rate * scale);
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{text:.1}\" text-anchor=\"end\">{}</text>\n\
             <rect x=\"{LEFT}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"22\" fill=\"#7fb3e6\"/>\n\
             <text x=\"{:.1}\" y=\"{text:.1}\">{rate:.1} GFLOP/s</text>",
            LEFT - 8.0,
            escaped(name),
            LEFT + width + 6.0,
        );
    }
    svg + "</svg>\n"
}

fn greatest(rates: &[(&str, f64)]) -> f64 {
    rates
        .iter()
        .fold(f64::MIN_POSITIVE, |most, (_, rate)| most.max(*rate))
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

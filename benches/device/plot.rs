//! Charts of a run, as SVG: the roofline, products by size, and what launches cost.
//!
//! A chart is left out if the run has none of its cases.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::figures::{Figures, Run, Unit};

const SIZE: (u32, u32) = (860, 520);
const BLUE: RGBColor = RGBColor(31, 119, 180);
const ORANGE: RGBColor = RGBColor(235, 128, 30);
const GREEN: RGBColor = RGBColor(44, 140, 60);
const GREY: RGBColor = RGBColor(110, 110, 110);
const COLORS: [RGBColor; 4] = [BLUE, ORANGE, GREEN, GREY];

type Done = Result<bool, Box<dyn Error>>;
/// A chart by the end of its file's name.
type Chart = (&'static str, fn(&Run, &Path) -> Done);

const CHARTS: [Chart; 3] = [
    ("roofline", roofline),
    ("products", products),
    ("launches", launches),
];

/// Draws the charts of a run to a folder. Returns what the names of their files end with.
pub fn charts(run: &Run, folder: &Path, prefix: &str) -> Result<Vec<String>, Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let mut drawn = Vec::new();
    for (name, chart) in CHARTS {
        let file = format!("{prefix}{name}.svg");
        if chart(run, &folder.join(&file))? {
            drawn.push(file);
        }
    }
    Ok(drawn)
}

/// Where a label is, beside a point.
fn label(size: i32, at: HPos) -> TextStyle<'static> {
    let style = ("sans-serif", size).into_font().color(&BLACK.mix(0.8));
    style.pos(Pos::new(at, VPos::Center))
}

/// GFLOP/s over operations for each byte, below what memory and arithmetic allow: the best that any
/// version of any case got.
fn roofline(run: &Run, path: &Path) -> Done {
    let placed = || run.cases.iter().filter(|it| !it.name.contains('@'));
    let mut points: Vec<(&Figures, f64)> = placed()
        .filter_map(|case| Some((case, case.intensity?)))
        .collect();
    let best = |cases: &mut dyn Iterator<Item = &Figures>| {
        let values = cases.flat_map(|case| case.versions.iter().map(|it| it.value));
        values.fold(0.0, f64::max)
    };
    let is_stream = |case: &&Figures| case.unit == Unit::Bytes && case.intensity.is_some();
    let memory = best(&mut placed().filter(is_stream));
    let peak = best(&mut placed().filter(|it| it.unit == Unit::Flops));
    if points.is_empty() || memory == 0.0 || peak == 0.0 {
        return Ok(false);
    }
    let last = points.iter().fold(1.0, |most, (_, x)| f64::max(most, *x));
    let xs = 0.1..last * 6.0;
    let rate = |case: &Figures, intensity: f64, value: f64| match case.unit {
        Unit::Bytes => value * intensity,
        _ => value,
    };
    let least = points
        .iter()
        .map(|(case, x)| rate(case, *x, case.versions[0].value));
    let ys = least.fold(f64::MAX, f64::min) / 3.0..peak * 2.0;

    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(format!("{}: roofline", run.accelerator), ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(xs.clone().log_scale(), ys.log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("operations on floats for each byte of memory")
        .y_desc("GFLOP/s")
        .draw()?;
    let ridge = peak / memory;
    chart.draw_series(LineSeries::new(
        [(xs.start, xs.start * memory), (ridge, peak), (xs.end, peak)],
        GREY.stroke_width(2),
    ))?;
    chart.draw_series([Text::new(
        format!("{peak:.0} GFLOP/s, {memory:.0} GB/s"),
        (ridge, peak * 1.25),
        label(13, HPos::Center),
    )])?;
    // Labels of points above each other stand on both sides in turn, at least a line apart.
    points.sort_by(|(one, x), (other, y)| {
        let rates = (
            rate(one, *x, one.versions[0].value),
            rate(other, *y, other.versions[0].value),
        );
        x.total_cmp(y).then(rates.0.total_cmp(&rates.1))
    });
    let mut taken = [(0.0, i32::MAX); 2];
    for (number, (case, x)) in points.into_iter().enumerate() {
        if let Some(other) = case.value("GLSL") {
            let at = (x, rate(case, x, other));
            chart.draw_series([Circle::new(at, 5, ORANGE.stroke_width(2))])?;
        }
        let at = (x, rate(case, x, case.versions[0].value));
        chart.draw_series([Circle::new(at, 4, BLUE.filled())])?;
        let (side, away) = match number % 2 {
            0 => (HPos::Left, 9),
            _ => (HPos::Right, -9),
        };
        let (_, y) = chart.backend_coord(&at);
        let line = match taken[number % 2] {
            (other, last) if x < other * 1.3 => y.min(last.saturating_sub(13)),
            _ => y,
        };
        taken[number % 2] = (x, line);
        let name = Text::new(case.name.clone(), (away, line - y), label(12, side));
        chart.draw_series([EmptyElement::at(at) + name])?;
    }
    legend(&area, &["amp, checks on", "GLSL"], &[BLUE, ORANGE])?;
    area.present()?;
    Ok(true)
}

/// Names what the colours mean, below the caption.
fn legend<D: DrawingBackend>(
    area: &DrawingArea<D, plotters::coord::Shift>,
    names: &[&str],
    colors: &[RGBColor],
) -> Result<(), DrawingAreaErrorKind<D::ErrorType>> {
    for (line, (name, color)) in (0..).zip(names.iter().zip(colors)) {
        let y = 52 + 18 * line;
        area.draw(&Circle::new((96, y), 5, color.filled()))?;
        area.draw(&Text::new(
            (*name).to_owned(),
            (108, y),
            label(13, HPos::Left),
        ))?;
    }
    Ok(())
}

/// TFLOP/s over the size of the matrices: of cases whose names are `KERNEL@SIZE`.
fn products(run: &Run, path: &Path) -> Done {
    let mut lines: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
    for case in &run.cases {
        let Some((kernel, size)) = case.name.split_once('@') else {
            continue;
        };
        let rate = case.versions[0].value / 1e3;
        lines.entry(kernel).or_default().push((size.parse()?, rate));
    }
    let all = || lines.values().flatten().copied();
    let greatest = all().fold(0.0, |most, (_, rate)| f64::max(most, rate));
    if greatest == 0.0 {
        return Ok(false);
    }
    let largest = all().fold(0.0, |most, (size, _)| f64::max(most, size));
    let smallest = all().fold(largest, |least, (size, _)| f64::min(least, size));

    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(
            format!("{}: products of square matrices", run.accelerator),
            ("sans-serif", 18),
        )
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(
            (smallest..largest * 1.05).log_scale().base(2.0),
            0.0..greatest * 1.1,
        )?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("rows and columns")
        .y_desc("TFLOP/s")
        .x_label_formatter(&|x| format!("{x:.0}"))
        .draw()?;
    let colors = COLORS.into_iter().cycle();
    for (points, color) in lines.values().zip(colors) {
        chart.draw_series(LineSeries::new(points.clone(), color.stroke_width(2)))?;
        chart.draw_series(points.iter().map(|at| Circle::new(*at, 4, color.filled())))?;
    }
    let names: Vec<&str> = lines.keys().copied().collect();
    legend(&area, &names, &COLORS)?;
    area.present()?;
    Ok(true)
}

/// Microseconds of each version of the cases that have such figures, as bars.
fn launches(run: &Run, path: &Path) -> Done {
    let cases = run.cases.iter().filter(|it| it.unit == Unit::Microseconds);
    let bars: Vec<(String, f64, bool)> = cases
        .flat_map(|case| {
            case.versions.iter().map(move |it| {
                let is_own = Figures::is_own(&it.version);
                (format!("{}: {}", case.name, it.version), it.value, is_own)
            })
        })
        .collect();
    if bars.is_empty() {
        return Ok(false);
    }
    let longest = bars
        .iter()
        .fold(0.0, |most, (_, time, _)| f64::max(most, *time));
    let least = bars
        .iter()
        .fold(longest, |least, (_, time, _)| f64::min(least, *time));
    // A decade below the shortest, so that it is a bar.
    let times = (least / 4.0..longest * 3.0).log_scale();

    let height = 100 + 22 * bars.len() as u32;
    let area = SVGBackend::new(path, (SIZE.0, height)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(format!("{}: launches", run.accelerator), ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(260)
        .build_cartesian_2d(times.clone(), 0..bars.len())?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .light_line_style(TRANSPARENT)
        .x_desc("µs, on a logarithmic scale")
        .draw()?;
    for (row, (name, time, is_own)) in bars.iter().rev().enumerate() {
        let color = if *is_own { BLUE } else { ORANGE };
        let mut bar = Rectangle::new(
            [(least / 4.0, row), (*time, row + 1)],
            color.mix(0.7).filled(),
        );
        bar.set_margin(3, 3, 0, 0);
        chart.draw_series([bar])?;
        let text = EmptyElement::at((*time, row))
            + Text::new(format!("{time:.2}"), (6, -11), label(12, HPos::Left));
        chart.draw_series([text])?;
        let text = EmptyElement::at((least / 4.0, row))
            + Text::new(name.clone(), (-6, -11), label(12, HPos::Right));
        chart.draw_series([text])?;
    }
    area.present()?;
    Ok(true)
}

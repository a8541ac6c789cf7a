//! The figures of a page, from files that `--json` wrote.
//!
//! A page has comments that name a file and what to show of it:
//!
//! ```text
//! <!-- h200: goals -->
//! what was here is replaced
//! <!-- end -->
//! ```
//!
//! `PAGE.md` takes `h200.json` from the folder `PAGE` beside it, where the charts go, too. What can be
//! shown is `head`, `goals`, `cases`, `ratios` and `charts`.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::figures::Run;
use crate::goals::GOALS;
use crate::plot;

const END: &str = "<!-- end -->";

/// Fills in a page.
pub fn fill(page: &Path) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(page).map_err(|error| format!("{}: {error}", page.display()))?;
    let folder = page.with_extension("");
    let mut filled = String::new();
    let mut rest = text.as_str();
    while let Some((before, mark, after)) = next_mark(rest) {
        let (file, what) = mark;
        let (_, after) = after
            .split_once(END)
            .ok_or_else(|| format!("`{file}: {what}` has no `{END}`"))?;
        let shown = match file {
            // A file that is not there yet leaves a gap.
            _ if !folder.join(format!("{file}.json")).exists() => String::new(),
            _ => show(
                &Run::load(&folder.join(format!("{file}.json")))?,
                file,
                what,
                &folder,
            )?,
        };
        write!(filled, "{before}<!-- {file}: {what} -->\n{shown}{END}")?;
        rest = after;
    }
    filled += rest;
    Ok(fs::write(page, filled)?)
}

/// What stands before a mark, its file and what it shows, and what stands behind it.
fn next_mark(text: &str) -> Option<(&str, (&str, &str), &str)> {
    let (before, from) = text.split_once("<!-- ")?;
    let (mark, after) = from.split_once(" -->")?;
    Some((before, mark.split_once(": ")?, after))
}

fn show(run: &Run, file: &str, what: &str, folder: &Path) -> Result<String, Box<dyn Error>> {
    match what {
        "head" => Ok(format!("{run}.\n")),
        "goals" => Ok(goals(run)),
        "cases" => Ok(cases(run)),
        "ratios" => Ok(ratios(run)),
        "charts" => {
            let name = folder.file_name().unwrap_or_default().display();
            let charts = plot::charts(run, folder, &format!("{file}-"))?;
            let images = charts.iter().map(|it| format!("![{it}]({name}/{it})\n"));
            Ok(images.collect::<Vec<_>>().join("\n"))
        }
        _ => Err(format!("`{what}` cannot be shown").into()),
    }
}

fn goals(run: &Run) -> String {
    let mut table = String::from("| case | amp | beside it | goal | |\n|---|---|---|---|---|\n");
    for goal in GOALS {
        let cells = goal.judged(run).map_or_else(
            || "not measured | | | ".to_owned(),
            |cells| cells.join(" | "),
        );
        let _ = writeln!(table, "| {} | {cells} |", goal.what);
    }
    table
}

/// All figures, each version under its name.
fn cases(run: &Run) -> String {
    let mut table = String::from("| case | figures |\n|---|---|\n");
    for case in run.cases.iter().filter(|it| !it.name.contains('@')) {
        let figures = case.versions.iter();
        let figures: Vec<String> = figures
            .map(|it| format!("{} {}", it.version, case.unit.text(it.value)))
            .collect();
        let _ = writeln!(table, "| {} | {} |", case.name, figures.join(", "));
    }
    table
}

/// How good amp is beside what else the cases have.
fn ratios(run: &Run) -> String {
    let mut table = String::from("| case | amp | beside it | ratio |\n|---|---|---|---|\n");
    for case in run.cases.iter().filter(|it| !it.name.contains('@')) {
        let (Some(other), Some(first)) = (case.other(), case.versions.first()) else {
            continue;
        };
        let ratio = case.ratio().unwrap_or_default();
        let _ = writeln!(
            table,
            "| {} | {} | {} {} | {ratio:.2} |",
            case.name,
            case.unit.text(first.value),
            other.version,
            case.unit.text(other.value),
        );
    }
    table
}

//! rustc's messages, made independent of the machine and of line numbers outside of the program.

use std::path::Path;

/// Messages of rustc about a program in the folder `ui`, without the lines that only count them.
pub fn normalised(output: &str, program: &str, workspace: &Path) -> String {
    let output = output
        .replace(&format!("{}/", workspace.display()), "$WORKSPACE/")
        .replace("tests/ui/", "ui/");
    let messages = output.split("\n\n").map(str::trim_end);
    let messages = messages.filter(|message| !message.is_empty() && !is_summary(message));
    let messages: Vec<String> = messages
        .map(|message| normalised_message(message, program))
        .collect();
    messages.join("\n\n") + "\n"
}

fn is_summary(message: &str) -> bool {
    [
        "error: aborting due to",
        "For more information about",
        "Some errors have detailed explanations",
    ]
    .iter()
    .any(|start| message.starts_with(start))
}

/// How many types of a list are shown: the list grows with amp.
const LISTED: usize = 8;

/// A message without the line numbers of other files, and with a gutter as wide as the numbers
/// that are left.
fn normalised_message(message: &str, program: &str) -> String {
    let mut is_foreign = false;
    let mut types = 0;
    let mut lines = Vec::new();
    for line in message.lines().map(str::trim_end) {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        types = match types {
            0 if line.contains("the following other types implement trait") => 1,
            1.. if indent > 8 => types + 1,
            _ => 0,
        };
        if types > LISTED + 1 {
            if types == LISTED + 2 {
                lines.push(format!("{:1$}and $N others", "", indent - 2));
            }
            continue;
        }
        if let Some((arrow, place)) = text.split_once(' ')
            && matches!(arrow, "-->" | ":::")
        {
            let file;
            (file, is_foreign) = file_of(place, program);
            lines.push(format!("{:indent$}{arrow} {file}", ""));
            continue;
        }
        is_foreign &= !is_label(line);
        let number = digits(text);
        lines.push(match is_foreign {
            true => format!("{:1$}{2}", "", indent + number, &text[number..]),
            false => line.to_owned(),
        });
    }
    narrowed(lines)
}

/// Lines with as many fewer spaces before the gutter as their line numbers leave free.
fn narrowed(mut lines: Vec<String>) -> String {
    let places = lines.iter().filter_map(|line| line.find("--> "));
    let width = places.min().unwrap_or(0);
    let numbers = lines.iter().map(|line| digits(line.trim_start()));
    let surplus = width.saturating_sub(numbers.max().unwrap_or(0).max(1));
    let mut is_text = true;
    for line in &mut lines {
        let start = line.trim_start();
        is_text = is_label(line) || is_text && start != "|" && !start.starts_with("--> ");
        let spaces = if line.starts_with("...") { 3 } else { 0 };
        if !is_text && line[spaces..].starts_with(&" ".repeat(surplus)) {
            line.replace_range(spaces..spaces + surplus, "");
        }
    }
    lines.join("\n")
}

/// Whether a line begins a part of a message.
fn is_label(line: &str) -> bool {
    line.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// How many digits the number of a line has that begins a line of a message.
fn digits(text: &str) -> usize {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_gutter = [" |", " +", " -", " ~"]
        .iter()
        .any(|bar| rest.starts_with(bar));
    if is_gutter {
        text.len() - rest.len()
    } else {
        0
    }
}

/// A place in the program as it is, and of one elsewhere the file.
fn file_of(place: &str, program: &str) -> (String, bool) {
    if place.starts_with(&format!("ui/{program}:")) {
        return (place.to_owned(), false);
    }
    let file = place.trim_end_matches(|c: char| c.is_ascii_digit() || c == ':');
    let file = match file.split_once("/library/") {
        Some((_, of_std)) => format!("$RUST/{of_std}"),
        None if file.starts_with("$") || file.starts_with("ui/") => file.to_owned(),
        None => format!("$WORKSPACE/{file}"),
    };
    (file, true)
}

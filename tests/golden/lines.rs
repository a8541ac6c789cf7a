//! Lines that a text must have, in order, and lines that it must not have between them.
//!
//! A pattern is the end of a line of the text; `..` in it stands for anything. After `!` it
//! must not occur between the lines that the patterns before and after it are found in.

/// Compares a text with a list of patterns, one a line.
#[track_caller]
pub fn expect(text: &str, patterns: &str) {
    if let Err(wrong) = find(text, patterns) {
        panic!("{wrong} in\n{text}");
    }
}

fn find(text: &str, patterns: &str) -> Result<(), String> {
    let mut lines = text.lines();
    let mut banned = Vec::new();
    for pattern in patterns.lines().map(str::trim).filter(|it| !it.is_empty()) {
        if let Some(pattern) = pattern.strip_prefix('!') {
            banned.push(pattern);
            continue;
        }
        loop {
            let line = lines.next().ok_or(format!("no further `{pattern}`"))?;
            if matches(line, pattern) {
                break;
            }
            allow(line, &banned)?;
        }
        banned.clear();
    }
    lines.try_for_each(|line| allow(line, &banned))
}

fn allow(line: &str, banned: &[&str]) -> Result<(), String> {
    match banned.iter().find(|pattern| matches(line, pattern)) {
        Some(pattern) => Err(format!("`{line}` is like `{pattern}`")),
        None => Ok(()),
    }
}

fn matches(line: &str, pattern: &str) -> bool {
    let mut pieces: Vec<&str> = pattern.split("..").map(str::trim).collect();
    let last = pieces.pop().unwrap_or_default();
    let Some(mut rest) = line.strip_suffix(last) else {
        return false;
    };
    pieces.iter().all(|piece| {
        let found = rest.split_once(piece);
        rest = found.map_or(rest, |(_, after)| after);
        found.is_some()
    })
}

#[test]
fn patterns_are_found_in_order() {
    let text = "%1 = OpLoad %a None\nOpStore %b %1\nOpReturn";
    assert_eq!(find(text, "OpLoad .. None\n!OpLoad ..\nOpReturn"), Ok(()));
    let wrong = |patterns| find(text, patterns).unwrap_err();
    assert_eq!(wrong("OpStore ..\nOpLoad .."), "no further `OpLoad ..`");
    assert_eq!(wrong("OpLoad %a"), "no further `OpLoad %a`");
    assert_eq!(
        wrong("!OpStore .. %1\nOpReturn"),
        "`OpStore %b %1` is like `OpStore .. %1`"
    );
    assert_eq!(
        wrong("OpLoad ..\n!OpReturn"),
        "`OpReturn` is like `OpReturn`"
    );
}

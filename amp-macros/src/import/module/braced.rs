//! The braces of a source file, to find the module or block that a place stands in: tokens that are read from
//! text have no places.

use std::ops::Range;

use crate::position::Position;

/// A text with the pairs of braces that are no parts of comments and literals.
pub(super) struct Braced {
    text: String,
    /// What stands between the braces of each pair.
    pairs: Vec<Range<usize>>,
}

impl Braced {
    pub fn new(text: String) -> Self {
        let pairs = pairs(&text);
        Self { text, pairs }
    }

    /// What stands in the innermost braces around a place, or the whole text, and where it starts.
    pub fn around(&self, place: &Position) -> Option<(usize, &str)> {
        let innermost = self
            .pairs_around(place)?
            .first()
            .map(|pair| (*pair).clone());
        let range = innermost.unwrap_or(0..self.text.len());
        Some((range.start, &self.text[range]))
    }

    /// The names of the modules that a place stands in, the outermost first, if no other braces are around it.
    pub fn modules_around(&self, place: &Position) -> Option<Vec<&str>> {
        let name = |pair: &&Range<usize>| {
            let head = self.text[..pair.start - 1].trim_end();
            let (before, name) = head.rsplit_once(char::is_whitespace)?;
            let before = before.trim_end().strip_suffix("mod")?;
            (!before.ends_with(is_word)).then_some(name)
        };
        self.pairs_around(place)?.iter().rev().map(name).collect()
    }

    /// The pairs of braces around a place, the innermost first.
    fn pairs_around(&self, place: &Position) -> Option<Vec<&Range<usize>>> {
        let mut lines = self.text.split_inclusive('\n');
        let before: usize = lines.by_ref().take(place.line - 1).map(str::len).sum();
        let (column, _) = lines.next()?.char_indices().nth(place.column - 1)?;
        let around = self.pairs.iter();
        let mut around: Vec<&Range<usize>> = around
            .filter(|pair| pair.contains(&(before + column)))
            .collect();
        around.sort_by_key(|pair| pair.len());
        Some(around)
    }
}

fn pairs(text: &str) -> Vec<Range<usize>> {
    let (mut open, mut pairs) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(token) = text[at..].chars().next() {
        let rest = &text[at..];
        at += match token {
            '{' => {
                open.push(at + 1);
                1
            }
            '}' => {
                pairs.extend(open.pop().map(|start| start..at));
                1
            }
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => comment(rest),
            '"' => quoted(rest),
            '\'' => apostrophe(rest),
            _ if is_word(token) => word(rest),
            token => token.len_utf8(),
        };
    }
    pairs
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The length of a comment, which may have others in it.
fn comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        let step = match rest {
            [b'/', b'*', ..] => 1,
            [b'*', b'/', ..] => -1,
            _ => 0,
        };
        depth += step;
        at += if step == 0 { 1 } else { 2 };
        if depth == 0 {
            break;
        }
    }
    at
}

/// The length of what a quotation mark begins.
fn quoted(text: &str) -> usize {
    let mark = text.chars().next();
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => {
                letters.next();
            }
            letter if Some(letter) == mark => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a character, or the apostrophe of a lifetime.
fn apostrophe(text: &str) -> usize {
    let mut letters = text.chars().skip(1);
    match (letters.next(), letters.next()) {
        (Some('\\'), _) | (_, Some('\'')) => quoted(text),
        _ => 1,
    }
}

/// The length of a word, with the raw string that it may begin.
fn word(text: &str) -> usize {
    let end = text.find(|letter| !is_word(letter)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let marks = rest.len() - rest.trim_start_matches('#').len();
    if !matches!(name, "r" | "br" | "cr") || !rest[marks..].starts_with('"') {
        return end;
    }
    let close = format!("\"{}", &rest[..marks]);
    let start = end + marks + 1;
    let length = text[start..].find(&close);
    length.map_or(text.len(), |length| start + length + close.len())
}

#[cfg(test)]
mod tests {
    use super::{Braced, pairs};
    use crate::position::Position;

    fn inner(text: &str) -> Vec<&str> {
        pairs(text).into_iter().map(|pair| &text[pair]).collect()
    }

    #[test]
    fn braces_in_comments_and_literals_do_not_count() {
        let text = "mod a { // }\n /* { /* } */ { */ const C: char = '{'; const D: char = '\\''; }";
        assert_eq!(inner(text).len(), 1, "{:?}", inner(text));
        let text = r##"fn f<'a>(x: &'a str) { g("}\"}", r"}", br#"}"}"#, b'{', r#fn, "ä", 'ä') } fn h() {}"##;
        assert_eq!(inner(text).len(), 2, "{:?}", inner(text));
    }

    #[test]
    fn modules_are_those_around() {
        let braced = Braced::new("mod a { fn f() { g } pub mod b\n{ fn h() {} } }".to_owned());
        let at = |line, column| {
            let file = String::new();
            braced.modules_around(&Position { file, line, column })
        };
        assert_eq!(at(1, 12), Some(vec!["a"]));
        assert_eq!(at(1, 18), None);
        assert_eq!(at(2, 6), Some(vec!["a", "b"]));
        assert_eq!(at(1, 1), Some(Vec::new()));
    }

    #[test]
    fn each_pair_has_what_stands_in_it() {
        assert_eq!(inner("a { b { c } d } e {}"), [" c ", " b { c } d ", ""]);
        assert_eq!(inner("} { x"), Vec::<&str>::new());
    }
}

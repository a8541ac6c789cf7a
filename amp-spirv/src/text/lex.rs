//! Tokens of the text form.

use std::fmt;

use super::Result;

/// Why a text is no module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: u32,
    /// What was expected there, and what was found.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    Word(String),
    Text(String),
    /// As it is written: whether it is an integer or a float depends on where it is.
    Number(String),
    /// `%`, `$`, `@`, `#` or `'`, and a number.
    Id(char, u32),
    /// `.` and a number.
    Field(u32),
    Sign(char),
}

/// The tokens of a text, each with its line.
pub(crate) struct Tokens {
    list: Vec<(Token, u32)>,
    next: usize,
}

impl Tokens {
    pub fn of(text: &str) -> Result<Self> {
        let mut list = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            let mut rest = line.trim_start();
            while !rest.is_empty() && !rest.starts_with("//") {
                let (token, after) = token(rest).ok_or_else(|| ParseError {
                    line: number,
                    message: format!("`{rest}` starts with no token"),
                })?;
                list.push((token, number));
                rest = after.trim_start();
            }
        }
        Ok(Tokens { list, next: 0 })
    }

    /// The line of the next token; that of the last one at the end.
    pub fn line(&self) -> u32 {
        self.line_of(self.next)
    }

    fn line_of(&self, token: usize) -> u32 {
        let at = token.min(self.list.len().saturating_sub(1));
        self.list.get(at).map_or(1, |(_, line)| *line)
    }

    /// Something is wrong with what was read last.
    pub fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(ParseError {
            line: self.line_of(self.next.saturating_sub(1)),
            message: message.into(),
        })
    }

    pub fn peek(&self) -> Option<&Token> {
        self.list.get(self.next).map(|(token, _)| token)
    }

    /// Whether the next token is in the line of the one before it.
    pub fn in_line(&self) -> bool {
        let line = |at: usize| self.list.get(at).map(|(_, line)| *line);
        self.next > 0 && line(self.next).is_some() && line(self.next) == line(self.next - 1)
    }

    pub fn at_end(&self) -> bool {
        self.next == self.list.len()
    }

    fn taken<T>(&mut self, of: impl Fn(&Token) -> Option<T>) -> Option<T> {
        let found = of(self.peek()?);
        self.next += usize::from(found.is_some());
        found
    }

    fn wanted<T>(&self, found: Option<T>, what: &str) -> Result<T> {
        found.ok_or_else(|| ParseError {
            line: self.line(),
            message: match self.peek() {
                Some(token) => format!("expected {what}, found {token:?}"),
                None => format!("expected {what}, found the end"),
            },
        })
    }

    pub fn takes_sign(&mut self, sign: char) -> bool {
        self.taken(|it| (*it == Token::Sign(sign)).then_some(()))
            .is_some()
    }

    pub fn takes_word(&mut self, word: &str) -> bool {
        let is_it = |it: &Token| matches!(it, Token::Word(found) if found == word).then_some(());
        self.taken(is_it).is_some()
    }

    /// An id with a sigil, if it is next.
    pub fn takes_id(&mut self, sigil: char) -> Option<u32> {
        self.taken(|it| match it {
            Token::Id(found, number) if *found == sigil => Some(*number),
            _ => None,
        })
    }

    pub fn takes_field(&mut self) -> Option<u32> {
        self.taken(|it| match it {
            Token::Field(number) => Some(*number),
            _ => None,
        })
    }

    pub fn takes_any_word(&mut self) -> Option<String> {
        self.taken(|it| match it {
            Token::Word(word) => Some(word.clone()),
            _ => None,
        })
    }

    pub fn sign(&mut self, sign: char) -> Result<()> {
        let found = self.takes_sign(sign).then_some(());
        self.wanted(found, &format!("`{sign}`"))
    }

    pub fn word(&mut self) -> Result<String> {
        let found = self.takes_any_word();
        self.wanted(found, "a word")
    }

    pub fn text(&mut self) -> Result<String> {
        let found = self.taken(|it| match it {
            Token::Text(text) => Some(text.clone()),
            _ => None,
        });
        self.wanted(found, "a text in quotes")
    }

    /// A name: a word, a text in quotes, or nothing.
    pub fn name(&mut self) -> String {
        let found = self.taken(|it| match it {
            Token::Word(text) | Token::Text(text) => Some(text.clone()),
            _ => None,
        });
        found.unwrap_or_default()
    }

    pub fn id(&mut self, sigil: char) -> Result<u32> {
        let found = self.takes_id(sigil);
        self.wanted(found, &format!("`{sigil}` and a number"))
    }

    pub fn number_text(&mut self) -> Result<String> {
        let found = self.taken(|it| match it {
            Token::Number(text) => Some(text.clone()),
            _ => None,
        });
        self.wanted(found, "a number")
    }

    pub fn number(&mut self) -> Result<u32> {
        let text = self.number_text()?;
        let number = text.parse().ok();
        self.wanted(number, "a number below 2^32")
    }
}

/// The first token of a text, and the text after it.
fn token(text: &str) -> Option<(Token, &str)> {
    let first = text.chars().next()?;
    let after = &text[first.len_utf8()..];
    let digits = |text: &str| {
        text.len()
            - text
                .trim_start_matches(|it: char| it.is_ascii_digit())
                .len()
    };
    match first {
        '%' | '$' | '@' | '#' | '\'' => {
            let (number, after) = after.split_at(digits(after));
            Some((Token::Id(first, number.parse().ok()?), after))
        }
        '.' if digits(after) > 0 => {
            let (number, after) = after.split_at(digits(after));
            Some((Token::Field(number.parse().ok()?), after))
        }
        '"' => quoted(after),
        '-' | '0'..='9' if first != '-' || digits(after) > 0 => {
            let mut before = first;
            let end = after.find(|it: char| {
                let goes_on =
                    it.is_ascii_alphanumeric() || it == '.' || (it == '-' && before == 'e');
                before = it;
                !goes_on
            });
            let (number, after) = text.split_at(first.len_utf8() + end.unwrap_or(after.len()));
            Some((Token::Number(number.to_owned()), after))
        }
        'a'..='z' | 'A'..='Z' | '_' => {
            let end = text.find(|it: char| !it.is_ascii_alphanumeric() && it != '_');
            let (word, after) = text.split_at(end.unwrap_or(text.len()));
            Some((Token::Word(word.to_owned()), after))
        }
        sign if sign.is_ascii_punctuation() => Some((Token::Sign(sign), after)),
        _ => None,
    }
}

/// A text in quotes from behind the first of them, as `Debug` writes it.
fn quoted(text: &str) -> Option<(Token, &str)> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, next)) = chars.next() {
        match next {
            '"' => return Some((Token::Text(value), &text[at + 1..])),
            '\\' => value.push(match chars.next()?.1 {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                '0' => '\0',
                'u' => {
                    let (from, _) = chars.next()?;
                    let (to, _) = chars.by_ref().find(|(_, it)| *it == '}')?;
                    char::from_u32(u32::from_str_radix(&text[from + 1..to], 16).ok()?)?
                }
                other => other,
            }),
            other => value.push(other),
        }
    }
    None
}

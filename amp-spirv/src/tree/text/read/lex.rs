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
    /// As it is written, with its type if that stands behind it: whether it is an integer or a
    /// float depends on where it is.
    Number(String),
    /// `%`, `$`, `@`, `#` or `'`, and a number.
    Id(char, u32),
    /// `.` and a number.
    Field(u32),
    Sign(char),
}

/// Where a token is.
#[derive(Clone, Copy)]
struct At {
    line: u32,
    column: u32,
    /// Nothing is between it and the token before it.
    joined: bool,
}

/// The tokens of a text.
pub(crate) struct Tokens {
    list: Vec<(Token, At)>,
    next: usize,
}

impl Tokens {
    pub fn of(text: &str) -> Result<Self> {
        let mut list: Vec<(Token, At)> = Vec::new();
        for (text, line) in text.lines().zip(1..) {
            let mut rest = text.trim_start();
            let mut joined = false;
            while !rest.is_empty() && !rest.starts_with("//") {
                let behind_dot = joined && matches!(list.last(), Some((Token::Sign('.'), _)));
                let (token, after) = token(rest, behind_dot).ok_or_else(|| ParseError {
                    line,
                    message: format!("`{rest}` starts with no token"),
                })?;
                let column = (text.len() - rest.len()) as u32 + 1;
                let at = At {
                    line,
                    column,
                    joined,
                };
                list.push((token, at));
                rest = after.trim_start();
                joined = rest.len() == after.len();
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
        self.list.get(at).map_or(1, |(_, at)| at.line)
    }

    /// Something is wrong with what was read last.
    pub fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(ParseError {
            line: self.line_of(self.next.saturating_sub(1)),
            message: message.into(),
        })
    }

    /// Line and column of the next token.
    pub fn place(&self) -> (u32, u32) {
        let at = self.list.get(self.next).or(self.list.last());
        at.map_or((1, 1), |(_, at)| (at.line, at.column))
    }

    pub fn peek(&self) -> Option<&Token> {
        self.peek_at(0)
    }

    /// The token this far behind the next one.
    pub fn peek_at(&self, behind: usize) -> Option<&Token> {
        self.list.get(self.next + behind).map(|(token, _)| token)
    }

    /// An id that is next, or behind the word that is its name: how many
    /// tokens it takes, and the id.
    pub fn named_id(&self, sigil: char) -> Option<(usize, u32)> {
        let named = matches!(self.peek(), Some(Token::Word(_)))
            && self
                .list
                .get(self.next + 1)
                .is_some_and(|(_, at)| at.joined);
        match self.peek_at(usize::from(named)) {
            Some(Token::Id(found, id)) if *found == sigil => Some((1 + usize::from(named), *id)),
            _ => None,
        }
    }

    pub fn skip(&mut self, tokens: usize) {
        self.next += tokens;
    }

    /// Whether an operator of some signs is next, which is no part of a longer one.
    pub fn takes_operator(&mut self, operator: &str) -> bool {
        let mut signs = operator.chars().zip(self.next..);
        let is_next = signs.all(|(sign, at)| match self.list.get(at) {
            Some((token, place)) => {
                *token == Token::Sign(sign) && (place.joined || at == self.next)
            }
            None => false,
        });
        let goes_on = match self.list.get(self.next + operator.len()) {
            Some((Token::Sign(sign), at)) => {
                at.joined && matches!(sign, '=' | '&' | '|' | '<' | '>')
            }
            _ => false,
        };
        let found = is_next && !goes_on;
        if found {
            self.next += operator.len();
        }
        found
    }

    /// Whether the next token is in the line of the one before it.
    pub fn in_line(&self) -> bool {
        let line = |at: usize| self.list.get(at).map(|(_, at)| at.line);
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

/// The first token of a text, and the text after it. Behind a dot are no fields.
fn token(text: &str, behind_dot: bool) -> Option<(Token, &str)> {
    let first = text.chars().next()?;
    let after = &text[first.len_utf8()..];
    let digits = |text: &str| {
        text.len()
            - text
                .trim_start_matches(|it: char| it.is_ascii_digit())
                .len()
    };
    match first {
        '%' | '$' | '@' | '#' | '\'' if digits(after) > 0 => {
            let (number, after) = after.split_at(digits(after));
            Some((Token::Id(first, number.parse().ok()?), after))
        }
        '.' if digits(after) > 0 && !behind_dot => {
            let (number, after) = after.split_at(digits(after));
            Some((Token::Field(number.parse().ok()?), after))
        }
        '"' => quoted(after),
        '-' | '0'..='9' if first != '-' || digits(after) > 0 => {
            let mut before = first;
            let end = after.char_indices().find(|(at, it)| {
                let goes_on = match it {
                    '.' => digits(&after[at + 1..]) > 0,
                    '-' => before == 'e',
                    it => it.is_ascii_alphanumeric(),
                };
                before = *it;
                !goes_on
            });
            let end = end.map(|(at, _)| at);
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

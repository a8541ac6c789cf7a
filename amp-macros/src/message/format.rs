//! Format strings: which arguments they name, and how each is formatted.
//!
//! [`Format::parse`] follows the grammar of `std::fmt` and writes the string anew with
//! every argument named by its number, so that its reader needs no names: explicit
//! arguments have the first numbers, in order, variables that the string captures the
//! next ones. What the text looks like is never decided here: rustc formats.

use std::{iter::Peekable, str::Chars};

/// How an argument is formatted, named as the traits of `std::fmt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trait {
    Display,
    Debug,
    /// `Debug` with a line for each part.
    PrettyDebug,
    LowerHex,
    UpperHex,
    Octal,
    Binary,
    LowerExp,
    UpperExp,
}

impl Trait {
    /// The type part of a specification that means it.
    fn of(text: &str) -> Option<Self> {
        Some(match text {
            "" => Self::Display,
            "?" | "x?" | "X?" => Self::Debug,
            "x" => Self::LowerHex,
            "X" => Self::UpperHex,
            "o" => Self::Octal,
            "b" => Self::Binary,
            "e" => Self::LowerExp,
            "E" => Self::UpperExp,
            _ => return None,
        })
    }
}

/// What a format string does with an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Formats it.
    Value(usize, Trait),
    /// Takes it as a width or precision.
    Count(usize),
}

/// A format string whose arguments are numbers.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Format {
    /// The string, to be given the explicit arguments and then the captures.
    pub text: String,
    /// Variables that it captures, in the order of their numbers.
    pub captures: Vec<String>,
    /// What it does, in order.
    pub uses: Vec<Use>,
}

impl Format {
    /// Reads a format string that is given so many unnamed arguments and then these
    /// named ones; the first of them gets the number `first`.
    pub fn parse(
        text: &str,
        first: usize,
        unnamed: usize,
        names: &[String],
    ) -> Result<Self, String> {
        let mut parser = Parser {
            rest: text.chars().peekable(),
            first,
            unnamed,
            names,
            next: 0,
            format: Format::default(),
        };
        parser.text()?;
        let format = parser.format;
        let is_used = |number: usize| {
            format.uses.iter().any(|used| match used {
                Use::Value(other, _) | Use::Count(other) => *other == first + number,
            })
        };
        match (0..unnamed + names.len()).find(|number| !is_used(*number)) {
            None => Ok(format),
            Some(number) => Err(match number.checked_sub(unnamed) {
                Some(name) => format!("the argument `{}` is never used", names[name]),
                None => format!("argument {number} is never used"),
            }),
        }
    }
}

/// A part of a format string whose arguments are numbers.
pub enum Piece {
    /// Text, with its braces doubled.
    Text(String),
    /// An argument, and how it is formatted.
    Argument(usize, String),
}

/// The parts of a format string that [`Format::parse`] has written.
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text.chars().peekable();
    let mut verbatim = String::new();
    while let Some(char) = rest.next() {
        verbatim.push(char);
        match char {
            '{' | '}' if rest.peek() == Some(&char) => verbatim.extend(rest.next()),
            '{' => {
                verbatim.pop();
                pieces.push(Piece::Text(std::mem::take(&mut verbatim)));
                let mut number = String::new();
                while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                    number.push(digit);
                }
                let mut spec = String::new();
                if rest.next_if_eq(&':').is_some()
                    && matches!(rest.clone().nth(1), Some('<' | '^' | '>'))
                {
                    // What fills may be a brace.
                    spec.extend(rest.next());
                }
                while let Some(char) = rest.next_if(|char| *char != '}') {
                    spec.push(char);
                }
                rest.next();
                pieces.push(Piece::Argument(number.parse().unwrap_or(0), spec));
            }
            _ => {}
        }
    }
    pieces.push(Piece::Text(verbatim));
    pieces
}

struct Parser<'a> {
    rest: Peekable<Chars<'a>>,
    /// Number of the first argument.
    first: usize,
    unnamed: usize,
    names: &'a [String],
    /// Number of the argument that the next `{}` takes.
    next: usize,
    format: Format,
}

impl Parser<'_> {
    fn text(&mut self) -> Result<(), String> {
        while let Some(char) = self.rest.next() {
            self.format.text.push(char);
            match char {
                '{' | '}' if self.rest.peek() == Some(&char) => {
                    self.rest.next();
                    self.format.text.push(char);
                }
                '{' => self.argument()?,
                '}' => return Err("a `}` stands alone; as text it is written `}}`".into()),
                _ => {}
            }
        }
        Ok(())
    }

    /// What stands after `{`, to the `}`.
    fn argument(&mut self) -> Result<(), String> {
        let named = self.word();
        let mut spec = String::new();
        let mut how = Trait::Display;
        if self.take(':') {
            how = self.spec(&mut spec)?;
        }
        while self.rest.next_if(|char| char.is_whitespace()).is_some() {}
        if !self.take('}') {
            return Err(match self.rest.peek() {
                Some(char) => format!("a `}}` is missing before `{char}`"),
                None => "a `{` without its `}`; as text it is written `{{`".into(),
            });
        }
        let number = match named.as_str() {
            "" => self.following()?,
            word => self.number(word)?,
        };
        self.format.uses.push(Use::Value(number, how));
        self.format.text += &number.to_string();
        if !spec.is_empty() {
            self.format.text.push(':');
            self.format.text += &spec;
        }
        self.format.text.push('}');
        Ok(())
    }

    /// What stands after `:`, written anew to `spec`.
    fn spec(&mut self, spec: &mut String) -> Result<Trait, String> {
        let mut ahead = self.rest.clone();
        let (first, second) = (ahead.next(), ahead.next());
        let is_align = |char: Option<char>| matches!(char, Some('<' | '^' | '>'));
        let aligned = match (is_align(second), is_align(first)) {
            (true, _) => 2,
            (false, true) => 1,
            (false, false) => 0,
        };
        spec.extend(self.rest.by_ref().take(aligned));
        let mut is_pretty = false;
        for flag in ['+', '-', '#'] {
            if self.take(flag) {
                spec.push(flag);
                is_pretty = flag == '#';
            }
        }
        let mut ahead = self.rest.clone();
        if ahead.next() == Some('0') && ahead.next() != Some('$') {
            self.rest.next();
            spec.push('0');
        }
        self.count(spec)?;
        if self.take('.') {
            spec.push('.');
            if self.take('*') {
                let number = self.following()?;
                self.count_of(number, spec);
            } else if !self.count(spec)? {
                return Err("a precision is missing after `.`".into());
            }
        }
        let mut how = self.word();
        if self.take('?') {
            how.push('?');
        }
        spec.push_str(&how);
        match Trait::of(&how) {
            Some(Trait::Debug) if is_pretty => Ok(Trait::PrettyDebug),
            Some(how) => Ok(how),
            None => Err(format!("kernels have no format `{{:{how}}}`")),
        }
    }

    /// A width or precision, if one stands here.
    fn count(&mut self, spec: &mut String) -> Result<bool, String> {
        let before = self.rest.clone();
        let word = self.word();
        if !word.is_empty() && self.take('$') {
            let number = self.number(&word)?;
            self.count_of(number, spec);
            return Ok(true);
        }
        self.rest = before;
        let mut any = false;
        while let Some(digit) = self.rest.next_if(char::is_ascii_digit) {
            spec.push(digit);
            any = true;
        }
        Ok(any)
    }

    fn count_of(&mut self, number: usize, spec: &mut String) {
        self.format.uses.push(Use::Count(number));
        *spec += &format!("{number}$");
    }

    /// A name or number.
    fn word(&mut self) -> String {
        let mut word = String::new();
        let starts_with_digit = self.rest.peek().is_some_and(char::is_ascii_digit);
        let belongs = |char: &char| match starts_with_digit {
            true => char.is_ascii_digit(),
            false => char.is_alphanumeric() || *char == '_',
        };
        while let Some(char) = self.rest.next_if(belongs) {
            word.push(char);
        }
        word
    }

    fn take(&mut self, wanted: char) -> bool {
        self.rest.next_if_eq(&wanted).is_some()
    }

    /// The argument that the next `{}` or `.*` takes.
    fn following(&mut self) -> Result<usize, String> {
        self.next += 1;
        self.explicit(self.next - 1)
    }

    fn explicit(&self, number: usize) -> Result<usize, String> {
        let given = self.unnamed + self.names.len();
        if number < given {
            return Ok(self.first + number);
        }
        let (plural, verb) = if given == 1 {
            ("", "follows")
        } else {
            ("s", "follow")
        };
        Err(format!(
            "argument {number} is wanted, but {given} argument{plural} {verb} the string"
        ))
    }

    /// The number of an argument by its number or name.
    fn number(&mut self, word: &str) -> Result<usize, String> {
        if word.starts_with(|char: char| char.is_ascii_digit()) {
            return self.explicit(word.parse().unwrap_or(usize::MAX));
        }
        if let Some(name) = self.names.iter().position(|name| name == word) {
            return Ok(self.first + self.unnamed + name);
        }
        let captures = &mut self.format.captures;
        let position = captures.iter().position(|name| name == word);
        let position = position.unwrap_or_else(|| {
            captures.push(word.to_owned());
            captures.len() - 1
        });
        Ok(self.first + self.unnamed + self.names.len() + position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, unnamed: usize, names: &[&str]) -> Result<Format, String> {
        let names: Vec<String> = names.iter().map(|&name| name.into()).collect();
        Format::parse(text, 0, unnamed, &names)
    }

    fn text(text: &str, unnamed: usize, names: &[&str]) -> String {
        read(text, unnamed, names).unwrap().text
    }

    #[test]
    fn arguments_become_numbers() {
        assert_eq!(text("plain {{}}", 0, &[]), "plain {{}}");
        assert_eq!(text("{} {}{{{}}}", 3, &[]), "{0} {1}{{{2}}}");
        assert_eq!(text("{1} {} {0} {}", 2, &[]), "{1} {0} {0} {1}");
        assert_eq!(text("{} {b} {a} {b:?}", 1, &["a"]), "{0} {2} {1} {2:?}");
        assert_eq!(read("{x} {y}{x}", 0, &[]).unwrap().captures, ["x", "y"]);
        assert_eq!(text("{ünï_1 }", 0, &[]), "{0}");
        let third = Format::parse("{} {x}", 2, 1, &[]).unwrap();
        assert_eq!(third.text, "{2} {3}");
    }

    #[test]
    fn specifications_stay() {
        for spec in [
            "?", "#?", "x?", "x", "#X", "o", "b", "e", "E", "5", "<5", "*^5", "}>5", "+", "08.3",
            "+010.2e", "#010x", ".0", "{<4?",
        ] {
            assert_eq!(
                text(&format!("a{{:{spec}}}b"), 1, &[]),
                format!("a{{0:{spec}}}b")
            );
        }
    }

    #[test]
    fn widths_and_precisions_are_arguments() {
        assert_eq!(text("{:1$}", 2, &[]), "{0:1$}");
        assert_eq!(text("{:w$.p$}", 1, &["p"]), "{0:2$.1$}");
        assert_eq!(text("{:0$}", 1, &[]), "{0:0$}");
        assert_eq!(text("{:00$}", 1, &[]), "{0:00$}");
        let star = read("{:.*} {}", 3, &[]).unwrap();
        assert_eq!(star.text, "{1:.0$} {2}");
        let display = |number| Use::Value(number, Trait::Display);
        assert_eq!(star.uses, [Use::Count(0), display(1), display(2)]);
    }

    #[test]
    fn errors_in_formats_are_reported() {
        let error = |text, unnamed, names: &[&str]| read(text, unnamed, names).unwrap_err();
        assert!(error("}", 0, &[]).contains("stands alone"));
        assert!(error("{", 0, &[]).contains("without its `}`"));
        assert!(error("{0 1}", 1, &[]).contains("missing before `1`"));
        assert_eq!(
            error("{} {}", 1, &[]),
            "argument 1 is wanted, but 1 argument follows the string"
        );
        assert_eq!(error("{}", 2, &[]), "argument 1 is never used");
        assert_eq!(error("", 0, &["n"]), "the argument `n` is never used");
        assert_eq!(error("{:p}", 1, &[]), "kernels have no format `{:p}`");
        assert_eq!(error("{:5.}", 1, &[]), "a precision is missing after `.`");
    }
}

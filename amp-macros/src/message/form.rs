//! Values of named types in a text: what `#[derive(Debug)]` writes around their numbers.

use std::collections::HashMap;

use super::format::{Piece, pieces};

/// What a value is made of.
#[derive(Clone)]
pub enum Form<V> {
    /// What the host formats.
    Value(V),
    /// A struct or a case, with its fields and their names, which those of a tuple do not have.
    Named(String, Vec<(Option<String>, Form<V>)>),
    /// A tuple.
    Tuple(Vec<Form<V>>),
    /// An array.
    List(Vec<Form<V>>),
}

/// A part of a value, and its name if it has one.
type Part<'a, V> = (Option<&'a str>, &'a Form<V>);

/// A format string whose arguments have these forms, with a number for each value that it shows, and the
/// values: a case may have no value that needs the width which another argument is.
pub fn written<V: Clone>(format: &str, forms: &[Form<V>]) -> (String, Vec<V>) {
    let mut writer = Writer {
        forms,
        numbers: HashMap::new(),
        values: Vec::new(),
        text: String::new(),
    };
    for piece in pieces(format) {
        match piece {
            Piece::Text(verbatim) => writer.text += &verbatim,
            Piece::Argument(argument, spec) => {
                writer.form(&forms[argument], (argument, &mut 0), &spec, 0);
            }
        }
    }
    (writer.text, writer.values)
}

struct Writer<'a, V> {
    forms: &'a [Form<V>],
    /// The numbers of values, by argument and position among the values of the argument.
    numbers: HashMap<(usize, usize), usize>,
    values: Vec<V>,
    text: String,
}

impl<V: Clone> Writer<'_, V> {
    /// Writes what an argument is, or has in it from the value at a position on, as its specification says.
    fn form(&mut self, form: &Form<V>, at: (usize, &mut usize), spec: &str, depth: usize) {
        let (argument, position) = at;
        let (name, brackets, parts): (&str, _, Vec<Part<V>>) = match form {
            Form::Value(value) => {
                let number = self.number((argument, *position), value);
                *position += 1;
                self.text += &format!("{{{number}");
                if !spec.is_empty() {
                    let spec = self.renumbered(spec);
                    self.text += &format!(":{spec}");
                }
                self.text.push('}');
                return;
            }
            Form::Named(name, fields) => {
                let has_names = fields.iter().any(|(name, _)| name.is_some());
                let brackets = match (fields.is_empty(), has_names) {
                    (true, _) => ("", ""),
                    (false, true) => (" {{", "}}"),
                    (false, false) => ("(", ")"),
                };
                let fields = fields.iter().map(|(name, form)| (name.as_deref(), form));
                (name, brackets, fields.collect())
            }
            Form::Tuple(parts) => ("", ("(", ")"), parts.iter().map(|it| (None, it)).collect()),
            Form::List(parts) => ("", ("[", "]"), parts.iter().map(|it| (None, it)).collect()),
        };
        let is_pretty = spec.contains('#') && !parts.is_empty();
        let is_spaced = brackets.0 == " {{" && !is_pretty;
        let is_single = matches!(form, Form::Tuple(_)) && parts.len() == 1;
        let line = |depth| format!("\n{}", "    ".repeat(depth));
        self.text += name;
        self.text += brackets.0;
        for (i, (name, part)) in parts.iter().enumerate() {
            match is_pretty {
                true => self.text += &line(depth + 1),
                false if i > 0 || is_spaced => self.text.push(' '),
                false => {}
            }
            if let Some(name) = name {
                self.text += &format!("{name}: ");
            }
            self.form(part, (argument, &mut *position), spec, depth + 1);
            if is_pretty || is_single || i + 1 < parts.len() {
                self.text.push(',');
            }
        }
        match is_pretty {
            true => self.text += &line(depth),
            false if is_spaced => self.text.push(' '),
            false => {}
        }
        self.text += brackets.1;
    }

    /// The number of a value.
    fn number(&mut self, at: (usize, usize), value: &V) -> usize {
        *self.numbers.entry(at).or_insert_with(|| {
            self.values.push(value.clone());
            self.values.len() - 1
        })
    }

    /// A specification whose widths and precisions have the numbers of their values.
    fn renumbered(&mut self, spec: &str) -> String {
        let (mut text, mut rest) = (String::new(), spec);
        while let Some((before, after)) = rest.split_once('$') {
            let start = before
                .trim_end_matches(|digit: char| digit.is_ascii_digit())
                .len();
            let argument = before[start..].parse().ok();
            let argument =
                argument.and_then(|number: usize| Some((number, self.forms.get(number)?)));
            text += match argument {
                Some(_) => &before[..start],
                None => before,
            };
            if let Some((number, Form::Value(value))) = argument {
                text += &self.number((number, 0), value).to_string();
            }
            text.push('$');
            rest = after;
        }
        text + rest
    }
}

//! Forms of the language that the tree does not have, as a table: what each is written for, the items
//! that it needs, and its text. A row makes random programs contain it.
//!
//! What is computed, and in which order, does not change. A text has placeholders:
//!
//! | | |
//! |---|---|
//! | `@v` | the value that is replaced |
//! | `@x` | the name of a variable that holds this value; the text becomes a block |
//! | `@a`, `@b` | the operands of the operator that is replaced |
//! | `@l` | the literal that is replaced |
//! | `@p` | the place that is written |
//! | `@o` | the operator of an assignment |
//! | `@t` | the type of the value |
//! | `@c` | a condition on which nothing depends |
//! | `@n` | a number that makes a name unique in the program |
//! | `@s` | one that makes a name unique in the crate, which macros of the module need |

mod items;
mod iterators;
mod kept;
mod macros;
mod numbers;
mod options;
mod references;
mod slices;
mod traits;

use amp_spirv::tree::*;

use super::print::Printer;

/// A form.
pub struct Form {
    /// What it is written for.
    of: Of,
    /// What must be declared in the module.
    items: &'static [&'static str],
    /// How it is written.
    pub text: &'static str,
}

/// What a form is written for.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    /// A value of a type.
    Value(Class),
    /// `@a op @b`
    Operator(BinaryOp, Class),
    /// `@p = @v;`
    Store(Class),
    /// `@p @o= @v;`
    Update(Class),
    /// `@l`, a literal.
    Literal(Class),
    /// What follows the range that a `for` counts through.
    Range,
}

/// Types that a form is written for.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    /// All values but masks of vectors, which are no elements of arrays.
    Any,
    /// Numbers that have the trait `Scalar`.
    Number,
    /// Integers of fixed width.
    Integer,
    /// Numbers that have methods: all but halves.
    Element,
    /// Floats of 16 bits.
    Half,
}

const fn value(class: Class, items: &'static [&'static str], text: &'static str) -> Form {
    let of = Of::Value(class);
    Form { of, items, text }
}

const fn operator(
    op: BinaryOp,
    class: Class,
    items: &'static [&'static str],
    text: &'static str,
) -> Form {
    let of = Of::Operator(op, class);
    Form { of, items, text }
}

const fn store(class: Class, items: &'static [&'static str], text: &'static str) -> Form {
    let of = Of::Store(class);
    Form { of, items, text }
}

const fn update(class: Class, items: &'static [&'static str], text: &'static str) -> Form {
    let of = Of::Update(class);
    Form { of, items, text }
}

const fn literal(class: Class, text: &'static str) -> Form {
    let of = Of::Literal(class);
    Form {
        of,
        items: &[],
        text,
    }
}

const fn range(text: &'static str) -> Form {
    let of = Of::Range;
    Form {
        of,
        items: &[],
        text,
    }
}

/// All forms.
pub fn all() -> impl Iterator<Item = &'static Form> {
    [
        macros::FORMS,
        references::FORMS,
        items::FORMS,
        options::FORMS,
        iterators::FORMS,
        kept::FORMS,
        numbers::FORMS,
        slices::FORMS,
        traits::FORMS,
    ]
    .into_iter()
    .flatten()
}

impl Class {
    fn has(self, ty: &Type) -> bool {
        match (self, ty) {
            (Self::Any, ty) => is_value(ty),
            (Self::Element, Type::Scalar(scalar)) => *scalar != Scalar::Bool && !scalar.is_half(),
            (Self::Half, Type::Scalar(scalar)) => scalar.is_half(),
            (Self::Integer, Type::Scalar(Scalar::Usize | Scalar::Isize)) => false,
            (Self::Integer, Type::Scalar(scalar)) => scalar.is_integer(),
            (Self::Number, Type::Scalar(scalar)) => scalar.is_element() && !scalar.is_half(),
            _ => false,
        }
    }
}

/// Whether a type is of values without masks.
pub fn is_value(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) | Type::Struct(_) | Type::Index(_) => true,
        Type::Vector(scalar, _) => *scalar != Scalar::Bool,
        Type::Tuple(parts) => parts.iter().all(is_value),
        Type::Array(element, _) => is_value(element),
        _ => false,
    }
}

impl Form {
    /// Whether it needs items that stand in an `#[amp_module]` only.
    fn is_of_module(&self) -> bool {
        self.items.iter().any(|item| item_word(item).is_none())
    }

    /// Whether it has a panic, by which the compiler may think that threads part.
    fn may_panic(&self) -> bool {
        ["unwrap()", "expect(", "panic!", "assert"]
            .iter()
            .any(|it| self.text.contains(it))
    }
}

/// The attribute of an item outside of modules; none where it cannot stand there.
fn item_word(item: &str) -> Option<&'static str> {
    let word = item.split([' ', '<']).find_map(|word| {
        Some(match word {
            "fn" => Some("#[amp_fn] "),
            "struct" => Some("#[amp_struct] "),
            // It has arguments.
            "#[amp_enum(element" => Some(""),
            "enum" => Some("#[amp_enum] "),
            "macro_rules!" | "const" | "use" | "type" => Some(""),
            "impl" | "trait" => None,
            _ => return None,
        })
    });
    word.expect("an item has a word that says what it is")
}

impl Printer<'_> {
    /// A form for a value, whose plain text is given; rarely.
    pub fn of_value(&mut self, ty: &Type, plain: String) -> String {
        if self.is_plain || self.rng.u8(0..VALUES) > 0 {
            return plain;
        }
        let wanted = |of: Of| matches!(of, Of::Value(class) if class.has(ty));
        match self.any_form(wanted) {
            Some(form) => self.filled(form, ty, &[("@v", &plain)]),
            None => plain,
        }
    }

    /// A form for `a op b`, rarely.
    pub fn of_operator(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<String> {
        if self.is_plain || self.rng.u8(0..OPERATORS) > 0 {
            return None;
        }
        let wanted = |of: Of| matches!(of, Of::Operator(it, class) if it == op && class.has(&a.ty) && a.ty == b.ty);
        let form = self.any_form(wanted)?;
        let ty = a.ty.clone();
        let (a, b) = (self.expr(a), self.expr(b));
        Some(self.filled(form, &ty, &[("@a", &a), ("@b", &b)]))
    }

    /// A form for `place op= value`, rarely.
    pub fn of_store(
        &mut self,
        op: Option<BinaryOp>,
        place: &Place,
        value: &Expr,
    ) -> Option<String> {
        if self.is_plain || !self.may_borrow(place) || self.rng.u8(0..STORES) > 0 {
            return None;
        }
        let form = self.any_form(|of| match of {
            Of::Store(class) => op.is_none() && class.has(&place.ty),
            Of::Update(class) => op.is_some() && class.has(&place.ty),
            _ => false,
        })?;
        let value = self.expr(value);
        let (ty, place) = (&place.ty, self.place(place));
        let op = op.map_or("", BinaryOp::symbol);
        Some(self.filled(form, ty, &[("@o", op), ("@p", &place), ("@v", &value)]))
    }

    /// A form for a literal, rarely.
    pub fn of_literal(&mut self, ty: &Type, plain: String) -> String {
        if self.is_plain || self.rng.u8(0..LITERALS) > 0 {
            return plain;
        }
        let wanted = |of: Of| matches!(of, Of::Literal(class) if class.has(ty));
        match self.any_form(wanted) {
            Some(form) => self.filled(form, ty, &[("@l", &plain)]),
            None => plain,
        }
    }

    /// Adapters behind a range.
    pub fn of_range(&mut self) -> String {
        let mut text = String::new();
        while self.rng.u8(0..3) == 0
            && let Some(form) = self.any_form(|of| of == Of::Range)
        {
            text += &self.filled(form, &Type::Unit, &[]);
        }
        text
    }

    /// Any of the forms that are wanted and can stand here.
    fn any_form(&mut self, wanted: impl Fn(Of) -> bool) -> Option<&'static Form> {
        let parts = self.is_kernel() && self.program.has_barriers;
        let has_zero = is_value(&self.function.result) || self.function.result == Type::Unit;
        let fitting: Vec<&Form> = all()
            .filter(|form| wanted(form.of))
            .filter(|form| self.in_module || !form.is_of_module())
            .filter(|form| !parts && has_zero || !form.may_panic())
            .collect();
        self.rng.choice(fitting)
    }

    /// The text of a form.
    fn filled(&mut self, form: &'static Form, ty: &Type, parts: &[(&str, &str)]) -> String {
        self.forms.insert(form.text);
        for item in form.items {
            if !self.items.contains(item) {
                self.items.push(item);
            }
        }
        self.names += 1;
        let number = self.names.to_string();
        let ty = if *ty == Type::Unit {
            String::new()
        } else {
            self.ty(ty)
        };
        let seed = self.program.seed.to_string();
        let mut text = form.text.to_owned();
        let name = format!("x{number}");
        if matches!(form.of, Of::Store(_) | Of::Update(_)) {
            text = format!("{{ {text}; }}");
        } else if text.contains("@x") {
            text = format!("({{ let {name}: @t = @v; {text} }})");
        } else if !matches!(form.of, Of::Range) {
            text = format!("({text})");
        }
        let condition = self.any_condition();
        let own = [
            ("@x", &*name),
            ("@t", &ty),
            ("@c", &condition),
            ("@n", &number),
            ("@s", &seed),
        ];
        // What is put in may have no placeholders: it is put in last.
        for (placeholder, part) in own.iter().chain(parts) {
            text = text.replace(placeholder, part);
        }
        text
    }

    /// A condition that is the same for threads that wait for each other.
    fn any_condition(&mut self) -> String {
        let locals = &self.function.locals;
        let params = &locals[..self.function.params as usize];
        let mut found = Vec::new();
        if self.is_kernel() && !self.program.has_barriers {
            let me = locals.iter().position(|local| local.name == "me");
            let me = me.expect("a kernel has its position");
            found.push(format!("({} & 1 == 0)", self.name(LocalId(me as u32))));
        }
        for param in params {
            match &param.ty {
                Type::Scalar(Scalar::Bool) => found.push(param.name.clone()),
                Type::Scalar(scalar) if scalar.is_integer() => {
                    found.push(format!("({} > 3)", param.name));
                }
                _ => {}
            }
        }
        self.rng.choice(found).unwrap_or_else(|| "true".into())
    }

    /// The items that the forms need.
    pub fn form_items(&self) -> String {
        let mut text = String::new();
        for item in &self.items {
            if !self.in_module {
                text += item_word(item).unwrap_or_default();
            }
            text += item;
            text.push('\n');
        }
        text.replace("@s", &self.program.seed.to_string())
    }
}

/// Values for each that is written in a form.
const VALUES: u8 = 24;

/// Literals for each that is written in a form.
const LITERALS: u8 = 48;

/// Operators for each that is written in a form.
const OPERATORS: u8 = 8;

/// Assignments for each that is written in a form.
const STORES: u8 = 5;

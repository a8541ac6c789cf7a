//! A race in words.

use super::{
    Race,
    access::{Access, Kind},
};
use crate::{
    check::value::Step,
    diagnostic::{Code, Diagnostic},
    tree::Module,
};

/// The diagnostic for two accesses that race.
pub(super) fn diagnostic(module: &Module, race: &Race) -> Diagnostic {
    let [first, second] = &race.accesses;
    let name = &module.tile_statics[first.variable.0 as usize].name;
    let together = first.span == second.span;
    let carried = first.carried(second);
    let message = match (first.writes(), second.writes()) {
        _ if together => format!(
            "race on the tile_static variable `{name}`: several threads of a tile write it here \
             at the same time"
        ),
        (true, false) => format!(
            "race on the tile_static variable `{name}`: a thread reads here what another thread \
             writes, with no barrier between"
        ),
        (false, true) => format!(
            "race on the tile_static variable `{name}`: a thread writes here what another thread \
             reads, with no barrier between"
        ),
        _ => format!(
            "race on the tile_static variable `{name}`: two threads write the same memory, with \
             no barrier between"
        ),
    };
    let diagnostic = Diagnostic::new(Code::Race, second.span, message);
    if together && !carried {
        return diagnostic
            .label(
                second.span,
                format!(
                    "thread {:?} of the tile {} {} here, and so does thread {:?}",
                    race.threads[0],
                    verb(first),
                    place(first, name),
                    race.threads[1],
                ),
            )
            .help(
                "let each thread write an element of its own, and after `t_idx.barrier.wait()` let \
                 one thread combine them",
            );
    }
    let again = if carried {
        ", in the next iteration of the loop"
    } else {
        ""
    };
    diagnostic
        .label(
            first.span,
            format!(
                "thread {:?} of the tile {} {} here",
                race.threads[0],
                verb(first),
                place(first, name)
            ),
        )
        .label(
            second.span,
            format!(
                "and thread {:?} {} {} here{again}",
                race.threads[1],
                verb(second),
                place(second, name)
            ),
        )
        .help(if carried {
            "put `t_idx.barrier.wait()` between them: at the end of the loop's body as well"
        } else if [first, second].iter().any(|access| access.is_atomic()) {
            "put `t_idx.barrier.wait()` between them, or make both of them atomic: \
             `atomic_load(&mut x)`, `atomic_store(&mut x, value)`"
        } else {
            "put `t_idx.barrier.wait()` between them"
        })
}

fn verb(access: &Access) -> &'static str {
    match access.kind {
        Kind::Read(_) => "reads",
        Kind::Write(_) => "writes",
        Kind::Update(..) => "reads and writes",
        Kind::Atomic { writes: true } => "atomically changes",
        Kind::Atomic { writes: false } => "atomically reads",
    }
}

/// `name[0][1]`, as far as the indices are numbers.
fn place(access: &Access, name: &str) -> String {
    let mut text = String::new();
    for step in &access.path {
        match step {
            Step::Element(form) => match form.known() {
                Some(index) => text.push_str(&format!("[{index}]")),
                None => return format!("the same element of `{name}`"),
            },
            Step::Field(_) => break,
        }
    }
    format!("`{name}{text}`")
}

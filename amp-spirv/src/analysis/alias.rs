//! Whether two accesses can touch the same memory.
//!
//! Different [`Object`](super::effects::Object)s never overlap where one is written. In one
//! object, places are compared step by step: fields by number, indices by their difference
//! ([`Affine`]). An index that is in bounds names one element, and an access only happens in
//! bounds, so indices that differ are elements that differ.
//!
//! Both accesses are taken as they run in the same round of every loop around both: a value
//! then means the same in both. An access in a loop and one outside of it compare, too, as the
//! one outside names no value of the loop. Accesses of different rounds do not.
//!
//! Leaves out which sections of a view overlap, unless they are the same one, and elements of
//! different sizes.

use super::affine::Affine;
use super::effects::Place;
use crate::mir::{Base, Function, Op, Step, Value};

/// How two places lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alias {
    /// They do not overlap, or nothing writes either.
    Never,
    /// They may overlap.
    May,
    /// They are the same place, if both accesses happen.
    Same,
}

impl Alias {
    /// For what has two parts, each of which must be the same.
    fn and(self, other: Alias) -> Alias {
        match (self, other) {
            (Alias::Never, _) | (_, Alias::Never) => Alias::Never,
            (Alias::Same, Alias::Same) => Alias::Same,
            _ => Alias::May,
        }
    }
}

/// Compares two places of a function, of whose integers this is known.
pub fn alias(function: &Function, affine: &Affine, a: Place<'_>, b: Place<'_>) -> Alias {
    if a.object(function) != b.object(function) {
        return Alias::Never;
    }
    if [a, b].iter().any(|it| it.access.base == Base::Position) {
        return Alias::May;
    }
    let (mut of_a, mut of_b) = (a.operands, b.operands);
    let mut found = Alias::Same;
    if let (Base::Element(rank_a), Base::Element(rank_b)) = (a.access.base, b.access.base) {
        let (element_a, element_b);
        (element_a, of_a) = of_a.split_at(1 + rank_a as usize);
        (element_b, of_b) = of_b.split_at(1 + rank_b as usize);
        found = views(function, affine, element_a[0], element_b[0]);
        if found == Alias::Same {
            found = all(affine, &element_a[1..], &element_b[1..]);
        } else {
            // Which parts of its elements overlap depends on their types.
            return found;
        }
    }
    let (path_a, path_b) = (&a.access.path, &b.access.path);
    for (step_a, step_b) in path_a.iter().zip(path_b) {
        let (index_a, index_b) = (Index::of(*step_a, &mut of_a), Index::of(*step_b, &mut of_b));
        found = found.and(index_a.compare(affine, index_b));
    }
    match path_a.len() == path_b.len() {
        true => found,
        false => found.and(Alias::May),
    }
}

/// Which part of a value a step takes.
#[derive(Clone, Copy)]
enum Index {
    Number(u64),
    Value(Value),
}

impl Index {
    /// Takes the operand of the step, if it has one.
    fn of(step: Step, operands: &mut &[Value]) -> Self {
        match (step, *operands) {
            (Step::Field(number), _) => Index::Number(number.into()),
            (Step::Index, [first, rest @ ..]) => {
                *operands = rest;
                Index::Value(*first)
            }
            (Step::Index, []) => unreachable!("an access has an operand for each index"),
        }
    }

    fn compare(self, affine: &Affine, other: Self) -> Alias {
        match (self, other) {
            (Index::Value(a), Index::Value(b)) => compare(affine, a, b),
            (Index::Number(a), Index::Number(b)) if a == b => Alias::Same,
            (Index::Number(_), Index::Number(_)) => Alias::Never,
            (Index::Value(value), Index::Number(number))
            | (Index::Number(number), Index::Value(value)) => match affine.sum(value).known() {
                Some(known) if known == number => Alias::Same,
                Some(_) => Alias::Never,
                None => Alias::May,
            },
        }
    }
}

/// Whether two integers of a type are the same.
fn compare(affine: &Affine, a: Value, b: Value) -> Alias {
    match affine.difference(a, b) {
        Some(0) => Alias::Same,
        Some(_) => Alias::Never,
        None => Alias::May,
    }
}

/// Compares indices component by component.
fn all(affine: &Affine, a: &[Value], b: &[Value]) -> Alias {
    let components = a.iter().zip(b).map(|(a, b)| compare(affine, *a, *b));
    components.fold(Alias::Same, Alias::and)
}

/// Compares the elements of views of one parameter. Those that are the same have the same
/// positions.
fn views(function: &Function, affine: &Affine, a: Value, b: Value) -> Alias {
    if a == b {
        return Alias::Same;
    }
    let (Some(a), Some(b)) = (function.def_inst(a), function.def_inst(b)) else {
        return Alias::May;
    };
    let of = views(function, affine, a.args[0], b.args[0]);
    match (&a.op, &b.op) {
        (Op::Row, Op::Row) if of == Alias::Same => all(affine, &a.args[1..], &b.args[1..]),
        (Op::Section, Op::Section)
            if of == Alias::Same && all(affine, &a.args[1..], &b.args[1..]) == Alias::Same =>
        {
            of
        }
        _ if of == Alias::Never => Alias::Never,
        _ => Alias::May,
    }
}

#[cfg(test)]
mod tests {
    use super::Alias::{May, Never, Same};
    use super::*;
    use crate::analysis::effects::touches;
    use crate::analysis::tests::kernel;
    use crate::tree::FunctionId;

    /// How the last two places of a body lie to each other.
    #[track_caller]
    fn last_two(body: &str) -> Alias {
        let module = kernel(body);
        let function = module.kernel();
        let mut places = Vec::new();
        function.walk(function.body, &mut |_, inst| {
            places.extend(touches(inst).map(|touch| touch.place));
        });
        let &[.., a, b] = &places[..] else {
            panic!("there are no two places");
        };
        let affine = Affine::of(&module, FunctionId(0));
        let found = alias(function, &affine, a, b);
        let turned = alias(function, &affine, b, a);
        assert_eq!(found, turned, "the other way round");
        found
    }

    /// Two elements of the mutable view `%2`.
    fn elements(a: &str, b: &str) -> Alias {
        last_two(&format!(
            "%8: usize = literal 0
             %9: usize = literal 1
             %10: usize = add %3, %9
             %11: u32 = load %2[{a}]
             store %2[{b}], %11"
        ))
    }

    #[test]
    fn elements_differ_where_one_component_does() {
        assert_eq!(elements("%3, %8", "%3, %8"), Same);
        assert_eq!(elements("%3, %8", "%4, %9"), Never);
        assert_eq!(elements("%3, %8", "%4, %8"), May);
        assert_eq!(elements("%3, %8", "%3, %4"), May);
        assert_eq!(elements("%3, %4", "%10, %4"), Never);
    }

    #[test]
    fn a_written_view_overlaps_no_other() {
        let body = "%8: u32 = load %1[%3, %3]
                    store %2[%3, %3], %8";
        assert_eq!(last_two(body), Never);
    }

    /// Two places of variables of type `[(u32, <u32; 4>); 8]`.
    fn variables(a: &str, b: &str) -> Alias {
        last_two(&format!(
            "slot s$0: [(u32, <u32; 4>); 8]
             slot t$1: [(u32, <u32; 4>); 8]
             %8: usize = literal 2
             clear {a}
             clear {b}"
        ))
    }

    #[test]
    fn parts_of_variables_are_told_apart() {
        assert_eq!(variables("s$0", "t$1"), Never);
        assert_eq!(variables("s$0", "s$0"), Same);
        assert_eq!(variables("s$0[%3]", "s$0[%3]"), Same);
        assert_eq!(variables("s$0[%3]", "s$0[%4]"), May);
        assert_eq!(variables("s$0[%3].0", "s$0[%4].1"), Never);
        assert_eq!(variables("s$0[%3]", "s$0[%3].1"), May, "a part of it");
        assert_eq!(variables("s$0[%3].1.2", "s$0[%3].1[%8]"), Same);
        assert_eq!(variables("s$0[%3].1.1", "s$0[%3].1[%8]"), Never);
        assert_eq!(variables("s$0[%3].1.1", "s$0[%3].1[%3]"), May);
        assert_eq!(variables("shared@0", "s$0"), Never);
        assert_eq!(variables("shared@0[%3]", "shared@0[%3]"), Same);
    }

    /// Elements at one position of two views.
    fn views(a: &str, b: &str) -> Alias {
        last_two(&format!(
            "%8: usize = literal 0
             %9: usize = literal 1
             %10: &mut ArrayViewMut<u32, 2> = section %2, %3, %3, %3, %3
             %11: &mut ArrayViewMut<u32, 2> = section %2, %3, %3, %3, %3
             %12: &mut ArrayViewMut<u32, 2> = section %2, %4, %3, %3, %3
             %13: &mut ArrayViewMut<u32, 1> = row {a}
             %14: &mut ArrayViewMut<u32, 1> = row {b}
             %15: u32 = load %13[%3]
             store %14[%3], %15"
        ))
    }

    #[test]
    fn rows_differ_and_sections_may_overlap() {
        assert_eq!(views("%2, %3", "%2, %3"), Same);
        assert_eq!(views("%2, %3", "%2, %4"), May);
        assert_eq!(views("%2, %8", "%2, %9"), Never);
        assert_eq!(views("%10, %3", "%11, %3"), Same);
        assert_eq!(views("%10, %8", "%11, %9"), Never);
        assert_eq!(views("%10, %8", "%12, %9"), May, "shifted");
        assert_eq!(views("%10, %3", "%2, %3"), May);
    }
}

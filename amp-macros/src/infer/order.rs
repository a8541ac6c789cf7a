//! Which functions a program really has: those that its item calls, in the order of
//! their calls, callees before callers.
//!
//! Functions are declared without knowing which calls which. Methods are found by the
//! types of their receivers, so a call is known only when its caller has been inferred;
//! [`infer_called`] follows the calls from the item, and what none of them reaches is
//! dropped.

use amp_spirv::diagnostic::Code;

use super::{
    function::infer, own_index::check_repeated, program::Program, shown::name, typed::Callee,
};
use crate::{
    attribute::{TaskKind, is_by_type},
    report::Report,
};

/// Infers the function `own` and all that it calls, and drops the others. Errors in `own`
/// are reported; those of others stand where these are compiled themselves.
pub fn infer_called(program: &mut Program, own: usize, kind: TaskKind, report: &mut Report) {
    program.functions[own].typed = infer(program, own, kind, report);
    // The compilation begins anew when that has arrived.
    if !program.wanted.is_empty() {
        let last = program.functions.len() - 1;
        program.functions.swap(own, last);
        return;
    }
    let mut reached = vec![false; program.functions.len()];
    reached[own] = true;
    let mut open = program.functions[own].typed.callees.clone();
    while let Some((index, call)) = open.pop() {
        reached.resize(program.functions.len(), false);
        if std::mem::replace(&mut reached[index], true) {
            continue;
        }
        // Another one runs, for the types that it is called with.
        let function = &program.functions[index];
        if function.outlined.is_some() || is_by_type(&function.item) {
            continue;
        }
        // A generic one of `core` has no host version: its instances are checked.
        if program.is_standard(index) && !program.functions[index].parameters.is_empty() {
            continue;
        }
        // Those in a body have been inferred with it.
        if program.functions[index].within.is_some() {
            open.extend(program.functions[index].typed.callees.iter().copied());
            continue;
        }
        let mut elsewhere = Report::default();
        // An instance is compiled here and nowhere else, and so are functions of `core`, and a
        // constant that else rustc computes.
        let mut methods = program.methods.iter();
        let is_constant = methods.any(|of| of.function == index && of.is_handed_over);
        let is_only_here = is_constant || program.is_standard(index);
        let report = match program.functions[index].template {
            None if !is_only_here => &mut elsewhere,
            _ => &mut *report,
        };
        if let Some(template) = program.functions[index].template {
            by_bounds(program, template);
        }
        let before = report.count();
        let typed = infer(program, index, TaskKind::Function, report);
        if program.functions[index].template.is_some() || program.is_standard(index) {
            report.blame(before, call, &instance_name(program, index));
        }
        program.functions[index].typed = typed;
        program.broken |= !elsewhere.is_clean();
        // What an instance calls is called where the instance is.
        let is_instance = program.functions[index].template.is_some();
        let called = program.functions[index].typed.callees.iter();
        open.extend(called.map(|(callee, span)| (*callee, if is_instance { call } else { *span })));
    }
    check_repeated(program, own, report);
    let mut walk = Walk {
        program,
        own,
        states: vec![State::New; program.functions.len()],
        order: Vec::new(),
        way: Vec::new(),
        cycle: None,
    };
    walk.visit(own);
    let (order, cycle) = (walk.order, walk.cycle);
    match cycle {
        Some(way) => {
            recursion(program, own, &way, report);
            // The item is the last, whatever is wrong.
            let last = program.functions.len() - 1;
            program.functions.swap(own, last);
        }
        None => arrange(program, &order),
    }
}

/// Infers a generic function itself, if its instances need to know what it calls: of a type, they
/// see more than its bounds say.
fn by_bounds(program: &mut Program, template: usize) {
    let is_inferred = !program.functions[template].typed.facts.is_empty();
    if !is_inferred && !program.is_standard(template) && program.depends_on_bounds(template) {
        let kind = TaskKind::Function;
        program.functions[template].typed = infer(program, template, kind, &mut Report::default());
    }
}

/// An instance as a message names it: `twice::<bool>`.
fn instance_name(program: &Program, index: usize) -> String {
    let function = &program.functions[index];
    let parameters = function.item.sig.generics.type_params();
    let types = parameters.filter_map(|parameter| {
        let ty = function.arguments.types.get(&parameter.ident.to_string())?;
        Some(format!("{} = {}", parameter.ident, name(program, ty)))
    });
    let types: Vec<String> = types.collect();
    match types.is_empty() {
        true => format!("`{}`", function.item.sig.ident),
        false => format!("`{}` with `{}`", function.item.sig.ident, types.join(", ")),
    }
}

fn callees(program: &Program, function: usize) -> Vec<usize> {
    let typed = &program.functions[function].typed;
    typed.callees.iter().map(|(index, _)| *index).collect()
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done,
}

struct Walk<'a> {
    program: &'a Program,
    own: usize,
    states: Vec<State>,
    order: Vec<usize>,
    /// From the item to the function at hand.
    way: Vec<usize>,
    /// Functions that call each other in a circle, the first one at its start.
    cycle: Option<Vec<usize>>,
}

impl Walk<'_> {
    fn visit(&mut self, function: usize) {
        match self.states[function] {
            State::Done => return,
            State::Open => {
                let start = self.way.iter().position(|open| *open == function);
                let found = &self.way[start.unwrap_or(0)..];
                // A circle through the item is its error.
                if self.cycle.is_none() || found.first() == Some(&self.own) {
                    self.cycle = Some(found.to_vec());
                }
                return;
            }
            State::New => {}
        }
        self.states[function] = State::Open;
        self.way.push(function);
        for callee in callees(self.program, function) {
            self.visit(callee);
        }
        self.way.pop();
        self.states[function] = State::Done;
        self.order.push(function);
    }
}

/// Reports a circle of calls, if it goes through the item or a function in its body: else
/// it is another's.
fn recursion(program: &mut Program, own: usize, way: &[usize], report: &mut Report) {
    let name = |index: &usize| format!("`{}`", program.functions[*index].item.sig.ident);
    let start = way.first().copied().unwrap_or(own);
    let mut home = start;
    while let Some(around) = program.functions[home].within {
        home = around;
    }
    if home != own {
        program.broken = true;
        return;
    }
    let next = way.get(1).unwrap_or(&start);
    let call = |from: usize, to: usize| {
        let mut calls = program.functions[from].typed.callees.iter();
        calls.find(|(index, _)| *index == to).map(|(_, span)| *span)
    };
    let Some(span) = call(start, *next) else {
        return;
    };
    let message = match &way[1..] {
        [] => format!("{} calls itself; kernels have no recursion", name(&start)),
        others => format!(
            "{} calls itself through {}; kernels have no recursion",
            name(&start),
            others.iter().map(name).collect::<Vec<_>>().join(" and ")
        ),
    };
    report.error_help(Code::Recursion, span, message, "write it as a loop");
    for (i, from) in way.iter().enumerate().skip(1) {
        let to = way.get(i + 1).unwrap_or(&start);
        if let Some(span) = call(*from, *to) {
            report.note(span, format!("{} calls {} here", name(from), name(to)));
        }
    }
}

/// Puts the functions into this order, and forgets those that are not in it.
fn arrange(program: &mut Program, order: &[usize]) {
    let mut places = vec![None; program.functions.len()];
    for (place, index) in order.iter().enumerate() {
        places[*index] = Some(place);
    }
    let mut functions: Vec<_> = program.functions.drain(..).map(Some).collect();
    program.functions = order
        .iter()
        .filter_map(|index| functions[*index].take())
        .collect();
    for function in &mut program.functions {
        let facts = function.typed.facts.iter_mut();
        let named = facts.flat_map(|facts| {
            let called = match &mut facts.callee {
                Some(Callee::Helper(index) | Callee::Each(index)) => Some(index),
                _ => None,
            };
            called.into_iter().chain(&mut facts.nested)
        });
        let defaults = function.typed.own_defaults.iter_mut();
        let named = named.chain(defaults.map(|(_, index)| index));
        for index in named.chain(&mut function.within) {
            if let Some(place) = places[*index] {
                *index = place;
            }
        }
        function.typed.callees.clear();
    }
    for constant in &mut program.consts {
        // The constants of functions that are not called are not needed.
        constant.owner = places
            .get(constant.owner)
            .copied()
            .flatten()
            .unwrap_or(usize::MAX);
    }
}

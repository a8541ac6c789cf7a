//! Functions: the kernel, and helpers by what they are called with.

use std::{collections::BTreeMap, rc::Rc};

use super::{
    Analysis, Key, Summary, Violation,
    cause::{Cause, Step, Why},
    flow::{Away, Flow, Interval, Past, Since, add_since},
    value::{Value, ViewPart},
    walk::Walker,
};
use crate::analysis::varies::Varies;
use crate::tree::{Expr, Function, FunctionId, Local, Span, TiledField, Type};
use rustc_hash::FxHashMap as HashMap;

impl<'m> Analysis<'m> {
    /// The kernel, launched for a whole tile.
    pub(super) fn kernel(&mut self) -> Summary<'m> {
        let function = self.module.kernel();
        let parameters = function.locals.iter().map(launched).collect();
        let start = Since::from([(Interval::START, Past::default())]);
        self.walk(function, parameters, start)
    }

    /// The summary of a helper for such arguments.
    fn summary(&mut self, key: Key, arguments: &[Value<'m>]) -> Rc<Summary<'m>> {
        if let Some(summary) = self.summaries.get(&key) {
            return summary.clone();
        }
        let function = self.module.function(key.function);
        let parameters = arguments
            .iter()
            .zip(&function.locals)
            .enumerate()
            .map(|(argument, (value, local))| {
                value.map(&mut |leaf, why| {
                    let step = Step::Argument { argument, leaf };
                    Cause::origin(local.span, step, why.varies)
                })
            })
            .collect();
        let summary = Rc::new(self.walk(function, parameters, key.since.clone()));
        self.summaries.insert(key, summary.clone());
        summary
    }

    fn walk(
        &mut self,
        function: &'m Function,
        mut locals: Vec<Value<'m>>,
        since: Since,
    ) -> Summary<'m> {
        locals.resize(function.locals.len(), Value::UNIFORM);
        let mut walker = Walker {
            analysis: self,
            function,
            flow: Flow {
                reachable: true,
                locals,
                away: Away::new(),
                since,
            },
            guard: None,
            frames: Vec::new(),
            heads: HashMap::default(),
            result: Value::UNIFORM,
            returned: Since::new(),
            barriers: BTreeMap::new(),
            violations: BTreeMap::new(),
        };
        let value = walker.block(&function.body);
        if walker.flow.reachable {
            walker.result.join(&value);
            add_since(&mut walker.returned, &walker.flow.since);
        }
        Summary {
            result: walker.result,
            since: walker.returned,
            barriers: walker.barriers,
            violations: walker.violations,
        }
    }
}

/// What a parameter of the kernel holds.
fn launched<'m>(local: &'m Local) -> Value<'m> {
    match &local.ty {
        Type::TiledIndex(rank) => {
            let component = |field: u32, component: u32| {
                let varies = Varies::of_position(field, component);
                let place = match field == TiledField::Local as u32 {
                    true => format!("{}.local", local.name),
                    false => format!("{}.global", local.name),
                };
                let why = || Cause::origin(local.span, Step::Thread(place), varies);
                Value::Leaf((!varies.is_uniform()).then(why))
            };
            let field = |field| Value::Parts((0..*rank).map(|k| component(field, k)).collect());
            Value::Parts((0..4).map(field).collect())
        }
        Type::View(view) if view.mutable => {
            let written = Cause::origin(local.span, Step::Written(&local.name), Varies::ANY);
            let mut parts = vec![Value::UNIFORM; 2];
            parts[ViewPart::Elements as usize] = Value::varying(written);
            Value::Parts(parts)
        }
        _ => Value::UNIFORM,
    }
}

impl<'m> Walker<'_, 'm> {
    pub(super) fn call(
        &mut self,
        function: FunctionId,
        arguments: &'m [Expr],
        span: Span,
    ) -> Value<'m> {
        let values: Vec<Value<'m>> = arguments
            .iter()
            .map(|argument| self.expr(argument))
            .collect();
        if !self.flow.reachable {
            return Value::UNIFORM;
        }
        let key = Key {
            function,
            arguments: values.iter().map(Value::mask).collect(),
            since: self.flow.since.clone(),
        };
        let summary = self.analysis.summary(key, &values);
        let callee = self.analysis.module.function(function);
        let argument = |index: usize, leaf: usize| -> Option<Why<'m>> {
            let why = values.get(index)?.leaf(leaf)?;
            let passed = Step::Passed {
                parameter: &callee.locals.get(index)?.name,
                function: &callee.name,
            };
            Some(Cause::through(arguments.get(index)?.span, passed, &why))
        };

        for (barrier, violation) in &summary.violations {
            self.violations.entry(*barrier).or_insert_with(|| {
                let mut path = violation.path.clone();
                path.push((span, &callee.name));
                Violation {
                    barrier: *barrier,
                    path,
                    why: violation.why.in_caller(&argument),
                }
            });
        }
        let divergence = self.divergence();
        for (barrier, path) in &summary.barriers {
            let mut path = path.clone();
            path.push((span, &callee.name));
            if let Some(why) = &divergence {
                let violation = Violation {
                    barrier: *barrier,
                    path: path.clone(),
                    why: why.clone(),
                };
                self.violations.entry(*barrier).or_insert(violation);
            }
            self.barriers.entry(*barrier).or_insert(path);
        }
        self.flow.reachable = !summary.since.is_empty();
        self.flow.since = summary.since.clone();
        summary.result.map(&mut |_, why| why.in_caller(&argument))
    }
}

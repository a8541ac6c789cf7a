//! One thread: calls, regions and ends.
//!
//! A thread can stop between any two instructions: where it is in each region is on a stack of
//! its own.

use super::{Argument, Fault, Refusal, Shared};
use crate::artifact::MessageKind;
use crate::mir::{End, Function, Inst, InstId, Op, Param, RegionId, SiteId, Ty, Value as Name};
use crate::tree::Scalar;
use crate::value::number::cut;
use crate::value::{Value, View};

/// What a thread stopped for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// A barrier.
    Waits,
    /// It has returned.
    Done,
}

pub(super) type Step<T> = Result<T, Refusal>;

/// A thread of the kernel.
pub(super) struct Thread<'m> {
    position: Vec<u32>,
    /// The first fault of each of its indices.
    pub faults: Vec<Fault>,
    /// Instructions that it may still do.
    steps: u32,
    /// The calls that it is in, innermost last.
    calls: Vec<Call<'m>>,
}

/// A function that runs.
pub(super) struct Call<'m> {
    pub function: &'m Function,
    values: Vec<Option<Value>>,
    pub slots: Vec<Option<Value>>,
    /// Where it is in each region that it is in, innermost last.
    cursors: Vec<Cursor>,
    /// What called it.
    caller: Option<&'m Inst>,
}

struct Cursor {
    region: RegionId,
    next: usize,
    owner: Option<InstId>,
    counter: Option<Counter>,
}

/// Where a counted loop is.
#[derive(Clone, Copy)]
struct Counter {
    scalar: Scalar,
    at: i128,
    end: i128,
    step: i128,
    inclusive: bool,
}

impl Counter {
    fn runs(&self) -> bool {
        match self.inclusive {
            true => self.at <= self.end,
            false => self.at < self.end,
        }
    }
}

impl<'m> Call<'m> {
    fn new(function: &'m Function, caller: Option<&'m Inst>) -> Self {
        Call {
            function,
            values: vec![None; function.values.len()],
            slots: vec![None; function.slots.len()],
            cursors: vec![Cursor {
                region: function.body,
                next: 0,
                owner: None,
                counter: None,
            }],
            caller,
        }
    }

    pub fn get(&self, name: Name) -> Step<Value> {
        match &self.values[name.0 as usize] {
            Some(value) => Ok(value.clone()),
            None => Err(broken("a value is used before its definition")),
        }
    }

    pub fn all(&self, names: &[Name]) -> Step<Vec<Value>> {
        names.iter().map(|name| self.get(*name)).collect()
    }

    pub fn set(&mut self, names: &[Name], values: Vec<Value>) -> Step<()> {
        if names.len() != values.len() {
            return Err(broken("as many values are not passed as taken"));
        }
        for (name, value) in names.iter().zip(values) {
            self.values[name.0 as usize] = Some(value);
        }
        Ok(())
    }

    fn enter(&mut self, region: RegionId, owner: InstId, counter: Option<Counter>) {
        self.cursors.push(Cursor {
            region,
            next: 0,
            owner: Some(owner),
            counter,
        });
    }

    /// Leaves all regions inside of an instruction, and its own if `own`.
    fn leave(&mut self, target: InstId, own: bool) -> Step<()> {
        while let Some(cursor) = self.cursors.last() {
            let arrived = cursor.owner == Some(target);
            if arrived && !own {
                return Ok(());
            }
            self.cursors.pop();
            if arrived {
                return Ok(());
            }
        }
        Err(broken("a jump goes to no instruction around it"))
    }

    /// The end of the innermost region, which goes on with its owner.
    fn yields(&mut self, values: Vec<Value>) -> Step<()> {
        let function = self.function;
        let Some(cursor) = self.cursors.last_mut() else {
            return Err(broken("a region ends outside of any"));
        };
        let Some(owner) = cursor.owner else {
            return Err(broken("a function yields"));
        };
        let inst = function.inst(owner);
        let params = &function.region(cursor.region).params;
        match (&inst.op, cursor.counter.as_mut()) {
            (Op::Loop, _) => {
                cursor.next = 0;
                self.set(params, values)
            }
            (_, Some(counter)) => {
                counter.at += counter.step;
                cursor.next = 0;
                let counter = *counter;
                if counter.at <= counter.scalar.max() && counter.runs() {
                    self.round(params, counter, values)
                } else {
                    self.cursors.pop();
                    self.set(&inst.results, values)
                }
            }
            _ => {
                self.cursors.pop();
                self.set(&inst.results, values)
            }
        }
    }

    /// Starts a round of a counted loop.
    fn round(&mut self, params: &[Name], counter: Counter, carried: Vec<Value>) -> Step<()> {
        let mut values = vec![cut(counter.scalar, counter.at)];
        values.extend(carried);
        self.set(params, values)
    }
}

impl<'m> Thread<'m> {
    /// A thread that runs a kernel of the module's two.
    pub fn new(
        shared: &Shared<'m>,
        kernel: &'m Function,
        index: Value,
        position: Vec<u32>,
    ) -> Self {
        let launch = shared.launch;
        let mut call = Call::new(kernel, None);
        let others = launch.arguments.iter().map(|argument| match argument {
            Argument::Value(value) => value.clone(),
            Argument::Array(number) => {
                Value::View(Box::new(View::whole(*number, &shared.arrays[*number])))
            }
        });
        let arguments = std::iter::once(index).chain(others);
        for (param, argument) in kernel.params.iter().zip(arguments) {
            match param {
                Param::Value(value) => call.values[value.0 as usize] = Some(argument),
                Param::Slot(slot) => call.slots[slot.0 as usize] = Some(argument),
            }
        }
        Thread {
            position,
            faults: Vec::new(),
            steps: launch.steps,
            calls: vec![call],
        }
    }

    /// Runs to the next barrier, or to the end.
    pub fn go_on(&mut self, shared: &mut Shared<'m>) -> Step<Status> {
        loop {
            let Some(call) = self.calls.last_mut() else {
                return Ok(Status::Done);
            };
            let function = call.function;
            let Some(cursor) = call.cursors.last_mut() else {
                return Err(broken("a function ends without its end"));
            };
            let region = function.region(cursor.region);
            // Ends count too: a loop can be empty.
            self.steps = self.steps.checked_sub(1).ok_or(Refusal::TooLong)?;
            let Some(&id) = region.insts.get(cursor.next) else {
                self.end(&region.end)?;
                continue;
            };
            cursor.next += 1;
            let inst = function.inst(id);
            match &inst.op {
                Op::Barrier(..) => return Ok(Status::Waits),
                Op::If => {
                    let condition = call.get(inst.args[0])?.as_bool();
                    call.enter(inst.regions[usize::from(!condition)], id, None);
                }
                Op::Block => call.enter(inst.regions[0], id, None),
                Op::Loop => {
                    let carried = call.all(&inst.args)?;
                    call.enter(inst.regions[0], id, None);
                    call.set(&function.region(inst.regions[0]).params, carried)?;
                }
                Op::While => {
                    let mut values = call.all(&inst.args)?;
                    if values.remove(0).as_bool() {
                        continue;
                    }
                    let Some(owner) = call.cursors.last().and_then(|it| it.owner) else {
                        return Err(broken("a test is in no loop"));
                    };
                    call.leave(owner, true)?;
                    call.set(&function.inst(owner).results, values)?;
                }
                Op::For | Op::ForInclusive => self.count(inst, id, shared)?,
                Op::Call(callee) => {
                    let callee = &shared.launch.module.functions[callee.0 as usize];
                    self.call(callee, inst)?;
                }
                Op::NoteFault(site) => {
                    if !call.get(inst.args[0])?.as_bool() {
                        let operands = call.all(&inst.args[1..])?;
                        self.note(shared, *site, operands);
                    }
                }
                Op::Fault(sites) => {
                    let operands = call.all(&inst.args)?;
                    let mut faults = sites.iter().zip(operands.chunks(3));
                    let wrong = faults.find(|(_, it)| it.len() < 3 || !it[0].as_bool());
                    let Some((site, operands)) = wrong else {
                        return Err(broken("there is no fault"));
                    };
                    self.note(shared, *site, operands[operands.len() - 2..].to_vec());
                }
                // Nothing ends loops here.
                Op::NoteCut(_) => {}
                Op::Message(message, site) => {
                    let operands = call.all(&inst.args)?;
                    let message = &shared.launch.module.messages[message.0 as usize];
                    if message.kind == MessageKind::Fault {
                        self.note(shared, *site, operands);
                    }
                }
                _ => {
                    let results = shared.compute(call, inst)?;
                    call.set(&inst.results, results)?;
                }
            }
        }
    }

    fn note(&mut self, shared: &Shared<'m>, site: SiteId, operands: Vec<Value>) {
        let launch = shared.launch;
        let mut lane = launch.module.sites[site.0 as usize].lane;
        let mut thread = self.position.clone();
        let merged = &launch.module.merged;
        for (k, by) in merged.iter().enumerate().rev() {
            let length = launch.tile.map_or(0, |tile| tile[k]);
            thread[k] += lane % by * (length / by);
            lane /= by;
        }
        if let (Some(last), true) = (thread.last_mut(), merged.is_empty()) {
            *last += lane;
        }
        // Of merged threads one may note what is wrong in several.
        let is_first = match merged.is_empty() {
            true => self.faults.iter().all(|fault| fault.thread != thread),
            false => self.faults.is_empty(),
        };
        if is_first {
            self.faults.push(Fault {
                thread,
                site,
                operands,
            });
        }
    }

    fn count(&mut self, inst: &'m Inst, id: InstId, shared: &Shared<'m>) -> Step<()> {
        let Some(call) = self.calls.last_mut() else {
            return Ok(());
        };
        let ty = call.function.ty(inst.args[0]);
        let Some(scalar) = shared.ty(ty).scalar() else {
            return Err(broken("a loop counts what is no scalar"));
        };
        let mut values = call.all(&inst.args)?;
        let carried = values.split_off(3);
        let counter = Counter {
            scalar,
            at: values[0].as_int(),
            end: values[1].as_int(),
            step: values[2].as_int(),
            inclusive: inst.op == Op::ForInclusive,
        };
        if counter.step <= 0 {
            return Err(broken("a loop has no step"));
        }
        if !counter.runs() {
            return call.set(&inst.results, carried);
        }
        let params = &call.function.region(inst.regions[0]).params;
        call.enter(inst.regions[0], id, Some(counter));
        call.round(params, counter, carried)
    }

    fn call(&mut self, callee: &'m Function, inst: &'m Inst) -> Step<()> {
        let Some(caller) = self.calls.last() else {
            return Ok(());
        };
        let mut call = Call::new(callee, Some(inst));
        let mut values = caller.all(&inst.args)?.into_iter();
        let mut slots = inst.slots.iter();
        if callee.result_slot.is_some() {
            slots.next();
        }
        for param in &callee.params {
            match param {
                Param::Value(value) => call.values[value.0 as usize] = values.next(),
                Param::Slot(slot) => {
                    let passed = slots.next().map(|it| it.0 as usize);
                    call.slots[slot.0 as usize] = passed.and_then(|it| caller.slots[it].clone());
                }
            }
        }
        self.calls.push(call);
        Ok(())
    }

    fn end(&mut self, end: &'m End) -> Step<()> {
        let Some(call) = self.calls.last_mut() else {
            return Ok(());
        };
        let values = call.all(end.values())?;
        match end {
            End::Yield(_) => call.yields(values),
            End::Break(target, _) => {
                call.leave(*target, true)?;
                let results = &call.function.inst(*target).results;
                call.set(results, values)
            }
            End::Continue(target, _) => {
                call.leave(*target, false)?;
                call.yields(values)
            }
            End::Return(_) => {
                let left = self.calls.pop();
                let (Some(left), Some(call)) = (left, self.calls.last_mut()) else {
                    return Ok(());
                };
                let Some(inst) = left.caller else {
                    return Ok(());
                };
                if let (Some(from), Some(to)) = (left.function.result_slot, inst.slots.first()) {
                    call.slots[to.0 as usize] = left.slots[from.0 as usize].clone();
                }
                call.set(&inst.results, values)
            }
            End::Unreachable => Err(broken("control gets to what cannot be reached")),
        }
    }
}

impl<'m> Shared<'m> {
    pub fn ty(&self, ty: Ty) -> &'m crate::tree::Type {
        &self.launch.module.types[ty]
    }

    pub fn zero(&self, ty: &crate::tree::Type) -> Value {
        Value::zero(&self.launch.module.structs, self.launch.constants, ty)
    }
}

pub(super) fn broken(why: &str) -> Refusal {
    Refusal::Broken(why.to_owned())
}

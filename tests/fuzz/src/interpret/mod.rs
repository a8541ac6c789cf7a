//! What a module means: Rust's semantics on the IR, written to be obviously right.
//!
//! The threads of a tile are threads of the host that meet at a gate; without barriers
//! they run one after the other. A fault gives zero and is noted, as everywhere in amp.
//! An integer is an `i128` that is cut to its type after each operation; `usize` has 32
//! bits, as on a device.
//!
//! What it leaves out: whatever the generator does not make.

mod gate;
mod number;
mod thread;
mod value;

use std::sync::{Mutex, PoisonError};

use amp_spirv::ir::{Module, TiledField, Type};

pub use value::Value;

use self::gate::Gate;
use self::thread::Thread;
use crate::program::Program;
use crate::world::{Item, MATRIX, Param, ROW};

/// Steps that a thread may take. A program that needs more is not run.
const STEPS: u32 = 20_000;

/// Why a program has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It takes too many steps.
    TooLong,
    /// It reads a variable that has no value.
    Uninitialised,
}

/// What a thread noted of its first fault: the line of the operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Index in the domain.
    pub thread: Vec<usize>,
    /// Line of the operation.
    pub line: u32,
}

/// What a launch leaves.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// [`Param::Words`]
    pub words: Vec<u32>,
    /// [`Param::ItemsOut`]
    pub items: Vec<Item>,
    /// The first fault of each thread that had one.
    pub faults: Vec<Fault>,
}

/// A view in the interpreter.
struct Array {
    extent: Vec<u32>,
    elements: Vec<Value>,
}

/// What all threads of a launch share, by number of parameter.
type Arrays = Mutex<Vec<Option<Array>>>;

/// What the threads of a tile share.
struct Tile {
    statics: Mutex<Vec<Option<Value>>>,
    gate: Gate,
}

/// Runs a program.
///
/// # Errors
///
/// If it has no result.
pub fn run(program: &Program) -> Result<Outcome, Refusal> {
    let module = &program.module;
    let arrays: Arrays = Mutex::new(arrays(program));
    let extent = program.shape.extent();
    let mut faults = Vec::new();
    match program.shape.tile() {
        None => {
            let tile = Tile::new(module, 1);
            for position in positions(extent) {
                let index = Value::index(&position);
                faults.extend(one(program, &arrays, &tile, index, &position)?);
            }
        }
        Some(tile_extent) => {
            let tiles: Vec<u32> = extent.iter().zip(tile_extent).map(|(e, t)| e / t).collect();
            for at in positions(&tiles) {
                faults.extend(tile(program, &arrays, tile_extent, &at)?);
            }
        }
    }
    let arrays = arrays.into_inner().unwrap_or_else(PoisonError::into_inner);
    let array = |param| {
        let number = program.params.iter().position(|it| *it == param);
        let array = number.and_then(|number| arrays[number + 1].as_ref());
        array
            .map(|array| array.elements.as_slice())
            .unwrap_or_default()
    };
    Ok(Outcome {
        words: array(Param::Words).iter().map(Value::as_u32).collect(),
        items: array(Param::ItemsOut).iter().map(Value::to_item).collect(),
        faults,
    })
}

/// All positions in an extent, row-major.
fn positions(extent: &[u32]) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for &length in extent {
        all = all
            .into_iter()
            .flat_map(|front: Vec<u32>| {
                (0..length).map(move |last| [front.as_slice(), &[last]].concat())
            })
            .collect();
    }
    all
}

/// Runs the threads of the tile at a position.
fn tile(
    program: &Program,
    arrays: &Arrays,
    extent: &[u32],
    at: &[u32],
) -> Result<Vec<Fault>, Refusal> {
    let locals = positions(extent);
    let shared = Tile::new(&program.module, locals.len());
    let run = |local: &Vec<u32>| {
        let origin: Vec<u32> = at.iter().zip(extent).map(|(a, e)| a * e).collect();
        let global: Vec<u32> = origin.iter().zip(local).map(|(o, l)| o + l).collect();
        let mut fields = vec![Value::Unit; 4];
        fields[TiledField::Global as usize] = Value::index(&global);
        fields[TiledField::Local as usize] = Value::index(local);
        fields[TiledField::Tile as usize] = Value::index(at);
        fields[TiledField::TileOrigin as usize] = Value::index(&origin);
        let result = one(program, arrays, &shared, Value::Parts(fields), &global);
        if result.is_err() {
            shared.gate.abandon();
        }
        result
    };
    let results: Vec<_> = if program.has_barriers {
        std::thread::scope(|scope| {
            let run = &run;
            let threads: Vec<_> = locals
                .iter()
                .map(|local| scope.spawn(move || run(local)))
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("the interpreter does not panic"))
                .collect()
        })
    } else {
        locals.iter().map(run).collect()
    };
    let mut faults = Vec::new();
    for result in results {
        faults.extend(result?);
    }
    Ok(faults)
}

/// Runs one thread; gives its first fault.
fn one(
    program: &Program,
    arrays: &Arrays,
    tile: &Tile,
    index: Value,
    global: &[u32],
) -> Result<Option<Fault>, Refusal> {
    let module = &program.module;
    let mut thread = Thread::new(module, &program.constants, arrays, tile, STEPS);
    let mut arguments = vec![index];
    for (number, param) in program.params.iter().enumerate() {
        arguments.push(match param.ty() {
            Type::View(_) => Value::View(number + 1),
            _ => program.scalar(*param),
        });
    }
    thread.kernel(arguments)?;
    Ok(thread.fault.map(|span| Fault {
        thread: global.iter().map(|&component| component as usize).collect(),
        line: module.location(span).line,
    }))
}

impl Tile {
    fn new(module: &Module, threads: usize) -> Self {
        Self {
            statics: Mutex::new(vec![None; module.tile_statics.len()]),
            gate: Gate::new(threads),
        }
    }
}

/// The views of a launch by number of parameter.
fn arrays(program: &Program) -> Vec<Option<Array>> {
    let inputs = &program.inputs;
    let threads = program.shape.threads();
    let mut arrays = vec![None];
    arrays.extend(program.params.iter().map(|param| {
        let (extent, elements) = match param {
            Param::Numbers => {
                let numbers = inputs.numbers.iter();
                (
                    vec![inputs.numbers.len() as u32],
                    numbers.map(|&it| Value::Int(it.into())).collect(),
                )
            }
            Param::Matrix => (
                MATRIX.map(|extent| extent as u32).to_vec(),
                inputs.matrix.iter().map(|&it| Value::F32(it)).collect(),
            ),
            Param::Items => (
                vec![inputs.items.len() as u32],
                inputs.items.iter().map(Value::item).collect(),
            ),
            Param::Words => (
                vec![threads, ROW],
                vec![Value::Int(0); (threads * ROW) as usize],
            ),
            Param::ItemsOut => {
                let zero = Value::item(&Item::ZERO);
                (vec![threads], vec![zero; threads as usize])
            }
            _ => return None,
        };
        Some(Array { extent, elements })
    }));
    arrays
}

//! What a module means: Rust's semantics on the tree, written to be obviously right.
//!
//! The threads of a tile are threads of the host that meet at a gate; without barriers
//! they run one after the other. A fault gives zero and is noted, as everywhere in amp.
//! Arithmetic is that of [`amp_spirv::value`].
//!
//! What it leaves out: whatever the generator does not make.

mod gate;
mod shared;
mod thread;
mod view;

use std::sync::{Mutex, PoisonError};

use amp_spirv::tree::{Module, TiledField, Type};
use amp_spirv::value::{Array, Value, View};

use self::gate::Gate;
use self::thread::Thread;
use crate::program::Program;
use crate::world::{BYTES, Item, MATRIX, Param, ROW, TABLE};

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
    /// [`Param::BytesOut`], if there is one
    pub bytes: Vec<u8>,
    /// [`Param::Cells`], if there is one
    pub cells: Vec<u32>,
    /// [`Param::SignedCells`], if there is one
    pub signed_cells: Vec<i32>,
    /// The first fault of each thread that had one.
    pub faults: Vec<Fault>,
}

/// What all threads of a launch share, by number of parameter.
pub type Arrays = Mutex<Vec<Option<Array>>>;

/// What the threads of a tile share.
pub struct Tile {
    statics: Mutex<Vec<Option<Value>>>,
    /// Held during an atomic operation.
    atomics: Mutex<()>,
    gate: Gate,
}

/// Which thread comes first, where none waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Forwards,
    Backwards,
}

/// Runs a program.
///
/// # Errors
///
/// If it has no result.
pub fn run(program: &Program) -> Result<Outcome, Refusal> {
    run_in(program, Order::Forwards)
}

/// Whether a program leaves the same when its last thread comes first, as it does without
/// races.
pub fn is_orderly(program: &Program) -> bool {
    let [forwards, backwards] = [Order::Forwards, Order::Backwards].map(|order| {
        let left = run_in(program, order).map(|outcome| Outcome {
            faults: Vec::new(),
            ..outcome
        });
        // As text, because one NaN is as good as another.
        format!("{left:?}")
    });
    forwards == backwards
}

fn run_in(program: &Program, order: Order) -> Result<Outcome, Refusal> {
    let module = &program.module;
    let arrays: Arrays = Mutex::new(arrays(program));
    let extent = program.shape.extent();
    let mut faults = Vec::new();
    match program.shape.tile() {
        None => {
            let tile = Tile::new(module, 1);
            for position in positions(extent, order) {
                let index = Value::index(&position);
                faults.extend(one(program, &arrays, &tile, index, &position)?);
            }
        }
        Some(tile_extent) => {
            let tiles: Vec<u32> = extent.iter().zip(tile_extent).map(|(e, t)| e / t).collect();
            for at in positions(&tiles, order) {
                faults.extend(tile(program, &arrays, tile_extent, &at, order)?);
            }
        }
    }
    let arrays = arrays.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut arrays = arrays.into_iter().skip(1);
    Ok(Outcome::of(program, |_| arrays.next().flatten(), faults))
}

impl Outcome {
    /// What a launch leaves in the arrays of its parameters, which come in order.
    pub(crate) fn of(
        program: &Program,
        array: impl FnMut(&Param) -> Option<Array>,
        faults: Vec<Fault>,
    ) -> Self {
        let arrays: Vec<Option<Array>> = program.params.iter().map(array).collect();
        let array = |param| {
            let number = program.params.iter().position(|it| *it == param);
            let array = number.and_then(|number| arrays[number].as_ref());
            array
                .map(|array| array.elements.as_slice())
                .unwrap_or_default()
        };
        let integers = |param| array(param).iter().map(Value::as_int);
        Outcome {
            words: integers(Param::Words).map(|it| it as u32).collect(),
            items: array(Param::ItemsOut).iter().map(Item::of_value).collect(),
            bytes: integers(Param::BytesOut).map(|it| it as u8).collect(),
            cells: integers(Param::Cells).map(|it| it as u32).collect(),
            signed_cells: integers(Param::SignedCells).map(|it| it as i32).collect(),
            faults,
        }
    }
}

/// All positions in an extent, row-major.
fn positions(extent: &[u32], order: Order) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for &length in extent {
        all = all
            .into_iter()
            .flat_map(|front: Vec<u32>| {
                (0..length).map(move |last| [front.as_slice(), &[last]].concat())
            })
            .collect();
    }
    if order == Order::Backwards {
        all.reverse();
    }
    all
}

/// Runs the threads of the tile at a position.
fn tile(
    program: &Program,
    arrays: &Arrays,
    extent: &[u32],
    at: &[u32],
    order: Order,
) -> Result<Vec<Fault>, Refusal> {
    let locals = positions(extent, order);
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
            Type::View(_) => {
                let number = number + 1;
                let arrays = arrays.lock().unwrap_or_else(PoisonError::into_inner);
                let array = arrays[number].as_ref().expect("a view has an array");
                Value::View(Box::new(View::whole(number, array)))
            }
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
            atomics: Mutex::new(()),
            gate: Gate::new(threads),
        }
    }
}

/// The views of a launch by number of parameter.
fn arrays(program: &Program) -> Vec<Option<Array>> {
    let mut arrays = vec![None];
    arrays.extend(program.params.iter().map(|param| array(program, *param)));
    arrays
}

/// The array behind a parameter, before the launch.
pub(crate) fn array(program: &Program, param: Param) -> Option<Array> {
    fn integers<T: Copy + Into<i128>>(values: &[T]) -> Vec<Value> {
        values.iter().map(|&it| Value::Int(it.into())).collect()
    }
    let inputs = &program.inputs;
    let threads = program.shape.threads();
    let zeroes = |count: u32| vec![Value::Int(0); count as usize];
    let plane = |extent: [usize; 2]| extent.map(|it| it as u32).to_vec();
    let (extent, elements) = match param {
        Param::Numbers => (Vec::new(), integers(&inputs.numbers)),
        Param::Matrix => {
            let floats = inputs.matrix.iter().map(|&it| Value::Float(it.into()));
            (plane(MATRIX), floats.collect())
        }
        Param::Items => (Vec::new(), inputs.items.iter().map(Item::value).collect()),
        Param::Longs => (Vec::new(), integers(&inputs.longs)),
        Param::Table => (plane(TABLE), integers(&inputs.table)),
        Param::Doubles => {
            let floats = inputs.doubles.iter().map(|&it| Value::Float(it));
            (Vec::new(), floats.collect())
        }
        Param::Pixels => {
            let pixels = inputs.pixels.iter();
            let pixels = pixels.map(|pixel| Value::Parts(integers(pixel)));
            (Vec::new(), pixels.collect())
        }
        Param::Words => (vec![threads, ROW], zeroes(threads * ROW)),
        Param::ItemsOut => {
            let zero = Item::ZERO.value();
            (Vec::new(), vec![zero; threads as usize])
        }
        Param::BytesOut => (vec![threads, BYTES], zeroes(threads * BYTES)),
        Param::Cells => (Vec::new(), integers(&inputs.cells)),
        Param::SignedCells => (Vec::new(), integers(&inputs.signed_cells)),
        _ => return None,
    };
    Some(Array {
        extent: match extent.is_empty() {
            true => vec![elements.len() as u32],
            false => extent,
        },
        elements,
    })
}

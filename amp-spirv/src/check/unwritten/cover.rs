//! What the writes of all threads of a tile cover together.
//!
//! One write covers a variable whose sizes may be constants, if it is plain to see: an element
//! for each thread, as in `s[local[0]][local[1]]`, a loop through a dimension, or one thread
//! that writes everything. Where all sizes are numbers, the elements of all writes are marked
//! one by one.

use super::{EFFORT, Range, Write, walk::Walker};
use crate::{
    check::symbols::Meaning,
    check::value::{Form, Step, Symbol},
    tree::{Len, LocalId, TileStaticId, TiledField, Type},
};
use rustc_hash::FxHashMap as HashMap;

/// Parts of an element that are told apart.
const PARTS: usize = 32;

/// One step to a scalar in a variable.
#[derive(Clone, Copy)]
enum Place {
    Field(u32),
    Dimension(Len),
}

/// What symbols are known to be.
type Known = HashMap<Symbol, u64>;

impl Walker<'_> {
    /// Whether these writes, of all threads of the tile, cover all of a variable.
    pub(super) fn is_covered(&mut self, variable: TileStaticId, writes: &[Write]) -> bool {
        let ty = &self.module.tile_statics[variable.0 as usize].ty;
        let mut parts = Vec::new();
        self.parts(ty, &mut Vec::new(), &mut parts);
        parts.len() <= PARTS
            && parts.iter().all(|part| {
                let writes: Vec<&Write> = writes.iter().filter(|it| reaches(it, part)).collect();
                writes.iter().any(|write| self.covers(write, part)) || self.marks(&writes, part)
            })
    }

    /// The ways to the scalars of a type.
    fn parts(&self, ty: &Type, way: &mut Vec<Place>, parts: &mut Vec<Vec<Place>>) {
        let fields: Vec<&Type> = match ty {
            Type::Array(element, len) => {
                way.push(Place::Dimension(*len));
                self.parts(element, way, parts);
                way.pop();
                return;
            }
            Type::Struct(id) => {
                let fields = &self.module.structs[id.0 as usize].fields;
                fields.iter().map(|field| &field.ty).collect()
            }
            Type::Tuple(fields) => fields.iter().collect(),
            Type::Vector(scalar, count) => vec![Type::of(*scalar); *count as usize],
            Type::Index(rank) | Type::Extent(rank) => {
                way.push(Place::Dimension(Len::Literal(*rank)));
                parts.push(way.clone());
                way.pop();
                return;
            }
            _ => {
                parts.push(way.clone());
                return;
            }
        };
        for (number, field) in (0..).zip(fields) {
            if parts.len() > PARTS {
                return;
            }
            way.push(Place::Field(number));
            self.parts(field, way, parts);
            way.pop();
        }
    }

    /// Position of the thread in a dimension of the tile.
    fn position(&mut self, dimension: usize) -> Form {
        let field = TiledField::Local as u32;
        let meaning = Meaning::Input(LocalId(0), vec![field, dimension as u32]);
        self.symbols.form(meaning)
    }

    fn len(&mut self, len: Len) -> Form {
        match len {
            Len::Literal(length) => Form::constant(length.into()),
            Len::Const(id) => self.symbols.form(Meaning::Const(id)),
        }
    }

    /// Whether one write covers a part, each dimension of it by itself.
    fn covers(&mut self, write: &Write, part: &[Place]) -> bool {
        let mut free: Vec<usize> = (0..self.tile.len()).collect();
        let mut ranges: Vec<&Range> = write.ranges.iter().collect();
        for (step, place) in write.path.iter().zip(part) {
            let (Step::Element(index), Place::Dimension(len)) = (step, place) else {
                continue;
            };
            let length = self.len(*len);
            if index.known() == Some(0) && length.known() == Some(1) {
                continue;
            }
            // The variable of a loop starts at the thread's position, or at 0.
            let range = ranges.iter().position(|range| range.variable == *index);
            let range = range.map(|at| ranges.remove(at));
            let (start, end, step) = match range {
                Some(range) => (&range.start, &range.end, Some(&range.step)),
                None => (index, &length, None),
            };
            if *end != length {
                return false;
            }
            if start.known() == Some(0) && step.and_then(Form::known) == Some(1) {
                continue;
            }
            let taken = free.iter().position(|&dimension| {
                let extent = self.tile[dimension];
                let reaches = match step {
                    Some(step) => *step == self.len(extent),
                    None => extent == *len,
                };
                reaches && *start == self.position(dimension)
            });
            let Some(taken) = taken else {
                return false;
            };
            free.remove(taken);
        }
        // The other loops go round, and of the threads that write the same there is a first.
        let go_round = ranges.iter().all(|range| {
            let bounds = range.start.known().zip(range.end.known());
            bounds.is_some_and(|(start, end)| start < end)
        });
        let mut first = Known::default();
        for dimension in free {
            first.extend(self.position(dimension).base().map(|it| (*it, 0)));
        }
        go_round && self.holds(write, &first)
    }

    fn holds(&mut self, write: &Write, known: &Known) -> bool {
        write.conditions.iter().all(|(condition, side)| {
            let found = self.symbols.evaluate(condition, Type::BOOL.scalar(), known);
            found.is_some_and(|found| (found != 0) == *side)
        })
    }

    /// Whether writes to a part whose dimensions are numbers mark all of it.
    fn marks(&mut self, writes: &[&Write], part: &[Place]) -> bool {
        let number = |len: &Len| match len {
            Len::Literal(length) => Some(*length),
            Len::Const(_) => None,
        };
        let lengths: Option<Vec<u32>> = part
            .iter()
            .filter_map(|place| match place {
                Place::Dimension(len) => Some(number(len)),
                Place::Field(_) => None,
            })
            .collect();
        let tile: Option<Vec<u32>> = self.tile.iter().map(number).collect();
        let (Some(lengths), Some(tile)) = (lengths, tile) else {
            return false;
        };
        let count = |lengths: &[u32]| {
            lengths
                .iter()
                .try_fold(1_u32, |product, length| product.checked_mul(*length))
                .filter(|count| *count <= EFFORT)
        };
        let (Some(elements), Some(threads)) = (count(&lengths), count(&tile)) else {
            return false;
        };
        if writes.is_empty() || elements > self.effort {
            return false;
        }
        self.effort -= elements;
        let mut marked = vec![false; elements as usize];
        for thread in 0..threads {
            let mut known = Known::default();
            let mut rest = thread;
            for (dimension, extent) in tile.iter().enumerate().rev() {
                let position = self.position(dimension).base().copied();
                known.extend(position.map(|it| (it, u64::from(rest % extent))));
                rest /= extent;
            }
            for write in writes {
                self.mark(write, &write.ranges, &mut known, part, &mut marked);
            }
            if self.effort == 0 || marked.iter().all(|marked| *marked) {
                break;
            }
        }
        marked.iter().all(|marked| *marked)
    }

    /// Marks what a thread writes in the rounds of the loops that are left.
    fn mark(
        &mut self,
        write: &Write,
        ranges: &[Range],
        known: &mut Known,
        part: &[Place],
        marked: &mut [bool],
    ) {
        if let Some((range, inner)) = ranges.split_first() {
            let [start, end, step] = [&range.start, &range.end, &range.step]
                .map(|form| self.symbols.evaluate(form, Some(range.ty), known));
            let (Some(start), Some(end), Some(step @ 1..)) = (start, end, step) else {
                return;
            };
            let Some(&variable) = range.variable.base() else {
                return;
            };
            let mut at = start;
            while at < end && self.effort > 0 {
                known.insert(variable, at);
                self.mark(write, inner, known, part, marked);
                let Some(next) = at.checked_add(step) else {
                    break;
                };
                at = next;
            }
            known.remove(&variable);
            return;
        }
        self.effort = self.effort.saturating_sub(1);
        if !self.holds(write, known) {
            return;
        }
        let index = Some(self.module.index.scalar());
        // The elements behind the steps so far.
        let mut first = 0;
        let mut count = marked.len();
        for (step, place) in write.path.iter().zip(part) {
            let (Step::Element(form), Place::Dimension(Len::Literal(length))) = (step, place)
            else {
                continue;
            };
            let at = self.symbols.evaluate(form, index, known);
            // What is outside is not written.
            let Some(at) = at.filter(|at| *at < (*length).into()) else {
                return;
            };
            count /= *length as usize;
            first += at as usize * count;
        }
        marked[first..][..count].fill(true);
    }
}

/// Whether a write goes on the way to a part.
fn reaches(write: &Write, part: &[Place]) -> bool {
    write.path.len() <= part.len()
        && write
            .path
            .iter()
            .zip(part)
            .all(|(step, place)| match (step, place) {
                (Step::Field(field), Place::Field(other)) => field == other,
                (Step::Element(_), Place::Dimension(_)) => true,
                // The components of a vector have both.
                (Step::Element(index), Place::Field(other)) => {
                    index.known() == Some((*other).into())
                }
                (Step::Field(_), Place::Dimension(_)) => false,
            })
}

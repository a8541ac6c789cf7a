//! What the threads of a tile know at the start of a kernel.

use super::symbols::{Meaning, Symbols};
use super::value::{Form, Value};
use crate::tree::{Len, LocalId, Module, TiledField, Type};

/// Components of a parameter that are told apart.
const COMPONENTS: u32 = 16;

impl Symbols {
    /// The `TiledIndex` of a thread whose position in the tile is these numbers, or symbols.
    pub(super) fn tiled_index(&mut self, module: &Module, thread: Option<&[u32]>) -> Value {
        let local = TiledField::Local as u32;
        let tile = TiledField::Tile as u32;
        let origin = TiledField::TileOrigin as u32;
        let rank = module.domain.rank();
        let mut symbols = |field: u32| -> Vec<Form> {
            let part = |part| self.form(Meaning::Input(LocalId(0), vec![field, part]));
            (0..rank).map(part).collect()
        };
        let (tile, origin) = (symbols(tile), symbols(origin));
        let local = match thread {
            Some(thread) => thread
                .iter()
                .map(|position| Form::constant((*position).into()))
                .collect(),
            None => symbols(local),
        };
        let global = origin
            .iter()
            .zip(&local)
            .map(|(origin, local)| origin.add(local, 1, module.index.scalar()))
            .collect();
        let index = |parts: Vec<Form>| Value::Parts(parts.into_iter().map(Value::Scalar).collect());
        // As `TiledField` numbers them.
        Value::Parts([global, local, tile, origin].map(index).into())
    }

    /// A parameter of the kernel: the same in all threads.
    pub(super) fn parameter(&mut self, module: &Module, local: LocalId) -> Value {
        match &module.kernel().local(local).ty {
            Type::View(_) => Value::View(local),
            ty => self.input(module, local, ty, &mut Vec::new()),
        }
    }

    fn input(&mut self, module: &Module, local: LocalId, ty: &Type, path: &mut Vec<u32>) -> Value {
        let parts: Vec<&Type> = match ty {
            Type::Scalar(_) => return self.value(Meaning::Input(local, path.clone())),
            Type::Tuple(parts) => parts.iter().collect(),
            Type::Struct(id) => {
                let fields = &module.structs[id.0 as usize].fields;
                fields.iter().map(|field| &field.ty).collect()
            }
            Type::Array(element, Len::Literal(length)) if *length <= COMPONENTS => {
                vec![&**element; *length as usize]
            }
            Type::Vector(scalar, components) => vec![Type::of(*scalar); *components as usize],
            Type::Index(rank) | Type::Extent(rank) => vec![module.index.ty(); *rank as usize],
            _ => return Value::Unknown,
        };
        let mut values = Vec::new();
        for (position, part) in (0..).zip(parts) {
            path.push(position);
            values.push(self.input(module, local, part, path));
            path.pop();
        }
        Value::Parts(values)
    }

    /// The extent of a view that the kernel is given.
    pub(super) fn extent(&mut self, view: LocalId, rank: u32) -> Value {
        let part = |part| self.value(Meaning::Input(view, vec![part]));
        Value::Parts((0..rank).map(part).collect())
    }
}

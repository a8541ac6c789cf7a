//! SPIR-V as text to read and compare: ids have names, constants are written where they
//! are used, and a comment shows the source that instructions come from. What has no
//! name is numbered within its function, so that a change in one leaves the others.
//! Decorations of what a function computes stand behind it.

use std::collections::{HashMap, HashSet};

use rspirv::binary::Disassemble;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{GlslStd450Op, MemorySemantics, Op, Scope, Word};

/// The source behind a line and column of the kernels' file, up to the end of the line.
pub fn source_at(line: u32, column: u32) -> &'static str {
    let text = include_str!("kernels.rs").lines().nth(line as usize - 1);
    text.and_then(|text| text.get(column as usize - 1..))
        .unwrap_or("?")
}

/// Lists a module.
pub fn of(spirv: &[u8]) -> String {
    let module = rspirv::dr::load_bytes(spirv).expect("the compiler makes SPIR-V");
    let mut listing = Listing::default();
    listing.name_globals(&module);
    for instruction in module.global_inst_iter() {
        if !is_in_names(instruction.class.opcode) && !listing.is_local(instruction) {
            listing.instruction(instruction);
        }
    }
    for function in &module.functions {
        listing.name_locals(function);
        listing.out += "\n";
        for instruction in function.all_inst_iter() {
            listing.instruction(instruction);
        }
    }
    listing.out
}

/// Whether the names of ids say all that an instruction says.
fn is_in_names(op: Op) -> bool {
    matches!(
        op,
        Op::Name
            | Op::MemberName
            | Op::String
            | Op::ExtInstImport
            | Op::TypeVoid
            | Op::TypeBool
            | Op::TypeInt
            | Op::TypeFloat
            | Op::TypeVector
            | Op::TypePointer
            | Op::TypeFunction
            | Op::Constant
            | Op::ConstantTrue
            | Op::ConstantFalse
            | Op::ConstantNull
    )
}

#[derive(Default)]
struct Listing {
    names: HashMap<Word, String>,
    taken: HashSet<String>,
    /// Values of integer constants.
    values: HashMap<Word, u32>,
    /// Decorations of ids without a name.
    decorations: HashMap<Word, String>,
    out: String,
}

impl Listing {
    fn name_globals(&mut self, module: &Module) {
        for instruction in &module.debug_names {
            if let (Op::Name, [Operand::IdRef(id), Operand::LiteralString(name)]) =
                (instruction.class.opcode, instruction.operands.as_slice())
            {
                self.give(*id, name);
            }
        }
        for instruction in module
            .ext_inst_imports
            .iter()
            .chain(&module.types_global_values)
        {
            let Some(id) = instruction.result_id else {
                continue;
            };
            if let [Operand::LiteralBit32(value), ..] = instruction.operands[..] {
                self.values.insert(id, value);
            }
            if !self.names.contains_key(&id) {
                let name = self.global_name(instruction);
                self.give(id, &name);
            }
        }
    }

    /// Whether an instruction decorates what has no name yet, which is remembered.
    fn is_local(&mut self, instruction: &Instruction) -> bool {
        let (Op::Decorate, [Operand::IdRef(id), decoration]) =
            (instruction.class.opcode, instruction.operands.as_slice())
        else {
            return false;
        };
        if self.names.contains_key(id) {
            return false;
        }
        let text = format!(" ; {}", decoration.disassemble());
        *self.decorations.entry(*id).or_default() += &text;
        true
    }

    fn name_locals(&mut self, function: &rspirv::dr::Function) {
        let (mut labels, mut values) = (0, 0);
        for instruction in function.all_inst_iter() {
            let Some(id) = instruction.result_id else {
                continue;
            };
            if self.names.contains_key(&id) {
                continue;
            }
            let name = if instruction.class.opcode == Op::Label {
                labels += 1;
                format!("block{labels}")
            } else {
                values += 1;
                values.to_string()
            };
            // Another function may have the same.
            self.names.insert(id, name);
        }
    }

    /// Names an id; the second of the same name gets a number.
    fn give(&mut self, id: Word, name: &str) {
        let others = (2..).map(|number| format!("{name}.{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(others);
        let free = names
            .find(|name| !self.taken.contains(name))
            .expect("numbers do not end");
        self.taken.insert(free.clone());
        self.names.insert(id, free);
    }

    fn global_name(&self, instruction: &Instruction) -> String {
        let parts: Vec<String> = instruction
            .operands
            .iter()
            .map(|it| self.operand(it).replace('%', ""))
            .collect();
        let ty = instruction.result_type.map_or("", |ty| &self.names[&ty]);
        match instruction.class.opcode {
            Op::TypeVoid => "void".to_owned(),
            Op::TypeBool => "bool".to_owned(),
            Op::TypeInt if parts[1] == "0" => format!("u{}", parts[0]),
            Op::TypeInt => format!("i{}", parts[0]),
            Op::TypeFloat => format!("f{}", parts[0]),
            Op::TypeVector => format!("{}x{}", parts[0], parts[1]),
            Op::TypeArray => format!("[{}; {}]", parts[0], parts[1]),
            Op::TypeRuntimeArray => format!("[{}]", parts[0]),
            Op::TypePointer => format!("{}*{}", parts[1], parts[0]),
            Op::TypeFunction => format!("fn({})->{}", parts[1..].join(","), parts[0]),
            Op::ConstantTrue => "true".to_owned(),
            Op::ConstantFalse => "false".to_owned(),
            Op::ConstantNull => format!("null({ty})"),
            Op::Constant => match (ty, &instruction.operands[0]) {
                ("f32", Operand::LiteralBit32(bits)) => format!("{:?}", f32::from_bits(*bits)),
                ("i32", Operand::LiteralBit32(bits)) => format!("{}i", *bits as i32),
                _ => format!("{}u", parts[0]),
            },
            Op::ConstantComposite => format!("{ty}({})", parts.join(",")),
            Op::SpecConstantOp => format!("{}({})", parts[0], parts[1..].join(",")),
            Op::ExtInstImport => "glsl".to_owned(),
            op => format!("{op:?}"),
        }
    }

    fn operand(&self, operand: &Operand) -> String {
        let value = |id: &Word| self.values.get(id).copied();
        match operand {
            Operand::IdScope(id) => match value(id).and_then(Scope::from_u32) {
                Some(scope) => format!("{scope:?}"),
                None => self.id(*id),
            },
            Operand::IdMemorySemantics(id) => {
                match value(id).and_then(MemorySemantics::from_bits) {
                    Some(semantics) => semantics.disassemble(),
                    None => self.id(*id),
                }
            }
            Operand::IdRef(id) => self.id(*id),
            Operand::LiteralExtInstInteger(number) => match GlslStd450Op::from_u32(*number) {
                Some(op) => format!("{op:?}"),
                None => number.to_string(),
            },
            other => other.disassemble(),
        }
    }

    fn id(&self, id: Word) -> String {
        format!("%{}", self.names.get(&id).map_or("?", |name| name))
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let op = instruction.class.opcode;
        if let (
            Op::Line,
            [
                _,
                Operand::LiteralBit32(line),
                Operand::LiteralBit32(column),
            ],
        ) = (op, instruction.operands.as_slice())
        {
            self.out += &format!("    ; {}\n", source_at(*line, *column));
            return;
        }
        let result = instruction
            .result_id
            .map(|id| format!("{} = ", self.id(id)));
        let ty = instruction
            .result_type
            .map(|ty| format!(" {}", self.id(ty)));
        let operands: String = instruction
            .operands
            .iter()
            .map(|it| format!(" {}", self.operand(it)))
            .collect();
        let indent = if matches!(op, Op::Label | Op::Function | Op::FunctionEnd) {
            ""
        } else {
            "    "
        };
        let (result, ty) = (result.unwrap_or_default(), ty.unwrap_or_default());
        let decorations = instruction
            .result_id
            .and_then(|id| self.decorations.get(&id))
            .map_or("", |it| it);
        self.out += &format!("{indent}{result}Op{op:?}{ty}{operands}{decorations}\n");
    }
}

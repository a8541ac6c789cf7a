//! The tree as Rust. What is written means the same; how it is written varies by seed
//! ([`super::surface`]).

use std::collections::{BTreeSet, HashSet};

use amp_spirv::tree::*;
use fastrand::Rng;

use super::{vector, ways};
use crate::program::Program;

/// The items of a program's module, and the texts of the [`forms`](super::forms) in it.
pub fn module(program: &Program) -> (String, BTreeSet<&'static str>) {
    let module = &program.module;
    let mut text = String::from(
        "use amp::prelude::*;\nuse amp_fuzz::glam::*;\nuse amp_fuzz::half::{bf16, f16};\n\
         use amp_fuzz::world::Item;\n",
    );
    let mut printer = Printer {
        program,
        function: module.kernel(),
        rng: Rng::with_seed(!program.seed),
        in_module: in_module(program),
        names: 0,
        deferred: HashSet::new(),
        is_plain: false,
        items: Vec::new(),
        forms: BTreeSet::new(),
    };
    for (constant, bits) in module.consts.iter().zip(&program.constants) {
        let literal = Literal::new(constant.ty, *bits);
        let ty = constant.ty.name();
        let value = match literal.integer() {
            Some(value) => value.to_string(),
            None if constant.ty == Scalar::Bool => (*bits != 0).to_string(),
            None => format!("{ty}::from_bits({bits})"),
        };
        let name = &constant.name;
        text += &format!("const {name}: {ty} = {value};\n");
    }
    let mut own = String::new();
    for item in &module.structs[1..] {
        own += &printer.structure(item);
    }
    for function in &module.functions {
        printer.function = function;
        printer.deferred.clear();
        own += &printer.function();
    }
    text += &printer.form_items();
    text += &ways::helpers(&own, printer.in_module);
    (text + &own, printer.forms)
}

/// Whether a program's items stand in an `#[amp_module]`.
pub fn in_module(program: &Program) -> bool {
    program.seed.is_multiple_of(3)
}

/// Writes functions.
pub struct Printer<'a> {
    pub program: &'a Program,
    pub function: &'a Function,
    pub rng: Rng,
    pub in_module: bool,
    /// How many names have been made up.
    pub names: u32,
    /// Variables that get their value after they are declared.
    pub deferred: HashSet<LocalId>,
    /// Whether no forms are wanted.
    pub is_plain: bool,
    /// What the forms need.
    pub items: Vec<&'static str>,
    /// The texts of the forms that have been written.
    pub forms: BTreeSet<&'static str>,
}

impl Printer<'_> {
    fn kernel_attribute(&self) -> String {
        match &self.program.module.options.coarsening {
            None => "#[amp_kernel]\n".to_owned(),
            Some(Coarsening { factors, .. }) => {
                let factors: Vec<String> = factors.iter().map(u32::to_string).collect();
                format!("#[amp_kernel(coarsen({}))]\n", factors.join(", "))
            }
        }
    }

    /// Whether what is being written is the kernel.
    pub fn is_kernel(&self) -> bool {
        std::ptr::eq(self.function, self.program.module.kernel())
    }

    fn function(&mut self) -> String {
        let function = self.function;
        let is_kernel = self.is_kernel();
        let params: Vec<String> = (0..function.params)
            .map(|id| {
                let local = function.local(LocalId(id));
                let ty = match &local.ty {
                    _ if is_kernel && id == 0 => self.program.shape.index_text(),
                    ty => self.ty(ty),
                };
                format!("{}: {ty}", local.name)
            })
            .collect();
        let (attribute, visible) = match is_kernel {
            true => (self.kernel_attribute(), "pub "),
            false if self.in_module => (String::new(), "pub "),
            false => ("#[amp_fn]\n".to_owned(), ""),
        };
        let result = match &function.result {
            Type::Unit => String::new(),
            ty => format!(" -> {}", self.ty(ty)),
        };
        let mut statics = String::new();
        if is_kernel {
            for variable in &self.program.module.tile_statics {
                let ty = self.ty(&variable.ty);
                statics += &format!("#[tile_static]\nlet mut {}: {ty};\n", variable.name);
            }
        }
        // A kernel sees a constant's name but not its type, so for a method it needs one.
        for constant in &self.program.module.consts {
            let (name, ty) = (&constant.name, constant.ty.name());
            statics += &format!("let typed_{name}: {ty} = {name};\n");
        }
        let body = self.block(&function.body);
        let body = body.strip_prefix('{').unwrap_or(&body);
        let name = self.function_name(function);
        let params = params.join(", ");
        format!("{attribute}{visible}fn {name}({params}){result} {{\n{statics}{body}\n")
    }

    /// The name of a function, which is unique in the crate: by it the compiler finds the module that it
    /// stands in.
    fn function_name(&self, function: &Function) -> String {
        format!("{}_{}", function.name, self.program.seed)
    }

    /// A type in Rust.
    pub fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Scalar(scalar) => scalar.name().into(),
            Type::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.ty(part)).collect();
                format!("({},)", parts.join(", "))
            }
            Type::Array(element, len) => format!("[{}; {}]", self.ty(element), self.len(*len)),
            Type::Struct(id) => self.program.module.structs[id.0 as usize].name.clone(),
            Type::Index(rank) => format!("Index<{rank}>"),
            Type::Vector(scalar, components) => vector::name(*scalar, *components),
            Type::View(view) => {
                let name = match view.mutable {
                    true => "&mut ArrayViewMut",
                    false => "&ArrayView",
                };
                format!("{name}<{}, {}>", self.ty(&view.element), view.rank)
            }
            other => panic!("{other:?} is not made"),
        }
    }

    fn len(&self, len: Len) -> String {
        match len {
            Len::Literal(len) => len.to_string(),
            Len::Const(id) => self.constant(id),
        }
    }

    fn constant(&self, id: ConstId) -> String {
        self.program.module.consts[id.0 as usize].name.clone()
    }

    pub fn name(&self, id: LocalId) -> String {
        let name = &self.function.local(id).name;
        match id.0 < self.function.params {
            true => name.clone(),
            false => format!("{name}_{}", id.0),
        }
    }

    /// A place.
    pub fn place(&mut self, place: &Place) -> String {
        let module = &self.program.module;
        let (mut text, mut ty) = match &place.root {
            Root::Local(id) => (self.name(*id), self.function.local(*id).ty.clone()),
            Root::TileStatic(id) => {
                let variable = &module.tile_statics[id.0 as usize];
                (variable.name.clone(), variable.ty.clone())
            }
            Root::Element { view, index } => {
                let Type::View(ty) = &self.function.local(*view).ty else {
                    panic!("an element is of a view");
                };
                let (name, element) = (self.name(*view), (*ty.element).clone());
                let ExprKind::Construct(parts) = &index.kind else {
                    panic!("an index is written out");
                };
                let parts: Vec<String> = parts.iter().map(|part| self.expr(part)).collect();
                let index = match parts.len() == 1 && self.rng.bool() {
                    true => parts[0].clone(),
                    false => format!("[{}]", parts.join(", ")),
                };
                (format!("{name}[{index}]"), element)
            }
        };
        for projection in &place.projections {
            ty = match (projection, ty) {
                (Projection::Field(field), Type::Tuple(parts)) => {
                    text += &format!(".{field}");
                    parts[*field as usize].clone()
                }
                (Projection::Field(field), Type::Struct(id)) => {
                    let field = &module.structs[id.0 as usize].fields[*field as usize];
                    text += &format!(".{}", field.name);
                    field.ty.clone()
                }
                (Projection::Field(field), Type::TiledIndex(rank)) => {
                    let names = ["global", "local", "tile", "tile_origin"];
                    text += &format!(".{}", names[*field as usize]);
                    Type::Index(rank)
                }
                (Projection::Field(field), Type::Vector(scalar, _)) => {
                    text += &format!(".{}", vector::component(*field));
                    Type::Scalar(scalar)
                }
                (Projection::Index(index), ty) => {
                    if matches!(ty, Type::Array(..)) {
                        text += self.as_slice();
                    }
                    text += &format!("[{}]", self.expr(index));
                    match ty {
                        Type::Array(element, _) => *element,
                        Type::Vector(scalar, _) => Type::Scalar(scalar),
                        _ => Type::USIZE,
                    }
                }
                (projection, ty) => panic!("{projection:?} of {ty:?}"),
            };
        }
        text
    }

    /// An expression that may stand anywhere.
    pub fn expr(&mut self, expr: &Expr) -> String {
        let plain = self.plain(expr);
        self.of_value(&expr.ty, plain)
    }

    fn plain(&mut self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Literal(literal) => self.of_literal(&expr.ty, written(*literal)),
            ExprKind::Const(id) => format!("typed_{}", self.constant(*id)),
            ExprKind::Load(place) => match self.got(place) {
                Some(text) => text,
                None => self.place(place),
            },
            ExprKind::Unary(op, operand) => {
                let sign = match op {
                    UnaryOp::Neg => '-',
                    UnaryOp::Not => '!',
                };
                if let Some(text) = self.applied(sign, operand) {
                    return text;
                }
                format!("({sign}{})", self.expr(operand))
            }
            ExprKind::Binary(op, left, right)
                if op.is_comparison() && matches!(left.ty, Type::Vector(..)) =>
            {
                self.vector_comparison(*op, left, right)
            }
            ExprKind::Binary(op, left, right) => {
                if let Some(text) = self.of_operator(*op, left, right) {
                    return text;
                }
                if let Some(text) = self.other_operator(*op, left, right) {
                    return text;
                }
                if let Some(text) = self.by_closure(*op, left, right) {
                    return text;
                }
                let left = self.expr(left);
                let right = match right.kind {
                    ExprKind::Const(id) if !matches!(op, BinaryOp::Shl | BinaryOp::Shr) => {
                        self.constant(id)
                    }
                    _ => self.expr(right),
                };
                format!("({left} {} {right})", op.symbol())
            }
            ExprKind::Lazy(op, left, right) => {
                let symbol = match op {
                    LazyOp::And => "&&",
                    LazyOp::Or => "||",
                };
                let (left, right) = (self.expr(left), self.expr(right));
                format!("({left} {symbol} {right})")
            }
            ExprKind::Cast(value) => self.cast(value, &expr.ty),
            ExprKind::Math(op, operands) => self.method(*op, &expr.ty, operands),
            ExprKind::Construct(parts) => self.construct(&expr.ty, parts),
            ExprKind::Repeat(element) => {
                let Type::Array(_, len) = &expr.ty else {
                    panic!("only arrays repeat");
                };
                format!("[{}; {}]", self.expr(element), self.len(*len))
            }
            ExprKind::Field(value, field) => match &value.kind {
                ExprKind::ViewExtent(view) => format!("{}.extent()[{field}]", self.name(*view)),
                _ => format!("{}.{field}", self.expr(value)),
            },
            ExprKind::View(view) => self.borrowed(*view),
            ExprKind::Derive(derivation) => self.derived(derivation, &expr.ty),
            ExprKind::Atomic(atomic) => self.atomic(atomic),
            ExprKind::Subgroup(op, operands) => self.subgroup(*op, operands),
            ExprKind::Call(callee, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|it| self.expr(it)).collect();
                let name = self.function_name(self.program.module.function(*callee));
                format!("{name}({})", arguments.join(", "))
            }
            _ => format!("({})", self.bare(expr)),
        }
    }

    fn construct(&mut self, ty: &Type, parts: &[Expr]) -> String {
        if let Type::Tuple(_) = ty
            && let Some(text) = self.turned(parts)
        {
            return text;
        }
        let parts: Vec<String> = parts.iter().map(|part| self.expr(part)).collect();
        let list = parts.join(", ");
        match ty {
            Type::Tuple(_) => format!("({list},)"),
            Type::Array(..) => format!("[{list}]"),
            Type::Index(_) => format!("Index::new([{list}])"),
            Type::Vector(scalar, components) => {
                format!("{}::new({list})", vector::name(*scalar, *components))
            }
            Type::Struct(id) => {
                let item = &self.program.module.structs[id.0 as usize];
                if self.in_module && id.0 > 0 && self.rng.bool() {
                    return format!("{}::new({list})", item.name);
                }
                let fields: Vec<String> = item
                    .fields
                    .iter()
                    .zip(&parts)
                    .map(|(field, part)| format!("{}: {part}", field.name))
                    .collect();
                format!("({} {{ {} }})", item.name, fields.join(", "))
            }
            other => panic!("{other:?} is not built"),
        }
    }

    fn method(&mut self, op: MathOp, ty: &Type, operands: &[Expr]) -> String {
        let operands: Vec<String> = operands.iter().map(|it| self.expr(it)).collect();
        let list = operands.join(", ");
        match op {
            MathOp::FromBits => return format!("{}::from_bits({list})", self.ty(ty)),
            MathOp::Select => return format!("{}::select({list})", self.ty(ty)),
            _ => {}
        }
        let name: String = match op {
            MathOp::IntPow => "pow".into(),
            op => format!("{op:?}")
                .chars()
                .flat_map(|letter| {
                    let words = letter.is_uppercase().then_some('_');
                    words.into_iter().chain(letter.to_lowercase())
                })
                .skip(1)
                .collect(),
        };
        format!("{}.{name}({})", operands[0], operands[1..].join(", "))
    }
}

/// A literal with its type. There are none of halves.
fn written(literal: Literal) -> String {
    match literal {
        Literal::Bool(value) => value.to_string(),
        Literal::F32(bits) => format!("{:?}_f32", f32::from_bits(bits)),
        Literal::Other(Scalar::F64, bits) => format!("{:?}_f64", f64::from_bits(bits)),
        other => match other.integer() {
            Some(value) => format!("{value}_{}", other.scalar().name()),
            None => format!("{}::from_bits({})", other.scalar().name(), other.bits()),
        },
    }
}

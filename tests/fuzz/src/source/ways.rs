//! The same by other means: closures, references, generic helpers, methods, arrays to go
//! over, slices, variables that are ranges. What is computed, and in which order, does not change.

use amp_spirv::tree::*;

use super::forms::is_value;
use super::print::Printer;
use crate::world::ITEM;

/// Helpers of modules.
const HELPERS: [&str; 13] = [
    "fn pick<T: Copy>(first: bool, a: T, b: T) -> T { if first { a } else { b } }",
    "fn set<T: Scalar>(place: &mut T, value: T) { *place = value; }",
    "fn set_item(place: &mut Item, value: Item) { *place = value; }",
    "fn add_to<T: Scalar>(place: &mut T, by: T) { *place += by; }",
    "fn sub_from<T: Scalar>(place: &mut T, by: T) { *place -= by; }",
    "fn mul_by<T: Scalar>(place: &mut T, by: T) { *place *= by; }",
    "fn applied<A: Copy, F: Fn(A) -> A>(f: F, x: A) -> A { f(x) }",
    "fn both<T: Integer>(a: T, b: T) -> T { a & b }",
    "fn either<T: Integer>(a: T, b: T) -> T { let mut a = a; a |= b; a }",
    "fn one_of<T: Integer>(a: T, b: T) -> T { a ^ b }",
    "fn raised<T: Integer>(x: T, by: u32) -> T { x << by }",
    "fn lowered<T: Integer>(x: T, by: u32) -> T { let mut x = x; x >>= by; x }",
    "fn turned<A: Copy, B: Copy>(pair: (A, B)) -> (B, A) { (pair.1, pair.0) }",
];

/// The text of the helpers that are called.
pub fn helpers(calls: &str, in_module: bool) -> String {
    let attribute = if in_module { "" } else { "#[amp_fn] " };
    let is_called = |helper: &&str| {
        let name = helper["fn ".len()..].split(['<', '(']).next();
        calls.contains(&format!("{}(", name.unwrap_or_default()))
    };
    let called = HELPERS.into_iter().filter(is_called);
    called
        .map(|helper| format!("{attribute}{helper}\n"))
        .collect()
}

impl Printer<'_> {
    /// A struct of the program, in an `#[amp_module]` with methods.
    pub fn structure(&mut self, item: &Struct) -> String {
        let field = |printer: &Self, field: &Field| (field.name.clone(), printer.ty(&field.ty));
        let fields: Vec<(String, String)> = item.fields.iter().map(|it| field(self, it)).collect();
        let list = |separator: &str, of: &dyn Fn(&(String, String)) -> String| {
            let all: Vec<String> = fields.iter().map(of).collect();
            all.join(separator)
        };
        let name = &item.name;
        if !self.in_module {
            let fields = list(", ", &|(field, ty)| format!("{field}: {ty}"));
            return format!("#[amp_struct]\nstruct {name} {{ {fields} }}\n");
        }
        let own = list(", ", &|(field, ty)| format!("pub {field}: {ty}"));
        let params = list(", ", &|(field, ty)| format!("{field}: {ty}"));
        let names = list(", ", &|(field, _)| field.clone());
        let methods = list("\n", &|(field, ty)| {
            format!(
                "pub fn get_{field}(&self) -> {ty} {{ self.{field} }}\n\
                 pub fn set_{field}(&mut self, value: {ty}) {{ self.{field} = value; }}"
            )
        });
        format!(
            "pub struct {name} {{ {own} }}\nimpl {name} {{\n\
             pub fn new({params}) -> Self {{ Self {{ {names} }} }}\n{methods}\n}}\n"
        )
    }

    /// A name that nothing else has.
    fn fresh(&mut self, name: &str) -> String {
        self.names += 1;
        format!("{name}{}", self.names)
    }

    /// `a op b` by a closure.
    pub fn by_closure(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<String> {
        let scalars = left.ty.scalar().is_some() && right.ty.scalar().is_some();
        if !scalars || self.rng.u8(0..24) > 0 {
            return None;
        }
        let name = self.fresh("op");
        let types = [self.ty(&left.ty), self.ty(&right.ty)];
        let (a, b) = (self.expr(left), self.expr(right));
        let symbol = op.symbol();
        Some(format!(
            "({{ let {name} = |x: {}, y: {}| x {symbol} y; {name}({a}, {b}) }})",
            types[0], types[1]
        ))
    }

    /// `op value` by a closure that a helper calls.
    pub fn applied(&mut self, sign: char, value: &Expr) -> Option<String> {
        if value.ty.scalar().is_none() || self.rng.u8(0..8) > 0 {
            return None;
        }
        let (ty, value) = (self.ty(&value.ty), self.expr(value));
        Some(format!("applied(|x: {ty}| {sign}x, {value})"))
    }

    /// A value that a closure computes from what it captures. After a panic, which may be in it, it has to
    /// return a zero.
    pub fn captured(&mut self, value: &Expr) -> Option<String> {
        if self.rng.u8(0..8) > 0 || !is_plain(value) || !is_value(&value.ty) {
            return None;
        }
        let name = self.fresh("compute");
        let text = self.expr(value);
        let ty = self.ty(&value.ty);
        Some(format!(
            "{{ let {name} = || -> {ty} {{ {text} }}; {name}() }}"
        ))
    }

    /// `if condition { a } else { b }` of values that both may be computed.
    pub fn picked(&mut self, condition: &Expr, yes: &Block, no: &Block) -> Option<String> {
        let only = |block: &Block| match &block.value {
            Some(value) if block.statements.is_empty() && is_sure(value) => Some(value.clone()),
            _ => None,
        };
        let (yes, no) = (only(yes)?, only(no)?);
        if self.rng.bool() {
            return None;
        }
        let condition = self.expr(condition);
        let (a, b) = (self.expr(&yes), self.expr(&no));
        Some(format!("pick({condition}, {a}, {b})"))
    }

    /// `(a, b)` from `(b, a)`.
    pub fn turned(&mut self, parts: &[Expr]) -> Option<String> {
        let [a, b] = parts else { return None };
        if !is_plain(a) || !is_plain(b) || self.rng.u8(0..3) > 0 {
            return None;
        }
        let (a, b) = (self.expr(a), self.expr(b));
        Some(format!("turned(({b}, {a}))"))
    }

    /// A field by its method.
    pub fn got(&mut self, place: &Place) -> Option<String> {
        let (whole, field) = self.field_of(place)?;
        let whole = self.place(&whole);
        Some(format!("{whole}.get_{field}()"))
    }

    /// Whether a place may be passed by reference: it has a value, and no threads wait for it.
    pub fn may_borrow(&self, place: &Place) -> bool {
        match place.root {
            Root::Local(local) => !self.deferred.contains(&local),
            Root::Element { .. } => true,
            Root::TileStatic(_) => false,
        }
    }

    /// `place op= value` through a reference.
    pub fn by_reference(
        &mut self,
        op: Option<BinaryOp>,
        place: &Place,
        value: &Expr,
    ) -> Option<String> {
        if !self.may_borrow(place) || self.rng.u8(0..6) > 0 {
            return None;
        }
        // What `Scalar` is implemented for.
        let scalar = place.ty.scalar();
        let is_number = scalar.is_some_and(|it| it.is_element() && !it.is_half());
        let helper = match op {
            None if is_number => "set",
            None if place.ty == ITEM => "set_item",
            Some(BinaryOp::Add) if is_number => "add_to",
            Some(BinaryOp::Sub) if is_number => "sub_from",
            Some(BinaryOp::Mul) if is_number => "mul_by",
            _ => "",
        };
        let field = match op {
            None => self.field_of(place),
            Some(_) => None,
        };
        if helper.is_empty() && field.is_none() {
            return None;
        }
        let new = self.fresh("new");
        let ty = self.ty(&value.ty);
        let value = self.expr(value);
        let store = match field {
            Some((whole, field)) => format!("{}.set_{field}({new})", self.place(&whole)),
            None => format!("{helper}(&mut {}, {new})", self.place(place)),
        };
        Some(format!("{{ let {new}: {ty} = {value}; {store}; }}"))
    }

    /// The rest of a place that ends in a field of a struct with methods, and the field.
    fn field_of(&mut self, place: &Place) -> Option<(Place, String)> {
        let Some(Projection::Field(field)) = place.projections.last() else {
            return None;
        };
        if !self.in_module || !matches!(place.root, Root::Local(_)) || self.rng.bool() {
            return None;
        }
        let mut whole = place.clone();
        whole.projections.pop();
        let Type::Struct(id) = self.type_of(&whole) else {
            return None;
        };
        // The first is of another crate and has no item.
        let item = self.program.module.structs.get(id.0 as usize)?;
        let name = item.fields[*field as usize].name.clone();
        (id.0 > 0).then_some((whole, name))
    }

    fn type_of(&self, place: &Place) -> Type {
        let Root::Local(local) = place.root else {
            return Type::Unit;
        };
        let mut ty = self.function.local(local).ty.clone();
        for projection in &place.projections {
            ty = match (projection, ty) {
                (Projection::Field(field), Type::Tuple(parts)) => parts[*field as usize].clone(),
                (Projection::Field(field), Type::Struct(id)) => {
                    let item = &self.program.module.structs[id.0 as usize];
                    item.fields[*field as usize].ty.clone()
                }
                (Projection::Index(_), Type::Array(element, _)) => *element,
                _ => Type::Unit,
            };
        }
        ty
    }

    /// What makes a slice of all elements of an array.
    pub fn as_slice(&mut self) -> &'static str {
        match self.rng.u8(0..16) {
            0 => "[..]",
            1 => "[0..]",
            _ => "",
        }
    }

    /// The name of a variable for a range.
    pub fn range_variable(&mut self) -> Option<String> {
        (self.rng.u8(0..4) == 0).then(|| self.fresh("range"))
    }

    /// What a `for` goes over, as an array of its numbers.
    pub fn numbers(&mut self, range: &ForRange) -> Option<String> {
        let end = |expr: &Expr| match &expr.kind {
            ExprKind::Literal(literal) => literal.integer(),
            _ => None,
        };
        let (first, last) = (end(&range.start)?, end(&range.end)?);
        let last = last + i128::from(range.inclusive);
        let count = last - first;
        if !(1..=8).contains(&count) || !range.adapters.is_empty() || self.rng.bool() {
            return None;
        }
        let name = range.start.ty.scalar()?.name();
        let all: Vec<String> = (first..last).map(|it| format!("{it}_{name}")).collect();
        Some(format!("[{}]", all.join(", ")))
    }
}

/// Whether an expression neither jumps nor writes, so that it can stand in a closure or
/// elsewhere in a list.
fn is_plain(expr: &Expr) -> bool {
    let block =
        |block: &Block| block.statements.is_empty() && block.value.as_deref().is_some_and(is_plain);
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Const(_) | ExprKind::ViewExtent(_) => true,
        ExprKind::Load(place) => {
            let root = match &place.root {
                Root::Element { index, .. } => is_plain(index),
                Root::Local(_) => true,
                Root::TileStatic(_) => false,
            };
            root && place.projections.iter().all(|step| match step {
                Projection::Index(index) => is_plain(index),
                Projection::Field(_) => true,
            })
        }
        ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Repeat(a) | ExprKind::Field(a, _) => {
            is_plain(a)
        }
        ExprKind::Binary(_, a, b) | ExprKind::Lazy(_, a, b) => is_plain(a) && is_plain(b),
        ExprKind::Math(_, parts) | ExprKind::Construct(parts) => parts.iter().all(is_plain),
        ExprKind::If(condition, yes, no) => is_plain(condition) && block(yes) && block(no),
        _ => false,
    }
}

/// Whether an expression is plain and has no fault.
fn is_sure(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Const(_) => true,
        ExprKind::Load(place) => {
            let fields = place.projections.iter();
            matches!(place.root, Root::Local(_))
                && fields
                    .into_iter()
                    .all(|step| matches!(step, Projection::Field(_)))
        }
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => is_sure(a),
        ExprKind::Construct(parts) => parts.iter().all(is_sure),
        _ => false,
    }
}

//! What a function has and sees at a point.

use std::collections::HashMap;

use amp_spirv::tree::*;

/// A variable in sight.
#[derive(Clone)]
pub struct Variable {
    pub id: LocalId,
    pub ty: Type,
    pub assignable: bool,
    /// It counts a `for`: a good index.
    pub counts: bool,
}

/// A loop or labelled block around the current point.
#[derive(Clone)]
pub struct Target {
    pub label: LabelId,
    /// Type of the value that `break` takes.
    pub ty: Type,
    pub is_loop: bool,
}

/// State of the function being made.
pub struct Scope {
    pub params: u32,
    pub locals: Vec<Local>,
    pub visible: Vec<Variable>,
    pub targets: Vec<Target>,
    pub labels: u32,
    pub result: Type,
    pub may_return: bool,
    pub is_kernel: bool,
    /// The thread's number in the domain.
    pub me: Option<LocalId>,
    /// Expressions have no effects here.
    pub pure: bool,
    /// Loops around the current point.
    pub loops: u32,
    /// What the extents of views are or may be.
    pub extents: HashMap<LocalId, Vec<u32>>,
    /// The thread's row of `words`, if it has a name.
    pub row: Option<LocalId>,
}

impl Default for Scope {
    fn default() -> Self {
        Self {
            params: 0,
            locals: Vec::new(),
            visible: Vec::new(),
            targets: Vec::new(),
            labels: 0,
            result: Type::Unit,
            may_return: false,
            is_kernel: false,
            me: None,
            pure: false,
            loops: 0,
            extents: HashMap::new(),
            row: None,
        }
    }
}

impl Scope {
    /// A parameter; it can be read.
    pub fn param(&mut self, name: &str, ty: Type) {
        let id = self.fresh(name, ty.clone());
        self.params += 1;
        self.show(Variable {
            id,
            ty,
            assignable: false,
            counts: false,
        });
    }

    /// Views in sight whose elements are only read.
    pub fn read_views(&self) -> Vec<(LocalId, View)> {
        let views = self.visible.iter().filter_map(|it| match &it.ty {
            Type::View(view) if !view.mutable => Some((it.id, view.clone())),
            _ => None,
        });
        views.collect()
    }

    /// A variable that cannot be seen yet.
    pub fn fresh(&mut self, name: &str, ty: Type) -> LocalId {
        let id = LocalId(self.locals.len() as u32);
        self.locals.push(Local {
            name: name.into(),
            ty,
            span: Span(0),
        });
        id
    }

    pub fn show(&mut self, variable: Variable) {
        self.visible.push(variable);
    }

    pub fn label(&mut self) -> LabelId {
        self.labels += 1;
        LabelId(self.labels - 1)
    }

    /// The view parameter of a name.
    pub fn view(&self, name: &str) -> Option<LocalId> {
        let params = &self.locals[..self.params as usize];
        let number = params.iter().position(|it| it.name == name)?;
        Some(LocalId(number as u32))
    }
}

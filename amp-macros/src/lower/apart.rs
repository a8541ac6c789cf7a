//! Values that patterns take apart.

use amp_spirv::tree;
use syn::Pat;

use super::{FnLower, load};
use crate::infer::{parts_of_pattern, rest_of_pattern};

impl FnLower<'_, '_> {
    /// The patterns within a pattern of a tuple, array or struct, each with the place of its part.
    pub(super) fn apart<'p>(
        &self,
        pattern: &'p Pat,
        whole: &tree::Place,
    ) -> Vec<(&'p Pat, tree::Place)> {
        if let tree::Root::Local(local) = &whole.root
            && let Some(places) = self.side_by_side.get(local)
        {
            let parts = parts_of_pattern(pattern, places.len(), |_| None);
            return parts
                .into_iter()
                .filter_map(|(position, pattern)| Some((pattern, places.get(position)?.clone())))
                .collect();
        }
        let Some(parts) = self.parts_of(&whole.ty, whole.span) else {
            return Vec::new();
        };
        let case = self.case_of_pattern(pattern);
        let parts = match case {
            Some((_, case)) => &parts[case.first..case.first + case.fields.len()],
            None => &parts,
        };
        let field = |name: &str| match &whole.ty {
            _ if let Some((_, case)) = case => case.fields.iter().position(|field| field == name),
            tree::Type::Struct(id) => {
                let mut fields = self.consts.structs[id.0 as usize].fields.iter();
                fields.position(|field| field.name == name)
            }
            _ => None,
        };
        parts_of_pattern(pattern, parts.len(), field)
            .into_iter()
            .filter_map(|(position, pattern)| {
                let (projection, ty) = parts.get(position)?.clone();
                let mut part = whole.clone();
                part.projections.push(projection);
                part.ty = ty;
                Some((pattern, part))
            })
            .collect()
    }

    /// The variable for the elements that a pattern of an array leaves out, if it names them.
    pub(super) fn rest(&self, pattern: &Pat, whole: &tree::Place) -> Option<tree::Statement> {
        let parts = self.parts_of(&whole.ty, whole.span)?;
        let (name, left) = rest_of_pattern(pattern, parts.len())?;
        let local = self.declared(name)?;
        let tree::Type::Array(element, _) = &whole.ty else {
            return None;
        };
        let ty = tree::Type::Array(element.clone(), tree::Len::Literal(left.len() as u32));
        let elements = parts[left].iter().cloned().map(|(projection, ty)| {
            let mut part = whole.clone();
            part.projections.push(projection);
            part.ty = ty;
            load(part)
        });
        let value = Some(tree::Expr {
            kind: tree::ExprKind::Construct(elements.collect()),
            ty,
            span: whole.span,
        });
        Some(tree::Statement::Let { local, value })
    }
}

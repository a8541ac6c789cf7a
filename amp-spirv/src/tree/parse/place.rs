//! Places, and what begins as one: views, and what is made from them.

use super::function::Reader;
use crate::tree::text::TILED;
use crate::tree::text::read::{Result, Token};
use crate::tree::{
    Derivation, Expr, ExprKind, LocalId, Place, Projection, Root, Span, TileStaticId, Type, View,
    ViewStep,
};

/// What a name is the beginning of.
pub(super) enum Named {
    Place(Place),
    View(LocalId),
}

impl Reader<'_> {
    /// A place or a view, if one is next.
    pub(super) fn place_or_view(&mut self) -> Result<Option<Named>> {
        let span = self.parser.span();
        if let Some((tokens, id)) = self.tokens().named_id('@') {
            self.tokens().skip(tokens);
            let root = Root::TileStatic(TileStaticId(id));
            return Ok(Some(Named::Place(self.projected(root, span)?)));
        }
        // A constant or a struct, whatever its name.
        if self.tokens().named_id('#').is_some() {
            return Ok(None);
        }
        let Some(name) = self.name() else {
            return Ok(None);
        };
        // An index may declare the view that it is one of.
        let known = self.named(&name);
        let is_view = known.is_none_or(|it| matches!(self.local_ty(it), Type::View(_)));
        if is_view && self.tokens().takes_sign('[') {
            let index = self.index(span)?;
            let view = self.variable(&name)?;
            let index = Box::new(index);
            let place = self.projected(Root::Element { view, index }, span)?;
            return Ok(Some(Named::Place(place)));
        }
        let local = self.variable(&name)?;
        Ok(Some(match is_view {
            true => Named::View(local),
            false => Named::Place(self.projected(Root::Local(local), span)?),
        }))
    }

    pub(super) fn place(&mut self) -> Result<Place> {
        match self.place_or_view()? {
            Some(Named::Place(place)) => Ok(place),
            _ => self.tokens().error("expected a place"),
        }
    }

    /// What comes behind `view[`: an index, or its components.
    fn index(&mut self, span: Span) -> Result<Expr> {
        let first = self.expr()?;
        let is_whole = matches!(first.ty, Type::Index(_) | Type::Never);
        if is_whole && self.tokens().takes_sign(']') {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.tokens().takes_sign(',') {
            parts.push(self.expr()?);
        }
        self.tokens().sign(']')?;
        let ty = Type::Index(parts.len() as u32);
        let kind = ExprKind::Construct(parts);
        Ok(Expr { kind, ty, span })
    }

    fn projected(&mut self, root: Root, span: Span) -> Result<Place> {
        let mut place = Place {
            root,
            projections: Vec::new(),
            ty: Type::Unit,
            span,
        };
        loop {
            place.ty = match self.scope().place(&place) {
                Ok(ty) => ty,
                // What is wrong is told by the verifier.
                Err(_) => Type::Unit,
            };
            let projection = if let Some(field) = self.tokens().takes_field() {
                Projection::Field(field)
            } else if self.tokens().takes_sign('[') {
                let index = self.expr()?;
                self.tokens().sign(']')?;
                Projection::Index(Box::new(index))
            } else if let Some(field) = self.tiled_field() {
                Projection::Field(field)
            } else {
                return Ok(place);
            };
            place.projections.push(projection);
        }
    }

    /// `.name`, of a field of a `TiledIndex`.
    fn tiled_field(&mut self) -> Option<u32> {
        let tokens = self.tokens();
        let (Some(Token::Sign('.')), Some(Token::Word(word))) = (tokens.peek(), tokens.peek_at(1))
        else {
            return None;
        };
        let (field, _) = TILED.iter().find(|(_, name)| name == word)?;
        tokens.skip(2);
        Some(*field as u32)
    }

    /// A view, or its extent.
    pub(super) fn of_view(&mut self, local: LocalId, span: Span) -> Result<Expr> {
        if self.takes_method("extent") {
            self.tokens().sign('(')?;
            self.tokens().sign(')')?;
            return Ok(self.typed(ExprKind::ViewExtent(local), Type::Unit, span));
        }
        Ok(self.typed(ExprKind::View(local), Type::Unit, span))
    }

    /// `.name`, if it is next.
    fn takes_method(&mut self, name: &str) -> bool {
        let tokens = self.tokens();
        let is_next = matches!(
            (tokens.peek(), tokens.peek_at(1)),
            (Some(Token::Sign('.')), Some(Token::Word(word))) if word == name
        );
        if is_next {
            tokens.skip(2);
        }
        is_next
    }

    /// What is made from a view, if that is next.
    pub(super) fn derived(&mut self, of: Expr, span: Span) -> Result<(Expr, bool)> {
        for name in ["section", "row", "view_as", "reinterpret"] {
            if self.takes_method(name) {
                return Ok((self.derivation(name, of, span)?, true));
            }
        }
        Ok((of, false))
    }

    fn derivation(&mut self, name: &str, of: Expr, span: Span) -> Result<Expr> {
        let element = match self.tokens().takes_sign('<') {
            true => {
                let ty = self.tokens().ty()?;
                self.tokens().sign('>')?;
                Some(Box::new(ty))
            }
            false => None,
        };
        let mut operands = self.operands('(', ')')?.into_iter();
        let mut next = || operands.next();
        let step = match (name, next(), next()) {
            ("section", Some(origin), Some(extent)) => ViewStep::Section { origin, extent },
            ("row", Some(row), None) => ViewStep::Row(row),
            ("view_as", Some(shape), None) => ViewStep::Shape(shape),
            ("reinterpret", None, None) => ViewStep::Elements,
            _ => return self.tokens().error(format!("`{name}` makes no view so")),
        };
        let stated = match (&of.ty, element) {
            (Type::View(of), Some(element)) => Type::View(View {
                element,
                ..of.clone()
            }),
            (ty, _) => ty.clone(),
        };
        let kind = ExprKind::Derive(Box::new(Derivation { of, step }));
        Ok(self.typed(kind, stated, span))
    }
}

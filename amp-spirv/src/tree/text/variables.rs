//! What the text form writes and reads in the same way: its words, the names of variables, and the
//! types that it leaves out.

use super::{Named, is_word};
use crate::tree::{
    Block, Expr, ExprKind, Function, LabelId, LocalId, Loop, LoopKind, Scalar, TiledField, Type,
    visit::{self, Node},
};
use rustc_hash::FxHashMap as HashMap;

/// The fields of a `TiledIndex` by their numbers.
pub(in crate::tree) const TILED: [(TiledField, &str); 4] = [
    (TiledField::Global, "global"),
    (TiledField::Local, "local"),
    (TiledField::Tile, "tile"),
    (TiledField::TileOrigin, "tile_origin"),
];

/// Words that begin an expression or statement, so that no variable is written as one of them.
pub(in crate::tree) const KEYWORDS: &[&str] = &[
    "let",
    "true",
    "false",
    "zero",
    "new",
    "call",
    "if",
    "unroll",
    "loop",
    "while",
    "for",
    "break",
    "continue",
    "return",
    "panic",
    "barrier",
    "fence",
    "device_fence",
    "atomic",
    "subgroup",
    "as",
];

/// Whether a word means something, so that no variable is written as it alone.
pub(in crate::tree) fn is_reserved(word: &str) -> bool {
    KEYWORDS.contains(&word)
        || word.starts_with(|it: char| it.is_ascii_uppercase())
        || Scalar::from_name(word).is_some()
}

/// Whether an expression ends where its last brace is, so that no `;` has to part it from the
/// next statement.
pub(in crate::tree) fn ends_in_brace(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::If(..) | ExprKind::Loop(_) | ExprKind::Block(_) | ExprKind::LabelledBlock(..)
    )
}

/// How the variables of a function are written.
pub(in crate::tree) fn names(function: &Function) -> Vec<String> {
    let mut used: HashMap<&str, u32> = HashMap::default();
    let mut names = vec![String::new(); function.locals.len()];
    let mut name = |local: LocalId| {
        let (Some(variable), Some(text)) = (
            function.locals.get(local.0 as usize),
            names.get_mut(local.0 as usize),
        ) else {
            return;
        };
        if !text.is_empty() {
            return;
        }
        let name = variable.name.as_str();
        let number = used.entry(name).or_default();
        let made = name.strip_prefix('<').and_then(|it| it.strip_suffix('>'));
        *text = match made {
            Some(made) if is_word(made) => name.to_owned(),
            _ => Named(name).to_string(),
        };
        if *number > 0 || name.is_empty() || is_reserved(name) {
            *text += &format!("${number}");
        }
        *number += 1;
    };
    (0..function.params).for_each(|param| name(LocalId(param)));
    visit::block(&function.body, &mut |node| match node {
        Node::Let(local, _) => name(local),
        Node::Expr(expr) => {
            if let ExprKind::Loop(looping) = &expr.kind
                && let LoopKind::For(range) = &looping.kind
            {
                name(range.local);
            }
        }
        Node::Done(_) => {}
    });
    // What a broken tree uses without a declaration.
    (0..function.locals.len()).for_each(|local| name(LocalId(local as u32)));
    names
}

/// The type that a loop is expected to have: `()`, or `!` if nothing leaves it.
pub(in crate::tree) fn loop_type(of: &Loop) -> Type {
    match !matches!(of.kind, LoopKind::Infinite) || is_left(of.label, &of.body) {
        true => Type::Unit,
        false => Type::Never,
    }
}

/// The type that a labelled block is expected to have: that of its body, or `()` if it ends only
/// where it is left.
pub(in crate::tree) fn labelled_type(label: LabelId, body: &Block) -> Type {
    match body.ty == Type::Never && is_left(label, body) {
        true => Type::Unit,
        false => body.ty.clone(),
    }
}

/// Whether there is a `break` of this label.
fn is_left(label: LabelId, body: &Block) -> bool {
    let mut found = false;
    visit::block(body, &mut |node| {
        found |= matches!(
            node,
            Node::Expr(Expr { kind: ExprKind::Break(target, _), .. }) if *target == label
        );
    });
    found
}

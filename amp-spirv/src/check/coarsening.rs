//! Threads of a tile that are to be merged: `#[amp_kernel(coarsen(2, 4))]`.
//!
//! Makes diagnostics for factors that do not fit the kernel's tile, as far as its dimensions are
//! literal, and for what merged threads cannot do: what depends on the subgroup that a thread is in.

use super::Reach;
use crate::{
    diagnostic::{Code, Diagnostic},
    tree::{
        Coarsening, Domain, ExprKind, FunctionId, Len, Module, Type,
        visit::{self, Node},
    },
};

/// Threads of a tile that one thread runs: as many versions of the kernel's instructions there are.
const MAX_MERGED: u64 = 256;

/// Checks a kernel that asks for it.
pub(super) fn check(module: &Module, reach: &Reach) -> Vec<Diagnostic> {
    let Some(coarsening) = &module.options.coarsening else {
        return Vec::new();
    };
    let mut diagnostics: Vec<Diagnostic> = factors(module, coarsening).into_iter().collect();
    diagnostics.extend(subgroups(module, coarsening));
    diagnostics.extend(helpers(module, coarsening, reach));
    diagnostics
}

fn error(coarsening: &Coarsening, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::Coarsening, coarsening.span, message)
}

fn factors(module: &Module, coarsening: &Coarsening) -> Option<Diagnostic> {
    let Coarsening { factors, .. } = coarsening;
    let Domain::Tiled { tile } = &module.domain else {
        let message = "`coarsen` merges threads of a tile, but this kernel has no tiles";
        return Some(
            error(coarsening, message)
                .help("let the kernel take a `TiledIndex`: `t_idx: TiledIndex<2, 16, 16>`"),
        );
    };
    if factors.len() != tile.len() {
        let message = format!(
            "`coarsen` has a number for each dimension of the tile: {} and not {}",
            tile.len(),
            factors.len()
        );
        return Some(
            error(coarsening, message)
                .label(module.domain_span, "the tile")
                .help("say 1 for a dimension whose threads are not merged"),
        );
    }
    let merged = factors
        .iter()
        .fold(1_u64, |all, it| all.saturating_mul((*it).into()));
    if !(1..=MAX_MERGED).contains(&merged) {
        let message = format!("a thread runs 1 to {MAX_MERGED} threads of its tile, not {merged}");
        return Some(error(coarsening, message).help("choose numbers like `coarsen(4, 4)`"));
    }
    let mut dimensions = tile.iter().zip(factors);
    let (length, factor) = dimensions.find_map(|(len, factor)| match len {
        Len::Literal(len) => (len % factor != 0).then_some((len, factor)),
        Len::Const(_) => None,
    })?;
    let message = format!(
        "a dimension of {length} threads cannot be divided among threads that run {factor} each"
    );
    Some(
        error(coarsening, message)
            .label(module.domain_span, "the tile")
            .help("every dimension of the tile is a multiple of its number"),
    )
}

fn subgroups(module: &Module, coarsening: &Coarsening) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for function in &module.functions {
        visit::block(&function.body, &mut |node| {
            if let Node::Expr(expr) = node
                && let ExprKind::Subgroup(..) = expr.kind
            {
                let message = "subgroup operation in a kernel whose threads are merged";
                diagnostics.push(
                    Diagnostic::new(Code::Coarsening, expr.span, message)
                        .label(coarsening.span, "threads are merged here")
                        .help("exchange values through `#[tile_static]` memory, or leave `coarsen` out"),
                );
            }
        });
    }
    diagnostics
}

/// Helpers that stay functions of their own on a device, and in which threads wait.
fn helpers(module: &Module, coarsening: &Coarsening, reach: &Reach) -> Vec<Diagnostic> {
    let stays = |id: u32| {
        let function = &module.functions[id as usize];
        let stays =
            function.fast_math != module.kernel().fast_math || function.result == Type::Never;
        (stays && reach.function(FunctionId(id)).barrier).then_some(function)
    };
    let all = 0..module.functions.len() as u32;
    let found = all.filter_map(stays).map(|function| {
        let message = match function.result {
            Type::Never => format!("threads that are merged wait in `{}`, which does not return", function.name),
            _ => format!(
                "threads that are merged wait in `{}`, whose floats are of another exactness than the kernel's",
                function.name
            ),
        };
        Diagnostic::new(Code::Coarsening, function.span, message)
            .label(coarsening.span, "threads are merged here")
            .help("put the barrier into the kernel, or give both the same arguments")
    });
    found.collect()
}

//! The shape of a tile: C++ AMP §7 allows 1 to 1024 threads, and in three dimensions
//! at most 64 in the most significant one (which becomes Vulkan's z); as many times more where
//! threads are merged.
//!
//! Makes a diagnostic for each rule that the *literal* dimensions break. Dimensions that
//! are specialization constants are at least one, so they only make a tile larger; what
//! they make too large, the run time refuses when it knows their values.

use crate::{
    diagnostic::{Code, Diagnostic},
    tree::{Domain, Len, Module, Span},
};

/// Threads of a tile.
const MAX_THREADS: u64 = 1024;
/// Most significant dimension of a tile of rank 3.
const MAX_LEADING: u32 = 64;

/// Checks the dimensions of the kernel's tile.
pub(super) fn check(module: &Module) -> Vec<Diagnostic> {
    let Domain::Tiled { tile } = &module.domain else {
        return Vec::new();
    };
    let span = module.domain_span;
    if let Some(dimension) = tile.iter().position(|len| *len == Len::Literal(0)) {
        return vec![empty(module, tile, dimension, span)];
    }
    let mut diagnostics = Vec::new();
    diagnostics.extend(volume(module, tile, span));
    diagnostics.extend(leading(module, tile, span));
    diagnostics
}

fn empty(module: &Module, tile: &[Len], dimension: usize, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::TileTooLarge,
        span,
        format!(
            "dimension {dimension} of the tile {} is 0, but a tile has threads",
            shape(module, tile)
        ),
    )
    .help("make every dimension of the tile at least 1")
}

fn volume(module: &Module, tile: &[Len], span: Span) -> Option<Diagnostic> {
    let merged = module.options.factors().iter();
    let most = merged.fold(MAX_THREADS, |most, factor| {
        most.saturating_mul((*factor).max(1).into())
    });
    let known = tile.iter().fold(1u64, |volume, len| {
        volume.saturating_mul(literal(len).into())
    });
    if known <= most {
        return None;
    }
    let least = if tile.iter().all(|len| matches!(len, Len::Literal(_))) {
        ""
    } else {
        "at least "
    };
    Some(
        Diagnostic::new(
            Code::TileTooLarge,
            span,
            format!("a tile of {} has {least}{known} threads, but at most {most} are allowed", shape(module, tile)),
        )
        .help("choose smaller tile dimensions, for example 16×16 or 32×32, and let each thread do more"),
    )
}

fn leading(module: &Module, tile: &[Len], span: Span) -> Option<Diagnostic> {
    let [Len::Literal(first), _, _] = tile else {
        return None;
    };
    let merged = module.options.factors().first().copied();
    let most = MAX_LEADING.saturating_mul(merged.unwrap_or(1).max(1));
    (*first > most).then(|| {
        Diagnostic::new(
            Code::TileTooLarge,
            span,
            format!("the first dimension of a three-dimensional tile is {first}, but at most {most} is allowed"),
        )
        .help("put the long dimension last: it is the contiguous one")
    })
}

/// The least that a length can be.
fn literal(len: &Len) -> u32 {
    match len {
        Len::Literal(length) => *length,
        Len::Const(_) => 1,
    }
}

/// `16×TS`.
fn shape(module: &Module, tile: &[Len]) -> String {
    let dimensions: Vec<String> = tile
        .iter()
        .map(|len| match len {
            Len::Literal(length) => length.to_string(),
            Len::Const(id) => module.consts[id.0 as usize].name.clone(),
        })
        .collect();
    dimensions.join("×")
}

#[cfg(test)]
mod tests {
    use super::super::build;
    use super::*;

    fn messages(tile: &[Len]) -> Vec<String> {
        let mut module = build::kernel([]);
        module.domain = Domain::Tiled {
            tile: tile.to_vec(),
        };
        check(&module)
            .into_iter()
            .map(|diagnostic| diagnostic.message)
            .collect()
    }

    fn literals(tile: &[u32]) -> Vec<String> {
        messages(
            &tile
                .iter()
                .map(|&len| Len::Literal(len))
                .collect::<Vec<_>>(),
        )
    }

    #[test]
    fn tiles_within_the_limits() {
        for tile in [
            &[1][..],
            &[1024],
            &[32, 32],
            &[1, 1024],
            &[64, 4, 4],
            &[1, 1, 1024],
        ] {
            assert!(literals(tile).is_empty(), "{tile:?}");
        }
    }

    #[test]
    fn too_many_threads() {
        assert_eq!(
            literals(&[1025]),
            ["a tile of 1025 has 1025 threads, but at most 1024 are allowed"]
        );
        assert_eq!(
            literals(&[64, 32]),
            ["a tile of 64×32 has 2048 threads, but at most 1024 are allowed"]
        );
        assert_eq!(
            literals(&[1, u32::MAX, u32::MAX]).len(),
            1,
            "the volume does not overflow"
        );
    }

    #[test]
    fn leading_dimension_of_three() {
        assert_eq!(
            literals(&[128, 1, 1]),
            ["the first dimension of a three-dimensional tile is 128, but at most 64 is allowed"]
        );
        assert_eq!(literals(&[128, 16, 1]).len(), 2);
        assert!(literals(&[128, 1]).is_empty());
    }

    #[test]
    fn empty_dimension() {
        assert_eq!(
            literals(&[16, 0]),
            ["dimension 1 of the tile 16×0 is 0, but a tile has threads"]
        );
    }

    #[test]
    fn constants_are_at_least_one() {
        let ts = Len::Const(crate::tree::ConstId(0));
        assert!(messages(&[ts, ts]).is_empty());
        assert!(messages(&[Len::Literal(1024), ts]).is_empty());
        assert_eq!(
            messages(&[Len::Literal(2048), ts]),
            ["a tile of 2048×TS has at least 2048 threads, but at most 1024 are allowed"]
        );
    }

    #[test]
    fn kernels_without_tiles_have_no_limit() {
        let mut module = build::kernel([]);
        module.domain = Domain::Range { rank: 3 };
        assert!(check(&module).is_empty());
    }
}

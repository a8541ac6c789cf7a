//! A `for` over a chain, whose body stands in the loops that the chain is written as.

use syn::{Expr, ExprForLoop, ExprMethodCall, Pat, Stmt};

use super::{
    Made, Names, build,
    build::Marks,
    drive::Loops,
    flow::{self, Flow},
    item::Scope,
    known::Known,
    recognise, sources,
};

/// What a loop is written as that inference does not know.
pub fn plain(round: &ExprForLoop, names: &mut Names) -> Option<Made<Expr>> {
    let (source, adapters) = match recognise(&round.expr, names) {
        Some(found) => found,
        None if names.known.is_view_by_reference(&round.expr)
            || !is_simple(&round.pat)
                && (flow::reference(&round.expr).is_some()
                    || names.known.is_reference(&round.expr)) =>
        {
            (&*round.expr, Vec::new())
        }
        None => return None,
    };
    if is_plain(source, &adapters, &round.pat, &names.known) {
        return None;
    }
    Some(looped(round, source, &adapters, names))
}

fn looped(
    round: &ExprForLoop,
    source: &Expr,
    adapters: &[&ExprMethodCall],
    names: &mut Names,
) -> Made<Expr> {
    let span = round.for_token.span;
    names.windows = sources::count_of(Some(&round.pat));
    let flow = Flow::of(source, adapters, names)?;
    let marks = Marks {
        attrs: round.attrs.clone(),
        label: round.label.clone(),
    };
    let label = round.label.as_ref().map(|label| label.name.clone());
    let mut loops = Loops::new(names, &flow, marks, span);
    let statements = loops.run(&flow, &mut |loops, item| {
        let mut scope = Scope::of([&*round.pat]);
        scope.bind(loops.names, &round.pat, &item, false)?;
        let body = build::of_block(round.body.clone(), None);
        scope.around(loops.body(body, label.as_ref()))
    })?;
    Ok(match &*statements {
        [Stmt::Expr(one @ (Expr::ForLoop(_) | Expr::While(_) | Expr::Block(_)), _)] => one.clone(),
        _ => build::of_block(build::block(statements, None, span), None),
    })
}

/// Whether a pattern binds an element as inference does.
fn is_simple(pattern: &Pat) -> bool {
    matches!(
        pattern,
        Pat::Ident(_) | Pat::Wild(_) | Pat::Reference(_) | Pat::Type(_)
    )
}

/// Whether a `for` is one that inference knows: over a range, or over what syntax tells to be an array.
fn is_plain(source: &Expr, adapters: &[&ExprMethodCall], pattern: &Pat, known: &Known) -> bool {
    let adapters: Vec<String> = adapters
        .iter()
        .map(|call| call.method.to_string())
        .collect();
    let names: Vec<&str> = adapters.iter().map(|name| &**name).collect();
    if let Expr::Range(range) = source {
        return range.end.is_some()
            && names.iter().all(|name| matches!(*name, "rev" | "step_by"))
            && matches!(pattern, Pat::Ident(_) | Pat::Wild(_));
    }
    let Expr::MethodCall(call) = source else {
        return false;
    };
    let is_all = matches!(&*call.method.to_string(), "iter" | "iter_mut" | "into_iter");
    let part = match (&*names, pattern) {
        ([] | ["rev"] | ["copied" | "cloned"] | ["copied" | "cloned", "rev"], pattern) => pattern,
        (
            ["enumerate"]
            | ["enumerate", "rev"]
            | ["copied" | "cloned", "enumerate"]
            | ["copied" | "cloned", "enumerate", "rev"],
            Pat::Tuple(tuple),
        ) if tuple.elems.len() == 2 => &tuple.elems[1],
        _ => return false,
    };
    is_all && is_simple(part) && known.is_slice(&call.receiver)
}

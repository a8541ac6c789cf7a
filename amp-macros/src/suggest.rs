//! Names that a misspelt one may have meant.
//!
//! A pass that does not find a name asks here, with the names that it could have found.

/// The name that a misspelt one is closest to, if any is close.
pub fn nearest<'a>(wanted: &str, there: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    there
        .into_iter()
        .map(|name| (distance(wanted, name), name))
        .filter(|(distance, name)| {
            let length = wanted.len().max(name.len()).max(3);
            distance * 3 <= length && *distance < wanted.len()
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// A help that says which name is close, and else something else.
pub fn suggest_or<'a>(
    wanted: &str,
    there: impl IntoIterator<Item = &'a str>,
    otherwise: impl Into<String>,
) -> String {
    match nearest(wanted, there) {
        Some(name) => format!("there is `{name}`"),
        None => otherwise.into(),
    }
}

/// A help that says which name is close, and else which there are; nothing if there are none.
pub fn suggest<'a>(wanted: &str, there: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let names: Vec<&str> = there.into_iter().collect();
    let shown: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let (last, others) = shown.split_last()?;
    let all = match others {
        [] => format!("it has {last}"),
        others => format!("it has {} and {last}", others.join(", ")),
    };
    Some(suggest_or(wanted, names, all))
}

/// How many letters have to be added, dropped, changed or swapped with the next one,
/// whatever their case.
fn distance(one: &str, other: &str) -> usize {
    let letters = |name: &str| name.to_lowercase().chars().collect::<Vec<char>>();
    let (one, other) = (letters(one), letters(other));
    // A row for each start of `one`: the distances to the starts of `other`.
    let mut rows = vec![(0..=other.len()).collect::<Vec<usize>>()];
    for i in 0..one.len() {
        let mut row = vec![i + 1];
        for j in 0..other.len() {
            let changed = rows[i][j] + usize::from(one[i] != other[j]);
            let mut least = changed.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && one[i] == other[j - 1] && one[i - 1] == other[j] {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::{nearest, suggest, suggest_or};

    #[test]
    fn the_nearest_name_is_suggested() {
        let names = ["length", "dot", "cross"];
        let of = |wanted| suggest(wanted, names);
        assert_eq!(of("lenght").as_deref(), Some("there is `length`"));
        assert_eq!(of("Dot").as_deref(), Some("there is `dot`"));
        assert_eq!(
            of("normalise").as_deref(),
            Some("it has `length`, `dot` and `cross`")
        );
        assert_eq!(suggest("x", std::iter::empty()), None);
        assert_eq!(suggest_or("crss", names, "no"), "there is `cross`");
        assert_eq!(suggest_or("sum", names, "no"), "no");
    }

    /// A name of one letter is as close to every other as to nothing.
    #[test]
    fn unrelated_names_are_not_suggested() {
        assert_eq!(nearest("x", ["y", "z"]), None);
        assert_eq!(nearest("id", ["idx", "x"]), Some("idx"));
        assert_eq!(nearest("unti", ["unit", "area"]), Some("unit"));
    }
}

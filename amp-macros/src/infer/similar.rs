//! Names that a misspelt one may have meant.

/// `: there is ...` for a help: the nearest of the names that are there, or all of them.
pub fn suggest<'a>(wanted: &str, there: impl Iterator<Item = &'a str>) -> Option<String> {
    let names: Vec<&str> = there.collect();
    let near = names
        .iter()
        .map(|name| (distance(wanted, name), name))
        .filter(|(distance, name)| distance * 2 <= name.len())
        .min_by_key(|(distance, _)| *distance);
    if let Some((_, name)) = near {
        return Some(format!("there is `{name}`"));
    }
    let shown: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let (last, others) = shown.split_last()?;
    Some(match others {
        [] => format!("it has {last}"),
        others => format!("it has {} and {last}", others.join(", ")),
    })
}

/// How many letters have to be added, dropped or changed, whatever their case.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, letter) in one.to_lowercase().chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, &against) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != against);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::suggest;

    #[test]
    fn the_nearest_name_is_suggested() {
        let names = ["length", "dot", "cross"];
        let of = |wanted| suggest(wanted, names.into_iter());
        assert_eq!(of("lenght").as_deref(), Some("there is `length`"));
        assert_eq!(of("Dot").as_deref(), Some("there is `dot`"));
        assert_eq!(
            of("normalise").as_deref(),
            Some("it has `length`, `dot` and `cross`")
        );
        assert_eq!(suggest("x", std::iter::empty()), None);
    }
}

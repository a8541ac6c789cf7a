pub fn try_from(x: F) -> Result<T, TryFromIntError> {
    let converted = x as T;
    if converted as F == x && (converted < 0) == (x < 0) { Ok(converted) } else { Err(TryFromIntError) }
}

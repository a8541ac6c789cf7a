pub fn try_from(x: F) -> Result<T, Infallible> {
    Ok(x as T)
}

//! glam's vectors and matrices: what they and the functions that make them are called.

use amp_spirv::tree::Scalar;

/// Components of a vector, in order.
pub const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

/// The scalars that vectors are made of, with what glam puts before `Vec`.
const PREFIXES: [(Scalar, &str); 5] = [
    (Scalar::F32, ""),
    (Scalar::F64, "D"),
    (Scalar::I32, "I"),
    (Scalar::U32, "U"),
    (Scalar::Bool, "B"),
];

/// Types of glam that kernels do not have, and what to write instead.
const REFUSED: &[(&str, &str)] = &[
    ("Vec3A", "use `Vec3`, which has no padding, or `Vec4`"),
    ("Mat3A", "use `Mat3`, which has no padding, or `Mat4`"),
    ("BVec3A", "use `BVec3`"),
    ("BVec4A", "use `BVec4`"),
    (
        "Quat",
        "use a `Vec4`, or a `Mat3` or `Mat4` made on the host",
    ),
    ("DQuat", "use a `Mat3` or `Mat4` made on the host"),
    ("Affine2", "use a `Mat3`"),
    ("Affine3", "use a `Mat4`"),
    ("Affine3A", "use a `Mat4`"),
    ("DMat2", "use its columns"),
    ("DMat3", "use its columns"),
    ("DMat4", "use its columns"),
];

/// A type of glam's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glam {
    /// A vector of this many components.
    Vector(Scalar, u32),
    /// A matrix of this many columns, which has as many rows.
    Matrix(u32),
}

/// The type that glam calls `name`.
pub fn named(name: &str) -> Option<Glam> {
    let (stem, digit) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let components: u32 = digit.parse().ok().filter(|n| (2..=4).contains(n))?;
    if stem == "Mat" {
        return Some(Glam::Matrix(components));
    }
    let prefix = stem.strip_suffix("Vec")?;
    let (scalar, _) = PREFIXES.iter().find(|(_, known)| *known == prefix)?;
    Some(Glam::Vector(*scalar, components))
}

impl Glam {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let vectors = PREFIXES.into_iter().flat_map(|(scalar, _)| {
            (2..=4).map(move |components| Glam::Vector(scalar, components))
        });
        vectors.chain((2..=4).map(Glam::Matrix))
    }

    /// What glam calls the type.
    pub fn name(self) -> String {
        match self {
            Glam::Vector(scalar, components) => {
                let prefix = PREFIXES.iter().find(|(known, _)| *known == scalar);
                format!("{}Vec{components}", prefix.map_or("", |(_, prefix)| prefix))
            }
            Glam::Matrix(columns) => format!("Mat{columns}"),
        }
    }
}

/// What to write in place of a type that kernels do not have, if glam has it.
pub fn refused(name: &str) -> Option<&'static str> {
    let (_, help) = REFUSED.iter().find(|(known, _)| *known == name)?;
    Some(help)
}

/// The type that glam's function of this name makes: `vec3` makes a `Vec3`.
pub fn constructor(name: &str) -> Option<Glam> {
    let is_function = name
        .chars()
        .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    let upper = match name.split_once("vec") {
        Some((prefix, digit)) => format!("{}Vec{digit}", prefix.to_uppercase()),
        None => format!("Mat{}", name.strip_prefix("mat")?),
    };
    named(&upper).filter(|_| is_function)
}

/// Whether a path may stand for something of glam's.
pub fn is_name(name: &str) -> bool {
    named(name).is_some() || refused(name).is_some() || constructor(name).is_some()
}

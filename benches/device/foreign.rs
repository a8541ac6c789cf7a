//! Modules that other compilers made for an amp kernel's argument block
//! (`amp-spirv/src/artifact.rs` describes it): `device/glsl/*.comp`, compiled by `glslc`.

use std::cell::OnceCell;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use amp::__private::{Artifact, Wide};

/// A module that a kernel is launched with.
pub struct Foreign {
    /// Its words, with the entry point `main`; the kernel's own if there are none.
    spirv: Option<Vec<u8>>,
    /// Elements of a thread, where a thread of amp's kernel has one.
    pub elements: usize,
    artifact: OnceCell<&'static Artifact>,
}

impl Foreign {
    /// The module that the kernel has anyway.
    pub fn same() -> Self {
        Self {
            spirv: None,
            elements: 1,
            artifact: OnceCell::new(),
        }
    }

    fn load(path: &Path, elements: usize) -> Result<Self, Box<dyn Error>> {
        let spirv = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self {
            spirv: Some(spirv),
            elements,
            artifact: OnceCell::new(),
        })
    }

    /// Its own SPIR-V.
    pub fn words(&self) -> Vec<u32> {
        let (words, _) = self.spirv.as_deref().unwrap_or_default().as_chunks();
        words.iter().map(|word| u32::from_le_bytes(*word)).collect()
    }

    /// A kernel's artifact with this module in the place of its own. It is kept until the program
    /// ends, as the kernels in a program are.
    pub fn in_place_of(&self, artifact: &Artifact) -> &'static Artifact {
        self.artifact.get_or_init(|| {
            let mut artifact = artifact.clone();
            if let Some(spirv) = &self.spirv {
                artifact.name = "main".into();
                artifact.spirv = spirv.clone().into();
                artifact.wide = Wide::default();
            }
            Box::leak(Box::new(artifact))
        })
    }
}

/// The versions of a case that are no amp kernels, by name: GLSL, and what else a folder has.
pub fn versions(
    case: &str,
    folder: Option<&Path>,
) -> Result<Vec<(String, Foreign)>, Box<dyn Error>> {
    match folder {
        Some(folder) => versions_in(folder, case),
        None => {
            let folder = env::temp_dir().join(format!("amp-{}", std::process::id()));
            let versions = versions_in(&folder, case);
            fs::remove_dir_all(folder)?;
            versions
        }
    }
}

fn versions_in(folder: &Path, case: &str) -> Result<Vec<(String, Foreign)>, Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let source = case.strip_suffix("-fast").unwrap_or(case);
    for version in named(&sources(), source, "comp") {
        let module = folder.join(format!("{case}{version}.spv"));
        if !module.exists() {
            compile(
                case,
                &sources().join(format!("{source}{version}.comp")),
                &module,
            )?;
        }
    }
    let mut versions = Vec::new();
    for version in named(folder, case, "spv") {
        let path = folder.join(format!("{case}{version}.spv"));
        let name = match version.trim_start_matches('.') {
            "" => "GLSL".into(),
            name if elements(name).is_some() => format!("GLSL {name}"),
            name => name.into(),
        };
        let elements = elements(version.trim_start_matches('.')).unwrap_or(1);
        versions.push((name, Foreign::load(&path, elements)?));
    }
    match versions.is_empty() {
        true => Err(format!("{} has no module of it", folder.display()).into()),
        false => Ok(versions),
    }
}

/// What the names of a folder's files have between a case and an extension: nothing or `.VERSION`, in
/// order.
fn named(folder: &Path, case: &str, extension: &str) -> Vec<String> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut versions: Vec<String> = files
        .filter_map(|file| {
            let name = file.file_name().into_string().ok()?;
            let version = name.strip_prefix(case)?.strip_suffix(extension)?;
            let version = version.strip_suffix('.')?;
            (version.is_empty() || version.starts_with('.')).then(|| version.to_owned())
        })
        .collect();
    versions.sort();
    versions
}

/// Elements of a thread of a version: four if it is called `x4`.
fn elements(version: &str) -> Option<usize> {
    version.strip_prefix('x')?.parse().ok()
}

/// Where the GLSL is, on the machine that the benchmark was built on.
fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("device/glsl")
}

/// Compiles a case's GLSL. Those of kernels with `fast_math`, whose names end so, may contract;
/// Rust's floats, and so the others, may not. `-O` would let those contract too: it loses `precise`
/// where it unrolls a loop.
fn compile(case: &str, source: &Path, module: &Path) -> Result<(), Box<dyn Error>> {
    let (precise, level) = match case.ends_with("-fast") {
        true => ("", "-O"),
        false => ("precise", "-O0"),
    };
    let status = Command::new("glslc")
        .args([level, "--target-env=vulkan1.2"])
        .arg(format!("-DPRECISE={precise}"))
        .arg(source)
        .arg("-o")
        .arg(module)
        .status()
        .map_err(|error| {
            format!("glslc does not run ({error}); `--glsl` takes what it has made")
        })?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("glslc does not compile {}", source.display()).into()),
    }
}

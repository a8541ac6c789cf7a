//! Modules that other compilers made for an amp kernel's argument block
//! (`amp-spirv/src/artifact.rs` describes it): `device/glsl/*.comp`, compiled by `glslc`.

use std::cell::OnceCell;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use amp::__private::{Artifact, Wide};

/// A module whose entry point is `main`.
pub struct Foreign {
    spirv: Vec<u8>,
    artifact: OnceCell<&'static Artifact>,
}

impl Foreign {
    fn load(path: &Path) -> Result<Self, Box<dyn Error>> {
        let spirv = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self {
            spirv,
            artifact: OnceCell::new(),
        })
    }

    /// A kernel's artifact with this module in the place of its own. It is kept until the program
    /// ends, as the kernels in a program are.
    pub fn in_place_of(&self, artifact: &Artifact) -> &'static Artifact {
        self.artifact.get_or_init(|| {
            Box::leak(Box::new(Artifact {
                name: "main".into(),
                spirv: self.spirv.clone().into(),
                wide: Wide::default(),
                ..artifact.clone()
            }))
        })
    }
}

/// The versions of a case that are no amp kernels, by name: GLSL, and what else a folder has.
pub fn versions(
    case: &str,
    folder: Option<&Path>,
) -> Result<Vec<(String, Foreign)>, Box<dyn Error>> {
    let Some(folder) = folder else {
        let path = env::temp_dir().join(format!("amp-{}-{case}.spv", std::process::id()));
        compile(case, &path)?;
        let module = Foreign::load(&path);
        fs::remove_file(&path)?;
        return Ok(vec![("GLSL".into(), module?)]);
    };
    fs::create_dir_all(folder)?;
    let path = folder.join(format!("{case}.spv"));
    if !path.exists() {
        compile(case, &path)?;
    }
    let mut versions = vec![("GLSL".into(), Foreign::load(&path)?)];
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.sort();
    for file in files {
        let name = file.file_name().and_then(|name| name.to_str());
        let version = name.and_then(|name| {
            name.strip_prefix(case)?
                .strip_prefix('.')?
                .strip_suffix(".spv")
        });
        if let Some(version) = version {
            versions.push((version.into(), Foreign::load(&file)?));
        }
    }
    Ok(versions)
}

/// Compiles a case's GLSL. Those of kernels with `fast_math`, whose names end so, may contract;
/// Rust's floats, and so the others, may not. `-O` would let those contract too: it loses `precise`
/// where it unrolls a loop.
fn compile(case: &str, module: &Path) -> Result<(), Box<dyn Error>> {
    let (file, precise, level) = match case.strip_suffix("-fast") {
        Some(exact) => (exact, "", "-O"),
        None => (case, "precise", "-O0"),
    };
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("device/glsl/{file}.comp"));
    let status = Command::new("glslc")
        .args([level, "--target-env=vulkan1.2"])
        .arg(format!("-DPRECISE={precise}"))
        .arg(&source)
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

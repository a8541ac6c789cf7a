//! Modules that other compilers made for an amp kernel's argument block
//! (`amp-spirv/src/artifact.rs` describes it): `device/glsl`, compiled by `glslc`.

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
    in_folder(folder, |folder| versions_in(folder, case))
}

fn versions_in(folder: &Path, case: &str) -> Result<Vec<(String, Foreign)>, Box<dyn Error>> {
    let source = case.strip_suffix("-fast").unwrap_or(case);
    for version in named(&sources(), source, "comp") {
        let module = folder.join(format!("{case}{version}.spv"));
        // GLSL of kernels with `fast_math`, whose names end so, may contract; Rust's floats, and so the others,
        // may not. `-O` would let those contract too: it loses `precise` where it unrolls a loop.
        let (precise, level) = match case.ends_with("-fast") {
            true => ("", "-O"),
            false => ("precise", "-O0"),
        };
        let options = [level, &format!("-DPRECISE={precise}")];
        let source = sources().join(format!("{source}{version}.comp"));
        compile(&source, options, &module)?;
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

/// The modules of an algorithm in several steps.
pub fn steps(
    algorithm: &str,
    count: usize,
    folder: Option<&Path>,
) -> Result<Vec<Foreign>, Box<dyn Error>> {
    in_folder(folder, |folder| {
        let module = |step| {
            let module = folder.join(format!("algorithms-{algorithm}-{step}.spv"));
            let source = sources().join(format!("algorithms/{algorithm}.comp"));
            compile(&source, ["-O", &format!("-DSTEP={step}")], &module)?;
            Foreign::load(&module, 1)
        };
        (0..count).map(module).collect()
    })
}

/// Does something with the modules of a folder, if there is one, else of a new one.
fn in_folder<R>(
    folder: Option<&Path>,
    run: impl FnOnce(&Path) -> Result<R, Box<dyn Error>>,
) -> Result<R, Box<dyn Error>> {
    let own = env::temp_dir().join(format!("amp-{}", std::process::id()));
    let place = folder.unwrap_or(&own);
    fs::create_dir_all(place)?;
    let result = run(place);
    if folder.is_none() {
        fs::remove_dir_all(own)?;
    }
    result
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

/// Compiles GLSL, unless the module is there.
fn compile(source: &Path, options: [&str; 2], module: &Path) -> Result<(), Box<dyn Error>> {
    if module.exists() {
        return Ok(());
    }
    let status = Command::new("glslc")
        .arg("--target-env=vulkan1.2")
        .args(options)
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

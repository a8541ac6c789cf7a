//! `AMP_DUMP`: files with the forms that kernels take on their way to SPIR-V.
//!
//! The variable names forms, with commas between them: `tree`, `mir`, `spirv`. The files of a
//! kernel are in a folder of its name within that of its crate, in the folder `AMP_DUMP_DIR`, or
//! else `amp-dump` in cargo's target folder:
//!
//! ```text
//! main/scale/tree.txt        as it was lowered
//! main/scale/0-build.mir     as it was built from the tree
//! main/scale/2-fold.mir      after the second pass; the first one changed nothing
//! main/scale/spirv.spv       for `spirv-dis`
//! ```
//!
//! The expansion of every kernel names the variables, so that cargo compiles it anew when they
//! change.

use std::{
    collections::HashMap,
    env, fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use amp_spirv::{Form, artifact::Artifact, compile_watched, diagnostic::Diagnostic, tree::Module};
use proc_macro2::TokenStream;
use quote::quote;

const FORMS: [&str; 3] = ["tree", "mir", "spirv"];

/// A file's name and what is in it.
type File = (String, Vec<u8>);

/// Compiles a kernel, and writes the forms that are asked for. The tokens have rustc notice when
/// others are, and report what could not be written.
pub fn compile(tree: &Module) -> Result<(Artifact, TokenStream), Vec<Diagnostic>> {
    let noticed = quote! {
        const _: [::core::option::Option<&::core::primitive::str>; 2] =
            [::core::option_env!("AMP_DUMP"), ::core::option_env!("AMP_DUMP_DIR")];
    };
    let asked = env::var("AMP_DUMP").unwrap_or_default();
    let asked: Vec<&str> = asked.split(',').map(str::trim).collect();
    if asked == [""] {
        return Ok((amp_spirv::compile(tree)?, noticed));
    }
    let (artifact, files) = watched(tree, &asked)?;
    let written = match asked.iter().find(|it| !FORMS.contains(it)) {
        Some(form) => Err(format!("there is no form `{form}`; there are {FORMS:?}")),
        None => write(&folder(&tree.kernel().name), &files),
    };
    let error = written.err().map(|message| {
        let message = format!("AMP_DUMP: {message}");
        quote!(::core::compile_error!(#message);)
    });
    Ok((artifact, quote!(#noticed #error)))
}

/// Compiles a kernel, and gives the forms that are asked for.
fn watched(tree: &Module, asked: &[&str]) -> Result<(Artifact, Vec<File>), Vec<Diagnostic>> {
    let mut files: Vec<File> = Vec::new();
    let (mut stage, mut last) = (0, String::new());
    let artifact = compile_watched(tree, &mut |form| match form {
        Form::Tree(tree) if asked.contains(&"tree") => {
            files.push(("tree.txt".to_owned(), tree.to_string().into()));
        }
        Form::Mir(pass, module) if asked.contains(&"mir") => {
            let text = module.to_string();
            if text != last {
                files.push((format!("{stage}-{pass}.mir"), text.clone().into()));
                last = text;
            }
            stage += 1;
        }
        _ => {}
    })?;
    if asked.contains(&"spirv") {
        files.push(("spirv.spv".to_owned(), artifact.spirv.to_vec()));
    }
    Ok((artifact, files))
}

/// The folder of a kernel. A crate can have several of one name, and instances of one.
fn folder(kernel: &str) -> PathBuf {
    static KERNELS: Mutex<Option<HashMap<String, u32>>> = Mutex::new(None);
    let within = env::var_os("AMP_DUMP_DIR").map(PathBuf::from);
    let within = within.unwrap_or_else(|| {
        let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        target.unwrap_or_else(|| "target".into()).join("amp-dump")
    });
    let mut kernels = KERNELS.lock().unwrap_or_else(PoisonError::into_inner);
    let kernels = kernels.get_or_insert_default();
    let number = kernels.entry(kernel.to_owned()).or_default();
    *number += 1;
    let name = match number {
        1 => kernel.to_owned(),
        number => format!("{kernel}.{number}"),
    };
    let krate = env::var("CARGO_CRATE_NAME").unwrap_or_default();
    within.join(krate).join(name)
}

/// Writes the files of a kernel, and removes those of an earlier time.
fn write(folder: &Path, files: &[File]) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(failed)?;
    for file in fs::read_dir(folder).map_err(failed)? {
        let path = file.map_err(failed)?.path();
        let extension = path.extension().unwrap_or_default();
        if ["txt", "mir", "spv"].iter().any(|ours| extension == *ours) {
            fs::remove_file(path).map_err(failed)?;
        }
    }
    for (name, content) in files {
        fs::write(folder.join(name), content).map_err(failed)?;
    }
    Ok(())
}

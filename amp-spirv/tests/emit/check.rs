//! Emits a module and checks what came out with the SPIR-V tools.

use std::io::Write;
use std::process::{Command, Stdio};

use amp_spirv::analysis::effects::Footprints;
use amp_spirv::artifact::{Artifact, FaultKind};
use amp_spirv::compile;
use amp_spirv::emit::emit;
use amp_spirv::mir;
use amp_spirv::opt;
use amp_spirv::tree::{self, Module};
use rspirv::binary::Assemble;

/// Feeds a module to a tool; nothing if the tool is not installed.
fn tool(name: &str, args: &[&str], words: &[u8]) -> Option<(bool, String)> {
    let child = Command::new(name)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => {
            let required = std::env::var_os("AMP_REQUIRE_SPIRV_VAL").is_some_and(|it| it == "1");
            assert!(!required, "{name} is required and cannot be run: {error}");
            return None;
        }
    };
    let mut input = child.stdin.take().expect("stdin is piped");
    let words = words.to_vec();
    let writer = std::thread::spawn(move || input.write_all(&words));
    let output = child.wait_with_output().expect("the tool ends");
    writer
        .join()
        .expect("no panic")
        .expect("the tool reads its input");
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text += &String::from_utf8_lossy(&output.stderr);
    Some((output.status.success(), text))
}

/// The disassembly, or nothing without `spirv-dis`.
pub fn disassemble(artifact: &Artifact) -> Option<String> {
    tool("spirv-dis", &["--no-color", "-"], &artifact.spirv).map(|(_, text)| text)
}

/// A tree from its text.
pub fn read(text: &str) -> Module {
    let module = tree::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(tree::verify(&module), Ok(()), "{text}");
    module
}

/// Emits what is written, without passes but those that emission needs or that only mark what is
/// there, validates it, and gives the artifact. What comes between has to keep its rules, and what the passes make of
/// it has to be valid, too.
pub fn valid(module: &Module) -> Artifact {
    let mut built = mir::build(module);
    assert_eq!(mir::verify(&built), Ok(()), "{built}");
    let footprints = Footprints::of(&built);
    opt::fences::run(&mut built, &footprints);
    validated(compile(module).expect("nothing is wrong"));
    emitted(built)
}

/// The same, from the text of what comes between.
pub fn valid_form(text: &str) -> Artifact {
    let module = mir::parse(text).expect("a module");
    assert_eq!(mir::verify(&module), Ok(()));
    emitted(module)
}

fn emitted(mut module: mir::Module) -> Artifact {
    opt::branches::run(&mut module);
    opt::whiles::run(&mut module);
    validated(emit(&module))
}

fn validated(artifact: Artifact) -> Artifact {
    for environment in ["vulkan1.2", "vulkan1.3"] {
        let args = ["--target-env", environment, "-"];
        if let Some((false, message)) = tool("spirv-val", &args, &artifact.spirv) {
            let listing = disassemble(&artifact).unwrap_or_default();
            panic!("{} for {environment}: {message}\n{listing}", artifact.name);
        }
    }
    artifact
}

/// Emits, validates, and gives the disassembly, which is empty without the tools.
pub fn listing(module: &Module) -> Option<String> {
    disassemble(&valid(module))
}

/// The words of each instruction of one kind, by its name without `Op`; this needs no
/// tools. The first word of each is its opcode and length.
pub fn instructions(artifact: &Artifact, name: &str) -> Vec<Vec<u32>> {
    let module = rspirv::dr::load_bytes(&artifact.spirv).expect("the module parses");
    module
        .all_inst_iter()
        .filter(|instruction| instruction.class.opname == name)
        .map(Assemble::assemble)
        .collect()
}

/// How often a pattern stands in a listing.
pub fn count(listing: &str, pattern: &str) -> usize {
    listing.matches(pattern).count()
}

/// What can go wrong in the source, which the driver's own limits are not.
pub fn faults(artifact: &Artifact) -> Vec<FaultKind> {
    let kinds = artifact.faults.iter().map(|site| site.kind);
    kinds.filter(|kind| *kind != FaultKind::LoopCut).collect()
}

/// The number of loops, but for the two of each place that tries whether the driver ended one.
pub fn loops(artifact: &Artifact) -> usize {
    let tries = artifact.faults.len() - faults(artifact).len();
    instructions(artifact, "LoopMerge").len() - 2 * tries
}

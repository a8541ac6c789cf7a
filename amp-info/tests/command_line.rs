//! What the program prints, run as users run it.

use std::process::{Command, Output};

use amp::{Accelerator, AcceleratorKind};
use serde_json::Value;

fn run(arguments: &[&str], accelerator: Option<&str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_amp-info"));
    command.args(arguments).env_remove("AMP_ACCELERATOR");
    command.envs(accelerator.map(|wanted| ("AMP_ACCELERATOR", wanted)));
    command.output().expect("the program was built")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn json(accelerator: Option<&str>) -> Value {
    let output = run(&["--json"], accelerator);
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn the_page_has_every_accelerator_and_the_default() {
    let output = run(&[], None);
    assert!(output.status.success());
    let page = text(&output.stdout);
    for accelerator in Accelerator::all() {
        let heading = format!(": {accelerator} [{}]", accelerator.device_path());
        assert!(page.contains(&heading), "{page}");
        let driver = accelerator.properties().driver;
        assert!(page.contains(&driver), "{page}");
    }
    assert_eq!(page.matches("], the default\n").count(), 1, "{page}");
    // That of the CPU accelerator, at least.
    let elements = "i8 u8, i16 u16, i32 u32, i64 u64, f16 bf16, f32, f64";
    assert!(page.contains(elements), "{page}");
    assert!(page.contains("\ndefault: "), "{page}");
    let first = &Accelerator::all()[0];
    let reason = match first.properties().kind {
        AcceleratorKind::Cpu => "there is no other".to_owned(),
        AcceleratorKind::Software => format!(
            "no GPU, and the CPU accelerator is faster than {}",
            first.description()
        ),
        _ => "the first in the order discrete".to_owned(),
    };
    assert!(page.contains(&reason), "{page}");
}

#[test]
fn json_says_the_same() {
    let document = json(None);
    let entries = document["accelerators"].as_array().expect("a list");
    let all = Accelerator::all();
    assert_eq!(entries.len(), all.len());
    for (entry, accelerator) in entries.iter().zip(&all) {
        let properties = accelerator.properties();
        assert_eq!(entry["description"], accelerator.description());
        assert_eq!(entry["device_path"], accelerator.device_path());
        assert_eq!(entry["kind"], properties.kind.to_string());
        assert_eq!(entry["version"], accelerator.version());
        assert_eq!(entry["features"], serde_json::json!(properties.features));
        assert_eq!(entry["limits"]["tile_threads"], properties.max_tile_threads);
        let software = accelerator.software_floats().unwrap();
        assert_eq!(entry["floats"]["in_software"], serde_json::json!(software));
        assert!(entry["subgroups"]["size"].as_u64() >= Some(1));
        let heaps = entry["memory"]["heaps"].as_array().expect("a list");
        let is_cpu = accelerator == &Accelerator::cpu();
        assert_eq!(heaps.len(), accelerator.memory().heaps().len());
        assert!(heaps.iter().all(|heap| heap["bytes"].as_u64() > Some(0)));
        assert_eq!(entry["vulkan"].is_null(), is_cpu);
    }
    let rejected = document["rejected"].as_array().expect("a list");
    assert_eq!(rejected.len(), Accelerator::rejected().len());
    let default = Accelerator::default().expect("the environment names none");
    assert_eq!(document["default"]["device_path"], default.device_path());
}

/// What was found but cannot run kernels, where the loader finds no driver.
#[test]
fn rejected_devices_are_listed_with_the_reason() {
    let without_drivers = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_amp-info"));
        command.args(arguments).env_remove("AMP_ACCELERATOR");
        for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
            command.env(variable, "/there/is/no/driver.json");
        }
        let output = command.output().expect("the program was built");
        assert!(output.status.success(), "the CPU accelerator is there");
        text(&output.stdout)
    };
    let page = without_drivers(&[]);
    assert!(
        page.contains("\n0: CPU accelerator [cpu], the default\n"),
        "{page}"
    );
    let heading = "\nno accelerator: Vulkan\n   lacks            a Vulkan ";
    assert!(page.contains(heading), "{page}");

    let document: Value = serde_json::from_str(&without_drivers(&["--json"])).expect("JSON");
    assert_eq!(document["accelerators"].as_array().map(Vec::len), Some(1));
    let [rejected] = &document["rejected"].as_array().expect("a list")[..] else {
        panic!("{document:#}");
    };
    assert_eq!(rejected["description"], "Vulkan");
    let lacking = rejected["lacking"][0].as_str().expect("a name");
    assert!(lacking.starts_with("a Vulkan "), "{lacking}");
    let error = rejected["error"].as_str().expect("a message");
    assert!(error.contains(lacking), "{error}");
}

#[test]
fn the_environment_chooses() {
    let document = json(Some("cpu"));
    assert_eq!(document["default"]["device_path"], "cpu");
    assert_eq!(document["default"]["reason"], "AMP_ACCELERATOR is `cpu`");
    assert!(text(&run(&[], Some("CPU acc")).stdout).contains("AMP_ACCELERATOR is `CPU acc`"));

    let output = run(&[], Some("no such thing"));
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("default: none"));
    let document = json(Some("no such thing"));
    assert!(document["default"]["device_path"].is_null());
    let error = document["default"]["error"].as_str().expect("a message");
    assert!(error.contains("no such thing"), "{error}");
}

#[test]
fn unknown_arguments_print_the_usage() {
    for wrong in ["--jsno", "-x", "llvmpipe"] {
        let output = run(&[wrong], None);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(output.stdout.is_empty());
        let message = text(&output.stderr);
        assert!(message.contains(wrong.trim_start_matches('-')), "{message}");
        assert!(message.contains("Usage: amp-info"), "{message}");
    }
    assert!(text(&run(&["--help"], None).stdout).starts_with("Prints the accelerators"));
}

//! Which accelerator is the default, and why.

use amp::{Accelerator, AcceleratorKind};

/// The default accelerator of programs that do not call `Accelerator::set_default`.
pub struct Choice {
    /// It, or why there is none.
    pub accelerator: Result<Accelerator, String>,
    /// Why it is this one.
    pub reason: String,
}

impl Choice {
    pub fn new() -> Self {
        let accelerator = Accelerator::default();
        let wanted = std::env::var_os("AMP_ACCELERATOR").filter(|wanted| !wanted.is_empty());
        let reason = match (&accelerator, wanted) {
            (Ok(_), Some(wanted)) => {
                format!("AMP_ACCELERATOR is `{}`", wanted.to_string_lossy())
            }
            (Ok(_), None) if std::env::var_os("AMP_CHECK").is_some_and(|it| it == "1") => {
                "AMP_CHECK=1 makes it the default".into()
            }
            (Ok(accelerator), None) => because_of(accelerator.properties().kind),
            (Err(_), _) => "AMP_ACCELERATOR names no accelerator".into(),
        };
        Self {
            accelerator: accelerator.map_err(|error| error.to_string()),
            reason,
        }
    }
}

/// Why an accelerator of this kind is the default where the environment says nothing.
fn because_of(kind: AcceleratorKind) -> String {
    let in_software = Accelerator::all();
    let in_software = in_software
        .iter()
        .find(|it| it.properties().kind == AcceleratorKind::Software);
    match (kind, in_software) {
        (AcceleratorKind::Cpu, Some(software)) => format!(
            "there is no GPU, and the CPU accelerator is faster than {}; AMP_ACCELERATOR chooses another",
            software.description()
        ),
        (AcceleratorKind::Cpu, None) => "there is no other".into(),
        (kind, _) => format!(
            "the first in the order discrete, integrated, virtual, other, cpu; \
             it is {kind}, and AMP_ACCELERATOR chooses another"
        ),
    }
}

//! Which accelerator is the default, and why.

use amp::Accelerator;

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
            (Ok(accelerator), None) => format!(
                "the first in the order discrete, integrated, virtual, other, software, cpu; \
                 it is {}, and AMP_ACCELERATOR chooses another",
                accelerator.properties().kind
            ),
            (Err(_), _) => "AMP_ACCELERATOR names no accelerator".into(),
        };
        Self {
            accelerator: accelerator.map_err(|error| error.to_string()),
            reason,
        }
    }
}

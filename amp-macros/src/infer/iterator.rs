//! Iterators: kernels have those of a `for`, and none besides.

use amp_spirv::diagnostic::Code;
use syn::ExprMethodCall;

use super::{context::FnCx, each::adapters, ty::Ty};

impl FnCx<'_> {
    /// Notes that a method is called on what may be the iterator of an array.
    pub fn note_iterator(&mut self, call: &ExprMethodCall) {
        let (calls, _) = adapters(&call.receiver);
        if let Some(first) = calls.last() {
            let node = self.typed.id(*first);
            self.iterators
                .entry(node)
                .or_insert_with(|| call.method.clone());
        }
    }

    /// Refuses a method of the iterator of an array, if this call makes one: that method is
    /// what kernels do not have.
    pub fn unknown_of_iterator(&mut self, call: &ExprMethodCall) -> bool {
        let Some(method) = self.iterators.remove(&self.typed.id(call)) else {
            return false;
        };
        let name = method.to_string();
        self.report.error_help(
            Code::UnknownMember,
            &method,
            format!("`{name}` of an iterator in a kernel"),
            of_iterator(&name),
        );
        true
    }

    /// Refuses a method of a range.
    pub fn method_of_range(&mut self, call: &ExprMethodCall) -> Ty {
        self.lost_arguments(&call.args);
        let name = call.method.to_string();
        self.report.error_help(
            Code::UnknownMember,
            &call.method,
            format!("`{name}` of a range in a kernel"),
            of_range(&name),
        );
        Ty::Error
    }
}

/// What to write instead of a method of a range.
fn of_range(name: &str) -> &'static str {
    match name {
        "contains" => "compare: `a <= x && x < b`",
        _ => "write a loop, `for i in a..b { .. }`, which has `.rev()` and `.step_by(n)`",
    }
}

/// What to write instead of a method of an iterator.
fn of_iterator(name: &str) -> &'static str {
    match name {
        "zip" => "loop over the positions: `for i in 0..a.len() { .. a[i] .. b[i] .. }`",
        "sum" | "product" | "fold" | "min" | "max" | "count" => {
            "write a loop: `let mut sum = 0.0; for x in a.iter() { sum += *x; }`"
        }
        _ => {
            "loop over it, `for x in a.iter() { .. }`, with `copied`, `enumerate` and `rev`, and \
             write the rest into the body"
        }
    }
}

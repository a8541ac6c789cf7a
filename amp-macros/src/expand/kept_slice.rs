//! Slices that become values, in the host version: Rust's own references.
//!
//! ```text
//! Reader { bytes: &packet[4..], pos: 0 }     Reader { bytes: &*part(&packet, 4..), pos: 0 }
//! let s = &a[1..]; Reader { bytes: s, .. }   Reader { bytes: Slice::from(s.place().named()).kept(), .. }
//! ```

use quote::quote_spanned;
use syn::{Expr, spanned::Spanned};

use super::host_version::{HostVersion, run_time};
use crate::infer::{Node, Resolved};

impl HostVersion<'_> {
    /// Whether a path is the name of a reference to a slice that is a value.
    pub(super) fn is_behind_two(&self, path: impl Node) -> bool {
        let facts = self.function.typed.of(path);
        match facts.path {
            Some(Resolved::Local(local)) if facts.is_kept_slice => self.function.typed.locals
                [local.0 as usize]
                .ty
                .is_reference(),
            _ => false,
        }
    }

    /// `&place`, or a slice by its name, as a value.
    pub(super) fn kept_slice(&mut self, slice: &mut Expr) {
        let place = match &*slice {
            Expr::Reference(reference) => &*reference.expr,
            name => name,
        };
        if self.is_shared(place) {
            self.lent_argument(slice, true);
            let span = slice.span();
            let named = run_time("Slice", span);
            *slice = Expr::Verbatim(quote_spanned!(span=> #named::from(#slice).kept()));
        } else if let Expr::Path(_) = slice {
            self.lent_argument(slice, false);
        } else {
            self.form(slice);
        }
    }
}

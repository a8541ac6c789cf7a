//! Dependencies under another name: `gpu = { package = "amp-gpu", .. }`.
//!
//! All that is emitted names this project by `::amp`. In a crate that knows it by another name,
//! that is put in its place, in all that the macros give to rustc. What travels between macros of
//! two such crates is what users wrote, and the rest is recognised under either name.

use proc_macro2::{Group, Ident, Literal, Spacing, TokenStream, TokenTree};

use crate::invocation;

/// Where the derives of `bytemuck` find it: the only path that is a string.
const BYTEMUCK: &str = "::amp::__private::bytemuck";

/// Tokens for rustc.
pub fn emit(tokens: TokenStream) -> proc_macro::TokenStream {
    match invocation::new_name() {
        None => tokens.into(),
        Some(name) => renamed(tokens, name).into(),
    }
}

fn renamed(tokens: TokenStream, name: &str) -> TokenStream {
    let mut before = Before::Start;
    let rename = |token| {
        let (after, token) = before.step(token, name);
        before = after;
        token
    };
    tokens.into_iter().map(rename).collect()
}

/// What stands before a token.
enum Before {
    /// Nothing that a path could go on from.
    Start,
    /// The start of an arrow.
    Dash,
    /// The end of a path.
    Path,
    /// Half of a `::` behind a path, and of one at the start of a path.
    HalfInner,
    HalfRoot,
    /// A `::` at the start of a path.
    Root,
}

impl Before {
    fn step(&self, token: TokenTree, name: &str) -> (Self, TokenTree) {
        match token {
            TokenTree::Ident(ident) if matches!(self, Before::Root) && ident == "amp" => {
                let ident = Ident::new(name, ident.span());
                (Before::Path, TokenTree::Ident(ident))
            }
            TokenTree::Ident(ident) => {
                let text = ident.to_string();
                let ends_path = ["self", "Self", "super", "crate"].contains(&text.as_str())
                    || syn::parse_str::<Ident>(&text).is_ok();
                let after = if ends_path {
                    Before::Path
                } else {
                    Before::Start
                };
                (after, TokenTree::Ident(ident))
            }
            TokenTree::Punct(punct) => {
                let is_joint = punct.spacing() == Spacing::Joint;
                let after = match (punct.as_char(), self) {
                    (':', Before::HalfInner) => Before::Start,
                    (':', Before::HalfRoot) => Before::Root,
                    (':', Before::Path) if is_joint => Before::HalfInner,
                    (':', _) if is_joint => Before::HalfRoot,
                    ('-' | '=', _) => Before::Dash,
                    ('>', Before::Dash) => Before::Start,
                    ('>', _) => Before::Path,
                    _ => Before::Start,
                };
                (after, TokenTree::Punct(punct))
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), renamed(group.stream(), name));
                inner.set_span(group.span());
                (Before::Start, TokenTree::Group(inner))
            }
            TokenTree::Literal(literal) if literal.to_string().trim_matches('"') == BYTEMUCK => {
                let path = BYTEMUCK.replacen("amp", name, 1);
                (Before::Start, TokenTree::Literal(Literal::string(&path)))
            }
            TokenTree::Literal(literal) => (Before::Start, TokenTree::Literal(literal)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::renamed;

    fn becomes(written: &str, expected: &str) {
        let written = written.parse().expect("these are tokens");
        let expected: proc_macro2::TokenStream = expected.parse().expect("these are tokens");
        assert_eq!(renamed(written, "gpu").to_string(), expected.to_string());
    }

    #[test]
    fn paths_of_the_project_alone() {
        becomes(
            "fn f() -> ::amp::Kernel<'amp, ::amp::Index<1>> {}",
            "fn f() -> ::gpu::Kernel<'amp, ::gpu::Index<1>> {}",
        );
        becomes(
            "impl ::amp::Element for amp::X { a: ::amp::B }",
            "impl ::gpu::Element for amp::X { a: ::gpu::B }",
        );
        becomes(
            "mine::amp::f(<T as ::amp::A>::amp::B)",
            "mine::amp::f(<T as ::gpu::A>::amp::B)",
        );
        becomes(
            "#[bytemuck(crate = \"::amp::__private::bytemuck\")]",
            "#[bytemuck(crate = \"::gpu::__private::bytemuck\")]",
        );
        becomes("print(\"::amp::\", amp)", "print(\"::amp::\", amp)");
    }
}

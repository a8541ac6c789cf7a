//! Hygiene: what a macro's body declares is another variable or label than the caller's of the same name.
//!
//! Every name in the body of a rule is marked, so that nothing of the caller has it. Once the tokens are
//! read as syntax, those that the expansion declares keep the mark, wherever they mean a variable or label;
//! all others (fields, methods, functions, types, what is declared outside) lose it.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use syn::{
    Expr, ExprPath, FieldPat, FieldValue, Lifetime, Macro, Member, MetaList, PatIdent, Token,
};

use crate::visit::{self, VisitMut};

/// The names of one expansion.
#[derive(Clone)]
pub struct Hygiene {
    number: usize,
    /// Their spelling in the body.
    spelling: HashMap<String, String>,
    /// Those, marked, that the expansion declares.
    declared: HashSet<String>,
}

impl Hygiene {
    pub fn new(number: usize) -> Self {
        Self {
            number,
            spelling: HashMap::new(),
            declared: HashSet::new(),
        }
    }

    /// A name of the body with the mark, unless it is a keyword.
    pub fn marked(&mut self, name: &Ident) -> Ident {
        let spelling = name.to_string();
        if syn::parse_str::<Ident>(&spelling).is_err() {
            return name.clone();
        }
        let marked = format!(
            "{}_of_macro_{}",
            spelling.trim_start_matches("r#"),
            self.number
        );
        let ident = Ident::new(&marked, name.span());
        self.spelling.insert(marked, spelling);
        ident
    }

    /// Finds what the expansion declares.
    pub fn variables(&mut self) -> impl VisitMut {
        Variables(self)
    }

    /// Forgets the variables of whose spelling these tokens have no name.
    pub fn retain(&mut self, given: &TokenStream) {
        let mut names = HashSet::new();
        add_names(given.clone(), &mut names);
        let spelling = &self.spelling;
        let is_given = |marked: &String| spelling.get(marked).is_some_and(|it| names.contains(it));
        self.declared.retain(is_given);
    }

    /// Takes the other marks away.
    pub fn spelling(&self) -> impl VisitMut {
        Spelling(self)
    }

    fn is_declared(&self, name: &Ident) -> bool {
        self.declared.contains(&name.to_string())
    }

    fn plain(&self, name: &mut Ident) {
        if let Some(spelling) = self.spelling.get(&name.to_string()) {
            *name = match spelling.strip_prefix("r#") {
                Some(raw) => Ident::new_raw(raw, name.span()),
                None => Ident::new(spelling, name.span()),
            };
        }
    }
}

fn add_names(tokens: TokenStream, names: &mut HashSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => _ = names.insert(name.to_string()),
            TokenTree::Group(group) => add_names(group.stream(), names),
            _ => {}
        }
    }
}

struct Variables<'a>(&'a mut Hygiene);

impl VisitMut for Variables<'_> {
    fn visit_pat_ident_mut(&mut self, pattern: &mut PatIdent) {
        let name = pattern.ident.to_string();
        // What begins with a capital letter alone is a constant, or a case of an enum.
        let is_constant = name.starts_with(char::is_uppercase)
            && pattern.subpat.is_none()
            && pattern.by_ref.is_none()
            && pattern.mutability.is_none();
        if !is_constant && self.0.spelling.contains_key(&name) {
            self.0.declared.insert(name);
        }
        visit::visit_pat_ident_mut(self, pattern);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let label = match expr {
            Expr::Block(it) => &it.label,
            Expr::ForLoop(it) => &it.label,
            Expr::Loop(it) => &it.label,
            Expr::While(it) => &it.label,
            _ => &None,
        };
        if let Some(label) = label {
            let name = label.name.ident.to_string();
            if self.0.spelling.contains_key(&name) {
                self.0.declared.insert(name);
            }
        }
        visit::visit_expr_mut(self, expr);
    }
}

struct Spelling<'a>(&'a Hygiene);

impl VisitMut for Spelling<'_> {
    fn visit_ident_mut(&mut self, name: &mut Ident) {
        self.0.plain(name);
    }

    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        if !path
            .path
            .get_ident()
            .is_some_and(|name| self.0.is_declared(name))
        {
            visit::visit_expr_path_mut(self, path);
        }
    }

    fn visit_pat_ident_mut(&mut self, pattern: &mut PatIdent) {
        if !self.0.is_declared(&pattern.ident) {
            self.0.plain(&mut pattern.ident);
        }
        if let Some((_, inner)) = &mut pattern.subpat {
            self.visit_pat_mut(inner);
        }
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if !self.0.is_declared(&lifetime.ident) {
            self.0.plain(&mut lifetime.ident);
        }
    }

    fn visit_field_value_mut(&mut self, field: &mut FieldValue) {
        self.separate(&field.member, &mut field.colon_token);
        visit::visit_field_value_mut(self, field);
    }

    fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
        self.separate(&field.member, &mut field.colon_token);
        visit::visit_field_pat_mut(self, field);
    }

    /// `#[derive(Clone)]`
    fn visit_meta_list_mut(&mut self, attribute: &mut MetaList) {
        self.visit_path_mut(&mut attribute.path);
        attribute.tokens = self.tokens(attribute.tokens.clone());
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        self.visit_path_mut(&mut call.path);
        call.tokens = self.tokens(call.tokens.clone());
    }
}

impl Spelling<'_> {
    /// `P { x }` becomes `P { x: x }`: of the two, only the second is a variable.
    fn separate(&self, member: &Member, colon: &mut Option<Token![:]>) {
        if let Member::Named(name) = member
            && self.0.is_declared(name)
        {
            colon.get_or_insert(Token![:](name.span()));
        }
    }

    /// The arguments of a macro that is called in the body: a name behind a point is no variable.
    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let mut is_member = false;
        let settle = |token| {
            let settled = match token {
                TokenTree::Ident(mut name) => {
                    if is_member || !self.0.is_declared(&name) {
                        self.0.plain(&mut name);
                    }
                    TokenTree::Ident(name)
                }
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), self.tokens(group.stream()));
                    inner.set_span(group.span());
                    TokenTree::Group(inner)
                }
                other => other,
            };
            is_member = matches!(&settled, TokenTree::Punct(it) if it.as_char() == '.');
            settled
        };
        tokens.into_iter().map(settle).collect()
    }
}

//! Syntax that other syntax can say: chains of iterators as loops (see `iterate`); closures of blocks; `if let`, `while let`,
//! chains of conditions and `matches!` as `match`; `ref` and `@` as references and variables; `use` in bodies as the paths that are imported; strings of bytes as arrays; assignments to several places as one for each;
//! guards with `let` as ones that keep what they bind; `<f32>::MAX` as `f32::MAX`, `<S as Shape>::N` as `S::N`; `contains` of ranges as comparisons; patterns of parameters as `let`; and
//! `impl Trait` in the parameters of a helper as a type parameter.
//!
//! Done once, before anything else looks at a function: the rest of the crate knows `match` alone. Every
//! token that the user wrote keeps its place.

pub mod aliases;
mod array_of_slice;
mod assigned;
mod bindings;
mod byte_strings;
mod chosen;
mod closures;
mod condition;
pub mod conditional;
mod flattened;
mod function_pointers;
pub mod function_tables;
mod guards;
pub mod imports;
mod inserted;
mod literal;
mod optional;
pub mod parameters;
mod parameters_apart;
pub mod range_method;
mod ranges;
pub mod returned;
mod selected;
pub mod taken;

use self::function_pointers::FunctionPointers;
pub use parameters::{name_parameters, name_patterns};
use proc_macro2::Span;
use syn::{
    Arm, Attribute, Block, Expr, ExprClosure, ExprForLoop, ExprMatch, Ident, Item, ItemFn, Local,
    Pat, Stmt, Token, Type, parse::Parser, parse_quote_spanned, spanned::Spanned,
};

use crate::{
    head::before_brace,
    iterate,
    language::name::is_type_name,
    visit::{self, VisitMut},
};

/// Rewrites the body of a function.
pub fn rewrite(item: &mut ItemFn) {
    Nested.visit_block_mut(&mut item.block);
    Ungrouped.visit_signature_mut(&mut item.sig);
    function_tables::of_body(&mut item.block);
    FunctionPointers.visit_block_mut(&mut item.block);
    flattened::rewrite(&mut item.block);
    name_patterns(&mut item.sig, Some(&mut item.block));
    Matches.visit_block_mut(&mut item.block);
    byte_strings::rewrite(&mut item.block);
    chosen::rewrite(item);
    parameters_apart::rewrite(item);
    imports::of_body(&mut item.block);
    aliases::of_body(&mut item.block);
    ranges::rewrite(item);
    array_of_slice::of_result(item);
    // What yields items stays as it is until its callers are known, which may want the chain itself.
    if crate::language::returned::yields(&item.sig) {
        return WithoutBrackets.visit_block_mut(&mut item.block);
    }
    let names = iterate::Names::of(item);
    written_out(&mut item.block, names);
}

/// Writes out what a body has.
fn written_out(block: &mut Block, names: iterate::Names) {
    let mut sugar = Sugar { names };
    sugar.visit_block_mut(block);
    sugar.names.allow_copied(block);
}

/// Paths without brackets alone.
struct WithoutBrackets;

impl VisitMut for WithoutBrackets {
    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        without_brackets(&mut path.qself, &mut path.path);
        visit::visit_expr_path_mut(self, path);
    }
}

/// Functions in a body, which see none of its variables.
struct Nested;

impl VisitMut for Nested {
    fn visit_item_mut(&mut self, item: &mut Item) {
        if let Item::Fn(function) = item {
            rewrite(function);
            name_parameters(&mut function.sig);
        }
    }
}

/// The types of a signature that a macro has passed on, without their invisible delimiters.
struct Ungrouped;

impl VisitMut for Ungrouped {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        while let Type::Group(group) = ty {
            *ty = (*group.elem).clone();
        }
        visit::visit_type_mut(self, ty);
    }
}

/// `matches!` as `match`: before all others, which do not see the tokens of macros.
struct Matches;

impl VisitMut for Matches {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Macro(call) = expr
            && let Some(plain) = matches_macro(&call.mac)
        {
            *expr = plain;
        }
        visit::visit_expr_mut(self, expr);
    }
}

struct Sugar {
    names: iterate::Names,
}

impl Sugar {
    /// `&r` of a name `r` of a reference as `r`: where Rust takes the one, it takes the other.
    fn reborrow(&self, expr: &mut Expr) {
        if let Expr::Reference(reference) = expr
            && reference.mutability.is_none()
            && let name @ Expr::Path(_) = iterate::bare(&reference.expr)
            && self.names.known.is_reference(name)
        {
            *expr = name.clone();
        }
    }

    /// The plain form of an expression, if it is sugar.
    fn plain(&mut self, expr: &Expr) -> Option<Expr> {
        let plain = guards::of_match(expr, &mut self.names)
            .or_else(|| iterate::rewrite(expr, &mut self.names))
            .or_else(|| self.names.with_taken(expr))
            .or_else(|| self.names.closure_of_call(expr))
            .or_else(|| optional::plain(expr, &mut self.names))
            .or_else(|| inserted::plain(expr, &mut self.names))
            .or_else(|| selected::plain(expr, &mut self.names));
        match expr {
            _ if plain.is_some() => plain,
            Expr::If(branch) => condition::branch(branch, &mut self.names),
            Expr::While(round) => condition::round(round),
            Expr::Match(choice) => bindings::of_match(choice),
            Expr::Binary(binary) => self.names.comparison(binary),
            Expr::Cast(cast) => literal::character(cast),
            Expr::Struct(of) => literal::rest_by_default(of),
            Expr::Assign(assign) => assigned::plain(assign, &self.names),
            Expr::MethodCall(call) => range_method::plain(call)
                .or_else(|| array_of_slice::plain(call))
                .or_else(|| self.names.as_slice(call)),
            _ => None,
        }
    }

    /// The plain form of a statement.
    fn statement(&mut self, mut statement: Stmt, block: &mut Vec<Stmt>) {
        self.names.settle_own(&mut statement);
        if let Stmt::Local(local) = &statement
            && let Some(unfolded) = self.names.unfolded_local(local)
        {
            return unfolded
                .into_iter()
                .for_each(|it| self.statement(it, block));
        }
        let plain = match &statement {
            // The reference that it finds is not used.
            Stmt::Expr(Expr::MethodCall(call), Some(end))
                if iterate::finds(call, &mut self.names) =>
            {
                let is_there = parse_quote_spanned!(end.span()=> let _ = #call.is_some(););
                Some(vec![is_there])
            }
            Stmt::Expr(Expr::Try(asked), Some(end))
                if let Expr::MethodCall(call) = iterate::bare(&asked.expr)
                    && iterate::finds(call, &mut self.names) =>
            {
                let is_there = parse_quote_spanned!(end.span()=> #call.map(|_| ()));
                let mut asked = asked.clone();
                *asked.expr = is_there;
                Some(vec![parse_quote_spanned!(end.span()=> let _ = #asked;)])
            }
            statement
                if let Some(plain) = inserted::of_statement(statement, &mut self.names)
                    .or_else(|| selected::of_statement(statement, &mut self.names)) =>
            {
                Some(plain)
            }
            Stmt::Local(local) => iterate::several(local, &mut self.names)
                .or_else(|| closures::out_of_block(local, &mut self.names))
                .or_else(|| self.names.closure_of_local(local))
                .or_else(|| bindings::of_references(local, &mut self.names))
                .or_else(|| assigned::chosen(local, &mut self.names))
                .or_else(|| bindings::mixed(local))
                .or_else(|| bindings::apart(local))
                .or_else(|| bindings::without_value(local)),
            _ => None,
        };
        for mut plain in plain.unwrap_or_else(|| vec![statement]) {
            if let Stmt::Local(local) = &plain
                && let Some(unfolded) = self.names.unfolded_local(local)
            {
                unfolded
                    .into_iter()
                    .for_each(|it| self.statement(it, block));
                continue;
            }
            self.visit_stmt_mut(&mut plain);
            block.push(plain);
        }
    }
}

impl VisitMut for Sugar {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let around = self.names.known.clone();
        let mut plain = Vec::new();
        for statement in std::mem::take(&mut block.stmts) {
            self.statement(statement, &mut plain);
        }
        block.stmts = plain;
        // What a loop was refused for needs a semicolon that the loop does not.
        if let Some((_, before)) = block.stmts.split_last_mut() {
            for statement in before {
                if let Stmt::Expr(Expr::Macro(refusal), end @ None) = statement {
                    *end = Some(Token![;](refusal.span()));
                }
            }
        }
        self.names.known = around;
    }

    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        let around = self.names.known.clone();
        self.names.known.forget(&arm.pat);
        visit::visit_arm_mut(self, arm);
        self.names.known = around;
    }

    fn visit_expr_for_loop_mut(&mut self, round: &mut ExprForLoop) {
        self.visit_expr_mut(&mut round.expr);
        let around = self.names.known.clone();
        self.names.known.declare_items(&round.pat, &round.expr);
        self.visit_pat_mut(&mut round.pat);
        self.visit_block_mut(&mut round.body);
        self.names.known = around;
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        let around = self.names.known.clone();
        for input in &closure.inputs {
            self.names.known.forget(input);
        }
        visit::visit_expr_closure_mut(self, closure);
        self.names.known = around;
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        while let Some(plain) = self.plain(expr) {
            *expr = plain;
        }
        if let Expr::Call(call) = expr {
            array_of_slice::of_number(call);
        }
        if let Expr::Match(choice) = expr
            && let [arm] = &mut *choice.arms
            && let (Pat::Ident(name), Expr::Reference(place)) = (&arm.pat, &*choice.expr)
        {
            // What an item that is a reference to a place is bound by.
            let around = self.names.known.clone();
            self.names.known.declare_reference(&name.ident, place);
            self.visit_expr_mut(&mut arm.body);
            self.names.known = around;
            return self.visit_expr_mut(&mut choice.expr);
        }
        let arguments = match expr {
            Expr::Call(call) => &mut call.args,
            Expr::MethodCall(call) => &mut call.args,
            _ => return visit::visit_expr_mut(self, expr),
        };
        for argument in arguments {
            self.reborrow(argument);
            optional::of_argument(argument);
        }
        visit::visit_expr_mut(self, expr);
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        // `let &pattern = reference;`
        if let Some(init) = &mut local.init
            && let Pat::Reference(pattern) = &local.pat
        {
            let (span, value) = (pattern.and_token.span, &init.expr);
            *init.expr = match &**value {
                Expr::Reference(reference) => (*reference.expr).clone(),
                value => parse_quote_spanned!(span=> *#value),
            };
            local.pat = (*pattern.pat).clone();
        }
        if let Some(init) = &mut local.init {
            self.reborrow(&mut init.expr);
            if let Pat::Type(typed) = &local.pat {
                as_slice(&typed.ty, &mut init.expr);
            }
        }
        literal::closure_of_macro(local);
        literal::length_of_pattern(local);
        literal::length_of_array(local);
        array_of_slice::of_local(local);
        bindings::of_alternatives(local);
        bindings::of_local(local);
        optional::of_local(local);
        optional::copied_local(local);
        let plain = iterate::of_local(local, &mut self.names);
        if let (Some(plain), Some(init)) = (plain, &mut local.init) {
            *init.expr = plain;
        }
        visit::visit_local_mut(self, local);
        self.names.declare(local);
    }

    /// rustc computes it.
    fn visit_expr_const_mut(&mut self, _: &mut syn::ExprConst) {}

    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        without_brackets(&mut path.qself, &mut path.path);
        visit::visit_expr_path_mut(self, path);
    }

    fn visit_type_path_mut(&mut self, path: &mut syn::TypePath) {
        without_brackets(&mut path.qself, &mut path.path);
        visit::visit_type_path_mut(self, path);
    }

    /// Of items in bodies, only functions are kernel code.
    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        if let syn::Item::Fn(function) = item {
            self.visit_block_mut(&mut function.block);
        }
    }
}

/// `&a` of an array, where the type says that it is a slice, as `&a[..]`.
fn as_slice(ty: &Type, value: &mut Expr) {
    if let Type::Reference(ty) = ty
        && let Type::Slice(_) = &*ty.elem
        && let Expr::Reference(reference) = value
        && let place @ (Expr::Path(_) | Expr::Field(_)) = &*reference.expr
    {
        *reference.expr = parse_quote_spanned!(place.span()=> #place[..]);
    }
}

/// `<f32>::MAX` as `f32::MAX`, if the brackets stand around a path.
fn without_brackets(qself: &mut Option<syn::QSelf>, path: &mut syn::Path) {
    let Some(owner) = qself.as_ref().filter(|qself| qself.as_token.is_none()) else {
        return;
    };
    let mut ty = &*owner.ty;
    while let Type::Group(syn::TypeGroup { elem, .. }) | Type::Paren(syn::TypeParen { elem, .. }) =
        ty
    {
        ty = elem;
    }
    let Type::Path(syn::TypePath {
        qself: None,
        path: owner,
        ..
    }) = ty
    else {
        return;
    };
    // `<S::Kind>::new`, of an associated type, has no other form.
    let first = owner.segments.first().map(|first| first.ident.to_string());
    if owner.segments.len() > 1 && first.is_some_and(|first| is_type_name(&first)) {
        return;
    }
    let mut whole = owner.clone();
    for segment in &mut whole.segments {
        if let syn::PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
            arguments.colon2_token.get_or_insert_default();
        }
    }
    whole.segments.extend(std::mem::take(&mut path.segments));
    *path = whole;
    *qself = None;
}

fn block_of(block: &syn::Block) -> Expr {
    Expr::Block(syn::ExprBlock {
        attrs: Vec::new(),
        label: None,
        block: block.clone(),
    })
}

/// `match value { pattern => then, _ => otherwise }`
fn choice(value: &Expr, pattern: &Pat, then: &Expr, otherwise: &Expr, span: Span) -> ExprMatch {
    let value = before_brace(value);
    // Rust lets a pattern that always matches pass here, with another lint.
    parse_quote_spanned! {span=>
        match #value {
            #pattern => #then,
            #[allow(unreachable_patterns)]
            _ => #otherwise,
        }
    }
}

/// `pattern if guard`
fn guarded(pattern: Pat, if_token: Token![if], guard: Expr) -> Pat {
    Pat::Guard(syn::PatGuard {
        attrs: Vec::new(),
        pat: Box::new(pattern),
        if_token,
        guard: Box::new(guard),
    })
}

/// `matches!(value, pattern if guard)`, if that is what it is.
pub fn matches_macro(mac: &syn::Macro) -> Option<Expr> {
    let name = crate::language::name::path_key(&mac.path);
    if !matches!(name.as_str(), "matches" | "std::matches" | "core::matches") {
        return None;
    }
    let parse = |input: syn::parse::ParseStream| {
        let value: Expr = input.parse()?;
        input.parse::<Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        let guard = match input.parse::<Option<Token![if]>>()? {
            Some(token) => Some((token, input.parse::<Expr>()?)),
            None => None,
        };
        input.parse::<Option<Token![,]>>()?;
        Ok((value, pattern, guard))
    };
    let (value, mut pattern, guard) = parse.parse2(mac.tokens.clone()).ok()?;
    if let Some((if_token, guard)) = guard {
        pattern = guarded(pattern, if_token, guard);
    }
    let span = mac.path.span();
    let (yes, no) = (
        parse_quote_spanned!(span=> true),
        parse_quote_spanned!(span=> false),
    );
    let mut choice = choice(&value, &pattern, &yes, &no, span);
    if name == "matches" {
        let mark = Ident::new(OF_MATCHES, span);
        choice.arms[0]
            .attrs
            .push(parse_quote_spanned!(span=> #[#mark]));
    }
    Some(Expr::Match(choice))
}

/// The attribute of what a `matches!` became that the user wrote by its name alone, spanned as the
/// name.
const OF_MATCHES: &str = "__amp_matches";

/// Whether an attribute stands for the name of a `matches!`.
pub fn is_of_matches(attribute: &Attribute) -> bool {
    attribute.path().is_ident(OF_MATCHES)
}

/// Removes these attributes from a function that rustc gets as it is written.
pub fn unmark_matches(body: &mut Block) {
    struct Unmark;
    impl VisitMut for Unmark {
        fn visit_arm_mut(&mut self, arm: &mut Arm) {
            arm.attrs.retain(|attribute| !is_of_matches(attribute));
            visit::visit_arm_mut(self, arm);
        }
    }
    Unmark.visit_block_mut(body);
}

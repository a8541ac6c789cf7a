//! Visitors of syntax, the walk of which is compiled once.
//!
//! Traits and functions have the names and the meaning of those of `syn`. But the functions of `syn`, two
//! hundred for each trait, are compiled again for each type that implements the trait; here, visitors
//! are trait objects. A visitor can ask for the kinds of nodes that the tables list; the walk goes
//! through all other nodes. Visitors that more than one module has stand at the end.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use syn::*;

macro_rules! visit {
    ($($method:ident $node:ident)*) => {
        /// A visitor. A method that it does not have goes on into the node.
        pub trait Visit<'ast>: Object<'ast> {$(
            fn $method(&mut self, node: &'ast $node) {
                $method(self.object(), node);
            }
        )*}

        impl<'ast> syn::visit::Visit<'ast> for Walk<'_, 'ast> {$(
            fn $method(&mut self, node: &'ast $node) {
                self.0.$method(node);
            }
        )*}

        $(pub fn $method<'ast>(visitor: &mut dyn Visit<'ast>, node: &'ast $node) {
            syn::visit::$method(&mut Walk(visitor), node);
        })*
    };
}

/// Calls a visitor on the nodes in a node.
struct Walk<'v, 'ast>(&'v mut dyn Visit<'ast>);

/// A visitor as a trait object.
pub trait Object<'ast> {
    fn object(&mut self) -> &mut dyn Visit<'ast>;
}

impl<'ast, T: Visit<'ast>> Object<'ast> for T {
    fn object(&mut self) -> &mut dyn Visit<'ast> {
        self
    }
}

macro_rules! visit_mut {
    ($($method:ident $node:ident)*) => {
        /// A visitor that changes what it visits. A method that it does not have goes on into the node.
        pub trait VisitMut: ObjectMut {$(
            fn $method(&mut self, node: &mut $node) {
                $method(self.object(), node);
            }
        )*}

        impl syn::visit_mut::VisitMut for WalkMut<'_> {$(
            fn $method(&mut self, node: &mut $node) {
                self.0.$method(node);
            }
        )*}

        $(pub fn $method(visitor: &mut dyn VisitMut, node: &mut $node) {
            syn::visit_mut::$method(&mut WalkMut(visitor), node);
        })*
    };
}

/// Calls a visitor on the nodes in a node.
struct WalkMut<'v>(&'v mut dyn VisitMut);

/// A visitor that changes what it visits, as a trait object.
pub trait ObjectMut {
    fn object(&mut self) -> &mut dyn VisitMut;
}

impl<T: VisitMut> ObjectMut for T {
    fn object(&mut self) -> &mut dyn VisitMut {
        self
    }
}

visit! {
    visit_angle_bracketed_generic_arguments AngleBracketedGenericArguments
    visit_arm Arm
    visit_attribute Attribute
    visit_block Block
    visit_expr Expr
    visit_expr_assign ExprAssign
    visit_expr_binary ExprBinary
    visit_expr_break ExprBreak
    visit_expr_call ExprCall
    visit_expr_closure ExprClosure
    visit_expr_const ExprConst
    visit_expr_continue ExprContinue
    visit_expr_for_loop ExprForLoop
    visit_expr_if ExprIf
    visit_expr_match ExprMatch
    visit_expr_method_call ExprMethodCall
    visit_expr_path ExprPath
    visit_expr_reference ExprReference
    visit_expr_repeat ExprRepeat
    visit_expr_return ExprReturn
    visit_expr_struct ExprStruct
    visit_expr_unary ExprUnary
    visit_fields Fields
    visit_file File
    visit_generics Generics
    visit_ident Ident
    visit_impl_item_const ImplItemConst
    visit_impl_item_fn ImplItemFn
    visit_item Item
    visit_item_enum ItemEnum
    visit_item_fn ItemFn
    visit_item_struct ItemStruct
    visit_lit Lit
    visit_local Local
    visit_local_init LocalInit
    visit_macro Macro
    visit_pat Pat
    visit_pat_ident PatIdent
    visit_pat_or PatOr
    visit_pat_struct PatStruct
    visit_pat_tuple_struct PatTupleStruct
    visit_pat_type PatType
    visit_path Path
    visit_path_arguments PathArguments
    visit_return_type ReturnType
    visit_signature Signature
    visit_stmt Stmt
    visit_trait_bound TraitBound
    visit_trait_item_fn TraitItemFn
    visit_type Type
    visit_type_array TypeArray
    visit_type_param_bound TypeParamBound
    visit_type_path TypePath
    visit_type_reference TypeReference
}

visit_mut! {
    visit_arm_mut Arm
    visit_block_mut Block
    visit_expr_mut Expr
    visit_expr_closure_mut ExprClosure
    visit_expr_const_mut ExprConst
    visit_expr_for_loop_mut ExprForLoop
    visit_expr_match_mut ExprMatch
    visit_expr_path_mut ExprPath
    visit_expr_struct_mut ExprStruct
    visit_field_pat_mut FieldPat
    visit_field_value_mut FieldValue
    visit_fields_mut Fields
    visit_file_mut File
    visit_generic_argument_mut GenericArgument
    visit_generics_mut Generics
    visit_ident_mut Ident
    visit_impl_item_fn_mut ImplItemFn
    visit_impl_item_mut ImplItem
    visit_item_fn_mut ItemFn
    visit_item_mut Item
    visit_item_mod_mut ItemMod
    visit_lifetime_mut Lifetime
    visit_local_mut Local
    visit_local_init_mut LocalInit
    visit_macro_mut Macro
    visit_meta_list_mut MetaList
    visit_pat_mut Pat
    visit_pat_ident_mut PatIdent
    visit_pat_struct_mut PatStruct
    visit_path_mut Path
    visit_receiver_mut Receiver
    visit_signature_mut Signature
    visit_stmt_mut Stmt
    visit_type_mut Type
    visit_type_array_mut TypeArray
    visit_type_path_mut TypePath
    visit_type_reference_mut TypeReference
}

/// Whether a `return` or a `?` leaves what is visited early; those of closures and items in it do not.
#[derive(Default)]
pub struct Leaves(pub bool);

impl Visit<'_> for Leaves {
    fn visit_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Return(_) | Expr::Try(_) => self.0 = true,
            Expr::Closure(_) => {}
            expr => visit_expr(self, expr),
        }
    }

    fn visit_item(&mut self, _: &Item) {}
}

/// Takes the lifetimes of references out of what is visited, but not of items in it.
pub struct Elided;

impl VisitMut for Elided {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Reference(reference) = ty {
            reference.lifetime = None;
        }
        visit_type_mut(self, ty);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Gives variables, and `self`, other names: each name with the one that takes its place.
pub struct Renamed(pub Vec<(Ident, Ident)>);

impl Renamed {
    /// The name that takes the place of one, where that stands.
    pub fn fresh(&self, name: &Ident) -> Option<Ident> {
        let (_, fresh) = self.0.iter().find(|(known, _)| known == name)?;
        let span = name.span().resolved_at(Span::mixed_site());
        Some(Ident::new(&fresh.to_string(), span))
    }

    /// The arguments of a macro: a name behind a point is no variable.
    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let mut is_member = false;
        let rename = |token| {
            let renamed = match token {
                TokenTree::Ident(name) if !is_member => {
                    TokenTree::Ident(self.fresh(&name).unwrap_or(name))
                }
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), self.tokens(group.stream()));
                    inner.set_span(group.span());
                    TokenTree::Group(inner)
                }
                other => other,
            };
            is_member = matches!(&renamed, TokenTree::Punct(it) if it.as_char() == '.');
            renamed
        };
        tokens.into_iter().map(rename).collect()
    }
}

impl VisitMut for Renamed {
    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        if let Some(fresh) = path.path.get_ident().and_then(|name| self.fresh(name)) {
            path.path = fresh.into();
        }
    }

    fn visit_field_value_mut(&mut self, field: &mut FieldValue) {
        // `P { x }`
        field.colon_token.get_or_insert_default();
        visit_field_value_mut(self, field);
    }

    fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
        field.colon_token.get_or_insert_default();
        visit_field_pat_mut(self, field);
    }

    fn visit_pat_ident_mut(&mut self, pattern: &mut PatIdent) {
        if let Some(fresh) = self.fresh(&pattern.ident) {
            pattern.ident = fresh;
        }
        visit_pat_ident_mut(self, pattern);
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        call.tokens = self.tokens(call.tokens.clone());
    }
}

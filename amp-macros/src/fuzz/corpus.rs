//! Annotated items of the project's own tests, examples and documents.

use std::{
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{
    Attribute, Expr, Generics, Item, Pat, Stmt, Type,
    visit::{self, Visit},
};

use super::pipeline::World;
use crate::attribute::TaskKind;

const KINDS: [TaskKind; 6] = [
    TaskKind::Kernel,
    TaskKind::Function,
    TaskKind::Struct,
    TaskKind::Enum,
    TaskKind::Constant,
    TaskKind::Module,
];

/// An annotated item.
pub struct Annotated {
    /// Number of the world that it comes from.
    pub world: usize,
    /// With its attribute.
    pub item: Item,
}

impl Annotated {
    /// The item as text.
    pub fn text(&self) -> String {
        self.item.to_token_stream().to_string()
    }
}

/// A kernel in an expression: what stands in the parentheses of `kernel!`.
pub struct Expression {
    /// Number of the world that it comes from.
    pub world: usize,
    pub tokens: TokenStream,
}

/// Items, the files that they see, and parts to put elsewhere.
#[derive(Default)]
pub struct Corpus {
    pub items: Vec<Annotated>,
    pub expressions: Vec<Expression>,
    pub worlds: Vec<World>,
    pub exprs: Vec<Expr>,
    pub types: Vec<Type>,
    pub patterns: Vec<Pat>,
    pub statements: Vec<Stmt>,
    pub generics: Vec<Generics>,
    /// Arguments of attributes.
    pub arguments: Vec<TokenStream>,
    /// Identifiers and literals.
    pub words: Vec<String>,
}

/// The attribute's kind and arguments.
pub fn marked(attributes: &[Attribute]) -> Option<(TaskKind, TokenStream)> {
    attributes.iter().find_map(|attribute| {
        let kind = KINDS
            .into_iter()
            .find(|kind| attribute.path().is_ident(kind.attribute()))?;
        let arguments = match &attribute.meta {
            syn::Meta::List(list) => list.tokens.clone(),
            _ => TokenStream::new(),
        };
        Some((kind, arguments))
    })
}

/// The attributes of an item that can be annotated.
pub fn attributes(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    Some(match item {
        Item::Fn(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        Item::Mod(item) => &mut item.attrs,
        _ => return None,
    })
}

impl Corpus {
    /// Reads the project.
    pub fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut corpus = Corpus::default();
        let mut files = Vec::new();
        for folder in ["tests", "examples", "benches"] {
            rust_files(&root.join(folder), &mut files);
        }
        files.sort();
        for file in files {
            let text = fs::read_to_string(&file).expect("the project can be read");
            corpus.add(&text);
        }
        for document in [
            "README.md",
            "docs/errors.md",
            "docs/language.md",
            "src/lib.rs",
        ] {
            let text = fs::read_to_string(root.join(document)).expect("the project can be read");
            for program in programs(&text) {
                corpus.add(&program);
            }
        }
        corpus
    }

    fn add(&mut self, text: &str) {
        let Ok(file) = syn::parse_file(text) else {
            return;
        };
        let mut found = Found::default();
        found.visit_file(&file);
        if found.items.is_empty() && found.expressions.is_empty() {
            return;
        }
        let world = self.worlds.len();
        self.worlds.push(World::new(&found.items));
        for tokens in found.expressions {
            self.expressions.push(Expression { world, tokens });
        }
        for mut item in found.items {
            Parts(self).visit_item(&item);
            if let Some((_, arguments)) = attributes(&mut item).and_then(|it| marked(it))
                && !arguments.is_empty()
            {
                self.arguments.push(arguments);
            }
            self.items.push(Annotated { world, item });
        }
    }
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The Rust programs in a document.
fn programs(text: &str) -> Vec<String> {
    let mut programs = Vec::new();
    let mut program: Option<String> = None;
    for line in text.lines() {
        let line = line.trim_start();
        let line = line.trim_start_matches("//!").trim_start_matches("///");
        let line = line.trim_start();
        if line.starts_with("```") {
            match program.take() {
                Some(done) => programs.push(done),
                None => program = Some(String::new()),
            }
        } else if let Some(program) = &mut program {
            program.push_str(line.strip_prefix("# ").unwrap_or(line));
            program.push('\n');
        }
    }
    programs
}

/// Collects annotated items, and kernels in expressions, wherever they stand.
#[derive(Default)]
struct Found {
    items: Vec<Item>,
    expressions: Vec<TokenStream>,
}

impl<'a> Visit<'a> for Found {
    fn visit_item(&mut self, item: &'a Item) {
        let mut own = item.clone();
        if attributes(&mut own).is_some_and(|attributes| marked(attributes).is_some()) {
            self.items.push(own);
        }
        visit::visit_item(self, item);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        if call
            .path
            .segments
            .last()
            .is_some_and(|it| it.ident == "kernel")
        {
            self.expressions.push(call.tokens.clone());
        }
    }
}

/// Collects parts of items.
struct Parts<'c>(&'c mut Corpus);

impl<'a> Visit<'a> for Parts<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.0.exprs.push(expr.clone());
        visit::visit_expr(self, expr);
    }

    fn visit_type(&mut self, ty: &'a Type) {
        self.0.types.push(ty.clone());
        visit::visit_type(self, ty);
    }

    fn visit_pat(&mut self, pattern: &'a Pat) {
        self.0.patterns.push(pattern.clone());
        visit::visit_pat(self, pattern);
    }

    fn visit_stmt(&mut self, statement: &'a Stmt) {
        self.0.statements.push(statement.clone());
        visit::visit_stmt(self, statement);
    }

    fn visit_generics(&mut self, generics: &'a Generics) {
        if !generics.params.is_empty() {
            self.0.generics.push(generics.clone());
        }
        visit::visit_generics(self, generics);
    }

    fn visit_ident(&mut self, ident: &'a proc_macro2::Ident) {
        self.0.words.push(ident.to_string());
    }

    fn visit_lit(&mut self, literal: &'a syn::Lit) {
        self.0.words.push(literal.to_token_stream().to_string());
    }
}

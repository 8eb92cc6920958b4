//! Decides whether the scoring gate could parse a script, and hands over the tree if so.
//!
//! Enclave parses with acorn 8.15: module goal, latest ECMAScript, no TypeScript, no JSX. Whatever it
//! refuses it scores as an empty program, so this answer decides whole verdicts. Acorn reports early
//! errors while it parses; oxc leaves most of them to its semantic pass, so that runs here too.
//!
//! Where the two still disagree: acorn takes `using` in a bare `case`, a single-statement body or a
//! `for…in` head, `new super()`, `() => {} ? a : b` and group names of escaped astral letters; it
//! refuses `class { async a }`, letters of Unicode 17, `await using[a]`, `for (using of = a;;)` and
//! some escapes in regular expressions that oxc takes.

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    AccessorProperty, ArrowFunctionExpression, Decorator, Function, ImportDeclaration, ImportExpression, Program, StaticBlock,
    VariableDeclaration, VariableDeclarationKind, WithClause, WithClauseKeyword,
};
use oxc_ast_visit::{Visit, walk};
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::SemanticBuilder;
use oxc_span::{SourceType, Span};
use oxc_syntax::scope::ScopeFlags;

/// The tree of `text` if acorn would give one; `None` for anything it reports as a syntax error.
///
/// The nesting of `text` must be bounded and the stack be large, as for every parse.
pub fn program<'a>(allocator: &'a Allocator, text: &'a str) -> Option<&'a Program<'a>> {
    let options = ParseOptions { parse_regular_expression: true, ..ParseOptions::default() };
    let parsed = Parser::new(allocator, text, SourceType::mjs()).with_options(options).parse();
    let mut spaces = parsed.irregular_whitespaces.iter();
    if parsed.panicked || parsed.diagnostics.has_errors() || spaces.any(|space| is_no_space(text, *space)) {
        return None;
    }
    let program: &'a Program<'a> = allocator.alloc(parsed.program);
    let checked = SemanticBuilder::new().with_check_syntax_error(true).build(program);
    if checked.diagnostics.has_errors() || holds_refused_syntax(program) {
        return None;
    }
    Some(program)
}

/// Whether what oxc took for white space is none in ECMAScript: NEL and the zero-width space.
fn is_no_space(text: &str, span: Span) -> bool {
    let taken = text.get(span.start as usize..span.end as usize).unwrap_or_default();
    taken.contains(['\u{85}', '\u{200B}'])
}

/// Whether the program uses syntax that oxc reads and acorn refuses.
fn holds_refused_syntax(program: &Program<'_>) -> bool {
    let mut search = RefusedSyntax { found: false, may_await: true };
    search.visit_program(program);
    search.found
}

struct RefusedSyntax {
    found: bool,
    /// Whether the innermost function is asynchronous, or there is none.
    may_await: bool,
}

impl RefusedSyntax {
    fn in_body(&mut self, may_await: bool, visit: impl FnOnce(&mut Self)) {
        let outside = std::mem::replace(&mut self.may_await, may_await);
        visit(self);
        self.may_await = outside;
    }
}

impl<'a> Visit<'a> for RefusedSyntax {
    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        self.in_body(function.r#async, |search| {
            walk::walk_function(search, function, flags);
        });
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        self.in_body(arrow.r#async, |search| {
            walk::walk_arrow_function_expression(search, arrow);
        });
    }

    fn visit_static_block(&mut self, block: &StaticBlock<'a>) {
        self.in_body(false, |search| walk::walk_static_block(search, block));
    }

    fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
        self.found |= declaration.kind == VariableDeclarationKind::AwaitUsing && !self.may_await;
        walk::walk_variable_declaration(self, declaration);
    }

    fn visit_decorator(&mut self, _decorator: &Decorator<'a>) {
        self.found = true;
    }

    fn visit_accessor_property(&mut self, _property: &AccessorProperty<'a>) {
        self.found = true;
    }

    fn visit_import_declaration(&mut self, declaration: &ImportDeclaration<'a>) {
        self.found |= declaration.phase.is_some();
        walk::walk_import_declaration(self, declaration);
    }

    fn visit_import_expression(&mut self, expression: &ImportExpression<'a>) {
        self.found |= expression.phase.is_some();
        walk::walk_import_expression(self, expression);
    }

    fn visit_with_clause(&mut self, clause: &WithClause<'a>) {
        // `assert { … }` is what became `with { … }`.
        self.found |= clause.keyword == WithClauseKeyword::Assert;
    }
}

#[cfg(test)]
mod tests {
    use oxc_allocator::Allocator;

    use super::program;

    fn check(text: &str, expected: bool) {
        let allocator = Allocator::default();
        assert_eq!(program(&allocator, text).is_some(), expected, "{text:?}");
    }

    #[test]
    fn modules_of_the_latest_edition_parse() {
        for text in [
            "",
            "\u{FEFF}let a = 1;",
            "#!/usr/bin/env node\nlet a = 1;",
            "await go();",
            "for await (const a of b) c(a);",
            "a\u{A0}=\u{2003}'\u{200B}';\u{3000}// \u{85}",
            "using a = b();",
            "await using a = b();",
            "async () => { await using a = b; };",
            "class A { async b() { await using c = d; } }",
            "import a from 'b' with { type: 'json' };",
            "class A { #a = 1; static { this.b = 2; } has(o) { return #a in o; } }",
            "a ??= b?.c ?? 1_000n;",
            "/(?<year>\\d{4})/v.exec(a);",
        ] {
            check(text, true);
        }
    }

    #[test]
    fn syntax_errors_do_not_parse() {
        for text in ["(", "let = ;", "a b", "'open", "/open", "`open", "{", "a\u{200B}= 1;", "a\u{85}= 1;"] {
            check(text, false);
        }
    }

    #[test]
    fn early_errors_do_not_parse() {
        for text in [
            "let a; let a;",
            "export { a };",
            "export let a; export { a };",
            "with (a) b();",
            "const a = 010;",
            "a = '\\01';",
            "return 1;",
            "break;",
            "b: while (1) { continue c; }",
            "const a;",
            "new.target;",
            "super.a;",
            "/[/;",
            "/(?<a>.)(?<a>.)/;",
            "/a/gg;",
            "/\\u{110000}/u;",
            "class A { b() { this.#c; } }",
            "class A { constructor() {} constructor() {} }",
            "arguments = 1;",
            "delete a;",
            "({ __proto__: 1, __proto__: 2 });",
            "function a(b, b) {}",
            "a?.b = 1;",
            "1 = 2;",
            "yield = 1;",
            "function a() { await using b = c; }",
            "() => { await using a = b; };",
            "class A { static { await using b = c; } }",
        ] {
            check(text, false);
        }
    }

    #[test]
    fn other_languages_and_proposals_do_not_parse() {
        for text in [
            "const a: number = 1;",
            "interface A {}",
            "a as b;",
            "a!;",
            "enum A { B }",
            "const a = <b>c</b>;",
            "@a class B {}",
            "class A { accessor b = 1; }",
            "import defer * as a from 'b';",
            "import source a from 'b';",
            "import.defer('a');",
            "import a from 'b' assert { type: 'json' };",
        ] {
            check(text, false);
        }
    }
}

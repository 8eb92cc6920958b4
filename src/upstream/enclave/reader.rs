//! Reads from a parsed script what the scoring gate sees in it.
//!
//! Enclave walks acorn's tree with acorn-walk 8.3's `ancestor`: a node's own turn comes after its
//! children's. Where that walk goes another way than oxc's visitor (keys and module names are passed
//! over, a `do` loop's test comes first), the visits below say so.

use std::collections::BTreeSet;

use oxc_ast::ast::{
    Argument, AssignmentTargetPropertyProperty, BindingPattern, BindingProperty, CallExpression, ComputedMemberExpression,
    DoWhileStatement, ExportSpecifier, Expression, ForInStatement, ForOfStatement, ForStatement, ImportExpression, ImportSpecifier,
    MethodDefinition, NumericLiteral, ObjectExpression, ObjectProperty, ObjectPropertyKind, Program, PropertyDefinition,
    StaticMemberExpression, StringLiteral, VariableDeclarator, WhileStatement, WithClause,
};
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::scope::ScopeFlags;

use crate::upstream::enclave::literal_text::{key_name, name_or_literal, text_of};
use crate::upstream::enclave::view::{DYNAMIC, LiteralCall, LiteralView};
use crate::upstream::enclave::words::sensitive_categories;

/// The callees that are tool calls. Source: `feature-extractor.ts`, `extractToolCall`.
const TOOL_CALLEES: [&str; 2] = ["callTool", "__safe_callTool"];

/// What Enclave sees in `text`, whose tree is `program`; with `None`, for a text that does not
/// parse, nothing but its hash and its lines.
///
/// The program must come from [`parse::program`](super::parse::program).
pub fn read(program: Option<&Program<'_>>, text: &str) -> LiteralView {
    let mut reader = Reader { view: LiteralView::unread(text), ..Reader::default() };
    if let Some(program) = program {
        reader.visit_program(program);
    }
    reader.view
}

#[derive(Default)]
struct Reader {
    view: LiteralView,
    loop_depth: usize,
    /// Variables that hold the awaited result of a tool call, by name, whatever their scope.
    results: BTreeSet<String>,
    sensitive_seen: BTreeSet<String>,
}

impl Reader {
    fn in_loop(&mut self, visit: impl FnOnce(&mut Self)) {
        self.loop_depth += 1;
        visit(self);
        self.loop_depth -= 1;
    }

    /// The literals of a call were visited before, so that its keys come after them.
    fn read_tool_call(&mut self, call: &CallExpression<'_>) {
        let mut read = LiteralCall { tool_name: DYNAMIC.to_owned(), loop_depth: self.loop_depth, ..LiteralCall::default() };
        if let Some(Expression::StringLiteral(name)) = nth_argument(call, 0) {
            read.tool_name = text_of(name).into_owned();
            read.is_static_name = true;
        }
        if let Some(Expression::ObjectExpression(arguments)) = nth_argument(call, 1) {
            self.read_arguments(arguments, &mut read);
        }
        self.view.calls.push(read);
    }

    fn read_arguments(&mut self, arguments: &ObjectExpression<'_>, call: &mut LiteralCall) {
        for property in &arguments.properties {
            let ObjectPropertyKind::ObjectProperty(property) = property else {
                continue;
            };
            if let Some(key) = key_name(&property.key).filter(|key| !key.is_empty()) {
                self.note_if_sensitive(&key);
                call.argument_keys.push(key);
            }
            match property.value.without_parentheses() {
                Expression::StringLiteral(text) => {
                    call.string_literals.push(text_of(text).into_owned());
                }
                Expression::NumericLiteral(number) => {
                    call.numeric_literals.push(number.value);
                }
                _ => {}
            }
        }
    }

    fn note_if_sensitive(&mut self, text: &str) {
        let categories = sensitive_categories(text);
        if categories.is_empty() {
            return;
        }
        if self.sensitive_seen.insert(text.to_owned()) {
            self.view.sensitive_fields.push(text.to_owned());
        }
        for category in categories {
            if !self.view.sensitive_categories.contains(&category) {
                self.view.sensitive_categories.push(category);
            }
        }
    }
}

impl<'a> Visit<'a> for Reader {
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        walk::walk_call_expression(self, call);
        self.view.max_loop_nesting = self.view.max_loop_nesting.max(self.loop_depth);
        if is_tool_callee(&call.callee) {
            self.read_tool_call(call);
        }
    }

    fn visit_string_literal(&mut self, literal: &StringLiteral<'a>) {
        let text = text_of(literal);
        let length = text.encode_utf16().count();
        self.view.max_string_length = self.view.max_string_length.max(length);
        self.note_if_sensitive(&text);
    }

    fn visit_numeric_literal(&mut self, literal: &NumericLiteral<'a>) {
        self.view.largest_number = self.view.largest_number.max(literal.value);
    }

    fn visit_static_member_expression(&mut self, member: &StaticMemberExpression<'a>) {
        walk::walk_static_member_expression(self, member);
        self.note_if_sensitive(&member.property.name);
    }

    fn visit_computed_member_expression(&mut self, member: &ComputedMemberExpression<'a>) {
        walk::walk_computed_member_expression(self, member);
        if let Some(name) = name_or_literal(&member.expression) {
            self.note_if_sensitive(&name);
        }
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        walk::walk_variable_declarator(self, declarator);
        if let BindingPattern::BindingIdentifier(variable) = &declarator.id
            && declarator.init.as_ref().is_some_and(awaits_tool_call)
        {
            self.results.insert(variable.name.to_string());
        }
    }

    fn visit_for_of_statement(&mut self, statement: &ForOfStatement<'a>) {
        self.in_loop(|reader| walk::walk_for_of_statement(reader, statement));
        // After the body, so that a variable of that name declared in the body counts too.
        if let Expression::Identifier(variable) = statement.right.without_parentheses() {
            self.view.iterates_over_tool_results |= self.results.contains(variable.name.as_str());
        }
    }

    fn visit_for_in_statement(&mut self, statement: &ForInStatement<'a>) {
        self.in_loop(|reader| walk::walk_for_in_statement(reader, statement));
    }

    fn visit_for_statement(&mut self, statement: &ForStatement<'a>) {
        self.in_loop(|reader| walk::walk_for_statement(reader, statement));
    }

    fn visit_while_statement(&mut self, statement: &WhileStatement<'a>) {
        self.in_loop(|reader| walk::walk_while_statement(reader, statement));
    }

    fn visit_do_while_statement(&mut self, statement: &DoWhileStatement<'a>) {
        self.in_loop(|reader| {
            reader.visit_expression(&statement.test);
            reader.visit_statement(&statement.body);
        });
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        if property.computed {
            self.visit_property_key(&property.key);
        }
        self.visit_expression(&property.value);
    }

    fn visit_binding_property(&mut self, property: &BindingProperty<'a>) {
        if property.computed {
            self.visit_property_key(&property.key);
        }
        self.visit_binding_pattern(&property.value);
    }

    fn visit_assignment_target_property_property(&mut self, property: &AssignmentTargetPropertyProperty<'a>) {
        if property.computed {
            self.visit_property_key(&property.name);
        }
        self.visit_assignment_target_maybe_default(&property.binding);
    }

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        if method.computed {
            self.visit_property_key(&method.key);
        }
        self.visit_function(&method.value, ScopeFlags::Function);
    }

    fn visit_property_definition(&mut self, property: &PropertyDefinition<'a>) {
        if property.computed {
            self.visit_property_key(&property.key);
        }
        if let Some(value) = &property.value {
            self.visit_expression(value);
        }
    }

    fn visit_import_expression(&mut self, expression: &ImportExpression<'a>) {
        // Not its options: acorn-walk passes them over.
        self.visit_expression(&expression.source);
    }

    fn visit_import_specifier(&mut self, _specifier: &ImportSpecifier<'a>) {}

    fn visit_export_specifier(&mut self, _specifier: &ExportSpecifier<'a>) {}

    fn visit_with_clause(&mut self, _clause: &WithClause<'a>) {}
}

fn is_tool_callee(callee: &Expression<'_>) -> bool {
    match callee.without_parentheses() {
        Expression::Identifier(name) => TOOL_CALLEES.contains(&name.name.as_str()),
        _ => false,
    }
}

/// Whether this is `await callTool(…)`; not with `?.`, which puts another node in between.
fn awaits_tool_call(init: &Expression<'_>) -> bool {
    let Expression::AwaitExpression(awaited) = init.without_parentheses() else {
        return false;
    };
    match awaited.argument.without_parentheses() {
        Expression::CallExpression(call) => is_tool_callee(&call.callee),
        _ => false,
    }
}

fn nth_argument<'c, 'a>(call: &'c CallExpression<'a>, place: usize) -> Option<&'c Expression<'a>> {
    let argument = call.arguments.get(place).and_then(Argument::as_expression)?;
    Some(argument.without_parentheses())
}

#[cfg(test)]
mod tests {
    use oxc_allocator::Allocator;

    use super::read;
    use crate::upstream::enclave::parse::program;
    use crate::upstream::enclave::view::LiteralView;
    use crate::upstream::enclave::words::SensitiveCategory;

    fn view_of(text: &str) -> LiteralView {
        let allocator = Allocator::default();
        read(program(&allocator, text), text)
    }

    fn check_names(text: &str, expected: &[&str]) {
        let names: Vec<_> = view_of(text).calls.into_iter().map(|call| call.tool_name).collect();
        assert_eq!(names, expected, "{text}");
    }

    #[test]
    fn only_calls_by_the_very_name_are_tool_calls() {
        for (text, expected) in [
            ("callTool('a'); __safe_callTool('b');", &["a", "b"][..]),
            ("(callTool)(('a'));", &["a"]),
            ("callTool?.('a');", &["a"]),
            ("c\\u0061llTool('a');", &["a"]),
            ("callTool(); callTool(a); callTool(`a`); callTool(...a);", &["<dynamic>"; 4]),
            ("new callTool('a'); o.callTool('a'); (0, callTool)('a'); callTool`a`;", &[]),
            ("const c = callTool; c('a');", &[]),
            ("callTool('a'", &[]),
        ] {
            check_names(text, expected);
        }
    }

    #[test]
    fn calls_are_recorded_in_the_order_of_the_walk() {
        for (text, expected) in [
            ("callTool('a', { b: callTool('b') });", &["b", "a"][..]),
            ("do callTool('b'); while (callTool('a'));", &["a", "b"]),
            ("while (callTool('a')) callTool('b');", &["a", "b"]),
            ("for (callTool('a'); callTool('b'); callTool('c')) callTool('d');", &["a", "b", "c", "d"]),
            ("callTool('a') ? callTool('b') : callTool('c');", &["a", "b", "c"]),
            ("function f(p = callTool('a')) { callTool('b'); }", &["a", "b"]),
        ] {
            check_names(text, expected);
        }
    }

    #[test]
    fn only_the_top_level_of_an_object_literal_is_read() {
        let view = view_of(
            "callTool('a', { k: 'v', [n]: 1, 'x y': -2, 3: `t`, ['c']: ('p'), 4n: (5), null: { d: 6 }, '': 7, \
             get g() {}, m() {}, s, ...r });",
        );
        let call = view.calls.first().expect("there is one call above");
        assert_eq!(call.argument_keys, ["k", "n", "x y", "3", "c", "4", "null", "g", "m", "s"]);
        assert_eq!(call.string_literals, ["v", "p"]);
        assert_eq!(call.numeric_literals, [1.0, 5.0, 7.0]);
    }

    #[test]
    fn literal_keys_are_written_as_javascript_does() {
        let view = view_of("callTool('a', { 1e21: 0, .5: 0, [/b/vi]: 0, [true]: 0, 0x10n: 0 });");
        let call = view.calls.first().expect("there is one call above");
        assert_eq!(call.argument_keys, ["1e+21", "0.5", "/b/iv", "true", "16"]);
    }

    #[test]
    fn every_kind_of_loop_counts_also_across_functions() {
        for (text, depth, nesting) in [
            ("callTool('a');", 0, 0),
            ("for (;;) callTool('a');", 1, 1),
            ("for (const x in callTool('a')) ;", 1, 1),
            ("for (const x of y) while (z) callTool('a');", 2, 2),
            ("do { (() => callTool('a'))(); } while (y);", 1, 1),
            ("callTool('a'); for (;;) for (;;) other();", 0, 2),
            ("callTool('a'); for (;;) for (;;) ;", 0, 0),
            ("y.forEach(() => callTool('a'));", 0, 0),
        ] {
            let view = view_of(text);
            let call = view.calls.first().expect("each text above has a call");
            assert_eq!((call.loop_depth, view.max_loop_nesting), (depth, nesting), "{text}");
        }
    }

    #[test]
    fn loops_over_results_are_known_by_name() {
        for (text, expected) in [
            ("const r = await callTool('a'); for (const x of r) ;", true),
            ("const r = (await (callTool)('a')); for (const x of (r)) ;", true),
            ("for (const x of r) { let r = await callTool('a'); }", true),
            ("for (const x of r) ; let r = await callTool('a');", false),
            ("const r = callTool('a'); for (const x of r) ;", false),
            ("const r = await callTool?.('a'); for (const x of r) ;", false),
            ("const { r } = await callTool('a'); for (const x of r) ;", false),
            ("let r; r = await callTool('a'); for (const x of r) ;", false),
            ("const r = await callTool('a'); for (const x in r) ;", false),
            ("const r = await callTool('a'); for (const x of r.y) ;", false),
        ] {
            assert_eq!(view_of(text).iterates_over_tool_results, expected, "{text}");
        }
    }

    #[test]
    fn sensitive_names_are_found_where_the_walk_goes() {
        for (text, expected) in [
            ("x = 'the token';", &["the token"][..]),
            ("x.token; x['ssn']; x[email]; x?.pin;", &["token", "ssn", "email", "pin"]),
            ("x.token = 1; [y.ssn] = z;", &["token", "ssn"]),
            ("callTool('token:get', { ssn: 'pin' });", &["token:get", "pin", "ssn"]),
            ("'use token'; switch (x) { case 'ssn': }", &["use token", "ssn"]),
            ("import { 'ssn' as x } from 'token-lib';", &["token-lib"]),
            ("export * as 'ssn' from 'token-lib';", &["ssn", "token-lib"]),
            ("import('token-lib', { with: { type: 'ssn' } });", &["token-lib"]),
            ("const { 'ssn': x, token, ['pin']: y } = z;", &["pin"]),
            ("({ 'ssn': x, token, ['pin']: y } = z);", &["pin"]),
            ("x = { 'ssn': 1, token: 2, ['pin']: 3 };", &["pin"]),
            ("class A { 'ssn' = 1; 'token'() {} ['pin'] = 1; ['iban']() {} }", &["pin", "iban"]),
            ("x = `token`; /token/; token; function ssn(email) {} // pin", &[]),
            ("class A { #token; f() { this.#token; } }", &[]),
        ] {
            assert_eq!(view_of(text).sensitive_fields, expected, "{text}");
        }
    }

    #[test]
    fn sensitive_sets_keep_the_order_of_appearance() {
        let view = view_of("a.pin; a.token; a.pin; a.bank; a['__email'];");
        assert_eq!(view.sensitive_fields, ["pin", "token", "bank", "__email"]);
        use SensitiveCategory::{Authentication, Financial, Internal, Pii};
        assert_eq!(view.sensitive_categories, [Financial, Authentication, Pii, Internal]);
    }

    #[test]
    fn numbers_and_strings_are_measured_over_the_whole_script() {
        let view = view_of("x = -5000; y = 7n; z = 1e400;\nw = 'a\u{1F511}b';");
        assert_eq!(view.largest_number, f64::INFINITY);
        assert_eq!(view.max_string_length, 4);
        assert_eq!(view.line_count, 2);
        assert_eq!(view_of("x = -5000;").largest_number, 5000.0);
    }

    #[test]
    fn lone_surrogates_become_replacement_characters_of_length_one() {
        let view = view_of("callTool('a\\ud800b\u{FFFD}', { '\\udfffc': 'api\\ud800key' });");
        let call = view.calls.first().expect("there is one call above");
        assert_eq!(call.tool_name, "a\u{FFFD}b\u{FFFD}");
        assert_eq!(call.argument_keys, ["\u{FFFD}c"]);
        assert_eq!(view.sensitive_fields, ["api\u{FFFD}key"]);
        assert_eq!(view.max_string_length, 7);
    }

    #[test]
    fn a_text_that_does_not_parse_has_only_its_hash_and_lines() {
        let view = view_of("callTool('a');\n(");
        let expected = LiteralView { code_hash: "cc18b81fa358a560".to_owned(), line_count: 2, ..LiteralView::default() };
        assert_eq!(view, expected);
    }
}

//! Accounts put in the place of others: whatever a pattern finds becomes one account that is written out, of the same form.

use std::collections::HashSet;

use oxc_ast::ast::{
    Argument, CallExpression, Expression, Function, IdentifierReference, MemberExpression, Program, RegExpLiteral, StringLiteral,
    TemplateElement, TemplateLiteral,
};
use oxc_ast_visit::{VisitJs, walk_js};

use crate::format::script::bindings::{Bindings, Given};
use crate::format::script::collect::Collected;
use crate::format::script::fold::{Budget, Folder};
use crate::format::script::js::constant::Constant;
use crate::format::script::js::regex::Written;
use crate::format::script::span::span_of;
use crate::knowledge::command::list;
use crate::value::account::{is_bank_account, is_crypto_address};
use crate::value::span::Span;

/// The methods that put something else in the place of what a pattern finds.
const REPLACING: [&str; 2] = ["replace", "replaceAll"];
/// Accounts are no shorter, in bytes.
const SHORTEST: usize = 14;
/// An account of fewer different characters is a placeholder: `DE00 0000 0000`.
const DIFFERENT: usize = 5;

/// Where accounts are put in the place of others, in order of place.
pub(super) fn swapped<'a>(program: &Program<'a>, collected: &Collected<'a, '_>, budget: &Budget) -> Vec<Span> {
    if !program.source_text.contains(".replace") {
        return Vec::new();
    }
    let bindings = &collected.bindings;
    let mut search = Search { bindings, folder: Folder::new(bindings, budget), found: Vec::new() };
    search.visit_program(program);
    search.found
}

struct Search<'b, 'a, 's> {
    bindings: &'b Bindings<'a, 's>,
    folder: Folder<'b, 'a, 's>,
    found: Vec<Span>,
}

impl<'a> Search<'_, 'a, '_> {
    /// The pattern that an expression is, if it is written out.
    fn pattern<'e>(&self, expression: &'e Expression<'a>) -> Option<&'e RegExpLiteral<'a>>
    where
        'a: 'e,
    {
        match expression.get_inner_expression() {
            Expression::RegExpLiteral(literal) => Some(literal),
            Expression::Identifier(name) => match self.bindings.constant(self.bindings.symbol(name)?)? {
                Given::Expression(Expression::RegExpLiteral(literal)) => Some(literal),
                _ => None,
            },
            _ => None,
        }
    }

    /// The texts that may be put in: the one that is written out, or those of the function that says so.
    fn put_in(&self, expression: &Expression<'a>) -> Vec<String> {
        if let Some(Constant::String(text)) = self.folder.fold(expression) {
            return vec![text];
        }
        let mut texts = Texts { found: Vec::new() };
        match expression.get_inner_expression() {
            own @ (Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_)) => texts.visit_expression(own),
            Expression::Identifier(name) => self.texts_of(name, &mut texts),
            _ => {}
        }
        texts.found
    }

    /// The texts of the function that a name stands for.
    fn texts_of(&self, name: &IdentifierReference<'a>, texts: &mut Texts) {
        let Some(symbol) = self.bindings.symbol(name) else { return };
        if let Some(function) = self.bindings.function(symbol) {
            texts.of(function);
        } else if let Some(Given::Expression(own @ (Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_)))) =
            self.bindings.constant(symbol)
        {
            texts.visit_expression(own);
        }
    }

    /// Returns true if and only if a text is an account of the form that a pattern finds.
    fn is_swapped(pattern: &RegExpLiteral<'a>, text: &str) -> bool {
        let tight: String = text.chars().filter(|character| !character.is_whitespace()).collect();
        let different: HashSet<char> = tight.chars().collect();
        let lower = tight.to_lowercase();
        let is_placeholder = list("placeholders").iter().any(|word| lower.contains(word));
        // The address of a wallet is long enough to hold any word.
        let is_account = is_bank_account(&tight) && !is_placeholder || is_crypto_address(&tight);
        if tight.len() < SHORTEST || different.len() < DIFFERENT || !is_account {
            return false;
        }
        let flags = pattern.regex.flags.to_string();
        let pattern = Written { source: &pattern.regex.pattern.text, flags: &flags };
        let finds = |text: &str| pattern.matches(text).is_some_and(|all| all.iter().any(|found| SHORTEST <= found.place.len()));
        finds(text) || finds(&tight)
    }
}

impl<'a> VisitJs<'a> for Search<'_, 'a, '_> {
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let method = it.callee.get_inner_expression().as_member_expression().and_then(MemberExpression::static_property_name);
        if method.is_some_and(|method| REPLACING.contains(&method))
            && let [found, put, ..] = it.arguments.as_slice()
            && let (Some(found), Some(put)) = (found.as_expression(), Argument::as_expression(put))
            && let Some(pattern) = self.pattern(found)
            && self.put_in(put).iter().any(|text| Self::is_swapped(pattern, text))
        {
            self.found.push(span_of(it));
        }
        walk_js::walk_call_expression(self, it);
    }
}

/// The texts of a part of the code.
struct Texts {
    found: Vec<String>,
}

impl Texts {
    fn of(&mut self, function: &Function<'_>) {
        if let Some(body) = &function.body {
            self.visit_function_body(body);
        }
    }
}

impl<'a> VisitJs<'a> for Texts {
    fn visit_string_literal(&mut self, it: &StringLiteral<'a>) {
        self.found.push(it.value.to_string());
    }

    fn visit_template_literal(&mut self, it: &TemplateLiteral<'a>) {
        self.found.extend(it.quasis.iter().map(|part: &TemplateElement<'a>| part.value.raw.to_string()));
        walk_js::walk_template_literal(self, it);
    }
}

//! One walk over a script's syntax tree that collects what the later steps need.
//!
//! The walk decides nothing: names are not all known before its end. It leaves lists: texts, calls, modules
//! that are loaded, and what names were given.

use oxc_ast::ast::{
    ArrowFunctionExpression, AssignmentExpression, BinaryExpression, BindingPattern, CallExpression, ComputedMemberExpression, Expression,
    ForInStatement, ForOfStatement, ForStatementLeft, FormalParameters, Function, ImportExpression, JSXAttribute, JSXSpreadAttribute,
    JSXText, Program, SimpleAssignmentTarget, StaticMemberExpression, StringLiteral, TemplateLiteral, UnaryExpression, UpdateExpression,
    VariableDeclarator,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_semantic::Scoping;
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator, UnaryOperator};
use oxc_syntax::scope::ScopeFlags;
use oxc_syntax::symbol::SymbolId;

use crate::format::script::bindings::{Bindings, Given};
use crate::format::script::way_out;
use crate::subject::segment::{HOLE, Role, Segment};
use crate::value::span::Span;

/// A call.
pub struct CallSite<'a> {
    /// The call.
    pub call: &'a CallExpression<'a>,
}

/// Everything that one walk collects.
pub struct Collected<'a, 's> {
    /// What names were given.
    pub bindings: Bindings<'a, 's>,
    /// The texts.
    pub segments: Vec<Segment>,
    /// Sums that may fold to a text.
    pub sums: Vec<&'a BinaryExpression<'a>>,
    /// Templates with holes, which may fold to a text.
    pub templates: Vec<&'a TemplateLiteral<'a>>,
    /// All calls, in order of their end.
    pub calls: Vec<CallSite<'a>>,
    /// All properties that are read.
    pub fields: Vec<(&'a str, Span)>,
    /// The modules that are loaded by `import(…)`, where their names are written out.
    pub imports: Vec<Option<&'a str>>,
    /// For each reference to a global that is used in a way that shows what for (`process.env`, `typeof window`,
    /// a direct `require(…)`), the name of what is used of it; empty where that is nothing.
    pub plain_uses: Vec<(&'a str, &'a str)>,
    /// A function that reaches outside is read as a property of something: `x.fetch`.
    pub reads_a_way_out: bool,
    /// A method of a global is called by a key that is computed: `host[key]()`.
    pub calls_computed: bool,
    /// An element of a page is given an address that is computed.
    pub loads_computed: bool,
    /// How many syntax nodes were counted.
    pub nodes: u32,
}

/// How much a walk collects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Texts, calls and names: enough to tell whether a script calls tools at all.
    Calls,
    /// Also the properties that are read.
    Flows,
}

/// Walks a program.
pub fn collect<'a, 's>(program: &'a Program<'a>, scoping: &'s Scoping, extent: Extent, max_nodes: u32) -> Collected<'a, 's> {
    let mut collector = Collector {
        collected: Collected {
            bindings: Bindings::new(scoping),
            segments: Vec::new(),
            sums: Vec::new(),
            templates: Vec::new(),
            calls: Vec::new(),
            fields: Vec::new(),
            imports: Vec::new(),
            plain_uses: Vec::new(),
            reads_a_way_out: false,
            calls_computed: false,
            loads_computed: false,
            nodes: 0,
        },
        text: program.source_text,
        in_sum: false,
        extent,
        max_nodes,
    };
    collector.visit_program(program);
    collector.collected
}

struct Collector<'a, 's> {
    collected: Collected<'a, 's>,
    text: &'a str,
    in_sum: bool,
    extent: Extent,
    max_nodes: u32,
}

impl<'a> Collector<'a, '_> {
    /// The name of a global, if an expression is one.
    fn global(&self, expression: &Expression<'a>) -> Option<&'a str> {
        let Expression::Identifier(name) = expression.get_inner_expression() else { return None };
        self.collected.bindings.symbol(name).is_none().then(|| name.name.as_str())
    }

    fn parameters(&mut self, parameters: &'a FormalParameters<'a>) {
        for parameter in &parameters.items {
            self.collected.bindings.declare(&parameter.pattern, Given::Unknown);
        }
    }

    fn field(&mut self, name: &'a str, span: Span) {
        if self.extent == Extent::Flows {
            self.collected.fields.push((name, span));
        }
    }

    fn segment(&mut self, span: Span, text: &str) {
        let segment =
            if span.slice(self.text) == text { Segment::verbatim(Role::String, span) } else { Segment::decoded(Role::String, span, text) };
        self.collected.segments.push(segment);
    }
}

impl<'a> VisitJs<'a> for Collector<'a, '_> {
    fn visit_expression(&mut self, it: &Expression<'a>) {
        self.collected.nodes += 1;
        if self.max_nodes < self.collected.nodes {
            return;
        }
        let is_sum = matches!(it, Expression::BinaryExpression(binary) if binary.operator == BinaryOperator::Addition);
        if !is_sum && !matches!(it, Expression::ParenthesizedExpression(_)) {
            let around = std::mem::take(&mut self.in_sum);
            walk_js::walk_expression(self, it);
            self.in_sum = around;
        } else {
            walk_js::walk_expression(self, it);
        }
    }

    fn visit_string_literal(&mut self, it: &StringLiteral<'a>) {
        let span = Span::new(it.span.start + 1, it.span.end.saturating_sub(1));
        self.segment(span, it.value.as_str());
    }

    fn visit_jsx_text(&mut self, it: &JSXText<'a>) {
        self.segment(Span::new(it.span.start, it.span.end), it.value.as_str());
    }

    fn visit_jsx_spread_attribute(&mut self, it: &JSXSpreadAttribute<'a>) {
        self.collected.loads_computed = true;
        walk_js::walk_jsx_spread_attribute(self, it);
    }

    fn visit_jsx_attribute(&mut self, it: &JSXAttribute<'a>) {
        self.collected.loads_computed |= way_out::loads_computed(it);
        walk_js::walk_jsx_attribute(self, it);
    }

    fn visit_template_literal(&mut self, it: &TemplateLiteral<'a>) {
        let span = Span::new(it.span.start + 1, it.span.end.saturating_sub(1));
        let said = |quasi: &oxc_ast::ast::TemplateElement<'a>| quasi.value.cooked.unwrap_or(quasi.value.raw);
        if let [quasi] = it.quasis.as_slice() {
            self.segment(span, said(quasi).as_str());
        } else {
            let text: Vec<&str> = it.quasis.iter().map(|quasi| said(quasi).as_str()).collect();
            self.collected.segments.push(Segment::decoded(Role::String, span, text.join(HOLE.encode_utf8(&mut [0; 4]))));
            self.collected.templates.push(self.alloc(it));
        }
        walk_js::walk_template_literal(self, it);
    }

    fn visit_binary_expression(&mut self, it: &BinaryExpression<'a>) {
        let is_sum = it.operator == BinaryOperator::Addition;
        if is_sum && !self.in_sum {
            self.collected.sums.push(self.alloc(it));
        }
        let around = std::mem::replace(&mut self.in_sum, is_sum);
        walk_js::walk_binary_expression(self, it);
        self.in_sum = around;
    }

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        let span = it.property.span;
        let name = it.property.name.as_str();
        self.field(name, Span::new(span.start, span.end));
        if let Some(global) = self.global(&it.object) {
            self.collected.plain_uses.push((global, name));
        }
        self.collected.reads_a_way_out |= way_out::is_way_out(name);
        walk_js::walk_static_member_expression(self, it);
    }

    fn visit_computed_member_expression(&mut self, it: &ComputedMemberExpression<'a>) {
        if let Expression::StringLiteral(key) = &it.expression {
            self.field(key.value.as_str(), Span::new(key.span.start, key.span.end));
        }
        walk_js::walk_computed_member_expression(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let call: &'a CallExpression<'a> = self.alloc(it);
        walk_js::walk_call_expression(self, call);
        match call.callee.get_inner_expression() {
            Expression::ComputedMemberExpression(member) => {
                let is_literal = matches!(member.expression, Expression::StringLiteral(_) | Expression::NumericLiteral(_));
                self.collected.calls_computed |= !is_literal && self.global(&member.object).is_some();
            }
            callee => {
                if let Some(global) = self.global(callee) {
                    self.collected.plain_uses.push((global, ""));
                }
            }
        }
        self.collected.calls.push(CallSite { call });
    }

    fn visit_unary_expression(&mut self, it: &UnaryExpression<'a>) {
        if it.operator == UnaryOperator::Typeof
            && let Some(global) = self.global(&it.argument)
        {
            self.collected.plain_uses.push((global, ""));
        }
        walk_js::walk_unary_expression(self, it);
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        let source: &'a ImportExpression<'a> = self.alloc(it);
        self.collected.imports.push(match source.source.get_inner_expression() {
            Expression::StringLiteral(name) => Some(name.value.as_str()),
            _ => None,
        });
        walk_js::walk_import_expression(self, source);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        let declarator: &'a VariableDeclarator<'a> = self.alloc(it);
        let Some(init) = &declarator.init else { return };
        self.collected.bindings.declare(&declarator.id, Given::Expression(init));
        walk_js::walk_variable_declarator(self, declarator);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        let assignment: &'a AssignmentExpression<'a> = self.alloc(it);
        let given = match assignment.operator {
            AssignmentOperator::Assign => Given::Expression(&assignment.right),
            _ => Given::Unknown,
        };
        self.collected.bindings.assign(&assignment.left, given);
        walk_js::walk_assignment_expression(self, assignment);
    }

    fn visit_update_expression(&mut self, it: &UpdateExpression<'a>) {
        if let SimpleAssignmentTarget::AssignmentTargetIdentifier(name) = &it.argument {
            let symbol = self.collected.bindings.symbol(name);
            self.collected.bindings.give(symbol, Given::Unknown);
        }
        walk_js::walk_update_expression(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        let function: &'a Function<'a> = self.alloc(it);
        let symbol = function.id.as_ref().and_then(|id| id.symbol_id.get());
        if let Some(symbol) = symbol.filter(|_| function.is_declaration()) {
            self.collected.bindings.declare_function(symbol, function);
        }
        self.parameters(&function.params);
        walk_js::walk_function(self, function, flags);
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        let function: &'a ArrowFunctionExpression<'a> = self.alloc(it);
        self.parameters(&function.params);
        walk_js::walk_arrow_function_expression(self, function);
    }

    fn visit_for_in_statement(&mut self, it: &ForInStatement<'a>) {
        let left: &'a ForStatementLeft<'a> = self.alloc(&it.left);
        self.each(left);
        walk_js::walk_for_in_statement(self, it);
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        let left: &'a ForStatementLeft<'a> = self.alloc(&it.left);
        self.each(left);
        walk_js::walk_for_of_statement(self, it);
    }
}

impl<'a> Collector<'a, '_> {
    /// What a loop gives its variables is not known.
    fn each(&mut self, left: &'a ForStatementLeft<'a>) {
        match left {
            ForStatementLeft::VariableDeclaration(declaration) => {
                for declarator in &declaration.declarations {
                    self.collected.bindings.declare(&declarator.id, Given::Unknown);
                }
            }
            left => {
                if let Some(target) = left.as_assignment_target() {
                    self.collected.bindings.assign(target, Given::Unknown);
                }
            }
        }
    }
}

/// All names of a pattern.
pub fn symbols(pattern: &BindingPattern<'_>) -> Vec<SymbolId> {
    pattern.get_binding_identifiers().iter().filter_map(|name| name.symbol_id.get()).collect()
}

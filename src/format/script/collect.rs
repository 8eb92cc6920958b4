//! One walk over a script's syntax tree that collects what the later steps need.
//!
//! The walk decides nothing: names are not all known before its end. It leaves lists: texts, calls
//! with the loops around them, what names were given, and a log of which names and calls are used
//! where, from which `flows` follows data.

use std::ops::Range;

use oxc_ast::ast::{
    Argument, ArrowFunctionExpression, AssignmentExpression, AssignmentTarget, BinaryExpression, BindingPattern, CallExpression,
    ComputedMemberExpression, DoWhileStatement, Expression, ForInStatement, ForOfStatement, ForStatement, ForStatementLeft,
    FormalParameters, Function, IdentifierReference, ImportExpression, JSXText, Program, SimpleAssignmentTarget, StaticMemberExpression,
    StringLiteral, TemplateLiteral, UpdateExpression, VariableDeclarator, WhileStatement,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_semantic::Scoping;
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator};
use oxc_syntax::scope::ScopeFlags;
use oxc_syntax::symbol::SymbolId;

use crate::format::script::bindings::{Bindings, Given};
use crate::subject::segment::{HOLE, Role, Segment};
use crate::value::span::Span;

/// Methods that call a function once per element.
const ITERATION_METHODS: &[&str] = &[
    "forEach",
    "map",
    "flatMap",
    "filter",
    "reduce",
    "reduceRight",
    "some",
    "every",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "sort",
    "from",
    "mapSeries",
    "eachSeries",
    "each",
    "times",
];

/// Methods that put their arguments into the object they are called on.
const FILLING_METHODS: &[&str] = &["push", "unshift", "set", "add", "append", "splice", "write", "concat", "assign"];

/// What stands around a place in the code.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// Loops.
    pub loop_depth: u16,
    /// It stands in the callback of a method that iterates.
    pub repeated: bool,
    /// The innermost function, as an index into `Collected::functions`.
    pub function: Option<usize>,
}

/// A call, with what stands around it.
pub struct CallSite<'a> {
    /// The call.
    pub call: &'a CallExpression<'a>,
    /// What stands around it.
    pub context: Context,
    /// What its arguments use, as a range of the log.
    pub arguments: Range<usize>,
}

/// A function of the script.
pub struct FunctionSite<'a> {
    /// The name it goes by, where it has one.
    pub symbol: Option<SymbolId>,
    /// The function around it.
    pub parent: Option<usize>,
    /// Its parameters.
    pub parameters: &'a FormalParameters<'a>,
}

/// A use of a name or of a call's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// A name.
    Name(SymbolId),
    /// The result of a call, as an index into `Collected::calls`.
    Result(usize),
}

/// Data that goes from what is used into names.
pub struct Edge {
    /// What is used, as a range of the log.
    pub from: Range<usize>,
    /// The names that it goes into.
    pub into: Vec<SymbolId>,
}

/// A call of a function of the script, or its use as a callback.
pub struct Invocation {
    /// The function's name.
    pub symbol: SymbolId,
    /// What stands around it.
    pub context: Context,
    /// The arguments, each a range of the log.
    pub arguments: Vec<Range<usize>>,
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
    /// All functions.
    pub functions: Vec<FunctionSite<'a>>,
    /// All calls of functions of the script.
    pub invocations: Vec<Invocation>,
    /// All properties that are read.
    pub fields: Vec<(&'a str, Span)>,
    /// All uses of names and results, in order.
    pub log: Vec<Use>,
    /// Where used data goes.
    pub edges: Vec<Edge>,
    /// The modules that are loaded by `import(…)`, where their names are written out.
    pub imports: Vec<Option<&'a str>>,
    /// How many syntax nodes were counted.
    pub nodes: u32,
}

/// How much a walk collects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Texts, calls and names: enough to tell whether a script calls tools at all.
    Calls,
    /// Also the log of uses, from which data is followed, and the properties that are read.
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
            functions: Vec::new(),
            invocations: Vec::new(),
            fields: Vec::new(),
            log: Vec::new(),
            edges: Vec::new(),
            imports: Vec::new(),
            nodes: 0,
        },
        text: program.source_text,
        context: Context::default(),
        in_sum: false,
        function_name: None,
        iterating: false,
        extent,
        max_nodes,
    };
    collector.visit_program(program);
    collector.collected
}

struct Collector<'a, 's> {
    collected: Collected<'a, 's>,
    text: &'a str,
    context: Context,
    in_sum: bool,
    /// The name that the function expression that comes next is given.
    function_name: Option<SymbolId>,
    /// The function expression that comes next is called once per element.
    iterating: bool,
    extent: Extent,
    max_nodes: u32,
}

impl<'a> Collector<'a, '_> {
    /// Visits something and returns what it used.
    fn used(&mut self, visit: impl FnOnce(&mut Self)) -> Range<usize> {
        let start = self.collected.log.len();
        visit(self);
        start..self.collected.log.len()
    }

    /// Notes that what was used goes into names.
    fn edge(&mut self, from: Range<usize>, into: impl FnOnce(&Self) -> Vec<SymbolId>) {
        if self.extent == Extent::Flows && !from.is_empty() {
            let into = into(self);
            if !into.is_empty() {
                self.collected.edges.push(Edge { from, into });
            }
        }
    }

    fn in_loop(&mut self, visit: impl FnOnce(&mut Self)) {
        self.context.loop_depth = self.context.loop_depth.saturating_add(1);
        visit(self);
        self.context.loop_depth -= 1;
    }

    fn in_function(&mut self, symbol: Option<SymbolId>, parameters: &'a FormalParameters<'a>, visit: impl FnOnce(&mut Self)) {
        let symbol = symbol.or(self.function_name.take());
        let repeated = std::mem::take(&mut self.iterating);
        let parent = self.context.function;
        self.collected.functions.push(FunctionSite { symbol, parent, parameters });
        let around = self.context;
        self.context.function = Some(self.collected.functions.len() - 1);
        self.context.repeated |= repeated;
        for parameter in &parameters.items {
            self.collected.bindings.declare(&parameter.pattern, Given::Unknown);
        }
        let used = self.used(visit);
        self.context = around;
        // What a function uses, it may return.
        self.edge(used, |_| symbol.into_iter().collect());
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

    /// The name whose value a target is part of: `a` for `a`, `a.b` and `a[0].c`.
    fn owner(&self, expression: &Expression<'a>) -> Option<SymbolId> {
        let mut expression = expression.get_inner_expression();
        loop {
            match expression {
                Expression::Identifier(name) => return self.collected.bindings.symbol(name),
                inner => expression = inner.as_member_expression()?.object().get_inner_expression(),
            }
        }
    }

    fn target_symbols(&self, target: &AssignmentTarget<'a>) -> Vec<SymbolId> {
        match target {
            AssignmentTarget::AssignmentTargetIdentifier(name) => self.collected.bindings.symbol(name).into_iter().collect(),
            AssignmentTarget::ObjectAssignmentTarget(_) | AssignmentTarget::ArrayAssignmentTarget(_) => Vec::new(),
            target => target.as_member_expression().and_then(|member| self.owner(member.object())).into_iter().collect(),
        }
    }

    /// Notes that the function behind a name is called, directly or as a callback.
    fn invoke(&mut self, callee: &Expression<'a>, context: Context, arguments: Vec<Range<usize>>) {
        if let Expression::Identifier(name) = callee.get_inner_expression()
            && let Some(symbol) = self.collected.bindings.symbol(name)
        {
            self.collected.invocations.push(Invocation { symbol, context, arguments });
        }
    }

    fn visit_call_arguments(&mut self, call: &'a CallExpression<'a>, object: Range<usize>) -> Vec<Range<usize>> {
        let method = call.callee.get_inner_expression().as_member_expression().and_then(|member| member.static_property_name());
        let iterates = method.is_some_and(|name| ITERATION_METHODS.contains(&name));
        let mut ranges = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            if let Some(expression) = argument.as_expression() {
                let parameters = match expression.get_inner_expression() {
                    Expression::ArrowFunctionExpression(function) => Some(&function.params),
                    Expression::FunctionExpression(function) => Some(&function.params),
                    _ => None,
                };
                if let Some(parameters) = parameters {
                    self.iterating = iterates;
                    // A callback is given what the method is called on, and what else is passed.
                    self.edge(object.clone(), |_| parameters.items.iter().flat_map(|item| symbols(&item.pattern)).collect());
                } else if iterates {
                    self.invoke(expression, Context { repeated: true, ..self.context }, vec![object.clone()]);
                } else if method.is_some() {
                    self.invoke(expression, self.context, vec![object.clone()]);
                }
            }
            ranges.push(self.used(|collector| collector.visit_argument(argument)));
            self.iterating = false;
        }
        if method.is_some_and(|name| FILLING_METHODS.contains(&name))
            && let Some(member) = call.callee.get_inner_expression().as_member_expression()
        {
            let mut owners: Vec<SymbolId> = self.owner(member.object()).into_iter().collect();
            if let Some(first) = call.arguments.first().and_then(Argument::as_expression) {
                owners.extend(self.owner(first));
            }
            let all = ranges.first().map_or(0, |range| range.start)..ranges.last().map_or(0, |range| range.end);
            self.edge(all, |_| owners);
        }
        ranges
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

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        if self.extent == Extent::Flows
            && let Some(symbol) = self.collected.bindings.symbol(it)
        {
            self.collected.log.push(Use::Name(symbol));
        }
    }

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        let span = it.property.span;
        self.field(it.property.name.as_str(), Span::new(span.start, span.end));
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
        if self.extent == Extent::Calls {
            walk_js::walk_call_expression(self, call);
            self.collected.calls.push(CallSite { call, context: self.context, arguments: 0..0 });
            return;
        }
        let callee = self.used(|collector| collector.visit_expression(&call.callee));
        let ranges = self.visit_call_arguments(call, callee);
        let context = self.context;
        let all = ranges.first().map_or(0, |range| range.start)..ranges.last().map_or(0, |range| range.end);
        self.invoke(&call.callee, context, ranges);
        self.collected.calls.push(CallSite { call, context, arguments: all });
        if self.extent == Extent::Flows {
            self.collected.log.push(Use::Result(self.collected.calls.len() - 1));
        }
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
        if is_function(init)
            && let BindingPattern::BindingIdentifier(name) = &declarator.id
        {
            self.function_name = name.symbol_id.get();
        }
        let used = self.used(|collector| {
            collector.visit_binding_pattern(&declarator.id);
            collector.visit_expression(init);
        });
        self.function_name = None;
        self.edge(used, |_| symbols(&declarator.id));
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        let assignment: &'a AssignmentExpression<'a> = self.alloc(it);
        let given = match assignment.operator {
            AssignmentOperator::Assign => Given::Expression(&assignment.right),
            _ => Given::Unknown,
        };
        self.collected.bindings.assign(&assignment.left, given);
        if is_function(&assignment.right) {
            self.function_name = self.target_symbols(&assignment.left).first().copied();
        }
        self.visit_assignment_target(&assignment.left);
        let used = self.used(|collector| collector.visit_expression(&assignment.right));
        self.function_name = None;
        self.edge(used, |collector| collector.target_symbols(&assignment.left));
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
        self.in_function(symbol, &function.params, |collector| walk_js::walk_function(collector, function, flags));
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        let function: &'a ArrowFunctionExpression<'a> = self.alloc(it);
        self.in_function(None, &function.params, |collector| walk_js::walk_arrow_function_expression(collector, function));
    }

    fn visit_for_statement(&mut self, it: &ForStatement<'a>) {
        if let Some(init) = &it.init {
            self.visit_for_statement_init(init);
        }
        self.in_loop(|collector| {
            if let Some(test) = &it.test {
                collector.visit_expression(test);
            }
            if let Some(update) = &it.update {
                collector.visit_expression(update);
            }
            collector.visit_statement(&it.body);
        });
    }

    fn visit_for_in_statement(&mut self, it: &ForInStatement<'a>) {
        self.iterate(&it.left, &it.right, |collector| collector.visit_statement(&it.body));
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.iterate(&it.left, &it.right, |collector| collector.visit_statement(&it.body));
    }

    fn visit_while_statement(&mut self, it: &WhileStatement<'a>) {
        self.in_loop(|collector| walk_js::walk_while_statement(collector, it));
    }

    fn visit_do_while_statement(&mut self, it: &DoWhileStatement<'a>) {
        self.in_loop(|collector| walk_js::walk_do_while_statement(collector, it));
    }
}

impl<'a> Collector<'a, '_> {
    /// A `for … of` or `for … in`: its right side runs once, its body for each element.
    fn iterate(&mut self, left: &ForStatementLeft<'a>, right: &Expression<'a>, body: impl FnOnce(&mut Self)) {
        let used = self.used(|collector| collector.visit_expression(right));
        let left: &'a ForStatementLeft<'a> = self.alloc(left);
        let into = match left {
            ForStatementLeft::VariableDeclaration(declaration) => {
                for declarator in &declaration.declarations {
                    self.collected.bindings.declare(&declarator.id, Given::Unknown);
                }
                declaration.declarations.iter().flat_map(|declarator| symbols(&declarator.id)).collect()
            }
            left => match left.as_assignment_target() {
                Some(target) => {
                    self.collected.bindings.assign(target, Given::Unknown);
                    self.target_symbols(target)
                }
                None => Vec::new(),
            },
        };
        self.edge(used, |_| into);
        self.in_loop(|collector| {
            collector.visit_for_statement_left(left);
            body(collector);
        });
    }
}

/// All names of a pattern.
pub fn symbols(pattern: &BindingPattern<'_>) -> Vec<SymbolId> {
    pattern.get_binding_identifiers().iter().filter_map(|name| name.symbol_id.get()).collect()
}

fn is_function(expression: &Expression<'_>) -> bool {
    matches!(expression.get_inner_expression(), Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_))
}

/// The span of a node.
pub fn span_of(node: &impl oxc_span::GetSpan) -> Span {
    let span = node.span();
    Span::new(span.start, span.end)
}

//! Handlers that a framework runs only after somebody agreed: `tool({ needsApproval: true, execute })`.

use oxc_ast::ast::{Argument, CallExpression, Expression, ObjectExpression, ObjectPropertyKind, Program};
use oxc_ast_visit::{VisitJs, walk_js};
use rustc_hash::FxHashSet;

use crate::format::script::fold::Folder;
use crate::format::script::js::constant::Constant;
use crate::format::script::sandbox::functions::Written;
use crate::format::script::sandbox::surroundings::Surroundings;
use crate::knowledge::command::list;
use crate::value::span::Span;
use crate::value::words::joined;

/// The handlers that packages are given together with the word that somebody has to agree first.
pub fn approved<'a>(program: &Program<'a>, folder: &Folder<'_, 'a, '_>, around: &Surroundings<'_, '_, 'a, '_>) -> Vec<Span> {
    let mut search = Search { folder, around, held: FxHashSet::default(), is_looking_for_held: true, found: Vec::new() };
    search.visit_program(program);
    search.is_looking_for_held = false;
    search.visit_program(program);
    search.found
}

/// The option under which an agent is told at which of its tools it stops until somebody has decided:
/// `humanInTheLoopMiddleware({ interruptOn: { refund: true } })`.
const STOPS_AT: &str = "interrupton";

struct Search<'w, 'b, 'v, 'a, 's> {
    folder: &'w Folder<'v, 'a, 's>,
    around: &'w Surroundings<'b, 'v, 'a, 's>,
    /// The names of the tools at which an agent stops.
    held: FxHashSet<String>,
    is_looking_for_held: bool,
    found: Vec<Span>,
}

/// The properties of an object that are written out with their names.
fn named<'o, 'a>(options: &'o ObjectExpression<'a>) -> impl DoubleEndedIterator<Item = (String, &'o Expression<'a>)> {
    options.properties.iter().filter_map(|property| match property {
        ObjectPropertyKind::ObjectProperty(property) => Some((property.key.static_name()?.into_owned(), &property.value)),
        ObjectPropertyKind::SpreadProperty(_) => None,
    })
}

impl<'a> Search<'_, '_, '_, 'a, '_> {
    /// Returns true if and only if what is called comes from a package: a function of the script's own may ask nobody.
    fn is_of_package(&self, callee: &Expression<'a>) -> bool {
        match callee.get_inner_expression() {
            Expression::Identifier(name) => self.around.is_of_agents(name),
            other => other.as_member_expression().is_some_and(|member| self.is_of_package(member.object())),
        }
    }

    /// Notes at which tools an agent stops.
    fn hold(&mut self, options: &ObjectExpression<'a>) {
        for (_, stops) in named(options).filter(|(name, _)| joined(name) == STOPS_AT) {
            let Expression::ObjectExpression(tools) = stops.get_inner_expression() else { continue };
            let is_passed = |value: &Expression<'a>| matches!(self.folder.fold(value), Some(Constant::Boolean(false)));
            let names: Vec<String> = named(tools).filter(|(_, value)| !is_passed(value)).map(|(name, _)| name).collect();
            self.held.extend(names);
        }
    }

    /// Returns true if and only if the options of a tool give it a name at which the agent stops.
    fn is_held(&self, options: &ObjectExpression<'a>) -> bool {
        let name = named(options).rev().find(|(name, _)| name == "name").and_then(|(_, value)| self.folder.fold(value));
        matches!(name, Some(Constant::String(name)) if self.held.contains(&*name))
    }

    fn options(&mut self, options: &ObjectExpression<'a>) {
        let named = |property: &ObjectPropertyKind<'a>| match property {
            ObjectPropertyKind::ObjectProperty(property) => property.key.static_name().map(|name| joined(&name)),
            ObjectPropertyKind::SpreadProperty(_) => None,
        };
        // What is spread behind it may say otherwise.
        let last = options.properties.iter().rev().find(|property| {
            matches!(property, ObjectPropertyKind::SpreadProperty(_))
                || named(property).is_some_and(|name| list("leave-switches").contains(&name.as_str()))
        });
        let is_asked = matches!(last, Some(ObjectPropertyKind::ObjectProperty(property))
            if matches!(self.folder.fold(&property.value), Some(Constant::Boolean(true))));
        if !is_asked && !self.is_held(options) {
            return;
        }
        for property in &options.properties {
            if let ObjectPropertyKind::ObjectProperty(property) = property
                && let Some(handler) = Written::of(&property.value)
            {
                self.found.push(handler.span());
            }
        }
    }
}

/// Returns true if and only if what is called is named as what makes tools of agents: `tool`, `createTool`.
fn makes_tool(callee: &Expression<'_>) -> bool {
    let name = match callee.get_inner_expression() {
        Expression::Identifier(name) => Some(name.name.as_str()),
        other => other.as_member_expression().and_then(|member| member.static_property_name()),
    };
    name.is_some_and(|name| list("making-tools").contains(&joined(name).as_str()))
}

impl<'a> VisitJs<'a> for Search<'_, '_, '_, 'a, '_> {
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if self.is_of_package(&it.callee) && (self.is_looking_for_held || makes_tool(&it.callee)) {
            for argument in it.arguments.iter().filter_map(Argument::as_expression) {
                if let Expression::ObjectExpression(options) = argument.get_inner_expression() {
                    if self.is_looking_for_held {
                        self.hold(options);
                        continue;
                    }
                    self.options(options);
                    // `tool(handler, { name })`
                    let handler = it.arguments.first().and_then(Argument::as_expression).filter(|_| self.is_held(options));
                    self.found.extend(handler.and_then(Written::of).map(|handler| handler.span()));
                }
            }
        }
        walk_js::walk_call_expression(self, it);
    }
}

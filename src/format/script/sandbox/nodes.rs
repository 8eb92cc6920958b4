//! What the functions of a graph tell one another: its state is passed to each, and what each returns is put into it.

use std::collections::HashMap;

use oxc_ast::ast::{
    Argument, AssignmentExpression, AssignmentTarget, BindingPattern, CallExpression, Expression, FormalParameters, MemberExpression,
    ObjectExpression, ObjectProperty, ObjectPropertyKind, Program,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_syntax::symbol::SymbolId;

use crate::format::script::bindings::Bindings;
use crate::format::script::fold::Folder;
use crate::format::script::js::constant::Constant;
use crate::format::script::sandbox::functions::Written;
use crate::format::script::sandbox::surroundings::Surroundings;
use crate::format::script::span::span_of;
use crate::knowledge::words::Tag;
use crate::value::span::Span;
use crate::value::words::joined;

/// The key under which a script hands a graph the answer to its question.
const RESUMED: &str = "resume";

/// The state of the graphs of a script.
#[derive(Default)]
pub struct Nodes<'a> {
    /// The parameters that are the state, or one field of it.
    parameters: HashMap<SymbolId, Option<String>>,
    /// What is written under each key, anywhere in the script.
    written: HashMap<String, Vec<&'a Expression<'a>>>,
    /// Something is written under a key that is not known, or a node hands on what it did not write.
    is_open: bool,
    /// The script answers its own question.
    pub answers_itself: bool,
}

impl<'a> Nodes<'a> {
    /// What the functions of a script's graphs are passed.
    pub fn of(
        program: &Program<'a>,
        bindings: &Bindings<'a, '_>,
        folder: &Folder<'_, 'a, '_>,
        around: &Surroundings<'_, '_, 'a, '_>,
    ) -> Self {
        let mut search = Search { bindings, folder, around, defined: 0, nodes: Vec::new(), spread: Vec::new(), found: Self::default() };
        search.visit_program(program);
        let Search { nodes, spread, mut found, .. } = search;
        let is_state = |name: &Option<SymbolId>| name.is_some_and(|name| found.parameters.get(&name) == Some(&None));
        let hands_on = |(spread, name): &(Span, Option<SymbolId>)| !is_state(name) && nodes.iter().any(|node| node.contains(*spread));
        found.is_open |= spread.iter().any(hands_on);
        found
    }

    /// All that is written under the field of the state that an expression reads, if that is known.
    pub fn written(&self, expression: &Expression<'a>, bindings: &Bindings<'a, '_>) -> Option<&[&'a Expression<'a>]> {
        if self.parameters.is_empty() || self.is_open {
            return None;
        }
        let parameter = |name: &Expression<'a>| match name.get_inner_expression() {
            Expression::Identifier(name) => self.parameters.get(&bindings.symbol(name)?),
            _ => None,
        };
        let field = match expression.get_inner_expression().as_member_expression() {
            Some(member) => member.static_property_name().filter(|_| parameter(member.object()) == Some(&None))?,
            None => parameter(expression)?.as_deref()?,
        };
        self.written.get(field).map(Vec::as_slice)
    }
}

struct Search<'w, 'b, 'v, 'a, 's> {
    bindings: &'w Bindings<'a, 's>,
    folder: &'w Folder<'v, 'a, 's>,
    around: &'w Surroundings<'b, 'v, 'a, 's>,
    /// In how many definitions of what a state holds: `Annotation.Root({ … })`.
    defined: u32,
    /// The functions that are handed to a graph.
    nodes: Vec<Span>,
    /// Where the fields of what is not written out are put into an object, and by what name that is called.
    spread: Vec<(Span, Option<SymbolId>)>,
    found: Nodes<'a>,
}

impl<'a> Search<'_, '_, '_, 'a, '_> {
    /// A function that is handed to a graph.
    fn node(&mut self, given: &'a Expression<'a>) {
        let named = || match given.get_inner_expression() {
            Expression::Identifier(name) => self.around.function(self.bindings.symbol(name)?),
            _ => None,
        };
        let function = Written::of(given).or_else(named);
        self.nodes.extend(function.map(Written::span));
        let parameters: Option<&'a FormalParameters<'a>> = function.map(Written::parameters);
        match parameters.and_then(|parameters| parameters.items.first()).map(|first| &first.pattern) {
            Some(BindingPattern::BindingIdentifier(name)) => {
                self.found.parameters.extend(name.symbol_id.get().map(|symbol| (symbol, None)));
            }
            Some(BindingPattern::ObjectPattern(taken)) => {
                let fields = taken.properties.iter().filter_map(|property| {
                    let name = property.value.get_binding_identifier()?;
                    Some((name.symbol_id.get()?, Some(property.key.static_name()?.into_owned())))
                });
                self.found.parameters.extend(fields);
            }
            _ => {}
        }
    }

    fn write(&mut self, key: &str, value: &'a Expression<'a>) {
        self.found.answers_itself |= key == RESUMED && self.folder.fold(value).is_some();
        self.found.written.entry(key.to_owned()).or_default().push(value);
    }

    /// Returns true if and only if a call says what a state holds, and fills in nothing.
    fn defines(&self, call: &CallExpression<'a>) -> bool {
        let callee = call.callee.get_inner_expression();
        let owner = callee.as_member_expression().map_or(callee, MemberExpression::object);
        let is_imported = matches!(owner.get_inner_expression(), Expression::Identifier(name)
            if self.bindings.symbol(name).is_some_and(|symbol| self.around.is_imported(symbol)));
        let mut filled = Filled { folder: self.folder, found: false };
        call.arguments.iter().for_each(|argument| filled.visit_argument(argument));
        is_imported && !filled.found
    }
}

impl<'a> VisitJs<'a> for Search<'_, '_, '_, 'a, '_> {
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let it: &'a CallExpression<'a> = self.alloc(it);
        let method = it.callee.get_inner_expression().as_member_expression().and_then(MemberExpression::static_property_name);
        if method.is_some_and(|method| Tag::SharingState.has(&joined(method))) {
            it.arguments.iter().filter_map(Argument::as_expression).for_each(|given| self.node(given));
        }
        let defines = u32::from(self.defines(it));
        self.defined += defines;
        walk_js::walk_call_expression(self, it);
        self.defined -= defines;
    }

    fn visit_object_expression(&mut self, it: &ObjectExpression<'a>) {
        let it: &'a ObjectExpression<'a> = self.alloc(it);
        for property in &it.properties {
            let ObjectPropertyKind::SpreadProperty(spread) = property else { continue };
            let source = self.around.stands_for(&spread.argument).unwrap_or(&spread.argument).get_inner_expression();
            let name = match source {
                Expression::ObjectExpression(_) => continue,
                Expression::Identifier(name) => self.bindings.symbol(name),
                _ => None,
            };
            self.spread.push((span_of(&**spread), name));
        }
        walk_js::walk_object_expression(self, it);
    }

    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        let it: &'a ObjectProperty<'a> = self.alloc(it);
        match it.key.static_name() {
            Some(key) if self.defined == 0 => self.write(&key, &it.value),
            Some(_) => {}
            None => self.found.is_open = true,
        }
        walk_js::walk_object_property(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        let it: &'a AssignmentExpression<'a> = self.alloc(it);
        if let AssignmentTarget::StaticMemberExpression(member) = &it.left {
            self.write(&member.property.name, &it.right);
        }
        self.found.is_open |= matches!(it.left, AssignmentTarget::ComputedMemberExpression(_));
        walk_js::walk_assignment_expression(self, it);
    }
}

/// Whether a definition fills something in: `default: () => true`.
struct Filled<'w, 'v, 'a, 's> {
    folder: &'w Folder<'v, 'a, 's>,
    found: bool,
}

impl<'a> VisitJs<'a> for Filled<'_, '_, 'a, '_> {
    fn visit_expression(&mut self, it: &Expression<'a>) {
        let it: &'a Expression<'a> = self.alloc(it);
        let says = |value: &&'a Expression<'a>| match self.folder.fold(value) {
            Some(Constant::Boolean(said)) => said,
            Some(Constant::String(text)) => !text.is_empty(),
            _ => false,
        };
        let is_said = matches!(it.get_inner_expression(), Expression::BooleanLiteral(_)) && says(&it);
        self.found |= is_said || Written::of(it).is_some_and(|function| function.returned().iter().any(says));
        walk_js::walk_expression(self, it);
    }
}

//! Expressions: what they may hold.

use oxc_ast::ast::{
    ArrayExpression, ArrayExpressionElement, BinaryExpression, Expression, IdentifierReference, JSXAttributeItem, JSXAttributeValue, JSXChild, JSXElement,
    JSXElementName, JSXExpression, JSXMemberExpressionObject, MemberExpression, ObjectExpression, ObjectPropertyKind, PropertyKind,
    TemplateLiteral, UnaryExpression, YieldExpression,
};
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator, UnaryOperator};
use oxc_syntax::scope::ScopeId;
use oxc_syntax::symbol::SymbolId;
use rustc_hash::FxHashMap;

use crate::format::script::collect::span_of;
use crate::format::script::cover::Cover;
use crate::format::script::cover::call::{Callee, Passed};
use crate::format::script::cover::graph::{ADDRESS, Edge, FOREIGN, Node, OBJECT, Read};
use crate::format::script::cover::runtime::is_measure;
use crate::format::script::cover::sink;
use crate::value::span::Span;

impl Cover<'_> {
    /// What an expression may hold.
    pub fn value(&mut self, expression: &Expression<'_>) -> Node {
        let node = self.value_of(expression);
        self.seed(span_of(expression), node);
        node
    }

    /// Data that is read in a place is in the node.
    pub fn seed(&mut self, span: Span, node: Node) {
        if let Some(marks) = self.origins.get(&span) {
            self.graph.mark(node, *marks);
            if self.environments.contains(&span) {
                self.environment_nodes.insert(node);
            }
        }
    }

    fn value_of(&mut self, expression: &Expression<'_>) -> Node {
        match expression {
            Expression::BooleanLiteral(_)
            | Expression::NullLiteral(_)
            | Expression::NumericLiteral(_)
            | Expression::BigIntLiteral(_)
            | Expression::StringLiteral(_)
            | Expression::RegExpLiteral(_) => self.graph.plain(),
            Expression::ImportMeta(_) => self.foreign(),
            Expression::NewTarget(_) => self.this(),
            Expression::TemplateLiteral(template) => self.template(template),
            Expression::Identifier(name) => self.name(name),
            Expression::ThisExpression(_) | Expression::Super(_) => self.this(),
            Expression::ArrayExpression(array) => self.array(array),
            Expression::ObjectExpression(object) => self.object_literal(object),
            Expression::ArrowFunctionExpression(function) => self.arrow(function),
            Expression::FunctionExpression(function) => self.function(function),
            Expression::ClassExpression(class) => self.class(class),
            Expression::AssignmentExpression(assignment) => {
                let value = self.value(&assignment.right);
                self.assigned = assignment.left.as_member_expression().map(|_| sink::written(&assignment.right));
                if let Some(target) = assignment.left.as_simple_assignment_target()
                    && !matches!(assignment.operator, AssignmentOperator::Assign)
                    && !assignment.operator.is_logical()
                {
                    let made = self.made(&[value]);
                    self.told(made);
                    self.assign_simple(target, made);
                } else if self.laps == 0 || self.conditions.is_empty() {
                    self.assign(&assignment.left, value);
                } else {
                    let told = self.either(&[value]);
                    self.told(told);
                    self.assign(&assignment.left, told);
                }
                value
            }
            Expression::UpdateExpression(update) => {
                let made = self.graph.node();
                if let Some(member) = update.argument.as_member_expression() {
                    let value = self.member(member);
                    self.graph.edge(value, Edge::Made(made));
                } else if let oxc_ast::ast::SimpleAssignmentTarget::AssignmentTargetIdentifier(name) = &update.argument {
                    let value = self.name(name);
                    self.told(value);
                    self.graph.edge(value, Edge::Made(made));
                }
                made
            }
            Expression::AwaitExpression(awaited) => {
                let value = self.value(&awaited.argument);
                if 0 < self.tries {
                    let thrown = self.thrown;
                    self.graph.edge(value, Edge::Oozes(thrown));
                }
                value
            }
            Expression::BinaryExpression(binary) => {
                let (left, right) = (self.value(&binary.left), self.value(&binary.right));
                match binary.operator {
                    BinaryOperator::Equality
                    | BinaryOperator::Inequality
                    | BinaryOperator::StrictEquality
                    | BinaryOperator::StrictInequality
                    | BinaryOperator::LessThan
                    | BinaryOperator::LessEqualThan
                    | BinaryOperator::GreaterThan
                    | BinaryOperator::GreaterEqualThan => self.answer(binary, left, right),
                    BinaryOperator::In | BinaryOperator::Instanceof => {
                        self.asks(left, right);
                        self.graph.node()
                    }
                    _ => {
                        let made = self.made(&[left, right]);
                        if [&binary.left, &binary.right].into_iter().any(has_address) {
                            self.graph.mark(made, ADDRESS);
                        }
                        made
                    }
                }
            }
            Expression::PrivateInExpression(test) => {
                self.value(&test.right);
                self.graph.node()
            }
            Expression::LogicalExpression(logical) => {
                let left = self.value(&logical.left);
                let right = self.under(left, |cover| cover.branch(|cover| cover.value(&logical.right)));
                self.either(&[left, right])
            }
            Expression::ConditionalExpression(conditional) => {
                let test = self.value(&conditional.test);
                let left = self.under(test, |cover| cover.branch(|cover| cover.value(&conditional.consequent)));
                let right = self.under(test, |cover| cover.branch(|cover| cover.value(&conditional.alternate)));
                let either = self.either(&[left, right]);
                if 0 < self.laps {
                    self.graph.edge(test, Edge::Tells(either));
                }
                either
            }
            Expression::SequenceExpression(sequence) => {
                let mut last = self.graph.node();
                for expression in &sequence.expressions {
                    last = self.value(expression);
                }
                last
            }
            Expression::UnaryExpression(unary) => self.unary(unary),
            Expression::YieldExpression(yielded) => self.yielded(yielded),
            Expression::CallExpression(call) => {
                let callee = self.callee(&call.callee);
                let passed = self.passed(&call.arguments);
                self.call(callee, passed, span_of(&**call), &call.arguments, false)
            }
            Expression::NewExpression(new) => {
                let callee = self.callee(&new.callee);
                let passed = self.passed(&new.arguments);
                self.call(callee, passed, span_of(&**new), &new.arguments, true)
            }
            Expression::TaggedTemplateExpression(tagged) => {
                let callee = self.callee(&tagged.tag);
                let mut passed = vec![Passed { node: self.object(), is_spread: false }];
                for expression in &tagged.quasi.expressions {
                    let node = self.value(expression);
                    passed.push(Passed { node, is_spread: false });
                }
                self.call(callee, passed, span_of(&**tagged), &[], false)
            }
            Expression::ImportExpression(import) => {
                let source = self.value(&import.source);
                if let Some(options) = &import.options {
                    self.value(options);
                }
                let node = self.foreign();
                if let Expression::StringLiteral(name) = import.source.get_inner_expression() {
                    self.module(node, name.value.as_str());
                }
                self.graph.edge(source, Edge::Made(node));
                node
            }
            Expression::V8IntrinsicExpression(call) => {
                for passed in self.passed(&call.arguments) {
                    let thrown = self.thrown;
                    self.graph.edge(passed.node, Edge::Made(thrown));
                }
                self.foreign()
            }
            Expression::JSXElement(element) => self.jsx(element),
            Expression::JSXFragment(fragment) => {
                let list = self.object();
                self.children(&fragment.children, list);
                list
            }
            Expression::ChainExpression(chain) => match &chain.expression {
                oxc_ast::ast::ChainElement::CallExpression(call) => {
                    let callee = self.callee(&call.callee);
                    let passed = self.passed(&call.arguments);
                    let node = self.call(callee, passed, span_of(&**call), &call.arguments, false);
                    self.seed(span_of(&**call), node);
                    node
                }
                oxc_ast::ast::ChainElement::TSNonNullExpression(inner) => self.value(&inner.expression),
                element => match element.as_member_expression() {
                    Some(member) => self.member(member),
                    None => self.foreign(),
                },
            },
            Expression::ComputedMemberExpression(_) | Expression::StaticMemberExpression(_) | Expression::PrivateFieldExpression(_) => {
                match expression.as_member_expression() {
                    Some(member) => self.member(member),
                    None => self.foreign(),
                }
            }
            Expression::ParenthesizedExpression(inner) => self.value(&inner.expression),
            Expression::TSAsExpression(inner) => self.value(&inner.expression),
            Expression::TSSatisfiesExpression(inner) => self.value(&inner.expression),
            Expression::TSTypeAssertion(inner) => self.value(&inner.expression),
            Expression::TSNonNullExpression(inner) => self.value(&inner.expression),
            Expression::TSInstantiationExpression(inner) => self.value(&inner.expression),
        }
    }

    // -- answers -------------------------------------------------------------------------------------

    /// The answer of a comparison: a bit of what is compared, unless it only asks whether there is anything.
    fn answer(&mut self, binary: &BinaryExpression<'_>, left: Node, right: Node) -> Node {
        let answer = self.graph.plain();
        let asks_nothing = [&binary.left, &binary.right].into_iter().any(|side| match side.get_inner_expression() {
            Expression::NullLiteral(_) | Expression::BooleanLiteral(_) => true,
            Expression::Identifier(name) => name.name == "undefined",
            Expression::StringLiteral(text) => text.value.is_empty(),
            Expression::UnaryExpression(unary) => matches!(unary.operator, UnaryOperator::Typeof | UnaryOperator::Void),
            _ => false,
        });
        if !asks_nothing {
            for side in [left, right] {
                self.graph.edge(side, Edge::Asks(answer));
            }
        }
        answer
    }

    /// Reads something on whose condition it depends whether it happens.
    pub fn under<R>(&mut self, condition: Node, read: impl FnOnce(&mut Self) -> R) -> R {
        self.conditions.push(condition);
        self.conditions_read.push(condition);
        let result = read(self);
        self.conditions.pop();
        result
    }

    /// Something is put together here, again and again: it tells of the conditions around.
    pub fn told(&mut self, into: Node) {
        if 0 < self.laps {
            for condition in self.conditions.clone() {
                self.graph.edge(condition, Edge::Tells(into));
            }
        }
    }

    // -- nodes ---------------------------------------------------------------------------------------

    /// Something of which nothing is known.
    pub fn foreign(&mut self) -> Node {
        let node = self.graph.node();
        self.graph.mark(node, FOREIGN);
        node
    }

    /// An object or list that is made here.
    pub fn object(&mut self) -> Node {
        let node = self.graph.node();
        self.graph.mark(node, OBJECT);
        node
    }

    /// What any of these is.
    pub fn either(&mut self, nodes: &[Node]) -> Node {
        let either = self.graph.node();
        for node in nodes {
            self.graph.same(*node, either);
        }
        either
    }

    /// What is computed from these.
    pub fn made(&mut self, nodes: &[Node]) -> Node {
        let made = self.graph.plain();
        for node in nodes {
            self.graph.edge(*node, Edge::Made(made));
        }
        made
    }

    /// The node of a variable.
    pub fn variable(&mut self, symbol: SymbolId) -> Node {
        if let Some(known) = self.variables.get(&symbol) {
            return *known;
        }
        let node = self.graph.node();
        self.variables.insert(symbol, node);
        node
    }

    /// The node of a name that is given a value: from here on a new one, where what it held before cannot be read any more.
    pub fn written_name(&mut self, name: &IdentifierReference<'_>) -> Node {
        let symbol = name.reference_id.get().and_then(|id| self.scoping.get_reference(id).symbol_id());
        if let Some(symbol) = symbol
            && self.with.is_empty()
            && self.is_local(symbol)
        {
            let (before, node) = (self.variable(symbol), self.graph.node());
            self.variables.insert(symbol, node);
            self.versions.push((symbol, before, node));
            return node;
        }
        self.name(name)
    }

    /// Returns true if and only if a variable is used by the function alone that declares it.
    fn is_local(&mut self, symbol: SymbolId) -> bool {
        if let Some(known) = self.local.get(&symbol) {
            return *known;
        }
        let scoping = self.scoping;
        let function = |scope: ScopeId| scoping.scope_ancestors(scope).find(|scope| scoping.scope_flags(*scope).is_function());
        let own = function(scoping.symbol_scope_id(symbol));
        let is_local = scoping.get_resolved_references(symbol).all(|reference| function(reference.scope_id()) == own);
        self.local.insert(symbol, is_local);
        is_local
    }

    /// Reads something that may not happen, or only in part: after it, a variable is what it was or anything that it became.
    pub fn branch<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> R {
        self.versioned(false, read)
    }

    /// Reads something that may happen more than once: what a variable becomes in it, it may be from its start.
    pub fn lap<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> R {
        self.laps += 1;
        let result = self.versioned(true, read);
        self.laps -= 1;
        result
    }

    fn versioned<R>(&mut self, is_repeated: bool, read: impl FnOnce(&mut Self) -> R) -> R {
        let around = self.versions.len();
        let result = read(self);
        let made = self.versions.split_off(around);
        let mut first: FxHashMap<SymbolId, (Node, Vec<Node>)> = FxHashMap::default();
        for (symbol, before, node) in made {
            first.entry(symbol).or_insert_with(|| (before, Vec::new())).1.push(node);
        }
        for (symbol, (before, nodes)) in first {
            if is_repeated {
                for node in &nodes {
                    self.graph.same(*node, before);
                }
            }
            let after = self.graph.node();
            for node in nodes.iter().chain([&before]) {
                self.graph.same(*node, after);
            }
            self.variables.insert(symbol, after);
            self.versions.push((symbol, before, after));
        }
        result
    }

    /// The node of a name that no declaration of the script makes.
    pub fn global(&mut self, name: &str) -> Node {
        if let Some(known) = self.globals.get(name) {
            return *known;
        }
        let node = self.foreign();
        self.globals.insert(name.to_owned(), node);
        if name == "globalThis" {
            self.graph.top = Some(node);
        }
        self.way_of(node, name);
        if name != "globalThis" {
            let all = self.global("globalThis");
            let field = self.graph.field(name);
            self.graph.read(Read { base: all, named: field, into: node, is_measure: false, keeps: true }, false);
            if matches!(name, "window" | "self" | "global" | "top" | "parent" | "frames") {
                self.graph.same(all, node);
            }
        }
        node
    }

    /// What a name stands for.
    pub fn name(&mut self, name: &IdentifierReference<'_>) -> Node {
        let symbol = name.reference_id.get().and_then(|id| self.scoping.get_reference(id).symbol_id());
        let node = match symbol {
            Some(symbol) => self.variable(symbol),
            None if name.name == "undefined" => self.graph.node(),
            None if name.name == "arguments" => self.listed_arguments(),
            None => self.global(name.name.as_str()),
        };
        if self.with.is_empty() {
            return node;
        }
        let mut all = vec![node];
        for object in self.with.clone() {
            all.push(self.property(object, name.name.as_str()));
        }
        self.either(&all)
    }

    // -- fields --------------------------------------------------------------------------------------

    fn named(&mut self, name: &str) -> Node {
        if name.bytes().all(|byte| byte.is_ascii_digit()) { self.elements } else { self.graph.field(name) }
    }

    /// What a property of a known name holds.
    pub fn property(&mut self, base: Node, name: &str) -> Node {
        let into = self.graph.node();
        let named = self.named(name);
        self.graph.read(Read { base, named, into, is_measure: is_measure(name), keeps: true }, false);
        let any = self.any_field;
        self.graph.read(Read { base, named: any, into, is_measure: is_measure(name), keeps: false }, false);
        self.way_member(into, base, name);
        if self.globals.get("RegExp") == Some(&base) {
            let last = self.last_match;
            self.graph.edge(last, Edge::Oozes(into));
        }
        into
    }

    /// An element of a list, or what an iterator gives.
    pub fn element(&mut self, base: Node) -> Node {
        let into = self.graph.node();
        let (elements, any, value) = (self.elements, self.any_field, self.graph.field("value"));
        for named in [elements, any, value] {
            self.graph.read(Read { base, named, into, is_measure: false, keeps: named == elements }, false);
        }
        into
    }

    /// Any property.
    pub fn any_of(&mut self, base: Node) -> Node {
        let into = self.element(base);
        self.graph.edge(base, Edge::Made(into));
        self.called_by_any_name(base, into);
        into
    }

    /// A property whose name is computed: which one it is tells the name.
    pub fn computed(&mut self, base: Node, key: Node) -> Node {
        let into = self.any_of(base);
        self.graph.edge(key, Edge::Made(into));
        if 0 < self.tries {
            let thrown = self.thrown;
            self.graph.edge(key, Edge::Made(thrown));
        }
        into
    }

    /// A property is set.
    pub fn write(&mut self, base: Node, name: &str, value: Node) {
        let named = self.named(name);
        self.graph.same(value, named);
        self.hold(base, value);
    }

    /// A property is set whose name is not known.
    pub fn write_any(&mut self, base: Node, value: Node) {
        let any = self.any_field;
        self.graph.same(value, any);
        self.hold(base, value);
    }

    fn hold(&mut self, base: Node, value: Node) {
        self.graph.edge(value, Edge::Field(base));
        self.handler(base, value);
    }

    /// A private field, which only the class itself can see.
    pub fn private(&mut self, base: Node, name: &str) -> Node {
        let named = self.graph.field(&format!("#{name}"));
        let into = self.graph.node();
        self.graph.same(named, into);
        self.graph.edge(base, Edge::Oozes(into));
        into
    }

    /// A private field is set.
    pub fn write_private(&mut self, base: Node, name: &str, value: Node) {
        let named = self.graph.field(&format!("#{name}"));
        self.graph.same(value, named);
        self.handler(base, value);
    }

    /// The text of a key, where it is written out: `'la' + 'bel'`, or a constant that is.
    pub fn key_text(&self, expression: &Expression<'_>) -> Option<String> {
        match expression.get_inner_expression() {
            Expression::StringLiteral(text) => Some(text.value.to_string()),
            Expression::NumericLiteral(number) => Some(number.value.to_string()),
            Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
                template.quasis.first().and_then(|quasi| quasi.value.cooked.as_ref()).map(ToString::to_string)
            }
            Expression::BinaryExpression(binary) if binary.operator == BinaryOperator::Addition => {
                let (left, right) = (binary.left.get_inner_expression(), binary.right.get_inner_expression());
                let is_text = |side: &Expression<'_>| !matches!(side, Expression::NumericLiteral(_));
                if is_text(left) && is_text(right) { Some(self.key_text(left)? + &self.key_text(right)?) } else { None }
            }
            Expression::Identifier(name) => {
                let symbol = name.reference_id.get().and_then(|id| self.scoping.get_reference(id).symbol_id())?;
                self.constants.get(&symbol).cloned()
            }
            _ => None,
        }
    }

    /// Returns true if and only if a node is the whole environment.
    pub fn is_environment(&self, node: Node) -> bool {
        self.environment_nodes.contains(&node)
    }

    /// A member of something.
    pub fn member(&mut self, member: &MemberExpression<'_>) -> Node {
        let base = self.value(member.object());
        self.member_of(base, member)
    }

    /// A member of something that is known.
    pub fn member_of(&mut self, base: Node, member: &MemberExpression<'_>) -> Node {
        if self.origins.contains_key(&span_of(member)) {
            // What is read here is known by itself: not all of what it is read from.
            let node = self.graph.node();
            let named = match member.static_property_name() {
                Some(name) => self.named(name),
                None => self.any_field,
            };
            self.graph.read(Read { base, named, into: node, is_measure: true, keeps: true }, false);
            self.seed(span_of(member), node);
            return node;
        }
        let node = match member {
            MemberExpression::StaticMemberExpression(named) => self.property(base, named.property.name.as_str()),
            MemberExpression::PrivateFieldExpression(private) => self.private(base, private.field.name.as_str()),
            MemberExpression::ComputedMemberExpression(computed) => {
                let key = self.value(&computed.expression);
                match self.key_text(&computed.expression) {
                    Some(name) => self.property(base, &name),
                    None => self.computed(base, key),
                }
            }
        };
        self.seed(span_of(member), node);
        node
    }

    // -- literals ------------------------------------------------------------------------------------

    fn template(&mut self, template: &TemplateLiteral<'_>) -> Node {
        let parts: Vec<Node> = template.expressions.iter().map(|expression| self.value(expression)).collect();
        let made = self.made(&parts);
        if template.quasis.iter().any(|quasi| holds_address(quasi.value.raw.as_str())) {
            self.graph.mark(made, ADDRESS);
        }
        made
    }

    fn array(&mut self, array: &ArrayExpression<'_>) -> Node {
        let list = self.object();
        let elements = self.elements;
        let mut parts = Some(Vec::new());
        for element in &array.elements {
            match element {
                ArrayExpressionElement::SpreadElement(spread) => {
                    let spread = self.value(&spread.argument);
                    let part = self.element(spread);
                    parts = None;
                    self.graph.same(part, elements);
                    self.hold(list, part);
                    self.graph.edge(spread, Edge::Spread(list));
                }
                ArrayExpressionElement::Elision(_) => parts = None,
                element => {
                    if let Some(expression) = element.as_expression() {
                        let value = self.value(expression);
                        self.graph.same(value, elements);
                        self.hold(list, value);
                        parts.iter_mut().for_each(|parts| parts.push(value));
                    }
                }
            }
        }
        if let Some(parts) = parts {
            self.parts.insert(list, parts);
        }
        list
    }

    fn object_literal(&mut self, literal: &ObjectExpression<'_>) -> Node {
        let object = self.object();
        for property in &literal.properties {
            match property {
                ObjectPropertyKind::SpreadProperty(spread) => {
                    let spread = self.value(&spread.argument);
                    self.graph.edge(spread, Edge::Spread(object));
                }
                ObjectPropertyKind::ObjectProperty(property) => {
                    let value = self.value(&property.value);
                    match property.kind {
                        PropertyKind::Init => {
                            self.keyed_write(object, &property.key, value);
                            self.member_function(object, value, false);
                        }
                        PropertyKind::Get => self.getter(object, &property.key, value),
                        PropertyKind::Set => self.setter(object, &property.key, value),
                    }
                }
            }
        }
        object
    }

    /// What stands under a key of a literal or class.
    pub fn keyed_write(&mut self, object: Node, key: &oxc_ast::ast::PropertyKey<'_>, value: Node) {
        match key.static_name() {
            Some(name) if !key.is_private_identifier() => self.write(object, &name, value),
            Some(name) => self.write_private(object, &name, value),
            None => {
                self.write_any(object, value);
                if let Some(expression) = key.as_expression() {
                    let key = self.value(expression);
                    self.graph.edge(key, Edge::Soaks(object));
                }
            }
        }
    }

    fn unary(&mut self, unary: &UnaryExpression<'_>) -> Node {
        let value = self.value(&unary.argument);
        match unary.operator {
            UnaryOperator::UnaryPlus | UnaryOperator::UnaryNegation | UnaryOperator::BitwiseNot => self.made(&[value]),
            UnaryOperator::LogicalNot | UnaryOperator::Typeof | UnaryOperator::Void | UnaryOperator::Delete => self.graph.node(),
        }
    }

    fn yielded(&mut self, yielded: &YieldExpression<'_>) -> Node {
        let sent = self.sent;
        let Some(argument) = &yielded.argument else { return sent };
        let value = self.value(argument);
        let returned = self.returned();
        if yielded.delegate {
            self.graph.same(value, returned);
            return self.either(&[value, sent]);
        }
        let elements = self.elements;
        self.graph.same(value, elements);
        self.hold(returned, value);
        sent
    }

    // -- JSX -----------------------------------------------------------------------------------------

    fn jsx(&mut self, element: &JSXElement<'_>) -> Node {
        let properties = self.object();
        for attribute in &element.opening_element.attributes {
            match attribute {
                JSXAttributeItem::SpreadAttribute(spread) => {
                    let value = self.value(&spread.argument);
                    self.graph.edge(value, Edge::Spread(properties));
                }
                JSXAttributeItem::Attribute(attribute) => {
                    let value = match &attribute.value {
                        None | Some(JSXAttributeValue::StringLiteral(_)) => continue,
                        Some(JSXAttributeValue::ExpressionContainer(container)) => self.jsx_expression(&container.expression),
                        Some(JSXAttributeValue::Element(element)) => self.jsx(element),
                        Some(JSXAttributeValue::Fragment(fragment)) => {
                            let list = self.object();
                            self.children(&fragment.children, list);
                            list
                        }
                    };
                    if matches!(element.opening_element.name, JSXElementName::Identifier(_)) {
                        let text = match &attribute.value {
                            Some(JSXAttributeValue::ExpressionContainer(container)) => {
                                container.expression.as_expression().map(sink::written)
                            }
                            _ => None,
                        };
                        self.loading_site(span_of(&**attribute), value, text);
                    }
                    match &attribute.name {
                        oxc_ast::ast::JSXAttributeName::Identifier(name) => self.write(properties, name.name.as_str(), value),
                        oxc_ast::ast::JSXAttributeName::NamespacedName(_) => self.write_any(properties, value),
                    }
                }
            }
        }
        self.children(&element.children, properties);
        let component = match &element.opening_element.name {
            JSXElementName::IdentifierReference(name) => self.name(name),
            JSXElementName::MemberExpression(member) => {
                let base = self.jsx_object(&member.object);
                self.property(base, member.property.name.as_str())
            }
            JSXElementName::ThisExpression(_) => self.this(),
            JSXElementName::Identifier(_) | JSXElementName::NamespacedName(_) => {
                let Some(pragma) = self.pragma else { return properties };
                let kind = self.graph.node();
                let passed = [kind, properties].map(|node| Passed { node, is_spread: false });
                return self.call(Callee::of(pragma), passed.to_vec(), span_of(element), &[], false);
            }
        };
        let passed = vec![Passed { node: properties, is_spread: false }];
        self.call(Callee::of(component), passed, span_of(element), &[], false)
    }

    fn jsx_object(&mut self, object: &JSXMemberExpressionObject<'_>) -> Node {
        match object {
            JSXMemberExpressionObject::IdentifierReference(name) => self.name(name),
            JSXMemberExpressionObject::ThisExpression(_) => self.this(),
            JSXMemberExpressionObject::MemberExpression(member) => {
                let base = self.jsx_object(&member.object);
                self.property(base, member.property.name.as_str())
            }
        }
    }

    fn jsx_expression(&mut self, expression: &JSXExpression<'_>) -> Node {
        match expression.as_expression() {
            Some(expression) => self.value(expression),
            None => self.graph.node(),
        }
    }

    fn children(&mut self, children: &[JSXChild<'_>], properties: Node) {
        for child in children {
            let value = match child {
                JSXChild::Text(_) => continue,
                JSXChild::Element(element) => self.jsx(element),
                JSXChild::Fragment(fragment) => {
                    let list = self.object();
                    self.children(&fragment.children, list);
                    list
                }
                JSXChild::ExpressionContainer(container) => self.jsx_expression(&container.expression),
                JSXChild::Spread(spread) => self.value(&spread.expression),
            };
            self.write(properties, "children", value);
            let elements = self.elements;
            self.graph.same(value, elements);
        }
    }
}

/// Returns true if and only if an expression is text with an address in it.
fn has_address(expression: &Expression<'_>) -> bool {
    matches!(expression.get_inner_expression(), Expression::StringLiteral(text) if holds_address(text.value.as_str()))
}

/// Returns true if and only if a text holds an address that something may load.
fn holds_address(text: &str) -> bool {
    ["https://", "http://", "wss://", "ws://"].iter().any(|scheme| text.contains(scheme)) || text.starts_with("//")
}

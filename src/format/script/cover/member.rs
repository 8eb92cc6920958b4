//! Members: what is read from and written to objects.

use oxc_ast::ast::{Expression, MemberExpression};
use oxc_syntax::operator::BinaryOperator;

use crate::format::script::cover::Cover;
use crate::format::script::cover::graph::{Edge, Node, Read};
use crate::format::script::cover::runtime::is_measure;
use crate::format::script::span::span_of;
use crate::knowledge::secret::is_secret_variable;

impl Cover<'_> {
    pub fn named(&mut self, name: &str) -> Node {
        if name.bytes().all(|byte| byte.is_ascii_digit()) { self.elements } else { self.graph.field(name) }
    }

    /// What a property of a known name holds, which may lead out.
    pub fn property(&mut self, base: Node, name: &str) -> Node {
        let into = self.held(base, name);
        self.way_member(into, base, name);
        into
    }

    /// What a property of a known name holds.
    fn held(&mut self, base: Node, name: &str) -> Node {
        let is_open = !is_secret_variable(Some(name));
        let into = self.graph.node();
        if matches!(name, "length" | "byteLength") {
            self.lengths.insert(into);
        }
        let named = self.named(name);
        self.graph.read(Read { base, named, into, is_measure: is_measure(name), keeps: true, is_open }, false);
        let any = self.any_field;
        self.graph.read(Read { base, named: any, into, is_measure: is_measure(name), keeps: false, is_open }, false);
        if is_measure(name) && self.cut.contains(&base) {
            self.graph.edge(base, Edge::Asks(into));
            self.spelled.insert(into);
        }
        self.tool_member(into, name);
        self.frame_member(into, base, name);
        if name == "callee"
            && Some(base) == self.own_arguments()
            && let Some(function) = self.innermost().number
        {
            self.graph.function(into, function);
        }
        if name == "default" {
            self.graph.edge(base, Edge::Default(into));
        }
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
            self.graph.read(Read { base, named, into, is_measure: false, keeps: named == elements, is_open: false }, false);
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
        if 0 < self.laps {
            // `letters[letters.indexOf(one)]` is the letter.
            self.spells_out(key, into);
        }
        self.complains_of(key);
        into
    }

    /// An error of the runtime tells what it was given.
    pub fn complains_of(&mut self, given: Node) {
        if 0 < self.tries {
            let thrown = self.thrown;
            self.graph.edge(given, Edge::Made(thrown));
        }
    }

    /// A property is set under a name that is computed.
    pub fn write_computed(&mut self, base: Node, key: Node, value: Node) {
        self.write_any(base, value);
        self.told(base);
        self.tells_itself(value, base);
        self.graph.edge(key, Edge::Soaks(base));
        self.complains_of(key);
        if 0 < self.laps {
            // `list[code] = 1` makes the list as long as the code is high.
            let length = self.graph.field("length");
            self.graph.edge(key, Edge::Extends(length));
            let place = self.either(&[key]);
            self.told(place);
            self.graph.edge(place, Edge::Places(base));
            self.graph.edge(place, Edge::Soaks(base));
        }
    }

    /// A property is set.
    pub fn write(&mut self, base: Node, name: &str, value: Node) {
        let named = self.named(name);
        if self.lengths.contains(&value) {
            // A number is no object of which more is known under the name that it is kept by.
            self.graph.edge(value, Edge::Same(named));
        } else {
            self.graph.same(value, named);
        }
        self.hold(base, value);
    }

    /// A property is set whose name is not known.
    pub fn write_any(&mut self, base: Node, value: Node) {
        let any = self.any_field;
        self.graph.same(value, any);
        self.hold(base, value);
    }

    pub fn hold(&mut self, base: Node, value: Node) {
        self.graph.edge(value, Edge::Field(base));
        self.handler(base, value);
    }

    /// A field that only the class itself sets: what it holds under any name, and what stands under its own.
    fn field_of_class(&mut self, base: Node, name: &str, label: &str) -> Node {
        let named = self.graph.private_field(label);
        let into = self.graph.node();
        self.graph.same(named, into);
        let any = self.any_field;
        self.graph.read(Read { base, named: any, into, is_measure: is_measure(name), keeps: false, is_open: false }, false);
        // Somebody else's function may have put something under it.
        self.graph.edge(base, Edge::Oozes(into));
        self.tool_member(into, name);
        self.way_member(into, base, name);
        into
    }

    /// A field that only the class itself sets is set.
    pub fn write_owned(&mut self, label: Option<String>, value: Node) {
        if let Some(label) = label {
            let named = self.graph.private_field(&label);
            self.graph.same(value, named);
        }
    }

    /// A private field, which only the class itself can see.
    pub fn private(&mut self, base: Node, name: &str) -> Node {
        let named = self.graph.private_field(name);
        let into = self.graph.node();
        self.graph.same(named, into);
        self.graph.edge(base, Edge::Oozes(into));
        into
    }

    /// A private field is set.
    pub fn write_private(&mut self, base: Node, name: &str, value: Node) {
        let named = self.graph.private_field(name);
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
        self.member_of(base, member, true)
    }

    /// A member of something that is known. Called with nothing, a method by whose name alone it may lead out is told nothing.
    pub fn member_of(&mut self, base: Node, member: &MemberExpression<'_>, is_given: bool) -> Node {
        if self.origins.contains_key(&span_of(member)) {
            // What is read here is known by itself: not all of what it is read from.
            let node = self.graph.node();
            let named = match member.static_property_name() {
                Some(name) => self.named(name),
                None => self.any_field,
            };
            self.graph.read(Read { base, named, into: node, is_measure: true, keeps: true, is_open: false }, false);
            self.seed(span_of(member), node);
            return node;
        }
        let owned = self.owned.member(member).map(str::to_owned);
        let node = match member {
            MemberExpression::StaticMemberExpression(named) if let Some(label) = owned => {
                self.field_of_class(base, named.property.name.as_str(), &label)
            }
            MemberExpression::StaticMemberExpression(named) if is_given => self.property(base, named.property.name.as_str()),
            MemberExpression::StaticMemberExpression(named) => self.held(base, named.property.name.as_str()),
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
}

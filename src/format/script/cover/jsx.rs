//! JSX: elements, their attributes and components.

use oxc_ast::ast::{
    Expression, JSXAttributeItem, JSXAttributeValue, JSXChild, JSXElement, JSXElementName, JSXExpression, JSXMemberExpressionObject,
    ObjectPropertyKind,
};

use crate::format::script::cover::Cover;
use crate::format::script::cover::call::{Callee, Passed};
use crate::format::script::cover::graph::{Edge, Node};
use crate::format::script::cover::sink;
use crate::format::script::span::span_of;
use crate::format::script::way_out;

/// Returns true if and only if an element is one of a page, not a component.
fn is_of_page(element: &JSXElement<'_>) -> bool {
    matches!(element.opening_element.name, JSXElementName::Identifier(_))
}

impl Cover<'_> {
    pub fn jsx(&mut self, element: &JSXElement<'_>) -> Node {
        let properties = self.object();
        for attribute in &element.opening_element.attributes {
            match attribute {
                JSXAttributeItem::SpreadAttribute(spread) => {
                    let value = self.value(&spread.argument);
                    self.graph.edge(value, Edge::Spread(properties));
                    if is_of_page(element) {
                        for name in way_out::LOADING {
                            let part = self.property(value, name);
                            self.loading_site(span_of(&**spread), part, None);
                        }
                    }
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
                    if is_of_page(element)
                        && let Some(JSXAttributeValue::ExpressionContainer(container)) = &attribute.value
                        && let Some(expression) = container.expression.as_expression()
                    {
                        self.loads(value, expression);
                    }
                    match &attribute.name {
                        oxc_ast::ast::JSXAttributeName::Identifier(name) => self.write(properties, name.name.as_str(), value),
                        oxc_ast::ast::JSXAttributeName::NamespacedName(_) => self.write_any(properties, value),
                    }
                }
            }
        }
        self.children(&element.children, properties);
        // What an element is made into is an object that holds what it was given.
        let made = self.object();
        self.write(made, "props", properties);
        self.graph.edge(properties, Edge::Spread(made));
        let component = match &element.opening_element.name {
            JSXElementName::IdentifierReference(name) => Some(self.name(name)),
            JSXElementName::MemberExpression(member) => {
                let base = self.jsx_object(&member.object);
                Some(self.property(base, member.property.name.as_str()))
            }
            JSXElementName::ThisExpression(_) => Some(self.this()),
            JSXElementName::Identifier(_) | JSXElementName::NamespacedName(_) => None,
        };
        let mut all = vec![made];
        if let Some(component) = component {
            let passed = vec![Passed { node: properties, is_spread: false }];
            all.push(self.call(Callee::of(component), passed, span_of(element), &[], false));
        }
        if let Some(pragma) = self.pragma {
            let kind = component.unwrap_or_else(|| self.graph.plain());
            let passed = [kind, properties].map(|node| Passed { node, is_spread: false });
            all.push(self.call(Callee::of(pragma), passed.to_vec(), span_of(element), &[], false));
        }
        self.either(&all)
    }

    /// An attribute of an element of a page may load what its text names, or the text of a style.
    fn loads(&mut self, value: Node, expression: &Expression<'_>) {
        self.loading_site(span_of(expression), value, Some(sink::written(expression)));
        let Expression::ObjectExpression(object) = expression.get_inner_expression() else { return };
        for property in &object.properties {
            if let ObjectPropertyKind::ObjectProperty(property) = property
                && let Some(name) = property.key.static_name()
            {
                let part = self.property(value, &name);
                self.loading_site(span_of(&**property), part, Some(sink::written(&property.value)));
            }
        }
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

    pub fn children(&mut self, children: &[JSXChild<'_>], properties: Node) {
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

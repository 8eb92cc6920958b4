//! What a script may have put in the place of what rows know: names of the host that it writes to, methods that it defines,
//! and ways in which it reads texts that no name leads to.

use std::collections::HashSet;

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPattern, Expression, IdentifierReference, ObjectProperty, PropertyKind};
use oxc_semantic::Semantic;
use oxc_span::{GetSpan as _, Span};
use oxc_syntax::node::NodeId;
use oxc_syntax::operator::{BinaryOperator, UnaryOperator};
use oxc_syntax::symbol::SymbolFlags;

use crate::format::script::reaches_outside::GLOBAL_OBJECTS;
use crate::format::script::usage::callee::{From, origin, origin_of_name};
use crate::format::script::usage::written::{constant, is_changing, is_function, is_own_class, may_be_function};
use crate::knowledge::row::term::Handling;
use crate::knowledge::usage::{has_opening, has_opening_within, of_method, opens};

/// What can be believed of the names in a script.
#[derive(Debug, Default)]
pub struct Trust {
    /// It reads texts by ways that cannot be followed.
    pub is_open: bool,
    /// What is thrown and not caught reaches more than who runs it.
    pub hears_thrown: bool,
    changed: Vec<From>,
    assigned: HashSet<String>,
    declared: HashSet<String>,
    assigns_any: bool,
}

impl Trust {
    /// Looks at the whole script.
    pub fn of(semantic: &Semantic<'_>) -> Self {
        let mut look = Look { semantic, trust: Self::default() };
        for node in semantic.nodes().iter() {
            look.node(node.id(), node.kind());
        }
        look.trust
    }

    /// What a function does with a text, unless the script may have put another in its place.
    pub fn handling(&self, from: &From) -> Option<Handling> {
        if self.assigned.contains(from.last()) || self.changed.iter().any(|changed| changed.is_about(from)) {
            None
        } else {
            from.handling()
        }
    }

    /// Returns true if and only if a method of this name of a list or a text may have been replaced.
    pub fn is_replaced(&self, method: &str) -> bool {
        self.assigns_any || self.assigned.contains(method)
    }

    /// Returns true if and only if something in the script may have a method of its own of this name.
    pub fn is_defined(&self, method: &str) -> bool {
        self.is_replaced(method) || self.declared.contains(method)
    }
}

struct Look<'s, 'a> {
    semantic: &'s Semantic<'a>,
    trust: Trust,
}

impl<'a> Look<'_, 'a> {
    fn node(&mut self, id: NodeId, kind: AstKind<'a>) {
        match kind {
            AstKind::WithStatement(_) => self.trust.is_open = true,
            AstKind::IdentifierReference(name) => self.name(id, name),
            AstKind::ThisExpression(_) => self.this(id),
            AstKind::StaticMemberExpression(member) => self.member(id, &member.object, Some(member.property.name.as_str())),
            AstKind::ComputedMemberExpression(member) => match constant(&member.expression) {
                Some(name) => self.member(id, &member.object, Some(&name)),
                None => self.member(id, &member.object, None),
            },
            AstKind::ObjectProperty(property) => self.property(id, property),
            AstKind::MethodDefinition(method) => self.declares(method.key.static_name().as_deref()),
            AstKind::PropertyDefinition(field) => self.declares(field.key.static_name().as_deref()),
            AstKind::StringLiteral(text) => self.trust.hears_thrown |= of_method(&text.value) == Some(Handling::Hears),
            AstKind::BinaryExpression(sum) if sum.operator == BinaryOperator::Addition => {
                let whole = match (constant(&sum.left), constant(&sum.right)) {
                    (Some(left), Some(right)) => left + &right,
                    _ => return,
                };
                self.trust.hears_thrown |= of_method(&whole) == Some(Handling::Hears);
            }
            AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) | AstKind::Class(_) => {
                self.trust.is_open |= self.is_read_as_text(id);
            }
            AstKind::CallExpression(call) => {
                let named = call.arguments.get(1).filter(|_| 3 <= call.arguments.len()).and_then(|named| named.as_expression());
                self.trust.assigned.extend(named.and_then(constant));
            }
            _ => {}
        }
    }

    fn declares(&mut self, name: Option<&str>) {
        self.trust.declared.extend(name.map(str::to_owned));
    }

    fn kind(&self, node: NodeId) -> AstKind<'a> {
        self.semantic.nodes().kind(node)
    }

    /// What stands around a node, and the node in it.
    fn around(&self, node: NodeId) -> (NodeId, AstKind<'a>, Span) {
        let (mut own, mut parent) = (node, self.semantic.nodes().parent_id(node));
        while matches!(
            self.kind(parent),
            AstKind::ParenthesizedExpression(_)
                | AstKind::TSAsExpression(_)
                | AstKind::TSNonNullExpression(_)
                | AstKind::TSSatisfiesExpression(_)
                | AstKind::ChainExpression(_)
        ) {
            (own, parent) = (parent, self.semantic.nodes().parent_id(parent));
        }
        (parent, self.kind(parent), self.kind(own).span())
    }

    fn name(&mut self, id: NodeId, name: &IdentifierReference<'a>) {
        let scoping = self.semantic.scoping();
        let Some(reference) = name.reference_id.get().map(|id| scoping.get_reference(id)) else { return };
        if let Some(symbol) = reference.symbol_id() {
            let is_function = is_function(self.kind(scoping.symbol_declaration(symbol)));
            self.trust.is_open |= is_function && self.is_read_as_text(id);
            if let From::Module(module, _) = origin_of_name(self.semantic, name)
                && self.is_changed_by_call(id)
            {
                self.trust.changed.push(From::Module(module, String::new()));
            }
            return;
        }
        let is_told = reference.is_type() || self.is_only_asked(id);
        self.trust.is_open |= opens(&name.name) && !is_told;
        if reference.is_write() {
            self.trust.changed.push(From::Host(name.name.to_string()));
        }
        if is_told || self.is_base(id) {
            return;
        }
        if GLOBAL_OBJECTS.contains(&name.name.as_str()) {
            self.trust.is_open |= !self.is_of_free_call(id);
        } else if !self.is_harmless_value(id) {
            self.trust.changed.push(From::Host(name.name.to_string()));
        }
    }

    /// Returns true if and only if only the type of a node is asked for, or what it is the same as.
    fn is_only_asked(&self, id: NodeId) -> bool {
        match self.around(id).1 {
            AstKind::UnaryExpression(unary) => unary.operator == UnaryOperator::Typeof,
            AstKind::BinaryExpression(binary) => binary.operator != BinaryOperator::Addition,
            AstKind::ExpressionStatement(_) | AstKind::Class(_) => true,
            _ => false,
        }
    }

    /// Returns true if and only if a member of a node is read, or the node itself is called.
    fn is_base(&self, id: NodeId) -> bool {
        let (_, parent, own) = self.around(id);
        match parent {
            AstKind::StaticMemberExpression(member) => member.object.span() == own,
            AstKind::ComputedMemberExpression(member) => member.object.span() == own,
            AstKind::CallExpression(call) => call.callee.span() == own,
            AstKind::NewExpression(made) => made.callee.span() == own,
            AstKind::TaggedTemplateExpression(tagged) => tagged.tag.span() == own,
            _ => false,
        }
    }

    /// Returns true if and only if a node is passed to a function of the host by its bare name: `$(window)`.
    fn is_of_free_call(&self, id: NodeId) -> bool {
        let AstKind::CallExpression(call) = self.around(id).1 else { return false };
        let Expression::Identifier(name) = &call.callee else { return false };
        name.reference_id.get().is_some_and(|id| self.semantic.scoping().get_reference(id).symbol_id().is_none())
    }

    /// Returns true if and only if what a name of the host stands for is handed on where nothing is written to it.
    fn is_harmless_value(&self, id: NodeId) -> bool {
        match self.around(id).1 {
            AstKind::CallExpression(call) => {
                let method = call.callee.as_member_expression().and_then(|member| member.static_property_name());
                matches!(method.and_then(of_method), Some(Handling::Visits | Handling::Maps))
            }
            AstKind::VariableDeclarator(declarator) => matches!(declarator.id, BindingPattern::ObjectPattern(_)),
            _ => false,
        }
    }

    /// Returns true if and only if a node is passed to what changes objects: `Object.assign(logger, …)`.
    fn is_changed_by_call(&self, id: NodeId) -> bool {
        let (_, AstKind::CallExpression(call), own) = self.around(id) else { return false };
        let is_first = call.arguments.first().is_some_and(|first| first.span() == own);
        is_first && matches!(origin(self.semantic, &call.callee), From::Host(path) if is_changing(&path))
    }

    /// Returns true if and only if the source of a function is read: `String(note)`, `note + ''`, `note.toString()`.
    fn is_read_as_text(&self, id: NodeId) -> bool {
        let (_, parent, own) = self.around(id);
        match parent {
            AstKind::TemplateLiteral(_) => true,
            AstKind::BinaryExpression(sum) => sum.operator == BinaryOperator::Addition,
            AstKind::StaticMemberExpression(member) => {
                member.object.span() == own && matches!(&*member.property.name, "toString" | "toSource")
            }
            AstKind::ComputedMemberExpression(member) => {
                member.object.span() == own && !matches!(member.expression, Expression::NumericLiteral(_) | Expression::StringLiteral(_))
            }
            AstKind::CallExpression(call) if call.callee.span() != own => {
                origin(self.semantic, &call.callee).handling() == Some(Handling::Passes)
            }
            _ => false,
        }
    }

    /// `this` of a plain function may be the global object.
    fn this(&mut self, id: NodeId) {
        let nodes = self.semantic.nodes();
        let function = nodes.ancestor_ids(id).find(|node| matches!(self.kind(*node), AstKind::Function(_) | AstKind::Class(_)));
        let is_plain = match function.map(|node| (node, self.kind(node))) {
            None => true,
            Some((node, AstKind::Function(function))) => {
                function.is_declaration()
                    || matches!(self.around(node).1, AstKind::CallExpression(call) if call.callee.span().contains_inclusive(function.span))
            }
            Some(_) => false,
        };
        let (_, parent, own) = self.around(id);
        let escapes = match parent {
            AstKind::ComputedMemberExpression(member) => member.object.span() == own && constant(&member.expression).is_none(),
            AstKind::ReturnStatement(_) | AstKind::VariableDeclarator(_) => true,
            AstKind::AssignmentExpression(assigned) => assigned.right.span() == own,
            AstKind::ArrowFunctionExpression(_) => true,
            _ => false,
        };
        self.trust.is_open |= is_plain && escapes;
    }

    fn member(&mut self, id: NodeId, object: &Expression<'a>, name: Option<&str>) {
        let root = origin(self.semantic, object);
        let is_global = matches!(&root, From::Host(path) if GLOBAL_OBJECTS.contains(&path.as_str()));
        let target = self.target(id);
        self.trust.is_open |= name.is_some_and(|name| has_opening(name) || self.is_call_of_constructor(id, name));
        self.trust.hears_thrown |= name.is_some_and(|name| of_method(name) == Some(Handling::Hears));
        match (&root, name) {
            (From::Host(path), Some(name)) => self.trust.is_open |= opens(&format!("{path}.{name}")),
            (From::Host(path), None) => self.trust.is_open |= is_global || has_opening_within(path),
            _ => {}
        }
        if let Some(name) = name
            && is_global
            && target.is_none()
        {
            self.trust.is_open |= self.is_global_of_script(name);
        }
        if name == Some("prototype") && !is_own_class(self.semantic, object) {
            self.trust.is_open |= self.is_written(id);
        }
        if self.is_changed_by_call(id)
            && let From::Host(path) = &root
        {
            self.trust.changed.push(From::Host(within(&format!("{path}.{}", name.unwrap_or_default()))));
        }
        if let Some(may_be_function) = target {
            self.assigned(root, is_global, name, may_be_function);
        } else if name.is_some_and(|name| of_method(name) == Some(Handling::Changes)) && self.is_base(id) && root.handling().is_some() {
            self.trust.changed.push(root.root());
        }
    }

    fn assigned(&mut self, root: From, is_global: bool, name: Option<&str>, may_be_function: bool) {
        self.trust.assigned.extend(name.filter(|_| may_be_function).map(str::to_owned));
        self.trust.assigns_any |= name.is_none() && may_be_function;
        match (root, name) {
            (_, Some(name)) if is_global => self.trust.changed.push(From::Host(name.to_owned())),
            (_, None) if is_global => self.trust.is_open = true,
            (From::Host(path), Some(name)) => self.trust.changed.push(From::Host(within(&format!("{path}.{name}")))),
            (From::Module(module, path), Some(name)) => self.trust.changed.push(From::Module(module, path).member(name)),
            (From::Script(_), _) => {}
            (root, None) => self.trust.changed.push(root),
        }
    }

    /// Whether a function may be what is written to a member, if it is written to.
    fn target(&self, id: NodeId) -> Option<bool> {
        let (_, parent, own) = self.around(id);
        match parent {
            AstKind::AssignmentExpression(assigned) => {
                (assigned.left.span() == own).then(|| may_be_function(self.semantic, &assigned.right))
            }
            AstKind::UpdateExpression(_) => Some(false),
            AstKind::UnaryExpression(unary) => (unary.operator == UnaryOperator::Delete).then_some(true),
            AstKind::ArrayAssignmentTarget(_)
            | AstKind::AssignmentTargetWithDefault(_)
            | AstKind::AssignmentTargetPropertyProperty(_)
            | AstKind::AssignmentTargetRest(_) => Some(true),
            AstKind::ForOfStatement(each) => (each.left.span() == own).then_some(true),
            AstKind::ForInStatement(each) => (each.left.span() == own).then_some(false),
            _ => None,
        }
    }

    /// Returns true if and only if a prototype is written to, or handed to what may write to it.
    fn is_written(&self, id: NodeId) -> bool {
        let (parent, kind, own) = self.around(id);
        match kind {
            AstKind::StaticMemberExpression(member) if member.object.span() == own => self.target(parent).is_some(),
            AstKind::ComputedMemberExpression(member) if member.object.span() == own => self.target(parent).is_some(),
            AstKind::CallExpression(call) => {
                let is_first = call.arguments.first().is_some_and(|first| first.span() == own);
                is_first && !matches!(origin(self.semantic, &call.callee), From::Host(path) if path == "Object.create")
            }
            AstKind::BinaryExpression(_) => false,
            _ => true,
        }
    }

    fn is_call_of_constructor(&self, id: NodeId, name: &str) -> bool {
        name == "constructor"
            && self.is_base(id)
            && !matches!(self.around(id).1, AstKind::StaticMemberExpression(_) | AstKind::ComputedMemberExpression(_))
    }

    /// Returns true if and only if a name of the whole script is also a member of the global object.
    fn is_global_of_script(&self, name: &str) -> bool {
        let scoping = self.semantic.scoping();
        let symbol = scoping.get_root_binding(name.into());
        symbol.is_some_and(|symbol| scoping.symbol_flags(symbol).intersects(SymbolFlags::FunctionScopedVariable | SymbolFlags::Function))
    }

    fn property(&mut self, id: NodeId, property: &ObjectProperty<'a>) {
        let name = property.key.static_name();
        // A setter is handed what is written to its name.
        self.trust.is_open |= property.kind == PropertyKind::Set || name.as_deref().is_some_and(has_opening);
        self.trust.hears_thrown |= name.as_deref().is_some_and(|name| of_method(name) == Some(Handling::Hears));
        if !may_be_function(self.semantic, &property.value) {
            return;
        }
        let object = self.semantic.nodes().parent_id(id);
        let changes =
            |call: &oxc_ast::ast::CallExpression<'a>| matches!(origin(self.semantic, &call.callee), From::Host(path) if is_changing(&path));
        let is_given =
            self.semantic.nodes().ancestor_kinds(object).take(2).any(|kind| matches!(kind, AstKind::CallExpression(call) if changes(call)));
        self.trust.is_open |= is_given && name.as_deref() == Some("set");
        match name {
            Some(name) if is_given => _ = self.trust.assigned.insert(name.into_owned()),
            Some(name) => _ = self.trust.declared.insert(name.into_owned()),
            None => self.trust.assigns_any |= is_given,
        }
    }
}

/// A name of the host without the global object before it.
fn within(path: &str) -> String {
    let (first, rest) = path.split_once('.').unwrap_or(("", path));
    if GLOBAL_OBJECTS.contains(&first) { rest.to_owned() } else { path.to_owned() }
}

//! Expressions: what they can be.

use oxc_ast::ast::{
    AssignmentExpression, Expression, IdentifierReference, LogicalExpression, MemberExpression, PropertyKey, SimpleAssignmentTarget,
    UnaryExpression, UpdateExpression, YieldExpression,
};
use oxc_syntax::operator::{AssignmentOperator, LogicalOperator, UnaryOperator, UpdateOperator};
use oxc_syntax::symbol::SymbolId;

use crate::format::script::interpret::call::tool::{REDEFINED, TOOL_FUNCTIONS};
use crate::format::script::interpret::exhaustion::Bound;
use crate::format::script::interpret::heap::{Code, ObjectKind, Place};
use crate::format::script::interpret::property::NOTHING;
use crate::format::script::interpret::steps::StepId;
use crate::format::script::interpret::taint::{Change, Taint};
use crate::format::script::interpret::text::{Slot, Text};
use crate::format::script::interpret::value::{Atom, Val};
use crate::format::script::interpret::{DEPTH, Interpreter};
use crate::format::script::js::constant::Constant;
use crate::format::script::js::{number, operator};
use crate::format::script::span::span_of;

/// How many parts of a value are looked through for the data they carry.
const PARTS: usize = 3_000;

impl<'a> Interpreter<'a> {
    /// What an expression can be.
    pub fn evaluate(&mut self, expression: &'a Expression<'a>) -> Val {
        if !self.spend() {
            return Val::UNKNOWN;
        }
        if DEPTH < self.depth {
            self.exhaust(Bound::Depth);
            return Val::UNKNOWN;
        }
        self.depth += 1;
        let value = self.evaluate_inner(expression.get_inner_expression());
        self.depth -= 1;
        value
    }

    fn evaluate_inner(&mut self, expression: &'a Expression<'a>) -> Val {
        match expression {
            // Half of a surrogate pair is no text.
            Expression::StringLiteral(literal) if literal.lone_surrogates => Val::UNKNOWN,
            Expression::StringLiteral(literal) => self.literal(literal.value.as_str()),
            Expression::NumericLiteral(literal) => self.values.number(literal.value),
            Expression::BigIntLiteral(literal) => {
                let constant = number::big_from_text(&literal.value).map(Constant::BigInt);
                constant.and_then(|constant| self.values.constant(&constant)).unwrap_or(Val::UNKNOWN)
            }
            Expression::BooleanLiteral(literal) => self.values.boolean(literal.value),
            Expression::NullLiteral(_) => self.values.atom(Atom::Null),
            Expression::RegExpLiteral(literal) => {
                let source = literal.regex.pattern.text.as_str();
                let path = self.values.texts.intern("RegExp()");
                let source = self.values.string(source);
                let flags = self.values.string(&literal.regex.flags.to_string());
                let regex = self.allocate(literal.span.start, ObjectKind::Instance { path, made_with: [source, flags].into() });
                self.values.object(regex)
            }
            Expression::TemplateLiteral(template) => self.template(template),
            Expression::TaggedTemplateExpression(tagged) => self.tagged(tagged),
            Expression::Identifier(name) => self.identifier(name),
            Expression::ThisExpression(_) => self.frames.last().map_or(Val::UNKNOWN, |frame| frame.this),
            Expression::Super(_) => self.frames.last().map_or(Val::UNKNOWN, |frame| frame.this),
            Expression::ArrayExpression(array) => self.array_expression(array),
            Expression::ObjectExpression(object) => self.object_expression(object),
            Expression::ArrowFunctionExpression(function) => self.closure(Code::Arrow(function)),
            Expression::FunctionExpression(function) => {
                let value = self.closure(Code::Function(function));
                if let Some(id) = &function.id
                    && let Some(symbol) = id.symbol_id.get()
                {
                    self.write(symbol, value, span_of(id));
                }
                value
            }
            Expression::ClassExpression(class) => self.class(class),
            Expression::AssignmentExpression(assignment) => self.assignment(assignment),
            Expression::UpdateExpression(update) => self.update(update),
            Expression::UnaryExpression(unary) => self.unary(unary),
            Expression::BinaryExpression(binary) => self.binary(binary),
            Expression::LogicalExpression(logical) => self.logical(logical),
            Expression::ConditionalExpression(conditional) => {
                let test = self.evaluate(&conditional.test);
                match self.truth(test) {
                    Some(true) => self.evaluate(&conditional.consequent),
                    Some(false) => self.evaluate(&conditional.alternate),
                    None => {
                        let (_, via) = self.carried(test);
                        let control = self.decided_by(&conditional.test, test);
                        let chosen = self.under(control, |interpreter| {
                            interpreter.choose(
                                |interpreter| {
                                    interpreter.narrow(&conditional.test, true);
                                    interpreter.evaluate(&conditional.consequent)
                                },
                                |interpreter| {
                                    interpreter.narrow(&conditional.test, false);
                                    interpreter.evaluate(&conditional.alternate)
                                },
                            )
                        });
                        let via = if chosen.via == StepId::NONE { via } else { chosen.via };
                        self.values.with_taint(chosen, control).through(via)
                    }
                }
            }
            Expression::SequenceExpression(sequence) => {
                let mut last = Val::UNDEFINED;
                for expression in &sequence.expressions {
                    last = self.evaluate(expression);
                }
                last
            }
            Expression::AwaitExpression(awaited) => {
                let value = self.evaluate(&awaited.argument);
                let value = self.resolved_by_then(value, span_of(&**awaited)).unwrap_or(value);
                self.settled(value)
            }
            Expression::YieldExpression(yielded) => self.yield_expression(yielded),
            Expression::CallExpression(call) => self.call(call),
            Expression::NewExpression(new) => self.new_expression(new),
            Expression::ImportExpression(import) => {
                let source = self.evaluate(&import.source);
                self.import_call(source, span_of(&**import))
            }
            Expression::ChainExpression(chain) => self.chain(&chain.expression),
            Expression::PrivateInExpression(private) => {
                self.evaluate(&private.right);
                Val::UNKNOWN
            }
            Expression::ImportMeta(_) => self.values.native("import.meta"),
            Expression::NewTarget(_) => Val::UNKNOWN,
            Expression::JSXElement(element) => self.jsx(element),
            Expression::JSXFragment(fragment) => {
                self.jsx_children(&fragment.children);
                Val::UNKNOWN
            }
            expression => match expression.as_member_expression() {
                Some(member) => self.member(member),
                None => Val::UNKNOWN,
            },
        }
    }

    pub fn literal(&mut self, text: &str) -> Val {
        self.recorder.written(text, &mut self.values.texts);
        self.values.string(text)
    }

    /// What a name stands for.
    pub fn identifier(&mut self, name: &'a IdentifierReference<'a>) -> Val {
        let symbol = name.reference_id.get().and_then(|reference| self.scoping.get_reference(reference).symbol_id());
        match symbol {
            Some(symbol) => {
                let value = self.read(symbol);
                if TOOL_FUNCTIONS.contains(&name.name.as_str()) || self.named.whole.contains(name.name.as_str()) {
                    return self.tool_function(name.name.as_str(), value);
                }
                if let Some(found) = self.found_by_worker(value) {
                    return found;
                }
                match self.asked.last().cloned() {
                    Some(asked) => self.variable_of(value, &asked),
                    None => value,
                }
            }
            None => self.global(name.name.as_str()),
        }
    }

    /// What a variable holds that is called as a function that calls tools is.
    fn tool_function(&mut self, name: &str, value: Val) -> Val {
        let shape = self.values.shape(value.id);
        if shape.is_open {
            return self.values.native(name);
        }
        let is_own = !shape.atoms.is_empty() && shape.atoms.iter().all(|atom| matches!(atom, Atom::Object(_)));
        let tool = if is_own { self.values.native(&format!("{REDEFINED}{name}")) } else { self.values.native(name) };
        self.values.join(value, tool)
    }

    /// What a global name stands for.
    pub fn global(&mut self, name: &str) -> Val {
        match name {
            "undefined" => return Val::UNDEFINED,
            "NaN" => return self.values.number(f64::NAN),
            "Infinity" => return self.values.number(f64::INFINITY),
            "globalThis" | "window" | "global" | "self" | "top" | "parent" | "frames" | "unsafeWindow" => {
                return self.values.native("globalThis");
            }
            "arguments" => {
                if let Some(frame) = self.frames.last() {
                    if let Some(listed) = frame.listed {
                        return listed;
                    }
                    let (arguments, start, context) = (frame.arguments.clone(), frame.start, frame.context);
                    let list = self.heap.allocate(start, context, 30, ObjectKind::Array);
                    for (at, value) in arguments.known.iter().enumerate() {
                        let key = self.index_key(at);
                        self.heap.set(Place::Field(list, key), *value);
                    }
                    if let Some(rest) = arguments.rest {
                        self.add_rest(list, rest);
                    }
                    self.set_length(list, arguments.rest.is_none().then_some(arguments.known.len()));
                    let listed = self.values.object(list);
                    if let Some(frame) = self.frames.last_mut() {
                        frame.listed = Some(listed);
                    }
                    return listed;
                }
            }
            _ => {}
        }
        if let Some(key) = self.values.texts.known(name)
            && let Some(value) = self.heap.get(Place::Field(self.globals, key))
        {
            return value;
        }
        self.held(name, crate::value::span::Span::default()).unwrap_or_else(|| self.values.native(name))
    }

    /// The variable that a reference means.
    pub fn symbol_of(&self, name: &IdentifierReference<'a>) -> Option<SymbolId> {
        name.reference_id.get().and_then(|reference| self.scoping.get_reference(reference).symbol_id())
    }

    /// Runs two branches of which one gives the value.
    pub fn choose(&mut self, first: impl FnOnce(&mut Self) -> Val, second: impl FnOnce(&mut Self) -> Val) -> Val {
        let mark = self.heap.branch();
        let one = first(self);
        let left = self.heap.undo(mark);
        let mark = self.heap.branch();
        let other = second(self);
        let right = self.heap.undo(mark);
        self.heap.join_either(&left, &right, &mut self.values);
        let joined = self.values.join(one, other);
        joined.through(self.steps.joined(one.via, other.via))
    }

    fn logical(&mut self, logical: &'a LogicalExpression<'a>) -> Val {
        let left = self.evaluate(&logical.left);
        self.logical_of(left, logical.operator, &logical.right)
    }

    fn logical_of(&mut self, left: Val, operator: LogicalOperator, right: &'a Expression<'a>) -> Val {
        let keeps_left = match operator {
            LogicalOperator::Or => self.truth(left),
            LogicalOperator::And => self.truth(left).map(|truth| !truth),
            LogicalOperator::Coalesce => self.is_given(left),
        };
        match keeps_left {
            Some(true) => left,
            Some(false) => self.evaluate(right),
            None => {
                let (control, _) = self.carried(left);
                let control = self.values.changed(control, Change::Bit);
                let right = self.under(control, |interpreter| interpreter.maybe(|interpreter| interpreter.evaluate(right)));
                let joined = self.values.join(left, right);
                joined.through(self.steps.joined(left.via, right.via))
            }
        }
    }

    /// Whether a value is neither `null` nor `undefined`, if that is known.
    pub fn is_given(&self, value: Val) -> Option<bool> {
        let shape = self.values.shape(value.id);
        let missing = shape.atoms.iter().filter(|atom| matches!(atom, Atom::Undefined | Atom::Null)).count();
        match (shape.is_open, missing) {
            (false, 0) if shape.atoms.iter().any(|atom| matches!(atom, Atom::Native(_))) || self.may_be_nothing(value) => None,
            (false, 0) => Some(true),
            (false, missing) if missing == shape.atoms.len() => Some(false),
            _ => None,
        }
    }

    /// Whether JavaScript takes a value for true, if that is known.
    pub fn truth(&self, value: Val) -> Option<bool> {
        if self.may_be_nothing(value) { None } else { self.values.truth(value.id) }
    }

    /// Returns true if and only if a value is what a call returned or a part of that, which may as well be nothing: `const { data, error }`.
    fn may_be_nothing(&self, value: Val) -> bool {
        self.values.shape(value.id).atoms.iter().any(|atom| match atom {
            Atom::Object(object) => match &self.heap.object(*object).kind {
                ObjectKind::Instance { path, .. } => self.values.texts.get(*path).contains("()"),
                _ => false,
            },
            _ => false,
        })
    }

    /// A value, or that of an expression where it is `undefined`.
    pub fn or_default(&mut self, value: Val, default: &'a Expression<'a>) -> Val {
        let shape = self.values.shape(value.id);
        let is_undefined = shape.atoms.contains(&Atom::Undefined);
        let may_be_missing = shape.is_open || shape.atoms.iter().any(|atom| matches!(atom, Atom::Native(_)));
        if !may_be_missing && !is_undefined {
            return value;
        }
        if !shape.is_open && shape.atoms.len() == 1 {
            return self.evaluate(default);
        }
        let default = self.maybe(|interpreter| interpreter.evaluate(default));
        // What is not known is more than its default; what is known of the default still counts.
        self.values.join(value, default)
    }

    fn unary(&mut self, unary: &'a UnaryExpression<'a>) -> Val {
        let value = self.evaluate(&unary.argument);
        if unary.operator == UnaryOperator::Delete {
            if let Some(member) = unary.argument.get_inner_expression().as_member_expression() {
                let (object, key) = self.member_parts(member);
                self.call_delete_trap(object, &key);
                self.set_property(object, key, Val::UNDEFINED);
            }
            return Val::UNKNOWN;
        }
        if unary.operator == UnaryOperator::Typeof {
            return self.type_of(value);
        }
        if unary.operator == UnaryOperator::Void {
            return Val::UNDEFINED;
        }
        if unary.operator == UnaryOperator::UnaryPlus && self.values.time_of(value.id).is_some() {
            return value;
        }
        let known = self.values.known(value.id).and_then(|constant| operator::unary(unary.operator, &constant));
        let (taint, via) = self.carried(value);
        let is_question = unary.operator == UnaryOperator::LogicalNot;
        let result = match known.and_then(|constant| self.values.constant(&constant)) {
            Some(constant) => constant,
            None => match (is_question, self.truth(value)) {
                (true, Some(truth)) => self.values.boolean(!truth),
                _ => Val::UNKNOWN,
            },
        };
        let change = if is_question { Change::Bit } else { Change::Plain };
        let taint = self.values.changed(taint, change);
        self.values.with_taint(result, taint).through(via)
    }

    fn type_of(&mut self, value: Val) -> Val {
        let shape = self.values.shape(value.id).clone();
        if shape.is_open || shape.atoms.is_empty() {
            return Val::UNKNOWN;
        }
        let mut result = Val::NEVER;
        for atom in shape.atoms.iter() {
            let name = match atom {
                Atom::Undefined => "undefined",
                Atom::Null => "object",
                Atom::Boolean(_) => "boolean",
                Atom::Number(_) => "number",
                Atom::BigInt(_) => "bigint",
                Atom::Text(_) | Atom::Partial(_) => "string",
                Atom::Object(object) => match self.heap.object(*object).kind {
                    ObjectKind::Function { .. } | ObjectKind::Class { .. } | ObjectKind::Bound { .. } | ObjectKind::Settler(_) => {
                        "function"
                    }
                    _ => "object",
                },
                Atom::Native(_) | Atom::Time(_) => return Val::UNKNOWN,
            };
            let one = self.values.string(name);
            result = self.values.join(result, one);
        }
        result
    }

    fn update(&mut self, update: &'a UpdateExpression<'a>) -> Val {
        let step = match update.operator {
            UpdateOperator::Increment => 1.0,
            UpdateOperator::Decrement => -1.0,
        };
        let before = self.target_value(&update.argument);
        let after = match self.values.known(before.id) {
            Some(Constant::BigInt(number)) => {
                let after = number.checked_add(step as i128).map(Constant::BigInt);
                after.and_then(|after| self.values.constant(&after)).unwrap_or(Val::UNKNOWN)
            }
            Some(constant) => self.values.number(constant.to_number() + step),
            None => {
                let taint = self.values.taint(before.id);
                self.values.opaque(taint, before.via)
            }
        };
        self.assign_simple(&update.argument, after);
        if update.prefix { after } else { before }
    }

    /// What the target of an assignment holds before it.
    fn target_value(&mut self, target: &'a SimpleAssignmentTarget<'a>) -> Val {
        match target {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => self.identifier(name),
            target => match target.as_member_expression() {
                Some(member) => self.member(member),
                None => target.get_expression().map_or(Val::UNKNOWN, |inner| self.evaluate(inner)),
            },
        }
    }

    fn assignment(&mut self, assignment: &'a AssignmentExpression<'a>) -> Val {
        if let Some(SimpleAssignmentTarget::AssignmentTargetIdentifier(name)) = assignment.left.as_simple_assignment_target() {
            self.note_name(&assignment.right, name.name.as_str());
        }
        if assignment.operator == AssignmentOperator::Assign {
            let value = self.evaluate(&assignment.right);
            self.assign(&assignment.left, value);
            return value;
        }
        let Some(target) = assignment.left.as_simple_assignment_target() else { return Val::UNKNOWN };
        let before = self.target_value(target);
        let value = match assignment.operator.to_logical_operator() {
            Some(operator) => self.logical_of(before, operator, &assignment.right),
            None => {
                let right = self.evaluate(&assignment.right);
                match assignment.operator.to_binary_operator() {
                    Some(operator) => self.operate(operator, before, right),
                    None => Val::UNKNOWN,
                }
            }
        };
        self.assign_simple(target, value);
        value
    }

    fn yield_expression(&mut self, yielded: &'a YieldExpression<'a>) -> Val {
        let value = yielded.argument.as_ref().map_or(Val::UNDEFINED, |argument| self.evaluate(argument));
        let Some(yields) = self.frames.last().and_then(|frame| frame.yields) else { return Val::UNKNOWN };
        let mut given = self.settled(value);
        if yielded.delegate {
            given = self.returned_by_generator(value).unwrap_or(given);
            let elements = self.elements(value);
            match elements.known {
                Some(known) => known.into_iter().for_each(|element| self.push(yields, element)),
                None => self.push_unknown(yields, elements.any),
            }
        } else {
            self.push(yields, value);
        }
        // What `next` passes is what `yield` gives; a package that runs it passes what came of what was yielded.
        let key = self.values.texts.slot(Slot::Sent, Text::EMPTY);
        match self.heap.get(Place::Field(yields, key)) {
            Some(sent) if !yielded.delegate => sent,
            _ => self.values.join(given, Val::UNKNOWN),
        }
    }

    /// What generators of the script return at their end.
    fn returned_by_generator(&mut self, generator: Val) -> Option<Val> {
        let key = self.values.texts.slot(Slot::Settled, Text::EMPTY);
        let atoms = self.values.atoms(generator.id);
        let objects = atoms.iter().filter_map(|atom| if let Atom::Object(object) = atom { Some(*object) } else { None });
        let returned: Vec<Val> = objects.filter_map(|object| self.heap.get(Place::Field(object, key))).collect();
        (!returned.is_empty()).then(|| returned.into_iter().fold(Val::NEVER, |any, one| self.joined_with_way(any, one)))
    }

    /// The key of a property.
    pub fn key(&mut self, key: &'a PropertyKey<'a>) -> Key {
        if let PropertyKey::PrivateIdentifier(name) = key {
            return Key::private(name.name.as_str());
        }
        if let Some(name) = key.static_name() {
            return Key::named(name);
        }
        match key.as_expression() {
            Some(expression) => {
                let value = self.evaluate(expression);
                self.key_of(value)
            }
            None => Key { name: None, is_private: false, carried: NOTHING },
        }
    }

    /// The key that a value is.
    pub fn key_of(&mut self, value: Val) -> Key {
        let name = self.values.known(value.id).map(|constant| constant.to_text());
        let name = name.or_else(|| self.symbol_name(value));
        Key { name, is_private: false, carried: self.carried(value) }
    }

    /// The name of a well-known symbol, as a key.
    fn symbol_name(&self, value: Val) -> Option<String> {
        match &*self.values.shape(value.id).atoms {
            [Atom::Native(path)] => self.values.texts.get(*path).strip_prefix("Symbol.").map(|name| format!("@@{name}")),
            _ => None,
        }
    }

    /// The data that a value carries, its fields and elements included.
    pub fn carried(&mut self, value: Val) -> (Taint, StepId) {
        if !self.values.taints.has_any() {
            return (Taint::NONE, StepId::NONE);
        }
        let own = self.values.taint(value.id);
        let mut carried = (own, if own.is_none() { StepId::NONE } else { value.via });
        if self.only_looks() || !self.values.shape(value.id).atoms.iter().any(|atom| matches!(atom, Atom::Object(_))) {
            return carried;
        }
        let mut pending = vec![value];
        self.stamp += 1;
        let mut parts = 0;
        while let Some(value) = pending.pop() {
            parts += 1;
            if PARTS < parts || !self.spend() {
                self.exhaust(Bound::Parts);
                break;
            }
            let taint = self.values.taint(value.id);
            carried = self.both(carried, (taint, value.via));
            for atom in self.values.atoms(value.id).iter() {
                let Atom::Object(object) = atom else { continue };
                if !self.heap.stamp(*object, self.stamp) {
                    continue;
                }
                let object = self.heap.object(*object);
                match &object.kind {
                    ObjectKind::Function { .. } | ObjectKind::Settler(_) | ObjectKind::Class { .. } | ObjectKind::Environment { .. } => {
                        continue;
                    }
                    ObjectKind::Encoded(inner) => pending.push(*inner),
                    ObjectKind::Promise(kept) => pending.push(self.heap.object(*kept).rest),
                    ObjectKind::Bound { arguments, .. } => pending.extend(arguments.iter().copied()),
                    ObjectKind::Plain(_) | ObjectKind::Array | ObjectKind::Collection | ObjectKind::Instance { .. } => {}
                }
                pending.extend(object.fields.values().copied().filter(|value| self.values.may_carry(*value)));
                if object.rest.id != Val::NEVER.id {
                    pending.push(object.rest);
                }
            }
        }
        carried
    }

    /// The data of two values.
    pub fn both(&mut self, left: (Taint, StepId), right: (Taint, StepId)) -> (Taint, StepId) {
        if right.0.is_none() {
            return left;
        }
        if left.0.is_none() {
            return right;
        }
        (self.values.taints.union(left.0, right.0), self.steps.joined(left.1, right.1))
    }

    /// A property that is read.
    pub fn member(&mut self, member: &'a MemberExpression<'a>) -> Val {
        let (object, key) = self.member_parts(member);
        let may_end = member.optional() && self.may_be_missing(object);
        self.note_end(may_end, member.optional() && self.is_given(object).is_none());
        let value = self.get(object, &key, span_of(member));
        if self.narrows { self.narrowed_part(member, value) } else { value }
    }

    /// Returns true if and only if a value is known to be sometimes, not always, nothing.
    pub fn may_be_missing(&self, value: Val) -> bool {
        let atoms = self.values.atoms(value.id);
        1 < atoms.len() && atoms.iter().any(|atom| matches!(atom, Atom::Undefined | Atom::Null))
    }

    /// The object and the key of a property.
    pub fn member_parts(&mut self, member: &'a MemberExpression<'a>) -> (Val, Key) {
        match member {
            MemberExpression::StaticMemberExpression(member) => {
                let object = self.evaluate(&member.object);
                (object, Key::named(member.property.name.as_str()))
            }
            MemberExpression::ComputedMemberExpression(member) => {
                let object = self.evaluate(&member.object);
                let key = self.evaluate(&member.expression);
                (object, self.key_of(key))
            }
            MemberExpression::PrivateFieldExpression(member) => {
                let object = self.evaluate(&member.object);
                (object, Key::private(member.field.name.as_str()))
            }
        }
    }
}

/// The key of a property.
#[derive(Clone, Debug)]
pub struct Key {
    /// Its name, if it is known.
    pub name: Option<String>,
    /// It names a field that only its class sees.
    pub is_private: bool,
    /// The data that decides which key it is.
    pub carried: (Taint, StepId),
}

impl Key {
    /// A key that is written out.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), is_private: false, carried: NOTHING }
    }

    /// The key of a private field.
    fn private(name: &str) -> Self {
        Self { is_private: true, ..Self::named(format!("#{name}")) }
    }
}

//! Functions that send nothing, run nothing and keep nothing of what they are given.

use std::collections::HashSet;

use oxc_ast::ast::{
    Argument, ArrowFunctionExpression, AssignmentExpression, AssignmentTarget, BindingPattern, CallExpression, Expression,
    FormalParameters, Function, IdentifierReference, ImportExpression, NewExpression, SimpleAssignmentTarget, StaticMemberExpression,
    TaggedTemplateExpression, ThisExpression, UnaryExpression, UpdateExpression, VariableDeclarator,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_syntax::operator::UnaryOperator;
use oxc_syntax::scope::ScopeFlags;
use oxc_syntax::symbol::SymbolId;

use crate::format::script::bindings::Given;
use crate::format::script::collect::symbols;
use crate::format::script::sandbox::Walker;
use crate::format::script::sandbox::functions::Written;
use crate::format::script::sandbox::names::GLOBAL_OBJECT;

/// How deep functions of the script that a function calls are followed.
const DEPTH: u32 = 3;

/// How long places in objects are.
const PLACES: u32 = 16;

/// Globals that only tell something.
const WORDS: &[&str] = &["undefined", "arguments", "NaN", "Infinity"];

/// Globals that may be called, or whose methods may be.
const PURE: &[&str] = &[
    "Object",
    "Array",
    "String",
    "Number",
    "Boolean",
    "BigInt",
    "Symbol",
    "Date",
    "Math",
    "JSON",
    "Map",
    "Set",
    "WeakMap",
    "WeakSet",
    "RegExp",
    "Error",
    "TypeError",
    "RangeError",
    "Intl",
    "Promise",
    "Reflect",
    "console",
    "performance",
    "parseInt",
    "parseFloat",
    "isNaN",
    "isFinite",
    "encodeURIComponent",
    "decodeURIComponent",
    "setTimeout",
    "clearTimeout",
    "Uint8Array",
    "URL",
    "AbortController",
    "AbortSignal",
    "TextEncoder",
    "TextDecoder",
];

/// What was seen of a tame function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tameness {
    /// It calls what it replaces with what it was given, and alters nothing of that.
    pub hands_through: bool,
}

/// Reads a function.
pub struct Tame<'t, 'w, 'a, 's> {
    walker: &'t Walker<'w, 'a, 's>,
    /// The name under which the function is put.
    key: &'t str,
    /// Names that are declared in it.
    own: HashSet<SymbolId>,
    /// Those of them that hold nothing of what it is given: times, counts, the name of a tool.
    measures: HashSet<SymbolId>,
    /// What it is given.
    given: HashSet<SymbolId>,
    /// Names of the script outside that were looked at.
    seen: HashSet<SymbolId>,
    depth: u32,
    is_tame: bool,
    calls_original: bool,
    alters: bool,
}

impl<'t, 'w, 'a, 's> Tame<'t, 'w, 'a, 's> {
    /// What there is to say of a function that is put under a name; none, unless it is tame.
    pub fn of(walker: &'t Walker<'w, 'a, 's>, key: &'t str, function: Written<'a>) -> Option<Tameness> {
        let mut tame = Self {
            walker,
            key,
            own: HashSet::new(),
            measures: HashSet::new(),
            given: HashSet::new(),
            seen: HashSet::new(),
            depth: DEPTH,
            is_tame: true,
            calls_original: false,
            alters: false,
        };
        tame.take(parameters(function), key == "callTool");
        tame.read(function);
        tame.is_tame.then_some(Tameness { hands_through: tame.calls_original && !tame.alters })
    }

    /// Notes what a function is given; the name of a tool tells nothing of what it is called with.
    fn take(&mut self, parameters: &'a FormalParameters<'a>, is_named: bool) {
        let rest = parameters.rest.as_ref().map(|rest| &rest.rest.argument);
        for (at, pattern) in parameters.items.iter().map(|item| &item.pattern).chain(rest).enumerate() {
            let names = symbols(pattern);
            if at == 0 && is_named && matches!(pattern, BindingPattern::BindingIdentifier(_)) {
                self.measures.extend(&names);
            }
            self.own.extend(&names);
            self.given.extend(&names);
        }
    }

    fn read(&mut self, function: Written<'a>) {
        match function {
            Written::Function(function) => walk_js::walk_function(self, function, ScopeFlags::empty()),
            Written::Arrow(function) => walk_js::walk_arrow_function_expression(self, function),
        }
    }

    /// Follows a function of the script that is called with what is given.
    fn follow(&mut self, function: Written<'a>) {
        match self.depth.checked_sub(1) {
            Some(depth) => {
                let around = std::mem::replace(&mut self.depth, depth);
                self.own.extend(parameters(function).items.iter().flat_map(|item| symbols(&item.pattern)));
                self.read(function);
                self.depth = around;
            }
            None => self.is_tame = false,
        }
    }

    /// Returns true if and only if a value may hold some of what the function is given.
    fn carries(&self, expression: &Expression<'a>) -> bool {
        let mut mentions = Mentions { tame: self, found: false };
        mentions.visit_expression(expression);
        mentions.found
    }

    /// The name with which a place in an object begins, past names of the function's own for something else.
    fn root(&self, expression: &'a Expression<'a>) -> Option<&'a IdentifierReference<'a>> {
        let mut expression = expression.get_inner_expression();
        for _ in 0..PLACES {
            match expression {
                Expression::Identifier(name) => {
                    let symbol = self.walker.bindings.symbol(name).filter(|symbol| self.own.contains(symbol));
                    match symbol.and_then(|symbol| self.walker.bindings.constant(symbol)) {
                        Some(Given::Expression(given) | Given::Property(given, _)) if is_place(given) => {
                            expression = given.get_inner_expression()
                        }
                        Some(_) | None => return Some(name),
                    }
                }
                inner => expression = inner.as_member_expression()?.object().get_inner_expression(),
            }
        }
        None
    }

    fn is_own(&self, name: &IdentifierReference<'a>) -> bool {
        self.walker.bindings.symbol(name).is_some_and(|symbol| self.own.contains(&symbol))
    }

    /// What is called, by itself or as a constructor.
    fn called(&mut self, callee: &'a Expression<'a>, arguments: &'a [Argument<'a>]) {
        if self.walker.is_call_of(self.key, callee, arguments) {
            self.calls_original = true;
            self.alters |= !arguments.iter().all(|argument| self.is_handed_on(argument));
            return;
        }
        let callee = callee.get_inner_expression();
        if let Some(member) = callee.as_member_expression() {
            if matches!(member.static_property_name(), Some("call" | "apply" | "bind")) && member.object().is_identifier_reference() {
                return self.called_value(member.object());
            }
            if self.walker.global(member.object()) == Some("Reflect")
                && matches!(member.static_property_name(), Some("apply" | "construct"))
            {
                return match arguments.first().and_then(Argument::as_expression) {
                    Some(called) => self.called_value(called),
                    None => self.is_tame = false,
                };
            }
            let Some(root) = self.root(member.object()) else { return };
            let is_pure = self.walker.global(member.object()).is_some_and(|name| PURE.contains(&name))
                || self.walker.is_global(root) && PURE.contains(&root.name.as_str());
            if self.is_own(root) || is_pure {
                return;
            }
            // Something of the script outside may be told of times and counts.
            let is_told = arguments.iter().any(|argument| match argument {
                Argument::SpreadElement(spread) => self.carries(&spread.argument),
                argument => argument.as_expression().is_some_and(|argument| self.carries(argument)),
            });
            self.is_tame &= !self.walker.is_global(root) && !is_told;
            return;
        }
        self.called_value(callee);
    }

    /// A value that is called: what it is given, something of its own, or something of the script that is tame, too. Names are
    /// looked at where they stand.
    fn called_value(&mut self, callee: &'a Expression<'a>) {
        let callee = callee.get_inner_expression();
        let Some(root) = self.root(callee) else {
            self.is_tame &= Written::of(callee).is_some();
            return;
        };
        let is_lent = callee.as_member_expression().is_some_and(|member| self.walker.is_plain_built_in(member.object()));
        self.is_tame &= match self.walker.bindings.symbol(root) {
            Some(symbol) => self.own.contains(&symbol) || self.walker.declared.functions.contains_key(&symbol),
            None => is_lent || PURE.contains(&root.name.as_str()),
        };
    }

    /// A name of the script outside that is used: a function is followed, and nothing may stand for what leads out.
    fn used(&mut self, symbol: SymbolId, name: &'a IdentifierReference<'a>) {
        if self.own.contains(&symbol) || !self.seen.insert(symbol) {
            return;
        }
        if let Some(function) = self.walker.declared.functions.get(&symbol) {
            return self.follow(*function);
        }
        for given in self.walker.bindings.given(symbol) {
            let (Given::Expression(given) | Given::Property(given, _)) = given else { continue };
            let is_bound = matches!(given.get_inner_expression(), Expression::CallExpression(call)
                if call.callee.as_member_expression().is_some_and(|member| member.static_property_name() == Some("bind")));
            let is_led_out =
                is_place(given) && self.root(given).is_some_and(|root| self.walker.is_global(root) && !PURE.contains(&root.name.as_str()));
            self.is_tame &= !is_bound && !is_led_out || self.walker.is_name_of(self.key, name);
        }
    }

    /// Returns true if and only if an argument is only what the function was given itself.
    fn is_handed_on(&self, argument: &'a Argument<'a>) -> bool {
        match argument {
            Argument::SpreadElement(spread) => self.is_given(&spread.argument),
            argument => argument.as_expression().is_some_and(|argument| self.is_given(argument)),
        }
    }

    fn is_given(&self, expression: &'a Expression<'a>) -> bool {
        match expression.get_inner_expression() {
            Expression::ThisExpression(_) | Expression::NullLiteral(_) => true,
            Expression::Identifier(name) => match self.walker.bindings.symbol(name) {
                Some(symbol) => self.given.contains(&symbol),
                None => true,
            },
            Expression::ArrayExpression(array) => array.elements.iter().all(|element| match element {
                oxc_ast::ast::ArrayExpressionElement::SpreadElement(spread) => self.is_given(&spread.argument),
                element => element.as_expression().is_some_and(|element| self.is_given(element)),
            }),
            inner => self.walker.is_call_of(self.key, inner, &[]),
        }
    }

    /// Something that is changed, to something that may hold what is given.
    fn changed(&mut self, root: Option<&'a IdentifierReference<'a>>, carries: bool) {
        let Some(root) = root else { return };
        match self.walker.bindings.symbol(root) {
            Some(symbol) if self.own.contains(&symbol) => self.alters |= self.given.contains(&symbol),
            Some(_) => self.is_tame &= !carries,
            None => self.is_tame = false,
        }
    }
}

impl<'a> VisitJs<'a> for Tame<'_, '_, 'a, '_> {
    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        let name: &'a IdentifierReference<'a> = self.alloc(it);
        let text = name.name.as_str();
        match self.walker.bindings.symbol(name) {
            Some(symbol) => self.used(symbol, name),
            None => self.is_tame &= text == self.key || PURE.contains(&text) || WORDS.contains(&text),
        }
    }

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        let name = it.property.name.as_str();
        if self.walker.global(&it.object).is_some_and(|name| GLOBAL_OBJECT.contains(&name)) {
            self.is_tame &= name == self.key || PURE.contains(&name);
        } else {
            walk_js::walk_static_member_expression(self, it);
        }
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        let function: &'a Function<'a> = self.alloc(it);
        self.own.extend(function.id.as_ref().and_then(|id| id.symbol_id.get()));
        self.own.extend(function.params.items.iter().flat_map(|item| symbols(&item.pattern)));
        walk_js::walk_function(self, function, flags);
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        let function: &'a ArrowFunctionExpression<'a> = self.alloc(it);
        self.own.extend(function.params.items.iter().flat_map(|item| symbols(&item.pattern)));
        walk_js::walk_arrow_function_expression(self, function);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        let declarator: &'a VariableDeclarator<'a> = self.alloc(it);
        let names = symbols(&declarator.id);
        if declarator.init.as_ref().is_none_or(|init| !self.carries(init)) {
            self.measures.extend(&names);
        }
        self.own.extend(&names);
        walk_js::walk_variable_declarator(self, declarator);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        let assignment: &'a AssignmentExpression<'a> = self.alloc(it);
        let carries = self.carries(&assignment.right);
        match &assignment.left {
            AssignmentTarget::AssignmentTargetIdentifier(name) => {
                if carries {
                    self.walker.bindings.symbol(name).map(|symbol| self.measures.remove(&symbol));
                }
                self.changed(Some(self.alloc(name)), carries);
            }
            target => match target.as_member_expression() {
                Some(member) => {
                    let by_key = match member {
                        oxc_ast::ast::MemberExpression::ComputedMemberExpression(member) => self.carries(&member.expression),
                        _ => false,
                    };
                    self.changed(self.root(member.object()), carries || by_key);
                }
                None => self.is_tame &= !carries,
            },
        }
        walk_js::walk_assignment_expression(self, assignment);
    }

    fn visit_update_expression(&mut self, it: &UpdateExpression<'a>) {
        let update: &'a UpdateExpression<'a> = self.alloc(it);
        match &update.argument {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => self.changed(Some(self.alloc(name)), false),
            target => {
                if let Some(member) = target.as_member_expression() {
                    self.changed(self.root(member.object()), false);
                }
            }
        }
        walk_js::walk_update_expression(self, update);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let call: &'a CallExpression<'a> = self.alloc(it);
        self.called(&call.callee, &call.arguments);
        walk_js::walk_call_expression(self, call);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        let created: &'a NewExpression<'a> = self.alloc(it);
        self.called(&created.callee, &created.arguments);
        walk_js::walk_new_expression(self, created);
    }

    fn visit_tagged_template_expression(&mut self, it: &TaggedTemplateExpression<'a>) {
        let tagged: &'a TaggedTemplateExpression<'a> = self.alloc(it);
        self.called(&tagged.tag, &[]);
        walk_js::walk_tagged_template_expression(self, tagged);
    }

    fn visit_import_expression(&mut self, _: &ImportExpression<'a>) {
        self.is_tame = false;
    }
}

/// Returns true if and only if an expression is a name, or a place in what a name stands for.
fn is_place(expression: &Expression<'_>) -> bool {
    let inner = expression.get_inner_expression();
    inner.is_identifier_reference() || inner.is_member_expression()
}

fn parameters<'a>(function: Written<'a>) -> &'a FormalParameters<'a> {
    match function {
        Written::Function(function) => &function.params,
        Written::Arrow(function) => &function.params,
    }
}

/// Looks for what a function is given, in an expression.
struct Mentions<'m, 't, 'w, 'a, 's> {
    tame: &'m Tame<'t, 'w, 'a, 's>,
    found: bool,
}

impl<'a> VisitJs<'a> for Mentions<'_, '_, '_, 'a, '_> {
    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        let symbol = self.tame.walker.bindings.symbol(it);
        let is_given = |symbol: SymbolId| self.tame.own.contains(&symbol) && !self.tame.measures.contains(&symbol);
        self.found |= symbol.map_or(it.name == "arguments", is_given);
    }

    fn visit_this_expression(&mut self, _: &ThisExpression) {
        self.found = true;
    }

    fn visit_unary_expression(&mut self, it: &UnaryExpression<'a>) {
        if it.operator != UnaryOperator::Typeof {
            walk_js::walk_unary_expression(self, it);
        }
    }
}

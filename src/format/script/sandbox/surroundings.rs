//! What a script is told by the place where it runs, and whether it leaves that as it is.

use std::collections::{HashMap, HashSet};

use oxc_ast::ast::{
    Argument, AssignmentExpression, AssignmentTarget, BindingPattern, CallExpression, Expression, FormalParameters, IdentifierReference,
    ImportDeclaration, MemberExpression, NewExpression, ObjectPropertyKind, Program, SimpleAssignmentTarget, SpreadElement,
    UnaryExpression, VariableDeclarator,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_syntax::operator::{LogicalOperator, UnaryOperator};
use oxc_syntax::symbol::SymbolId;

use crate::format::script::bindings::{Bindings, Given};
use crate::format::script::fold::Folder;
use crate::format::script::js::constant::Constant;
use crate::format::script::sandbox::functions::{Declared, Written};
use crate::format::script::span::span_of;
use crate::knowledge::command::list;
use crate::knowledge::phrase::asks_person;
use crate::knowledge::words::Tag;
use crate::value::span::Span;
use crate::value::words::words;

/// Expressions are followed up to this depth.
const DEPTH: u32 = 16;

/// What a name of the host is told by: settings, and what was typed behind the program's name.
const TELLING: &[&str] = &["env", "argv"];

/// Methods that give back the same text, written otherwise.
pub const SAME: &[&str] = &["toLowerCase", "toUpperCase", "trim", "toString", "toLocaleLowerCase"];

/// Methods that look at a list and leave it as it is.
const LOOKING: &[&str] = &["includes", "indexOf", "slice", "at", "find", "some", "every", "filter", "map", "join", "get", "has", "length"];

/// What a script is told by the place where it runs.
pub struct Surroundings<'w, 'v, 'a, 's> {
    bindings: &'w Bindings<'a, 's>,
    folder: &'w Folder<'v, 'a, 's>,
    declared: &'w Declared<'a>,
    /// Names that are imported from packages: whoever wrote the script did not write these.
    packages: HashSet<SymbolId>,
    /// Names that are imported from libraries of agents.
    of_agents: HashSet<SymbolId>,
    /// The script may change what it is told.
    is_changed: bool,
    /// It puts its own in the place of what all scripts share.
    is_forged: bool,
    /// How often what tells is named, and how often only to read of it.
    named: (usize, usize),
    /// Where names are used.
    used: HashMap<SymbolId, Vec<u32>>,
    /// The calls whose answer a function is given as its first parameter.
    answered: HashMap<SymbolId, Span>,
}

/// What tells of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The last name of what is asked: `EMULATOR_HOST` of `process.env.EMULATOR_HOST`.
    pub name: String,
    /// What counts where nothing is set.
    pub otherwise: Option<String>,
}

impl Told {
    /// Returns true if and only if its name says that it tells of a place: `DATABASE_URL`, not `PATH`.
    pub fn names_place(&self) -> bool {
        Tag::NamingPlace.has_any(words(&self.name))
    }
}

impl<'w, 'v, 'a, 's> Surroundings<'w, 'v, 'a, 's> {
    /// What a program is told by the place where it runs.
    pub fn of(program: &Program<'a>, bindings: &'w Bindings<'a, 's>, folder: &'w Folder<'v, 'a, 's>, declared: &'w Declared<'a>) -> Self {
        let mut found = Self {
            bindings,
            folder,
            packages: HashSet::new(),
            of_agents: HashSet::new(),
            is_changed: false,
            is_forged: false,
            named: (0, 0),
            declared,
            used: HashMap::new(),
            answered: HashMap::new(),
        };
        found.visit_program(program);
        found
    }

    /// Returns true if and only if what the script is told is not its own doing, as far as that can be seen.
    pub fn are_kept(&self) -> bool {
        !self.is_changed && !self.is_forged && self.named.0 == self.named.1
    }

    /// What an expression is told by the place where it runs, if it is told by nothing else.
    pub fn told(&self, expression: &Expression<'a>) -> Option<Told> {
        self.told_at(expression, DEPTH)
    }

    /// The one expression that a name stands for.
    pub fn stands_for(&self, expression: &Expression<'a>) -> Option<&'a Expression<'a>> {
        let Expression::Identifier(name) = expression.get_inner_expression() else { return None };
        match self.bindings.constant(self.bindings.symbol(name)?)? {
            Given::Expression(only) => Some(only),
            Given::Property(..) | Given::Unknown => None,
        }
    }

    /// Returns true if and only if a name is imported from a package.
    pub fn is_imported(&self, symbol: SymbolId) -> bool {
        self.packages.contains(&symbol)
    }

    /// Returns true if and only if a name stands for what is imported from a library of agents.
    pub fn is_of_agents(&self, name: &IdentifierReference<'a>) -> bool {
        self.bindings.symbol(name).is_some_and(|symbol| self.of_agents.contains(&symbol))
    }

    /// Returns true if and only if a name is no name of the script's own.
    pub fn is_free(&self, name: &IdentifierReference<'a>) -> bool {
        self.bindings.symbol(name).is_none()
    }

    /// The functions that have names, each with the places where its name is used.
    pub fn functions(&self) -> impl Iterator<Item = (Span, &[u32])> {
        let named = self.declared.functions.iter().filter(|(symbol, _)| self.is_always(**symbol));
        named.map(|(symbol, function)| (function.span(), self.used.get(symbol).map_or(&[][..], Vec::as_slice)))
    }

    /// The function that a name always stands for.
    pub fn function(&self, symbol: SymbolId) -> Option<Written<'a>> {
        self.declared.functions.get(&symbol).copied().filter(|_| self.is_always(symbol))
    }

    /// Where the call stands whose answer a parameter is: `rl.question(text, (answer) => …)`.
    pub fn answered(&self, symbol: SymbolId) -> Option<Span> {
        self.answered.get(&symbol).copied().filter(|_| self.bindings.given(symbol).all(|given| matches!(given, Given::Unknown)))
    }

    /// Returns true if and only if a call asks a person, as its name or the name of the tool says.
    pub fn asks_person(&self, call: &CallExpression<'a>) -> bool {
        let asks = asks_person;
        let named = match call.callee.get_inner_expression() {
            Expression::Identifier(name) => Some(name.name.as_str()),
            callee => last_name(callee),
        };
        let says = |value: &Expression<'a>| self.folder.fold_string(value).is_some_and(|text| asks(&text));
        let first = call.arguments.first().and_then(Argument::as_expression).map(Expression::get_inner_expression);
        let is_tool = || match first {
            Some(Expression::ObjectExpression(options)) => options.properties.iter().any(|property| match property {
                ObjectPropertyKind::ObjectProperty(property) => says(&property.value),
                ObjectPropertyKind::SpreadProperty(_) => false,
            }),
            first => first.is_some_and(says),
        };
        named.is_some_and(asks) || is_tool()
    }

    /// Returns true if and only if the script puts its own in the place of what all scripts share.
    pub fn is_forged(&self) -> bool {
        self.is_forged
    }

    fn is_always(&self, symbol: SymbolId) -> bool {
        self.bindings.function(symbol).is_some() || self.bindings.constant(symbol).is_some()
    }

    /// Returns true if and only if an expression is the words of the command line.
    pub fn is_list(&self, expression: &Expression<'a>) -> bool {
        self.is_telling(expression, DEPTH) && last_name(self.stands_for(expression).unwrap_or(expression)) == Some("argv")
    }

    /// Returns true if and only if a call of this ends the program: `process.exit`.
    pub fn ends_program(&self, callee: &Expression<'a>) -> bool {
        let member = callee.get_inner_expression().as_member_expression();
        member.is_some_and(|member| member.static_property_name() == Some("exit") && self.is_host(member.object()))
    }

    fn told_at(&self, expression: &Expression<'a>, depth: u32) -> Option<Told> {
        let depth = depth.checked_sub(1)?;
        match expression.get_inner_expression() {
            Expression::Identifier(name) => match self.bindings.constant(self.bindings.symbol(name)?)? {
                Given::Expression(only) => self.told_at(only, depth),
                Given::Property(of, key) if self.is_telling(of, depth) => Some(self.plain(key)),
                Given::Property(of, key) => self.part_of_address(of, key, depth),
                Given::Unknown => None,
            },
            Expression::LogicalExpression(either) if either.operator != LogicalOperator::And => {
                let told = self.told_at(&either.left, depth)?;
                let otherwise = self.folder.fold(&either.right)?.to_text();
                Some(Told { otherwise: Some(otherwise), ..told })
            }
            Expression::CallExpression(call) => self.told_by_call(call, depth),
            other => self.told_by_member(other.as_member_expression()?, depth),
        }
    }

    fn told_by_member(&self, member: &MemberExpression<'a>, depth: u32) -> Option<Told> {
        if self.is_telling(member.object(), depth) {
            let name = match member {
                MemberExpression::ComputedMemberExpression(computed) => self.folder.fold(&computed.expression)?.to_text(),
                _ => member.static_property_name()?.to_owned(),
            };
            return (!matches!(name.as_str(), "0" | "1")).then(|| self.plain(&name));
        }
        let name = member.static_property_name()?;
        // What settings that were asked for say of where a database is: `conn.host`.
        let of_settings = || matches!(name, "host" | "hostname" | "database") && self.is_answer(member.object());
        self.part_of_address(member.object(), name, depth).or_else(|| of_settings().then(|| self.plain(name)))
    }

    /// Returns true if and only if a name stands for what one call gave.
    fn is_answer(&self, expression: &Expression<'a>) -> bool {
        let Some(given) = self.stands_for(expression) else { return false };
        match given.get_inner_expression() {
            Expression::AwaitExpression(awaited) => matches!(awaited.argument.get_inner_expression(), Expression::CallExpression(_)),
            given => matches!(given, Expression::CallExpression(_)),
        }
    }

    /// What a part of an address says, that of the page or one that the script is told: `new URL(process.env.DATABASE_URL).hostname`.
    fn part_of_address(&self, of: &Expression<'a>, name: &str, depth: u32) -> Option<Told> {
        if !matches!(name, "host" | "hostname" | "pathname" | "href" | "origin") {
            return None;
        }
        let of_page = match of.get_inner_expression() {
            Expression::Identifier(root) => self.is_free(root) && root.name == "location",
            _ => false,
        };
        if of_page {
            return Some(self.plain(name));
        }
        // Where nothing is set it is the other address that is asked, and gone to.
        self.address(of, depth).map(|told| Told { name: format!("{}_{name}", told.name), otherwise: None })
    }

    /// What an address is made of: `new URL(process.env.DATABASE_URL)`.
    fn address(&self, expression: &Expression<'a>, depth: u32) -> Option<Told> {
        let depth = depth.checked_sub(1)?;
        match expression.get_inner_expression() {
            Expression::NewExpression(new) => {
                let is_address =
                    matches!(new.callee.get_inner_expression(), Expression::Identifier(name) if name.name == "URL" && self.is_free(name));
                let only = new.arguments.first().filter(|_| is_address && new.arguments.len() == 1)?;
                self.told_at(only.as_expression()?, depth)
            }
            _ => self.address(self.stands_for(expression)?, depth),
        }
    }

    fn told_by_call(&self, call: &CallExpression<'a>, depth: u32) -> Option<Told> {
        if let Expression::Identifier(name) = call.callee.get_inner_expression() {
            let only = call.arguments.first().and_then(Argument::as_expression)?;
            return if self.is_free(name) && name.name == "String" { self.told_at(only, depth) } else { None };
        }
        let member = call.callee.get_inner_expression().as_member_expression()?;
        let method = member.static_property_name()?;
        if SAME.contains(&method) || self.drops_slash(method, call) {
            return self.told_at(member.object(), depth);
        }
        if method == "get" && self.is_telling(member.object(), depth) {
            let name = call.arguments.first().and_then(Argument::as_expression).and_then(|name| self.folder.fold_string(name))?;
            return Some(self.plain(&name));
        }
        // `os.hostname()`, `config.getCurrentContext()`: a package tells, whoever uses it.
        let names_place = Tag::NamingPlace.has_any(words(method));
        (call.arguments.is_empty() && names_place && self.is_of_package(member.object(), depth)).then(|| self.plain(method))
    }

    /// Returns true if and only if a method takes the slash away with which the path of an address begins: `pathname.slice(1)`.
    fn drops_slash(&self, method: &str, call: &CallExpression<'a>) -> bool {
        let given: Vec<&Expression<'a>> = call.arguments.iter().filter_map(Argument::as_expression).collect();
        let is_one = |value: &Expression<'a>| matches!(self.folder.fold(value), Some(Constant::Number(number)) if number == 1.0);
        let is_slash = |value: &Expression<'a>| match value.get_inner_expression() {
            Expression::RegExpLiteral(pattern) => matches!(pattern.regex.pattern.text.as_str(), r"^\/" | r"^\/+"),
            value => self.folder.fold_string(value).is_some_and(|text| text == "/"),
        };
        let is_nothing = |value: &Expression<'a>| self.folder.fold_string(value).is_some_and(|text| text.is_empty());
        match given.as_slice() {
            [from] => matches!(method, "slice" | "substring" | "substr") && is_one(from),
            [slash, with] => method == "replace" && is_slash(slash) && is_nothing(with),
            _ => false,
        }
    }

    fn plain(&self, name: &str) -> Told {
        Told { name: name.to_owned(), otherwise: None }
    }

    /// Returns true if and only if an expression is a package, a part of one, or made by one.
    fn is_of_package(&self, expression: &Expression<'a>, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match expression.get_inner_expression() {
            Expression::Identifier(name) => {
                let Some(symbol) = self.bindings.symbol(name) else { return false };
                self.packages.contains(&symbol) || self.stands_for(expression).is_some_and(|only| self.is_of_package(only, depth))
            }
            Expression::NewExpression(new) => self.is_of_package(&new.callee, depth),
            Expression::CallExpression(call) => is_loaded(call),
            other => other.as_member_expression().is_some_and(|member| self.is_of_package(member.object(), depth)),
        }
    }

    /// Returns true if and only if an expression is the environment, or the words of the command line.
    fn is_telling(&self, expression: &Expression<'a>, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match expression.get_inner_expression() {
            Expression::Identifier(name) => match self.bindings.symbol(name).and_then(|symbol| self.bindings.constant(symbol)) {
                Some(Given::Expression(only)) => self.is_telling(only, depth),
                Some(Given::Property(of, key)) => TELLING.contains(&key) && self.is_host(of),
                Some(Given::Unknown) | None => false,
            },
            other => other.as_member_expression().is_some_and(|member| {
                member.static_property_name().is_some_and(|name| TELLING.contains(&name)) && self.is_host(member.object())
            }),
        }
    }

    /// Returns true if and only if an expression is what the host calls itself: `process`, `import.meta`.
    fn is_host(&self, expression: &Expression<'a>) -> bool {
        match expression.get_inner_expression() {
            Expression::ImportMeta(_) => true,
            Expression::Identifier(name) => match self.bindings.symbol(name) {
                None => matches!(name.name.as_str(), "process" | "Deno" | "Bun"),
                Some(symbol) => self.packages.contains(&symbol) && name.name == "process",
            },
            _ => false,
        }
    }

    /// Returns true if and only if an expression names what tells, whatever it is a part of.
    fn names_telling(&self, expression: &Expression<'a>) -> bool {
        match expression.get_inner_expression() {
            Expression::Identifier(name) => {
                let given = self.bindings.symbol(name).and_then(|symbol| self.bindings.constant(symbol));
                match given {
                    Some(Given::Expression(only)) => is_telling_member(only),
                    Some(Given::Property(_, key)) => TELLING.contains(&key),
                    Some(Given::Unknown) | None => false,
                }
            }
            other => is_telling_member(other),
        }
    }

    /// Notes what is changed: a part of the environment, of the host, or of what all texts and lists share.
    fn changes(&mut self, member: &MemberExpression<'a>) {
        let name = member.static_property_name();
        // How a program ends, and what it is called, tells nothing of where it runs.
        let is_of_host = matches!(member, MemberExpression::StaticMemberExpression(_)) && self.is_host(member.object());
        if is_of_host && name.is_some_and(|name| ENDING.contains(&name)) {
            return;
        }
        self.is_changed |= name.is_some_and(|name| TELLING.contains(&name));
        self.is_forged |= name.is_some_and(is_shared);
        let mut object = Some(member.object());
        while let Some(expression) = object {
            self.is_changed |= self.names_telling(expression);
            self.is_forged |= last_name(expression).is_some_and(is_shared);
            if let Expression::Identifier(root) = expression.get_inner_expression() {
                self.is_forged |= self.is_free(root) && is_root(&root.name);
            }
            object = expression.get_inner_expression().as_member_expression().map(MemberExpression::object);
        }
    }

    /// Notes the parameters by which a function is given the answer of a call.
    fn gives_answer(&mut self, call: &CallExpression<'a>) {
        let member = call.callee.get_inner_expression().as_member_expression();
        let of = match member.filter(|member| member.static_property_name() == Some("then")) {
            Some(member) => match member.object().get_inner_expression() {
                Expression::CallExpression(inner) if self.asks_person(inner) => span_of(inner.as_ref()),
                _ => return,
            },
            None if self.asks_person(call) => span_of(call),
            None => return,
        };
        let given = call.arguments.iter().filter_map(Argument::as_expression).filter_map(first_parameter);
        self.answered.extend(given.map(|symbol| (symbol, of)));
    }

    /// Notes what is handed on whole: who gets it may change it.
    fn hands_on(&mut self, argument: &Argument<'a>) {
        let Some(given) = argument.as_expression() else { return };
        self.is_forged |= match given.get_inner_expression() {
            Expression::Identifier(name) => self.is_free(name) && is_root(&name.name),
            other => last_name(other).is_some_and(is_shared),
        };
    }
}

/// The first parameter of a function, if it is a name.
pub fn first_parameter(function: &Expression<'_>) -> Option<SymbolId> {
    let of = |parameters: &FormalParameters<'_>| match &parameters.items.first()?.pattern {
        BindingPattern::BindingIdentifier(name) => name.symbol_id.get(),
        _ => None,
    };
    match function.get_inner_expression() {
        Expression::ArrowFunctionExpression(arrow) => of(&arrow.params),
        Expression::FunctionExpression(function) => of(&function.params),
        _ => None,
    }
}

/// Returns true if and only if an expression is `….env` or `….argv`.
fn is_telling_member(expression: &Expression<'_>) -> bool {
    last_name(expression).is_some_and(|name| TELLING.contains(&name))
}

fn last_name<'e>(expression: &'e Expression<'_>) -> Option<&'e str> {
    expression.get_inner_expression().as_member_expression().and_then(MemberExpression::static_property_name)
}

/// Returns true if and only if a free name is one from which the environment is reached.
fn is_root(name: &str) -> bool {
    matches!(name, "process" | "globalThis" | "global" | "window" | "self" | "Deno" | "Bun" | "location")
}

/// What a script may set of the host without changing what that tells.
const ENDING: &[&str] = &["exitCode", "title"];

/// Returns true if and only if a property is what all objects of a kind share.
fn is_shared(name: &str) -> bool {
    matches!(name, "prototype" | "__proto__")
}

/// Returns true if and only if a call loads a package: `require('os')`.
fn is_loaded(call: &CallExpression<'_>) -> bool {
    let is_require = matches!(call.callee.get_inner_expression(), Expression::Identifier(name) if name.name == "require");
    let module = call.arguments.first().and_then(Argument::as_expression).map(Expression::get_inner_expression);
    is_require && matches!(module, Some(Expression::StringLiteral(module)) if is_package(&module.value))
}

/// Returns true if and only if a module is a package, not a file of the script's own or an address.
fn is_package(module: &str) -> bool {
    !module.starts_with(['.', '/', '#', '~']) && (!module.contains(':') || module.starts_with("node:"))
}

impl<'a> VisitJs<'a> for Surroundings<'_, '_, 'a, '_> {
    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        let names = || it.specifiers.iter().flatten().filter_map(|name| name.local().symbol_id.get());
        if is_package(&it.source.value) {
            self.packages.extend(names());
        }
        let package = it.source.value.as_str();
        if list("packages-of-agents").iter().any(|known| package == *known || package.starts_with(&format!("{known}/"))) {
            self.of_agents.extend(names());
        }
    }

    fn visit_expression(&mut self, it: &Expression<'a>) {
        if self.names_telling(it) {
            self.named.0 += 1;
        }
        if let Some(member) = it.as_member_expression()
            && self.names_telling(member.object())
            && member.static_property_name().is_none_or(|name| !name.starts_with("__"))
        {
            self.named.1 += 1;
        }
        walk_js::walk_expression(self, it);
    }

    fn visit_spread_element(&mut self, it: &SpreadElement<'a>) {
        self.named.1 += usize::from(self.names_telling(&it.argument));
        walk_js::walk_spread_element(self, it);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        let is_read =
            matches!(&it.id, BindingPattern::ObjectPattern(_) | BindingPattern::ArrayPattern(_) | BindingPattern::BindingIdentifier(_));
        if it.init.as_ref().is_some_and(|init| is_read && self.names_telling(init)) {
            self.named.1 += 1;
        }
        walk_js::walk_variable_declarator(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        it.arguments.iter().for_each(|argument| self.hands_on(argument));
        self.gives_answer(it);
        if let Some(member) = it.callee.get_inner_expression().as_member_expression()
            && self.names_telling(member.object())
            && member.static_property_name().is_none_or(|name| !LOOKING.contains(&name) && !name.starts_with("has"))
        {
            self.is_changed = true;
        }
        walk_js::walk_call_expression(self, it);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        it.arguments.iter().for_each(|argument| self.hands_on(argument));
        walk_js::walk_new_expression(self, it);
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        match self.bindings.symbol(it) {
            Some(symbol) => self.used.entry(symbol).or_default().push(it.span.start),
            None => self.is_forged |= matches!(it.name.as_str(), "eval" | "Function" | "Proxy"),
        }
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        if let AssignmentTarget::AssignmentTargetIdentifier(name) = &it.left {
            self.is_forged |= self.is_free(name);
        }
        walk_js::walk_assignment_expression(self, it);
    }

    fn visit_simple_assignment_target(&mut self, it: &SimpleAssignmentTarget<'a>) {
        if let Some(member) = it.as_member_expression() {
            self.changes(member);
        }
        walk_js::walk_simple_assignment_target(self, it);
    }

    fn visit_unary_expression(&mut self, it: &UnaryExpression<'a>) {
        if it.operator == UnaryOperator::Delete
            && let Some(member) = it.argument.get_inner_expression().as_member_expression()
        {
            self.changes(member);
        }
        walk_js::walk_unary_expression(self, it);
    }
}

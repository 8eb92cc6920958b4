//! Chain reactions: handlers that several times do what sets them off themselves, so that each of their runs makes more of them.
//!
//! What sets a handler off is told where it is handed over (`app.post('/status/:id', …)`, `{ event: 'order/created' }`) or by what it
//! asks of what came in (`if (event.type !== 'Comment') return`).

use std::collections::{HashMap, HashSet};

use oxc_ast::ast::{
    Argument, BinaryExpression, BindingPattern, CallExpression, Expression, ForInStatement, ForOfStatement, ForStatement, Function,
    NewExpression, ObjectExpression, ObjectProperty, Program, StringLiteral, SwitchStatement, TemplateElement, VariableDeclarator,
    WhileStatement,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_syntax::scope::ScopeFlags;
use oxc_syntax::symbol::SymbolId;

use crate::format::script::bindings::Bindings;
use crate::format::script::sandbox::functions::{Declared, Written};
use crate::format::script::span::span_of;
use crate::knowledge::command::list;
use crate::value::span::Span;
use crate::value::words::words;

/// How many functions are called by one another, down from a handler.
const DEPTH: usize = 4;
/// Shorter paths and names of events stand in many texts.
const SHORTEST: usize = 4;
/// Methods by which a function hears of something.
const LISTENING: &[&str] = &["on", "once", "addListener", "addEventListener", "onmessage"];
/// How many handlers of one script are looked at.
const HANDLERS: usize = 100;

/// The places at which handlers set themselves off several times.
pub fn reactions<'a>(program: &Program<'a>, bindings: &Bindings<'a, '_>, declared: &Declared<'a>) -> Vec<Span> {
    let mut search = Search { bindings, declared, handlers: Vec::new(), made_for: HashMap::new() };
    search.visit_program(program);
    let mut found: Vec<Span> = Vec::new();
    let made_for = search.made_for;
    for handler in search.handlers {
        let mut run = Run::of(bindings, declared, &handler, &made_for);
        run.function(handler.function);
        found.extend(run.reaction());
    }
    found.sort_unstable_by_key(|span| (span.start, span.end));
    found.dedup();
    found
}

/// The functions that call themselves for each of several, with nothing that counts how deep.
pub fn spreading<'a>(bindings: &Bindings<'a, '_>, declared: &Declared<'a>) -> Vec<Span> {
    let made_for = HashMap::new();
    let functions = declared.order.iter().take(HANDLERS).filter_map(|symbol| declared.functions.get(symbol));
    let spreads = |function: &&Written<'a>| {
        let handler = Handler { function: **function, set_off_by: Vec::new(), queue: None };
        let mut run = Run::of(bindings, declared, &handler, &made_for);
        run.function(handler.function);
        run.calls_itself && !run.is_bounded
    };
    functions.filter(spreads).map(|function| function.span()).collect()
}

/// A function that is handed over, with what sets it off.
struct Handler<'a> {
    function: Written<'a>,
    /// Names of events, and paths up to their first parameter.
    set_off_by: Vec<String>,
    /// The queue whose work it does, or hears of: `new Worker('mails', function)`.
    queue: Option<String>,
}

struct Search<'w, 'a, 's> {
    bindings: &'w Bindings<'a, 's>,
    declared: &'w Declared<'a>,
    handlers: Vec<Handler<'a>>,
    /// What names were made for, by the name of a queue: `const queue = new Queue('mails')`.
    made_for: HashMap<SymbolId, String>,
}

impl<'a> Search<'_, 'a, '_> {
    fn function(&self, handed: &'a Expression<'a>) -> Option<Written<'a>> {
        match handed.get_inner_expression() {
            Expression::Identifier(name) => self.bindings.symbol(name).and_then(|symbol| self.declared.functions.get(&symbol)).copied(),
            other => Written::of(other),
        }
    }

    fn hand_over(&mut self, handler: Handler<'a>) {
        if self.handlers.len() < HANDLERS {
            self.handlers.push(handler);
        }
    }
}

impl<'a> VisitJs<'a> for Search<'_, 'a, '_> {
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let it: &'a CallExpression<'a> = self.alloc(it);
        let mut set_off_by = Vec::new();
        let callee = it.callee.get_inner_expression();
        let method = callee.as_member_expression().and_then(|member| member.static_property_name());
        // What is said to others is called like what was heard, but others hear it: `socket.on('message', (said) => tell(everybody, said))`.
        let hears = method.is_some_and(|method| LISTENING.contains(&method));
        for argument in it.arguments.iter().filter_map(Argument::as_expression) {
            match argument.get_inner_expression() {
                Expression::StringLiteral(text) if !hears || text.value.starts_with('/') => set_off_by.extend(trigger(&text.value)),
                Expression::ObjectExpression(options) => set_off_by.extend(triggers(options)),
                _ => {}
            }
        }
        let function = it.arguments.last().and_then(Argument::as_expression).and_then(|last| self.function(last));
        // `worker.on('completed', function)`
        let queue = callee.as_member_expression().and_then(|member| match member.object() {
            Expression::Identifier(name) => self.made_for.get(&self.bindings.symbol(name)?).cloned(),
            _ => None,
        });
        let queue = queue.filter(|_| hears);
        if let Some(function) = function.filter(|_| !set_off_by.is_empty() || queue.is_some()) {
            self.hand_over(Handler { function, set_off_by, queue });
        }
        walk_js::walk_call_expression(self, it);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        let it: &'a NewExpression<'a> = self.alloc(it);
        let function = it.arguments.iter().filter_map(Argument::as_expression).find_map(|argument| self.function(argument));
        if let (Some(function), Some(queue)) = (function, queue_of(it)) {
            self.hand_over(Handler { function, set_off_by: Vec::new(), queue: Some(queue) });
        }
        walk_js::walk_new_expression(self, it);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if let (BindingPattern::BindingIdentifier(name), Some(Expression::NewExpression(made))) = (&it.id, &it.init)
            && let (Some(symbol), Some(queue)) = (name.symbol_id.get(), queue_of(made))
        {
            self.made_for.insert(symbol, queue);
        }
        walk_js::walk_variable_declarator(self, it);
    }
}

/// The queue that is made something for: `new Worker('mails')`.
fn queue_of(made: &NewExpression<'_>) -> Option<String> {
    let name = match made.callee.get_inner_expression() {
        Expression::Identifier(name) => name.name.as_str(),
        callee => callee.as_member_expression()?.static_property_name()?,
    };
    let is_of_queue = words(name).iter().any(|word| list("queue-classes").contains(&word.as_str()));
    match made.arguments.first()? {
        Argument::StringLiteral(queue) if is_of_queue => Some(queue.value.to_string()),
        _ => None,
    }
}

/// What a text sets off: the name of an event, or a path up to its first parameter.
fn trigger(text: &str) -> Option<String> {
    let text = text.split([':', '*']).next().filter(|_| text.starts_with('/')).unwrap_or(text);
    (SHORTEST <= text.trim_matches('/').len() && !text.contains(char::is_whitespace)).then(|| text.to_owned())
}

fn triggers(options: &ObjectExpression<'_>) -> Vec<String> {
    let named = options.properties.iter().filter_map(|property| property.as_property());
    let events = named.filter(|property| property.key.static_name().is_some_and(|name| names_event(&name)));
    events
        .filter_map(|property| match property.value.get_inner_expression() {
            Expression::StringLiteral(text) => trigger(&text.value),
            _ => None,
        })
        .collect()
}

fn names_event(key: &str) -> bool {
    list("event-names").contains(&key)
}

/// What one run of a handler does.
struct Run<'w, 'a, 's> {
    bindings: &'w Bindings<'a, 's>,
    declared: &'w Declared<'a>,
    handler: &'w Handler<'a>,
    made_for: &'w HashMap<SymbolId, String>,
    /// The words of the texts with which it compares.
    asked: HashSet<String>,
    depth: usize,
    /// How many loops there are around.
    repeats: usize,
    /// Of each of them, whether it goes over a part of what the handler was passed: that comes to an end by itself.
    goes_down: Vec<bool>,
    seen: HashSet<Span>,
    /// Where the event or the path is named to something that it calls, and whether in a loop.
    named: Vec<(Span, bool)>,
    /// The methods that are called: the words of their names, where, and whether in a loop.
    done: Vec<(Vec<String>, Span, bool)>,
    /// Something is sent or started.
    sends: bool,
    /// It does different work for different names: one job may make several of another kind.
    dispatches: bool,
    /// It calls itself in a loop.
    calls_itself: bool,
    /// It counts, looks up what it did before, or asks who it was.
    is_bounded: bool,
}

impl<'w, 'a, 's> Run<'w, 'a, 's> {
    /// Nothing was looked at yet.
    fn of(
        bindings: &'w Bindings<'a, 's>,
        declared: &'w Declared<'a>,
        handler: &'w Handler<'a>,
        made_for: &'w HashMap<SymbolId, String>,
    ) -> Self {
        Self {
            bindings,
            declared,
            handler,
            made_for,
            asked: HashSet::new(),
            depth: 0,
            repeats: 0,
            goes_down: Vec::new(),
            seen: HashSet::new(),
            named: Vec::new(),
            done: Vec::new(),
            sends: false,
            dispatches: false,
            calls_itself: false,
            is_bounded: false,
        }
    }

    /// Where it sets itself off, if it does so more than once.
    fn reaction(self) -> Option<Span> {
        if self.is_bounded {
            return None;
        }
        let several = |places: &[(Span, bool)]| {
            let first = places.first()?;
            (1 < places.len() || first.1).then_some(first.0)
        };
        // What it asks of what came in is what it does: it asks for the creation of comments, and creates some.
        let is_asked = |called: &&(Vec<String>, Span, bool)| 1 < called.0.len() && called.0.iter().all(|word| self.asked.contains(word));
        let done: Vec<(Span, bool)> = self.done.iter().filter(is_asked).map(|(_, span, repeats)| (*span, *repeats)).collect();
        // Two jobs for each one are more each time, unless they are of another kind. Of two events or calls, each may be for another case.
        let named = match self.handler.queue {
            Some(_) if self.dispatches => None,
            Some(_) => several(&self.named),
            None => self.named.iter().find(|(_, repeats)| *repeats).map(|(span, _)| *span),
        };
        named.filter(|_| self.sends).or_else(|| several(&done))
    }

    fn function(&mut self, function: Written<'a>) {
        if DEPTH < self.depth || !self.seen.insert(function.span()) {
            return;
        }
        self.depth += 1;
        match function.expression() {
            Some(expression) => self.visit_expression(expression),
            None => function.statements().iter().for_each(|statement| self.visit_statement(statement)),
        }
        self.depth -= 1;
    }

    /// The queue that what a method is called on was made for.
    fn queue(&self, callee: &Expression<'a>) -> Option<&'w String> {
        match callee.as_member_expression()?.object() {
            Expression::Identifier(name) => self.made_for.get(&self.bindings.symbol(name)?),
            _ => None,
        }
    }

    fn repeated(&mut self, over: Option<&Expression<'a>>, visit: impl FnOnce(&mut Self)) {
        self.repeats += 1;
        self.goes_down.push(over.is_some_and(|over| self.is_passed(over)));
        visit(self);
        self.goes_down.pop();
        self.repeats -= 1;
    }

    /// Returns true if and only if an expression is a part of what the function is passed: `node.children`.
    fn is_passed(&self, over: &Expression<'a>) -> bool {
        let mut root = over.get_inner_expression();
        loop {
            root = match root {
                Expression::Identifier(name) => {
                    let parameters = self.handler.function.parameters();
                    let mut names = parameters.items.iter().flat_map(|parameter| parameter.pattern.get_binding_identifiers());
                    return names.any(|parameter| parameter.name == name.name);
                }
                Expression::CallExpression(call) => call.callee.get_inner_expression(),
                Expression::LogicalExpression(either) => either.left.get_inner_expression(),
                Expression::ChainExpression(chain) => match chain.expression.as_member_expression() {
                    Some(member) => member.object().get_inner_expression(),
                    None => return false,
                },
                other => match other.as_member_expression() {
                    Some(member) => member.object().get_inner_expression(),
                    None => return false,
                },
            };
        }
    }

    /// Whether a text under a key has this handler run again: the event's name, or an address at which something calls back.
    fn is_back(&self, key: &str, text: &str) -> bool {
        let calls_back = words(key).iter().any(|word| list("calling-back").contains(&word.as_str()));
        let is_it = |set_off_by: &String| {
            if set_off_by.starts_with('/') {
                calls_back && text.contains(set_off_by.as_str())
            } else {
                names_event(key) && text == set_off_by
            }
        };
        self.handler.set_off_by.iter().any(is_it)
    }
}

impl<'a> VisitJs<'a> for Run<'_, 'a, '_> {
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let it: &'a CallExpression<'a> = self.alloc(it);
        let callee = it.callee.get_inner_expression();
        let method = callee.as_member_expression().and_then(|member| member.static_property_name());
        if let Some(method) = method {
            let said = words(method);
            let puts_in = said.iter().any(|word| list("setting-off").contains(&word.as_str()));
            self.sends |= puts_in;
            // What was done before is looked up, or what came in is asked for an order.
            let asks = matches!(method, "has" | "includes" | "incr" | "exists" | "startsWith" | "endsWith" | "test" | "match" | "exec");
            self.is_bounded |= asks;
            // `queue.add(name, data)`, `queue.addBulk(jobs)`
            if puts_in && self.handler.queue.is_some() && self.queue(callee) == self.handler.queue.as_ref() {
                let is_several = said.iter().any(|word| matches!(word.as_str(), "bulk" | "many" | "batch" | "all"));
                self.named.push((span_of(it), is_several || 0 < self.repeats));
            }
            self.done.push((said.iter().map(|word| stem(word)).collect(), span_of(it), 0 < self.repeats));
        }
        let called = match callee {
            Expression::Identifier(name) => self.bindings.symbol(name).and_then(|symbol| self.declared.functions.get(&symbol)).copied(),
            _ => None,
        };
        if method.is_some_and(|method| matches!(method, "map" | "forEach" | "flatMap")) {
            self.visit_expression(&it.callee);
            let over = callee.as_member_expression().map(|member| member.object());
            self.repeated(over, |run| it.arguments.iter().for_each(|argument| run.visit_argument(argument)));
        } else {
            walk_js::walk_call_expression(self, it);
        }
        if let Some(called) = called {
            let goes_down = self.goes_down.last() == Some(&true);
            self.calls_itself |= 0 < self.repeats && !goes_down && called.span() == self.handler.function.span();
            self.function(called);
        }
    }

    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        let key = it.key.static_name().unwrap_or_default();
        let mut said = Said { texts: Vec::new() };
        said.visit_expression(&it.value);
        if said.texts.iter().any(|text| self.is_back(&key, text)) {
            self.named.push((span_of(it), 0 < self.repeats));
        }
        walk_js::walk_object_property(self, it);
    }

    fn visit_binary_expression(&mut self, it: &BinaryExpression<'a>) {
        let sides = [&it.left, &it.right].map(|side| side.get_inner_expression());
        let is_nothing = |side: &&Expression<'a>| matches!(side, Expression::NumericLiteral(number) if number.value == 0.0);
        if it.operator.is_compare() {
            // Whether there is any is no count.
            self.is_bounded |= !sides.iter().any(is_nothing);
        } else if it.operator.is_equality() {
            let texts = sides.iter().filter_map(|side| match side {
                Expression::StringLiteral(text) => Some(text.value.as_str()),
                _ => None,
            });
            self.asked.extend(texts.flat_map(words).map(|word| stem(&word)));
            self.is_bounded |= !sides.iter().any(|side| side.is_literal() || side.is_undefined());
            self.dispatches |= sides.iter().any(|side| names_kind(side));
        }
        walk_js::walk_binary_expression(self, it);
    }

    fn visit_switch_statement(&mut self, it: &SwitchStatement<'a>) {
        self.dispatches |= names_kind(&it.discriminant);
        walk_js::walk_switch_statement(self, it);
    }

    fn visit_identifier_name(&mut self, it: &oxc_ast::ast::IdentifierName<'a>) {
        // `if (message.author.bot) return`
        self.is_bounded |= words(&it.name).iter().any(|word| word == "bot");
    }

    fn visit_for_statement(&mut self, it: &ForStatement<'a>) {
        // The test counts, but only how often the loop runs.
        self.repeated(None, |run| run.visit_statement(&it.body));
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.visit_expression(&it.right);
        self.repeated(Some(&it.right), |run| run.visit_statement(&it.body));
    }

    fn visit_for_in_statement(&mut self, it: &ForInStatement<'a>) {
        self.repeated(None, |run| run.visit_statement(&it.body));
    }

    fn visit_while_statement(&mut self, it: &WhileStatement<'a>) {
        self.repeated(None, |run| walk_js::walk_while_statement(run, it));
    }

    // What is only declared in it runs where it is called.
    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        if !it.is_declaration() {
            walk_js::walk_function(self, it, flags);
        }
    }
}

/// `job.name`
fn names_kind(expression: &Expression<'_>) -> bool {
    let name = expression.get_inner_expression().as_member_expression().and_then(|member| member.static_property_name());
    matches!(name, Some("name" | "type" | "kind"))
}

/// The texts that stand in an expression.
struct Said {
    texts: Vec<String>,
}

impl<'a> VisitJs<'a> for Said {
    fn visit_string_literal(&mut self, it: &StringLiteral<'a>) {
        self.texts.push(it.value.to_string());
    }

    fn visit_template_element(&mut self, it: &TemplateElement<'a>) {
        self.texts.push(it.value.raw.to_string());
    }
}

/// A word as it is said of what is done: `create` of `created`.
fn stem(word: &str) -> String {
    word.trim_end_matches('d').trim_end_matches('e').to_owned()
}

//! Chain reactions: handlers that several times do what sets them off themselves, so that each of their runs makes more of them.
//!
//! What sets a handler off is told where it is handed over (`app.post('/status/:id', …)`, `{ event: 'order/created' }`) or by what it
//! asks of what came in (`if (event.type !== 'Comment') return`).

use std::collections::HashSet;

use oxc_ast::ast::{
    Argument, BinaryExpression, CallExpression, Expression, ForInStatement, ForOfStatement, ForStatement, Function, ObjectExpression,
    ObjectProperty, Program, StringLiteral, TemplateElement, WhileStatement,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_syntax::scope::ScopeFlags;

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
/// How many handlers of one script are looked at.
const HANDLERS: usize = 100;

/// The places at which handlers set themselves off several times.
pub fn reactions<'a>(program: &Program<'a>, bindings: &Bindings<'a, '_>, declared: &Declared<'a>) -> Vec<Span> {
    let mut search = Search { bindings, declared, handlers: Vec::new() };
    search.visit_program(program);
    let mut found: Vec<Span> = Vec::new();
    for handler in search.handlers {
        let mut run = Run {
            bindings,
            declared,
            handler: &handler,
            asked: HashSet::new(),
            depth: 0,
            repeats: 0,
            seen: HashSet::new(),
            named: Vec::new(),
            done: Vec::new(),
            sends: false,
            is_bounded: false,
        };
        run.function(handler.function);
        found.extend(run.reaction());
    }
    found.sort_unstable_by_key(|span| (span.start, span.end));
    found.dedup();
    found
}

/// A function that is handed over, with what sets it off.
struct Handler<'a> {
    function: Written<'a>,
    /// Names of events, and paths up to their first parameter.
    set_off_by: Vec<String>,
}

struct Search<'w, 'a, 's> {
    bindings: &'w Bindings<'a, 's>,
    declared: &'w Declared<'a>,
    handlers: Vec<Handler<'a>>,
}

impl<'a> VisitJs<'a> for Search<'_, 'a, '_> {
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let it: &'a CallExpression<'a> = self.alloc(it);
        let mut set_off_by = Vec::new();
        for argument in it.arguments.iter().filter_map(Argument::as_expression) {
            match argument.get_inner_expression() {
                Expression::StringLiteral(text) => set_off_by.extend(trigger(&text.value)),
                Expression::ObjectExpression(options) => set_off_by.extend(triggers(options)),
                _ => {}
            }
        }
        let function = it.arguments.last().and_then(Argument::as_expression).and_then(|last| match last.get_inner_expression() {
            Expression::Identifier(name) => self.bindings.symbol(name).and_then(|symbol| self.declared.functions.get(&symbol)).copied(),
            other => Written::of(other),
        });
        if let Some(function) = function.filter(|_| !set_off_by.is_empty() && self.handlers.len() < HANDLERS) {
            self.handlers.push(Handler { function, set_off_by });
        }
        walk_js::walk_call_expression(self, it);
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
    /// The words of the texts with which it compares.
    asked: HashSet<String>,
    depth: usize,
    /// How many loops there are around.
    repeats: usize,
    seen: HashSet<Span>,
    /// Where the event or the path is named to something that it calls, and whether in a loop.
    named: Vec<(Span, bool)>,
    /// The methods that are called: the words of their names, where, and whether in a loop.
    done: Vec<(Vec<String>, Span, bool)>,
    /// Something is sent or started.
    sends: bool,
    /// It counts, looks up what it did before, or asks who it was.
    is_bounded: bool,
}

impl<'a> Run<'_, 'a, '_> {
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
        several(&self.named).filter(|_| self.sends).or_else(|| several(&done))
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

    fn repeated(&mut self, visit: impl FnOnce(&mut Self)) {
        self.repeats += 1;
        visit(self);
        self.repeats -= 1;
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
            self.sends |= said.iter().any(|word| list("setting-off").contains(&word.as_str()));
            self.is_bounded |= matches!(method, "has" | "includes" | "incr" | "exists");
            self.done.push((said.iter().map(|word| stem(word)).collect(), span_of(it), 0 < self.repeats));
        }
        let called = match callee {
            Expression::Identifier(name) => self.bindings.symbol(name).and_then(|symbol| self.declared.functions.get(&symbol)).copied(),
            _ => None,
        };
        if method.is_some_and(|method| matches!(method, "map" | "forEach" | "flatMap")) {
            self.visit_expression(&it.callee);
            self.repeated(|run| it.arguments.iter().for_each(|argument| run.visit_argument(argument)));
        } else {
            walk_js::walk_call_expression(self, it);
        }
        if let Some(called) = called {
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
        }
        walk_js::walk_binary_expression(self, it);
    }

    fn visit_identifier_name(&mut self, it: &oxc_ast::ast::IdentifierName<'a>) {
        // `if (message.author.bot) return`
        self.is_bounded |= words(&it.name).iter().any(|word| word == "bot");
    }

    fn visit_for_statement(&mut self, it: &ForStatement<'a>) {
        // The test counts, but only how often the loop runs.
        self.repeated(|run| run.visit_statement(&it.body));
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.visit_expression(&it.right);
        self.repeated(|run| run.visit_statement(&it.body));
    }

    fn visit_for_in_statement(&mut self, it: &ForInStatement<'a>) {
        self.repeated(|run| run.visit_statement(&it.body));
    }

    fn visit_while_statement(&mut self, it: &WhileStatement<'a>) {
        self.repeated(|run| walk_js::walk_while_statement(run, it));
    }

    // What is only declared in it runs where it is called.
    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        if !it.is_declaration() {
            walk_js::walk_function(self, it, flags);
        }
    }
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

//! What may reach which call, beside what the interpreter saw.

use std::cell::LazyCell;

use oxc_ast::ast::{Argument, Expression, ObjectPropertyKind};
use oxc_syntax::operator::BinaryOperator;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::format::script::cover::alike::Alike;
use crate::format::script::cover::call::Passed;
use crate::format::script::cover::graph::{ADDRESS, DATA, FOREIGN, Held, KEEPS, Marks, Node, SHARED, WAYS};
use crate::format::script::cover::{Cover, runtime};
use crate::format::script::interpret::{Bound, Exhaustion, Interpretation};
use crate::format::script::span::span_of;
use crate::knowledge::api::{ADDRESS_IN_TEXT, shown};
use crate::knowledge::words::Tag;
use crate::subject::call::{Call, Disguise, HostCall, Property, Repeat, Tool, Value};
use crate::subject::flow::{CallRef, Flow, Step, Strength, Way};
use crate::subject::segment::HOLE;
use crate::value::span::Span;
use crate::value::words::words;

/// A call as it stands in the script.
pub struct Site {
    /// The whole call.
    pub span: Span,
    /// What is called.
    pub callee: Option<Node>,
    /// The last name by which it is called.
    pub name: Option<String>,
    /// What it is called on.
    pub this: Option<Node>,
    /// What is passed.
    pub passed: Vec<Passed>,
    /// What is passed, as far as it is written out.
    pub texts: Vec<Value>,
    /// What it is.
    pub kind: SiteKind,
}

/// What stands in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteKind {
    /// A call.
    Call,
    /// A construction.
    New,
    /// A call of a function that only computes.
    Computing,
    /// A call that the runtime makes of something that it is passed.
    Hidden,
    /// An assignment, or an attribute.
    Assignment,
}

/// What is passed, as far as it is written out.
pub fn texts(arguments: &[Argument<'_>]) -> Vec<Value> {
    arguments.iter().take(8).map(|argument| argument.as_expression().map_or(Value::Missing, written)).collect()
}

/// A value, as far as it is written out.
pub fn written(expression: &Expression<'_>) -> Value {
    written_to(expression, 8)
}

fn written_to(expression: &Expression<'_>, depth: u32) -> Value {
    let span = span_of(expression);
    let Some(depth) = depth.checked_sub(1) else { return Value::Dynamic(span) };
    match expression.get_inner_expression() {
        Expression::StringLiteral(text) => Value::String(text.value.to_string(), span),
        Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
            let text = template.quasis.first().and_then(|quasi| quasi.value.cooked.as_ref()).map_or_else(String::new, ToString::to_string);
            Value::String(text, span)
        }
        Expression::ObjectExpression(object) => {
            let mut properties = Vec::new();
            for property in &object.properties {
                if let ObjectPropertyKind::ObjectProperty(property) = property
                    && let Some(key) = property.key.static_name()
                {
                    let value = written_to(&property.value, depth);
                    properties.push(Property { key: key.to_string(), key_span: span_of(&property.key), value });
                }
            }
            Value::Object(properties, span)
        }
        Expression::ArrayExpression(array) => {
            let elements = array.elements.iter().filter_map(|element| element.as_expression());
            Value::Array(elements.map(|element| written_to(element, depth)).collect(), span)
        }
        Expression::TemplateLiteral(_) | Expression::BinaryExpression(_) => {
            let mut text = String::new();
            append(expression, &mut text);
            Value::Partial(text, span)
        }
        _ => Value::Dynamic(span),
    }
}

/// The text that an expression puts together, holes for what is not written out.
fn append(expression: &Expression<'_>, text: &mut String) {
    match expression.get_inner_expression() {
        Expression::StringLiteral(literal) => text.push_str(literal.value.as_str()),
        Expression::BinaryExpression(binary) if binary.operator == BinaryOperator::Addition => {
            append(&binary.left, text);
            append(&binary.right, text);
        }
        Expression::TemplateLiteral(template) => {
            for (at, quasi) in template.quasis.iter().enumerate() {
                text.push_str(quasi.value.cooked.as_ref().map_or("", |cooked| cooked.as_str()));
                if let Some(expression) = template.expressions.get(at) {
                    append(expression, text);
                }
            }
        }
        _ => text.push(HOLE),
    }
}

/// How many flows are added before of those that are alike a call gets one.
const TOLD: usize = 20_000;
/// How many flows are added to one script.
const MOST: usize = 200_000;

/// Adds the flows that may be there and were not seen.
pub fn add_flows(cover: &Cover<'_>, way: Way, found: &mut Interpretation) {
    let mut calls: FxHashMap<Span, Vec<CallRef>> = FxHashMap::default();
    for (span, call) in &found.places {
        calls.entry(*span).or_default().push(*call);
    }
    let mut places: FxHashMap<CallRef, Vec<Span>> = FxHashMap::default();
    for (span, call) in &found.places {
        places.entry(*call).or_default().push(*span);
    }
    // Which data the interpreter saw reaching which place.
    let mut seen: FxHashMap<Span, Marks> = FxHashMap::default();
    let is_told_apart = cover.told_apart();
    for flow in found.flows.iter().filter(|flow| Strength::Bit < flow.strength && is_told_apart(flow.origin)) {
        for span in places.get(&flow.sink).into_iter().flatten() {
            *seen.entry(*span).or_default() |= cover.mark_of(flow.origin);
        }
    }
    let matter: Vec<(usize, Marks)> = cover.marks.iter().copied().enumerate().filter(|(_, mark)| *mark != 0).collect();
    let mut alike: Option<Alike> = None;
    let mut added = Vec::new();
    let mut done: FxHashSet<(usize, CallRef)> = FxHashSet::default();
    // The global object is passed as `this`: nothing of it is sent.
    let of = |node: Node| if Some(node) == cover.graph.top { 0 } else { cover.graph.held(node).all() };
    let passed = |site: &Site| site.passed.iter().fold(0, |marks, passed| marks | of(passed.node)) & DATA;
    let is_of_own = |site: &Site| site.callee.is_some_and(|callee| is_own_function(cover, callee));
    let within: LazyCell<FxHashMap<Span, Marks>, _> =
        LazyCell::new(|| cover.sites.iter().filter(|site| !is_of_own(site)).map(|site| (site.span, passed(site))).collect());
    for site in &cover.sites {
        let known = seen.get(&site.span).copied().unwrap_or_default();
        let mut carried = passed(site) & !known;
        if carried == 0 {
            continue;
        }
        // Of what a wrapper is passed only what arrives at the call within it goes there.
        if let Some(calls) = calls.get(&site.span).filter(|_| is_of_own(site)) {
            let inner = || calls.iter().flat_map(|call| places.get(call).into_iter().flatten()).filter_map(|span| within.get(span));
            if inner().next().is_some() {
                carried &= inner().fold(0, |marks, inner| marks | inner);
            }
        }
        if carried == 0 {
            continue;
        }
        let here = match calls.get(&site.span) {
            Some(calls) => calls.clone(),
            None if cover.known.contains_key(&site.span) => continue,
            None => match unknown_call(cover, site, found) {
                Some(call) => vec![call],
                None => continue,
            },
        };
        let argument = |mark: Marks| site.passed.iter().position(|passed| of(passed.node) & mark != 0).unwrap_or_default();
        if added.len() < TOLD {
            for &(index, mark) in &matter {
                let own = found.origins.get(index).and_then(|origin| origin.call);
                if carried & mark == 0 || own.is_some_and(|own| here.contains(&own)) {
                    continue;
                }
                let new = here.iter().filter(|call| done.insert((index, **call)));
                added.extend(new.map(|call| Flow { way, ..flow(index, (*call, argument(mark)), site.span, found) }));
            }
            continue;
        }
        let alike = alike.get_or_insert_with(|| Alike::of(cover, found));
        for call in here {
            for index in alike.untold(call, carried, found) {
                if done.insert((index, call)) {
                    added.push(Flow { way, ..flow(index, (call, argument(cover.mark_of(index))), site.span, found) });
                }
            }
        }
        if MOST < added.len() {
            found.exhaustion.get_or_insert(Exhaustion { bound: Bound::Flows, function: None, span: None });
            break;
        }
    }
    found.flows.extend(added);
}

impl Cover<'_> {
    /// Returns true if and only if data of any origin may be passed in a place; `itself`, if only texts count, not what objects
    /// hold. What may be a function is taken for one: a timer that is given a callback by many runs no text.
    pub fn carries_data(&self, site: &Site, itself: bool) -> bool {
        let is_function = |held: &Held| held.is_many || !held.functions.is_empty();
        let carried = |held: &Held| {
            if !itself {
                held.all()
            } else if is_function(held) {
                0
            } else {
                held.own
            }
        };
        site.passed.iter().any(|passed| carried(self.graph.held(passed.node)) & DATA != 0)
    }
}

/// A flow into an argument of a call, by a way that is not known.
fn flow(origin: usize, (sink, argument): (CallRef, usize), span: Span, found: &Interpretation) -> Flow {
    let name = match sink {
        CallRef::Tool(at) => found.calls.get(at).map(|call| call.tool.shown().to_owned()),
        CallRef::Host(at) => found.host_calls.get(at).map(|call| shown(&call.api)),
    };
    let name = name.unwrap_or_default();
    let read = found.origins.get(origin).map(|origin| Step { span: origin.span, note: format!("read from `{}`", origin.name) });
    let passed = Step { span, note: format!("may be passed to `{name}`, by a way that is not followed") };
    let steps = read.into_iter().chain([passed]).collect();
    let argument = match sink {
        // A tool's name stands first, its argument second.
        CallRef::Tool(_) => String::new(),
        CallRef::Host(_) => argument.to_string(),
    };
    Flow { origin, field: String::new(), sink, argument, strength: Strength::Whole, is_plain: false, is_one: false, way: Way::Open, steps }
}

/// Returns true if and only if what is called is a function of the script, and nothing else.
fn is_own_function(cover: &Cover<'_>, node: Node) -> bool {
    let held = cover.graph.held(node);
    !held.functions.is_empty() && !held.is_many && held.own & FOREIGN == 0
}

/// A call that the interpreter did not take for one that leads out, though what is called may do so.
fn unknown_call(cover: &Cover<'_>, site: &Site, found: &mut Interpretation) -> Option<CallRef> {
    let own = |node: Node| match site.kind {
        SiteKind::Call | SiteKind::New | SiteKind::Hidden => cover.graph.held(node).own & WAYS,
        SiteKind::Computing | SiteKind::Assignment => 0,
    };
    let direct = site.callee.map_or(0, own) | site.this.map_or(0, own);
    // What a function of the script does with what it is handed is followed in the function.
    let is_followed =
        site.kind == SiteKind::Call && site.this.is_none() && site.callee.is_some_and(|callee| is_own_function(cover, callee));
    let ways = if direct == 0 && !is_followed { site.passed.iter().fold(0, |ways, passed| ways | own(passed.node)) } else { direct };
    let way = match cover.ways.of(ways) {
        Some(way) if site.kind == SiteKind::New && runtime::only_clients_lead_out(way) => return None,
        // `client.domains(id).fetch()`: the function of that name would be told what to send.
        Some(way) if site.kind == SiteKind::Call && site.this.is_some() && site.texts.is_empty() && site.name.as_deref() == Some(way) => {
            return None;
        }
        Some(way) if site.name.as_deref().is_none_or(|name| runtime::may_lead_out(way, name)) => way,
        Some(_) => return None,
        None if loads_data(cover, site) => ADDRESS_IN_TEXT,
        None => return None,
    };
    if way == runtime::TOOL {
        let named = site.texts.iter().enumerate().find_map(|(at, text)| match text {
            Value::String(name, span) => Some((at, name.clone(), *span)),
            _ => None,
        });
        let argument = named.as_ref().and_then(|(at, ..)| site.texts.get(at + 1)).cloned().unwrap_or(Value::Dynamic(site.span));
        let tool_span = named.as_ref().map_or(site.span, |(_, _, span)| *span);
        let tool = named.map_or(Tool::Dynamic, |(_, name, _)| Tool::Named(name));
        found.calls.push(Call {
            tool,
            argument,
            loop_depth: 0,
            repeated: false,
            repeat: Repeat::Once,
            over: Vec::new(),
            nth: u32::try_from(found.calls.len()).unwrap_or(u32::MAX),
            earlier: 0,
            doc: None,
            hints: Vec::new(),
            span: site.span,
            tool_span,
            is_method: false,
            disguise: Disguise::None,
        });
        return Some(CallRef::Tool(found.calls.len() - 1));
    }
    let arguments = if way == ADDRESS_IN_TEXT { addresses(cover, site) } else { site.texts.clone() };
    found.host_calls.push(HostCall {
        api: way.to_owned(),
        arguments,
        receiver: Vec::new(),
        loop_depth: 0,
        repeated: false,
        repeat: Repeat::Once,
        earlier: 0,
        span: site.span,
        callers: Vec::new(),
    });
    Some(CallRef::Host(found.host_calls.len() - 1))
}

/// What is passed, as addresses: where it is not written out in its place, those in which the same data stands elsewhere.
fn addresses(cover: &Cover<'_>, site: &Site) -> Vec<Value> {
    if site.texts.iter().any(is_address) {
        return site.texts.iter().map(address_in).collect();
    }
    let data = |node: Node| cover.graph.held(node).own & DATA;
    let passed = site.passed.iter().fold(0, |marks, passed| marks | data(passed.node));
    let found = cover.addresses.iter().filter(|(node, _)| data(*node) & passed != 0);
    vec![Value::OneOf(found.map(|(_, text)| address_in(text)).collect(), site.span)]
}

/// Returns true if and only if an address stands in a text of which not all is known.
fn is_address(value: &Value) -> bool {
    matches!(value, Value::Partial(text, _) if text.contains("//"))
}

/// The address that stands in a text, where one does: `url(https://…`.
fn address_in(value: &Value) -> Value {
    let Value::Partial(text, span) = value else { return value.clone() };
    let Some(at) = text.find("//") else { return value.clone() };
    let (before, rest) = text.split_at(at);
    let is_part = |character: char| character.is_ascii_alphanumeric() || matches!(character, '+' | '-' | '.');
    let scheme = before.strip_suffix(':').map(|before| before.rsplit(|character| !is_part(character)).next().unwrap_or_default());
    let end = rest.find(['"', '\'', '`', '<', '>', ')', ' ']).unwrap_or(rest.len());
    let scheme = scheme.filter(|scheme| !scheme.is_empty()).unwrap_or("https");
    Value::Partial(format!("{scheme}:{}", rest.get(..end).unwrap_or(rest)), *span)
}

/// Returns true if and only if data stands in an address that is handed to something that is not the script's.
fn loads_data(cover: &Cover<'_>, site: &Site) -> bool {
    let on = site.this.or(site.callee).map_or(0, |node| cover.graph.held(node).own);
    // Of a module it would be known, or is its own affair.
    let is_of_page = on & FOREIGN != 0 && on & (SHARED | KEEPS) == 0 || site.callee.is_some_and(|callee| cover.is_global(callee));
    let is_in_address = |node: Node| {
        let own = cover.graph.held(node).own;
        own & ADDRESS != 0 && own & DATA != 0
    };
    // Who knows the property knows whether a page loads or shows it.
    let is_shown = || site.name.as_deref().is_none_or(|name| Tag::ShownKey.has_any(words(name)));
    let is_written = if site.kind == SiteKind::Assignment { is_shown() } else { site.texts.iter().any(is_address) };
    matches!(site.kind, SiteKind::Call | SiteKind::New | SiteKind::Assignment)
        && is_of_page
        && is_written
        && site.passed.iter().any(|passed| is_in_address(passed.node))
}

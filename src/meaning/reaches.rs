//! Where each call of a subject reaches, by its tool or API, its arguments, and what other calls have opened.

use std::collections::HashMap;

use crate::knowledge::command::list;
use crate::knowledge::effect::EffectKind;
use crate::knowledge::target::{is_address, is_file_target, is_target};
use crate::knowledge::tool::{ToolProfile, believed, tool_in};
use crate::knowledge::words::Tag;
use crate::knowledge::{Api, Destination, House, Side, SinkKind, api, destination};
use crate::meaning::argument::{choices, properties};
use crate::meaning::command::sending;
use crate::meaning::line;
use crate::meaning::opening::follow_openings;
use crate::meaning::places::places;
use crate::meaning::reach::Reach;
use crate::subject::Subject;
use crate::subject::call::{Call, HostCall, Repeat, Tool, Value};
use crate::subject::flow::{CallRef, OriginKind, Strength};
use crate::subject::segment::HOLE;
use crate::value::words::{split_owner, words};

/// How many places one object is known to lead to.
const PLACES: usize = 16;
/// Where each call of a subject reaches: first the tool calls, then the calls of host APIs.
pub fn reaches(subject: &Subject, house: &House) -> Vec<Reach> {
    let mut tools: Vec<Reach> = subject.calls.iter().enumerate().map(|(index, call)| tool_reach(index, call, house)).collect();
    follow_pushes(&mut tools);
    follow_connections(house, &mut tools);
    follow_openings(subject, house, &mut tools);
    let opened = opened(subject, house);
    let hosts = subject.host_calls.iter().enumerate().map(|(index, call)| host_reach(&opened, index, call, house));
    let mut hosts: Vec<Reach> = hosts.collect();
    follow_answers(subject, house, &mut hosts);
    tools.into_iter().chain(hosts).collect()
}

/// What is sent to an address that an answer from elsewhere names goes to whoever gave the answer: `put(ticket.uploadUrl, …)`.
fn follow_answers(subject: &Subject, house: &House, hosts: &mut [Reach]) {
    for flow in subject.flows.iter().filter(|flow| flow.is_followed() && flow.strength == Strength::Whole) {
        let CallRef::Host(index) = flow.sink else { continue };
        let Some(reach) = hosts.get_mut(index) else { continue };
        let names_place = reach.does(SinkKind::Network) && reach.targets.contains(&flow.argument.as_str());
        if !names_place
            || reach.is_constant
            || reach.side != Side::Unknown
            || reach.shown.as_deref().is_some_and(|shown| shown.contains("://"))
        {
            continue;
        }
        let origin = subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::Network);
        let Some(place) = origin.and_then(|origin| origin.detail.as_deref()).map(|detail| destination(detail, house)) else { continue };
        reach.is_led |= place.side == Side::Outside;
    }
}

/// What is committed goes where the script pushes.
fn follow_pushes(tools: &mut [Reach]) {
    let is_git = |reach: &Reach| words(&reach.name).iter().any(|word| matches!(word.as_str(), "git" | "commit" | "repo"));
    let pushed = tools.iter().find(|reach| reach.side == Side::Outside && reach.shown.is_some() && is_git(reach));
    let Some(shown) = pushed.and_then(|reach| reach.shown.clone()) else { return };
    for reach in tools.iter_mut().filter(|reach| reach.side == Side::Unknown && is_git(reach)) {
        (reach.side, reach.is_constant, reach.shown) = (Side::Outside, true, Some(shown.clone()));
        if reach.outgoing().is_none() {
            reach.sinks.push(SinkKind::Publish);
        }
    }
}

/// What is sent over a connection goes where the same owner's tool opened it.
fn follow_connections(house: &House, tools: &mut [Reach]) {
    let owner = |reach: &Reach| split_owner(&reach.name).0.to_lowercase();
    let opens = |reach: &Reach| {
        let all = words(split_owner(&reach.name).1);
        // What a row says to send has done so, and leads nothing else there: an address that is opened in a tab.
        Tag::Connecting.has_any(all.iter()) && !believed(&reach.name, house).is_named(EffectKind::Send)
    };
    let opened =
        tools.iter().filter(|reach| opens(reach) && reach.side == Side::Outside && reach.shown.is_some() && !owner(reach).is_empty());
    let opened: HashMap<String, Option<String>> = opened.map(|reach| (owner(reach), reach.shown.clone())).collect();
    for reach in tools.iter_mut().filter(|reach| reach.side == Side::Unknown && !reach.is_constant && !opens(reach)) {
        let Some(shown) = opened.get(&owner(reach)) else { continue };
        (reach.side, reach.is_constant, reach.shown) = (Side::Outside, true, shown.clone());
        if reach.outgoing().is_none() {
            reach.sinks.push(SinkKind::Network);
        }
    }
}

fn tool_reach(index: usize, call: &Call, house: &House) -> Reach {
    let profile = tool_in(call.tool.name().unwrap_or_default(), house);
    let places = places(call, &profile, house);
    let mut sinks = profile.sinks.clone();
    // Who is told of a place elsewhere sends there, whatever it is called.
    if profile.outgoing().is_none() && !profile.is_trusted {
        sinks.extend(places.sink);
    }
    if !profile.does(SinkKind::FileWrite) && (profile.writes || profile.reads && names_url(&call.argument)) && names_file(&call.argument) {
        sinks.push(SinkKind::FileWrite);
    }
    // A function of a database whose name says that it runs any statement: `rpc('exec_sql', { query })`.
    let runs = |text: &str| {
        let said = words(text);
        let has = |any: &str| said.iter().any(|word| list(any).contains(&word.as_str()));
        said.len() <= 3 && has("running-statements") && has("run-statements")
    };
    if !profile.does(SinkKind::Query) && has_text(&call.argument, |key, text| key == "function" && runs(text)) {
        sinks.push(SinkKind::Query);
    }
    let mut worst = worst(places.found);
    if profile.does(SinkKind::Command)
        && let Some(place) = command_destination(&call.argument, house)
    {
        sinks.push(SinkKind::Network);
        worst = Some(place);
    }
    if let Some(place) = formula_destination(&call.argument, house) {
        sinks.push(SinkKind::Network);
        worst = Some(place);
    }
    if runs_code(&call.tool)
        && let Some(place) = script_destination(&call.argument, house)
    {
        sinks.push(SinkKind::Network);
        worst = Some(place);
    }
    let side = tool_side(&profile, worst.as_ref());
    Reach {
        call: CallRef::Tool(index),
        name: call.tool.shown().to_owned(),
        sinks,
        side,
        is_constant: worst.as_ref().is_some_and(|place| place.side != Side::Unknown),
        shown: worst.filter(|place| place.side == side || place.side == Side::Unknown).map(|place| place.shown),
        is_led: false,
        has_target: places.has_target,
        targets: &[],
        api: None,
        repeat: call.repeat,
        is_repeated: call.is_repeated(),
        span: call.span,
    }
}

/// Returns true if and only if an argument names the file that a tool works on: whatever the tool is called, one that
/// writes (`Edit`, `str_replace`) then writes there.
fn names_file(argument: &Value) -> bool {
    let is_place = |text: &str| !text.is_empty() && !text.contains("://") && !text.contains('\n');
    let is_path = |text: &str| text.contains(['/', '\\']) || text.starts_with(['~', '.']);
    let says_file = |key: &str| Tag::FileKey.has_any(words(key));
    has_text(argument, |key, text| is_file_target(key) && is_place(text) && (says_file(key) || is_path(text)))
}

/// Returns true if and only if an argument names what is fetched: with a file beside it, that is where it is put.
fn names_url(argument: &Value) -> bool {
    has_text(argument, |_, text| is_address(text) && text.contains("://"))
}

/// Returns true if and only if a text that stands under a key of an argument fits.
fn has_text(argument: &Value, fits: impl Fn(&str, &str) -> bool) -> bool {
    properties(argument).into_iter().any(|property| match &property.value {
        Value::String(text, _) | Value::Partial(text, _) => fits(&property.key, text),
        _ => false,
    })
}

fn tool_side(profile: &ToolProfile, target: Option<&Destination>) -> Side {
    match (profile.is_trusted, target.map(|place| place.side)) {
        (true, _) => Side::Inside,
        (false, Some(side @ (Side::Inside | Side::Outside))) => side,
        (false, Some(Side::Unknown) | None) => profile.side.unwrap_or(Side::Unknown),
    }
}

fn worst(found: Vec<Destination>) -> Option<Destination> {
    found.into_iter().filter(|place| !place.shown.is_empty()).max_by_key(|place| place.side)
}

/// Where a formula of a table fetches from, if one does: whoever opens the table sends what stands in the address.
fn formula_destination(argument: &Value, house: &House) -> Option<Destination> {
    let mut found = Vec::new();
    argument.visit("", &mut |_, value| {
        if let Value::String(text, _) | Value::Partial(text, _) = value
            && text.trim_start().starts_with('=')
            && let Some(at) = text.find("://")
            && text.get(at..).is_some_and(|rest| rest.contains([HOLE, '&']))
            && Tag::FetchingFunction.words().any(|function| text.to_lowercase().contains(function))
        {
            let start = text.get(..at).and_then(|before| before.rfind(['"', '\'', '('])).map_or(0, |quote| quote + 1);
            let address = text.get(start..).and_then(|rest| rest.split(['"', '\'', ')', '&']).next()).unwrap_or_default();
            found.push(destination(address, house));
        }
    });
    worst(found)
}

/// Returns true if and only if a tool runs code that it is given: in a page, or by itself.
fn runs_code(tool: &Tool) -> bool {
    Tag::Evaluating.has_any(words(tool.name().unwrap_or_default()))
}

/// Where code sends something into which a script puts what it has: `new Image().src = 'https://…' + …`.
fn script_destination(argument: &Value, house: &House) -> Option<Destination> {
    let mut found = Vec::new();
    argument.visit("", &mut |_, value| {
        let Value::Partial(text, _) = value else { return };
        let sends = |before: &str| {
            let line = before.rsplit([';', '\n']).next().unwrap_or(before);
            list("sending-in-pages").iter().any(|name| line.contains(name))
        };
        for (at, _) in text.match_indices("https://") {
            let (before, rest) = text.split_at(at);
            let address = rest.split(['"', '\'', '`', ' ', ')']).next().unwrap_or(rest);
            if rest.contains(HOLE) && sends(before) {
                found.push(destination(address, house));
            }
        }
    });
    worst(found)
}

/// Where a command sends something, if it does.
fn command_destination(argument: &Value, house: &House) -> Option<Destination> {
    let mut found = Vec::new();
    argument.visit("", &mut |_, value| {
        if let Value::String(text, _) | Value::Partial(text, _) = value {
            found.extend(sending::destinations(text).into_iter().map(|place| destination(place, house)));
        }
    });
    worst(found)
}

/// Where the objects lead that are made or opened in one call and used in another, by their paths.
fn opened<'s>(subject: &'s Subject, house: &House) -> HashMap<&'s str, Vec<Destination>> {
    let mut opened: HashMap<&str, Vec<Destination>> = HashMap::new();
    for call in &subject.host_calls {
        if let Some(api) = api(&call.api).filter(|api| !api.target.is_empty() && !owner(&call.api).is_empty()) {
            let places = opened.entry(owner(&call.api)).or_default();
            if places.len() < PLACES {
                places.extend(host_targets(api, call, house));
            }
        }
    }
    opened
}

/// The path of the object to which an API belongs, if it is one: `XMLHttpRequest()` of `XMLHttpRequest().send`.
fn owner(path: &str) -> &str {
    path.rsplit_once('.')
        .map_or("", |(owner, _)| owner)
        .strip_suffix("()")
        .and_then(|_| path.rsplit_once('.'))
        .map_or("", |(owner, _)| owner)
}

fn host_reach(opened: &HashMap<&str, Vec<Destination>>, index: usize, call: &HostCall, house: &House) -> Reach {
    let api = api(&call.api);
    let mut places = api.map(|api| host_targets(api, call, house)).unwrap_or_default();
    if places.is_empty() {
        // A request is opened in one call and sent in another.
        places = opened.get(owner(&call.api)).cloned().unwrap_or_default();
    }
    let mut sinks: Vec<SinkKind> = api.and_then(|api| api.sink).into_iter().collect();
    if sinks.contains(&SinkKind::Command) {
        let lines: Vec<Value> = line::lines(call).into_iter().map(|line| Value::Partial(line, call.span)).collect();
        let commands: Vec<Destination> =
            call.arguments.iter().chain(&lines).filter_map(|argument| command_destination(argument, house)).collect();
        if !commands.is_empty() {
            sinks.push(SinkKind::Network);
            places = commands;
        }
    }
    let worst = worst(places);
    // A client of models that is led elsewhere shows its key there.
    if sinks.contains(&SinkKind::Prompt) && worst.as_ref().is_some_and(|place| place.side == Side::Outside) {
        sinks.push(SinkKind::Network);
    }
    Reach {
        call: CallRef::Host(index),
        name: call.api.clone(),
        sinks,
        side: worst.as_ref().map_or(Side::Unknown, |place| place.side),
        is_constant: worst.as_ref().is_some_and(|place| place.side != Side::Unknown),
        shown: worst.map(|place| place.shown),
        is_led: false,
        has_target: api.is_some_and(|api| !api.target.is_empty()),
        targets: api.map_or(&[], |api| api.target),
        api,
        repeat: if call.repeated {
            Repeat::Each
        } else if 0 < call.loop_depth {
            Repeat::Open
        } else {
            Repeat::Once
        },
        is_repeated: call.repeated || 0 < call.loop_depth,
        span: call.span,
    }
}

fn host_targets(api: &Api, call: &HostCall, house: &House) -> Vec<Destination> {
    let mut found = Vec::new();
    for path in api.target {
        // What stands in a list stands there for each of its elements.
        let (path, below) = path.split_once(".[].").map_or((*path, None), |(path, below)| (path, Some(below)));
        let mut add = |value: &Value| texts(value, &mut |text| found.push(destination(text, house)));
        for value in values_at(call, path) {
            match below {
                None => add(value),
                Some(below) => value.visit("", &mut |key, value| {
                    if key == below {
                        add(value);
                    }
                }),
            }
        }
    }
    found
}

/// The addresses that a call's arguments may tell, whole.
pub fn addresses(reach: &Reach, subject: &Subject) -> Vec<String> {
    let mut found = Vec::new();
    let mut add = |value: &Value| texts(value, &mut |text| found.push(text.to_owned()));
    match reach.call {
        CallRef::Host(index) => {
            let call = subject.host_calls.get(index);
            reach.targets.iter().flat_map(|path| call.map(|call| values_at(call, path)).unwrap_or_default()).for_each(&mut add);
        }
        CallRef::Tool(index) => {
            let Some(call) = subject.calls.get(index) else { return found };
            call.argument.visit("", &mut |key, value| {
                if is_target(key) {
                    add(value);
                }
            });
        }
    }
    found
}

/// The values that may stand at a place of a call's arguments: `0`, `1.headers`, `this.0`.
pub fn values_at<'c>(call: &'c HostCall, path: &str) -> Vec<&'c Value> {
    let (values, path) = path.strip_prefix("this.").map_or((&call.arguments, path), |rest| (&call.receiver, rest));
    let mut keys = path.split('.');
    let first = keys.next().and_then(|first| values.get(first.parse::<usize>().ok()?));
    let mut found: Vec<&Value> = first.into_iter().collect();
    for key in keys {
        // In a loop it is one object in one round, and another one in the next.
        found = found.into_iter().flat_map(choices).filter_map(|value| property(value, key)).collect();
    }
    found
}

fn property<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    let Value::Object(properties, _) = value else { return None };
    properties.iter().find(|property| property.key == key).map(|property| &property.value)
}

/// Visits the texts that a value may be.
fn texts(value: &Value, visit: &mut impl FnMut(&str)) {
    match value {
        Value::String(text, _) | Value::Partial(text, _) => visit(text),
        Value::Array(values, _) | Value::OneOf(values, _) => values.iter().for_each(|value| texts(value, visit)),
        // A URL that was made of parts.
        Value::Object(properties, _) => {
            properties.iter().filter(|property| property.key == "href").for_each(|property| texts(&property.value, visit));
        }
        Value::Missing | Value::Number(..) | Value::Boolean(..) | Value::Null(_) | Value::Dynamic(_) => {}
    }
}

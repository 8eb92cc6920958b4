//! What each call of a subject does, computed once.

use std::collections::{HashMap, HashSet};

use crate::knowledge::effect::{Effect, EffectKind};
use crate::knowledge::tool::{Believed, believed, tool_in};
use crate::knowledge::words::Tag;
use crate::knowledge::{House, Side, SinkKind, destination};
use crate::meaning::action::deletion::{self, Turns};
use crate::meaning::action::{Action, Way, file, grant, keys, money, nested, newcomer, outsider, payee, query, remotes, route};
use crate::meaning::argument::{choices, is_dry_run, texts};
use crate::meaning::call::CallFeatures;
use crate::meaning::deletion::says_delete;
use crate::meaning::listing::{is_fed_by_listing, is_fed_by_things, is_of_one, is_picked, is_run_over};
use crate::meaning::passage::Ends;
use crate::meaning::statement::sql::{is_of_own, is_sql};
use crate::meaning::tables::tables_made;
use crate::meaning::tool::sweeping;
use crate::meaning::tool_kind::ToolName;
use crate::meaning::walk::Arguments;
use crate::subject::Subject;
use crate::subject::call::{Call, HostCall, Value};
use crate::value::severity::Severity;
use crate::value::span::Span;
use crate::value::words::{joined, split_owner};

/// The actions of a subject: of its tool calls and then of its calls of host APIs, in their order.
pub fn actions(subject: &Subject, calls: &[CallFeatures], ends: &Ends, walked: &[Arguments<'_>], house: &House) -> Vec<Action> {
    let made = tables_made(subject);
    let (refusing, led, remotes) = (refusing(subject), led(subject, house), remotes::remotes(subject, house));
    let tools = subject.calls.iter().zip(walked).enumerate().map(|(index, (call, argument))| {
        let is_fed = is_fed_by_listing(subject, calls, ends, index);
        let is_fed_by_things = is_fed_by_things(subject, calls, ends, index);
        let is_each = is_fed || is_run_over(subject, calls, index);
        let is_of_one = is_fed && is_of_one(subject, ends, index);
        let turns = Turns { repeat: call.repeat, is_repeated: call.is_repeated(), is_fed, is_fed_by_things, is_of_one, is_each };
        let picked = (is_fed || is_fed_by_things) && is_picked(subject, ends, index);
        let mut action = of_tool(call, argument, turns, picked, house);
        if !is_dry_run(&call.argument) {
            let later = subject.calls.get(index + 1..).unwrap_or_default();
            action.effects.extend(query::effects(call.tool.name().unwrap_or_default(), argument, later));
            action.effects.extend(file::over_listed(subject, ends, index, call));
            payee::tell(&mut action.effects, subject, ends, index, argument);
            payee::tell_taken(&mut action.effects, call, argument);
            newcomer::tell(&mut action.effects, subject, ends, index);
            newcomer::tell_rotated(&mut action.effects, subject, ends, index);
            action.nested.iter_mut().for_each(|inner| payee::tell_taken(&mut inner.effects, call, argument));
        }
        if call.is_repeated() && subject.is_of_program(call) && is_picked(subject, ends, index) {
            action.nested.iter_mut().flat_map(|inner| &mut inner.effects).for_each(one_of_few);
        }
        leave_out_own(&mut action, std::slice::from_ref(&call.argument), &made);
        leave_out_inside(&mut action, call, &led);
        remotes::leave_out_inside(&mut action, std::iter::once(&call.argument), &remotes);
        leave_out_asked(&mut action, call, &refusing);
        action
    });
    let hosts = subject.host_calls.iter().enumerate().map(|(index, call)| {
        let mut action = of_host(subject, ends, index, call, house);
        leave_out_own(&mut action, &call.arguments, &made);
        remotes::leave_out_inside(&mut action, call.arguments.iter(), &remotes);
        action
    });
    tools.chain(hosts).collect()
}

/// What a statement takes away by a name that is only known once the script runs: a condition says which of those that were listed.
fn one_of_few(effect: &mut Effect) {
    if effect.kind == EffectKind::Delete && effect.says.contains(UNNAMED) {
        effect.severity = Some(Severity::High);
        effect.says = format!("{}, of those that a condition chooses", effect.says);
    }
}

/// What is said of a statement's object that only is known once the script runs.
const UNNAMED: &str = "`?`";

/// What is done to tables alone that the script made itself is nobody's loss.
fn leave_out_own(action: &mut Action, arguments: &[Value], made: &[String]) {
    if made.is_empty() || action.effects.is_empty() && action.nested.is_empty() {
        return;
    }
    let all: Vec<_> = arguments.iter().flat_map(texts).collect();
    let mut statements = all.iter().filter(|text| is_sql(text.text)).peekable();
    if statements.peek().is_some() && statements.all(|text| is_of_own(text.text, made)) {
        let is_kept = |effect: &Effect| effect.kind != EffectKind::Delete;
        action.effects.retain(is_kept);
        action.nested.iter_mut().for_each(|own| own.effects.retain(is_kept));
    }
}

/// Where the addresses lead that stand in calls beside a name.
struct Led {
    /// The calls that say so: the last of them, and whether there are others.
    last: Span,
    is_said_again: bool,
    /// None of the addresses is one outside.
    is_inside: bool,
}

/// For what a script says names stand, by the owner of the tools and the name: a remote that it adds.
fn led<'s>(subject: &'s Subject, house: &House) -> HashMap<(&'s str, &'s str), Led> {
    let mut all: HashMap<_, Led> = HashMap::new();
    for call in &subject.calls {
        let Some(owner) = owner(call) else { continue };
        let (mut names, mut sides) = (Vec::new(), Vec::new());
        call.argument.visit("", &mut |key, value| {
            let (Value::String(text, _) | Value::Partial(text, _)) = value else { return };
            if Tag::AddressKey.has(&joined(key)) {
                sides.push(destination(text, house).side);
            } else {
                names.push(text.as_str());
            }
        });
        let is_inside = sides.iter().all(|side| *side == Side::Inside);
        for name in names.into_iter().filter(|_| !sides.is_empty()) {
            let known = all.entry((owner, name)).or_insert(Led { last: call.span, is_said_again: false, is_inside });
            known.is_said_again |= known.last != call.span;
            known.last = call.span;
            known.is_inside &= is_inside;
        }
    }
    all
}

/// What is sent to a name stays inside where the script itself says that the name stands for a place inside, and for no other:
/// a remote that it adds and then pushes to.
fn leave_out_inside(action: &mut Action, call: &Call, led: &HashMap<(&str, &str), Led>) {
    if !action.nested.iter().any(|own| own.way == Way::Statement && own.effects.iter().any(|effect| effect.kind == EffectKind::Send)) {
        return;
    }
    let Some(owner) = owner(call) else { return };
    let names = texts(&call.argument);
    let elsewhere = |led: &&Led| led.is_said_again || led.last != call.span;
    let mut places = names.iter().filter_map(|name| led.get(&(owner, name.text))).filter(elsewhere).peekable();
    if places.peek().is_some() && places.all(|led| led.is_inside) {
        let is_kept = |effect: &Effect| effect.kind != EffectKind::Send;
        action.nested.iter_mut().filter(|own| own.way == Way::Statement).for_each(|own| own.effects.retain(is_kept));
    }
}

/// The tools by which a script refuses what is asked, in some case.
fn refusing(subject: &Subject) -> HashSet<&str> {
    let answers = |call: &&Call| call.tool.name().is_some_and(|name| split_owner(name).1.starts_with(ANSWERING));
    let refuses = |call: &&Call| {
        let mut is_no = false;
        call.argument.visit("", &mut |_, value| {
            is_no |= matches!(value, Value::Boolean(false, _)) || matches!(value, Value::Number(number, _) if *number < 0.0);
        });
        is_no
    };
    subject.calls.iter().filter(answers).filter(refuses).filter_map(|call| call.tool.name()).collect()
}

/// Who answers a question in one case and refuses it in another looks at what is asked: that lifts no guard.
fn leave_out_asked(action: &mut Action, call: &Call, refusing: &HashSet<&str>) {
    if call.tool.name().is_some_and(|name| refusing.contains(name)) {
        let is_kept = |effect: &Effect| effect.kind != EffectKind::GuardOff;
        action.nested.iter_mut().for_each(|own| own.effects.retain(is_kept));
    }
}

/// How the names of tools begin that answer a question of the runtime.
const ANSWERING: &str = "answer_";

fn owner(call: &Call) -> Option<&str> {
    call.tool.name().map(|name| split_owner(name).0)
}

/// What a call of a tool does: of one that is made several times with what is known, what each of them does. What one of them says
/// neither adds to another nor takes away from it.
fn of_tool(call: &Call, argument: &Arguments<'_>, turns: Turns, is_picked: bool, house: &House) -> Action {
    let each = choices(argument.whole);
    let [first, _, ..] = each.as_slice() else { return of_one(call, argument, turns, is_picked, house) };
    if !each.iter().all(|choice| matches!(choice, Value::Object(..))) {
        return of_one(call, argument, turns, is_picked, house);
    }
    let mut all = of_one(call, &Arguments::of(first), turns, is_picked, house);
    for choice in each.iter().skip(1) {
        let one = of_one(call, &Arguments::of(choice), turns, is_picked, house);
        for effect in one.effects {
            if !all.effects.contains(&effect) {
                all.effects.push(effect);
            }
        }
        for nested in one.nested {
            if !all.nested.contains(&nested) {
                all.nested.push(nested);
            }
        }
    }
    all
}

fn of_one(call: &Call, argument: &Arguments<'_>, turns: Turns, is_picked: bool, house: &House) -> Action {
    let name = call.tool.name().unwrap_or_default();
    let mut action = Action { way: Way::Call, span: call.span, effects: Vec::new(), nested: Vec::new() };
    if name.is_empty() {
        return action;
    }
    let says = |kind: EffectKind| house.says(name, kind);
    let (tool, believed) = (ToolName::of(name), believed(name, house));
    action.effects = told(name, &believed, house);
    // Who says that a tool only reads says it of whatever it is given.
    if !house.says_harmless(name) {
        action.nested = nested::of_tool(&tool, argument, call.span, says(EffectKind::Run), house);
    }
    if is_dry_run(argument.whole) {
        return action;
    }
    let deletion = Turns { is_fed: (turns.is_fed || turns.is_fed_by_things) && !is_picked, ..turns };
    let told_delete = (says(EffectKind::Delete) == Some(true)).then(|| house.tool(name).unwrap_or_default());
    let deleted = deletion::effect(&tool, argument, deletion, told_delete);
    let is_paying = says(EffectKind::Pay).unwrap_or_else(|| believed.is_named(EffectKind::Pay));
    let paid = money::effect(name, &tool, argument, turns, is_paying);
    let mut opened = grant::effects(&tool, argument, &believed, house);
    if turns.is_fed && turns.is_repeated {
        opened.extend(keys::one_for_all(argument));
    }
    if turns.is_each && turns.is_repeated {
        opened.extend(keys::one_factor_for_all(&tool, argument));
        opened.iter_mut().for_each(grant::of_all_listed);
    }
    opened.extend(route::effects(&tool, argument, turns.is_each && turns.is_repeated, house));
    opened.extend(outsider::effects(&tool, argument, turns.is_each && turns.is_repeated, house));
    opened.extend(grant::lifted(&opened, &tool, name, &believed));
    opened.extend(grant::told(&opened, says));
    let guessed = deleted.into_iter().chain(paid).chain(opened).filter(|effect| believed.may(effect.kind));
    let mut guessed: Vec<Effect> = guessed.collect();
    // Words of a name tell the least: where nothing else tells that something grave is done.
    if guessed.is_empty() && tool.has(Tag::All) {
        let is_believed = |kind: EffectKind| (believed.is_by_words() || believed.is_named(kind)) && says(kind) != Some(false);
        guessed.extend(sweeping(name).filter(|effect| is_believed(effect.kind)));
    }
    action.effects.extend(guessed.into_iter().map(|effect| said_by(effect, name, &believed)));
    action
}

/// What a tool does whatever it is given: by the settings, its server, a row or the words of its name.
fn told(name: &str, believed: &Believed, house: &House) -> Vec<Effect> {
    let profile = tool_in(name, house);
    let runs = [SinkKind::Command, SinkKind::Code, SinkKind::Query, SinkKind::Prompt].into_iter().any(|sink| profile.does(sink));
    let kinds = [
        (EffectKind::Read, profile.reads),
        (EffectKind::Write, profile.writes || profile.does(SinkKind::FileWrite)),
        (EffectKind::Delete, profile.does(SinkKind::Delete) || believed.may(EffectKind::Delete) && says_delete(name)),
        (EffectKind::Send, profile.outgoing().is_some()),
        (EffectKind::Run, runs),
    ];
    let effect = |kind: EffectKind| Effect {
        sensitivity: profile.sensitivity,
        place: profile.side,
        ..Effect::told(kind, believed.said(kind), format!("`{name}`"))
    };
    kinds.into_iter().filter(|(_, does)| *does).map(|(kind, _)| effect(kind)).collect()
}

/// The effect with who says it: the words of the name, or somebody who must know.
fn said_by(effect: Effect, name: &str, believed: &Believed) -> Effect {
    Effect { said: believed.said(effect.kind), because: format!("`{name}`"), ..effect }
}

fn of_host(subject: &Subject, ends: &Ends, index: usize, call: &HostCall, house: &House) -> Action {
    let nested = nested::of_host_call(call, house);
    let effects = [file::effect(subject, index, call), file::over_files(subject, ends, index, call)].into_iter().flatten().collect();
    Action { way: Way::Call, span: call.span, effects, nested }
}

//! Things that a program makes itself and takes away again: of the same kind, and under the same name.

use std::collections::{BTreeSet, HashMap};

use crate::knowledge::effect::EffectKind;
use crate::knowledge::words::Tag;
use crate::meaning::action::Action;
use crate::meaning::action::nested::host_lines;
use crate::meaning::argument::texts;
use crate::meaning::passage::Ends;
use crate::subject::Subject;
use crate::subject::call::{Call, HostCall, Value};
use crate::subject::flow::{CallRef, Flow, Strength};
use crate::subject::segment::HOLE;
use crate::value::words::words;

/// Of so many calls that make things under one name each is looked at.
const OF_ONE_NAME: usize = 32;

/// Which tool calls of a program take away what another one of it has made, or what lies in that. Scripts of agents are not
/// believed: that something is made under a name does not tell that nothing was there before.
pub fn taking_back(subject: &Subject, ends: &Ends, actions: &[Action]) -> Vec<bool> {
    let takes = |action: &Action| action.all().any(|(_, effect)| matches!(effect.kind, EffectKind::Delete | EffectKind::GuardOff));
    let mut made = None;
    let all = subject.calls.iter().zip(actions).enumerate();
    all.map(|(at, (call, action))| {
        subject.is_of_program(call) && takes(action) && made.get_or_insert_with(|| Made::of(subject, ends)).is_taken_back(at)
    })
    .collect()
}

/// Programs that make what others take away: a work tree, or a database, which is only made where there was none.
const MAKERS: &[(&str, &[&str])] = &[("work-tree", &["worktree add "]), ("database", &["createdb ", "create database "])];

/// Returns true if and only if a program of a host call takes away what one started before it has made, under the same name.
pub fn takes_own(subject: &Subject, call: CallRef, object: &str) -> bool {
    let (CallRef::Host(at), Some((_, makers))) = (call, MAKERS.iter().find(|(made, _)| *made == object)) else { return false };
    let name_of = |line: &str| line.split_whitespace().last().map(|last| last.trim_matches(['"', '\'', ';']).to_owned());
    let names = |own: &HostCall| -> Vec<String> { lines(own).iter().filter_map(|line| name_of(line)).collect() };
    let Some(own) = subject.host_calls.get(at) else { return false };
    let taken: Vec<String> =
        names(own).into_iter().filter(|name| name.chars().filter(|letter| *letter != HOLE).count() >= SHORTEST_NAME).collect();
    let makes = |line: &String| makers.iter().any(|maker| line.to_lowercase().contains(maker));
    // Of a work tree the place comes before what is checked out there.
    let is_same = |line: &String| taken.iter().any(|name| line.split_whitespace().any(|word| word.trim_matches(['"', '\'', ';']) == name));
    let made = subject.host_calls.iter().flat_map(lines).filter(makes).collect::<Vec<String>>();
    let is_known = object != "work-tree";
    if is_known { !taken.is_empty() && made.iter().any(is_same) } else { !made.is_empty() }
}

/// The command lines of a host call, and the texts that it is passed.
fn lines(call: &HostCall) -> Vec<String> {
    let said = call.arguments.iter().flat_map(texts).map(|text| text.text.to_owned());
    host_lines(call).into_iter().chain(said).collect()
}

/// Shorter names may be anything's.
const SHORTEST_NAME: usize = 4;

/// The calls of a program that make something, by what they are given: what is taken away again has one of these names.
struct Made<'s> {
    subject: &'s Subject,
    ends: &'s Ends,
    /// What kind of thing each of them makes, by index into `Subject::calls`.
    kinds: HashMap<usize, String>,
    /// The calls that are given a text.
    told: HashMap<&'s str, Vec<usize>>,
    /// The calls that are given a value, by where that comes from and its field.
    fed: HashMap<(usize, &'s str), Vec<usize>>,
}

impl<'s> Made<'s> {
    fn of(subject: &'s Subject, ends: &'s Ends) -> Self {
        let mut made = Self { subject, ends, kinds: HashMap::new(), told: HashMap::new(), fed: HashMap::new() };
        for (at, call) in subject.calls.iter().enumerate().filter(|(_, call)| makes(call) && subject.is_of_program(call)) {
            let Some(kind) = kind_of(call) else { continue };
            made.kinds.insert(at, kind);
            for text in texts_of(call) {
                add(made.told.entry(text).or_default(), at);
            }
            for flow in whole(subject, ends, at) {
                add(made.fed.entry((flow.origin, &flow.field)).or_default(), at);
            }
        }
        made
    }

    fn is_taken_back(&self, call: usize) -> bool {
        let Some(gone) = self.subject.calls.get(call) else { return false };
        let told = texts_of(gone).into_iter().filter_map(|text| self.told.get(text));
        let fed = whole(self.subject, self.ends, call).filter_map(|flow| self.fed.get(&(flow.origin, flow.field.as_str())));
        let others: BTreeSet<usize> = told.chain(fed).flatten().copied().filter(|at| *at != call).collect();
        if others.is_empty() {
            return false;
        }
        let kind = kind_of(gone);
        others.into_iter().any(|at| {
            let (Some(made), Some(own)) = (self.subject.calls.get(at), self.kinds.get(&at)) else { return false };
            let is_of_kind = kind.as_ref() == Some(own);
            let holds = |key: &str| words(key).first().is_some_and(|first| singular(first) == own);
            let names = |key: &str| holds(key) || is_of_kind && last_key(gone) == Some(key);
            is_of_kind && is_told(gone, made) || is_told_within(gone, made, holds) || is_same(self.subject, self.ends, (call, at), names)
        })
    }
}

fn add(calls: &mut Vec<usize>, at: usize) {
    if calls.len() < OF_ONE_NAME && calls.last() != Some(&at) {
        calls.push(at);
    }
}

/// The whole texts that a call is given.
fn texts_of(call: &Call) -> Vec<&str> {
    let mut all = Vec::new();
    call.argument.visit("", &mut |_, value| {
        if let Value::String(text, _) = value {
            all.push(text.as_str());
        }
    });
    all
}

/// The flows of whole values into a call.
fn whole<'s>(subject: &'s Subject, ends: &'s Ends, call: usize) -> impl Iterator<Item = &'s Flow> {
    ends.flows_into(subject, call).filter(|flow| flow.strength == Strength::Whole && !flow.field.contains("[]"))
}

/// Returns true if and only if all texts that a call is given, the last of which names what it acts on, were given when that was made.
fn is_told(gone: &Call, made: &Call) -> bool {
    let (mut is_known, mut is_given) = (false, true);
    gone.argument.visit("", &mut |_, value| match value {
        Value::String(text, _) => {
            is_known = !text.is_empty() && !text.contains(HOLE);
            is_given &= gives(made, text);
        }
        Value::Partial(..) | Value::Dynamic(_) | Value::OneOf(..) => is_known = false,
        Value::Missing | Value::Null(_) | Value::Boolean(..) | Value::Number(..) | Value::Array(..) | Value::Object(..) => {}
    });
    is_known && is_given
}

/// Returns true if and only if a key that names what was made is given the name by which it was: `deleteObjects({ Bucket: 'a' })`.
fn is_told_within(gone: &Call, made: &Call, holds: impl Fn(&str) -> bool) -> bool {
    let mut is_given = false;
    gone.argument.visit_properties(&mut |property| {
        is_given |= matches!(&property.value, Value::String(text, _) if holds(&property.key) && gives(made, text));
    });
    is_given
}

/// Returns true if and only if one value, wherever it comes from, names both what was made and what is taken away.
fn is_same(subject: &Subject, ends: &Ends, (gone, made): (usize, usize), names: impl Fn(&str) -> bool) -> bool {
    let key = |flow: &Flow| flow.argument.rsplit('.').next().unwrap_or_default().to_owned();
    let given: Vec<&Flow> = whole(subject, ends, made).collect();
    let is_given = |flow: &Flow| given.iter().any(|own| (own.origin, &own.field) == (flow.origin, &flow.field));
    whole(subject, ends, gone).any(|flow| names(&key(flow)) && is_given(flow))
}

fn makes(call: &Call) -> bool {
    let name = call.tool.name().unwrap_or_default();
    words(name.rsplit(':').next().unwrap_or(name)).iter().any(|word| Tag::MakingAnew.has(word) && Tag::Changing.has(word))
}

/// The key of the last thing that a call is given.
fn last_key(call: &Call) -> Option<&str> {
    match &call.argument {
        Value::Object(properties, _) => properties.last().map(|property| property.key.as_str()),
        _ => None,
    }
}

/// What a call acts on, by the last noun of its tool in the singular: a backup, not a table, in `create_table_backup`.
fn kind_of(call: &Call) -> Option<String> {
    let name = call.tool.name().unwrap_or_default();
    let own = name.rsplit(':').next().unwrap_or(name);
    let acts = |word: &str| Tag::MakingAnew.has(word) || Tag::Changing.has(word) || Tag::Destroying.has(word) || Tag::Filler.has(word);
    words(own).iter().rfind(|word| !acts(word)).map(|word| singular(word).to_owned())
}

fn singular(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

fn gives(call: &Call, name: &str) -> bool {
    let mut is_given = false;
    call.argument.visit("", &mut |_, value| is_given |= matches!(value, Value::String(text, _) if text == name));
    is_given
}

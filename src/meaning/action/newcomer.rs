//! Accounts that a script makes: what it gives those is what everybody starts with, unless it says more.

use crate::knowledge::command::list;
use crate::knowledge::effect::{Effect, EffectKind};
use crate::knowledge::words::Tag;
use crate::meaning::passage::Ends;
use crate::subject::Subject;
use crate::subject::flow::{CallRef, Flow, Strength};
use crate::value::severity::Severity;
use crate::value::words::{joined, split_owner, words};

/// Says of a key that it takes the place of one that the script retires, and is told to nobody but a vault.
pub fn tell_rotated(effects: &mut [Effect], subject: &Subject, ends: &Ends, call: usize) {
    let is_key = |effect: &&mut Effect| effect.kind == EffectKind::Grant && effect.says == "makes a key" && effect.severity.is_none();
    let Some(effect) = effects.iter_mut().find(is_key) else { return };
    let said = |at: usize| subject.calls.get(at).and_then(|call| call.tool.name()).map(words).unwrap_or_default();
    let is_once = subject.calls.get(call).is_some_and(|call| !call.is_repeated());
    let is_key = |names: &[String]| names.iter().any(|word| matches!(word.as_str(), "key" | "keys"));
    let retires = |names: &[String]| names.iter().any(|word| list("retiring").contains(&word.as_str()));
    let is_retired = (0..subject.calls.len()).any(|at| at != call && is_key(&said(at)) && retires(&said(at)));
    let of_key = |flow: &&Flow| subject.origins.get(flow.origin).is_some_and(|origin| origin.call == Some(CallRef::Tool(call)));
    let mut sinks = subject.flows.iter().filter(of_key).filter(|flow| Strength::Bit < flow.strength).peekable();
    let is_vault =
        |flow: &Flow| flow.sink.tool().is_some_and(|at| said(at).iter().any(|word| list("vault-words").contains(&word.as_str())));
    if is_once && is_retired && sinks.peek().is_some() && sinks.all(is_vault) && ends.reaches.get(call).is_some() {
        effect.severity = Some(Severity::Low);
        "makes a key that takes the place of another, and keeps it in a vault".clone_into(&mut effect.says);
    }
}

/// Says of plain rights that they are those of an account that the script made in the same service.
pub fn tell(effects: &mut [Effect], subject: &Subject, ends: &Ends, call: usize) {
    let Some(effect) = effects.iter_mut().find(|effect| effect.kind == EffectKind::Grant) else { return };
    let is_plain = effect.object.as_deref() == Some("rights") && effect.severity.is_none() && effect.says == "gives rights";
    let Some(name) = subject.calls.get(call).and_then(|call| call.tool.name()).filter(|_| is_plain) else { return };
    let makes_account = |made: &str| {
        let said = words(split_owner(made).1);
        split_owner(made).0 == split_owner(name).0
            && said.first().is_some_and(|first| Tag::MakingAnew.has(first))
            && said.iter().any(|word| matches!(word.as_str(), "user" | "account" | "member" | "person" | "employee"))
    };
    let is_made = ends.flows_into(subject, call).filter(|flow| flow.is_followed() && flow.strength == Strength::Whole).any(|flow| {
        let is_whom = flow.argument.rsplit('.').next().is_some_and(|last| Tag::WhomKey.has(&joined(last)));
        is_whom && subject.origins.get(flow.origin).is_some_and(|origin| makes_account(&origin.name))
    });
    if is_made {
        effect.severity = Some(Severity::Low);
        "gives an account that the script made its first rights".clone_into(&mut effect.says);
    }
}

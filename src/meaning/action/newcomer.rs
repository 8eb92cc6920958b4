//! Accounts that a script makes: what it gives those is what everybody starts with, unless it says more.

use crate::knowledge::effect::{Effect, EffectKind};
use crate::knowledge::words::Tag;
use crate::meaning::passage::Ends;
use crate::subject::Subject;
use crate::subject::flow::Strength;
use crate::value::severity::Severity;
use crate::value::words::{joined, split_owner, words};

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

//! The hints of a server about the risk of a tool: they make it worse, never better in silence.

use crate::knowledge::definition::Definition;
use crate::knowledge::effect::{Effect, EffectKind, Said};

/// Adds what the hints make worse, and returns where they are milder than all else that is known, a sentence each.
pub fn weigh(definition: &Definition, effects: &mut Vec<Effect>) -> Vec<String> {
    let disagreements = milder(definition, effects);
    let does = |effects: &[Effect], kinds: &[EffectKind]| effects.iter().any(|effect| kinds.contains(&effect.kind));
    let says = |kind: EffectKind, because: &str| Effect::told(kind, Said::Manifest, because);
    let is_read_only = definition.hint("readOnlyHint") == Some(true);
    // The hint says nothing of what only reads, by the protocol's own words.
    if definition.hint("destructiveHint") == Some(true) && !is_read_only && !does(effects, &[EffectKind::Delete]) {
        effects.push(says(EffectKind::Delete, "destructiveHint: true"));
    }
    let only_reads = effects.iter().all(|effect| effect.kind == EffectKind::Read);
    if definition.hint("readOnlyHint") == Some(false) && only_reads {
        effects.push(says(EffectKind::Write, "readOnlyHint: false"));
    }
    disagreements
}

/// Hints, the value that makes little of a tool, and what contradicts that.
const MILD: &[(&str, bool, &[EffectKind])] = &[
    (
        "readOnlyHint",
        true,
        &[
            EffectKind::Write,
            EffectKind::Delete,
            EffectKind::Send,
            EffectKind::Run,
            EffectKind::Grant,
            EffectKind::GuardOff,
            EffectKind::Pay,
            EffectKind::Spend,
            EffectKind::Persist,
            EffectKind::Control,
        ],
    ),
    ("destructiveHint", false, &[EffectKind::Delete]),
    ("openWorldHint", false, &[EffectKind::Send]),
];

fn milder(definition: &Definition, effects: &[Effect]) -> Vec<String> {
    let mut found = Vec::new();
    for (name, value, kinds) in MILD.iter().filter(|(name, value, _)| definition.hint(name) == Some(*value)) {
        let against = effects.iter().filter(|effect| kinds.contains(&effect.kind));
        let against: Vec<String> = against.map(|effect| format!("{} ({})", effect.kind.name(), effect.because)).collect();
        if !against.is_empty() {
            found.push(format!("its server says {name}: {value}; else it is told to {}", against.join(", ")));
        }
    }
    found
}

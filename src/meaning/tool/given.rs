//! What a tool may do whose words tell nothing, by what it takes: a guess that somebody is to look at.

use crate::knowledge::act::{SPEECH, is_one_of};
use crate::knowledge::definition::Definition;
use crate::knowledge::effect::{Effect, EffectKind, Said};

/// What a tool may do by the names of its parameters; the gravest that one of them tells.
pub fn guessed(definition: &Definition) -> Option<Effect> {
    let lists = [
        (EffectKind::Run, SPEECH.given_run),
        (EffectKind::Pay, SPEECH.given_pay),
        (EffectKind::Send, SPEECH.given_send),
        (EffectKind::Grant, SPEECH.given_grant),
        (EffectKind::Write, SPEECH.given_write),
    ];
    lists.into_iter().find_map(|(kind, names)| {
        let mut given = definition.parameters.iter().map(|parameter| parameter.name.as_str());
        let name = given.find(|name| is_one_of(names, &name.to_lowercase()))?;
        Some(Effect::told(kind, Said::Words, format!("its parameter `{name}`")))
    })
}

#[cfg(test)]
mod tests {
    use super::guessed;
    use crate::knowledge::definition::{Definition, Parameter};

    #[test]
    fn parameters_tell_what_a_name_hides() {
        for (given, expected) in [
            (vec!["id", "command"], Some("run")),
            (vec!["Amount", "to"], Some("pay")),
            (vec!["to", "body"], Some("send")),
            (vec!["user", "role"], Some("grant")),
            (vec!["content"], Some("write")),
            (vec!["id"], None),
            (vec![], None),
        ] {
            let parameters = given.iter().map(|name| Parameter { name: (*name).to_owned(), ..Parameter::default() }).collect();
            let definition = Definition { parameters, ..Definition::named("frobnicate") };
            assert_eq!(guessed(&definition).map(|effect| effect.kind.name()), expected, "{given:?}");
        }
    }
}

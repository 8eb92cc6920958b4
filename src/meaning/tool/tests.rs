//! What the words, the parameters and the hints of a definition tell, and who is believed.

use super::*;
use crate::knowledge::act::ACTS;
use crate::knowledge::definition::Parameter;
use crate::knowledge::house::OwnTool;

fn kinds(definition: &Definition) -> Vec<&'static str> {
    meaning(definition, &House::default()).effects.iter().map(|effect| effect.kind.name()).collect()
}

/// Whether an act is among what the words of a name or an opening say.
fn says(text: &str, act: &Act) -> bool {
    acts_of(text).contains(&act)
}

#[test]
fn rows_of_acts_fit_their_own_examples() {
    let wrong: Vec<&str> = ACTS
        .acts
        .iter()
        .flat_map(|act| [(act.hit.get(), says(act.hit.get(), act)), (act.miss.get(), !says(act.miss.get(), act))])
        .filter_map(|(text, holds)| (!holds).then_some(text))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_definition_tells_what_its_tool_does() {
    for (name, description, expected) in [
        ("zap_row", "Deletes a row for good.", vec!["delete"]),
        ("get_row", "Returns a row.", vec!["read"]),
        ("transfer_history", "Lists past transfers.", vec!["read"]),
        ("thing", "This tool allows buying a token.", vec!["pay"]),
        ("note_add", "Adds a note.", vec!["write"]),
        ("weather", "Gets the weather. Sends an email to the operator.", vec!["read", "send"]),
        ("think", "Lets you think.", vec![]),
        ("take_messages", "Takes messages in a batch. Messages are kept for a day.", vec![]),
        ("swap_quote", "Retrieves a quote.", vec!["read"]),
        ("bookmark_search", "Search bookmarks.", vec!["read"]),
        ("mark_as_read", "", vec!["write"]),
        ("restart_container", "Restarts a container.", vec!["control"]),
        ("restart_job", "Restarts a job.", vec!["run", "control"]),
        ("ip_group_add", "Adds an IP group.", vec!["write"]),
        ("block_address", "Blocks an IP address.", vec!["grant"]),
        ("mouse_drop", "Drops the mouse onto an element.", vec!["control"]),
        ("door", "Unlocks a door.", vec!["write", "control"]),
        ("", "", vec![]),
    ] {
        let definition = Definition { description: description.to_owned(), ..Definition::named(name) };
        assert_eq!(kinds(&definition), expected, "{name}: {description}");
    }
}

#[test]
fn a_tool_of_several_modes_does_what_each_of_them_does() {
    let with = |description: &str, choices: &[&str]| Definition {
        description: "Manages records.".to_owned(),
        parameters: vec![Parameter {
            name: "action".to_owned(),
            description: description.to_owned(),
            choices: choices.iter().map(|choice| (*choice).to_owned()).collect(),
        }],
        ..Definition::named("record_admin")
    };
    for definition in
        [with("", &["get", "purge"]), with("One of 'get' or 'purge'.", &[]), with("What to do: get, purge", &[]), with("get|purge", &[])]
    {
        assert_eq!(kinds(&definition), ["read", "write", "delete"], "{definition:?}");
    }
    let listed = "Manages records.\n- get: Get one\n- purge: Purge one";
    for description in [listed, "Manages records. Actions: get, purge", "Manages records.\naction: either \"get\" or \"purge\""] {
        let definition = Definition { description: description.to_owned(), ..with("", &[]) };
        assert_eq!(kinds(&definition), ["read", "write", "delete"], "{description}");
    }
}

#[test]
fn a_tool_that_takes_any_method_of_http_may_do_what_requests_do() {
    let with = |name: &str, description: &str| Definition {
        parameters: vec![Parameter { name: "method".to_owned(), description: description.to_owned(), ..Parameter::default() }],
        ..Definition::named(name)
    };
    assert_eq!(kinds(&with("call_api", "HTTP method")), ["read", "write", "delete"]);
    assert_eq!(kinds(&with("get_page", "HTTP method")), ["read"]);
    assert!(kinds(&with("call_api", "How it is computed")).is_empty());
}

#[test]
fn what_a_tool_makes_may_do_later_what_the_tool_does_not() {
    let with = |name: &str| Definition {
        parameters: vec![Parameter {
            name: "action".to_owned(),
            choices: vec!["restart_server".to_owned(), "purge".to_owned()],
            ..Parameter::default()
        }],
        ..Definition::named(name)
    };
    assert_eq!(kinds(&with("create_watch")), ["write", "delete"]);
    assert_eq!(kinds(&with("server_admin")), ["delete", "control"]);
}

#[test]
fn hints_make_a_tool_worse_and_what_is_milder_is_a_disagreement() {
    let with = |name: &str, hints: &[(&str, bool)]| {
        let hints = hints.iter().map(|(name, holds)| ((*name).to_owned(), *holds)).collect();
        meaning(&Definition { hints, ..Definition::named(name) }, &House::default())
    };
    let told = |meaning: &ToolMeaning| meaning.effects.iter().map(|effect| (effect.kind.name(), effect.said.name())).collect::<Vec<_>>();
    let worse = with("update_row", &[("destructiveHint", true)]);
    assert_eq!(told(&worse), [("write", "words"), ("delete", "manifest")]);
    assert!(worse.disagreements.is_empty());
    let milder = with("delete_all_rows", &[("readOnlyHint", true)]);
    assert_eq!(told(&milder), [("delete", "words")]);
    assert_eq!(milder.disagreements.len(), 1, "{milder:?}");
    assert_eq!(told(&with("get_row", &[("readOnlyHint", true), ("destructiveHint", true)])), [("read", "words")]);
}

#[test]
fn settings_are_believed_before_rows_and_rows_before_words() {
    let row = meaning(&Definition::named("mcp__fs__write_query"), &House::default());
    assert!(row.effects.iter().all(|effect| effect.said == Said::Row), "{row:?}");
    let own = OwnTool { effects: Some(&[EffectKind::Read]), ..OwnTool::default() };
    let house = House { tools: vec![("delete_*".to_owned(), own)], ..House::default() };
    let said = meaning(&Definition::named("delete_all_rows"), &house);
    assert_eq!(said.effects.iter().map(|effect| (effect.kind, effect.said)).collect::<Vec<_>>(), [(EffectKind::Read, Said::Settings)]);
}

#[test]
fn a_description_that_says_more_than_the_name_disagrees_with_it() {
    let definition = Definition { description: "Deletes all rows.".to_owned(), ..Definition::named("get_rows") };
    let told = meaning(&definition, &House::default());
    assert_eq!(told.disagreements.len(), 1, "{told:?}");
    let delete = told.effects.iter().find(|effect| effect.kind == EffectKind::Delete);
    assert_eq!(delete.map(|effect| (effect.object.as_deref(), effect.extent)), Some((Some("rows"), Extent::All)));
}

#[test]
fn what_is_done_to_all_there_is_stands_in_a_name() {
    let told = |name: &str| sweeping(name).map(|effect| (effect.kind.name(), effect.extent));
    assert_eq!(told("mcp__lab__stop_all_jobs"), Some(("control", Extent::All)));
    assert_eq!(told("close_all_positions"), Some(("pay", Extent::All)));
    for name in ["stop_job", "list_all_jobs", "close_position", "all"] {
        assert_eq!(told(name), None, "{name}");
    }
}

//! What a call deletes by the words of its tool: what it is done to, and how much of that its argument reaches.

use crate::knowledge::command::list;
use crate::knowledge::effect::{Effect, EffectKind, Extent};
use crate::knowledge::house::OwnTool;
use crate::knowledge::words::Tag;
use crate::language::sql::condition::condition;
use crate::language::sql::{self, Token};
use crate::meaning::argument::{is_name, is_open_operator, is_yes};
use crate::meaning::deletion::{FEW, is_spare};
use crate::meaning::path::{Reach, reach};
use crate::meaning::tool_kind::{ToolName, is_database};
use crate::meaning::walk::Arguments;
use crate::subject::call::{Repeat, Value};
use crate::subject::segment::HOLE;
use crate::value::words::words;

/// So many named things are many.
const MANY: usize = 20;

/// How a call runs, and on what.
#[derive(Clone, Copy, Debug)]
pub struct Turns {
    /// How often the innermost loop around it runs.
    pub repeat: Repeat,
    /// It runs many times.
    pub is_repeated: bool,
    /// What it acts on comes from a listing.
    pub is_fed: bool,
    /// It comes from a tool that is called after what it gives, without a verb.
    pub is_fed_by_things: bool,
    /// Of what was listed it acts on one field of one record.
    pub is_of_one: bool,
    /// It runs for each of several that were read, whether what reads them is called a listing or not.
    pub is_each: bool,
}

/// What a tool does, as far as its words tell.
struct Deed {
    verb: String,
    is_hard: bool,
    /// Words of what it is done to.
    objects: Vec<String>,
    says_all: bool,
}

impl Deed {
    fn is_to(&self, things: Tag) -> bool {
        things.has_any(self.objects.iter())
    }

    /// The effect on what the table of effects calls so, to so much; `how` follows what is done.
    fn effect(&self, object: &str, extent: Extent, how: &str) -> Effect {
        let to = if self.objects.is_empty() { "things".to_owned() } else { format!("`{}`", self.objects.join(" ")) };
        Effect::new(EffectKind::Delete, object, format!("would {} {to}{how}", self.verb)).to(extent)
    }
}

/// What a tool deletes; `told` is there if somebody who must know calls it deleting, and is what its user says of it.
pub fn effect(tool: &ToolName, argument: &Arguments<'_>, turns: Turns, told: Option<OwnTool>) -> Option<Effect> {
    // What a policy lets others do is not done here.
    let is_policy = argument.objects().any(|own| {
        let has = |key: &str| own.iter().any(|property| property.key.eq_ignore_ascii_case(key));
        has("effect") && (has("action") || has("notaction"))
    });
    let sets_policy = || tool.verb.iter().any(|word| list("policy-words").contains(&word.as_str()));
    if is_policy && told.is_none() && sets_policy() && !Tag::Destroying.has_any(tool.verb.iter()) {
        return None;
    }
    let mut deed = deed(tool, argument, told.is_some())?;
    if let Some(own) = told {
        deed.says_all |= matches!(own.extent, Extent::All | Extent::Unbounded);
        deed.objects = own.object.map_or(deed.objects, words);
    }
    if deed.is_to(Tag::Harmless) || tool.has(Tag::MakeBelieve) {
        return None;
    }
    let names: Vec<String> = argument
        .texts()
        .iter()
        .filter(|text| is_name(text.text) && !Tag::MannerKey.has(text.key))
        .flat_map(|text| words(text.text))
        .collect();
    let has_name = |any: Tag| any.has_any(names.iter());
    if has_name(Tag::Ephemeral) && !has_name(Tag::Production) {
        return None;
    }
    let is_production = has_name(Tag::Production) || tool.has(Tag::ProductionTool);
    let scope = scope(argument);
    to_many(&deed, tool, argument, turns, scope).or_else(|| to_one(&deed, tool, argument, scope, is_production))
}

/// The effect of what is done to all or to many.
fn to_many(deed: &Deed, tool: &ToolName, argument: &Arguments<'_>, turns: Turns, scope: Extent) -> Option<Effect> {
    // What was noted of each thing is as much as the thing: `lims:purge_history`.
    let is_trace = matches!(deed.verb.as_str(), "purge" | "erase" | "wipe" | "shred")
        && deed.objects.iter().any(|object| list("kept-traces").contains(&object.as_str()));
    let is_thing = deed.is_to(Tag::Holder) || deed.is_to(Tag::Part) || deed.is_to(Tag::People) || is_trace;
    let is_dear = is_thing || deed.is_to(Tag::Precious) || tool.has(Tag::Precious) || tool.has(Tag::People);
    let takes_all = deed.says_all || scope == Extent::All;
    let is_store = is_database(tool) || tool.has(Tag::KeyStore);
    let is_few = matches!(turns.repeat, Repeat::Counted(turns) if (1..=FEW).contains(&turns));
    let is_each = turns.is_fed && !is_few && is_thing && (turns.is_repeated || tool.has(Tag::Many));
    let is_table = deed.is_to(Tag::Table) && Tag::EmptyingTable.has(&deed.verb);
    let all = ": all of them";
    match () {
        () if takes_all && (deed.is_hard || is_dear || is_store && Tag::EmptyingStore.has(&deed.verb)) => {
            Some(deed.effect("things", Extent::All, all))
        }
        () if !deed.is_hard && !is_wiped(deed) => None,
        () if is_each => Some(deed.effect("dear", Extent::Many, ": each that was listed")),
        () if is_table && !has_inner_row(argument) => Some(deed.effect("table", Extent::All, " with all in it")),
        () if turns.is_fed && names_many(argument, turns.is_of_one) && (is_thing || deed.is_to(Tag::Precious)) => {
            Some(deed.effect("dear", Extent::Many, ": all that were listed"))
        }
        () if scope == Extent::Many => Some(deed.effect(if is_dear { "dear" } else { "things" }, scope, ": many of them")),
        () => None,
    }
}

/// Returns true if and only if all is taken from what stays: a machine, a volume.
fn is_wiped(deed: &Deed) -> bool {
    matches!(deed.verb.as_str(), "wipe" | "erase") && deed.is_to(Tag::Part)
}

/// The effect of what is done to one thing, or to what nobody names.
fn to_one(deed: &Deed, tool: &ToolName, argument: &Arguments<'_>, scope: Extent, is_production: bool) -> Option<Effect> {
    let is_dear = [Tag::Holder, Tag::Part, Tag::People, Tag::Precious].into_iter().any(|things| deed.is_to(things));
    let is_dear = is_dear || tool.has(Tag::Precious) || tool.has(Tag::People);
    let is_holder = deed.is_to(Tag::Holder) && !has_inner(argument);
    let is_nothing_said = scope == Extent::Unbounded;
    match () {
        () if tool.has(Tag::Builder) && Tag::TearingDown.has(&deed.verb) => {
            Some(Effect { says: "would destroy the infrastructure".to_owned(), ..deed.effect("infrastructure", Extent::All, "") })
        }
        () if (deed.is_hard || Tag::Overwriting.has(&deed.verb)) && is_holder => {
            let how = if scope == Extent::Unknown { "" } else { " with all in it" };
            Some(deed.effect("holder", scope, how))
        }
        () if deed.is_hard && is_production => {
            let object = if has_inner(argument) { "production-part" } else { "production" };
            Some(deed.effect(object, scope, " in production"))
        }
        () if deed.verb == "format" && (deed.is_to(Tag::Part) || tool.verb.iter().any(|word| word == "factory")) => {
            Some(deed.effect("device", scope, ""))
        }
        () if is_wiped(deed) => Some(deed.effect("wiped-part", scope, "")),
        () if !deed.is_hard => None,
        () if is_nothing_said && Tag::DestroyingAll.has(&deed.verb) && is_dear => Some(deed.effect("dear", Extent::All, ": all of them")),
        () if is_nothing_said && (deed.is_to(Tag::People) || deed.is_to(Tag::Part)) => {
            Some(deed.effect("dear", scope, " without saying which"))
        }
        () if deed.is_to(Tag::Part) && !has_inner_row(argument) && !is_spare(argument.whole) => Some(deed.effect("part", scope, "")),
        () => None,
    }
}

fn deed(tool: &ToolName, argument: &Arguments<'_>, is_told: bool) -> Option<Deed> {
    let kinds: Vec<String> = argument
        .texts()
        .iter()
        .filter(|text| Tag::KindKey.has(text.key.to_lowercase().as_str()) && is_name(text.text))
        .flat_map(|text| words(text.text))
        .collect();
    let said: Vec<&str> = tool.verb.iter().map(String::as_str).collect();
    // Behind another word it is how something looks: `set_number_format`.
    let is_look = |word: &str| word == "format" && said.first() != Some(&word) && !said.iter().any(|said| Tag::Part.has(said));
    let is_verb = |word: &&str| (Tag::Destroying.has(word) || Tag::SwitchingOff.has(word)) && !is_look(word);
    let in_kinds = || kinds.iter().map(String::as_str).find(is_verb);
    let verb = match said.iter().copied().find(|word| is_verb(word) || Tag::NotDestroying.has(word)) {
        Some(verb) if is_verb(&verb) => verb,
        _ if is_told && !kinds.iter().any(|word| Tag::NotDestroying.has(word)) => "delete",
        Some(_) => return None,
        None if said.contains(&"factory") => "format",
        None => in_kinds().or_else(|| is_switched(argument).then_some("destroy"))?,
    };
    let named: Vec<String> =
        said.iter().filter(|word| **word != verb && !Tag::All.has(word) && !Tag::Filler.has(word)).map(|word| (*word).to_owned()).collect();
    let told: Vec<String> = kinds.iter().filter(|word| *word != verb && !Tag::All.has(word.as_str())).cloned().collect();
    let is_told_by_kind = !told.is_empty() && !said.contains(&verb);
    let objects = match (named.is_empty() || is_told_by_kind, told.is_empty()) {
        (false, _) => named,
        (true, false) => told,
        (true, true) => tool.owner.clone(),
    };
    let says_all = Tag::All.has_any(said.iter()) || kinds.iter().any(|word| Tag::All.has(word.as_str()));
    Some(Deed { verb: verb.to_owned(), is_hard: Tag::Destroying.has(verb), objects, says_all })
}

/// Returns true if and only if a switch in the argument turns it on: `{ destroy: true }`.
fn is_switched(argument: &Arguments<'_>) -> bool {
    argument.properties().any(|(key, property)| key.is(Tag::DestroyingSwitch) && is_yes(&property.value))
}

/// Returns true if and only if a key names many things of which the script knows none: `{ ids: listed }`; `is_of_one` tells that a list
/// put together is one of single things.
fn names_many(argument: &Arguments<'_>, is_of_one: bool) -> bool {
    let is_known = |element: &Value| matches!(element, Value::String(..) | Value::Number(..));
    argument.properties().any(|(key, property)| {
        let is_plural = key.words.last().is_some_and(|last| Tag::PluralKey.has(last) || last.ends_with('s') && 3 < last.len());
        let is_open = match &property.value {
            Value::Dynamic(_) => true,
            Value::Array(elements, _) => !is_of_one && !elements.iter().all(is_known),
            _ => false,
        };
        is_plural && is_open && !Tag::MannerKey.has(&property.key)
    })
}

/// Returns true if and only if an argument picks something inside of what holds it: a row, a branch, a record.
fn has_inner(argument: &Arguments<'_>) -> bool {
    argument.properties().any(|(key, _)| key.ends_in(Tag::InnerKey))
}

/// Returns true if and only if an argument picks rows.
fn has_inner_row(argument: &Arguments<'_>) -> bool {
    argument.properties().any(|(key, _)| Tag::RowKey.has(key.text))
}

/// How much an argument reaches: [`Extent::Unbounded`] where it says nothing.
fn scope(argument: &Arguments<'_>) -> Extent {
    match argument.whole {
        Value::Missing | Value::Null(_) => return Extent::Unbounded,
        Value::Object(properties, _) if properties.is_empty() => return Extent::Unbounded,
        _ => {}
    }
    let (mut found, mut is_known) = (Extent::Few, false);
    for (key, value) in argument.values() {
        // `dryRun: 'All'` is what is only tried, `CapDrop: ['ALL']` what is given up, not what is taken.
        if key.is(Tag::DryRunKey) || list("given-up-keys").contains(&key.words.join("").as_str()) {
            continue;
        }
        let name = key.words.join(" ");
        let is_filter = Tag::FilterKey.has(name.as_str());
        let means_all = match value {
            Value::String(text, _) | Value::Partial(text, _) => {
                is_known |= !text.starts_with(HOLE);
                means_all(&name, text, is_filter)
            }
            Value::Boolean(..) => {
                is_yes(value) && (Tag::All.has(name.as_str()) || is_filter || name.ends_with(" all") || name == "everything")
            }
            Value::Object(properties, _) => match properties.as_slice() {
                [] => is_filter,
                [only] => is_open_operator(&only.key, &only.value),
                [..] => false,
            },
            Value::Number(number, _) => {
                is_known = true;
                *number <= 0.0 && Tag::AgeKey.has(&name)
            }
            Value::Array(elements, _) => {
                found = if MANY <= elements.len() { found.max(Extent::Many) } else { found };
                false
            }
            Value::Missing | Value::Null(_) | Value::OneOf(..) | Value::Dynamic(_) => false,
        };
        found = if means_all { Extent::All } else { found };
    }
    if found == Extent::Few && !is_known { Extent::Unknown } else { found }
}

/// Returns true if and only if a text is a selection that chooses nothing: without a condition and a limit, or of all that have an id.
fn selects_all(text: &str) -> bool {
    let all = sql::statements(text);
    let [statement] = all.as_slice() else { return false };
    let is_bounded = || statement.iter().any(|token| token.is("limit") || token.is("top") || token.is("fetch") || token.is("join"));
    if !statement.first().is_some_and(|first| first.is("select")) || !statement.iter().any(|token| token.is("from")) || is_bounded() {
        return false;
    }
    let Some(at) = statement.iter().position(|token| token.is("where")) else { return true };
    let asked = statement.get(at + 1..).unwrap_or_default();
    let is_id = |name: &str| list("row-ids").contains(&&*name.to_lowercase());
    match asked {
        [Token::Word(name), Token::Sign("!=" | "<>"), Token::Word(null)] => is_id(name) && null.eq_ignore_ascii_case("null"),
        [Token::Word(name), is, not, null] => is_id(name) && is.is("is") && not.is("not") && null.is("null"),
        _ => condition(asked) == Some(true),
    }
}

fn means_all(name: &str, text: &str, is_filter: bool) -> bool {
    let text = text.trim();
    if Tag::MannerKey.has(name) {
        return false;
    }
    let last = name.rsplit(' ').next().unwrap_or(name);
    match last {
        key if Tag::FolderKey.has(key) => {
            Tag::AllValue.has(&text.to_lowercase())
                || matches!(reach(text, None), Reach::Root | Reach::System | Reach::Home | Reach::Here | Reach::Data)
        }
        "prefix" => matches!(text, "" | "/" | "*"),
        "before" | "until" => Tag::FarYear.words().any(|year| text.starts_with(year)),
        _ if Tag::AllValue.has(&text.to_lowercase()) => true,
        _ if selects_all(text) => true,
        _ => is_filter && sql::statements(text).first().is_some_and(|tokens| condition(tokens) == Some(true)),
    }
}

//! Listings: whether a call acts on what another one listed.

use crate::knowledge::command::list;
use crate::knowledge::statement::is_spare_word;
use crate::knowledge::target::is_file_target;
use crate::knowledge::tool::is_verb;
use crate::knowledge::words::Tag;
use crate::language::sql::condition::condition;
use crate::language::sql::{self, Token};
use crate::meaning::amount::asks_for_one;
use crate::meaning::argument::texts;
use crate::meaning::call::CallFeatures;
use crate::meaning::magnitude::magnitudes;
use crate::meaning::passage::{Ends, is_profile_of_oneself};
use crate::meaning::read::Read;
use crate::meaning::tool_kind::ToolName;
use crate::meaning::walk::Arguments;
use crate::subject::Subject;
use crate::subject::call::{Call, Repeat, Value};
use crate::subject::flow::{CallRef, Flow, Origin, OriginKind, Strength};
use crate::value::words::{is_plural, joined, split_owner, words};

/// A listing over whose elements a call runs.
pub struct Listing<'c> {
    /// Where it is read.
    pub origin: &'c Origin,
    /// What is read.
    pub read: &'c Read,
    /// The script chooses among its elements: whether the call runs depends on what they say.
    pub is_chosen: bool,
}

/// The listing over whose elements a tool call runs, if there is one.
pub fn listing_over<'c>(subject: &'c Subject, ends: &'c Ends, call: usize) -> Option<Listing<'c>> {
    let own = subject.calls.get(call)?;
    let is_element = |flow: &&Flow| flow.field.contains("[]") && Strength::Control < flow.strength;
    let fed = ends.flows_into(subject, call).filter(is_element).filter(|_| own.is_repeated()).map(|flow| flow.origin);
    let index = own.over.iter().copied().chain(fed).find(|index| {
        let read = ends.reads.get(*index);
        let origin = subject.origins.get(*index);
        // Who runs the script is no list, though what each of one is sent may say so.
        let is_list = |origin: &Origin| origin.call != Some(CallRef::Tool(call)) && !is_profile_of_oneself(&origin.name);
        let is_other = origin.is_some_and(is_list);
        is_other && read.is_some_and(|read| matches!(read.kind, OriginKind::Tool | OriginKind::Network))
    })?;
    // What another call tells of an element decides like the element itself.
    let is_of = |flow: &Flow| flow.origin == index && flow.field.contains("[]");
    let is_told = |flow: &Flow| {
        let asked = subject.origins.get(flow.origin).and_then(|origin| origin.call?.tool()).filter(|asked| *asked != call);
        asked.is_some_and(|asked| {
            // A method of an element is asked of it without being passed anything: `sheet.getName()`.
            let is_over = || subject.calls.get(asked).is_some_and(|asked| asked.over.contains(&index));
            !tells_page(&flow.field)
                && (ends.flows_into(subject, asked).any(is_of) || names(subject, asked) && is_over())
                && (is_part(&flow.field) || answers(subject, asked) || names(subject, asked))
        })
    };
    // Of things that have parts, that there is one tells nothing.
    let has_parts =
        ends.flows_into(subject, call).any(|flow| flow.origin == index && Strength::Control < flow.strength && is_part(&flow.field));
    let deciding = ends.flows_into(subject, call).filter(|flow| flow.strength <= Strength::Bit);
    let lists = lists_of(ends.flows_into(subject, call), index);
    let is_of_elements = |field: &str| is_of_elements(&lists, field);
    let does = own.tool.name().map(|name| words(split_owner(name).1)).unwrap_or_default();
    let decides = |flow: &Flow| {
        let spares = spares_few(&flow.field) || leaves_out(subject, &flow.field);
        let is_there = asks_whether_there(subject, &flow.field);
        (is_part(&flow.field) || !has_parts) && !spares && !is_there && !spares_done(&flow.field, &does) && is_of_elements(&flow.field)
    };
    let is_chosen = deciding.into_iter().any(|flow| flow.origin == index && decides(flow) || is_told(flow));
    Some(Listing { origin: subject.origins.get(index)?, read: ends.reads.get(index)?, is_chosen })
}

/// Where in an answer the lists stand of whose elements something flows.
fn lists_of<'c>(flows: impl Iterator<Item = &'c Flow>, origin: usize) -> Vec<&'c str> {
    flows.filter(|flow| flow.origin == origin && Strength::Bit < flow.strength).filter_map(|flow| list_of(&flow.field)).collect()
}

/// Returns true if and only if a field is of the elements of a listing: a part of the answer beside them tells how the listing goes on,
/// not which of them are meant: `page.list_complete`.
fn is_of_elements(lists: &[&str], field: &str) -> bool {
    field.is_empty() || lists.is_empty() || lists.iter().any(|list| field.starts_with(list))
}

/// Returns true if and only if something that the elements of a listing say decides what happens to them.
fn is_chosen_among<'c, F: Iterator<Item = &'c Flow>>(subject: &Subject, flows: impl Fn() -> F, origin: usize) -> bool {
    let lists = lists_of(flows(), origin);
    let decides = |flow: &Flow| !asks_whether_there(subject, &flow.field) && is_of_elements(&lists, &flow.field);
    flows().any(|flow| flow.origin == origin && flow.strength <= Strength::Bit && decides(flow))
}

/// Returns true if and only if of a field a script asks no more than whether it is there: of an element, or of what was looked for in
/// what somebody wrote.
fn asks_whether_there(subject: &Subject, field: &str) -> bool {
    let is_text = || field.rsplit('.').next().is_some_and(|last| Tag::WholeText.has(&joined(last)));
    subject.bounds.asks_only_whether_there && (field.ends_with("[]") || is_text())
}

/// Returns true if and only if a field says that it was done already what a tool with these words does: `shared`, of `share_file`. To
/// pass over those chooses none.
fn spares_done(field: &str, does: &[String]) -> bool {
    const SAME: usize = 5;
    let last = field.rsplit('.').next().unwrap_or_default();
    let is_same = |one: &str, other: &str| one.get(..SAME).is_some_and(|start| other.starts_with(start));
    let is_done = |word: &str| word.ends_with("ed") && does.first().is_some_and(|verb| is_same(word, verb));
    words(last).iter().any(|word| is_done(word))
}

/// Where in an answer the list stands of whose elements a field is.
fn list_of(field: &str) -> Option<&str> {
    field.split_once("[]").map(|(list, _)| list)
}

/// Returns true if and only if something is a part of what is listed or told, not all of it.
fn is_part(field: &str) -> bool {
    !field.trim_end_matches("[]").is_empty()
}

/// Returns true if and only if a part of an answer tells how the listing goes on, not what its elements are: `page.next`.
fn tells_page(field: &str) -> bool {
    let field = field.strip_suffix(".[]").unwrap_or(field);
    let last = words(field.rsplit('.').next().unwrap_or_default());
    !field.contains("[]") && last.iter().any(|word| list("paging-words").contains(&word.as_str()))
}

/// Returns true if and only if what is asked of an element only spares the one that cannot be spared: `channel.is_general`.
fn spares_few(field: &str) -> bool {
    let last = field.rsplit('.').next().unwrap_or_default();
    words(last).iter().any(|word| list("sparing-words").contains(&word.as_str()))
}

/// Returns true if and only if the script asks for what is told of an element only to leave out the one that has a name of its own.
fn leaves_out(subject: &Subject, field: &str) -> bool {
    let last = joined(field.trim_end_matches(".[]").rsplit('.').next().unwrap_or_default());
    let names = || words(field).last().is_some_and(|word| list("telling-apart").contains(&word.as_str()));
    subject.bounds.excluded.contains(&last) && names()
}

/// Returns true if and only if a tool's answer as a whole is what an element is called, by which the script does not only leave one out:
/// `sheet.getName()`.
fn names(subject: &Subject, call: usize) -> bool {
    let name = ToolName::of(subject.calls.get(call).and_then(|call| call.tool.name()).unwrap_or_default());
    let told = name.verb.last().filter(|last| list("telling-apart").contains(&last.as_str()));
    told.is_some_and(|told| !subject.bounds.excluded.contains(told))
}

/// Returns true if and only if a tool's answer as a whole is a yes or no, or how something stands.
fn answers(subject: &Subject, call: usize) -> bool {
    let name = ToolName::of(subject.calls.get(call).and_then(|call| call.tool.name()).unwrap_or_default());
    name.verb.first().is_some_and(|first| Tag::Question.has(first)) || name.verb.last().is_some_and(|last| Tag::CountingEnd.has(last))
}

/// The listing over whose elements a call of a host API runs, if there is one.
pub fn listing_over_host<'c>(subject: &'c Subject, ends: &'c Ends, call: usize) -> Option<Listing<'c>> {
    let own = subject.host_calls.get(call)?;
    let into = || ends.flows_into(subject, Ends::index(subject, CallRef::Host(call)));
    let is_element = |flow: &&Flow| flow.field.contains("[]") && Strength::Control < flow.strength;
    let index = into()
        .filter(is_element)
        .filter(|_| own.repeated || 0 < own.loop_depth)
        .map(|flow| flow.origin)
        .find(|index| ends.reads.get(*index).is_some_and(|read| matches!(read.kind, OriginKind::Tool | OriginKind::Network)))?;
    let is_chosen = is_chosen_among(subject, into, index);
    Some(Listing { origin: subject.origins.get(index)?, read: ends.reads.get(index)?, is_chosen })
}

/// The listing of everything of which all elements are named in one call of a tool, if there is one and nothing chooses among them.
pub fn batch_of_all<'c>(subject: &'c Subject, ends: &'c Ends, call: usize) -> Option<Listing<'c>> {
    let into = || ends.flows_into(subject, call).filter(|flow| flow.is_followed());
    let lists_names =
        |flow: &Flow| subject.origins.get(flow.origin).is_some_and(|origin| words(&origin.name).ends_with(&["keys".to_owned()]));
    // A page of names: `{ cursor, keys }`, `[cursor, keys]`.
    let is_page = |flow: &Flow| matches!(flow.field.as_str(), "" | "keys" | "[]") && lists_names(flow);
    let is_element = |flow: &&Flow| flow.strength == Strength::Whole && (flow.field.contains("[]") && !flow.is_one || is_page(flow));
    let is_all = |flow: &&Flow| {
        let asked = || subject.origins.get(flow.origin).and_then(|origin| subject.calls.get(origin.call?.tool()?));
        let is_unfiltered = ends.reads.get(flow.origin).is_some_and(|read| read.kind == OriginKind::Tool && read.is_unfiltered);
        is_unfiltered || is_page(flow) && asked().is_some_and(|asked| matches_all(&asked.argument))
    };
    let index = into().filter(is_element).find(is_all)?.origin;
    let is_chosen = is_chosen_among(subject, || into().filter(|flow| !tells_page(&flow.field)), index);
    let listing = Listing { origin: subject.origins.get(index)?, read: ends.reads.get(index)?, is_chosen };
    (!is_chosen).then_some(listing)
}

/// The listing of which all elements stand in one call of a host API, if there is one and nothing chooses among them.
pub fn batch_of<'c>(subject: &'c Subject, ends: &'c Ends, call: usize) -> Option<Listing<'c>> {
    let into = || ends.flows_into(subject, Ends::index(subject, CallRef::Host(call))).filter(|flow| flow.is_followed());
    let is_element = |flow: &&Flow| flow.field.contains("[]") && flow.strength == Strength::Whole && !flow.is_one;
    let is_listing = |index: &usize| ends.reads.get(*index).is_some_and(|read| matches!(read.kind, OriginKind::Tool | OriginKind::Network));
    let index = into().filter(is_element).map(|flow| flow.origin).find(is_listing)?;
    let is_chosen = is_chosen_among(subject, into, index);
    let listing = Listing { origin: subject.origins.get(index)?, read: ends.reads.get(index)?, is_chosen };
    (!is_chosen).then_some(listing)
}

/// Returns true if and only if a tool call acts on what another one listed: on its elements in a loop,
/// or on what is passed on from it.
pub fn is_fed_by_listing(subject: &Subject, calls: &[CallFeatures], ends: &Ends, call: usize) -> bool {
    let lists = |origin: usize| {
        let from = subject.origins.get(origin).and_then(|origin| origin.call?.tool());
        from.and_then(|from| subject.calls.get(from).zip(calls.get(from)))
            .filter(|(own, _)| !asks_for_one(own))
            .is_some_and(|(own, from)| from.words.reads_many || from.words.reads && names_many(own.tool.name().unwrap_or_default()))
    };
    is_fed_by(subject, ends, call, lists)
}

/// Returns true if and only if a tool call acts on what another one gave that is called after several things, without a verb:
/// `mdm:devices`.
pub fn is_fed_by_things(subject: &Subject, calls: &[CallFeatures], ends: &Ends, call: usize) -> bool {
    is_fed_by(subject, ends, call, |origin| {
        let from = subject.origins.get(origin).and_then(|origin| origin.call?.tool());
        let from = from.and_then(|from| subject.calls.get(from).zip(calls.get(from)));
        from.is_some_and(|(own, from)| only_reads(from) && !asks_for_one(own) && is_named_after_many(own.tool.name().unwrap_or_default()))
    })
}

fn is_fed_by(subject: &Subject, ends: &Ends, call: usize, lists: impl Fn(usize) -> bool) -> bool {
    let over = subject.calls.get(call).map_or(&[][..], |call| &call.over);
    over.iter().any(|origin| lists(*origin))
        || ends.flows_into(subject, call).any(|flow| lists(flow.origin) && Strength::Bit < flow.strength)
}

/// Returns true if and only if all that flows into a call are fields of what readings gave that ask for no more than one record.
pub fn is_of_one(subject: &Subject, ends: &Ends, call: usize) -> bool {
    let asks_for_one = |read: &Call| {
        let (limits, _) = magnitudes(&Arguments::of(&read.argument));
        // Less than one of them often means all.
        limits.iter().any(|limit| (1.0..2.0).contains(&limit.number))
    };
    let read = |flow: &Flow| subject.calls.get(subject.origins.get(flow.origin)?.call?.tool()?);
    let is_one = |flow: &Flow| !flow.field.contains("[]") && read(flow).is_some_and(asks_for_one);
    ends.flows_into(subject, call).filter(|flow| Strength::Bit < flow.strength).all(is_one)
}

/// Returns true if and only if a call runs once for each of what a tool gave that only reads, whatever it is called: `okta:group_members`.
pub fn is_run_over(subject: &Subject, calls: &[CallFeatures], call: usize) -> bool {
    let reads = |origin: &usize| {
        let from = subject.origins.get(*origin).and_then(|origin| origin.call?.tool()).and_then(|from| calls.get(from));
        from.is_some_and(only_reads)
    };
    subject.calls.get(call).is_some_and(|call| call.over.iter().any(reads))
}

/// Returns true if and only if nothing in a tool's name says that it does more than to tell something.
fn only_reads(call: &CallFeatures) -> bool {
    !call.words.changes && !call.words.sends && !call.words.destroys
}

/// Returns true if and only if the last word of a tool's name is a plural: `describe_instances`.
fn names_many(tool: &str) -> bool {
    let name = ToolName::of(tool);
    1 < name.verb.len() && name.verb.last().is_some_and(|last| is_plural(last))
}

/// Returns true if and only if a tool is called after what it lists, without a verb: `mdm:devices`.
fn is_named_after_many(tool: &str) -> bool {
    let name = ToolName::of(tool);
    name.verb.last().is_some_and(|last| is_plural(last)) && !name.verb.iter().any(|word| is_verb(word))
}

/// Returns true if and only if whether a call runs hangs on what the listed elements say.
pub fn is_picked(subject: &Subject, ends: &Ends, call: usize) -> bool {
    // Around a loop over the elements of a page, another one may go from page to page.
    let is_open = subject.calls.get(call).is_some_and(|call| call.repeat == Repeat::Open && call.over.is_empty());
    // By a condition around the call, or by one that the elements were filtered by before.
    let decides = |flow: &Flow| {
        flow.strength == Strength::Bit && flow.argument != "tool" || flow.strength == Strength::Control && flow.argument.is_empty()
    };
    let is_chosen = !is_open && listing_over(subject, ends, call).is_some_and(|listing| listing.is_chosen);
    is_chosen && ends.flows_into(subject, call).any(decides)
        || !is_open && is_asked_narrowly(subject, ends, call)
        || is_picked_batch(subject, ends, call)
}

/// Returns true if and only if a call takes many of a listing at once, and of each list that it takes from only those elements of which a
/// part says that they are meant: `{ ids: files.filter((file) => file.age > 30).map((file) => file.id) }`.
fn is_picked_batch(subject: &Subject, ends: &Ends, call: usize) -> bool {
    let own = subject.calls.get(call);
    let does = own.and_then(|own| own.tool.name()).map(|name| words(split_owner(name).1)).unwrap_or_default();
    let is_element = |flow: &&Flow| flow.is_followed() && flow.field.contains("[]") && Strength::Control < flow.strength;
    let taken = |flow: &&Flow| is_element(flow) && Strength::Bit < flow.strength;
    let decides = |flow: &Flow| {
        let spares = spares_few(&flow.field) || leaves_out(subject, &flow.field) || spares_done(&flow.field, &does);
        flow.strength == Strength::Bit && is_part(&flow.field) && !spares
    };
    let is_chosen = |origin: usize| {
        let lists = lists_of(ends.flows_into(subject, call), origin);
        ends.flows_into(subject, call)
            .filter(is_element)
            .any(|flow| flow.origin == origin && decides(flow) && is_of_elements(&lists, &flow.field))
    };
    let mut fed = ends.flows_into(subject, call).filter(taken).map(|flow| flow.origin).peekable();
    own.is_some_and(|own| own.over.is_empty() && !own.is_repeated()) && fed.peek().is_some() && fed.all(is_chosen)
}

/// Returns true if and only if what a call acts on was asked for by a statement that says which, and at most how many, that is few.
fn is_asked_narrowly(subject: &Subject, ends: &Ends, call: usize) -> bool {
    let asked = |flow: &Flow| subject.origins.get(flow.origin).and_then(|origin| subject.calls.get(origin.call?.tool()?));
    let mut listings = ends.flows_into(subject, call).filter(|flow| flow.field.contains("[]") && flow.strength == Strength::Whole);
    let Some(first) = listings.next() else { return false };
    let is_narrow = |flow: &Flow| {
        asked(flow).is_some_and(|asked| {
            asks_for_passing(&asked.argument)
                || asks_in_own_folder(asked)
                || asks_for_few(&asked.argument)
                || texts(&asked.argument).iter().any(|text| says_which(text.text))
        })
    };
    is_narrow(first) && listings.all(is_narrow)
}

/// Returns true if and only if a store of files is asked for what lies in the folder of one thing, which is named where the script runs:
/// `avatars.list(user.id)`.
fn asks_in_own_folder(asked: &Call) -> bool {
    let owner = asked.tool.name().map(|name| words(split_owner(name).0)).unwrap_or_default();
    let keeps = |word: &String| Tag::FileStore.has(word) || word == "storage" || list("object-stores").contains(&word.as_str());
    let is_store = owner.iter().any(keeps);
    let mut is_own = false;
    asked.argument.visit_properties(&mut |property| {
        let is_folder = matches!(joined(&property.key).as_str(), "path" | "prefix" | "folder");
        is_own |= is_folder && matches!(&property.value, Value::Dynamic(_) | Value::Partial(..));
    });
    is_store && is_own && !asked.is_repeated()
}

/// Returns true if and only if a listing names what it asks for, and by that name it is made to be thrown away: `{ tag: 'scratch' }`.
pub fn asks_for_passing(argument: &Value) -> bool {
    if let Value::OneOf(choices, _) = argument {
        return !choices.is_empty() && choices.iter().all(asks_for_passing);
    }
    let mut named = Vec::new();
    narrowed_by("", argument, &mut named);
    let is_passing =
        Tag::Ephemeral.has_any(named.iter()) || Tag::DisposableWord.has_any(named.iter()) || Tag::DisposableFolder.has_any(named.iter());
    is_passing && !Tag::Production.has_any(named.iter())
}

/// Returns true if and only if a listing asks for names that say that what has them is made to be thrown away: `LIKE 'tmp_import_%'`.
pub fn lists_passing(argument: &Value) -> bool {
    let is_pattern = |text: &str| {
        let said = words(text);
        let is_passing = said.first().is_some_and(|first| Tag::Ephemeral.has(first) || Tag::DisposableWord.has(first));
        text.ends_with('%') && is_passing && !Tag::Production.has_any(said.iter())
    };
    let asks = |text: &str| {
        let lower = text.to_lowercase();
        !lower.contains(" or ")
            && lower.match_indices("like '").any(|(at, like)| {
                let pattern = lower.get(at + like.len()..).and_then(|rest| rest.split('\'').next());
                pattern.is_some_and(is_pattern) && !lower.get(..at).is_some_and(|before| before.trim_end().ends_with("not"))
            })
    };
    asks_for_passing(argument) || texts(argument).iter().any(|text| is_pattern(text.text) || asks(text.text) || asks_for_schema(text.text))
}

/// Returns true if and only if a statement asks for what lies in one schema, and this is named as one that is made to be thrown away:
/// `SELECT tablename FROM pg_tables WHERE schemaname = 'e2e_fixtures'`.
fn asks_for_schema(text: &str) -> bool {
    let lower = text.to_lowercase();
    let named = ["schemaname", "table_schema", "schema_name", "nspname"].iter().find_map(|column| {
        let behind = lower.split(column).skip(1).find_map(|behind| behind.trim_start().strip_prefix('='))?;
        behind.trim_start().strip_prefix('\'')?.split('\'').next().map(words)
    });
    let is_spare = |word: &String| Tag::Ephemeral.has(word) || Tag::DisposableWord.has(word) || is_spare_word(word);
    !lower.contains(" or ") && named.is_some_and(|name| name.iter().any(is_spare) && !Tag::Production.has_any(name.iter()))
}

/// Returns true if and only if a listing says which elements it wants, by a formula or a filter, and that it wants few:
/// `{ filterByFormula: "{State} = 'Draft'", maxRecords: 200 }`.
fn asks_for_few(argument: &Value) -> bool {
    let (mut is_narrow, mut is_few) = (asks_for_fitting(argument), false);
    argument.visit_properties(&mut |property| {
        let key = joined(&property.key);
        let is_limit = Tag::UsualLimitKey.has(&key) || key == "maxrecords";
        is_few |= is_limit && matches!(property.value, Value::Number(most, _) if (1.0..=2.0 * FEW_ROWS).contains(&most));
        let says = |text: &str| text.contains(['=', '<', '>']) && text.chars().any(char::is_alphabetic) && !text.contains("1=1");
        is_narrow |= list("asking-keys").contains(&key.as_str()) && matches!(&property.value, Value::String(text, _) if says(text));
    });
    is_narrow && is_few
}

/// Returns true if and only if a listing asks for what has a value in a column, both written out, or whose time has come:
/// `eq('owner_type', 'guest')`, `lt('retain_until', now)`.
fn asks_for_fitting(argument: &Value) -> bool {
    let (mut names, mut of_time, mut says, mut is_open) = (false, false, false, false);
    let is_word = |text: &str| !text.is_empty() && !text.contains(['*', '%', ' ']);
    argument.visit_properties(&mut |property| match (property.key.as_str(), &property.value) {
        ("where", Value::String(column, _)) => {
            names |= is_word(column);
            of_time |= words(column).last().is_some_and(|last| list("ends-of-times").contains(&last.as_str()));
        }
        ("value", Value::String(text, _)) => says |= is_word(text),
        ("value", Value::Dynamic(_)) => is_open = true,
        _ => {}
    });
    names && says || of_time && is_open
}

/// Returns true if and only if names are asked for by no pattern, or by one that all match: `{ MATCH: '*', COUNT: 500 }`.
fn matches_all(argument: &Value) -> bool {
    let mut is_all = true;
    argument.visit("", &mut |key, value| {
        let is_pattern = matches!(joined(key).as_str(), "match" | "pattern");
        // `scan(cursor, 'MATCH', pattern)`.
        let is_word = |text: &str| Tag::AllValue.has(&text.to_lowercase()) || text == "*" || text.eq_ignore_ascii_case("match");
        is_all &= !is_pattern
            || match value {
                Value::String(text, _) => is_word(text),
                Value::Object(..) | Value::Missing => true,
                _ => false,
            };
    });
    is_all
}

/// The words by which a listing says what it is about, not what it leaves out, nor what it merely says beside.
fn narrowed_by(key: &str, value: &Value, found: &mut Vec<String>) {
    let leaves_out = |text: &str| words(text).iter().any(|word| list("excluding-words").contains(&word.as_str()));
    match value {
        Value::Object(properties, _) => {
            for property in properties.iter().filter(|property| !leaves_out(&property.key)) {
                narrowed_by(&property.key, &property.value, found);
            }
        }
        Value::Array(elements, _) => elements.iter().for_each(|element| narrowed_by(key, element, found)),
        // Of several only what all of them say.
        Value::OneOf(choices, _) => {
            let said = choices.iter().map(|choice| {
                let mut own = Vec::new();
                narrowed_by(key, choice, &mut own);
                own
            });
            found.extend(said.reduce(|all, own| all.into_iter().filter(|word| own.contains(word)).collect()).unwrap_or_default());
        }
        Value::String(text, _) | Value::Partial(text, _) => {
            let narrows = key.is_empty() || is_file_target(key) || list("narrowing-keys").contains(&joined(key).as_str());
            let is_excluded = leaves_out(text) || text.contains(['!', '|']) || text.split_whitespace().any(|part| part.starts_with('-'));
            if narrows && !is_excluded {
                found.extend(words(text));
            }
        }
        _ => {}
    }
}

/// Returns true if and only if a statement says which rows it wants, and that it wants few: `… WHERE test = true LIMIT 50`.
fn says_which(text: &str) -> bool {
    let said = sql::statements(text);
    let [tokens] = said.as_slice() else { return false };
    let at = |word: &str| tokens.iter().position(|token| token.is(word));
    let (Some(start), Some(end)) = (at("where"), at("limit")) else { return false };
    let is_few = matches!(tokens.get(end + 1), Some(Token::Number(rows)) if *rows <= FEW_ROWS);
    // Of a condition of which a part is only known later nobody can say whether it leaves anything out.
    let asked = tokens.get(start + 1..end).unwrap_or_default();
    is_few && !asked.is_empty() && !asked.contains(&Token::Unknown) && condition(asked) != Some(true)
}

/// So many rows are few.
const FEW_ROWS: f64 = 100.0;

//! Tools: what the words of their names tell.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::knowledge::act::known_tool;
use crate::knowledge::api::SinkKind;
use crate::knowledge::command::names_keys_of_shell;
use crate::knowledge::compound::parts;
use crate::knowledge::destination::Side;
use crate::knowledge::effect::{EffectKind, Extent, Said};
use crate::knowledge::house::House;
use crate::knowledge::phrase::{appoints, makes_way_in, rehearses, sets_own, signs_link};
use crate::knowledge::row::term::SensitivityTerm;
use crate::knowledge::sensitivity::{Sensitivity, category};
use crate::knowledge::wildcard::fits;
use crate::knowledge::words::{Tag, has_own};
use crate::value::words::{split_owner, words};

/// What a verb does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Reads.
    Read,
    /// Reads many at once.
    ReadMany,
    /// Sends to somebody or somewhere.
    Send,
    /// Destroys or ends.
    Destroy,
    /// Runs.
    Run,
    /// Writes or changes.
    Write,
    /// Returns what it is given in another form.
    Transform,
    /// Returns what it is given without what is sensitive in it.
    Redact,
    /// Does nothing that matters outside.
    Neutral,
}

/// What a noun of a tool's name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noun {
    /// The word.
    pub word: &'static str,
    /// It counts only before the separator of a name, or as its first word.
    pub is_owner: bool,
    /// What passing data to such a tool does, when its verb sends, writes or runs.
    pub sink: Option<SinkKind>,
    /// It does so whatever its verb.
    pub is_always: bool,
    /// Where the data goes where no argument tells.
    pub side: Option<Side>,
    /// What kind of data such a tool returns.
    pub sensitivity: Option<Sensitivity>,
    /// What it returns is public.
    pub is_public: bool,
    /// Strangers write what it returns.
    pub is_untrusted: bool,
    /// A tool with that noun.
    pub example: &'static str,
}

/// What a row says of tools whose words mislead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolClass {
    /// It reads.
    Reads,
    /// It sends.
    Sends,
    /// It runs what it is given.
    Executes,
    /// It deletes.
    Deletes,
    /// It does nothing that matters.
    Neutral,
}

impl ToolClass {
    /// What is done; none where nothing that matters is.
    pub fn effect(self) -> Option<EffectKind> {
        match self {
            Self::Reads => Some(EffectKind::Read),
            Self::Sends => Some(EffectKind::Send),
            Self::Executes => Some(EffectKind::Run),
            Self::Deletes => Some(EffectKind::Delete),
            Self::Neutral => None,
        }
    }
}

/// What the words of names tell, each list in order of its first column.
struct Names {
    /// Verbs with what they do.
    verbs: &'static [(&'static str, &'static [Verb])],
    /// Other words.
    nouns: &'static [Noun],
    /// Beginnings of compound words, each with a noun that tells the same.
    stems: &'static [(&'static str, &'static str)],
    /// Wildcards for tools whose words mislead, each with an example.
    names: &'static [(&'static str, ToolClass, &'static str)],
}

static NAMES: &Names = &include!(concat!(env!("OUT_DIR"), "/names.rs"));

/// What those say of a tool who must know: settings before the server's manifest, and that before a row that names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Believed {
    said: Said,
    kinds: Vec<EffectKind>,
}

/// What is believed of a tool before the words of its name.
pub fn believed(name: &str, house: &House) -> Believed {
    if let Some(effects) = house.tool(name).and_then(|own| own.effects) {
        return Believed { said: Said::Settings, kinds: effects.to_vec() };
    }
    // A server's hints are believed where they make a tool worse.
    if house.manifest.warns(name) {
        return Believed { said: Said::Manifest, kinds: vec![EffectKind::Delete] };
    }
    let known = known_tool(name).map(|known| known.effects.to_vec());
    let known = known.or_else(|| class_of(name).map(|(_, class)| class.effect().into_iter().collect()));
    known.map_or(Believed { said: Said::Words, kinds: Vec::new() }, |kinds| Believed { said: Said::Row, kinds })
}

impl Believed {
    /// Nobody says what it does but the words of its name.
    pub fn is_by_words(&self) -> bool {
        self.said == Said::Words
    }

    /// Returns true if and only if it may do what only words tell.
    pub fn may(&self, kind: EffectKind) -> bool {
        match self.said {
            Said::Settings => self.kinds.contains(&kind),
            // A row tells all that a tool does; what its arguments open they say themselves.
            Said::Row => self.kinds.contains(&kind) || !matches!(kind, EffectKind::Delete | EffectKind::Pay),
            Said::Manifest | Said::Words => true,
        }
    }

    /// Returns true if and only if a row that names the tool says that it does this.
    pub fn is_named(&self, kind: EffectKind) -> bool {
        self.said == Said::Row && self.kinds.contains(&kind)
    }

    /// Who says that it does this.
    pub fn said(&self, kind: EffectKind) -> Said {
        if self.kinds.contains(&kind) { self.said } else { Said::Words }
    }
}

/// What a tool does, as far as its name tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolProfile {
    /// It reads.
    pub reads: bool,
    /// It reads many at once.
    pub reads_many: bool,
    /// It writes or changes.
    pub writes: bool,
    /// It only tells how something stands or how many there are.
    pub counts: bool,
    /// What it does with what is passed to it.
    pub sinks: Vec<SinkKind>,
    /// Where what is passed to it goes, where no argument tells.
    pub side: Option<Side>,
    /// What it holds is the workspace's own: files, notes, tickets, the team's chat, a database.
    pub is_workspace: bool,
    /// It returns what strangers wrote: an answer from the network, a mail, a message.
    pub is_network_read: bool,
    /// Users say that what it is given stays inside.
    pub is_trusted: bool,
    /// What it returns is public.
    pub is_public: bool,
    /// What kind of data it returns.
    pub sensitivity: Option<Sensitivity>,
    /// A word of its name is a verb; where none is, it may as well read as act.
    pub has_verb: bool,
    /// It makes what lets its holder in, and returns it.
    pub hands_out: bool,
    /// Its result carries what is passed to it.
    pub transforms: bool,
    /// Its result carries what is passed to it without what is sensitive.
    pub redacts: bool,
}

impl ToolProfile {
    /// Returns true if and only if it does this with what is passed to it.
    pub fn does(&self, sink: SinkKind) -> bool {
        self.sinks.contains(&sink)
    }

    /// What it does with what is passed to it that may leave for somebody else.
    pub fn outgoing(&self) -> Option<SinkKind> {
        self.sinks.iter().copied().find(|sink| sink.is_outgoing())
    }
}

/// How many tools are remembered before all are forgotten.
const REMEMBERED: usize = 1 << 17;

thread_local! {
    /// What is known of tools by their names: it is asked of each call many times, and depends on nothing else.
    static KNOWN: RefCell<HashMap<Box<str>, ToolProfile>> = RefCell::default();
}

/// What a tool does, by what is known alone.
pub fn tool(name: &str) -> ToolProfile {
    // What is remembered holds for every scanner of this thread.
    if has_own() {
        return understood(name);
    }
    KNOWN.with_borrow_mut(|known| {
        if let Some(profile) = known.get(name) {
            return profile.clone();
        }
        if REMEMBERED <= known.len() {
            known.clear();
        }
        let profile = understood(name);
        known.insert(Box::from(name), profile.clone());
        profile
    })
}

fn understood(name: &str) -> ToolProfile {
    let mut profile = by_words(name);
    if let Some(known) = known_tool(name) {
        apply_effects(&mut profile, known.effects);
        apply_place(&mut profile, known.sensitivity.map(told_sensitivity), known.is_inside);
    } else if let Some((_, class)) = class_of(name) {
        apply(&mut profile, class);
    }
    profile
}

/// A row that names a tool is believed in what it does; where that leads, and what it holds, the words tell.
fn apply_effects(profile: &mut ToolProfile, effects: &[EffectKind]) {
    let does = |kind: EffectKind| effects.contains(&kind);
    let writes = does(EffectKind::Write);
    (profile.reads, profile.reads_many) = (does(EffectKind::Read), does(EffectKind::Read) && profile.reads_many);
    (profile.writes, profile.has_verb) = (writes, true);
    let runs = |sink: SinkKind| matches!(sink, SinkKind::Command | SinkKind::Code | SinkKind::Query | SinkKind::Prompt);
    profile.sinks.retain(|sink| match sink {
        SinkKind::Delete => false,
        sink if runs(*sink) => does(EffectKind::Run) || *sink == SinkKind::Query,
        SinkKind::FileWrite => writes,
        // What is written at a service outside is told there to whoever reads it.
        _ => does(EffectKind::Send) || does(EffectKind::Control) || writes,
    });
    if does(EffectKind::Send) && profile.outgoing().is_none() {
        profile.sinks.push(SinkKind::Network);
    }
    if does(EffectKind::Run) && !profile.sinks.iter().any(|sink| runs(*sink)) {
        profile.sinks.push(SinkKind::Command);
    }
    if does(EffectKind::Delete) {
        profile.sinks.push(SinkKind::Delete);
    }
}

/// What a row says of tools whose words mislead, with the row's name.
pub fn class_of(name: &str) -> Option<(&'static str, ToolClass)> {
    NAMES.names.iter().find(|(pattern, ..)| fits(pattern, name)).map(|(pattern, class, _)| (*pattern, *class))
}

/// What a tool does, by what is known and what users say of it.
pub fn tool_in(name: &str, house: &House) -> ToolProfile {
    let mut profile = tool(name);
    // A server's hints are believed where they make a tool worse.
    if house.manifest.warns(name) && !profile.does(SinkKind::Delete) {
        profile.sinks.push(SinkKind::Delete);
    }
    if let Some(own) = house.tool(name) {
        if let Some(effects) = own.effects {
            apply_only(&mut profile, effects, own.extent);
        }
        let sensitivity = (own.sensitivity.is_some() || own.is_public).then_some((own.sensitivity, own.is_public));
        apply_place(&mut profile, sensitivity, own.is_inside);
    }
    if house.trusts_tool(name) {
        trust(&mut profile);
    }
    profile
}

/// What a row or a user says of what a tool returns, and where what it is given goes.
fn apply_place(profile: &mut ToolProfile, sensitivity: Option<(Option<Sensitivity>, bool)>, is_inside: Option<bool>) {
    if let Some(told) = sensitivity {
        (profile.sensitivity, profile.is_public) = told;
    }
    match is_inside {
        Some(true) => trust(profile),
        Some(false) => (profile.side, profile.is_workspace) = (Some(Side::Outside), false),
        None => {}
    }
}

/// What kind of data a row says that a tool returns, and whether anybody may know it.
pub fn told_sensitivity(term: SensitivityTerm) -> (Option<Sensitivity>, bool) {
    let sensitivity = match term {
        SensitivityTerm::Public => return (None, true),
        SensitivityTerm::Internal => Sensitivity::Internal,
        SensitivityTerm::Contact => Sensitivity::Contact,
        SensitivityTerm::Personal => Sensitivity::Personal,
        SensitivityTerm::Health => Sensitivity::Health,
        SensitivityTerm::Financial => Sensitivity::Financial,
        SensitivityTerm::Authentication => Sensitivity::Authentication,
    };
    (Some(sensitivity), false)
}

/// A tool does what its user says and nothing else; by which way it sends or runs, its words tell.
fn apply_only(profile: &mut ToolProfile, effects: &[EffectKind], extent: Extent) {
    let does = |kind: EffectKind| effects.contains(&kind);
    (profile.reads, profile.writes, profile.has_verb) = (does(EffectKind::Read), does(EffectKind::Write), true);
    let is_many = match extent {
        Extent::Unknown => profile.reads_many,
        Extent::Many | Extent::Unbounded | Extent::All => true,
        Extent::Nothing | Extent::One | Extent::Few | Extent::Bounded => false,
    };
    profile.reads_many = profile.reads && is_many;
    let kept = |among: &[SinkKind]| profile.sinks.iter().copied().find(|sink| among.contains(sink));
    let mut sinks = Vec::new();
    if does(EffectKind::Send) {
        sinks.push(profile.outgoing().unwrap_or(SinkKind::Network));
    }
    if does(EffectKind::Run) {
        sinks.push(kept(&[SinkKind::Code, SinkKind::Query]).unwrap_or(SinkKind::Command));
    }
    sinks.extend(does(EffectKind::Delete).then_some(SinkKind::Delete));
    sinks.extend(does(EffectKind::Instruct).then_some(SinkKind::Prompt));
    sinks.extend(kept(&[SinkKind::FileWrite]).filter(|_| does(EffectKind::Write)));
    profile.sinks = sinks;
}

fn trust(profile: &mut ToolProfile) {
    (profile.side, profile.is_workspace, profile.is_trusted) = (Some(Side::Inside), true, true);
}

fn apply(profile: &mut ToolProfile, class: ToolClass) {
    (profile.reads, profile.reads_many) = (class == ToolClass::Reads, class == ToolClass::Reads && profile.reads_many);
    profile.sinks = match class {
        ToolClass::Reads | ToolClass::Neutral => Vec::new(),
        ToolClass::Sends => vec![profile.outgoing().unwrap_or(SinkKind::Network)],
        ToolClass::Executes => vec![if profile.does(SinkKind::Code) { SinkKind::Code } else { SinkKind::Command }],
        ToolClass::Deletes => vec![SinkKind::Delete],
    };
}

/// Returns true if and only if a tool's last word tells how something stands or how many there are, also as the end
/// of a German compound. What `docs:read_version` reads is a version, and not which one it is.
fn is_count(verb: &[String]) -> bool {
    let counts = verb.last().is_some_and(|last| Tag::CountingEnd.has(last) || last.ends_with("anzahl"));
    counts && !matches!(verb, [.., before, last] if last == "version" && matches!(before.as_str(), "read" | "download"))
}

fn by_words(name: &str) -> ToolProfile {
    let (owner, verb) = split_owner(name);
    let (mut owners, others) = (words(owner), words(verb));
    owners.extend(heads(owner));
    let verbs = verbs(&others);
    let known =
        owners.iter().map(|word| (true, word)).chain(others.iter().enumerate().map(|(at, word)| (owner.is_empty() && at == 0, word)));
    let mut nouns: Vec<&'static Noun> = known.filter_map(|(is_first, word)| noun(word).filter(|noun| is_first || !noun.is_owner)).collect();
    // Who sends a report by mail sends a mail.
    nouns.sort_by_key(|noun| noun.side == Some(Side::Inside));
    let is = |class: Verb| verbs.iter().any(|classes| classes.contains(&class));
    // `browser:text`: what says no verb gives what it names.
    let is_text = others.last().is_some_and(|last| Tag::WholeText.has(last));
    let reads = is(Verb::Read) || is_text && (verbs.is_empty() || others.len() == 1 && Tag::PageTool.has_any(&owners));
    let own = own_words(owner, verb);
    let mut profile = ToolProfile {
        reads,
        reads_many: is(Verb::ReadMany) || reads && Tag::TellingMany.has_any(&others),
        writes: is(Verb::Write),
        counts: is_count(&others) || others.first().is_some_and(|first| first == "count"),
        transforms: is(Verb::Transform),
        redacts: is(Verb::Redact),
        sensitivity: nouns.iter().filter_map(|noun| noun.sensitivity).max().max(category(&own)),
        side: nouns
            .iter()
            .filter(|noun| noun.sink.is_some())
            .find_map(|noun| noun.side)
            .or_else(|| nouns.iter().find_map(|noun| noun.side)),
        ..ToolProfile::default()
    };
    // The stock of a warehouse is no stock of the market.
    let is_own = nouns.iter().any(|noun| noun.side == Some(Side::Inside));
    profile.is_public = profile.sensitivity.is_none() && !is_own && nouns.iter().any(|noun| noun.is_public);
    profile.is_workspace = profile.side == Some(Side::Inside);
    profile.is_network_read = !is(Verb::Send) && nouns.iter().any(|noun| noun.is_untrusted);
    profile.sinks = if rehearses(&others) { Vec::new() } else { sinks(&verbs, &nouns, reads) };
    profile.has_verb = !verbs.is_empty();
    profile.hands_out = makes_way_in(&owners, &others);
    if sets_own(&others) {
        profile.sinks.retain(|sink| !sink.is_outgoing());
    }
    // `rotate_ssh_keypair` runs nothing by a shell.
    if !is(Verb::Run) && names_keys_of_shell(others.iter()) {
        profile.sinks.retain(|sink| *sink != SinkKind::Command);
    }
    if appoints(&others, owners.iter().any(|word| noun(word).is_some_and(|noun| noun.sink != Some(SinkKind::Prompt)))) {
        profile.sinks.retain(|sink| *sink != SinkKind::Prompt);
    }
    if signs_link(&others) {
        (profile.sinks, profile.reads, profile.writes, profile.transforms) = (Vec::new(), true, false, false);
    }
    if owner.is_empty() && others.len() == 1 && is(Verb::Run) && profile.sinks.is_empty() {
        profile.sinks.push(SinkKind::Command);
    }
    if Tag::Editor.has(&name.to_lowercase().replace('_', "")) && !profile.does(SinkKind::FileWrite) {
        profile.sinks.push(SinkKind::FileWrite);
    }
    profile
}

/// What words of an owner's name stand for that are written together: `mail` of `mailroom`.
pub fn heads(owner: &str) -> Vec<String> {
    parts(&words(owner), |word| noun(word).is_some())
}

/// What a tool with these words does with what is passed to it.
fn sinks(verbs: &[&'static [Verb]], nouns: &[&'static Noun], reads: bool) -> Vec<SinkKind> {
    let is = |class: Verb| verbs.iter().any(|classes| classes.contains(&class));
    let (sends, runs, writes) = (is(Verb::Send), is(Verb::Run), is(Verb::Write));
    let is_quiet = is(Verb::Neutral) || is(Verb::Transform) || is(Verb::Redact);
    let mut found = Vec::new();
    for noun in nouns {
        let Some(sink) = noun.sink else { continue };
        let acts = match sink {
            SinkKind::Mail | SinkKind::Publish => sends || runs || writes || !reads && !is(Verb::Destroy) && !is_quiet,
            SinkKind::Chat => sends || writes,
            SinkKind::Network => sends || runs || writes || noun.is_always && !is_quiet || !reads && !is(Verb::Destroy) && !is_quiet,
            SinkKind::Command | SinkKind::Code => runs || sends && !reads || !reads && !writes && !is(Verb::Destroy) && !is_quiet,
            SinkKind::Query => !is_quiet || reads,
            SinkKind::FileWrite => writes,
            SinkKind::Prompt => runs || sends || !reads && !writes && !is(Verb::Destroy),
            SinkKind::Delete | SinkKind::Answer => false,
        };
        let is_second_way_out = sink.is_outgoing() && found.iter().any(|known: &SinkKind| known.is_outgoing());
        if acts && !found.contains(&sink) && !is_second_way_out {
            found.push(sink);
        }
    }
    if sends && !found.iter().any(|sink| sink.is_outgoing() || matches!(sink, SinkKind::Prompt | SinkKind::Command | SinkKind::Code)) {
        found.push(SinkKind::Network);
    }
    if is(Verb::Destroy) {
        found.push(SinkKind::Delete);
    }
    found
}

/// The classes of a name's verbs: of the first word that is one, and of each behind an `and`. In `mail_get_message` the first word names
/// whose tool it is.
fn verbs(words: &[String]) -> Vec<&'static [Verb]> {
    let acts = |word: &String| verb(word).filter(|_| noun(word).is_none());
    let after_owner = match words {
        [owner, second, _, ..] | [owner, second] if noun(owner).is_some() => acts(second),
        _ => None,
    };
    let first = after_owner.or_else(|| words.iter().find_map(|word| verb(word)));
    // `help_article_publish`: what only asks for help where it stands alone says of which thing it is.
    let is_thing = first.is_some_and(|classes| classes.iter().all(|class| *class == Verb::Neutral)) && 2 < words.len();
    let first = if is_thing { words.last().and_then(|last| verb(last)).or(first) } else { first };
    let joined = words.iter().zip(words.iter().skip(1)).filter(|(word, _)| matches!(word.as_str(), "and" | "then"));
    first.into_iter().chain(joined.filter_map(|(_, next)| verb(next))).collect()
}

/// Returns true if and only if a word says what a tool does.
pub fn is_verb(word: &str) -> bool {
    verb(word).is_some()
}

fn verb(word: &str) -> Option<&'static [Verb]> {
    NAMES.verbs.binary_search_by(|(known, _)| (*known).cmp(word)).ok().and_then(|at| NAMES.verbs.get(at)).map(|(_, classes)| *classes)
}

/// What is known of a noun.
pub fn noun(word: &str) -> Option<&'static Noun> {
    let known = |word: &str| NAMES.nouns.binary_search_by(|known| known.word.cmp(word)).ok().and_then(|at| NAMES.nouns.get(at));
    known(word).or_else(|| {
        NAMES.stems.iter().find(|(stem, _)| stem.len() + 2 < word.len() && word.starts_with(stem)).and_then(|(_, of)| known(of))
    })
}

/// The words of owner and verb that tell what a tool returns; how to reach a person is not among them.
fn own_words(owner: &str, verb: &str) -> Vec<String> {
    let all: Vec<String> = words(owner).into_iter().chain(words(verb)).collect();
    if category(&all) == Some(Sensitivity::Contact) { Vec::new() } else { all }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::house::OwnTool;

    #[test]
    fn the_words_of_a_name_tell_what_a_tool_does() {
        for (name, expected) in [
            ("mail:send", vec![SinkKind::Mail]),
            ("send_email", vec![SinkKind::Mail]),
            ("mail:list", vec![]),
            ("gmail:search", vec![]),
            ("mail:draft", vec![]),
            ("webhook:send", vec![SinkKind::Network]),
            ("webhook:trigger", vec![SinkKind::Network]),
            ("http:post", vec![SinkKind::Network]),
            ("http_get", vec![SinkKind::Network]),
            ("web:fetch", vec![SinkKind::Network]),
            ("s3:upload", vec![SinkKind::Network]),
            ("s3:putObject", vec![SinkKind::Network]),
            ("s3:listBuckets", vec![]),
            ("slack:post", vec![SinkKind::Chat]),
            ("mcp__slack__post_message", vec![SinkKind::Chat]),
            ("slack:search", vec![]),
            ("telegram:sendMessage", vec![SinkKind::Chat]),
            ("twitter:post", vec![SinkKind::Publish]),
            ("pastebin:create", vec![SinkKind::Publish]),
            ("shell:exec", vec![SinkKind::Command]),
            ("run_command", vec![SinkKind::Command]),
            ("bash", vec![SinkKind::Command]),
            ("shell:history", vec![]),
            ("python:run", vec![SinkKind::Code]),
            ("code:execute", vec![SinkKind::Code]),
            ("code:search", vec![]),
            ("db:query", vec![SinkKind::Query]),
            ("database:execute", vec![SinkKind::Query]),
            ("files:write", vec![SinkKind::FileWrite]),
            ("fs.writeFile", vec![SinkKind::FileWrite]),
            ("files:read", vec![]),
            ("files:delete", vec![SinkKind::Delete]),
            ("users:delete", vec![SinkKind::Delete]),
            ("users:list", vec![]),
            ("users:update", vec![]),
            ("agent:run", vec![SinkKind::Prompt]),
            ("llm:complete", vec![SinkKind::Prompt]),
            ("tests:run", vec![]),
            ("ci:runTests", vec![]),
            ("shell:dryRun", vec![]),
            ("users:fetch", vec![]),
            ("fetch", vec![SinkKind::Network]),
            ("leave:request", vec![]),
            ("wiki:getPage", vec![]),
            ("exec", vec![SinkKind::Command]),
            ("postgres:ping", vec![]),
            ("budget:calc", vec![]),
            ("report:send", vec![SinkKind::Network]),
        ] {
            assert_eq!(tool(name).sinks, expected, "{name}");
        }
    }

    #[test]
    fn what_a_tool_returns_is_told_by_its_nouns() {
        for (name, sensitivity, is_untrusted) in [
            ("vault:read", Some(Sensitivity::Authentication), false),
            ("secrets:list", Some(Sensitivity::Authentication), false),
            ("payroll:export", Some(Sensitivity::Financial), false),
            ("patients:list", Some(Sensitivity::Health), false),
            ("crm:list", Some(Sensitivity::Personal), false),
            ("audit:list", Some(Sensitivity::Internal), false),
            ("inbox:list", Some(Sensitivity::Personal), true),
            ("web:search", None, true),
            ("http:get", None, true),
            ("tickets:list", None, true),
            ("wiki:list", None, false),
            ("weather:get", None, false),
            ("canteen:menu", None, false),
            ("kis_patientenakten_lesen", Some(Sensitivity::Health), false),
            ("kundenkartei:laden", Some(Sensitivity::Personal), false),
            ("nominas.listar", Some(Sensitivity::Financial), false),
            ("secretary:book", None, false),
        ] {
            let profile = tool(name);
            assert_eq!((profile.sensitivity, profile.is_network_read), (sensitivity, is_untrusted), "{name}");
        }
    }

    #[test]
    fn where_data_goes_where_no_argument_tells() {
        for (name, expected) in [
            ("webhook:send", Some(Side::Outside)),
            ("slack:sendWebhook", Some(Side::Outside)),
            ("http:post", Some(Side::Outside)),
            ("telegram:send", Some(Side::Outside)),
            ("slack:post", Some(Side::Inside)),
            ("notes:create", Some(Side::Inside)),
            ("mail:send", None),
            ("s3:upload", None),
        ] {
            assert_eq!(tool(name).side, expected, "{name}");
        }
    }

    #[test]
    fn users_know_better() {
        let own = |effects, is_inside| OwnTool { effects: Some(effects), is_inside, ..OwnTool::default() };
        let house = House {
            tools: vec![
                ("report:*".to_owned(), own(&[], None)),
                ("report:mail".to_owned(), own(&[EffectKind::Send], Some(false))),
                ("crm:list".to_owned(), OwnTool { is_public: true, ..OwnTool::default() }),
            ],
            trusted: vec!["webhook:ops".to_owned()],
            ..House::default()
        };
        assert_eq!(tool_in("report:send", &house).sinks, []);
        assert_eq!(tool_in("report:mail", &house).sinks, [SinkKind::Mail]);
        assert_eq!(tool_in("report:mail", &house).side, Some(Side::Outside));
        assert_eq!(tool_in("crm:list", &house).sensitivity, None);
        assert_eq!(tool_in("webhook:ops", &house).side, Some(Side::Inside));
        assert_eq!(tool_in("webhook:send", &house).side, Some(Side::Outside));
    }
}

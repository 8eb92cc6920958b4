//! Rows of the user's own, of the shape of `knowledge/`, and how they count while a source is judged.
//!
//! What is built in is compiled in, and its look-up costs nothing more where the user says nothing. Rows of the user's own are made
//! once a run, so they live as long as the program, like those that are compiled in. They count on the threads, and while, a
//! scanner that knows them judges: whatever looks something up there finds them first.

use std::collections::HashMap;

use crate::knowledge::api::{self, Api};
use crate::knowledge::command::{self, COMMANDS, CommandRow, OwnCommands, Test};
use crate::knowledge::row::api::ApiRow;
use crate::knowledge::row::braces;
use crate::knowledge::row::command::{CommandRow as WrittenCommand, Tests as WrittenTests, listed};
use crate::knowledge::row::statement::{StatementRow as WrittenStatement, StatementTests};
use crate::knowledge::row::term::{OriginTerm, SeverityOrNone, SeverityTerm};
use crate::knowledge::row::word::WordRow;
use crate::knowledge::statement::{self, StatementRow};
use crate::knowledge::words::{self, OwnWords, Tag};
use crate::subject::flow::OriginKind;
use crate::value::severity::Severity;

/// Rows of the user's own.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnRows {
    apis: &'static [Api],
    commands: Option<&'static OwnCommands>,
    words: Option<&'static OwnWords>,
    statements: &'static [StatementRow],
}

impl PartialEq for OwnRows {
    /// Two are the same if they were made by the same reading.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.apis, other.apis)
            && self.commands.map(std::ptr::from_ref) == other.commands.map(std::ptr::from_ref)
            && self.words.map(std::ptr::from_ref) == other.words.map(std::ptr::from_ref)
            && std::ptr::eq(self.statements, other.statements)
    }
}

/// A word of a row that names nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// The word as it is written.
    pub word: String,
    /// What it should name: `tag`, `list`.
    pub kind: &'static str,
    /// All that it could be.
    pub known: Vec<&'static str>,
}

impl OwnRows {
    /// The rows as they are looked up.
    ///
    /// # Errors
    ///
    /// All names in them that name nothing.
    pub fn of(
        apis: &[ApiRow],
        commands: &[WrittenCommand],
        words: &[WordRow],
        statements: &[WrittenStatement],
    ) -> Result<Self, Vec<UnknownName>> {
        let mut unknown = Vec::new();
        let own = Self {
            apis: own_apis(apis),
            commands: (!commands.is_empty()).then(|| own_commands(commands, &mut unknown)),
            words: (!words.is_empty()).then(|| own_words(words, &mut unknown)),
            statements: kept_list(statements.iter().map(statement_row).collect()),
        };
        if unknown.is_empty() { Ok(own) } else { Err(unknown) }
    }

    /// The rows of commands.
    pub fn commands(&self) -> &'static [CommandRow] {
        self.commands.map_or(&[], |own| &own.rows)
    }

    /// The APIs.
    pub fn apis(&self) -> &'static [Api] {
        self.apis
    }

    /// The rows of statements.
    pub fn statements(&self) -> &'static [StatementRow] {
        self.statements
    }

    /// Does something on this thread, while these rows count.
    pub fn counting<R>(self, run: impl FnOnce() -> R) -> R {
        let _until_done = Counting::start(self);
        run()
    }
}

/// Lets rows count until it is dropped; what counted before then counts again, also where a judgement fails.
struct Counting(OwnRows);

impl Counting {
    fn start(own: OwnRows) -> Self {
        Self(replace(own))
    }
}

impl Drop for Counting {
    fn drop(&mut self) {
        replace(self.0);
    }
}

fn replace(OwnRows { apis, commands, words, statements }: OwnRows) -> OwnRows {
    OwnRows {
        apis: api::replace_own(apis),
        commands: command::replace_own(commands),
        words: words::replace_own(words),
        statements: statement::replace_own(statements),
    }
}

/// A text that lives as long as the program.
pub fn kept(text: &str) -> &'static str {
    Box::leak(Box::from(text))
}

/// A list that lives as long as the program.
pub fn kept_list<T>(list: Vec<T>) -> &'static [T] {
    Box::leak(list.into_boxed_slice())
}

fn texts<T: AsRef<str>>(texts: &[T]) -> &'static [&'static str] {
    kept_list(texts.iter().map(|text| kept(text.as_ref())).collect())
}

fn own_apis(rows: &[ApiRow]) -> &'static [Api] {
    let mut apis: Vec<Api> = Vec::new();
    for row in rows {
        let ApiRow { paths, property, assigned, text_only, origin, reads, sink, target, data, body, example, source } = row;
        let (target, data, body) = (texts(target), texts(data), texts(body));
        let (source, example) = (kept(source.as_deref().unwrap_or_default()), kept(example.as_deref().unwrap_or_default()));
        apis.extend(paths.iter().flat_map(|path| braces(path)).map(|path| Api {
            path: kept(&path),
            is_property: *property,
            is_assigned: *assigned,
            is_text_only: *text_only,
            origin: origin.map(origin_kind),
            reads: reads.as_deref().map(kept),
            sink: *sink,
            target,
            data,
            body,
            source,
            example,
        }));
    }
    // Of several rows that name one path the last counts.
    apis.reverse();
    apis.sort_by_key(|api| api.path);
    apis.dedup_by_key(|api| api.path);
    kept_list(apis)
}

fn origin_kind(term: OriginTerm) -> OriginKind {
    match term {
        OriginTerm::Tool => OriginKind::Tool,
        OriginTerm::Environment => OriginKind::Environment,
        OriginTerm::File => OriginKind::File,
        OriginTerm::Network => OriginKind::Network,
        OriginTerm::Incoming => OriginKind::Incoming,
        OriginTerm::Storage => OriginKind::Storage,
        OriginTerm::Clipboard => OriginKind::Clipboard,
        OriginTerm::UserInput => OriginKind::UserInput,
        OriginTerm::Process => OriginKind::Process,
        OriginTerm::System => OriginKind::System,
        OriginTerm::Page => OriginKind::Page,
        OriginTerm::Program => OriginKind::Program,
    }
}

fn severity(term: SeverityTerm) -> Severity {
    match term {
        SeverityTerm::Low => Severity::Low,
        SeverityTerm::Medium => Severity::Medium,
        SeverityTerm::High => Severity::High,
        SeverityTerm::Critical => Severity::Critical,
    }
}

fn severity_or_none(term: SeverityOrNone) -> Option<Severity> {
    match term {
        SeverityOrNone::None => None,
        SeverityOrNone::Low => Some(Severity::Low),
        SeverityOrNone::Medium => Some(Severity::Medium),
        SeverityOrNone::High => Some(Severity::High),
        SeverityOrNone::Critical => Some(Severity::Critical),
    }
}

fn own_commands(rows: &[WrittenCommand], unknown: &mut Vec<UnknownName>) -> &'static OwnCommands {
    let mut own = OwnCommands::default();
    for (at, row) in rows.iter().enumerate() {
        for program in &row.of {
            own.programs.entry(program.to_lowercase()).or_default().push(at);
        }
        own.rows.push(command_row(row, unknown));
    }
    Box::leak(Box::new(own))
}

fn command_row(row: &WrittenCommand, unknown: &mut Vec<UnknownName>) -> CommandRow {
    let WrittenCommand { of: _, sub, when, and, unless, does, to, extent, severity: own, says, hit, miss, source } = row;
    let sub = sub.iter().map(|sub| texts(&sub.split_whitespace().collect::<Vec<_>>())).collect();
    let when = [when, and].into_iter().flatten().map(|written| tests(written, unknown)).collect();
    CommandRow {
        name: kept(&row.name()),
        sub: kept_list(sub),
        when: kept_list(when),
        unless: tests(unless, unknown),
        kind: *does,
        object: kept(to),
        extent: extent.unwrap_or_default(),
        severity: own.and_then(severity_or_none),
        is_nothing: *own == Some(SeverityOrNone::None),
        says: kept(says),
        hit: texts(hit),
        miss: texts(miss),
        source: kept(source),
    }
}

fn tests(written: &WrittenTests, unknown: &mut Vec<UnknownName>) -> &'static [Test] {
    let mut wildcards = |values: &[String]| {
        let list = |name: &str| COMMANDS.lists.iter().find(|(own, _)| *own == name).map(|(_, list)| list.to_vec());
        texts(&listed(values, &list).unwrap_or_else(|name| {
            let known = COMMANDS.lists.iter().map(|(name, _)| *name).collect();
            unknown.push(UnknownName { word: name, kind: "list", known });
            Vec::new()
        }))
    };
    let option = written.option.iter().map(|(name, values)| (kept(name), wildcards(values))).collect();
    let mut all = vec![
        Test::Flag(texts(&written.flag)),
        Test::Word(wildcards(&written.word)),
        Test::Operand(wildcards(&written.operand)),
        Test::First(wildcards(&written.first)),
        Test::Last(wildcards(&written.last)),
        Test::Argument(wildcards(&written.argument)),
        Test::Option(kept_list(option)),
        Test::Reaches(kept_list(written.reaches.clone())),
        Test::Target(kept_list(written.target.clone())),
        Test::Operands(written.operands),
        Test::Writes(wildcards(&written.writes)),
        Test::Input(wildcards(&written.input)),
        Test::Fed(wildcards(&written.fed)),
        Test::Sets(wildcards(&written.sets)),
        Test::Starts(kept_list(written.starts.clone())),
        Test::Start(kept_list(written.start.clone())),
        Test::Address(kept_list(written.address.clone())),
    ];
    all.retain(|test| !test.is_empty());
    all.extend(written.most.map(Test::Most));
    all.extend(written.open.then_some(Test::Open));
    all.extend(written.wild.then_some(Test::Wild));
    kept_list(all)
}

fn statement_row(row: &WrittenStatement) -> StatementRow {
    let WrittenStatement { of, verb, object, when, and, unless, does, to, severity: own, says, hit, miss, source } = row;
    StatementRow {
        name: kept(&row.name()),
        language: *of,
        verb: texts(verb),
        object: texts(object),
        when: kept_list([when, and].into_iter().flatten().map(statement_tests).collect()),
        unless: statement_tests(unless),
        kind: *does,
        to: kept(to),
        severity: severity(*own),
        says: kept(says),
        hit: texts(hit),
        miss: texts(miss),
        source: kept(source),
    }
}

fn statement_tests(written: &StatementTests) -> statement::Tests {
    let StatementTests { has, call, set, text, name, host, extent, spare } = written;
    statement::Tests {
        has: kept_list(has.iter().map(|phrase| texts(&phrase.split_whitespace().collect::<Vec<_>>())).collect()),
        call: texts(call),
        set: texts(set),
        text: texts(text),
        name: texts(name),
        host: texts(host),
        extent: kept_list(extent.clone()),
        is_spare: *spare,
    }
}

fn own_words(rows: &[WordRow], unknown: &mut Vec<UnknownName>) -> &'static OwnWords {
    let mut told: HashMap<String, &'static [Tag]> = HashMap::new();
    for WordRow { is, words } in rows {
        let mut tags = Vec::new();
        for name in is {
            match Tag::parse(name) {
                Some(tag) => tags.push(tag),
                None => {
                    let known = words::tag_rows().iter().map(|row| row.name).collect();
                    unknown.push(UnknownName { word: name.clone(), kind: "tag", known });
                }
            }
        }
        let tags = kept_list(tags);
        told.extend(words.iter().map(|word| (word.clone(), tags)));
    }
    Box::leak(Box::new(OwnWords::of(told.iter().map(|(word, tags)| (kept(word), *tags)))))
}

#[cfg(test)]
mod examples {
    use super::OwnRows;
    use crate::knowledge::api::api;
    use crate::knowledge::row::word::WordRow;
    use crate::knowledge::words::Tag;

    fn words(is: &[&str], words: &[&str]) -> WordRow {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        WordRow { is: owned(is), words: owned(words) }
    }

    #[test]
    fn rows_count_while_they_are_asked_to_and_no_longer() {
        let own = OwnRows::of(&[], &[], &[words(&["drop-host"], &["paste.acme.io"]), words(&[], &["webhook.site"])], &[])
            .expect("they name tags");
        let drops = || (Tag::DropHost.has("paste.acme.io"), Tag::DropHost.has("webhook.site"), Tag::DropHost.has("0x0.st"));
        let listed = || ["paste.acme.io", "webhook.site"].map(|host| Tag::DropHost.words().any(|word| word == host));
        assert_eq!((drops(), listed()), ((false, true, true), [false, true]));
        own.counting(|| assert_eq!((drops(), listed()), ((true, false, true), [true, false])));
        assert_eq!((drops(), listed()), ((false, true, true), [false, true]));
    }

    #[test]
    fn a_failed_judgement_leaves_no_rows_behind() {
        let row = serde_json::from_value(serde_json::json!({"paths": ["acme.push"], "sink": "network"})).expect("it is a row");
        let own = OwnRows::of(&[row], &[], &[], &[]).expect("it names nothing else");
        let failed = std::panic::catch_unwind(|| own.counting(|| assert!(api("acme.push").is_none())));
        assert!(failed.is_err() && api("acme.push").is_none());
    }

    #[test]
    fn names_that_name_nothing_are_told() {
        let unknown = OwnRows::of(&[], &[], &[words(&["drop-hosts"], &["a.io"])], &[]).expect_err("there is no such tag");
        assert_eq!((unknown[0].word.as_str(), unknown[0].kind), ("drop-hosts", "tag"));
        assert!(unknown[0].known.contains(&"drop-host"));
    }
}

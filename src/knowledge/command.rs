//! What programs do when a command starts them: the rows of `knowledge/commands/`.

use std::cell::Cell;
use std::collections::HashMap;

use crate::knowledge::effect::{EffectKind, Extent};
use crate::knowledge::persistence::Persistence;
use crate::knowledge::reach::Reach;
pub use crate::knowledge::row::term::Address;
use crate::value::severity::Severity;

/// What is known of commands.
pub struct Commands {
    /// What commands do.
    pub rows: &'static [CommandRow],
    /// Programs in order, each with the places of its rows.
    pub programs: &'static [(&'static str, &'static [u16])],
    /// Programs that start another command.
    pub wrappers: &'static [Wrapper],
    /// Programs that hand on what files hold.
    pub readers: &'static [Reader],
    /// Programs that run code of another language.
    pub codes: &'static [Code],
    /// Lists of wildcards that rows name.
    pub lists: &'static [(&'static str, &'static [&'static str])],
}

/// What is known of commands; a row is the same wherever it is asked for.
pub static COMMANDS: &Commands = &include!(concat!(env!("OUT_DIR"), "/commands.rs"));

/// What a command does, if it looks like this.
#[derive(Debug)]
pub struct CommandRow {
    /// Where it stands: file and programs.
    pub name: &'static str,
    /// Its subcommands, each as wildcards of words; none for all.
    pub sub: &'static [&'static [&'static str]],
    /// All of these hold.
    pub when: &'static [&'static [Test]],
    /// None of these holds.
    pub unless: &'static [Test],
    /// What is done.
    pub kind: EffectKind,
    /// What it is done to.
    pub object: &'static str,
    /// To how much.
    pub extent: Extent,
    /// How bad it is, where the table of effects does not say.
    pub severity: Option<Severity>,
    /// It is nothing to speak of, whatever the table says.
    pub is_nothing: bool,
    /// What happens, for people; `{reach}` stands for how far its operands reach.
    pub says: &'static str,
    /// Lines that do it.
    pub hit: &'static [&'static str],
    /// Lines that look like it and do not do it.
    pub miss: &'static [&'static str],
    /// Where the facts are from.
    pub source: &'static str,
}

/// A predicate of the closed list.
#[derive(Debug)]
pub enum Test {
    /// It has one of these options, alone or in a bundle, with or without a value.
    Flag(&'static [&'static str]),
    /// One of its arguments is one of these words.
    Word(&'static [&'static str]),
    /// One of its operands fits one of these wildcards.
    Operand(&'static [&'static str]),
    /// Its first operand fits one of these wildcards.
    First(&'static [&'static str]),
    /// Its last operand fits one of these wildcards.
    Last(&'static [&'static str]),
    /// One of its arguments fits one of these wildcards.
    Argument(&'static [&'static str]),
    /// One of these options has a value that fits one of its wildcards.
    Option(&'static [(&'static str, &'static [&'static str])]),
    /// Its operands reach so far at most.
    Reaches(&'static [Reach]),
    /// Its last operand reaches so far.
    Target(&'static [Reach]),
    /// It has so many operands or more.
    Operands(u8),
    /// It has no more than so many operands.
    Most(u8),
    /// An operand is not known before it runs.
    Open,
    /// An operand stands for many: `*`.
    Wild,
    /// It writes its output to what fits one of these wildcards.
    Writes(&'static [&'static str]),
    /// What it reads as its input fits one of these wildcards.
    Input(&'static [&'static str]),
    /// It reads what one of these programs prints.
    Fed(&'static [&'static str]),
    /// It sets a variable so: `NAME=value` fits one of these wildcards.
    Sets(&'static [&'static str]),
    /// It writes its output to a place from which things start.
    Starts(&'static [Persistence]),
    /// An operand is a place from which things start.
    Start(&'static [Persistence]),
    /// It names an address of one of these sorts.
    Address(&'static [Address]),
}

impl Test {
    /// Returns true if and only if nothing is asked.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Flag(texts) | Self::Word(texts) | Self::Operand(texts) | Self::First(texts) | Self::Last(texts) => texts.is_empty(),
            Self::Argument(texts) | Self::Writes(texts) | Self::Input(texts) | Self::Fed(texts) | Self::Sets(texts) => texts.is_empty(),
            Self::Option(options) => options.is_empty(),
            Self::Reaches(reaches) | Self::Target(reaches) => reaches.is_empty(),
            Self::Starts(places) | Self::Start(places) => places.is_empty(),
            Self::Address(sorts) => sorts.is_empty(),
            Self::Operands(least) => *least == 0,
            Self::Most(_) | Self::Open | Self::Wild => false,
        }
    }
}

/// How a program starts another command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// Its operands are the words of the command.
    Words,
    /// Its operands joined are a line.
    Line,
    /// One operand is a line.
    Operand,
    /// The value of one of these options is a line.
    Option,
    /// What stands behind one of these options, joined, is a line.
    Rest,
    /// What stands behind one of these options are the words of a command.
    Behind,
    /// What its assignments give is a line.
    Assigned,
    /// What it reads is a line.
    Input,
}

/// A program that starts another command.
#[derive(Debug)]
pub struct Wrapper {
    /// Its names.
    pub programs: &'static [&'static str],
    /// Its subcommand, if only that starts one.
    pub sub: &'static [&'static str],
    /// How it starts one.
    pub starts: Starts,
    /// Its options that take a value.
    pub takes: &'static [&'static str],
    /// Options that say where the command stands.
    pub options: &'static [&'static str],
    /// So many operands stand before the command.
    pub skip: u8,
    /// It adds arguments that are not known before it runs.
    pub is_open: bool,
    /// A line that starts a command, and the program that it starts.
    pub hit: &'static [&'static str],
    /// Lines that start none.
    pub miss: &'static [&'static str],
}

/// Which files a program hands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Files {
    /// All operands.
    Operands,
    /// All operands but the first, which says what to look for.
    BehindFirst,
    /// All operands but the last, which says where it goes.
    BeforeLast,
    /// Values of options.
    Options,
    /// Values that are marked as files: `@name`, `=@name`, `=<name`, `file://`.
    Marked,
    /// What is found below its first operands.
    Found,
}

/// A program that hands on what files hold.
#[derive(Debug)]
pub struct Reader {
    /// Its names.
    pub programs: &'static [&'static str],
    /// Its subcommand, if only that does.
    pub sub: &'static [&'static str],
    /// Which files.
    pub files: Files,
    /// Its options that take a value which is no file to hand on.
    pub takes: &'static [&'static str],
    /// Options whose values are the files.
    pub options: &'static [&'static str],
    /// With one of these options it hands nothing on.
    pub unless: &'static [&'static str],
    /// Lines that hand on a secret.
    pub hit: &'static [&'static str],
    /// Lines that do not.
    pub miss: &'static [&'static str],
}

/// Languages that commands hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A programming language.
    Code,
    /// Statements for a database.
    Sql,
}

/// A program that runs code or statements of another language.
#[derive(Debug)]
pub struct Code {
    /// Which language.
    pub language: Language,
    /// Its names, without the number of a version.
    pub programs: &'static [&'static str],
    /// Options whose value is code; without any its operands are.
    pub options: &'static [&'static str],
}

/// What commands do by rows of the user's own.
#[derive(Debug, Default)]
pub struct OwnCommands {
    /// The rows.
    pub rows: Vec<CommandRow>,
    /// Programs, in lower case, with the places of their rows.
    pub programs: HashMap<String, Vec<usize>>,
}

thread_local! {
    static OWN: Cell<Option<&'static OwnCommands>> = const { Cell::new(None) };
}

/// Lets these rows of the user's own count on this thread, and returns those that did.
pub fn replace_own(own: Option<&'static OwnCommands>) -> Option<&'static OwnCommands> {
    OWN.replace(own)
}

/// The rows of the user's own for a program; its name is in lower case.
pub fn own_rows(program: &str) -> impl Iterator<Item = &'static CommandRow> {
    let own = OWN.get();
    let places = own.and_then(|own| own.programs.get(program)).into_iter().flatten();
    places.filter_map(move |at| own?.rows.get(*at))
}

/// The rows of a program that are built in; its name is in lower case.
pub fn rows(program: &str) -> impl Iterator<Item = &'static CommandRow> {
    let found = COMMANDS.programs.binary_search_by(|(name, _)| (*name).cmp(program)).ok();
    let places = found.and_then(|at| COMMANDS.programs.get(at)).map_or(&[][..], |(_, rows)| *rows);
    // A row for any program stands under `*`.
    let any = COMMANDS.programs.iter().find(|(name, _)| *name == "*").map_or(&[][..], |(_, rows)| *rows);
    places.iter().chain(any).filter_map(|at| COMMANDS.rows.get(usize::from(*at)))
}

/// Returns true if and only if rows name a program, and so its options are known.
pub fn is_known(program: &str) -> bool {
    OWN.get().is_some_and(|own| own.programs.contains_key(program))
        || COMMANDS.programs.binary_search_by(|(name, _)| (*name).cmp(program)).is_ok()
        || COMMANDS.wrappers.iter().any(|row| row.programs.contains(&program))
        || COMMANDS.readers.iter().any(|row| row.programs.contains(&program))
        || COMMANDS.codes.iter().any(|row| row.programs.contains(&program))
}

/// Returns true if and only if the words of a name tell of keys by which a shell is opened, as things: `ssh_keypair`. What is typed into
/// a terminal (`send_keys`) is something else.
pub fn names_keys_of_shell<W: AsRef<str>>(name: impl Iterator<Item = W>) -> bool {
    let mut before = String::new();
    name.into_iter().any(|word| {
        let is_key = before == "ssh" && list("shell-keys").contains(&word.as_ref());
        before = word.as_ref().to_owned();
        is_key
    })
}

/// A list of wildcards by its name.
pub fn list(name: &str) -> &'static [&'static str] {
    // Names are constants: where one lies in memory tells which it is, as a rule.
    let slot = ((name.as_ptr() as usize >> 3) ^ name.len()) % FOUND;
    LISTS.with(|found| {
        let Some(known) = found.get(slot) else { return &[][..] };
        if let Some((_, list)) = known.get().filter(|(own, _)| *own == name) {
            return list;
        }
        let list = COMMANDS.lists.iter().find(|(own, _)| *own == name);
        known.set(list.copied());
        list.map_or(&[][..], |(_, list)| *list)
    })
}

/// A list with its name.
type Named = (&'static str, &'static [&'static str]);

/// So many lists are found again at once.
const FOUND: usize = 512;

thread_local! {
    /// The lists that were asked for last, by where their names lie.
    static LISTS: [Cell<Option<Named>>; FOUND] = const { [const { Cell::new(None) }; FOUND] };
}

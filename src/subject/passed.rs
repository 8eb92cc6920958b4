//! What is passed over, by kind, so that it can be counted and said.

use std::collections::BTreeMap;

/// A kind of what a run does not judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Passed {
    /// Python.
    Python,
    /// A script of a Unix shell.
    Shell,
    /// PowerShell.
    PowerShell,
    /// A batch file of Windows.
    Batch,
    /// Ruby.
    Ruby,
    /// Perl.
    Perl,
    /// A notebook.
    Notebook,
    /// What builds an image.
    Dockerfile,
    /// Rules of `make`, or of what is like it.
    Makefile,
    /// A script in another language: its extension or its `#!` line says so.
    OtherScript,
    /// A text that may be run and does not say by what.
    Executable,
    /// Commands of a shell in a text.
    FencedShell,
    /// A script in a text.
    FencedScript,
    /// Code in a text, in a language that is not named or not known.
    FencedCode,
    /// JSON in which nothing is a tool call.
    NoToolCall,
    /// What none of the chosen models judges.
    NotJudged,
    /// What is no text.
    Binary,
    /// JSON that is too large to be read, and does not begin as a tool call does.
    TooLarge,
    /// Anything else: data, styles, pictures, licences.
    Other,
    /// Left out by an ignore file.
    Ignored,
    /// Left out because its name begins with a dot.
    Hidden,
    /// Left out by a glob of the user's.
    Excluded,
    /// A line of a stream in which nothing stands.
    BlankLine,
    /// A line of a stream that neither calls a tool nor says anything.
    Bookkeeping,
}

/// What it means that something is passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Agents run it or obey it, and no reader exists for it yet.
    NoReader,
    /// There is nothing in it to judge.
    Nothing,
    /// The user's settings leave it out.
    LeftOut,
}

impl Passed {
    /// All kinds.
    pub const ALL: [Self; 24] = [
        Self::Python,
        Self::Shell,
        Self::PowerShell,
        Self::Batch,
        Self::Ruby,
        Self::Perl,
        Self::Notebook,
        Self::Dockerfile,
        Self::Makefile,
        Self::OtherScript,
        Self::Executable,
        Self::FencedShell,
        Self::FencedScript,
        Self::FencedCode,
        Self::NoToolCall,
        Self::NotJudged,
        Self::Binary,
        Self::TooLarge,
        Self::Other,
        Self::Ignored,
        Self::Hidden,
        Self::Excluded,
        Self::BlankLine,
        Self::Bookkeeping,
    ];

    /// The name used in every output of machines, and the words for one and for several of it.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Python => ("python", "Python", "Python"),
            Self::Shell => ("shell", "shell", "shell"),
            Self::PowerShell => ("powershell", "PowerShell", "PowerShell"),
            Self::Batch => ("batch", "batch file", "batch files"),
            Self::Ruby => ("ruby", "Ruby", "Ruby"),
            Self::Perl => ("perl", "Perl", "Perl"),
            Self::Notebook => ("notebook", "notebook", "notebooks"),
            Self::Dockerfile => ("dockerfile", "Dockerfile", "Dockerfiles"),
            Self::Makefile => ("makefile", "Makefile", "Makefiles"),
            Self::OtherScript => ("other-script", "other script", "other scripts"),
            Self::Executable => ("executable", "executable text", "executable texts"),
            Self::FencedShell => ("fenced-shell", "fenced block of shell", "fenced blocks of shell"),
            Self::FencedScript => ("fenced-script", "fenced script", "fenced scripts"),
            Self::FencedCode => ("fenced-code", "fenced block of code", "fenced blocks of code"),
            Self::NoToolCall => ("no-tool-call", "JSON without a tool call", "JSON without a tool call"),
            Self::NotJudged => ("not-judged", "file that no chosen model judges", "files that no chosen model judges"),
            Self::Binary => ("binary", "binary file", "binary files"),
            Self::TooLarge => ("too-large", "too large JSON", "too large JSON"),
            Self::Other => ("other", "other file", "other files"),
            Self::Ignored => ("ignored", "by an ignore file", "by ignore files"),
            Self::Hidden => ("hidden", "hidden", "hidden"),
            Self::Excluded => ("excluded", "excluded", "excluded"),
            Self::BlankLine => ("blank-line", "blank line", "blank lines"),
            Self::Bookkeeping => ("bookkeeping", "line of bookkeeping", "lines of bookkeeping"),
        }
    }

    /// The name used in every output of machines.
    pub fn name(self) -> &'static str {
        self.words().0
    }

    /// The word for it.
    pub fn noun(self) -> &'static str {
        self.words().1
    }

    /// So many of it, in words.
    pub fn counted(self, count: usize) -> String {
        let (_, one, several) = self.words();
        format!("{count} {}", if count == 1 { one } else { several })
    }

    /// What it means that it is passed over.
    pub fn meaning(self) -> Meaning {
        match self {
            Self::Python
            | Self::Shell
            | Self::PowerShell
            | Self::Batch
            | Self::Ruby
            | Self::Perl
            | Self::Notebook
            | Self::Dockerfile
            | Self::Makefile
            | Self::OtherScript
            | Self::Executable
            | Self::FencedShell
            | Self::FencedScript
            | Self::FencedCode => Meaning::NoReader,
            Self::NoToolCall | Self::NotJudged | Self::Binary | Self::TooLarge | Self::Other | Self::BlankLine | Self::Bookkeeping => {
                Meaning::Nothing
            }
            Self::Ignored | Self::Hidden | Self::Excluded => Meaning::LeftOut,
        }
    }

    /// A sentence for whoever hands it over to be judged: no reader exists for it.
    pub fn unread(self) -> String {
        match self {
            Self::Executable => "it may be run, and neither its name nor its first line tells by what".to_owned(),
            Self::Batch | Self::Notebook | Self::Dockerfile | Self::Makefile => format!("{} have no reader yet", self.words().2),
            Self::OtherScript => "its language has no reader yet".to_owned(),
            kind => format!("{} has no reader yet", kind.noun()),
        }
    }
}

/// How much of each kind was passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassedCounts(BTreeMap<Passed, usize>);

impl PassedCounts {
    /// One more.
    pub fn add(&mut self, kind: Passed) {
        *self.0.entry(kind).or_default() += 1;
    }

    /// All of another count.
    pub fn add_all(&mut self, other: &Self) {
        other.iter().for_each(|(kind, count)| *self.0.entry(kind).or_default() += count);
    }

    /// What was passed over, with how often, in order of the kinds.
    pub fn iter(&self) -> impl Iterator<Item = (Passed, usize)> {
        self.0.iter().map(|(kind, count)| (*kind, *count))
    }

    /// How much of a kind.
    pub fn of(&self, kind: Passed) -> usize {
        self.0.get(&kind).copied().unwrap_or_default()
    }

    /// How much that means the same.
    pub fn meaning(&self, meaning: Meaning) -> usize {
        self.iter().filter(|(kind, _)| kind.meaning() == meaning).map(|(_, count)| count).sum()
    }

    /// How many files were come upon and not judged, those that are no text apart. Blocks inside texts are no files, nor
    /// are lines.
    pub fn files_of_other_kinds(&self) -> usize {
        let is_file = |kind: Passed| match kind {
            Passed::FencedShell | Passed::FencedScript | Passed::FencedCode | Passed::BlankLine | Passed::Bookkeeping => false,
            kind => kind != Passed::Binary && kind.meaning() != Meaning::LeftOut,
        };
        self.iter().filter(|(kind, _)| is_file(*kind)).map(|(_, count)| count).sum()
    }

    /// What was passed over, in sentences; none, if nothing was.
    pub fn sentences(&self) -> Vec<String> {
        let list = |meaning: Meaning| {
            let counted = self.iter().filter(|(kind, _)| kind.meaning() == meaning).map(|(kind, count)| kind.counted(count));
            let counted: Vec<String> = counted.collect();
            (!counted.is_empty()).then(|| counted.join(", "))
        };
        let unread = list(Meaning::NoReader).map(|list| format!("passed over: {list}; no reader yet: --strict makes them undetermined"));
        let nothing = list(Meaning::Nothing).map(|list| format!("passed over: {list}"));
        let left_out = list(Meaning::LeftOut).map(|list| format!("left out: {list}"));
        [unread, nothing, left_out].into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn counts(kinds: &[Passed]) -> PassedCounts {
        let mut counts = PassedCounts::default();
        kinds.iter().for_each(|kind| counts.add(*kind));
        counts
    }

    #[test]
    fn every_kind_has_a_name_of_its_own() {
        let names: HashSet<&str> = Passed::ALL.into_iter().map(Passed::name).collect();
        assert_eq!(names.len(), Passed::ALL.len());
        assert!(Passed::ALL.is_sorted());
    }

    #[test]
    fn what_was_passed_over_is_said_by_meaning() {
        use Passed::{Hidden, Ignored, Other, Python, Shell};
        for (kinds, expected) in [
            (&[][..], &[][..]),
            (&[Other], &["passed over: 1 other file"]),
            (&[Hidden, Ignored], &["left out: 1 by an ignore file, 1 hidden"]),
            (
                &[Shell, Other, Python, Python],
                &["passed over: 2 Python, 1 shell; no reader yet: --strict makes them undetermined", "passed over: 1 other file"],
            ),
        ] {
            assert_eq!(counts(kinds).sentences(), expected);
        }
    }

    #[test]
    fn only_files_are_counted_as_files() {
        let counts = counts(&[Passed::Python, Passed::FencedShell, Passed::BlankLine, Passed::Binary, Passed::Ignored, Passed::Other]);
        assert_eq!(counts.files_of_other_kinds(), 2);
        assert_eq!(counts.meaning(Meaning::NoReader), 2);
    }
}

//! A script that is put together: a source, constructs, a sink, and what stands around them.

use callgate::format::Language;

use crate::construct::Construct;
use crate::dice::Dice;
use crate::ends::{DIALECTS, Dialect, End};

/// What stands around the statements of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// Nothing.
    Plain,
    /// A function that is called.
    Function,
    /// A block that always runs.
    Try,
    /// The callback of a promise.
    Then,
}

const FRAMES: [Frame; 4] = [Frame::Plain, Frame::Function, Frame::Try, Frame::Then];

/// Which of the two scripts: both read the secret, one sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The secret is sent.
    Attack,
    /// A constant is sent.
    Twin,
}

/// A script with its twin.
#[derive(Clone)]
pub struct Composition<'c> {
    /// What it is written for.
    pub dialect: Dialect,
    /// Where the secret comes from.
    pub source: End,
    /// What it goes through, in order.
    pub constructs: Vec<&'c Construct>,
    /// Where it goes.
    pub sink: End,
    /// What stands around all that.
    pub frame: Frame,
}

impl<'c> Composition<'c> {
    /// Constructs between the first source and the first sink of a dialect.
    pub fn plain(dialect: Dialect, constructs: Vec<&'c Construct>) -> Self {
        Self { dialect, source: dialect.sources()[0], constructs, sink: dialect.sinks()[0], frame: Frame::Plain }
    }

    /// A random script of a number of constructs.
    pub fn random(dice: &mut Dice, all: &'c [&'c Construct], count: usize) -> Self {
        let dialect = *dice.pick(&DIALECTS);
        let fitting: Vec<&Construct> = all.iter().copied().filter(|construct| construct.fits(dialect)).collect();
        let constructs: Vec<&Construct> = (0..count).map(|_| *dice.pick(&fitting)).collect();
        let frame = if constructs.iter().any(|construct| construct.top) { Frame::Plain } else { *dice.pick(&FRAMES) };
        Self { dialect, source: *dice.pick(dialect.sources()), constructs, sink: *dice.pick(dialect.sinks()), frame }
    }

    /// The grammar that reads it.
    pub fn language(&self) -> Language {
        if self.constructs.iter().any(|construct| construct.typed) { Language::Tsx } else { Language::JavaScript }
    }

    /// Whether it deserves a warning whatever is sent.
    pub fn is_suspicious(&self) -> bool {
        self.constructs.iter().any(|construct| construct.suspicious)
    }

    /// The names of its constructs.
    pub fn names(&self) -> String {
        self.constructs.iter().map(|construct| construct.name.as_str()).collect::<Vec<_>>().join(" → ")
    }

    /// The script.
    pub fn text(&self, side: Side) -> String {
        let ends = [self.source.prelude, self.sink.prelude];
        let mut preludes: Vec<&str> = self
            .constructs
            .iter()
            .filter_map(|construct| construct.prelude.as_deref())
            .chain(ends)
            .filter(|line| !line.is_empty())
            .collect();
        preludes.sort_unstable();
        preludes.dedup();
        let given = match side {
            Side::Attack => "given",
            Side::Twin => "'done'",
        };
        let mut body = format!("const given = {};\nconst out_0 = {given};\n", self.source.code);
        for (index, construct) in self.constructs.iter().enumerate() {
            body += &construct.written(index + 1);
        }
        body += &self.sink.code.replace("§out", &format!("out_{}", self.constructs.len()));
        let framed = match self.frame {
            Frame::Plain => body,
            Frame::Function => format!("async function main() {{\n{body}\n}}\nawait main();"),
            Frame::Try => format!("try {{\n{body}\n}} finally {{\n  globalThis.ended = true;\n}}"),
            Frame::Then => format!("await Promise.resolve().then(async () => {{\n{body}\n}});"),
        };
        preludes.iter().map(|line| format!("{line}\n")).collect::<String>() + &framed + "\n"
    }

    /// The fewest of its constructs with which it still is as a test says.
    pub fn shrunk(mut self, mut is_so: impl FnMut(&Self) -> bool) -> Self {
        let simpler = Self { frame: Frame::Plain, ..Self::plain(self.dialect, self.constructs.clone()) };
        if is_so(&simpler) {
            self = simpler;
        }
        let mut index = 0;
        while index < self.constructs.len() {
            let mut fewer = self.clone();
            fewer.constructs.remove(index);
            if is_so(&fewer) {
                self = fewer;
            } else {
                index += 1;
            }
        }
        self
    }
}

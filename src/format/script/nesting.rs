//! Bounds how deep a script nests before it is parsed, because the parser recurses.
//!
//! A parser that recurses once too often takes the whole process with it. So every script is
//! read here first, token by token and without recursion. Two numbers are kept, both of which
//! only ever overestimate what the parser will do: how many brackets are open, and how many tokens
//! stand in constructs that are not finished (`!!!!x`, `a.b.c.d`, `else if … else if …`). A
//! third bounds the work of a TypeScript parser that tries each `<` as the start of type arguments.
//!
//! The one thing that cannot be decided token by token is whether some `/` divides or starts a
//! regular expression. Where both readings leave the same brackets and strings behind, it does not
//! matter; otherwise a short text is parsed all the same, because even if every byte of it nested
//! the stack would hold it, and a long text is refused.

use crate::format::script::words::{self, Word};
use crate::value::limits::Limits;
use crate::value::span::Span;

/// Stack that each worker reserves, in bytes. Only what is touched is ever resident.
pub const STACK_SIZE: usize = 256 * 1024 * 1024;

/// The most stack that one byte of source can make the parser, the analysis or our own walks use,
/// in bytes. Measured with the deepest form known for each of 85 kinds of nesting: 1,900 for `[`
/// in an optimised build; doubled for safety, and more without optimisation.
const STACK_PER_BYTE: usize = if cfg!(debug_assertions) { 12_000 } else { 4_000 };

/// A text of at most this many bytes fits the stack however it nests.
pub const ALWAYS_SAFE: usize = STACK_SIZE / STACK_PER_BYTE;

/// What the parser tries over again for each open `<`, in tokens, however small the text is. Measured:
/// about six million such steps take a second.
const ANGLE_WORK: u64 = 1_000_000;

/// Which grammar the text is about to be parsed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grammar {
    /// With types.
    pub typescript: bool,
    /// With JSX, whose text is not made of tokens.
    pub jsx: bool,
}

/// Why a text must not be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excess {
    /// What is too much, for people.
    pub detail: String,
    /// Where it was noticed.
    pub span: Span,
}

/// Returns what is too much about a text, or nothing if it can be parsed safely.
///
/// # Errors
///
/// When the text nests deeper or chains longer than the limits, or when that cannot be told.
pub fn check(text: &str, grammar: Grammar, limits: &Limits) -> Result<(), Excess> {
    let mut reader = Reader::new(text, grammar, limits);
    if grammar.jsx && ALWAYS_SAFE < text.len() {
        return Err(reader.excess("JSX in so large a file: how deep it nests cannot be told before it is parsed"));
    }
    reader.read()
}

/// How deep the construct that is being read may nest so far, between two brackets.
#[derive(Clone, Copy, Default)]
struct Construct {
    /// Tokens of the unfinished operand.
    run: u32,
    /// Statement heads (`if (…)`, `else`, `do`) that the statement stands under.
    heads: u32,
    /// The heads of the statement before, which an `else` takes up again.
    heads_before: u32,
    /// `<` that no `>` closed.
    angles: u32,
}

impl Construct {
    fn depth(self) -> u32 {
        self.run.saturating_add(self.heads)
    }
}

/// One open bracket, and the construct that it interrupts.
struct Level {
    closes_with: Closer,
    construct: Construct,
    /// The bracket follows `if`, `while`, `for` or `with`.
    heads_statement: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Closer {
    Bracket,
    Hole,
}

/// What the previous token was, as far as it decides what the next one can be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Previous {
    /// Nothing, an operator or an opening bracket: an expression may start.
    Operator,
    /// `.` or `?.`: a word is a property.
    Dot,
    /// `++` or `--`.
    Step,
    /// `>` or `!`, which in TypeScript may also end a type or an expression.
    TypeEnd,
    /// A word.
    Word(Word),
    /// A literal, an identifier or `]`.
    Operand,
    /// `)`; true after the head of a statement.
    Paren(bool),
    /// `}`.
    Brace,
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    grammar: Grammar,
    limits: &'t Limits,
    levels: Vec<Level>,
    construct: Construct,
    outer_depth: u32,
    outer_angles: u32,
    angle_work: u64,
    tokens: u64,
    previous: Previous,
    newline: bool,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, grammar: Grammar, limits: &'t Limits) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
            grammar,
            limits,
            levels: Vec::new(),
            construct: Construct::default(),
            outer_depth: 0,
            outer_angles: 0,
            angle_work: 0,
            tokens: 0,
            previous: Previous::Operator,
            newline: false,
        }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn excess(&self, detail: impl Into<String>) -> Excess {
        Excess { detail: detail.into(), span: Span::from_offsets(self.at.min(self.bytes.len()), self.at.min(self.bytes.len())) }
    }

    fn read(&mut self) -> Result<(), Excess> {
        if self.bytes.starts_with(b"#!") {
            self.skip_line();
        }
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | 0x0b | 0x0c => self.at += 1,
                b'\n' | b'\r' => {
                    self.newline = true;
                    self.at += 1;
                }
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                b'/' if self.peek(1) == b'*' => self.skip_block_comment(),
                b'/' => self.slash()?,
                b'"' | b'\'' => {
                    self.string(byte);
                    self.operand()?;
                }
                b'`' => {
                    self.at += 1;
                    self.template()?;
                }
                b'(' | b'[' | b'{' => self.open(Closer::Bracket)?,
                b')' | b']' | b'}' => self.close(byte)?,
                b'0'..=b'9' => {
                    self.number();
                    self.operand()?;
                }
                _ if words::starts_word(byte) => self.word()?,
                _ => self.punctuation(byte)?,
            }
        }
        Ok(())
    }

    /// Counts a token of the construct that is being read.
    fn token(&mut self) -> Result<(), Excess> {
        self.tokens += 1;
        self.construct.run = self.construct.run.saturating_add(1);
        self.newline = false;
        if self.limits.chain < self.outer_depth.saturating_add(self.construct.depth()) {
            let detail = format!("one construct of more than {} tokens (limits.chain)", self.limits.chain);
            return Err(self.excess(detail));
        }
        if self.grammar.typescript {
            self.angle_work += u64::from(self.outer_angles.saturating_add(self.construct.angles));
            if ANGLE_WORK + 4 * self.tokens < self.angle_work {
                return Err(self.excess("too many `<` in unfinished constructs: each could start type arguments"));
            }
        }
        Ok(())
    }

    fn operand(&mut self) -> Result<(), Excess> {
        self.token()?;
        self.previous = Previous::Operand;
        Ok(())
    }

    /// A construct ended: what follows cannot be nested in it, unless it is `else`.
    fn finish(&mut self) {
        self.construct = Construct { heads_before: self.construct.heads, ..Construct::default() };
    }

    fn open(&mut self, closes_with: Closer) -> Result<(), Excess> {
        let heads_statement = matches!(self.previous, Previous::Word(Word::Head));
        self.token()?;
        let construct = std::mem::take(&mut self.construct);
        self.outer_depth = self.outer_depth.saturating_add(construct.depth());
        self.outer_angles = self.outer_angles.saturating_add(construct.angles);
        self.levels.push(Level { closes_with, construct, heads_statement });
        self.previous = Previous::Operator;
        self.at += 1;
        if self.limits.nesting as usize <= self.levels.len() {
            return Err(self.excess(format!("more than {} open brackets (limits.nesting)", self.limits.nesting)));
        }
        Ok(())
    }

    fn close(&mut self, byte: u8) -> Result<(), Excess> {
        self.at += 1;
        let Some(level) = self.levels.pop() else {
            // A closing bracket too many: the parser will say so.
            self.previous = Previous::Operand;
            return Ok(());
        };
        self.construct = level.construct;
        self.outer_depth = self.outer_depth.saturating_sub(level.construct.depth());
        self.outer_angles = self.outer_angles.saturating_sub(level.construct.angles);
        self.newline = false;
        if level.closes_with == Closer::Hole {
            return self.template();
        }
        self.previous = match byte {
            b')' => Previous::Paren(level.heads_statement),
            b']' => Previous::Operand,
            _ => Previous::Brace,
        };
        Ok(())
    }

    fn punctuation(&mut self, byte: u8) -> Result<(), Excess> {
        match byte {
            b';' => {
                self.finish();
                self.tokens += 1;
                self.previous = Previous::Operator;
                self.at += 1;
                return Ok(());
            }
            b',' => {
                // Type arguments go on after a comma; every other operand ends there.
                self.tokens += 1;
                if !self.grammar.typescript || self.construct.angles == 0 {
                    self.construct.run = 0;
                }
                self.newline = false;
                self.previous = Previous::Operator;
                self.at += 1;
                return Ok(());
            }
            b'<' if self.bytes[self.at..].starts_with(b"<!--") && ALWAYS_SAFE < self.bytes.len() => {
                return Err(self.excess("an HTML comment in so large a file: what it hides depends on how it is run"));
            }
            _ => {}
        }
        let (length, previous) = match byte {
            b'=' if self.peek(1) == b'>' => (2, Previous::Operator),
            b'<' if self.grammar.jsx && self.peek(1) == b'/' => (2, Previous::Operator),
            b'?' if self.peek(1) == b'.' => (2, Previous::Dot),
            b'.' if self.peek(1) == b'.' && self.peek(2) == b'.' => (3, Previous::Operator),
            b'.' => (1, Previous::Dot),
            b'-' if self.peek(1) == b'-' && self.peek(2) == b'>' && self.newline && ALWAYS_SAFE < self.bytes.len() => {
                return Err(self.excess("an HTML comment in so large a file: what it hides depends on how it is run"));
            }
            b'+' | b'-' if self.peek(1) == byte => (2, Previous::Step),
            b'>' | b'!' => (1, Previous::TypeEnd),
            _ => (1, Previous::Operator),
        };
        match byte {
            b'=' if length == 2 => {}
            b'<' => self.construct.angles = self.construct.angles.saturating_add(1),
            b'>' => self.construct.angles = self.construct.angles.saturating_sub(1),
            _ => {}
        }
        self.token()?;
        self.previous = previous;
        self.at += length;
        Ok(())
    }

    fn word(&mut self) -> Result<(), Excess> {
        let start = self.at;
        let mut wide = 0;
        while let Some(&byte) = self.bytes.get(self.at) {
            let ends = start < self.at && !words::continues_word(byte);
            if ends || byte == 0xe2 && self.at_separator() {
                break;
            }
            // Each character beyond ASCII could be a space, so each counts as a token.
            wide += u32::from(0xc0 <= byte);
            self.at += 1;
        }
        if self.at == start {
            // A line or paragraph separator.
            self.at += 3;
            self.newline = true;
            return Ok(());
        }
        self.construct.run = self.construct.run.saturating_add(wide);
        let word = self.text.get(start..self.at).map_or(Word::Other, words::classify);
        let word = match (word, self.previous) {
            (_, Previous::Dot) => Word::Other,
            (Word::Contextual, Previous::Word(Word::Head)) => Word::Head,
            // In TypeScript `void` also ends a type.
            (Word::Operator, _) if self.grammar.typescript && self.text.get(start..self.at) == Some("void") => Word::Contextual,
            (word, _) => word,
        };
        match word {
            Word::Else => {
                let Construct { heads, heads_before, .. } = self.construct;
                self.construct.heads = if heads == 0 { heads_before } else { heads }.saturating_add(1);
            }
            Word::Infix | Word::Joins => {}
            Word::Operator | Word::Head | Word::Contextual | Word::Other => {
                if self.starts_statement() {
                    self.finish();
                }
                self.construct.heads += u32::from(word == Word::Head || word == Word::Operator);
            }
        }
        self.token()?;
        self.previous = if word == Word::Other { Previous::Operand } else { Previous::Word(word) };
        Ok(())
    }

    /// Returns true if and only if a word here cannot continue what stands before it.
    fn starts_statement(&self) -> bool {
        match self.previous {
            Previous::Brace => true,
            Previous::Operand | Previous::Paren(false) => self.newline,
            Previous::Operator | Previous::Dot | Previous::Step | Previous::TypeEnd | Previous::Word(_) | Previous::Paren(true) => false,
        }
    }

    fn number(&mut self) {
        while self.bytes.get(self.at).is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_')) {
            self.at += 1;
        }
    }

    /// Skips a string; one that its line does not end is a syntax error that the parser will name.
    fn string(&mut self, quote: u8) {
        self.at += 1;
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at += if self.peek(0) == b'\r' && self.peek(1) == b'\n' { 2 } else { 1 },
                b'\n' | b'\r' => return,
                _ if byte == quote => return,
                _ => {}
            }
        }
    }

    /// Skips the text of a template up to its end, or opens its next hole.
    fn template(&mut self) -> Result<(), Excess> {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\\' => self.at += 2,
                b'`' => {
                    self.at += 1;
                    return self.operand();
                }
                b'$' if self.peek(1) == b'{' => {
                    self.at += 1;
                    return self.open(Closer::Hole);
                }
                _ => self.at += 1,
            }
        }
        Ok(())
    }

    fn skip_line(&mut self) {
        while let Some(ahead) = memchr::memchr3(b'\n', b'\r', 0xe2, self.bytes.get(self.at..).unwrap_or_default()) {
            self.at += ahead;
            if self.peek(0) != 0xe2 || self.at_separator() {
                return;
            }
            self.at += 1;
        }
        self.at = self.bytes.len();
    }

    /// Returns true if and only if a line or paragraph separator (U+2028, U+2029) stands here.
    fn at_separator(&self) -> bool {
        self.peek(0) == 0xe2 && self.peek(1) == 0x80 && matches!(self.peek(2), 0xa8 | 0xa9)
    }

    fn skip_block_comment(&mut self) {
        let body = self.bytes.get(self.at + 2..).unwrap_or_default();
        let length = memchr::memmem::find(body, b"*/").map_or(body.len(), |end| end + 2);
        self.newline |= memchr::memchr2(b'\n', b'\r', body.get(..length).unwrap_or_default()).is_some();
        self.at += 2 + length;
    }

    /// A `/`: division or the start of a regular expression.
    fn slash(&mut self) -> Result<(), Excess> {
        if self.grammar.jsx && self.peek(1) == b'>' {
            return self.divide();
        }
        let expression = match self.previous {
            Previous::Operator | Previous::Paren(true) | Previous::Word(Word::Operator | Word::Else | Word::Infix) => Some(true),
            Previous::Operand | Previous::Dot | Previous::Paren(false) => Some(false),
            Previous::TypeEnd if !self.grammar.typescript && !self.grammar.jsx => Some(true),
            Previous::TypeEnd
            | Previous::Step
            | Previous::Brace
            | Previous::Word(Word::Contextual | Word::Joins | Word::Head | Word::Other) => None,
        };
        let end = regex_end(self.bytes, self.at);
        match (expression, end) {
            (Some(true), Some(end)) => self.regex(end),
            (Some(false), _) | (_, None) => self.divide(),
            (None, Some(end)) => {
                let body = self.bytes.get(self.at + 1..end).unwrap_or_default();
                if reads_the_same(body) || self.bytes.len() <= ALWAYS_SAFE {
                    return self.regex(end);
                }
                Err(self.excess("a `/` that may or may not start a regular expression, in so large a file"))
            }
        }
    }

    fn regex(&mut self, end: usize) -> Result<(), Excess> {
        self.at = end + 1;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_alphanumeric) {
            self.at += 1;
        }
        self.operand()
    }

    fn divide(&mut self) -> Result<(), Excess> {
        self.token()?;
        self.previous = Previous::Operator;
        self.at += 1;
        Ok(())
    }
}

/// Where the regular expression that starts at `start` would end, if its line ends it.
fn regex_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut in_class = false;
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' | b'\r' => return None,
            b'\\' => at += 1,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'/' if !in_class => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns true if and only if a text leaves the same brackets and strings open whether it is the
/// body of a regular expression or code between two divisions.
fn reads_the_same(body: &[u8]) -> bool {
    !body.iter().any(|byte| matches!(byte, b'"' | b'\'' | b'`' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'\\' | b'/' | b'*'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: Grammar = Grammar { typescript: false, jsx: false };
    const TYPED: Grammar = Grammar { typescript: true, jsx: false };
    const LIMITS: Limits = Limits { nesting: 100, chain: 1_000, file_size: 0, nodes: 0, calls: 0, segments: 0, matches: 0 };

    fn refused(text: &str, grammar: Grammar) -> bool {
        check(text, grammar, &LIMITS).is_err()
    }

    #[test]
    fn every_kind_of_nesting_is_bounded() {
        for (open, close) in [
            ("(", ")"),
            ("[", "]"),
            ("{", "}"),
            ("f(", ")"),
            ("{a:", "}"),
            ("`${", "}`"),
            ("!", ""),
            ("- ", ""),
            ("typeof ", ""),
            ("new ", ""),
            ("a=>", ""),
            ("a=", ""),
            ("a?b:", ""),
            ("a?", ":b"),
            ("await\n", ""),
            ("await\u{a0}", ""),
            ("if(a)", ""),
            ("if(a);else ", ""),
            ("if(a){}else ", ""),
            ("if(a)x,y;else ", ""),
            ("for(;;)", ""),
            ("do ", ""),
            ("a:", ""),
            ("++\na**", ""),
            ("class extends ", ""),
            ("/a/[", "]"),
            ("a/b/(", ")"),
            ("')'[", "]"),
            ("/*)*/(", ")"),
            ("//)\n(", ")"),
            ("//)\u{2028}(", ")"),
            ("/[/)]/[", "]"),
            ("a\n/x/(", ")"),
        ] {
            let text = format!("x={}1{}", open.repeat(2_000), close.repeat(2_000));
            assert!(refused(&text, MODULE), "{open}");
        }
        for (start, repeated, end) in
            [("1", "+1", ""), ("a", ".b", ""), ("a", "[0]", ""), ("a", "?.b", ""), ("a", "()", ""), ("a", "``", "")]
        {
            assert!(refused(&format!("x={start}{}{end}", repeated.repeat(2_000)), MODULE), "{repeated}");
        }
        for (open, close) in [("A<", ">"), ("A<b,", ">"), ("a<(", ")"), ("keyof ", ""), ("()=>", ""), ("a extends b?c:", "")] {
            assert!(refused(&format!("type x={}d{}", open.repeat(2_000), close.repeat(2_000)), TYPED), "{open}");
        }
    }

    #[test]
    fn what_stands_side_by_side_does_not_nest() {
        for line in [
            "call(a, b)\n",
            "call(a); ",
            "x = a + b * c\n",
            "if (a) { b() } else { c() }\n",
            "if (a) b(); else c();\n",
            "function f() { return 1 }\n",
            "x = [1, 2, 3]\n",
            "const s = 'it\\'s (', t = `)`\n",
            "x = a / b / c\n",
            "x = /[(]/.test(y)\n",
            "if (a) /'/.test(b)\n",
            "l: for (;;) break l\n",
            "class A { m() {} static n() {} }\n",
            "export const a = <T>(b: T): T => b\n",
            "const f = async (a) => await a\n",
            "do { a() } while (b)\n",
        ] {
            let text = line.repeat(3_000);
            assert_eq!(check(&text, TYPED, &LIMITS), Ok(()), "{line}");
        }
    }

    #[test]
    fn a_slash_that_could_be_read_two_ways_is_refused_only_where_it_matters() {
        let padding = "a();\n".repeat(ALWAYS_SAFE / 5 + 1);
        for (text, expected) in
            [("{}\n/a/.test(b)", false), ("{}\n/'/.test(b)", true), ("x = a++ / b / c", false), ("x = '/' / \"/\"", false)]
        {
            assert_eq!(refused(&format!("{padding}{text}"), MODULE), expected, "{text}");
            assert!(!refused(text, MODULE), "{text}");
        }
    }

    #[test]
    fn the_work_of_a_parser_that_reads_each_angle_twice_is_bounded() {
        assert!(check(&"a<".repeat(50_000), TYPED, &Limits { chain: u32::MAX, ..LIMITS }).is_err());
        assert!(check(&"let a: Map<string, Array<number>>;\n".repeat(50_000), TYPED, &LIMITS).is_ok());
    }
}

//! Bounds how deep a script nests before it is parsed, because the parser recurses.
//!
//! A parser that recurses once too often takes the whole process with it. So every script is
//! read here first, token by token and without recursion. Two numbers are kept, both of which
//! only ever overestimate what the parser will do: how many brackets are open, and how many tokens
//! stand in constructs that are not finished (`!!!!x`, `a.b.c.d`, `else if … else if …`). A
//! third bounds the work of a TypeScript parser that tries each `<` as the start of type arguments
//! and each `?` as the start of a function.
//!
//! The one thing that cannot be decided token by token is whether some `/` divides or starts a
//! regular expression. Where both readings leave the same brackets and strings behind, it does not
//! matter; otherwise a short text is parsed all the same, because even if every token of it nested
//! the stack would hold it, and a long text is refused.
//!
//! Invariant: a construct ends only where no grammar lets it go on. A fault that the parser would stop
//! at may be read in any way, because nothing behind it is parsed.

mod construct;
mod token;

use oxc_syntax::identifier::is_identifier_part;

use crate::format::script::nesting::construct::{Binding, Construct};
use crate::format::script::words::{self, Word};
use crate::value::limits::Limits;
use crate::value::span::Span;

/// Stack that each worker reserves, in bytes. Only what is touched is ever resident.
pub const STACK_SIZE: usize = 256 * 1024 * 1024;

/// The most stack that one byte of source can make the parser, the analysis or our own walks use,
/// in bytes. Measured with the deepest form known for each of 85 kinds of nesting: 1,900 for `[`
/// in an optimised build; doubled for safety, and more without optimisation.
const STACK_PER_BYTE: usize = if cfg!(debug_assertions) { 12_000 } else { 4_000 };

/// A text of at most this many bytes, or of this many tokens that could nest, fits the stack
/// however it nests.
pub const ALWAYS_SAFE: usize = STACK_SIZE / STACK_PER_BYTE;

/// What the parser may try over again for each open `<`, `?` and `(`, in tokens, however small the text
/// is. Measured: about six million such steps take a second.
const TRIES: u64 = 1_000_000;

/// Sum of the depths of all tokens: each name is carried out through everything around it until its
/// declaration is found. Measured: about 300 million such steps take a second.
const LOOKUPS: u64 = 400_000_000;

/// Sum of the depths of all names that `var` declares: each is carried out to its function. Measured:
/// about two million such steps take a second.
const HOISTS: u64 = 1_000_000;

/// Returns true if and only if a text fits the stack however it nests.
pub fn is_always_safe(text: &str) -> bool {
    text.len() <= ALWAYS_SAFE || opens_at_most(text, ALWAYS_SAFE)
}

/// Returns true if and only if at most so many tokens of a text could open something, whatever they turn out to be: words,
/// and all punctuation but what only closes, parts or quotes.
fn opens_at_most(text: &str, most: usize) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || 0x80 <= byte;
    let mut after_word = false;
    let opens = |byte: u8| {
        let in_word = std::mem::replace(&mut after_word, is_part(byte));
        match byte {
            b')' | b']' | b'}' | b';' | b',' | b'.' | b'"' | b'\'' => false,
            // Each character beyond ASCII could be a space.
            0xc0.. => true,
            _ if is_part(byte) => !in_word,
            _ => !byte.is_ascii_whitespace(),
        }
    };
    text.bytes().map(opens).filter(|opens| *opens).nth(most).is_none()
}

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
    if grammar.jsx && !reader.is_safe() {
        return Err(reader.excess("JSX in so large a file: how deep it nests cannot be told before it is parsed"));
    }
    reader.read()
}

/// One open bracket, and the construct that it interrupts.
struct Level {
    closes_with: Closer,
    construct: Construct,
    /// Places from which the parser may try again while this is open: those of the construct, and the
    /// bracket itself if it may turn out to hold parameters.
    tries: u32,
    /// The bracket follows `if`, `while`, `for` or `with`.
    heads_statement: bool,
    /// The bracket holds the statements of `if`, `else` and the like.
    is_block: bool,
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
    /// `}` behind the statements of `if`, `else` and the like.
    Block,
    /// Any other `}`.
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
    outer_tries: u32,
    tried: u64,
    lookups: u64,
    hoists: u64,
    tokens: u64,
    looked_at: usize,
    is_safe: Option<bool>,
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
            outer_tries: 0,
            tried: 0,
            lookups: 0,
            hoists: 0,
            tokens: 0,
            looked_at: 0,
            is_safe: None,
            previous: Previous::Operator,
            newline: true,
        }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn excess(&self, detail: impl Into<String>) -> Excess {
        Excess { detail: detail.into(), span: Span::from_offsets(self.at.min(self.bytes.len()), self.at.min(self.bytes.len())) }
    }

    fn is_safe(&mut self) -> bool {
        *self.is_safe.get_or_insert_with(|| is_always_safe(self.text))
    }

    fn read(&mut self) -> Result<(), Excess> {
        // A parser takes a byte order mark off by itself.
        if self.text.trim_start_matches('\u{feff}').starts_with("#!") {
            self.skip_line();
        }
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | 0x0b | 0x0c => self.skip_while(|byte| matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)),
                b'\n' | b'\r' => {
                    self.newline = true;
                    self.skip_while(|byte| matches!(byte, b'\n' | b'\r' | b' ' | b'\t'));
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

    /// Skips the byte that stands here and all such behind it.
    #[inline]
    fn skip_while(&mut self, skips: impl Fn(u8) -> bool) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|byte| !skips(*byte)).unwrap_or(rest.len());
    }

    /// Counts a token of the construct that is being read.
    #[inline]
    fn token(&mut self) -> Result<(), Excess> {
        self.tokens += 1;
        self.construct.run = self.construct.run.saturating_add(1);
        self.newline = false;
        let depth = self.outer_depth.saturating_add(self.construct.depth());
        let tries = if self.grammar.typescript { self.construct.tries() } else { 0 };
        self.lookups += u64::from(depth);
        self.tried += u64::from(self.outer_tries.saturating_add(tries));
        if depth <= self.limits.chain && self.lookups <= LOOKUPS && self.tried <= TRIES + self.tokens / 2 {
            return Ok(());
        }
        Err(self.too_much(depth))
    }

    /// What the token that was counted last is too much of.
    #[cold]
    fn too_much(&self, depth: u32) -> Excess {
        if self.limits.chain < depth {
            return self.excess(format!("one construct of more than {} tokens (limits.chain)", self.limits.chain));
        }
        if LOOKUPS < self.lookups {
            return self.excess("too many names so deep in other constructs: each would have to be looked up through all of them");
        }
        self.excess("too much stands behind `(`, `<` or `?` that can be read in two ways")
    }

    fn operand(&mut self) -> Result<(), Excess> {
        self.token()?;
        self.previous = Previous::Operand;
        Ok(())
    }

    /// A construct ended: what follows cannot be nested in it, unless it is `else`.
    fn finish(&mut self) {
        let Construct { heads, dos, .. } = self.construct;
        self.construct = Construct { heads_before: heads, dos_before: dos, ..Construct::default() };
    }

    fn open(&mut self, closes_with: Closer) -> Result<(), Excess> {
        let heads_statement = matches!(self.previous, Previous::Word(Word::Head | Word::While));
        self.token()?;
        let is_block = self.peek(0) == b'{' && matches!(self.previous, Previous::Paren(true) | Previous::Word(Word::Else));
        let is_pattern = self.construct.binding == Binding::Name && matches!(self.peek(0), b'{' | b'[');
        let binding = if is_pattern { Binding::Name } else { Binding::Outside };
        let inner = Construct { binding, is_var: self.construct.is_var, ..Construct::default() };
        let construct = std::mem::replace(&mut self.construct, inner);
        let tries = if self.grammar.typescript { construct.tries() } else { 0 };
        let tries = tries.saturating_add(u32::from(self.may_hold_parameters()));
        self.outer_depth = self.outer_depth.saturating_add(construct.depth());
        self.outer_tries = self.outer_tries.saturating_add(tries);
        self.levels.push(Level { closes_with, construct, tries, heads_statement, is_block });
        self.declare(binding)?;
        self.previous = Previous::Operator;
        self.at += 1;
        if self.limits.nesting as usize <= self.levels.len() {
            return Err(self.excess(format!("more than {} open brackets (limits.nesting)", self.limits.nesting)));
        }
        Ok(())
    }

    /// Returns true unless a bracket here surely is no `(` that starts the parameters of an arrow function.
    fn may_hold_parameters(&self) -> bool {
        let is_call = match self.previous {
            Previous::Operand | Previous::Dot | Previous::Paren(false) | Previous::Word(Word::Head | Word::While) => true,
            Previous::Operator | Previous::Step | Previous::TypeEnd | Previous::Word(_) | Previous::Paren(true) => false,
            Previous::Brace | Previous::Block => false,
        };
        if is_call || self.peek(0) != b'(' {
            return false;
        }
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default().trim_ascii_start();
        let word = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')).count();
        let behind = rest.get(word..).unwrap_or_default().trim_ascii_start();
        match (rest, behind) {
            // What cannot be told at a glance counts as parameters.
            ([b'{' | b'[' | b'.' | b'/' | b'\\' | 0x80.., ..], _) | (_, [b'/' | b'\\' | 0x80.., ..]) => true,
            ([b'0'..=b'9', ..], _) | (_, [b'=', b'=' | b'>', ..]) => false,
            (_, [b',' | b')' | b'=', ..]) => 0 < word,
            _ => false,
        }
    }

    /// Notes that a declared name may come next.
    fn declare(&mut self, binding: Binding) -> Result<(), Excess> {
        self.construct.binding = binding;
        if self.construct.is_var && binding == Binding::Name {
            self.hoists += self.levels.len() as u64;
        }
        if HOISTS < self.hoists {
            return Err(self.excess("too many names declared with `var` so deep in other blocks"));
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
        self.outer_tries = self.outer_tries.saturating_sub(level.tries);
        self.newline = false;
        if level.closes_with == Closer::Hole {
            return self.template();
        }
        self.previous = match byte {
            b')' => Previous::Paren(level.heads_statement),
            b']' => Previous::Operand,
            _ if level.is_block => Previous::Block,
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
                    self.construct.questions = 0;
                }
                self.newline = false;
                self.previous = Previous::Operator;
                self.at += 1;
                if self.construct.binding != Binding::Outside {
                    self.declare(Binding::Name)?;
                }
                return Ok(());
            }
            b'=' if self.peek(1) != b'>' && self.construct.binding == Binding::Name => self.construct.binding = Binding::Value,
            b'<' if self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(b"<!--")) => self.html_comment()?,
            b'-' if self.newline && self.peek(1) == b'-' && self.peek(2) == b'>' => self.html_comment()?,
            _ => {}
        }
        let (length, previous) = match byte {
            b'=' if self.peek(1) == b'>' => (2, Previous::Operator),
            b'<' if self.grammar.jsx && self.peek(1) == b'/' => (2, Previous::Operator),
            b'?' if self.peek(1) == b'.' => (2, Previous::Dot),
            b'?' if self.peek(1) == b'?' => (2, Previous::Operator),
            b'.' if self.peek(1) == b'.' && self.peek(2) == b'.' => (3, Previous::Operator),
            b'.' => (1, Previous::Dot),
            b'+' | b'-' if self.peek(1) == byte => (2, Previous::Step),
            b'>' | b'!' => (1, Previous::TypeEnd),
            _ => (1, Previous::Operator),
        };
        match byte {
            b'?' if length == 1 => self.construct.questions = self.construct.questions.saturating_add(1),
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
        let mut is_escaped = false;
        // Nearly every word is plain: nothing else is looked at there.
        if self.peek(0) < 0x80 && self.peek(0) != b'\\' {
            self.at += 1;
            self.skip_while(|byte| words::continues_word(byte) && byte < 0x80 && byte != b'\\');
        }
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\\' => {
                    is_escaped = true;
                    self.at += words::escape_length(self.bytes.get(self.at..).unwrap_or_default());
                }
                0x80.. => match self.wide() {
                    Some(character) if is_identifier_part(character) => self.at += character.len_utf8(),
                    Some(_) | None => break,
                },
                _ if self.at == start || words::continues_word(byte) => self.at += 1,
                _ => break,
            }
        }
        if self.at == start {
            self.skip_wide();
            return Ok(());
        }
        let written = self.text.get(start..self.at).unwrap_or_default();
        let word = if is_escaped { words::classify(&words::unescaped(written)) } else { words::classify(written) };
        let word = match (word, self.previous) {
            (_, Previous::Dot) => Word::Other,
            (Word::Contextual, Previous::Word(Word::Head | Word::While)) => Word::Head,
            // In TypeScript `void` also ends a type.
            (Word::Operator, _) if self.grammar.typescript && written == "void" => Word::Contextual,
            (word, _) => word,
        };
        self.count_word(word)?;
        self.previous = if word == Word::Other { Previous::Operand } else { Previous::Word(word) };
        Ok(())
    }

    fn count_word(&mut self, word: Word) -> Result<(), Excess> {
        match word {
            Word::Else => self.construct.resume(),
            Word::Infix | Word::Joins => {}
            Word::Operator | Word::Head | Word::While | Word::Do => self.end_before(),
            Word::Var | Word::Let | Word::Declares | Word::Contextual | Word::Other => self.end_before(),
        }
        match word {
            Word::While if self.construct.heads == 0 && 0 < self.construct.dos_before => {
                self.construct.resume();
                self.construct.dos = self.construct.dos.saturating_sub(1);
            }
            Word::Head | Word::While => self.construct.heads = self.construct.heads.saturating_add(1),
            Word::Do => {
                self.construct.heads = self.construct.heads.saturating_add(1);
                self.construct.dos = self.construct.dos.saturating_add(1);
            }
            Word::Var | Word::Let => {
                self.construct.is_var = word == Word::Var;
                self.declare(Binding::Name)?;
            }
            Word::Declares => self.construct.is_declaration = true,
            Word::Else | Word::Infix | Word::Joins | Word::Operator | Word::Contextual | Word::Other => {}
        }
        self.token()
    }

    /// Ends what stands before a word that cannot continue it.
    fn end_before(&mut self) {
        if self.starts_statement() {
            self.finish();
        }
    }

    /// Returns true if and only if a word here cannot continue what stands before it.
    fn starts_statement(&self) -> bool {
        match self.previous {
            Previous::Brace | Previous::Block => true,
            Previous::Operand | Previous::Paren(false) => self.newline,
            Previous::Operator | Previous::Dot | Previous::Step | Previous::TypeEnd | Previous::Word(_) | Previous::Paren(true) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: Grammar = Grammar { typescript: false, jsx: false };
    const TYPED: Grammar = Grammar { typescript: true, jsx: false };
    const LIMITS: Limits = Limits { nesting: 100, chain: 1_000, file_size: 0, nodes: 0, fuel: 0, calls: 0, segments: 0, matches: 0 };

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
            "class A { m() {} static n() {} }\nf()\n",
            "export const a = <T>(b: T): T => b\n",
            "const f = async (a) => await a\n",
            "do { a() } while (b);\n",
        ] {
            let text = line.repeat(3_000);
            assert_eq!(check(&text, TYPED, &LIMITS), Ok(()), "{line}");
        }
    }

    #[test]
    fn a_slash_that_could_be_read_two_ways_is_refused_only_where_it_matters() {
        let padding = "a();\n".repeat(ALWAYS_SAFE);
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

//! Tokens whose end takes more than a look at one byte: strings, templates, numbers, comments, and what a `/` starts.

use crate::format::script::nesting::{ALWAYS_SAFE, Closer, Excess, Previous, Reader};
use crate::format::script::words::Word;

/// How often each byte may be looked at to find the ends of what could be regular expressions.
const REGEX_LOOKS: usize = 8;

impl Reader<'_> {
    pub fn html_comment(&mut self) -> Result<(), Excess> {
        if self.is_safe() {
            return Ok(());
        }
        Err(self.excess("an HTML comment in so large a file: what it hides depends on how it is run"))
    }

    /// The character that stands here.
    pub fn wide(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    /// Skips a character beyond ASCII that is part of no word: a space, the end of a line, or a fault.
    pub fn skip_wide(&mut self) {
        let character = self.wide();
        self.newline |= character.is_some_and(|character| matches!(character, '\u{2028}' | '\u{2029}'));
        self.at += character.map_or(1, char::len_utf8);
    }

    pub fn number(&mut self) {
        self.skip_digits();
        // Only one point is the number's own: `0..a` and `0x1.a` read a property.
        if self.peek(0) == b'.' {
            self.at += 1;
            self.skip_digits();
        }
    }

    pub fn skip_digits(&mut self) {
        while self.bytes.get(self.at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
            self.at += 1;
        }
    }

    /// Skips a string; one that its line does not end is a syntax error that the parser will name.
    pub fn string(&mut self, quote: u8) {
        self.at += 1;
        loop {
            self.skip_while(|byte| byte != quote && !matches!(byte, b'\\' | b'\n' | b'\r'));
            let Some(&byte) = self.bytes.get(self.at) else { return };
            self.at += 1;
            match byte {
                b'\\' => self.at += if self.peek(0) == b'\r' && self.peek(1) == b'\n' { 2 } else { 1 },
                _ => return,
            }
        }
    }

    /// Skips the text of a template up to its end, or opens its next hole.
    pub fn template(&mut self) -> Result<(), Excess> {
        loop {
            self.skip_while(|byte| !matches!(byte, b'\\' | b'`' | b'$'));
            let Some(&byte) = self.bytes.get(self.at) else { return Ok(()) };
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
    }

    pub fn skip_line(&mut self) {
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
    pub fn at_separator(&self) -> bool {
        self.peek(0) == 0xe2 && self.peek(1) == 0x80 && matches!(self.peek(2), 0xa8 | 0xa9)
    }

    pub fn skip_block_comment(&mut self) {
        let body = self.bytes.get(self.at + 2..).unwrap_or_default();
        let length = memchr::memmem::find(body, b"*/").map_or(body.len(), |end| end + 2);
        let comment = body.get(..length).unwrap_or_default();
        self.newline |= memchr::memchr2(b'\n', b'\r', comment).is_some() || has_separator(comment);
        self.at += 2 + length;
    }

    /// A `/`: division or the start of a regular expression.
    pub fn slash(&mut self) -> Result<(), Excess> {
        if self.grammar.jsx && self.peek(1) == b'>' {
            return self.divide();
        }
        let is_regex = match self.previous {
            Previous::Operator | Previous::Paren(true) | Previous::Block => Some(true),
            Previous::Word(Word::Operator | Word::Do | Word::Else | Word::Infix) => Some(true),
            // What ends a line may end a declaration: `let a`, `break a`, `import "a"`, `type a = (b)`.
            Previous::Operand | Previous::Paren(false) if self.newline && self.construct.may_end() => None,
            Previous::Operand | Previous::Dot | Previous::Paren(false) => Some(false),
            Previous::TypeEnd if !self.grammar.typescript && !self.grammar.jsx => Some(true),
            Previous::TypeEnd
            | Previous::Step
            | Previous::Brace
            | Previous::Word(
                Word::Contextual | Word::Joins | Word::Head | Word::While | Word::Var | Word::Let | Word::Declares | Word::Other,
            ) => None,
        };
        if is_regex == Some(false) {
            return self.divide();
        }
        let end = regex_end(self.bytes, self.at);
        self.looked_at += end.unwrap_or_else(|stop| stop).saturating_sub(self.at);
        if REGEX_LOOKS * self.bytes.len() + ALWAYS_SAFE < self.looked_at {
            return Err(self.excess("too many `/` that start no regular expression"));
        }
        let Ok(end) = end else { return self.divide() };
        let body = self.bytes.get(self.at + 1..end).unwrap_or_default();
        if is_regex == Some(true) || reads_the_same(body) || self.is_safe() {
            return self.regex(end);
        }
        Err(self.excess("a `/` that may or may not start a regular expression, in so large a file"))
    }

    pub fn regex(&mut self, end: usize) -> Result<(), Excess> {
        self.at = end + 1;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_alphanumeric) {
            self.at += 1;
        }
        self.operand()
    }

    pub fn divide(&mut self) -> Result<(), Excess> {
        self.token()?;
        self.previous = Previous::Operator;
        self.at += 1;
        Ok(())
    }
}

/// Where the regular expression that starts at `start` would end.
///
/// # Errors
///
/// The end of the line, when that comes first.
fn regex_end(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let mut in_class = false;
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' | b'\r' => return Err(at),
            b'\\' => at += 1,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'/' if !in_class => return Ok(at),
            _ => {}
        }
        at += 1;
    }
    Err(bytes.len())
}

/// Returns true if and only if a line or paragraph separator (U+2028, U+2029) stands in a text.
fn has_separator(text: &[u8]) -> bool {
    memchr::memmem::find_iter(text, "\u{2028}").next().is_some() || memchr::memmem::find_iter(text, "\u{2029}").next().is_some()
}

/// Returns true if and only if a text leaves the same brackets and strings open whether it is the
/// body of a regular expression or code between two divisions.
fn reads_the_same(body: &[u8]) -> bool {
    !body.iter().any(|byte| matches!(byte, b'"' | b'\'' | b'`' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'\\' | b'/' | b'*'))
}

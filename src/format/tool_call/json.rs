//! Reads JSON with the place of every part, without recursion, as far as it goes before a fault.
//!
//! What JSON5 and its like write otherwise (comments, single quotes, bare keys, commas at the end) is told as a fault and read
//! on all the same: whoever reads it at all reads it so.

use std::collections::HashSet;

use crate::subject::call::{Property, Value};
use crate::subject::segment::{Role, Segment};
use crate::subject::{Reason, Undetermined};
use crate::value::limits::Limits;
use crate::value::offset_map::OffsetMap;
use crate::value::span::Span;

/// Objects of at most so many keys are searched for double ones key by key.
const FEW_KEYS: usize = 16;

/// A value that was read, whole or as far as it goes.
pub struct Item {
    /// The value; what stands behind a fault is missing from it.
    pub value: Value,
    /// Where it stands; behind a fault it ends there.
    pub span: Span,
    /// Its strings and keys, in order of place.
    pub segments: Vec<Segment>,
    /// Why it was not read to its end, or is not JSON.
    pub fault: Option<Undetermined>,
    /// It was read to its end.
    pub is_whole: bool,
    /// The first key that stands twice in one object.
    pub double: Option<(String, Span)>,
}

impl Item {
    /// Why it may be read in several ways.
    pub fn ambiguity(&self) -> Option<Undetermined> {
        let (key, span) = self.double.as_ref()?;
        let detail = format!("the key `{key}` stands twice in one object, and readers do not agree which one counts");
        Some(Undetermined::at(Reason::Ambiguous, detail, *span))
    }
}

/// A place in a text, from which values are read one by one.
pub struct Reader<'t> {
    text: &'t str,
    at: usize,
    end: usize,
    limits: &'t Limits,
    /// The first thing of the next value that is not JSON, though it is clear what it means.
    slip: Option<Undetermined>,
}

/// A container whose end was not read yet.
enum Open {
    Array(Vec<Value>, usize),
    Object(Vec<Property>, Option<(String, Span)>, usize),
}

/// What is read of one value.
struct Reading {
    open: Vec<Open>,
    done: Option<Value>,
    segments: Vec<Segment>,
    double: Option<(String, Span)>,
    nodes: u32,
}

impl<'t> Reader<'t> {
    /// Reads a stretch of a text.
    pub fn new(text: &'t str, span: Span, limits: &'t Limits) -> Self {
        Self { text, at: span.start as usize, end: (span.end as usize).min(text.len()), limits, slip: None }
    }

    /// The next byte that is no white space, which stays.
    pub fn peek(&mut self) -> Option<u8> {
        loop {
            match self.here()? {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                byte @ (b'/' | 0x0b | 0x0c | 0x80..) => match self.blank() {
                    0 => return Some(byte),
                    length => {
                        self.slipped("only blanks may stand between values");
                        self.at += length;
                    }
                },
                byte => return Some(byte),
            }
        }
    }

    /// How long the comment is that stands here, or the character that JSON takes for no blank though it is one.
    fn blank(&self) -> usize {
        let rest = self.text.get(self.at..self.end).unwrap_or("");
        if rest.starts_with("//") {
            return rest.find(['\n', '\r']).unwrap_or(rest.len());
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            return comment.find("*/").map_or(rest.len(), |end| end + 4);
        }
        rest.chars().next().filter(|first| first.is_whitespace() || *first == '\u{feff}').map_or(0, char::len_utf8)
    }

    /// Notes that what comes next is not JSON, though it can be read.
    fn slipped(&mut self, detail: &str) {
        if self.slip.is_none() {
            self.slip = Some(self.fault(detail));
        }
    }

    /// Takes the next byte if it is this one.
    pub fn take(&mut self, wanted: u8) -> bool {
        let is_next = self.peek() == Some(wanted);
        self.at += usize::from(is_next);
        is_next
    }

    /// Where it reads.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Goes on from there.
    pub fn go_to(&mut self, at: usize) {
        self.at = at.min(self.end);
    }

    /// A fault at the next character.
    pub fn fault(&self, detail: &str) -> Undetermined {
        let rest = self.text.get(self.at..self.end).unwrap_or("");
        let length = rest.chars().next().map_or(0, char::len_utf8);
        let detail = if rest.is_empty() { format!("{detail}, but the text ends here") } else { detail.to_owned() };
        Undetermined::at(Reason::Unparsable, detail, Span::from_offsets(self.at, self.at + length))
    }

    /// Reads the next value.
    pub fn item(&mut self) -> Item {
        self.peek();
        let start = self.at;
        let mut reading = Reading { open: Vec::new(), done: None, segments: Vec::new(), double: None, nodes: 0 };
        let mut fault = None;
        while reading.done.is_none() && fault.is_none() {
            fault = self.step(&mut reading).err();
        }
        let is_whole = fault.is_none();
        while let Some(open) = reading.open.pop() {
            let value = reading.closed(open, self.at);
            reading.place(value);
        }
        let slip = self.slip.take();
        let fault = slip.or(fault);
        Item {
            is_whole,
            value: reading.done.unwrap_or(Value::Missing),
            span: Span::from_offsets(start, self.at),
            segments: reading.segments,
            fault,
            double: reading.double,
        }
    }

    /// Reads one scalar, opens one container or closes one.
    fn step(&mut self, reading: &mut Reading) -> Result<(), Undetermined> {
        match reading.open.last_mut() {
            Some(Open::Array(elements, _)) => {
                let is_first = elements.is_empty();
                if self.take(b']') {
                    return self.close(reading);
                }
                if !is_first && !self.take(b',') {
                    return Err(self.fault("`,` or `]` is expected"));
                }
                if !is_first && self.peek() == Some(b']') {
                    self.slipped("a value is expected");
                    self.at += 1;
                    return self.close(reading);
                }
            }
            Some(Open::Object(properties, None, _)) => {
                let is_first = properties.is_empty();
                if self.take(b'}') {
                    return self.close(reading);
                }
                if !is_first && !self.take(b',') {
                    return Err(self.fault("`,` or `}` is expected"));
                }
                if !is_first && self.peek() == Some(b'}') {
                    self.slipped("a key in double quotes is expected");
                    self.at += 1;
                    return self.close(reading);
                }
                let (name, span) = self.key(&mut reading.segments)?;
                if !self.take(b':') {
                    return Err(self.fault("`:` is expected"));
                }
                if let Some(Open::Object(_, key, _)) = reading.open.last_mut() {
                    *key = Some((name, span));
                }
            }
            Some(Open::Object(..)) | None => {}
        }
        self.value(reading)
    }

    fn value(&mut self, reading: &mut Reading) -> Result<(), Undetermined> {
        reading.nodes += 1;
        if self.limits.nodes < reading.nodes {
            return Err(self.exceeded(Reason::Nodes, self.limits.nodes));
        }
        if (self.limits.segments as usize) < reading.segments.len() {
            return Err(self.exceeded(Reason::Segments, self.limits.segments));
        }
        let first = self.peek();
        let start = self.at;
        let value = match first {
            Some(b'[' | b'{') if self.limits.nesting as usize <= reading.open.len() => {
                return Err(self.exceeded(Reason::Nesting, self.limits.nesting));
            }
            Some(b'[') => {
                self.at += 1;
                reading.open.push(Open::Array(Vec::new(), start));
                return Ok(());
            }
            Some(b'{') => {
                self.at += 1;
                reading.open.push(Open::Object(Vec::new(), None, start));
                return Ok(());
            }
            Some(quote @ (b'"' | b'\'')) => {
                let (text, span, fault) = self.string(quote, &mut reading.segments);
                if let Some(fault) = fault {
                    // What stands before a fault counts: a text may be cut off anywhere.
                    reading.place(Value::String(text, span));
                    return Err(fault);
                }
                Value::String(text, span)
            }
            Some(b'-' | b'+' | b'.' | b'0'..=b'9') => self.number()?,
            Some(_) | None => self.word()?,
        };
        reading.place(value);
        Ok(())
    }

    fn close(&self, reading: &mut Reading) -> Result<(), Undetermined> {
        if let Some(open) = reading.open.pop() {
            let value = reading.closed(open, self.at);
            reading.place(value);
        }
        Ok(())
    }

    fn word(&mut self) -> Result<Value, Undetermined> {
        let rest = self.text.get(self.at..self.end).unwrap_or("");
        let words = [("true", Some(true)), ("false", Some(false)), ("null", None)];
        let others = [("True", Some(true)), ("False", Some(false)), ("None", None), ("undefined", None), ("NaN", None), ("Infinity", None)];
        let known = words.into_iter().find(|(word, _)| rest.starts_with(word));
        let Some((word, flag)) = known.or_else(|| others.into_iter().find(|(word, _)| rest.starts_with(word))) else {
            return Err(self.fault("a value is expected"));
        };
        if known.is_none() {
            self.slipped("this is no value of JSON");
        }
        let span = Span::from_offsets(self.at, self.at + word.len());
        self.at += word.len();
        Ok(flag.map_or(Value::Null(span), |flag| Value::Boolean(flag, span)))
    }

    fn number(&mut self) -> Result<Value, Undetermined> {
        let start = self.at;
        let mut at = start + usize::from(self.byte(start) == Some(b'-'));
        let digits = |mut at: usize| {
            while self.byte(at).is_some_and(|byte| byte.is_ascii_digit()) {
                at += 1;
            }
            at
        };
        let whole = digits(at);
        let mut is_valid = at < whole && (self.byte(at) != Some(b'0') || whole == at + 1);
        at = whole;
        if self.byte(at) == Some(b'.') {
            let end = digits(at + 1);
            is_valid &= at + 1 < end;
            at = end;
        }
        if matches!(self.byte(at), Some(b'e' | b'E')) {
            at += 1 + usize::from(matches!(self.byte(at + 1), Some(b'+' | b'-')));
            let end = digits(at);
            is_valid &= at < end;
            at = end;
        }
        let number = self.text.get(start..at).and_then(|text| text.parse().ok());
        match number {
            Some(number) if is_valid => {
                self.at = at;
                Ok(Value::Number(number, Span::from_offsets(start, at)))
            }
            Some(_) | None => self.odd_number(start),
        }
    }

    /// Reads a number as JavaScript writes it: hexadecimal, with a sign, a leading zero or a bare point.
    fn odd_number(&mut self, start: usize) -> Result<Value, Undetermined> {
        let bytes = self.text.as_bytes().get(start..self.end).unwrap_or(&[]);
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-');
        let length = bytes.iter().take_while(|byte| is_part(byte)).count();
        let text = self.text.get(start..start + length).unwrap_or("");
        let (negative, digits) = text.strip_prefix('-').map_or((false, text.strip_prefix('+').unwrap_or(text)), |digits| (true, digits));
        let hexadecimal = digits.strip_prefix("0x").or(digits.strip_prefix("0X"));
        let number = match hexadecimal {
            Some(digits) => u64::from_str_radix(digits, 16).ok().map(|number| number as f64),
            None => digits.parse().ok(),
        };
        let Some(number) = number else { return Err(self.fault("this is no number of JSON")) };
        self.slipped("this is no number of JSON");
        self.at = start + length;
        Ok(Value::Number(if negative { -number } else { number }, Span::from_offsets(start, self.at)))
    }

    /// Reads a key: what it says, and its place with its quotes.
    fn key(&mut self, segments: &mut Vec<Segment>) -> Result<(String, Span), Undetermined> {
        let quote = match self.peek() {
            Some(quote @ (b'"' | b'\'')) => quote,
            Some(_) | None => return self.bare_key(),
        };
        if quote == b'\'' {
            self.slipped("a key in double quotes is expected");
        }
        let (name, span, fault) = self.string(quote, segments);
        fault.map_or(Ok((name, span)), Err)
    }

    fn bare_key(&mut self) -> Result<(String, Span), Undetermined> {
        let rest = self.text.get(self.at..self.end).unwrap_or("");
        let is_part = |part: char| part.is_alphanumeric() || part == '_' || part == '$';
        let length = rest.find(|part| !is_part(part)).unwrap_or(rest.len());
        let name = rest.get(..length).unwrap_or("").to_owned();
        if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
            return Err(self.fault("a key in double quotes is expected"));
        }
        self.slipped("a key in double quotes is expected");
        let span = Span::from_offsets(self.at, self.at + length);
        self.at += length;
        Ok((name, span))
    }

    /// Reads a string: what it says, its place with its quotes, and why it ends too early.
    fn string(&mut self, quote: u8, segments: &mut Vec<Segment>) -> (String, Span, Option<Undetermined>) {
        if quote != b'"' {
            self.slipped("a string must stand in double quotes");
        }
        let start = self.at;
        self.at += 1;
        let mut said = String::new();
        // What was read since the last escape reads as it is written.
        let (mut map, mut run) = (OffsetMap::default(), (0, self.at));
        let mut is_verbatim = true;
        let fault = loop {
            let rest = self.text.as_bytes().get(self.at..self.end).unwrap_or(&[]);
            let is_special = |byte: &u8| *byte == quote || matches!(byte, b'\\' | ..=0x1f);
            let length = rest.iter().position(is_special).unwrap_or(rest.len());
            said.push_str(self.text.get(self.at..self.at + length).unwrap_or(""));
            self.at += length;
            match self.here() {
                Some(byte) if byte == quote => break None,
                Some(b'\\') => {
                    is_verbatim = false;
                    map.push(run.0, run.1, self.at - run.1);
                    match self.escape() {
                        Ok(character) => said.extend(character),
                        Err(fault) => break Some(fault),
                    }
                    run = (said.len(), self.at);
                }
                Some(b'\n' | b'\r') => break Some(self.fault("a string must end on its line")),
                Some(control) => {
                    self.slipped("a control character in a string must be escaped");
                    said.push(char::from(control));
                    self.at += 1;
                }
                None => break Some(self.fault("a string must end with a double quote")),
            }
        };
        let inner = Span::from_offsets(start + 1, self.at);
        self.at += usize::from(fault.is_none());
        if !said.is_empty() {
            if !is_verbatim {
                map.push(run.0, run.1, said.len() - run.0);
            }
            segments.push(if is_verbatim {
                Segment::verbatim(Role::String, inner)
            } else {
                Segment::mapped(Role::String, inner, said.as_str(), map)
            });
        }
        (said, Span::from_offsets(start, self.at), fault)
    }

    /// Reads an escape, which stands for nothing where it only breaks a line; half a surrogate pair reads as a replacement
    /// character.
    fn escape(&mut self) -> Result<Option<char>, Undetermined> {
        let character = match self.byte(self.at + 1) {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape().map(Some),
            Some(_) => return self.odd_escape(),
            None => return Err(self.fault("this escape is none of JSON")),
        };
        self.at += 2;
        Ok(Some(character))
    }

    /// Reads an escape as JavaScript has it: `\x41`, `\v`, `\0`, a line break; any other character stands for itself.
    fn odd_escape(&mut self) -> Result<Option<char>, Undetermined> {
        self.slipped("this escape is none of JSON");
        let rest = self.text.get(self.at + 1..self.end).unwrap_or("");
        let Some(first) = rest.chars().next() else { return Err(self.fault("this escape is none of JSON")) };
        let coded = rest.get(1..3).filter(|_| first == 'x').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let is_crlf = rest.starts_with("\r\n");
        self.at += 1 + first.len_utf8() + if coded.is_some() { 2 } else { usize::from(is_crlf) };
        Ok(match (first, coded) {
            (_, Some(code)) => Some(char::from(code)),
            ('v', None) => Some('\u{b}'),
            ('0', None) => Some('\0'),
            ('\n' | '\r', None) => None,
            (other, None) => Some(other),
        })
    }

    fn unicode_escape(&mut self) -> Result<char, Undetermined> {
        let Some(unit) = self.unit(self.at) else {
            return Err(self.fault("four hexadecimal digits must follow `\\u`"));
        };
        self.at += 6;
        if !(0xd800..0xdc00).contains(&unit) {
            return Ok(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        match self.unit(self.at).filter(|low| (0xdc00..0xe000).contains(low)) {
            Some(low) => {
                self.at += 6;
                let code = 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
            }
            None => Ok(char::REPLACEMENT_CHARACTER),
        }
    }

    /// The code unit of a `\uXXXX` at a place.
    fn unit(&self, at: usize) -> Option<u32> {
        let digits = self.text.get(at..at + 6).filter(|_| at + 6 <= self.end)?.strip_prefix("\\u")?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)
    }

    fn exceeded(&self, reason: Reason, limit: u32) -> Undetermined {
        Undetermined { reason, detail: format!("more than {limit} (limits.{reason})"), span: self.fault("").span }
    }

    fn here(&self) -> Option<u8> {
        self.byte(self.at)
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied().filter(|_| at < self.end)
    }
}

impl Reading {
    /// Puts a value into the innermost container, or out if there is none.
    fn place(&mut self, value: Value) {
        match self.open.last_mut() {
            Some(Open::Array(elements, _)) => elements.push(value),
            Some(Open::Object(properties, key, _)) => {
                if let Some((key, key_span)) = key.take() {
                    properties.push(Property { key, key_span, value });
                }
            }
            None => self.done = Some(value),
        }
    }

    fn closed(&mut self, open: Open, end: usize) -> Value {
        match open {
            Open::Array(elements, start) => Value::Array(elements, Span::from_offsets(start, end)),
            Open::Object(properties, _, start) => {
                if self.double.is_none() {
                    self.double = double(&properties).map(|property| (property.key.clone(), property.key_span));
                }
                Value::Object(properties, Span::from_offsets(start, end))
            }
        }
    }
}

/// The first property whose key stood before.
fn double(properties: &[Property]) -> Option<&Property> {
    if properties.len() <= FEW_KEYS {
        let is_known = |index: usize, key: &str| properties.iter().take(index).any(|property| property.key == key);
        return properties.iter().enumerate().find(|(index, property)| is_known(*index, &property.key)).map(|(_, property)| property);
    }
    let mut seen = HashSet::with_capacity(properties.len());
    properties.iter().find(|property| !seen.insert(property.key.as_str()))
}

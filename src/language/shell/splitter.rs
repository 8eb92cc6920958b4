//! Splits a shell line into commands and words, with quotes, variables, redirections and here-documents.

use std::collections::HashMap;
use std::iter::Peekable;
use std::str::Chars;

use crate::subject::segment::HOLE;

/// A command as written.
#[derive(Debug, Default)]
pub struct Raw {
    /// Its words.
    pub words: Vec<String>,
    /// Where its output goes.
    pub outputs: Vec<String>,
    /// Files that it reads by `<`.
    pub inputs: Vec<String>,
    /// What a here-document or here-string gives it.
    pub input: Option<String>,
    /// It reads what the command before prints.
    pub is_piped: bool,
}

/// Splits a line into commands.
pub struct Splitter<'l> {
    characters: Peekable<Chars<'l>>,
    /// Lines of `$(…)` and backticks that run before the command.
    nested: Vec<String>,
    /// Ends of here-documents whose text follows the line.
    here: Vec<String>,
    /// The next command reads what the one before prints.
    is_piped: bool,
}

/// What becomes of the next word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Word,
    Output,
    Input,
    Skip,
    HereString,
    HereEnd,
}

impl<'l> Splitter<'l> {
    /// Begins to split a line.
    pub fn new(line: &'l str) -> Self {
        Self { characters: line.chars().peekable(), nested: Vec::new(), here: Vec::new(), is_piped: false }
    }

    /// The lines that run before the last command, which it holds in `$(…)` or backticks; each is told once.
    pub fn nested(&mut self) -> Vec<String> {
        std::mem::take(&mut self.nested)
    }

    /// The next command; none at the end.
    pub fn next_command(&mut self, variables: &HashMap<String, String>) -> Option<Raw> {
        let mut raw = Raw { is_piped: std::mem::take(&mut self.is_piped), ..Raw::default() };
        let mut word: Option<String> = None;
        let mut next = Next::Word;
        self.characters.peek()?;
        loop {
            let Some(character) = self.characters.next() else {
                self.finish(&mut raw, &mut word, &mut next);
                return Some(raw);
            };
            match character {
                ' ' | '\t' | '\r' => self.finish(&mut raw, &mut word, &mut next),
                '\n' | ';' | '|' | '&' | '(' | ')' => {
                    if character == '&' && matches!(self.characters.peek(), Some('>')) {
                        continue;
                    }
                    self.finish(&mut raw, &mut word, &mut next);
                    if character == '\n' {
                        self.read_here(&mut raw);
                    }
                    self.is_piped = character == '|' && self.characters.next_if_eq(&'|').is_none();
                    if !raw.words.is_empty() || !raw.outputs.is_empty() || !raw.inputs.is_empty() {
                        return Some(raw);
                    }
                    self.characters.peek()?;
                }
                '>' => {
                    if word.as_ref().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit())) {
                        word = None;
                    }
                    self.finish(&mut raw, &mut word, &mut next);
                    while self.characters.next_if(|next| matches!(next, '>' | '|')).is_some() {}
                    next = if self.characters.next_if_eq(&'&').is_some() { Next::Skip } else { Next::Output };
                }
                '<' => {
                    self.finish(&mut raw, &mut word, &mut next);
                    let mut count = 1;
                    while self.characters.next_if_eq(&'<').is_some() {
                        count += 1;
                    }
                    self.characters.next_if_eq(&'-');
                    next = match count {
                        1 if self.characters.next_if_eq(&'&').is_some() => Next::Skip,
                        1 => Next::Input,
                        2 => Next::HereEnd,
                        _ => Next::HereString,
                    };
                }
                '#' if word.is_none() => while self.characters.next_if(|next| *next != '\n').is_some() {},
                '\\' => match self.characters.next() {
                    Some('\n') | None => {}
                    // A path of Windows is no escape.
                    Some(escaped) => {
                        let is_path = word.as_ref().is_some_and(|word| word.ends_with([':', '%']) || word.contains('\\'));
                        let word = word.get_or_insert_default();
                        if is_path {
                            word.push('\\');
                        }
                        word.push(escaped);
                    }
                },
                '\'' => {
                    let word = word.get_or_insert_default();
                    while let Some(inner) = self.characters.next().filter(|inner| *inner != '\'') {
                        word.push(inner);
                    }
                }
                '"' => self.quoted(word.get_or_insert_default(), variables),
                '`' => {
                    let inner = self.backticks();
                    self.nested.push(inner);
                    word.get_or_insert_default().push(HOLE);
                }
                '$' => {
                    let value = self.dollar(variables);
                    if value.trim().is_empty() && !value.is_empty() {
                        self.finish(&mut raw, &mut word, &mut next);
                    } else {
                        word.get_or_insert_default().push_str(&value);
                    }
                }
                other => word.get_or_insert_default().push(other),
            }
        }
    }

    fn finish(&mut self, raw: &mut Raw, word: &mut Option<String>, next: &mut Next) {
        let Some(word) = word.take() else { return };
        match std::mem::replace(next, Next::Word) {
            Next::Word => raw.words.push(word),
            Next::Output => raw.outputs.push(word),
            Next::Input => raw.inputs.push(word),
            Next::Skip => {}
            Next::HereString => raw.input = Some(word),
            Next::HereEnd => self.here.push(word),
        }
    }

    /// Reads the texts of here-documents that follow a line.
    fn read_here(&mut self, raw: &mut Raw) {
        for end in std::mem::take(&mut self.here) {
            let mut text = String::new();
            loop {
                let mut line = String::new();
                while let Some(character) = self.characters.next_if(|next| *next != '\n') {
                    line.push(character);
                }
                let is_last = self.characters.next().is_none();
                if line.trim() == end {
                    break;
                }
                text.push_str(&line);
                text.push('\n');
                if is_last {
                    break;
                }
            }
            raw.input = Some(text);
        }
    }

    fn quoted(&mut self, word: &mut String, variables: &HashMap<String, String>) {
        while let Some(character) = self.characters.next() {
            match character {
                '"' => return,
                '\\' => match self.characters.next() {
                    Some(escaped @ ('"' | '\\' | '$' | '`')) => word.push(escaped),
                    Some(other) => word.extend(['\\', other]),
                    None => {}
                },
                '`' => {
                    let inner = self.backticks();
                    self.nested.push(inner);
                    word.push(HOLE);
                }
                '$' => {
                    let value = self.dollar(variables);
                    word.push_str(&value);
                }
                other => word.push(other),
            }
        }
    }

    fn backticks(&mut self) -> String {
        let mut inner = String::new();
        while let Some(character) = self.characters.next().filter(|character| *character != '`') {
            inner.push(character);
        }
        inner
    }

    /// What stands behind a `$`: a command, a variable, or just the sign.
    fn dollar(&mut self, variables: &HashMap<String, String>) -> String {
        match self.characters.peek() {
            Some('(') => {
                self.characters.next();
                let inner = self.until_closed('(', ')');
                self.nested.push(inner);
                HOLE.to_string()
            }
            Some('{') => {
                self.characters.next();
                let inner = self.until_closed('{', '}');
                variable(variables, &inner, format!("${{{inner}}}"))
            }
            Some('\'') => String::new(),
            Some(first) if first.is_ascii_alphabetic() || *first == '_' => {
                let mut name = String::new();
                while let Some(character) = self.characters.next_if(|next| next.is_ascii_alphanumeric() || matches!(next, '_')) {
                    name.push(character);
                }
                let written = format!("${name}");
                variable(variables, &name, written)
            }
            Some(_) | None => "$".to_owned(),
        }
    }

    fn until_closed(&mut self, open: char, close: char) -> String {
        let (mut inner, mut depth, mut quote) = (String::new(), 1_u32, None);
        for character in self.characters.by_ref() {
            match (quote, character) {
                (Some(own), _) if own == character => quote = None,
                (Some(_), _) => {}
                (None, '\'' | '"') => quote = Some(character),
                (None, _) if character == open => depth += 1,
                (None, _) if character == close => depth -= 1,
                (None, _) => {}
            }
            if depth == 0 {
                break;
            }
            inner.push(character);
        }
        inner
    }
}

/// The value of a variable, or how it is written where that is not known.
fn variable(variables: &HashMap<String, String>, name: &str, written: String) -> String {
    match name {
        "IFS" => " ".to_owned(),
        name => variables.get(name).cloned().unwrap_or(written),
    }
}

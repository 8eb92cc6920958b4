//! Splits a shell line into commands and words, with quotes, variables, redirections, groups and here-documents.

use std::collections::HashMap;

use crate::language::shell::expansion::{CLOSE, COMMA, OPEN, braces, escapes, variable};
use crate::language::shell::raw::{COMMANDS, Raw, is_assignment};
use crate::subject::segment::HOLE;

/// Words that only hold commands together.
const KEYWORDS: &[&str] = &["then", "do", "else", "elif", "if", "while", "until", "!", "{", "}", "fi", "done", "esac", "coproc"];

/// What becomes of the next word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Word,
    Output,
    Input,
    Skip,
    HereString,
    HereEnd { is_indented: bool },
}

/// A here-document whose text follows the line.
struct Here {
    end: String,
    is_quoted: bool,
    is_indented: bool,
    /// The command that reads it, by its place in the list.
    of: usize,
}

/// Splits a line into commands.
pub struct Splitter {
    characters: Vec<char>,
    at: usize,
    depth: u8,
    variables: HashMap<String, String>,
    folder: Option<String>,
    raw: Raw,
    word: Option<String>,
    /// A part of the word is quoted.
    is_quoted: bool,
    next: Next,
    here: Vec<Here>,
    /// The next command reads what the one at this place prints.
    piped: Option<usize>,
    /// For each `case` around: a pattern comes next.
    cases: Vec<bool>,
}

impl Splitter {
    /// Begins to split a line; commands inside others are read down to a depth.
    pub fn new(line: &str, depth: u8) -> Self {
        Self {
            characters: line.chars().collect(),
            at: 0,
            depth,
            variables: HashMap::new(),
            folder: None,
            raw: Raw::default(),
            word: None,
            is_quoted: false,
            next: Next::Word,
            here: Vec::new(),
            piped: None,
            cases: Vec::new(),
        }
    }

    /// Adds all commands of the line.
    pub fn read(&mut self, found: &mut Vec<Raw>) {
        while found.len() < COMMANDS {
            if self.is_at_start() {
                self.skip_pattern();
                self.skip_arithmetic();
            }
            let Some(character) = self.take() else { break };
            self.character(character, found);
        }
        self.end_command(found);
    }

    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn take(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.at += 1;
        Some(character)
    }

    fn take_if(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        self.at += usize::from(is_there);
        is_there
    }

    fn is_at_start(&self) -> bool {
        self.raw.words.is_empty() && self.word.is_none()
    }

    /// Returns true if and only if `[[` stands open, in which signs compare and end nothing.
    fn is_comparing(&self) -> bool {
        let leads = self.raw.words.iter().find(|word| !KEYWORDS.contains(&word.as_str()));
        leads.is_some_and(|first| first == "[[") && self.raw.words.last().is_none_or(|last| last != "]]")
    }

    fn character(&mut self, character: char, found: &mut Vec<Raw>) {
        match character {
            ' ' | '\t' | '\r' => self.end_word(),
            '&' | '|' | '(' | ')' | '<' | '>' if self.is_comparing() => {}
            '&' if self.peek() == Some('>') => self.end_word(),
            '\n' => {
                self.end_command(found);
                self.read_here(found);
            }
            ';' | '|' | '&' | '(' | ')' => self.separator(character, found),
            '>' => self.output(found),
            '<' => self.input(found),
            '#' if self.word.is_none() => while self.peek().is_some_and(|next| next != '\n') && self.take().is_some() {},
            '{' => self.push(OPEN),
            ',' => self.push(COMMA),
            '}' => self.push(CLOSE),
            '\\' => self.escape(),
            '\'' => {
                self.is_quoted = true;
                let text = self.until('\'');
                self.push_text(&text);
            }
            '"' => {
                self.is_quoted = true;
                let text = self.quoted(Some('"'), found);
                self.push_text(&text);
            }
            '`' => {
                let inner = self.until('`');
                self.substitute(&inner, found);
                self.push(HOLE);
            }
            '$' => self.dollar_in_word(found),
            other => self.push(other),
        }
    }

    fn push(&mut self, character: char) {
        self.word.get_or_insert_default().push(character);
    }

    fn push_text(&mut self, text: &str) {
        self.word.get_or_insert_default().push_str(text);
    }

    fn separator(&mut self, character: char, found: &mut Vec<Raw>) {
        if character == '(' && self.peek() == Some(')') && self.raw.words.len() + usize::from(self.word.is_some()) <= 2 {
            // `name()` only gives a name to what follows.
            self.at += 1;
            self.word = None;
            self.raw = Raw::default();
            return;
        }
        self.end_command(found);
        let is_double = matches!(character, ';' | '|' | '&') && self.take_if(character);
        if character == ';' && is_double {
            self.take_if('&');
            if let Some(is_pattern) = self.cases.last_mut() {
                *is_pattern = true;
            }
        }
        if character == '|' && !is_double {
            self.take_if('&');
            self.piped = found.len().checked_sub(1);
        } else if character != '(' {
            self.piped = None;
        }
    }

    /// Ends the word before a redirection, of which a number is the descriptor; true where a process stands for the file: `<(ls)`.
    fn reads_process(&mut self, found: &mut Vec<Raw>) -> bool {
        if self.word.as_ref().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit())) {
            self.word = None;
        }
        self.end_word();
        if !self.take_if('(') {
            return false;
        }
        let inner = self.until_closed('(', ')');
        self.substitute(&inner, found);
        self.push(HOLE);
        true
    }

    fn output(&mut self, found: &mut Vec<Raw>) {
        if self.reads_process(found) {
            return;
        }
        while self.take_if('>') || self.take_if('|') {}
        self.next = Next::Output;
        if self.take_if('&') && self.peek().is_none_or(|next| next.is_ascii_digit() || next == '-') {
            self.next = Next::Skip;
        }
    }

    fn input(&mut self, found: &mut Vec<Raw>) {
        if self.reads_process(found) {
            return;
        }
        let mut count = 1;
        while count < 3 && self.take_if('<') {
            count += 1;
        }
        let is_indented = count == 2 && self.take_if('-');
        self.next = match count {
            1 if self.take_if('&') => Next::Skip,
            1 => {
                self.take_if('>');
                Next::Input
            }
            2 => Next::HereEnd { is_indented },
            _ => Next::HereString,
        };
    }

    fn escape(&mut self) {
        match self.take() {
            Some('\n') | None => {}
            Some(escaped) => {
                // A path of Windows is no escape.
                let is_path = self.word.as_ref().is_some_and(|word| {
                    word.ends_with([':', '%', CLOSE]) || word.contains('\\') || word.len() == 4 && word.starts_with("HK")
                });
                if is_path {
                    self.push('\\');
                }
                self.push(escaped);
            }
        }
    }

    fn dollar_in_word(&mut self, found: &mut Vec<Raw>) {
        if self.take_if('\'') {
            let mut text = String::new();
            while let Some(character) = self.take().filter(|character| *character != '\'') {
                text.push(character);
                if character == '\\' {
                    text.extend(self.take());
                }
            }
            self.push_text(&escapes(&text));
            return;
        }
        if self.peek() == Some('"') {
            return;
        }
        // A value that no quotes hold together falls into words.
        let value = self.dollar(found);
        let mut parts = value.split(char::is_whitespace).peekable();
        while let Some(part) = parts.next() {
            if !part.is_empty() {
                self.push_text(part);
            }
            if parts.peek().is_some() {
                self.end_word();
            }
        }
    }

    fn end_word(&mut self) {
        let is_quoted = std::mem::take(&mut self.is_quoted);
        let Some(word) = self.word.take() else { return };
        let words = braces(&word);
        match std::mem::replace(&mut self.next, Next::Word) {
            Next::Word => {
                self.raw.words.extend(words);
                self.begin_case();
            }
            Next::Output => self.raw.outputs.extend(words),
            Next::Input => self.raw.inputs.extend(words),
            Next::Skip => {}
            Next::HereString => self.raw.input = words.into_iter().next(),
            Next::HereEnd { is_indented } => {
                let end = words.into_iter().next().unwrap_or_default();
                self.here.push(Here { end, is_quoted, is_indented, of: usize::MAX });
            }
        }
    }

    /// `case WORD in` is followed by patterns, not by a command.
    fn begin_case(&mut self) {
        if let [.., case, _, last] = self.raw.words.as_slice()
            && case == "case"
            && last == "in"
        {
            self.raw = Raw::default();
            self.cases.push(true);
        }
    }

    fn skip_pattern(&mut self) {
        if self.cases.last() != Some(&true) {
            return;
        }
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
        let rest: String = self.characters.iter().skip(self.at).take(4).collect();
        if rest == "esac" {
            self.cases.pop();
            return;
        }
        if let Some(is_pattern) = self.cases.last_mut() {
            *is_pattern = false;
        }
        while self.take().is_some_and(|character| character != ')') {}
    }

    fn skip_arithmetic(&mut self) {
        if self.peek() == Some('(') && self.characters.get(self.at + 1) == Some(&'(') {
            let rest = self.characters.iter().skip(self.at).take_while(|character| **character != '\n');
            let line: String = rest.take(400).collect();
            if let Some(end) = line.find("))") {
                let inner = line.get(..end).unwrap_or_default();
                // `((a); (b))` holds commands, `((a + b))` does not.
                if !inner.contains([';', '|', '\'', '"']) && !inner.get(2..).is_some_and(|inner| inner.contains(')')) {
                    self.at += inner.chars().count() + 2;
                    self.push_text("((");
                }
            }
        }
    }

    fn end_command(&mut self, found: &mut Vec<Raw>) {
        self.end_word();
        let mut raw = std::mem::take(&mut self.raw);
        while raw.words.first().is_some_and(|first| KEYWORDS.contains(&first.as_str())) {
            raw.words.remove(0);
        }
        match raw.words.first().map(String::as_str) {
            Some("for" | "select") => {
                self.bind(&raw.words);
                raw.words.clear();
            }
            Some("function" | "((") => raw.words.clear(),
            _ => {}
        }
        let count = raw.words.iter().take_while(|word| is_assignment(word)).count();
        raw.assignments = raw.words.drain(..count).collect();
        let is_empty = raw.words.is_empty() && raw.assignments.is_empty() && raw.outputs.is_empty() && raw.inputs.is_empty();
        let of = if is_empty { found.len().saturating_sub(1) } else { found.len() };
        for here in self.here.iter_mut().filter(|here| here.of == usize::MAX) {
            here.of = of;
        }
        if is_empty {
            return;
        }
        raw.fed_by = self.piped.take();
        raw.folder.clone_from(&self.folder);
        self.remember(&raw);
        found.push(raw);
    }

    /// `for NAME in a b c` gives the name each value; all of them count.
    fn bind(&mut self, words: &[String]) {
        if let [_, name, keyword, values @ ..] = words
            && keyword == "in"
        {
            self.variables.insert(name.clone(), values.join(" "));
        }
    }

    /// Notes what a command changes for those behind it: variables and the folder.
    fn remember(&mut self, raw: &Raw) {
        let declared = match raw.words.split_first() {
            None => raw.assignments.as_slice(),
            Some((program, rest)) if matches!(program.as_str(), "export" | "readonly" | "local" | "declare" | "typeset") => rest,
            Some(_) => &[],
        };
        for (name, value) in declared.iter().filter(|word| is_assignment(word)).filter_map(|word| word.split_once('=')) {
            if let Some(name) = name.strip_suffix('+') {
                self.variables.entry(name.to_owned()).or_default().push_str(value);
            } else {
                self.variables.insert(name.to_owned(), value.to_owned());
            }
        }
        if let [program, folder] = raw.words.as_slice()
            && matches!(program.as_str(), "cd" | "pushd" | "chdir")
        {
            let is_inner = !folder.starts_with(['/', '~', '$']);
            self.folder = Some(match &self.folder {
                Some(outer) if is_inner => format!("{outer}/{folder}"),
                Some(_) | None => folder.clone(),
            });
        }
    }

    /// Reads the commands of a substitution; the command at hand holds what the last of them prints.
    fn substitute(&mut self, inner: &str, found: &mut Vec<Raw>) {
        let Some(depth) = self.depth.checked_sub(1) else { return };
        let before = found.len();
        let mut splitter = Self::new(inner, depth);
        splitter.variables.clone_from(&self.variables);
        splitter.folder.clone_from(&self.folder);
        splitter.read(found);
        self.raw.holds.extend(before..found.len());
    }

    /// Reads the texts of here-documents that follow a line.
    fn read_here(&mut self, found: &mut Vec<Raw>) {
        for here in std::mem::take(&mut self.here) {
            let mut text = String::new();
            while self.peek().is_some() {
                let mut line = String::new();
                while let Some(character) = self.take().filter(|next| *next != '\n') {
                    line.push(character);
                }
                if line.trim_end_matches('\r').trim_start_matches(|first| here.is_indented && first == '\t').trim() == here.end {
                    break;
                }
                text.push_str(&line);
                text.push('\n');
            }
            if !here.is_quoted {
                text = self.expanded(&text, found);
            }
            if let Some(raw) = found.get_mut(here.of) {
                raw.input = Some(text);
            }
        }
    }

    /// A text with what it substitutes, as in a here-document.
    fn expanded(&mut self, text: &str, found: &mut Vec<Raw>) -> String {
        let Some(depth) = self.depth.checked_sub(1) else { return text.to_owned() };
        if !text.contains(['$', '`']) {
            return text.to_owned();
        }
        let mut splitter = Self::new(text, depth);
        splitter.variables.clone_from(&self.variables);
        splitter.folder.clone_from(&self.folder);
        splitter.quoted(None, found)
    }

    /// What a text between double quotes says, up to the one that ends it.
    fn quoted(&mut self, end: Option<char>, found: &mut Vec<Raw>) -> String {
        let mut said = String::new();
        while let Some(character) = self.take() {
            match character {
                _ if Some(character) == end => break,
                '\\' => match self.take() {
                    Some('\n') | None => {}
                    Some(escaped @ ('"' | '\\' | '$' | '`')) => said.push(escaped),
                    Some(other) => said.extend(['\\', other]),
                },
                '`' => {
                    let inner = self.until('`');
                    self.substitute(&inner, found);
                    said.push(HOLE);
                }
                '$' => said.push_str(&self.dollar(found)),
                other => said.push(other),
            }
        }
        said
    }

    fn until(&mut self, end: char) -> String {
        let mut inner = String::new();
        while let Some(character) = self.take().filter(|character| *character != end) {
            inner.push(character);
        }
        inner
    }

    /// What stands behind a `$`: a command, a variable, or just the sign.
    fn dollar(&mut self, found: &mut Vec<Raw>) -> String {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let inner = self.until_closed('(', ')');
                match inner.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
                    // Arithmetic may hold commands of its own.
                    Some(sum) => drop(self.expanded(sum, found)),
                    None => self.substitute(&inner, found),
                }
                HOLE.to_string()
            }
            Some('{') => {
                self.at += 1;
                let inner = self.until_closed('{', '}');
                variable(&self.variables, &inner, format!("${{{inner}}}"))
            }
            Some(first) if first.is_ascii_alphabetic() || first == '_' => {
                let mut name = String::new();
                while let Some(character) = self.peek().filter(|next| next.is_ascii_alphanumeric() || *next == '_') {
                    self.at += 1;
                    name.push(character);
                }
                let written = format!("${name}");
                variable(&self.variables, &name, written)
            }
            Some(_) | None => "$".to_owned(),
        }
    }

    fn until_closed(&mut self, open: char, close: char) -> String {
        let (mut inner, mut depth, mut quote) = (String::new(), 1_u32, None);
        while let Some(character) = self.take() {
            match (quote, character) {
                (Some('"') | None, '\\') => {
                    inner.push(character);
                    inner.extend(self.take());
                    continue;
                }
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

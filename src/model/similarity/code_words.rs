//! The words of code that tell what it does, without understanding it.
//!
//! Samples are short, and so are the stretches they are compared with; a lexer is enough, and it reads code that no parser
//! takes. Each byte is looked at a bounded number of times.

/// Keywords of JavaScript, and names that stand in any code whatever it does; sorted.
const NOT_TELLING: &[&str] = &[
    "Array",
    "JSON",
    "Number",
    "Object",
    "Promise",
    "String",
    "all",
    "as",
    "async",
    "await",
    "break",
    "callTool",
    "case",
    "catch",
    "class",
    "concat",
    "console",
    "const",
    "continue",
    "default",
    "delete",
    "do",
    "else",
    "every",
    "export",
    "extends",
    "false",
    "filter",
    "finally",
    "find",
    "for",
    "forEach",
    "from",
    "function",
    "if",
    "import",
    "in",
    "includes",
    "instanceof",
    "isArray",
    "join",
    "keys",
    "length",
    "let",
    "log",
    "map",
    "new",
    "null",
    "of",
    "parse",
    "push",
    "replace",
    "require",
    "return",
    "slice",
    "some",
    "split",
    "stringify",
    "switch",
    "then",
    "this",
    "throw",
    "toString",
    "trim",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "yield",
];

/// Longer runs of letters are no words; they are cut.
const LONGEST: usize = 100;

/// Visits the words of code that tell what it does, with their place: called names, keys, members, and strings.
pub fn code_words(text: &str, visit: &mut impl FnMut(&str, usize, usize)) {
    Lexer { text, bytes: text.as_bytes(), at: 0, holes: Vec::new(), braces: 0 }.run(visit);
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// For each template around this place, how many braces were open where its hole begins.
    holes: Vec<usize>,
    braces: usize,
}

impl Lexer<'_> {
    fn run(&mut self, visit: &mut impl FnMut(&str, usize, usize)) {
        while let Some(byte) = self.bytes.get(self.at).copied() {
            match byte {
                b'/' if self.next_is(b'/') => self.at = self.end_of("\n"),
                b'/' if self.next_is(b'*') => self.at = self.end_of("*/"),
                b'\'' | b'"' | b'`' => {
                    self.at += 1;
                    self.string(byte, visit);
                }
                b'{' => {
                    self.braces += 1;
                    self.at += 1;
                }
                b'}' => self.closed(visit),
                _ if is_name(byte) => self.name(visit),
                _ => self.at += 1,
            }
        }
    }

    fn next_is(&self, byte: u8) -> bool {
        self.bytes.get(self.at + 1) == Some(&byte)
    }

    /// Where the text goes on after this mark.
    fn end_of(&self, mark: &str) -> usize {
        let rest = self.text.get(self.at + 2..).unwrap_or_default();
        rest.find(mark).map_or(self.bytes.len(), |found| self.at + 2 + found + mark.len())
    }

    /// A closing brace may end a template's hole; then the template goes on.
    fn closed(&mut self, visit: &mut impl FnMut(&str, usize, usize)) {
        self.at += 1;
        if self.holes.last() == Some(&self.braces) {
            self.holes.pop();
            self.string(b'`', visit);
        } else {
            self.braces = self.braces.saturating_sub(1);
        }
    }

    /// Reads a string to its end, or to the next hole of a template.
    fn string(&mut self, quote: u8, visit: &mut impl FnMut(&str, usize, usize)) {
        let mut start = self.at;
        while let Some(byte) = self.bytes.get(self.at).copied() {
            let is_hole = quote == b'`' && byte == b'$' && self.next_is(b'{');
            let is_end = byte == quote || byte == b'\n' && quote != b'`' || is_hole;
            if is_end || byte == b'\\' {
                split(self.text.get(start..self.at).unwrap_or_default(), start, visit);
                self.at += if byte == b'\\' || is_hole { 2 } else { 1 };
                start = self.at;
            } else {
                self.at += 1;
            }
            if is_hole {
                self.holes.push(self.braces);
            }
            if is_end {
                return;
            }
        }
        split(self.text.get(start..).unwrap_or_default(), start, visit);
    }

    fn name(&mut self, visit: &mut impl FnMut(&str, usize, usize)) {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|byte| is_name(*byte)) {
            self.at += 1;
        }
        let name = self.text.get(start..self.at).unwrap_or_default();
        let before = self.text.get(..start).unwrap_or_default().trim_ascii_end();
        let after = self.bytes.get(self.at..).unwrap_or_default().trim_ascii_start().first();
        let is_member = before.ends_with('.') && !before.ends_with("...");
        let tells = is_member || matches!(after, Some(b'(' | b':'));
        if tells && NOT_TELLING.binary_search(&name).is_err() {
            split(name, start, visit);
        }
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || 128 <= byte
}

/// Visits the words of a text in lower case, with their place: runs of letters, and the parts of `camelCase`.
pub fn split(text: &str, base: usize, visit: &mut impl FnMut(&str, usize, usize)) {
    let mut word = String::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    let mut was_small = false;
    while let Some((at, character)) = characters.next() {
        if !character.is_alphabetic() {
            end(&mut word, base + start, base + at, visit);
            was_small = false;
            continue;
        }
        // `userName` has two words, and so has `HTTPRequest`.
        let is_small = character.is_lowercase();
        let next_is_small = characters.peek().is_some_and(|(_, next)| next.is_lowercase());
        let is_new = !is_small && (was_small || next_is_small);
        if is_new || LONGEST <= word.len() {
            end(&mut word, base + start, base + at, visit);
        }
        if word.is_empty() {
            start = at;
        }
        word.extend(character.to_lowercase());
        was_small = is_small;
    }
    end(&mut word, base + start, base + text.len(), visit);
}

fn end(word: &mut String, start: usize, end: usize, visit: &mut impl FnMut(&str, usize, usize)) {
    if !word.is_empty() {
        visit(word, start, end);
        word.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> String {
        let mut words = Vec::new();
        code_words(text, &mut |word, _, _| words.push(word.to_owned()));
        words.join(" ")
    }

    #[test]
    fn words_tell_what_code_does_and_not_how_it_is_written() {
        for (code, expected) in [
            ("const users = await callTool('users:list', { limit: 10 });", "users list limit"),
            ("const a=await callTool(\"users:list\",{limit:10})", "users list limit"),
            ("require('fs').readFileSync(path, 'utf8')", "fs read file sync utf"),
            ("// a comment\nfetch(url) /* another */", "fetch"),
            ("person.email + ':' + person?.password", "email password"),
            ("f(...rest)", "f"),
            ("`to ${await callTool('mail:send', { to: `${x} y` })} and ${ {a: 1}.b } z`", "to mail send to y and a b z"),
            ("'it\\'s' + \"a\\nb\"", "it s a b"),
            ("'open\nfetch(x)", "open fetch"),
            (r#"{"name": "run_sql", "arguments": {"HTTPUrl": "x"}}"#, "name run sql arguments http url x"),
            ("`never ${ends", "never"),
        ] {
            assert_eq!(words(code), expected, "{code}");
        }
    }

    #[test]
    fn the_names_that_tell_nothing_are_sorted() {
        assert!(NOT_TELLING.is_sorted());
    }

    proptest! {
        #[test]
        fn words_stand_where_they_are_said_to(text in "\\PC{0,200}|[a-zA-Z'\"`${}()/*.:\\\\\n ]{0,120}") {
            code_words(&text, &mut |word, start, end| {
                assert!(text.get(start..end).is_some_and(|slice| slice.to_lowercase().contains(word) || !slice.is_ascii()));
            });
        }
    }
}

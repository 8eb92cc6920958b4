//! The words of JavaScript that decide what may follow them.

/// What a word lets follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// An expression must follow: `return`, `typeof` …
    Operator,
    /// `if`, `for`, `with`: a bracket that heads a statement follows.
    Head,
    /// `while`, which also heads a statement or ends one that `do` began.
    While,
    /// `do`: a statement must follow.
    Do,
    /// `var`.
    Var,
    /// Another word that names are declared with.
    Let,
    /// A word that starts what a line may end where an expression would go on.
    Declares,
    /// `else`, which continues an `if` that seemed finished.
    Else,
    /// An operator spelled as a word: it continues what stands before it, and an expression follows.
    Infix,
    /// A keyword in some places, a name in others.
    Contextual,
    /// A word that in some places continues what stands before it, on a line of its own or not, or
    /// stands before what continues on the next line.
    Joins,
    /// A name.
    Other,
}

/// Length of the longest word that is told apart.
const LONGEST: usize = "instanceof".len();

/// What a word lets follow.
pub fn classify(word: &str) -> Word {
    if word.starts_with('@') {
        return Word::Joins;
    }
    if LONGEST < word.len() {
        return Word::Other;
    }
    match word {
        "if" | "for" | "with" => Word::Head,
        "while" => Word::While,
        "do" => Word::Do,
        "var" => Word::Var,
        "let" | "const" | "using" => Word::Let,
        "import" | "export" | "break" | "continue" | "type" | "declare" | "function" | "namespace" | "module" | "global" | "interface"
        | "enum" => Word::Declares,
        "else" => Word::Else,
        "return" | "typeof" | "new" | "delete" | "void" | "throw" | "case" | "default" => Word::Operator,
        "in" | "instanceof" | "extends" => Word::Infix,
        "as" | "satisfies" | "is" | "catch" | "finally" | "from" | "implements" | "keyof" | "infer" | "unique" | "asserts" => Word::Joins,
        "class" | "abstract" => Word::Joins,
        "of" | "await" | "yield" | "async" | "debugger" | "readonly" => Word::Contextual,
        _ => Word::Other,
    }
}

/// The length of the escape that starts a text, in bytes: `\u0061`, `\u{61}`, or the backslash alone.
pub fn escape_length(text: &[u8]) -> usize {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    match text {
        [b'\\', b'u', b'{', rest @ ..] => {
            let count = digits(rest);
            3 + count + usize::from(rest.get(count) == Some(&b'}'))
        }
        [b'\\', b'u', rest @ ..] => 2 + digits(rest).min(4),
        _ => 1,
    }
}

/// A word without escapes: what the parser takes it for.
pub fn unescaped(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(character) = rest.chars().next() {
        let length = if character == '\\' { escape_length(rest.as_bytes()) } else { character.len_utf8() };
        let (part, after) = rest.split_at(length);
        let digits = part.trim_start_matches("\\u").trim_matches(['{', '}']);
        let meant = if character == '\\' { u32::from_str_radix(digits, 16).ok().and_then(char::from_u32) } else { Some(character) };
        plain.push(meant.unwrap_or('\u{fffd}'));
        rest = after;
    }
    plain
}

/// Returns true if and only if a word may start with the byte. Every byte beyond ASCII may.
pub fn starts_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'\\' | b'#' | b'@') || 0x80 <= byte
}

/// Returns true if and only if a word may go on with the byte.
pub fn continues_word(byte: u8) -> bool {
    CONTINUES[usize::from(byte)]
}

const CONTINUES: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte as u8, b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'$' | b'\\' | 0x80..);
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read_as_the_parser_reads_them() {
        for (word, expected) in [
            ("\\u0065lse", "else"),
            ("\\u{65}lse", "else"),
            ("els\\u{00000065}", "else"),
            ("plain", "plain"),
            ("\\", "\u{fffd}"),
            ("\\u{110000}", "\u{fffd}"),
        ] {
            assert_eq!(unescaped(word), expected, "{word}");
        }
    }
}

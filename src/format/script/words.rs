//! The words of JavaScript that decide what may follow them.

/// What a word lets follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// An expression must follow: `return`, `typeof` …
    Operator,
    /// `if`, `while`, `for`, `with`: a bracket that heads a statement follows.
    Head,
    /// `else`, which continues an `if` that seemed finished.
    Else,
    /// An operator spelled as a word: it continues what stands before it, and an expression follows.
    Infix,
    /// A keyword in some places, a name in others.
    Contextual,
    /// A name that in some places continues what stands before it, on a line of its own or not.
    Joins,
    /// A name.
    Other,
}

/// Length of the longest word that is told apart.
const LONGEST: usize = "instanceof".len();

/// What a word lets follow.
pub fn classify(word: &str) -> Word {
    if LONGEST < word.len() {
        return Word::Other;
    }
    match word {
        "if" | "while" | "for" | "with" => Word::Head,
        "else" => Word::Else,
        "return" | "typeof" | "new" | "delete" | "void" | "throw" | "case" | "do" | "default" => Word::Operator,
        "in" | "instanceof" | "extends" => Word::Infix,
        "as" | "satisfies" | "is" | "catch" | "finally" | "from" | "implements" | "keyof" | "infer" | "unique" | "asserts" => Word::Joins,
        "of" | "await" | "yield" | "async" | "break" | "continue" | "debugger" | "readonly" => Word::Contextual,
        _ => Word::Other,
    }
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

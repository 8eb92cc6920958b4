//! How Python writes a string inside a list or a dictionary.

use std::fmt::Write as _;

use crate::upstream::python::characters::is_printable;

/// What `repr(text)` gives: quoted, with escapes for what is not printable.
pub fn string(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push(quote);
    for character in text.chars() {
        push_escaped(&mut literal, character, quote);
    }
    literal.push(quote);
    literal
}

fn push_escaped(literal: &mut String, character: char, quote: char) {
    let code = u32::from(character);
    match character {
        '\\' => literal.push_str("\\\\"),
        '\n' => literal.push_str("\\n"),
        '\r' => literal.push_str("\\r"),
        '\t' => literal.push_str("\\t"),
        _ if character == quote => literal.extend(['\\', quote]),
        _ if is_printable(character) => literal.push(character),
        _ => {
            // Writing to a string cannot fail.
            let _ = match code {
                0..=0xff => write!(literal, "\\x{code:02x}"),
                0x100..=0xffff => write!(literal, "\\u{code:04x}"),
                _ => write!(literal, "\\U{code:08x}"),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::string;

    #[test]
    fn strings_are_quoted_as_python_quotes_them() {
        for (text, expected) in [
            ("", "''"),
            ("it's", "\"it's\""),
            ("say \"hi\"", "'say \"hi\"'"),
            ("both ' and \"", "'both \\' and \"'"),
            ("tab\tback\\nul\0", "'tab\\tback\\\\nul\\x00'"),
            ("\u{200b}\u{e0001}é🎉", "'\\u200b\\U000e0001é🎉'"),
            ("\u{a0}\u{85}\u{7f}", "'\\xa0\\x85\\x7f'"),
        ] {
            assert_eq!(string(text), expected);
        }
    }
}

//! What names and literals of a script are as texts, the way JavaScript's `String` writes them.

use std::borrow::Cow;

use oxc_ast::ast::{Expression, PropertyKey, RegExpLiteral, StringLiteral};

use crate::value::js_number;

/// What oxc puts before the four hexadecimal digits of a lone surrogate.
const SURROGATE_MARK: char = '\u{FFFD}';

/// The text of a property's key; `None` for private names and for keys that must be computed.
pub fn key_name(key: &PropertyKey<'_>) -> Option<String> {
    match key {
        PropertyKey::StaticIdentifier(name) => Some(name.name.to_string()),
        PropertyKey::PrivateIdentifier(_) => None,
        _ => key.as_expression().and_then(name_or_literal),
    }
}

/// The name of a variable, also where it stands for its value as in `[name]`, or `String(literal)`.
pub fn name_or_literal(expression: &Expression<'_>) -> Option<String> {
    match expression.without_parentheses() {
        Expression::Identifier(name) => Some(name.name.to_string()),
        Expression::StringLiteral(text) => Some(text_of(text).into_owned()),
        Expression::NumericLiteral(number) => Some(js_number::plain(number.value)),
        Expression::BigIntLiteral(number) => Some(number.value.to_string()),
        Expression::BooleanLiteral(truth) => Some(truth.value.to_string()),
        Expression::NullLiteral(_) => Some("null".to_owned()),
        Expression::RegExpLiteral(expression) => Some(regular_expression(expression)),
        _ => None,
    }
}

/// The value of a string literal, with U+FFFD for each lone surrogate.
pub fn text_of<'l>(literal: &'l StringLiteral<'_>) -> Cow<'l, str> {
    let value = literal.value.as_str();
    if !literal.lone_surrogates {
        return Cow::Borrowed(value);
    }
    // oxc writes a lone surrogate, and U+FFFD itself, as a mark and four digits; only the mark stays.
    let mut parts = value.split(SURROGATE_MARK);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push(SURROGATE_MARK);
        text.push_str(part.get(4..).unwrap_or_default());
    }
    Cow::Owned(text)
}

/// The source between slashes, then the flags in alphabetical order.
fn regular_expression(literal: &RegExpLiteral<'_>) -> String {
    let mut flags: Vec<char> = literal.regex.flags.to_string().chars().collect();
    flags.sort_unstable();
    format!("/{}/{}", literal.regex.pattern.text, flags.into_iter().collect::<String>())
}

#[cfg(test)]
mod tests {
    use oxc_allocator::Allocator;
    use oxc_ast::ast::Expression;
    use oxc_parser::Parser;
    use oxc_span::SourceType;

    use super::name_or_literal;

    fn check(text: &str, expected: Option<&str>) {
        let allocator = Allocator::default();
        let parser = Parser::new(&allocator, text, SourceType::mjs());
        let expression: Expression = parser.parse_expression().expect("each text is an expression");
        assert_eq!(name_or_literal(&expression).as_deref(), expected, "{text}");
    }

    #[test]
    fn literals_are_written_as_string_does() {
        for (text, expected) in [
            ("a", Some("a")),
            ("'a\\x62'", Some("ab")),
            ("('a')", Some("a")),
            ("1e3", Some("1000")),
            ("0x10n", Some("16")),
            ("false", Some("false")),
            ("null", Some("null")),
            ("/a\\/[/]/vig", Some("/a\\/[/]/giv")),
            ("-1", None),
            ("`a`", None),
            ("a.b", None),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn a_lone_surrogate_is_one_replacement_character() {
        for (text, expected) in [
            ("'a\\ud800b'", "a\u{FFFD}b"),
            ("'\\udfff\u{FFFD}0041'", "\u{FFFD}\u{FFFD}0041"),
            ("'\\ud83d\\ude00'", "\u{1F600}"),
            ("'\u{FFFD}0041'", "\u{FFFD}0041"),
        ] {
            check(text, Some(expected));
        }
    }
}

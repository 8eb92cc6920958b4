//! Statements with places for values, and the values that a call hands beside them: `('… SET role = $1', ['admin'])`.

use crate::subject::call::Value;

/// What a call hands beside a statement.
#[derive(Debug, Default)]
pub struct Handed {
    /// By place: `$1`, `?`.
    listed: Vec<Option<String>>,
    /// By name: `:role`, `@role`.
    named: Vec<(String, String)>,
}

impl Handed {
    /// What stands in an argument as a list of plain values, and under names.
    pub fn of(argument: &Value) -> Self {
        let mut handed = Self::default();
        argument.visit("", &mut |key, value| {
            if let Value::Array(elements, _) = value
                && handed.listed.is_empty()
                && elements.iter().all(|one| !matches!(one, Value::Object(..) | Value::Array(..)))
            {
                handed.listed = elements.iter().map(literal).collect();
            }
            if let Some(literal) = literal(value).filter(|_| !key.is_empty()) {
                handed.named.push((key.to_owned(), literal));
            }
        });
        handed
    }

    /// A statement with the values in their places; nothing where none is known or none has a place.
    pub fn bind(&self, statement: &str) -> Option<String> {
        let mut bound = String::with_capacity(statement.len() + 64);
        let (mut rest, mut nth, mut is_bound, mut quote) = (statement, 0, false, None);
        while let Some(sign) = rest.chars().next() {
            let behind = rest.get(sign.len_utf8()..).unwrap_or_default();
            if let Some(closing) = quote {
                quote = if sign == closing { None } else { quote };
            } else if matches!(sign, '\'' | '"' | '`') {
                quote = Some(sign);
            } else if matches!(sign, '$' | '?' | ':' | '@' | '%') && !bound.ends_with([':', '@']) {
                let length = behind.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
                let name = behind.get(..length).unwrap_or_default();
                let (value, length) = match sign {
                    '$' if name.bytes().all(|byte| byte.is_ascii_digit()) => {
                        (self.at(name.parse::<usize>().ok().and_then(|at| at.checked_sub(1))), length)
                    }
                    '?' => {
                        nth += 1;
                        (self.at(Some(nth - 1)), 0)
                    }
                    '%' if name == "s" => {
                        nth += 1;
                        (self.at(Some(nth - 1)), 1)
                    }
                    ':' | '@' | '$' if !name.is_empty() => (self.named(name), length),
                    _ => (None, length),
                };
                if let Some(value) = value {
                    bound.push_str(value);
                    rest = behind.get(length..).unwrap_or_default();
                    is_bound = true;
                    continue;
                }
            }
            bound.push(sign);
            rest = behind;
        }
        is_bound.then_some(bound)
    }

    fn at(&self, at: Option<usize>) -> Option<&str> {
        self.listed.get(at?)?.as_deref()
    }

    fn named(&self, name: &str) -> Option<&str> {
        self.named.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

/// A value as a statement writes it out.
fn literal(value: &Value) -> Option<String> {
    match value {
        Value::String(text, _) => Some(format!("'{}'", text.replace('\'', "''"))),
        Value::Number(number, _) => Some(number.to_string()),
        Value::Boolean(is, _) => Some(is.to_string()),
        Value::Missing
        | Value::Null(_)
        | Value::Array(..)
        | Value::Object(..)
        | Value::OneOf(..)
        | Value::Partial(..)
        | Value::Dynamic(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::call::Property;
    use crate::value::span::Span;

    fn text(text: &str) -> Value {
        Value::String(text.into(), Span::default())
    }

    fn bound(statement: &str, listed: Vec<Value>) -> Option<String> {
        Handed::of(&Value::Array(listed, Span::default())).bind(statement)
    }

    #[test]
    fn values_stand_where_they_are_bound() {
        let two = || vec![text("admin"), text("o'neil")];
        let written = Some("SET role = 'admin' WHERE name = 'o''neil'".to_owned());
        assert_eq!(bound("SET role = $1 WHERE name = $2", two()), written);
        assert_eq!(bound("SET role = ? WHERE name = ?", two()), written);
        assert_eq!(bound("SET role = %s WHERE name = %s", two()), written);
    }

    #[test]
    fn names_and_what_only_looks_like_a_place() {
        let span = Span::default();
        let named = |key: &str, value: &str| Property { key: key.into(), value: text(value), key_span: span };
        let handed = Handed::of(&Value::Object(vec![named("role", "owner")], span));
        assert_eq!(handed.bind("SET role = :role").as_deref(), Some("SET role = 'owner'"));
        assert_eq!(handed.bind("SET role = @role").as_deref(), Some("SET role = 'owner'"));
        for whole in ["SELECT '$role :role ?'", "SELECT a::role", "SELECT :other", "SELECT 1"] {
            assert_eq!(handed.bind(whole), None, "{whole}");
        }
        assert_eq!(bound("SELECT $2", vec![text("a"), Value::Dynamic(span)]), None);
    }
}

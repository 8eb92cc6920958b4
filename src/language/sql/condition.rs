//! Conditions of statements: which of them hold for every row.

use crate::language::sql::Token;

/// How deep conditions are read.
const DEPTH: u8 = 40;

/// Whether a condition holds: for every row, for none, or it depends on the row.
pub fn condition(tokens: &[Token]) -> Option<bool> {
    let mut reader = Reader { tokens, at: 0 };
    let holds = reader.any(DEPTH);
    (reader.at == tokens.len()).then_some(holds)?
}

/// Returns true if and only if a condition does nothing but tie tables together: `a.id = b.a_id AND b.c = a.c`.
pub fn is_join(tokens: &[Token]) -> bool {
    let ties = |token: &Token| match token {
        Token::Word(word) => {
            !matches!(word.as_str(), "or" | "not" | "like" | "in" | "is" | "exists" | "select" | "between" | "true" | "false")
        }
        Token::Name(_) => true,
        Token::Sign(sign) => matches!(*sign, "." | "=" | "(" | ")"),
        Token::Text(_) | Token::Number(_) | Token::Hole | Token::Unknown => false,
    };
    let ands = tokens.iter().filter(|token| token.is("and")).count();
    let equals = tokens.iter().filter(|token| **token == Token::Sign("=")).count();
    equals == ands + 1 && tokens.contains(&Token::Sign(".")) && tokens.iter().all(ties)
}

struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq)]
enum Side {
    Number(f64),
    Text(String),
    Truth(bool),
    Null,
    Now,
    /// By what it is called, and the table that is named before it.
    Column(String, Option<String>),
    Other,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn take(&mut self, word: &str) -> bool {
        let is_there = self.peek().is_some_and(|token| token.is(word) || matches!(token, Token::Sign(sign) if *sign == word));
        self.at += usize::from(is_there);
        is_there
    }

    fn any(&mut self, depth: u8) -> Option<bool> {
        let mut holds = self.all(depth);
        while self.take("or") || self.take("||") {
            let other = self.all(depth);
            holds = match (holds, other) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), other) => other,
                (holds, Some(false)) => holds,
                (None, None) => None,
            };
        }
        holds
    }

    fn all(&mut self, depth: u8) -> Option<bool> {
        let mut holds = self.not(depth);
        while self.take("and") {
            let other = self.not(depth);
            holds = match (holds, other) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), other) => other,
                (holds, Some(true)) => holds,
                (None, None) => None,
            };
        }
        holds
    }

    fn not(&mut self, depth: u8) -> Option<bool> {
        let mut is_negated = false;
        while self.take("not") || self.take("!") {
            is_negated = !is_negated;
        }
        self.comparison(depth).map(|holds| holds != is_negated)
    }

    fn comparison(&mut self, depth: u8) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        if self.take("exists") {
            let inner = self.parenthesised();
            let is_plain = inner.first().is_some_and(|token| token.is("select")) && !inner.iter().any(|token| token.is("where"));
            return is_plain.then_some(true);
        }
        let opens_condition =
            matches!(self.peek(), Some(Token::Sign("("))) && !self.tokens.get(self.at + 1).is_some_and(|token| token.is("select"));
        if opens_condition {
            let start = self.at;
            self.at += 1;
            let holds = self.any(depth);
            let is_closed = self.take(")");
            let is_side = matches!(self.peek(), Some(Token::Sign(sign)) if !matches!(*sign, ")" | "," | "||"));
            if is_closed && !is_side {
                return holds;
            }
            self.at = start;
        }
        let left = self.side();
        self.compared(&left)
    }

    /// What follows the left side of a comparison.
    fn compared(&mut self, left: &Side) -> Option<bool> {
        if self.take("is") {
            let is_negated = self.take("not");
            let right = self.side();
            return match (left, right) {
                (Side::Column(name, _), Side::Null) => (is_negated && is_key(name)).then_some(true),
                (Side::Null, Side::Null) => Some(!is_negated),
                (Side::Truth(left), Side::Truth(right)) => Some((*left == right) != is_negated),
                (Side::Number(_) | Side::Text(_), Side::Null) => Some(is_negated),
                _ => None,
            };
        }
        let is_negated = self.take("not");
        if self.take("like") || self.take("ilike") || self.take("regexp") || self.take("rlike") || self.take("glob") {
            let right = self.side();
            let is_all = matches!(&right, Side::Text(text) if !text.is_empty() && text.chars().all(|character| matches!(character, '%' | '*')) || matches!(&right, Side::Text(text) if text == ".*"));
            return (is_all && !is_negated).then_some(true);
        }
        if self.take("between") {
            let low = self.side();
            self.take("and");
            let high = self.side();
            return match (left, low, high) {
                (Side::Column(name, _), Side::Number(low), Side::Number(high)) => {
                    (!is_negated && is_key(name) && low <= 1.0 && 1e6 <= high).then_some(true)
                }
                _ => None,
            };
        }
        if self.take("in") {
            let inner = self.parenthesised();
            let is_plain =
                inner.first().is_some_and(|token| token.is("select")) && !inner.iter().any(|token| token.is("where") || token.is("limit"));
            return (is_plain && !is_negated).then_some(true);
        }
        let Some(Token::Sign(sign)) = self.peek() else { return truth(left) };
        let sign = *sign;
        if !matches!(sign, "=" | "==" | "<>" | "!=" | "<" | ">" | "<=" | ">=" | "<=>") {
            return truth(left);
        }
        self.at += 1;
        let right = self.side();
        compare(left, sign, &right)
    }

    fn side(&mut self) -> Side {
        let mut side = self.atom();
        // Arithmetic and functions are not computed; they depend on what they are given.
        while matches!(self.peek(), Some(Token::Sign("+" | "-" | "*" | "/" | "%" | ":")))
            || matches!(self.peek(), Some(Token::Word(word)) if word == "interval" || word == "collate")
        {
            self.at += 1;
            self.atom();
            side = Side::Other;
        }
        side
    }

    fn atom(&mut self) -> Side {
        let Some(token) = self.peek().cloned() else { return Side::Other };
        self.at += 1;
        match token {
            Token::Number(number) => Side::Number(number),
            Token::Text(text) => Side::Text(text),
            Token::Sign("-") => match self.peek().cloned() {
                Some(Token::Number(number)) => {
                    self.at += 1;
                    Side::Number(-number)
                }
                Some(_) | None => Side::Other,
            },
            Token::Sign("(") => {
                self.at -= 1;
                match self.parenthesised().as_slice() {
                    [Token::Number(number)] => Side::Number(*number),
                    [Token::Text(text)] => Side::Text(text.clone()),
                    [Token::Word(name) | Token::Name(name)] => Side::Column(name.clone(), None),
                    _ => Side::Other,
                }
            }
            Token::Word(word) if word == "true" => Side::Truth(true),
            Token::Word(word) if word == "false" => Side::Truth(false),
            Token::Word(word) if word == "null" => Side::Null,
            Token::Word(word) if matches!(word.as_str(), "now" | "current_timestamp" | "current_date" | "getdate" | "sysdate") => {
                if matches!(self.peek(), Some(Token::Sign("("))) {
                    self.parenthesised();
                }
                Side::Now
            }
            Token::Word(name) | Token::Name(name) => self.column(name),
            Token::Sign(_) | Token::Hole | Token::Unknown => Side::Other,
        }
    }

    fn column(&mut self, first: String) -> Side {
        let (mut name, mut table) = (first, None);
        while matches!(self.peek(), Some(Token::Sign("."))) {
            self.at += 1;
            if let Some(next) = self.peek().and_then(Token::name) {
                table = Some(std::mem::replace(&mut name, next.to_owned()));
                self.at += 1;
            }
        }
        if matches!(self.peek(), Some(Token::Sign("("))) {
            self.parenthesised();
            return Side::Other;
        }
        Side::Column(name, table)
    }

    /// What stands in the parentheses that open here.
    fn parenthesised(&mut self) -> Vec<Token> {
        if !self.take("(") {
            return Vec::new();
        }
        let start = self.at;
        let mut depth = 1_u32;
        while let Some(token) = self.peek() {
            match token {
                Token::Sign("(") => depth += 1,
                Token::Sign(")") => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return self.tokens.get(start..self.at - 1).unwrap_or_default().to_vec();
            }
        }
        Vec::new()
    }
}

fn truth(side: &Side) -> Option<bool> {
    match side {
        Side::Number(number) => Some(*number != 0.0),
        Side::Truth(truth) => Some(*truth),
        Side::Null => Some(false),
        Side::Text(_) | Side::Now | Side::Column(..) | Side::Other => None,
    }
}

fn compare(left: &Side, sign: &str, right: &Side) -> Option<bool> {
    match (left, right) {
        (Side::Number(left), Side::Number(right)) => Some(match sign {
            "<" => left < right,
            ">" => right < left,
            "<=" => left <= right,
            ">=" => right <= left,
            "<>" | "!=" => left != right,
            _ => left == right,
        }),
        (Side::Text(left), Side::Text(right)) => match sign {
            "=" | "==" | "<=>" => Some(left == right),
            "<>" | "!=" => Some(left != right),
            _ => None,
        },
        (Side::Truth(left), Side::Truth(right)) => Some((left == right) != matches!(sign, "<>" | "!=")),
        (Side::Column(left, of), Side::Column(right, other)) => {
            // Columns of two tables tie these together.
            let is_same = left == right && (of == other || of.is_none() || other.is_none());
            (is_same && matches!(sign, "=" | "==" | "<=" | ">=" | "<=>")).then_some(true)
        }
        (Side::Column(name, _), Side::Number(number)) => holds_for_keys(name, sign, *number),
        (Side::Column(name, _), Side::Text(text)) if text.is_empty() => (is_key(name) && matches!(sign, "<>" | "!=" | ">")).then_some(true),
        (Side::Column(name, _), Side::Now) => (is_past(name) && matches!(sign, "<" | "<=")).then_some(true),
        (Side::Column(name, _), Side::Text(text)) => {
            let is_early = text.starts_with("19") || text.starts_with("0");
            let is_late = ["20", "21", "99"].iter().any(|century| text.starts_with(century)) && "2090" < text.as_str();
            let holds = is_early && matches!(sign, ">" | ">=") || is_late && matches!(sign, "<" | "<=");
            (is_past(name) && holds).then_some(true)
        }
        _ => None,
    }
}

/// Whether a comparison with a number holds for whatever a key counts up from 1.
fn holds_for_keys(name: &str, sign: &str, number: f64) -> Option<bool> {
    let holds = match sign {
        ">" => number <= 0.0,
        ">=" => number <= 1.0,
        "<>" | "!=" => number <= 0.0,
        "<" | "<=" => 1e9 <= number,
        _ => false,
    };
    (holds && is_key(name)).then_some(true)
}

/// Returns true if and only if a column is one that every row has.
fn is_key(name: &str) -> bool {
    matches!(name, "id" | "uuid" | "pk" | "rowid" | "key" | "guid" | "_id" | "oid" | "ctid")
        || name.ends_with("_id")
        || name.ends_with("_uuid")
}

/// Returns true if and only if a column tells a time that has passed for every row.
fn is_past(name: &str) -> bool {
    matches!(
        name,
        "created"
            | "createdat"
            | "created_at"
            | "inserted_at"
            | "updated_at"
            | "updatedat"
            | "created_on"
            | "creation_date"
            | "date_created"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::sql::statements;

    #[test]
    fn conditions_that_hold_for_every_row_are_known() {
        for (text, expected) in [
            ("1=1", Some(true)),
            ("1", Some(true)),
            ("TRUE", Some(true)),
            ("'a'='a'", Some(true)),
            ("'a' /* x */ = 'a' -- y", Some(true)),
            ("(1 = 1)", Some(true)),
            ("((2 > 1))", Some(true)),
            ("NOT FALSE", Some(true)),
            ("id > 0", Some(true)),
            ("users.id >= 1", Some(true)),
            ("id IS NOT NULL", Some(true)),
            ("id != -1", Some(true)),
            ("id = id", Some(true)),
            ("name LIKE '%'", Some(true)),
            ("status = 'x' OR 1=1", Some(true)),
            ("status = 'x' OR (true)", Some(true)),
            ("created_at < NOW()", Some(true)),
            ("id IN (SELECT id FROM users)", Some(true)),
            ("1=0", Some(false)),
            ("1=1 AND id = 5", None),
            ("1=1 AND 2=2", Some(true)),
            ("id = 5", None),
            ("id > 100", None),
            ("id = ?", None),
            ("email IS NOT NULL", None),
            ("name LIKE 'a%'", None),
            ("created_at < NOW() - INTERVAL '30 days'", None),
            ("id IN (1, 2, 3)", None),
            ("id IN (SELECT id FROM users WHERE x = 1)", None),
            ("lower(name) = 'a'", None),
            ("a = b", None),
            ("id > \u{1a}", None),
            ("(a = 1 OR b = 2) AND c = 3", None),
        ] {
            let tokens = statements(text).into_iter().next().unwrap_or_default();
            assert_eq!(condition(&tokens), expected, "{text}");
        }
    }

    #[test]
    fn hostile_statements_come_to_an_end() {
        for text in ["(".repeat(100_000), "not ".repeat(50_000), "1=1 or ".repeat(30_000), "- ".repeat(100_000), "'".repeat(99_999)] {
            for tokens in statements(&text) {
                let _ = condition(&tokens);
            }
        }
    }
}

//! Whole messages, as mail is written.

/// To whom the head of a message says that it goes, line by line: `To: a@house.example` (RFC 5322, section 3.6.3).
pub fn recipients(message: &str) -> impl Iterator<Item = &str> {
    // The head ends where a line is empty.
    let head = message.lines().map(str::trim).take_while(|line| !line.is_empty()).filter_map(|line| line.split_once(':'));
    let named = head.filter(|(name, _)| ["to", "cc", "bcc"].iter().any(|own| name.eq_ignore_ascii_case(own)));
    named.map(|(_, address)| address.trim()).filter(|address| address.contains('@'))
}

#[cfg(test)]
mod tests {
    use super::recipients;

    #[test]
    fn a_head_ends_where_a_line_is_empty() {
        let message = "Subject: a\r\nTo: b@house.example\r\nBCC: c@house.example\r\n\r\nTo: d@house.example";
        assert_eq!(recipients(message).collect::<Vec<_>>(), ["b@house.example", "c@house.example"]);
        assert_eq!(recipients("to whom it may concern").count(), 0);
        assert_eq!(recipients("\nTo: a@house.example").count(), 0);
    }
}

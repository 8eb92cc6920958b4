//! Numbers of bank accounts.

/// Returns true if and only if a text has the form of the international number of a bank account, whether its check digits hold or not:
/// two letters of a country, two digits, and 11 to 30 letters or digits of which at least 8 are digits (ISO 13616), with or without
/// spaces between groups of them.
pub fn is_bank_account(text: &str) -> bool {
    let mut bytes = text.bytes().filter(|byte| *byte != b' ');
    let (mut length, mut digits) = (0, 0);
    let begins = text.starts_with(|first: char| first.is_ascii_uppercase())
        && bytes.all(|byte| {
            length += 1;
            digits += usize::from(byte.is_ascii_digit());
            match length {
                1 | 2 => byte.is_ascii_uppercase(),
                3 | 4 => byte.is_ascii_digit(),
                _ => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            }
        });
    begins && (15..=34).contains(&length) && 10 <= digits
}

#[cfg(test)]
mod tests {
    use super::is_bank_account;

    #[test]
    fn groups_and_letters_are_fine_and_anything_else_is_not() {
        let digits = "0000000042424242";
        for (text, expected) in [
            (format!("LT12{digits}"), true),
            (format!("MT00FAKE{digits}"), true),
            (format!("EE12 {}", digits.replace("4242", " 4242 ")), true),
            (format!("lt12{digits}"), false),
            (format!("LT12-{digits}"), false),
            (format!("LTA2{digits}"), false),
            ("LT12".to_owned(), false),
            (String::new(), false),
        ] {
            assert_eq!(is_bank_account(&text), expected, "{text}");
        }
    }
}

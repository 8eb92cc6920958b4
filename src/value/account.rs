//! Numbers of bank accounts, and addresses of wallets.

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

/// Returns true if and only if a value has the form of an address of a crypto currency.
pub fn is_crypto_address(text: &str) -> bool {
    let text = text.trim();
    let base58 = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() && !matches!(byte, b'0' | b'O' | b'I' | b'l'));
    let mixed = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit()) && text.bytes().any(|byte| byte.is_ascii_uppercase());
    let is_ether = text.strip_prefix("0x").is_some_and(|hex| hex.len() == 40 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let is_segwit = (text.starts_with("bc1") || text.starts_with("tb1") || text.starts_with("ltc1"))
        && (26..=90).contains(&text.len())
        && text.is_ascii();
    let is_old = (26..=35).contains(&text.len()) && text.starts_with(['1', '3', 'T', 'L', 'D', 'r']) && base58(text) && mixed(text);
    let is_long = (43..=106).contains(&text.len()) && base58(text) && mixed(text);
    is_ether || is_segwit || is_old || is_long || text.ends_with(".eth") && 4 < text.len()
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

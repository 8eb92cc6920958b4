//! Texts in code that are written as numbers, or filled with what is taken out again.

/// Fewest numbers that are given to a call that makes a text of them.
const NUMBERS: usize = 3;
/// Fewest numbers of a list that is a text.
const CODES: usize = 6;
/// The code of the first character that is seen.
const BLANK: u32 = 32;
/// How often a filler stands in code that it hides.
const FILLINGS: usize = 30;
/// Longest filler, in bytes.
const FILLER: usize = 40;
/// How many texts are looked at as fillers.
const CANDIDATES: usize = 4;
/// How many different signs a filler has that is written in ASCII.
const SIGNS: usize = 4;

/// Calls that are given nothing but numbers and whose answers are texts: they are added up, name a property, or are made of a
/// list of codes: `N(13, 10, 118) + N(97, 114, 32)`, `shell[text([107, 212, 228])]`.
pub fn calls(code: &str) -> Vec<(usize, usize)> {
    memchr::memchr_iter(b'(', code.as_bytes()).filter_map(|open| call(code, open)).collect()
}

/// The call whose arguments begin at a place, if it is such a call.
fn call(code: &str, open: usize) -> Option<(usize, usize)> {
    let (end, is_list_of_codes) = end_of_numbers(code, open + 1)?;
    let start = name_before(code.as_bytes(), open);
    let before = code.get(..start)?.trim_end();
    let behind = code.get(end..)?.trim_start();
    let is_key = before.ends_with('[') && behind.starts_with(']');
    let is_added = (before.ends_with('+') && !before.ends_with("++")) || (behind.starts_with('+') && !behind.starts_with("++"));
    let is_plain = !before.ends_with(['.', '$']) && !before.ends_with("new") && !before.ends_with("function");
    (start < open && (is_key || is_added || is_list_of_codes && is_plain)).then_some((start, end))
}

/// Where the name begins that ends at a place.
fn name_before(code: &[u8], end: usize) -> usize {
    let name = code.get(..end).unwrap_or_default().iter().rev().take_while(|byte| is_name(**byte)).count();
    end - name
}

/// The place behind the parenthesis that closes whole numbers, or one list of them, and whether it is one of codes.
fn end_of_numbers(code: &str, start: usize) -> Option<(usize, bool)> {
    let inside = code.get(start..)?;
    let length = inside.bytes().position(|byte| !matches!(byte, b'0'..=b'9' | b',' | b' ' | b'[' | b']' | b'\n' | b'\t' | b'\r'))?;
    // Nearly all calls are given something else.
    if length < 2 * NUMBERS - 1 {
        return None;
    }
    let text = inside.get(..length)?.trim();
    let list = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let numbers: Vec<u32> = list.unwrap_or(text).split(',').filter_map(|number| number.trim().parse().ok()).collect();
    let printable = numbers.iter().filter(|number| BLANK <= **number).count();
    let is_list_of_codes = list.is_some() && CODES <= numbers.len() && numbers.len() < 2 * printable;
    let is_closed = inside.as_bytes().get(length) == Some(&b')') && !list.unwrap_or(text).contains(['[', ']']);
    (is_closed && NUMBERS <= numbers.len()).then_some((start + length + 1, is_list_of_codes))
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

/// A text of signs that say nothing, which stands again and again in the other texts: where it is written alone.
pub fn filler(code: &str, literals: &[(usize, usize)]) -> Option<(usize, usize)> {
    let inner = |(start, end): &(usize, usize)| code.get(start + 1..end - 1).unwrap_or_default();
    let candidates = literals.iter().filter(|literal| is_filler(inner(literal))).take(CANDIDATES);
    let mut hiding = candidates.filter(|literal| FILLINGS <= code.matches(inner(literal)).take(FILLINGS).count());
    hiding.next().copied()
}

/// Returns true if and only if a text is nothing but signs, and such as nobody draws lines with.
fn is_filler(text: &str) -> bool {
    let says_nothing = !text.is_empty() && text.len() <= FILLER && !text.contains(char::is_alphanumeric) && !text.contains('\\');
    let mut signs: Vec<char> = text.chars().filter(|sign| !sign.is_whitespace()).collect();
    signs.sort_unstable();
    signs.dedup();
    says_nothing && SIGNS <= signs.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_added_up_or_name_a_property_are_coded() {
        assert_eq!(calls("eval(N(13,10,118) + N(97,114,32));").len(), 2);
        assert_eq!(calls("shell[text([ 107, 212, 228 ])](1);").len(), 1);
        assert_eq!(calls("open(text([ 107, 212, 228, 192, 90, 77 ]));").len(), 1);
    }

    #[test]
    fn numbers_that_are_colours_and_points_are_not() {
        for code in [
            "fill(rgb(255, 0, 10));",
            "at = point(1, 2, 3);",
            "sum([1, 2, 3]);",
            "sum([1, 2, 3, 4, 5, 6]);",
            "new Uint8Array([107, 212, 228, 192, 90, 77])",
            "i++ (1, 2, 3)",
            "a[f(1)] + g(2, x, 3)",
        ] {
            assert_eq!(calls(code), Vec::new(), "{code}");
        }
    }

    #[test]
    fn a_filler_stands_again_and_again() {
        let is_filled = |code: &str| filler(code, &super::super::shape::literals(code)).is_some();
        let filled = format!(
            "const f = '\u{2ff} \u{2af2} \u{a4b0} \u{255b}'; run('{}'.replace(f, ''));",
            "a\u{2ff} \u{2af2} \u{a4b0} \u{255b}".repeat(40)
        );
        assert!(is_filled(&filled));
        assert!(!is_filled(&format!("const line = '-----'; log('{}');", "-----".repeat(40))));
        assert!(!is_filled("const f = '\u{2ff} \u{2af2} \u{a4b0} \u{255b}'; log(f);"));
    }
}

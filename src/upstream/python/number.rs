//! How Python writes floats, and how it divides whole numbers.

/// From this decimal exponent on a float is written with an exponent, and below the other.
/// Source: `float.__repr__` of Python 3.
const EXPONENT_FROM: i32 = 16;
const EXPONENT_BELOW: i32 = -4;

/// What `repr(value)` gives: the shortest digits that read back as `value`, always with a point or an exponent.
pub fn float(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if 0.0 < value { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = shortest(value);
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (EXPONENT_BELOW..EXPONENT_FROM).contains(&exponent) {
        return in_full(digits, exponent);
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

/// The shortest digits that read back, as `D.DDDe±X`; of two as short and as near, the even ones. Rust's
/// own differ in that last point.
fn shortest(value: f64) -> String {
    let shortest = format!("{value:e}");
    let digits = shortest.chars().take_while(|character| *character != 'e').filter(char::is_ascii_digit).count();
    let nearest = format!("{value:.*e}", digits.saturating_sub(1));
    if nearest.parse() == Ok(value) { nearest } else { shortest }
}

/// `D.DDD × 10^exponent` without an exponent, with at least one decimal.
fn in_full(digits: &str, exponent: i32) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let digits = digits.replace('.', "");
    let Ok(whole) = usize::try_from(exponent + 1) else {
        return format!("{sign}0.{}{digits}", "0".repeat((exponent + 1).unsigned_abs() as usize));
    };
    match digits.split_at_checked(whole) {
        Some(("", fraction)) => format!("{sign}0.{fraction}"),
        Some((whole, fraction)) => format!("{sign}{whole}.{}", if fraction.is_empty() { "0" } else { fraction }),
        None => format!("{sign}{digits:0<whole$}.0"),
    }
}

/// What `f"{value:.2f}"` gives.
pub fn fixed(value: f64, decimals: usize) -> String {
    if value.is_finite() {
        return format!("{value:.decimals$}");
    }
    float(value)
}

/// What dividing a whole number by a power of ten gives: the float next to the exact quotient.
///
/// The number is given by its digits, because it may have more of them than any type holds. What is
/// no number at all gives none.
pub fn divided_by_power_of_ten(digits: &str, power: u32) -> f64 {
    // Reading a text rounds once, dividing a float that was rounded itself would round twice.
    format!("{digits}e-{power}").parse().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::{divided_by_power_of_ten, fixed, float};

    #[test]
    fn floats_are_written_as_python_writes_them() {
        for (value, expected) in [
            (3.0, "3.0"),
            (-0.0, "-0.0"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.234_567_890_123_456_8e17, "1.2345678901234568e+17"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (-1.5e-9, "-1.5e-09"),
            (0.001_25, "0.00125"),
            (0.5, "0.5"),
            (-120.0, "-120.0"),
            (-727_305_841_188_265.0 / 8.0, "-90913230148533.12"),
            (5e-324, "5e-324"),
            (1e300, "1e+300"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
        ] {
            assert_eq!(float(value), expected);
        }
    }

    #[test]
    fn decimals_are_rounded_to_the_even_digit() {
        for (value, expected) in
            [(0.125, "0.12"), (0.375, "0.38"), (0.015, "0.01"), (-0.0, "-0.00"), (f64::NAN, "nan"), (f64::INFINITY, "inf")]
        {
            assert_eq!(fixed(value, 2), expected);
        }
    }

    #[test]
    fn large_whole_numbers_are_divided_exactly() {
        for (digits, expected) in [
            ("10000", 1.0),
            ("0", 0.0),
            ("9007199254740993", 900_719_925_474.099_2),
            ("-9223372036854775808", -922_337_203_685_477.6),
            ("-10000000000000000000000000", -1e21),
        ] {
            assert_eq!(divided_by_power_of_ten(digits, 4).to_bits(), f64::to_bits(expected), "{digits}");
        }
    }
}

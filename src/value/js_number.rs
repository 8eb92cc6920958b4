//! How JavaScript writes a number as text, for answers that must match software written in it.

/// From this many digits before the point a number is written with an exponent, and from so many
/// zeros after it. Source: ECMA-262, Number::toString.
const WHOLE_DIGITS: i32 = 21;
const ZEROS_AFTER_POINT: i32 = 6;
/// No double has more significant digits than this when written out in full.
const DIGITS_OF_ANY_DOUBLE: usize = 767;

/// Whole numbers up to this are told apart by a double: 2^53 - 1.
const WHOLE: f64 = 9_007_199_254_740_991.0;

/// What `String(value)` gives: the shortest digits that read back as `value`.
pub fn plain(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    // Places in lists are written all the time.
    if value.fract() == 0.0 && value.abs() <= WHOLE {
        return (value as i64).to_string();
    }
    let sign = if value < 0.0 { "-" } else { "" };
    if value.is_infinite() {
        return format!("{sign}Infinity");
    }
    let decimal = Decimal::of(value.abs());
    if (1 - ZEROS_AFTER_POINT..=WHOLE_DIGITS).contains(&decimal.point) {
        let (whole, fraction) = decimal.parts();
        let point = if fraction.is_empty() { "" } else { "." };
        return format!("{sign}{whole}{point}{fraction}");
    }
    let exponent = decimal.point - 1;
    let (first, rest) = decimal.digits.split_at_checked(1).unwrap_or_default();
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{first}{point}{rest}e{exponent:+}")
}

/// What `value.toLocaleString('en-US')` gives: thousands parted by commas, at most three decimals,
/// `∞` for infinity.
pub fn grouped(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_infinite() {
        return format!("{sign}∞");
    }
    let (whole, fraction) = Decimal::of(value.abs()).rounded_to_thousandths();
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", parted_by_commas(&whole))
}

/// What `value.toFixed(2)` gives for a `value` of at least 0: exact halves go up (`0.125` → `0.13`),
/// where Rust's own formatting goes to the even digit.
pub fn to_two_decimals(value: f64) -> String {
    let is_multiple_of_an_eighth = (value * 8.0).fract() == 0.0;
    if is_multiple_of_an_eighth {
        return format!("{:.2}", (value * 100.0 + 0.5).floor() / 100.0);
    }
    format!("{value:.2}")
}

/// The number `0.DIGITS × 10^point`.
struct Decimal {
    digits: String,
    point: i32,
}

impl Decimal {
    /// The shortest digits of a finite `value` of at least 0, and of two as short and as near, the
    /// even ones. Rust's own shortest digits differ in that last point alone.
    fn of(value: f64) -> Self {
        let text = format!("{value:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let point = 1 + exponent.parse::<i32>().unwrap_or_default();
        let digits = mantissa.replace('.', "");
        Self { digits: even_of_two(value, digits), point }
    }

    /// What stands before the point, and what after it.
    fn parts(&self) -> (String, String) {
        let Ok(point) = usize::try_from(self.point) else {
            let zeros = "0".repeat(self.point.unsigned_abs() as usize);
            return ("0".to_owned(), format!("{zeros}{}", self.digits));
        };
        match self.digits.split_at_checked(point) {
            Some(("", fraction)) => ("0".to_owned(), fraction.to_owned()),
            Some((whole, fraction)) => (whole.to_owned(), fraction.to_owned()),
            None => (format!("{:0<point$}", self.digits), String::new()),
        }
    }

    /// The same with at most three decimals, half rounded up, without trailing zeros.
    fn rounded_to_thousandths(&self) -> (String, String) {
        let (whole, fraction) = self.parts();
        let (Some(kept), Some(rest)) = (fraction.get(..3), fraction.get(3..)) else {
            return (whole, fraction);
        };
        // A double with a fraction is below 2^53, so its thousandths fit.
        let thousandths: u64 = format!("{whole}{kept}").parse().unwrap_or_default();
        let thousandths = thousandths + u64::from(matches!(rest.bytes().next(), Some(b'5'..=b'9')));
        let fraction = format!("{:03}", thousandths % 1000);
        ((thousandths / 1000).to_string(), fraction.trim_end_matches('0').to_owned())
    }
}

/// `digits`, or those before them if `value` lies exactly between the two and they read back as well.
fn even_of_two(value: f64, mut digits: String) -> String {
    let last = digits.pop().unwrap_or('0');
    let Some(even) = last.to_digit(10).filter(|digit| digit % 2 == 1).map(|digit| digit - 1) else {
        digits.push(last);
        return digits;
    };
    let below = format!("{digits}{even}");
    digits.push(last);
    let in_full = format!("{value:.DIGITS_OF_ANY_DOUBLE$e}");
    let (mantissa, exponent) = in_full.split_once('e').unwrap_or((&in_full, "0"));
    let lies_between = mantissa.replace('.', "").trim_end_matches('0') == format!("{below}5");
    let places = exponent.parse::<i64>().unwrap_or_default() + 1;
    let reads_back = format!("0.{below}e{places}").parse() == Ok(value);
    if lies_between && reads_back { below } else { digits }
}

/// `1234567` → `1,234,567`.
fn parted_by_commas(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if 0 < place && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{grouped, plain, to_two_decimals};

    #[test]
    #[expect(clippy::excessive_precision, reason = "the numbers stand as their ties are, to the last digit")]
    fn plain_numbers_are_written_as_string_does() {
        let cases: [(f64, &str); 18] = [
            (0.0, "0"),
            (-0.0, "0"),
            (7.0, "7"),
            (-3.0, "-3"),
            (12.5, "12.5"),
            (0.5, "0.5"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1.25e30, "1.25e+30"),
            (0.000_001, "0.000001"),
            (0.000_000_15, "1.5e-7"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            // Exactly between …9.2 and …9.3, both of which read back.
            (574_622_656_303_569.25, "574622656303569.2"),
            (18_087_312_187_444.812_5, "18087312187444.812"),
            (f64::NEG_INFINITY, "-Infinity"),
            (f64::NAN, "NaN"),
        ];
        for (value, expected) in cases {
            assert_eq!(plain(value), expected, "{value}");
        }
    }

    #[test]
    #[expect(clippy::excessive_precision, reason = "the numbers stand as their ties are, to the last digit")]
    fn grouped_numbers_are_written_as_in_english() {
        let cases: [(f64, &str); 14] = [
            (0.0, "0"),
            (0.001_5, "0.002"),
            (0.000_1, "0"),
            (574_622_656_303_569.25, "574,622,656,303,569.2"),
            (999.0, "999"),
            (1000.0, "1,000"),
            (1_234_567.0, "1,234,567"),
            (1_234_567.5, "1,234,567.5"),
            (1_234_567.126_5, "1,234,567.127"),
            (1_234_567.126_4, "1,234,567.126"),
            (999_999.999_9, "1,000,000"),
            (1_000_000.000_1, "1,000,000"),
            (2e21, "2,000,000,000,000,000,000,000"),
            (f64::INFINITY, "∞"),
        ];
        for (value, expected) in cases {
            assert_eq!(grouped(value), expected, "{value}");
        }
    }

    #[test]
    fn exact_halves_go_up_in_two_decimals() {
        for (value, expected) in [(0.125, "0.13"), (0.375, "0.38"), (0.5, "0.50"), (1.0 / 3.0, "0.33"), (3.0, "3.00"), (1.005, "1.00")] {
            assert_eq!(to_two_decimals(value), expected, "{value}");
        }
    }
}
